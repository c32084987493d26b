//! Calendar days as arguments: checked here, so that a typing error is a usage error and not a failed query.

/// A day as YYYY-MM-DD.
pub fn day(text: &str) -> Result<String, String> {
    let wrong = || format!("\"{text}\" is no date; write it as YYYY-MM-DD, such as 2022-11-07");
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, date] = parts.as_slice() else {
        return Err(wrong());
    };
    let number = |part: &str, digits: usize| {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse::<u32>().ok())
            .flatten()
    };
    let (Some(year), Some(month), Some(date)) = (number(year, 4), number(month, 2), number(date, 2)) else {
        return Err(wrong());
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    if year == 0 || !(1..=days).contains(&date) {
        return Err(wrong());
    }
    Ok(text.to_owned())
}

/// One day (in force from then on) or two (both included) as a daterange.
pub fn range(text: &str) -> Result<String, String> {
    match text.split_once("..") {
        None => Ok(format!("[{},)", day(text)?)),
        Some((from, "")) => Ok(format!("[{},)", day(from)?)),
        Some((from, to)) => {
            let (from, to) = (day(from)?, day(to)?);
            if to < from {
                return Err(format!("{to} is before {from}"));
            }
            Ok(format!("[{from},{to}]"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        assert!(day("2024-02-29").is_ok());
        for wrong in [
            "2023-02-29",
            "2022-13-01",
            "2022-1-1",
            "yesterday",
            "2022-00-10",
            "2022-04-31",
            "+022-01-01",
            "",
        ] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges() {
        assert_eq!(range("2022-11-07").as_deref(), Ok("[2022-11-07,)"));
        assert_eq!(range("2022-11-07..").as_deref(), Ok("[2022-11-07,)"));
        assert_eq!(range("2022-11-07..2025-12-31").as_deref(), Ok("[2022-11-07,2025-12-31]"));
        assert!(range("2025-01-01..2022-01-01").is_err());
    }
}

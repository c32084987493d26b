//! Whether a page as cited fits where a text stands.

/// True when a page or a range (`10-12`, `3–4`) meets the pages from one label to another. What cannot be compared fits.
pub(super) fn fit(cited: &str, (from, to): &(String, String)) -> bool {
    let cited: String =
        cited.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '–' { '-' } else { c }).collect();
    if cited == *from || cited == *to {
        return true;
    }
    // "10-12" is one page where pages are counted by chapter.
    let by_chapter = from.contains('-');
    let ends = match cited.split_once('-') {
        Some((first, last)) if !by_chapter => (count(first), count(last)),
        _ => (count(&cited), count(&cited)),
    };
    let (Some(first), Some(last), Some(from), Some(to)) = (ends.0, ends.1, count(from), count(to)) else {
        return false;
    };
    first.0 == from.0 && first.1 <= to.1 && last.1 >= from.1
}

/// A label as what stands before its last number, and that number.
fn count(label: &str) -> Option<(&str, u32)> {
    let digits = label.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    Some((label.get(..digits)?, label.get(digits..)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fit() {
        let pages = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        assert!(fit("10-12", &pages("10-12", "10-12")) && fit("10-12", &pages("10-11", "10-13")));
        assert!(
            fit("3", &pages("3", "4")) && fit("3–4", &pages("4", "6")) && fit("xiv", &pages("xiv", "xiv"))
        );
        assert!(
            !fit("10-14", &pages("10-11", "10-13"))
                && !fit("7", &pages("3", "4"))
                && !fit("9-12", &pages("10-12", "10-12"))
        );
    }
}

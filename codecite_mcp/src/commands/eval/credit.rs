//! What a section that was found is worth for a question.

/// Credit of an ancestor or descendant of an expected section.
const KIN: f64 = 0.5;
/// What follows an ancestor's number in that of a descendant.
const JOINTS: [char; 4] = ['.', '(', '-', ':'];
/// Labels without which numbers are compared.
const LABELS: [&str; 4] = ["chapter ", "article ", "section ", "clause "];

/// 1 for one of the expected numbers, 0.5 for an ancestor or a descendant of one, else 0.
pub fn credit(number: &str, expected: &[String]) -> f64 {
    expected.iter().map(|other| single(number, other)).fold(0.0, f64::max)
}

/// What a number is worth for one expected number.
pub fn single(number: &str, expected: &str) -> f64 {
    let (mine, other) = (canonical(number), canonical(expected));
    if mine.is_empty() || other.is_empty() {
        0.0
    } else if mine == other {
        1.0
    } else if is_below(&mine, &other) || is_below(&other, &mine) {
        KIN
    } else {
        0.0
    }
}

/// A number as it is compared: without the labels of sections, marks, case and white space at the ends.
pub fn canonical(number: &str) -> String {
    let text = number.replace('§', "").to_lowercase();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = LABELS.iter().find_map(|label| text.strip_prefix(label)).unwrap_or(&text);
    text.trim_end_matches('.').to_owned()
}

/// Whether a number stands somewhere below another one. A table stands below the section of its number.
fn is_below(number: &str, above: &str) -> bool {
    let extends = |number: &str| number.strip_prefix(above).is_some_and(|rest| rest.starts_with(JOINTS));
    extends(number) || number.strip_prefix("table ").is_some_and(|body| body == above || extends(body))
}

/// Text as quotations are compared: without white space, hyphens, cell bars and case.
pub fn squeeze(text: &str) -> String {
    let kept = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '|' | '\u{ad}' | '\u{2010}' | '\u{2011}');
    text.chars().filter(kept).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(number: &str, expected: &[&str]) -> f64 {
        credit(number, &expected.iter().map(|&number| number.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn an_exact_number_is_full_credit_however_it_is_written() {
        for (number, expected) in [
            ("1004.5", "1004.5"),
            ("§ 28-304.6.3.", "28-304.6.3"),
            ("SECTION 1004.5", "1004.5"),
            ("Chapter  10", "chapter 10"),
            ("Article 105", "105"),
            ("TABLE 1004.5", "Table 1004.5"),
            ("Appendix C", "appendix c"),
        ] {
            assert_eq!(of(number, &[expected]), 1.0, "{number} {expected}");
        }
        assert_eq!(of("2", &["1", "2"]), 1.0);
    }

    #[test]
    fn kin_is_half_credit_both_ways() {
        for (above, below) in [
            ("1004", "1004.5.1"),
            ("36.304", "36.304(c)(1)"),
            ("8-2", "8-2-1"),
            ("4101", "4101:1"),
            ("1004.5", "Table 1004.5"),
            ("1004", "Table 1004.5"),
            ("307.1", "Table 307.1(1)"),
            ("Table 307.1", "Table 307.1(1)"),
        ] {
            assert_eq!((of(above, &[below]), of(below, &[above])), (0.5, 0.5), "{above} {below}");
        }
    }

    #[test]
    fn neighbours_and_namesakes_are_none() {
        for (one, other) in [
            ("1004", "10041"),
            ("8-2-1", "8-2-14"),
            ("1004.5", "1004.6"),
            ("Table 1004.5", "1004.5.1"),
            ("Appendix C", "C101.2"),
            ("", "1004"),
            ("", ""),
        ] {
            assert_eq!((of(one, &[other]), of(other, &[one])), (0.0, 0.0), "{one} {other}");
        }
        assert_eq!(of("1", &[]), 0.0);
    }

    #[test]
    fn quotations_are_folded() {
        assert_eq!(squeeze("| Busi-\nness | 130 gross |"), squeeze("Business 130 GROSS"));
        assert_ne!(squeeze("130 net"), squeeze("130 gross"));
    }
}

//! Numbers of sections, tables, chapters: one canonical spelling, one key that sorts and looks up.
//!
//! The canonical form drops "§", the word "Section", committee marks such as `[F]` and a trailing dot, and
//! keeps the label of other parts: `1004.5`, `28-304.6.3`, `4101:1-10-04`, `36.304(c)`, `Chapter 10`,
//! `Table 307.1(1)`, `Appendix H`, `Appendix A to Part 36`, `Chapter 1 Division II`. A number that a document repeats
//! in another part is qualified by that part: `Appendix A 36.104`, `H1-2.17`, `H1-Table 2`. A note on several places
//! keeps them all: `A-5.2.1.(2) and (3)`.

use std::fmt;

/// The labels that stay part of a number, with the spellings that are read.
const LABELS: &[(&str, &[&str])] = &[
    ("Title", &["title"]),
    ("Part", &["part"]),
    ("Division", &["division"]),
    ("Subpart", &["subpart"]),
    ("Chapter", &["chapter", "chapters", "ch", "ch."]),
    ("Subchapter", &["subchapter"]),
    ("Article", &["article", "articles", "art."]),
    ("Appendix", &["appendix", "appendices"]),
    ("Annex", &["annex"]),
    ("Table", &["table", "tables", "tbl.", "tbl"]),
    ("Figure", &["figure", "figures", "fig.", "fig"]),
    ("Diagram", &["diagram", "diagrams"]),
    ("Equation", &["equation", "equations", "eq."]),
    ("Regulation", &["regulation"]),
    ("Advisory", &["advisory"]),
    ("Note", &["note"]),
    ("Notes", &["notes"]),
];

/// Words before a bare number that say nothing more than that it is one.
const SECTION_WORDS: &[&str] = &[
    "section",
    "sections",
    "sec.",
    "sec",
    "secs.",
    "s.",
    "s",
    "rule",
    "rules",
    "clause",
    "clauses",
    "paragraph",
];

/// The longest body that is taken for a number; real ones are far below.
const MAX_BODY: usize = 64;

/// A number in its canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number {
    label: Option<&'static str>,
    body: String,
}

impl Number {
    /// Reads one number in any of the ways in which people write it. `None` when it is none.
    ///
    /// ```
    /// # use codecite_core::number::Number;
    /// assert_eq!(Number::parse("§ 1004.5.").unwrap().to_string(), "1004.5");
    /// assert_eq!(Number::parse("table 307.1(1)").unwrap().to_string(), "Table 307.1(1)");
    /// assert!(Number::parse("occupant load").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Number> {
        let mut rest = text.trim().trim_start_matches(['*', '§', ' ', '\u{a0}']);
        if let Some(after) = rest.strip_prefix('[').and_then(|r| r.split_once(']')).map(|(_, after)| after) {
            rest = after.trim_start();
        }
        let (word, after) = rest.split_once([' ', '\u{a0}']).unwrap_or(("", rest));
        let word = word.to_lowercase();
        if let Some((label, _)) = LABELS.iter().find(|(_, spellings)| spellings.contains(&word.as_str())) {
            return Self::labelled(label, after);
        }
        if SECTION_WORDS.contains(&word.as_str()) {
            rest = after;
        }
        let rest = rest.trim_start_matches(['§', ' ', '\u{a0}']);
        let body = canonical_body(rest)
            .or_else(|| qualified_body(rest))
            .or_else(|| composed_body(rest))
            .or_else(|| joined_body(rest))?;
        // "CRC Appendix AA" is the only one without a digit.
        let is_named = || body.split_once(' ').is_some_and(|(code, _)| is_acronym(code));
        (body.contains(|c: char| c.is_ascii_digit()) || is_named()).then_some(Number { label: None, body })
    }

    /// A part with a label, such as `Chapter 10`.
    pub fn labelled(label: &str, body: &str) -> Option<Number> {
        let (label, _) = LABELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(label))?;
        let body = labelled_body(body)?;
        Some(Number { label: Some(label), body })
    }

    /// The number as a part of `container`, whose own numbers repeat those of other parts:
    /// `Appendix A 36.104`, `H1-2.17`.
    pub fn qualified_by(&self, container: &Number) -> Number {
        match container.label {
            Some(label) => {
                // "Appendix A to Part 36" qualifies as Appendix A.
                let own = container.body.split(' ').next().unwrap_or_default();
                Number { label: Some(label), body: format!("{own} {self}") }
            }
            None => Number { label: None, body: format!("{}-{self}", container.body) },
        }
    }

    /// What an appendix is an appendix to, when its number says nothing else: `Appendix to 36.304(d)`.
    pub fn attached_to(&self) -> Option<Number> {
        let is_attached = self.label.is_some_and(|label| label != "Notes");
        Number::parse(self.body.strip_prefix("to ").filter(|_| is_attached)?)
    }

    /// The number of a paragraph below this one, by its mark in parentheses: `36.304` and `(c)` give `36.304(c)`.
    pub fn paragraph(&self, mark: &str) -> Option<Number> {
        let body = format!("{}{mark}", self.body);
        (body.len() <= MAX_BODY).then_some(Number { label: self.label, body })
    }

    /// A number that counts anew in its container, made by a pattern of `{above}` and `{number}`: `8-2` for chapter 2 of
    /// title 8, `8-2 Article 1`.
    pub fn composed(&self, pattern: &str, above: &Number) -> Option<Number> {
        let body = pattern.replace("{above}", &above.to_string()).replace("{number}", &self.to_string());
        (body.len() <= MAX_BODY).then_some(Number { label: None, body })
    }

    /// The number as a part of another code, named by its acronym: `CRC Chapter 4`.
    pub fn of_code(&self, code: &str) -> Option<Number> {
        let body = format!("{code} {self}");
        (body.len() <= MAX_BODY).then_some(Number { label: None, body })
    }

    /// The number that comes next beside it: `1004.6` after `1004.5`; `None` when the last part is no plain count.
    pub fn next_sibling(&self) -> Option<Number> {
        let (above, last) = self.body.rsplit_once('.')?;
        let count: u32 = last.parse().ok()?;
        Some(Number { label: self.label, body: format!("{above}.{}", count.checked_add(1)?) })
    }

    /// The reserved or repealed stretch from this number to another: `36.105-36.199`.
    pub fn through(&self, last: &Number) -> Option<Number> {
        let body = format!("{}-{}", self.body, last.body);
        (body.len() <= MAX_BODY && self.label == last.label).then_some(Number { label: self.label, body })
    }

    /// The label, when it has one.
    pub fn label(&self) -> Option<&'static str> {
        self.label
    }

    /// What comes after the label.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The same body without its label: the section that a table belongs to by its number.
    pub fn unlabelled(&self) -> Number {
        Number { label: None, body: self.body.clone() }
    }

    /// A key that looks up (equal for all spellings) and sorts as people count, in byte order. Every key of a
    /// number below this one begins with this key and a separator.
    pub fn key(&self) -> String {
        let mut key = String::with_capacity(self.body.len() * 2);
        if let Some(label) = self.label {
            key.push_str(&label.to_lowercase());
            key.push(' ');
        }
        let mut rest = self.body.as_str();
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let (digits, after) = rest.split_at(end);
                let digits = digits.trim_start_matches('0');
                // The count of digits first: 9 before 10, and never a prefix of it.
                key.push(char::from(b'0' + u8::try_from(digits.len().min(9)).unwrap_or(9)));
                key.push_str(digits);
                rest = after;
            } else {
                key.extend(first.to_lowercase());
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        key
    }

    /// The numbers above it by its own form, nearest first: `1004.5.1` → `1004.5`, `1004`.
    pub fn ancestors(&self) -> Vec<Number> {
        let mut found = Vec::new();
        let mut body = self.body.as_str();
        while let Some(cut) = body.rfind(SEPARATORS).filter(|cut| *cut > 0) {
            body = body.get(..cut).unwrap_or_default().trim_end_matches(SEPARATORS);
            if !body.is_empty() {
                found.push(Number { label: self.label, body: body.to_owned() });
            }
        }
        found
    }

    /// The parts between separators, with digits as numbers: what a count goes by. Letters before or after
    /// digits count as `0` in their own place.
    pub fn components(&self) -> Vec<(String, u32)> {
        // A note on several places stands where the first of them has its turn.
        let joint = [" and ", " or ", " to "].iter().filter_map(|word| self.body.find(word)).min();
        let first = joint.filter(|_| self.label.is_none()).and_then(|at| self.body.get(..at));
        first
            .unwrap_or(&self.body)
            .split(['.', '-', ':', '(', ')', ' '])
            .filter(|part| !part.is_empty())
            .map(|part| {
                let digits: String = part.chars().filter(char::is_ascii_digit).take(9).collect();
                let letters: String = part.chars().filter(|c| !c.is_ascii_digit()).collect();
                (letters.to_lowercase(), digits.parse().unwrap_or(0))
            })
            .collect()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.label {
            Some(label) => write!(f, "{label} {}", self.body),
            None => f.write_str(&self.body),
        }
    }
}

/// What stands between the parts of a number.
const SEPARATORS: [char; 5] = ['.', '-', ':', '(', ' '];

/// What a label may be followed by: `10`, `H`, `307.1(1)`, `A to Part 36`, `to 36.304(d)`, `1 Division II`,
/// `A 36.104`. A letter is a capital.
fn labelled_body(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.chars().any(|c| c != '§')).collect();
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    let has_digit = |body: &String| body.contains(|c: char| c.is_ascii_digit());
    let first = |word: &str| {
        let body = canonical_body(word)?;
        Some(if body.chars().all(|c| c.is_ascii_alphabetic()) { body.to_uppercase() } else { body })
    };
    let number = |word: &str| canonical_body(word.trim_start_matches('§')).filter(has_digit);
    let body = match words.as_slice() {
        [one] => first(one)?,
        [to, of] if is(to, "to") => format!("to {}", number(of)?),
        [one, of] => format!("{} {}", first(one)?, number(of)?),
        [to, part, of] if is(to, "to") && is(part, "part") => format!("to Part {}", number(of)?),
        [one, to, of] if is(to, "to") => format!("{} to {}", first(one)?, number(of)?),
        [one, to, part, of] if is(to, "to") && is(part, "part") => {
            format!("{} to Part {}", first(one)?, number(of)?)
        }
        [one, division, of] if is(division, "division") => format!("{} Division {}", first(one)?, first(of)?),
        [one, rest @ ..] if rest.len() == 2 => format!("{} {}", first(one)?, Number::parse(&rest.join(" "))?),
        _ => return None,
    };
    (body.len() <= MAX_BODY).then_some(body)
}

/// `CRC`: what another code is called for short.
fn is_acronym(word: &str) -> bool {
    (2..=5).contains(&word.len()) && word.chars().all(|c| c.is_ascii_uppercase())
}

/// `8-2 Article 1 Part 2`: labelled parts that count anew in their container.
fn composed_body(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let mut body = canonical_body(words.next()?)?;
    while let Some(label) = words.next() {
        let part = Number::labelled(label, words.next()?).filter(|part| !part.body.contains(' '))?;
        body = format!("{body} {part}");
    }
    (body.len() <= MAX_BODY).then_some(body)
}

/// `H1-Table 2`: a labelled number that is qualified by an unlabelled part.
fn qualified_body(text: &str) -> Option<String> {
    // The bound also ends the recursion.
    let (container, rest) = text.split_once('-').filter(|_| text.len() <= MAX_BODY)?;
    let number = Number::parse(rest).filter(|number| number.label.is_some() && !number.body.contains(' '))?;
    let container = canonical_body(container).filter(|body| body.contains(|c: char| c.is_ascii_digit()))?;
    let body = format!("{container}-{number}");
    (body.len() <= MAX_BODY).then_some(body)
}

/// `A-3.1.4.2.(2) and 3.1.5.7.(3)`: a note on several places, which has no other name.
fn joined_body(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let is_note = |body: &String| {
        body.chars().nth(1) == Some('-') && body.starts_with(|c: char| c.is_ascii_uppercase())
    };
    let mut body = canonical_body(words.next()?).filter(is_note)?;
    while let Some(word) = words.next() {
        let next = words.next()?.trim_end_matches('.');
        let is_joint = matches!(word, "and" | "to" | "or");
        let is_number = next.starts_with(|c: char| c.is_ascii_digit()) && canonical_body(next).is_some();
        let is_mark =
            next.strip_prefix('(').is_some_and(|mark| mark.ends_with(')') && canonical_body(mark).is_some());
        if !is_joint || !is_number && !is_mark {
            return None;
        }
        body = format!("{body} {word} {next}");
    }
    (body.len() <= MAX_BODY).then_some(body)
}

/// Letters, digits and separators, starting with a letter or digit and not ending in a separator.
fn canonical_body(text: &str) -> Option<String> {
    let folded: String = text
        .trim()
        .chars()
        .map(|c| if matches!(c, '\u{2010}'..='\u{2013}' | '\u{2212}') { '-' } else { c })
        .collect();
    let body = folded.trim_end_matches(['.', ',', ':', ';', '-']);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '(' | ')');
    let starts_well = body.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    (starts_well && body.len() <= MAX_BODY && body.chars().all(is_part)).then(|| body.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(text: &str) -> Option<String> {
        Number::parse(text).map(|number| number.to_string())
    }

    #[test]
    fn spellings_fold() {
        for (written, number) in [
            ("§1004.5", "1004.5"),
            ("*§28-304.6.3", "28-304.6.3"),
            ("Section 1004.5.", "1004.5"),
            ("Sec. 1004.5", "1004.5"),
            ("[F] 903.2", "903.2"),
            ("4101:1-10-04", "4101:1-10-04"),
            ("28–304.6", "28-304.6"),
            ("chapter 10", "Chapter 10"),
            ("CHAPTER 10", "Chapter 10"),
            ("Table 307.1(1)", "Table 307.1(1)"),
            ("appendix h", "Appendix H"),
            ("H101.2", "H101.2"),
            ("§ 36.304(c)(1)", "36.304(c)(1)"),
            ("Appendix A to Part 36", "Appendix A to Part 36"),
            ("Appendix to § 36.304(d)", "Appendix to 36.304(d)"),
            ("appendix a § 36.104", "Appendix A 36.104"),
            ("Chapter 1 Division ii", "Chapter 1 Division II"),
            ("H1-2.17", "H1-2.17"),
            ("H1-table 2", "H1-Table 2"),
            ("Appendix A Table 2", "Appendix A Table 2"),
            ("8-2 article 1 part 2a", "8-2 Article 1 Part 2a"),
            ("3.1.2.1.(1)(a)", "3.1.2.1.(1)(a)"),
            ("CRC chapter 4", "CRC Chapter 4"),
            ("Notes to part 5", "Notes to Part 5"),
            ("A-5.2.1.2.(3) and (4)", "A-5.2.1.2.(3) and (4)"),
            ("A-5.2.1.2.(3)(a) to (c) and 5.2.2.1.(1).", "A-5.2.1.2.(3)(a) to (c) and 5.2.2.1.(1)"),
            ("CRC appendix aa", "CRC Appendix AA"),
            ("AB-019", "AB-019"),
            ("article iv division 1", "Article IV Division 1"),
            ("14 Article 3 division 1", "14 Article 3 Division 1"),
            ("chapter 1 part 2", "Chapter 1 Part 2"),
            ("chapter 14A-1", "Chapter 14A-1"),
            ("5:23-2.2A", "5:23-2.2A"),
            ("61G20-1.001", "61G20-1.001"),
            ("A.4.1.2", "A.4.1.2"),
        ] {
            assert_eq!(canonical(written).as_deref(), Some(number), "{written}");
        }
        for none in [
            "",
            "§",
            "occupant load",
            "Chapter",
            "Table",
            "a b",
            "()",
            "Table 3 shall",
            "Chapter 10 and 11",
            "the-table 2",
        ] {
            assert_eq!(canonical(none), None, "{none}");
        }
    }

    #[test]
    fn keys_count_as_people_do() {
        let mut numbers = ["1004.10", "1004.9", "1004", "1004.5.1", "1004.50", "101", "1004.5"]
            .map(|n| Number::parse(n).unwrap());
        numbers.sort_by_key(Number::key);
        let order: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        assert_eq!(order, ["101", "1004", "1004.5", "1004.5.1", "1004.9", "1004.10", "1004.50"]);
        let below = Number::parse("1004.50").unwrap().key();
        assert!(!below.starts_with(&Number::parse("1004.5").unwrap().key()));
    }

    #[test]
    fn leading_zeros_do_not_matter() {
        let key = |text| Number::parse(text).unwrap().key();
        assert_eq!(key("4101:1-10-04"), key("4101:1-10-4"));
        assert_ne!(key("Chapter 10"), key("10"));
    }

    #[test]
    fn ancestors_go_up_one_by_one() {
        let up = |text| {
            Number::parse(text).unwrap().ancestors().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(up("1004.5.1"), ["1004.5", "1004"]);
        assert_eq!(up("36.304(c)(1)"), ["36.304(c)", "36.304", "36"]);
        assert_eq!(up("28-304.6"), ["28-304", "28"]);
        assert_eq!(up("1004"), Vec::<String>::new());
    }

    #[test]
    fn repeated_numbers_are_qualified_by_their_part() {
        let number = |text: &str| Number::parse(text).unwrap();
        let qualified = |text, part| number(text).qualified_by(&number(part)).to_string();
        assert_eq!(qualified("36.104", "Appendix A to Part 36"), "Appendix A 36.104");
        assert_eq!(qualified("2.17", "H1"), "H1-2.17");
        assert_eq!(qualified("Table 2", "H1"), "H1-Table 2");
        for text in ["Appendix A 36.104", "H1-2.17", "H1-Table 2"] {
            assert_eq!(number(&number(text).to_string()), number(text));
        }
        assert_eq!(number("1004.9").next_sibling().map(|next| next.to_string()).as_deref(), Some("1004.10"));
        assert_eq!(number("36.304(c)").next_sibling(), None);
        assert_eq!(number("36.304").paragraph("(c)").unwrap().to_string(), "36.304(c)");
        assert_eq!(number("36.105").through(&number("36.199")).unwrap().to_string(), "36.105-36.199");
    }

    proptest! {
        #[test]
        fn printing_and_parsing_is_the_identity(body in "[A-Z]{0,2}[0-9]{1,4}([.-][0-9]{1,3}){0,4}(\\([a-z0-9]\\)){0,2}") {
            let number = Number::parse(&body).unwrap();
            prop_assert_eq!(Number::parse(&number.to_string()).unwrap(), number);
        }

        #[test]
        fn any_text_is_parsed_without_a_panic(text in ".{0,80}") {
            if let Some(number) = Number::parse(&text) {
                prop_assert_eq!(Number::parse(&number.to_string()).map(|n| n.key()), Some(number.key()));
            }
        }
    }
}

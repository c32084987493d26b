//! Where a sentence may end, and where a number belongs to the text before it.

/// Words that are written with a full stop.
const ABBREVIATIONS: [&str; 40] = [
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "no", "nos", "sec",
    "secs", "seq", "mr", "mrs", "ms", "dr", "st", "inc", "co", "corp", "ltd", "art", "nr", "para", "paras",
    "fig", "figs", "vol", "ch", "pp", "cf", "vs", "stat", "reg", "fed",
];

/// The line ends a sentence or a clause.
pub(super) fn is_terminal(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '’', ')', ']', ' ']);
    if !text.ends_with('.') {
        return text.ends_with([':', ';', '?', '!']);
    }
    let last = text.trim_end_matches('.').rsplit(' ').next().unwrap_or_default();
    let last = last.trim_start_matches(|c: char| !c.is_alphanumeric());
    let initials = last.contains('.') && last.chars().all(|c| c.is_ascii_alphabetic() || c == '.');
    let letter = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    !(initials || letter || ABBREVIATIONS.contains(&last.to_lowercase().as_str()))
}

/// "see Section" / "1004.5": the number belongs to the line before.
pub(super) fn awaits_number(text: &str) -> bool {
    let text = text.trim_end();
    if text.ends_with(['-', '§', '(', ',', '/', '–']) {
        return true;
    }
    let last = text.rsplit(' ').next().unwrap_or_default().to_ascii_lowercase();
    let last = last.trim_matches(|c: char| !c.is_alphanumeric());
    let words = [
        "section",
        "sections",
        "and",
        "or",
        "to",
        "through",
        "see",
        "with",
        "table",
        "tables",
        "chapter",
        "article",
        "articles",
        "of",
        "in",
        "by",
        "under",
        "subdivision",
        "paragraph",
        "paragraphs",
        "item",
        "items",
        "the",
        "than",
        "code",
        "law",
        "part",
        "parts",
        "u.s.c",
        "cfr",
        "fr",
        "at",
    ];
    words.contains(&last) && !is_terminal(text)
}

//! Small word lists: spellings of the same word, words without weight, words that negate.

/// Spellings that mean the same word, left to right: British to American, unit signs to their words.
const SPELLINGS: &[(&str, &str)] = &[
    ("storey", "story"),
    ("storeys", "stories"),
    ("metre", "meter"),
    ("metres", "meters"),
    ("millimetre", "mm"),
    ("millimetres", "mm"),
    ("millimeter", "mm"),
    ("millimeters", "mm"),
    ("centre", "center"),
    ("centres", "centers"),
    ("colour", "color"),
    ("fibre", "fiber"),
    ("grey", "gray"),
    ("neighbour", "neighbor"),
    ("neighbouring", "neighboring"),
    ("neighbours", "neighbors"),
    ("labour", "labor"),
    ("licence", "license"),
    ("programme", "program"),
    ("kerb", "curb"),
    ("kerbs", "curbs"),
    ("in", "inch"),
    ("ft", "foot"),
    ("feet", "foot"),
    ("sq", "square"),
    ("ins", "inch"),
    ("hr", "hour"),
    ("hrs", "hour"),
    ("min", "minute"),
    ("mins", "minute"),
    ("lb", "pound"),
    ("lbs", "pound"),
];

/// Words that stand in every sentence, as stems.
const STOPWORDS: &[&str] = &[
    "a", "an", "the", "of", "to", "on", "at", "by", "for", "and", "or", "is", "are", "be", "been", "was", "were",
    "as", "that", "this", "these", "those", "it", "it's", "its", "with", "from", "do", "doe", "did", "what", "which", "who",
    "how", "where", "there", "their", "them", "they", "i", "we", "our", "us", "you", "your", "my", "me", "he", "she", "his", "her",
    "has", "have", "had", "am", "can", "could", "would", "will", "shall", "should", "if", "so", "than", "then", "but",
    "about", "ani", "such", "into", "also", "when", "whether", "may", "might", "must", "need", "get", "got", "let",
    "much", "mani", "still", "just", "like", "want", "say", "does", "too", "up", "out", "some", "use", "ever", "tell",
];

/// Words that turn the meaning of the next one.
const NEGATIONS: &[&str] = &["not", "no", "without", "never", "cannot"];

/// The spelling under which a lower-case word is indexed. "in" is an inch only after a number, which the
/// caller cannot see; as a preposition it would carry no weight anyway, because every text has it.
pub(super) fn spelling(word: &str) -> &str {
    SPELLINGS.iter().find(|(from, _)| *from == word).map_or(word, |(_, to)| to)
}

pub(super) fn is_stopword(stem: &str) -> bool {
    STOPWORDS.contains(&stem)
}

pub(super) fn is_negation(stem: &str) -> bool {
    NEGATIONS.contains(&stem)
}

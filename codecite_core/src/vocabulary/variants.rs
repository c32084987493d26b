//! Small word lists: spellings of the same word, words without weight, words that negate.

use std::borrow::Cow;
use std::sync::LazyLock;

use foldhash::HashSet;

/// Spellings that mean the same word, left to right: unit signs to their words, plurals that the stemmer does not know.
const SPELLINGS: &[(&str, &str)] = &[
    ("storeys", "stories"),
    ("millimetre", "mm"),
    ("millimetres", "mm"),
    ("millimeter", "mm"),
    ("millimeters", "mm"),
    ("ft", "foot"),
    ("feet", "foot"),
    ("sq", "square"),
    ("ins", "inch"),
    ("hr", "hour"),
    ("hrs", "hour"),
    ("mins", "minute"),
    ("max", "maximum"),
    ("lb", "pound"),
    ("lbs", "pound"),
    ("licence", "license"),
    ("licences", "licenses"),
];

/// Signs that are units only after a number, with the word that they are elsewhere; none for a preposition.
const UNITS: &[(&str, &str, &str)] = &[("in", "inch", ""), ("min", "minute", "minimum")];

/// How British words begin, and how American ones do.
const BRITISH: &[(&str, &str)] = &[
    ("aluminium", "aluminum"),
    ("armour", "armor"),
    ("authoris", "authoriz"),
    ("behaviour", "behavior"),
    ("calibre", "caliber"),
    ("categoris", "categoriz"),
    ("centre", "center"),
    ("centring", "centering"),
    ("characteris", "characteriz"),
    ("colour", "color"),
    ("draught", "draft"),
    ("equalis", "equaliz"),
    ("favour", "favor"),
    ("fibre", "fiber"),
    ("finalis", "finaliz"),
    ("formalis", "formaliz"),
    ("galvanis", "galvaniz"),
    ("grey", "gray"),
    ("harbour", "harbor"),
    ("honour", "honor"),
    ("immobilis", "immobiliz"),
    ("kerb", "curb"),
    ("labelled", "labeled"),
    ("labelling", "labeling"),
    ("labour", "labor"),
    ("legalis", "legaliz"),
    ("levelled", "leveled"),
    ("levelling", "leveling"),
    ("litre", "liter"),
    ("localis", "localiz"),
    ("manoeuvr", "maneuver"),
    ("maximis", "maximiz"),
    ("metre", "meter"),
    ("minimis", "minimiz"),
    ("modernis", "moderniz"),
    ("modelling", "modeling"),
    ("mould", "mold"),
    ("neighbour", "neighbor"),
    ("neutralis", "neutraliz"),
    ("normalis", "normaliz"),
    ("odour", "odor"),
    ("optimis", "optimiz"),
    ("organis", "organiz"),
    ("panelled", "paneled"),
    ("panelling", "paneling"),
    ("plough", "plow"),
    ("pressuris", "pressuriz"),
    ("prioritis", "prioritiz"),
    ("programme", "program"),
    ("recognis", "recogniz"),
    ("signalling", "signaling"),
    ("specialis", "specializ"),
    ("stabilis", "stabiliz"),
    ("standardis", "standardiz"),
    ("storey", "story"),
    ("sulphur", "sulfur"),
    ("theatre", "theater"),
    ("travelling", "traveling"),
    ("tyre", "tire"),
    ("utilis", "utiliz"),
    ("vapour", "vapor"),
    ("visualis", "visualiz"),
];

/// Words that stand in every sentence, as stems.
const STOPWORDS: &[&str] = &[
    "a", "an", "the", "of", "to", "on", "at", "by", "for", "and", "or", "is", "are", "be", "been", "was",
    "were", "as", "that", "this", "these", "those", "it", "it's", "its", "with", "from", "do", "doe", "did",
    "what", "which", "who", "how", "where", "there", "their", "them", "they", "i", "we", "our", "us", "you",
    "your", "my", "me", "he", "she", "his", "her", "has", "have", "had", "am", "can", "could", "would",
    "will", "shall", "should", "if", "so", "than", "then", "but", "about", "ani", "such", "into", "also",
    "when", "whether", "may", "might", "must", "need", "get", "got", "let", "much", "mani", "still", "just",
    "like", "want", "say", "does", "too", "up", "out", "some", "use", "ever", "tell",
];

/// Words that turn the meaning of the next one.
const NEGATIONS: &[&str] = &["not", "no", "without", "never", "cannot"];

/// The spelling under which a lower-case word is indexed.
pub(super) fn spelling(word: &str) -> Cow<'_, str> {
    if let Some((_, to)) = SPELLINGS.iter().find(|(from, _)| *from == word) {
        return Cow::Borrowed(to);
    }
    let british = BRITISH.iter().find_map(|(from, to)| Some((to, word.strip_prefix(from)?)));
    match british {
        Some((to, rest)) => Cow::Owned(format!("{to}{rest}")),
        None => Cow::Borrowed(word),
    }
}

/// What a sign such as "in" means where it stands: a unit after a number, elsewhere another word or none. `None` for
/// what is no such sign.
pub(super) fn unit(word: &str, is_after_number: bool) -> Option<&'static str> {
    let (_, unit, other) = UNITS.iter().find(|(sign, ..)| sign.eq_ignore_ascii_case(word))?;
    Some(if is_after_number { unit } else { other })
}

pub(super) fn is_stopword(stem: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| STOPWORDS.iter().copied().collect());
    ALL.contains(stem)
}

pub(super) fn is_negation(stem: &str) -> bool {
    NEGATIONS.contains(&stem)
}

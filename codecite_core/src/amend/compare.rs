//! Two editions side by side: which sections were added, deleted, changed, renumbered.

use std::collections::{HashMap, HashSet};

use super::locate::folded;
use super::redline::similarity;
use crate::error::Result;
use crate::work::{Stage, Work};

/// The least share of common words for a section to be the same one under another number.
const RENUMBERED: f64 = 0.6;
/// Below this two sections with the same number are looked at for another partner first.
const SAME: f64 = 0.5;
/// Words in a row that make a fingerprint of a text.
const SHINGLE: usize = 4;
/// Fingerprints that more sections have than this say nothing.
const COMMON: usize = 24;
/// Candidates of one section that are compared word by word.
const CANDIDATES: usize = 6;
/// The fewest words of a text that is recognised without its number.
const MIN_WORDS: usize = 6;

/// A section of an edition.
#[derive(Debug, Clone)]
pub struct Edition<'a> {
    /// Its number, as a key that is equal for all spellings.
    pub key: &'a str,
    /// Its number as printed at the beginning of its text.
    pub number: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its own text, with the heading.
    pub text: &'a str,
    /// What stands beside the law: history, cases, editors' notes.
    pub annotations: &'a str,
}

/// What happened to a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is only in the new edition.
    Added,
    /// It is only in the old edition.
    Deleted,
    /// Its text differs.
    Changed,
    /// What stands beside the law differs.
    Annotation,
    /// It has another number and the same text.
    Renumbered,
    /// It has another number, and its text differs.
    RenumberedChanged,
}

impl Change {
    /// The word that is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Changed => "changed",
            Self::Annotation => "annotation",
            Self::Renumbered => "renumbered",
            Self::RenumberedChanged => "renumbered and changed",
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What happened.
    pub change: Change,
    /// Index of the section in the old edition.
    pub old: Option<usize>,
    /// Index of the section in the new edition.
    pub new: Option<usize>,
    /// Share of common words, for two sections.
    pub similarity: f64,
}

/// A section as it is compared: without its own number, which may have changed.
struct Text {
    folded: String,
    words: usize,
    prints: Vec<u64>,
}

/// The differences between two editions, in the order of the new one, deleted sections where they stood.
///
/// # Errors
/// Cancellation.
pub fn compare(old: &[Edition<'_>], new: &[Edition<'_>], work: &mut Work<'_>) -> Result<Vec<Difference>> {
    let total = (old.len() + new.len()) as u64;
    work.tick(Stage::Structure, 0, total)?;
    let old_texts: Vec<Text> = old.iter().map(Text::of).collect();
    work.tick(Stage::Structure, old.len() as u64, total)?;
    let new_texts: Vec<Text> = new.iter().map(Text::of).collect();
    let mut pairs = Pairs { of_old: vec![None; old.len()], of_new: vec![None; new.len()] };
    let by_number = numbers_of(old);

    // The same number with much the same text is the same section.
    let mut doubtful = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (index, (section, text)) in new.iter().zip(&new_texts).enumerate() {
        if index % 256 == 0 {
            work.tick(Stage::Structure, index as u64, total)?;
        }
        // A number that repeats: the first with the first, the second with the second.
        let place = seen.entry(section.key).or_default();
        let Some(other) = by_number.get(section.key).and_then(|all| all.get(*place)).copied() else {
            continue;
        };
        *place += 1;
        let Some(old_text) = old_texts.get(other) else { continue };
        let alike = alike(old_text, text);
        if alike >= SAME {
            pairs.join(other, index, alike);
        } else {
            doubtful.push((other, index, alike));
        }
    }
    let old_sides: Vec<Side<'_>> = old.iter().zip(&old_texts).collect();
    let new_sides: Vec<Side<'_>> = new.iter().zip(&new_texts).collect();
    for (other, index) in short_twins(&old_sides, &new_sides, &pairs) {
        pairs.join(other, index, 1.0);
    }
    // What is left is looked for under other numbers, the most alike first.
    let mut found = candidates(&old_texts, &new_texts, &pairs, work)?;
    found.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.1.cmp(&b.1)).then(a.0.cmp(&b.0)));
    for (other, index, alike) in found {
        pairs.join(other, index, alike);
    }
    for (other, index, alike) in doubtful {
        pairs.join(other, index, alike);
    }
    Ok(listed(old, new, &old_texts, &new_texts, &pairs))
}

/// Which old section is which new one.
struct Pairs {
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<(usize, f64)>>,
}

impl Pairs {
    fn join(&mut self, old: usize, new: usize, alike: f64) {
        if let (Some(of_old @ None), Some(of_new @ None)) =
            (self.of_old.get_mut(old), self.of_new.get_mut(new))
        {
            *of_old = Some(new);
            *of_new = Some((old, alike));
        }
    }
}

fn numbers_of<'a>(sections: &[Edition<'a>]) -> HashMap<&'a str, Vec<usize>> {
    let mut found: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, section) in sections.iter().enumerate() {
        found.entry(section.key).or_default().push(index);
    }
    found
}

impl Text {
    fn of(section: &Edition<'_>) -> Text {
        // The number at the beginning is compared apart.
        let text = section.text.trim_start_matches(['§', '*', '#', ' ']);
        let text = text.strip_prefix(section.number).unwrap_or(text);
        let folded = folded(text);
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        let prints = words.windows(SHINGLE).map(fingerprint).collect();
        Text { words: words.len(), prints, folded: folded.clone() }
    }
}

/// FNV-1a over the words: the same in every run and on every machine.
fn fingerprint(words: &[&str]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in words.iter().flat_map(|word| word.bytes().chain([b' '])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

fn alike(old: &Text, new: &Text) -> f64 {
    if old.folded == new.folded {
        return 1.0;
    }
    similarity(&old.folded, &new.folded)
}

/// Titles alone and other texts too short for fingerprints. What stands once on each side is the same; otherwise, and for a
/// single word such as "General", the number has to be near as well.
fn short_twins(old: &[Side<'_>], new: &[Side<'_>], pairs: &Pairs) -> Vec<(usize, usize)> {
    let mut places: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
    let short = |text: &Text| (1..MIN_WORDS).contains(&text.words);
    for (at, (_, text)) in old.iter().enumerate() {
        if short(text) && pairs.of_old.get(at) == Some(&None) {
            places.entry(&text.folded).or_default().0.push(at);
        }
    }
    for (at, (_, text)) in new.iter().enumerate() {
        if short(text) && pairs.of_new.get(at) == Some(&None) {
            places.entry(&text.folded).or_default().1.push(at);
        }
    }
    let mut found = Vec::new();
    for (folded, (olds, news)) in places {
        let alone = olds.len() == 1 && news.len() == 1 && folded.contains(' ');
        let mut taken: HashSet<usize> = HashSet::new();
        for other in olds.iter().take(COMMON) {
            let near = news.iter().take(COMMON).copied().filter(|at| !taken.contains(at)).find(|at| {
                let numbers = old.get(*other).zip(new.get(*at));
                alone || numbers.is_some_and(|((old, _), (new, _))| is_near(old.number, new.number))
            });
            if let Some(at) = near {
                taken.insert(at);
                found.push((*other, at));
            }
        }
    }
    found.sort_unstable();
    found
}

/// A section of a side with its text as it is compared.
type Side<'a> = (&'a Edition<'a>, &'a Text);

/// One number below the other, or both below the same.
fn is_near(old: &str, new: &str) -> bool {
    let separators = ['.', '-', ':', '('];
    let above = |number: &str| number.rsplit_once(separators).map(|(above, _)| above.to_owned());
    let below =
        |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with(separators));
    below(new, old) || below(old, new) || above(old).is_some_and(|up| above(new) == Some(up))
}

/// Pairs of sections without a partner that have fingerprints in common and are alike.
fn candidates(
    old: &[Text],
    new: &[Text],
    pairs: &Pairs,
    work: &mut Work<'_>,
) -> Result<Vec<(usize, usize, f64)>> {
    let free = |of: Option<&Option<usize>>| of.is_some_and(Option::is_none);
    let mut index: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, text) in old.iter().enumerate().filter(|(at, _)| free(pairs.of_old.get(*at))) {
        for print in text.prints.iter().collect::<HashSet<_>>() {
            index.entry(*print).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for (at, text) in new.iter().enumerate() {
        if pairs.of_new.get(at).is_none_or(Option::is_some) || text.words < MIN_WORDS {
            continue;
        }
        if at % 64 == 0 {
            work.tick(Stage::Structure, at as u64, new.len() as u64)?;
        }
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for print in text.prints.iter().collect::<HashSet<_>>() {
            for other in index.get(print).filter(|others| others.len() <= COMMON).into_iter().flatten() {
                *shared.entry(*other).or_default() += 1;
            }
        }
        let mut best: Vec<(usize, usize)> = shared.into_iter().collect();
        best.sort_by_key(|(other, count)| (std::cmp::Reverse(*count), *other));
        for (other, _) in best.into_iter().take(CANDIDATES) {
            let Some(old_text) = old.get(other).filter(|text| text.words >= MIN_WORDS) else { continue };
            let alike = alike(old_text, text);
            if alike >= RENUMBERED {
                found.push((other, at, alike));
            }
        }
    }
    Ok(found)
}

fn listed(
    old: &[Edition<'_>],
    new: &[Edition<'_>],
    old_texts: &[Text],
    new_texts: &[Text],
    pairs: &Pairs,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut next_old = 0;
    let deleted =
        |at: usize| Difference { change: Change::Deleted, old: Some(at), new: None, similarity: 0.0 };
    for (index, section) in new.iter().enumerate() {
        let Some(pair) = pairs.of_new.get(index) else { continue };
        let Some((other, alike)) = *pair else {
            found.push(Difference { change: Change::Added, old: None, new: Some(index), similarity: 0.0 });
            continue;
        };
        // Deleted sections come where the section before them has its partner.
        while next_old < other {
            if pairs.of_old.get(next_old).is_some_and(Option::is_none) {
                found.push(deleted(next_old));
            }
            next_old += 1;
        }
        next_old = next_old.max(other + 1);
        let (Some(before), Some(old_text), Some(new_text)) =
            (old.get(other), old_texts.get(other), new_texts.get(index))
        else {
            continue;
        };
        let same_text = old_text.folded == new_text.folded && before.title.trim() == section.title.trim();
        let change = match (before.key == section.key, same_text) {
            (true, true) => None,
            (true, false) => Some(Change::Changed),
            (false, true) => Some(Change::Renumbered),
            (false, false) => Some(Change::RenumberedChanged),
        };
        // A section may change in its law and beside it: these are two differences.
        let beside = folded(before.annotations) != folded(section.annotations);
        for change in change.into_iter().chain(beside.then_some(Change::Annotation)) {
            found.push(Difference { change, old: Some(other), new: Some(index), similarity: alike });
        }
    }
    for at in next_old..old.len() {
        if pairs.of_old.get(at).is_some_and(Option::is_none) {
            found.push(deleted(at));
        }
    }
    found
}

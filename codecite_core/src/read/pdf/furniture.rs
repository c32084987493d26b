//! Running heads and feet: what stands at the same place of many pages and says the same, but for numbers.

use std::collections::{HashMap, HashSet};

use super::lines::{SAME_ROW, rows_of};
use super::page::Page;
use super::table::placeholder;
use super::words::{PageWords, Word};
use crate::document::Furniture;
use crate::error::Result;
use crate::read::marker::{Marker, marker};
use crate::roman::roman_value;
use crate::work::{Stage, Work};

/// Heads and feet stand in the outer part of the page.
const ZONE: f32 = 0.145;
/// A bare page number stands farther out still.
const NUMBER_ZONE: f32 = 0.08;
/// Pages before and after in which a head has to recur.
const NEAR: u32 = 12;
/// Pages that have to have a head at a place before a piece there is one for its place.
const MIN_USUAL: usize = 8;
/// Pieces that are looked at around one; heads and feet have few.
const MAX_PIECES: usize = 64;
/// Page numbers that support one.
const MAX_SUPPORT: usize = 200;

/// A piece of a row in the outer part of a page.
#[derive(Debug)]
pub(super) struct Candidate {
    number: u32,
    text: String,
    key: (String, i32, i32),
    /// Which words of the page it is made of.
    words: Vec<u32>,
    /// All of them are marked as no part of the content.
    marked: bool,
    y: f32,
    outer: bool,
}

impl Candidate {
    fn place(&self) -> Place {
        (self.key.1, self.key.2)
    }

    /// The bytes that it takes, and what is noted of it in [`Seen`].
    pub fn weight(&self) -> u64 {
        let held = self.text.capacity() + self.key.0.capacity() + 4 * self.words.capacity();
        (2 * size_of::<Candidate>() + held) as u64
    }
}

/// Where pieces stand, in bands of the page's height, and their size of type.
type Place = (i32, i32);

/// Takes heads and feet off the pages; returns them, and the page label of each page that has one. `candidates` has those of
/// each page.
pub(super) fn take_furniture(
    pages: &mut [Page],
    candidates: &[Vec<Candidate>],
    work: &mut Work<'_>,
) -> Result<(Vec<Furniture>, HashMap<u32, String>)> {
    let seen = Seen::of(candidates);
    let total = pages.len() as u64;
    let mut furniture = Vec::new();
    let mut printed: Vec<Printed> = Vec::new();
    for (page, candidates) in pages.iter_mut().zip(candidates) {
        work.tick(Stage::Read, u64::from(page.number()), total)?;
        let taken = seen.taken(candidates, page.height());
        for candidate in &taken {
            furniture.push(Furniture::of_page(candidate.number, candidate.text.clone()));
            let labels = labels_in(&candidate.text).into_iter();
            if printed.last().is_none_or(|last| last.page != candidate.number) || taken.len() < MAX_PIECES {
                printed.extend(labels.filter_map(|label| Printed::new(candidate.number, label)));
            }
        }
        if !taken.is_empty() {
            page.change(|page| remove(&mut page.words, &taken));
        }
    }
    Ok((furniture, choose(&printed)))
}

/// Takes the words of these pieces off the page, and what is drawn over them.
fn remove(words: &mut Vec<Word>, taken: &[&Candidate]) {
    let named = taken.iter().flat_map(|candidate| &candidate.words);
    let gone: HashSet<(u32, u32, &str)> =
        named.filter_map(|index| words.get(*index as usize)).map(place_of).collect();
    let keep: Vec<bool> = words.iter().map(|word| !gone.contains(&place_of(word))).collect();
    let mut keep = keep.into_iter();
    words.retain(|_| keep.next().unwrap_or(true));
}

/// What tells a word from the others on its page.
fn place_of(word: &Word) -> (u32, u32, &str) {
    (word.x0.to_bits(), word.base.to_bits(), &word.text)
}

/// On which pages pieces of a kind stand.
struct Seen<'c> {
    pages: HashMap<&'c (String, i32, i32), Vec<u32>>,
    /// How often a piece stands there with the same numbers, too.
    texts: HashMap<&'c str, usize>,
    /// For pieces of a kind: which of their numbers count with the pages.
    counting: HashMap<&'c (String, i32, i32), Vec<Printed>>,
    /// How many pages have a recurring piece at a place.
    places: HashMap<Place, usize>,
    total: usize,
    numbers: usize,
}

impl<'c> Seen<'c> {
    fn of(candidates: &'c [Vec<Candidate>]) -> Seen<'c> {
        let mut seen = Seen {
            pages: HashMap::new(),
            texts: HashMap::new(),
            counting: HashMap::new(),
            places: HashMap::new(),
            total: candidates.len(),
            numbers: 0,
        };
        for candidate in candidates.iter().flatten() {
            *seen.texts.entry(&candidate.text).or_default() += 1;
            let labels = labels_in(&candidate.text).into_iter();
            let counting = seen.counting.entry(&candidate.key).or_default();
            counting.extend(labels.filter_map(|label| Printed::new(candidate.number, label)));
            let on = seen.pages.entry(&candidate.key).or_default();
            if on.last() != Some(&candidate.number) {
                on.push(candidate.number);
            }
            seen.numbers += usize::from(candidate.outer && is_bare(&candidate.text));
        }
        for page in candidates {
            let mut places: Vec<Place> =
                page.iter().filter(|c| seen.recurs(c) && !is_bare(&c.text)).map(Candidate::place).collect();
            places.sort_unstable();
            places.dedup();
            for place in places {
                *seen.places.entry(place).or_default() += 1;
            }
        }
        seen
    }

    fn recurs(&self, candidate: &Candidate) -> bool {
        let Some(on) = self.pages.get(&candidate.key) else {
            return false;
        };
        let needed = 3.max((self.total * 8 / 100).min(6));
        let from = on.partition_point(|page| page + NEAR < candidate.number);
        let to = on.partition_point(|page| *page <= candidate.number + NEAR);
        on.len() >= needed && to - from >= 3 && !self.is_heading(candidate, to - from)
    }

    /// "CHAPTER 10" at the top of a page looks like "CHAPTER 9" at the top of another, and is no head: it stands once, its
    /// number does not count with the pages, and most pages near it have none.
    fn is_heading(&self, candidate: &Candidate, near: usize) -> bool {
        let has_number = candidate.text.contains(|c: char| c.is_ascii_digit());
        let is_alone = self.texts.get(candidate.text.as_str()) == Some(&1);
        if !has_number || !is_alone || is_bare(&candidate.text) || near > NEAR as usize {
            return false;
        }
        let printed = self.counting.get(&candidate.key).map(Vec::as_slice).unwrap_or_default();
        let from = printed.partition_point(|one| one.page < candidate.number);
        let own = printed.iter().skip(from).take_while(|one| one.page == candidate.number);
        !own.into_iter().any(|one| support(printed, one) >= 2)
    }

    /// The pieces of one page that are furniture.
    fn taken<'p>(&self, page: &'p [Candidate], height: f32) -> Vec<&'p Candidate> {
        let is_top = |c: &Candidate| c.y < height / 2.0;
        // A page has one number at its top or foot, the outermost; another is the end of a contents line.
        let outermost = |c: &Candidate| {
            let inner = |other: &Candidate| {
                is_bare(&other.text)
                    && is_top(other) == is_top(c)
                    && if is_top(c) { other.y < c.y - 3.0 } else { other.y > c.y + 3.0 }
            };
            !page.iter().take(MAX_PIECES).any(inner)
        };
        let is_furniture = |c: &Candidate| {
            let marked = c.marked;
            let number = is_bare(&c.text);
            let bare = number && c.outer && self.numbers >= 3 && outermost(c);
            let recurs = self.recurs(c) && (!number || outermost(c));
            (bare || marked || recurs) && marker(&c.text) != Marker::Exception
        };
        let flags: Vec<bool> = page.iter().map(is_furniture).collect();
        let with_flags = || page.iter().zip(&flags);
        // What stands where many pages have their head, outside all text, is a head that this page has alone.
        let alone = |c: &Candidate| {
            let usual = self.places.get(&c.place()).copied().unwrap_or(0);
            let farther = |other: &Candidate| {
                is_top(other) == is_top(c) && if is_top(c) { other.y < c.y } else { other.y > c.y }
            };
            usual >= MIN_USUAL
                && usual * 4 >= self.total
                && marker(&c.text) == Marker::None
                && !with_flags().take(MAX_PIECES).any(|(other, flag)| !flag && farther(other))
        };
        with_flags().filter(|(c, flag)| **flag || alone(c)).map(|(c, _)| c).collect()
    }
}

/// A number in a head or foot that may be the page's.
struct Printed {
    page: u32,
    label: String,
    /// What stands before the counting part: "10-" in "10-12".
    prefix: String,
    /// The counting part less the physical page.
    offset: i64,
}

impl Printed {
    fn new(page: u32, label: String) -> Option<Printed> {
        let digits = label.chars().rev().take_while(char::is_ascii_digit).count();
        let (prefix, number) = label.split_at(label.len() - digits);
        let (prefix, value) = if digits > 0 {
            (prefix.to_string(), number.parse::<i64>().ok()?)
        } else {
            (String::from("roman"), i64::from(roman_value(&label)?))
        };
        Some(Printed { page, prefix, offset: value - i64::from(page), label })
    }
}

/// A page number counts with the pages: others near it have the same distance to their physical page.
fn choose(printed: &[Printed]) -> HashMap<u32, String> {
    let mut best: HashMap<u32, (usize, &str)> = HashMap::new();
    for one in printed {
        let support = support(printed, one);
        let slot = best.entry(one.page).or_default();
        if support >= 2 && support > slot.0 {
            *slot = (support, &one.label);
        }
    }
    best.into_iter()
        .filter(|(_, (support, _))| *support > 0)
        .map(|(page, (_, label))| (page, label.to_string()))
        .collect()
}

/// How many numbers of pages near that one count with it. They are in the pages' order.
fn support(printed: &[Printed], one: &Printed) -> usize {
    let from = printed.partition_point(|other| other.page + 8 < one.page);
    let near = printed.iter().skip(from).take_while(|other| other.page <= one.page + 8).take(MAX_SUPPORT);
    near.filter(|other| other.page != one.page && other.offset == one.offset && other.prefix == one.prefix)
        .count()
}

/// What may be a head or a foot of a page.
pub(super) fn candidates(page: &PageWords) -> Vec<Candidate> {
    let edge = |share: f32| (page.height * share, page.height * (1.0 - share));
    let (top, bottom) = edge(ZONE);
    let words = (0u32..).zip(&page.words);
    let outer: Vec<(u32, &Word)> =
        words.filter(|(_, w)| placeholder(w).is_none() && (w.y < top || w.y > bottom)).collect();
    let mut out = Vec::new();
    for mut row in rows_of(outer, SAME_ROW, |(_, word)| word) {
        row.sort_by(|(_, a), (_, b)| a.x0.total_cmp(&b.x0));
        let mut piece: Vec<(u32, &Word)> = Vec::new();
        for (index, word) in row {
            if piece.last().is_some_and(|(_, last)| word.x0 - last.x1 > 2.0 * word.size) {
                out.extend(candidate(page, &piece));
                piece.clear();
            }
            piece.push((index, word));
        }
        out.extend(candidate(page, &piece));
    }
    out
}

fn candidate(page: &PageWords, words: &[(u32, &Word)]) -> Option<Candidate> {
    let (_, first) = words.first()?;
    let (y, size) = (first.y, first.size);
    let mut text = String::new();
    for (at, (_, word)) in words.iter().enumerate() {
        if at > 0 && word.spaced {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    let mut shape = String::new();
    for c in text.to_lowercase().chars() {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if c != '#' || !shape.ends_with('#') {
            shape.push(c);
        }
    }
    // Roman page numbers count as numbers.
    if is_bare(&text) {
        shape = "#".into();
    }
    let key = (shape, (y / 6.0).round() as i32, size.round() as i32);
    let outer = y < page.height * NUMBER_ZONE || y > page.height * (1.0 - NUMBER_ZONE);
    let marked = words.iter().all(|(_, word)| word.artifact);
    let words = words.iter().map(|(index, _)| *index).collect();
    Some(Candidate { number: page.number, text, key, words, marked, y, outer })
}

/// Nothing but a page number.
fn is_bare(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c == '-' || c == '–' || c == '—' || c == '|' || c == ' ');
    let text = text.strip_prefix("Page ").or(text.strip_prefix("page ")).unwrap_or(text);
    let text = text.split(" of ").next().unwrap_or_default();
    let roman = text.chars().all(|c| "ivxlc".contains(c)) || text.chars().all(|c| "IVXLC".contains(c));
    let number = text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '–' || c.is_ascii_uppercase());
    !text.is_empty() && text.len() <= 8 && (roman || number)
}

/// What may be a page number in a head or foot: all of it, its first or last word, what follows "Page".
fn labels_in(text: &str) -> Vec<String> {
    let trim = |t: &str| t.trim_matches(|c: char| "-–—|()[] ".contains(c)).to_string();
    let words: Vec<&str> = text.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).collect();
    let after_page = words.windows(2).find_map(|pair| match pair {
        [word, number] if matches!(word.to_lowercase().as_str(), "page" | "seite" | "p.") => Some(*number),
        _ => None,
    });
    let mut out: Vec<String> = Vec::new();
    for word in [after_page, words.first().copied(), words.last().copied()].into_iter().flatten() {
        let label = trim(word);
        if is_bare(&label) && !out.contains(&label) {
            out.push(label);
        }
    }
    out
}

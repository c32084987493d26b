//! Running heads and feet: what stands at the same place of many pages and says the same, but for numbers.

use std::collections::HashMap;

use super::lines::rows;
use super::table::placeholder;
use super::words::{PageWords, Word};
use crate::document::Furniture;
use crate::read::marker::{Marker, marker};

/// Heads and feet stand in the outer part of the page.
const ZONE: f32 = 0.145;
/// A bare page number stands farther out still.
const NUMBER_ZONE: f32 = 0.08;
/// Pages before and after in which a head has to recur.
const NEAR: u32 = 12;

/// A piece of a row in the outer part of a page.
struct Candidate {
    page: usize,
    number: u32,
    text: String,
    key: (String, i32, i32),
    words: Vec<Word>,
    outer: bool,
}

/// Takes heads and feet off the pages; returns them, and the page label of each page that has one.
pub(super) fn take_furniture(pages: &mut [PageWords]) -> (Vec<Furniture>, HashMap<u32, String>) {
    let candidates: Vec<Candidate> =
        pages.iter().enumerate().flat_map(|(index, page)| candidates(index, page)).collect();
    let mut seen: HashMap<&(String, i32, i32), Vec<u32>> = HashMap::new();
    for candidate in &candidates {
        seen.entry(&candidate.key).or_default().push(candidate.number);
    }
    let needed = 3.max((pages.len() * 8 / 100).min(6));
    let recurs = |candidate: &Candidate| {
        let Some(on) = seen.get(&candidate.key) else {
            return false;
        };
        let near = on.iter().filter(|page| page.abs_diff(candidate.number) <= NEAR).count();
        on.len() >= needed && near >= 3
    };
    let numbers = candidates.iter().filter(|c| c.outer && is_bare(&c.text)).count();
    let mut furniture = Vec::new();
    let mut printed: Vec<Printed> = Vec::new();
    for candidate in &candidates {
        let bare = candidate.outer && numbers >= 3 && is_bare(&candidate.text);
        if !(bare || recurs(candidate)) || marker(&candidate.text) == Marker::Exception {
            continue;
        }
        furniture.push(Furniture::of_page(candidate.number, candidate.text.clone()));
        printed.extend(
            labels_in(&candidate.text).into_iter().filter_map(|label| Printed::new(candidate.number, label)),
        );
        if let Some(page) = pages.get_mut(candidate.page) {
            page.words.retain(|word| !candidate.words.contains(word));
        }
    }
    (furniture, choose(&printed))
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
            (String::from("roman"), roman(&label)?)
        };
        Some(Printed { page, prefix, offset: value - i64::from(page), label })
    }
}

/// A page number counts with the pages: others near it have the same distance to their physical page.
fn choose(printed: &[Printed]) -> HashMap<u32, String> {
    let mut best: HashMap<u32, (usize, &str)> = HashMap::new();
    for one in printed {
        let support = printed.iter().filter(|other| {
            other.page != one.page
                && other.page.abs_diff(one.page) <= 8
                && other.offset == one.offset
                && other.prefix == one.prefix
        });
        let support = support.count();
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

fn roman(text: &str) -> Option<i64> {
    let mut total = 0;
    let mut last = 0;
    for c in text.to_ascii_lowercase().chars().rev() {
        let value = match c {
            'i' => 1,
            'v' => 5,
            'x' => 10,
            'l' => 50,
            'c' => 100,
            _ => return None,
        };
        total += if value < last { -value } else { value };
        last = last.max(value);
    }
    Some(total)
}

fn candidates(index: usize, page: &PageWords) -> Vec<Candidate> {
    let edge = |share: f32| (page.height * share, page.height * (1.0 - share));
    let (top, bottom) = edge(ZONE);
    let outer: Vec<Word> = page
        .words
        .iter()
        .filter(|w| placeholder(w).is_none() && (w.y < top || w.y > bottom))
        .cloned()
        .collect();
    let mut out = Vec::new();
    for mut row in rows(&outer) {
        row.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let mut piece: Vec<Word> = Vec::new();
        for word in row {
            if piece.last().is_some_and(|last| word.x0 - last.x1 > 2.0 * word.size) {
                out.extend(candidate(index, page, std::mem::take(&mut piece)));
            }
            piece.push(word);
        }
        out.extend(candidate(index, page, piece));
    }
    out
}

fn candidate(index: usize, page: &PageWords, words: Vec<Word>) -> Option<Candidate> {
    let first = words.first()?;
    let (y, size) = (first.y, first.size);
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
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
    Some(Candidate { page: index, number: page.number, text, key, words, outer })
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

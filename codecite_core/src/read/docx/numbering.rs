//! Automatic numbers: the definitions in the file, and the counters that run through the document.

use std::collections::{HashMap, HashSet};

use super::number_format::{NumberFormat, bullet};
use super::properties::{ParagraphHead, ParagraphProperties, RunProperties, read_paragraph, read_run};
use super::styles::Styles;
use super::xml::{Element, Space, Xml};
use crate::error::Result;

/// Levels of a list.
const LEVELS: usize = 9;
/// Word counts no further.
const MAX_NUMBER: i64 = 32_767;
/// Longer labels are no numbers, and would stand at every paragraph.
const MAX_LABEL: usize = 96;
/// What is booked for a list.
const LIST_BYTES: u64 = 2048;

/// One level of a list.
#[derive(Debug, Clone)]
struct Level {
    start: i64,
    format: NumberFormat,
    /// The label with `%1` to `%9` in the places of the numbers.
    text: String,
    /// `Some(0)`: it never restarts; `Some(n)`: only after level `n` (from 1) or one above it.
    restart: Option<i64>,
    /// Show the numbers of the levels above as decimals.
    legal: bool,
    /// What stands between label and text.
    suffix: &'static str,
    style: Option<String>,
    run: RunProperties,
    indent: Option<i64>,
}

impl Default for Level {
    fn default() -> Self {
        Level {
            start: 0,
            format: NumberFormat::Decimal,
            text: String::new(),
            restart: None,
            legal: false,
            suffix: " ",
            style: None,
            run: RunProperties::default(),
            indent: None,
        }
    }
}

#[derive(Debug, Default)]
struct Abstract {
    levels: HashMap<usize, Level>,
    /// The list is defined elsewhere, by this numbering style.
    style: Option<String>,
}

#[derive(Debug, Default)]
struct List {
    definition: i64,
    starts: HashMap<usize, i64>,
    levels: HashMap<usize, Level>,
}

/// The lists that a document defines.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    abstracts: HashMap<i64, Abstract>,
    lists: HashMap<i64, List>,
}

/// The label of a paragraph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    /// As it is shown, with what separates it from the text.
    pub(super) text: String,
    /// Nesting in its list, from 1.
    pub(super) depth: u8,
    pub(super) is_bullet: bool,
    /// What the list says about its looks; the paragraph mark says the rest.
    pub(super) run: RunProperties,
    pub(super) indent: Option<i64>,
}

/// How far the lists have counted.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// By definition and level: the number shown last.
    counts: HashMap<i64, [Option<i64>; LEVELS]>,
    /// The lists and levels whose own start has been used.
    started: HashSet<(i64, usize)>,
}

impl Numbering {
    /// Reads the part that holds the lists.
    pub(super) fn read(xml: &mut Xml<'_, '_, '_>) -> Result<Self> {
        let mut numbering = Numbering::default();
        while let Some(element) = xml.next_inside(0)? {
            match (element.space, element.name()) {
                (Space::Word, "abstractNum") => {
                    let id = element.number("abstractNumId").unwrap_or(-1);
                    let definition = read_abstract(xml)?;
                    xml.work.charge_memory(LIST_BYTES)?;
                    numbering.abstracts.insert(id, definition);
                }
                (Space::Word, "num") => {
                    let id = element.number("numId").unwrap_or(0);
                    let list = read_list(xml)?;
                    xml.work.charge_memory(LIST_BYTES)?;
                    numbering.lists.insert(id, list);
                }
                _ => {}
            }
        }
        Ok(numbering)
    }

    /// The list, its definition's id and the definition; one that a numbering style stands for is looked up.
    fn find(&self, id: i64, styles: &Styles) -> Option<(&List, i64, &Abstract)> {
        let list = self.lists.get(&id)?;
        let definition = self.abstracts.get(&list.definition)?;
        let Some(style) = &definition.style else { return Some((list, list.definition, definition)) };
        let elsewhere = self.lists.get(&styles.number_of(style)?)?;
        Some((list, elsewhere.definition, self.abstracts.get(&elsewhere.definition)?))
    }

    /// The label of the next paragraph with these properties, which is counted.
    pub(super) fn label(
        &self,
        head: &ParagraphHead,
        properties: &ParagraphProperties,
        styles: &Styles,
        counters: &mut Counters,
    ) -> Option<Label> {
        let id = properties.number_id.filter(|id| *id != 0)?;
        let (list, definition_id, definition) = self.find(id, styles)?;
        let level_of = |index: usize| list.levels.get(&index).or_else(|| definition.levels.get(&index));
        let of_style = |name: &str| {
            (0..LEVELS).find(|i| level_of(*i).is_some_and(|level| level.style.as_deref() == Some(name)))
        };
        let index = match head.direct.number_level {
            Some(level) => usize::from(level),
            None => {
                let bound = styles.names(head).next().and_then(of_style);
                bound.or(properties.number_level.map(usize::from)).unwrap_or(0)
            }
        };
        let level = level_of(index)?;
        let start_of = |index: usize| {
            let start = list.starts.get(&index).copied();
            start.or(level_of(index).map(|level| level.start)).unwrap_or(1)
        };
        let counts = counters.counts.entry(definition_id).or_default();
        for (at, count) in counts.iter_mut().enumerate().take(index + 1) {
            let is_own = at == index;
            // A list's own start holds once, where the level is first used; a level that is passed over
            // counts as used.
            let restarts = (is_own || count.is_none())
                && list.starts.contains_key(&at)
                && counters.started.insert((id, at));
            *count = match *count {
                Some(number) if is_own && !restarts => Some((number + 1).min(MAX_NUMBER)),
                Some(number) if !is_own => Some(number),
                _ => Some(start_of(at)),
            };
        }
        for (below, count) in counts.iter_mut().enumerate().skip(index + 1) {
            let restart = level_of(below).and_then(|level| level.restart);
            if restart.is_none_or(|after| after > 0 && (index as i64) < after) {
                *count = None;
            }
        }
        let number = |index: usize| counts.get(index).copied().flatten().unwrap_or_else(|| start_of(index));
        let mut text = match &level.format {
            NumberFormat::None => String::new(),
            NumberFormat::Bullet => bullet(&level.text, level.run.symbol == Some(true)),
            _ => fill(level, index, number, |i| level_of(i).map(|level| level.format)),
        };
        if !text.is_empty() {
            text.push_str(level.suffix);
        }
        Some(Label {
            text,
            depth: u8::try_from(index + 1).unwrap_or(u8::MAX),
            is_bullet: level.format == NumberFormat::Bullet,
            run: level.run.clone(),
            indent: level.indent,
        })
    }
}

/// Puts the numbers into the label's text.
fn fill(
    level: &Level,
    index: usize,
    number: impl Fn(usize) -> i64,
    format: impl Fn(usize) -> Option<NumberFormat>,
) -> String {
    let mut out = String::new();
    let mut rest = level.text.chars().peekable();
    while let Some(c) = rest.next() {
        let place = (c == '%').then(|| rest.peek().and_then(|d| d.to_digit(10))).flatten();
        match place.and_then(|digit| (digit as usize).checked_sub(1)) {
            Some(at) => {
                rest.next();
                if at <= index {
                    let shown = format(at).unwrap_or(NumberFormat::Decimal);
                    // Legal numbering holds for the levels above; the level itself keeps its own format.
                    let shown = if level.legal && at < index { NumberFormat::Decimal } else { shown };
                    out.push_str(&shown.show(number(at)));
                }
            }
            None => out.push(c),
        }
        if out.len() > MAX_LABEL {
            break;
        }
    }
    out
}

fn read_abstract(xml: &mut Xml<'_, '_, '_>) -> Result<Abstract> {
    let mut definition = Abstract::default();
    let depth = xml.depth();
    while let Some(element) = xml.next_inside(depth)? {
        match (element.space, element.name()) {
            (Space::Word, "lvl") => {
                let (index, level) = read_level(&element, xml)?;
                definition.levels.insert(index, level);
            }
            (Space::Word, "numStyleLink") => definition.style = element.val(),
            _ => {}
        }
    }
    Ok(definition)
}

fn read_list(xml: &mut Xml<'_, '_, '_>) -> Result<List> {
    let mut list = List::default();
    let mut overridden = 0;
    let depth = xml.depth();
    while let Some(element) = xml.next_inside(depth)? {
        match (element.space, element.name()) {
            (Space::Word, "abstractNumId") => list.definition = element.number("val").unwrap_or(-1),
            (Space::Word, "lvlOverride") => overridden = index_of(&element),
            (Space::Word, "startOverride") if overridden < LEVELS => {
                let start = element.number("val").unwrap_or(0).clamp(0, MAX_NUMBER);
                list.starts.insert(overridden, start);
            }
            (Space::Word, "lvl") => {
                let (index, level) = read_level(&element, xml)?;
                list.levels.insert(index, level);
            }
            _ => {}
        }
    }
    Ok(list)
}

fn index_of(element: &Element<'_>) -> usize {
    element.number("ilvl").and_then(|level| usize::try_from(level).ok()).unwrap_or(0).min(LEVELS - 1)
}

fn read_level(element: &Element<'_>, xml: &mut Xml<'_, '_, '_>) -> Result<(usize, Level)> {
    let index = index_of(element);
    let mut level = Level::default();
    let depth = xml.depth();
    while let Some(inner) = xml.next_inside(depth)? {
        let val = || inner.val().unwrap_or_default();
        match (inner.space, inner.name()) {
            (Space::Word, "start") => level.start = inner.number("val").unwrap_or(0).clamp(0, MAX_NUMBER),
            (Space::Word, "numFmt") => level.format = NumberFormat::named(&val()),
            (Space::Word, "lvlText") => level.text = val().chars().take(MAX_LABEL).collect(),
            (Space::Word, "lvlRestart") => level.restart = inner.number("val"),
            (Space::Word, "isLgl") => level.legal = inner.is_on(),
            (Space::Word, "suff") => level.suffix = if val() == "nothing" { "" } else { " " },
            (Space::Word, "pStyle") => level.style = inner.val(),
            (Space::Word, "pPr") => level.indent = read_paragraph(xml)?.direct.indent,
            (Space::Word, "rPr") => level.run = read_run(xml)?.direct,
            _ => {}
        }
    }
    Ok((index, level))
}

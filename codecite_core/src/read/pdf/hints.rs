//! What a file says about itself besides its pages: tagged headings, bookmarks, page labels, hidden layers.
//! All of it may be wrong or missing, so none of it decides alone.

use std::collections::{HashMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, String as PdfString};

use super::decode_text;
use super::numerals::letters;
use crate::error::Result;
use crate::roman::roman;
use crate::work::{Stage, Work};

/// Elements of a structure tree, bookmarks and label ranges that are looked at; a hint may be incomplete.
const MAX_ELEMENTS: usize = 500_000;
const MAX_BOOKMARKS: usize = 20_000;
/// Columns that one cell may cover.
const MAX_SPAN: u32 = 100;
/// Names that a custom tag may be mapped through.
const MAX_ROLES: usize = 4;
/// Bytes that one hint holds, about.
const HINT_BYTES: u64 = 64;

/// A title of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bookmark {
    pub title: String,
    /// 1 is the highest.
    pub level: u8,
    /// The physical page, where it is said directly.
    pub page: Option<u32>,
}

/// Where a tag says that text stands in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TaggedCell {
    /// Counted over the document.
    pub table: u32,
    pub row: u32,
    pub column: u32,
}

/// What an element of the structure tree hands on to those below it.
#[derive(Debug, Clone, Copy, Default)]
struct Inherited {
    page: Option<u32>,
    level: Option<u8>,
    /// Tables, rows in the current one and cells in the current row, counted so far.
    table: Option<u32>,
    cell: Option<TaggedCell>,
}

/// All hints of a file.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Heading levels by page and marked-content number.
    headings: HashMap<(u32, u32), u8>,
    /// Cells of tagged tables by page and marked-content number.
    cells: HashMap<(u32, u32), TaggedCell>,
    /// Optional content that is switched off.
    hidden: HashSet<ObjectIdentifier>,
    pub bookmarks: Vec<Bookmark>,
    /// Labels by physical page, as the file counts them.
    pub labels: HashMap<u32, String>,
}

impl Hints {
    /// The level of the heading that marked content on a page belongs to.
    pub fn heading(&self, page: u32, mcid: u32) -> Option<u8> {
        self.headings.get(&(page, mcid)).copied()
    }

    /// The cell that marked content on a page belongs to.
    pub fn cell(&self, page: u32, mcid: u32) -> Option<TaggedCell> {
        self.cells.get(&(page, mcid)).copied()
    }

    /// True when the optional content is not shown.
    pub fn is_hidden(&self, group: ObjectIdentifier) -> bool {
        self.hidden.contains(&group)
    }

    /// Reads the hints.
    pub fn of(pdf: &Pdf, work: &mut Work<'_>) -> Result<Hints> {
        let mut hints = Hints::default();
        let Some(root) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else {
            return Ok(hints);
        };
        let pages: HashMap<ObjectIdentifier, u32> =
            pdf.pages().iter().zip(1u32..).filter_map(|(p, n)| Some((p.raw().obj_id()?, n))).collect();
        hints.read_structure(&root, &pages, work)?;
        hints.read_outline(&root, &pages, work)?;
        hints.read_labels(&root, pdf.pages().len());
        hints.read_layers(&root);
        Ok(hints)
    }

    fn read_structure(
        &mut self,
        root: &Dict<'_>,
        pages: &HashMap<ObjectIdentifier, u32>,
        work: &mut Work<'_>,
    ) -> Result<()> {
        let Some(tree) = root.get::<Dict<'_>>("StructTreeRoot") else { return Ok(()) };
        let roles = tree.get::<Dict<'_>>("RoleMap").unwrap_or_default();
        let mut seen: HashSet<usize> = HashSet::new();
        let mut open: Vec<(Dict<'_>, Inherited)> = vec![(tree, Inherited::default())];
        let mut count = 0usize;
        // The number of the last table, and of the last row and cell in it.
        let (mut table, mut row, mut column) = (0u32, 0u32, 0u32);
        while let Some((element, mut inherited)) = open.pop() {
            // A dictionary's bytes stay where they are: their place is its identity.
            if !seen.insert(element.data().as_ptr() as usize) {
                continue;
            }
            let page = element.get_ref("Pg").map(Into::into).and_then(|id| pages.get(&id).copied());
            inherited.page = page.or(inherited.page);
            let name = element.get::<Name<'_>>("S");
            let own = name.as_ref().and_then(|name| heading_level(name.as_str(), &roles));
            inherited.level = own.or(inherited.level);
            match name.as_ref().map(Name::as_str) {
                // A table in a cell is a part of it.
                Some("Table") if inherited.cell.is_none() => {
                    (table, row, column) = (table + 1, 0, 0);
                    inherited.table = Some(table);
                }
                Some("TR") if inherited.cell.is_none() => (row, column) = (row + 1, 0),
                Some("TD" | "TH") if inherited.cell.is_none() && row > 0 => {
                    inherited.cell = inherited.table.map(|table| TaggedCell { table, row: row - 1, column });
                    column = column.saturating_add(span_of(&element));
                }
                _ => {}
            }
            let mut mark = |page: Option<u32>, mcid: Option<i32>| {
                if let (Some(page), Some(Ok(mcid))) = (page, mcid.map(u32::try_from)) {
                    self.headings.extend(inherited.level.map(|level| ((page, mcid), level)));
                    self.cells.extend(inherited.cell.map(|cell| ((page, mcid), cell)));
                }
            };
            mark(inherited.page, element.get::<i32>("MCID"));
            let children = match element.get::<Object<'_>>("K") {
                Some(Object::Array(array)) => array.iter::<Object<'_>>().collect(),
                Some(other) => vec![other],
                None => Vec::new(),
            };
            let first = open.len();
            for child in children {
                count += 1;
                if count > MAX_ELEMENTS {
                    return Ok(());
                }
                if count.is_multiple_of(1024) {
                    work.tick(Stage::Read, 0, pages.len() as u64)?;
                    work.charge_memory(1024 * HINT_BYTES)?;
                }
                match child {
                    Object::Number(mcid) => mark(inherited.page, i32::try_from(mcid.as_i64()).ok()),
                    Object::Dict(dict) => open.push((dict, inherited)),
                    _ => {}
                }
            }
            // The first child is the next to be taken: rows and cells are counted in order.
            open.get_mut(first..).unwrap_or_default().reverse();
        }
        Ok(())
    }

    fn read_outline(
        &mut self,
        root: &Dict<'_>,
        pages: &HashMap<ObjectIdentifier, u32>,
        work: &mut Work<'_>,
    ) -> Result<()> {
        let mut seen: HashSet<usize> = HashSet::new();
        let first = root.get::<Dict<'_>>("Outlines").and_then(|outlines| outlines.get::<Dict<'_>>("First"));
        let mut open: Vec<(Dict<'_>, u8)> = first.into_iter().map(|dict| (dict, 1)).collect();
        while let Some((item, level)) = open.pop() {
            if !seen.insert(item.data().as_ptr() as usize) || self.bookmarks.len() >= MAX_BOOKMARKS {
                continue;
            }
            work.charge_memory(HINT_BYTES)?;
            // The next sibling waits below the children.
            open.extend(item.get::<Dict<'_>>("Next").map(|next| (next, level)));
            open.extend(item.get::<Dict<'_>>("First").map(|child| (child, level.saturating_add(1))));
            let title = item.get::<PdfString<'_>>("Title").and_then(|title| decode_text(title.as_bytes()));
            let Some(title) = title else { continue };
            let target = item
                .get::<Array<'_>>("Dest")
                .or_else(|| item.get::<Dict<'_>>("A").and_then(|action| action.get::<Array<'_>>("D")));
            let page = target.and_then(|target| {
                let id = target.iter::<Dict<'_>>().next()?.obj_id()?;
                pages.get(&id).copied()
            });
            self.bookmarks.push(Bookmark { title, level, page });
        }
        Ok(())
    }

    fn read_labels(&mut self, root: &Dict<'_>, count: usize) {
        let Some(tree) = root.get::<Dict<'_>>("PageLabels") else { return };
        let mut ranges: Vec<(u32, Dict<'_>)> = Vec::new();
        let mut seen: HashSet<usize> = HashSet::new();
        let mut open = vec![tree];
        while let Some(node) = open.pop() {
            if !seen.insert(node.data().as_ptr() as usize) || seen.len() > MAX_BOOKMARKS {
                continue;
            }
            let numbers =
                node.get::<Array<'_>>("Nums").map(|nums| nums.iter::<Object<'_>>().collect::<Vec<_>>());
            for pair in numbers.unwrap_or_default().chunks(2) {
                if let [Object::Number(index), Object::Dict(range)] = pair
                    && let Ok(index) = u32::try_from(index.as_i64())
                {
                    ranges.push((index, range.clone()));
                }
            }
            let kids = node.get::<Array<'_>>("Kids");
            open.extend(kids.iter().flat_map(|kids| kids.iter::<Dict<'_>>()).take(MAX_BOOKMARKS));
        }
        ranges.sort_by_key(|(index, _)| *index);
        for (at, (first, range)) in ranges.iter().enumerate() {
            let end = ranges.get(at + 1).map_or(count as u32, |(next, _)| *next).min(count as u32);
            let prefix = range.get::<PdfString<'_>>("P").and_then(|p| decode_text(p.as_bytes()));
            let prefix = prefix.unwrap_or_default();
            let style = range.get::<Name<'_>>("S").map(|s| s.as_str().to_string());
            let start = range.get::<i32>("St").and_then(|s| u32::try_from(s).ok()).unwrap_or(1);
            for index in *first..end {
                let number = start.saturating_add(index - first);
                let counted = match style.as_deref() {
                    Some("D") => number.to_string(),
                    Some("R") => roman(number).unwrap_or_default().to_uppercase(),
                    Some("r") => roman(number).unwrap_or_default(),
                    Some("A") => letters(number).to_uppercase(),
                    Some("a") => letters(number),
                    _ => String::new(),
                };
                let label = format!("{prefix}{counted}");
                if !label.is_empty() && label.len() <= 32 {
                    self.labels.insert(index + 1, label);
                }
            }
        }
    }

    fn read_layers(&mut self, root: &Dict<'_>) {
        let default = root.get::<Dict<'_>>("OCProperties").and_then(|layers| layers.get::<Dict<'_>>("D"));
        let off = default.and_then(|default| default.get::<Array<'_>>("OFF"));
        let groups = off.iter().flat_map(|off| off.iter::<Dict<'_>>()).take(MAX_BOOKMARKS);
        self.hidden.extend(groups.filter_map(|group| group.obj_id()));
    }
}

/// The columns that a cell's attributes say it covers.
fn span_of(cell: &Dict<'_>) -> u32 {
    let span = |attributes: Dict<'_>| attributes.get::<i32>("ColSpan");
    let one = cell.get::<Dict<'_>>("A").and_then(span);
    let any = || cell.get::<Array<'_>>("A").and_then(|all| all.iter::<Dict<'_>>().find_map(span));
    let span = one.or_else(any).and_then(|span| u32::try_from(span).ok());
    span.unwrap_or(1).clamp(1, MAX_SPAN)
}

/// The level that a tag stands for, through the file's own names.
pub(super) fn heading_level(name: &str, roles: &Dict<'_>) -> Option<u8> {
    let mut name = name.to_string();
    for _ in 0..MAX_ROLES {
        match name.as_bytes() {
            [b'H', digit @ b'1'..=b'6'] => return Some(digit - b'0'),
            b"H" => return Some(2),
            b"Title" => return Some(1),
            _ => name = roles.get::<Name<'_>>(name.as_bytes())?.as_str().to_string(),
        }
    }
    None
}

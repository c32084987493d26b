//! Tables on the walk through a part: rows and cells that are open, nested as the file nests them.

use super::paragraph::{Item, Paragraph};
use super::table::{RawCell, RawRow, RawTable};
use super::walk::{Scope, Walker};
use super::xml::Xml;
use crate::error::Result;
use crate::work::Work;

/// A table, row or cell that has not ended yet.
#[derive(Debug, Default)]
pub(super) struct OpenTable {
    table: RawTable,
    row: Option<RawRow>,
    cell: Option<RawCell>,
}

impl Walker<'_> {
    pub(super) fn start_of_table(&mut self, name: &str, xml: &mut Xml<'_, '_, '_>) -> Result<Option<Scope>> {
        let open = self.tables.last_mut();
        let scope = match (name, open) {
            ("tbl", _) => {
                self.finish_flow(xml.work)?;
                let table = RawTable { anchor: self.anchor.take(), ..RawTable::default() };
                self.tables.push(OpenTable { table, ..OpenTable::default() });
                Scope::Table
            }
            ("tr", Some(open)) if open.row.is_none() => {
                open.row = Some(RawRow::default());
                Scope::Row
            }
            ("tc", Some(open)) if open.row.is_some() && open.cell.is_none() => {
                open.cell = Some(RawCell::default());
                self.enter(true);
                Scope::Cell
            }
            ("trPr", Some(OpenTable { row: Some(row), cell: None, .. })) if !row.deleted => {
                row.read(xml)?;
                self.ink.deleted += usize::from(row.deleted);
                self.seen.deletions += usize::from(row.deleted);
                return Ok(None);
            }
            ("tcPr", Some(OpenTable { cell: Some(cell), .. })) if !cell.deleted => {
                cell.read(xml)?;
                self.ink.deleted += usize::from(cell.deleted);
                self.seen.deletions += usize::from(cell.deleted);
                return Ok(None);
            }
            ("tr" | "tc", _) => Scope::Other,
            _ => {
                xml.skip()?;
                return Ok(None);
            }
        };
        Ok(Some(scope))
    }

    pub(super) fn end_cell(&mut self, work: &mut Work<'_>) -> Result<()> {
        let mut paragraphs: Vec<Paragraph> =
            self.leave(work)?.into_iter().filter_map(Item::into_paragraph).collect();
        // Most cells have one paragraph, and a list begins with room for four.
        paragraphs.shrink_to_fit();
        self.book(2 * size_of::<RawCell>() as u64, work)?;
        let Some(open) = self.tables.last_mut() else { return Ok(()) };
        if let Some(mut cell) = open.cell.take() {
            self.ink.deleted = self.ink.deleted.saturating_sub(usize::from(cell.deleted));
            let anchor = paragraphs.iter().find_map(|paragraph| paragraph.anchor.clone());
            open.table.anchor = open.table.anchor.take().or(anchor);
            cell.paragraphs = paragraphs;
            if let Some(row) = &mut open.row {
                row.cells.push(cell);
            }
        }
        Ok(())
    }

    pub(super) fn end_row(&mut self, work: &mut Work<'_>) -> Result<()> {
        self.book(2 * size_of::<RawRow>() as u64, work)?;
        let Some(open) = self.tables.last_mut() else { return Ok(()) };
        if let Some(mut row) = open.row.take() {
            row.cells.shrink_to_fit();
            self.ink.deleted = self.ink.deleted.saturating_sub(usize::from(row.deleted));
            open.table.rows.push(row);
        }
        Ok(())
    }

    pub(super) fn end_table(&mut self, work: &mut Work<'_>) -> Result<()> {
        self.book(size_of::<OpenTable>() as u64, work)?;
        let Some(OpenTable { mut table, .. }) = self.tables.pop() else { return Ok(()) };
        if self.flow.is_flat {
            self.flow.items.extend(table.flatten().into_iter().map(Item::Paragraph));
        } else if let Some(paragraphs) = table.only_cell() {
            self.flow.items.extend(paragraphs.into_iter().map(Item::Paragraph));
        } else {
            self.flow.items.push(Item::Table(table));
        }
        Ok(())
    }
}

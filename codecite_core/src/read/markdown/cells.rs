//! The cells of a Markdown table.

use crate::document::{Cell, Table};

/// A table that is being read.
#[derive(Default)]
pub(super) struct OpenTable {
    pub table: Table,
    pub row: usize,
    pub column: usize,
    pub cell: String,
}

impl OpenTable {
    /// Ends a cell.
    pub fn finish_cell(&mut self) {
        let mut text = std::mem::take(&mut self.cell);
        text.truncate(text.trim_end().len());
        let cell = Cell { row: self.row, column: self.column, row_span: 1, column_span: 1, text };
        self.table.cells.push(cell);
        self.column += 1;
        self.table.columns = self.table.columns.max(self.column);
    }
}

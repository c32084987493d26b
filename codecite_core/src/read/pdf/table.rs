//! Tables drawn with rules.

use crate::document::Table;

/// A table and where it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct PlacedTable {
    pub page: u32,
    pub table: Table,
    pub size: f32,
    pub indent: f32,
}

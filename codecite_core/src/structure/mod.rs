//! Blocks into the section tree: headings decided on the whole sequence, tables and labelled parts in place.

mod annotations;
mod contents;
mod fill;
mod floats;
mod gaps;
mod grids;
mod headings;
mod joined;
mod links;
mod notes;
mod outline;
mod paragraphs;
mod parts;
mod repeats;
mod sequence;
#[cfg(test)]
mod tests;
mod title;
mod tree;

pub use gaps::{Gap, gaps};
pub use links::Links;
pub use parts::{Part, PartKind};
pub use tree::{Headings, Section, SectionTree, build};

//! Where an operator stands, and what it can name there.

use std::rc::Rc;

use foldhash::HashMap as FastMap;
use hayro_syntax::object::Name;
use hayro_syntax::page::Resources;

use super::font::LoadedFont;
use super::interpreter::Shared;
use crate::error::Result;
use crate::work::Work;

/// Where an operator stands: in a page's content or in a form's.
pub(super) struct Scope<'s, 'a> {
    pub resources: &'s Resources<'a>,
    pub depth: u64,
    /// States on the stack that are not its own.
    pub floor: usize,
    /// The fonts that it has named: finding one takes longer than showing a line.
    fonts: FastMap<Vec<u8>, Rc<LoadedFont<'a>>>,
}

impl<'s, 'a> Scope<'s, 'a> {
    pub fn new(resources: &'s Resources<'a>, depth: u64, floor: usize) -> Self {
        Scope { resources, depth, floor, fonts: FastMap::default() }
    }

    /// The font of that name.
    pub fn font(
        &mut self,
        name: &Name<'_>,
        shared: &mut Shared<'a>,
        work: &mut Work<'_>,
    ) -> Result<Option<Rc<LoadedFont<'a>>>> {
        if let Some(font) = self.fonts.get(name.as_ref()) {
            return Ok(Some(Rc::clone(font)));
        }
        let Some(dict) = self.resources.get_font(name) else { return Ok(None) };
        let font = shared.fonts.get(&dict, &mut shared.guard, work)?;
        self.fonts.insert(name.to_vec(), Rc::clone(&font));
        Ok(Some(font))
    }
}

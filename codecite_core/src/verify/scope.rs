//! Which corpora and editions a citation can mean.

use super::citation::Citation;
use super::judge::Note;
use super::lookup::Text;
use super::works::Work;

/// What a citation can mean.
pub(super) struct Scope<'a> {
    works: Vec<&'a Work>,
    /// The edition that it names is indexed and no longer in force.
    pub is_superseded: bool,
}

impl Scope<'_> {
    pub fn admits(&self, text: &Text) -> bool {
        self.works.iter().any(|work| work.corpus == text.corpus)
    }

    pub fn names(&self) -> String {
        let names: Vec<&str> =
            self.works.iter().map(|work| work.titles.first().unwrap_or(&work.corpus).as_str()).collect();
        names.join(", ")
    }
}

/// The corpora that a citation can mean; else why it cannot be checked.
pub(super) fn scope<'a>(citation: &'a Citation, works: &'a [Work]) -> Result<Scope<'a>, Note> {
    let named: Vec<&Work> = match &citation.work {
        Some(name) => works.iter().filter(|work| work.is_named(name)).collect(),
        None => works.iter().collect(),
    };
    if named.is_empty() {
        let name = citation.work.as_deref().unwrap_or("no code");
        return Err(Note::new("work", format!("{name} is not indexed")));
    }
    let all = Scope { works: named.clone(), is_superseded: false };
    let Some(edition) = citation.edition.as_deref() else { return Ok(all) };
    let of = |state| named.iter().copied().filter(move |work| work.has_edition(edition) == state);
    let (current, old): (Vec<&Work>, Vec<&Work>) = (of(Some(true)).collect(), of(Some(false)).collect());
    if !current.is_empty() {
        return Ok(Scope { works: current, is_superseded: false });
    }
    if !old.is_empty() {
        return Ok(Scope { works: old, is_superseded: true });
    }
    let known: Vec<&str> = named
        .iter()
        .flat_map(|work| work.editions.iter().chain(&work.superseded))
        .map(String::as_str)
        .collect();
    let known = if known.is_empty() { "none that is named".to_owned() } else { known.join(", ") };
    let text = format!("edition {} is not indexed, only {known}", edition);
    Err(Note::new("edition", text))
}

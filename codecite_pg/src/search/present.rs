//! The rows of an answer as the caller sees them: passages, citations, the verdict on each.

use codecite_core::chunk::ChunkKind;
use codecite_core::passage::{cut, safe};

use super::overlay::{Hit, name_amendments};
use super::rows::{self, ChunkRow, SectionRef, SectionRow};
use super::{Answer, Verdict};

/// The columns of `search`.
pub(super) type Row = (
    i32,
    String,
    String,
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    String,
    Vec<String>,
    Option<i32>,
    Option<i32>,
    String,
    String,
    Vec<String>,
    Option<String>,
    f32,
    &'static str,
    Option<String>,
);

impl Answer {
    /// The rows as the caller sees them.
    #[allow(clippy::type_complexity)]
    pub(super) fn present(&self, hits: Vec<Hit>, verdict: &Verdict) -> Vec<Row> {
        let coverage = verdict.coverage.as_str();
        let note = (!verdict.note.is_empty()).then(|| verdict.note.clone());
        if hits.is_empty() {
            return self.nothing(coverage, note);
        }
        let mut hits = hits;
        let without: Vec<SectionRef> =
            hits.iter().filter(|hit| hit.chunk.is_none()).map(|hit| hit.section).collect();
        if !without.is_empty() {
            let first = rows::first_chunks(&without, &self.view);
            for hit in hits.iter_mut().filter(|hit| hit.chunk.is_none()) {
                hit.chunk = first.get(&hit.section).copied();
            }
        }
        let sections = rows::sections(&hits.iter().map(|hit| hit.section).collect::<Vec<_>>(), true);
        let chunks = rows::chunks(&hits.iter().filter_map(|hit| hit.chunk).collect::<Vec<_>>(), true);
        name_amendments(&mut hits, &sections);
        hits.into_iter()
            .filter_map(|hit| {
                let section = sections.get(&hit.section)?;
                let chunk = hit.chunk.and_then(|chunk| chunks.get(&chunk));
                let kinds = match (hit.kinds.is_empty(), chunk) {
                    (true, Some(chunk)) => vec![chunk.kind.clone()],
                    _ => hit.kinds,
                };
                let body = self.passage(section, chunk);
                let citation = section.cite(chunk);
                let citation = match &hit.amended_by {
                    Some(_) => format!("{citation}, amended by {}", hit.amended_titles),
                    None => citation,
                };
                Some((
                    hit.rank,
                    section.corpus.clone(),
                    section.layer.clone(),
                    section.document.clone(),
                    section.edition.clone(),
                    section.number.clone(),
                    chunk.and_then(|chunk| chunk.locator.clone()),
                    section.title.as_deref().map(safe),
                    safe(&section.breadcrumb),
                    kinds,
                    chunk.map_or(section.page_from, |chunk| chunk.page_from),
                    chunk.map_or(section.page_to, |chunk| chunk.page_to),
                    safe(&citation),
                    cut(&safe(&body), self.settings.passage_chars),
                    section.refs.clone(),
                    hit.amended_by,
                    hit.score,
                    coverage,
                    note.clone(),
                ))
            })
            .collect()
    }

    /// The matched passage. An exception alone misleads: what it is an exception from stands before it.
    fn passage(&self, section: &SectionRow, chunk: Option<&ChunkRow>) -> String {
        let Some(chunk) = chunk else { return section.body.clone() };
        if chunk.kind != ChunkKind::Exception.as_str() {
            return chunk.text.clone();
        }
        let start = section.body.find(chunk.text.as_str()).unwrap_or(0);
        let before = section.body.get(..start).unwrap_or_default();
        // Up to the label of the first exception.
        let rule = before.split("\nException").next().unwrap_or_default().trim_end();
        let room = self.settings.passage_chars.saturating_sub(chunk.text.chars().count() + 3);
        let rule = if room > 80 { cut(rule, room) } else { String::new() };
        format!("{rule}\n{}", chunk.text).trim_start().to_owned()
    }

    /// One row that says that there is nothing, and why.
    fn nothing(&self, coverage: &'static str, note: Option<String>) -> Vec<Row> {
        let number = self.query.addresses.first().map(|address| address.number.to_string());
        let text = String::new;
        vec![(
            1,
            text(),
            text(),
            text(),
            None,
            number,
            None,
            None,
            text(),
            Vec::new(),
            None,
            None,
            text(),
            text(),
            Vec::new(),
            None,
            0.0,
            coverage,
            note,
        )]
    }
}

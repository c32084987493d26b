//! Writes a parsed document as rows, one statement for each table.

use codecite_core::amend::{Operation, Status};
use codecite_core::chunk::{Chunk, ChunkKind, breadcrumb};
use codecite_core::definition;
use codecite_core::document::{Document, PageMark, Span};
use codecite_core::index::Index;
use codecite_core::links::References;
use codecite_core::pipeline::Parsed;
use codecite_core::reference::Reference;
use codecite_core::structure::Links;
use codecite_core::vocabulary::Vocabulary;
use pgrx::datum::DatumWithOid;
use pgrx::spi::SpiClient;

use crate::errors::spi;

// `unnest` of several arrays is syntax, and is pg_catalog's whatever the search_path.
const INSERT_SECTIONS: &str = "
    INSERT INTO codecite.section (document_id, corpus_id, ordinal, parent, last, depth, kind, number, number_key, title,
                                  breadcrumb, body, nested, page_from, page_to, label_from, label_to, cells)
    SELECT $1, $2, r.*
    FROM unnest($3::int[], $4::int[], $5::int[], $6::smallint[], $7::text[], $8::text[], $9::text[], $10::text[],
                           $11::text[], $12::text[], $13::int[], $14::int[], $15::int[], $16::text[], $17::text[], $18::jsonb[]) r";

const INSERT_CHUNKS: &str = "
    INSERT INTO codecite.chunk (document_id, corpus_id, ordinal, section, kind, locator, char_from, char_count,
                                header_from, header_count, page_from, page_to, label_from, label_to)
    SELECT $1, $2, r.*
    FROM unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[], $10::int[],
                           $11::int[], $12::int[], $13::text[], $14::text[]) r";

const INSERT_POSTINGS: &str = "
    INSERT INTO codecite.posting (document_id, corpus_id, term, packed)
    SELECT $1, $2, r.* FROM unnest($3::text[], $4::bytea[]) r";

const INSERT_REFERENCES: &str = "
    INSERT INTO codecite.reference (document_id, corpus_id, section, ordinal, target, target_key, through, through_key, locator)
    SELECT $1, $2, r.*
    FROM unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]) r";

const INSERT_AMENDMENTS: &str = "
    INSERT INTO codecite.amendment (document_id, corpus_id, ordinal, section, operation, target, target_key, through, through_key,
                                    scope, renumbered, renumbered_key, instruction, new_text, detail, unclear)
    SELECT $1, $2, r.*
    FROM unnest($3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
                $12::text[], $13::text[], $14::text[], $15::jsonb[], $16::text[]) r";

const INSERT_DEFINITIONS: &str = "
    INSERT INTO codecite.definition (document_id, corpus_id, chunk, chunk_to, place, name, key)
    SELECT $1, $2, r.* FROM unnest($3::int[], $4::int[], $5::int[], $6::text[], $7::text[]) r";

/// The rows of a document besides its own.
pub struct Rows<'a> {
    pub document_id: i64,
    pub corpus_id: i64,
    pub parsed: &'a Parsed,
    pub chunks: &'a [Chunk],
    pub index: Index,
    /// What the document does to others; empty for a base.
    pub operations: &'a [Operation],
}

impl Rows<'_> {
    /// Writes them all.
    pub fn insert(self, client: &mut SpiClient<'_>) {
        self.insert_sections(client);
        self.insert_chunks(client);
        self.insert_definitions(client);
        self.insert_references(client);
        self.insert_amendments(client);
        self.insert_postings(client);
    }

    fn ids<'m>(&self) -> Vec<DatumWithOid<'m>> {
        vec![self.document_id.into(), self.corpus_id.into()]
    }

    fn insert_sections(&self, client: &mut SpiClient<'_>) {
        let (document, tree) = (&self.parsed.document, &self.parsed.tree);
        let last = tree.last_below();
        let sections = &tree.sections;
        let pages = Pages::of(document, sections.iter().map(|section| section.span));
        let number = |f: fn(&codecite_core::number::Number) -> String| -> Vec<Option<String>> {
            sections.iter().map(|section| section.number.as_ref().map(f)).collect()
        };
        let mut args = self.ids();
        args.push((0..sections.len()).map(int).collect::<Vec<i32>>().into());
        args.push(
            sections.iter().map(|section| section.parent.map(int)).collect::<Vec<Option<i32>>>().into(),
        );
        args.push(last.into_iter().map(int).collect::<Vec<i32>>().into());
        args.push(
            sections.iter().map(|s| i16::try_from(s.depth).unwrap_or(i16::MAX)).collect::<Vec<i16>>().into(),
        );
        args.push(sections.iter().map(|section| section.kind.as_str()).collect::<Vec<&str>>().into());
        args.push(number(ToString::to_string).into());
        args.push(number(codecite_core::number::Number::key).into());
        args.push(
            sections.iter().map(|section| section.title.clone()).collect::<Vec<Option<String>>>().into(),
        );
        args.push((0..sections.len()).map(|index| breadcrumb(tree, index)).collect::<Vec<String>>().into());
        args.push(sections.iter().map(|section| body(document, section.span)).collect::<Vec<&str>>().into());
        args.push(
            sections.iter().map(|section| section.nested.map(int)).collect::<Vec<Option<i32>>>().into(),
        );
        pages.push_to(&mut args);
        let cells = sections.iter().map(|section| {
            let table = section.table.as_ref()?;
            serde_json::to_value(table).ok().map(pgrx::JsonB)
        });
        args.push(cells.collect::<Vec<Option<pgrx::JsonB>>>().into());
        spi(client.update(INSERT_SECTIONS, None, &args));
    }

    fn insert_chunks(&self, client: &mut SpiClient<'_>) {
        let (document, tree) = (&self.parsed.document, &self.parsed.tree);
        let pages = Pages::of(document, self.chunks.iter().map(|chunk| chunk.span));
        let offset = |chunk: &Chunk, at: usize| {
            let start = tree.sections.get(chunk.section).map_or(0, |section| section.span.start);
            int(document.slice(Span::new(start, at)).chars().count())
        };
        let length = |span: Span| int(document.slice(span).chars().count());
        let headers = self.chunks.iter().map(|chunk| {
            let header = chunk.header?;
            Some((offset(chunk, header.start), length(header)))
        });
        let (header_offsets, header_lengths): (Vec<_>, Vec<_>) =
            headers.map(|header| (header.map(|(from, _)| from), header.map(|(_, count)| count))).unzip();
        let mut args = self.ids();
        args.push((0..self.chunks.len()).map(int).collect::<Vec<i32>>().into());
        args.push(self.chunks.iter().map(|chunk| int(chunk.section)).collect::<Vec<i32>>().into());
        args.push(self.chunks.iter().map(|chunk| chunk.kind.as_str()).collect::<Vec<&str>>().into());
        args.push(
            self.chunks.iter().map(|chunk| chunk.locator.clone()).collect::<Vec<Option<String>>>().into(),
        );
        args.push(
            self.chunks.iter().map(|chunk| offset(chunk, chunk.span.start)).collect::<Vec<i32>>().into(),
        );
        args.push(self.chunks.iter().map(|chunk| length(chunk.span)).collect::<Vec<i32>>().into());
        args.push(header_offsets.into());
        args.push(header_lengths.into());
        pages.push_to(&mut args);
        spi(client.update(INSERT_CHUNKS, None, &args));
    }

    /// One row for each name that a definition goes by.
    fn insert_definitions(&self, client: &mut SpiClient<'_>) {
        let vocabulary = Vocabulary::default();
        let is_definition = |chunk: &Chunk| chunk.kind == ChunkKind::Definition;
        let mut rows: Vec<(i32, i32, i32, String, String)> = Vec::new();
        let mut from = 0;
        // A long definition is several chunks in a row.
        for run in
            self.chunks.chunk_by(|a, b| is_definition(a) && a.section == b.section && a.locator == b.locator)
        {
            let to = from + run.len() - 1;
            let term =
                run.first().filter(|chunk| is_definition(chunk)).and_then(|chunk| chunk.locator.as_deref());
            for (place, name) in term.map(definition::names).unwrap_or_default().into_iter().enumerate() {
                let key = definition::key(&name, &vocabulary);
                rows.push((int(from), int(to), int(place), name, key));
            }
            from = to + 1;
        }
        let mut args = self.ids();
        args.push(rows.iter().map(|row| row.0).collect::<Vec<i32>>().into());
        args.push(rows.iter().map(|row| row.1).collect::<Vec<i32>>().into());
        args.push(rows.iter().map(|row| row.2).collect::<Vec<i32>>().into());
        args.push(rows.iter().map(|row| row.3.clone()).collect::<Vec<String>>().into());
        args.push(rows.into_iter().map(|row| row.4).collect::<Vec<String>>().into());
        spi(client.update(INSERT_DEFINITIONS, None, &args));
    }

    fn insert_references(&self, client: &mut SpiClient<'_>) {
        let (document, tree) = (&self.parsed.document, &self.parsed.tree);
        let links = Links::of(tree);
        let references = References::of(document, tree);
        let mut found = Vec::new();
        for (index, section) in
            tree.sections.iter().enumerate().filter(|(_, section)| section.nested.is_none())
        {
            // Numbers of other works name nothing in this corpus, and what names only itself leads nowhere.
            let itself = |r: &Reference| {
                r.locator.is_none() && r.through.is_none() && Some(&r.target) == section.number.as_ref()
            };
            let own = references.in_section(section).into_iter().filter(|r| r.source.is_none() && !itself(r));
            for (ordinal, reference) in own.enumerate() {
                let target = links.target(section, &reference.target);
                let through = reference.through.as_ref().map(|through| links.target(section, through));
                let reference = Reference { target, through, ..reference };
                found.push((int(index), int(ordinal), reference));
            }
        }
        let mut args = self.ids();
        args.push(found.iter().map(|(section, _, _)| *section).collect::<Vec<i32>>().into());
        args.push(found.iter().map(|(_, ordinal, _)| *ordinal).collect::<Vec<i32>>().into());
        args.push(found.iter().map(|(_, _, r)| r.target.to_string()).collect::<Vec<String>>().into());
        args.push(found.iter().map(|(_, _, r)| r.target.key()).collect::<Vec<String>>().into());
        args.push(
            found
                .iter()
                .map(|(_, _, r)| r.through.as_ref().map(|n| n.to_string()))
                .collect::<Vec<Option<String>>>()
                .into(),
        );
        args.push(
            found
                .iter()
                .map(|(_, _, r)| r.through.as_ref().map(|n| n.key()))
                .collect::<Vec<Option<String>>>()
                .into(),
        );
        args.push(found.into_iter().map(|(_, _, r)| r.locator).collect::<Vec<Option<String>>>().into());
        spi(client.update(INSERT_REFERENCES, None, &args));
    }

    fn insert_amendments(&self, client: &mut SpiClient<'_>) {
        if self.operations.is_empty() {
            return;
        }
        let document = &self.parsed.document;
        let texts = |f: &dyn Fn(&Operation) -> Option<String>| -> Vec<Option<String>> {
            self.operations.iter().map(f).collect()
        };
        let renumbered_key =
            |o: &Operation| codecite_core::number::Number::parse(o.renumbered.as_deref()?).map(|n| n.key());
        let mut args = self.ids();
        args.push((0..self.operations.len()).map(int).collect::<Vec<i32>>().into());
        args.push(self.operations.iter().map(|o| int(o.section)).collect::<Vec<i32>>().into());
        args.push(texts(&|o| Some(o.verb.as_str().to_owned())).into());
        args.push(texts(&|o| Some(o.target.to_string())).into());
        args.push(texts(&|o| Some(o.target.key())).into());
        args.push(texts(&|o| o.through.as_ref().map(ToString::to_string)).into());
        args.push(texts(&|o| o.through.as_ref().map(|n| n.key())).into());
        args.push(texts(&|o| o.detail.scope_words()).into());
        args.push(texts(&|o| o.renumbered.clone()).into());
        args.push(texts(&|o| renumbered_key(o).filter(|_| o.detail.scope.is_empty())).into());
        args.push(texts(&|o| Some(document.slice(o.instruction).to_owned())).into());
        args.push(texts(&|o| o.text.map(|span| document.slice(span).to_owned())).into());
        let details = self.operations.iter().map(|o| serde_json::to_value(&o.detail).ok().map(pgrx::JsonB));
        args.push(details.collect::<Vec<Option<pgrx::JsonB>>>().into());
        args.push(
            texts(&|o| match o.status {
                Status::Clear => None,
                Status::Ambiguous(reason) => Some(reason.to_owned()),
            })
            .into(),
        );
        spi(client.update(INSERT_AMENDMENTS, None, &args));
    }

    fn insert_postings(self, client: &mut SpiClient<'_>) {
        let mut args = self.ids();
        let (terms, lists): (Vec<String>, Vec<Vec<u8>>) = self.index.postings.into_iter().unzip();
        args.push(terms.into());
        args.push(lists.into());
        spi(client.update(INSERT_POSTINGS, None, &args));
    }
}

/// A section's body: its own text without the line end before the next section.
fn body(document: &Document, span: Span) -> &str {
    let text = document.slice(span);
    text.strip_suffix('\n').unwrap_or(text)
}

/// First and last page, counted and as printed, of many spans.
#[derive(Default)]
struct Pages {
    from: Vec<Option<i32>>,
    to: Vec<Option<i32>>,
    label_from: Vec<Option<String>>,
    label_to: Vec<Option<String>>,
}

impl Pages {
    fn of(document: &Document, spans: impl Iterator<Item = Span>) -> Pages {
        let mut pages = Pages::default();
        for span in spans {
            let (first, last) = document.pages_of(span).unzip();
            let page = |mark: Option<&PageMark>| mark.and_then(|mark| i32::try_from(mark.page).ok());
            pages.from.push(page(first));
            pages.to.push(page(last));
            pages.label_from.push(first.and_then(|mark| mark.label.clone()));
            pages.label_to.push(last.and_then(|mark| mark.label.clone()));
        }
        pages
    }

    fn push_to(self, args: &mut Vec<DatumWithOid<'_>>) {
        args.push(self.from.into());
        args.push(self.to.into());
        args.push(self.label_from.into());
        args.push(self.label_to.into());
    }
}

/// Counts and ordinals are far below the limits of an integer; what is not is a document beyond max_blocks.
pub fn int(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

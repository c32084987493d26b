//! Reads what the hits are made of: chunks, sections, amendments, references.

use std::collections::HashMap;

use codecite_core::citation::{Cited, cite};
use codecite_core::number::Number;
use codecite_core::search::{Kin, Rank};
use pgrx::prelude::*;

use super::ChunkRef;
use super::scope::View;
use crate::errors::spi;
use crate::plans::select;

/// A section's address in the database.
pub type SectionRef = (i64, i32);

/// A chunk as far as ranking needs it.
pub struct ChunkRow {
    pub section: SectionRef,
    pub kind: String,
    pub locator: Option<String>,
    /// Empty where it was not asked for.
    pub text: String,
    pub page_from: Option<i32>,
    pub page_to: Option<i32>,
    pub label_from: Option<String>,
    pub label_to: Option<String>,
}

/// A section with its document and corpus.
pub struct SectionRow {
    pub corpus: String,
    /// What a citation names: the corpus, or the amending document.
    pub cited_title: String,
    pub corpus_id: i64,
    pub layer: String,
    pub layer_rank: i32,
    pub document: String,
    pub edition: Option<String>,
    pub number: Option<String>,
    pub number_key: Option<String>,
    pub title: Option<String>,
    pub breadcrumb: String,
    /// Empty, as are the references, where they were not asked for.
    pub body: String,
    pub page_from: Option<i32>,
    pub page_to: Option<i32>,
    pub label_from: Option<String>,
    pub label_to: Option<String>,
    pub refs: Vec<String>,
}

impl SectionRow {
    /// The citation of this section, or of a chunk in it.
    pub fn cite(&self, chunk: Option<&ChunkRow>) -> String {
        let printed =
            |label: &Option<String>, page: Option<i32>| label.clone().or(page.map(|page| page.to_string()));
        let (from, to) = match chunk {
            Some(chunk) => {
                (printed(&chunk.label_from, chunk.page_from), printed(&chunk.label_to, chunk.page_to))
            }
            None => (printed(&self.label_from, self.page_from), printed(&self.label_to, self.page_to)),
        };
        cite(&Cited {
            corpus: &self.cited_title,
            edition: self.edition.as_deref(),
            number: self.number.as_deref(),
            title: self.title.as_deref(),
            locator: chunk.and_then(|chunk| chunk.locator.as_deref()),
            page_from: from.as_deref(),
            page_to: to.as_deref(),
        })
    }
}

/// Chunks by their address. Their text is cut out of the whole section, so it is read only when it is wanted.
pub fn chunks(wanted: &[ChunkRef], with_text: bool) -> HashMap<ChunkRef, ChunkRow> {
    const SELECT: &str = "
        SELECT c.document_id, c.ordinal, c.section, c.kind, c.locator, c.page_from, c.page_to, c.label_from, c.label_to,
               CASE WHEN $3 THEN (SELECT COALESCE(pg_catalog.rtrim(pg_catalog.substr(s.body, c.header_from + 1, c.header_count), E' \\n') || E'\\n', '')
                                         || pg_catalog.substr(s.body, c.char_from + 1, c.char_count) FROM codecite.section s
                                  WHERE s.document_id = c.document_id AND s.ordinal = c.section) END
        FROM unnest($1::bigint[], $2::int[]) r(document_id, ordinal)
        JOIN codecite.chunk c ON c.document_id = r.document_id AND c.ordinal = r.ordinal";
    let (documents, ordinals): (Vec<i64>, Vec<i32>) = wanted.iter().copied().unzip();
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[documents.into(), ordinals.into(), with_text.into()]);
        rows.filter_map(|row| {
            let document: i64 = spi(row.get(1))?;
            let chunk = ChunkRow {
                section: (document, spi(row.get(3))?),
                kind: spi(row.get(4))?,
                locator: spi(row.get(5)),
                page_from: spi(row.get(6)),
                page_to: spi(row.get(7)),
                label_from: spi(row.get(8)),
                label_to: spi(row.get(9)),
                text: spi(row.get(10)).unwrap_or_default(),
            };
            Some(((document, spi(row.get(2))?), chunk))
        })
        .collect()
    })
}

/// Sections by their address; their text and references only where they are shown.
pub fn sections(wanted: &[SectionRef], with_text: bool) -> HashMap<SectionRef, SectionRow> {
    const SELECT: &str = "
        SELECT s.document_id, s.ordinal, c.name, CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END, c.id, d.layer, d.layer_rank, d.document, d.edition, s.number,
               s.number_key, s.title, s.breadcrumb, CASE WHEN $3 THEN s.body ELSE '' END, s.page_from, s.page_to, s.label_from, s.label_to,
               CASE WHEN $3 THEN ARRAY(SELECT f.target FROM codecite.reference f
                     WHERE f.document_id = s.document_id AND f.section = s.ordinal
                     GROUP BY f.target ORDER BY pg_catalog.min(f.ordinal) LIMIT 20) END
        FROM unnest($1::bigint[], $2::int[]) r(document_id, ordinal)
        JOIN codecite.section s ON s.document_id = r.document_id AND s.ordinal = r.ordinal
        JOIN codecite.document d ON d.id = s.document_id
        JOIN codecite.corpus c ON c.id = d.corpus_id";
    let (documents, ordinals): (Vec<i64>, Vec<i32>) = wanted.iter().copied().unzip();
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[documents.into(), ordinals.into(), with_text.into()]);
        rows.filter_map(|row| {
            let section = SectionRow {
                corpus: spi(row.get(3))?,
                cited_title: spi(row.get(4))?,
                corpus_id: spi(row.get(5))?,
                layer: spi(row.get(6))?,
                layer_rank: spi(row.get(7))?,
                document: spi(row.get(8))?,
                edition: spi(row.get(9)),
                number: spi(row.get(10)),
                number_key: spi(row.get(11)),
                title: spi(row.get(12)),
                breadcrumb: spi(row.get(13))?,
                body: spi(row.get(14))?,
                page_from: spi(row.get(15)),
                page_to: spi(row.get(16)),
                label_from: spi(row.get(17)),
                label_to: spi(row.get(18)),
                refs: spi(row.get::<Vec<String>>(19)).unwrap_or_default(),
            };
            Some(((spi(row.get(1))?, spi(row.get(2))?), section))
        })
        .collect()
    })
}

/// How sections stand to the law, and which section each of them belongs to.
pub fn kin(wanted: &[SectionRef], view: &View) -> HashMap<SectionRef, Kin<SectionRef>> {
    const SELECT: &str = "
        SELECT s.document_id, s.ordinal, s.kind, s.number IS NULL, s.parent,
               EXISTS (SELECT FROM codecite.section a WHERE a.document_id = s.document_id AND a.kind = 'appendix'
                       AND s.ordinal BETWEEN a.ordinal AND a.last),
               o.document_id, o.ordinal
        FROM unnest($1::bigint[], $2::int[]) r(document_id, ordinal)
        JOIN codecite.section s ON s.document_id = r.document_id AND s.ordinal = r.ordinal
        -- \"Appendix A 36.104\" is about 36.104.
        LEFT JOIN LATERAL (
            SELECT b.document_id, b.ordinal FROM codecite.section b
            WHERE b.number_key = codecite.number_key(pg_catalog.substring(s.number, '^(?:Appendix|Annex|Schedule) \\S+ (.+)$'))
              AND b.document_id = ANY ($3) AND b.corpus_id = s.corpus_id
            ORDER BY b.document_id = s.document_id DESC, b.document_id, b.ordinal LIMIT 1
        ) o ON true";
    let (documents, ordinals): (Vec<i64>, Vec<i32>) = wanted.iter().copied().unzip();
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[documents.into(), ordinals.into(), view.ids().into()]);
        rows.filter_map(|row| {
            let section: SectionRef = (spi(row.get(1))?, spi(row.get(2))?);
            let kind: String = spi(row.get(3))?;
            let is_unnumbered = spi(row.get::<bool>(4))?;
            let parent = spi(row.get::<i32>(5)).map(|parent| (section.0, parent));
            let in_appendix = spi(row.get::<bool>(6))?;
            let about = spi(row.get::<i64>(7)).zip(spi(row.get::<i32>(8)));
            let (rank, owner) = match kind.as_str() {
                "annotation" => (Rank::Annotation, None),
                "note" => (Rank::Note, parent),
                "table" | "figure" | "diagram" => (Rank::Float, parent),
                _ if is_unnumbered => (Rank::Unnumbered, None),
                _ if about.is_some() => (Rank::Commentary, about),
                _ if in_appendix => (Rank::Appendix, None),
                _ => (Rank::Law, None),
            };
            Some((section, Kin { rank, owner }))
        })
        .collect()
    })
}

/// The sections in view with one of these numbers and those that amend it, the one that governs first: by layer, then the
/// latest.
pub fn by_number(keys: &[String], view: &View) -> Vec<(SectionRef, String, i32, i64)> {
    const SELECT: &str = "
        SELECT DISTINCT f.document_id, f.ordinal, f.key, d.layer_rank, d.corpus_id, pg_catalog.lower(d.effective)
        FROM (
            SELECT s.document_id, s.ordinal, s.number_key AS key, s.kind IN ('part', 'chapter', 'article') AS container
            FROM codecite.section s WHERE s.number_key = ANY ($1) AND s.document_id = ANY ($2)
            UNION ALL
            SELECT a.document_id, a.section, a.target_key, false
            FROM codecite.amendment a WHERE a.target_key = ANY ($1) AND a.document_id = ANY ($2)
            UNION ALL
            -- \"Sections 405.1 through 405.4 are deleted\"
            SELECT a.document_id, a.section, k.key, false
            FROM codecite.amendment a JOIN unnest($1) k(key) ON k.key COLLATE \"C\" > a.target_key AND k.key COLLATE \"C\" <= a.through_key || '~'
            WHERE a.through_key IS NOT NULL AND a.document_id = ANY ($2)
        ) f JOIN codecite.document d ON d.id = f.document_id
          -- The chapter headings of an amending document amend nothing.
        WHERE d.layer_rank = 0 OR NOT f.container
        ORDER BY d.layer_rank DESC, pg_catalog.lower(d.effective) DESC NULLS LAST, f.document_id DESC, f.ordinal";
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[keys.to_vec().into(), view.ids().into()]);
        rows.filter_map(|row| {
            let section = (spi(row.get(1))?, spi(row.get(2))?);
            Some((section, spi(row.get(3))?, spi(row.get(4))?, spi(row.get(5))?))
        })
        .collect()
    })
}

/// The numbers that amending sections are about, where they are not their own.
pub fn targets(wanted: &[SectionRef]) -> HashMap<SectionRef, String> {
    const SELECT: &str = "
        SELECT r.document_id, r.ordinal, (pg_catalog.array_agg(a.target_key ORDER BY a.ordinal))[1]
        FROM unnest($1::bigint[], $2::int[]) r(document_id, ordinal)
        JOIN codecite.section s ON s.document_id = r.document_id AND s.ordinal = r.ordinal
        JOIN codecite.amendment a ON a.document_id = r.document_id AND a.section = r.ordinal
        GROUP BY r.document_id, r.ordinal, s.number_key
        HAVING NOT COALESCE(pg_catalog.bool_or(a.target_key = s.number_key), false)";
    let (documents, ordinals): (Vec<i64>, Vec<i32>) = wanted.iter().copied().unzip();
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[documents.into(), ordinals.into()]);
        rows.filter_map(|row| Some(((spi(row.get(1))?, spi(row.get(2))?), spi(row.get(3))?))).collect()
    })
}

/// True when a document in view has chunks without a vector. Vectors are made in order, so the last chunk tells.
pub fn is_half_embedded(model_id: i32, view: &View) -> bool {
    const SELECT: &str = "
        SELECT EXISTS (
            SELECT FROM unnest($2::bigint[], $3::int[]) r(document_id, last)
            WHERE NOT EXISTS (SELECT FROM codecite.embedding e
                              WHERE e.model_id = $1 AND e.document_id = r.document_id AND e.chunk = r.last))";
    let last: Vec<i32> =
        view.documents.iter().map(|document| i32::try_from(document.chunk_count).unwrap_or(0) - 1).collect();
    Spi::connect(|client| {
        let row = select(client, SELECT, &[model_id.into(), view.ids().into(), last.into()]).next();
        row.and_then(|row| spi(row.get::<bool>(1))).unwrap_or(false)
    })
}

/// Definitions in view of a term, whatever its capitals, hyphens and number. The names are keyed as in core.
pub fn definitions_of(term: &str, view: &View) -> Vec<ChunkRef> {
    const SELECT: &str = "SELECT DISTINCT document_id, chunk FROM codecite.definition
                          WHERE key = codecite.term_key($1) AND document_id = ANY ($2)
                          ORDER BY document_id, chunk LIMIT 5";
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[term.into(), view.ids().into()]);
        rows.filter_map(|row| Some((spi(row.get(1))?, spi(row.get(2))?))).collect()
    })
}

/// The first chunk of each section that the filters let through.
pub fn first_chunks(wanted: &[SectionRef], view: &View) -> HashMap<SectionRef, ChunkRef> {
    const SELECT: &str = "
        SELECT c.document_id, c.section, c.ordinal
        FROM unnest($1::bigint[], $2::int[]) r(document_id, section)
        JOIN codecite.chunk c ON c.document_id = r.document_id AND c.section = r.section
        ORDER BY c.document_id, c.ordinal";
    let (documents, ordinals): (Vec<i64>, Vec<i32>) = wanted.iter().copied().unzip();
    let mut first = HashMap::new();
    Spi::connect(|client| {
        for row in select(client, SELECT, &[documents.into(), ordinals.into()]) {
            let (Some(document), Some(section), Some(ordinal)) =
                (spi(row.get(1)), spi(row.get(2)), spi(row.get(3)))
            else {
                continue;
            };
            if view.admits_chunk((document, ordinal)) {
                first.entry((document, section)).or_insert((document, ordinal));
            }
        }
    });
    first
}

/// The first chunk of a section that the filters let through, or the one with a locator.
pub fn chunk_of(section: SectionRef, locator: Option<&str>, view: &View) -> Option<ChunkRef> {
    const SELECT: &str = "
        SELECT ordinal FROM codecite.chunk
        WHERE document_id = $1 AND section = $2
        ORDER BY COALESCE(locator = $3, false) DESC, ordinal";
    Spi::connect(|client| {
        let args = [section.0.into(), section.1.into(), locator.into()];
        let rows = select(client, SELECT, &args);
        rows.filter_map(|row| Some((section.0, spi(row.get::<i32>(1))?)))
            .find(|chunk| view.admits_chunk(*chunk))
    })
}

/// The numbers in view that stand before and after one that is not there.
pub fn nearest(number: &Number, view: &View) -> Vec<String> {
    const SELECT: &str = "SELECT codecite.nearest_numbers($1, $2)";
    Spi::connect(|client| {
        let row = select(client, SELECT, &[number.key().into(), view.ids().into()]).next();
        row.and_then(|row| spi(row.get::<Vec<String>>(1))).unwrap_or_default()
    })
}

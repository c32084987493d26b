//! The rows that amendments are made of: operations with their documents, and sections of the base.

use std::collections::HashMap;

use codecite_core::amend::{Detail, Outcome, Step, Verb};
use codecite_core::citation::{Cited, cite};
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::errors::spi;

/// An operation as it is stored, with its document.
pub(super) struct Stored {
    pub(super) corpus: String,
    pub(super) layer: String,
    pub(super) document: String,
    pub(super) edition: Option<String>,
    pub(super) title: String,
    pub(super) section_number: Option<String>,
    pub(super) section_title: Option<String>,
    pub(super) page: Option<String>,
    pub(super) verb: String,
    pub(super) target: String,
    pub(super) target_key: String,
    pub(super) through: Option<String>,
    pub(super) through_key: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) renumbered: Option<String>,
    pub(super) renumbered_key: Option<String>,
    pub(super) instruction: String,
    pub(super) new_text: Option<String>,
    pub(super) detail: Detail,
    pub(super) unclear: Option<String>,
}

/// A section of the base.
pub(super) struct Base {
    pub(super) number: String,
    pub(super) title: Option<String>,
    pub(super) body: String,
    pub(super) corpus_title: String,
    pub(super) edition: Option<String>,
    pub(super) page_from: Option<String>,
    pub(super) page_to: Option<String>,
    /// The title of the amending document that adds it; `None` for a section of the base.
    pub(super) added_by: Option<String>,
}

/// Corpus and key of a number.
pub(super) type Address = (String, String);

pub(super) const OPERATIONS: &str = "
    SELECT c.name, d.layer, d.document, d.edition, d.title, s.number, s.title, COALESCE(s.label_from, s.page_from::text),
           a.operation, a.target, a.target_key, a.through, a.through_key, a.scope, a.renumbered, a.renumbered_key,
           a.instruction, a.new_text, a.detail, a.unclear
    FROM codecite.documents_in_force($1, NULL, $2) d
    JOIN codecite.corpus c ON c.id = d.corpus_id
    JOIN codecite.amendment a ON a.document_id = d.id
    JOIN codecite.section s ON s.document_id = a.document_id AND s.ordinal = a.section
    WHERE $3::text[] IS NULL OR a.target_key = ANY ($3) OR a.renumbered_key = ANY ($3)
       OR (a.through_key IS NOT NULL
           AND EXISTS (SELECT FROM unnest($3) k(key) WHERE k.key COLLATE \"C\" > a.target_key AND k.key COLLATE \"C\" <= a.through_key || '~'))
    ORDER BY c.name, d.layer_rank, pg_catalog.lower(d.effective) NULLS FIRST, d.id, a.ordinal";

/// The base is the lowest document of the stack; where several hold the number, the latest. A section that an amending document
/// adds along with the one above it ("Section 410 is added": 410.1) is a base for those above.
pub(super) const BASES: &str = "
    SELECT DISTINCT ON (c.name, s.number_key) c.name, s.number_key, s.number, s.title,
           -- The notes of a table stand behind it, in the section around it.
           pg_catalog.concat_ws(E'\n', s.body, (
               SELECT pg_catalog.string_agg(n.note, E'\n' ORDER BY n.at)
               FROM pg_catalog.jsonb_array_elements_text(s.cells -> 'notes') WITH ORDINALITY n(note, at)
               WHERE pg_catalog.strpos(s.body, n.note) = 0)),
           c.title, d.edition,
           COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text),
           CASE WHEN d.layer_rank > 0 THEN d.title END
    FROM codecite.documents_in_force($1, NULL, $2) d
    JOIN codecite.corpus c ON c.id = d.corpus_id
    JOIN codecite.section s ON s.document_id = d.id AND s.number_key = ANY ($3)
    WHERE d.layer_rank = 0
       OR (s.kind NOT IN ('part', 'chapter', 'article')
           AND NOT EXISTS (SELECT FROM codecite.amendment a WHERE a.document_id = d.id AND a.target_key = s.number_key))
    ORDER BY c.name, s.number_key, d.layer_rank, pg_catalog.lower(d.effective) DESC NULLS LAST, d.id DESC, s.ordinal";

/// The numbers above one in the base.
pub(super) const ABOVE: &str = "
    WITH RECURSIVE up AS (
        SELECT s.document_id, s.parent FROM codecite.section s
        JOIN codecite.documents_in_force($1, NULL, $2) d ON d.id = s.document_id
        WHERE s.number_key = $3
        UNION
        SELECT s.document_id, s.parent FROM up JOIN codecite.section s ON s.document_id = up.document_id AND s.ordinal = up.parent
    )
    SELECT DISTINCT s.number_key FROM up JOIN codecite.section s ON s.document_id = up.document_id AND s.ordinal = up.parent
    WHERE s.number_key IS NOT NULL";

pub(super) fn operations(
    corpora: Option<&[String]>,
    as_of: Option<Date>,
    keys: Option<&[String]>,
) -> Vec<Stored> {
    Spi::connect(|client| {
        let args =
            [corpora.map(<[String]>::to_vec).into(), as_of.into(), keys.map(<[String]>::to_vec).into()];
        spi(client.select(OPERATIONS, None, &args))
            .filter_map(|row| {
                let detail: pgrx::JsonB = spi(row.get(19))?;
                Some(Stored {
                    corpus: spi(row.get(1))?,
                    layer: spi(row.get(2))?,
                    document: spi(row.get(3))?,
                    edition: spi(row.get(4)),
                    title: spi(row.get(5))?,
                    section_number: spi(row.get(6)),
                    section_title: spi(row.get(7)),
                    page: spi(row.get(8)),
                    verb: spi(row.get(9))?,
                    target: spi(row.get(10))?,
                    target_key: spi(row.get(11))?,
                    through: spi(row.get(12)),
                    through_key: spi(row.get(13)),
                    scope: spi(row.get(14)),
                    renumbered: spi(row.get(15)),
                    renumbered_key: spi(row.get(16)),
                    instruction: spi(row.get(17))?,
                    new_text: spi(row.get(18)),
                    detail: serde_json::from_value(detail.0).unwrap_or_default(),
                    unclear: spi(row.get(20)),
                })
            })
            .collect()
    })
}

pub(super) fn bases(
    corpora: Option<&[String]>,
    as_of: Option<Date>,
    keys: &[String],
) -> HashMap<Address, Base> {
    Spi::connect(|client| {
        let args = [corpora.map(<[String]>::to_vec).into(), as_of.into(), keys.to_vec().into()];
        spi(client.select(BASES, None, &args))
            .filter_map(|row| {
                let base = Base {
                    number: spi(row.get(3))?,
                    title: spi(row.get(4)),
                    body: spi(row.get(5))?,
                    corpus_title: spi(row.get(6))?,
                    edition: spi(row.get(7)),
                    page_from: spi(row.get(8)),
                    page_to: spi(row.get(9)),
                    added_by: spi(row.get(10)),
                };
                Some(((spi(row.get(1))?, spi(row.get(2))?), base))
            })
            .collect()
    })
}

impl Stored {
    pub(super) fn is_whole(&self) -> bool {
        self.detail.scope.is_empty() && self.detail.place.is_none() && self.detail.words.is_empty()
    }

    /// The operation as a step on one number.
    pub(super) fn step(&self) -> Result<Step<'_>, &'static str> {
        match (&self.unclear, Verb::from_word(&self.verb)) {
            (None, Some(verb)) => Ok(Step {
                verb,
                detail: self.detail.clone(),
                renumbered: self.renumbered.clone(),
                new: self.new_text.as_deref(),
            }),
            _ => Err("the instruction does not say clearly what it does"),
        }
    }

    /// Whether it is done to a number: its own, or one in its range.
    pub(super) fn is_on(&self, key: &str) -> bool {
        self.target_key == key
            || self.through_key.as_ref().is_some_and(|through| {
                key > self.target_key.as_str() && key <= format!("{through}~").as_str()
            })
    }

    /// Why it is not applied, in words for a person.
    pub(super) fn reason(&self, outcome: Outcome) -> Option<String> {
        match outcome {
            Outcome::Ambiguous(_) if self.unclear.is_some() => self.unclear.clone(),
            outcome => outcome.reason().map(str::to_owned),
        }
    }

    pub(super) fn citation(&self) -> String {
        cite(&Cited {
            corpus: &self.title,
            edition: self.edition.as_deref(),
            number: self.section_number.as_deref(),
            title: self.section_title.as_deref(),
            locator: None,
            page_from: self.page.as_deref(),
            page_to: self.page.as_deref(),
        })
    }
}

//! Two corpora, or two editions, side by side.

use codecite_core::amend::{Change, Edition, compare as differences, redline};
use codecite_core::citation::{Cited, cite};
use codecite_core::number::Number;
use codecite_core::passage::safe;
use codecite_core::work::Work;
use pgrx::prelude::*;

use crate::errors::{or_raise, raise, spi};
use crate::ingest::required;
use crate::settings;
use crate::watch::Watch;

/// A section of one side.
struct Row {
    number: String,
    key: String,
    title: Option<String>,
    body: String,
    corpus_title: String,
    edition: Option<String>,
    page_from: Option<String>,
    page_to: Option<String>,
    annotations: Option<String>,
}

/// The numbered sections of a side in order; without an edition those in force, of the base only.
const SECTIONS: &str = "
    WITH side AS (
        SELECT d.id, d.document, d.edition FROM codecite.documents_in_force(ARRAY[$1], NULL, NULL) d
        WHERE $2::text IS NULL AND d.layer_rank = 0
        UNION ALL
        SELECT d.id, d.document, d.edition FROM codecite.document d JOIN codecite.corpus c ON c.id = d.corpus_id
        WHERE c.name = $1 AND d.edition = $2
    ), beside AS (
        SELECT a.document_id, a.parent, pg_catalog.string_agg(a.body, E'\n' ORDER BY a.ordinal) AS body
        FROM side JOIN codecite.section a ON a.document_id = side.id AND a.kind = 'annotation'
        GROUP BY a.document_id, a.parent
    ), chapter AS (
        SELECT s.document_id, s.ordinal, s.last FROM side JOIN codecite.section s ON s.document_id = side.id
        WHERE s.number_key = $3
    )
    SELECT s.number, s.number_key, s.title, s.body, c.title, side.edition, COALESCE(s.label_from, s.page_from::text),
           COALESCE(s.label_to, s.page_to::text),
           beside.body
    FROM side
    JOIN codecite.section s ON s.document_id = side.id
    JOIN codecite.corpus c ON c.id = s.corpus_id
    LEFT JOIN beside ON beside.document_id = s.document_id AND beside.parent = s.ordinal
    WHERE s.number_key IS NOT NULL AND s.nested IS NULL
      AND ($3 IS NULL OR EXISTS (SELECT FROM chapter h WHERE h.document_id = s.document_id AND s.ordinal BETWEEN h.ordinal AND h.last))
    ORDER BY side.document, side.id, s.ordinal";

fn side(corpus: &str, edition: Option<&str>, chapter: Option<&str>) -> Vec<Row> {
    let rows: Vec<Row> = Spi::connect(|client| {
        let args = [corpus.into(), edition.into(), chapter.into()];
        spi(client.select(SECTIONS, None, &args))
            .filter_map(|row| {
                Some(Row {
                    number: spi(row.get(1))?,
                    key: spi(row.get(2))?,
                    title: spi(row.get(3)),
                    body: spi(row.get(4))?,
                    corpus_title: spi(row.get(5))?,
                    edition: spi(row.get(6)),
                    page_from: spi(row.get(7)),
                    page_to: spi(row.get(8)),
                    annotations: spi(row.get(9)),
                })
            })
            .collect()
    });
    if rows.is_empty() && chapter.is_none() {
        let edition = edition.map(|edition| format!(", edition \"{edition}\"")).unwrap_or_default();
        raise(
            PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
            format!("there is nothing to compare in corpus \"{corpus}\"{edition}"),
            "SELECT * FROM codecite.documents() lists the corpora and their editions.",
        );
    }
    rows
}

impl Row {
    fn edition(&self) -> Edition<'_> {
        Edition {
            key: &self.key,
            number: &self.number,
            title: self.title.as_deref().unwrap_or_default(),
            text: &self.body,
            annotations: self.annotations.as_deref().unwrap_or_default(),
        }
    }

    fn citation(&self) -> String {
        safe(&cite(&Cited {
            corpus: &self.corpus_title,
            edition: self.edition.as_deref(),
            number: Some(&self.number),
            title: self.title.as_deref(),
            locator: None,
            page_from: self.page_from.as_deref(),
            page_to: self.page_to.as_deref(),
        }))
    }
}

/// The redline of what differs.
fn changed_words(change: Change, a: &Row, b: &Row) -> String {
    let annotations = |row: &Row| row.annotations.clone().unwrap_or_default();
    match change {
        Change::Annotation => redline(&annotations(a), &annotations(b)),
        _ => redline(&a.body, &b.body),
    }
}

#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 100000)]
#[allow(clippy::type_complexity)]
fn compare(
    corpus_a: Option<&str>,
    corpus_b: Option<&str>,
    chapter: default!(Option<&str>, "NULL"),
    edition_a: default!(Option<&str>, "NULL"),
    edition_b: default!(Option<&str>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(change, &'static str),
        name!(number_a, Option<String>),
        name!(title_a, Option<String>),
        name!(number_b, Option<String>),
        name!(title_b, Option<String>),
        name!(similarity, Option<f64>),
        name!(redline, Option<String>),
        name!(citation_a, Option<String>),
        name!(citation_b, Option<String>),
    ),
> {
    let chapter = chapter.map(|chapter| {
        let bare = chapter.trim();
        let number = Number::parse(bare).filter(|number| number.label().is_some());
        number.or_else(|| Number::labelled("Chapter", bare)).map_or_else(String::new, |number| number.key())
    });
    let before = side(required("corpus_a", corpus_a), edition_a, chapter.as_deref());
    let after = side(required("corpus_b", corpus_b), edition_b, chapter.as_deref());
    let (old, new): (Vec<_>, Vec<_>) =
        (before.iter().map(Row::edition).collect(), after.iter().map(Row::edition).collect());
    let found = {
        let limits = settings::limits();
        let mut watch = Watch::new();
        let found = differences(&old, &new, &mut Work::new(&limits, &mut watch));
        drop(watch);
        or_raise(found)
    };
    let rows: Vec<_> = found
        .into_iter()
        .map(|difference| {
            let a = difference.old.and_then(|index| before.get(index));
            let b = difference.new.and_then(|index| after.get(index));
            let both = a.zip(b);
            (
                difference.change.as_str(),
                a.map(|row| row.number.clone()),
                a.and_then(|row| row.title.as_deref()).map(safe),
                b.map(|row| row.number.clone()),
                b.and_then(|row| row.title.as_deref()).map(safe),
                both.map(|_| (difference.similarity * 1000.0).round() / 1000.0),
                both.map(|(a, b)| safe(&changed_words(difference.change, a, b))),
                a.map(Row::citation),
                b.map(Row::citation),
            )
        })
        .collect();
    TableIterator::new(rows)
}

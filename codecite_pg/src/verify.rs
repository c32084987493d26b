//! `verify`: a drafted answer, checked against what is indexed.

use codecite_core::number::Number;
use codecite_core::passage::safe;
use codecite_core::verify::{Claim, Lookup, Standing, Text, Work, claims, judge};
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::amendments::standing_of;
use crate::errors::spi;
use crate::ingest::required;
use crate::plans::select;

/// Characters of a draft that are checked.
const MAX_DRAFT_CHARS: usize = 200_000;
/// Characters of a quotation that are searched for.
const SEARCHED_CHARS: usize = 400;

/// The corpora of a check, as the database has them.
struct Indexed {
    works: Vec<Work>,
    /// What amendments in force are about, so that nothing is computed for all other texts.
    touched: Vec<Touched>,
    corpora: Option<Vec<String>>,
    as_of: Option<Date>,
}

/// Numbers that an amendment in force is about: one, or a range.
struct Touched {
    corpus: String,
    from: String,
    through: Option<String>,
}

/// Columns of a text: corpus, layer, rank, edition, number, body, pages, citation, whether it is in force, numbers above.
const COLUMNS: &str = "
    c.name, d.layer, d.layer_rank, d.edition, s.number, s.body, COALESCE(s.label_from, s.page_from::text),
    COALESCE(s.label_to, s.page_to::text),
    codecite.cite(CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END, d.edition, s.number, s.title, NULL,
                  COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text)),
    f.id IS NOT NULL,
    ARRAY(WITH RECURSIVE up AS (
              SELECT p.parent, p.number, 1 AS step FROM codecite.section p
              WHERE p.document_id = s.document_id AND p.ordinal = s.parent
              UNION ALL
              SELECT p.parent, p.number, up.step + 1 FROM up
              JOIN codecite.section p ON p.document_id = s.document_id AND p.ordinal = up.parent
              WHERE up.step < 100)
          SELECT up.number FROM up WHERE up.number IS NOT NULL ORDER BY up.step)";

impl Indexed {
    fn new(corpus: Option<&str>, as_of: Option<Date>) -> Indexed {
        const SELECT: &str = "
            SELECT c.name, ARRAY[c.title] || pg_catalog.array_agg(DISTINCT d.title),
                   pg_catalog.array_agg(DISTINCT d.edition) FILTER (WHERE f.id IS NOT NULL AND d.edition IS NOT NULL),
                   pg_catalog.array_agg(DISTINCT d.edition) FILTER (WHERE f.id IS NULL AND d.edition IS NOT NULL)
            FROM codecite.corpus c
            JOIN codecite.document d ON d.corpus_id = c.id
            LEFT JOIN codecite.documents_in_force($1, NULL, $2) f ON f.id = d.id
            WHERE $1 IS NULL OR c.name = ANY ($1)
            GROUP BY c.id, c.name, c.title
            -- On a day on which nothing of it was in force a corpus says nothing.
            HAVING pg_catalog.count(f.id) > 0
            ORDER BY c.name";
        let corpora = corpus.map(|corpus| vec![corpus.to_owned()]);
        let works: Vec<Work> = Spi::connect(|client| {
            let rows = select(client, SELECT, &[corpora.clone().into(), as_of.into()]);
            let list = |found: Option<Vec<Option<String>>>| found.into_iter().flatten().flatten().collect();
            rows.filter_map(|row| {
                Some(Work {
                    corpus: spi(row.get(1))?,
                    titles: list(spi(row.get(2))),
                    editions: list(spi(row.get(3))),
                    superseded: list(spi(row.get(4))),
                })
            })
            .collect()
        });
        let touched = if works.is_empty() { Vec::new() } else { touched(corpora.clone(), as_of) };
        Indexed { works, touched, corpora, as_of }
    }

    /// True when an amendment may say something about a text: about its number or one above it.
    fn is_touched(&self, text: &Text) -> bool {
        let keys: Vec<String> = text.number.iter().chain(&text.above).map(Number::key).collect();
        self.touched.iter().filter(|touched| touched.corpus == text.corpus).any(|touched| {
            keys.iter().any(|key| match &touched.through {
                Some(through) => *key >= touched.from && *key <= format!("{through}~"),
                None => *key == touched.from,
            })
        })
    }

    fn read(&self, query: &str, first: &str) -> Vec<Text> {
        let rows: Vec<(Text, i32)> = Spi::connect(|client| {
            let args = [first.into(), self.corpora.clone().into(), self.as_of.into()];
            let rows = select(client, query, &args);
            rows.filter_map(|row| {
                let pages: (Option<String>, Option<String>) = (spi(row.get(7)), spi(row.get(8)));
                let above: Vec<String> = spi(row.get(11)).unwrap_or_default();
                let text = Text {
                    corpus: spi(row.get(1))?,
                    layer: spi(row.get(2))?,
                    edition: spi(row.get(4)),
                    number: spi(row.get::<String>(5)).and_then(|number| Number::parse(&number)),
                    above: above.iter().filter_map(|number| Number::parse(number)).collect(),
                    body: spi(row.get(6))?,
                    amended: None,
                    standing: if spi(row.get::<bool>(10))? {
                        Standing::InForce
                    } else {
                        Standing::Superseded
                    },
                    pages: pages.0.map(|from| (from.clone(), pages.1.unwrap_or(from))),
                    citation: spi(row.get(9))?,
                };
                Some((text, spi(row.get::<i32>(3))?))
            })
            .collect()
        });
        rows.into_iter().map(|(text, rank)| if rank == 0 { self.amended(text) } else { text }).collect()
    }

    /// A base's text with what the amendments in force make of it.
    fn amended(&self, text: Text) -> Text {
        let asks = text.standing == Standing::InForce && self.is_touched(&text);
        let Some(number) = text.number.as_ref().filter(|_| asks) else { return text };
        match standing_of(number, &text.corpus, self.as_of) {
            Some(("deleted" | "reserved" | "renumbered", _)) => Text { standing: Standing::Deleted, ..text },
            Some(("amended" | "unclear", amended)) => Text { standing: Standing::Amended, amended, ..text },
            _ => text,
        }
    }
}

fn touched(corpora: Option<Vec<String>>, as_of: Option<Date>) -> Vec<Touched> {
    // A renumbering is about both of its numbers.
    const SELECT: &str = "
        SELECT DISTINCT c.name, k.key, k.through
        FROM codecite.documents_in_force($1, NULL, $2) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
        JOIN codecite.amendment a ON a.document_id = d.id
        CROSS JOIN LATERAL (VALUES (a.target_key, a.through_key), (a.renumbered_key, NULL)) k(key, through)
        WHERE k.key IS NOT NULL";
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[corpora.into(), as_of.into()]);
        rows.filter_map(|row| {
            Some(Touched { corpus: spi(row.get(1))?, from: spi(row.get(2))?, through: spi(row.get(3)) })
        })
        .collect()
    })
}

impl Lookup for Indexed {
    fn works(&self) -> &[Work] {
        &self.works
    }

    fn texts(&self, number: &Number) -> Vec<Text> {
        let query = format!(
            "SELECT {COLUMNS}
             FROM codecite.section h
             JOIN codecite.document d ON d.id = h.document_id
             JOIN codecite.corpus c ON c.id = d.corpus_id
             LEFT JOIN codecite.documents_in_force($2, NULL, $3) f ON f.id = d.id
             JOIN codecite.section s ON s.document_id = h.document_id AND s.ordinal BETWEEN h.ordinal AND h.last
             WHERE h.number_key = $1 AND ($2 IS NULL OR c.name = ANY ($2))
               AND COALESCE(pg_catalog.lower(d.effective), '-infinity') <= COALESCE($3, CURRENT_DATE)
             ORDER BY s.ordinal = h.ordinal DESC, f.id IS NULL, d.layer_rank DESC, d.id DESC, s.ordinal
             LIMIT 300"
        );
        self.read(&query, &number.key())
    }

    fn similar(&self, words: &str) -> Vec<Text> {
        let query = format!(
            "SELECT {COLUMNS}
             FROM (SELECT DISTINCT ON (r.corpus, r.layer, r.document, r.number) r.*
                   FROM codecite.search($1, $2, 8, as_of => $3, mode => 'lexical') r WHERE r.number IS NOT NULL) r
             JOIN codecite.documents_in_force($2, NULL, $3) f ON f.layer = r.layer AND f.document = r.document
             JOIN codecite.corpus c ON c.id = f.corpus_id AND c.name = r.corpus
             JOIN codecite.document d ON d.id = f.id
             JOIN codecite.section s ON s.document_id = d.id AND s.number = r.number
             ORDER BY r.rank, s.ordinal LIMIT 40"
        );
        // Words to search for, none of which may act as an operator.
        let plain: String = words
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '.' { c } else { ' ' })
            .take(SEARCHED_CHARS)
            .collect();
        if plain.trim().is_empty() || self.works.is_empty() { Vec::new() } else { self.read(&query, &plain) }
    }
}

#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 100000)]
#[allow(clippy::type_complexity)]
fn verify(
    text: Option<&str>,
    corpus: default!(Option<&str>, "NULL"),
    as_of: default!(Option<Date>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(claim, i32),
        name!(kind, &'static str),
        name!(passage, String),
        name!(verdict, &'static str),
        name!(corpus, Option<String>),
        name!(layer, Option<String>),
        name!(number, Option<String>),
        name!(citation, Option<String>),
        name!(nearest, Option<String>),
        name!(redline, Option<String>),
        name!(notes, Vec<String>),
        name!(char_from, i32),
        name!(char_count, i32),
    ),
> {
    let draft = required("text", text);
    if let Some((cut, _)) = draft.char_indices().nth(MAX_DRAFT_CHARS) {
        notice!(
            "only the first {MAX_DRAFT_CHARS} characters of the text are checked; it has {} bytes",
            draft.len()
        );
        return rows(draft.get(..cut).unwrap_or(draft), corpus, as_of);
    }
    rows(draft, corpus, as_of)
}

/// Why nothing can be checked, where there are texts, but of another time.
fn nothing_in_force(corpora: Option<Vec<String>>, as_of: Option<Date>) -> Option<String> {
    const SELECT: &str = "SELECT codecite.nothing_in_force($1, NULL, $2)";
    Spi::connect(|client| spi(select(client, SELECT, &[corpora.into(), as_of.into()]).first().get(1)))
}

type Row = (
    i32,
    &'static str,
    String,
    &'static str,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Vec<String>,
    i32,
    i32,
);

fn rows(draft: &str, corpus: Option<&str>, as_of: Option<Date>) -> TableIterator<'static, Row> {
    let indexed = Indexed::new(corpus, as_of);
    if indexed.works.is_empty()
        && let Some(why) = nothing_in_force(indexed.corpora.clone(), as_of)
    {
        notice!("{why}");
    }
    let int = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let mut found = Vec::new();
    for (place, claim) in claims(draft).iter().enumerate() {
        pgrx::check_for_interrupts!();
        let verdict = judge(claim, &indexed);
        let span = claim.span();
        let passage = draft.get(span.start..span.end).unwrap_or_default();
        let before = draft.get(..span.start).unwrap_or_default();
        let kind = match claim {
            Claim::Citation(_) => "citation",
            Claim::Quotation(_) => "quotation",
        };
        let text = verdict.text;
        found.push((
            int(place + 1),
            kind,
            safe(passage),
            verdict.judgement.as_str(),
            text.as_ref().map(|text| text.corpus.clone()),
            text.as_ref().map(|text| text.layer.clone()),
            text.as_ref().and_then(|text| text.number.as_ref().map(ToString::to_string)),
            text.as_ref().map(|text| safe(&text.citation)),
            verdict.nearest.as_deref().map(safe),
            verdict.redline.as_deref().map(safe),
            verdict.notes.iter().map(|note| safe(&format!("{}: {}", note.code, note.text))).collect(),
            int(before.chars().count()),
            int(passage.chars().count()),
        ));
    }
    TableIterator::new(found)
}

//! The baseline: windows embedded by the model in use, searched exactly by cosine. Vectors stay in this process, so that
//! nothing is stored among what is searched, and a role that may only read can measure.

use std::collections::{HashMap, HashSet};

use super::ask::Found;
use super::windows::{Window, windows};
use crate::api::{self, SectionText};
use crate::db::Db;
use crate::fault::Fault;

/// Windows embedded by one statement: few, because each statement has the time limit of a look-up.
const BATCH: usize = 16;

/// The indexes of the corpora that were asked.
pub struct Naive {
    model_tokens: usize,
    indexes: HashMap<String, Index>,
}

struct Index {
    numbers: Vec<Option<String>>,
    windows: Vec<Window>,
    vectors: Vec<Vec<f32>>,
}

impl Naive {
    /// No index yet, for a model that reads so many tokens.
    pub fn new(model_tokens: usize) -> Naive {
        Naive { model_tokens, indexes: HashMap::new() }
    }

    /// Cuts and embeds a corpus, once.
    pub async fn prepare(&mut self, db: &Db, corpus: &str) -> Result<(), Fault> {
        if self.indexes.contains_key(corpus) {
            return Ok(());
        }
        let sections = api::section_texts(db, corpus).await?;
        let windows = windows(&sections, self.model_tokens);
        eprintln!("naive baseline: embedding {} windows of {corpus}", windows.len());
        let mut vectors = Vec::with_capacity(windows.len());
        for batch in windows.chunks(BATCH) {
            let texts: Vec<&str> = batch.iter().map(|window| window.text.as_str()).collect();
            vectors.extend(api::embed(db, &texts, "document").await?.into_iter().map(unit));
        }
        let numbers = sections.into_iter().map(|section: SectionText| section.number).collect();
        self.indexes.insert(corpus.to_owned(), Index { numbers, windows, vectors });
        Ok(())
    }

    /// The sections of the nearest windows, each once, at most `k`.
    pub async fn search(&self, db: &Db, corpus: &str, question: &str, k: usize) -> Result<Vec<Found>, Fault> {
        let Some(index) = self.indexes.get(corpus) else {
            return Ok(Vec::new());
        };
        let vectors = api::embed(db, &[question], "query").await?;
        Ok(vectors.into_iter().next().map_or_else(Vec::new, |vector| index.nearest(&unit(vector), k)))
    }
}

impl Index {
    fn nearest(&self, query: &[f32], k: usize) -> Vec<Found> {
        let mut order: Vec<(f32, usize)> =
            self.vectors.iter().enumerate().map(|(place, vector)| (dot(query, vector), place)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut seen = HashSet::new();
        let nearest = order.iter().filter_map(|(_, place)| self.windows.get(*place));
        let found = nearest.filter(|window| seen.insert(window.section)).take(k).zip(1..);
        found
            .map(|(window, rank)| Found {
                rank,
                number: self.numbers.get(window.section).cloned().flatten(),
                kinds: Vec::new(),
                body: window.text.clone(),
            })
            .collect()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A vector of length one, so that products are cosines; one of length zero stays.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_ranked_by_their_best_window_and_named_once() {
        let window = |section, text: &str| Window { section, text: text.into() };
        let index = Index {
            numbers: vec![Some("1".into()), Some("2".into()), None],
            windows: vec![
                window(0, "far"),
                window(1, "near"),
                window(1, "nearer"),
                window(2, "middling"),
                window(2, "equal"),
            ],
            vectors: vec![
                vec![0.0, 1.0],
                unit(vec![3.0, 1.0]),
                vec![1.0, 0.0],
                vec![0.6, 0.8],
                vec![0.6, 0.8],
            ],
        };
        let found = index.nearest(&[1.0, 0.0], 10);
        let rows: Vec<_> =
            found.iter().map(|row| (row.rank, row.number.as_deref(), row.body.as_str())).collect();
        assert_eq!(rows, [(1, Some("2"), "nearer"), (2, None, "middling"), (3, Some("1"), "far")]);
        assert_eq!(index.nearest(&[1.0, 0.0], 2).len(), 2);
    }

    #[test]
    fn length_does_not_count() {
        assert_eq!(unit(vec![3.0, 4.0]), vec![0.6, 0.8]);
        assert_eq!(unit(vec![0.0, 0.0]), vec![0.0, 0.0]);
    }
}

//! Codes as a look-up has them, read through the whole pipeline.

use std::path::PathBuf;

use codecite_core::pipeline::parse;
use codecite_core::profile::Profile;
use codecite_core::verify::{Text, Texts, Work};
use codecite_core::work::{Limits, Unwatched, Work as Job};

/// Reads one document into a corpus.
pub fn add(texts: &mut Texts, corpus: &str, layer: &str, edition: &str, profile: &str, bytes: &[u8]) {
    let limits = Limits { max_read_ms: 0, ..Limits::default() };
    let profiles = [Profile::builtin(profile).unwrap()];
    let parsed = parse(bytes, None, &profiles, &mut Job::new(&limits, &mut Unwatched)).unwrap();
    let sections = &parsed.tree.sections;
    for section in sections {
        let mut above = Vec::new();
        let mut next = section.nested.or(section.parent);
        while let Some(up) = next.and_then(|at| sections.get(at)) {
            above.extend(up.number.clone());
            next = up.parent;
        }
        let number = section.number.clone();
        texts.texts.push(Text {
            corpus: corpus.to_owned(),
            layer: layer.to_owned(),
            edition: Some(edition.to_owned()),
            citation: number.as_ref().map_or(String::new(), |number| format!("{corpus} §{number}")),
            number,
            above,
            body: parsed.document.slice(section.span).trim_end().to_owned(),
            ..Text::default()
        });
    }
}

fn work(corpus: &str, titles: &[&str], editions: &[&str]) -> Work {
    Work {
        corpus: corpus.to_owned(),
        titles: titles.iter().map(|title| (*title).to_owned()).collect(),
        editions: editions.iter().map(|edition| (*edition).to_owned()).collect(),
        superseded: Vec::new(),
    }
}

/// The project's own samples: a code with two layers of amendments, and a standard.
pub fn samples() -> Texts {
    let mut texts = Texts::default();
    let titles = [
        "Model Building Code",
        "State of Meridian Amendments to the Model Building Code",
        "City of Harborview Amendments to the Meridian State Building Code",
    ];
    texts.works.push(work("model-code", &titles, &["2024", "2025"]));
    texts.works.push(work("design-standard", &["Aldermoor Studio Design Standard"], &["issue 3"]));
    let model = include_bytes!("../../../samples/model-building-code.md");
    add(&mut texts, "model-code", "base", "2024", "ibc", model);
    let state = include_bytes!("../../../samples/state-amendments.md");
    add(&mut texts, "model-code", "state", "2025", "ibc", state);
    let city = include_bytes!("../../../samples/city-amendments.md");
    add(&mut texts, "model-code", "city", "2025", "ibc", city);
    let standard = include_bytes!("../../../samples/design-standard.md");
    add(&mut texts, "design-standard", "base", "issue 3", "generic", standard);
    texts
}

/// Real codes, where they are present.
pub fn shared() -> Option<Texts> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("CODECITE_SHARED").map_or_else(default, PathBuf::from);
    let folder = folder.join("corpora/us_doj_ada");
    let read = |name: &str| std::fs::read(folder.join(name)).ok();
    let (Some(standards), Some(rules)) = (read("2010-stds.md"), read("title-iii-regulations.md")) else {
        println!("SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/)", folder.display());
        return None;
    };
    let mut texts = Texts::default();
    texts.works.push(work("standards", &["2010 ADA Standards for Accessible Design"], &["2010"]));
    texts.works.push(work("rules", &["Title III Regulations", "28 CFR Part 36"], &["2012"]));
    add(&mut texts, "standards", "base", "2010", "ada", &standards);
    add(&mut texts, "rules", "base", "2012", "cfr", &rules);
    Some(texts)
}

//! What the vectors are. All tests share the one runtime of their process.

mod common;

use std::time::{Duration, Instant};

use codecite_core::model::Purpose;
use codecite_core::search::interaction;
use codecite_embedder::{EmbedError, Embedder, Options};

/// The network that `data/minilm.json` was made with.
const MINILM: &str = "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1";

fn model(test: &str) -> Option<&'static Embedder> {
    let (runtime, folder) = common::files(test)?;
    Some(Embedder::load(&runtime, &folder, &Options::default()).unwrap())
}

fn embed(embedder: &Embedder, texts: &[&str]) -> Vec<Vec<f32>> {
    embedder.embed(texts, Purpose::Document, &mut || false).unwrap()
}

fn farthest(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[derive(serde::Deserialize)]
struct Reference {
    text: String,
    tokens: usize,
    /// The first numbers of the vector.
    head: Vec<f32>,
    /// The sum over all numbers v[i] * cos(i).
    wave: f64,
}

/// Vectors and token counts that Python's tokenizers 0.23.2 and onnxruntime 1.28.0 gave, text by text.
#[test]
fn vectors_equal_those_of_python() {
    let Some(embedder) = model("vectors_equal_those_of_python") else {
        return;
    };
    if embedder.manifest().files["model.onnx"] != MINILM {
        println!("SKIPPED vectors_equal_those_of_python: the model is another one");
        return;
    }
    let references: Vec<Reference> = serde_json::from_str(include_str!("data/minilm.json")).unwrap();
    assert_eq!(references.len(), 20);
    let texts: Vec<&str> = references.iter().map(|r| r.text.as_str()).collect();
    let counter = embedder.token_counter();
    for (vector, reference) in embed(embedder, &texts).iter().zip(&references) {
        let start: String = reference.text.chars().take(30).collect();
        assert!(farthest(&vector[..reference.head.len()], &reference.head) < 1e-5, "{start}");
        let wave: f64 = vector.iter().enumerate().map(|(i, v)| f64::from(*v) * (i as f64).cos()).sum();
        assert!((wave - reference.wave).abs() < 1e-4, "{start}: {wave} instead of {}", reference.wave);
        assert_eq!(embedder.count_tokens(&reference.text).unwrap(), reference.tokens, "{start}");
        assert_eq!(counter.count(&reference.text).unwrap(), reference.tokens, "{start}");
    }
}

#[test]
fn tokens_have_vectors_of_length_one() {
    let Some(embedder) = model("tokens_have_vectors_of_length_one") else {
        return;
    };
    let texts =
        ["how wide is a door", "Doors shall be 32 inches wide.", "Smoke alarms shall have a battery.", ""];
    let tokens = embedder.embed_tokens(&texts, Purpose::Document, &mut || false).unwrap();
    let dimension = embedder.manifest().dimension as usize;
    for (text, tokens) in texts.iter().zip(&tokens) {
        assert_eq!(tokens.len(), embedder.count_tokens(text).unwrap() * dimension, "{text}");
        assert!(
            tokens.chunks_exact(dimension).all(|token| (cosine(token, token) - 1.0).abs() < 1e-4),
            "{text}"
        );
    }
    let read = |text: usize| interaction(&tokens[0], &tokens[text], dimension);
    assert!((read(0) - 1.0).abs() < 1e-4);
    assert!(read(1) > read(2) + 0.1, "{} {}", read(1), read(2));
    let stopped = embedder.embed_tokens(&texts, Purpose::Document, &mut || true);
    assert!(matches!(stopped, Err(EmbedError::Stopped)));
}

#[test]
fn a_vector_does_not_depend_on_its_batch() {
    let Some(embedder) = model("a_vector_does_not_depend_on_its_batch") else {
        return;
    };
    let long = "Exit stairways shall be enclosed with fire barriers. ".repeat(20);
    let texts = [
        "exit",
        "a fire door with a closer",
        &long,
        "",
        "handrails on both sides of ramps",
        "width of stairs",
    ];
    let together = embed(embedder, &texts);
    for (text, vector) in texts.iter().zip(&together) {
        let alone = &embed(embedder, &[text])[0];
        assert!(farthest(alone, vector) < 1e-6, "{} bytes", text.len());
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn vectors_stand_in_the_callers_order() {
    let Some(embedder) = model("vectors_stand_in_the_callers_order") else {
        return;
    };
    let texts: Vec<String> =
        (0..70).map(|n| format!("Section {n} {}", "word ".repeat((n * 7) % 30))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embed(embedder, &texts);
    for n in [0, 1, 33, 63, 64, 69] {
        assert!(farthest(&embed(embedder, &[texts[n]])[0], &vectors[n]) < 1e-6, "{n}");
    }
    assert!(embed(embedder, &[]).is_empty());
}

#[test]
fn what_is_near_in_meaning_is_near() {
    let Some(embedder) = model("what_is_near_in_meaning_is_near") else {
        return;
    };
    let question =
        &embedder.embed(&["How wide must an exit stair be?"], Purpose::Query, &mut || false).unwrap()[0];
    let passages =
        ["The width of stairways shall be at least 44 inches.", "Water heaters shall have relief valves."];
    let passages = embed(embedder, &passages);
    assert!(cosine(question, &passages[0]) > cosine(question, &passages[1]) + 0.2);
}

#[test]
fn long_text_costs_no_more_than_the_models_window() {
    let Some(embedder) = model("long_text_costs_no_more_than_the_models_window") else {
        return;
    };
    let long = "fire door ".repeat(3_300_000);
    let started = Instant::now();
    let vector = &embed(embedder, &[&long])[0];
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert!(farthest(vector, &embed(embedder, &[&long[..4000]])[0]) < 1e-6);
    assert!(embedder.count_tokens(&long[..4000]).unwrap() > 800);
}

#[test]
fn a_caller_can_stop() {
    let Some(embedder) = model("a_caller_can_stop") else {
        return;
    };
    let text = "Doors shall swing in the direction of travel. ".repeat(20);
    let texts = vec![text.as_str(); 200];
    let mut asked = 0;
    let started = Instant::now();
    let stopped = embedder.embed(&texts, Purpose::Document, &mut || {
        asked += 1;
        asked > 70
    });
    assert_eq!(stopped, Err(EmbedError::Stopped));
    assert_eq!(asked, 71);
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(embedder.embed(&["exit"], Purpose::Query, &mut || true), Err(EmbedError::Stopped));
    assert_eq!(embed(embedder, &["exit"]).len(), 1, "it works afterwards");
}

#[test]
fn a_panic_of_the_caller_leaves_the_model_usable() {
    let Some(embedder) = model("a_panic_of_the_caller_leaves_the_model_usable") else {
        return;
    };
    let caught =
        std::panic::catch_unwind(|| embedder.embed(&["exit"], Purpose::Query, &mut || panic!("the caller")));
    assert!(caught.is_err());
    assert_eq!(embed(embedder, &["exit"]).len(), 1);
}

#[test]
fn a_model_is_loaded_once() {
    let Some((runtime, folder)) = common::files("a_model_is_loaded_once") else {
        return;
    };
    let first = Embedder::load(&runtime, &folder, &Options::default()).unwrap();
    let started = Instant::now();
    let second = Embedder::load(&runtime, &folder, &Options::default()).unwrap();
    assert!(std::ptr::eq(first, second) && started.elapsed() < Duration::from_millis(100));
    assert!(std::ptr::eq(first, Embedder::loaded(&folder).unwrap()));
    assert!(first.runtime().version().starts_with("1."));
    assert!(first.tokens_per_second().is_none_or(|rate| rate > 1.0));
}

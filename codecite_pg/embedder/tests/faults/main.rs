//! What goes wrong, each in a process of its own: a fault may leave a process that can do nothing more, and the
//! process has to have one thread, which a test harness has not. Hence a harness of its own, without threads.
//!
//! Without arguments this program runs itself once per case; `child <case> …` is one such run.

mod children;
#[path = "../common/mod.rs"]
mod common;
mod place;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use codecite_embedder::{EmbedError, Embedder, Options};

use children::child;
use place::{Place, load, run};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|a| a == "child") {
        child(&arguments[1..]);
        return ExitCode::SUCCESS;
    }
    let filter = arguments.iter().find(|a| !a.starts_with('-')).cloned().unwrap_or_default();
    let mut failed = 0;
    for (name, case) in CASES.iter().filter(|(name, _)| name.contains(&filter)) {
        let Some((runtime, model)) = common::files(name) else {
            continue;
        };
        let place = Place::new(name, runtime, model);
        let result = std::panic::catch_unwind(|| case(&place));
        println!("test {name} ... {}", if result.is_ok() { "ok" } else { "FAILED" });
        failed += usize::from(result.is_err());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

type Case = fn(&Place);

const CASES: &[(&str, Case)] = &[
    ("a_wrong_runtime_path_is_an_error", wrong_runtime),
    ("a_cut_library_is_an_error", cut_library),
    ("an_old_library_is_an_error", old_library),
    ("a_library_that_does_not_start_needs_a_new_process", dead_library),
    ("a_second_library_is_refused", second_library),
    ("a_missing_model_is_an_error", missing_model),
    ("a_folder_without_a_manifest_gets_a_draft", no_manifest),
    ("a_changed_file_is_an_error", changed_file),
    ("a_damaged_model_is_an_error", damaged_model),
    ("a_wrong_dimension_is_an_error", wrong_dimension),
    ("a_good_model_loads_after_a_bad_one", good_after_bad),
    ("the_process_stays_as_it_was", unchanged_process),
    ("a_model_loaded_before_fork_works_after_it", fork),
    ("prefixes_follow_the_purpose", prefixes),
    ("both_layouts_give_the_same_vectors", layouts),
];

fn wrong_runtime(place: &Place) {
    let text = place.path("text.so");
    std::fs::write(&text, "not a library\n".repeat(100)).unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let libc = maps.split_whitespace().find(|w| w.contains("/libc")).unwrap();
    let fifo = place.fifo("fifo.so");
    let wrong =
        ["/nowhere/libonnxruntime.so", "/tmp", "", "libonnxruntime.so", "/dev/zero", libc].map(Path::new);
    let wrong: Vec<&Path> = wrong.into_iter().chain([text.as_path(), fifo.as_path()]).collect();
    let mut pairs: Vec<(&Path, &Path)> = wrong.iter().map(|w| (*w, place.model.as_path())).collect();
    pairs.push((&place.runtime, &place.model));
    let codes = load(&pairs);
    assert_eq!(codes[..wrong.len()], vec!["runtime_missing"; wrong.len()]);
    assert_eq!(codes.last().unwrap(), "ok", "the right path works afterwards");
}

fn cut_library(place: &Place) {
    let library = std::fs::read(&place.runtime).unwrap();
    let cuts = [1, 10, 50, 99].map(|percent| library.len() / 100 * percent);
    let cuts: Vec<PathBuf> = cuts
        .into_iter()
        .chain([library.len() - 1])
        .map(|bytes| {
            let path = place.path(&format!("cut-{bytes}.so"));
            std::fs::write(&path, &library[..bytes]).unwrap();
            path
        })
        .collect();
    let pairs: Vec<(&Path, &Path)> = cuts.iter().map(|c| (c.as_path(), place.model.as_path())).collect();
    assert_eq!(load(&pairs), vec!["runtime_truncated"; cuts.len()]);
}

fn old_library(place: &Place) {
    let Some(library) = place.fake_library("1.16.3") else {
        return;
    };
    let codes = load(&[(&library, &place.model), (&place.runtime, &place.model)]);
    assert_eq!(codes, ["runtime_too_old", "ok"]);
}

fn dead_library(place: &Place) {
    let Some(library) = place.fake_library("1.28.0") else {
        return;
    };
    let codes = load(&[(&library, &place.model), (&library, &place.model), (&place.runtime, &place.model)]);
    assert_eq!(codes, ["environment_failed"; 3]);
}

fn second_library(place: &Place) {
    let copy = place.path("copy.so");
    std::fs::copy(&place.runtime, &copy).unwrap();
    let link = place.path("link.so");
    std::os::unix::fs::symlink(&place.runtime, &link).unwrap();
    let other = place.copy("other", |m| m["name"] = "other".into());
    let codes = load(&[(&place.runtime, &place.model), (&copy, &other), (&link, &other)]);
    assert_eq!(codes, ["ok", "runtime_fixed", "ok"]);
}

fn missing_model(place: &Place) {
    let lacking = place.copy("lacking", |_| {});
    std::fs::remove_file(lacking.join("model.onnx")).unwrap();
    let blocked = place.copy("blocked", |_| {});
    std::fs::remove_file(blocked.join("model.onnx")).unwrap();
    place.fifo("blocked/model.onnx");
    let fifo = place.fifo("fifo");
    let models =
        [Path::new("/nowhere"), &place.runtime, &fifo, &lacking, &blocked, OsStr::from_bytes(b"").as_ref()];
    let pairs: Vec<(&Path, &Path)> = models.iter().map(|m| (place.runtime.as_path(), *m)).collect();
    assert_eq!(load(&pairs), vec!["model_missing"; models.len()]);
}

fn no_manifest(place: &Place) {
    let folder = place.copy("no-manifest", |_| {});
    std::fs::remove_file(folder.join("codecite.json")).unwrap();
    let config = r#"{"hidden_size": 384, "max_position_embeddings": 512, "pad_token_id": 0}"#;
    std::fs::write(folder.join("config.json"), config).unwrap();
    let error = Embedder::load(&place.runtime, &folder, &Options::default()).err().unwrap();
    let EmbedError::ManifestMissing { draft: Ok(draft), .. } = &error else { panic!("{error:?}") };
    assert!(error.hint().contains(draft.as_str()));
    std::fs::write(folder.join("codecite.json"), draft).unwrap();
    assert_eq!(load(&[(&place.runtime, &folder)]), ["ok"], "the draft works as it is");
}

fn changed_file(place: &Place) {
    let changed = place.copy("changed", |_| {});
    place.replace(&changed, "model.onnx", b"something else", false);
    let tokenizer = place.copy("tokenizer", |_| {});
    place.replace(&tokenizer, "tokenizer.json", b"{}", false);
    let broken = place.copy("broken", |m| m["dimension"] = 0.into());
    let codes = load(&[(&place.runtime, &changed), (&place.runtime, &tokenizer), (&place.runtime, &broken)]);
    assert_eq!(codes, ["model_file_changed", "model_file_changed", "bad_manifest"]);
}

fn damaged_model(place: &Place) {
    let noise: Vec<u8> = (0..50_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let network = place.copy("network", |_| {});
    place.replace(&network, "model.onnx", &noise, true);
    let empty = place.copy("empty", |_| {});
    place.replace(&empty, "model.onnx", b"", true);
    let tokenizer = place.copy("tokenizer", |_| {});
    place.replace(&tokenizer, "tokenizer.json", b"{\"version\": \"1.0\"}", true);
    let mut pairs = vec![(network, "session"), (empty, "session"), (tokenizer, "tokenizer")];
    // A cut file of weights whose digest matches: no page behind its end may be touched.
    if let Ok(weights) = std::fs::read(place.model.join("model.onnx_data")) {
        let cut = place.copy("cut", |_| {});
        place.replace(&cut, "model.onnx_data", &weights[..weights.len() / 2], true);
        pairs.push((cut, "session"));
    }
    let loads: Vec<(&Path, &Path)> =
        pairs.iter().map(|(m, _)| (place.runtime.as_path(), m.as_path())).collect();
    assert_eq!(load(&loads), pairs.iter().map(|(_, code)| *code).collect::<Vec<_>>());
}

fn wrong_dimension(place: &Place) {
    let wrong = place.copy("wrong", |m| m["dimension"] = 385.into());
    assert_eq!(load(&[(&place.runtime, &wrong)]), ["wrong_dimension"]);
}

fn good_after_bad(place: &Place) {
    let wrong = place.copy("wrong", |m| m["dimension"] = 100.into());
    let output = place.copy("output", |m| m["output"] = "nothing".into());
    let inputs = place.copy("inputs", |m| m["inputs"] = serde_json::json!({"ids": "nothing"}));
    let models = [&wrong, &output, &inputs, &wrong, &place.model, &wrong];
    let pairs: Vec<(&Path, &Path)> = models.iter().map(|m| (place.runtime.as_path(), m.as_path())).collect();
    assert_eq!(
        load(&pairs),
        ["wrong_dimension", "session", "session", "wrong_dimension", "ok", "wrong_dimension"]
    );
}

fn unchanged_process(place: &Place) {
    let lines = run(&[OsStr::new("unchanged"), place.runtime.as_os_str(), place.model.as_os_str()]);
    assert_eq!(lines, ["threads 1 1 1", "mask same", "handlers same", "locale same"]);
}

fn fork(place: &Place) {
    let lines = run(&[OsStr::new("fork"), place.runtime.as_os_str(), place.model.as_os_str()]);
    assert_eq!(lines, ["children agree"]);
}

fn vectors(place: &Place, model: &Path, layout: &str) -> Vec<Vec<f32>> {
    let words = [OsStr::new("vectors"), place.runtime.as_os_str(), model.as_os_str(), OsStr::new(layout)];
    run(&words).iter().map(|line| line.split(' ').map(|n| n.parse().unwrap()).collect()).collect()
}

fn prefixes(place: &Place) {
    let prefixed = place.copy("prefixed", |m| {
        m["query_prefix"] = "query: ".into();
        m["document_prefix"] = "passage: ".into();
    });
    let with = vectors(place, &prefixed, "prepack");
    let without = vectors(place, &place.model, "prepack");
    // Rows: as a query, then as a document; each of the plain text, the one with "query: " and the one with "passage: ".
    assert_eq!(with[0], without[1]);
    assert_eq!(with[3], without[2]);
    assert_eq!(without[0], without[3]);
    assert_ne!(with[0], without[0]);
}

fn layouts(place: &Place) {
    let (one, other) = (vectors(place, &place.model, "prepack"), vectors(place, &place.model, "mapped"));
    for (a, b) in one.iter().flatten().zip(other.iter().flatten()) {
        assert!((a - b).abs() < 1e-5);
    }
}

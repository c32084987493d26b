//! A draft of the manifest for a folder that another project's tools have written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codecite_core::model::manifest::{MODEL_FILE, TOKENIZER_FILE};
use codecite_core::model::{Manifest, Pooling};
use serde_json::Value;

use crate::error::EmbedError;
use crate::files;

const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// A manifest that a person should check, and what the folder left open.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The manifest.
    pub manifest: Manifest,
    /// What was assumed, and what has to be done beside saving the manifest.
    pub notes: Vec<String>,
}

impl Draft {
    /// The text of the `codecite.json`.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.manifest).unwrap_or_default()
    }
}

/// Drafts a manifest for a sentence-transformers folder with an ONNX file.
///
/// Reads `config.json`, `sentence_bert_config.json`, `1_Pooling/config.json`, `modules.json` and
/// `config_sentence_transformers.json`, and hashes the model's files.
///
/// # Errors
/// `ModelMissing` for a file without which there is no draft; `BadManifest` when what the folder says makes none.
pub fn describe_folder(folder: &Path) -> Result<Draft, EmbedError> {
    let config = required(folder, "config.json")?;
    let pooling_config = optional(folder, "1_Pooling/config.json");
    let mut notes = Vec::new();

    let dimension = pooling_config
        .as_ref()
        .and_then(|c| small(c, "word_embedding_dimension"))
        .or_else(|| small(&config, "hidden_size"))
        .or_else(|| small(&config, "dim"))
        .ok_or_else(|| bad("config.json has no hidden_size"))?;
    let max_tokens = optional(folder, "sentence_bert_config.json")
        .and_then(|c| small(&c, "max_seq_length"))
        .or_else(|| {
            notes.push("max_tokens is the network's limit; the model's card may name a lower one".into());
            small(&config, "max_position_embeddings")
        })
        .ok_or_else(|| {
            bad("neither sentence_bert_config.json nor config.json says how many tokens it reads")
        })?;
    let pooling = match &pooling_config {
        Some(config) => pooling(config)?,
        None => {
            notes.push("pooling is a guess: 1_Pooling/config.json is missing".into());
            Pooling::Mean
        }
    };
    let normalize = match optional(folder, "modules.json") {
        Some(modules) => modules.to_string().contains("Normalize"),
        None => {
            notes.push("normalize is a guess: modules.json is missing".into());
            true
        }
    };
    let prompts = optional(folder, "config_sentence_transformers.json").unwrap_or_default();
    let prompt = |names: &[&str]| {
        let prompts = prompts.get("prompts");
        names.iter().find_map(|n| prompts?.get(*n)?.as_str()).unwrap_or_default().to_owned()
    };

    let draft = Draft {
        manifest: Manifest {
            name: name(folder),
            dimension,
            max_tokens,
            pooling,
            normalize,
            query_prefix: prompt(&["query"]),
            document_prefix: prompt(&["document", "passage"]),
            pad_id: small(&config, "pad_token_id").unwrap_or(0),
            files: model_files(folder, &mut notes)?,
            floors: None,
            inputs: None,
            output: None,
            source: None,
            license: None,
        },
        notes,
    };
    draft.manifest.check()?;
    Ok(draft)
}

fn pooling(config: &Value) -> Result<Pooling, EmbedError> {
    let known = [
        ("pooling_mode_cls_token", Pooling::Cls),
        ("pooling_mode_mean_tokens", Pooling::Mean),
        ("pooling_mode_max_tokens", Pooling::Max),
    ];
    let on = |key: &str| config.get(key).and_then(Value::as_bool) == Some(true);
    let mut chosen = known.into_iter().filter(|(key, _)| on(key)).map(|(_, pooling)| pooling);
    match (chosen.next(), chosen.next()) {
        (Some(pooling), None) => Ok(pooling),
        _ => Err(bad("1_Pooling/config.json asks for a pooling other than mean, cls or max")),
    }
}

/// The network, its external data and the tokenizer, in the folder itself or in `onnx/`.
fn model_files(folder: &Path, notes: &mut Vec<String>) -> Result<BTreeMap<String, String>, EmbedError> {
    let mut found = BTreeMap::new();
    for (file, needed) in
        [(MODEL_FILE, true), ("model.onnx_data", false), ("model.onnx.data", false), (TOKENIZER_FILE, true)]
    {
        let here = folder.join(file);
        let below = folder.join("onnx").join(file);
        let path = if here.is_file() { here } else { below };
        if !path.is_file() {
            if needed {
                return Err(missing(folder.join(file), "there is no such file"));
            }
            continue;
        }
        if path.starts_with(folder.join("onnx")) {
            notes.push(format!("{file} has to be moved from onnx/ to the folder itself"));
        }
        let digest = files::sha256_of_file(&path).map_err(|e| missing(path, &e.to_string()))?;
        found.insert(file.to_owned(), digest);
    }
    Ok(found)
}

/// The folder's name with what a model's name may not have replaced.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' }
    };
    let name: String = name.chars().map(plain).take(63).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "model".into() } else { name.into() }
}

fn required(folder: &Path, file: &str) -> Result<Value, EmbedError> {
    let path = folder.join(file);
    let bytes = files::read_whole(&path, MAX_CONFIG_BYTES).map_err(|e| missing(path, &e.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|e| bad(&format!("{file}: {e}")))
}

fn optional(folder: &Path, file: &str) -> Option<Value> {
    required(folder, file).ok()
}

fn small(config: &Value, key: &str) -> Option<u32> {
    config.get(key)?.as_u64()?.try_into().ok()
}

fn bad(reason: &str) -> EmbedError {
    EmbedError::BadManifest { reason: reason.to_owned() }
}

fn missing(path: PathBuf, reason: &str) -> EmbedError {
    EmbedError::ModelMissing { path, reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Folder {
            let folder = std::env::temp_dir().join(format!("codecite-{name}-{}", std::process::id()));
            for (file, text) in files {
                let path = folder.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_sentence_transformers_folder_is_described() {
        let folder = Folder::new(
            "draft",
            &[
                ("config.json", r#"{"hidden_size": 384, "max_position_embeddings": 512, "pad_token_id": 1}"#),
                ("sentence_bert_config.json", r#"{"max_seq_length": 256}"#),
                (
                    "1_Pooling/config.json",
                    r#"{"word_embedding_dimension": 384, "pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
                ),
                ("modules.json", r#"[{"type": "sentence_transformers.models.Normalize"}]"#),
                ("config_sentence_transformers.json", r#"{"prompts": {"query": "query: "}}"#),
                ("onnx/model.onnx", "abc"),
                ("tokenizer.json", "{}"),
            ],
        );
        let draft = describe_folder(&folder.0).unwrap();
        let manifest = &draft.manifest;
        assert_eq!((manifest.dimension, manifest.max_tokens, manifest.pad_id), (384, 256, 1));
        assert_eq!((manifest.pooling, manifest.normalize), (Pooling::Cls, true));
        assert_eq!((manifest.query_prefix.as_str(), manifest.document_prefix.as_str()), ("query: ", ""));
        assert_eq!(manifest.files["model.onnx"], files::sha256(b"abc"));
        assert_eq!(draft.notes, ["model.onnx has to be moved from onnx/ to the folder itself"]);
        assert_eq!(Manifest::parse(&draft.to_json()).unwrap(), *manifest);
    }

    #[test]
    fn what_is_missing_is_named() {
        let folder = Folder::new("no-draft", &[("tokenizer.json", "{}")]);
        let error = describe_folder(&folder.0).unwrap_err();
        assert!(error.to_string().contains("config.json"), "{error}");
    }
}

//! The manifest `codecite.json` of a model folder.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Pooling, Purpose};
use crate::error::{Error, Result};

/// The name of the manifest in a model folder.
pub const MANIFEST_FILE: &str = "codecite.json";
/// The network, in every model folder.
pub const MODEL_FILE: &str = "model.onnx";
/// The tokenizer, in every model folder.
pub const TOKENIZER_FILE: &str = "tokenizer.json";

const MAX_DIMENSION: u32 = 4096;
const MAX_TOKENS: std::ops::RangeInclusive<u32> = 8..=8192;
const MAX_NAME: usize = 63;
const MAX_PREFIX: usize = 512;

/// What a model folder declares about its model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The model's name, as it is used in SQL.
    pub name: String,
    /// How many numbers a vector has.
    pub dimension: u32,
    /// How many tokens of a text the model reads, markers included; the rest is cut.
    pub max_tokens: u32,
    /// How token vectors become one.
    pub pooling: Pooling,
    /// Whether vectors are scaled to length 1.
    pub normalize: bool,
    /// What is put before a query.
    #[serde(default)]
    pub query_prefix: String,
    /// What is put before a passage.
    #[serde(default)]
    pub document_prefix: String,
    /// The token that fills up shorter texts of a batch.
    #[serde(default)]
    pub pad_id: u32,
    /// SHA-256 (64 hexadecimal digits) of every file that the model needs, by file name.
    pub files: BTreeMap<String, String>,
    /// Similarities below which a hit counts as chance, as measured for this model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floors: Option<serde_json::Map<String, serde_json::Value>>,
    /// What the network's inputs are called, where they have unusual names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<InputNames>,
    /// The network's output that holds the token vectors; by default the first of rank 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Where the files come from, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The licence of the weights, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
}

/// Names of the network's inputs. An input that the network does not have is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InputNames {
    /// The token ids.
    pub ids: String,
    /// 1 for tokens, 0 for padding.
    pub mask: String,
    /// The segment of each token, always 0.
    pub types: String,
}

impl Default for InputNames {
    fn default() -> Self {
        InputNames { ids: "input_ids".into(), mask: "attention_mask".into(), types: "token_type_ids".into() }
    }
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// [`Error::BadManifest`] with the first thing that is wrong and what would be right.
    pub fn parse(json: &str) -> Result<Manifest> {
        let mut manifest: Manifest =
            serde_json::from_str(json).map_err(|e| bad(format!("{MANIFEST_FILE}: {e}")))?;
        for digest in manifest.files.values_mut() {
            digest.make_ascii_lowercase();
        }
        manifest.check()?;
        Ok(manifest)
    }

    /// What is put before a text that is embedded for `purpose`.
    pub fn prefix(&self, purpose: Purpose) -> &str {
        match purpose {
            Purpose::Query => &self.query_prefix,
            Purpose::Document => &self.document_prefix,
        }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`Error::BadManifest`].
    pub fn check(&self) -> Result<()> {
        check_name(&self.name)?;
        if self.dimension == 0 || self.dimension > MAX_DIMENSION {
            return Err(bad(format!(
                "dimension is {}, it must be from 1 to {MAX_DIMENSION}",
                self.dimension
            )));
        }
        if !MAX_TOKENS.contains(&self.max_tokens) {
            let (from, to) = (MAX_TOKENS.start(), MAX_TOKENS.end());
            return Err(bad(format!("max_tokens is {}, it must be from {from} to {to}", self.max_tokens)));
        }
        for (key, prefix) in
            [("query_prefix", &self.query_prefix), ("document_prefix", &self.document_prefix)]
        {
            if prefix.len() > MAX_PREFIX {
                return Err(bad(format!(
                    "{key} has {} bytes, at most {MAX_PREFIX} are allowed",
                    prefix.len()
                )));
            }
        }
        self.check_files()?;
        if let Some(inputs) = &self.inputs {
            for (key, name) in [("ids", &inputs.ids), ("mask", &inputs.mask), ("types", &inputs.types)] {
                if name.is_empty() {
                    return Err(bad(format!("inputs.{key} is empty; leave it out to use the usual name")));
                }
            }
        }
        if self.output.as_deref() == Some("") {
            return Err(bad("output is empty; leave it out to use the usual name".into()));
        }
        Ok(())
    }

    fn check_files(&self) -> Result<()> {
        for required in [MODEL_FILE, TOKENIZER_FILE] {
            if !self.files.contains_key(required) {
                return Err(bad(format!("files does not list {required} with its SHA-256")));
            }
        }
        for (file, digest) in &self.files {
            // One flat folder: a path could point outside it, and `..` or a leading dot is never needed.
            let plain = file.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'));
            if !plain || file.is_empty() || file.starts_with('.') || file.len() > 255 {
                return Err(bad(format!(
                    "files lists {file:?}; a file name has letters, digits, '.', '_', '-', '+' and no path"
                )));
            }
            if file == MANIFEST_FILE {
                return Err(bad(format!("files lists {MANIFEST_FILE} itself; leave it out")));
            }
            if digest.len() != 64 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(bad(format!(
                    "the SHA-256 of {file} must have 64 hexadecimal digits; sha256sum {file} prints it"
                )));
            }
        }
        Ok(())
    }
}

/// Checks a model's name: letters, digits, `.`, `_`, `-`, beginning with a letter or digit.
///
/// # Errors
/// [`Error::BadManifest`].
pub fn check_name(name: &str) -> Result<()> {
    let starts = name.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric());
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if starts && plain && name.len() <= MAX_NAME {
        return Ok(());
    }
    Err(bad(format!(
        "name is {name:?}; a name has 1 to {MAX_NAME} letters, digits, '.', '_', '-' and begins with a letter or digit"
    )))
}

fn bad(reason: String) -> Error {
    Error::BadManifest { reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn sample() -> Value {
        json!({
            "name": "all-MiniLM-L6-v2", "dimension": 384, "max_tokens": 256, "pooling": "mean", "normalize": true,
            "query_prefix": "", "document_prefix": "", "pad_id": 0,
            "files": {
                "model.onnx": "2F019CF6217537CC4BFC7F5192F21DEA1E18445177EDAAB0BC6163A813E5C7A1",
                "model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
                "tokenizer.json": "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904"
            }
        })
    }

    /// The reason why the sample, changed in one place, is refused.
    fn reason(pointer: &str, value: Value) -> String {
        let mut manifest = sample();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        manifest.pointer_mut(parent).unwrap().as_object_mut().unwrap().insert(key.replace("~1", "/"), value);
        match Manifest::parse(&manifest.to_string()) {
            Err(Error::BadManifest { reason }) => reason,
            other => panic!("{pointer}: {other:?}"),
        }
    }

    #[test]
    fn a_manifest_is_read_and_written() {
        let manifest = Manifest::parse(&sample().to_string()).unwrap();
        assert_eq!((manifest.dimension, manifest.max_tokens, manifest.pooling), (384, 256, Pooling::Mean));
        assert!(manifest.files["model.onnx"].starts_with("2f019c"), "digests are compared in lower case");
        let again = Manifest::parse(&serde_json::to_string(&manifest).unwrap()).unwrap();
        assert_eq!(again, manifest);
    }

    #[test]
    fn optional_fields_have_defaults() {
        let mut short = sample();
        for key in ["query_prefix", "document_prefix", "pad_id"] {
            short.as_object_mut().unwrap().remove(key);
        }
        let manifest = Manifest::parse(&short.to_string()).unwrap();
        assert_eq!((manifest.prefix(Purpose::Query), manifest.pad_id), ("", 0));
        assert_eq!(manifest.floors, None);
        short["inputs"] = json!({"ids": "tokens"});
        short["floors"] = json!({"covered": 0.4});
        let manifest = Manifest::parse(&short.to_string()).unwrap();
        assert_eq!(manifest.inputs.unwrap().mask, "attention_mask");
        assert_eq!(manifest.floors.unwrap()["covered"], json!(0.4));
    }

    #[test]
    fn prefixes_follow_the_purpose() {
        let mut e5 = sample();
        e5["query_prefix"] = json!("query: ");
        e5["document_prefix"] = json!("passage: ");
        let manifest = Manifest::parse(&e5.to_string()).unwrap();
        assert_eq!(manifest.prefix(Purpose::Query), "query: ");
        assert_eq!(manifest.prefix(Purpose::Document), "passage: ");
        assert_eq!(Purpose::from_name("document"), Some(Purpose::Document));
        assert_eq!(Purpose::from_name("passage"), None);
    }

    #[test]
    fn each_fault_has_a_reason_that_names_it() {
        for name in ["", "-x", ".x", "a/b", "a b", "naïve", &"x".repeat(64)] {
            assert!(reason("/name", json!(name)).contains("letters, digits"), "{name}");
        }
        assert!(reason("/dimension", json!(0)).contains("from 1 to 4096"));
        assert!(reason("/dimension", json!(4097)).contains("from 1 to 4096"));
        assert!(reason("/dimension", json!(-1)).contains("-1"));
        assert!(reason("/max_tokens", json!(7)).contains("from 8 to 8192"));
        assert!(reason("/max_tokens", json!(8193)).contains("from 8 to 8192"));
        assert!(reason("/pooling", json!("sum")).contains("mean"));
        assert!(reason("/normalise", json!(true)).contains("normalise"));
        assert!(reason("/query_prefix", json!("x".repeat(513))).contains("query_prefix"));
        assert!(reason("/inputs", json!({"ids": ""})).contains("inputs.ids"));
        assert!(reason("/output", json!("")).contains("output"));
    }

    #[test]
    fn files_are_plain_names_with_digests() {
        for file in ["..~1model.onnx", "~1etc~1passwd", "onnx~1model.onnx", "a\\b", ".hidden", "", ".."] {
            let key = format!("/files/{file}");
            assert!(reason(&key, json!("0".repeat(64))).contains("no path"), "{file}");
        }
        assert!(reason("/files/extra.bin", json!("0".repeat(63))).contains("sha256sum extra.bin"));
        assert!(reason("/files/extra.bin", json!("g".repeat(64))).contains("sha256sum extra.bin"));
        assert!(reason("/files/codecite.json", json!("0".repeat(64))).contains("itself"));
        assert!(reason("/files", json!({})).contains("model.onnx"));
        assert!(reason("/files", json!({"model.onnx": "0".repeat(64)})).contains("tokenizer.json"));
    }

    #[test]
    fn what_is_no_json_says_where() {
        let error = Manifest::parse("{\n  \"name\": }").unwrap_err();
        assert_eq!(error.code(), "bad_manifest");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}

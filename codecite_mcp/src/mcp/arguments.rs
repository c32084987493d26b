//! What the tools take, read leniently: models write the same thing in many ways.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Arguments of `search_code`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct SearchArguments {
    pub query: String,
    #[serde(default, alias = "corpus", deserialize_with = "names")]
    pub corpora: Vec<String>,
    #[serde(default, deserialize_with = "integer")]
    pub k: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    pub chapter: Option<String>,
    #[serde(default, deserialize_with = "names")]
    pub kinds: Vec<String>,
    #[serde(default, deserialize_with = "text")]
    pub layer: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub as_of: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `get_section`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct SectionArguments {
    #[serde(deserialize_with = "text")]
    pub number: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub layer: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub as_of: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub offset: Option<i64>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `get_context`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct ContextArguments {
    #[serde(deserialize_with = "text")]
    pub number: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub layer: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub as_of: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `list_corpora`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct CorporaArguments {
    #[serde(default, deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `resolve_reference`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct ResolveArguments {
    #[serde(deserialize_with = "text")]
    pub text: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub as_of: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `compare_editions`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct CompareArguments {
    #[serde(deserialize_with = "text")]
    pub corpus_a: Option<String>,
    #[serde(deserialize_with = "text")]
    pub corpus_b: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub chapter: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub edition_a: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub edition_b: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `list_chapters`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct ChaptersArguments {
    #[serde(deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `list_amendments`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct AmendmentsArguments {
    #[serde(default, deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub number: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub as_of: Option<String>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// Arguments of `ingest_document`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
pub struct IngestArguments {
    #[serde(deserialize_with = "text")]
    pub path: Option<String>,
    #[serde(deserialize_with = "text")]
    pub corpus: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub corpus_title: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub jurisdiction: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub layer: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub profile: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub document: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub title: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub edition: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub effective: Option<String>,
    #[serde(default)]
    pub replace: Option<bool>,
    #[serde(default, deserialize_with = "integer")]
    pub max_chars: Option<i64>,
}

/// A list; models also write one name, or a list inside a string.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a list of strings")]
    enum Names {
        None(()),
        Many(Vec<String>),
        One(String),
    }
    let list = match Names::deserialize(deserializer)? {
        Names::None(()) => Vec::new(),
        Names::Many(list) => list,
        Names::One(text) => serde_json::from_str(&text).unwrap_or_else(|_| vec![text]),
    };
    Ok(list.into_iter().filter(|name| !name.trim().is_empty()).collect())
}

/// A text; an empty one, which models write for "none", is none; a bare number is its digits.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a string")]
    enum Text {
        None(()),
        Words(String),
        Number(serde_json::Number),
    }
    let text = match Text::deserialize(deserializer)? {
        Text::None(()) => return Ok(None),
        Text::Words(text) => text,
        Text::Number(number) => number.to_string(),
    };
    Ok((!text.trim().is_empty()).then_some(text))
}

/// A whole number, also as 5.0 or "5".
fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom(format!("{value} is no whole number"));
    match &value {
        Value::Null => Ok(None),
        Value::String(text) => text.trim().parse().map(Some).map_err(|_| wrong()),
        Value::Number(number) => {
            let whole = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e9);
            // In range as just checked.
            number.as_i64().or_else(|| whole.map(|float| float as i64)).map(Some).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn models_write_arguments_in_many_ways() {
        let read = |value: Value| serde_json::from_value::<SearchArguments>(value);
        for corpora in [json!("a"), json!(["a"]), json!("[\"a\"]")] {
            assert_eq!(read(json!({"query": "x", "corpora": corpora})).unwrap().corpora, ["a"]);
        }
        let full = read(
            json!({"query": "x", "corpora": null, "k": "7", "chapter": 10, "layer": "", "max_chars": 3000.0}),
        )
        .unwrap();
        assert_eq!(
            (full.k, full.chapter.as_deref(), full.layer, full.max_chars),
            (Some(7), Some("10"), None, Some(3000))
        );
        assert!(read(json!({"query": "x", "limit": 3})).unwrap_err().to_string().contains("limit"));
        assert!(read(json!({"query": "x", "k": 1.5})).is_err());
    }
}

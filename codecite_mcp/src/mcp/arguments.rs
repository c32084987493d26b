//! What the tools take, read leniently: models write the same thing in many ways.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Declares what a tool takes. A name without a mark is optional text; every field may be null or missing, but for those behind
/// `required`, which must be there. The input schemas in catalog.rs describe the fields.
macro_rules! arguments {
    ($($(#[$about:meta])* $name:ident {
        required: $($must:ident),*; text: $($text:ident),*; $(corpora: $corpora:ident; kinds: $kinds:ident;)? $(flags: $($flag:ident),*;)? integers: $($integer:ident),*
    })*) => { $(
        $(#[$about])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "the input schemas in catalog.rs describe them")]
        pub struct $name {
            $(#[serde(deserialize_with = "text")] pub $must: Option<String>,)*
            $(#[serde(default, deserialize_with = "text")] pub $text: Option<String>,)*
            $(#[serde(default, alias = "corpus", deserialize_with = "names")] pub $corpora: Vec<String>,
            #[serde(default, deserialize_with = "names")] pub $kinds: Vec<String>,)?
            $($(#[serde(default)] pub $flag: Option<bool>,)*)?
            $(#[serde(default, deserialize_with = "integer")] pub $integer: Option<i64>,)*
        }
    )* };
}

arguments! {
    /// Arguments of `search_code`.
    SearchArguments {
        required: query; text: chapter, layer, as_of; corpora: corpora; kinds: kinds; integers: k, max_chars
    }
    /// Arguments of `get_section`.
    SectionArguments { required: number; text: corpus, layer, as_of; integers: offset, max_chars }
    /// Arguments of `get_context`.
    ContextArguments { required: number; text: corpus, layer, as_of; integers: max_chars }
    /// Arguments of `list_corpora`.
    CorporaArguments { required: ; text: corpus; integers: max_chars }
    /// Arguments of `resolve_reference` and `verify_answer`.
    ResolveArguments { required: text; text: corpus, as_of; integers: max_chars }
    /// Arguments of `compare_editions`.
    CompareArguments { required: corpus_a, corpus_b; text: chapter, edition_a, edition_b; integers: max_chars }
    /// Arguments of `list_chapters`.
    ChaptersArguments { required: corpus; text: ; integers: max_chars }
    /// Arguments of `list_amendments`.
    AmendmentsArguments { required: ; text: corpus, number, as_of; integers: max_chars }
    /// Arguments of `ingest_document`.
    IngestArguments {
        required: path, corpus;
        text: corpus_title, jurisdiction, layer, profile, document, title, edition, effective;
        flags: replace;
        integers: max_chars
    }
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

//! Profiles as things with a name that are listed, added by users and told apart: not what they say about numbers.

use sha2::{Digest, Sha256};

use super::{BUILTIN, Count, Definition, Profile};
use crate::error::{Error, Result};

/// A definition of a user's own is at most so long, as JSON.
const MAX_BYTES: usize = 64 << 10;
/// Patterns in one definition of a user's own. Each may take a megabyte when it is compiled.
const MAX_PATTERNS: usize = 256;

/// The JSON of a built-in profile.
pub fn builtin_definition(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, json)| *json)
}

/// A definition of a user's own, ready for use under `name`. The definition may leave its own name out.
///
/// # Errors
/// [`Error::BadProfile`] with the reason.
pub fn own(name: &str, json: &str) -> Result<Profile> {
    let bad = |reason: String| Error::BadProfile { name: name.to_owned(), reason };
    if builtin_definition(name).is_some() {
        return Err(bad("a built-in profile has this name".into()));
    }
    if json.len() > MAX_BYTES {
        return Err(bad(format!("the definition has more than {MAX_BYTES} bytes")));
    }
    let mut value: serde_json::Value = serde_json::from_str(json).map_err(|e| bad(e.to_string()))?;
    let fields = value.as_object_mut().ok_or_else(|| bad("the definition is no JSON object".into()))?;
    let inner = fields.entry("name").or_insert_with(|| name.into());
    if inner.as_str() != Some(name) {
        return Err(bad(format!("its key \"name\" says {inner}; leave it out or write the same name")));
    }
    let definition: Definition = serde_json::from_value(value).map_err(|e| bad(e.to_string()))?;
    let patterns = count_patterns(&definition);
    if patterns > MAX_PATTERNS {
        return Err(bad(format!("it has {patterns} patterns, more than {MAX_PATTERNS}")));
    }
    Profile::compile(&definition)
}

fn count_patterns(definition: &Definition) -> usize {
    let lists =
        [&definition.definitions, &definition.exceptions, &definition.instructions, &definition.captions];
    lists.into_iter().map(Vec::len).sum::<usize>()
        + definition.levels.iter().map(|level| level.patterns.len()).sum::<usize>()
        + definition.floats.iter().map(|float| float.patterns.len()).sum::<usize>()
        + definition.paragraphs.iter().map(|level| level.patterns.len()).sum::<usize>()
}

/// What tells two versions of a definition apart: the same for the same content, whatever its order and spacing.
///
/// # Errors
/// [`Error::BadProfile`] for what is no JSON.
pub fn digest(json: &str) -> Result<Vec<u8>> {
    let value: serde_json::Value = serde_json::from_str(json)
        .map_err(|e| Error::BadProfile { name: String::new(), reason: e.to_string() })?;
    // Maps of serde_json are sorted by key, so this is the canonical spelling.
    Ok(Sha256::digest(value.to_string()).to_vec())
}

impl Profile {
    /// Its levels in short, the highest first: `Chapter › Appendix › section › (a) › (1)`.
    pub fn in_short(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        let levels =
            self.levels.iter().map(|level| level.label.clone().unwrap_or(level.kind.as_str().into()));
        let marks = self.paragraphs.iter().filter(|level| level.section).map(|level| {
            let mark = match level.count {
                Count::Decimal => "1",
                Count::Letters => "a",
                Count::Roman => "i",
            };
            level.join.replace("{mark}", mark)
        });
        for name in levels.chain(marks) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(" › ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::builtin_names;

    const ACME: &str = r#"{ "description": "House rules", "levels": [
        { "kind": "part", "label": "Part", "patterns": ["(?i:part)\\s+(?P<number>[A-Z])\\b"] },
        { "kind": "section", "patterns": ["(?P<number>[A-Z][0-9]+)\\s"] } ] }"#;

    fn reason(name: &str, json: &str) -> String {
        match own(name, json) {
            Err(Error::BadProfile { name: named, reason }) => {
                assert_eq!(named, name);
                reason
            }
            other => panic!("{:?}", other.map(|profile| profile.name)),
        }
    }

    #[test]
    fn the_name_may_be_left_out_but_not_contradicted() {
        assert_eq!(own("acme", ACME).unwrap().name, "acme");
        let named = ACME.replacen('{', "{ \"name\": \"other\",", 1);
        assert_eq!(own("other", &named).unwrap().name, "other");
        assert!(reason("acme", &named).contains("\"other\""));
        assert!(reason("Not A Name", ACME).contains("lower-case"));
        assert!(reason("ibc", ACME).contains("built-in"));
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        for (json, why) in [
            ("[]", "object"),
            ("{", "EOF"),
            ("{}", "description"),
            (r#"{ "description": "", "levels": [] }"#, "levels"),
            (r#"{ "description": "", "levels": [], "colour": 1 }"#, "colour"),
        ] {
            assert!(reason("x", json).contains(why), "{json}: {}", reason("x", json));
        }
        let no_group = ACME.replace("?P<number>", "");
        assert!(reason("x", &no_group).contains("number"));
    }

    #[test]
    fn a_definition_is_bounded() {
        let level = |patterns: usize| {
            let list = vec![r#""(?P<number>[0-9])""#; patterns].join(",");
            format!(r#"{{ "kind": "section", "patterns": [{list}] }}"#)
        };
        let of = |levels: usize| {
            let list = vec![level(60); levels].join(",");
            format!(r#"{{ "description": "", "levels": [{list}] }}"#)
        };
        assert!(own("x", &of(4)).is_ok());
        assert!(reason("x", &of(5)).contains("300 patterns"));
        let long = ACME.replace("House rules", &"x".repeat(MAX_BYTES));
        assert!(reason("x", &long).contains("bytes"));
    }

    #[test]
    fn a_digest_is_of_the_content() {
        let same = r#"{"b": [1, 2], "a": "x"}"#;
        assert_eq!(digest(same).unwrap(), digest(r#"{ "a":"x",  "b":[1,2] }"#).unwrap());
        assert_ne!(digest(same).unwrap(), digest(r#"{"b": [2, 1], "a": "x"}"#).unwrap());
        assert!(digest("{").is_err());
    }

    #[test]
    fn every_built_in_profile_has_its_text_and_its_levels() {
        for name in builtin_names() {
            assert!(digest(builtin_definition(&name).unwrap()).is_ok());
            assert!(!Profile::builtin(&name).unwrap().in_short().is_empty());
        }
        assert_eq!(own("acme", ACME).unwrap().in_short(), "Part › section");
        assert_eq!(builtin_definition("acme"), None);
    }
}

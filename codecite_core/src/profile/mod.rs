//! Profiles: grammars, as data, that say how a family of codes numbers its parts.
//!
//! A definition is JSON (see `docs/PROFILES.md`); the built-in ones are files beside this module. Patterns
//! are those of the `regex` crate, which match in linear time, and their compiled size is bounded.

pub mod catalog;
mod definition;

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use serde::{Deserialize, Serialize};

pub use definition::{
    AnnotationDefinition, Count, Definition, Evidence, FloatDefinition, LevelDefinition, Owner,
    ParagraphDefinition, TitlePlace,
};

use crate::error::{Error, Result};
use crate::number::Number;

/// Bytes that one compiled pattern may take.
const PATTERN_SIZE: usize = 1 << 20;
/// Rules and patterns of each sort that a definition may hold.
const MAX_RULES: usize = 64;

/// The built-in definitions.
const BUILTIN: &[(&str, &str)] = &[
    ("ibc", include_str!("builtin/ibc.json")),
    ("nyc", include_str!("builtin/nyc.json")),
    ("oac", include_str!("builtin/oac.json")),
    ("cfr", include_str!("builtin/cfr.json")),
    ("ada", include_str!("builtin/ada.json")),
    ("uk-approved-document", include_str!("builtin/uk-approved-document.json")),
    ("canada-nbc", include_str!("builtin/canada-nbc.json")),
    ("state-code", include_str!("builtin/state-code.json")),
    ("generic", include_str!("builtin/generic.json")),
];

/// What a section of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names are the words of the field
pub enum SectionKind {
    Part,
    Chapter,
    Article,
    Section,
    Clause,
    Sentence,
    Table,
    Figure,
    Diagram,
    Appendix,
    Note,
    Annotation,
}

impl SectionKind {
    /// The name used in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            SectionKind::Part => "part",
            SectionKind::Chapter => "chapter",
            SectionKind::Article => "article",
            SectionKind::Section => "section",
            SectionKind::Clause => "clause",
            SectionKind::Sentence => "sentence",
            SectionKind::Table => "table",
            SectionKind::Figure => "figure",
            SectionKind::Diagram => "diagram",
            SectionKind::Appendix => "appendix",
            SectionKind::Note => "note",
            SectionKind::Annotation => "annotation",
        }
    }
}

/// A profile ready for use.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// The levels, the highest first.
    pub levels: Vec<Level>,
    /// The patterns of all levels at once: most blocks match none, and that is found in one pass.
    openings: RegexSet,
    /// The level of each of them.
    level_of: Vec<usize>,
    /// See [`Definition::definitions`].
    pub definitions: Vec<Regex>,
    /// See [`Definition::exceptions`].
    pub exceptions: Vec<Regex>,
    /// See [`Definition::instructions`].
    pub instructions: Vec<Regex>,
    /// See [`Definition::annotations`].
    pub annotations: Vec<Annotation>,
    /// See [`Definition::captions`].
    pub captions: Vec<Regex>,
    /// See [`Definition::floats`].
    pub floats: Vec<Float>,
    /// See [`Definition::owner`].
    pub owner: Owner,
    /// See [`Definition::paragraphs`].
    pub paragraphs: Vec<Paragraph>,
    /// See [`Definition::trust`].
    pub trust: usize,
}

/// Headings of annotations ready for use.
#[derive(Debug, Clone)]
pub struct Annotation {
    /// The compiled patterns.
    pub patterns: Vec<Regex>,
    /// See [`AnnotationDefinition::text`].
    pub text: bool,
}

/// A kind of float ready for use.
#[derive(Debug, Clone)]
pub struct Float {
    /// Its kind.
    pub kind: SectionKind,
    /// The label of its numbers.
    pub label: String,
    /// The compiled patterns.
    pub patterns: Vec<Regex>,
    /// See [`FloatDefinition::text`].
    pub text: bool,
}

/// A level of marked paragraphs ready for use.
#[derive(Debug, Clone)]
pub struct Paragraph {
    /// Its kind.
    pub kind: SectionKind,
    /// How it counts.
    pub count: Count,
    /// See [`ParagraphDefinition::join`].
    pub join: String,
    /// The compiled patterns.
    pub patterns: Vec<Regex>,
    /// See [`ParagraphDefinition::section`].
    pub section: bool,
}

/// A level ready for use.
#[derive(Debug, Clone)]
pub struct Level {
    /// The kind of its sections.
    pub kind: SectionKind,
    /// The label of their numbers.
    pub label: Option<String>,
    /// The compiled patterns.
    pub patterns: Vec<Regex>,
    /// What a heading needs.
    pub needs: Evidence,
    /// See [`LevelDefinition::nested`].
    pub nested: bool,
    /// See [`LevelDefinition::paragraphs`].
    pub paragraphs: bool,
    /// True when it contains what follows: it has a label, qualifies, or says so.
    pub container: bool,
    /// See [`LevelDefinition::compose`].
    pub compose: Option<String>,
    /// Where its title stands.
    pub title: TitlePlace,
    /// See [`LevelDefinition::outside`].
    pub outside: Option<SectionKind>,
    /// See [`LevelDefinition::qualifies`].
    pub qualifies: bool,
}

impl Profile {
    /// Compiles a definition.
    ///
    /// # Errors
    /// [`Error::BadProfile`] with the reason.
    pub fn compile(definition: &Definition) -> Result<Profile> {
        let bad = |reason: String| Error::BadProfile { name: definition.name.clone(), reason };
        let name_ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if definition.name.is_empty() || definition.name.len() > 63 || !definition.name.chars().all(name_ok) {
            return Err(bad("a name is lower-case letters, digits and hyphens".into()));
        }
        if definition.levels.is_empty() || definition.levels.len() > MAX_RULES {
            return Err(bad(format!("it needs 1 to {MAX_RULES} levels")));
        }
        let patterns = |sources: &[String], group: Option<&str>| -> Result<Vec<Regex>> {
            if sources.len() > MAX_RULES {
                return Err(bad(format!("more than {MAX_RULES} patterns of one sort")));
            }
            sources.iter().map(|source| compile_pattern(source, group).map_err(bad)).collect()
        };
        let levels = definition
            .levels
            .iter()
            .map(|level| {
                Ok(Level {
                    kind: level.kind,
                    label: level.label.clone(),
                    patterns: patterns(&level.patterns, Some("number"))?,
                    needs: level.needs,
                    nested: level.nested,
                    paragraphs: level.paragraphs,
                    container: level.container || level.qualifies || level.label.is_some(),
                    compose: level.compose.clone(),
                    title: level.title,
                    outside: level.outside,
                    qualifies: level.qualifies,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let sources = || definition.levels.iter().flat_map(|level| &level.patterns);
        let openings = RegexSetBuilder::new(sources().map(|source| anchored(source)))
            .size_limit(PATTERN_SIZE.saturating_mul(sources().count()))
            .build()
            .map_err(|e| bad(format!("the patterns of its levels together: {e}")))?;
        let level_of = levels.iter().enumerate().flat_map(|(at, level)| vec![at; level.patterns.len()]);
        if definition.floats.len() > MAX_RULES || definition.paragraphs.len() > MAX_RULES {
            return Err(bad(format!("more than {MAX_RULES} floats or levels of paragraphs")));
        }
        let floats = definition.floats.iter().map(|float| {
            if Number::labelled(&float.label, "1").is_none() {
                return Err(bad(format!("{:?} is no label of a float", float.label)));
            }
            let patterns = patterns(&float.patterns, Some("number"))?;
            Ok(Float { kind: float.kind, label: float.label.clone(), patterns, text: float.text })
        });
        let paragraphs = definition.paragraphs.iter().map(|level| {
            let patterns = patterns(&level.patterns, Some("mark"))?;
            Ok(Paragraph {
                kind: level.kind,
                count: level.count,
                join: level.join.clone(),
                patterns,
                section: level.section,
            })
        });
        if definition.annotations.len() > MAX_RULES {
            return Err(bad(format!("more than {MAX_RULES} sorts of annotations")));
        }
        let annotations = definition.annotations.iter().map(|annotation| {
            Ok(Annotation { patterns: patterns(&annotation.patterns, None)?, text: annotation.text })
        });
        Ok(Profile {
            name: definition.name.clone(),
            description: definition.description.clone(),
            level_of: level_of.collect(),
            levels,
            openings,
            definitions: patterns(&definition.definitions, None)?,
            exceptions: patterns(&definition.exceptions, None)?,
            instructions: patterns(&definition.instructions, None)?,
            annotations: annotations.collect::<Result<_>>()?,
            captions: patterns(&definition.captions, Some("number"))?,
            floats: floats.collect::<Result<_>>()?,
            owner: definition.owner,
            paragraphs: paragraphs.collect::<Result<_>>()?,
            trust: definition.trust.min(100),
        })
    }

    /// The levels, the highest first, that a pattern says the text may begin.
    pub(crate) fn levels_at(&self, text: &str) -> impl Iterator<Item = (usize, &Level)> {
        let mut last = None;
        let found = self.openings.matches(text).into_iter();
        found
            .filter_map(|pattern| self.level_of.get(pattern).copied())
            .filter(move |level| last.replace(*level) != Some(*level))
            .filter_map(|level| Some((level, self.levels.get(level)?)))
    }

    /// Compiles a definition from JSON.
    ///
    /// # Errors
    /// [`Error::BadProfile`] with the reason.
    pub fn from_json(json: &str) -> Result<Profile> {
        let definition: Definition = serde_json::from_str(json)
            .map_err(|e| Error::BadProfile { name: String::new(), reason: e.to_string() })?;
        Self::compile(&definition)
    }

    /// The built-in profile of that name.
    ///
    /// # Errors
    /// [`Error::UnknownProfile`] with the names that exist.
    pub fn builtin(name: &str) -> Result<Profile> {
        // Compiled once: a clone shares the compiled patterns.
        static COMPILED: LazyLock<Mutex<HashMap<&str, Profile>>> = LazyLock::new(Mutex::default);
        match BUILTIN.iter().find(|(known, _)| *known == name) {
            Some((known, json)) => {
                let Ok(mut compiled) = COMPILED.lock() else { return Self::from_json(json) };
                if let Some(profile) = compiled.get(known) {
                    return Ok(profile.clone());
                }
                let profile = Self::from_json(json)?;
                compiled.insert(known, profile.clone());
                Ok(profile)
            }
            None => Err(Error::UnknownProfile { name: name.to_owned(), known: builtin_names() }),
        }
    }
}

/// The names of the built-in profiles.
pub fn builtin_names() -> Vec<String> {
    BUILTIN.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// A pattern is matched from the beginning of a text.
fn anchored(source: &str) -> String {
    format!("^(?:{source})")
}

fn compile_pattern(source: &str, group: Option<&str>) -> Result<Regex, String> {
    let regex = RegexBuilder::new(&anchored(source))
        .size_limit(PATTERN_SIZE)
        .build()
        .map_err(|e| format!("the pattern {source:?}: {e}"))?;
    match group {
        Some(group) if !regex.capture_names().flatten().any(|name| name == group) => {
            Err(format!("the pattern {source:?} has no group named {group:?}"))
        }
        _ => Ok(regex),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_compiles_under_its_own_name() {
        for name in builtin_names() {
            assert_eq!(Profile::builtin(&name).unwrap().name, name);
        }
    }

    #[test]
    fn the_levels_of_a_text_are_those_with_a_pattern_that_matches() {
        let texts = [
            "",
            "§ 36.304 Removal",
            "SECTION 1004 LOAD",
            "1004.5 Factors.",
            "Chapter 10",
            "CHAPTER 10 EGRESS",
            "Part 36 Doors",
            "8-2-20. As used",
            "Appendix A to Part 36—Guidance",
            "3.1.2.1. Walls",
            "Article 3 Doors",
            "Prose that goes on.",
            "4101:1-10-04",
            "H101.2 Signs",
            "Requirement B1",
            "(a) Doors",
            "TITLE 8",
            "28-101.1 Doors",
            "2.17 Walls",
            "Schedule 1",
        ];
        let mut seen = 0;
        for profile in builtin_names().iter().map(|name| Profile::builtin(name).unwrap()) {
            for text in texts {
                let one_by_one: Vec<usize> = (0..profile.levels.len())
                    .filter(|at| profile.levels[*at].patterns.iter().any(|pattern| pattern.is_match(text)))
                    .collect();
                let found: Vec<usize> = profile.levels_at(text).map(|(at, _)| at).collect();
                assert_eq!(found, one_by_one, "{} {text}", profile.name);
                seen += found.len();
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn an_unknown_name_lists_what_exists() {
        let error = Profile::builtin("icb").unwrap_err();
        assert!(error.hint().contains("ibc"), "{}", error.hint());
    }

    #[test]
    fn bad_definitions_say_why() {
        let reason = |json: &str| Profile::from_json(json).unwrap_err().to_string();
        let with = |pattern: &str| {
            format!(
                r#"{{"name":"x","description":"","levels":[{{"kind":"section","patterns":["{pattern}"]}}]}}"#
            )
        };
        assert!(reason(&with("(")).contains("pattern"));
        assert!(reason(&with("[0-9]+")).contains("no group named"));
        assert!(reason(&with("(?P<number>[0-9]{1000}{1000})")).contains("size"));
        assert!(reason(r#"{"name":"X Y","description":"","levels":[]}"#).contains("name"));
        assert!(reason(r#"{"name":"x","description":"","levels":[]}"#).contains("levels"));
        assert!(reason(r#"{"name":"x","description":"","levels":[],"typo":1}"#).contains("typo"));
    }
}

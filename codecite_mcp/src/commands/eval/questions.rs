//! Files of questions: YAML, checked field by field, so that a slip is an error and not a lower score.

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Map, Value};

use crate::cli::Split;
use crate::fault::{Fault, Kind};

/// The kinds of chunk that a question may expect.
const KINDS: [&str; 4] = ["body", "exception", "table", "definition"];

/// A file of questions.
#[derive(Debug)]
pub struct QuestionFile {
    /// What it is called in tables: the file's name without its ending.
    pub name: String,
    /// Its questions, in order; at least one.
    pub questions: Vec<Question>,
}

/// A question with the sections that answer it.
#[derive(Debug, Clone)]
pub struct Question {
    /// Unique in its file.
    pub id: String,
    /// As a person would type it.
    pub question: String,
    /// Where it is asked.
    pub corpus: String,
    /// Numbers, any of which answers it; empty when nothing in the corpus does.
    pub expected_sections: Vec<String>,
    /// Kinds of chunk that carry the answer; empty when none is asked for.
    pub expected_kinds: Vec<String>,
    /// Groups that are scored apart.
    pub tags: Vec<String>,
    /// Words of the text that answers.
    pub answer_quote: Option<String>,
    /// What it is for.
    pub split: Split,
}

impl Question {
    /// Whether something in the corpus answers it.
    pub fn has_answer(&self) -> bool {
        !self.expected_sections.is_empty()
    }
}

/// Reads a file and keeps the questions of one split, or all.
///
/// # Errors
/// `Input`, naming file, entry and field: what cannot be read, is no YAML, or lacks a field; no question left.
pub fn read(path: &Path, split: Option<Split>) -> Result<QuestionFile, Fault> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| fault(format!("{shown} cannot be read: {error}"), "Name a file of questions."))?;
    let mut questions = parse(&text).map_err(|problem| fault(format!("{shown}, {problem}"), NEXT))?;
    questions.retain(|question| split.is_none_or(|split| question.split == split));
    if questions.is_empty() {
        let kind = split.map_or(String::new(), |split| format!(" of the split {split:?}").to_lowercase());
        return Err(fault(format!("{shown} has no questions{kind}"), NEXT));
    }
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(QuestionFile { name, questions })
}

const NEXT: &str = "Correct the file; evals/README.md describes its form.";

fn fault(message: String, next: &str) -> Fault {
    Fault::new(Kind::Input, message, next)
}

/// The questions in a text, or what is wrong with it and where. Keys that are not known are left alone.
fn parse(text: &str) -> Result<Vec<Question>, String> {
    let value: Value = serde_saphyr::from_str(text).map_err(|error| syntax(text, &error))?;
    let Value::Array(entries) = value else {
        return Err("line 1: the file is no list; each question begins with \"- id:\"".to_owned());
    };
    let mut ids = HashSet::new();
    let mut questions = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let id = entry.get("id").and_then(Value::as_str).map(|id| format!(" ({id})")).unwrap_or_default();
        let place = |problem: String| format!("entry {}{id}: {problem}", index + 1);
        let entry = entry.as_object().ok_or_else(|| place("is no question with fields".to_owned()))?;
        let question = question(entry).map_err(place)?;
        if !ids.insert(question.id.clone()) {
            return Err(place("field id: another question before it has the same".to_owned()));
        }
        questions.push(question);
    }
    Ok(questions)
}

/// What the parser says, with the line. It names a tab by the line before it.
fn syntax(text: &str, error: &serde_saphyr::Error) -> String {
    let line = error.location().and_then(|location| usize::try_from(location.line()).ok()).unwrap_or(0);
    let near = text.lines().zip(1..).skip(line.saturating_sub(1)).take(2);
    for (content, number) in near {
        if content.trim_start_matches(' ').starts_with('\t') {
            return format!("line {number}: begins with a tab; YAML is indented with spaces");
        }
    }
    let message = error.without_snippet().to_string();
    format!("line {line}: no YAML: {}", message.lines().next().unwrap_or_default())
}

fn question(entry: &Map<String, Value>) -> Result<Question, String> {
    let expected_kinds = texts(entry, "expected_kinds")?;
    if let Some(other) = expected_kinds.iter().find(|kind| !KINDS.contains(&kind.as_str())) {
        return Err(format!("field expected_kinds: \"{other}\" is none of {}", KINDS.join(", ")));
    }
    // A list that was left out by mistake would make a question that nothing answers.
    if !entry.contains_key("expected_sections") {
        return Err("field expected_sections: missing; [] says that nothing answers the question".to_owned());
    }
    let split = match optional(entry, "split")?.as_deref() {
        None | Some("dev") => Split::Dev,
        Some("test") => Split::Test,
        Some(other) => return Err(format!("field split: \"{other}\" is neither dev nor test")),
    };
    Ok(Question {
        id: required(entry, "id")?,
        question: required(entry, "question")?,
        corpus: required(entry, "corpus")?,
        expected_sections: texts(entry, "expected_sections")?,
        expected_kinds,
        tags: texts(entry, "tags")?,
        answer_quote: optional(entry, "answer_quote")?,
        split,
    })
}

fn required(entry: &Map<String, Value>, field: &str) -> Result<String, String> {
    optional(entry, field)?.ok_or_else(|| format!("field {field}: missing or empty"))
}

/// Text that is not empty.
fn optional(entry: &Map<String, Value>, field: &str) -> Result<Option<String>, String> {
    match entry.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => Ok(Some(text(value, field)?).filter(|text| !text.trim().is_empty())),
    }
}

fn texts(entry: &Map<String, Value>, field: &str) -> Result<Vec<String>, String> {
    match entry.get(field) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(values)) => values.iter().map(|value| text(value, field)).collect(),
        Some(_) => Err(format!("field {field}: no list; write [\"…\"]")),
    }
}

fn text(value: &Value, field: &str) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        // 1004.10 without quotes is the number 1004.1.
        Value::Number(_) => Err(format!("field {field}: a number without quotes; write \"…\"")),
        _ => Err(format!("field {field}: no text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# a comment\n- id: \"a\"\n  question: \"How wide?\"\n  corpus: c\n  expected_sections: [\"1.2\"]\n  \
                        style: any\n- id: b\n  question: What else?\n  corpus: c\n  expected_sections: []\n  split: test\n";

    #[test]
    fn reads_questions_and_what_is_left_out() {
        let questions = parse(GOOD).unwrap();
        assert_eq!(questions.len(), 2);
        assert_eq!((questions[0].id.as_str(), questions[0].split), ("a", Split::Dev));
        assert_eq!(questions[0].expected_sections, ["1.2"]);
        assert!(questions[0].has_answer() && !questions[1].has_answer());
        assert_eq!(questions[1].split, Split::Test);
    }

    #[test]
    fn a_slip_names_entry_and_field() {
        let changed = |from: &str, to: &str| parse(&GOOD.replace(from, to)).unwrap_err();
        let cases = [
            (changed("  question: \"How wide?\"\n", ""), "entry 1 (a): field question: missing"),
            (changed("[\"1.2\"]", "[1.10]"), "entry 1 (a): field expected_sections: a number without quotes"),
            (changed("[\"1.2\"]", "\"1.2\""), "entry 1 (a): field expected_sections: no list"),
            (changed("  expected_sections: []\n", ""), "entry 2 (b): field expected_sections: missing"),
            (changed("split: test", "split: tset"), "entry 2 (b): field split: \"tset\" is neither"),
            (
                changed("style: any", "expected_kinds: [tabel]"),
                "entry 1 (a): field expected_kinds: \"tabel\"",
            ),
            (changed("- id: b", "- id: a"), "entry 2 (a): field id: another"),
            (changed("question: What else?", "question: {a: b}"), "entry 2 (b): field question: no text"),
        ];
        for (error, expected) in cases {
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn what_is_no_yaml_names_the_line() {
        let tab = parse(&GOOD.replace("  corpus: c\n  expected_sections: []", "\tcorpus: c")).unwrap_err();
        assert_eq!(tab, "line 9: begins with a tab; YAML is indented with spaces");
        let unclosed = parse(&GOOD.replace("[\"1.2\"]", "[\"1.2\"")).unwrap_err();
        assert!(unclosed.starts_with("line ") && unclosed.contains("no YAML"), "{unclosed}");
        let twice = parse(&GOOD.replace("  style: any", "  id: again")).unwrap_err();
        assert!(twice.starts_with("line 6"), "{twice}");
        assert!(parse("id: a\n").unwrap_err().contains("no list"));
    }

    #[test]
    fn a_file_without_questions_of_the_split_is_an_error() {
        let folder = std::env::temp_dir().join(format!("codecite-eval-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("some.name.yaml");
        std::fs::write(&path, GOOD).unwrap();
        let file = read(&path, Some(Split::Test)).unwrap();
        assert_eq!((file.name.as_str(), file.questions.len()), ("some.name", 1));
        std::fs::write(&path, GOOD.replace("  split: test\n", "")).unwrap();
        let fault = read(&path, Some(Split::Test)).unwrap_err();
        assert!(fault.message.ends_with("some.name.yaml has no questions of the split test"), "{fault}");
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(read(&path, None).unwrap_err().message.contains("cannot be read"));
    }
}

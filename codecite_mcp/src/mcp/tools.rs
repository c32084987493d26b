//! The tools: what the model is told of them, what they take, what they call.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::arguments::{ContextArguments, CorporaArguments, SearchArguments, SectionArguments};
use super::context::ContextResult;
use super::corpora::CorporaResult;
use super::render;
use super::search::SearchResult;
use super::section::SectionResult;
use crate::api::{self, Search};
use crate::date;
use crate::db::Db;
use crate::fault::Fault;

/// About 8k tokens.
const DEFAULT_CHARS: usize = 24_000;
const LEAST_CHARS: usize = 2_000;
const MOST_CHARS: usize = 100_000;
const MOST_HITS: i32 = 50;

/// Why a call gave no result.
#[derive(Debug)]
pub enum CallError {
    /// There is no such tool.
    UnknownTool,
    /// The arguments are wrong; the text tells the model how they should be.
    Arguments(String),
    /// The database said no, or nothing.
    Fault(Fault),
}

impl From<Fault> for CallError {
    fn from(fault: Fault) -> CallError {
        CallError::Fault(fault)
    }
}

const SEARCH: &str = "\
Search the indexed building codes for the sections that answer a question. Returns the best sections, each with the \
matched passage word for word, a citation to paste, and the amendments that override it; plus coverage: covered, uncertain \
or not_covered.

Use it first for every question about what a code requires, allows or defines, in the user's words or with a section, \
table or chapter number in the query. Sections that the query names come first. Words in \"quotation marks\" must occur.
Do not use it to read a whole section (get_section), or to see which codes exist (list_corpora). A passage is not always \
the whole section: read it with get_section before you state a requirement.

Example: {\"query\": \"minimum width of exit stairs in Group A\", \"corpora\": [\"nyc-2022\"], \"k\": 5}";

const SECTION: &str = "\
Get the whole text of one section, table, chapter or appendix by its number, in every layer: the base text and each \
amendment, the highest layer first, each with its citation, the parts below it and the numbers it refers to.

Use it after search_code, to read exceptions and tables in full before you cite them, and to follow a reference. \
Do not use it for questions in words (search_code).
status tells apart: found; not_in_corpus (the corpus is indexed and has no such number; the nearest ones are named); \
not_indexed (no document is indexed there, so nothing can be said about it).

Example: {\"number\": \"1004.5\", \"corpus\": \"nyc-2022\"}. Numbers may be written as \"§1004.5\", \"Table 1004.5\", \
\"Chapter 10\", \"Appendix H\", and with an exception: \"1004.5, Exception 2\".";

const CONTEXT: &str = "\
List what stands around one section, without the texts: its parent, the sections beside it, the parts and tables below it, what \
its text refers to (also what is not in the corpus), and which sections refer to it, each with a citation.

Use it after get_section, to see whether a definition, table, exception or a rule that refers to the section changes the answer, \
and where to read on. Read what matters with get_section. Do not use it for questions in words (search_code).
status is as in get_section.

Example: {\"number\": \"1004.5\", \"corpus\": \"nyc-2022\"}.";

const CORPORA: &str = "\
List the codes that are indexed: each corpus with its title, jurisdiction and size, and its documents with layer (base or \
amendment), edition and days in force.

Use it before you name a corpus in another tool, when a question is about a place or an edition, and when a search is \
not_covered, to tell the user what is there. Do not use it to find text (search_code).

Example: {} for all, or {\"corpus\": \"nyc-2022\"} for the documents of one.";

/// The tools as `tools/list` shows them.
pub fn list() -> Vec<Tool> {
    let corpus = "Name of one corpus, as list_corpora gives it (a name, not a title). Leave it out for all.";
    let layer = "Only this layer: \"base\", \"amendment\", or a rank as a number in quotes such as \"200\". Leave it out for all, \
                 which shows amendments above their base.";
    let as_of = "The law in force on this day, as YYYY-MM-DD. Leave it out for the latest editions.";
    let max_chars = json!({
        "type": "integer", "minimum": LEAST_CHARS, "maximum": MOST_CHARS, "default": DEFAULT_CHARS,
        "description": "Most characters of the result (4 are about a token). What is cut is named in \"truncated\", with how to get it.",
    });
    let search = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "minLength": 1, "description": "The question in plain words, or a number such as \"1004.5\" or \"Table 1004.5\". At most 2,000 characters are used." },
            "corpora": { "type": "array", "items": { "type": "string" }, "description": "Names of the corpora to search, as list_corpora gives them. Leave it out for all." },
            "k": { "type": "integer", "minimum": 1, "maximum": MOST_HITS, "default": 5, "description": "How many sections to return. Amendments of a section come with it and are not counted." },
            "chapter": { "type": "string", "description": "Only this chapter, such as \"10\"." },
            "kinds": { "type": "array", "items": { "type": "string", "enum": ["body", "exception", "table", "definition"] }, "description": "Only passages of these kinds: body (running text), exception, table, definition. Leave it out for all." },
            "layer": { "type": "string", "description": layer },
            "as_of": { "type": "string", "format": "date", "description": as_of },
            "max_chars": max_chars,
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    let section = json!({
        "type": "object",
        "properties": {
            "number": { "type": "string", "minLength": 1, "description": "Number of the section, table, chapter or appendix: \"1004.5\", \"Table 1004.5\", \"Chapter 10\", \"H101.2\"." },
            "corpus": { "type": "string", "description": corpus },
            "layer": { "type": "string", "description": layer },
            "as_of": { "type": "string", "format": "date", "description": as_of },
            "offset": { "type": "integer", "minimum": 0, "default": 0, "description": "Start the text at this character: to read on where \"truncated\" says that it was cut." },
            "max_chars": max_chars,
        },
        "required": ["number"],
        "additionalProperties": false,
    });
    let context = json!({
        "type": "object",
        "properties": {
            "number": { "type": "string", "minLength": 1, "description": "Number of the section, table, chapter or appendix: \"1004.5\", \"Table 1004.5\", \"Chapter 10\", \"H101.2\"." },
            "corpus": { "type": "string", "description": corpus },
            "layer": { "type": "string", "description": layer },
            "as_of": { "type": "string", "format": "date", "description": as_of },
            "max_chars": max_chars,
        },
        "required": ["number"],
        "additionalProperties": false,
    });
    let corpora = json!({
        "type": "object",
        "properties": {
            "corpus": { "type": "string", "description": "Name of one corpus, to see only its documents. Leave it out for all." },
            "max_chars": max_chars,
        },
        "additionalProperties": false,
    });
    vec![
        tool("search_code", "Search building codes", SEARCH, search).with_output_schema::<SearchResult>(),
        tool("get_section", "Get a section", SECTION, section).with_output_schema::<SectionResult>(),
        tool("get_context", "Get what stands around a section", CONTEXT, context)
            .with_output_schema::<ContextResult>(),
        tool("list_corpora", "List indexed codes", CORPORA, corpora).with_output_schema::<CorporaResult>(),
    ]
}

fn tool(name: &'static str, title: &'static str, description: &'static str, schema: Value) -> Tool {
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let annotations = ToolAnnotations::with_title(title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new(name, Cow::Borrowed(description), schema).with_title(title).with_annotations(annotations)
}

/// Calls a tool.
pub async fn call(db: &Db, name: &str, arguments: Value) -> Result<CallToolResult, CallError> {
    match name {
        "search_code" => search(db, read(arguments, "search_code")?).await,
        "get_section" => section(db, read(arguments, "get_section")?).await,
        "get_context" => context(db, read(arguments, "get_context")?).await,
        "list_corpora" => corpora(db, read(arguments, "list_corpora")?).await,
        _ => Err(CallError::UnknownTool),
    }
}

async fn search(db: &Db, arguments: SearchArguments) -> Result<CallToolResult, CallError> {
    if arguments.query.trim().is_empty() {
        return Err(CallError::Arguments(
            "query is empty: pass the question in words, or a number such as \"1004.5\"".into(),
        ));
    }
    let k = arguments.k.unwrap_or(5);
    if !(1..=i64::from(MOST_HITS)).contains(&k) {
        return Err(CallError::Arguments(format!("k is {k}; it must be between 1 and {MOST_HITS}")));
    }
    check_day(arguments.as_of.as_deref())?;
    let max_chars = budget(arguments.max_chars)?;
    let query = Search {
        query: &arguments.query,
        corpora: (!arguments.corpora.is_empty()).then(|| arguments.corpora.clone()),
        k: i32::try_from(k).unwrap_or(5),
        kinds: (!arguments.kinds.is_empty()).then(|| arguments.kinds.clone()),
        layer: arguments.layer.as_deref(),
        chapter: arguments.chapter.as_deref(),
        as_of: arguments.as_of.as_deref(),
        mode: "hybrid",
    };
    let answer = api::search(db, &query).await?;
    Ok(render::reply(SearchResult::new(answer, &arguments.corpora), max_chars))
}

async fn section(db: &Db, arguments: SectionArguments) -> Result<CallToolResult, CallError> {
    let number = arguments.number.ok_or_else(no_number)?;
    check_day(arguments.as_of.as_deref())?;
    let offset = usize::try_from(arguments.offset.unwrap_or(0))
        .map_err(|_| CallError::Arguments("offset must be 0 or more".into()))?;
    let max_chars = budget(arguments.max_chars)?;
    let corpus = arguments.corpus.as_deref();
    let answer =
        api::section(db, &number, corpus, arguments.layer.as_deref(), arguments.as_of.as_deref()).await?;
    Ok(render::reply(SectionResult::new(answer, &number, corpus, offset), max_chars))
}

async fn context(db: &Db, arguments: ContextArguments) -> Result<CallToolResult, CallError> {
    let number = arguments.number.ok_or_else(no_number)?;
    check_day(arguments.as_of.as_deref())?;
    let max_chars = budget(arguments.max_chars)?;
    let corpus = arguments.corpus.as_deref();
    let answer =
        api::context(db, &number, corpus, arguments.layer.as_deref(), arguments.as_of.as_deref()).await?;
    Ok(render::reply(ContextResult::new(answer, &number, corpus), max_chars))
}

async fn corpora(db: &Db, arguments: CorporaArguments) -> Result<CallToolResult, CallError> {
    let max_chars = budget(arguments.max_chars)?;
    let holdings = api::holdings(db, arguments.corpus.as_deref()).await?;
    Ok(render::reply(CorporaResult::new(holdings, arguments.corpus), max_chars))
}

fn no_number() -> CallError {
    CallError::Arguments(
        "number is empty: pass a number such as \"1004.5\", \"Table 1004.5\" or \"Chapter 10\"".into(),
    )
}

fn check_day(day: Option<&str>) -> Result<(), CallError> {
    day.map_or(Ok(()), |day| {
        date::day(day).map(|_| ()).map_err(|wrong| CallError::Arguments(format!("as_of: {wrong}")))
    })
}

fn budget(max_chars: Option<i64>) -> Result<usize, CallError> {
    let chars = max_chars.map_or(Ok(DEFAULT_CHARS), usize::try_from).unwrap_or(0);
    if (LEAST_CHARS..=MOST_CHARS).contains(&chars) {
        return Ok(chars);
    }
    Err(CallError::Arguments(format!(
        "max_chars must be between {LEAST_CHARS} and {MOST_CHARS}; the default is {DEFAULT_CHARS}"
    )))
}

/// Wrong arguments come back as text that the model can act on.
fn read<T: DeserializeOwned>(arguments: Value, tool: &str) -> Result<T, CallError> {
    serde_json::from_value(arguments).map_err(|error| {
        CallError::Arguments(format!("the arguments of {tool} are wrong: {error}. Correct them as its input schema says, and call again."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_described() {
        for tool in list() {
            let description = tool.description.as_deref().unwrap_or("");
            assert!(description.contains("Example: ") && description.len() < 2000, "{}", tool.name);
            let schema = serde_json::to_value(&*tool.input_schema).unwrap();
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(
                    property["description"].as_str().is_some_and(|text| text.len() > 20),
                    "{}.{name}",
                    tool.name
                );
            }
            assert_eq!(tool.output_schema.as_ref().unwrap()["type"], "object");
            let hints = tool.annotations.unwrap();
            assert_eq!((hints.read_only_hint, hints.open_world_hint), (Some(true), Some(false)));
        }
    }

    #[test]
    fn the_schemas_name_what_is_read() {
        let sample = |schema: &Value| match schema["type"].as_str() {
            Some("integer") => json!(schema["default"]),
            Some("array") => json!(["body"]),
            _ => json!("x"),
        };
        for tool in list() {
            let schema = serde_json::to_value(&*tool.input_schema).unwrap();
            let all: JsonObject = schema["properties"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, s)| (name.clone(), sample(s)))
                .collect();
            let all = Value::Object(all);
            let result = match tool.name.as_ref() {
                "search_code" => serde_json::from_value::<SearchArguments>(all).map(|_| ()),
                "get_section" => serde_json::from_value::<SectionArguments>(all).map(|_| ()),
                "get_context" => serde_json::from_value::<ContextArguments>(all).map(|_| ()),
                _ => serde_json::from_value::<CorporaArguments>(all).map(|_| ()),
            };
            result.unwrap();
        }
    }
}

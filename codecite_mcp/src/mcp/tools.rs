//! The tools: what they check, what they call.

use rmcp::model::CallToolResult;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::amendments::AmendmentsResult;
use super::arguments::{
    AmendmentsArguments, ChaptersArguments, CompareArguments, ContextArguments, CorporaArguments,
    ResolveArguments, SearchArguments, SectionArguments,
};
use super::chapters::ChaptersResult;
use super::compare::CompareResult;
use super::context::ContextResult;
use super::corpora::CorporaResult;
use super::render;
use super::resolve::ResolveResult;
use super::search::SearchResult;
use super::section::SectionResult;
use super::verify::VerifyResult;
use crate::api::{self, Compare, Search};
use crate::date;
use crate::db::Db;
use crate::fault::Fault;

/// About 8k tokens.
pub const DEFAULT_CHARS: usize = 24_000;
/// Less holds no text worth citing.
pub const LEAST_CHARS: usize = 2_000;
/// More is not read by a model.
pub const MOST_CHARS: usize = 100_000;
/// Most hits of a search.
pub const MOST_HITS: i32 = 50;
/// Longest text whose references are looked up.
const LONGEST_TEXT: usize = 20_000;

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

/// Calls a tool.
pub async fn call(db: &Db, name: &str, arguments: Value) -> Result<CallToolResult, CallError> {
    match name {
        "search_code" => search(db, read(arguments, "search_code")?).await,
        "get_section" => section(db, read(arguments, "get_section")?).await,
        "get_context" => context(db, read(arguments, "get_context")?).await,
        "resolve_reference" => resolve(db, read(arguments, "resolve_reference")?).await,
        "verify_answer" => verify(db, read(arguments, "verify_answer")?).await,
        "compare_editions" => compare(db, read(arguments, "compare_editions")?).await,
        "list_chapters" => chapters(db, read(arguments, "list_chapters")?).await,
        "list_amendments" => amendments(db, read(arguments, "list_amendments")?).await,
        "list_corpora" => corpora(db, read(arguments, "list_corpora")?).await,
        _ => Err(CallError::UnknownTool),
    }
}

async fn search(db: &Db, arguments: SearchArguments) -> Result<CallToolResult, CallError> {
    let query = arguments.query.ok_or_else(|| {
        CallError::Arguments(
            "query is empty: pass the question in words, or a number such as \"1004.5\"".into(),
        )
    })?;
    let k = arguments.k.unwrap_or(5);
    if !(1..=i64::from(MOST_HITS)).contains(&k) {
        return Err(CallError::Arguments(format!("k is {k}; it must be between 1 and {MOST_HITS}")));
    }
    check_day(arguments.as_of.as_deref())?;
    let max_chars = budget(arguments.max_chars)?;
    let search = Search {
        query: &query,
        corpora: (!arguments.corpora.is_empty()).then(|| arguments.corpora.clone()),
        k: i32::try_from(k).unwrap_or(5),
        kinds: (!arguments.kinds.is_empty()).then(|| arguments.kinds.clone()),
        layer: arguments.layer.as_deref(),
        chapter: arguments.chapter.as_deref(),
        as_of: arguments.as_of.as_deref(),
        mode: "hybrid",
    };
    let answer = api::search(db, &search).await?;
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

/// The text of a call, and its budget.
fn draft(arguments: &ResolveArguments) -> Result<(String, usize), CallError> {
    let text = named(arguments.text.clone(), "text")?;
    if text.chars().count() > LONGEST_TEXT {
        let message = format!("text is longer than {LONGEST_TEXT} characters: pass it in parts");
        return Err(CallError::Arguments(message));
    }
    check_day(arguments.as_of.as_deref())?;
    Ok((text, budget(arguments.max_chars)?))
}

async fn resolve(db: &Db, arguments: ResolveArguments) -> Result<CallToolResult, CallError> {
    let (text, max_chars) = draft(&arguments)?;
    let answer = api::resolve(db, &text, arguments.corpus.as_deref(), arguments.as_of.as_deref()).await?;
    Ok(render::reply(ResolveResult::new(answer), max_chars))
}

async fn verify(db: &Db, arguments: ResolveArguments) -> Result<CallToolResult, CallError> {
    let (text, max_chars) = draft(&arguments)?;
    let answer = api::verify(db, &text, arguments.corpus.as_deref(), arguments.as_of.as_deref()).await?;
    Ok(render::reply(VerifyResult::new(answer), max_chars))
}

async fn compare(db: &Db, arguments: CompareArguments) -> Result<CallToolResult, CallError> {
    let corpus_a = named(arguments.corpus_a, "corpus_a")?;
    let corpus_b = named(arguments.corpus_b, "corpus_b")?;
    let max_chars = budget(arguments.max_chars)?;
    let question = Compare {
        corpus_a: &corpus_a,
        corpus_b: &corpus_b,
        chapter: arguments.chapter.as_deref(),
        edition_a: arguments.edition_a.as_deref(),
        edition_b: arguments.edition_b.as_deref(),
    };
    let answer = api::compare(db, &question).await?;
    Ok(render::reply(CompareResult::new(answer, &question), max_chars))
}

async fn chapters(db: &Db, arguments: ChaptersArguments) -> Result<CallToolResult, CallError> {
    let corpus = named(arguments.corpus, "corpus")?;
    let max_chars = budget(arguments.max_chars)?;
    let answer = api::toc(db, &corpus).await?;
    Ok(render::reply(ChaptersResult::new(answer, &corpus), max_chars))
}

async fn amendments(db: &Db, arguments: AmendmentsArguments) -> Result<CallToolResult, CallError> {
    check_day(arguments.as_of.as_deref())?;
    let max_chars = budget(arguments.max_chars)?;
    let (corpus, number) = (arguments.corpus.as_deref(), arguments.number.as_deref());
    let answer = api::amendments(db, corpus, number, arguments.as_of.as_deref()).await?;
    Ok(render::reply(AmendmentsResult::new(answer, corpus, number), max_chars))
}

/// An argument that must be given.
pub fn named(value: Option<String>, name: &str) -> Result<String, CallError> {
    value.ok_or_else(|| CallError::Arguments(format!("{name} is empty: it must be given")))
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

/// The most characters of a result.
pub fn budget(max_chars: Option<i64>) -> Result<usize, CallError> {
    let chars = max_chars.map_or(Ok(DEFAULT_CHARS), usize::try_from).unwrap_or(0);
    if (LEAST_CHARS..=MOST_CHARS).contains(&chars) {
        return Ok(chars);
    }
    Err(CallError::Arguments(format!(
        "max_chars must be between {LEAST_CHARS} and {MOST_CHARS}; the default is {DEFAULT_CHARS}"
    )))
}

/// Wrong arguments come back as text that the model can act on.
pub fn read<T: DeserializeOwned>(arguments: Value, tool: &str) -> Result<T, CallError> {
    serde_json::from_value(arguments).map_err(|error| {
        CallError::Arguments(format!("the arguments of {tool} are wrong: {error}. Correct them as its input schema says, and call again."))
    })
}

#[cfg(test)]
mod tests {
    use rmcp::model::JsonObject;
    use serde_json::json;

    use super::*;
    use crate::mcp::arguments::IngestArguments;
    use crate::mcp::catalog;

    #[test]
    fn the_schemas_name_what_is_read() {
        let sample = |schema: &Value| match schema["type"].as_str() {
            Some("integer") => json!(schema["default"]),
            Some("array") => json!(["body"]),
            Some("boolean") => json!(true),
            _ => json!("x"),
        };
        for tool in catalog::list().into_iter().chain([catalog::ingest()]) {
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
                "resolve_reference" | "verify_answer" => {
                    serde_json::from_value::<ResolveArguments>(all).map(|_| ())
                }
                "compare_editions" => serde_json::from_value::<CompareArguments>(all).map(|_| ()),
                "list_chapters" => serde_json::from_value::<ChaptersArguments>(all).map(|_| ()),
                "list_amendments" => serde_json::from_value::<AmendmentsArguments>(all).map(|_| ()),
                "ingest_document" => serde_json::from_value::<IngestArguments>(all).map(|_| ()),
                _ => serde_json::from_value::<CorporaArguments>(all).map(|_| ()),
            };
            result.unwrap();
        }
    }
}

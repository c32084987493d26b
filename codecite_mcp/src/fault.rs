//! What went wrong, and what to do next. One type for the terminal and for tool errors.

use std::fmt;

use serde::Serialize;
use tokio_postgres::error::SqlState;

/// The classes of faults that callers treat differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The database did not answer: nothing is known about what it holds.
    Unreachable,
    /// The database answered, but codecite cannot be used in it.
    NotReady,
    /// The statement ran longer than allowed, or was cancelled.
    Stopped,
    /// The database refused the statement.
    Refused,
    /// The call itself is wrong, or a file cannot be read.
    Input,
}

/// An error with its next step.
#[derive(Debug, Clone, Serialize)]
pub struct Fault {
    /// Its class.
    pub kind: Kind,
    /// What happened, in one sentence.
    pub message: String,
    /// The SQLSTATE, where Postgres raised it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sqlstate: Option<Box<str>>,
    /// The server's detail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Box<str>>,
    /// The server's hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Box<str>>,
    /// What to do next.
    pub next: String,
}

impl Fault {
    /// A fault that did not come from the database.
    pub fn new(kind: Kind, message: impl Into<String>, next: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), sqlstate: None, detail: None, hint: None, next: next.into() }
    }

    /// No connection could be made, or it broke. `target` names the server without its password.
    pub fn unreachable(target: &str, error: &tokio_postgres::Error) -> Fault {
        if let Some(answer) = error.as_db_error() {
            let connecting = Fault::refused(answer);
            if connecting.kind == Kind::NotReady {
                return connecting;
            }
        }
        let message = format!("the database could not be reached ({target}): {}", chain(error));
        Fault::new(Kind::Unreachable, message, UNREACHABLE_NEXT)
    }

    /// No answer came in time.
    pub fn silent(target: &str, seconds: u64) -> Fault {
        let message = format!("the database could not be reached ({target}): no answer within {seconds} s");
        Fault::new(Kind::Unreachable, message, UNREACHABLE_NEXT)
    }

    /// The database's own error.
    pub fn refused(error: &tokio_postgres::error::DbError) -> Fault {
        let (kind, next) = next_step(error.code(), error.message());
        Fault {
            kind,
            message: error.message().to_owned(),
            sqlstate: Some(error.code().code().into()),
            detail: error.detail().map(Box::from),
            hint: error.hint().map(Box::from),
            next: next.to_owned(),
        }
    }
}

const UNREACHABLE_NEXT: &str = "Start Postgres or correct --database-url, CODECITE_DATABASE_URL or PGHOST/PGPORT, then \
                                run `codecite doctor`. Nothing was looked up, so nothing can be said about what the \
                                codes contain.";

fn next_step(code: &SqlState, message: &str) -> (Kind, &'static str) {
    match code {
        &SqlState::INVALID_SCHEMA_NAME | &SqlState::UNDEFINED_FUNCTION | &SqlState::UNDEFINED_TABLE => (
            Kind::NotReady,
            "The extension is missing in this database, or is of another version: as a superuser run CREATE EXTENSION \
             codecite CASCADE; (or ALTER EXTENSION codecite UPDATE;), then `codecite doctor`.",
        ),
        &SqlState::INSUFFICIENT_PRIVILEGE => (
            Kind::NotReady,
            "Ask the owner of the extension for access: SELECT codecite.grant_read('your_role'); (grant_write to ingest).",
        ),
        &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => (
            Kind::NotReady,
            "Check user and password in the database URL, PGUSER and PGPASSWORD, and pg_hba.conf.",
        ),
        &SqlState::INVALID_CATALOG_NAME => {
            (Kind::NotReady, "Create the database, or name another one in the database URL or PGDATABASE.")
        }
        &SqlState::READ_ONLY_SQL_TRANSACTION => (
            Kind::NotReady,
            "This server takes no writes (a replica, or default_transaction_read_only): use the primary.",
        ),
        &SqlState::QUERY_CANCELED if message.contains("timeout") => (
            Kind::Stopped,
            "Ask something narrower (one corpus, one chapter, a smaller k), or raise the time limit with --timeout.",
        ),
        &SqlState::QUERY_CANCELED => {
            (Kind::Stopped, "It was cancelled before it had an answer: ask again if it is still wanted.")
        }
        _ => (Kind::Refused, "Correct the arguments as the message and the hint say, then call again."),
    }
}

/// An error with its causes: the outer message alone ("error connecting to server") helps nobody.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(sqlstate) = &self.sqlstate {
            write!(f, " (SQLSTATE {sqlstate})")?;
        }
        if let Some(detail) = &self.detail {
            write!(f, "\nDetail: {detail}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nHint: {hint}")?;
        }
        write!(f, "\nNext: {}", self.next)
    }
}

impl std::error::Error for Fault {}

//! The operator commands.

pub mod amendments;
pub mod chapters;
pub mod compare;
pub mod completions;
pub mod context;
pub mod corpora;
pub mod define;
pub mod doctor;
pub mod drop;
pub mod embed;
pub mod eval;
pub mod export;
pub mod fetch_oac;
pub mod ingest;
pub mod init;
pub mod model;
pub mod resolve;
pub mod search;
pub mod section;
pub mod verify;

use std::io::{IsTerminal, Write};

use serde::Serialize;

use crate::fault::Fault;
use crate::output;

/// How a command ended; its number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// Something failed.
    Error = 1,
    /// The corpora do not cover what was asked.
    NotCovered = 3,
    /// A mean broke the limit that was set for it.
    BelowLimit = 4,
}

/// Prints to standard output. A reader that has gone away (`codecite … | head`) is no error.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a value as JSON.
pub fn print_json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print(&format!("{text}\n")),
        Err(error) => eprintln!("codecite: the answer cannot be written as JSON: {error}"),
    }
}

/// Prints an error, for programs also as JSON on standard output.
pub fn print_fault(fault: &Fault, json: bool) {
    if json {
        print_json(&serde_json::json!({ "error": fault }));
    }
    let text = format!("codecite: {}", output::clean(&fault.to_string()));
    // Wrapped for people only: what a program reads keeps its lines.
    if std::io::stderr().is_terminal() {
        eprint!("{}", output::wrap(&text, output::width(), ""));
    } else {
        eprintln!("{text}");
    }
}

/// Prints the server's notices.
pub fn print_notices(notices: &[String]) {
    for notice in notices {
        eprintln!("notice: {}", output::clean(notice));
    }
}

/// That what was looked for is not there, or that nothing can be said about it.
pub fn not_there(what: &str, status: &str, note: Option<&str>) -> String {
    let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
    let text = match status {
        "not_indexed" => format!(
            "Nothing is indexed where {what} was looked for{note}. That says nothing about what the code contains: \
             `codecite corpora` shows what is there."
        ),
        _ => format!("{what} is not in this corpus{note}."),
    };
    output::wrap(&text, output::width(), "")
}

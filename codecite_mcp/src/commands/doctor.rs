//! `codecite doctor`: can the database be reached, and what does the extension say of itself?

use std::time::Instant;

use super::{Status, print, print_json};
use crate::api::{self, Check};
use crate::db::Db;
use crate::fault::{Fault, Kind};
use crate::output;

/// Prints the checks; an error among them is an error of the command.
pub async fn run(db: &Db, json: bool) -> Result<Status, Fault> {
    let started = Instant::now();
    let checks = match api::doctor(db).await {
        Ok(answer) => {
            let detail = format!("{} ({} ms)", db.name(), started.elapsed().as_millis());
            let mut checks = vec![check("connection", "ok", detail, None)];
            checks.extend(answer.rows);
            checks
        }
        Err(fault) => failed(db, fault),
    };
    let is_broken = checks.iter().any(|check| check.status == "error");
    if json {
        print_json(&checks);
    } else {
        print(&render(&checks));
    }
    Ok(if is_broken { Status::Error } else { Status::Ok })
}

/// The checks as far as they came: a database that answers is told from one that does not.
fn failed(db: &Db, fault: Fault) -> Vec<Check> {
    let mut text = fault.message.clone();
    for more in [&fault.sqlstate, &fault.detail, &fault.hint].into_iter().flatten() {
        text.push_str("; ");
        text.push_str(more);
    }
    if fault.kind == Kind::Unreachable
        || fault.sqlstate.as_deref().is_some_and(|code| code.starts_with("28") || code == "3D000")
    {
        return vec![check("connection", "error", text, Some(fault.next))];
    }
    vec![
        check("connection", "ok", db.name().to_owned(), None),
        check("extension", "error", text, Some(fault.next)),
    ]
}

fn check(name: &str, status: &str, detail: String, fix: Option<String>) -> Check {
    Check { check: name.to_owned(), status: status.to_owned(), detail: Some(detail), fix }
}

fn render(checks: &[Check]) -> String {
    let widest = checks.iter().map(|check| check.check.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for check in checks {
        let mark = match check.status.as_str() {
            "ok" => "ok     ",
            "warning" => "warning",
            _ => "ERROR  ",
        };
        let name = format!("{:widest$}", check.check);
        let indent = " ".repeat(widest + 11);
        let detail = output::wrap(check.detail.as_deref().unwrap_or(""), output::width(), &indent);
        out.push_str(&format!("{mark}  {}  {}\n", output::bold(&name), detail.trim()));
        if let Some(fix) = &check.fix {
            out.push_str(&output::wrap(&format!("→ {fix}"), output::width(), &indent));
        }
    }
    out
}

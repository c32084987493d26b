//! `codecite section`: the whole text of a section by its number.

use super::{Status, not_there, print, print_json, print_notices};
use crate::api::{self, Section};
use crate::cli::SectionArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the section, the highest layer first; a number that is not there has its own exit code.
pub async fn run(db: &Db, args: &SectionArgs, json: bool) -> Result<Status, Fault> {
    let answer =
        api::section(db, &args.number, args.corpus.as_deref(), args.layer.as_deref(), args.as_of.as_deref())
            .await?;
    print_notices(&answer.notices);
    let missing = answer.rows.iter().find(|row| row.status != "found");
    let status = missing.map_or_else(
        || {
            if answer.rows.is_empty() { "not_in_corpus".to_owned() } else { "found".to_owned() }
        },
        |row| row.status.clone(),
    );
    let note = answer.rows.iter().find_map(|row| row.note.clone());
    let found: Vec<&Section> = answer.rows.iter().filter(|row| row.status == "found").collect();
    if json {
        print_json(&serde_json::json!({ "status": status, "note": note, "sections": found }));
    } else if found.is_empty() {
        print(&not_there(&args.number, &status, note.as_deref()));
    } else {
        if let Some(note) = &note {
            eprintln!("note: {}", output::clean(note));
        }
        let parts: Vec<String> = found.iter().map(|section| render(section, output::width())).collect();
        print(&parts.join("\n"));
    }
    Ok(if found.is_empty() { Status::NotCovered } else { Status::Ok })
}

fn render(section: &Section, width: usize) -> String {
    let mut out = format!("{}\n", output::bold(section.citation.as_deref().unwrap_or("")));
    let about = [
        section.breadcrumb.clone(),
        section.layer.as_ref().map(|layer| format!("layer {layer}")),
        section.effective.as_ref().map(|days| format!("in force {days}")),
    ];
    let about: Vec<String> = about.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    out.push_str(&output::wrap(&about.join(" · "), width, ""));
    if let Some(body) = section.body.as_deref().filter(|body| !body.trim().is_empty()) {
        out.push('\n');
        out.push_str(&output::wrap(body.trim_end(), width, ""));
    }
    out.push_str(&standing(section, width));
    for (name, list) in [("Contains", &section.children), ("See also", &section.refs)] {
        let Some(list) = list.as_ref().filter(|list| !list.is_empty()) else {
            continue;
        };
        out.push('\n');
        if name == "Contains" {
            out.push_str("Contains\n");
            for child in list {
                out.push_str(&output::wrap(child, width, "  "));
            }
        } else {
            out.push_str(&output::wrap(&format!("{name} {}", list.join(", ")), width, ""));
        }
    }
    out
}

/// What the amendments in force make of it.
fn standing(section: &Section, width: usize) -> String {
    let mut out = String::new();
    let items = |list: &Option<Vec<String>>| list.clone().unwrap_or_default();
    if let Some(standing) = &section.standing {
        let by = items(&section.amended_by);
        let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
        out.push_str(&format!("\n{}\n", output::bold(&format!("Standing: {standing}{by}"))));
    }
    for reason in items(&section.unapplied) {
        out.push_str(&output::wrap(&format!("Not applied: {reason}"), width, ""));
    }
    // Where there are words to compare, the redline shows both texts in one.
    if let Some(text) = section.redline.as_ref().or(section.amended_text.as_ref()) {
        out.push_str(&output::paint(&output::wrap(text.trim_end(), width, "")));
    }
    let below = items(&section.amended_children);
    if !below.is_empty() {
        out.push_str(&output::wrap(&format!("Amended below it: {}", below.join(", ")), width, ""));
    }
    out
}

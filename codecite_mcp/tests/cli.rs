//! The command line without a database: usage, exit codes, error texts.

use std::process::{Command, Output};

const NOWHERE: &str = "postgresql://nobody:secret-word@127.0.0.1:1/none";

fn codecite(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_codecite"))
        .args(arguments)
        .env("CODECITE_DATABASE_URL", NOWHERE)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_names_commands_and_exit_codes() {
    let output = codecite(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    let help = text(&output.stdout);
    let commands =
        ["doctor", "ingest", "search", "section", "context", "define", "resolve", "compare", "amendments"];
    let more = [
        "corpora",
        "chapters",
        "drop",
        "model",
        "completions",
        "embed",
        "eval",
        "serve",
        "init",
        "export",
        "fetch-oac",
        "Exit codes",
        "CODECITE_DATABASE_URL",
    ];
    for word in commands.into_iter().chain(more) {
        assert!(help.contains(word), "{word} is missing in:\n{help}");
    }
    assert!(!help.contains("secret-word"));
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let wrong: [&[&str]; 29] = [
        &[],
        &["no-such-command"],
        &["search"],
        &["search", "x", "--k", "0"],
        &["search", "x", "--mode", "magic"],
        &["section", "1", "--as-of", "2023-02-29"],
        &["ingest", "file.md"],
        &["compare", "only-one"],
        &["resolve"],
        &["amendments", "c", "--as-of", "2023-13-01"],
        &["chapters"],
        &["drop"],
        &["eval"],
        &["eval", "f.yaml", "--modes", "magic"],
        &["eval", "f.yaml", "--k", "5"],
        &["eval", "f.yaml", "--fail-under", "hit@2=0.5"],
        &["eval", "f.yaml", "--fail-over", "false_abstain=5"],
        &["drop", "c", "--edition", "2022"],
        &["model", "add"],
        &["completions", "no-such-shell"],
        &["ingest", "file.md", "--corpus", "c", "--jobs", "0"],
        &["ingest", "file.md", "--corpus", "c", "--dry-run", "--show-tree"],
        &["export"],
        &["export", "c", "--format", "pdf"],
        &["fetch-oac", "4101:1"],
        &["init", "surplus"],
        &["embed", "--jobs", "0"],
        &["embed", "--endpoint-model", "x"],
        &["ingest", "file.md", "--corpus", "c", "--effective", "2025-01-01..2022-01-01"],
    ];
    for arguments in wrong {
        let output = codecite(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_unreachable_database_is_exit_code_1_and_says_what_next() {
    for arguments in [&["search", "stairs"][..], &["section", "1004.5"][..]] {
        let output = codecite(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(
            message.contains("could not be reached (127.0.0.1 port 1, database none, user nobody)"),
            "{message}"
        );
        assert!(message.contains("Next: ") && !message.contains("secret-word"), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn completions_need_no_database() {
    for shell in ["bash", "zsh", "fish"] {
        let output = codecite(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("amendments"), "{shell}");
    }
}

#[test]
fn doctor_reports_what_it_could_not_reach() {
    let output = codecite(&["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(report.contains("ERROR") && report.contains("connection") && report.contains('→'), "{report}");
    let output = codecite(&["doctor", "--json"]);
    let checks: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (checks[0]["check"].as_str(), checks[0]["status"].as_str()),
        (Some("connection"), Some("error"))
    );
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let output = codecite(&["search", "x", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["error"]["kind"], "unreachable");
}

#[test]
fn a_file_that_is_missing_is_named() {
    let output = codecite(&["ingest", "/no/such/file.md", "--corpus", "c"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/no/such/file.md cannot be read"));
    assert!(text(&output.stdout).contains("0 ingested, 0 unchanged, 1 failed"), "{}", text(&output.stdout));
}

#[test]
fn one_document_key_is_not_for_many_files() {
    let folder = std::env::temp_dir().join(format!("codecite-cli-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("below/.hidden")).unwrap();
    for name in ["a.md", "below/b.HTML", "below/.hidden/c.md", "notes.xyz", "README.md"] {
        std::fs::write(folder.join(name), "x").unwrap();
    }
    let path = folder.to_str().unwrap();
    let output = codecite(&["ingest", path, "--corpus", "c", "--document", "d"]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("2 files were found"), "{}", text(&output.stderr));
}

#[test]
fn a_bad_url_is_explained_without_its_password() {
    let output = codecite(&["--database-url", "postgresql://bob:hidden-word@host:port/x", "doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.contains("cannot be read") && message.contains("Next: ") && !message.contains("hidden-word"),
        "{message}"
    );
}

#[test]
fn questions_are_read_before_anything_is_connected() {
    let path = std::env::temp_dir().join(format!("codecite-cli-{}.yaml", std::process::id()));
    std::fs::write(&path, "- id: a\n  corpus: c\n  expected_sections: []\n").unwrap();
    let output = codecite(&["eval", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("entry 1 (a): field question: missing"), "{message}");
    let output = codecite(&["eval", "/no/such/questions.yaml"]);
    assert!(text(&output.stderr).contains("/no/such/questions.yaml cannot be read"));
}

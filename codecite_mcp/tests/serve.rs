//! `codecite serve` as a client sees it, without a database: everything here must work before one is reachable.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A port where nobody listens.
const NOWHERE: &str = "postgresql://nobody:secret-word@127.0.0.1:1/none";
const PATIENCE: Duration = Duration::from_secs(20);

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Server {
    fn start() -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_codecite"))
            .arg("serve")
            .env("CODECITE_DATABASE_URL", NOWHERE)
            .env("RUST_LOG", "debug")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if line.map(|line| sender.send(line)).is_err() {
                    break;
                }
            }
        });
        // Read away, or the server would block once the pipe is full.
        let mut errors = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
        });
        Server { input: child.stdin.take(), child, lines }
    }

    fn ready() -> Server {
        let mut server = Server::start();
        server.initialize();
        server
    }

    fn initialize(&mut self) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}}));
        let answer = self.next();
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// The next line, which must be JSON-RPC: nothing else may be on standard output.
    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        let value: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON on stdout: {line}"));
        assert_eq!(value["jsonrpc"], "2.0", "{line}");
        value
    }

    fn request(&mut self, id: i64, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn call(&mut self, id: i64, tool: &str, arguments: Value) -> (bool, String) {
        let answer = self.request(id, "tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        (result["isError"] == true, result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn initialize_is_answered_without_a_database() {
    let started = Instant::now();
    let mut server = Server::start();
    let answer = server.initialize();
    assert!(started.elapsed() < Duration::from_secs(5));
    let result = &answer["result"];
    assert_eq!(result["serverInfo"]["name"], "codecite");
    assert_eq!(result["protocolVersion"], "2025-06-18");
    let instructions = result["instructions"].as_str().unwrap();
    assert!(
        instructions.len() < 2048
            && instructions.contains("Cite or abstain")
            && instructions.contains("never an instruction")
    );
}

#[test]
fn tools_are_listed_with_both_schemas() {
    let mut server = Server::ready();
    let answer = server.request(1, "tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "search_code",
            "get_section",
            "get_context",
            "resolve_reference",
            "verify_answer",
            "compare_editions",
            "list_corpora",
            "list_chapters",
            "list_amendments"
        ]
    );
    for tool in tools {
        let description = tool["description"].as_str().unwrap();
        assert!(!description.is_empty() && description.len() < 2048);
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["annotations"]["openWorldHint"], false);
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
            assert!(property["type"].is_string(), "{name}");
        }
    }
}

#[test]
fn an_unreachable_database_is_not_an_empty_answer() {
    let mut server = Server::ready();
    let calls = [
        ("search_code", json!({"query": "stairs"})),
        ("get_section", json!({"number": "1004.5"})),
        ("resolve_reference", json!({"text": "see Section 1004.5"})),
        ("verify_answer", json!({"text": "see Section 1004.5"})),
        ("compare_editions", json!({"corpus_a": "a", "corpus_b": "b"})),
        ("list_corpora", json!({})),
        ("list_chapters", json!({"corpus": "a"})),
        ("list_amendments", json!({})),
    ];
    for (id, (tool, arguments)) in (1..).zip(calls) {
        let (is_error, text) = server.call(id, tool, arguments);
        assert!(is_error, "{text}");
        assert!(text.contains("could not be reached") && text.contains("Next: "), "{text}");
        for lie in ["not found", "not_in_corpus", "not_covered", "not_indexed"] {
            assert!(!text.contains(lie), "{text}");
        }
        assert!(!text.contains("secret-word"), "{text}");
    }
}

#[test]
fn wrong_arguments_are_told_to_the_model() {
    let mut server = Server::ready();
    let wrong = [
        ("search_code", json!({}), "query"),
        ("search_code", json!({"query": "  "}), "query"),
        ("search_code", json!({"query": "x", "k": 0}), "k"),
        ("search_code", json!({"query": "x", "limit": 1}), "limit"),
        ("search_code", json!({"query": "x", "as_of": "last year"}), "as_of"),
        ("search_code", json!({"query": "x", "max_chars": 5}), "max_chars"),
        ("get_section", json!({"number": ""}), "number"),
        ("get_section", json!({"number": "1", "offset": -1}), "offset"),
        ("resolve_reference", json!({"text": ""}), "text"),
        ("resolve_reference", json!({"text": "x".repeat(20_001)}), "20000"),
        ("verify_answer", json!({"text": " "}), "text"),
        ("verify_answer", json!({"text": "x".repeat(20_001)}), "20000"),
        ("compare_editions", json!({"corpus_a": "a"}), "corpus_b"),
        ("compare_editions", json!({"corpus_a": "a", "corpus_b": " "}), "corpus_b"),
        ("list_chapters", json!({}), "corpus"),
        ("list_amendments", json!({"as_of": "2023-02-29"}), "as_of"),
    ];
    for (id, (tool, arguments, names)) in (1..).zip(wrong) {
        let (is_error, text) = server.call(id, tool, arguments);
        assert!(is_error && text.contains(names), "{tool}: {text}");
    }
    let answer = server.request(99, "tools/call", json!({"name": "no_such_tool"}));
    assert!(answer["error"]["message"].as_str().unwrap().contains("search_code"), "{answer}");
}

#[test]
fn resources_and_prompts_are_offered() {
    let mut server = Server::ready();
    let templates = server.request(1, "resources/templates/list", json!({}));
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap();
    let uris: Vec<&str> = templates.iter().filter_map(|template| template["uriTemplate"].as_str()).collect();
    assert_eq!(uris, ["codecite://{corpus}/toc", "codecite://{corpus}/section/{number}"]);
    let prompts = server.request(2, "prompts/list", json!({}));
    let prompts = prompts["result"]["prompts"].as_array().unwrap();
    let names: Vec<&str> = prompts.iter().filter_map(|prompt| prompt["name"].as_str()).collect();
    assert_eq!(names, ["code_question", "compare_to_standard"]);
    let prompt = server.request(
        3,
        "prompts/get",
        json!({"name": "code_question", "arguments": {"question": "How wide?"}}),
    );
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("How wide?") && text.contains("never an instruction"), "{text}");
    let wrong = server.request(4, "prompts/get", json!({"name": "code_question"}));
    assert!(wrong["error"]["message"].as_str().unwrap().contains("question"), "{wrong}");
    // Nothing was looked up: an error, and not an empty list or text.
    for (id, (method, params)) in (5..).zip([
        ("resources/list", json!({})),
        ("resources/read", json!({"uri": "codecite://a/section/1"})),
        ("resources/read", json!({"uri": "codecite://a/toc"})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "codecite://{corpus}/toc"}, "argument": {"name": "corpus", "value": ""}}),
        ),
    ]) {
        let answer = server.request(id, method, params);
        assert!(answer["error"]["message"].as_str().unwrap().contains("could not be reached"), "{answer}");
    }
    let answer = server.request(20, "resources/read", json!({"uri": "codecite://a/other"}));
    assert!(answer["error"]["message"].as_str().unwrap().contains("codecite://{corpus}/toc"), "{answer}");
    let answer = server.request(21, "resources/read", json!({}));
    assert_eq!(answer["error"]["code"], -32602);
}

#[test]
fn bad_lines_do_not_end_the_session() {
    let mut server = Server::start();
    // Before `initialize` too.
    server.raw(b"\n\r\nhello\n{\n\xff\xfe\x00\nnull\n[]\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    server.raw(b"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n");
    assert!(server.initialize()["result"].is_object());

    let mut hostile: Vec<Vec<u8>> = Vec::new();
    for round in 0..50 {
        hostile.push(
            format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x{round}\",\"params\":null}}")
                .into_bytes(),
        );
        hostile.push(
            b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":12345}}"
                .to_vec(),
        );
        hostile.push("[".repeat(round * 20).into_bytes());
        hostile.push(b"{\"jsonrpc\":\"1.0\",\"method\":3}".to_vec());
        hostile.push(vec![0x80 | round as u8; 300]);
    }
    hostile.push(vec![b'x'; 5 << 20]);
    for line in &hostile {
        server.raw(line);
        server.raw(b"\n");
    }
    server.raw(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n");
    assert_eq!(server.next()["id"], 1);
    server.raw(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":null}\n");
    assert!(server.next()["result"]["tools"].is_array());
    server.raw(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"no/such/method\",\"params\":null}\n");
    assert_eq!(server.next()["error"]["code"], -32601);
    server.raw(b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":[]}\n");
    let answer = server.next();
    assert_eq!((answer["id"].as_i64(), answer["error"]["code"].as_i64()), (Some(4), Some(-32602)));
    server.raw(b"[{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}]\n");
    let mut ids = [server.next()["id"].as_i64(), server.next()["id"].as_i64()];
    ids.sort();
    assert_eq!(ids, [Some(5), Some(6)]);
    assert!(server.request(7, "tools/list", json!({}))["result"].is_object());
}

#[test]
fn the_end_of_input_ends_the_server() {
    let mut server = Server::ready();
    drop(server.input.take());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = server.child.try_wait().unwrap() {
            break status;
        }
        assert!(started.elapsed() < PATIENCE, "the server outlived its client");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success());
}

#[test]
fn logs_go_to_stderr() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_codecite"))
        .arg("serve")
        .env("CODECITE_DATABASE_URL", NOWHERE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"this is no JSON\n").unwrap();
    let (mut out, mut errors) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    child.wait().unwrap();
    assert_eq!(out, "");
    assert!(errors.contains("ignored") && !errors.contains('\u{1b}'), "{errors}");
}

//! `codecite serve --transport http` as a client sees it, without a database.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const NOWHERE: &str = "postgresql://nobody:secret-word@127.0.0.1:1/none";
const TOKEN: &str = "0123456789abcdef0123";
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;

struct Server {
    child: Child,
    port: u16,
}

fn command(arguments: &[&str], token: Option<&str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_codecite"));
    command
        .args(["serve", "--transport", "http", "--port", "0"])
        .args(arguments)
        .env("CODECITE_DATABASE_URL", NOWHERE)
        .env_remove("CODECITE_HTTP_TOKEN")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(token) = token {
        command.env("CODECITE_HTTP_TOKEN", token);
    }
    command
}

fn refused(arguments: &[&str], token: Option<&str>) -> String {
    let output: Output = command(arguments, token).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

impl Server {
    fn start(arguments: &[&str], token: Option<&str>) -> Server {
        let mut child = command(arguments, token).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}"));
        let port = address.trim_end().trim_end_matches("/mcp").rsplit(':').next().unwrap().parse().unwrap();
        Server { child, port }
    }

    /// Sends a request as it stands, and reads the answer to the end: status and body.
    fn raw(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let host = if headers.contains("Host:") {
            String::new()
        } else {
            format!("Host: localhost:{}\r\n", self.port)
        };
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(text.as_bytes())
    }

    fn post(&self, headers: &str, body: &str) -> (u16, String) {
        self.request("POST", "/mcp", headers, body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn requests_are_answered_without_a_session() {
    let server = Server::start(&[], None);
    let begin = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
    let (status, answer) = server.post("", begin);
    assert!(status == 200 && answer.contains("serverInfo"), "{answer}");
    let (status, answer) = server.post("MCP-Protocol-Version: 2025-06-18\r\n", LIST);
    assert!(status == 200 && answer.contains("compare_editions"), "{answer}");
    let call =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_corpora","arguments":{}}}"#;
    let (status, answer) = server.post("MCP-Protocol-Version: 2025-06-18\r\n", call);
    assert!(
        status == 200 && answer.contains("could not be reached") && answer.contains("isError"),
        "{answer}"
    );
    assert!(!answer.contains("secret-word"), "{answer}");
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server =
        Server::start(&["--allow-origin", "https://good.example:443", "--allow-host", "codes.example"], None);
    assert_eq!(server.post("Host: evil.example\r\n", LIST).0, 403);
    assert_eq!(server.post("Origin: https://evil.example\r\n", LIST).0, 403);
    assert_eq!(server.post("Origin: null\r\n", LIST).0, 403);
    assert_eq!(server.post("Host: codes.example\r\nOrigin: https://good.example\r\n", LIST).0, 200);
    let strict = Server::start(&[], None);
    assert_eq!(strict.post("Origin: http://localhost:3000\r\n", LIST).0, 403);
}

#[test]
fn the_token_is_needed_where_there_is_one() {
    let server = Server::start(&[], Some(TOKEN));
    let (status, answer) = server.post("", LIST);
    assert!(status == 401 && answer.to_lowercase().contains("www-authenticate: bearer"), "{answer}");
    assert_eq!(server.post("Authorization: Bearer 0123456789abcdef0124\r\n", LIST).0, 401);
    assert_eq!(server.post(&format!("Authorization: Bearer {TOKEN}\r\n"), LIST).0, 200);
}

#[test]
fn other_machines_need_a_token() {
    let message = refused(&["--host", "0.0.0.0"], None);
    assert!(message.contains("there is no token") && message.contains("Next: "), "{message}");
    let message = refused(&["--host", "0.0.0.0"], Some(TOKEN));
    assert!(message.contains("--allow-host"), "{message}");
    let message = refused(&[], Some("short"));
    assert!(message.contains("16 or more") && !message.contains("short\n"), "{message}");
    let message = refused(&["--token-file", "/no/such/file"], None);
    assert!(message.contains("/no/such/file cannot be read"), "{message}");
    let server = Server::start(&["--host", "0.0.0.0", "--allow-host", "localhost"], Some(TOKEN));
    assert_eq!(server.post("", LIST).0, 401);
}

#[test]
fn what_is_no_request_does_no_harm() {
    let server = Server::start(&[], None);
    assert_eq!(server.request("GET", "/mcp", "", "").0, 405);
    assert_eq!(server.request("POST", "/other", "", LIST).0, 404);
    assert_eq!(server.post("", &format!("{{\"x\":\"{}\"}}", "y".repeat(2 << 20))).0, 413);
    for hostile in ["", "{", "[]", "null", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#] {
        assert!(
            (400..500).contains(&server.post("", hostile).0) || server.post("", hostile).1.contains("error"),
            "{hostile}"
        );
    }
    let _ = server.raw(b"\x00\xff\x16\x03\x01 nonsense\r\n\r\n");
    assert_eq!(server.post("", LIST).0, 200);
}

#[test]
fn slow_clients_do_not_hold_the_server() {
    let server = Server::start(&[], None);
    let idle: Vec<TcpStream> =
        (0..70).map(|_| TcpStream::connect(("127.0.0.1", server.port)).unwrap()).collect();
    // More than may be open: this waits until the idle ones have been thrown out.
    let (status, answer) = server.post("", LIST);
    assert_eq!(status, 200, "{answer}");
    drop(idle);
}

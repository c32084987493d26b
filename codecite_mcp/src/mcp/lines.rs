//! JSON-RPC over lines that a bad line cannot end.
//!
//! What cannot be parsed at all is logged and ignored, since nobody could match an answer to it. What is JSON with
//! an id but no valid request is answered with an error under that id, so that no client waits for ever.

use std::io;
use std::sync::Arc;

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RoleServer, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};

/// Longer lines are skipped to their end.
const LONGEST_LINE: usize = 4 << 20;
/// Messages read ahead of the service.
const AHEAD: usize = 64;

/// The transport. Its clones share the streams, so that a session can be begun anew on them.
#[derive(Clone)]
pub struct Lines {
    incoming: Arc<Mutex<mpsc::Receiver<ClientJsonRpcMessage>>>,
    out: Out,
}

type Out = Arc<Mutex<Box<dyn AsyncWrite + Send + Unpin>>>;

impl Lines {
    /// Starts to read. A task of its own does it: the service drops a pending `receive` whenever it has something
    /// else to do, and half a line must not be lost then.
    pub fn new(
        input: impl AsyncBufRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Lines {
        let out: Out = Arc::new(Mutex::new(Box::new(output)));
        let (sender, incoming) = mpsc::channel(AHEAD);
        tokio::spawn(read(input, sender, Arc::clone(&out)));
        Lines { incoming: Arc::new(Mutex::new(incoming)), out }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let out = Arc::clone(&self.out);
        async move { write(&out, &item).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.incoming.lock().await.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out.lock().await.flush().await
    }
}

async fn write(out: &Out, item: &ServerJsonRpcMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(item)?;
    line.push(b'\n');
    let mut out = out.lock().await;
    out.write_all(&line).await?;
    out.flush().await
}

async fn read(mut input: impl AsyncBufRead + Unpin, sender: mpsc::Sender<ClientJsonRpcMessage>, out: Out) {
    let mut line = Vec::new();
    loop {
        match next_line(&mut input, &mut line).await {
            Ok(Line::Whole) => {}
            Ok(Line::TooLong) => {
                tracing::warn!("a message of more than {LONGEST_LINE} bytes was ignored");
                continue;
            }
            Ok(Line::End) => return,
            Err(error) => {
                tracing::error!("standard input cannot be read: {error}");
                return;
            }
        }
        for message in parse(&line) {
            match message {
                Ok(message) => {
                    if sender.send(*message).await.is_err() {
                        return;
                    }
                }
                Err(answer) => {
                    if let Err(error) = write(&out, &answer).await {
                        tracing::error!("standard output cannot be written: {error}");
                        return;
                    }
                }
            }
        }
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the next newline, or to the end, into `line`.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut is_too_long = false;
    loop {
        let buffer = input.fill_buf().await?;
        if buffer.is_empty() {
            // A last line without a newline is still a message.
            return Ok(if is_too_long || line.is_empty() { Line::End } else { Line::Whole });
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = end.unwrap_or(buffer.len());
        is_too_long |= line.len() + part > LONGEST_LINE;
        if is_too_long {
            line.clear();
        } else {
            line.extend_from_slice(buffer.get(..part).unwrap_or(buffer));
        }
        let used = end.map_or(part, |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(if is_too_long { Line::TooLong } else { Line::Whole });
        }
    }
}

type Parsed = Result<Box<ClientJsonRpcMessage>, ServerJsonRpcMessage>;

/// The messages of a line: requests for the service, or errors to answer with. A batch is taken apart.
fn parse(line: &[u8]) -> Vec<Parsed> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Vec::new();
    }
    match serde_json::from_slice(line).or_else(|error| serde_json::from_str(&mended(line)).map_err(|_| error))
    {
        Ok(Value::Array(batch)) => batch.into_iter().filter_map(message).collect(),
        Ok(value) => message(value).into_iter().collect(),
        Err(error) => {
            tracing::warn!("a line that is no JSON was ignored: {error}");
            Vec::new()
        }
    }
}

/// The line with U+FFFD for what is no character: bytes that are not UTF-8, and halves of surrogate pairs, which clients send that
/// cut a text in the middle of one. Its request can then be answered.
fn mended(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_ref();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let half = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let first = half(escape).filter(|unit| (0xd800..0xe000).contains(unit));
        let second = escape.get(6..).and_then(half).filter(|unit| (0xdc00..0xe000).contains(unit));
        let length = match (first, second) {
            (Some(0xd800..0xdc00), Some(_)) => 12,
            (Some(_), _) => {
                out.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or("");
                continue;
            }
            // A backslash and what it escapes, which may be another one.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        let (whole, after) = escape.split_at(length);
        out.push_str(whole);
        rest = after;
    }
    out.push_str(rest);
    out
}

fn message(mut value: Value) -> Option<Parsed> {
    let id = value.get("id").and_then(request_id);
    if let Some(fields) = value.as_object_mut() {
        // "params": null means none, as does an "arguments" of null.
        if fields.get("params").is_some_and(Value::is_null) {
            fields.remove("params");
        }
        if let Some(params) = fields.get_mut("params").and_then(Value::as_object_mut) {
            params.retain(|name, value| {
                !(value.is_null() && matches!(name.as_str(), "arguments" | "cursor" | "_meta"))
            });
        }
    }
    let method = value.get("method").and_then(Value::as_str).map(str::to_owned);
    let method = method.filter(|_| value.get("jsonrpc").is_some_and(|version| version == "2.0"));
    let reason = match serde_json::from_value(value) {
        Ok(message) if !is_misread(&message) => return Some(Ok(Box::new(message))),
        Ok(_) => "its parameters are not valid".to_owned(),
        Err(error) => error.to_string(),
    };
    let Some(id) = id else {
        tracing::warn!("a message that is no valid request was ignored: {reason}");
        return None;
    };
    let answer = match method {
        Some(method) => ErrorData::new(
            ErrorCode::INVALID_PARAMS,
            format!("the parameters of {method} are not valid"),
            None,
        ),
        None => ErrorData::new(ErrorCode::INVALID_REQUEST, "this is no JSON-RPC 2.0 request", None),
    };
    Some(Err(ServerJsonRpcMessage::error(answer, Some(id))))
}

/// A method that is served, with parameters that do not fit it, comes out of the parser as an unknown method. Its
/// answer must not be "no such method".
fn is_misread(message: &ClientJsonRpcMessage) -> bool {
    const SERVED: [&str; 10] = [
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
        "completion/complete",
    ];
    let ClientJsonRpcMessage::Request(request) = message else {
        return false;
    };
    matches!(&request.request, ClientRequest::CustomRequest(custom) if SERVED.contains(&custom.method.as_str()))
}

fn request_id(value: &Value) -> Option<RequestId> {
    match value {
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str) -> Vec<bool> {
        parse(line.as_bytes()).iter().map(Result::is_ok).collect()
    }

    #[test]
    fn good_lines_pass() {
        assert_eq!(kinds("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r"), [true]);
        assert_eq!(kinds(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#), [true]);
        assert_eq!(kinds(r#"{"jsonrpc":"2.0","id":"a","method":"no/such","params":null}"#), [true]);
        assert_eq!(
            kinds(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#),
            [true, true]
        );
    }

    #[test]
    fn bad_lines_are_answered_if_they_have_an_id() {
        assert_eq!(kinds(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}"#), [false]);
        assert_eq!(kinds(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#), [false]);
        assert_eq!(kinds(r#"{"id":1}"#), [false]);
    }

    #[test]
    fn what_is_no_character_does_not_lose_a_request() {
        let call = |text: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"no/such","params":{{"a":"{text}"}}}}"#)
        };
        for text in [r"\ud800", r"x\udc00y", r"\ud83d \ude00", r"\ud83d\ud83d\ude00", r"\\\ud800"] {
            assert_eq!(kinds(&call(text)), [true], "{text}");
        }
        assert_eq!(mended(call(r"\ud83d\ude00 \\ud800 \n").as_bytes()), call(r"\ud83d\ude00 \\ud800 \n"));
        let mut line = call("?").into_bytes();
        let place = line.iter().position(|byte| *byte == b'?').unwrap();
        line[place] = 0xff;
        assert!(matches!(parse(&line).as_slice(), [Ok(_)]));
        assert_eq!(mended(b"\\"), "\\");
    }

    #[test]
    fn noise_is_ignored() {
        for line in ["", "  ", "hello", "{", "null", "3", "[]", "\"x\"", "{\"a\":1}", "\u{0}\u{1}"] {
            assert!(kinds(line).is_empty(), "{line}");
        }
        assert!(parse(b"\xff\xfe{}").is_empty());
    }

    #[tokio::test]
    async fn long_lines_are_skipped() {
        let text = format!("{}\nab\r\n\nlast", "x".repeat(LONGEST_LINE + 1));
        let mut input = text.as_bytes();
        let mut line = Vec::new();
        assert!(matches!(next_line(&mut input, &mut line).await, Ok(Line::TooLong)));
        assert!(matches!(next_line(&mut input, &mut line).await, Ok(Line::Whole)));
        assert_eq!(line, b"ab\r");
        assert!(matches!(next_line(&mut input, &mut line).await, Ok(Line::Whole)));
        assert!(line.is_empty());
        assert!(matches!(next_line(&mut input, &mut line).await, Ok(Line::Whole)));
        assert_eq!(line, b"last");
        assert!(matches!(next_line(&mut input, &mut line).await, Ok(Line::End)));
    }
}

//! MCP over HTTP, for clients on other machines. One path, one POST for each request; no sessions are kept, since every
//! tool only reads.

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::Bridge;
use crate::cli::ServeArgs;
use crate::commands::Status;
use crate::fault::{Fault, Kind};

/// Where clients post to.
const PATH: &str = "/mcp";
/// Connections that may be open at once; more wait to be accepted.
const CONNECTIONS: usize = 64;
/// A question is small; the longest text that a tool takes is far below this.
const LARGEST_BODY: usize = 1 << 20;
/// A client that sends its headers slower than this holds a connection for nothing.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// A request with its answer: above the time limit of a statement, and of the wait for a connection.
const REQUEST_TIME: Duration = Duration::from_secs(300);
/// Shorter tokens can be guessed.
const SHORTEST_TOKEN: usize = 16;
/// Where a token may stand instead of a file. Never an argument: other users see those.
const TOKEN_VARIABLE: &str = "CODECITE_HTTP_TOKEN";

type Service = StreamableHttpService<Bridge, NeverSessionManager>;
type Reply = Response<BoxBody<Bytes, Infallible>>;

/// What every request is checked with.
struct Gate {
    service: Service,
    token: Option<String>,
}

/// Listens until the process is told to end.
pub async fn serve(bridge: Bridge, args: &ServeArgs) -> Result<Status, Fault> {
    let token = token(args)?;
    let listener = listen(args, token.is_some()).await?;
    let address = listener.local_addr().map_err(|error| unusable(args, &error))?;
    let service = Service::new(move || Ok(bridge.clone()), Arc::default(), config(args, address)?);
    let gate = Arc::new(Gate { service, token });
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let mut end = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .map_err(|error| unusable(args, &error))?;
    let _ = writeln!(std::io::stderr(), "codecite: serving MCP on http://{address}{PATH}");
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            next = next => next,
            _ = end.recv() => return Ok(Status::Ok),
        };
        match accepted {
            Ok((stream, _)) => {
                let gate = Arc::clone(&gate);
                tokio::spawn(async move {
                    connection(stream, gate).await;
                    drop(slot);
                });
            }
            // Out of file descriptors, or a client that is gone already: others may still come.
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, gate: Arc<Gate>) {
    let service = service_fn(move |request| {
        let gate = Arc::clone(&gate);
        async move { Ok::<_, Infallible>(answer(&gate, request).await) }
    });
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    if let Err(error) = server.serve_connection(TokioIo::new(stream), service).await {
        tracing::debug!("a connection ended: {error}");
    }
}

async fn answer(gate: &Gate, request: Request<Incoming>) -> Reply {
    if !is_allowed(request.headers(), gate.token.as_deref()) {
        let mut reply =
            refusal(StatusCode::UNAUTHORIZED, "a bearer token is needed, and none or a wrong one was sent");
        reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return reply;
    }
    if request.uri().path().trim_end_matches('/') != PATH {
        return refusal(StatusCode::NOT_FOUND, "there is only /mcp here");
    }
    match tokio::time::timeout(REQUEST_TIME, gate.service.handle(request)).await {
        Ok(reply) => reply,
        Err(_) => refusal(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
    }
}

fn refusal(status: StatusCode, text: &'static str) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    reply
}

/// Whether the request carries the token, if there is one to carry.
fn is_allowed(headers: &HeaderMap, token: Option<&str>) -> bool {
    let Some(token) = token else {
        return true;
    };
    let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let (scheme, sent) = sent.and_then(|sent| sent.split_once(' ')).unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer") && is_same(sent.trim(), token)
}

/// Compares without telling by its time how much was right.
fn is_same(a: &str, b: &str) -> bool {
    let difference = a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && difference == 0
}

/// The token, out of a file or the environment.
fn token(args: &ServeArgs) -> Result<Option<String>, Fault> {
    let text = match &args.token_file {
        Some(path) => Some(std::fs::read_to_string(path).map_err(|error| {
            let message = format!("{} cannot be read: {error}", path.display());
            Fault::new(Kind::Input, message, "Name a file that holds the token, readable by this user only.")
        })?),
        None => std::env::var(TOKEN_VARIABLE).ok(),
    };
    let token = text
        .map(|text| text.trim().to_owned())
        .filter(|token| !token.is_empty() || args.token_file.is_some());
    if token.as_ref().is_some_and(|token| token.len() < SHORTEST_TOKEN || !token.is_ascii()) {
        let message = format!("the token is no token: it needs {SHORTEST_TOKEN} or more ASCII characters");
        return Err(Fault::new(Kind::Input, message, "Make one, for example with `openssl rand -hex 32`."));
    }
    Ok(token)
}

async fn listen(args: &ServeArgs, has_token: bool) -> Result<TcpListener, Fault> {
    let addresses = tokio::net::lookup_host((args.host.as_str(), args.port)).await;
    let addresses: Vec<SocketAddr> = addresses.map_err(|error| unusable(args, &error))?.collect();
    if !has_token && !addresses.iter().all(|address| address.ip().is_loopback()) {
        let message = format!("{} can be reached from other machines, and there is no token", args.host);
        let next = format!("Give --token-file or {TOKEN_VARIABLE}, or listen on 127.0.0.1.");
        return Err(Fault::new(Kind::Input, message, next));
    }
    TcpListener::bind(addresses.as_slice()).await.map_err(|error| unusable(args, &error))
}

fn unusable(args: &ServeArgs, error: &std::io::Error) -> Fault {
    let message = format!("{} port {} cannot be listened on: {error}", args.host, args.port);
    Fault::new(Kind::Input, message, "Choose another --host or --port.")
}

/// Which hosts and origins a request may name: a page in a browser must not reach a local server by another name for it.
fn config(args: &ServeArgs, address: SocketAddr) -> Result<StreamableHttpServerConfig, Fault> {
    let mut hosts = args.allow_host.clone();
    if address.ip().is_loopback() {
        hosts.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
    } else if !address.ip().is_unspecified() {
        hosts.push(address.ip().to_string());
        hosts.push(args.host.clone());
    } else if hosts.is_empty() {
        let message =
            format!("{} stands for every address, so the names that clients use are not known", args.host);
        return Err(Fault::new(Kind::Input, message, "Give each name or address with --allow-host."));
    }
    Ok(StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(LARGEST_BODY)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(args.allow_origin.clone())
        .enforce_origin_validation())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn only_the_token_opens() {
        let token = Some("0123456789abcdef");
        assert!(is_allowed(&headers("Bearer 0123456789abcdef"), token));
        assert!(is_allowed(&headers("bearer  0123456789abcdef"), token));
        assert!(is_allowed(&HeaderMap::new(), None));
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdef0",
            "Bearer 0123456789abcdeg",
            "Basic 0123456789abcdef",
            "0123456789abcdef",
        ] {
            assert!(!is_allowed(&headers(wrong), token), "{wrong}");
        }
        assert!(!is_allowed(&HeaderMap::new(), token));
    }
}

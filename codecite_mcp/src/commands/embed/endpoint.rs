//! An endpoint in the form of OpenAI's `/v1/embeddings`, on this machine unless it was allowed to be elsewhere.

use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Request, Uri};
use serde::Deserialize;

use crate::cli::EmbedArgs;
use crate::fault::{Fault, Kind};
use crate::origin::Origin;

/// One answer: a batch on a slow machine.
const PATIENCE: Duration = Duration::from_secs(300);
const LARGEST_ANSWER: usize = 64 << 20;
/// Part of an error's text that is shown.
const SHOWN: usize = 300;

/// Where texts are sent.
pub struct Endpoint {
    origin: Origin,
    path: String,
    allow_remote: bool,
    model: Option<String>,
    key: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

impl Endpoint {
    /// Reads the URL; `/embeddings` is added where it names only the API. The key comes from CODECITE_ENDPOINT_KEY.
    pub fn new(url: &str, args: &EmbedArgs) -> Result<Endpoint, Fault> {
        let bad = |reason: &str| {
            Fault::new(
                Kind::Input,
                format!("{url} is no endpoint: {reason}"),
                "Such as http://127.0.0.1:11434/v1",
            )
        };
        let uri: Uri = url.parse().map_err(|_| bad("it is no URL"))?;
        let is_encrypted = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(bad("it must begin with http:// or https://")),
        };
        let host = uri.host().ok_or_else(|| bad("it has no host"))?.trim_matches(['[', ']']).to_owned();
        let port = uri.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
        let path = uri.path().trim_end_matches('/');
        let path = if path.ends_with("/embeddings") { path.to_owned() } else { format!("{path}/embeddings") };
        let model = args.endpoint_model.clone().or_else(|| args.model.clone());
        let key = std::env::var("CODECITE_ENDPOINT_KEY").ok().filter(|key| !key.is_empty());
        let origin = Origin { host, port, is_encrypted };
        Ok(Endpoint { origin, path, allow_remote: args.allow_remote, model, key })
    }

    /// The vectors of texts, in their order.
    pub async fn embed(&self, inputs: &[&str]) -> Result<Vec<Vec<f32>>, Fault> {
        let body = serde_json::json!({ "model": self.model, "input": inputs, "encoding_format": "float" })
            .to_string();
        let answer = tokio::time::timeout(PATIENCE, self.post(body))
            .await
            .map_err(|_| self.failed("it gave no answer in time"))??;
        let mut answer: Answer = serde_json::from_slice(&answer)
            .map_err(|error| self.failed(&format!("its answer has another form: {error}")))?;
        answer.data.sort_by_key(|item| item.index);
        if !answer.data.iter().map(|item| item.index).eq(0..inputs.len()) {
            return Err(self.failed(&format!(
                "it gave {} vectors for {} texts",
                answer.data.len(),
                inputs.len()
            )));
        }
        Ok(answer.data.into_iter().map(|item| item.embedding).collect())
    }

    /// An address of the host; one of this machine unless others are allowed, whatever the name says.
    async fn address(&self) -> Result<SocketAddr, Fault> {
        let found = tokio::net::lookup_host((self.origin.host.as_str(), self.origin.port)).await;
        let mut addresses = found.map_err(|error| self.failed(&error.to_string()))?;
        let address = addresses.find(|address| self.allow_remote || address.ip().is_loopback());
        address.ok_or_else(|| {
            let message = format!("{} is not on this machine", self.origin.host);
            Fault::new(
                Kind::Refused,
                message,
                "The texts of your corpora would leave it; --allow-remote sends them.",
            )
        })
    }

    async fn post(&self, body: String) -> Result<Bytes, Fault> {
        let failed = |error: &dyn std::fmt::Display| self.failed(&error.to_string());
        let mut request = Request::post(self.path.as_str())
            .header(HOST, self.origin.authority())
            .header(CONTENT_TYPE, "application/json");
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        let request = request.body(Full::new(Bytes::from(body))).map_err(|error| failed(&error))?;
        let answer =
            self.origin.send(self.address().await?, request).await.map_err(|error| failed(&error))?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), LARGEST_ANSWER).collect().await;
        let body = body.map_err(|error| failed(&error))?.to_bytes();
        if !status.is_success() {
            let text: String = String::from_utf8_lossy(&body).chars().take(SHOWN).collect();
            return Err(self.failed(&format!("{status}: {text}")));
        }
        Ok(body)
    }

    fn failed(&self, reason: &str) -> Fault {
        let message = format!("the endpoint {} failed: {reason}", self.origin.url(&self.path));
        Fault::new(Kind::Unreachable, message, "What was embedded is kept; run the command again.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Result<Endpoint, Fault> {
        let args = EmbedArgs {
            model: Some("all-MiniLM-L6-v2".into()),
            jobs: 1,
            endpoint: Some(url.into()),
            endpoint_model: None,
            allow_remote: false,
        };
        Endpoint::new(url, &args)
    }

    #[test]
    fn urls_name_the_api_or_the_whole_path() {
        let read =
            |url| endpoint(url).map(|e| (e.origin.host, e.origin.port, e.path, e.origin.is_encrypted)).ok();
        assert_eq!(
            read("http://127.0.0.1:11434/v1"),
            Some(("127.0.0.1".into(), 11434, "/v1/embeddings".into(), false))
        );
        assert_eq!(read("https://h/v1/embeddings/"), Some(("h".into(), 443, "/v1/embeddings".into(), true)));
        assert_eq!(read("http://[::1]:80"), Some(("::1".into(), 80, "/embeddings".into(), false)));
        assert_eq!(read("ftp://h"), None);
        assert_eq!(read("here"), None);
    }

    #[tokio::test]
    async fn other_machines_are_refused() {
        let fault = endpoint("http://192.0.2.1:9/v1").unwrap().embed(&["text"]).await.unwrap_err();
        assert!(fault.message.contains("not on this machine"), "{}", fault.message);
    }
}

//! One web site, read politely: robots.txt is kept to, one request a second, retries with patience.

mod robots;

use std::time::Duration;

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HOST, LOCATION, RETRY_AFTER, USER_AGENT};
use hyper::{HeaderMap, Request, Response, StatusCode};
use tokio::time::Instant;

use crate::fault::{Fault, Kind};
use crate::origin::Origin;
use robots::Robots;

/// Who asks, and with what. robots.txt may name `codecite`.
const AGENT: &str = concat!("codecite/", env!("CARGO_PKG_VERSION"), " (fetch-oac)");
const NAME: &str = "codecite";
/// From the start of one request to the start of the next.
const INTERVAL: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(60);
/// A site may ask for longer waits; this is the longest that is waited.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
const TRIES: u32 = 4;
const REDIRECTS: u32 = 3;
const LARGEST_PAGE: usize = 20 << 20;

/// A page.
pub struct Page {
    /// Its bytes.
    pub body: Bytes,
    /// The day on which it was sent, as the site writes it.
    pub date: Option<String>,
}

/// A site that is being read.
pub struct Site {
    origin: Origin,
    robots: Robots,
    next: Instant,
}

/// What a try came to.
enum Reply {
    Page(Page),
    Missing,
    Moved(String),
    /// Not now; perhaps after this time.
    Later(String, Option<Duration>),
    Refused(String),
}

impl Site {
    /// Reads the site's robots.txt. Another base than the host itself must be on this machine.
    pub async fn open(host: &str, base: Option<&str>) -> Result<Site, Fault> {
        let origin = match base {
            Some(base) => loopback(base)?,
            None => Origin { host: host.to_owned(), port: 443, is_encrypted: true },
        };
        let mut site = Site { origin, robots: Robots::default(), next: Instant::now() };
        // A site without rules allows all; one that does not answer is left alone.
        if let Some(page) = site.get("/robots.txt").await? {
            site.robots = Robots::new(&String::from_utf8_lossy(&page.body), NAME);
        }
        Ok(site)
    }

    /// The address of a path, for people.
    pub fn url(&self, path: &str) -> String {
        self.origin.url(path)
    }

    /// A page; `None` if there is none.
    pub async fn get(&mut self, path: &str) -> Result<Option<Page>, Fault> {
        let mut path = path.to_owned();
        for _ in 0..=REDIRECTS {
            if !self.robots.allows(&path) {
                let message =
                    format!("{} may not be read by programs: its site's robots.txt says so", self.url(&path));
                return Err(Fault::new(
                    Kind::Refused,
                    message,
                    "Read it in a browser, and save what you may.",
                ));
            }
            match self.patiently(&path).await? {
                Reply::Page(page) => return Ok(Some(page)),
                Reply::Missing => return Ok(None),
                Reply::Moved(to) => path = self.same_site(&to)?,
                Reply::Later(reason, _) | Reply::Refused(reason) => return Err(self.failed(&path, &reason)),
            }
        }
        Err(self.failed(&path, "it redirects in circles"))
    }

    /// Tries again what may come right by itself, with longer and longer pauses.
    async fn patiently(&mut self, path: &str) -> Result<Reply, Fault> {
        let mut reply = Reply::Refused(String::new());
        for turn in 0..TRIES {
            tokio::time::sleep_until(self.next).await;
            self.next = Instant::now() + INTERVAL.max(self.robots.delay);
            let answer = tokio::time::timeout(PATIENCE, self.once(path)).await;
            reply = match answer {
                Ok(Ok(reply)) => reply,
                Ok(Err(error)) => Reply::Later(error, None),
                Err(_) => Reply::Later("no answer in time".to_owned(), None),
            };
            let Reply::Later(reason, wait) = &reply else {
                break;
            };
            let wait = wait.unwrap_or(INTERVAL * 2u32.pow(turn + 1)).min(LONGEST_WAIT);
            tracing::info!("{path}: {reason}; again in {wait:?}");
            self.next = self.next.max(Instant::now() + wait);
        }
        Ok(reply)
    }

    async fn once(&self, path: &str) -> Result<Reply, String> {
        let Origin { host, port, .. } = &self.origin;
        let request = Request::get(path).header(HOST, self.origin.authority()).header(USER_AGENT, AGENT);
        let request = request.body(Empty::<Bytes>::new()).map_err(|error| error.to_string())?;
        reply(self.origin.send((host.as_str(), *port), request).await?).await
    }

    /// The path of a redirection, which must not leave the site.
    fn same_site(&self, to: &str) -> Result<String, Fault> {
        let path = to.strip_prefix(self.url("").as_str()).unwrap_or(to);
        if path.starts_with('/') && !path.starts_with("//") {
            return Ok(path.to_owned());
        }
        Err(Fault::new(
            Kind::Refused,
            format!("{to} is another site: it is not followed"),
            "Look at the page in a browser.",
        ))
    }

    fn failed(&self, path: &str, reason: &str) -> Fault {
        let message = format!("{} could not be read: {reason}", self.url(path));
        Fault::new(Kind::Unreachable, message, "Try again later; what was saved is kept.")
    }
}

async fn reply(response: Response<Incoming>) -> Result<Reply, String> {
    let (head, body) = response.into_parts();
    let header = |name| head.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    Ok(match head.status {
        StatusCode::OK => {
            let body = Limited::new(body, LARGEST_PAGE).collect().await.map_err(|error| error.to_string())?;
            Reply::Page(Page { body: body.to_bytes(), date: header(hyper::header::DATE) })
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => Reply::Missing,
        status if status.is_redirection() => match header(LOCATION) {
            Some(to) => Reply::Moved(to),
            None => Reply::Refused(status.to_string()),
        },
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            Reply::Later(status.to_string(), wait(&head.headers))
        }
        status => Reply::Refused(status.to_string()),
    })
}

/// How long the site asks to wait, where it says so in seconds.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// A server on this machine.
fn loopback(base: &str) -> Result<Origin, Fault> {
    let wrong = || {
        let message = format!("{base} is no server on this machine");
        Fault::new(Kind::Input, message, "Write it as http://127.0.0.1:8000.")
    };
    let address = base.trim_end_matches('/').strip_prefix("http://").ok_or_else(wrong)?;
    let address: std::net::SocketAddr =
        address.replace("localhost", "127.0.0.1").parse().map_err(|_| wrong())?;
    if !address.ip().is_loopback() {
        return Err(wrong());
    }
    Ok(Origin { host: address.ip().to_string(), port: address.port(), is_encrypted: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_server_is_on_this_machine() {
        for good in ["http://127.0.0.1:80", "http://localhost:8000/", "http://[::1]:1"] {
            assert!(loopback(good).is_ok(), "{good}");
        }
        for bad in [
            "https://127.0.0.1:1",
            "http://example.com:80",
            "http://10.0.0.1:80",
            "http://localhost.example.com:80",
            "127.0.0.1:1",
        ] {
            assert!(loopback(bad).is_err(), "{bad}");
        }
    }
}

//! Where HTTP requests go, each over a connection of its own, plain or with TLS.

use std::sync::Arc;

use hyper::body::{Body, Incoming};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, ToSocketAddrs};

use crate::fault::chain;
use crate::tls;

/// A scheme, a host and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// A name or an address, without brackets.
    pub host: String,
    pub port: u16,
    pub is_encrypted: bool,
}

impl Origin {
    /// As it stands in a Host header: the port where it is not the scheme's own.
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let own = if self.is_encrypted { 443 } else { 80 };
        if self.port == own { host } else { format!("{host}:{}", self.port) }
    }

    /// `https://host` and what follows.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.is_encrypted { "https" } else { "http" }, self.authority())
    }

    /// Sends a request to `address`, which is one of the host's. The certificate is checked for the host's name.
    ///
    /// # Errors
    /// What the network, TLS or HTTP says, in words.
    pub async fn send<B>(
        &self,
        address: impl ToSocketAddrs,
        request: Request<B>,
    ) -> Result<Response<Incoming>, String>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
        if !self.is_encrypted {
            return exchange(stream, request).await;
        }
        let config = tls::config(tls::Check::Name, None).map_err(|fault| fault.message)?;
        let name = ServerName::try_from(self.host.clone()).map_err(|error| error.to_string())?;
        let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
        let stream = connector.connect(name, stream).await.map_err(|error| error.to_string())?;
        exchange(stream, request).await
    }
}

async fn exchange<S, B>(stream: S, request: Request<B>) -> Result<Response<Incoming>, String>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let text = |error: hyper::Error| chain(&error);
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(text)?;
    tokio::spawn(connection);
    sender.send_request(request).await.map_err(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_named_where_it_is_not_the_schemes_own() {
        let url = |host: &str, port, is_encrypted| Origin { host: host.into(), port, is_encrypted }.url("/a");
        assert_eq!(url("h", 443, true), "https://h/a");
        assert_eq!(url("h", 80, true), "https://h:80/a");
        assert_eq!(url("::1", 8000, false), "http://[::1]:8000/a");
    }
}

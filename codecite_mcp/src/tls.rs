//! TLS without OpenSSL: what is trusted, and how strictly a server's certificate is checked.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use crate::fault::{Fault, Kind};

/// How a server's certificate is checked; the names are those of libpq's sslmode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Not at all: the line is encrypted, and nobody knows with whom.
    None,
    /// `verify-ca`: signed by somebody who is trusted.
    Authority,
    /// `verify-full`: and made for the name that was asked for.
    Name,
}

/// A client's configuration that trusts the certificates of `roots`, or those of the machine.
pub fn config(check: Check, roots: Option<&Path>) -> Result<ClientConfig, Fault> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable("TLS cannot be set up", &error))?;
    let strict = match check {
        Check::None => None,
        Check::Authority | Check::Name => {
            let verifier =
                WebPkiServerVerifier::builder_with_provider(Arc::new(trusted(roots)?), Arc::clone(&provider))
                    .build();
            Some(verifier.map_err(|error| unusable("no certificate can be checked", &error))?)
        }
    };
    let verifier = Verifier { check, strict, provider };
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

fn trusted(roots: Option<&Path>) -> Result<RootCertStore, Fault> {
    let mut store = RootCertStore::empty();
    match roots {
        Some(path) => {
            let certificates = CertificateDer::pem_file_iter(path)
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .map_err(|error| {
                    unusable(&format!("{} cannot be read as certificates", path.display()), &error)
                })?;
            store.add_parsable_certificates(certificates);
        }
        None => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if store.is_empty() {
        let next = "Name a file of certificates in sslrootcert (PGSSLROOTCERT), or install ca-certificates.";
        return Err(Fault::new(Kind::Input, "there is no certificate to trust", next));
    }
    Ok(store)
}

fn unusable(what: &str, error: &dyn std::fmt::Display) -> Fault {
    Fault::new(Kind::Input, format!("{what}: {error}"), "Check sslmode and sslrootcert.")
}

/// Checks as much as was asked for.
#[derive(Debug)]
struct Verifier {
    check: Check,
    strict: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(strict) = &self.strict else {
            return Ok(ServerCertVerified::assertion());
        };
        match strict.verify_server_cert(end_entity, intermediates, server_name, ocsp, now) {
            // The name is checked last: all else was right.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.check == Check::Authority => Ok(ServerCertVerified::assertion()),
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

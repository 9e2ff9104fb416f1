//! Encrypted connections: what `PostgreSQL`'s own programs understand by `sslmode` and `sslrootcert`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The word for the certificates that the machine trusts, in the place of a file.
const SYSTEM: &str = "system";

/// What is asked of the way to a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// The modes and their names; of two names for one mode the first is shown.
const MODES: &[(&str, Mode)] = &[
    ("disable", Mode::Disable),
    ("prefer", Mode::Prefer),
    ("allow", Mode::Prefer),
    ("require", Mode::Require),
    ("verify-ca", Mode::VerifyCa),
    ("verify-full", Mode::VerifyFull),
];

/// How connections are encrypted, and whom we trust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tls {
    mode: Mode,
    /// A file of certificates, or the word for those of the machine.
    roots: Option<String>,
}

impl Tls {
    /// What an address asks for, or where it is silent the environment. What is wrong is told without the text.
    pub fn of(mode: Option<&str>, roots: Option<&str>) -> Result<Tls, &'static str> {
        let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let mode = mode.map(str::to_owned).or_else(|| given("PGSSLMODE"));
        let roots = roots.map(str::to_owned).or_else(|| given("PGSSLROOTCERT"));
        // Whoever trusts whom the machine trusts must want the right name, too: anybody can have a certificate.
        let usual = if roots.as_deref() == Some(SYSTEM) { "verify-full" } else { "prefer" };
        let mode = mode.as_deref().unwrap_or(usual);
        let Some(&(_, mode)) = MODES.iter().find(|(name, _)| *name == mode) else {
            return Err("sslmode is disable, prefer, require, verify-ca or verify-full");
        };
        if roots.as_deref() == Some(SYSTEM) && mode != Mode::VerifyFull {
            return Err("sslrootcert=system goes with sslmode=verify-full");
        }
        Ok(Tls { mode, roots })
    }

    /// What the client has to insist on.
    pub fn wanted(&self) -> SslMode {
        match self.mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        }
    }

    /// What an address has to say so that it asks for the same: names and values.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let name = MODES.iter().find(|(_, mode)| *mode == self.mode).map(|(name, _)| *name);
        let mode = name.filter(|_| self.mode != Mode::Prefer).map(|name| ("sslmode", name.to_owned()));
        let roots = self.roots.clone().map(|roots| ("sslrootcert", roots));
        mode.into_iter().chain(roots).collect()
    }

    /// What makes connections; certificates are read now, for somebody may have mended them.
    pub fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier {
            trusted: self.trusted()?,
            by_name: self.mode == Mode::VerifyFull,
            provider: provider.clone(),
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        Ok(MakeRustlsConnect::new(config))
    }

    /// The certificates to trust; none where whoever answers will do. As for `PostgreSQL`'s own programs, `require` verifies
    /// where there is something to verify with.
    fn trusted(&self) -> Result<Option<Trusted>, String> {
        let certificates = match (self.mode, &self.roots) {
            (Mode::Disable | Mode::Prefer, _) => return Ok(None),
            (_, Some(word)) if word == SYSTEM => rustls_native_certs::load_native_certs().certs,
            (_, Some(file)) => from_file(Path::new(file))?,
            (mode, None) => match usual_roots() {
                Some(file) => from_file(&file)?,
                None if mode == Mode::Require => return Ok(None),
                None => return Err(NOBODY.to_owned()),
            },
        };
        Ok(Some(Trusted::of(certificates)))
    }
}

/// Why nobody can be trusted.
const NOBODY: &str = "sslmode verify-ca and verify-full need certificates to trust: a file in sslrootcert, PGSSLROOTCERT or \
                      ~/.postgresql/root.crt, or sslrootcert=system";

/// The file of `PostgreSQL`'s own programs, if it is there.
fn usual_roots() -> Option<PathBuf> {
    let file = PathBuf::from(std::env::var_os("HOME")?).join(".postgresql/root.crt");
    file.is_file().then_some(file)
}

/// The certificates in a file.
fn from_file(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let told = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
    let read = CertificateDer::pem_file_iter(file).map_err(|e| told(&e))?;
    let found: Vec<_> = read.collect::<Result<_, _>>().map_err(|e| told(&e))?;
    if found.is_empty() { Err(told(&"no certificate is in it")) } else { Ok(found) }
}

/// Certificates that we trust.
#[derive(Debug)]
struct Trusted {
    certificates: Vec<CertificateDer<'static>>,
    anchors: RootCertStore,
}

impl Trusted {
    fn of(certificates: Vec<CertificateDer<'static>>) -> Trusted {
        let mut anchors = RootCertStore::empty();
        anchors.add_parsable_certificates(certificates.iter().cloned());
        Trusted { certificates, anchors }
    }
}

/// Decides whether a server is the one we want.
#[derive(Debug)]
struct Verifier {
    trusted: Option<Trusted>,
    by_name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        theirs: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(trusted) = &self.trusted else { return Ok(ServerCertVerified::assertion()) };
        let parsed = ParsedCertificate::try_from(theirs)?;
        // A certificate that its owner signed, as PostgreSQL's manual makes one, is trusted by being in the file.
        if !trusted.certificates.iter().any(|known| known == theirs) {
            let algorithms = self.provider.signature_verification_algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, &trusted.anchors, between, now, algorithms)?;
        }
        if self.by_name {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        theirs: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, theirs, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        theirs: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, theirs, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

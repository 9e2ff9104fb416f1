//! A small HTTP client for package indexes: pages as text, files to disk.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ureq::ResponseExt;
use ureq::http::{Response, Uri};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::pip_settings::PipSettings;
use crate::solver::SolverError;

/// What a page may be at most; the pages of large packages have a few megabytes.
const LARGEST_PAGE: u64 = 256 << 20;

/// What a file may be at most; the largest wheels have a few hundred megabytes.
const LARGEST_FILE: u64 = 4 << 30;

/// How long one file may take at most.
const LONGEST: Duration = Duration::from_secs(3600);

/// A client with the certificates, proxy and patience of pip's settings.
pub struct Client {
    agent: ureq::Agent,
}

/// A page of an index.
pub struct Page {
    /// Where it came from in the end, after redirections.
    pub url: String,
    /// Its text.
    pub text: String,
}

impl Client {
    /// A client for these settings.
    pub fn new(settings: &PipSettings) -> Result<Client, SolverError> {
        let certificates = match &settings.certificates {
            Some(file) => rustls_native_certs::load_certs_from_paths(Some(file), None),
            None => rustls_native_certs::load_native_certs(),
        };
        let roots: Vec<Certificate<'static>> =
            certificates.certs.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&roots))
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let mut config = ureq::Agent::config_builder()
            .tls_config(tls)
            .user_agent(concat!("gainsay/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(settings.timeout))
            .timeout_recv_response(Some(settings.timeout))
            .timeout_per_read(Some(settings.timeout))
            .timeout_global(Some(LONGEST));
        if let Some(proxy) = &settings.proxy {
            let proxy = ureq::Proxy::new(proxy).map_err(|e| failed(proxy, &e))?;
            config = config.proxy(Some(proxy));
        }
        Ok(Client { agent: config.build().into() })
    }

    /// Reads a page.
    pub fn page(&self, url: &str) -> Result<Page, SolverError> {
        let mut response = self.get(url, "text/html")?;
        let body = response.body_mut();
        let text = body.with_config().limit(LARGEST_PAGE).read_to_string().map_err(|e| failed(url, &e))?;
        Ok(Page { url: with_user_of(url, &response.get_uri().to_string()), text })
    }

    /// Writes what an address has into a new file.
    pub fn download(&self, url: &str, to: &Path) -> Result<(), SolverError> {
        let response = self.get(url, "*/*")?;
        let mut from = response.into_body().into_with_config().limit(LARGEST_FILE).reader();
        let mut file = File::create_new(to).map_err(SolverError::at(to))?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let n = match from.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(failed(url, &e)),
            };
            io::Write::write_all(&mut file, &buffer[..n]).map_err(SolverError::at(to))?;
        }
    }

    fn get(&self, url: &str, accept: &str) -> Result<Response<ureq::Body>, SolverError> {
        let (bare, user) = without_user(url);
        let mut request = self.agent.get(&bare).header("Accept", accept);
        if let Some(user) = user {
            let user = percent_encoding::percent_decode_str(user).collect::<Vec<u8>>();
            request = request.header("Authorization", format!("Basic {}", BASE64_STANDARD.encode(user)));
        }
        request.call().map_err(|e| failed(url, &e))
    }
}

fn failed(url: &str, why: &dyn std::error::Error) -> SolverError {
    SolverError::NotFetched { url: shown(url), why: why.to_string() }
}

/// An address without its user and password, and these.
fn without_user(url: &str) -> (String, Option<&str>) {
    let Some((scheme, rest)) = url.split_once("://") else { return (url.to_owned(), None) };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rsplit_once('@') {
        Some((user, _)) => (format!("{scheme}://{}", &rest[user.len() + 1..]), Some(user)),
        None => (url.to_owned(), None),
    }
}

/// An address as messages show it: without user and password.
pub fn shown(url: &str) -> String {
    without_user(url).0
}

/// The address that a link on a page means.
pub fn joined(page: &str, link: &str) -> String {
    let scheme_end = link.find(':').filter(|&end| {
        end > 0 && link[..end].bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    });
    if scheme_end.is_some() {
        return link.to_owned();
    }
    let Some((scheme, rest)) = page.split_once("://") else { return link.to_owned() };
    if let Some(other_host) = link.strip_prefix("//") {
        return format!("{scheme}://{other_host}");
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let (link, tail) = link.split_at(link.find(['?', '#']).unwrap_or(link.len()));
    let base = match path.rfind('/') {
        _ if link.starts_with('/') => "",
        Some(last) => &path[..=last],
        None => "/",
    };
    let mut parts: Vec<&str> = Vec::new();
    let whole = format!("{base}{link}");
    for part in whole.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    format!("{scheme}://{host}/{}{tail}", parts.join("/"))
}

/// Whether two addresses are on the same server, so that a password for one is meant for the other.
pub fn same_server(one: &str, other: &str) -> bool {
    let server = |url: &str| {
        let uri: Uri = shown(url).parse().ok()?;
        Some((uri.scheme_str()?.to_owned(), uri.authority()?.to_string()))
    };
    server(one).is_some_and(|server_of_one| server(other) == Some(server_of_one))
}

/// An address with the user and password of a page, if it is on the same server and has none of its own.
pub fn with_user_of(page: &str, url: &str) -> String {
    match (without_user(page).1, without_user(url).1, url.split_once("://")) {
        (Some(user), None, Some((scheme, rest))) if same_server(page, url) => {
            format!("{scheme}://{user}@{rest}")
        }
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_joined_to_their_page() {
        let page = "http://h.test/simple/z3/?a=/b";
        for (link, expected) in [
            ("https://other.test/f.whl", "https://other.test/f.whl"),
            ("//other.test/f.whl", "http://other.test/f.whl"),
            ("/files/f.whl#sha256=1", "http://h.test/files/f.whl#sha256=1"),
            ("f.whl", "http://h.test/simple/z3/f.whl"),
            ("../../files/./f.whl?x=../y", "http://h.test/files/f.whl?x=../y"),
            ("../../../../f.whl", "http://h.test/f.whl"),
        ] {
            assert_eq!(joined(page, link), expected);
        }
        assert_eq!(joined("http://h.test", "f.whl"), "http://h.test/f.whl");
    }

    #[test]
    fn passwords_are_not_shown_and_stay_with_their_server() {
        let page = "https://me:secret@h.test/simple/";
        assert_eq!(shown(page), "https://h.test/simple/");
        assert_eq!(shown("https://h.test/a@b"), "https://h.test/a@b");
        assert_eq!(with_user_of(page, "https://h.test/f.whl"), "https://me:secret@h.test/f.whl");
        assert_eq!(with_user_of(page, "https://other.test/f.whl"), "https://other.test/f.whl");
        assert_eq!(with_user_of(page, "http://h.test/f.whl"), "http://h.test/f.whl");
    }
}

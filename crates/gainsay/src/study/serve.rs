//! A page served to browsers on this machine: one page, made anew each time, over plain HTTP.

use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Seconds after which a browser asks again.
pub const REFRESH: u32 = 15;

/// What a request may be at most; browsers send less.
const LARGEST: usize = 16 << 10;

/// How long a request may take to come, and how long a browser may take to accept a part of the page.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connections that are served at the same time; others are closed.
const MOST: usize = 64;

/// What makes the page.
pub type Page<'a> = &'a (dyn Fn() -> anyhow::Result<String> + Sync);

/// Answers each connection in a thread of its own, so that an idle or slow one delays no other.
pub fn answer_all(listener: &TcpListener, page: Page<'_>) -> io::Result<()> {
    let own = listener.local_addr()?.ip();
    // Each thread holds a clone.
    let open = Arc::new(());
    std::thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            if Arc::strong_count(&open) > MOST {
                continue;
            }
            let counted = open.clone();
            scope.spawn(move || {
                // A browser that hangs up is no failure of ours.
                let _ = answer(stream, own, page);
                drop(counted);
            });
        }
    });
    Ok(())
}

fn answer(mut stream: TcpStream, own: IpAddr, page: Page<'_>) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = read(&mut stream)?;
    let (status, kind, body) = match &request {
        Some(request) => response(request, own, page),
        None => plain("400 Bad Request", "this is no request\n"),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )?;
    if request.is_none_or(|request| request.method != "HEAD") {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

/// What matters of a request.
struct Request {
    method: String,
    path: String,
    /// The values of all `Host` headers.
    hosts: Vec<String>,
}

/// Reads a request; it is none if it is malformed or too large, and an error if it does not come in time.
fn read(stream: &mut TcpStream) -> io::Result<Option<Request>> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while bytes.len() < LARGEST {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let n = stream.read(&mut part)?;
        if n == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&part[..n]);
        let mut headers = [httparse::EMPTY_HEADER; 100];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(&bytes) {
            Ok(httparse::Status::Partial) => {}
            Ok(httparse::Status::Complete(_)) => return Ok(Some(Request::of(&parsed))),
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

impl Request {
    fn of(parsed: &httparse::Request<'_, '_>) -> Request {
        let target = parsed.path.unwrap_or_default();
        let hosts = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("host"));
        Request {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: target.split(['?', '#']).next().unwrap_or_default().to_owned(),
            hosts: hosts.map(|header| String::from_utf8_lossy(header.value).into_owned()).collect(),
        }
    }
}

/// A status, a media type and a body.
type Answer = (&'static str, &'static str, String);

fn plain(status: &'static str, text: &str) -> Answer {
    (status, "text/plain", text.to_owned())
}

fn response(request: &Request, own: IpAddr, page: Page<'_>) -> Answer {
    let for_us = matches!(&request.hosts[..], [host] if is_own(host, own));
    match (request.method.as_str(), request.path.as_str()) {
        _ if !for_us => plain("403 Forbidden", "ask for localhost or 127.0.0.1\n"),
        ("GET" | "HEAD", "/") => match page() {
            Ok(html) => ("200 OK", "text/html", html),
            Err(e) => plain("503 Service Unavailable", &format!("{e:#}\n")),
        },
        ("GET" | "HEAD", _) => plain("404 Not Found", "only / is here\n"),
        _ => plain("405 Method Not Allowed", "only GET\n"),
    }
}

/// Whether a `Host` means this machine or the address that we serve at.
///
/// A page of another site can make a name of its own lead here; its requests have that name as `Host`.
fn is_own(host: &str, own: IpAddr) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let here = |address: IpAddr| address.is_loopback() || address == own && !own.is_unspecified();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(here)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    /// A server that lives as long as the tests.
    fn server() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        std::thread::spawn(move || answer_all(&listener, &|| Ok("<p>page</p>".to_owned())));
        address
    }

    fn ask(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).expect("there");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("answered");
        text
    }

    #[test]
    fn requests_are_answered() {
        let address = server();
        let rows = [
            ("GET / HTTP/1.1\r\nHost: localhost:80\r\n\r\n", "HTTP/1.1 200", "<p>page</p>"),
            ("GET /?a=b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "HTTP/1.1 200", "<p>page</p>"),
            ("GET /etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 404", "only / is here"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 405", "only GET"),
            ("GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n", "HTTP/1.1 403", "ask for localhost"),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n\r\n", "HTTP/1.1 403", "ask for"),
            ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "HTTP/1.1 403", "ask for localhost"),
            ("nonsense\r\n\r\n", "HTTP/1.1 400", "no request"),
        ];
        for (request, status, body) in rows {
            let text = ask(address, request);
            assert!(text.starts_with(status) && text.contains(body), "{request:?}: {text}");
        }
        let large = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(LARGEST));
        let mut stream = TcpStream::connect(address).expect("there");
        let mut text = String::new();
        // The rest of it is not read, so the connection may end with an error on our side.
        let _ = stream.write_all(large.as_bytes()).and_then(|()| stream.read_to_string(&mut text));
        assert!(!text.contains("<p>"), "too large: {text}");
        assert!(!ask(address, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n").contains("<p>"));
    }

    #[test]
    fn only_this_machine_is_a_host() {
        let own: IpAddr = "192.0.2.7".parse().expect("an address");
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]", "[::1]:80", "192.0.2.7:80"] {
            assert!(is_own(host, own), "{host}");
        }
        for host in
            ["", "evil.test", "localhost.evil.test", "192.0.2.8", "127.0.0.1.evil.test", "localhost:x"]
        {
            assert!(!is_own(host, own), "{host}");
        }
        assert!(!is_own("0.0.0.0:80", "0.0.0.0".parse().expect("an address")));
    }

    #[test]
    fn idle_and_slow_clients_delay_nobody() {
        let address = server();
        let connect = || TcpStream::connect(address).expect("there");
        let idle: Vec<TcpStream> = (0..2).map(|_| connect()).collect();
        // One client sends a byte at a time and never ends.
        let mut slow = connect();
        std::thread::spawn(move || {
            for byte in b"GET / HTTP/1.1\r\nX: ".iter().chain(std::iter::repeat(&b'x')) {
                if slow.write_all(&[*byte]).is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        std::thread::sleep(Duration::from_millis(200));
        let start = Instant::now();
        let text = ask(address, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(text.contains("<p>page</p>"), "{text}");
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        drop(idle);
    }

    #[test]
    fn a_client_that_does_not_read_delays_nobody() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        std::thread::spawn(move || answer_all(&listener, &|| Ok("x".repeat(64 << 20))));
        let mut deaf = TcpStream::connect(address).expect("there");
        deaf.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
        std::thread::sleep(Duration::from_millis(200));
        let start = Instant::now();
        assert!(ask(address, "GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n").contains("only / is here"));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        drop(deaf);
    }
}

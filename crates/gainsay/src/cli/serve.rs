//! A page served to browsers on this machine: one page, made anew each time, over plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use super::arguments::BadUsage;
use super::exit;

/// Seconds after which a browser asks again.
pub const REFRESH: u32 = 15;

/// What a request may be at most; browsers send less.
const LARGEST: u64 = 16 << 10;

/// Serves until the process ends.
pub fn serve(address: &str, page: &dyn Fn() -> anyhow::Result<String>) -> anyhow::Result<u8> {
    let listener = TcpListener::bind(address).map_err(|e| {
        BadUsage(format!("cannot serve at {address}: {e}; give an address such as 127.0.0.1:8080"))
    })?;
    println!("http://{}/ until Ctrl-C", listener.local_addr()?);
    // A browser that hangs up is no failure of ours.
    for stream in listener.incoming().flatten() {
        let _ = answer(stream, page);
    }
    Ok(exit::FINE)
}

fn answer(mut stream: TcpStream, page: &dyn Fn() -> anyhow::Result<String>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(Duration::from_secs(20)))?;
    let mut request = String::new();
    let mut reader = BufReader::new((&stream).take(LARGEST));
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let (status, kind, body) = match (method, path) {
        ("GET" | "HEAD", "/") => match page() {
            Ok(html) => ("200 OK", "text/html; charset=utf-8", html),
            Err(e) => ("503 Service Unavailable", "text/plain; charset=utf-8", format!("{e:#}\n")),
        },
        ("GET" | "HEAD", _) => ("404 Not Found", "text/plain; charset=utf-8", "only / is here\n".to_owned()),
        _ => ("405 Method Not Allowed", "text/plain; charset=utf-8", "only GET\n".to_owned()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )?;
    if method != "HEAD" {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (stream, _) = listener.accept().expect("asked");
                answer(stream, &|| Ok("<p>page</p>".to_owned()))
            });
            let mut stream = TcpStream::connect(address).expect("there");
            stream.write_all(request.as_bytes()).expect("sent");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("answered");
            text
        })
    }

    #[test]
    fn requests_are_answered() {
        let rows = [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK", "<p>page</p>"),
            ("GET /?a=b HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK", "<p>page</p>"),
            ("GET /etc/passwd HTTP/1.1\r\n\r\n", "HTTP/1.1 404", "only / is here"),
            ("POST / HTTP/1.1\r\n\r\n", "HTTP/1.1 405", "only GET"),
            ("nonsense\r\n\r\n", "HTTP/1.1 405", "only GET"),
        ];
        for (request, status, body) in rows {
            let text = ask(request);
            assert!(text.starts_with(status) && text.contains(body), "{request:?}: {text}");
        }
        assert!(!ask("HEAD / HTTP/1.1\r\n\r\n").contains("<p>"));
    }
}

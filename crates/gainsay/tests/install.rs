//! Installing a release with the program itself: nothing of the user's folder is run, and nothing unchecked is installed.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use gainsay::solver::acquire::lock::Lock;
use gainsay::solver::release::Release;

/// A folder of this test, empty.
fn folder(name: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("gainsay-install-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("writable");
    place
}

/// An index that has one page for every package, and this content for every file.
fn index(page: String, content: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/simple", listener.local_addr().expect("bound"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines =
                BufReader::new(stream.try_clone().expect("a socket")).lines().map_while(Result::ok);
            let request = lines.next().unwrap_or_default();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let body = if request.contains("/simple/") { page.as_str() } else { content };
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    url
}

/// Runs gainsay in a folder, with solvers in `home` below it and this index; returns what it says.
fn gainsay(folder: &Path, index: &str, args: &[&str]) -> (bool, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(args)
        .current_dir(folder)
        .env("GAINSAY_HOME", folder.join("home"))
        .env("PIP_CONFIG_FILE", "/dev/null")
        .env("PIP_INDEX_URL", index)
        .env_remove("PIP_EXTRA_INDEX_URL")
        .env_remove("PIP_FIND_LINKS")
        .output()
        .expect("it starts");
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8_lossy(&said).into_owned())
}

fn installed(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("home/solvers")).map_or(0, Iterator::count)
}

#[test]
fn a_module_in_the_users_folder_is_not_run() {
    let place = folder("planted");
    for name in ["pip.py", "sitecustomize.py", "zipfile.py"] {
        std::fs::write(place.join(name), "open('run', 'w').close()\n").expect("written");
    }
    let empty = index(String::new(), "");
    let (fine, said) = gainsay(&place, &empty, &["solvers", "install", "z3@5.4.0"]);
    assert!(!fine && said.contains("has none of z3_solver-5.4.0"), "{said}");
    assert!(said.contains("-I -m pip` failed") || said.contains("there is no python3"), "{said}");
    assert!(!place.join("run").exists(), "a module of the user's folder was run");
    assert_eq!(installed(&place), 0);
    std::fs::remove_dir_all(place).expect("ours");
}

#[test]
fn a_file_that_is_not_the_locked_one_is_not_installed() {
    let place = folder("wrong");
    let release = Release::parse("5.4.0").expect("a release");
    let locked = Lock::built_in().find("z3", &release).expect("locked");
    let file = locked.files.keys().next().expect("one wheel");
    let page = format!("<a href='/files/{file}'>{file}</a>");
    let (fine, said) = gainsay(&place, &index(page, "another file"), &["solvers", "install", "z3@5.4.0"]);
    assert!(!fine && said.contains("is not the file that was locked"), "{said}");
    assert_eq!(installed(&place), 0);
    std::fs::remove_dir_all(place).expect("ours");
}

#[test]
fn a_program_is_asked_for_its_version_in_another_folder_and_leaves_nothing() {
    let place = folder("probe");
    let program = place.join("z3");
    let text = "#!/bin/sh\n[ \"$1\" = --version ] || exit 1\ntouch here\n(sleep 70 & echo $! > PLACE/left)\necho Z3 version 4.8.7\n";
    std::fs::write(&program, text.replace("PLACE", &place.display().to_string())).expect("written");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("ours");
    std::fs::write(place.join("a.smt2"), "(check-sat)\n").expect("written");
    gainsay(&place, "http://127.0.0.1:9", &["check", "a.smt2", "--solver", "./z3"]);
    let left = std::fs::read_to_string(place.join("left")).expect("it was asked");
    assert!(!place.join("here").exists(), "it was started in the user's folder");
    assert!(!Path::new("/proc").join(left.trim()).exists(), "it left a process");
    std::fs::remove_dir_all(place).expect("ours");
}

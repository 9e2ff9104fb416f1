//! A network that is cut where nobody sees it: what we say is taken, and no answer comes.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::keeping::{liars, lying};
use super::place::Place;
use super::proxy::Proxy;
use super::server::{PASSWORD, Server};
use super::{gainsay, together};

/// A worker that finds something all the time, what it says, and what waits on its disk.
struct Watched<'a> {
    place: &'a Place,
    name: &'a str,
    worker: Child,
}

impl<'a> Watched<'a> {
    fn start(place: &'a Place, store: &str, name: &'a str) -> Watched<'a> {
        let log = |end: &str| std::fs::File::create(place.0.join(format!("{name}{end}"))).expect("writable");
        let worker = gainsay(place)
            .args(["work", "--json", "--jobs", "1", "--lease", "3s", "--store", store, "--spool", "spool"])
            .env("PGPASSWORD", PASSWORD)
            .stdin(Stdio::null())
            .stdout(log(".events"))
            .stderr(log(".words"))
            .spawn()
            .expect("we start");
        Watched { place, name, worker }
    }

    fn read(&self, end: &str) -> String {
        std::fs::read_to_string(self.place.0.join(format!("{}{end}", self.name))).expect("a log")
    }

    /// Waits until something is so, while it works.
    fn until(&mut self, is_so: impl Fn(&Watched<'_>) -> bool) {
        let end = Instant::now() + Duration::from_secs(100);
        while !is_so(self) {
            let works = self.worker.try_wait().expect("ours").is_none();
            assert!(works && Instant::now() < end, "{}", self.read(".words"));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn found(&self) -> usize {
        self.read(".events").matches("\"event\":\"found\"").count()
    }

    /// Ends by itself, or after being told.
    fn end(&mut self, within: Duration) -> Option<i32> {
        let end = Instant::now() + within;
        loop {
            if let Some(status) = self.worker.try_wait().expect("ours") {
                return status.code();
            }
            assert!(Instant::now() <= end, "it does not end: {}", self.read(".words"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let _ = self.worker.kill();
        let _ = self.worker.wait();
    }
}

/// How many results on disk hold findings.
fn kept(place: &Place) -> usize {
    let files = std::fs::read_dir(place.0.join("spool")).into_iter().flatten().flatten();
    let files = files.filter(|e| !e.file_name().to_string_lossy().starts_with('.'));
    let texts = files.map(|e| std::fs::read_to_string(e.path()).unwrap_or_default());
    texts.filter(|text| text.contains("\"finding\":")).count()
}

/// Silence is said, nothing waits in memory alone, who is told to stop does; and when the network is back all goes on.
#[test]
fn a_server_that_says_nothing_is_away() {
    let ((place, one), server) = (liars("shared-silent"), Server::start("silent"));
    let begun = gainsay(&place)
        .args(lying(&server.address("silent")))
        .args(["--for", "1s", "--spool", "spool"])
        .output()
        .expect("we start");
    assert!(begun.status.code().is_some());
    let proxy = Proxy::steady(server.port);
    let store = format!("postgres://gainsay@127.0.0.1:{}/postgres#silent", proxy.port);

    let mut stopped = Watched::start(&place, &store, "stopped");
    stopped.until(|worker| worker.found() > 0);
    proxy.swallow(true);
    let more = stopped.found() + 1;
    stopped.until(|worker| worker.found() > more || worker.read(".words").contains("said nothing"));
    let pid = rustix::process::Pid::from_child(&stopped.worker);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("ours");
    assert_eq!(stopped.end(Duration::from_secs(25)), Some(5), "{}", stopped.read(".words"));
    assert!(
        stopped.read(".words").contains("what was not handed in is in spool"),
        "{}",
        stopped.read(".words")
    );
    assert!(kept(&place) > 0);
    proxy.swallow(false);

    let mut patient = Watched::start(&place, &store, "patient");
    patient.until(|worker| worker.found() > 0);
    proxy.swallow(true);
    patient.until(|worker| worker.read(".words").contains("it said nothing for") && kept(&place) > 0);
    assert!(patient.read(".words").contains("trying again in"), "{}", patient.read(".words"));
    proxy.swallow(false);
    assert_eq!(patient.end(Duration::from_secs(200)), Some(10), "{}", patient.read(".words"));
    assert!(patient.read(".words").contains("the store is back"), "{}", patient.read(".words"));
    assert_eq!(kept(&place), 0);
    assert!(one == together(&server, "silent"), "{one:#?}\n{:#?}", together(&server, "silent"));
}

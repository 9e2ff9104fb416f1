//! What waits on a worker's disk: a server without room, a worker that is stopped without one.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::place::{IN_FULL, Place, text};
use super::server::Server;
use super::{Result, alone, begin, gainsay, result, seeded, together, wait, worker};

/// A server without room refuses what is handed in: that is said, what was made waits on disk, and is handed in when there is
/// room again.
#[test]
fn a_full_disk_is_waited_for() {
    let (place, server) = (seeded("shared-full"), Server::start("full"));
    let one = alone(&place, "300");
    let store = server.address("crowded");
    begin(&place, &store, "300");
    let mut client = server.connect().expect("it is there");
    let full = "CREATE FUNCTION crowded.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$; \
                CREATE TRIGGER refuse BEFORE INSERT ON crowded.turns EXECUTE FUNCTION crowded.refuse()";
    client.batch_execute(full).expect("a trigger");
    let mut worker = worker(&place, &store, "w0");
    let kept = || std::fs::read_dir(place.0.join("spool-w0")).into_iter().flatten().count();
    let said = || std::fs::read_to_string(place.0.join("w0.log")).unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(200);
    while !(kept() > 0 && said().contains("No space left on device")) {
        assert!(worker.try_wait().expect("ours").is_none() && Instant::now() < end, "{}", said());
        std::thread::sleep(Duration::from_millis(20));
    }
    client.batch_execute("DROP TRIGGER refuse ON crowded.turns").expect("room again");
    wait(&place, vec![worker]);
    assert!(one == together(&server, "crowded"), "{one:#?}\n{:#?}", together(&server, "crowded"));
    assert_eq!(kept(), 0, "what waited was handed in");
}

/// What a worker of such a campaign finds in every case.
const LIAR: &str = "fake:honest,sleep=100,when=liar,unsat-for-sat";

/// The arguments of a campaign that finds something all the time, but not more than is kept.
pub fn lying(store: &str) -> Vec<&str> {
    let mut args = vec!["hunt", "liars", "--with", "opfuzz", "--chain", "3", "--seed", "3", "--turns", "36"];
    args.extend(IN_FULL);
    args.extend(["--timeout", "60", "--jobs", "1", "--store", store]);
    args.extend(["--solver", LIAR, "--solver", "fake:honest"]);
    args
}

/// Seeds of such a campaign, and what it comes to on one machine.
pub fn liars(name: &str) -> (Place, Result) {
    let place = Place::new(name);
    std::fs::create_dir(place.0.join("liars")).expect("writable");
    for (i, operator) in ["bvadd", "bvmul", "bvand", "bvor", "bvxor", "bvsub"].into_iter().enumerate() {
        let script = format!(
            "(declare-const liar (_ BitVec 4))\n(declare-const y (_ BitVec 4))\n(assert (= ({operator} liar #x{i}) y))\n(check-sat)\n"
        );
        std::fs::write(place.0.join(format!("liars/{i}.smt2")), script).expect("writable");
    }
    let output = gainsay(&place).args(lying("alone")).output().expect("we start");
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let database = rusqlite::Connection::open(place.0.join("alone/campaign.sqlite")).expect("a store");
    let one = result(|sql| {
        let mut query = database.prepare(sql).expect("a query");
        let rows = query.query_map([], |r| r.get::<_, String>(0)).expect("rows");
        rows.map(|r| r.expect("a row")).collect()
    });
    (place, one)
}

/// A worker that is stopped while the server is away keeps what it found, and the next hands it in, once.
#[test]
fn what_was_found_outlives_a_worker_that_is_stopped() {
    let ((place, one), mut server) = (liars("shared-stopped"), Server::start("stopped"));
    let store = server.address("stopped");
    let begun = gainsay(&place).args(lying(&store)).args(["--for", "1s", "--spool", "spool"]).output();
    assert!(begun.expect("we start").status.code().is_some());
    let count = || server.texts("SELECT count(*)::text FROM stopped.findings")[0].parse::<usize>();
    let before = count().expect("a number");
    let log = |name: &str| std::fs::File::create(place.0.join(name)).expect("writable");
    let mut worker = gainsay(&place)
        .args(["work", "--json", "--jobs", "1", "--store", &store, "--spool", "spool"])
        .stdin(Stdio::null())
        .stdout(log("events"))
        .stderr(log("words"))
        .spawn()
        .expect("we start");
    let read = |name: &str| std::fs::read_to_string(place.0.join(name)).expect("a log");
    let found = || read("events").matches("\"event\":\"found\"").count();
    let end = Instant::now() + Duration::from_secs(100);
    // Something was found since it handed in.
    while found() + before < count().expect("a number") + 2 {
        assert!(worker.try_wait().expect("ours").is_none() && Instant::now() < end, "{}", read("words"));
        std::thread::sleep(Duration::from_millis(5));
    }
    server.stop();
    // It asks for the next seed, or to hand in, and waits.
    while !read("words").contains("trying again") {
        assert!(worker.try_wait().expect("ours").is_none() && Instant::now() < end, "{}", read("words"));
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_child(&worker);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("ours");
    assert_eq!(worker.wait().expect("ours").code(), Some(5), "{}", read("words"));
    assert!(read("words").contains("what was not handed in is in spool"), "{}", read("words"));
    let kept = || -> Vec<String> {
        let files = std::fs::read_dir(place.0.join("spool")).expect("a folder").flatten();
        let files = files.filter(|e| e.file_name().to_string_lossy().ends_with(".json"));
        files.map(|e| std::fs::read_to_string(e.path()).expect("a result")).collect()
    };
    assert!(kept().iter().any(|result| result.contains("\"finding\":")), "{:?}", kept());
    server.go_on();
    for (more, code) in [(&[][..], 10), (&["--findings-are-fine"], 0)] {
        let worked =
            gainsay(&place).args(["work", "--store", &store, "--spool", "spool"]).args(more).output();
        let worked = worked.expect("we start");
        assert_eq!(worked.status.code(), Some(code), "{}", text(&worked.stderr));
    }
    assert!(kept().is_empty(), "{:?}", kept());
    assert!(one == together(&server, "stopped"), "{one:#?}\n{:#?}", together(&server, "stopped"));
}

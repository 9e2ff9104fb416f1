//! Campaigns on a real `PostgreSQL` server: many workers, some of them killed, a server that goes and comes back, a bad network;
//! and always the result that one machine has.

mod corrupt;
mod doors;
#[path = "../corrupt/fixture.rs"]
mod fixture;
mod keeping;
mod moving;
#[path = "../place/mod.rs"]
mod place;
#[path = "../proxy/mod.rs"]
mod proxy;
#[path = "../server/mod.rs"]
mod server;
mod silence;
mod spool;
mod study;
#[path = "../turns/mod.rs"]
mod turns;

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use place::{IN_FULL, Place, text};
use proxy::Proxy;
use server::{PASSWORD, Server};

/// Whether all is to be shown, however long it takes.
fn full() -> bool {
    std::env::var_os("GAINSAY_FULL").is_some()
}

/// Turns, kills and seconds without a server.
fn size() -> (u32, u32, u64) {
    if full() { (20_000, 20, 30) } else { (600, 4, 3) }
}

/// Seeds of which a few have a variable that makes the faulty solver wrong; so few that none of its faults shows more than 20
/// times, for of more it depends on who is first which are kept.
fn seeded(name: &str) -> Place {
    let place = Place::new(name);
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    let rarely = if full() { 400 } else { 100 };
    for i in 0..1200 {
        let (a, b, c) = (i % 16, i / 16 % 16, i / 256 % 16);
        let trap = match i % rarely {
            7 => "liar",
            60 => "modeller",
            _ => "plain",
        };
        let script = format!(
            "(declare-const {trap} (_ BitVec 4))\n(declare-const y (_ BitVec 4))\n\
             (assert (= (bvadd {trap} #x{a:x}) (bvmul y #x{b:x})))\n(assert (bvule y #x{c:x}))\n(check-sat)\n"
        );
        std::fs::write(place.0.join(format!("seeds/{i:04}.smt2")), script).expect("writable");
    }
    place
}

const FAULTY: &str = "fake:honest,sleep=5,when=liar,unsat-for-sat,when=modeller,wrong-model";

/// The arguments of the campaign that all tests run.
fn hunting<'a>(turns: &'a str, store: &'a str) -> Vec<&'a str> {
    let mut args =
        vec!["hunt", "seeds", "--with", "seeds,opfuzz", "--chain", "40", "--seed", "3", "--turns", turns];
    args.extend(IN_FULL);
    args.extend(["--breadth", "64", "--timeout", "60", "--jobs", "1", "--store", store]);
    args.extend(["--solver", FAULTY, "--solver", "fake:honest,sleep=5"]);
    args
}

/// What a campaign came to: turns, series, identities of findings, counts.
#[derive(Debug, PartialEq, Eq)]
struct Result {
    turns: Vec<String>,
    series: Vec<String>,
    findings: BTreeSet<String>,
    triggers: Vec<String>,
    tally: Vec<String>,
}

const QUERIES: [&str; 5] = [
    turns::QUERY,
    "SELECT no || ' ' || allotted || ' ' || turns || ' ' || ended FROM series ORDER BY no",
    "SELECT identity FROM findings WHERE warm = 0",
    "SELECT fingerprint || ' ' || count FROM triggers ORDER BY fingerprint",
    "SELECT strategy || ' ' || solver || ' ' || what || ' ' || count FROM tally WHERE solver <> '' ORDER BY 1",
];

fn result(mut rows: impl FnMut(&str) -> Vec<String>) -> Result {
    let [turns, series, findings, triggers, tally] = QUERIES.map(&mut rows);
    let sorted = |mut rows: Vec<String>| {
        rows.sort();
        rows
    };
    let findings = findings.into_iter().collect();
    Result { turns: turns::each(&turns), series, findings, triggers: sorted(triggers), tally: sorted(tally) }
}

/// The program in a folder, where no solver of this machine is seen: none is asked as a witness.
fn gainsay(place: &Place) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
    command.current_dir(&place.0).env("GAINSAY_HOME", place.0.join("home"));
    command
}

/// The campaign on one machine with one worker.
fn alone(place: &Place, turns: &str) -> Result {
    let output = gainsay(place).args(hunting(turns, "alone")).output().expect("we start");
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let database = rusqlite::Connection::open(place.0.join("alone/campaign.sqlite")).expect("a store");
    let found = result(|sql| {
        let mut query = database.prepare(sql).expect("a query");
        let rows = query.query_map([], |r| r.get::<_, String>(0)).expect("rows");
        rows.map(|r| r.expect("a row")).collect()
    });
    assert_eq!(found.turns.len().to_string(), turns);
    assert!(found.findings.len() >= 2, "{:?}", found.triggers);
    let most = found.triggers.iter().filter_map(|t| t.rsplit(' ').next()?.parse::<u32>().ok()).max();
    assert!(most <= Some(20), "{:?}", found.triggers);
    found
}

/// The campaign on a server.
fn together(server: &Server, campaign: &str) -> Result {
    let found = result(|sql| {
        let mut client = server.connect().expect("it is there");
        client.batch_execute(&format!("SET search_path TO {campaign}")).expect("a campaign");
        client.query(sql, &[]).expect("rows").iter().map(|row| row.get(0)).collect()
    });
    // Exactly once: rows say which, counts say how often.
    let counted = server.texts(&format!("SELECT sum(turns)::text FROM {campaign}.course"));
    assert_eq!(counted, [found.turns.len().to_string()]);
    found
}

/// How many turns were handed in.
fn made(server: &Server, campaign: &str) -> u64 {
    let counted = server.texts(&format!("SELECT coalesce(sum(turns), 0)::text FROM {campaign}.series"));
    counted[0].parse().expect("a number")
}

/// Begins the campaign on a server, with a first worker that makes a few turns.
fn begin(place: &Place, store: &str, turns: &str) {
    let args = [&hunting(turns, store)[..], &["--for", "1s", "--lease", "3s", "--spool", "spool"]].concat();
    let output = gainsay(place).args(args).output().expect("we start");
    assert!(matches!(output.status.code(), Some(0 | 10)), "{}", text(&output.stderr));
}

/// A worker in a process of its own; what it says goes to a file.
fn worker(place: &Place, store: &str, name: &str) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(place.0.join(format!("{name}.log")));
    gainsay(place)
        .args(["work", "--jobs", "1", "--lease", "3s", "--store", store, "--spool", &format!("spool-{name}")])
        .env("PGPASSWORD", PASSWORD)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.expect("writable"))
        .spawn()
        .expect("we start")
}

/// Waits for workers to end by themselves; tells what they said if one does not end well.
fn wait(place: &Place, workers: Vec<Child>) {
    for (i, code) in ended(workers).into_iter().enumerate() {
        let said = std::fs::read_to_string(place.0.join(format!("w{i}.log"))).unwrap_or_default();
        assert_eq!(code, Some(10), "worker {i}: {said}");
    }
}

/// How workers end by themselves.
fn ended(workers: Vec<Child>) -> Vec<Option<i32>> {
    let end = Instant::now() + Duration::from_secs(if full() { 3_600 } else { 400 });
    let code = |mut worker: Child| loop {
        if let Some(status) = worker.try_wait().expect("ours") {
            break status.code();
        }
        if Instant::now() > end {
            let _ = worker.kill();
            break worker.wait().expect("ours").code();
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    workers.into_iter().map(code).collect()
}

#[test]
fn workers_that_are_killed_change_nothing() {
    let (turns, kills, _) = size();
    let (place, server) = (seeded("shared-kill"), Server::start("kill"));
    let one = alone(&place, &turns.to_string());
    let store = server.address("killed");
    begin(&place, &store, &turns.to_string());
    let mut workers: Vec<Child> = (0..4).map(|i| worker(&place, &store, &format!("w{i}"))).collect();
    let (mut killed, mut before, mut last) = (0, made(&server, "killed"), Instant::now());
    // Whenever something was handed in; the short version leaves off when there were enough, the long one takes its time.
    let pause = Duration::from_secs(if full() { 2 } else { 0 });
    while (killed < kills || full()) && workers.iter_mut().all(|w| w.try_wait().expect("ours").is_none()) {
        std::thread::sleep(Duration::from_millis(20));
        let now = made(&server, "killed");
        let which = killed as usize % workers.len();
        if now > before && last.elapsed() >= pause && workers[which].try_wait().expect("ours").is_none() {
            workers[which].kill().expect("ours");
            workers[which].wait().expect("ours");
            killed += 1;
            (before, last) = (now, Instant::now());
            workers[which] = worker(&place, &store, &format!("w{which}"));
        }
    }
    wait(&place, workers);
    println!("{turns} turns, {} findings, {killed} kills", one.findings.len());
    assert!(killed >= kills, "{killed} kills");
    // Who was killed is silent for longer than its lease, and does not work any more.
    std::thread::sleep(Duration::from_secs(4));
    let status = gainsay(&place).args(["status", "--json", "--store", &store]).output().expect("we start");
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).expect("JSON");
    assert_eq!(status["turns_a_minute"], 0, "{status}");
    assert!(one == together(&server, "killed"), "{one:#?}\n{:#?}", together(&server, "killed"));
}

#[test]
fn a_server_that_goes_and_a_network_that_is_cut_change_nothing() {
    let (turns, _, away) = size();
    let (place, mut server) = (seeded("shared-away"), Server::start("away"));
    let turns = (turns / 2).to_string();
    let one = alone(&place, &turns);
    begin(&place, &server.address("cut"), &turns);
    let proxy = Proxy::start(server.port);
    let store = format!("postgres://gainsay@127.0.0.1:{}/postgres#cut", proxy.port);
    let workers: Vec<Child> = (0..3).map(|i| worker(&place, &store, &format!("w{i}"))).collect();
    // All three are at work, and far from the end.
    let begun = made(&server, "cut");
    while made(&server, "cut") < begun + 20 {
        std::thread::sleep(Duration::from_millis(20));
    }
    server.stop();
    std::thread::sleep(Duration::from_secs(away));
    server.go_on();
    wait(&place, workers);
    let said = std::fs::read_to_string(place.0.join("w0.log")).expect("a log");
    println!("{turns} turns, {} findings, {} connections cut", one.findings.len(), proxy.cuts());
    assert!(proxy.cuts() >= 3, "{} cuts", proxy.cuts());
    assert!(said.contains("cannot be reached") && said.contains("the store is back"), "{said}");
    assert!(!said.contains(PASSWORD), "{said}");
    assert!(one == together(&server, "cut"), "{one:#?}\n{:#?}", together(&server, "cut"));
    let left = std::fs::read_dir(place.0.join("spool-w0")).into_iter().flatten().count();
    assert_eq!(left, 0, "what waited was handed in");
}

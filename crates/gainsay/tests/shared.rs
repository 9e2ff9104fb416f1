//! Campaigns on a real `PostgreSQL` server: many workers, some of them killed, a server that goes and comes back, a bad network;
//! and always the result that one machine has.

mod place;
mod proxy;
mod server;
mod turns;

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use place::{Place, text};
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
fn lying(store: &str) -> Vec<&str> {
    let mut args = vec!["hunt", "liars", "--with", "opfuzz", "--chain", "3", "--seed", "3", "--turns", "36"];
    args.extend(["--timeout", "60", "--jobs", "1", "--store", store]);
    args.extend(["--solver", LIAR, "--solver", "fake:honest"]);
    args
}

/// A worker that is stopped while the server is away keeps what it found, and the next hands it in, once.
#[test]
fn what_was_found_outlives_a_worker_that_is_stopped() {
    let (place, mut server) = (Place::new("shared-stopped"), Server::start("stopped"));
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
        files.map(|e| std::fs::read_to_string(e.path()).expect("a parcel")).collect()
    };
    assert!(kept().iter().any(|parcel| parcel.contains("\"finding\":")), "{:?}", kept());
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

/// Nothing that somebody else made is used or erased, and who may not make schemas uses one that was made for it.
#[test]
fn what_others_made_is_left_alone() {
    let (place, server) = (seeded("shared-others"), Server::start("others"));
    let mut client = server.connect().expect("it is there");
    let others = "CREATE SCHEMA theirs; CREATE TABLE theirs.campaign (key BIGINT, value TEXT); \
                  CREATE SCHEMA others; CREATE TABLE others.precious (x BIGINT); \
                  CREATE ROLE plain LOGIN; CREATE SCHEMA given AUTHORIZATION plain";
    client.batch_execute(others).expect("made");
    let run = |args: &[&str]| {
        let output = gainsay(&place).args(args).output().expect("we start");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let bench = |campaign: &str| {
        let store = server.address(campaign);
        run(&["bench", "store", "--store", &store, "--workers", "2", "--leases", "2", "--every", "0s"])
    };
    for (campaign, said) in [
        ("public", "the campaign's name"),
        ("theirs", "is there already"),
        ("others", "is there already"),
        ("given", "is there already"),
    ] {
        let (code, told) = bench(campaign);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(said), "{told}");
    }
    let (code, told) = bench("passing");
    assert_eq!(code, Some(0), "{told}");
    for campaign in ["theirs", "others"] {
        let (code, told) = run(&hunting("30", &server.address(campaign)));
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("is used by something else; name another after #"), "{told}");
    }
    let plain = server.address("given").replace("gainsay@", "plain@");
    let (code, told) = run(&[&hunting("30", &plain)[..], &["--spool", "spool"]].concat());
    assert!(matches!(code, Some(0 | 10)), "{told}");
    let schemas = "SELECT nspname::text FROM pg_namespace WHERE nspname !~ '^pg_|^info' ORDER BY 1";
    assert_eq!(server.texts(schemas), ["given", "others", "public", "theirs"]);
    assert_eq!(server.texts("SELECT count(*)::text FROM pg_tables WHERE schemaname = 'others'"), ["1"]);
}

/// A password that was changed is read again by who waits for it.
#[test]
fn a_password_that_changes_is_read_again() {
    let (place, server) = (seeded("shared-changed"), Server::start("changed"));
    let begun = server.address("changed");
    begin(&place, &begun, "200");
    let file = place.0.join("pgpass");
    let write = |password: &str| {
        std::fs::write(&file, format!("*:*:*:gainsay:{password}\n")).expect("writable");
        let only_us = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&file, only_us).expect("ours");
    };
    write(PASSWORD);
    let log = std::fs::File::create(place.0.join("w0.log")).expect("writable");
    let store = format!("postgres://gainsay@127.0.0.1:{}/postgres#changed", server.port);
    let worker = gainsay(&place)
        .args(["work", "--jobs", "1", "--lease", "3s", "--store", &store, "--spool", "spool"])
        .env_remove("PGPASSWORD")
        .env("PGPASSFILE", &file)
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("we start");
    let before = made(&server, "changed");
    while made(&server, "changed") <= before {
        std::thread::sleep(Duration::from_millis(20));
    }
    let change = "ALTER ROLE gainsay PASSWORD 'another'; \
                  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_addr IS NOT NULL";
    server.connect().expect("it is there").batch_execute(change).expect("changed");
    let said = || std::fs::read_to_string(place.0.join("w0.log")).expect("a log");
    let end = Instant::now() + Duration::from_secs(100);
    while !said().contains("password authentication failed") {
        assert!(Instant::now() < end, "{}", said());
        std::thread::sleep(Duration::from_millis(20));
    }
    write("another");
    wait(&place, vec![worker]);
    assert!(!said().contains(PASSWORD) && !said().contains("another"), "{}", said());
}

#[test]
fn passwords_and_what_is_wrong_at_the_beginning() {
    let (place, server) = (seeded("shared-words"), Server::start("words"));
    let network = |who: &str| format!("postgres://{who}@127.0.0.1:{}/postgres#words", server.port);
    let run = |args: &[&str], password: Option<&str>| {
        let mut command = gainsay(&place);
        command.args(args).env_remove("PGPASSWORD").env("PGPASSFILE", "/nonexistent");
        command.envs(password.map(|p| ("PGPASSWORD", p)));
        let output = command.output().expect("we start");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let store = network("gainsay");
    let (code, told) = run(&["status", "--store", &store], Some("wrong-one"));
    assert_eq!(code, Some(5), "{told}");
    assert!(told.contains("password authentication failed") && !told.contains("wrong-one"), "{told}");
    let (code, told) = run(&["status", "--store", &store], Some(PASSWORD));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("holds no campaign"), "{told}");
    let (code, told) = run(&["status", "--store", &store], None);
    assert_eq!(code, Some(5), "{told}");
    assert!(told.contains("needs a password: PGPASSWORD or ~/.pgpass"), "{told}");
    // What is wrong with an address is told without it, and it never becomes a folder.
    for wrong in [
        "postgres://gainsay:s3cret@127.0.0.1:port/postgres",
        "postgres://gainsay:x#s3cret@127.0.0.1/postgres",
        "postgres://gainsay:x@s3cret@127.0.0.1/postgres",
        "postgres://gainsay:s3cret@127.0.0.1/postgres#S3CRET",
        "postgres://gainsay:s3cret@127.0.0.1/postgres#public",
        "Postgres:gainsay:s3cret@127.0.0.1/postgres",
        "host=127.0.0.1 password=s3cret",
    ] {
        for args in [&["status", "--store", wrong][..], &["status", wrong], &["store", "copy", wrong, wrong]]
        {
            let (code, told) = run(args, None);
            assert_eq!(code, Some(2), "{told}");
            assert!(!told.to_lowercase().contains("s3cret"), "{told}");
        }
        let (code, told) = run(&hunting("30", wrong), None);
        assert_eq!(code, Some(2), "{told}");
    }
    let names = std::fs::read_dir(&place.0).expect("ours").flatten().map(|e| e.file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().to_lowercase()).collect();
    assert!(!names.iter().any(|name| name.contains("s3cret") || name.contains("postgres")), "{names:?}");
    let open = network(&format!("gainsay:{PASSWORD}"));
    let args = [&hunting("30", &open)[..], &["--spool", "spool"]].concat();
    let (code, told) = run(&args, None);
    assert!(matches!(code, Some(0 | 10)), "{told}");
    assert!(told.contains("PGPASSWORD or ~/.pgpass") && !told.contains(PASSWORD), "{told}");
    let (code, told) = run(&args, None);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("--resume continues it") && !told.contains(PASSWORD), "{told}");
    // The password stands nowhere in the database, either.
    let all = server.texts("SELECT key || value FROM words.campaign");
    assert!(!all.iter().any(|row| row.contains(PASSWORD)), "{all:?}");
    let (code, told) = run(&["status", "--store", &store], Some(PASSWORD));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("30 of 30 turns") && told.contains("all turns are made"), "{told}");
    let (code, told) = run(&["findings", "--store", &store, "--json"], Some(PASSWORD));
    assert_eq!(code, Some(0), "{told}");
    // To a folder and back, and all is there.
    for (from, to) in
        [(store.as_str(), "copied"), ("copied", &network("gainsay").replace("#words", "#again"))]
    {
        let (code, told) = run(&["store", "copy", from, to], Some(PASSWORD));
        assert_eq!(code, Some(0), "{told}");
    }
    assert!(together(&server, "words") == together(&server, "again"), "{:#?}", together(&server, "again"));
    let folder = place.gainsay(&["work", "--store", "copied"]);
    assert_eq!(folder.status.code(), Some(2), "{}", text(&folder.stderr));
    assert!(text(&folder.stderr).contains("is a folder of one machine"), "{}", text(&folder.stderr));
    let (code, told) = run(&["report", "--store", &store, "--as", "json"], Some(PASSWORD));
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = run(&["report", "--store", &store, "-o", "-"], Some(PASSWORD));
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("<h2 id=\"workers\">") && told.contains("1 job, 30 turns, gone"), "{told}");
    // A folder that cannot be written is noticed before it is needed.
    let before = server.texts("SELECT count(*)::text FROM words.workers");
    let (code, told) = run(&["work", "--store", &store, "--spool", "seeds/0000.smt2"], Some(PASSWORD));
    assert_eq!(code, Some(5), "{told}");
    assert!(told.contains("seeds/0000.smt2"), "{told}");
    assert_eq!(server.texts("SELECT count(*)::text FROM words.workers"), before);
    // A campaign without seeds and settings came from a folder.
    let (code, told) = run(&["work", "--store", &store.replace("#words", "#again")], Some(PASSWORD));
    assert!(matches!(code, Some(0 | 10)), "{told}");
    let mut client = server.connect().expect("it is there");
    client.execute("DELETE FROM again.campaign WHERE key = 'settings'", &[]).expect("gone");
    let (code, told) = run(&["work", "--store", &store.replace("#words", "#again")], Some(PASSWORD));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("gainsay hunt") && told.contains("--resume"), "{told}");
    // A solver that is another program here is not asked.
    let change = "UPDATE words.campaign SET value = replace(value, '\"digest\":\"fake\"', '\"digest\":\"00\"') WHERE key = 'settings'";
    client.execute(change, &[]).expect("changed");
    let (code, told) = run(&["work", "--store", &store], Some(PASSWORD));
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("not the program that the campaign was begun with"), "{told}");
    let (_, told) = run(&["status", "--store", &store], Some(PASSWORD));
    assert!(told.contains("takes no work: "), "{told}");
    // What is newer than we are is left alone.
    client.execute("UPDATE words.campaign SET value = '99' WHERE key = 'format'", &[]).expect("changed");
    let (code, told) = run(&["work", "--store", &store], Some(PASSWORD));
    assert_eq!(code, Some(5), "{told}");
    assert!(told.contains("was written by a newer gainsay (its format is 99"), "{told}");
}

/// Three releases, of which the second is unsound on `xor` and the third crashes on `ite`.
const RELEASES: &str = r#"
[solvers.r1]
command = "fake:honest,sleep=5"
[solvers.r2]
command = "fake:honest,sleep=5,when=xor,unsat-for-sat"
[solvers.r3]
command = "fake:honest,sleep=5,when=ite,segv"
[solvers.truth]
command = "fake:honest"
"#;

const GRAMMAR: &str = r"grammar Mini;
term : 'a' | 'b' | '(' 'and' term term ')' | '(' 'xor' term term ')' | '(' 'ite' term term term ')' ;
start : '(' 'declare-const' 'a' 'Bool' ')' '(' 'declare-const' 'b' 'Bool' ')' '(' 'assert' term ')' '(' 'check-sat' ')' ;
";

const STUDIED: [&str; 3] = [
    "SELECT grammar || ' ' || number || ' ' || name || ' ' || outcome || ' ' || coalesce(answer, '') FROM runs \
     JOIN formulas ON formulas.id = formula JOIN releases ON releases.id = release ORDER BY 1",
    "SELECT number || ' ' || name || ' ' || kind FROM wrongs JOIN formulas ON formulas.id = formula \
     JOIN releases ON releases.id = release ORDER BY 1",
    "SELECT fingerprint || ' ' || count FROM triggers ORDER BY fingerprint",
];

/// A study of releases: workers elsewhere take formulas by lease, are killed, and all has the result of one machine. Then it
/// grows by a release.
#[test]
fn a_study_is_shared_too() {
    let (count, kills) = if full() { ("1000", 20) } else { ("120", 3) };
    let (place, elsewhere) = (Place::new("shared-study"), Place::new("shared-study-elsewhere"));
    let server = Server::start("study");
    std::fs::write(place.0.join("gainsay.toml"), RELEASES).expect("writable");
    std::fs::write(place.0.join("mini.g4"), GRAMMAR).expect("writable");
    let store = server.address("study");
    let study = |releases: &[&str], store: &str, more: &[&str]| {
        let rest = ["--reference", "truth", "--grammar", "mini.g4", "--timeout", "60s", "--jobs", "1"];
        let place_of = ["--count", count, "--store", store];
        let output = gainsay(&place)
            .args([&["evolve"], releases, &rest, &place_of, more].concat())
            .env("PGPASSWORD", PASSWORD)
            .output()
            .expect("we start");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let alone = || {
        let database = rusqlite::Connection::open(place.0.join("alone/campaign.sqlite")).expect("a store");
        STUDIED.map(|sql| {
            let mut query = database.prepare(sql).expect("a query");
            let rows = query.query_map([], |r| r.get::<_, String>(0)).expect("rows");
            let mut rows: Vec<String> = rows.map(|r| r.expect("a row")).collect();
            rows.sort();
            rows
        })
    };
    let together = || {
        STUDIED.map(|sql| {
            let mut client = server.connect().expect("it is there");
            client.batch_execute("SET search_path TO study").expect("a campaign");
            let mut rows: Vec<String> =
                client.query(sql, &[]).expect("rows").iter().map(|row| row.get(0)).collect();
            rows.sort();
            rows
        })
    };
    let (code, told) = study(&["r1", "r2"], "alone", &[]);
    assert_eq!(code, Some(10), "{told}");
    let one = alone();
    assert!(one[0].len() >= 240 && one[1].len() >= 10, "{one:#?}");

    let lease = ["--lease", "3s", "--spool", "spool"];
    let (code, told) = study(&["r1", "r2"], &store, &[&lease[..], &["--for", "1s"]].concat());
    assert!(matches!(code, Some(0 | 10)), "{told}");
    assert!(told.contains("the same command goes on"), "{told}");
    // They have neither the grammar nor the names of the releases.
    let mut workers: Vec<Child> = (0..3).map(|i| worker(&elsewhere, &store, &format!("w{i}"))).collect();
    let (mut killed, mut before) = (0, made(&server, "study"));
    while killed < kills && workers.iter_mut().all(|w| w.try_wait().expect("ours").is_none()) {
        std::thread::sleep(Duration::from_millis(20));
        let now = made(&server, "study");
        if now > before {
            let which = killed % workers.len();
            workers[which].kill().expect("ours");
            workers[which].wait().expect("ours");
            workers[which] = worker(&elsewhere, &store, &format!("w{which}"));
            (killed, before) = (killed + 1, now);
        }
    }
    // While it is worked on it may not change.
    let (code, told) = study(&["r1", "r2", "r3"], &store, &lease);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("stop them before other releases"), "{told}");
    let codes = ended(workers);
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 10))), "{codes:?}");
    assert!(killed >= kills, "{killed} kills");
    assert!(one == together(), "{one:#?}\n{:#?}", together());
    assert_eq!(server.texts("SELECT sum(turns)::text FROM study.series"), [count]);
    let (code, told) = study(&["r1", "r2"], &store, &lease);
    assert_eq!(code, Some(10), "{told}");
    assert!(told.contains("0 runs in") && told.contains("Triggers: unsound"), "{told}");

    // It grows, on one machine and on the server.
    for (store, more) in [("alone", &[][..]), (&store, &lease)] {
        let (code, told) = study(&["r1", "r2", "r3"], store, more);
        assert_eq!(code, Some(10), "{told}");
        assert!(told.contains("Triggers: crash"), "{told}");
    }
    assert!(alone()[0].len() > one[0].len());
    assert!(alone() == together(), "{:#?}\n{:#?}", alone(), together());
    let (_, told) = {
        let output = gainsay(&place).args(["status", "--store", &store]).env("PGPASSWORD", PASSWORD).output();
        let output = output.expect("we start");
        (output.status.code(), text(&output.stdout))
    };
    assert!(told.contains(&format!("{count} of {count} turns")), "{told}");
}

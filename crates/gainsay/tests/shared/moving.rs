//! Campaigns that are erased, begun again, copied and limited.

use std::time::{Duration, Instant};

use gainsay::case::Answer;
use gainsay::solver::SolverId;
use gainsay::store::{
    Before, Counter, Definition, FormulaRow, HandIn, Lease, LeaseResult, Place as Where, Planner, Postgres,
    Reader, SeriesRow, Sink, Sqlite, StoreError, Taken, TurnOutcome, Written, copy,
};

use super::place::{Place, text};
use super::server::Server;
use super::{alone, begin, ended, gainsay, hunting, made, result, seeded, together, wait, worker};

/// What a command says, and its exit code.
fn run(place: &Place, args: &[&str]) -> (Option<i32>, String) {
    let output = gainsay(place).args(args).output().expect("we start");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// A worker of a campaign that was erased does nothing to another of the same name.
#[test]
fn another_campaign_of_the_same_name_is_left_alone() {
    let (place, server) = (seeded("shared-replaced"), Server::start("replaced"));
    let one = alone(&place, "300");
    let (store, next) = (server.address("week"), server.address("next"));
    begin(&place, &next, "300");
    let mut args = [&hunting("5000", &store)[..], &["--for", "1s", "--spool", "spool"]].concat();
    let at = args.iter().position(|arg| *arg == "3").expect("--seed 3");
    args[at] = "4";
    let (code, told) = run(&place, &args);
    assert!(matches!(code, Some(0 | 10)), "{told}");
    let old = worker(&place, &store, "w1");
    let before = made(&server, "week");
    while made(&server, "week") <= before {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The old worker makes turns, takes or hands in, at whatever point this finds it.
    let change = "BEGIN; DROP SCHEMA week CASCADE; ALTER SCHEMA next RENAME TO week; COMMIT";
    server.connect().expect("it is there").batch_execute(change).expect("replaced");
    let new = worker(&place, &store, "w0");
    assert_eq!(ended(vec![old]), [Some(5)]);
    wait(&place, vec![new]);
    let said = std::fs::read_to_string(place.0.join("w1.log")).expect("a log");
    assert!(said.contains("replaced by another of the same name"), "{said}");
    assert!(one == together(&server, "week"), "{one:#?}\n{:#?}", together(&server, "week"));
}

fn definition(number: u64) -> Definition {
    Definition { identity: number.to_string(), spec: "{}".to_owned(), place: String::new() }
}

fn z3() -> SolverId {
    "z3".parse().expect("a name")
}

fn turns(no: u64) -> HandIn {
    let strategy = "seeds".to_owned();
    let series = SeriesRow { no, strategy, allotted: 3, turns: 2, ended: false, note: None };
    let [sat, unsat] = [Answer::Sat, Answer::Unsat].map(TurnOutcome::Said);
    let tally = [((Some(z3()), Counter::Run(sat)), 2)].into();
    HandIn { series, made: 2, outcomes: vec![vec![sat], vec![unsat]], tally }
}

/// Somebody who plans nothing.
struct Nothing;

impl Planner for Nothing {
    fn first(&self, _: &str) -> Result<u64, StoreError> {
        Ok(0)
    }

    fn plan(&self, _: Before) -> Result<Written, StoreError> {
        Ok(Written { cursor: "theirs".to_owned(), ..Written::default() })
    }
}

/// The same with stores alone: nothing of what an old one says is done.
#[test]
fn stores_of_an_erased_campaign() {
    let server = Server::start("erased");
    let Where::Server(address) = server.address("old").parse::<Where>().expect("an address") else {
        panic!("a server")
    };
    let old = Postgres::open(&address, &definition(1), false).expect("begun");
    let worker = old.join("here", 1, Duration::from_secs(60)).expect("joined");
    // What nobody gave out is taken in, too.
    old.hand_in(&[turns(7)]).expect("taken in");
    assert_eq!(old.series().expect("a list").len(), 1);
    assert_eq!(old.tally().expect("counts")[0].3, 2);
    let mut client = server.connect().expect("it is there");
    client.batch_execute("DROP SCHEMA old CASCADE").expect("erased");
    let gone = old.renew(worker, 0, Duration::from_secs(60), &[]).expect_err("it is gone");
    assert!(gone.to_string().contains("this campaign was erased"), "{gone}");
    let new = Postgres::open(&address, &definition(2), false).expect("begun");
    assert_eq!(new.join("there", 1, Duration::from_secs(60)).expect("joined"), worker);
    let waiting = "INSERT INTO old.waiting (ranges, marked) VALUES ('1 3 0 0,2 3 0 0', 0)";
    client.batch_execute(waiting).expect("something to take");
    let time = Duration::from_secs(60);
    let lease = new.take(worker, 1, time).expect("asked").expect("a lease");
    let until = || server.texts("SELECT until::text || ' ' || done FROM old.leases");
    let before = until();
    let result = |lease: &Lease| {
        let (ranges, began) = (lease.ranges.clone(), lease.began);
        let mut result = LeaseResult { worker, lease: lease.id, began, ranges, ..Default::default() };
        result.add(&[turns(1)]);
        result
    };
    assert!(old.take(worker, 1, time).expect("asked").is_none());
    let (taken, next) = old.exchange(&result(&lease), 1, time).expect("asked");
    assert_eq!((taken, next.is_none()), (Taken::Late, true));
    assert_eq!(old.hand_in_result(&result(&lease), false).expect("asked"), Taken::Late);
    let (grammar, number) = ("g".to_owned(), "1".to_owned());
    let mut heavy = result(&lease);
    heavy.runs.push((FormulaRow { grammar, number, size: 1, text: String::new() }, Vec::new()));
    let planned = old.plan(&Nothing).map(|_| ());
    for told in [planned, old.hand_in_result(&heavy, true).map(|_| ())] {
        let told = told.expect_err("another").to_string();
        assert!(told.contains("replaced by another of the same name"), "{told}");
    }
    for leases in [&[][..], &[lease.id]] {
        let told = old.renew(worker, 9, time, leases).expect_err("another").to_string();
        assert!(told.contains("replaced by another of the same name"), "{told}");
    }
    old.leave(worker, 9, None).expect("asked");
    old.remember("seed", &z3(), &[]).expect("asked");
    assert_eq!(until(), before);
    assert_eq!(server.texts("SELECT turns || ' ' || gone FROM old.workers"), ["0 0"]);
    assert!(new.known_answers("seed", &z3()).expect("asked").is_none());
    assert_eq!(new.hand_in_result(&result(&lease), false).expect("asked"), Taken::Counted);
    assert_eq!(server.texts("SELECT count(*)::text FROM old.waiting"), ["1"]);
}

/// What was copied in part is no campaign, and is copied again.
#[test]
fn a_copy_is_whole_or_none() {
    let (place, server) = (seeded("shared-copied"), Server::start("copied"));
    let one = alone(&place, "200");
    let store = server.address("copied");
    let mut client = server.connect().expect("it is there");
    // The copy fails when all but the files of findings is there.
    let findings = place.0.join("alone/findings");
    std::fs::rename(&findings, place.0.join("hidden")).expect("ours");
    let copying = ["store", "copy", "alone", &store];
    let (code, told) = run(&place, &copying);
    assert_eq!(code, Some(5), "{told}");
    std::fs::rename(place.0.join("hidden"), &findings).expect("ours");
    assert!(made(&server, "copied") > 0);
    let unfinished = |store: &str| {
        let resume = [&hunting("200", store)[..], &["--resume", "--spool", "spool"]].concat();
        for args in [&["status", "--store", store][..], &["findings", "--store", store], &resume] {
            let (code, told) = run(&place, args);
            assert_eq!(code, Some(5), "{told}");
            assert!(told.contains("is a copy that did not come to its end"), "{told}");
        }
    };
    unfinished(&store);
    let (code, told) = run(&place, &["work", "--store", &store, "--spool", "spool"]);
    assert_eq!(code, Some(5), "{told}");
    assert!(told.contains("is a copy that did not come to its end"), "{told}");
    let (code, told) = run(&place, &copying);
    assert_eq!(code, Some(0), "{told}");
    assert!(one == together(&server, "copied"), "{one:#?}\n{:#?}", together(&server, "copied"));
    // A campaign that is whole is not copied over.
    let (code, told) = run(&place, &copying);
    assert_eq!(code, Some(2), "{told}");

    // The other way: a file is where a folder of findings is to be.
    let back = ["store", "copy", &store, "back"];
    std::fs::create_dir(place.0.join("back")).expect("writable");
    let folder = server.texts("SELECT folder FROM copied.findings ORDER BY id DESC LIMIT 1").remove(0);
    client
        .execute("UPDATE copied.findings SET folder = 'no/such/folder' WHERE folder = $1", &[&folder])
        .expect("changed");
    let (code, told) = run(&place, &back);
    assert_eq!(code, Some(5), "{told}");
    unfinished("back");
    client
        .execute("UPDATE copied.findings SET folder = $1 WHERE folder = 'no/such/folder'", &[&folder])
        .expect("changed");
    let (code, told) = run(&place, &back);
    assert_eq!(code, Some(0), "{told}");
    let database = rusqlite::Connection::open(place.0.join("back/campaign.sqlite")).expect("a store");
    let again = result(|sql| {
        let mut query = database.prepare(sql).expect("a query");
        let rows = query.query_map([], |r| r.get::<_, String>(0)).expect("rows");
        rows.map(|r| r.expect("a row")).collect()
    });
    assert!(one == again, "{one:#?}\n{again:#?}");

    // What somebody writes to is not copied.
    let written = Sqlite::look(&place.0.join("back")).expect("whole").definition().expect("a campaign");
    let writer = Sqlite::open(&place.0.join("back"), &written, true).expect("ours");
    let places = ["back", "other"].map(|name| Where::Folder(place.0.join(name)));
    let told = copy(&places[0], &places[1]).expect_err("it is in use").to_string();
    assert!(told.contains("is in use by another gainsay"), "{told}");
    drop(writer);
    copy(&places[0], &places[1]).expect("copied");
}

/// Another limit of turns is that of all workers, and without one the limit stays.
#[test]
fn limits_of_turns_are_kept() {
    let (place, server) = (seeded("shared-limits"), Server::start("limits"));
    let one = alone(&place, "200");
    let store = server.address("limits");
    begin(&place, &store, "5000");
    assert!(made(&server, "limits") < 200);
    let resume = |limit: Option<&str>, time: &str| {
        let mut args = hunting(limit.unwrap_or("none"), &store);
        if limit.is_none() {
            let at = args.iter().position(|arg| *arg == "--turns").expect("a limit");
            args.drain(at..at + 2);
        }
        args.extend(["--resume", "--lease", "3s", "--spool", "spool", "--for", time]);
        let (code, told) = run(&place, &args);
        assert!(matches!(code, Some(0 | 10)), "{told}");
    };
    resume(Some("200"), "300s");
    assert!(one == together(&server, "limits"), "{one:#?}\n{:#?}", together(&server, "limits"));
    let start = Instant::now();
    resume(None, "20s");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(made(&server, "limits"), 200);
}

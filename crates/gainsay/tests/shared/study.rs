//! Studies of releases on a server.

use std::process::Child;
use std::time::Duration;

use super::place::{Place, text};
use super::server::{PASSWORD, Server};
use super::{ended, full, gainsay, made, worker};

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

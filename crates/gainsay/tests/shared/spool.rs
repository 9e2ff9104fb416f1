//! Results on a worker's disk that were damaged: each is reported with its file and kept, and none is skipped.

use gainsay::store::{Address, HandIn, LeaseResult, Postgres, Reader, Spool};

use super::gainsay;
use super::place::{Place, text};
use super::server::Server;

/// A campaign on a server that is over and has a finding, and a result for it with turns and that finding.
fn over(place: &Place, server: &Server, name: &str) -> LeaseResult {
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for i in 0..3 {
        let script =
            format!("(declare-const x (_ BitVec 4))\n(assert (= (bvadd x #x{i}) #x3))\n(check-sat)\n");
        std::fs::write(place.0.join(format!("seeds/{i}.smt2")), script).expect("writable");
    }
    let store = server.address(name);
    let mut args = vec!["hunt", "seeds", "--with", "seeds", "--turns", "3", "--jobs", "1", "--timeout", "60"];
    args.extend(["--solver", "fake:honest,when=bvadd,unsat-for-sat", "--solver", "fake:honest"]);
    args.extend(["--store", &store, "--spool", "spool"]);
    let output = gainsay(place).args(args).output().expect("we start");
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let look = Postgres::look(&Address::parse(&store).expect("an address")).expect("a campaign");
    let campaign = look.setting("id").expect("a row").expect("a number");
    let mut result = LeaseResult { campaign, worker: 1, ..LeaseResult::default() };
    let series = look.series().expect("rows").remove(0);
    let (_, _, outcomes) = look.outcomes().expect("rows").remove(0);
    result.add(&[HandIn { series, made: 1, outcomes: outcomes[..1].to_vec(), ..HandIn::default() }]);
    result.found(&look.findings().expect("rows").remove(0).finding, false);
    result
}

/// The text of a result with something in the place of something else.
fn changed(whole: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(whole.contains(from), "{from} is not in {whole}");
    whole.replacen(from, to, 1).into_bytes()
}

#[test]
fn every_damaged_result_is_reported_with_its_file() {
    let (place, server) = (Place::new("shared-spool"), Server::start("spool"));
    let result = over(&place, &server, "spooled");
    let folder = place.0.join("spool");
    let written = |lease: u64| {
        let result = LeaseResult { lease, ..result.clone() };
        let file = Spool::new(&folder).write(&result).expect("written");
        (std::fs::read_to_string(&file).expect("there"), file)
    };
    let (whole, _) = written(100);
    // (what becomes of the text, what is said about it)
    type Damage = fn(&str) -> Vec<u8>;
    let rows: &[(Damage, &str)] = &[
        (|_| Vec::new(), "EOF"),
        (|whole| whole.as_bytes()[..whole.len() / 2].to_vec(), "EOF"),
        (|whole| whole.as_bytes()[..whole.len() - 1].to_vec(), "EOF"),
        (|whole| [whole.as_bytes(), b"}"].concat(), "trailing characters"),
        (|_| b"no JSON".to_vec(), "expected"),
        (|_| vec![0xff; 9], "expected"),
        (|_| b"{}".to_vec(), "missing field `version`"),
        (|whole| changed(whole, "{\"version\":2,", "{\"version\":1,"), "it has version 1"),
        (|whole| changed(whole, "\"worker\":1", "\"worker\":2"), "its content belongs into"),
        (|whole| changed(whole, "\"began\":0", "\"began\":-1"), "invalid value"),
        (|whole| changed(whole, "\"counts\":", "\"sums\":"), "unknown field `sums`"),
        (|whole| changed(whole, "\"ended\":", "\"over\":"), "unknown field `over`"),
        (|whole| changed(whole, "\"us\"", "\"uz\""), "is no outcome of a turn"),
        (|whole| changed(whole, "\"kind\":\"soundness\"", "\"kind\":\"odd\""), "is no kind of finding"),
        (|whole| changed(whole, "\"kind\":\"soundness\"", "\"kind\":\"crash\""), "its kind is crash"),
        (|whole| changed(whole, "(check-sat)\\n\",\"outputs\"", "\",\"outputs\""), "the script of another"),
        (
            |whole| changed(whole, "\"outputs\":[[", "\"outputs\":[[\"\",\"\"],["),
            "has 3 outputs of 2 solvers",
        ),
        (|whole| changed(whole, "\"outputs\":[[\"", "\"outputs\":[[\"\u{20ac}"), "stands for no byte"),
    ];
    let mut damaged = Vec::new();
    for (lease, (damage, why)) in (101..).zip(rows) {
        let (whole, file) = written(lease);
        let bytes = damage(&whole);
        std::fs::write(&file, &bytes).expect("ours");
        damaged.push((file, bytes, *why));
    }
    let store = server.address("spooled");
    let work = || gainsay(&place).args(["work", "--store", &store, "--spool", "spool"]).output().expect("us");
    let first = work();
    let said = text(&first.stderr);
    assert_eq!(first.status.code(), Some(10), "{said}");
    let lines: Vec<&str> =
        said.lines().filter(|line| line.contains(" was refused and put aside: ")).collect();
    assert_eq!(lines.len(), rows.len(), "{said}");
    for (file, bytes, why) in &damaged {
        let name = file.file_name().expect("a name").to_string_lossy();
        let told = format!("spool/{name} cannot be read: ");
        let line = lines.iter().find(|line| line.contains(&told)).unwrap_or_else(|| panic!("{name}: {said}"));
        assert!(line.contains(why), "{why}: {line}");
        // What somebody may still save is kept as it is.
        let aside = file.with_file_name(format!("refused-{name}"));
        assert!(line.contains(&format!("spool/refused-{name}")), "{line}");
        assert_eq!(std::fs::read(aside).expect("kept"), *bytes, "{name}");
        assert!(!file.exists(), "{name}");
    }
    // The result that is whole was handed in.
    assert!(!folder.join(result_name(&result, 100)).exists(), "{whole}");
    let again = work();
    assert!(!text(&again.stderr).contains("put aside"), "{}", text(&again.stderr));

    // What is no file at all ends the worker with its place.
    let odd = folder.join(result_name(&result, 200));
    std::fs::create_dir(&odd).expect("writable");
    let third = work();
    let said = text(&third.stderr);
    assert_eq!(third.status.code(), Some(5), "{said}");
    assert!(said.contains(&format!("spool/{}: ", result_name(&result, 200))), "{said}");
}

fn result_name(result: &LeaseResult, lease: u64) -> String {
    LeaseResult { lease, ..result.clone() }.file_name()
}

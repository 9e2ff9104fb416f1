//! What a hunt does with its seeds: those on which a solver fails, those that folding decides, and how much time their mutants get.

mod place;
mod turns;

use std::collections::BTreeMap;

use place::{Place, text};
use serde_json::Value;

const FAULTY: &str = "fake:honest,when=bvmul,unsat-for-sat";
const MUL: &str = "(declare-const x (_ BitVec 4))(assert (= (bvmul x #x3) #x9))(check-sat)";
const ADD: &str = "(declare-const x (_ BitVec 4))(assert (= (bvadd x #x3) #x9))(check-sat)";
const FOLDED: &str = "(declare-const folded Bool)(assert (or folded true))(check-sat)";

/// A place with these seeds.
fn seeded(name: &str, seeds: &[(&str, &str)]) -> Place {
    let place = Place::new(name);
    std::fs::create_dir(place.0.join("seeds")).expect("writable");
    for (name, text) in seeds {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    place
}

/// Hunts with a strategy; returns the exit code and what was said.
fn hunt(place: &Place, with: &str, solvers: &[&str], more: &[&str]) -> (Option<i32>, String) {
    let mut args = vec!["hunt", "seeds", "--with", with, "--seed", "3", "--jobs", "1", "--breadth", "4"];
    for solver in solvers {
        args.extend(["--solver", solver]);
    }
    if !more.contains(&"--limits") && !more.contains(&"--resume") {
        args.extend(["--limits", "fixed"]);
    }
    args.extend(more);
    let output = place.gainsay(&args);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// The first column of a query.
fn column(place: &Place, sql: &str) -> Vec<String> {
    let path = place.0.join("gainsay-campaign/campaign.sqlite");
    let database = rusqlite::Connection::open(path).expect("a store");
    let mut query = database.prepare(sql).expect("a query");
    let rows = query.query_map([], |row| row.get::<_, String>(0)).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

/// The letters of each turn: what each solver did.
fn letters(place: &Place) -> Vec<String> {
    let last = |turn: String| turn.rsplit(' ').next().map(str::to_owned);
    turns::each(&column(place, turns::QUERY)).into_iter().filter_map(last).collect()
}

/// The first runs of all seeds: the solver, and whether it fails.
fn first_runs(place: &Place) -> BTreeMap<(String, String), Value> {
    let rows = column(place, "SELECT seed || '\t' || solver || '\t' || run FROM first_runs");
    let one = |row: &String| {
        let parts: Vec<&str> = row.split('\t').collect();
        ((parts[0].to_owned(), parts[1].to_owned()), serde_json::from_str(parts[2]).expect("JSON"))
    };
    rows.iter().map(one).collect()
}

#[test]
fn a_solver_is_not_asked_about_mutants_of_a_seed_on_which_it_fails() {
    let place = seeded("seeds-failing", &[("mul", MUL), ("add", ADD)]);
    let solvers = [FAULTY, "fake:honest"];
    let more = ["--timeout", "20", "--turns"];
    let (code, told) = hunt(&place, "opfuzz", &solvers, &[&more[..], &["60"]].concat());
    assert_eq!(code, Some(10), "{told}");
    let fails: Vec<bool> = first_runs(&place).values().map(|run| run["fails"] == true).collect();
    assert_eq!(fails.iter().filter(|fails| **fails).count(), 1, "one solver on one of two seeds: {fails:?}");
    // Its seed is reported.
    let found = text(&place.gainsay(&["findings", "--json"]).stdout);
    assert!(found.contains("\"soundness\""), "{found}");
    let left_out = |place: &Place| letters(place).iter().filter(|turn| turn.starts_with('-')).count();
    let before = left_out(&place);
    assert!((1..60).contains(&before), "{:?}", letters(&place));
    assert!(letters(&place).iter().all(|turn| !turn.ends_with('-')), "the other solver is asked");
    let counted = column(&place, "SELECT CAST(count AS TEXT) FROM tally WHERE what = '\"seed-fails\"'");
    assert_eq!(counted, [before.to_string()]);
    // Gone on with, it is as if it had never stopped.
    hunt(&place, "opfuzz", &solvers, &[&more[..], &["90", "--resume"]].concat());
    let whole = seeded("seeds-failing-whole", &[("mul", MUL), ("add", ADD)]);
    hunt(&whole, "opfuzz", &solvers, &[&more[..], &["90"]].concat());
    assert_eq!(letters(&place), letters(&whole));
    // With the flag everybody is asked.
    let kept = seeded("seeds-kept", &[("mul", MUL), ("add", ADD)]);
    hunt(&kept, "opfuzz", &solvers, &[&more[..], &["60", "--keep-failing"]].concat());
    assert_eq!(left_out(&kept), 0);
    assert!(first_runs(&kept).is_empty());
}

#[test]
fn a_solver_is_not_asked_about_mutants_of_a_seed_that_it_refuses() {
    let refusing = "fake:honest,when=bvmul,refuse";
    let more = ["--timeout", "20", "--turns", "60"];
    let seeds = [("mul", MUL), ("add", ADD)];
    let place = seeded("seeds-refused", &seeds);
    let (code, told) = hunt(&place, "opfuzz", &[refusing, "fake:honest"], &more);
    assert_eq!(code, Some(0), "{told}");
    let letters = letters(&place);
    let left_out = letters.iter().filter(|turn| turn.starts_with('-')).count();
    assert!((1..60).contains(&left_out) && letters.iter().all(|turn| !turn.ends_with('-')), "{letters:?}");
    let counted = column(&place, "SELECT CAST(count AS TEXT) FROM tally WHERE what = '\"seed-refused\"'");
    assert_eq!(counted, [left_out.to_string()]);
    // Alone, it is asked about mutants of the other seed.
    let alone = seeded("seeds-refused-alone", &seeds);
    let (code, told) = hunt(&alone, "opfuzz", &[refusing], &more);
    assert_eq!(code, Some(0), "{told}");
    let notes = column(&alone, "SELECT why FROM series WHERE why <> ''");
    assert!(notes.iter().any(|note| note.contains("a seed that is refused")), "{notes:?}");
}

#[test]
fn a_series_ends_if_every_solver_fails_on_its_seed() {
    let place = seeded("seeds-all-failing", &[("mul", MUL), ("add", ADD)]);
    let more = ["--timeout", "20", "--turns", "30"];
    let (code, told) = hunt(&place, "opfuzz", &["fake:honest,when=bvmul,assertion"], &more);
    assert_eq!(code, Some(10), "{told}");
    let notes = column(&place, "SELECT why FROM series WHERE why <> ''");
    assert!(!notes.is_empty() && notes.iter().all(|note| note.contains("a seed that fails")), "{notes:?}");
    assert_eq!(letters(&place).len(), 30, "the turns are made of the other seed");
    // The strategy of seeds as they are asks all the same.
    let plain = seeded("seeds-plain", &[("mul", MUL), ("add", ADD)]);
    hunt(&plain, "seeds", &["fake:honest,when=bvmul,assertion"], &more[..2]);
    assert_eq!(letters(&plain).len(), 2);
    assert_eq!(first_runs(&plain).len(), 2);
}

#[test]
fn no_mutants_are_made_of_what_folding_decides() {
    let seeds = [("add", ADD), ("folded", FOLDED)];
    let more = ["--keep-failing", "--timeout", "20", "--turns", "40"];
    let made_of_folded = |place: &Place, more: &[&str]| {
        // The solver crashes on each mutant of the seed.
        hunt(place, "opfuzz", &["fake:honest,when=folded,segv"], more).0 == Some(10)
    };
    let place = seeded("seeds-folded", &seeds);
    assert!(!made_of_folded(&place, &more));
    let kept = seeded("seeds-folded-kept", &seeds);
    assert!(made_of_folded(&kept, &[&more[..], &["--keep-folded"]].concat()));
    // If nothing else is there, they are seeds.
    let only = seeded("seeds-folded-only", &[("folded", FOLDED)]);
    assert!(made_of_folded(&only, &more));
}

#[test]
fn every_seed_is_visited_as_often_as_it_is_wished() {
    let place = seeded("seeds-each", &[("mul", MUL), ("add", ADD)]);
    let (code, told) = hunt(&place, "opfuzz", &["fake:honest"], &["--each-seed", "7", "--timeout", "20"]);
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(letters(&place).len(), 14, "the hunt ends by itself: {told}");
    let told = text(&place.gainsay(&["report", "--as", "json"]).stdout);
    assert!(told.contains("7 turns of each seed and strategy"), "{told}");
    assert!(told.contains("\"limits\": \"fixed\"") || told.contains("\"limits\":\"fixed\""), "{told}");
}

/// A solver that never ends with some formulas. With limits that fit, its questions are short although the campaign's are long.
#[test]
fn what_runs_out_of_a_short_time_is_counted_and_not_called_slow() {
    let place = seeded("seeds-late", &[("mul", MUL), ("add", ADD)]);
    let solvers = ["fake:honest,when=bvmul,hang", "fake:honest"];
    let more = ["--limits", "fitted", "--timeout", "600", "--turns", "40", "--oracles", "all"];
    let (_, told) = hunt(&place, "seeds,opfuzz", &solvers, &more);
    // Ten minutes were never waited for: this test would not end.
    assert!(told.contains("% of the solvers' time"), "{told}");
    let late = column(&place, "SELECT what FROM tally WHERE what = '\"late-micros\"' AND count > 0");
    assert!(!late.is_empty(), "{told}");
    let hangs =
        |((_, solver), run): (&(String, String), &Value)| solver.contains("hang") && run["late"] == true;
    assert!(first_runs(&place).iter().any(hangs), "{told}");
    let found = text(&place.gainsay(&["findings", "--json"]).stdout);
    assert!(!found.contains("\"performance\""), "{found}");
    // How questions are limited is a part of the campaign.
    let (code, told) = hunt(&place, "seeds,opfuzz", &solvers, &["--resume", "--limits", "fixed"]);
    assert!(code == Some(2) && told.contains("limits was \"fitted\", not \"fixed\""), "{told}");
    let (code, told) = hunt(&place, "seeds,opfuzz", &solvers, &["--resume", "--keep-failing"]);
    assert!(code == Some(2) && told.contains("keep-failing was \"false\", not \"true\""), "{told}");
}

#[test]
fn every_formula_of_a_grammar_is_asked_whoever_refuses_others() {
    let place = seeded("seeds-enumerated", &[]);
    let solvers = ["fake:honest,when=distinct,refuse", "fake:honest"];
    let args = ["--grammar", "Core,Ints", "--count", "60", "--timeout", "20"];
    let mut all = vec!["hunt", "--with", "enumerate", "--seed", "3", "--jobs", "1"];
    for solver in solvers {
        all.extend(["--solver", solver]);
    }
    all.extend(args);
    let output = place.gainsay(&all);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(letters(&place).len(), 120, "{told}");
    // Many in a row are refused by one and asked of the other all the same.
    let refused = letters(&place).iter().filter(|turn| turn.starts_with('R')).count();
    assert!(refused > 5 && letters(&place).iter().all(|turn| !turn.contains('-')), "{told}");
    assert!(told.contains("first 60 of grammar Core asked\nfirst 60 of grammar Ints asked\n"), "{told}");
    assert!(told.contains(&format!("  {}: 0 late, {refused} refused\n", solvers[0])), "{told}");
    let reason = format!("of the questions were refused; {refused} times {} said:", solvers[0]);
    assert!(told.contains(&reason), "{told}");
}

#[test]
fn parse_tells_what_is_usable_path_by_path_and_what_is_left_out() {
    let options = "(set-option :encoding ascii)(set-option :numeral-as-real true)(set-option :rewriter.hi_div0 false)\
        (set-option :regular-output-channel \"x\")(set-option :produce-models true)(minimize 1)";
    let with_options = format!("{options}{MUL}");
    let seeds = [
        ("good/one", with_options.as_str()),
        ("good/same", &with_options),
        ("bad/one", "(assert"),
        ("bad/two", ADD),
    ];
    let place = Place::new("as-seeds");
    for folder in ["seeds/good", "seeds/bad"] {
        std::fs::create_dir_all(place.0.join(folder)).expect("writable");
    }
    for (name, text) in seeds {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    let told = |paths: &[&str]| {
        let output = place.gainsay(&[&["parse", "--as-seeds"], paths].concat());
        (output.status.code(), text(&output.stdout))
    };
    let (code, both) = told(&["seeds/good", "seeds/bad"]);
    assert_eq!(code, Some(1), "{both}");
    let lines = [
        "usable 3 of 4 files, 1 of them repeated",
        "2       2 100.0 %  seeds/good",
        "2       1  50.0 %  seeds/bad",
    ];
    for line in
        lines.into_iter().chain(["minimize 1", "set-option :encoding 1", "set-option :numeral-as-real 1"])
    {
        assert!(both.contains(line), "{line}: {both}");
    }
    for name in [":rewriter.hi_div0 1", ":regular-output-channel 1"] {
        assert!(both.contains(name), "{name}: {both}");
    }
    assert!(!both.contains("produce-models"), "it stays: {both}");
    let (code, one) = told(&["seeds/good"]);
    assert_eq!(code, Some(0), "{one}");
    assert!(!one.contains("share"), "there is nothing to compare: {one}");
}

//! What stands in a row that we did not write so is an error that names the table and the row.

use super::Sqlite;
use crate::case::Answer;
use crate::judge::Fault;
use crate::solver::id::SolverId;
use crate::solver::run::{AskMode, Ending, Outcome};
use crate::store::{
    Counter, Definition, FormulaRow, HandIn, Handed, Reader, RunRow, Seen, SeriesRow, Sink, StoreError,
    TurnOutcome, WrongRow,
};

const SAT: TurnOutcome = TurnOutcome::Said(Answer::Sat);

/// A store with a row in every table that is read.
fn store(place: &std::path::Path) -> Sqlite {
    let _ = std::fs::remove_dir_all(place);
    let definition = Definition { identity: "1".to_owned(), spec: "{}".to_owned(), place: String::new() };
    let store = Sqlite::open(place, &definition, false).expect("a store");
    let z3: SolverId = "z3@1".parse().expect("a name");
    let strategy = "seeds".to_owned();
    let series = SeriesRow { no: 7, strategy, allotted: 3, turns: 2, ended: false, note: None };
    let tally = [((Some(z3.clone()), Counter::Run(SAT)), 2)].into();
    store.hand_in(&[HandIn { series, made: 2, outcomes: vec![vec![SAT]; 2], tally }]).expect("a row");
    store.trigger("print").expect("a row");
    store.remember("seed", &z3, &[Answer::Sat]).expect("a row");
    let text = |text: &str| text.to_owned();
    let formula = FormulaRow { grammar: text("Core"), number: text("5"), size: 5, text: text("(check-sat)") };
    let run = RunRow {
        way: AskMode::Fresh,
        outcome: Some(Outcome::Answered),
        ending: Some(Ending::Exited(0)),
        cpu: Some(1),
        wall: 2,
        answer: Some(Answer::Sat),
        model: None,
        machine: text("here"),
    };
    let wrong = WrongRow {
        fault: Fault::WrongCore,
        accused: true,
        seen: Seen::Counted,
        operators: vec![text("=")],
    };
    let handed = Handed { release: z3, run, wrongs: vec![wrong] };
    store.hand_in_runs(&formula, &[handed]).expect("a row");
    store
}

fn read_all(store: &Sqlite) -> Result<(), StoreError> {
    let z3: SolverId = "z3@1".parse().expect("a name");
    store.definition()?;
    store.series()?;
    store.findings()?;
    store.tally()?;
    store.course()?;
    store.triggers()?;
    store.known_answers("seed", &z3)?;
    store.all_runs()?;
    store.wrongs()?;
    Ok(())
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let place = std::env::temp_dir().join(format!("gainsay-corrupt-{}", std::process::id()));
    let rows: &[(&str, &str, &str)] = &[
        ("series", "allotted", "'many'"),
        ("series", "turns", "-1"),
        ("series", "ended", "'maybe'"),
        ("series", "strategy", "x'00'"),
        ("series", "why", "x'00'"),
        ("series", "why", "'it was tired'"),
        ("tally", "what", "'sat'"),
        ("tally", "count", "'few'"),
        ("course", "turns", "'few'"),
        ("course", "findings", "-3"),
        ("triggers", "count", "'few'"),
        ("answers", "answers", "'[\"perhaps\"]'"),
        ("answers", "answers", "''"),
        ("formulas", "size", "'large'"),
        ("formulas", "number", "x'00'"),
        ("releases", "name", "'z3@one'"),
        ("runs", "answer", "'perhaps'"),
        ("runs", "cpu", "'long'"),
        ("runs", "wall", "-7"),
        ("wrongs", "kind", "'odd'"),
        ("wrongs", "seen", "'twice'"),
    ];
    for (table, column, value) in rows {
        let store = store(&place);
        read_all(&store).expect("it is whole");
        let change = format!("UPDATE {table} SET {column} = {value}");
        store.database().execute_batch(&change).expect("a change");
        let told = read_all(&store).expect_err(&change).to_string();
        // The name of a release stands in rows of runs.
        let table = if *table == "releases" { "runs" } else { table };
        let words = format!("campaign.sqlite: table {table}, row ");
        assert!(told.contains(&words) && told.contains(" cannot be read: "), "{change}: {told}");
    }
    let store = store(&place);
    store.database().execute_batch("DELETE FROM campaign WHERE key = 'spec'").expect("a change");
    let told = read_all(&store).expect_err("no definition").to_string();
    assert!(told.ends_with("table campaign, row spec cannot be read: it is not there"), "{told}");
    std::fs::remove_dir_all(place).expect("ours");
}

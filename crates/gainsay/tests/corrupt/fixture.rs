//! A campaign with something in every table and in every kind of file.

use gainsay::case::Answer;
use gainsay::finding::{Asked, Untold};
use gainsay::judge::Fault;
use gainsay::solver::SolverId;
use gainsay::solver::run::{AskMode, Ending, Outcome};
use gainsay::store::{
    Annotate, FormulaRow, Handed, Reader, RunRow, Seen, SeriesNote, Sink, Sqlite, StoreError, WrongRow,
};

use super::place::{Place, text};

/// A hunt that found something, with runs of formulas and with all that is learnt about a finding afterwards.
pub fn campaign(place: &Place, folder: &str) {
    let seeds = place.0.join("seeds");
    std::fs::create_dir(&seeds).expect("writable");
    for i in 0..6 {
        let script =
            format!("(declare-const x (_ BitVec 4))\n(assert (= (bvadd x #x{i:x}) #x3))\n(check-sat)\n");
        std::fs::write(seeds.join(format!("{i}.smt2")), script).expect("writable");
    }
    let mut args =
        vec!["hunt", "seeds", "--with", "seeds,opfuzz,construct", "--only", "operation", "--seed", "5"];
    args.extend(["--turns", "40", "--breadth", "8", "--jobs", "1", "--prepare", "--store", folder]);
    // Without --keep-failing, what solvers did with seeds as they are is stored.
    args.extend([
        "--limits",
        "fixed",
        "--solver",
        "fake:honest,when=bvadd,unsat-for-sat",
        "--solver",
        "fake:honest",
    ]);
    let output = place.gainsay(&args);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output.stderr));
    let root = place.0.join(folder);
    let definition = Sqlite::look(&root).and_then(|store| store.definition()).expect("a campaign");
    let store = Sqlite::open(&root, &definition, true).expect("a campaign");
    more(&store).expect("written");
}

/// Adds what a hunt does not write.
fn more(store: &Sqlite) -> Result<(), StoreError> {
    let release: SolverId = "z3@4.8.7".parse().expect("a name");
    let word = |text: &str| text.to_owned();
    let formula = FormulaRow { grammar: word("Core"), number: word("5"), size: 5, text: word("(check-sat)") };
    let run = RunRow {
        way: AskMode::Fresh,
        outcome: Some(Outcome::Answered),
        ending: Some(Ending::Exited(0)),
        cpu: Some(1),
        wall: 2,
        answer: Some(Answer::Sat),
        model: Some(word("()")),
        machine: word("here"),
    };
    let wrong = WrongRow {
        fault: serde_json::from_str::<Fault>(r#"{"type":"wrong-model","voice":{"type":"accused"}}"#)
            .expect("a fault"),
        accused: true,
        seen: Seen::Counted,
        operators: vec![word("=")],
    };
    store.hand_in_runs(&formula, &[Handed { release, run, wrongs: vec![wrong] }])?;
    let mut series = store.series()?;
    let row = series.first_mut().expect("a series");
    row.note = Some(SeriesNote::Failed { step: 3, error: word("it panicked") });
    let handed = gainsay::store::HandIn { series: row.clone(), ..Default::default() };
    store.hand_in(&[handed])?;
    let found = store.findings()?;
    let first = found.first().expect("a finding");
    store.keep_reduced(&first.folder, &first.finding)?;
    let asked = |release: &str, fails| Asked { release: word(release), fails };
    store.keep_releases(&first.folder, &[asked("1.0", Ok(true)), asked("1.1", Err(Untold::Unknown))])?;
    store.keep_options(&first.folder, &[word("smt.arith.solver=2")])
}

/// Columns that hold text of others, which cannot be wrong, with the reason. Bytes in their place are wrong all the same.
pub const PLAIN: &[(&str, &str, &str)] = &[
    (
        "campaign",
        "key",
        "a key that nobody asks for says nothing; one that is asked for and is not there is an error",
    ),
    ("series", "strategy", "the name of a strategy, which another version of the program may not have"),
    ("tally", "strategy", "the same"),
    ("triggers", "fingerprint", "what findings of one fault share, in any form"),
    (
        "findings",
        "folder",
        "a name; that it begins with the number of the finding and that the folder is there is tested",
    ),
    ("formulas", "grammar", "the name that somebody gave a grammar"),
    ("formulas", "text", "a script as the grammar made it"),
    ("runs", "model", "a model as the solver printed it"),
    ("runs", "machine", "the name of a machine"),
    ("seeds", "name", "the path of a file"),
    ("files", "name", "the name of a file; one that is asked for and is not there is an error"),
    ("files", "content", "most files are texts of solvers; those that we read are tested one by one"),
    ("workers", "machine", "the name of a machine"),
];

/// Whether a column may hold any text.
pub fn is_plain(table: &str, column: &str) -> bool {
    PLAIN.iter().any(|row| (row.0, row.1) == (table, column))
}

/// Texts that do not belong in a column, as SQL. Names of solvers may be nearly any words, but not these.
pub fn odd_texts(table: &str, column: &str, cut: &str) -> Vec<String> {
    match (table, column) {
        (_, "solver") | ("releases", "name") => vec!["'z3@one'".to_owned()],
        _ => vec!["'odd word'".to_owned(), "'{\"a\":'".to_owned(), cut.to_owned()],
    }
}

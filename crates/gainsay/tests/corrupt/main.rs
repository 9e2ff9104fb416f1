//! A store that was damaged is never read as if it were whole: each value of each column of each table, and each kind of file, is
//! damaged in turn, and what is wrong is told with its place.

mod fixture;
#[path = "../place/mod.rs"]
mod place;

use std::fs;
use std::path::Path;

use gainsay::campaign::CampaignSpec;
use gainsay::store::{Place as Where, check};
use place::{Place, text};
use rusqlite::Connection;

/// Reads everything in a campaign; tells what is wrong.
fn damage(folder: &Path) -> Option<String> {
    let place = Where::Folder(folder.to_owned());
    let definition = match place.look().and_then(|store| store.definition()) {
        Ok(definition) => definition,
        Err(e) => return Some(e.to_string()),
    };
    let spec = CampaignSpec::read(&definition).map(|_| ()).map_err(|e| e.to_string());
    spec.and_then(|()| check(&place).map(|_| ()).map_err(|e| e.to_string())).err()
}

fn open(folder: &Path) -> Connection {
    Connection::open(folder.join("campaign.sqlite")).expect("a database")
}

/// The tables of a database, and the columns of each with their types.
fn columns(database: &Connection) -> Vec<(String, String, String)> {
    let sql = "SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'";
    let mut query = database.prepare(sql).expect("a query");
    let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?))).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

/// Tables that only campaigns of many machines use; `tests/shared` damages them.
const SHARED: &[&str] = &["files", "seeds", "texts", "workers", "leases", "waiting"];

#[test]
fn every_value_of_every_column_is_read_strictly() {
    let place = Place::new("corrupt-columns");
    fixture::campaign(&place, "whole");
    let folder = place.0.join("whole");
    assert_eq!(damage(&folder), None);
    let whole = fs::read(folder.join("campaign.sqlite")).expect("a database");
    let columns = columns(&open(&folder));
    let mut tried = 0;
    for (table, column, kind) in columns.iter().filter(|row| !SHARED.contains(&row.0.as_str())) {
        let values = match kind.as_str() {
            "INTEGER" => vec!["'many'".to_owned(), "-1".to_owned(), "x'00'".to_owned()],
            "TEXT" => {
                let cut = format!("substr({column}, 1, length({column}) - 1)");
                [vec!["x'00'".to_owned()], fixture::odd_texts(table, column, &cut)].concat()
            }
            other => panic!("{table}.{column} is of type {other}"),
        };
        for value in values {
            let may_be = fixture::is_plain(table, column) && value != "x'00'";
            tried += u32::from(damaged(&folder, (table, column), &value, may_be));
            fs::write(folder.join("campaign.sqlite"), &whole).expect("as before");
        }
    }
    assert!(tried > 100, "only {tried} values were damaged");
    assert_eq!(damage(&folder), None);
}

/// Damages one value in a row of a table, and sees whether that is told; false if the database refuses such a value.
fn damaged(folder: &Path, (table, column): (&str, &str), value: &str, may_be: bool) -> bool {
    // The definition of a campaign is a row; the name of the program that began it is plain.
    let whom = match table {
        "campaign" if column == "value" => "WHERE key = 'spec'",
        "series" => "WHERE why <> ''",
        _ => "",
    };
    let one = format!(
        "UPDATE {table} SET {column} = {value} WHERE {column} = (SELECT {column} FROM {table} {whom} LIMIT 1)"
    );
    let database = open(folder);
    let changed = database.execute(&one, []);
    drop(database);
    let Ok(rows) = changed else { return false };
    assert!(rows > 0, "the campaign has nothing in {table}");
    match damage(folder) {
        None => assert!(may_be, "{one}: nobody sees that"),
        Some(told) => {
            // A row whose number is another is missed by rows that belong to it.
            let named = told.contains(&format!("table {table}, row "))
                || told.contains("case.smt2")
                || (column == "id" && told.contains(", row "));
            assert!(named && told.contains(" cannot be read: "), "{one}: {told}");
            let names_column = told.contains(&format!("column {column}"));
            let elsewhere = ["campaign", "findings", "wrongs", "formulas", "releases"].contains(&table);
            assert!(names_column || elsewhere, "{one}: {told}");
        }
    }
    true
}

/// Copies a folder, in the place of one that is there.
fn copied(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("readable") {
        let entry = entry.expect("readable");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("writable");
        }
    }
}

/// What becomes of a file.
enum Loss {
    Gone,
    Cut,
    Other(&'static str),
}

#[test]
fn every_kind_of_file_is_read_strictly() {
    let place = Place::new("corrupt-files");
    fixture::campaign(&place, "whole");
    let (whole, broken) = (place.0.join("whole"), place.0.join("broken"));
    let mut folders: Vec<_> = fs::read_dir(whole.join("findings")).expect("readable").flatten().collect();
    folders.sort_by_key(fs::DirEntry::file_name);
    let finding = Path::new("findings").join(folders[0].file_name());
    let rows = [
        ("case.smt2", Loss::Gone),
        ("case.smt2", Loss::Cut),
        ("case.smt2", Loss::Other("(check-sat)\n")),
        ("finding.json", Loss::Gone),
        ("finding.json", Loss::Cut),
        ("finding.json", Loss::Other("{}")),
        ("reduced.json", Loss::Cut),
        ("reduced.smt2", Loss::Gone),
        ("releases.json", Loss::Cut),
        ("releases.json", Loss::Other("[[\"1.0\",\"it says nothing\"]]")),
        ("options.json", Loss::Cut),
        ("options.json", Loss::Other("{}")),
    ];
    for (name, loss) in rows {
        copied(&whole, &broken);
        let file = broken.join(&finding).join(name);
        lose(&file, &loss);
        let told = damage(&broken).unwrap_or_else(|| panic!("nobody sees what became of {name}"));
        assert!(told.contains(&file.display().to_string()) && told.contains(" cannot be read: "), "{told}");
    }
}

fn lose(file: &Path, loss: &Loss) {
    match loss {
        Loss::Gone => fs::remove_file(file).expect("ours"),
        Loss::Cut => {
            let bytes = fs::read(file).expect("there");
            fs::write(file, &bytes[..bytes.len() / 2]).expect("writable");
        }
        Loss::Other(text) => fs::write(file, text).expect("writable"),
    }
}

/// The commands that people look into a campaign with say what is wrong, and where.
#[test]
fn commands_tell_what_cannot_be_read() {
    let place = Place::new("corrupt-commands");
    fixture::campaign(&place, "whole");
    let (whole, broken) = (place.0.join("whole"), place.0.join("broken"));
    let folder = fs::read_dir(whole.join("findings")).expect("readable").flatten().next().expect("a finding");
    let script = broken.join("findings").join(folder.file_name()).join("case.smt2");
    let number = folder.file_name().to_string_lossy().split('-').next().unwrap_or_default().to_owned();
    let number = number.trim_start_matches('0');
    for loss in [Loss::Gone, Loss::Cut, Loss::Other("(check-sat)\n")] {
        copied(&whole, &broken);
        lose(&script, &loss);
        for command in
            [&["show", number][..], &["replay", number], &["report", "--as", "json"], &["findings"]]
        {
            let output = place.gainsay(&[command, &["--store", "broken"]].concat());
            let told = text(&output.stderr);
            assert!(!matches!(output.status.code(), Some(0 | 10)), "{command:?}: {told}");
            assert!(told.contains("case.smt2 cannot be read: "), "{command:?}: {told}");
        }
    }
    let tally = "UPDATE tally SET what = '\"saturn\"' WHERE (strategy, solver, what) = \
                 (SELECT strategy, solver, what FROM tally LIMIT 1)";
    let rows = [
        (tally, "table tally, row ", &["report", "--as", "json"][..]),
        (tally, "column what", &["matrix"]),
        ("UPDATE series SET why = 'it was tired'", "column why", &["report", "--as", "html"]),
        ("UPDATE course SET turns = 'few'", "column turns", &["report", "--as", "json"]),
        ("UPDATE triggers SET count = -1", "column count", &["report", "--as", "json"]),
        ("UPDATE findings SET json = substr(json, 1, 99)", "column json", &["findings"]),
        ("UPDATE campaign SET value = '{}' WHERE key = 'spec'", "row spec", &["report", "--as", "json"]),
        ("UPDATE campaign SET value = '00' WHERE key = 'identity'", "row spec", &["report", "--as", "json"]),
    ];
    for (change, words, command) in rows {
        copied(&whole, &broken);
        open(&broken).execute_batch(change).expect("a change");
        let output = place.gainsay(&[command, &["--store", "broken"]].concat());
        let told = text(&output.stderr);
        assert!(!matches!(output.status.code(), Some(0 | 10)), "{change}: {told}");
        assert!(told.contains(words) && told.contains(" cannot be read: "), "{change}: {told}");
    }
}

/// The lock says by being held who writes; what is in the file does not matter, and what is no file is told.
#[test]
fn a_lock_that_is_no_file_is_told() {
    let place = Place::new("corrupt-lock");
    fixture::campaign(&place, "whole");
    let lock = place.0.join("whole/lock");
    fs::write(&lock, "anything").expect("writable");
    let going_on = ["hunt", "--resume", "--turns", "40", "--store", "whole"];
    let output = place.gainsay(&going_on);
    assert!(matches!(output.status.code(), Some(0 | 10)), "{}", text(&output.stderr));
    fs::remove_file(&lock).expect("ours");
    fs::create_dir(&lock).expect("writable");
    let output = place.gainsay(&going_on);
    let told = text(&output.stderr);
    assert!(!matches!(output.status.code(), Some(0 | 10)) && told.contains("lock"), "{told}");
}

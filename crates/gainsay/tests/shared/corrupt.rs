//! A campaign on a server that was damaged is never read as if it were whole.

use std::time::Duration;

use gainsay::campaign::CampaignSpec;
use gainsay::store::{Address, NoWork, Place as Where, Postgres, Reader, SeedText, Sink, check, copy};

use super::fixture;
use super::place::Place;
use super::server::Server;

/// Reads everything in a campaign; tells what is wrong.
fn damage(place: &Where) -> Option<String> {
    let definition = match place.look().and_then(|store| store.definition()) {
        Ok(definition) => definition,
        Err(e) => return Some(e.to_string()),
    };
    let spec = CampaignSpec::read(&definition).map(|_| ()).map_err(|e| e.to_string());
    spec.and_then(|()| check(place).map(|_| ()).map_err(|e| e.to_string())).err()
}

/// The campaign of the fixture on a server, with what only campaigns of many machines have.
fn campaign(place: &Place, server: &Server, name: &str) -> Where {
    fixture::campaign(place, "whole");
    let folder = Where::Folder(place.0.join("whole"));
    let address = server.address(name);
    let there: Where = address.parse().expect("an address");
    copy(&folder, &there).expect("copied");
    let store = Postgres::look(&Address::parse(&address).expect("an address")).expect("a campaign");
    let text = b"(check-sat)\n".to_vec();
    let digest = gainsay::seed::digest(&text);
    store.put_seeds(&[SeedText { name: "a.smt2".to_owned(), digest, text }]).expect("a seed");
    let worker = store.join("here", 1, Duration::from_secs(60)).expect("a worker");
    store.leave(worker, 0, Some(&NoWork::NoSeeds { count: 1 })).expect("a worker that takes no work");
    store.set_turns(Some(40)).expect("a limit");
    let series = store.series().expect("rows").remove(0);
    let handed = gainsay::store::HandIn { series, made: 1, ..Default::default() };
    store.hand_in(&[handed]).expect("a lease that is done");
    let mut client = server.connect().expect("it is there");
    let more = format!(
        "INSERT INTO {name}.waiting (ranges, marked) VALUES ('7 10 0 0,8 10 3 1', 1); \
         UPDATE {name}.leases SET ranges = '1 10 2 0'"
    );
    client.batch_execute(&more).expect("rows");
    there
}

#[test]
fn every_value_of_every_column_on_a_server_is_read_strictly() {
    let (place, server) = (Place::new("shared-corrupt"), Server::start("corrupt"));
    let there = campaign(&place, &server, "corrupt");
    assert_eq!(damage(&there), None);
    let mut client = server.connect().expect("it is there");
    client.batch_execute("SET search_path TO corrupt").expect("a campaign");
    let sql = "SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns \
               WHERE table_schema = 'corrupt' ORDER BY 1, 2";
    let mut tried = 0;
    for row in client.query(sql, &[]).expect("columns") {
        let (table, column, kind): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        let count: i64 =
            client.query_one(&format!("SELECT count(*) FROM {table}"), &[]).expect("rows").get(0);
        assert!(count > 0, "the campaign has nothing in {table}");
        let cut = format!("left({column}, length({column}) - 1)");
        let values = match kind.as_str() {
            "bigint" => vec!["-1".to_owned()],
            "text" => fixture::odd_texts(&table, &column, &cut),
            "bytea" => vec!["'\\x00ff'::bytea".to_owned()],
            other => panic!("{table}.{column} is of type {other}"),
        };
        for value in values {
            tried += u32::from(damaged(&mut client, &there, (&table, &column), &value));
        }
    }
    assert!(tried > 100, "only {tried} values were damaged");
    let change = "UPDATE findings SET folder = 'odd word' WHERE id = (SELECT min(id) FROM findings)";
    client
        .batch_execute(&format!("CREATE TEMP TABLE kept AS SELECT * FROM findings; {change}"))
        .expect("changed");
    let told = damage(&there).expect("a folder of no finding");
    assert!(told.contains("table findings, row ") && told.contains("column folder"), "{told}");
    client
        .batch_execute("DELETE FROM findings; INSERT INTO findings SELECT * FROM kept; DROP TABLE kept")
        .expect("as before");
    settings(&mut client, &there);
    case_files(&mut client, &there);
    assert_eq!(damage(&there), None);
}

/// Damages one value, sees whether that is told, and undoes it; false if the server refuses such a value.
fn damaged(client: &mut postgres::Client, there: &Where, (table, column): (&str, &str), value: &str) -> bool {
    let whom = match table {
        "campaign" => "WHERE key = 'spec'",
        "series" => "WHERE why <> ''",
        _ => "",
    };
    client.batch_execute(&format!("CREATE TEMP TABLE kept AS SELECT * FROM {table}")).expect("a copy");
    let one = format!(
        "UPDATE {table} SET {column} = {value} WHERE ctid = (SELECT ctid FROM {table} {whom} LIMIT 1)"
    );
    let done = client.batch_execute(&one).is_ok();
    if done {
        match damage(there) {
            None => assert!(fixture::is_plain(table, column), "{one}: nobody sees that"),
            Some(told) => {
                let named = ["table ", ", row "].iter().all(|word| told.contains(word));
                assert!(named && told.contains(" cannot be read: "), "{one}: {told}");
            }
        }
    }
    let back = format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept");
    client.batch_execute(&back).expect("as before");
    done
}

/// What a campaign says of itself besides its definition.
fn settings(client: &mut postgres::Client, there: &Where) {
    for (key, words) in
        [("turns", "row turns"), ("id", "row id"), ("identity", "row spec"), ("format", "row format")]
    {
        let row = client.query_one("SELECT value FROM campaign WHERE key = $1", &[&key]).expect("a row");
        let value: String = row.get(0);
        let change = "UPDATE campaign SET value = $1 WHERE key = $2";
        client.execute(change, &[&"odd word", &key]).expect("changed");
        let told = damage(there).unwrap_or_else(|| panic!("nobody sees that {key} is odd"));
        assert!(told.contains(words) && told.contains(" cannot be read: "), "{key}: {told}");
        client.execute(change, &[&value, &key]).expect("as before");
    }
}

/// The script of a finding on a server.
fn case_files(client: &mut postgres::Client, there: &Where) {
    let sql = "SELECT finding, content FROM files WHERE name = 'case.smt2' ORDER BY finding LIMIT 1";
    let row = client.query_one(sql, &[]).expect("a finding");
    let (finding, content): (i64, Vec<u8>) = (row.get(0), row.get(1));
    let change = "UPDATE files SET content = $1 WHERE finding = $2 AND name = 'case.smt2'";
    for other in [&content[..content.len() / 2], b"(check-sat)\n", b"\xff\xfe"] {
        client.execute(change, &[&other, &finding]).expect("changed");
        let told = damage(there).expect("another script");
        assert!(told.contains(&format!("table files, row {finding}, case.smt2")), "{told}");
    }
    client.execute(change, &[&content, &finding]).expect("as before");
    for name in ["case.smt2", "finding.json", "reduced.smt2"] {
        let lost = "UPDATE files SET name = 'lost' WHERE finding = $1 AND name = $2";
        client.execute(lost, &[&finding, &name]).expect("changed");
        let told = damage(there).expect("a lost file");
        assert!(told.contains("table files, row ") && told.contains(name), "{told}");
        let back = "UPDATE files SET name = $2 WHERE finding = $1 AND name = 'lost'";
        client.execute(back, &[&finding, &name]).expect("as before");
    }
}

//! Who gets in and who does not: schemas of others, passwords, certificates, addresses that make no sense.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::place::text;
use super::server::{AUTHORITY, CERTIFICATE, PASSWORD, STRANGER, Server};
use super::{begin, gainsay, hunting, made, seeded, together, wait, worker};

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

/// A database whose letters are not all letters, a schema that is closed, a server that is full or not there yet.
#[test]
fn who_cannot_begin_is_told_why() {
    let (place, mut server) = (seeded("shared-why"), Server::start("why"));
    let run = |args: &[&str]| {
        let output = gainsay(&place).args(args).output().expect("we start");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let mut client = server.connect().expect("it is there");
    for database in ["latin WITH ENCODING 'LATIN1'", "ascii WITH ENCODING 'SQL_ASCII'"] {
        let made = format!("CREATE DATABASE {database} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
        client.batch_execute(&made).expect("made");
    }
    let latin = server.address("why").replace("/postgres#", "/latin#");
    let hunt = [&hunting("30", &latin)[..], &["--spool", "spool"]].concat();
    for args in [&hunt[..], &["status", "--store", &latin], &["work", "--store", &latin, "--spool", "spool"]]
    {
        let (code, told) = run(args);
        assert_eq!(code, Some(5), "{told}");
        assert!(told.contains("its database writes LATIN1"), "{told}");
    }
    let ascii = server.address("why").replace("/postgres#", "/ascii#");
    let (code, told) = run(&[&hunting("30", &ascii)[..], &["--spool", "spool"]].concat());
    assert!(matches!(code, Some(0 | 10)), "{told}");

    let store = server.address("why");
    begin(&place, &store, "200");
    client.batch_execute("CREATE ROLE plain LOGIN").expect("made");
    let plain = store.replace("gainsay@", "plain@");
    for (grant, said) in [
        ("", "we may not look into the schema why: GRANT USAGE"),
        ("GRANT USAGE ON SCHEMA why TO plain", "permission denied for table campaign"),
    ] {
        client.batch_execute(grant).expect("granted");
        for command in ["status", "work"] {
            let (code, told) = run(&[command, "--store", &plain]);
            assert_eq!(code, Some(5), "{told}");
            assert!(told.contains(said), "{told}");
        }
    }
    let (code, told) = run(&["work", "--store", &store.replace("/postgres#", "/nothing#")]);
    assert_eq!(code, Some(5), "{told}");
    assert!(told.contains("does not exist"), "{told}");

    // A result that is refused, or cannot be read, is not tried for ever.
    let id = server.texts("SELECT value FROM why.campaign WHERE key = 'id'").remove(0);
    let series = r#"{"no":1,"strategy":"a\u0000b","allotted":1,"turns":1,"ended":true,"note":null}"#;
    let counts = r#"{"turns":0,"findings":0,"tally":[],"triggers":{}}"#;
    let result = format!(
        r#"{{"version":2,"campaign":"{id}","worker":1,"lease":1,"began":1,"ranges":[],"counts":{counts},"series":[{series}],"turns":[],"findings":[],"runs":[]}}"#
    );
    std::fs::create_dir_all(place.0.join("spool-w0")).expect("writable");
    std::fs::write(place.0.join(format!("spool-w0/{id}-1-1.json")), result).expect("writable");
    std::fs::write(place.0.join(format!("spool-w0/{id}-1-2.json")), "{\"version\":2,").expect("writable");

    // While there is no server, or no connection left, a worker waits.
    client.batch_execute("CREATE ROLE busy LOGIN CONNECTION LIMIT 0; GRANT gainsay TO busy").expect("closed");
    drop(client);
    server.stop();
    let first = worker(&place, &store.replace("gainsay@", "busy@"), "w0");
    let said = || std::fs::read_to_string(place.0.join("w0.log")).expect("a log");
    let until = |words: &str| {
        let end = Instant::now() + Duration::from_secs(60);
        while !said().contains(words) {
            assert!(Instant::now() < end, "{}", said());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    until("trying again");
    server.go_on();
    until("too many connections");
    server
        .connect()
        .expect("it is there")
        .batch_execute("ALTER ROLE busy CONNECTION LIMIT -1")
        .expect("open");
    wait(&place, vec![first]);
    assert!(said().contains("was refused and put aside"), "{}", said());
    assert!(place.0.join(format!("spool-w0/refused-{id}-1-1.json")).exists());
    assert!(said().contains(&format!("{id}-1-2.json cannot be read")), "{}", said());
    assert!(place.0.join(format!("spool-w0/refused-{id}-1-2.json")).exists());
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
    // A campaign without the texts of its seeds came from a folder.
    let (code, told) = run(&["work", "--store", &store.replace("#words", "#again")], Some(PASSWORD));
    assert!(matches!(code, Some(0 | 10)), "{told}");
    let mut client = server.connect().expect("it is there");
    client.execute("DELETE FROM again.seeds", &[]).expect("gone");
    let (code, told) = run(&["work", "--store", &store.replace("#words", "#again")], Some(PASSWORD));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("gainsay hunt") && told.contains("--resume"), "{told}");
    // A solver that is another program here is not asked.
    let spec = server.texts("SELECT value FROM words.campaign WHERE key = 'spec'").remove(0);
    let spec = spec.replace("\"digest\":\"fake\"", "\"digest\":\"00\"");
    let change = "UPDATE words.campaign SET value = $1 WHERE key = $2";
    client.execute(change, &[&spec, &"spec"]).expect("changed");
    // Whoever changes the definition alone is not believed at all.
    let (code, told) = run(&["work", "--store", &store], Some(PASSWORD));
    assert_ne!(code, Some(0), "{told}");
    assert!(told.contains("row spec cannot be read: its digest is"), "{told}");
    let changed: gainsay::campaign::CampaignSpec = serde_json::from_str(&spec).expect("a definition");
    client.execute(change, &[&changed.identity(), &"identity"]).expect("changed");
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

/// `sslmode` and `sslrootcert` mean what they mean to `PostgreSQL`'s own programs.
#[test]
fn connections_are_encrypted_where_that_is_asked() {
    let (place, mut server) = (seeded("shared-tls"), Server::start("tls"));
    std::fs::create_dir_all(place.0.join("home/.postgresql")).expect("writable");
    let files = [
        ("authority.crt", AUTHORITY),
        ("home/.postgresql/root.crt", AUTHORITY),
        ("server.crt", CERTIFICATE),
        ("stranger.crt", STRANGER),
        ("empty.crt", ""),
    ];
    for (name, text) in files {
        std::fs::write(place.0.join(name), text).expect("writable");
    }
    let run = |args: &[&str], home: &str| {
        let mut command = gainsay(&place);
        command.args(args).env("PGPASSWORD", PASSWORD).env("HOME", place.0.join(home));
        let output = command.env_remove("PGSSLMODE").env_remove("PGSSLROOTCERT").output().expect("we start");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let port = server.port;
    let store = |host: &str, more: &str| format!("postgres://gainsay@{host}:{port}/postgres{more}#tls");
    // On a socket nothing is encrypted, whatever is asked.
    let socket = server.address("tls").replace('#', "?sslmode=require#");
    let (code, told) = run(&[&hunting("30", &socket)[..], &["--spool", "spool"]].concat(), "nobody");
    assert!(matches!(code, Some(0 | 10)), "{told}");
    let look = |host: &str, more: &str, home: &str, expected: Result<(), &str>| {
        let (code, told) = run(&["status", "--store", &store(host, more)], home);
        assert!(!told.contains(PASSWORD), "{told}");
        match expected {
            Ok(()) => assert_eq!(code, Some(0), "{host} {more}: {told}"),
            Err(why) => assert!(code != Some(0) && told.contains(why), "{host} {more}: {told}"),
        }
    };
    look("127.0.0.1", "?sslmode=require", "nobody", Err("server does not support TLS"));
    look("127.0.0.1", "", "nobody", Ok(()));
    if !server.encrypt() {
        println!("the rest is skipped: this server cannot encrypt");
        return;
    }
    let rows = [
        ("localhost", "?sslmode=disable", "nobody", Err("no encryption")),
        ("localhost", "", "nobody", Ok(())),
        ("localhost", "?sslmode=require", "nobody", Ok(())),
        ("localhost", "?sslmode=verify-full&sslrootcert=authority.crt", "nobody", Ok(())),
        ("127.0.0.1", "?sslmode=verify-ca&sslrootcert=authority.crt", "nobody", Ok(())),
        ("127.0.0.1", "?sslmode=verify-full&sslrootcert=authority.crt", "nobody", Err("not valid for name")),
        // A certificate that is in the file itself is trusted, and the usual file is looked for.
        ("localhost", "?sslmode=verify-full&sslrootcert=server.crt", "nobody", Ok(())),
        ("localhost", "?sslmode=verify-full", "home", Ok(())),
        ("localhost", "?sslmode=verify-full", "nobody", Err("need certificates to trust")),
        ("localhost", "?sslmode=verify-ca&sslrootcert=stranger.crt", "nobody", Err("UnknownIssuer")),
        ("localhost", "?sslmode=verify-full&sslrootcert=system", "nobody", Err("UnknownIssuer")),
        // Who requires it and has certificates verifies.
        ("localhost", "?sslmode=require&sslrootcert=stranger.crt", "nobody", Err("UnknownIssuer")),
        ("localhost", "?sslmode=verify-ca&sslrootcert=empty.crt", "nobody", Err("no certificate is in it")),
        ("localhost", "?sslmode=verify-ca&sslrootcert=nothing.crt", "nobody", Err("nothing.crt")),
        ("localhost", "?sslmode=strict", "nobody", Err("sslmode is disable, prefer")),
    ];
    for (host, more, home, expected) in rows {
        look(host, more, home, expected);
    }
}

/// A campaign whose strategies come to their end before its turns do is over, and says so.
#[test]
fn what_is_over_says_so() {
    let (place, server) = (seeded("shared-over"), Server::start("over"));
    let store = server.address("over");
    let begun = gainsay(&place)
        .args(["hunt", "seeds/0000.smt2", "--with", "seeds", "--turns", "50", "--solver", "fake:honest"])
        .args(["--solver", "fake:honest,sleep=1", "--jobs", "1", "--spool", "spool", "--store", &store])
        .output()
        .expect("we start");
    assert_eq!(begun.status.code(), Some(0), "{}", text(&begun.stderr));
    let told = gainsay(&place).args(["status", "--store", &store]).output().expect("we start");
    let told = text(&told.stdout);
    assert!(told.contains("1 of 50 turns") && told.contains("it is over"), "{told}");
}

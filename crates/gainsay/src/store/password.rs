//! The password for a server, from where `PostgreSQL`'s own programs have it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// What others than its owner may do with a file.
const OTHERS: u32 = 0o077;

/// The password of this moment: PGPASSWORD, or what the password file has for this server.
pub fn of(config: &Config) -> Option<String> {
    std::env::var("PGPASSWORD").ok().filter(|value| !value.is_empty()).or_else(|| from_file(config))
}

/// The password in the file that PGPASSFILE names, else `~/.pgpass`, if it has one for this server.
fn from_file(config: &Config) -> Option<String> {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".pgpass"));
    let place: PathBuf = std::env::var_os("PGPASSFILE").map(Into::into).or_else(home)?;
    if !is_private(&place) {
        return None;
    }
    let text = std::fs::read_to_string(place).ok()?;
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        _ => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default().to_owned();
    let database = config.get_dbname().unwrap_or(&user).to_owned();
    looked_up(&text, &[&host, &port, &database, &user])
}

/// Whether nobody else can read a file; if somebody can, that is said once.
fn is_private(place: &Path) -> bool {
    static SAID: Once = Once::new();
    let Ok(about) = std::fs::metadata(place) else { return false };
    let private = about.permissions().mode() & OTHERS == 0;
    if !private && about.is_file() {
        SAID.call_once(|| {
            eprintln!(
                "gainsay: {} can be read by others and is left aside; `chmod 600` makes it usable",
                place.display()
            );
        });
    }
    private
}

/// The password in the first line of a password file that fits.
fn looked_up(text: &str, wanted: &[&str; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = fields(line);
        let password = fields.pop()?;
        let fits = fields.len() == 4 && fields.iter().zip(wanted).all(|(f, w)| f == "*" || f == w);
        fits.then_some(password)
    })
}

/// The fields of a line, between colons; a backslash takes what follows as it is.
fn fields(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut letters = line.chars();
    while let Some(c) = letters.next() {
        let last = all.last_mut().expect("never empty");
        match c {
            '\\' => last.extend(letters.next()),
            ':' => all.push(String::new()),
            c => last.push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_file_is_read_as_libpq_does() {
        let text =
            "# host:port:database:user:password\nother:*:*:*:no\nhost:5432:*:ann:a\\:b\\\\c\n*:*:*:*:any\n";
        let rows = [
            (["host", "5432", "db", "ann"], "a:b\\c"),
            (["host", "5433", "db", "ann"], "any"),
            (["other", "1", "x", "y"], "no"),
        ];
        for (wanted, password) in rows {
            assert_eq!(looked_up(text, &wanted).as_deref(), Some(password));
        }
        assert_eq!(looked_up("host:5432:db:ann:x", &["host", "5432", "db", "bob"]), None);
    }

    #[test]
    fn a_file_that_others_can_read_is_left_aside() {
        let place = std::env::temp_dir().join(format!("gainsay-pgpass-{}", std::process::id()));
        std::fs::write(&place, "*:*:*:*:x").expect("writable");
        for (mode, private) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(mode)).expect("ours");
            assert_eq!(is_private(&place), private, "{mode:o}");
        }
        std::fs::remove_file(&place).expect("ours");
        assert!(!is_private(&place));
    }
}

//! Where a `PostgreSQL` server is, and who we are there. The password is never shown.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use postgres::Config;
use postgres::config::Host;

/// How long a connection may take to come about, and how long data may be on its way.
const PATIENCE: Duration = Duration::from_secs(20);
/// The campaign's name in its database if none is given.
const USUAL: &str = "gainsay";

/// The address of a campaign: `postgres://user@host/database#campaign`.
#[derive(Clone)]
pub struct Address {
    /// The address without its password.
    shown: String,
    /// The database schema that holds the campaign.
    pub campaign: String,
    config: Config,
    /// Whether the text had a password.
    pub tells_password: bool,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Whether a text is meant to be the address of a server.
pub fn is_address(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

impl Address {
    /// Reads an address. What it leaves open comes from PGHOST, PGPORT, PGUSER, PGDATABASE and PGPASSWORD or the password file.
    pub fn parse(text: &str) -> Result<Address, String> {
        let (url, campaign) = text.split_once('#').unwrap_or((text, USUAL));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if campaign.is_empty() || !campaign.chars().all(plain) || campaign.starts_with("pg_") {
            return Err(format!(
                "#{campaign}: a campaign's name is made of lower-case letters, digits and underscores"
            ));
        }
        // What is wrong is told without the text: it may hold a password.
        let mut config: Config = url
            .parse()
            .map_err(|_| "this is no address: postgres://user@host:5432/database#campaign is".to_owned())?;
        let tells_password = config.get_password().is_some();
        let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host(&given("PGHOST").unwrap_or_else(|| "/var/run/postgresql".to_owned()));
        }
        if let (true, Some(port)) = (config.get_ports().is_empty(), given("PGPORT")) {
            config.port(port.parse().map_err(|_| "PGPORT is no number".to_owned())?);
        }
        if config.get_user().is_none() {
            let user = given("PGUSER").or_else(|| given("USER")).unwrap_or_else(|| "postgres".to_owned());
            config.user(&user);
        }
        if let (None, Some(name)) = (config.get_dbname(), given("PGDATABASE")) {
            config.dbname(&name);
        }
        if !tells_password {
            match given("PGPASSWORD") {
                Some(password) => {
                    config.password(password);
                }
                None => from_file(&mut config),
            }
        }
        config.application_name("gainsay").connect_timeout(PATIENCE).tcp_user_timeout(PATIENCE);
        config.keepalives(true).keepalives_idle(PATIENCE);
        let mut shown = redacted(url);
        if campaign != USUAL {
            shown.push('#');
            shown.push_str(campaign);
        }
        Ok(Address { shown, campaign: campaign.to_owned(), config, tells_password })
    }

    /// What connects to it.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// An address without its password, be it before the host or among the parameters.
fn redacted(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let (rest, parameters) = rest.split_once('?').map_or((rest, None), |(rest, p)| (rest, Some(p)));
    let rest = match rest.rsplit_once('@') {
        Some((who, host)) => format!("{}@{host}", who.split(':').next().unwrap_or_default()),
        None => rest.to_owned(),
    };
    let kept: Vec<&str> =
        parameters.into_iter().flat_map(|p| p.split('&')).filter(|p| !p.starts_with("password=")).collect();
    match kept.is_empty() {
        true => format!("{scheme}://{rest}"),
        false => format!("{scheme}://{rest}?{}", kept.join("&")),
    }
}

/// Takes the password from the file that PGPASSFILE names, else `~/.pgpass`, if it has one for this server.
fn from_file(config: &mut Config) {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".pgpass"));
    let Some(place) = std::env::var_os("PGPASSFILE").map(Into::into).or_else(home) else { return };
    let Ok(text) = std::fs::read_to_string(place) else { return };
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        _ => "localhost".to_owned(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default().to_owned();
    let database = config.get_dbname().unwrap_or(&user).to_owned();
    if let Some(password) = looked_up(&text, &[&host, &port, &database, &user]) {
        config.password(password);
    }
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
    fn passwords_are_not_shown() {
        let rows = [
            ("postgres://ann:s3cret@host/db", "postgres://ann@host/db"),
            ("postgres://ann:s3c@ret@host/db", "postgres://ann@host/db"),
            ("postgresql://host/db?password=s3cret&user=ann", "postgresql://host/db?user=ann"),
            ("postgres://ann@host:5433/db#week", "postgres://ann@host:5433/db#week"),
        ];
        for (text, shown) in rows {
            let (url, _) = text.split_once('#').unwrap_or((text, ""));
            assert_eq!(redacted(url), shown.split('#').next().unwrap_or_default());
        }
        let address = Address::parse("postgres://ann:s3cret@host/db#week").expect("an address");
        assert!(address.tells_password);
        for shown in [format!("{address}"), format!("{address:?}")] {
            assert_eq!(shown, "postgres://ann@host/db#week");
        }
        for wrong in ["postgres://ann:s3cret@host:port/db", "postgres://ann:s3cret@host/db#Week;"] {
            let told = Address::parse(wrong).expect_err("no address");
            assert!(!told.contains("s3cret"), "{told}");
        }
    }

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
}

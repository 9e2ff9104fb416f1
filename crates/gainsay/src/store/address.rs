//! Where a `PostgreSQL` server is, and who we are there. The password is never shown.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::password;
use super::tls::Tls;

/// How long a connection may take to come about, and how long data may be on its way.
const PATIENCE: Duration = Duration::from_secs(20);
/// The campaign's name in its database if none is given.
const USUAL: &str = "gainsay";
/// The port of a server if none is given.
const PORT: u16 = 5432;
/// How many letters of a name the server heeds.
const LONGEST: usize = 63;

/// The address of a campaign: `postgres://user@host/database#campaign`.
#[derive(Clone)]
pub struct Address {
    /// The address without its password.
    shown: String,
    /// The database schema that holds the campaign.
    pub campaign: String,
    config: Config,
    tls: Tls,
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

/// The start of an address, however its letters are written; what follows it is the rest.
fn after_scheme(text: &str) -> Option<&str> {
    ["postgresql:", "postgres:"].into_iter().find_map(|scheme| {
        let start = text.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
    })
}

/// Whether a text is meant to be the address of a server; such a text may hold a password, and is not shown. With an @ it is,
/// even if nothing stands before it, unless there is such a folder.
pub fn is_address(text: &str) -> bool {
    after_scheme(text).is_some()
        || text.contains("://")
        || text.to_ascii_lowercase().contains("password=")
        || text.contains('@') && !Path::new(text).exists()
}

/// Whether a campaign may have this name: the server has names of its own.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let taken = name == "public" || name == "information_schema" || name.starts_with("pg_");
    !name.is_empty() && name.len() <= LONGEST && name.chars().all(plain) && !taken
}

/// What is wrong with an address, told without it: it may hold a password.
fn wrong<T>(why: &str) -> Result<T, String> {
    Err(why.to_owned())
}

impl Address {
    /// Reads an address. What it leaves open comes from PGHOST, PGPORT, PGUSER and PGDATABASE, and when we connect from PGPASSWORD
    /// or the password file. What is wrong is told without the text.
    pub fn parse(text: &str) -> Result<Address, String> {
        let form = "this is no address: postgres://user@host:5432/database#campaign is";
        let Some(rest) = after_scheme(text).and_then(|rest| rest.strip_prefix("//")) else {
            return wrong(form);
        };
        let (rest, campaign) = rest.rsplit_once('#').unwrap_or((rest, USUAL));
        if !is_name(campaign) {
            return wrong(
                "after the # of an address stands the campaign's name: at most 63 lower-case letters, digits and underscores, \
                 not public, information_schema or pg_…; a # in a password is written %23",
            );
        }
        if rest.rsplit('@').next().is_some_and(|place| place.contains('#')) {
            return wrong(form);
        }
        // Else a part of the password would be taken for the host.
        if rest.matches('@').count() > 1 {
            return wrong("an address has one @, before the host; one in a password is written %40");
        }
        let (rest, tls) = without_tls(rest)?;
        let Ok(mut config) = format!("postgres://{rest}").parse::<Config>() else { return wrong(form) };
        let tells_password = config.get_password().is_some();
        from_environment(&mut config)?;
        // Nobody listens on the way to a socket of this machine, and servers do not encrypt there.
        let sockets = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        config.ssl_mode(if sockets { SslMode::Disable } else { tls.wanted() });
        config.application_name("gainsay").connect_timeout(PATIENCE).tcp_user_timeout(PATIENCE);
        config.keepalives(true).keepalives_idle(PATIENCE);
        let shown = shown(&config, &tls, campaign);
        Ok(Address { shown, campaign: campaign.to_owned(), config, tls, tells_password })
    }

    /// What connects to it, with the password of this moment: somebody may have mended it.
    pub fn config(&self) -> Config {
        let mut config = self.config.clone();
        if let (false, Some(password)) = (self.tells_password, password::of(&config)) {
            config.password(password);
        }
        config
    }

    /// Whether it means another server on every machine.
    pub fn is_local(&self) -> bool {
        self.config.get_hosts().iter().all(|host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                name == "localhost" || name.parse::<IpAddr>().is_ok_and(|number| number.is_loopback())
            }
        })
    }

    /// What encrypts connections to it; why there is none, if there is none.
    pub fn tls(&self) -> Result<MakeRustlsConnect, String> {
        self.tls.connector()
    }
}

/// An address without what it says of encryption, and that.
fn without_tls(rest: &str) -> Result<(String, Tls), String> {
    // A password may have a question mark.
    let place = rest.rfind('@').map_or(0, |at| at + 1);
    let Some(mark) = rest[place..].find('?').map(|mark| place + mark) else {
        return Ok((rest.to_owned(), Tls::of(None, None)?));
    };
    let (mut mode, mut roots, mut others) = (None, None, Vec::new());
    for setting in rest[mark + 1..].split('&') {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        let decoded = || percent_decode_str(value).decode_utf8_lossy().into_owned();
        match name {
            "sslmode" => mode = Some(decoded()),
            "sslrootcert" => roots = Some(decoded()),
            _ => others.push(setting),
        }
    }
    let others = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
    Ok((format!("{}{others}", &rest[..mark]), Tls::of(mode.as_deref(), roots.as_deref())?))
}

/// Takes what an address leaves open from the environment.
fn from_environment(config: &mut Config) -> Result<(), String> {
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if config.get_hosts().is_empty() {
        let numbers: Vec<String> = config.get_hostaddrs().iter().map(ToString::to_string).collect();
        for number in &numbers {
            config.host(number);
        }
        if numbers.is_empty() {
            config.host(given("PGHOST").unwrap_or_else(|| "/var/run/postgresql".to_owned()));
        }
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
    Ok(())
}

/// An address made of what was understood of it, without a password.
fn shown(config: &Config, tls: &Tls, campaign: &str) -> String {
    let mut hosts: Vec<String> = config.get_hosts().iter().map(host).collect();
    let ports = config.get_ports();
    for (i, host) in hosts.iter_mut().enumerate() {
        // One port is that of all hosts.
        let port = ports.get(i).or(ports.last()).copied().unwrap_or(PORT);
        if port != PORT {
            host.push_str(&format!(":{port}"));
        }
    }
    let user = config.get_user().map_or(String::new(), |user| format!("{}@", encoded(user.as_bytes())));
    let database = config.get_dbname().map_or(String::new(), |name| format!("/{}", encoded(name.as_bytes())));
    let settings: Vec<String> = tls
        .settings()
        .into_iter()
        .map(|(name, value)| format!("{name}={}", encoded(value.as_bytes())))
        .collect();
    let settings = if settings.is_empty() { String::new() } else { format!("?{}", settings.join("&")) };
    let campaign = if campaign == USUAL { String::new() } else { format!("#{campaign}") };
    format!("postgres://{user}{}{database}{settings}{campaign}", hosts.join(","))
}

/// A host as it stands in an address.
fn host(host: &Host) -> String {
    match host {
        Host::Tcp(name) => bracketed(name),
        Host::Unix(place) => encoded(place.as_os_str().as_encoded_bytes()),
    }
}

/// Numbers with colons stand in brackets.
fn bracketed(name: &str) -> String {
    if name.contains(':') { format!("[{name}]") } else { encoded(name.as_bytes()) }
}

/// A text as it stands in an address.
fn encoded(text: &[u8]) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    percent_encode(text, KEPT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let rows = [
            ("postgres://ann:s3cret@host/db", "postgres://ann@host/db"),
            ("postgres://ann:s3c%40ret@host/db", "postgres://ann@host/db"),
            ("postgres://ann:s3?cret@host/db", "postgres://ann@host/db"),
            ("postgres://ann:s3#cret@host/db#week", "postgres://ann@host/db#week"),
            ("postgres://ann:s3/cret@host/db", "postgres://ann@host/db"),
            ("POSTGRES://ann:s3cret@host/db", "postgres://ann@host/db"),
            ("postgresql://host/db?password=s3cret&user=ann", "postgres://ann@host/db"),
            ("postgres://ann@host/db?passw%6Frd=s3cret", "postgres://ann@host/db"),
            ("postgres://ann:s3cret@[::1]:5433,other/db", "postgres://ann@[::1]:5433,other/db"),
            (
                "postgres://ann:s3?cret@host/db?sslrootcert=/etc/my%20ca&sslmode=verify-full",
                "postgres://ann@host/db?sslmode=verify-full&sslrootcert=%2Fetc%2Fmy%20ca",
            ),
            ("postgres://ann:s3cret@host/db?sslmode=allow#week", "postgres://ann@host/db#week"),
            (
                "postgres://ann:s3cret@/db?hostaddr=127.0.0.1&sslmode=require",
                "postgres://ann@127.0.0.1/db?sslmode=require",
            ),
            ("postgres://ann:s3cret@%2Frun%2Fsql:5433/my%20db", "postgres://ann@%2Frun%2Fsql:5433/my%20db"),
        ];
        for (text, shown) in rows {
            let address = Address::parse(text).expect(text);
            assert!(address.tells_password && is_address(text), "{text}");
            assert_eq!((format!("{address}"), format!("{address:?}")), (shown.to_owned(), shown.to_owned()));
            // What is shown leads to the same place.
            assert_eq!(Address::parse(shown).expect(shown).to_string(), shown);
        }
        let open = Address::parse("postgres://ann@host:5433/db#week").expect("an address");
        assert!(!open.tells_password);
        assert_eq!(open.to_string(), "postgres://ann@host:5433/db#week");
    }

    #[test]
    fn what_is_wrong_is_told_without_the_text() {
        for text in [
            "postgres://ann:s3cret@host:port/db",
            "postgres://ann:s3cret@host/db#Week;",
            "postgres://ann:s3c@s3cret@host/db",
            "postgres://ann:s3c@host/s3cret@host/db",
            "postgres://ann:x#s3cret@host/db",
            "postgres:ann:s3cret@host/db",
            "postgres://ann:s3cret@host/db?what=s3cret",
            "postgres://ann:s3cret@host/db?sslmode=s3cret",
            "postgres://ann:s3cret@host/db?sslmode=require&sslrootcert=system",
            "host=db user=ann password=s3cret",
            "HOST=db PASSWORD=s3cret",
            "mysql://ann:s3cret@host/db",
            "ann:s3cret@host/db",
            "s3cret@host/db#week",
        ] {
            assert!(is_address(text), "{text}");
            let told = Address::parse(text).expect_err(text);
            assert!(!told.contains("s3cret"), "{told}");
        }
        assert!(!is_address("gainsay-campaign") && !is_address("/data/postgres/week"));
    }

    #[test]
    fn what_means_another_server_elsewhere() {
        let rows = [
            ("postgres://ann@localhost/db", true),
            ("postgres://ann@127.0.0.3/db", true),
            ("postgres://ann@[::1]:5433/db", true),
            ("postgres://ann@%2Frun%2Fsql/db", true),
            ("postgres://ann@10.0.0.3/db", false),
            ("postgres://ann@db.example,localhost/db", false),
        ];
        for (text, local) in rows {
            assert_eq!(Address::parse(text).expect(text).is_local(), local, "{text}");
        }
    }

    #[test]
    fn names_of_campaigns() {
        let long = "x".repeat(64);
        for name in ["", "public", "information_schema", "pg_catalog", "Week", "a-b", "a\"b", &long] {
            let told = Address::parse(&format!("postgres://ann@host/db#{name}")).expect_err(name);
            assert!(told.contains("the campaign's name"), "{told}");
        }
        for name in ["week", "week_2", "publicly", &long[1..]] {
            let address = Address::parse(&format!("postgres://ann@host/db#{name}")).expect(name);
            assert_eq!(address.campaign, name);
        }
    }
}

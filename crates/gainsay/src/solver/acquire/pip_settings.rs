//! The settings of pip that say where packages come from: environment variables and configuration files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use configparser::ini::Ini;

use crate::solver::SolverError;

/// How long a server may be silent if pip's settings do not say it; pip has the same.
const SILENCE: Duration = Duration::from_secs(15);

/// Where packages come from, as pip is configured on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipSettings {
    /// Folders and pages that have files (`find-links`).
    pub links: Vec<String>,
    /// The addresses of package indexes, in the order in which they are asked; empty if only pip's own default is left.
    pub indexes: Vec<String>,
    /// A file of certificates to trust in place of those of the system.
    pub certificates: Option<PathBuf>,
    /// The proxy to use in place of the one that the environment names.
    pub proxy: Option<String>,
    /// How long a server may be silent.
    pub timeout: Duration,
}

impl PipSettings {
    /// The settings that `pip download` has in this environment.
    pub fn of_environment() -> Result<PipSettings, SolverError> {
        let variable = |name: &str| std::env::var(name).ok();
        let mut files = Vec::new();
        for place in config_files(&variable) {
            if let Ok(text) = std::fs::read_to_string(&place) {
                files.push((place, text));
            }
        }
        PipSettings::read(&variable, &files)
    }

    /// The settings that variables and the texts of configuration files give; later files win, and variables win over files.
    fn read(
        variable: &dyn Fn(&str) -> Option<String>,
        files: &[(PathBuf, String)],
    ) -> Result<PipSettings, SolverError> {
        let mut global = BTreeMap::new();
        let mut download = BTreeMap::new();
        for (place, text) in files {
            let mut sections = parse(place, text)?;
            global.append(&mut sections.remove("global").unwrap_or_default());
            download.append(&mut sections.remove("download").unwrap_or_default());
        }
        let get = |key: &str| {
            let name = format!("PIP_{}", key.to_uppercase().replace('-', "_"));
            let of_files = || download.get(key).or_else(|| global.get(key)).cloned();
            variable(&name).filter(|value| !value.trim().is_empty()).or_else(of_files)
        };
        let words = |key: &str| -> Vec<String> {
            get(key).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let no_index = get("no-index").is_some_and(|value| is_true(&value));
        let indexes = match no_index {
            true => Vec::new(),
            false => words("index-url").into_iter().take(1).chain(words("extra-index-url")).collect(),
        };
        let seconds = get("default-timeout").or_else(|| get("timeout")).and_then(|text| text.parse().ok());
        Ok(PipSettings {
            links: words("find-links"),
            indexes,
            certificates: get("cert").map(PathBuf::from),
            proxy: get("proxy"),
            timeout: seconds.map_or(SILENCE, Duration::from_secs),
        })
    }
}

/// Whether pip understands a value as yes.
fn is_true(value: &str) -> bool {
    ["1", "y", "yes", "t", "true", "on"].contains(&value.trim().to_lowercase().as_str())
}

/// The configuration files of pip, in the order in which it reads them.
fn config_files(variable: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let own = set("PIP_CONFIG_FILE");
    if own.as_deref() == Some("/dev/null") {
        return Vec::new();
    }
    let shared = set("XDG_CONFIG_DIRS").unwrap_or_else(|| "/etc/xdg".to_owned());
    let mut files: Vec<PathBuf> =
        std::env::split_paths(&shared).map(|dir| dir.join("pip/pip.conf")).collect();
    files.push(PathBuf::from("/etc/pip.conf"));
    let own = own.map(PathBuf::from).filter(|file| file.exists());
    if own.is_none()
        && let Some(home) = set("HOME").map(PathBuf::from)
    {
        files.push(home.join(".pip/pip.conf"));
        let folder = set("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
        files.push(folder.join("pip/pip.conf"));
    }
    files.extend(set("VIRTUAL_ENV").map(|dir| Path::new(&dir).join("pip.conf")));
    files.extend(own);
    files
}

/// The values of a configuration file, by section and key.
fn parse(place: &Path, text: &str) -> Result<BTreeMap<String, BTreeMap<String, String>>, SolverError> {
    let mut file = Ini::new();
    file.set_multiline(true);
    // Python's reader knows no comments after a value; `#` may be part of an address.
    file.set_inline_comment_symbols(Some(&[]));
    let sections =
        file.read(text.to_owned()).map_err(|why| SolverError::BadFile { place: place.to_owned(), why })?;
    let keys = |values: std::collections::HashMap<String, Option<String>>| {
        values.into_iter().filter_map(|(key, value)| Some((key.replace('_', "-"), value?))).collect()
    };
    Ok(sections.into_iter().map(|(name, values)| (name, keys(values))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)], files: &[&str]) -> PipSettings {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let files: Vec<_> =
            files.iter().map(|text| (PathBuf::from("pip.conf"), (*text).to_owned())).collect();
        PipSettings::read(&variable, &files).expect("readable")
    }

    #[test]
    fn indexes_are_found_as_pip_finds_them() {
        const GLOBAL: &str = "[global]\nindex-url = http://a.test/simple#x\nextra-index-url =\n    http://b.test/simple\n    http://c.test/simple\n";
        type Row =
            (&'static [(&'static str, &'static str)], &'static [&'static str], &'static [&'static str]);
        let rows: &[Row] = &[
            (&[], &[], &[]),
            (&[], &[GLOBAL], &["http://a.test/simple#x", "http://b.test/simple", "http://c.test/simple"]),
            // A later file wins, and the section of the command wins over `global` in every file.
            (
                &[],
                &["[global]\nindex_url: http://d.test\n", "[global]\nindex-url=http://e.test\n"],
                &["http://e.test"],
            ),
            (
                &[],
                &["[download]\nindex-url=http://d.test\n", "[global]\nindex-url=http://e.test\n"],
                &["http://d.test"],
            ),
            (&[], &["[install]\nindex-url=http://d.test\n"], &[]),
            // Variables win; an empty one says nothing.
            (
                &[("PIP_INDEX_URL", "http://f.test")],
                &[GLOBAL],
                &["http://f.test", "http://b.test/simple", "http://c.test/simple"],
            ),
            (&[("PIP_INDEX_URL", "")], &["[global]\nindex-url=http://e.test\n"], &["http://e.test"]),
            (
                &[("PIP_EXTRA_INDEX_URL", "http://g.test http://h.test")],
                &[],
                &["http://g.test", "http://h.test"],
            ),
            (&[("PIP_NO_INDEX", "1"), ("PIP_INDEX_URL", "http://f.test")], &[], &[]),
        ];
        for (variables, files, expected) in rows {
            assert_eq!(read(variables, files).indexes, *expected, "{variables:?} {files:?}");
        }
    }

    #[test]
    fn the_rest_is_read_too() {
        let found = read(
            &[("PIP_FIND_LINKS", "/opt/a /opt/b"), ("PIP_DEFAULT_TIMEOUT", "180")],
            &["; comment\n[global]\ncert = /etc/ca.pem\nproxy = http://p.test:3128\n"],
        );
        assert_eq!(found.links, ["/opt/a", "/opt/b"]);
        assert_eq!(found.certificates.as_deref(), Some(Path::new("/etc/ca.pem")));
        assert_eq!(found.proxy.as_deref(), Some("http://p.test:3128"));
        assert_eq!(found.timeout, Duration::from_secs(180));
        assert_eq!(read(&[], &[]).timeout, SILENCE);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let files = [(PathBuf::from("/etc/pip.conf"), "[global\n".to_owned())];
        let told = PipSettings::read(&|_| None, &files).expect_err("no section").to_string();
        assert!(told.starts_with("/etc/pip.conf: "), "{told}");
    }

    #[test]
    fn files_are_where_pip_looks() {
        let of = |variables: &[(&str, &str)]| -> Vec<String> {
            let variable = |name: &str| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            };
            config_files(&variable).iter().map(|file| file.display().to_string()).collect()
        };
        let usual = ["/etc/xdg/pip/pip.conf", "/etc/pip.conf", "/h/.pip/pip.conf", "/h/.config/pip/pip.conf"];
        assert_eq!(of(&[("HOME", "/h")]), usual);
        assert_eq!(of(&[("PIP_CONFIG_FILE", "/dev/null"), ("HOME", "/h")]), [""; 0]);
        // A file that is named and exists takes the place of the user's.
        let own = [("PIP_CONFIG_FILE", "/etc/hosts"), ("HOME", "/h"), ("VIRTUAL_ENV", "/v")];
        assert_eq!(of(&own), ["/etc/xdg/pip/pip.conf", "/etc/pip.conf", "/v/pip.conf", "/etc/hosts"]);
    }
}

//! Wheels from package indexes and folders, without Python.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex_lite::Regex;

use super::http::{Client, Page, joined, shown, with_user_of};
use super::pip_settings::PipSettings;
use crate::solver::SolverError;

/// A file that a page offers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    file: String,
    url: String,
}

/// Fetches the first of these files that a source of pip's settings has, and returns its place.
///
/// The folders and pages of `find-links` are looked at first, then the indexes. It is `None` if no source has one of the
/// files and no index is configured: then only pip knows where to look.
pub fn wheel(
    settings: &PipSettings,
    package: &str,
    files: &[&str],
    into: &Path,
) -> Result<Option<PathBuf>, SolverError> {
    let mut pages = Vec::new();
    for source in &settings.links {
        if source.starts_with("http://") || source.starts_with("https://") {
            pages.push(source.clone());
        } else if let Some(there) = in_folder(source, files) {
            let place = into.join(there.file_name().expect("a file of the list"));
            std::fs::copy(&there, &place).map_err(SolverError::at(&there))?;
            return Ok(Some(place));
        }
    }
    for index in &settings.indexes {
        pages.push(format!("{}/{}/", index.trim_end_matches('/'), normalised(package)));
    }
    if pages.is_empty() {
        return Ok(None);
    }
    let client = Client::new(settings)?;
    let mut why = Vec::new();
    for page in &pages {
        match of_page(&client, page, files, into) {
            Ok(Some(place)) => return Ok(Some(place)),
            Ok(None) => why.push(format!("{} has none of {}", shown(page), files.join(", "))),
            Err(e) => why.push(e.to_string()),
        }
    }
    if settings.indexes.is_empty() {
        return Ok(None);
    }
    Err(SolverError::NotOnIndex { package: package.to_owned(), why: why.join("; ") })
}

/// The first of these files that a folder has; the folder may be written as a `file:` address.
fn in_folder(folder: &str, files: &[&str]) -> Option<PathBuf> {
    let folder = Path::new(folder.strip_prefix("file://").unwrap_or(folder));
    files.iter().map(|file| folder.join(file)).find(|place| place.is_file())
}

/// Downloads the first of these files that a page offers.
fn of_page(client: &Client, url: &str, files: &[&str], into: &Path) -> Result<Option<PathBuf>, SolverError> {
    let page = client.page(url)?;
    let links = links(&page);
    let Some(link) = files.iter().find_map(|file| links.iter().find(|link| link.file == *file)) else {
        return Ok(None);
    };
    let place = into.join(&link.file);
    if let Err(e) = client.download(&with_user_of(&page.url, &link.url), &place) {
        // Half a file must not be in the way of the next source.
        let _ = std::fs::remove_file(&place);
        return Err(e);
    }
    Ok(Some(place))
}

/// The name of a package as indexes write it in addresses.
fn normalised(package: &str) -> String {
    let words: Vec<&str> = package.split(['-', '_', '.']).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

/// The files that a page of an index offers.
fn links(page: &Page) -> Vec<Link> {
    static ANCHOR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?i)<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')"#).expect("a good expression")
    });
    let link = |found: regex_lite::Captures<'_>| {
        let written = found.get(1).or_else(|| found.get(2))?.as_str().replace("&amp;", "&");
        let url = joined(&page.url, &written);
        let path = url.split(['?', '#']).next()?;
        let file =
            percent_encoding::percent_decode_str(path.rsplit('/').next()?).decode_utf8().ok()?.into_owned();
        Some(Link { file, url })
    };
    ANCHOR.captures_iter(&page.text).filter_map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_from_pages() {
        let text = "<!DOCTYPE html><a href=\"../../f/z3-1.whl#sha256=00\" data-x='1'>z3-1.whl</a><br>\n\
                    <A class=x HREF='/g/z3-1%2B2.whl?a=1&amp;b=2'>x</A><a name=top></a>";
        let page = Page { url: "http://h.test/simple/z3/".to_owned(), text: text.to_owned() };
        let link = |file: &str, url: &str| Link { file: file.to_owned(), url: url.to_owned() };
        let expected = [
            link("z3-1.whl", "http://h.test/f/z3-1.whl#sha256=00"),
            link("z3-1+2.whl", "http://h.test/g/z3-1%2B2.whl?a=1&b=2"),
        ];
        assert_eq!(links(&page), expected);
    }

    #[test]
    fn names_of_packages_are_normalised() {
        for (name, expected) in [("z3-solver", "z3-solver"), ("Z3_Solver", "z3-solver"), ("a.-_b", "a-b")] {
            assert_eq!(normalised(name), expected);
        }
    }
}

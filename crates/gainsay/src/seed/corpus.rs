//! Corpora: reads seeds from files, folders and lists of files. Files that cannot be used are counted and named.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Dropped, Keep, Seed, Unusable, builtin};

/// Why a corpus cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// A path cannot be read.
    #[error(
        "{path}: {why}\nSeeds are SMT-LIB files, folders with such files, or lists of paths (.txt), one a line."
    )]
    NoPath {
        /// The path.
        path: String,
        /// What the system says.
        why: String,
    },
    /// All paths can be read, but no file can be used as a seed.
    #[error("no usable seed among {found} {}{reasons}", if *found == 1 { "file" } else { "files" })]
    NoSeed {
        /// How many files were read.
        found: usize,
        /// Why they cannot be used, with counts and an example each.
        reasons: String,
    },
}

/// All seeds of a campaign.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The seeds, in the order of their paths.
    pub seeds: Vec<Arc<Seed>>,
    /// Files that cannot be seeds, and why.
    pub unusable: Vec<(String, Unusable)>,
    /// Files that have the same text as another file.
    pub repeated: Vec<String>,
    /// What was left out of the seeds, by name.
    pub dropped: Dropped,
    /// Whether the seeds are bare: only what declares, asserts and checks.
    pub bare: bool,
    /// The seeds of which mutants are made, in the same order; all if none.
    drawn: Option<Vec<Arc<Seed>>>,
}

impl Corpus {
    /// The seeds of which mutants are made.
    pub fn drawn(&self) -> &[Arc<Seed>] {
        self.drawn.as_deref().unwrap_or(&self.seeds)
    }

    /// Whether mutants are made of a seed of this corpus.
    pub fn is_drawn(&self, seed: &Arc<Seed>) -> bool {
        self.drawn.as_ref().is_none_or(|drawn| drawn.iter().any(|other| Arc::ptr_eq(other, seed)))
    }

    /// Makes mutants only of the seeds that are wanted; of all, if none is.
    pub fn draw_only(&mut self, is_wanted: impl Fn(&Seed) -> bool) {
        let wanted: Vec<_> = self.seeds.iter().filter(|seed| is_wanted(seed)).cloned().collect();
        self.drawn = Some(wanted).filter(|wanted| !wanted.is_empty());
    }

    /// Reads all files at these paths.
    pub fn load(paths: &[PathBuf], keep: Keep) -> Result<Corpus, SeedError> {
        let mut files = Vec::new();
        for path in paths {
            gather(path, &mut files)?;
        }
        let corpus = Corpus::read_all(&files, keep, |path| {
            let name = path.display().to_string();
            let seed = match std::fs::read(path) {
                Ok(text) => Seed::read(&name, &text, keep),
                Err(e) => Err(Unusable::Unreadable(e.to_string())),
            };
            (name, seed)
        });
        if corpus.seeds.is_empty() {
            return Err(SeedError::NoSeed { found: files.len(), reasons: corpus.reasons() });
        }
        Ok(corpus)
    }

    /// Reads all files at these paths. Without any path, it is the corpus that comes with the program.
    pub fn of(paths: &[PathBuf], keep: Keep) -> Result<Corpus, SeedError> {
        if paths.is_empty() {
            return Ok(Corpus::of_texts(&builtin::scripts().collect::<Vec<_>>(), keep));
        }
        Corpus::load(paths, keep)
    }

    /// A corpus of these texts, each with its name.
    pub fn of_texts(texts: &[(&str, &str)], keep: Keep) -> Corpus {
        let read =
            |(name, text): &(&str, &str)| ((*name).to_owned(), Seed::read(name, text.as_bytes(), keep));
        Corpus::read_all(texts, keep, read)
    }

    /// A corpus of these texts, each with its name. They need not be UTF-8.
    pub fn of_bytes(texts: &[(&str, &[u8])], keep: Keep) -> Corpus {
        Corpus::read_all(texts, keep, |(name, text)| ((*name).to_owned(), Seed::read(name, text, keep)))
    }

    fn read_all<T: Sync>(
        from: &[T],
        keep: Keep,
        read: impl Fn(&T) -> (String, Result<Seed, Unusable>) + Sync,
    ) -> Corpus {
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(from.len().max(1));
        let take = || {
            let mut mine = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = from.get(i) else { return mine };
                mine.push((i, read(one)));
            }
        };
        let mut all: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
            workers.into_iter().flat_map(|w| w.join().expect("reading does not panic")).collect()
        });
        all.sort_by_key(|(i, _)| *i);
        let mut corpus = Corpus { bare: matches!(keep, Keep::Bare), ..Corpus::default() };
        let mut seen = HashSet::new();
        for (_, (name, seed)) in all {
            match seed {
                Ok(seed) if seen.insert(seed.name.digest.clone()) => {
                    for (name, count) in &seed.dropped {
                        *corpus.dropped.entry(name.clone()).or_default() += count;
                    }
                    corpus.seeds.push(Arc::new(seed));
                }
                Ok(_) => corpus.repeated.push(name),
                Err(why) => corpus.unusable.push((name, why)),
            }
        }
        corpus
    }

    /// Why files cannot be used: a line for each reason, with its count and an example.
    pub fn reasons(&self) -> String {
        let mut kinds: BTreeMap<&str, (usize, &str, String)> = BTreeMap::new();
        for (name, why) in &self.unusable {
            kinds.entry(why.kind()).or_insert_with(|| (0, name, why.to_string())).0 += 1;
        }
        let line = |(kind, (count, name, why)): (&str, (usize, &str, String))| {
            format!("\n  {count} {kind}, such as {name}: {why}")
        };
        kinds.into_iter().map(line).collect()
    }
}

/// Adds all files at a path, in the order of their names.
fn gather(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), SeedError> {
    let wrong =
        |e: std::io::Error| SeedError::NoPath { path: path.display().to_string(), why: e.to_string() };
    let meta = std::fs::metadata(path).map_err(wrong)?;
    if meta.is_dir() {
        return walk(path, files).map_err(wrong);
    }
    if path.extension().is_none_or(|e| e != "txt" && e != "list") {
        files.push(path.to_owned());
        return Ok(());
    }
    // A list: paths are meant from where we are, else from where the list is.
    let text = std::fs::read_to_string(path).map_err(wrong)?;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let here = PathBuf::from(line);
        let beside = path.parent().unwrap_or(Path::new("")).join(line);
        gather(if here.exists() || !beside.exists() { &here } else { &beside }, files)?;
    }
    Ok(())
}

/// Adds all scripts below a folder, in the order of their names.
pub fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut left = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            // Links to folders are not followed: they may lead in circles.
            if kind.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    files.extend(found);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_lists() {
        let home = std::env::temp_dir().join(format!("gainsay-corpus-{}", std::process::id()));
        std::fs::create_dir_all(home.join("in/deep")).expect("writable");
        let write = |name: &str, text: &str| std::fs::write(home.join(name), text).expect("writable");
        write("in/b.smt2", "(declare-const p Bool)(assert p)");
        write("in/deep/a.smt2", "(assert true)");
        write("in/same.smt2", "(assert true)");
        write("in/bad.smt2", "(assert (+ 1 true))");
        write("in/notes.md", "no seed");
        write("some.txt", "# two of them\nin/b.smt2\n\nin/deep\n");
        let names = |corpus: &Corpus| -> Vec<String> {
            corpus.seeds.iter().map(|s| s.name.name.rsplit('/').next().unwrap_or("").to_owned()).collect()
        };
        let whole = Corpus::load(&[home.join("in")], Keep::Bare).expect("two seeds");
        assert_eq!(names(&whole), ["b.smt2", "a.smt2"]);
        assert_eq!((whole.repeated.len(), whole.unusable.len()), (1, 1));
        assert!(whole.reasons().contains("1 refused, such as"), "{}", whole.reasons());
        assert_eq!(
            names(&Corpus::load(&[home.join("some.txt")], Keep::Bare).expect("a list")),
            ["b.smt2", "a.smt2"]
        );
        let none = Corpus::load(&[home.join("in/bad.smt2")], Keep::Bare).expect_err("nothing").to_string();
        assert!(none.starts_with("no usable seed among 1 file\n  1 refused, such as"), "{none}");
        let nowhere =
            Corpus::load(&[home.join("nowhere")], Keep::Bare).expect_err("no such path").to_string();
        assert!(nowhere.contains("nowhere: No such file"), "{nowhere}");
        std::fs::remove_dir_all(home).expect("ours");
    }
}

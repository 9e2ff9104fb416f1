//! The engine: tries what passes offer, keeps what is still wanted, and ends when nothing smaller is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};
use smt::{Script, What};

use super::alike::alike;
use super::change::{Change, Ground};
use super::order::Size;
use super::{Entry, PASSES};

/// A test that says whether a smaller script is still wanted. It gives the same answer to the same script.
pub trait Test: Send {
    /// An error that is not the fault of the script.
    type Error: Send;

    /// Whether this script, with this text, is still wanted.
    fn wanted(&mut self, script: &Script, text: &str) -> Result<bool, Self::Error>;
}

/// How long a reduction may take. The smallest script by then is the result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until<'a> {
    /// The time at which it ends.
    pub time: Option<Instant>,
    /// A flag that ends it.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Until<'a> {
    /// A limit so long from now, or until the flag is set.
    pub fn within(time: Option<Duration>, stop: Option<&'a AtomicBool>) -> Until<'a> {
        Until { time: time.map(|time| Instant::now() + time), stop }
    }

    /// Whether the flag is set. The signal that set it may have reached the solvers, too.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether the flag is set or the time is over.
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.time.is_some_and(|time| Instant::now() >= time)
    }
}

/// The counts of one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many of its candidates were tried.
    pub tried: u64,
    /// How many of them were kept.
    pub kept: u64,
    /// How many could not be read: a fault of the pass.
    pub unreadable: u64,
}

/// A script that no pass makes smaller.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The script.
    pub script: Script,
    /// The text of the script.
    pub text: String,
    /// How many candidates were tried in all.
    pub tried: u64,
    /// How many were not tried because they, or candidates like them, had been tried before.
    pub remembered: u64,
    /// The counts of each pass.
    pub passes: FxHashMap<&'static str, Count>,
    /// Whether it ended before all candidates were tried.
    pub cut_short: bool,
}

impl Reduced {
    /// A script that was found by so many tries, with nothing left out.
    pub fn whole(script: Script, text: String, tried: u64) -> Reduced {
        Reduced { script, text, tried, remembered: 0, passes: FxHashMap::default(), cut_short: false }
    }

    /// Adds the counts of an earlier reduction.
    pub fn follows(&mut self, before: Reduced) {
        self.tried += before.tried;
        self.remembered += before.remembered;
        for (pass, count) in before.passes {
            let all = self.passes.entry(pass).or_default();
            all.tried += count.tried;
            all.kept += count.kept;
            all.unreadable += count.unreadable;
        }
    }
}

/// One step of a reduction, for progress reports.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The pass that made the script smaller.
    pub pass: &'static str,
    /// The text.
    pub text: &'a str,
    /// How many candidates were tried so far.
    pub tried: u64,
}

struct Candidate {
    text: String,
    script: Script,
    size: Size,
    /// The digest by which the candidate is remembered.
    print: [u8; 16],
    /// Whether it is the script of which it was made without its questions.
    mute: bool,
}

struct Engine<'a, T: Test> {
    tests: &'a mut [T],
    watch: &'a mut dyn FnMut(&Step<'_>),
    current: Candidate,
    /// Whether what is declared and not used goes with every change.
    prune: bool,
    /// The prints of candidates that are not wanted.
    rejected: FxHashSet<[u8; 16]>,
    /// Whether what is looked for is seen only where something is asked.
    asks: bool,
    until: Until<'a>,
    found: Reduced,
}

/// Makes a script smaller as long as the tests want what is left. The script itself must be wanted.
///
/// Candidates are tried in order, as many at a time as there are tests. The first that is wanted is taken, so that the number
/// of tests changes nothing.
pub fn reduce<T: Test>(
    script: Script,
    tests: &mut [T],
    until: Until<'_>,
    watch: &mut dyn FnMut(&Step<'_>),
) -> Result<Reduced, T::Error> {
    let text = script.text();
    let size = Size::of(&script, &text);
    let found = Reduced::whole(script.clone(), text.clone(), 0);
    let print = print(&text);
    let current = Candidate { text, script, size, print, mute: false };
    let rejected = FxHashSet::default();
    let mut engine = Engine { tests, watch, current, prune: false, rejected, asks: false, until, found };
    engine.normalise()?;
    while engine.cycle()? {}
    let Engine { current, mut found, .. } = engine;
    found.text = current.text;
    found.script = current.script;
    Ok(found)
}

impl<T: Test> Engine<'_, T> {
    /// Prints every command from what it is, without comments, and leaves out what is not used and what changes no answer.
    fn normalise(&mut self) -> Result<(), T::Error> {
        let mut plain = self.current.script.clone();
        for command in &mut plain.commands {
            if !matches!(command.what, What::Opaque(_)) {
                command.span = None;
            }
        }
        let named = |name| PASSES.iter().find(|e| e.name == name).expect("it is there");
        // What changes no answer goes along, if it can.
        let idle = named("commands").pass.changes(&mut plain, 0).unwrap_or_default();
        let ground = Ground::new(plain);
        let entry = named("declarations");
        for (changes, prune) in [(&idle[..], true), (&[], true), (&[], false)] {
            let candidate = ground.changed(changes, prune).and_then(|text| self.candidate(entry, text));
            if let Some(candidate) = candidate
                && self.ask(entry, vec![candidate])?.is_some()
            {
                self.prune = prune;
                return Ok(());
            }
        }
        // It may have been plain from the beginning.
        self.prune = super::dead::dead(&self.current.script).is_empty();
        Ok(())
    }

    /// Runs every pass once. Returns whether the script became smaller.
    fn cycle(&mut self) -> Result<bool, T::Error> {
        let before = self.current.size.clone();
        let mut passes = PASSES.iter().peekable();
        while let Some(entry) = passes.next() {
            if !entry.level_by_level {
                self.groups(entry)?;
                continue;
            }
            // Neighbours in the list that go down level by level go together.
            let mut together = vec![entry];
            while let Some(next) = passes.next_if(|next| next.level_by_level) {
                together.push(next);
            }
            self.levels(&together)?;
        }
        Ok(self.current.size < before)
    }

    /// Tries all groups of a pass.
    fn groups(&mut self, entry: &'static Entry) -> Result<(), T::Error> {
        let mut group = 0;
        while self.group(entry, group)?.is_some() {
            group += 1;
        }
        Ok(())
    }

    fn levels(&mut self, entries: &[&'static Entry]) -> Result<(), T::Error> {
        let mut level = 0;
        loop {
            let mut any = false;
            loop {
                let before = self.current.size.clone();
                for &entry in entries {
                    any |= self.group(entry, level)?.is_some();
                }
                if self.current.size == before {
                    break;
                }
                for entry in PASSES.iter().filter(|entry| entry.often) {
                    self.groups(entry)?;
                }
            }
            if !any {
                return Ok(());
            }
            level += 1;
        }
    }

    /// Tries the changes of one group of a pass, many at once and then fewer; none if there is no such group.
    fn group(&mut self, entry: &'static Entry, group: usize) -> Result<Option<()>, T::Error> {
        let Some((mut ground, mut changes)) = self.changes(entry, group) else { return Ok(None) };
        let mut chunk = if entry.together { changes.len().max(1) } else { 1 };
        let mut at = 0;
        loop {
            let mut batch = Vec::new();
            let mut ends = Vec::new();
            while at < changes.len() && batch.len() < self.tests.len() {
                let end = (at + chunk).min(changes.len());
                let text = ground.changed(&changes[at..end], self.prune);
                // Those that are alike are asked about one after another, however many may be asked about at a time.
                let new =
                    |candidate: &Candidate| !batch.iter().any(|c: &Candidate| c.print == candidate.print);
                if let Some(candidate) = text.and_then(|text| self.candidate(entry, text)).filter(new) {
                    batch.push(candidate);
                    ends.push((at, end));
                }
                at = end;
            }
            let taken = if batch.is_empty() { None } else { self.ask(entry, batch)? };
            if self.found.cut_short {
                return Ok(Some(()));
            }
            if let Some(taken) = taken {
                let count = changes.len();
                let (begin, end) = ends[taken];
                let place = changes[begin].put.first().map(|(place, _)| place.clone());
                let Some(next) = self.changes(entry, group) else { return Ok(Some(())) };
                (ground, changes) = next;
                let there =
                    |change: &Change| change.put.first().is_some_and(|(p, _)| Some(p) == place.as_ref());
                at = match changes.iter().position(there).filter(|_| !entry.together) {
                    // What stands there now may become smaller still.
                    Some(again) => again,
                    // What was done is no longer offered; where it is, go on behind it.
                    None if changes.len() < count => begin,
                    None => end,
                };
                continue;
            }
            if at >= changes.len() {
                if chunk <= 1 {
                    return Ok(Some(()));
                }
                chunk = if chunk <= 4 { 1 } else { (chunk / 4).max(2).min(changes.len().max(1)) };
                at = 0;
            }
        }
    }

    fn changes(&self, entry: &'static Entry, group: usize) -> Option<(Ground, Vec<Change>)> {
        if self.found.cut_short {
            return None;
        }
        let mut script = self.current.script.clone();
        let changes = entry.pass.changes(&mut script, group)?;
        Some((Ground::new(script), changes))
    }

    /// A candidate that is worth asking about: smaller, well-sorted, and not like one that was rejected; where names are what a
    /// pass changes, new in its names suffices.
    fn candidate(&mut self, entry: &Entry, text: String) -> Option<Candidate> {
        let Ok(script) = smt::read(text.as_bytes()) else {
            self.found.passes.entry(entry.name).or_default().unreadable += 1;
            return None;
        };
        let size = Size::of(&script, &text);
        if size >= self.current.size {
            return None;
        }
        // A script with nothing in it is wanted by none but the careless, who get it in the end.
        if text.trim().is_empty() && self.current.script.commands.len() > 1 {
            return None;
        }
        let silent = !text.lines().any(is_question);
        let print = if entry.renames { print(&text) } else { print(&alike(&script, &text)) };
        if self.rejected.contains(&print) || (silent && self.asks) {
            self.found.remembered += 1;
            return None;
        }
        let rest = || self.current.text.lines().filter(|line| !is_question(line));
        let mute = silent && rest().eq(text.lines());
        Some(Candidate { text, script, size, print, mute })
    }

    /// Asks about candidates at the same time, takes the first that is wanted, and returns its number. Nothing is asked when it is
    /// to end.
    fn ask(&mut self, entry: &Entry, batch: Vec<Candidate>) -> Result<Option<usize>, T::Error> {
        if self.until.is_over() {
            self.found.cut_short = true;
            return Ok(None);
        }
        let texts: Vec<_> = batch.iter().map(|c| (&c.script, c.text.as_str())).collect();
        let answers = asked(self.tests, &texts);
        if self.until.is_stopped() {
            // What was asked meanwhile may have been stopped, too: its answers say nothing.
            self.found.cut_short = true;
            return Ok(None);
        }
        let mut taken = None;
        for (i, (answer, candidate)) in answers.into_iter().zip(batch).enumerate() {
            let count = self.found.passes.entry(entry.name).or_default();
            count.tried += 1;
            self.found.tried += 1;
            let wanted = answer?;
            if taken.is_some() {
                // One at a time, it would not have been asked about yet.
                continue;
            }
            if wanted {
                count.kept += 1;
                self.current = candidate;
                taken = Some(i);
            } else {
                self.rejected.insert(candidate.print);
                self.asks |= candidate.mute;
            }
        }
        if taken.is_some() {
            let step = Step { pass: entry.name, text: &self.current.text, tried: self.found.tried };
            tracing::debug!(pass = step.pass, bytes = step.text.len(), tried = step.tried, "smaller");
            (self.watch)(&step);
        }
        Ok(taken)
    }
}

/// Asks each test about one script, at the same time.
pub fn asked<T: Test>(tests: &mut [T], scripts: &[(&Script, &str)]) -> Vec<Result<bool, T::Error>> {
    if let [(script, text)] = *scripts {
        return vec![tests[0].wanted(script, text)];
    }
    std::thread::scope(|scope| {
        let all: Vec<_> = tests
            .iter_mut()
            .zip(scripts)
            .map(|(test, &(script, text))| scope.spawn(move || test.wanted(script, text)))
            .collect();
        all.into_iter().map(|t| t.join().expect("a test does not panic")).collect()
    })
}

/// Whether a line of a script asks whether there is a model.
fn is_question(line: &str) -> bool {
    line.starts_with("(check-sat")
}

fn print(text: &str) -> [u8; 16] {
    let hash = Sha256::digest(text.as_bytes());
    hash[..16].try_into().expect("long enough")
}

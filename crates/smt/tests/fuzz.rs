//! Changed scripts, thousands of them: nothing panics, nothing hangs, nothing takes memory without bound.
//!
//! `GAINSAY_FUZZ_SECONDS=600 GAINSAY_SEEDS=folder cargo test --release -p smt --test fuzz -- --nocapture` goes on for
//! ten minutes over the scripts below a folder; `GAINSAY_FUZZ_NUMBER=7` begins with another number.

mod change;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use change::{Chance, changed};
use smt::{Fuel, Model, Script, TermId, What, eval, read, walk};

/// No case may take longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// No case may take more memory than this and so much for each byte of its text.
const MOST_BYTES: usize = 512 << 20;
const MOST_PER_BYTE: usize = 1 << 10;

/// Counts what is allocated, so that a case that takes too much is seen.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grown(by: usize) {
    PEAK.fetch_max(NOW.fetch_add(by, Relaxed) + by, Relaxed);
}

#[expect(unsafe_code, reason = "an allocator is unsafe by its trait; this one only counts")]
// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        NOW.fetch_sub(layout.size(), Relaxed);
        grown(size);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the built-in run starts from: one of everything.
const SEEDS: &[&str] = &[
    include_str!("round_trip/standard.smt2"),
    include_str!("round_trip/theories.smt2"),
    include_str!("round_trip/z3.smt2"),
    include_str!("round_trip/cvc5.smt2"),
];

fn seeds() -> Vec<Vec<u8>> {
    let Some(folder) = std::env::var_os("GAINSAY_SEEDS") else {
        return SEEDS.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                files.push(path);
            }
        }
    }
    files.sort();
    let small = |path: &PathBuf| std::fs::read(path).ok().filter(|text| text.len() <= 1 << 16);
    files.iter().filter_map(small).collect()
}

/// One case: whether the text was accepted.
fn one(text: &[u8], chance: &mut Chance) -> bool {
    let script = match read(text) {
        Ok(script) => script,
        Err(error) => {
            let shown = error.locate("case.smt2", text).to_string();
            assert!(shown.lines().count() == 3 && error.offset <= text.len(), "{shown}");
            return false;
        }
    };
    assert!(script.is_lossless(), "what is printed is not what was read");
    let roots: Vec<TermId> = script
        .commands
        .iter()
        .filter_map(|command| match command.what {
            What::Assert(term) => Some(term),
            _ => None,
        })
        .collect();
    for model in [Model::empty(&script), Model::empty(&script).completed()] {
        for &root in roots.iter().take(20) {
            let _ = eval(root, &model, &mut Fuel::new(20_000));
        }
    }
    if let Some(&root) = roots.get(chance.below(roots.len().max(1))) {
        replaced(&script, root, chance);
    }
    true
}

/// Puts one part of a term in the place of another of its sort, over the frozen script; the others stay.
fn replaced(script: &Script, root: TermId, chance: &mut Chance) {
    let mut parts: Vec<(TermId, Vec<u32>)> = Vec::new();
    walk::occurrences(&script.pool, root, |term, way| {
        if parts.len() < 2000 {
            parts.push((term, way.to_vec()));
        }
    });
    walk::free_variables(&script.pool, root, &[]);
    let (old, way) = &parts[chance.below(parts.len())];
    let closed = |term: TermId| walk::free_variables(&script.pool, term, &[]).is_empty();
    let fits = |term: TermId| script.pool.sort_of(term) == script.pool.sort_of(*old) && closed(term);
    let mut tries = (0..20).map(|_| chance.pick(&parts).0);
    let Some(new) = tries.find(|&term| fits(term)) else { return };
    let mut mutant = Script { pool: smt::Pool::over(&script.pool.clone().freeze()), ..script.clone() };
    let new_root = mutant.pool.replace(root, way, new).expect("the same sort");
    assert_eq!(walk::at(&mutant.pool, new_root, way), Some(new));
    assert_eq!(mutant.pool.sort_of(new_root), script.pool.sort_of(root));
    for command in &mut mutant.commands {
        if command.what == What::Assert(root) {
            *command = smt::Command { what: What::Assert(new_root), span: None };
        }
    }
    // A term moved past the place where its names are declared need not read again; most do.
    if let Ok(again) = read(mutant.text().as_bytes()) {
        assert_eq!(again.commands.len(), mutant.commands.len());
    }
}

/// The case under way, for the watch: when it began, in milliseconds since the start, or 0.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// The processor's time this thread has had: the machine is shared.
fn worked() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Ends the whole program if a case goes on and on or grows and grows, after keeping its text.
fn watch(start: Instant, limit: &'static AtomicUsize, kept: PathBuf) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let begun = BEGUN.load(Relaxed);
            let took = start.elapsed().as_millis() as u64 - begun.min(start.elapsed().as_millis() as u64);
            if begun > 0 && took > 10 * PATIENCE.as_millis() as u64
                || NOW.load(Relaxed) > 2 * limit.load(Relaxed)
            {
                eprintln!("{took} ms and {} bytes: see {}", NOW.load(Relaxed), kept.display());
                std::process::exit(101);
            }
        }
    });
}

#[test]
fn changed_scripts() {
    static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX / 2);
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("GAINSAY_FUZZ_SECONDS");
    let first = number("GAINSAY_FUZZ_NUMBER").unwrap_or(0);
    let seeds = seeds();
    let start = Instant::now();
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}.smt2", std::process::id()));
    watch(start, &LIMIT, kept.clone());
    let (mut cases, mut accepted, mut bytes) = (0u64, 0u64, 0usize);
    let mut failures = 0;
    std::panic::set_hook(Box::new(|panic| {
        *LAST_PANIC.lock().expect("no panic while it is held") = panic.to_string().replace('\n', " ");
    }));
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    let more = |cases: u64| match seconds {
        Some(seconds) => start.elapsed().as_secs() < seconds,
        None => cases < 10_000,
    };
    while more(cases) && failures < 100 {
        let mut chance = Chance::new(first.wrapping_add(cases));
        let text = changed(&seeds, &mut chance);
        if seconds.is_some() {
            std::fs::write(&kept, &text).expect("the folder for temporary files can be written");
        }
        let before = NOW.load(Relaxed);
        PEAK.store(before, Relaxed);
        LIMIT.store(before + MOST_BYTES + MOST_PER_BYTE * text.len(), Relaxed);
        let begun = worked();
        BEGUN.store((start.elapsed().as_millis() as u64).max(1), Relaxed);
        let outcome = std::panic::catch_unwind(|| one(&text, &mut chance.clone()));
        BEGUN.store(0, Relaxed);
        let (took, grew) = (worked().saturating_sub(begun), PEAK.load(Relaxed).saturating_sub(before));
        let wrong = match outcome {
            Ok(is_accepted) => {
                accepted += u64::from(is_accepted);
                let most = MOST_BYTES + MOST_PER_BYTE * text.len();
                let slow = (took > PATIENCE).then(|| format!("took {took:?}"));
                slow.or_else(|| (grew > most).then(|| format!("took {grew} bytes")))
            }
            Err(_) => Some(LAST_PANIC.lock().expect("no panic while it is held").clone()),
        };
        if let Some(wrong) = wrong {
            let number = first.wrapping_add(cases);
            let path = kept.with_extension(format!("{number}.smt2"));
            std::fs::write(&path, &text).expect("the folder for temporary files can be written");
            println!("case {number}: {wrong}: {}", path.display());
            failures += 1;
        }
        (slowest, largest) = (slowest.max(took), largest.max(grew));
        cases += 1;
        bytes += text.len();
    }
    std::fs::remove_file(&kept).ok();
    println!(
        "{cases} cases ({accepted} accepted, {} MB) of {} seeds in {:?}; slowest {slowest:?}, largest {} MB",
        bytes >> 20,
        seeds.len(),
        start.elapsed(),
        largest >> 20
    );
    let _ = std::panic::take_hook();
    assert_eq!(failures, 0, "cases failed: see above");
    assert!(accepted * 20 > cases, "nearly nothing is accepted: {accepted} of {cases}");
}

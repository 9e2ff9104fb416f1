//! `gainsay bench make`: making and printing one mutant, in CPU time of one thread; beside yinyang where Python has it.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use crate::thread_cpu;
use gainsay::case::{Answer, Choices};
use gainsay::cli::arguments::BadUsage;
use gainsay::cli::exit;
use gainsay::seed::{Asked, Corpus, Keep, Seed};
use gainsay::strategy::{Options, Wants, named};

/// What to measure with.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Seeds, as for `hunt`; those of 1 to 4 kB are taken. Without any, scripts made here
    pub seeds: Vec<PathBuf>,
    /// Only these strategies
    #[arg(long = "with", value_delimiter = ',')]
    pub with: Vec<String>,
}

/// What is measured.
const STRATEGIES: [&str; 6] = ["opfuzz", "typefuzz", "sae", "fusion", "reassemble", "rewrite"];
/// What yinyang is measured with, too.
const PEERS: [&str; 2] = ["opfuzz", "typefuzz"];
const MOST_SEEDS: usize = 1500;
/// Files that the peer is given, which takes its time.
const PEER_SEEDS: usize = 60;

/// What the mutants of one seed cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    mutants: u64,
    /// Microseconds, for all of them.
    making: f64,
    set_up: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let unknown = args.with.iter().find(|name| !STRATEGIES.contains(&name.as_str()));
    if let Some(name) = unknown {
        return Err(
            BadUsage(format!("{name} is not measured here; these are: {}", STRATEGIES.join(", "))).into()
        );
    }
    let corpus = if args.seeds.is_empty() {
        let texts: Vec<_> = (0..40).map(|i| (format!("made {i}"), made(i))).collect();
        let texts: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        Corpus::of_texts(&texts, Keep::Bare)
    } else {
        Corpus::load(&args.seeds, Keep::Bare).map_err(|e| BadUsage(e.to_string()))?
    };
    let seeds: Vec<_> = corpus.seeds.iter().filter(|seed| (1000..=4000).contains(&seed.size)).collect();
    // Evenly from all of them.
    let every = seeds.len().div_ceil(MOST_SEEDS).max(1);
    let seeds: Vec<_> = seeds.into_iter().step_by(every).collect();
    println!("{} seeds of 1 to 4 kB", seeds.len());
    let mut ours: BTreeMap<&str, Vec<Cost>> = BTreeMap::new();
    for name in
        STRATEGIES.into_iter().filter(|name| args.with.is_empty() || args.with.iter().any(|w| w == name))
    {
        ours.insert(name, measure(name, &seeds)?);
    }
    let files: Vec<&str> = seeds.iter().map(|seed| &*seed.name.name).take(PEER_SEEDS).collect();
    if ours.keys().any(|name| PEERS.contains(name)) && !args.seeds.is_empty() {
        peer(&files, &ours);
    }
    Ok(exit::FINE)
}

/// Makes the mutants of every seed and tells what they cost; prints what that comes to.
fn measure(name: &'static str, seeds: &[&Arc<Seed>]) -> anyhow::Result<Vec<Cost>> {
    let entry = named(name).expect("registered");
    let strategy = (entry.build)(&Options::of(entry.flags, &BTreeMap::new())).expect("defaults are good");
    let mut costs = Vec::with_capacity(seeds.len());
    let (mut skipped, mut bytes) = (0u64, 0usize);
    for (no, seed) in seeds.iter().enumerate() {
        // Strategies that take two seeds get the next one, too.
        let next = seeds[(no + 1) % seeds.len()];
        let count = if strategy.wants() == Wants::Drawn(2) { 2 } else { 1 };
        let asked = [*seed, next].map(|seed| Asked::agreed(Arc::clone(seed), vec![Answer::Sat]));
        let asked = &asked[..count];
        let mut least = Cost { making: f64::INFINITY, set_up: f64::INFINITY, mutants: 0 };
        // The better of two: others use the machine, too.
        for again in [false, true] {
            let start = thread_cpu();
            let mut series = strategy.series(0, asked, Choices::drawn(1, name, no as u64));
            let ready = thread_cpu();
            let (mut out, mut mutants, mut size) = (Vec::new(), 0u64, 0);
            while let Some(case) = series.next() {
                out.clear();
                smt::write_script_to(&case.script, &mut out);
                size += black_box(&out).len();
                mutants += 1;
            }
            let (making, set_up) = ((thread_cpu() - ready) * 1e6, (ready - start) * 1e6);
            least = Cost { mutants, making: making.min(least.making), set_up: set_up.min(least.set_up) };
            if !again {
                bytes += size;
                skipped += u64::from(series.skipped());
            }
        }
        costs.push(least);
    }
    let some: Vec<&Cost> = costs.iter().filter(|cost| cost.mutants > 0).collect();
    if some.is_empty() {
        println!("{name:9} makes nothing of these seeds");
        return Ok(costs);
    }
    let mut means: Vec<f64> = some.iter().map(|cost| cost.making / cost.mutants as f64).collect();
    let mut starts: Vec<f64> = some.iter().map(|cost| cost.set_up).collect();
    let mutants: u64 = some.iter().map(|cost| cost.mutants).sum();
    println!(
        "{name:9} make and print a mutant  {:6.2} µs median, {:.2} mean, {:.2} at 95 %; set-up of a seed {:.0} µs",
        at_percent(&mut means, 50),
        means.iter().sum::<f64>() / means.len() as f64,
        at_percent(&mut means, 95),
        at_percent(&mut starts, 50),
    );
    println!(
        "          {mutants} mutants of {} bytes, {:.1} % duplicates left out",
        bytes as u64 / mutants,
        skipped as f64 / (mutants + skipped) as f64 * 100.0
    );
    Ok(costs)
}

fn at_percent(all: &mut [f64], percent: usize) -> f64 {
    all.sort_by(f64::total_cmp);
    all[(all.len() * percent / 100).min(all.len() - 1)]
}

/// yinyang on the same files, if it is there, and how many times as long it takes on those it reads.
fn peer(files: &[&str], ours: &BTreeMap<&str, Vec<Cost>>) {
    let measured = Command::new("python3").arg("-c").arg(PEER).args(files).output();
    let text = match measured {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => output.stdout,
        _ => {
            println!("yinyang cannot be imported here: no figure beside ours");
            return;
        }
    };
    for line in String::from_utf8_lossy(&text).lines() {
        let mut words = line.split(' ');
        let (name, making, set_up) = (words.next(), number(words.next()), number(words.next()));
        let Some(costs) = name.and_then(|name| ours.get(name)) else { continue };
        let same: Vec<Cost> = words.filter_map(|n| costs.get(n.parse::<usize>().ok()?).copied()).collect();
        let mutants: u64 = same.iter().map(|cost| cost.mutants).sum();
        let own = same.iter().map(|cost| cost.making).sum::<f64>() / mutants.max(1) as f64;
        let own_start = same.iter().map(|cost| cost.set_up).sum::<f64>() / same.len().max(1) as f64;
        println!(
            "yinyang's {:8} on {} of these seeds: {making:.1} µs mean, ours {own:.2}: {:.0} times; set-up of a seed {:.1} ms, ours {own_start:.0} µs: {:.0} times",
            name.unwrap_or_default(),
            same.len(),
            making / own,
            set_up / 1e3,
            set_up / own_start
        );
    }
}

fn number(word: Option<&str>) -> f64 {
    word.and_then(|word| word.parse().ok()).unwrap_or(f64::NAN)
}

const PEER: &str = r#"
import copy, os, random, sys, time
from types import SimpleNamespace
import yinyang
from yinyang.src.parsing.Parse import parse_file
from yinyang.src.parsing.Typechecker import typecheck
from yinyang.src.mutators.TypeAwareOpMutation import TypeAwareOpMutation
from yinyang.src.mutators.GenTypeAwareMutation.Util import get_unique_subterms
from yinyang.src.mutators.GenTypeAwareMutation.GenTypeAwareMutation import GenTypeAwareMutation
def settings(file):
    folder = os.path.join(os.path.dirname(yinyang.__file__), "config")
    return SimpleNamespace(config=os.path.join(folder, file), modulo=1)
def opfuzz(script, names):
    return TypeAwareOpMutation(script, settings("operator_mutations.txt"))
def typefuzz(script, names):
    typecheck(script, names)
    return GenTypeAwareMutation(script, settings("typefuzz_config.txt"), get_unique_subterms(copy.deepcopy(script)))
random.seed(1)
for name, start in ("opfuzz", opfuzz), ("typefuzz", typefuzz):
    making, ready, made, seeds = 0.0, 0.0, 0, []
    for number, path in enumerate(sys.argv[1:]):
        try:
            begun = time.process_time()
            mutator = start(*parse_file(path, silent=True))
            set_up = time.process_time()
            count = 0
            for _ in range(30):
                mutant, success = mutator.mutate()[:2]
                if not success: break
                str(mutant)
                count += 1
            ended = time.process_time()
        except Exception:
            continue
        if count > 0:
            making, ready, made = making + ended - set_up, ready + set_up - begun, made + count
            seeds.append(number)
    if made > 0:
        print(name, making / made * 1e6, ready / len(seeds) * 1e6, *seeds)
"#;

/// A script of about 2 kB.
fn made(i: usize) -> String {
    let mut text = String::from("(set-logic QF_LIA)\n");
    for v in 0..8 {
        text.push_str(&format!("(declare-const x{v} Int)\n"));
    }
    for a in 0..24 {
        let (x, y, z) = ((a + i) % 8, (a * 3 + 1) % 8, (a * 5 + i) % 8);
        text.push_str(&format!(
            "(assert (or (< (+ x{x} (* 2 x{y})) {a}) (and (= x{z} (- x{x} {i})) (>= x{y} x{z}))))\n"
        ));
    }
    text + "(check-sat)\n"
}

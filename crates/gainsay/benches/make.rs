//! Speed of making and printing one mutant, in CPU time of this thread.
//!
//! `GAINSAY_SEEDS=folder cargo bench -p gainsay --bench make` measures the .smt2 files of 1 to 4 kB below a folder; without
//! it, scripts made here. A strategy's name after `--` measures that one alone. If Python can import `yinyang`, its figures on some of the same files stand below ours.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use gainsay::case::{Answer, Choices};
use gainsay::seed::{Asked, Corpus};
use gainsay::strategy::{Options, named};
use rustix::time::{ClockId, clock_gettime};

fn now() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

const MOST_SEEDS: usize = 1500;

fn main() {
    let corpus = match std::env::var_os("GAINSAY_SEEDS") {
        Some(folder) => Corpus::load(&[PathBuf::from(folder)]).expect("GAINSAY_SEEDS leads to seeds"),
        None => {
            let texts: Vec<_> = (0..40).map(|i| (format!("made {i}"), made(i))).collect();
            let texts: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            Corpus::of_texts(&texts)
        }
    };
    let seeds: Vec<_> = corpus.seeds.iter().filter(|seed| (1000..=4000).contains(&seed.size)).collect();
    // Evenly from all of them.
    let every = seeds.len().div_ceil(MOST_SEEDS).max(1);
    let seeds: Vec<_> = seeds.into_iter().step_by(every).collect();
    println!("{} seeds of 1 to 4 kB", seeds.len());
    let all = ["opfuzz", "typefuzz", "sae"];
    let only = std::env::args().find_map(|arg| all.into_iter().find(|name| *name == arg));
    for name in all.into_iter().filter(|name| only.is_none_or(|only| only == *name)) {
        let entry = named(name).expect("registered");
        let strategy = (entry.build)(&Options::of(entry.flags, &BTreeMap::new())).expect("defaults are good");
        let (mut means, mut starts) = (Vec::new(), Vec::new());
        let (mut mutants, mut skipped, mut bytes) = (0u64, 0u64, 0usize);
        for (no, seed) in seeds.iter().enumerate() {
            let asked = [Asked { seed: Arc::clone(seed), answers: vec![Answer::Sat] }];
            let start = now();
            let mut series = strategy.series(0, &asked, Choices::drawn(1, name, no as u64));
            let ready = now();
            let (mut out, mut count) = (Vec::new(), 0u64);
            while let Some(case) = series.next() {
                out.clear();
                smt::write_script_to(&case.script, &mut out);
                bytes += black_box(&out).len();
                count += 1;
            }
            if count > 0 {
                starts.push((ready - start) * 1e6);
                means.push((now() - ready) * 1e6 / count as f64);
            }
            mutants += count;
            skipped += u64::from(series.skipped());
        }
        if mutants == 0 {
            continue;
        }
        println!(
            "{name:9} make and print a mutant  {:6.2} µs median, {:.2} mean, {:.2} at 95 %; set-up of a seed {:.0} µs",
            median(&mut means, 50),
            means.iter().sum::<f64>() / means.len() as f64,
            median(&mut means, 95),
            median(&mut starts, 50),
        );
        println!(
            "          {mutants} mutants of {} bytes, {:.1} % duplicates left out",
            bytes as u64 / mutants,
            skipped as f64 / (mutants + skipped) as f64 * 100.0
        );
    }
    peer(&seeds.iter().map(|seed| &*seed.name.name).take(60).collect::<Vec<_>>());
}

fn median(all: &mut [f64], percent: usize) -> f64 {
    all.sort_by(f64::total_cmp);
    all[(all.len() * percent / 100).min(all.len() - 1)]
}

/// yinyang's figures on the same files, if it is there.
fn peer(files: &[&str]) {
    let measured = Command::new("python3").arg("-c").arg(PEER).args(files).output();
    match measured {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            print!("{}", String::from_utf8_lossy(&output.stdout));
        }
        _ => println!("yinyang cannot be imported here: no figure beside ours"),
    }
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
    making, ready, made, seeds = 0.0, 0.0, 0, 0
    for path in sys.argv[1:]:
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
            making, ready, made, seeds = making + ended - set_up, ready + set_up - begun, made + count, seeds + 1
    if made > 0:
        print(f"yinyang's {name:8} {making / made * 1e6:8.1f} µs mean, set-up of a seed {ready / seeds * 1e3:.1f} ms; of {seeds} seeds")
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

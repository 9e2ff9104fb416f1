//! Speed of reading, printing and evaluating, in CPU time of this thread.
//!
//! `GAINSAY_SEEDS=folder cargo bench -p smt` measures the .smt2 files below a folder, those of 1 to 100 kB;
//! without it, scripts made here.

use std::hint::black_box;
use std::path::Path;

use rustix::time::{ClockId, clock_gettime};
use smt::{Base, Command, Fuel, Model, Points, Pool, Script, What, Work};

fn now() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// The least CPU time of a few runs.
fn best(times: usize, mut run: impl FnMut()) -> f64 {
    (0..times)
        .map(|_| {
            let start = now();
            run();
            now() - start
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    let seeds = match std::env::var_os("GAINSAY_SEEDS") {
        Some(folder) => {
            let mut found = Vec::new();
            collect(Path::new(&folder), &mut found);
            found
        }
        None => (0..200).map(|i| made(i, 1000 + i * 150)).collect(),
    };
    let seeds: Vec<_> = seeds.into_iter().filter(|s| (1000..100_000).contains(&s.len())).collect();
    let seeds: Vec<_> = seeds.into_iter().filter(|s| smt::read(s).is_ok()).collect();
    let bytes: usize = seeds.iter().map(Vec::len).sum();
    println!("{} scripts of 1 to 100 kB, {:.1} MB", seeds.len(), bytes as f64 / 1e6);

    let time = best(5, || {
        for seed in &seeds {
            black_box(smt::read(seed).is_ok());
        }
    });
    println!("read (typed)                {:8.1} MB/s", bytes as f64 / time / 1e6);

    let mut small: Vec<_> = seeds.iter().filter(|s| (1800..2200).contains(&s.len())).collect();
    small.truncate(200);
    if !small.is_empty() {
        let size: usize = small.iter().map(|s| s.len()).sum();
        let time = best(9, || {
            for seed in &small {
                black_box(smt::read(seed).is_ok());
            }
        });
        let mean = size as f64 / small.len() as f64;
        println!("read a script of {mean:.0} bytes  {:8.1} µs", time / small.len() as f64 * 1e6);
    }

    let scripts: Vec<Script> = seeds.iter().map(|s| smt::read(s).expect("read before")).collect();
    print_loose(&scripts);
    print_mutants(scripts);
    evaluate();
    search();
    compare();
}

/// Terms and what z3 made of them, compared at a thousand points.
fn compare() {
    let scripts: Vec<Script> = include_str!("simplified.smt2")
        .split("(reset)\n")
        .map(|text| smt::read(text.as_bytes()).expect("well-sorted"))
        .collect();
    let mut pairs = 0;
    let time = best(3, || {
        pairs = 0;
        for script in &scripts {
            let model = Model::empty(script);
            for pair in equations(script) {
                let Some(points) = Points::of(&model, &pair) else { continue };
                let found = points.first_difference(pair, Work::default(), |_, _| true);
                assert_eq!(found, None, "{}", smt::write_term(&script.pool, pair[0]));
                pairs += 1;
            }
        }
    });
    println!("compare, 1000 points        {:8.0} terms/s ({pairs} pairs)", f64::from(pairs) / time);
}

/// The sides of the equations that a script asserts.
fn equations(script: &Script) -> Vec<[smt::TermId; 2]> {
    let sides = |command: &Command| match command.what {
        What::Assert(term) => script.pool.args(term).try_into().ok(),
        _ => None,
    };
    script.commands.iter().filter_map(sides).collect()
}

/// Ten bit-vector operators over three 4-bit constants, without a model; and 24 free bits with an early conflict.
fn search() {
    let ten = "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))(declare-const z (_ BitVec 4))
        (assert (distinct (bvadd (bvmul x y) (bvxor (bvsub y z) (bvand x z)))
          (bvadd (bvxor (bvsub y z) (bvand x z)) (bvmul y x))))
        (assert (bvult (bvor x (bvnot y)) (bvadd z (bvlshr y x))))(check-sat)";
    let script = smt::read(ten.as_bytes()).expect("well-sorted");
    let query = script.queries().pop().expect("a check");
    let mut tried = 0;
    let time = best(9, || {
        if let smt::Decision::Unsat { assignments } = smt::search(&script, &query, smt::Limits::default()) {
            tried = assignments;
        }
    });
    println!("search, three 4-bit symbols {:8.2} million assignments/s ({tried})", tried as f64 / time / 1e6);

    let mut wide = String::new();
    for i in 0..6 {
        wide += &format!("(declare-const x{i} (_ BitVec 4))");
    }
    wide += "(assert (bvult (bvadd x0 x1 x2 x3 x4 x5) (bvmul x0 x1 x2)))(assert (= (bvmul x3 x3) #x3))(check-sat)";
    let script = smt::read(wide.as_bytes()).expect("well-sorted");
    let query = script.queries().pop().expect("a check");
    let time = best(3, || {
        let decision = smt::search(&script, &query, smt::Limits::default());
        assert!(matches!(decision, smt::Decision::Unsat { .. }), "{decision:?}");
    });
    println!("search, 24 bits, conflict   {:8.1} µs", time * 1e6);
}

/// Prints every command from what it is.
fn print_loose(scripts: &[Script]) {
    let loose: Vec<_> = scripts.iter().map(Script::cut_loose).collect();
    let mut out = Vec::new();
    let mut printed = 0;
    let time = best(5, || {
        printed = 0;
        for script in &loose {
            out.clear();
            smt::write_script_to(black_box(script), &mut out);
            printed += out.len();
        }
    });
    println!("print, every command anew   {:8.1} MB/s", printed as f64 / time / 1e6);
}

/// Replaces one occurrence in the largest assertion of each script and prints the mutant.
fn print_mutants(scripts: Vec<Script>) {
    struct Seed {
        base: Base,
        script: Script,
        command: usize,
        root: smt::TermId,
        way: Vec<u32>,
        new: smt::TermId,
    }
    let mut seeds = Vec::new();
    for mut script in scripts {
        let largest = script
            .commands
            .iter()
            .enumerate()
            .filter_map(|(i, c)| match (c.what, c.span) {
                (What::Assert(term), Some(span)) => Some((span.end - span.start, i, term)),
                _ => None,
            })
            .max_by_key(|(size, ..)| *size);
        let Some((_, command, root)) = largest else { continue };
        // Any Bool occurrence gives way to another Bool term of the script.
        let mut ways = Vec::new();
        smt::walk::occurrences(&script.pool, root, |term, way| {
            if script.pool.sort_of(term) == smt::SortId::BOOL && !way.is_empty() {
                ways.push((way.to_vec(), term));
            }
        });
        let (Some((way, _)), Some((_, new))) = (ways.get(ways.len() / 2), ways.last()) else { continue };
        let (way, new) = (way.clone(), *new);
        let pool = std::mem::take(&mut script.pool);
        seeds.push(Seed { base: pool.freeze(), script, command, root, way, new });
    }
    let mut out = Vec::new();
    let mut printed = 0;
    let time = best(5, || {
        printed = 0;
        for seed in &seeds {
            let mut pool = Pool::over(&seed.base);
            let Some(root) = pool.replace(seed.root, &seed.way, seed.new) else { continue };
            let mut mutant = Script { pool, ..seed.script.clone() };
            mutant.commands[seed.command] = Command { what: What::Assert(root), span: None };
            out.clear();
            smt::write_script_to(black_box(&mutant), &mut out);
            printed += out.len();
        }
    });
    println!("make and print a mutant     {:8.1} MB/s", printed as f64 / time / 1e6);
    println!("make and print a mutant     {:8.1} µs each", time / seeds.len().max(1) as f64 * 1e6);
}

fn evaluate() {
    let script = smt::read(&made(3, 20_000)).expect("made to be read");
    let model = Model::empty(&script).completed();
    let mut nodes = 0;
    let asks = script.queries();
    let ask = asks.last().expect("there is a check");
    for &term in &ask.assertions {
        smt::walk::occurrences(&script.pool, term, |_, _| nodes += 1);
    }
    let time = best(9, || {
        for &term in &ask.assertions {
            black_box(smt::eval(term, &model, &mut Fuel::default()).is_ok());
        }
    });
    println!("evaluate                    {:8.1} ns a node", time / f64::from(nodes) * 1e9);
}

fn collect(folder: &Path, found: &mut Vec<Vec<u8>>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("GAINSAY_SEEDS is a folder")
        .map(|e| e.expect("readable").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            found.extend(std::fs::read(&path));
        }
    }
}

/// A script of about `size` bytes over integers and bit-vectors.
fn made(seed: usize, size: usize) -> Vec<u8> {
    let mut text = String::from("(set-logic ALL)\n");
    for i in 0..10 {
        text += &format!("(declare-fun x{i} () Int)\n(declare-fun b{i} () (_ BitVec 32))\n");
    }
    let mut n = seed;
    let mut next = move || {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (n >> 33) % 10
    };
    while text.len() < size {
        let (a, b, c, d) = (next(), next(), next(), next());
        text += &format!(
            "(assert (or (<= (+ x{a} (* 3 x{b})) x{c}) (not (= (bvadd b{a} (bvmul b{d} #x000000ff)) b{c}))\n  \
             (let ((t (- x{d} x{a}))) (and (< t 7) (>= t (ite (bvult b{b} b{c}) 1 x{b}))))))\n"
        );
    }
    text += "(check-sat)\n";
    text.into_bytes()
}

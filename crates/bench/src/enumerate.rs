//! `gainsay bench enumerate`: formulas a second to memory on one core, in CPU time, and how soon a far one is there.

use std::hint::black_box;

use dashu_int::UBig;

use crate::thread_cpu as now;
use gainsay::cli::exit;
use gainsay::strategy::enumerate::{Formulas, Grammar, Variation, builtin, large};

const COUNT: u32 = 1_000_000;

/// Runs the command.
pub fn run() -> anyhow::Result<u8> {
    println!("{:<12} {:>16} {:>8} {:>12}", "", "formulas/s", "bytes", "read/s");
    for name in builtin::names() {
        let formulas = formulas(name, None);
        let mut out = String::new();
        let mut bytes = 0;
        let mut index = UBig::ZERO;
        let start = now();
        for _ in 0..COUNT {
            out.clear();
            formulas.write(&index, &mut out);
            bytes += black_box(&out).len();
            index += UBig::ONE;
        }
        let spent = now() - start;
        let start = now();
        for index in 0..COUNT / 20 {
            out.clear();
            formulas.write(&UBig::from(index * 20), &mut out);
            black_box(smt::read(out.as_bytes()).is_ok());
        }
        let read = f64::from(COUNT / 20) / (now() - start);
        let rate = f64::from(COUNT) / spent;
        println!("{name:<12} {rate:>16.0} {:>8} {read:>12.0}", bytes / COUNT as usize);
    }
    let start = now();
    let core = formulas("Core", Some(5));
    let far = core.at(&UBig::from(10u32).pow(1300)).map_or(0, |text| text.len());
    println!("Core of five variables at 10^1300: {far} bytes after {:.0} ms", (now() - start) * 1e3);
    let start = now();
    let found = large(&formulas("Core", Some(5)), 4096, &UBig::ZERO).expect("there is one");
    let digits = found.to_string().len() - 1;
    println!("the first power of ten with 4096 bytes: 10^{digits} after {:.0} ms", (now() - start) * 1e3);
    Ok(exit::FINE)
}

fn formulas(name: &str, variables: Option<usize>) -> Formulas {
    let grammar = Grammar::read(builtin::text(name).expect("built in")).expect("good");
    let varied = Variation { variables, ..Variation::default() }.apply(&grammar, true);
    Formulas::of(&varied.expect("good")).expect("good")
}

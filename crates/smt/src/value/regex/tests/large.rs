//! Big counters, long words, deep trees, little fuel.

use super::super::{Fuel, OutOfFuel, Regex, replace_re_all};
use super::{codes, fuel, lit};

#[test]
fn big_counters_stay_symbolic() {
    let a = lit("a");
    let long = vec![97; 100_000];
    let asks = [
        (a.repeat(1, Some(100_000)), true),
        (a.repeat(1, Some(99_999)), false),
        (a.power(100_000), true),
        (a.repeat(0, Some(1_000_000)), true),
        (a.repeat(100_001, None), false),
        (Regex::union([a.clone(), lit("aa")]).repeat(1, Some(100_000)), true),
        (Regex::inter([a.repeat(1, Some(1_000_000)), lit("aaa").star().comp()]), true),
        (Regex::inter([a.repeat(1, Some(1_000_000)), lit("aa").star().comp()]), false),
        (a.repeat(0, Some(1000)).repeat(0, Some(1000)), true),
        (Regex::concat([Regex::all(), lit("b"), Regex::all()]).comp(), true),
    ];
    for (at, (regex, inside)) in asks.into_iter().enumerate() {
        assert_eq!(regex.contains(&long, &mut Fuel::new(3_000_000)), Ok(inside), "ask {at}");
    }
    assert_eq!(a.repeat(0, Some(1_000_000)).is_empty(&mut fuel()), Ok(false));
    assert_eq!(a.power(u64::MAX).is_empty(&mut fuel()), Ok(false));
    assert_eq!(a.repeat(0, Some(u64::MAX)).equals(&a.star(), &mut fuel()), Err(OutOfFuel));
}

#[test]
fn a_miss_is_found_in_one_pass() {
    let text = vec![97; 50_000];
    let regex = Regex::concat([lit("a").star(), lit("b")]);
    assert_eq!(replace_re_all(&text, &regex, &[], &mut fuel()), Ok(text.clone()));
    assert_eq!(replace_re_all(&text, &regex.opt(), &[], &mut fuel()), Ok(text));
}

/// Deep trees are asked, cloned and dropped on a small stack.
#[test]
fn depth_is_no_danger() {
    type Grow = fn(Regex) -> Regex;
    const DEPTH: usize = 100_000;
    let kinds: [(&str, Grow); 16] = [
        ("concat left", |r| Regex::concat([r, lit("a")])),
        ("concat right", |r| Regex::concat([lit("a"), r])),
        ("concat both", |r| Regex::concat([lit("a"), r, lit("b")])),
        ("concat doubled", |r| Regex::concat([r.clone(), r])),
        ("union left", |r| Regex::union([r, lit("a").star()])),
        ("union right", |r| Regex::union([Regex::concat([lit("b"), r.clone()]), r])),
        ("inter", |r| Regex::inter([Regex::allchar().star(), r])),
        ("comp", |r| r.comp()),
        ("comp of concat", |r| Regex::concat([lit("a"), r]).comp()),
        ("comp of inter", |r| Regex::inter([lit("ab").comp(), r]).comp()),
        ("diff", |r| Regex::all().diff([r])),
        ("star", |r| r.star()),
        ("star of concat", |r| Regex::concat([r, lit("b")]).star()),
        ("loop", |r| r.repeat(2, Some(3))),
        ("opt of concat", |r| Regex::concat([lit("a"), r]).opt()),
        ("reverse", |r| Regex::concat([r.reverse(), lit("a")])),
    ];
    let work = move || {
        for (name, grow) in kinds {
            let mut regex = lit("a");
            for _ in 0..DEPTH {
                regex = grow(regex);
            }
            // Either answer will do, the fuel's end too; a long wait or a crash will not.
            let _ = regex.contains(&codes("abab"), &mut Fuel::new(2_000_000));
            let equal = regex.clone().equals(&regex.comp(), &mut Fuel::new(500_000));
            assert_ne!(equal, Ok(true), "{name}");
        }
    };
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no overflow, no panic");
}

#[test]
fn fuel_ends() {
    for steps in 0..40 {
        let regex = Regex::inter([lit("ab").star(), lit("abab").star().comp()]);
        let mut fuel = Fuel::new(steps);
        if regex.contains(&codes("abab"), &mut fuel).is_err() {
            assert_eq!(fuel.left(), 0);
        }
    }
    // 2^40 states, as every automaton for it has.
    let nth = Regex::concat([Regex::all(), lit("a"), Regex::allchar().power(40)]);
    let both = Regex::inter([nth.clone(), nth.comp()]);
    assert_eq!(both.is_empty(&mut fuel()), Ok(true), "opposites are seen at once");
    let nth_but_one =
        Regex::concat([Regex::all(), lit("a"), Regex::allchar().power(40), Regex::allchar().opt()]);
    assert_eq!(nth.is_subset(&nth_but_one, &mut fuel()), Err(OutOfFuel));
}

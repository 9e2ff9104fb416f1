//! Incremental printing gives what the full printer gives, byte for byte.

use super::*;
use crate::case::Choices;

const SCRIPTS: &[&str] = &[
    "(set-logic ALL) ; a comment (with a parenthesis\n(declare-const x Int)(declare-const |a b| Int)
     (declare-const r Real)\n(declare-const p Bool)  (assert (let ((l (< x 3)) (m |a b|)) (and l (= m (+ x 1 2)) p)))
     (assert   (or (< (+ r x) 2) (= r 1.5) (not p)))(push 1)(assert (=> p (< r (to_real x))))(check-sat)(pop 1)
     (define-fun f ((y Int)) Int (ite p (* y 2) (- y)))(assert (! (= (f x) (f 0)) :named n))(check-sat)",
    "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)(declare-fun g (Int) Bool)
     (assert (forall ((i Int)) (! (=> (g i) (exists ((j Int)) (and (g j) (> j i)))) :pattern ((g i)) :qid q)))
     (assert (match l ((nil (g 0)) ((cons h t) (and (g h) (distinct t l))))))
     (assert ((_ is cons) l))(check-sat-assuming ((g 1) (not (g 2))))",
    "(declare-const s String)(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 8))
     (assert (= s \"a \"\" ) (\"))(assert (str.prefixof s (str.++ s \"|;\")))
     (assert (= ((_ extract 3 0) b) #xf (bvadd #b0001 ((_ extract 7 4) c))))(assert (bvult (bvadd b c) (bvnot b)))(check-sat)",
];

/// A place in a term.
struct At {
    path: Vec<u32>,
    term: TermId,
    before: u32,
}

/// All places in a term, in preorder.
fn places(pool: &Pool, root: TermId, before: u32) -> Vec<At> {
    let mut all = Vec::new();
    let mut left = vec![(Vec::new(), root)];
    while let Some((path, term)) = left.pop() {
        for (k, &arg) in pool.args(term).iter().enumerate().rev() {
            left.push(([&path[..], &[k as u32]].concat(), arg));
        }
        all.push(At { path, term, before: before + all.len() as u32 });
    }
    all
}

/// The terms of a command.
fn terms(script: &Script, command: usize) -> Vec<TermId> {
    let mut all = Vec::new();
    script.each_term(command, |term| all.push(term));
    all
}

/// A random place of a script, and another term of its sort: the number of the term in its command, the place, the new term.
fn draw(script: &Script, choices: &mut Choices) -> Option<(usize, usize, At, TermId)> {
    let command = choices.below(script.commands.len() as u64) as usize;
    let roots = terms(script, command);
    let number = choices.below(roots.len() as u64) as usize;
    let root = *roots.get(number)?;
    let before = roots[..number].iter().map(|&term| places(&script.pool, term, 0).len() as u32).sum();
    let mut all = places(&script.pool, root, before);
    let at = all.swap_remove(choices.below(all.len() as u64) as usize);
    let sort = script.pool.sort_of(at.term);
    let same: Vec<_> = script.pool.all_terms().filter(|&term| script.pool.sort_of(term) == sort).collect();
    let new = *choices.pick(&same)?;
    // Terms that grow without end are slow to print.
    (places(&script.pool, new, 0).len() < 60).then_some((command, number, at, new))
}

fn full(script: &Script) -> String {
    let mut out = Vec::new();
    smt::write_script_to(script, &mut out);
    String::from_utf8(out).expect("text")
}

fn shown(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("text")
}

/// Whether the places of all nodes that are known are those of the full printer.
fn starts_are_right(printed: &Printed, script: &Script) -> bool {
    (0..script.commands.len()).filter(|&command| printed.has_nodes(command)).all(|command| {
        let plain = Command { span: None, ..script.commands[command] };
        let (mut text, mut starts) = (Vec::new(), Vec::new());
        smt::write_command_marked(script, plain, &mut text, &mut starts);
        printed.starts_of(command) == starts
    })
}

#[test]
fn a_chain_of_changes_prints_as_the_full_printer_does() {
    let mut done = [0; 2];
    for (no, text) in SCRIPTS.iter().enumerate() {
        let mut script = smt::read(text.as_bytes()).expect("well-sorted");
        let mut printed = Printed::of(&script);
        assert_eq!(shown(printed.text()), full(&script));
        let beginning = printed.clone();
        let mut choices = Choices::drawn(3, "printed", no as u64);
        for _ in 0..400 {
            let Some((command, number, at, new)) = draw(&script, &mut choices) else { continue };
            let root = terms(&script, command)[number];
            let Some(top) = script.pool.replace(root, &at.path, new) else { continue };
            // The printer needs the number of nodes before the change.
            let count = places(&script.pool, at.term, 0).len() as u32;
            if !script.set_term(command, number, top) {
                continue;
            }
            let known = printed.has_nodes(command);
            done[usize::from(known)] += 1;
            if known {
                printed.replace(&script.pool, Node { command, before: at.before, term: at.term }, count, new);
            } else {
                printed.reprint(&script, command);
            }
            assert_eq!(shown(printed.text()), full(&script), "{no}: {:?}", at.path);
            assert!(starts_are_right(&printed, &script), "{no}: {}", full(&script));
        }
        // Commands are where they are said to be.
        let mut located = Script { source: printed.text().into(), ..script.clone() };
        printed.locate(&mut located.commands);
        assert_eq!(full(&located), full(&script));
        printed.clone_from(&beginning);
        assert_eq!(shown(printed.text()), full(&smt::read(text.as_bytes()).expect("well-sorted")));
    }
    assert!(done[0] > 8 && done[1] > 400, "{done:?}");
}

#[test]
fn composed_changes_print_as_the_full_printer_does() {
    let mut composed = 0;
    for (no, text) in SCRIPTS.iter().enumerate() {
        let seed = smt::read(text.as_bytes()).expect("well-sorted");
        let base = Printed::of(&seed);
        let (mut plain, mut texts) = (base.clone(), TermTexts::of(&seed.pool));
        let mut page = Vec::new();
        let mut choices = Choices::drawn(5, "printed", no as u64);
        for _ in 0..200 {
            let mut mutant = seed.clone();
            let (mut changes, mut new_text) = (Vec::<Change>::new(), Vec::new());
            for _ in 0..4 {
                let Some((command, number, at, new)) = draw(&seed, &mut choices) else { continue };
                if !plain.has_nodes(command) {
                    plain.reprint(&seed, command);
                }
                let part = plain.place(&seed.pool, Node { command, before: at.before, term: at.term });
                assert_eq!(
                    shown(&plain.command(command)[part.clone()]),
                    smt::write_term(&seed.pool, at.term)
                );
                let apart =
                    |c: &Change| c.command != command || c.part.end <= part.start || part.end <= c.part.start;
                let root = terms(&mutant, command)[number];
                // Something that is new and has terms of the seed in it.
                let new = if seed.pool.sort_of(new) == smt::SortId::BOOL {
                    mutant.pool.apply_named("and", &[], &[new, at.term, new], None).expect("formulas")
                } else {
                    new
                };
                if !changes.iter().all(apart) {
                    continue;
                }
                let Some(top) = mutant.pool.replace(root, &at.path, new) else { continue };
                if !mutant.set_term(command, number, top) {
                    continue;
                }
                let first = new_text.len();
                texts.write(&mutant.pool, new, &mut new_text);
                assert_eq!(shown(&new_text[first..]), smt::write_term(&mutant.pool, new));
                changes.push(Change { command, part, new: first..new_text.len() });
            }
            changes.sort_by_key(|change| (change.command, change.part.start));
            let mut located = mutant.clone();
            base.compose(&plain, (&changes, &new_text), &mut located.commands, &mut page);
            assert_eq!(shown(&page), full(&mutant), "{no}: {changes:?}");
            located.source = page.as_slice().into();
            assert_eq!(full(&located), full(&mutant), "{no}: {changes:?}");
            composed += changes.len();
        }
    }
    assert!(composed > 500, "{composed}");
}

#[test]
fn names_are_replaced_in_their_place() {
    let text = "(declare-const p Bool)(declare-const q Bool)(assert (and p (or q (forall ((z Bool)) (= z p)))))(check-sat)";
    let mut script = smt::read(text.as_bytes()).expect("well-sorted");
    let mut printed = Printed::of(&script);
    printed.reprint(&script, 2);
    // The new operators, from the top: each is longer or shorter than the one before.
    let rows: &[(&[u32], &str)] =
        &[(&[], "or"), (&[1], "and"), (&[1, 1], "exists"), (&[1, 1, 0], "distinct"), (&[], "=>")];
    for (path, name) in rows {
        let root = terms(&script, 2)[0];
        let all = places(&script.pool, root, 0);
        let at = all.iter().find(|at| at.path == *path).expect("a place");
        let args = script.pool.args(at.term).to_vec();
        let new = match *name {
            "exists" => script.pool.dual(at.term),
            name => script.pool.apply_named(name, &[], &args, None).ok(),
        };
        let new = new.expect("it fits");
        let top = script.pool.replace(root, path, new).expect("it fits");
        assert!(script.set_term(2, 0, top));
        printed.rename(&script.pool, Node { command: 2, before: at.before, term: at.term }, new);
        assert_eq!(shown(printed.text()), full(&script), "{name}");
        assert!(starts_are_right(&printed, &script), "{name}");
    }
    // A logic is set and declared again.
    let beginning = printed.text().to_vec();
    printed.set_command(0, b"(declare-fun p () Bool)");
    assert!(shown(printed.text()).starts_with("(declare-fun p () Bool)\n(declare-const q Bool)\n(assert"));
    printed.set_command(0, b"(declare-const p Bool)");
    assert_eq!(printed.text(), beginning);
}

#[test]
fn bytes_are_replaced_and_what_follows_is_moved() {
    let rows = [
        ("abcdef", 1, 3, "xyz", "axyzdef"),
        ("abcdef", 1, 5, "x", "axf"),
        ("abcdef", 1, 3, "xy", "axydef"),
        ("ab", 1, 1, "", "ab"),
        ("ab", 2, 2, "c", "abc"),
    ];
    for (text, start, end, new, expected) in rows {
        let mut bytes = text.as_bytes().to_vec();
        replace_bytes(&mut bytes, Span { start, end }, new.as_bytes());
        assert_eq!(bytes, expected.as_bytes(), "{text} {start}..{end} {new}");
    }
}

//! The evaluator against real solvers: terms of every theory, drawn from the table, evaluated, and then z3 and cvc5
//! are asked whether the term is equal to that value.
//!
//! `GAINSAY_MEANING_SEED` and `GAINSAY_MEANING_COUNT` draw other and more terms; `GAINSAY_MEANING_REPORT` names a
//! file to which the counts are appended.

mod ask;
mod chance;
mod draw;
mod known;
mod report;
mod sorts;
mod values;

use std::collections::BTreeMap;

use ask::{Asker, Reply};
use chance::Chance;
use draw::{Draw, For};
use gainsay::solver::testing::require;
use report::Report;
use smt::theory::{OpId, Theory, table};
use smt::{Fuel, Head, Model, Pool, Script, TermId, eval, write_term};

/// Terms drawn of each theory unless `GAINSAY_MEANING_COUNT` says otherwise.
const COUNT: usize = 2000;

const Z3: &str = "z3@5.4.0 -t:2000";
const CVC5: &str = "cvc5@1.4.2 --tlimit-per=2000 --strings-exp --fp-exp --arrays-exp --sets-exp --sets-card-exp \
                    --rels-exp --datatypes-exp --uf-ho-exp --uf-card-exp --arith-exp";

/// A term with its value, as text.
struct Claim {
    term: String,
    value: String,
    whom: For,
    operators: Vec<&'static str>,
}

impl Claim {
    fn text(&self) -> String {
        format!("(= {} {})", self.term, self.value)
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// The names of the operators in a term.
fn operators(pool: &Pool, term: TermId) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        if let Head::Op(op, _) = pool.node(term).head {
            names.push(table().op(op).name);
        }
        left.extend_from_slice(pool.args(term));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Draws terms of a theory and evaluates them.
fn claims(theory: Theory, report: &mut Report) -> Vec<Claim> {
    let count = number("GAINSAY_MEANING_COUNT", COUNT as u64) as usize;
    let seed = number("GAINSAY_MEANING_SEED", 1);
    let (script, sorts, texts) = sorts::world(theory);
    let chance = Chance::new(seed.wrapping_mul(1000) + theory as u64);
    let mut draw = Draw::new(script.pool.clone(), chance, theory, sorts, texts, &known::avoided);
    let rows: Vec<OpId> = table().ids().filter(|&op| table().theory(op) == theory).collect();
    let mut terms: Vec<(OpId, TermId, For)> = Vec::new();
    let mut vain = 0;
    while terms.len() < count && vain < 50 * count {
        let op = *draw.chance.of(&rows);
        match draw.rooted(op) {
            Some((term, whom)) => terms.push((op, term, whom)),
            None => vain += 1,
        }
    }
    let script = Script { pool: draw.pool, ..script };
    let model = Model::empty(&script);
    let mut claims = Vec::new();
    for (op, term, whom) in terms {
        let sort = script.pool.sort_of(term);
        let value = eval(term, &model, &mut Fuel::default())
            .and_then(|value| smt::value::write(&script.pool, sort, &value));
        report.evaluated(op, value.as_ref().err());
        let Ok(value) = value else { continue };
        let operators = operators(&script.pool, term);
        claims.push(Claim { term: write_term(&script.pool, term), value, whom, operators });
    }
    claims
}

/// What comes before the claims: functions as values need a logic of their own in cvc5.
fn header(solver: &str, claim: &Claim) -> String {
    let functions = claim.term.contains("(lambda ") || claim.operators.contains(&"@");
    let logic = match (solver, functions) {
        ("z3", _) => "",
        (_, true) => "(set-logic HO_ALL)\n",
        (_, false) => "(set-logic ALL)\n",
    };
    format!("{logic}{}\n", sorts::PRELUDE)
}

fn examine(theory: Theory) {
    let Some(solvers) = require(&[Z3, CVC5]) else { return };
    let mut report = Report::new(theory);
    let claims = claims(theory, &mut report);
    let mut wrong = Vec::new();
    for (solver, name) in solvers.iter().zip(["z3", "cvc5"]) {
        let mut asker = Asker::new(solver);
        let mut by_header: BTreeMap<String, Vec<&Claim>> = BTreeMap::new();
        for claim in claims.iter().filter(|c| if name == "z3" { c.whom.z3 } else { c.whom.cvc5 }) {
            by_header.entry(header(name, claim)).or_default().push(claim);
        }
        for (header, claims) in by_header {
            let texts: Vec<String> = claims.iter().map(|c| c.text()).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for (claim, reply) in claims.iter().zip(asker.ask(&header, &texts)) {
                let known = known::MISTAKES
                    .iter()
                    .find(|m| m.solver == name && m.operators.iter().all(|o| claim.operators.contains(o)));
                if reply == Reply::Denied && known.is_none() {
                    let says = asker.value(&header, &claim.term);
                    wrong.push(format!("{}\n  we: {}\n  {}: {says}", claim.term, claim.value, solver.name));
                }
                report.replied(name, &claim.term, &claim.operators, &reply, known.is_some());
            }
        }
    }
    report.print();
    assert!(wrong.is_empty(), "{} disagreements\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! theories {
    ($($test:ident: $theory:ident,)+) => {
        $(#[test]
        fn $test() {
            examine(Theory::$theory);
        })+
    };
}

theories! {
    core: Core,
    ints: Ints,
    reals: Reals,
    reals_ints: RealsInts,
    transcendentals: Transcendentals,
    bit_vectors: BitVectors,
    arrays: Arrays,
    floats: Floats,
    strings: Strings,
    sequences: Sequences,
    sets: Sets,
    datatypes: Datatypes,
    finite_fields: FiniteFields,
    higher_order: HigherOrder,
}

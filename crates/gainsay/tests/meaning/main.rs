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
mod spelling;
mod values;

use std::collections::BTreeMap;

use ask::{Asker, Reply};
use chance::Chance;
use draw::{Draw, For, meaningless};
use gainsay::solver::testing::require;
use report::Report;
use smt::theory::{OpId, Theory, table};
use smt::{Fuel, Head, Model, Pool, Script, TermId, eval, write_term};

/// Terms drawn of each theory unless `GAINSAY_MEANING_COUNT` says otherwise.
const COUNT: usize = 2000;
/// The same of theories on which a solver is slow.
const FEW: usize = 400;

const Z3: &str = "z3@5.4.0 -t:500";
const CVC5: &str = "cvc5@1.4.2 --tlimit-per=500 --strings-exp --fp-exp --arrays-exp --sets-exp --sets-card-exp \
                    --rels-exp --datatypes-exp --uf-ho-exp --uf-card-exp --arith-exp";

/// A term with its value, as text.
struct Claim {
    term: String,
    value: String,
    whom: For,
    operators: Vec<&'static str>,
}

impl Claim {
    /// As a solver can read it, if it can.
    fn text(&self, solver: &str) -> Option<String> {
        if known::UNANSWERED.iter().any(|(of, op)| *of == solver && self.operators.contains(op)) {
            return None;
        }
        let text = format!("(= {} {})", self.term, self.value);
        match solver {
            // Only cvc5 has tuples: z3's arrays of several indices have no sort of indices.
            "z3" if !self.whom.z3 || self.value.contains("(Array (Tuple ") => None,
            "cvc5" if !self.whom.cvc5 => None,
            "cvc5" => spelling::constants_as_values(&text),
            _ => Some(text),
        }
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
    let usual = if theory == Theory::FiniteSets { FEW } else { COUNT };
    let count = number("GAINSAY_MEANING_COUNT", usual as u64) as usize;
    let seed = number("GAINSAY_MEANING_SEED", 1);
    let (script, sorts, texts) = sorts::world(theory);
    let chance = Chance::new(seed.wrapping_mul(1000) + theory as u64);
    let mut draw = Draw::new(script.pool.clone(), chance, theory, sorts, texts);
    let rows = table().ids().filter(|&op| table().theory(op) == theory && !meaningless(op));
    let rows: Vec<OpId> = rows.collect();
    let mut claims = Vec::new();
    // In rounds: a term that is open is drawn again, but not for ever.
    for _ in 0..20 {
        let mut terms: Vec<(OpId, TermId, For)> = Vec::new();
        for _ in 0..8 * count {
            if terms.len() + claims.len() >= count {
                break;
            }
            let op = *draw.chance.of(&rows);
            terms.extend(draw.rooted(op).map(|(term, whom)| (op, term, whom)));
        }
        let script = Script { pool: draw.pool.clone(), ..script.clone() };
        let model = Model::empty(&script);
        for (op, term, whom) in terms {
            let sort = script.pool.sort_of(term);
            let value = eval(term, &model, &mut Fuel::default())
                .and_then(|value| smt::value::write(&script.pool, sort, &value));
            report.evaluated(op, value.as_ref().err());
            let Ok(value) = value else { continue };
            let operators = operators(&script.pool, term);
            let claim = Claim { term: write_term(&script.pool, term), value, whom, operators };
            if claim.text("z3").is_some() || claim.text("cvc5").is_some() {
                claims.push(claim);
            } else {
                report.unasked += 1;
            }
        }
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
        let mut by_header: BTreeMap<String, Vec<(&Claim, String)>> = BTreeMap::new();
        for claim in &claims {
            if let Some(text) = claim.text(name) {
                by_header.entry(header(name, claim)).or_default().push((claim, text));
            }
        }
        for (header, claims) in by_header {
            let texts: Vec<&str> = claims.iter().map(|(_, text)| text.as_str()).collect();
            for ((claim, _), reply) in claims.iter().zip(asker.ask(&header, &texts)) {
                let known = known::MISTAKES
                    .iter()
                    .find(|m| m.solver == name && m.operators.iter().all(|o| claim.operators.contains(o)));
                if reply == Reply::Denied && known.is_none() {
                    let says = asker.value(&header, &claim.term);
                    let text = format!("{}\n    we: {}\n    {name}: {says}", claim.term, claim.value);
                    report.note(&format!("{name} denies {text}"));
                    wrong.push(text);
                }
                report.replied(name, &claim.term, &claim.operators, &reply, known.is_some());
            }
        }
        for claim in &asker.slow {
            report.note(&format!("{name} slow: {claim}"));
        }
        report.note(&format!("{name}: {} processes worked {:.1?}", asker.started, asker.worked));
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
    finite_sets: FiniteSets,
    datatypes: Datatypes,
    finite_fields: FiniteFields,
    higher_order: HigherOrder,
}

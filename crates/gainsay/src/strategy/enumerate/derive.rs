//! Derived grammars: for any set of theories, from the table of operators.

use std::collections::BTreeSet;

use smt::theory::{OpId, Theory, table};

use super::super::parts::{self, Samples};
use super::super::support::OperatorSupport;
use super::grammar::{Alternative, Grammar, Item, OPENING, Position, Rule, START};

/// Constants of each sort, where operators without arguments do not give them.
const CONSTANTS: &[(&str, &[&str])] = &[
    ("Int", &["0", "1"]),
    ("Real", &["0.0", "1.0"]),
    ("String", &["\"\"", "\"a\""]),
    ("(_ BitVec 8)", &["#x00", "#x01"]),
    ("(_ BitVec 4)", &["#x0", "#x1"]),
    (
        "(_ FloatingPoint 8 24)",
        &["(fp #b0 #b00000000 #b00000000000000000000000)", "(fp #b0 #b01111111 #b00000000000000000000000)"],
    ),
    ("(_ FiniteField 7)", &["(as ff0 (_ FiniteField 7))", "(as ff1 (_ FiniteField 7))"]),
];

/// Operators with more instances than this have the rest left out.
const MOST: usize = 12;
/// Sorts that no variable is declared of.
const NO_VARIABLES: &[&str] = &["RegLan"];

/// The grammar of a list of theories such as `seq,ints`, of the operators that all speakers read.
pub fn grammar(theories: &str, speakers: &str) -> Result<Grammar, String> {
    let support = OperatorSupport::of(speakers);
    let mut wanted: Vec<Theory> = vec![Theory::Core];
    let mut sorts: Vec<&str> = vec!["Bool"];
    for name in theories.split(',').map(str::trim) {
        let part = parts::named(name)?;
        wanted.extend(part.theories);
        for sort in part.sorts {
            if !sorts.contains(sort) {
                sorts.push(sort);
            }
        }
    }
    let mut maker = Maker::of(&sorts)?;
    for op in table().ids() {
        if wanted.contains(&table().theory(op)) && support.has(op) {
            maker.add(op);
        }
    }
    maker.grammar(theories)
}

struct Maker {
    samples: Samples,
    alternatives: Vec<Vec<Alternative>>,
    /// Sorts of which some operator wants a constant.
    constants: BTreeSet<usize>,
}

impl Maker {
    fn of(texts: &[&str]) -> Result<Maker, String> {
        let samples = Samples::of(texts)?;
        let alternatives = samples.sorts.iter().map(|_| Vec::new()).collect();
        Ok(Maker { samples, alternatives, constants: BTreeSet::new() })
    }

    /// Adds the alternatives of an operator: every choice of sorts and indices that fits.
    fn add(&mut self, op: OpId) {
        for instance in self.samples.instances(op, MOST) {
            // Rows may share a name: the one that was found for these arguments counts.
            let row = table().op(instance.op);
            let mut items = vec![Item::Text(instance.spelling)];
            if !instance.args.is_empty() {
                items.insert(0, Item::rule(OPENING));
                for (place, &i) in instance.args.iter().enumerate() {
                    let (_, text, _) = &self.samples.sorts[i];
                    let constant = row.wants_constant(place);
                    let name = if constant { constant_name(text) } else { rule_name(text) };
                    items.push(Item::Rule(name, Position::default()));
                }
                items.push(Item::rule("ParClose"));
            }
            let places = instance.args.iter().enumerate();
            let constant = places.filter(|(place, _)| row.wants_constant(*place));
            let wanted: Vec<usize> = constant.map(|(_, &i)| i).collect();
            if wanted.iter().any(|&i| constants(&self.samples.sorts[i].1).is_empty()) {
                continue;
            }
            self.constants.extend(wanted);
            self.alternatives[instance.result].push(Alternative::of(items));
        }
    }

    fn grammar(self, theories: &str) -> Result<Grammar, String> {
        let rule = |name: &str, alternatives: Vec<Alternative>| Rule {
            name: name.to_owned(),
            at: Position::default(),
            alternatives,
        };
        let one = |items: Vec<Item>| vec![Alternative::of(items)];
        let text = Item::text;
        let parenthesised = |mut items: Vec<Item>| {
            items.insert(0, Item::rule(OPENING));
            items.push(Item::rule("ParClose"));
            one(items)
        };
        let mut rules = vec![rule(OPENING, one(vec![text("(")])), rule("ParClose", one(vec![text(")")]))];
        let mut start = Vec::new();
        let mut terms = Vec::new();
        let mut letter = b'a';
        for (i, ((_, sort, _), alternatives)) in self.samples.sorts.iter().zip(self.alternatives).enumerate()
        {
            let constants = constants(sort).iter().map(|constant| Alternative::of(vec![text(constant)]));
            let mut own: Vec<Alternative> = constants.collect();
            if self.constants.contains(&i) {
                terms.push(rule(&constant_name(sort), own.clone()));
            }
            let variables = if NO_VARIABLES.contains(&sort.as_str()) { 0 } else { 2 };
            for _ in 0..variables {
                let name = char::from(letter).to_string();
                letter += 1;
                let declared = format!("declare_{name}");
                rules.push(rule(
                    &declared,
                    parenthesised(vec![text("declare-const"), text(&name), text(sort)]),
                ));
                start.push(Item::rule(&declared));
                own.push(Alternative::of(vec![Item::Text(name)]));
            }
            // What stands without parentheses first, as the smallest comes first.
            let (short, long): (Vec<_>, Vec<_>) = alternatives.into_iter().partition(|a| a.items.len() == 1);
            own.extend(short.into_iter().chain(long));
            terms.push(rule(&rule_name(sort), own));
        }
        rules.extend(terms);
        let asserted = Item::Rule(rule_name("Bool"), Position::default());
        rules.push(rule("assertion", parenthesised(vec![text("assert"), asserted])));
        rules.push(rule("question", parenthesised(vec![text("check-sat")])));
        start.extend([Item::rule("assertion"), Item::rule("question")]);
        rules.push(rule(START, one(start)));
        let name = format!("derived_{}", theories.replace([',', ' '], "_"));
        let grammar = Grammar { name, rules };
        grammar.check().map_err(|e| e.what)?;
        Ok(grammar)
    }
}

/// The constants of a sort.
fn constants(sort: &str) -> &'static [&'static str] {
    CONSTANTS.iter().find(|(other, _)| *other == sort).map_or(&[][..], |(_, all)| all)
}

/// The name of the rule of a sort's terms: `seq_int_term` for `(Seq Int)`.
fn rule_name(sort: &str) -> String {
    in_a_word(sort) + "_term"
}

/// The name of the rule of its constants.
fn constant_name(sort: &str) -> String {
    in_a_word(sort) + "_constant"
}

fn in_a_word(sort: &str) -> String {
    let words = sort.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;

    use super::super::Formulas;
    use super::*;

    #[test]
    fn derived_grammars_are_well_sorted() {
        let single = parts::PARTS
            .iter()
            .map(|part| (part.name, if part.name == "sets" || part.name == "fields" { "cvc5" } else { "" }));
        for (theories, speakers) in single.chain([("seq,ints", ""), ("bitvectors,arrays,strings", "z3")]) {
            let grammar = grammar(theories, speakers).expect(theories);
            let again = Grammar::read(&grammar.to_string()).expect("what is written is read");
            let formulas = Formulas::of(&again).expect("good");
            for i in 0..600u64 {
                let index = UBig::from(i * i * i * 7);
                let text = formulas.at(&index).expect("infinite");
                let script = smt::read(text.as_bytes()).unwrap_or_else(|e| {
                    panic!("{theories} {index}: {}\n{text}", e.locate("", text.as_bytes()))
                });
                assert!(script.opaque.is_empty(), "{theories} {index}: {text}");
            }
        }
    }

    #[test]
    fn operators_are_those_of_the_theories() {
        let rows = [
            ("seq,ints", "", "'seq.++' seq_int_term seq_int_term", true),
            ("seq,ints", "", "'(as seq.empty (Seq Int))'", true),
            ("seq,ints", "", "'mod' int_term int_term", true),
            ("seq", "", "'mod'", false),
            ("ints", "", "'and' bool_term bool_term", true),
            ("bitvectors", "", "'(_ extract 3 0)' bitvec_8_term", true),
            ("strings", "", "'re.none'", true),
            ("strings", "", "'re.range' string_constant string_constant", true),
            ("strings", "", "'re.range' string_term", false),
            ("floats,reals", "", "'(_ to_fp 8 24)' roundingmode_term real_constant", true),
            ("floats,reals", "", "'(_ to_fp 8 24)' roundingmode_term real_term", false),
            ("strings", "", "'str.rev'", false),
            ("strings", "cvc5", "'str.rev'", true),
            ("reals_ints", "", "'to_real' int_term", true),
            ("reals_ints", "", "'+' int_term real_term", false),
        ];
        for (theories, speakers, text, expected) in rows {
            let written = grammar(theories, speakers).expect(theories).to_string();
            assert_eq!(written.contains(text), expected, "{theories} {speakers} {text}\n{written}");
        }
        assert!(grammar("magic", "").expect_err("refused").contains("there is no theory magic"));
    }
}

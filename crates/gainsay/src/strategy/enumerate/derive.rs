//! Derived grammars: for any set of theories, from the table of operators.

use std::collections::BTreeSet;

use smt::theory::{Arity, OpId, Theory, table};
use smt::{Index, Pool, SortId, TermId, sort_text};

use super::super::vocabulary::Vocabulary;
use super::grammar::{Alternative, Grammar, Item, OPENING, Position, Rule, START};

/// A theory as `derive:` names it: the rows it brings, and the sorts its terms are of, as they are written.
struct Part {
    name: &'static str,
    theories: &'static [Theory],
    sorts: &'static [&'static str],
}

const PARTS: &[Part] = &[
    Part { name: "core", theories: &[], sorts: &[] },
    Part { name: "ints", theories: &[Theory::Ints], sorts: &["Int"] },
    Part { name: "reals", theories: &[Theory::Reals], sorts: &["Real"] },
    Part {
        name: "reals_ints",
        theories: &[Theory::Ints, Theory::Reals, Theory::RealsInts],
        sorts: &["Int", "Real"],
    },
    Part { name: "transcendentals", theories: &[Theory::Reals, Theory::Transcendentals], sorts: &["Real"] },
    Part { name: "bitvectors", theories: &[Theory::BitVectors], sorts: &["(_ BitVec 8)", "(_ BitVec 4)"] },
    Part { name: "arrays", theories: &[Theory::Arrays], sorts: &["Int", "(Array Int Int)"] },
    Part { name: "floats", theories: &[Theory::Floats], sorts: &["RoundingMode", "(_ FloatingPoint 5 11)"] },
    Part { name: "strings", theories: &[Theory::Strings], sorts: &["String", "RegLan", "Int"] },
    Part { name: "seq", theories: &[Theory::Sequences], sorts: &["(Seq Int)", "Int"] },
    Part { name: "sets", theories: &[Theory::Sets], sorts: &["(Set Int)", "Int"] },
    Part { name: "fields", theories: &[Theory::FiniteFields], sorts: &["(_ FiniteField 7)"] },
];

/// Constants of each sort, where operators without arguments do not give them.
const CONSTANTS: &[(&str, &[&str])] = &[
    ("Int", &["0", "1"]),
    ("Real", &["0.0", "1.0"]),
    ("String", &["\"\"", "\"a\""]),
    ("(_ BitVec 8)", &["#x00", "#x01"]),
    ("(_ BitVec 4)", &["#x0", "#x1"]),
    ("(_ FloatingPoint 5 11)", &["(fp #b0 #b00000 #b0000000000)", "(fp #b0 #b01111 #b0000000000)"]),
    ("(_ FiniteField 7)", &["(as ff0 (_ FiniteField 7))", "(as ff1 (_ FiniteField 7))"]),
];

/// Indices that are tried.
const INDICES: &[u32] = &[0, 1, 3, 4, 7, 8];
/// Operators with more instances than this have the rest left out.
const MOST: usize = 12;
/// Sorts that no variable is declared of.
const NO_VARIABLES: &[&str] = &["RegLan"];

/// The grammar of a list of theories such as `seq,ints`, of the operators that all speakers read.
pub fn grammar(theories: &str, speakers: &str) -> Result<Grammar, String> {
    let vocabulary = Vocabulary::of(speakers);
    let mut wanted: Vec<Theory> = vec![Theory::Core];
    let mut sorts: Vec<&str> = vec!["Bool"];
    for name in theories.split(',').map(str::trim) {
        let Some(part) = PARTS.iter().find(|part| part.name == name) else {
            let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
            return Err(format!("there is no theory {name} to derive from (there are {})", known.join(", ")));
        };
        wanted.extend(part.theories);
        for sort in part.sorts {
            if !sorts.contains(sort) {
                sorts.push(sort);
            }
        }
    }
    let mut maker = Maker::of(&sorts)?;
    for op in table().ids() {
        if wanted.contains(&table().theory(op)) && vocabulary.has(op) {
            maker.add(op);
        }
    }
    maker.grammar(theories)
}

struct Maker {
    pool: Pool,
    /// Each sort with its text and a term of it.
    sorts: Vec<(SortId, String, TermId)>,
    alternatives: Vec<Vec<Alternative>>,
    known: BTreeSet<(String, Vec<SortId>)>,
}

impl Maker {
    fn of(texts: &[&str]) -> Result<Maker, String> {
        // The reader knows what sorts mean; a variable of each is what operators are tried on.
        let mut script = String::new();
        for (i, sort) in texts.iter().enumerate() {
            script.push_str(&format!("(declare-const x{i} {sort})"));
        }
        let mut pool = smt::read(script.as_bytes()).map_err(|_| "a sort is not understood".to_owned())?.pool;
        let mut sorts = Vec::new();
        let funs: Vec<_> = pool.functions().collect();
        for fun in funs {
            let term = pool.call(fun, &[], None).map_err(|_| "a variable is no term".to_owned())?;
            let sort = pool.sort_of(term);
            sorts.push((sort, sort_text(&pool, sort), term));
        }
        let alternatives = sorts.iter().map(|_| Vec::new()).collect();
        Ok(Maker { pool, sorts, alternatives, known: BTreeSet::new() })
    }

    /// Adds the alternatives of an operator: every choice of sorts and indices that fits.
    fn add(&mut self, op: OpId) {
        let row = table().op(op);
        let arity = match row.arity {
            Arity::Fixed => row.args.len(),
            Arity::Variadic => 1,
            _ => 2,
        };
        let count = match row.indices {
            Some(count @ 0..=2) => count as usize,
            _ => return,
        };
        let mut left = MOST;
        for indices in tuples(INDICES.len(), count) {
            let indices: Vec<Index> = indices.iter().map(|&i| Index::Number(INDICES[i])).collect();
            for choice in tuples(self.sorts.len(), arity) {
                let args: Vec<TermId> = choice.iter().map(|&i| self.sorts[i].2).collect();
                left -= usize::from(self.try_one(row.name, &indices, &choice, &args));
                if left == 0 {
                    return;
                }
            }
        }
    }

    fn try_one(&mut self, name: &str, indices: &[Index], choice: &[usize], args: &[TermId]) -> bool {
        let wants: Vec<Option<SortId>> =
            std::iter::once(None).chain(self.sorts.iter().map(|(sort, _, _)| Some(*sort))).collect();
        // What the arguments do not tell is written: `(as seq.empty (Seq Int))`.
        let wants = if args.is_empty() { &wants[..] } else { &wants[..1] };
        let mut added = false;
        for &want in wants {
            let Ok(term) = self.pool.apply_named(name, indices, args, want) else { continue };
            let sort = self.pool.sort_of(term);
            let Some(which) = self.sorts.iter().position(|(own, _, _)| *own == sort) else { continue };
            // An Int where a Real is wanted is not written, and not every solver reads it.
            if self.pool.args(term) != args {
                continue;
            }
            let spelling = self.pool.text(self.pool.node(term).name).to_owned();
            if !self.known.insert((spelling.clone(), choice.iter().map(|&i| self.sorts[i].0).collect())) {
                continue;
            }
            let mut items = vec![Item::Text(spelling)];
            if !choice.is_empty() {
                items.insert(0, Item::rule(OPENING));
                items.extend(
                    choice.iter().map(|&i| Item::Rule(rule_name(&self.sorts[i].1), Position::default())),
                );
                items.push(Item::rule("ParClose"));
            }
            self.alternatives[which].push(Alternative::of(items));
            added = true;
        }
        added
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
        for ((_, sort, _), alternatives) in self.sorts.iter().zip(self.alternatives) {
            let mut own: Vec<Alternative> = Vec::new();
            let constants = CONSTANTS.iter().find(|(other, _)| other == sort).map_or(&[][..], |(_, all)| all);
            own.extend(constants.iter().map(|constant| Alternative::of(vec![text(constant)])));
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

/// A rule's name for a sort: `(Seq Int)` is `seq_int_term`.
fn rule_name(sort: &str) -> String {
    let words = sort.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_") + "_term"
}

/// All tuples of so many numbers below `below`.
fn tuples(below: usize, count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |all, _| {
        let longer = |tuple: &Vec<usize>| {
            let tuple = tuple.clone();
            (0..below).map(move |i| tuple.iter().copied().chain([i]).collect::<Vec<_>>())
        };
        all.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use dashu_int::UBig;

    use super::super::Formulas;
    use super::*;

    #[test]
    fn derived_grammars_are_well_sorted() {
        let single = PARTS
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

//! The corpus that comes with the program: small scripts over all theories, written for it.

/// The files of the corpus: the first part of their scripts' names, and the text.
const FILES: &[(&str, &str)] = &[
    // On these some release has failed: a short hunt should see them.
    ("past", include_str!("../../corpus/past.smt2")),
    ("core", include_str!("../../corpus/core.smt2")),
    ("ints", include_str!("../../corpus/ints.smt2")),
    ("difference", include_str!("../../corpus/difference.smt2")),
    ("nonlinear", include_str!("../../corpus/nonlinear.smt2")),
    ("reals", include_str!("../../corpus/reals.smt2")),
    ("reals_ints", include_str!("../../corpus/reals_ints.smt2")),
    ("transcendentals", include_str!("../../corpus/transcendentals.smt2")),
    ("bitvectors", include_str!("../../corpus/bitvectors.smt2")),
    ("arrays", include_str!("../../corpus/arrays.smt2")),
    ("floats", include_str!("../../corpus/floats.smt2")),
    ("strings", include_str!("../../corpus/strings.smt2")),
    ("regexes", include_str!("../../corpus/regexes.smt2")),
    ("sequences", include_str!("../../corpus/sequences.smt2")),
    ("sets", include_str!("../../corpus/sets.smt2")),
    ("finite_sets", include_str!("../../corpus/finite_sets.smt2")),
    ("bags", include_str!("../../corpus/bags.smt2")),
    ("relations", include_str!("../../corpus/relations.smt2")),
    ("fields", include_str!("../../corpus/fields.smt2")),
    ("datatypes", include_str!("../../corpus/datatypes.smt2")),
    ("quantifiers", include_str!("../../corpus/quantifiers.smt2")),
    ("recursion", include_str!("../../corpus/recursion.smt2")),
    ("higher_order", include_str!("../../corpus/higher_order.smt2")),
    ("separation", include_str!("../../corpus/separation.smt2")),
    ("incremental", include_str!("../../corpus/incremental.smt2")),
    ("mixed", include_str!("../../corpus/mixed.smt2")),
    ("small", include_str!("../../corpus/small.smt2")),
    ("small_floats", include_str!("../../corpus/small_floats.smt2")),
];

/// The beginning of the line before each script. The name of the script follows.
const RULE: &str = "; ==== ";

/// All scripts: a name such as `ints/parity`, and the text. Always in the same order.
pub fn scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMED.iter().map(|(name, text)| (name.as_str(), *text))
}

static NAMED: std::sync::LazyLock<Vec<(String, &'static str)>> = std::sync::LazyLock::new(|| {
    let cut = |(theory, text): &(&'static str, &'static str)| {
        let theory = *theory;
        // The first script has no line before its rule.
        let parts = text.strip_prefix(RULE).into_iter().flat_map(|rest| rest.split("\n; ==== "));
        parts
            .filter_map(move |part| part.split_once('\n'))
            .map(move |(name, script)| (format!("{theory}/{name}"), script))
            .collect::<Vec<_>>()
    };
    FILES.iter().flat_map(cut).collect()
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use smt::theory::table;
    use smt::{Head, Logic, Script, TermId, What, read};

    use super::*;
    use crate::seed::Keep;

    fn read_all() -> Vec<(&'static str, Script)> {
        scripts().map(|(name, text)| (name, read(text.as_bytes()).expect(name))).collect()
    }

    #[test]
    fn nothing_is_lost_when_files_are_cut() {
        let rules: usize = FILES.iter().map(|(_, text)| text.matches(RULE).count()).sum();
        assert_eq!(scripts().count(), rules);
        assert!(rules >= 160, "{rules}");
        let names: BTreeSet<&str> = scripts().map(|(name, _)| name).collect();
        assert_eq!(names.len(), rules, "each name is there once");
        assert!(names.contains("ints/parity"));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/-_".contains(c);
        assert!(names.iter().all(|name| name.chars().all(plain)), "{names:?}");
    }

    #[test]
    fn every_script_is_understood() {
        for (name, script) in read_all() {
            assert!(script.opaque.is_empty(), "{name}: {:?}", script.opaque);
            assert!(script.is_lossless(), "{name}");
            assert!(!script.queries().is_empty(), "{name} asks nothing");
            let declared = script.logic().unwrap_or_else(|| panic!("{name} sets no logic"));
            let declared = Logic::named(declared).unwrap_or_else(|| panic!("{name}: {declared} is no logic"));
            let used = Logic::of(&script);
            assert!(declared.holds(used), "{name} uses more than its logic: {used:?}");
        }
    }

    #[test]
    fn every_script_is_a_seed() {
        let texts: Vec<_> = scripts().collect();
        let corpus = crate::seed::Corpus::of_texts(&texts, Keep::Bare);
        let unusable: Vec<&str> = corpus.unusable.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((corpus.seeds.len(), corpus.repeated.len()), (texts.len(), 0), "{unusable:?}");
    }

    #[test]
    fn scripts_are_of_medium_size_and_half_are_satisfiable() {
        let (mut sat, mut all) = (0, 0);
        for (name, script) in read_all() {
            assert!((4..=25).contains(&script.commands.len()), "{name}: {} commands", script.commands.len());
            let status = script.commands.iter().filter_map(|c| match c.what {
                What::SetInfo(key, value) if script.pool.text(key) == ":status" => {
                    Some(script.pool.text(value))
                }
                _ => None,
            });
            for status in status {
                assert!(["sat", "unsat"].contains(&status), "{name}: {status}");
                all += 1;
                sat += usize::from(status == "sat");
            }
        }
        assert!((all * 2 / 5..=all * 3 / 5).contains(&sat), "{sat} of {all}");
    }

    /// Standard operators that are in no script, with the reason.
    const LEFT_OUT: &[(&str, &str)] = &[("nat2bv", "no solver reads it any more")];

    #[test]
    fn every_standard_operator_is_somewhere() {
        let mut seen = BTreeSet::new();
        for (_, script) in read_all() {
            for term in script.pool.all_terms() {
                if let Head::Op(op, _) = script.pool.node(term).head {
                    seen.insert(op);
                }
            }
        }
        let missing: Vec<String> = table()
            .ids()
            .filter(|id| table().op(*id).standard && !seen.contains(id))
            .filter(|id| !LEFT_OUT.iter().any(|(name, _)| *name == table().op(*id).name))
            .map(|id| format!("{} of {:?}", table().op(id).name, table().theory(id)))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
        for (name, why) in LEFT_OUT {
            assert!(table().named(name).iter().all(|id| !seen.contains(id)), "{name} is there: {why}");
        }
    }

    #[test]
    fn every_kind_of_term_and_command_is_somewhere() {
        let mut kinds = BTreeSet::new();
        for (_, script) in read_all() {
            kinds.extend(script.commands.iter().map(|c| word_of_command(c.what)));
            let all: Vec<TermId> = script.pool.all_terms().collect();
            kinds.extend(all.iter().map(|&term| word_of_term(script.pool.node(term).head)));
        }
        for kind in [
            "declare-sort",
            "define-sort",
            "declare-datatypes",
            "define-fun",
            "define-fun-rec",
            "check-sat-assuming",
            "push",
            "pop",
            "reset-assertions",
            "let",
            "forall",
            "exists",
            "lambda",
            "choice",
            "match",
            "annotation",
        ] {
            assert!(kinds.contains(kind), "{kind}");
        }
    }

    fn word_of_command(what: What) -> &'static str {
        match what {
            What::DeclareSort(_) => "declare-sort",
            What::DefineSort(_) => "define-sort",
            What::DeclareDatatypes(..) => "declare-datatypes",
            What::DefineFun(_) => "define-fun",
            What::DefineFunsRec(..) => "define-fun-rec",
            What::CheckSatAssuming(_) => "check-sat-assuming",
            What::Push(_) => "push",
            What::Pop(_) => "pop",
            What::ResetAssertions => "reset-assertions",
            _ => "",
        }
    }

    fn word_of_term(head: Head) -> &'static str {
        match head {
            Head::Let(_) => "let",
            Head::Forall(_) => "forall",
            Head::Exists(_) => "exists",
            Head::Lambda(_) => "lambda",
            Head::Choice(_) => "choice",
            Head::Comprehension(_) => "comprehension",
            Head::Match(_) => "match",
            Head::Annotated(_) => "annotation",
            _ => "",
        }
    }
}

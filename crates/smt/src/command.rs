//! The table of commands: **one row for each command**, with how it is read, what it answers, what it does to later answers, and
//! who reads it.
//!
//! The reader, the printer, whoever prepares a seed and whoever sends a script to a solver read this table. No other file has a
//! list of commands.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::theory::ReleaseNumber;

/// How the arguments of a command are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A formula that must hold.
    Assert,
    /// A formula that should hold, with attributes.
    AssertSoft,
    /// A term that is to be made small or large.
    Optimize,
    /// A name, argument sorts and a result sort.
    DeclareFun,
    /// A name and a sort.
    DeclareConst,
    /// A name, variables, a sort and a body.
    DefineFun,
    /// A name, a sort and a body.
    DefineConst,
    /// A name and a body.
    Define,
    /// A recursive definition.
    DefineFunRec,
    /// Several recursive definitions.
    DefineFunsRec,
    /// A name and a number of arguments.
    DeclareSort,
    /// A name, parameters and a sort.
    DefineSort,
    /// The name of a sort parameter.
    SortParameter,
    /// One datatype.
    Datatype,
    /// One codatatype.
    Codatatype,
    /// Several datatypes.
    Datatypes,
    /// Several codatatypes.
    Codatatypes,
    /// Nothing, or assumptions as z3 takes them here.
    CheckSat,
    /// A list of assumptions.
    CheckSatAssuming,
    /// A tactic.
    CheckSatUsing,
    /// A list of terms.
    GetValue,
    /// One term and attributes.
    Query,
    /// A tactic and attributes.
    Apply,
    /// A simplifier.
    SetSimplifier,
    /// A logic.
    SetLogic,
    /// A keyword and a value.
    SetOption,
    /// A keyword and a value.
    SetInfo,
    /// A number of levels.
    Push,
    /// A number of levels.
    Pop,
    /// Nothing.
    Reset,
    /// Nothing.
    ResetAssertions,
    /// Whatever follows.
    Exit,
    /// Whatever follows is carried along; the command asks and changes nothing.
    Asking,
    /// Whatever follows is carried along; the command declares something.
    Declaring,
    /// Nobody of us understands it.
    Opaque,
}

/// What a solver prints in reply to a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prints {
    /// Nothing.
    Nothing,
    /// `sat`, `unsat` or `unknown`.
    Answer,
    /// Pairs of terms and values.
    Values,
    /// One value.
    Value,
    /// A model.
    Model,
    /// Pairs of names and truth values.
    Assignment,
    /// A list of assumptions.
    Assumptions,
    /// The names in a core.
    Core,
    /// One term.
    Term,
    /// Goals of a tactic.
    Goals,
    /// A proof.
    Proof,
    /// The text that the command has.
    Echo,
    /// Information in a form of its own.
    Information,
}

/// What a command does to the answers of later checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: it asks, or it is a check.
    None,
    /// It declares names.
    Declares,
    /// It changes what is asserted.
    Asserts,
    /// It changes what models are wanted, and no answer.
    Prefers,
    /// It changes how answers are found, and no answer.
    Steers,
    /// It may change what anything means, or reads or writes files.
    Foreign,
}

/// The answer that the last check must have had for a command to have something to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// Any, or none.
    Anything,
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
    /// `unknown`.
    Unknown,
}

/// One command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandRow {
    /// The word it begins with.
    pub word: &'static str,
    /// How its arguments are read.
    pub form: Form,
    /// How it is written; none if wrong arguments make it unknown rather than wrong.
    pub usage: Option<&'static str>,
    /// What a solver prints in reply.
    pub prints: Prints,
    /// What it does to later answers.
    pub effect: Effect,
    /// The answer it needs.
    after: After,
    /// First arguments with which it needs another answer.
    after_with: &'static [(&'static str, After)],
    /// The option without which solvers refuse it.
    pub option: Option<&'static str>,
    /// Solvers that read it, each since a release; none if it is of the standard, and all read it.
    pub readers: Option<&'static [(&'static str, &'static str)]>,
    /// Whether a seed keeps it.
    pub kept: bool,
}

impl CommandRow {
    /// Whether a release of a solver reads it; no release stands for the newest. Of a solver that the row does not name, only
    /// commands of the standard are known to be read.
    pub fn is_read_by(&self, solver: &str, release: Option<ReleaseNumber>) -> bool {
        let reached = |since: &str| match (release, ReleaseNumber::parse(since)) {
            (Some(release), Some(since)) => release >= since,
            _ => true,
        };
        self.readers.is_none_or(|all| all.iter().any(|(name, since)| *name == solver && reached(since)))
    }

    /// Whether it only asks for output and is no check.
    pub fn is_output(&self) -> bool {
        self.effect == Effect::None && !matches!(self.prints, Prints::Nothing | Prints::Answer)
    }

    /// The answer that the last check must have had, if this is the first argument.
    pub fn after(&self, argument: &str) -> After {
        let special = self.after_with.iter().find(|(known, _)| *known == argument);
        special.map_or(self.after, |(_, after)| *after)
    }

    /// Whether it is answered with `sat`, `unsat` or `unknown`.
    pub fn is_check(&self) -> bool {
        self.prints == Prints::Answer
    }

    const fn usage(mut self, usage: &'static str) -> CommandRow {
        self.usage = Some(usage);
        self
    }

    const fn prints(mut self, prints: Prints) -> CommandRow {
        self.prints = prints;
        self
    }

    const fn effect(mut self, effect: Effect) -> CommandRow {
        self.effect = effect;
        self
    }

    const fn needs(mut self, after: After) -> CommandRow {
        self.after = after;
        self
    }

    const fn needs_with(mut self, after: &'static [(&'static str, After)]) -> CommandRow {
        self.after_with = after;
        self
    }

    const fn option(mut self, option: &'static str) -> CommandRow {
        self.option = Some(option);
        self
    }

    const fn only(mut self, readers: &'static [(&'static str, &'static str)]) -> CommandRow {
        self.readers = Some(readers);
        self
    }

    const fn dropped(mut self) -> CommandRow {
        self.kept = false;
        self
    }
}

const fn row(word: &'static str, form: Form) -> CommandRow {
    CommandRow {
        word,
        form,
        usage: None,
        prints: Prints::Nothing,
        effect: Effect::None,
        after: After::Anything,
        after_with: &[],
        option: None,
        readers: None,
        kept: true,
    }
}

/// A command that declares or defines.
const fn declares(word: &'static str, form: Form) -> CommandRow {
    row(word, form).effect(Effect::Declares)
}

/// A command of which we only know its word, and that asks.
const fn asks(word: &'static str, prints: Prints) -> CommandRow {
    row(word, Form::Asking).prints(prints)
}

/// A command that is about more than answers, models and cores. Seeds do not keep it.
const fn beyond(word: &'static str) -> CommandRow {
    asks(word, Prints::Information).dropped()
}

const Z3: &[(&str, &str)] = &[("z3", "0")];
const CVC5: &[(&str, &str)] = &[("cvc5", "0")];

/// Every command, in the order of the words.
pub static COMMANDS: &[CommandRow] = &[
    row("apply", Form::Apply).usage("(apply tactic)").prints(Prints::Goals).only(Z3),
    row("assert", Form::Assert).usage("(assert term)").effect(Effect::Asserts),
    row("assert-soft", Form::AssertSoft)
        .usage("(assert-soft term :weight w :id name)")
        .effect(Effect::Prefers)
        .only(Z3)
        .dropped(),
    row("block-model", Form::Opaque).effect(Effect::Asserts).only(CVC5).dropped(),
    row("block-model-values", Form::Opaque).effect(Effect::Asserts).only(CVC5).dropped(),
    row("check-sat", Form::CheckSat).prints(Prints::Answer),
    row("check-sat-assuming", Form::CheckSatAssuming)
        .usage("(check-sat-assuming (term ..))")
        .prints(Prints::Answer),
    row("check-sat-using", Form::CheckSatUsing)
        .usage("(check-sat-using tactic)")
        .prints(Prints::Answer)
        .only(Z3),
    beyond("check-synth"),
    beyond("dbg-"),
    declares("declare-codatatype", Form::Codatatype).only(CVC5),
    declares("declare-codatatypes", Form::Codatatypes)
        .usage("(declare-codatatypes ((name arity) ..) ((constructor ..) ..))")
        .only(CVC5),
    declares("declare-const", Form::DeclareConst).usage("(declare-const name sort)"),
    declares("declare-datatype", Form::Datatype).usage("(declare-datatype name (constructor ..))"),
    declares("declare-datatypes", Form::Datatypes)
        .usage("(declare-datatypes ((name arity) ..) ((constructor ..) ..))"),
    declares("declare-fun", Form::DeclareFun).usage("(declare-fun name (sort ..) sort)"),
    declares("declare-heap", Form::Declaring).only(CVC5),
    declares("declare-pool", Form::Declaring).only(CVC5).dropped(),
    declares("declare-sort", Form::DeclareSort).usage("(declare-sort name arity)"),
    declares("declare-sort-parameter", Form::SortParameter),
    declares("declare-var", Form::DeclareConst).usage("(declare-var name sort)"),
    declares("define", Form::Define),
    declares("define-const", Form::DefineConst).usage("(define-const name sort term)"),
    declares("define-fun", Form::DefineFun).usage("(define-fun name ((name sort) ..) sort term)"),
    declares("define-fun-rec", Form::DefineFunRec).usage("(define-fun-rec name ((name sort) ..) sort term)"),
    declares("define-funs-rec", Form::DefineFunsRec)
        .usage("(define-funs-rec ((name ((name sort) ..) sort) ..) (term ..))"),
    declares("define-sort", Form::DefineSort).usage("(define-sort name (parameter ..) sort)"),
    beyond("display"),
    asks("echo", Prints::Echo),
    row("eval", Form::Query).usage("(eval term)").prints(Prints::Value).needs(After::Sat).only(Z3),
    row("exit", Form::Exit),
    beyond("find-synth"),
    beyond("find-synth-next"),
    beyond("get-abduct"),
    beyond("get-abduct-next"),
    asks("get-assertions", Prints::Information).option(":produce-assertions"),
    asks("get-assignment", Prints::Assignment).needs(After::Sat).option(":produce-assignments").only(&[
        ("z3", "0"),
        ("cvc5", "0"),
        ("cvc4", "0"),
        ("yices", "0"),
    ]),
    beyond("get-consequences"),
    beyond("get-difficulty"),
    asks("get-info", Prints::Information).needs_with(&[(":reason-unknown", After::Unknown)]).only(&[
        ("z3", "0"),
        ("cvc5", "0"),
        ("cvc4", "0"),
        ("yices", "0"),
    ]),
    beyond("get-interpolant"),
    beyond("get-interpolant-next"),
    beyond("get-interpolants"),
    beyond("get-learned-literals"),
    asks("get-model", Prints::Model).needs(After::Sat).option(":produce-models"),
    beyond("get-model-domain-elements"),
    beyond("get-objectives"),
    asks("get-option", Prints::Information).only(&[
        ("z3", "0"),
        ("cvc5", "0"),
        ("cvc4", "0"),
        ("yices", "0"),
    ]),
    asks("get-proof", Prints::Proof)
        .needs(After::Unsat)
        .option(":produce-proofs")
        .only(&[("z3", "0"), ("cvc5", "0")]),
    beyond("get-proof-graph"),
    beyond("get-qe"),
    beyond("get-qe-disjunct"),
    row("get-timeout-core", Form::Asking).prints(Prints::Answer).only(CVC5).dropped(),
    row("get-timeout-core-assuming", Form::Asking).prints(Prints::Answer).only(CVC5).dropped(),
    asks("get-unsat-assumptions", Prints::Assumptions)
        .needs(After::Unsat)
        .option(":produce-unsat-assumptions")
        // yices refuses its option beside that for cores.
        .only(&[("z3", "0"), ("cvc5", "0"), ("cvc4", "0"), ("bitwuzla", "0")]),
    asks("get-unsat-core", Prints::Core).needs(After::Unsat).option(":produce-unsat-cores"),
    beyond("get-unsat-core-lemmas"),
    beyond("get-user-tactics"),
    row("get-value", Form::GetValue)
        .usage("(get-value (term ..))")
        .prints(Prints::Values)
        .needs(After::Sat)
        .option(":produce-models"),
    beyond("help"),
    beyond("help-tactic"),
    row("include", Form::Opaque).effect(Effect::Foreign).dropped(),
    beyond("labels"),
    row("maximize", Form::Optimize).usage("(maximize term)").effect(Effect::Prefers).only(Z3).dropped(),
    row("meta-info", Form::SetInfo).effect(Effect::Steers).dropped(),
    row("minimize", Form::Optimize).usage("(minimize term)").effect(Effect::Prefers).only(Z3).dropped(),
    beyond("poly/factor"),
    beyond("poly/isolate-roots"),
    row("pop", Form::Pop).usage("(pop number)").effect(Effect::Asserts),
    row("push", Form::Push).usage("(push number)").effect(Effect::Asserts),
    row("reset", Form::Reset).usage("(reset)").effect(Effect::Asserts),
    row("reset-assertions", Form::ResetAssertions).usage("(reset-assertions)").effect(Effect::Asserts),
    row("set-feature", Form::Opaque).effect(Effect::Foreign).dropped(),
    row("set-info", Form::SetInfo).usage("(set-info :keyword value)").effect(Effect::Steers).dropped(),
    row("set-logic", Form::SetLogic).usage("(set-logic name)").effect(Effect::Steers),
    row("set-option", Form::SetOption).usage("(set-option :keyword value)").effect(Effect::Steers),
    row("set-simplifier", Form::SetSimplifier)
        .usage("(set-simplifier simplifier)")
        .effect(Effect::Steers)
        .only(&[("z3", "4.12.0")]),
    row("simplify", Form::Query)
        .usage("(simplify term)")
        .prints(Prints::Term)
        .only(&[("z3", "0"), ("cvc5", "0")]),
];

/// The rows by their words. Every command of every script is looked up, and a search among all words takes several comparisons.
static BY_WORD: LazyLock<FxHashMap<&str, &CommandRow>> =
    LazyLock::new(|| COMMANDS.iter().map(|row| (row.word, row)).collect());

/// The row of a command; none if there is no such command.
pub fn command(word: &str) -> Option<&'static CommandRow> {
    let word = if word.starts_with("dbg-") { "dbg-" } else { word };
    BY_WORD.get(word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_found() {
        assert!(COMMANDS.is_sorted_by(|one, two| one.word < two.word));
        for row in COMMANDS {
            assert_eq!(command(row.word), Some(row));
        }
        assert_eq!(command("dbg-sexpr").map(|row| row.word), Some("dbg-"));
        assert_eq!(command("check"), None);
    }

    #[test]
    fn what_is_read_depends_on_solver_and_release() {
        let reads = |word: &str, solver, release: &str| {
            command(word).expect(word).is_read_by(solver, ReleaseNumber::parse(release))
        };
        for (word, solver, release, expected) in [
            ("assert", "mine", "", true),
            ("check-sat-using", "z3", "4.8.7", true),
            ("check-sat-using", "cvc5", "1.4.2", false),
            ("set-simplifier", "z3", "4.8.17", false),
            ("set-simplifier", "z3", "5.4.0", true),
            ("set-simplifier", "z3", "", true),
            ("simplify", "cvc5", "1.4.2", true),
            ("simplify", "yices", "2.6.5", false),
            ("get-assignment", "bitwuzla", "0.9.1", false),
            ("eval", "mine", "", false),
        ] {
            assert_eq!(reads(word, solver, release), expected, "{word} {solver} {release}");
        }
    }

    #[test]
    fn what_is_needed_depends_on_the_first_argument() {
        for (word, argument, expected) in [
            ("get-info", ":reason-unknown", After::Unknown),
            ("get-info", ":all-statistics", After::Anything),
            ("get-value", ":reason-unknown", After::Sat),
            ("get-proof", "", After::Unsat),
        ] {
            assert_eq!(command(word).expect(word).after(argument), expected, "{word} {argument}");
        }
    }

    #[test]
    fn what_asks_changes_nothing() {
        for row in COMMANDS {
            assert!(!row.is_output() || row.effect == Effect::None, "{}", row.word);
            assert!(row.after == After::Anything || row.is_output(), "{}", row.word);
        }
    }
}

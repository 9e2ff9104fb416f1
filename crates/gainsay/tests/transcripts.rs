//! What solvers print when they fail, in their own style, and what each must be taken for.

use std::time::Duration;

use gainsay::solver::process::reply::Part;
use gainsay::solver::process::signs::signs;
use gainsay::solver::{AskMode, Ending, Outcome, Profile, Reply, Run, SignKind};

fn run(solver: &str, output: &str, ending: Ending) -> Run {
    let mut reply = Reply::default();
    reply.take(output, Part::Script);
    let signs = signs(&Profile::named(solver).expect("a profile"), &reply, ending);
    Run {
        way: AskMode::Fresh,
        reply,
        ending,
        earlier: None,
        signs,
        cut_short: false,
        wall: Duration::ZERO,
        cpu: None,
        peak: None,
    }
}

/// Solver, output, ending; then outcome, file and line.
type Row = (&'static str, &'static str, Ending, Outcome, Option<&'static str>, Option<u32>);

#[test]
fn transcripts_are_classified() {
    let abort = Ending::Killed(6);
    let rows: &[Row] = &[
        (
            "z3",
            "ASSERTION VIOLATION\nFile: ../src/ast/made_up.cpp\nLine: 77\nm_size > 0\n(C)ontinue, (A)bort, (S)top\n",
            Ending::Exited(114),
            Outcome::Crashed,
            Some("../src/ast/made_up.cpp"),
            Some(77),
        ),
        (
            "z3",
            "sat\nASSERTION VIOLATION\nFile: ../src/a.cpp\nLine: 5\nUNEXPECTED CODE WAS REACHED.\n",
            Ending::Exited(114),
            Outcome::Crashed,
            Some("../src/a.cpp"),
            Some(5),
        ),
        // A name with "memory" in it is no want of memory.
        (
            "z3",
            "ASSERTION VIOLATION\nFile: ../src/util/memory_manager.cpp\nLine: 9\nout of memory\n",
            Ending::Exited(114),
            Outcome::Crashed,
            Some("../src/util/memory_manager.cpp"),
            Some(9),
        ),
        (
            "z3",
            "sat\n(error \"line 7 column 10: an invalid model was generated\")\n",
            Ending::Exited(1),
            Outcome::SelfCheck,
            None,
            None,
        ),
        ("z3", "(error \"out of memory\")\n", Ending::Exited(101), Outcome::OutOfMemory, None, None),
        (
            "z3",
            "(error \"line 3 column 9: unknown constant out of memory x\")\nsat\n",
            Ending::Exited(1),
            Outcome::Rejected,
            None,
            None,
        ),
        ("z3", "timeout\n", Ending::Exited(0), Outcome::TimedOut, None, None),
        (
            "z3",
            "unsupported\n; ignoring unsupported logic QF_XYZ line: 1 position: 0\nsat\n",
            Ending::Exited(0),
            Outcome::Answered,
            None,
            None,
        ),
        ("z3", "", Ending::Killed(11), Outcome::Crashed, None, None),
        ("z3", "Failed to verify: m_util.is_numeral(x)\n", Ending::Exited(114), Outcome::Crashed, None, None),
        (
            "cvc5",
            "Fatal failure within void cvc5::internal::Made::up(bool) at src/theory/made_up.cpp:2283\nCheck failure\n\n d_x == d_y\n",
            abort,
            Outcome::Crashed,
            Some("src/theory/made_up.cpp"),
            Some(2283),
        ),
        (
            "cvc4",
            "sat\nFatal failure within void CVC4::SmtEngine::checkModel(bool) at /src/smt/smt_engine.cpp:1677\n\
             Internal error detectedSmtEngine::checkModel(): ERRORS SATISFYING ASSERTIONS WITH MODEL:\nAborted\n",
            abort,
            Outcome::SelfCheck,
            None,
            None,
        ),
        (
            "cvc4",
            "unsat\nCVC4 suffered a segfault.\nOffending address is 0x7f0000000000\nAborted\n",
            abort,
            Outcome::Crashed,
            None,
            None,
        ),
        (
            "cvc4",
            "Fatal failure within CVC4::Made::up() at /src/theory/fp/fp.cpp:1\nUnimplemented code encountered: dependent on SymFPU\n",
            abort,
            Outcome::Rejected,
            None,
            None,
        ),
        (
            "cvc4",
            "Fatal failure within CVC4::Made::up() at ./src/util/float.cpp:1\nUnreachable code reachedno concrete implementation of FloatingPointLiteral\n",
            abort,
            Outcome::Rejected,
            None,
            None,
        ),
        ("cvc5", "cvc5 interrupted by timeout.\n", Ending::Exited(134), Outcome::TimedOut, None, None),
        (
            "cvc5",
            "(error \"Parse Error: a.smt2:3.9: Symbol 'foo' not declared as a variable\")\n",
            Ending::Exited(1),
            Outcome::Rejected,
            None,
            None,
        ),
        (
            "any",
            "==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n",
            Ending::Exited(1),
            Outcome::Crashed,
            None,
            None,
        ),
        (
            "any",
            "src/x.cpp:12:3: runtime error: signed integer overflow\nsat\n",
            Ending::Exited(0),
            Outcome::Crashed,
            Some("src/x.cpp"),
            Some(12),
        ),
        (
            "any",
            "mysolver: src/y.c:99: void f(int): Assertion `a < b' failed.\n",
            abort,
            Outcome::Crashed,
            Some("src/y.c"),
            Some(99),
        ),
        (
            "any",
            "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
            abort,
            Outcome::OutOfMemory,
            None,
            None,
        ),
        (
            "any",
            "thread 'main' panicked at src/main.rs:10:5:\nindex out of bounds\n",
            Ending::Exited(101),
            Outcome::Crashed,
            Some("src/main.rs"),
            Some(10),
        ),
        (
            "yices",
            "(error \"at line 4, column 141: undefined term: foo\")\n",
            Ending::Exited(0),
            Outcome::Rejected,
            None,
            None,
        ),
    ];
    for (solver, output, ending, outcome, file, line) in rows {
        let run = run(solver, output, *ending);
        assert_eq!(run.outcome(), *outcome, "{solver}: {output}\n{:?}", run.signs);
        if let Some(file) = file {
            let sign = run.signs.iter().find(|s| s.file.is_some()).expect("a sign with a file");
            assert_eq!((sign.file.as_deref(), sign.line), (Some(*file), *line), "{output}");
        }
    }
}

/// An experiment: `GAINSAY_TRANSCRIPTS=DIR` prints what each file in it, named SOLVER-…, is taken for.
#[test]
fn transcripts_from_elsewhere() {
    let Some(dir) = std::env::var_os("GAINSAY_TRANSCRIPTS") else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a file")).into_owned();
        // How the process ended is not in a transcript.
        let run = run(name.split('-').next().expect("a first part"), &text, Ending::Exited(0));
        let sign = run.signs.first();
        let place = sign.and_then(|s| Some(format!("{}:{}", s.file.as_ref()?.rsplit('/').next()?, s.line?)));
        let kind = sign.map_or(String::new(), |s: &gainsay::solver::Sign| format!("{:?}", s.kind));
        println!(
            "{name:20} {:12?} {kind:10} {} {:?}",
            run.outcome(),
            place.unwrap_or_default(),
            sign.map(|s| &s.text)
        );
        assert!(!run.has(SignKind::Time), "{name}");
    }
}

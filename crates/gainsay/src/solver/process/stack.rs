//! Stacks that sanitizers print: where in the solver's own source it happened, whatever the addresses.

/// Frames that are kept of a stack.
const KEPT: usize = 8;

/// Where a sanitizer's report says it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What happened, and in which function: `heap-use-after-free in core::f(int)`.
    pub text: String,
    /// The source file.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The first frames of the solver's own, as `function file:line`.
    pub frames: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    function: String,
    /// File and line, or the module.
    place: String,
}

/// Reads a sanitizer's report; none if it says neither what happened nor where.
pub fn report(text: &str) -> Option<Report> {
    let what = what(text)?;
    let own = frames(text);
    let is_leak = what.contains("leak");
    let of_interest = |frame: &&Frame| {
        !is_leak || !["alloc", "operator new"].iter().any(|word| frame.function.contains(word))
    };
    let at = match what.as_str() {
        // It may run out anywhere: what calls itself tells more than where it ended.
        "stack-overflow" => most_frequent(&own),
        _ => own.iter().find(of_interest).cloned(),
    };
    let at = at.or_else(|| summary(text)).unwrap_or(Frame { function: String::new(), place: String::new() });
    let (file, line) = located(&at.place);
    let inside = if at.function.is_empty() { String::new() } else { format!(" in {}", at.function) };
    let words = |frame: &Frame| match located(&frame.place) {
        (Some(file), Some(line)) => format!("{} {file}:{line}", frame.function),
        _ => frame.function.clone(),
    };
    let shown = own.iter().map(words).take(KEPT).collect();
    Some(Report { text: format!("{what}{inside}"), file, line, frames: shown })
}

/// A message without what differs from run to run: addresses, numbers of processes and threads.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let starts_word = !out.ends_with(|c: char| c.is_ascii_alphanumeric());
        let counted = |before: &str, is: fn(char) -> bool| {
            let after = rest.strip_prefix(before).filter(|_| starts_word)?;
            let end = after.find(|c| !is(c)).unwrap_or(after.len());
            (end > 0).then(|| &after[end..])
        };
        let hex = |c: char| c.is_ascii_hexdigit();
        let digit = |c: char| c.is_ascii_digit();
        if let Some(after) = counted("0x", hex) {
            out.push_str("0x…");
            rest = after;
        } else if let Some(after) = counted("==", digit).and_then(|after| after.strip_prefix("==")) {
            rest = after;
        } else if let Some((word, after)) =
            ["thread T", "pid=", "pid ", "tid="].iter().find_map(|word| Some((word, counted(word, digit)?)))
        {
            out.push_str(word);
            out.push('…');
            rest = after;
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out.trim().to_owned()
}

/// The word for what happened: `heap-use-after-free`, `memory leak`.
fn what(text: &str) -> Option<String> {
    let said = text.lines().find_map(|line| {
        let (before, said) = line.split_once("Sanitizer: ")?;
        ["ERROR: ", "WARNING: ", "SUMMARY: "].iter().any(|word| before.contains(word)).then_some(said)
    })?;
    let said = said.trim();
    if said.contains("leak") {
        return Some("memory leak".to_owned());
    }
    // What follows says where.
    let ends = [" on ", " at ", " (", " /", " ..", " in "];
    let end = ends.iter().filter_map(|word| said.find(word)).min().unwrap_or(said.len());
    let word = said[..end].split_whitespace().take_while(|w| located(w).0.is_none()).collect::<Vec<_>>();
    Some(plain(word.join(" ").trim_end_matches(':'))).filter(|word| !word.is_empty())
}

/// The frames of the first stack that are neither the sanitizer's nor the library's.
fn frames(text: &str) -> Vec<Frame> {
    let mut all = Vec::new();
    let mut next = 0;
    for line in text.lines() {
        let Some((number, rest)) = line.trim_start().strip_prefix('#').and_then(|l| l.split_once(' ')) else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else { continue };
        if number < next {
            // Another stack: who freed it, who allocated it.
            break;
        }
        next = number + 1;
        if let Some(frame) = frame(rest).filter(is_own) {
            all.push(frame);
        }
    }
    all
}

/// `0xd1b304 in smt::f(expr*) ../src/smt/f.cpp:12:3`
fn frame(text: &str) -> Option<Frame> {
    let (_, text) =
        text.trim().split_once(" in ").or_else(|| Some(("", text)).filter(|_| !text.starts_with("0x")))?;
    let text = text.split(" (BuildId").next().unwrap_or(text).trim();
    // Behind a place in the source the module says nothing more.
    let text = match text.rsplit_once(' ') {
        Some((before, module)) if module.starts_with('(') && module.contains("+0x") => {
            let placed = before.rsplit(' ').next().is_some_and(|place| located(place).0.is_some());
            if placed { before } else { text }
        }
        _ => text,
    };
    let (function, place) = match text.rsplit_once(' ') {
        Some((function, place)) if located(place).0.is_some() || place.starts_with('(') => (function, place),
        _ => (text, ""),
    };
    Some(Frame { function: function.trim().to_owned(), place: place.to_owned() })
}

fn is_own(frame: &Frame) -> bool {
    const FUNCTIONS: &[&str] = &[
        "__asan",
        "__ubsan",
        "__lsan",
        "__msan",
        "__tsan",
        "__sanitizer",
        "__interceptor",
        "__libc",
        "__GI_",
        "__cxa",
        "__gnu_cxx",
        "_start",
        "std::",
        "void std::",
        "operator new",
        "operator delete",
        "malloc",
        "calloc",
        "realloc",
        "free",
        "abort",
        "raise",
        "memcpy",
        "memmove",
        "memset",
        "memcmp",
        "strlen",
        "start_thread",
        "clone",
    ];
    const PLACES: &[&str] = &[
        "libsanitizer",
        "compiler-rt",
        "libasan",
        "libubsan",
        "libc.so",
        "libstdc++",
        "libpthread",
        "/usr/include/",
        "/sysdeps/",
    ];
    let whole = |word: &str| {
        let rest = frame.function.strip_prefix(word);
        rest.is_some_and(|r| {
            word.ends_with(':') || word.starts_with("__") || r.is_empty() || r.starts_with(['(', '[', ' '])
        })
    };
    !FUNCTIONS.iter().any(|word| whole(word)) && !PLACES.iter().any(|word| frame.place.contains(word))
}

/// The file and line of `../src/f.cpp:12:3`.
fn located(place: &str) -> (Option<String>, Option<u32>) {
    let parts: Vec<&str> = place.split(':').collect();
    let number = |text: &str| text.parse::<u32>().ok();
    match parts.as_slice() {
        [file, line] | [file, line, _] if !file.is_empty() && !file.starts_with('(') => match number(line) {
            Some(line) => (Some((*file).to_owned()), Some(line)),
            None => (None, None),
        },
        _ => (None, None),
    }
}

/// `SUMMARY: AddressSanitizer: SEGV ../src/f.cpp:12 in core::f(int)`
fn summary(text: &str) -> Option<Frame> {
    let line = text.lines().find(|line| line.starts_with("SUMMARY: "))?;
    let (before, function) = line.split_once(" in ")?;
    let place = before.split_whitespace().next_back().unwrap_or_default();
    let place = if located(place).0.is_some() { place } else { "" };
    let function = function.split(" (").next().unwrap_or(function).trim();
    // Of a leak: in 3 allocation(s).
    (!function.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| Frame { function: plain(function), place: place.to_owned() })
}

fn most_frequent(frames: &[Frame]) -> Option<Frame> {
    let count = |frame: &Frame| frames.iter().filter(|other| other.function == frame.function).count();
    let best = frames.iter().max_by_key(|frame| (count(frame), std::cmp::Reverse(&frame.function)))?;
    Some(Frame { function: best.function.clone(), place: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "    #0 0x7f10 in __interceptor_memcpy (/usr/lib/libasan.so.6+0x1)
    #1 0x55d1 in std::vector<int>::at(unsigned long) /usr/include/c++/12/bits/stl_vector.h:9
    #2 0x55d2 in nla::core::f(int, expr*) const ../src/math/core.cpp:123:7
    #3 0x55d3 in main ../src/main.cpp:9
    #4 0x7f11 in __libc_start_main (/lib/libc.so.6+0x20) (BuildId: 0a1b)

freed by thread T0 here:
    #0 0x7f12 in other() ../src/other.cpp:1
";

    #[test]
    fn triggers_of_one_fault_are_at_one_place() {
        let error = |pid: u32, address: &str, thread: u32| {
            format!(
                "=====\n=={pid}==ERROR: AddressSanitizer: heap-use-after-free on address {address} at pc 0x1 bp 0x2 sp 0x3\n\
                 READ of size 8 at {address} thread T{thread}\n{STACK}\nSUMMARY: AddressSanitizer: heap-use-after-free"
            )
        };
        let one = report(&error(42, "0x60d0000cc5c8", 0)).expect("a report");
        assert_eq!(one.text, "heap-use-after-free in nla::core::f(int, expr*) const");
        assert_eq!((one.file.as_deref(), one.line), (Some("../src/math/core.cpp"), Some(123)));
        assert_eq!(one.frames[1..], ["main ../src/main.cpp:9".to_owned()]);
        assert_eq!(one.frames.len(), 2, "{one:?}");
        assert_eq!(one, report(&error(4711, "0x11", 69)).expect("a report"));
    }

    #[test]
    fn what_reports_say() {
        let rows = [
            (
                "SUMMARY: AddressSanitizer: SEGV ../src/f.cpp:12:3 in core::f(int)",
                "SEGV in core::f(int)",
                Some(12),
            ),
            ("SUMMARY: AddressSanitizer: SEGV (/bin/z3+0x12) in core::f(int)", "SEGV in core::f(int)", None),
            ("SUMMARY: AddressSanitizer: 24 byte(s) leaked in 1 allocation(s).", "memory leak", None),
            (
                "==1==ERROR: LeakSanitizer: detected memory leaks\n    #0 0x1 in malloc (/libasan.so)\n    #1 0x2 in \
                 memory::allocate(unsigned long) ../src/m.cpp:2\n    #2 0x3 in core::g() ../src/g.cpp:3",
                "memory leak in core::g()",
                Some(3),
            ),
            (
                "==1==ERROR: AddressSanitizer: stack-overflow on address 0x7 (pc 0x1)\n    #0 0x1 in leaf() a.cpp:1\n    \
                 #1 0x2 in walk(expr*) a.cpp:2\n    #2 0x2 in walk(expr*) a.cpp:3",
                "stack-overflow in walk(expr*)",
                None,
            ),
            (
                "WARNING: ThreadSanitizer: data race (pid=123)\n    #0 core::h() ../src/h.cpp:4 (z3+0x1)",
                "data race in core::h()",
                Some(4),
            ),
        ];
        for (text, expected, line) in rows {
            let report = report(text).expect(text);
            assert_eq!((report.text.as_str(), report.line), (expected, line), "{text}");
        }
        assert_eq!(report("sat"), None);
    }

    #[test]
    fn addresses_and_numbers_of_processes_go() {
        for (text, expected) in [
            ("==12==ERROR: bad at 0x60d0 thread T3 (pid=77)", "ERROR: bad at 0x… thread T… (pid=…)"),
            ("index 12 of 0xor", "index 12 of 0xor"),
            ("rapid 3 == 4", "rapid 3 == 4"),
            ("a.cpp:12", "a.cpp:12"),
        ] {
            assert_eq!(plain(text), expected);
        }
    }
}

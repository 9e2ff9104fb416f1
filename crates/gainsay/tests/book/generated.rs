//! Lists in the book are those of the code, and manuals and completions are written.

use super::place::{Place, text};
use super::root;

/// Compares the block below a mark with what the program says, or writes it there if `GAINSAY_WRITE` is set.
fn compare(chapter: &str, mark: &str, expected: &str) {
    let place = root().join("docs/book/src").join(chapter);
    let text = std::fs::read_to_string(&place).expect("readable");
    let head = format!("<!-- {mark} -->\n\n");
    let (before, rest) = text.split_once(&head).unwrap_or_else(|| panic!("{chapter}: no {head}"));
    let end = "<!-- end -->";
    let (now, after) = rest.split_once(end).unwrap_or_else(|| panic!("{chapter}: no {end}"));
    let expected = format!("{}\n\n", expected.trim_end());
    if now != expected && std::env::var_os("GAINSAY_WRITE").is_some() {
        std::fs::write(&place, format!("{before}{head}{expected}{end}{after}")).expect("writable");
        return;
    }
    assert!(now == expected, "{chapter}: run this test with GAINSAY_WRITE=1 to write:\n{expected}");
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|g| str::from_utf8(g).expect("digits")).collect();
    groups.join(",")
}

#[test]
fn what_is_generated_is_what_the_code_says() {
    let place = Place::new("book-config");
    let keys = text(&place.gainsay(&["config"]).stdout);
    compare("configuration.md", "gainsay config", &format!("```text\n{}\n```", keys.trim_end()));
    let table = |head: &str, rows: Vec<String>| format!("{head}\n{}", rows.join("\n"));
    let rows = gainsay::judge::oracle::ORACLES.iter().map(|o| {
        let when = if o.usual { "by default" } else { "on request" };
        format!("| `{}` | {} | {when} |", o.name, o.about)
    });
    compare(
        "evidence.md",
        "ORACLES",
        &table("| oracle | complains of | judges |\n|---|---|---|", rows.collect()),
    );
    let budgets = gainsay::judge::Budget::named();
    let rows = gainsay::judge::BOUNDED_WAYS.iter().map(|way| {
        let cells = budgets.iter().map(|(_, budget)| format!(" {} |", grouped(way.of(budget))));
        format!("| {} | {} | `{}` |{}", way.way, way.about, way.unit, cells.collect::<Vec<_>>().concat())
    });
    let names = budgets.iter().map(|(name, _)| format!(" `{name}` |")).collect::<Vec<_>>().concat();
    let head =
        format!("| way | what is done | counted in |{names}\n|---|---|---|{}", "---|".repeat(budgets.len()));
    compare("evidence.md", "WAYS", &table(&head, rows.collect()));
    let rows = gainsay::strategy::STRATEGIES
        .iter()
        .map(|s| format!("| [`{}`](strategy-{}.md) | {} |", s.name, s.name, s.about));
    compare("strategies.md", "STRATEGIES", &table("| strategy | makes |\n|---|---|", rows.collect()));
    let rows = gainsay::reduce::PASSES.iter().map(|p| format!("| `{}` | {} |", p.name, p.about));
    compare("reduce.md", "PASSES", &table("| pass | does |\n|---|---|", rows.collect()));
    let rows = gainsay::report::REPORTS.iter().map(|r| format!("| `{}` | {} |", r.name, r.about));
    compare("report.md", "REPORTS", &table("| `--as` | writes |\n|---|---|", rows.collect()));
}

#[test]
fn shells_complete_and_a_manual_is_written() {
    let place = Place::new("book-shells");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = place.gainsay(&["completions", shell]);
        let script = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(script.contains("hunt") && script.contains("solver-seed"), "{shell}: {script}");
        assert!(!script.contains("supervise"), "{shell}: what only we start is not completed");
    }
    assert_eq!(place.gainsay(&["completions", "csh"]).status.code(), Some(2));
    let page = text(&place.gainsay(&["man"]).stdout);
    assert!(page.contains(".TH gainsay 1") && page.contains("hunt") && !page.contains("supervise"), "{page}");
    assert_eq!(place.gainsay(&["man", "--to", "pages"]).status.code(), Some(0));
    let hunt = std::fs::read_to_string(place.0.join("pages/gainsay-hunt.1")).expect("a page for hunt");
    assert!(hunt.contains("solver\\-seed"), "{hunt}");
    assert!(!place.0.join("pages/gainsay-drive.1").exists());
}

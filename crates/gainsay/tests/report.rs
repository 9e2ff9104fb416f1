//! Reports, end to end: a campaign with planted faults becomes a page that a real browser shows, filters and opens.

mod place;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use place::{Place, text};
use serde_json::Value;

/// A campaign with crashes and wrong answers.
fn campaign(place: &Place) {
    let seeds = [
        (
            "a",
            "(declare-const a (_ BitVec 4))(declare-const p Bool)(assert (=> p (= (bvmul a #x3) #x9)))(assert p)(check-sat)",
        ),
        ("b", "(declare-const b (_ BitVec 4))(assert (bvult (bvudiv b #x2) #x3))(check-sat)"),
        (
            "c",
            "(declare-const q Bool)(assert (! (or q (not q)) :named |<script>alert(1)</script>|))(assert (xor q true))(check-sat)",
        ),
    ];
    std::fs::create_dir_all(place.0.join("seeds")).expect("writable");
    for (name, text) in seeds {
        std::fs::write(place.0.join(format!("seeds/{name}.smt2")), text).expect("writable");
    }
    let faulty = "fake:honest,when=bvmul,unsat-for-sat,when=bvudiv,segv,when=xor,wrong-model";
    let hunt = [
        "hunt",
        "seeds",
        "--with",
        "seeds",
        "--seed",
        "1",
        "--timeout",
        "20",
        "--jobs",
        "1",
        "--solver",
        faulty,
    ];
    let output = place.gainsay(&[&hunt[..], &["--solver", "fake:honest"]].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
}

fn told(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn a_campaign_is_written_down_in_every_way() {
    let place = Place::new("report-ways");
    campaign(&place);
    let report = |kind: &str| {
        let output = place.gainsay(&["report", "--as", kind, "-o", "-"]);
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", told(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let json: Value = serde_json::from_str(&report("json")).expect("JSON");
    let found = json["findings"].as_array().expect("a list");
    assert_eq!(found.len(), 3, "{json:#}");
    assert_eq!(found[0]["found"]["kind"], "soundness", "the worst first");
    assert!(json["course"][0]["turns"].as_u64() >= Some(1), "{json:#}");
    assert_eq!(json["turns"]["seeds"], 3);
    let csv = report("csv");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.starts_with("id,kind,against,"), "{csv}");
    let sarif: Value = serde_json::from_str(&report("sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(3), "{sarif:#}");
    let junit = report("junit");
    assert!(junit.contains("tests=\"3\" skipped=\"0\" failures=\"3\""), "{junit}");
    balanced(junit.split_once("?>").expect("a head").1);
    let issues = report("issue");
    assert_eq!(issues.matches("\n---\n").count(), 2, "{issues}");
    let output = place.gainsay(&["report", "--as", "issue", "-o", "texts"]);
    assert_eq!(text(&output.stdout).lines().count(), 4, "{}", told(&output));
    let list = std::fs::read_to_string(place.0.join("texts/README.md")).expect("a list");
    let links: Vec<&str> = list.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert_eq!(links.len(), 3, "{list}");
    for link in links {
        assert!(place.0.join("texts").join(link).is_file(), "{link}");
    }
    let html = report("html");
    assert!(!html.contains("<script>alert"), "what a seed holds is text");
    assert!(html.contains("&lt;script&gt;alert(1)"), "and is shown");
    let output = place.gainsay(&["report", "--as", "htm"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("there are html, json"), "{}", told(&output));
    let help = told(&place.gainsay(&["report", "--help"]));
    for name in ["html", "json", "csv", "junit", "sarif", "issue"] {
        assert!(help.contains(name), "{name} in {help}");
    }
    let output = place.gainsay(&["report", "--store", "nowhere"]);
    assert_ne!(output.status.code(), Some(0));
}

/// Debian's browser, or another of its kind.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find_map(|name| places.iter().map(|place| place.join(name)).find(|file| file.is_file()))
}

/// What a browser makes of a page: its document at the end, and what it complained of.
fn shown(browser: &Path, profile: &Path, page: &Path, more: &[&str]) -> (String, String) {
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ])
        .args([
            "--window-size=1200,1600",
            "--virtual-time-budget=4000",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(more)
        .arg(format!("file://{}", page.display()))
        .env("HOME", profile)
        .output()
        .expect("it starts");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// What a person would do, and what is seen then.
const PERSON: &str = r##"
<script>
const seen = {};
const rows_shown = () => [...document.querySelectorAll("#findings tbody tr")].filter((r) => r.offsetParent !== null).length;
const set = (name, value) => {
  const field = document.querySelector(`#filters [name=${name}]`);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
seen.all = rows_shown();
set("kind", "crash");
seen.crashes = rows_shown();
seen.crash_details = [...document.querySelectorAll("details.finding")].filter((d) => !d.hidden).length;
set("kind", "");
set("text", "(BVMUL");
seen.text = rows_shown();
set("text", "no such thing");
seen.none = rows_shown();
seen.told = document.querySelector("#told").textContent;
set("text", "");
set("theory", "BitVectors");
seen.vectors = rows_shown();
set("theory", "");
const bytes = [...document.querySelectorAll("#findings th")].find((h) => h.textContent === "bytes");
bytes.querySelector("button").click();
const sizes = () => [...document.querySelectorAll("#findings tbody tr")].map((r) => Number(r.children[5].textContent));
const up = sizes();
seen.sorted = up.every((n, i) => i === 0 || up[i - 1] <= n);
bytes.querySelector("button").click();
const down = sizes();
seen.turned = down.every((n, i) => i === 0 || down[i - 1] >= n);
seen.plots = document.querySelectorAll(".plots svg").length;
seen.drawn = [...document.querySelectorAll(".plots svg")].every((s) => s.getBoundingClientRect().width > 100);
seen.closed = document.querySelectorAll("details.finding[open]").length;
document.querySelector("#findings tbody tr a").click();
setTimeout(() => {
  seen.opened = document.querySelectorAll("details.finding[open]").length;
  seen.formula = document.querySelector("details.finding[open] pre.smt span.o").textContent;
  seen.wide = document.documentElement.scrollWidth <= innerWidth;
  seen.errors = window.errors;
  const result = document.createElement("pre");
  result.id = "seen";
  result.textContent = JSON.stringify(seen);
  document.body.append(result);
}, 300);
</script>"##;

#[test]
fn a_browser_shows_filters_and_opens() {
    let Some(browser) = browser() else {
        let required = std::env::var("GAINSAY_REQUIRE").unwrap_or_default();
        assert!(!required.contains("browser"), "there is no chromium on the path");
        eprintln!("skipped: there is no chromium on the path");
        return;
    };
    let place = Place::new("report-browser");
    campaign(&place);
    let output = place.gainsay(&["report", "-o", "page"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let page = place.0.join("page/index.html");
    let html = std::fs::read_to_string(&page).expect("written");
    // As it is: nothing to complain of.
    let profile = place.0.join("profile");
    let (document, complaints) = shown(&browser, &profile, &page, &[]);
    assert!(document.contains("class=\"scripted\""), "its script ran: {complaints}");
    let console: Vec<&str> = complaints.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:#?}");
    // With a person at it.
    let errors = "<head><script>window.errors = []; addEventListener(\"error\", (e) => errors.push(e.message));</script>";
    let tried = html.replacen("<head>", errors, 1).replacen("</body>", &format!("{PERSON}</body>"), 1);
    let copy = place.0.join("page/tried.html");
    std::fs::write(&copy, tried).expect("writable");
    let (document, complaints) = shown(&browser, &profile, &copy, &[]);
    let seen = document.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.unwrap_or_else(|| panic!("nothing seen: {complaints}")).replace("&quot;", "\"");
    let seen: Value = serde_json::from_str(&seen).unwrap_or_else(|e| panic!("{e}: {seen}"));
    let expected = serde_json::json!({
        "all": 3, "crashes": 1, "crash_details": 1, "text": 1, "none": 0, "told": "0 of 3 shown", "vectors": 2,
        "sorted": true, "turned": true, "plots": 3, "drawn": true, "closed": 0, "opened": 1, "formula": "declare-const",
        "wide": true, "errors": [],
    });
    assert_eq!(seen, expected, "{seen:#}");
}

/// Without a script everything but the filters is there.
#[test]
fn the_page_reads_without_scripts() {
    let place = Place::new("report-plain");
    campaign(&place);
    let html = String::from_utf8(place.gainsay(&["report", "-o", "-"]).stdout).expect("text");
    assert_eq!(html.matches("<details class=\"finding\"").count(), 3);
    for part in [
        "Why this can be trusted",
        "Who says what",
        "As an issue",
        "How it came to be",
        "<svg",
        "@media (prefers-color-scheme: dark)",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("http://") || !html.contains("src=\"http"), "nothing comes from the network");
    balanced(&html);
}

/// What `evolve` keeps is a campaign like any other: its page has its plots and tables, its JSON their figures.
#[test]
fn a_study_of_releases_has_its_plots_on_the_page() {
    let place = Place::new("report-evolve");
    let study = ["evolve", "fake:honest", "fake:honest,when=not,segv", "--reference", "fake:honest"];
    let size = ["--grammar", "Core", "--count", "20", "--timeout", "5s", "--store", "study", "--jobs", "1"];
    let output = place.gainsay(&[&study[..], &size].concat());
    assert_eq!(output.status.code(), Some(10), "{}", told(&output));
    let report = |kind: &str| {
        let output = place.gainsay(&["report", "--store", "study", "--as", kind, "-o", "-"]);
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", told(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let html = report("html");
    for part in
        ["<h2 id=\"evolution\"", "triggers by release, theory and kind", "throughput", "same as tables"]
    {
        assert!(html.contains(part), "{part}");
    }
    balanced(&html);
    let json: Value = serde_json::from_str(&report("json")).expect("JSON");
    assert_eq!(json["evolution"]["releases"].as_array().map(Vec::len), Some(2), "{:#}", json["evolution"]);
}

/// Every element that is opened is closed, in order.
fn balanced(html: &str) {
    const EMPTY: &[&str] = &["meta", "link", "input", "br", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
            // What is inside these is no markup.
            if matches!(name, "script" | "style") {
                let close = format!("</{name}>");
                rest = &rest[rest.find(&close).expect("closed")..];
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

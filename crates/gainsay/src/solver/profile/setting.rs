//! Settings: options, tactics and simplifiers that are worth testing, as a profile or a file of the user's own lists them.

use serde::{Deserialize, Deserializer, Serialize, de};
use smt::sexpr::{Extent, extent};

use crate::solver::release::Release;

/// What comes before a tactic among the options of a solver.
pub const TACTIC: &str = "tactic:";
/// What comes before a simplifier among the options of a solver.
pub const SIMPLIFIER: &str = "simplifier:";

/// Whether an option is a tactic or a simplifier, which changes the script and is no word of the command line.
pub fn is_text_setting(option: &str) -> bool {
    option.starts_with(TACTIC) || option.starts_with(SIMPLIFIER)
}

/// The options that are words of the command line.
pub fn on_command_line(options: &[String]) -> impl Iterator<Item = &String> {
    options.iter().filter(|option| !is_text_setting(option))
}

/// The settings of a solver, by what its maintainers think of them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingTable {
    /// Documented settings, whose faults maintainers want to hear of.
    #[serde(default)]
    pub safe: Vec<SettingRow>,
    /// Settings that are meant for experiments.
    #[serde(default)]
    pub experimental: Vec<SettingRow>,
    /// Settings whose faults maintainers do not want to hear of. They are never drawn.
    #[serde(default)]
    pub refused: Vec<SettingRow>,
}

/// One row of a table: a setting with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingRow {
    /// What is set.
    pub what: SettingName,
    /// The values of an option; `true` and `false` if left out.
    pub values: Vec<String>,
    /// The first release that has it; the first of all if left out.
    pub since: Option<Release>,
    /// The last release that has it; still there if left out.
    pub until: Option<Release>,
    /// A script must have one of these for the setting to matter; any script if there is none.
    pub theories: Vec<Theory>,
    /// Options without which it has no effect.
    pub needs: Vec<String>,
    /// Whether the solver refuses it for a script with `push` or with several checks.
    pub one_check: bool,
    /// How often it is drawn, compared with others.
    pub weight: u32,
}

/// What a row sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingName {
    /// An option of the command line, without its value.
    Option(String),
    /// A tactic, which takes the place of the default one in `check-sat`.
    Tactic(String),
    /// A simplifier, which is set before the first assertion.
    Simplifier(String),
}

/// A part of the language that a setting is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theory {
    /// Integers or reals.
    Arithmetic,
    /// Products and quotients of variables.
    Nonlinear,
    /// Arrays.
    Arrays,
    /// Bit-vectors.
    Bitvectors,
    /// Datatypes.
    Datatypes,
    /// Finite fields.
    Fields,
    /// Floats.
    Floats,
    /// Uninterpreted functions and sorts.
    Functions,
    /// Quantifiers.
    Quantifiers,
    /// Strings and regular languages.
    Strings,
}

impl Theory {
    /// Whether scripts of a logic have it.
    pub fn is_in(self, logic: &smt::Logic) -> bool {
        let arithmetic = logic.ints || logic.reals;
        match self {
            Theory::Arithmetic => arithmetic,
            Theory::Nonlinear => arithmetic && logic.arithmetic == smt::Arithmetic::NonLinear,
            Theory::Arrays => logic.arrays,
            Theory::Bitvectors => logic.bitvectors,
            Theory::Datatypes => logic.datatypes,
            Theory::Fields => logic.fields,
            Theory::Floats => logic.floats,
            Theory::Functions => logic.functions,
            Theory::Quantifiers => logic.quantifiers,
            Theory::Strings => logic.strings,
        }
    }
}

/// One setting with one value, as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// What is set. Of two settings of one name only one is drawn.
    pub name: String,
    /// The options of the solver, as its name shows them.
    pub options: Vec<String>,
    /// A script must have one of these for the setting to matter; any script if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub theories: Vec<Theory>,
    /// Whether the solver refuses it for a script with `push` or with several checks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_check: bool,
    /// How often it is drawn, compared with others.
    pub weight: u32,
}

/// Which rows of a table are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingClass {
    /// Those that maintainers call safe.
    Safe,
    /// Those and the experimental ones.
    All,
}

impl SettingTable {
    /// The settings of a class that a release has by this table, and those that it has not. A build that tells no release is
    /// taken for the newest.
    pub fn settings(&self, class: SettingClass, release: Option<&Release>) -> (Vec<Setting>, Vec<Setting>) {
        let more = if class == SettingClass::All { self.experimental.as_slice() } else { &[] };
        let has = |row: &&SettingRow| row.has(release);
        let (has, has_not): (Vec<&SettingRow>, Vec<&SettingRow>) =
            self.safe.iter().chain(more).partition(has);
        let all = |rows: Vec<&SettingRow>| rows.into_iter().flat_map(SettingRow::settings).collect();
        (all(has), all(has_not))
    }
}

impl SettingRow {
    /// Whether a release has it by this row. A build that tells no release is taken for the newest.
    pub fn has(&self, release: Option<&Release>) -> bool {
        match release {
            None => self.until.is_none(),
            Some(r) => {
                self.since.as_ref().is_none_or(|s| r >= s) && self.until.as_ref().is_none_or(|u| r <= u)
            }
        }
    }

    /// Whether it is the option that a script sets by this keyword.
    pub fn is_option(&self, keyword: &str) -> bool {
        let SettingName::Option(name) = &self.what else { return false };
        keyword.strip_prefix(':') == Some(name.trim_start_matches("--"))
    }

    /// Whether it lists a value.
    pub fn takes(&self, value: &str) -> bool {
        self.values.iter().any(|listed| listed == value)
    }

    /// The row with each of its values.
    pub fn settings(&self) -> Vec<Setting> {
        let (name, texts): (&str, Vec<String>) = match &self.what {
            SettingName::Option(name) => (name, self.values.iter().map(|v| spelled(name, v)).collect()),
            SettingName::Tactic(tactic) => (TACTIC, vec![format!("{TACTIC}{tactic}")]),
            SettingName::Simplifier(one) => (SIMPLIFIER, vec![format!("{SIMPLIFIER}{one}")]),
        };
        let setting = |text: String| Setting {
            name: name.to_owned(),
            options: [std::slice::from_ref(&text), &self.needs].concat(),
            theories: self.theories.clone(),
            one_check: self.one_check,
            weight: self.weight,
        };
        texts.into_iter().map(setting).collect()
    }
}

/// An option with its value as a command line has it: `--name`, `--no-name`, `--name=value` or `name=value`.
fn spelled(name: &str, value: &str) -> String {
    match (name.strip_prefix("--"), value) {
        (Some(_), "true") => name.to_owned(),
        (Some(bare), "false") => format!("--no-{bare}"),
        _ => format!("{name}={value}"),
    }
}

/// A row as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    option: Option<String>,
    tactic: Option<String>,
    simplifier: Option<String>,
    values: Option<Vec<String>>,
    since: Option<Release>,
    until: Option<Release>,
    #[serde(default)]
    theories: Vec<Theory>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    one_check: bool,
    weight: Option<u32>,
}

impl<'de> Deserialize<'de> for SettingRow {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SettingRow, D::Error> {
        let row = Written::deserialize(from)?;
        let wrong = |why: &str| Err(de::Error::custom(why));
        let what = match (row.option, row.tactic, row.simplifier) {
            (Some(name), None, None) => SettingName::Option(name),
            (None, Some(tactic), None) => SettingName::Tactic(tactic),
            (None, None, Some(simplifier)) => SettingName::Simplifier(simplifier),
            _ => return wrong("a row has one of `option`, `tactic` and `simplifier`"),
        };
        let (text, is_option) = match &what {
            SettingName::Option(name) => (name, true),
            SettingName::Tactic(text) | SettingName::Simplifier(text) => (text, false),
        };
        if text.trim().is_empty() || (is_option && text.contains(char::is_whitespace)) {
            return wrong("this is no name of an option, tactic or simplifier");
        }
        if is_option && text.contains('=') {
            return wrong("the value of an option stands in `values`");
        }
        if !is_option && extent(text.as_bytes(), 0) != Extent::Ends(text.len()) {
            return wrong("a tactic or simplifier is a name or one list");
        }
        if !is_option && row.values.is_some() {
            return wrong("only an option has values");
        }
        let values = row.values.unwrap_or_else(|| vec!["true".to_owned(), "false".to_owned()]);
        if values.is_empty() {
            return wrong("an option needs a value; without `values` they are true and false");
        }
        let weight = row.weight.unwrap_or(1);
        if weight == 0 {
            return wrong("a weight is at least 1");
        }
        let Written { since, until, theories, needs, one_check, .. } = row;
        Ok(SettingRow { what, values, since, until, theories, needs, one_check, weight })
    }
}

//! The settings that a hunt draws: those of the tables, or of a file of the user's own, that the solvers accept.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::StudyError;
use crate::campaign::spec::{OptionsSource, OptionsSpec};
use crate::seed::digest;
use crate::solver::{Profile, Setting, SettingClass, SettingTable, Solver, SolverId};

/// What `--options` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionsChoice {
    /// Nothing is drawn.
    None,
    /// The safe rows of the profiles.
    Safe,
    /// All rows of the profiles but those that maintainers refuse.
    All,
    /// The rows of a file.
    File(PathBuf),
}

impl FromStr for OptionsChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<OptionsChoice, Infallible> {
        Ok(match text {
            "none" => OptionsChoice::None,
            "safe" => OptionsChoice::Safe,
            "all" => OptionsChoice::All,
            file => OptionsChoice::File(PathBuf::from(file)),
        })
    }
}

/// Settings that a solver does not have or does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The solver.
    pub solver: SolverId,
    /// How many settings it accepts.
    pub accepted: usize,
    /// The options of each setting that is left out.
    pub settings: Vec<Vec<String>>,
}

/// The settings that a choice means for these solvers, and what is left out of each solver. Each solver is asked once about each
/// setting.
pub fn settings(
    choice: &OptionsChoice,
    solvers: &[Solver],
) -> Result<(Option<OptionsSpec>, Vec<LeftOut>), StudyError> {
    let (from, tables) = match choice {
        OptionsChoice::None => return Ok((None, Vec::new())),
        OptionsChoice::Safe => (OptionsSource::Safe, None),
        OptionsChoice::All => (OptionsSource::All, None),
        OptionsChoice::File(place) => {
            let text = std::fs::read_to_string(place).map_err(StudyError::at(place))?;
            (OptionsSource::File(digest(text.as_bytes())), Some(read(place, &text)?))
        }
    };
    // What a user lists is meant.
    let class = if from == OptionsSource::Safe { SettingClass::Safe } else { SettingClass::All };
    let mut spec = OptionsSpec { from, settings: BTreeMap::new() };
    let mut left = Vec::new();
    for solver in solvers {
        let own = match &tables {
            Some(tables) => tables.get(&solver.profile.name),
            None => Some(&solver.profile.options),
        };
        let Some(table) = own else { continue };
        let (has, has_not) = table.settings(class, solver.release.as_ref());
        let (accepted, refused) = solver.sorted(has)?;
        let options = |setting: Setting| setting.options;
        let settings: Vec<_> = has_not.into_iter().chain(refused).map(options).collect();
        if !settings.is_empty() {
            left.push(LeftOut { solver: solver.name.clone(), accepted: accepted.len(), settings });
        }
        spec.settings.insert(solver.name.clone(), accepted);
    }
    Ok((Some(spec), left))
}

/// The tables of a file, by the names of profiles.
fn read(place: &Path, text: &str) -> Result<BTreeMap<String, SettingTable>, StudyError> {
    let wrong = |offset: usize, why: &str| {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        StudyError::Options { place: place.to_owned(), line, column, why: why.to_owned() }
    };
    let tables: BTreeMap<toml::Spanned<String>, SettingTable> =
        toml::from_str(text).map_err(|e| wrong(e.span().map_or(0, |span| span.start), e.message()))?;
    let mut named = BTreeMap::new();
    for (name, table) in tables {
        Profile::named(name.get_ref()).map_err(|e| wrong(name.span().start, &e.to_string()))?;
        named.insert(name.into_inner(), table);
    }
    if named.values().all(|table| table.safe.is_empty() && table.experimental.is_empty()) {
        return Err(wrong(0, "it lists no setting: write [z3] and below it safe = [{ option = \"NAME\" }]"));
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_a_file_is_said_with_its_place() {
        let rows = [
            ("[z3]\nsafe = [{ option = \"a\" }]", ""),
            ("[z3]\nsafe = [{ option = \"a\", values = [\"1\"], weight = 2 }]", ""),
            ("[z3]\nsafe = [{ tactic = \"(then simplify smt)\", theories = [\"bitvectors\"] }]", ""),
            ("", "o.toml:1:1: it lists no setting"),
            ("[z3]\nrefused = [{ option = \"a\" }]", "o.toml:1:1: it lists no setting"),
            ("\n[zz3]\nsafe = []", "o.toml:2:2: no solver is called `zz3`; did you mean z3?"),
            ("[z3]\nsafe = [{ option = \"a=1\" }]", "o.toml:2:8: the value of an option stands in `values`"),
            ("[z3]\nsafe = [{ option = \"a\", tactic = \"b\" }]", "o.toml:2:8: a row has one of"),
            ("[z3]\nsafe = [{ values = [\"1\"] }]", "o.toml:2:8: a row has one of"),
            ("[z3]\nsafe = [{ option = \"a\", values = [] }]", "o.toml:2:8: an option needs a value"),
            ("[z3]\nsafe = [{ option = \"a b\" }]", "o.toml:2:8: this is no name"),
            ("[z3]\nsafe = [{ tactic = \"(then a\" }]", "o.toml:2:8: a tactic or simplifier is"),
            ("[z3]\nsafe = [{ tactic = \"a\", values = [\"1\"] }]", "o.toml:2:8: only an option has values"),
            ("[z3]\nsafe = [{ option = \"a\", weight = 0 }]", "o.toml:2:8: a weight is at least 1"),
            ("[z3]\nsafe = [{ option = \"a\", theories = [\"bits\"] }]", "unknown variant `bits`"),
            ("[z3]\nsafe = [{ option = \"a\", value = \"1\" }]", "unknown field `value`"),
            ("[z3]\nsave = []", "unknown field `save`"),
        ];
        for (text, expected) in rows {
            let told = read(Path::new("o.toml"), text).err().map(|e| e.to_string()).unwrap_or_default();
            assert!(told.contains(expected) && told.is_empty() == expected.is_empty(), "{text}: {told}");
        }
    }

    #[test]
    fn settings_that_a_solver_refuses_are_left_out() {
        let place = std::env::temp_dir().join(format!("gainsay-options-{}.toml", std::process::id()));
        let text = "[z3]\nsafe = [{ option = \"a\", values = [\"1\", \"2\"] }, { tactic = \"t\" }, \
                    { option = \"old\", until = \"4.8.7\" }]";
        std::fs::write(&place, text).expect("a file");
        let solvers = [Solver::fake("honest,with=a=2,refuse"), Solver::fake("honest,with=tactic:t,refuse")];
        let (spec, left) = settings(&OptionsChoice::File(place.clone()), &solvers).expect("settings");
        std::fs::remove_file(&place).expect("it is there");
        let spec = spec.expect("something is drawn");
        let options = |i: usize| {
            let all = spec.settings[&solvers[i].name].iter().map(|setting| setting.options.join(" "));
            all.collect::<Vec<_>>().join(", ")
        };
        assert_eq!((options(0), options(1)), ("a=1, tactic:t".to_owned(), "a=1, a=2".to_owned()));
        let gone = |i: usize| left[i].settings.iter().map(|one| one.join(" ")).collect::<Vec<_>>().join(", ");
        assert_eq!((gone(0), left[0].accepted), ("old=true, old=false, a=2".to_owned(), 2));
        assert_eq!(gone(1), "old=true, old=false, tactic:t");
        assert_eq!(settings(&OptionsChoice::None, &solvers).expect("nothing"), (None, Vec::new()));
    }
}

//! The flags of all strategies on the command line, from their declarations.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use crate::strategy::{Flag, STRATEGIES, Value};

/// What was given for the flags of strategies.
#[derive(Clone, Debug, Default)]
pub struct StrategyFlags(pub BTreeMap<String, String>);

/// What a flag does, and for which strategies.
type Use = (&'static str, Vec<&'static str>);

/// Every flag once, with all its uses.
fn all() -> Vec<(&'static Flag, Vec<Use>)> {
    let mut found: Vec<(&'static Flag, Vec<Use>)> = Vec::new();
    for entry in STRATEGIES {
        for flag in entry.flags {
            let Some((_, uses)) = found.iter_mut().find(|(f, _)| f.name == flag.name) else {
                found.push((flag, vec![(flag.about, vec![entry.name])]));
                continue;
            };
            match uses.iter_mut().find(|(about, _)| *about == flag.about) {
                Some((_, names)) => names.push(entry.name),
                None => uses.push((flag.about, vec![entry.name])),
            }
        }
    }
    found
}

impl clap::Args for StrategyFlags {
    fn augment_args(command: Command) -> Command {
        all().into_iter().fold(command, |command, (flag, uses)| {
            // The command has a flag of that name of its own, which it hands on.
            if command.get_arguments().any(|arg| arg.get_id() == flag.name) {
                return command;
            }
            let default =
                if flag.default.is_empty() { String::new() } else { format!(" [default: {}]", flag.default) };
            let uses: Vec<_> =
                uses.iter().map(|(about, names)| format!("{about} ({})", names.join(", "))).collect();
            let help = format!("{}{default}", uses.join("; "));
            let arg = Arg::new(flag.name).long(flag.name).help(help).help_heading("Strategies");
            let arg = flag.former().into_iter().fold(arg, Arg::alias);
            command.arg(match flag.value {
                Value::Switch => arg.action(ArgAction::SetTrue),
                Value::Number => arg.value_name("N"),
                Value::Text => arg.value_name("TEXT"),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for StrategyFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = BTreeMap::new();
        for (flag, _) in all() {
            let value = match flag.value {
                Value::Switch => matches.get_flag(flag.name).then(|| "true".to_owned()),
                _ => matches.try_get_one::<String>(flag.name).ok().flatten().cloned(),
            };
            if let Some(value) = value {
                given.insert(flag.name.to_owned(), value);
            }
        }
        Ok(StrategyFlags(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

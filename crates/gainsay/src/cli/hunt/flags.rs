//! The flags of all strategies on the command line, from their declarations.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use crate::strategy::{Flag, STRATEGIES, Value};

/// What was given for the flags of strategies.
#[derive(Clone, Debug, Default)]
pub struct StrategyFlags(pub BTreeMap<String, String>);

/// Every flag once, with the strategies that have it.
fn all() -> Vec<(&'static Flag, Vec<&'static str>)> {
    let mut found: Vec<(&'static Flag, Vec<&'static str>)> = Vec::new();
    for entry in STRATEGIES {
        for flag in entry.flags {
            match found.iter_mut().find(|(f, _)| f.name == flag.name) {
                Some((_, names)) => names.push(entry.name),
                None => found.push((flag, vec![entry.name])),
            }
        }
    }
    found
}

impl clap::Args for StrategyFlags {
    fn augment_args(command: Command) -> Command {
        all().into_iter().fold(command, |command, (flag, names)| {
            // The command has a flag of that name of its own, which it hands on.
            if command.get_arguments().any(|arg| arg.get_id() == flag.name) {
                return command;
            }
            let default =
                if flag.default.is_empty() { String::new() } else { format!(" [default: {}]", flag.default) };
            let help = format!("{} ({}){default}", flag.about, names.join(", "));
            let arg = Arg::new(flag.name).long(flag.name).help(help).help_heading("Strategies");
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

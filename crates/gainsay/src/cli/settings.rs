//! Flags and the user's file, merged: what is typed wins, what is not typed may come from `gainsay.toml`.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use crate::config::{Config, FILE};
use crate::misspelt::suggestion;

/// The arguments with the defaults of the file put in.
pub fn merged(command: &Command, args: Vec<OsString>, config: &Config) -> anyhow::Result<Vec<OsString>> {
    for section in config.sections() {
        if command.find_subcommand(section).is_none() {
            let known: Vec<_> =
                command.get_subcommands().filter(|c| !c.is_hide_set()).map(Command::get_name).collect();
            let place = config.of_command(section).first().map_or(0, |d| d.offset);
            let why = format!(
                "[{section}] is no section: sections are solvers.NAME, ignore and commands ({})",
                known.join(", ")
            );
            return Err(config.wrong(place, &why).into());
        }
    }
    let Ok(matches) = command.clone().try_get_matches_from(&args) else {
        // Whatever is wrong is said when it is parsed for good.
        return Ok(args);
    };
    let Some((name, given)) = matches.subcommand() else { return Ok(args) };
    let Some(sub) = command.find_subcommand(name) else { return Ok(args) };
    let extra = defaults(sub, name, given, config)?;
    let Some(at) = args.iter().position(|arg| arg == name) else { return Ok(args) };
    let (before, after) = args.split_at(at + 1);
    Ok([before, &extra, after].concat())
}

fn defaults(sub: &Command, name: &str, given: &ArgMatches, config: &Config) -> anyhow::Result<Vec<OsString>> {
    let mut extra = Vec::new();
    for default in config.of_command(name) {
        let flag = default.flag.as_str();
        let is_meant = |a: &&clap::Arg| {
            a.get_long() == Some(flag) || a.get_all_aliases().is_some_and(|all| all.contains(&flag))
        };
        let Some(arg) = sub.get_arguments().find(is_meant) else {
            let flags: Vec<_> = sub.get_arguments().filter_map(clap::Arg::get_long).collect();
            let near = suggestion(&default.flag, &flags);
            let why = format!("`gainsay {name}` has no flag --{}{near}", default.flag);
            return Err(config.wrong(default.offset, &why).into());
        };
        if given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let switch = !arg.get_action().takes_values();
        for value in &default.values {
            match (switch, value.as_str()) {
                (true, "true") => extra.push(format!("--{}", default.flag).into()),
                (true, "false") => {}
                (true, other) => {
                    let why = format!("{} is a switch: true or false, not {other}", default.flag);
                    return Err(config.wrong(default.offset, &why).into());
                }
                (false, value) => extra.push(format!("--{}={value}", default.flag).into()),
            }
        }
    }
    Ok(extra)
}

/// What can be set in the file, from the code.
pub fn print_keys(command: &Command) {
    println!("{FILE}, in the folder where gainsay runs:\n");
    for (name, about) in crate::config::SECTIONS {
        println!("[{name}]\n  {about}\n");
    }
    for sub in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        let flags: Vec<_> =
            sub.get_arguments().filter(|a| a.get_long().is_some_and(|l| l != "help")).collect();
        if flags.is_empty() {
            continue;
        }
        println!("[{}]", sub.get_name());
        for arg in flags {
            let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
            println!("  {} = …  # {about}", arg.get_long().unwrap_or_default());
        }
        println!();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_wins() {
        let command = || {
            Command::new("gainsay").subcommand(
                Command::new("hunt")
                    .arg(clap::Arg::new("jobs").long("jobs"))
                    .arg(clap::Arg::new("resume").long("resume").action(clap::ArgAction::SetTrue)),
            )
        };
        let all = |args: &[&str], text: &str| {
            let config = Config::parse(std::path::Path::new(FILE), text.to_owned()).expect("well-formed");
            let args = args.iter().map(OsString::from).collect();
            merged(&command(), args, &config)
                .map(|all| all.iter().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
        };
        let file = "[hunt]\njobs = 3\nresume = true\n";
        assert_eq!(all(&["gainsay", "hunt"], file).expect("fine"), "gainsay hunt --jobs=3 --resume");
        let typed = all(&["gainsay", "hunt", "--jobs", "1"], file).expect("fine");
        assert_eq!(typed, "gainsay hunt --resume --jobs 1");
        let wrong = all(&["gainsay", "hunt"], "[hunt]\njbs = 3\n").expect_err("unknown").to_string();
        assert_eq!(wrong, "gainsay.toml:2:1: `gainsay hunt` has no flag --jbs; did you mean jobs?");
        let section = all(&["gainsay", "hunt"], "[hnt]\njobs = 3\n").expect_err("unknown").to_string();
        assert!(section.contains("[hnt] is no section"), "{section}");
    }
}

//! `gainsay completions`: what a shell needs to complete our commands and flags.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use super::exit;

/// For whom.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay completions bash > ~/.local/share/bash-completion/completions/gainsay
  gainsay completions fish > ~/.config/fish/completions/gainsay.fish")]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// What people type: all but the commands that we start ourselves.
pub fn public(command: &Command) -> Command {
    let typed = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned();
    let about = command.get_about().cloned().unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    Command::new("gainsay").version(version).about(about).subcommand_required(true).subcommands(typed)
}

/// Runs the command.
pub fn run(args: &Args, command: &Command) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut public(command), "gainsay", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(exit::FINE)
}

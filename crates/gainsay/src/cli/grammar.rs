//! `gainsay grammar`: is a grammar good, how many formulas of each size does it have, what does it look like.

use clap::Subcommand;
use dashu_int::UBig;

use super::arguments::BadUsage;
use super::exit;
use crate::strategy::enumerate::{Formulas, Grammar, Variation, source};
use crate::study::grammar::{counts, describe};

/// What to do with grammars.
#[derive(Subcommand)]
pub enum What {
    /// Say whether grammars can be enumerated, and if not, where and why
    Check(Check),
    /// Count the formulas of each size
    Count(Count),
    /// Print a grammar as it is after variation, or one of its formulas
    Show(Show),
}

/// Which grammar, and what is different from it.
#[derive(clap::Args)]
pub struct Which {
    /// A file, a built-in name, or derive:THEORY,…
    grammar: String,
    /// How many variables of each sort
    #[arg(long)]
    variables: Option<usize>,
    /// How many assertions
    #[arg(long)]
    asserts: Option<usize>,
    /// A list of constants that replace those of the same kind
    #[arg(long, default_value = "")]
    constants: String,
    /// A list of operators; no other operators are used
    #[arg(long, default_value = "")]
    operators: String,
    /// Quantify over the variables' names
    #[arg(long)]
    quantifiers: bool,
    /// Put assertions after the first between push and pop
    #[arg(long)]
    push_pop: bool,
    /// For derived grammars: use only operators that these solvers read
    #[arg(long, alias = "speakers", default_value = "")]
    readable_by: String,
}

impl Which {
    fn grammar(&self) -> anyhow::Result<Grammar> {
        let variation = Variation {
            variables: self.variables,
            asserts: self.asserts,
            constants: source::list(&self.constants),
            operators: source::list(&self.operators),
            quantifiers: self.quantifiers,
            push_pop: self.push_pop,
        };
        let grammar = source::named(&self.grammar, &self.readable_by).map_err(BadUsage)?;
        let varied = variation.apply(&grammar, true);
        Ok(varied.map_err(|e| BadUsage(format!("{}: {e}", self.grammar)))?)
    }

    fn formulas(&self) -> anyhow::Result<Formulas> {
        Ok(Formulas::of(&self.grammar()?)?)
    }
}

/// What to check.
#[derive(clap::Args)]
pub struct Check {
    /// Files, built-in names, or derive:THEORY,…
    #[arg(required = true)]
    grammars: Vec<String>,
}

/// What to count.
#[derive(clap::Args)]
pub struct Count {
    #[command(flatten)]
    which: Which,
    /// Up to this size
    #[arg(long, default_value_t = 12)]
    sizes: usize,
}

/// What to show.
#[derive(clap::Args)]
pub struct Show {
    #[command(flatten)]
    which: Which,
    /// Print the formula with this number, counted from 0, instead of the grammar
    #[arg(long)]
    number: Option<UBig>,
}

/// Runs the command.
pub fn run(what: &What) -> anyhow::Result<u8> {
    match what {
        What::Check(args) => Ok(check(&args.grammars)),
        What::Count(args) => count(args),
        What::Show(args) => show(args),
    }
}

fn check(names: &[String]) -> u8 {
    let mut code = exit::FINE;
    for name in names {
        match source::named(name, "").and_then(|grammar| Ok((describe(&grammar)?, grammar.name))) {
            Ok((about, own)) => println!("{name}: {own}, {about}"),
            Err(why) => {
                // What is wrong in a file begins with its name and place.
                let told = if why.starts_with(name.as_str()) { why } else { format!("{name}: {why}") };
                println!("{told}");
                code = exit::NOT_SO;
            }
        }
    }
    code
}

fn count(args: &Count) -> anyhow::Result<u8> {
    print!("{}", counts(&args.which.formulas()?, args.sizes));
    Ok(exit::FINE)
}

fn show(args: &Show) -> anyhow::Result<u8> {
    let Some(number) = &args.number else {
        print!("{}", args.which.grammar()?);
        return Ok(exit::FINE);
    };
    let formulas = args.which.formulas()?;
    let Some(text) = formulas.at(number) else {
        eprintln!("gainsay: there is no formula {number} of {}", formulas.name());
        return Ok(exit::NOT_SO);
    };
    println!("{text}");
    let size = formulas.size(number).unwrap_or_default();
    eprintln!("formula {number} of {}: size {size}, {} bytes", formulas.name(), text.len());
    Ok(exit::FINE)
}

//! Mutating: the common part of the strategies that change a seed step by step.

use super::chain::Chain;
use super::support::OperatorSupport;
use super::{BadOption, Flag, Options, Series, Strategy, Value, Wants};
use crate::case::{Case, Choices};
use crate::seed::{Asked, Seed};

/// How many draws without a new mutant end a chain.
const TRIES: u32 = 64;

pub(super) const CHAIN: Flag = Flag {
    name: "chain",
    value: Value::Number,
    default: "300",
    about: "mutants of a seed, each made from the one before",
};
pub(super) const READABLE_BY: Flag = Flag {
    name: "readable-by",
    value: Value::Text,
    default: "",
    about: "use only operators that all of these solvers read, such as z3@5.4.0,cvc5@1.4.2",
};
pub(super) const RESET_ON_FINDING: Flag = Flag {
    name: "reset-on-finding",
    value: Value::Switch,
    default: "",
    about: "leave a seed after a finding: the mutants that would follow are skipped",
};

/// The values of the common flags.
pub(super) struct ChainOptions {
    chain: u32,
    resets: bool,
    pub support: OperatorSupport,
}

impl ChainOptions {
    pub fn of(options: &Options) -> Result<ChainOptions, BadOption> {
        Ok(ChainOptions {
            chain: u32::try_from(options.number(CHAIN.name)?).unwrap_or(u32::MAX),
            resets: options.is_on(RESET_ON_FINDING.name),
            support: OperatorSupport::of(options.text(READABLE_BY.name)),
        })
    }
}

/// A strategy that changes one seed step by step.
pub(super) trait Mutating: Send + Sync {
    /// The values of the common flags.
    fn chain_options(&self) -> &ChainOptions;

    /// A chain that begins with a seed, and the step that changes it.
    fn start<'a>(&'a self, seed: &'a Seed) -> (Chain<'a>, Box<dyn Step + 'a>);
}

/// A step that changes a chain.
pub(super) trait Step {
    /// Changes the chain at one place; false if the drawn change is not possible.
    fn step(&mut self, chain: &mut Chain<'_>, choices: &mut Choices) -> bool;
}

impl<M: Mutating> Strategy for M {
    fn wants(&self) -> Wants {
        Wants::Drawn(1)
    }

    fn longest(&self) -> u32 {
        self.chain_options().chain
    }

    fn ends_at_finding(&self) -> bool {
        self.chain_options().resets
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        let Some(asked) = seeds.first() else { return Box::new(super::Nothing) };
        let (chain, step) = self.start(&asked.seed);
        Box::new(Mutants { chain, step, choices, rest: Rest { left: self.longest(), skipped: 0 } })
    }
}

/// How many mutants a chain still has, and how many were skipped because they are not new.
#[derive(Clone, Copy, Debug)]
struct Rest {
    left: u32,
    skipped: u32,
}

impl Rest {
    /// The next mutant that is new. `step` changes the chain at random and returns whether it did.
    fn next<'a>(
        &mut self,
        chain: &mut Chain<'a>,
        choices: &mut Choices,
        mut step: impl FnMut(&mut Chain<'a>, &mut Choices) -> bool,
    ) -> Option<Case> {
        if self.left == 0 || chain.sites() == 0 {
            return None;
        }
        for _ in 0..TRIES {
            if step(chain, choices) {
                if chain.is_new() {
                    self.left -= 1;
                    choices.forget_made();
                    return Some(chain.case());
                }
                self.skipped += 1;
            }
        }
        self.left = 0;
        None
    }
}

struct Mutants<'a> {
    chain: Chain<'a>,
    step: Box<dyn Step + 'a>,
    choices: Choices,
    rest: Rest,
}

impl Series for Mutants<'_> {
    fn next(&mut self) -> Option<Case> {
        let Mutants { chain, step, choices, rest } = self;
        rest.next(chain, choices, |chain, choices| step.step(chain, choices))
    }

    fn skipped(&self) -> u32 {
        self.rest.skipped
    }
}

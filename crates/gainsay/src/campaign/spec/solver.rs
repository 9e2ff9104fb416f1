//! The definition of who is asked: a solver as it travels from machine to machine, and what one question may cost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::solver::{Limits, Solver, SolverError, SolverId};

/// A solver as it travels from machine to machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverSpec {
    /// What it is called in findings.
    pub name: SolverId,
    /// What to write after `--solver` to have it.
    pub command: SolverId,
    /// The name of its profile.
    pub profile: String,
    /// A digest of the program.
    pub digest: String,
}

impl SolverSpec {
    /// The definition of a solver that is had by this command.
    pub fn of(solver: &Solver, command: SolverId) -> Result<SolverSpec, SolverError> {
        let (name, profile) = (solver.name.clone(), solver.profile.name.clone());
        Ok(SolverSpec { name, command, profile, digest: solver.content()? })
    }

    /// The solver under its name in the campaign, if it is the same program.
    pub fn confirm(&self, found: &Solver) -> Result<Solver, SolverError> {
        let digest = found.content()?;
        if digest != self.digest {
            let why = format!(
                "it is not the program that the campaign was begun with (its digest is {digest:.16}, not {:.16}); \
                 `gainsay hunt --resume --rebuilt` goes on with a later build",
                self.digest
            );
            return Err(SolverError::NotStarted { program: self.name.to_string(), why });
        }
        Ok(found.renamed(self.name.clone()))
    }
}

/// What one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsSpec {
    /// CPU time in microseconds.
    pub cpu_micros: u64,
    /// Wall time in microseconds.
    pub wall_micros: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Whether the address space is bounded, too.
    pub address_space: bool,
}

impl LimitsSpec {
    /// The definition of these limits.
    pub fn of(limits: &Limits) -> LimitsSpec {
        LimitsSpec {
            cpu_micros: limits.cpu.as_micros() as u64,
            wall_micros: limits.wall.as_micros() as u64,
            memory: limits.memory,
            address_space: limits.address_space,
        }
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        Limits {
            cpu: Duration::from_micros(self.cpu_micros),
            wall: Duration::from_micros(self.wall_micros),
            memory: self.memory,
            address_space: self.address_space,
            ..Limits::default()
        }
    }
}

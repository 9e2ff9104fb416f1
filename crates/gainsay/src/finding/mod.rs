//! Findings: a complaint that was confirmed fresh, with all that is needed to look at it again.

mod asked;
mod fault;
mod features;
mod fingerprint;
mod group;
mod outlook;
mod rank;
mod read;
mod scope;
mod standing;
pub mod words;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::case::{Answer, Case, Claim, Lineage};
use crate::judge::{Complaint, Confirmation, Confirmed, Evidence, Fault, Kind, KnownUnsat, Trial, reply_of};
use crate::solver::{Ending, Outcome, SolverId};

pub use asked::{Asked, ModelGap, Untold};
pub use fault::{FaultCount, FaultGroup, faults};
pub use features::Features;
pub use fingerprint::{fingerprint, fingerprint_of};
pub use group::{Affected, Group, StoredFinding, formula_key, group_key, groups, place};
pub use outlook::Outlook;
pub use rank::rank;
pub use read::UnreadableFinding;
pub use scope::{Known, Scope, ranges};
pub use standing::{Grade, Standing, disputants, grade, standing, verdict};

/// The version of `finding.json`.
pub const VERSION: u32 = 4;

/// What one solver did with the case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Its name, as `--solver` takes it.
    pub solver: SolverId,
    /// What its run came to.
    pub outcome: Outcome,
    /// Its answers, check by check.
    pub answers: Vec<Answer>,
    /// How its process ended.
    pub ending: Ending,
    /// Wall time in milliseconds.
    pub wall_ms: u64,
    /// CPU time in milliseconds.
    pub cpu_ms: Option<u64>,
    /// Peak memory in bytes.
    pub peak: Option<u64>,
    /// Standard output and standard error.
    #[serde(skip)]
    pub output: (Vec<u8>, Vec<u8>),
}

impl Said {
    /// Its answers, one after another.
    pub fn answer_words(&self) -> String {
        self.answers.iter().map(|answer| answer.word()).collect::<Vec<_>>().join(" ")
    }
}

/// Where in a campaign it was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The campaign's number.
    pub draw: u64,
    /// The series.
    pub series: u64,
    /// The step in it.
    pub step: u32,
}

/// Something is wrong, and here is why one may trust that.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The version of this format.
    pub version: u32,
    /// A hash of what it is.
    pub identity: String,
    /// What kind of thing is wrong.
    pub kind: Kind,
    /// What is wrong.
    pub fault: Fault,
    /// Who is wrong; none if we cannot tell.
    pub against: Option<SolverId>,
    /// At which check, from 0.
    pub check: Option<usize>,
    /// The oracle that says so.
    pub oracle: String,
    /// Why one may trust that.
    pub evidence: Vec<Evidence>,
    /// Triggers of one fault have one, as far as can be told before they are reduced.
    pub fingerprint: String,
    /// How the case was made.
    pub lineage: Lineage,
    /// What was claimed of it.
    pub claims: Vec<Claim>,
    /// The other scripts that claims speak of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// What each solver did.
    pub said: Vec<Said>,
    /// How it was confirmed.
    pub confirmed: Confirmation,
    /// Where in the campaign.
    pub turn: Turn,
    /// The script.
    #[serde(skip)]
    pub case: String,
}

impl Finding {
    /// The finding that a confirmed complaint about a case is.
    pub fn confirmed(case: &Case, text: &str, confirmed: Confirmed, turn: Turn) -> Finding {
        let Confirmed { solvers, witnesses, runs, entry, complaint, confirmation } = confirmed;
        let mut trial = Trial::new(case, text, &solvers, runs);
        trial.witnesses = &witnesses;
        Finding::new(&trial, entry.name, complaint, confirmation, turn)
    }

    /// The finding that a complaint on a fresh trial is.
    pub fn new(
        trial: &Trial<'_>,
        oracle: &str,
        complaint: Complaint,
        confirmed: Confirmation,
        turn: Turn,
    ) -> Finding {
        let against = complaint.against.map(|i| trial.solver(i).name.clone());
        let accused = complaint.against;
        // Options that do not matter were left out, so that one of two may be the other now.
        let is_twice = |i: usize| {
            let same = |j: usize| j != i && trial.solver(j).name == trial.solver(i).name;
            accused != Some(i) && (0..i).chain(accused).any(same)
        };
        let said = trial.made().filter(|(i, _)| !is_twice(*i)).map(|(i, run)| Said {
            solver: trial.solver(i).name.clone(),
            outcome: run.outcome(),
            answers: (0..run.reply.checks.len()).map_while(|k| reply_of(run, k)).map(|c| c.answer).collect(),
            ending: run.ending,
            wall_ms: run.wall.as_millis() as u64,
            cpu_ms: run.cpu.map(|t| t.as_millis() as u64),
            peak: run.peak,
            output: (run.reply.raw.out.clone(), run.reply.raw.err.clone()),
        });
        let script_text = |s: &std::sync::Arc<smt::Script>| s.text();
        Finding {
            version: VERSION,
            identity: identity(complaint.kind(), complaint.check, against.as_ref(), trial.text),
            kind: complaint.kind(),
            check: complaint.check,
            oracle: oracle.to_owned(),
            fingerprint: fingerprint(trial, &complaint),
            fault: complaint.fault,
            evidence: complaint.evidence,
            against,
            lineage: trial.case.lineage.clone(),
            claims: trial.case.claims.clone(),
            others: trial.case.others.iter().map(script_text).collect(),
            said: said.collect(),
            confirmed,
            turn,
            case: trial.text.to_owned(),
        }
    }

    /// Whether its identity is that of its kind, its accused, its check and its script.
    pub fn is_of_its_case(&self) -> bool {
        self.identity == identity(self.kind, self.check, self.against.as_ref(), &self.case)
    }

    /// Whether two answers of the accused contradict each other and it is not known which of them is wrong.
    pub fn is_contradiction(&self) -> bool {
        matches!(self.fault, Fault::Contradiction { .. } | Fault::ContradictsItself { .. })
    }

    /// Whether the accused is shown to be wrong only on the check with values for all symbols, not on the check itself.
    pub fn is_wrong_with_values(&self) -> bool {
        matches!(self.fault, Fault::WrongSat { known: KnownUnsat::WithValues, .. })
    }

    /// What the accused said of the check in question, if that is what is wrong.
    pub fn wrong_answer(&self) -> Option<Answer> {
        match self.fault {
            Fault::WrongUnsat { .. } => Some(Answer::Unsat),
            Fault::WrongSat { .. } => Some(Answer::Sat),
            // It is the answer to the case, which is not known to be wrong; but that is what is shown.
            Fault::Contradiction { voice: Some(_), .. } | Fault::ContradictsItself { .. } => {
                let said = self.said.iter().find(|said| Some(&said.solver) == self.against.as_ref())?;
                said.answers.get(self.check.unwrap_or(0)).copied().filter(|a| *a != Answer::Unknown)
            }
            _ => None,
        }
    }

    /// The name of its folder after its number: `z3-5.4.0-soundness`.
    pub fn slug(&self) -> String {
        let whom = self.against.as_ref().map_or("nobody", SolverId::as_str);
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let mut name: String = whom.chars().map(plain).take(60).collect();
        while name.contains("--") {
            name = name.replace("--", "-");
        }
        format!("{}-{}", name.trim_matches(['-', '.']), self.kind.word())
    }
}

fn identity(kind: Kind, check: Option<usize>, against: Option<&SolverId>, case: &str) -> String {
    let mut hash = Sha256::new();
    for part in [kind.word(), against.map_or("", SolverId::as_str), case] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.update(check.map_or(u64::MAX, |c| c as u64).to_le_bytes());
    format!("{:x}", hash.finalize())
}

#[cfg(test)]
mod tests;

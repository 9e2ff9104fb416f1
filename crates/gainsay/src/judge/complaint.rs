//! Complaints: what is wrong, who is wrong if that is known, and why one may trust that.

use super::evidence::Evidence;
use super::fault::Fault;
use super::kind::Kind;

/// Something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What is wrong.
    pub fault: Fault,
    /// The number of the accused solver; none if we cannot tell who is wrong.
    pub against: Option<usize>,
    /// The number of the check, if it is about one.
    pub check: Option<usize>,
    /// Why one may trust that.
    pub evidence: Vec<Evidence>,
}

impl Complaint {
    /// What kind of thing is wrong.
    pub fn kind(&self) -> Kind {
        self.fault.kind()
    }
}

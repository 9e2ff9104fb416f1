//! Limits: what one question may cost, and which of them was passed.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::case::words;

/// A bound that a solver passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Wall time.
    Time,
    /// CPU time.
    Cpu,
    /// Resident memory or address space.
    Memory,
    /// Bytes of output.
    Output,
    /// Number of processes.
    Processes,
}

words!(Bound, "bound": Time "time", Cpu "cpu", Memory "memory", Output "output", Processes "processes");

/// What one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time.
    pub wall: Duration,
    /// CPU time of the solver and all its children together.
    pub cpu: Duration,
    /// Resident memory in bytes, of the solver and all its children together.
    pub memory: u64,
    /// Whether the kernel also bounds the address space (a little above `memory`); sanitizer builds need it free.
    pub address_space: bool,
    /// Bytes of standard output and standard error together.
    pub output: u64,
    /// Processes, the solver itself included.
    pub processes: u32,
    /// The stack in bytes; what the system gives if left out.
    pub stack: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: Duration::from_secs(10),
            cpu: Duration::from_secs(10),
            memory: 2 << 30,
            address_space: true,
            output: 16 << 20,
            processes: 32,
            stack: None,
        }
    }
}

impl Limits {
    /// The default with this much time.
    pub fn of_time(time: Duration) -> Limits {
        Limits { wall: time, cpu: time, ..Limits::default() }
    }

    /// The bound on the address space that the kernel is asked to hold.
    ///
    /// Resident memory is what we promise and watch; this only stops what outruns the watching, so it has room
    /// for libraries, stacks of threads and an allocator's reserve.
    pub fn space(&self) -> Option<u64> {
        self.address_space.then(|| self.memory.saturating_mul(2).saturating_add(1 << 30))
    }
}

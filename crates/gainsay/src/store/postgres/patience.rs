//! Waiting for a server that is away.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::store::StoreError;

/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_secs(30);
/// The first pause between two attempts.
const SHORTEST: Duration = Duration::from_millis(250);
/// The time between two looks at the stop flag during a pause.
const GLANCE: Duration = Duration::from_millis(50);

/// Something that a worker's user should know about the server.
#[derive(Clone, Copy, Debug)]
pub enum ServerEvent<'a> {
    /// The server cannot be reached. The next attempt comes after a pause.
    Away {
        /// The error of the last attempt.
        error: &'a StoreError,
        /// The pause before the next attempt.
        pause: Duration,
    },
    /// The server can be reached again.
    Back,
    /// A result that waited on disk cannot be handed in. Its file has another name now.
    PutAside {
        /// The file under its new name.
        place: &'a Path,
        /// Why the result cannot be handed in.
        error: &'a StoreError,
    },
}

/// How a process waits for a server: until it is told to stop, and with a report of every attempt.
pub struct Patience {
    /// The flag that ends the waiting.
    pub stop: Arc<AtomicBool>,
    /// Receives what happens.
    pub tell: Box<dyn Fn(ServerEvent<'_>) + Send + Sync>,
}

impl Patience {
    /// Waits, longer each time. False if there is no more waiting.
    pub(super) fn pause(&self, times: u32, error: &StoreError) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let pause = SHORTEST.saturating_mul(1 << times.min(16)).min(LONGEST);
        (self.tell)(ServerEvent::Away { error, pause });
        let mut left = pause;
        while !left.is_zero() && !self.stop.load(Ordering::Relaxed) {
            let step = left.min(GLANCE);
            std::thread::sleep(step);
            left -= step;
        }
        !self.stop.load(Ordering::Relaxed)
    }

    /// Reports that the server is back.
    pub(super) fn back(&self) {
        (self.tell)(ServerEvent::Back);
    }
}

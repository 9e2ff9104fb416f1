//! The signals that end a run: the only place where they are handled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;

/// How often it is looked whether a signal came.
const WATCH: Duration = Duration::from_millis(20);
/// The signals that ask us to end.
const SIGNALS: [i32; 2] = [libc::SIGINT, libc::SIGTERM];

/// What is set when somebody wants us to stop. Once finishes the turn; twice ends at once. A store is whole at any moment.
pub fn stop() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

/// What is set when somebody wants what there is by now; that is said. Who wants so twice ends us at once, after `clean` has
/// removed what must not stay.
pub fn stop_and_clean(clean: impl Fn() + Send + 'static) -> anyhow::Result<Arc<AtomicBool>> {
    let (stop, heard) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    for signal in SIGNALS {
        let number = usize::try_from(signal).context("signals are small numbers")?;
        signal_hook::flag::register_usize(signal, heard.clone(), number)?;
    }
    let said = stop.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(WATCH);
            match heard.swap(0, Ordering::Relaxed) {
                0 => {}
                signal if said.swap(true, Ordering::Relaxed) => {
                    clean();
                    std::process::exit(128 + i32::try_from(signal).unwrap_or(0));
                }
                _ => eprintln!("stopping; once more to end at once, without a result"),
            }
        }
    });
    Ok(stop)
}

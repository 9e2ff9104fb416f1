//! A bar that moves while something takes long; where nobody watches, plain lines.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how many of some things are done.
pub struct Bar {
    /// `None` where standard error is no terminal.
    shown: Option<ProgressBar>,
    things: usize,
    begun: Instant,
    /// After how many seconds a line was printed last where there is no bar.
    last: AtomicU64,
}

/// Seconds between lines where nobody watches.
const EVERY: u64 = 20;

impl Bar {
    /// A bar for that many things.
    pub fn new(things: usize) -> Bar {
        let shown = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {bar:30} {pos}/{len} {elapsed} {wide_msg}");
            ProgressBar::new(things as u64).with_style(style.expect("a well-formed template"))
        });
        Bar { shown, things, begun: Instant::now(), last: AtomicU64::new(0) }
    }

    /// One thing is done: a line about it.
    pub fn say(&self, line: &str) {
        match &self.shown {
            Some(bar) => {
                bar.println(line);
                bar.inc(1);
            }
            None => eprintln!("{line}"),
        }
    }

    /// So many things are done; the text is made only if it is shown.
    pub fn at(&self, done: usize, text: impl Fn() -> String) {
        if let Some(bar) = &self.shown {
            bar.set_position(done as u64);
            bar.set_message(text());
            return;
        }
        let now = self.begun.elapsed().as_secs();
        if now >= self.last.load(Ordering::Relaxed) + EVERY {
            self.last.store(now, Ordering::Relaxed);
            eprintln!("{now} s: {done} of {}, {}", self.things, text());
        }
    }

    /// Keeps the bar moving until all is done, with a text that is made anew each time.
    pub fn watch(&self, done: impl Fn() -> bool, text: impl Fn() -> String) {
        let Some(bar) = &self.shown else { return };
        while !done() {
            bar.set_message(text());
            bar.tick();
            std::thread::sleep(Duration::from_millis(150));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

//! The line to a server: whoever waits for an answer hears that none comes, and can be told to stop.
//!
//! A network may be cut where neither end sees it: a tunnel takes what we say, and passes nothing on. So silence is measured here,
//! on the thread that waits; it costs a timer that rarely goes off. Whatever comes or goes on the socket ends a silence, so that
//! a long answer over a slow network has its time.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Error, IsolationLevel, Portal, Row, Statement, ToStatement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failure::Failure;

/// How often somebody who waits looks at the clock, and whether to stop.
const GLANCE: Duration = Duration::from_millis(50);
/// How long whoever is told to stop still waits for an answer; many may be told at the same moment, and all hand in.
const GRACE: Duration = Duration::from_secs(10);
/// How long saying goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// What a statement is told.
type Words<'a> = &'a [&'a (dyn ToSql + Sync)];

/// How long one waits for an answer.
#[derive(Clone)]
pub struct WaitPolicy {
    /// The longest silence.
    pub silence: Duration,
    /// Whether to stop.
    pub stop: Option<Arc<AtomicBool>>,
}

impl WaitPolicy {
    /// Whether somebody said stop.
    pub fn stops(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether a silence is too long.
    fn is_over(&self, silence: Duration) -> bool {
        silence >= if self.stops() { self.silence.min(GRACE) } else { self.silence }
    }
}

/// What moves bytes while somebody waits.
type Mover = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

struct Line {
    runtime: Runtime,
    mover: Option<Mover>,
    heed: WaitPolicy,
    /// Whether it is of no more use.
    lost: bool,
}

/// Waits for something, while bytes move.
fn wait<T>(
    runtime: &Runtime,
    mover: &mut Option<Mover>,
    heed: &WaitPolicy,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, Failure> {
    let mut answer = pin!(answer);
    runtime.block_on(async {
        let mut glance = pin!(tokio::time::sleep(GLANCE));
        let mut heard = Instant::now();
        poll_fn(|cx| {
            match mover.as_mut().map(|mover| mover.as_mut().poll(cx)) {
                Some(Poll::Ready(Err(e))) => {
                    *mover = None;
                    return Poll::Ready(Err(e.into()));
                }
                Some(Poll::Ready(Ok(()))) => *mover = None,
                Some(Poll::Pending) | None => {}
            }
            if let Poll::Ready(done) = answer.as_mut().poll(cx) {
                return Poll::Ready(done.map_err(Failure::from));
            }
            let mut glances = false;
            while glance.as_mut().poll(cx).is_ready() {
                glance.as_mut().reset(tokio::time::Instant::now() + GLANCE);
                glances = true;
            }
            // Nothing but the socket or the timer wakes us.
            if !glances {
                heard = Instant::now();
            }
            match heard.elapsed() {
                silence if heed.is_over(silence) => Poll::Ready(Err(Failure::Silent(silence))),
                _ => Poll::Pending,
            }
        })
        .await
    })
}

impl Line {
    fn wait<T>(&mut self, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Failure> {
        let done = wait(&self.runtime, &mut self.mover, &self.heed, answer);
        self.lost |= done.as_ref().is_err_and(Failure::is_lost);
        done
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let (false, Some(mover)) = (self.lost, self.mover.take()) {
            let _ = self.runtime.block_on(async { tokio::time::timeout(GOODBYE, mover).await });
        }
    }
}

/// Somebody who asks a server.
pub struct Client {
    /// Goes before the line, which then says goodbye.
    client: tokio_postgres::Client,
    line: Line,
}

impl Client {
    /// Connects to a server, with a runtime of its own.
    pub fn connect(config: &Config, tls: MakeRustlsConnect, heed: WaitPolicy) -> Result<Client, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Failure::Here)?;
        let (client, mover) = wait(&runtime, &mut None, &heed, config.connect(tls))?;
        Ok(Client { client, line: Line { runtime, mover: Some(Box::pin(mover)), heed, lost: false } })
    }

    /// From now on waits so long.
    pub fn heed(&mut self, heed: WaitPolicy) {
        self.line.heed = heed;
    }

    pub fn query<T: ?Sized + ToStatement>(
        &mut self,
        text: &T,
        words: Words<'_>,
    ) -> Result<Vec<Row>, Failure> {
        self.line.wait(self.client.query(text, words))
    }

    pub fn query_one<T: ?Sized + ToStatement>(&mut self, text: &T, words: Words<'_>) -> Result<Row, Failure> {
        self.line.wait(self.client.query_one(text, words))
    }

    pub fn query_opt<T: ?Sized + ToStatement>(
        &mut self,
        text: &T,
        words: Words<'_>,
    ) -> Result<Option<Row>, Failure> {
        self.line.wait(self.client.query_opt(text, words))
    }

    pub fn execute<T: ?Sized + ToStatement>(&mut self, text: &T, words: Words<'_>) -> Result<u64, Failure> {
        self.line.wait(self.client.execute(text, words))
    }

    pub fn batch_execute(&mut self, text: &str) -> Result<(), Failure> {
        self.line.wait(self.client.batch_execute(text))
    }

    pub fn prepare(&mut self, text: &str) -> Result<Statement, Failure> {
        self.line.wait(self.client.prepare(text))
    }

    /// Begins a transaction.
    pub fn transaction(&mut self) -> Result<Transaction<'_>, Failure> {
        let change = self.line.wait(self.client.transaction())?;
        Ok(Transaction { change: Some(change), line: &mut self.line })
    }

    /// Begins to look at all as it is at one moment.
    pub fn snapshot(&mut self) -> Result<Transaction<'_>, Failure> {
        let look = self.client.build_transaction().isolation_level(IsolationLevel::RepeatableRead);
        let look = self.line.wait(look.read_only(true).start())?;
        Ok(Transaction { change: Some(look), line: &mut self.line })
    }
}

/// A transaction, which is undone unless it is committed.
pub struct Transaction<'a> {
    change: Option<tokio_postgres::Transaction<'a>>,
    line: &'a mut Line,
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // Over a line that is lost nothing is undone; the server does that when it sees so.
        if let (false, Some(change)) = (self.line.lost, self.change.take()) {
            let _ = self.line.wait(change.rollback());
        }
    }
}

impl<'a> Transaction<'a> {
    fn both(&mut self) -> (&mut Line, &tokio_postgres::Transaction<'a>) {
        (self.line, self.change.as_ref().expect("until it is committed"))
    }

    pub fn query<T: ?Sized + ToStatement>(
        &mut self,
        text: &T,
        words: Words<'_>,
    ) -> Result<Vec<Row>, Failure> {
        let (line, change) = self.both();
        line.wait(change.query(text, words))
    }

    pub fn query_one<T: ?Sized + ToStatement>(&mut self, text: &T, words: Words<'_>) -> Result<Row, Failure> {
        let (line, change) = self.both();
        line.wait(change.query_one(text, words))
    }

    pub fn query_opt<T: ?Sized + ToStatement>(
        &mut self,
        text: &T,
        words: Words<'_>,
    ) -> Result<Option<Row>, Failure> {
        let (line, change) = self.both();
        line.wait(change.query_opt(text, words))
    }

    pub fn execute<T: ?Sized + ToStatement>(&mut self, text: &T, words: Words<'_>) -> Result<u64, Failure> {
        let (line, change) = self.both();
        line.wait(change.execute(text, words))
    }

    pub fn batch_execute(&mut self, text: &str) -> Result<(), Failure> {
        let (line, change) = self.both();
        line.wait(change.batch_execute(text))
    }

    pub fn prepare(&mut self, text: &str) -> Result<Statement, Failure> {
        let (line, change) = self.both();
        line.wait(change.prepare(text))
    }

    /// A query whose rows come some at a time.
    pub fn bind(&mut self, text: &str) -> Result<Portal, Failure> {
        let (line, change) = self.both();
        line.wait(change.bind(text, &[]))
    }

    pub fn query_portal(&mut self, portal: &Portal, most: i32) -> Result<Vec<Row>, Failure> {
        let (line, change) = self.both();
        line.wait(change.query_portal(portal, most))
    }

    pub fn commit(mut self) -> Result<(), Failure> {
        let change = self.change.take().expect("until it is committed");
        self.line.wait(change.commit())
    }
}

//! A bad network: it passes on what comes, late at times, and cuts connections now and then; or it takes all and passes on
//! nothing for a while, as a tunnel does whose other end is gone.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// A proxy before a port of this machine; it lives as long as the test does.
pub struct Proxy {
    /// Its own port.
    pub port: u16,
    cuts: Arc<AtomicU32>,
    swallows: Arc<AtomicBool>,
}

/// After this many pieces of a connection one is late, and after that many it is cut.
const LATE: u32 = 23;
const CUT: u32 = 60;
const DELAY: Duration = Duration::from_millis(300);

impl Proxy {
    /// A proxy before this port that delays and cuts.
    pub fn start(to: u16) -> Proxy {
        Proxy::before(to, true)
    }

    /// A proxy before this port that does what it is told.
    pub fn steady(to: u16) -> Proxy {
        Proxy::before(to, false)
    }

    fn before(to: u16, cutting: bool) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let cuts = Arc::new(AtomicU32::new(0));
        let counted = cuts.clone();
        let swallows = Arc::new(AtomicBool::new(false));
        let swallowing = swallows.clone();
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                digest(&swallowing);
                // A server that is away is away through us, too.
                let Ok(far) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                for stream in [&near, &far] {
                    let _ = stream.set_nodelay(true);
                }
                let pair = |s: &TcpStream| s.try_clone().expect("a stream");
                let (a, b) = ((pair(&near), pair(&far)), (far, near));
                let swallows = swallowing.clone();
                std::thread::spawn(move || pass(a.0, a.1, None, &swallows));
                let counted = cutting.then(|| counted.clone());
                let swallows = swallowing.clone();
                std::thread::spawn(move || pass(b.0, b.1, counted.as_deref(), &swallows));
            }
        });
        Proxy { port, cuts, swallows }
    }

    /// From now on keeps what comes to itself, and all connections open; or passes on what it has, and goes on.
    pub fn swallow(&self, swallows: bool) {
        self.swallows.store(swallows, Ordering::Relaxed);
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> u32 {
        self.cuts.load(Ordering::Relaxed)
    }
}

/// Waits as long as nothing is passed on.
fn digest(swallows: &AtomicBool) {
    while swallows.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, cuts: Option<&AtomicU32>, swallows: &AtomicBool) {
    let mut bytes = vec![0; 1 << 16];
    let mut pieces = 0;
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        pieces += 1;
        digest(swallows);
        if cuts.is_some() && pieces % LATE == 0 {
            std::thread::sleep(DELAY);
        }
        if let Some(cuts) = cuts.filter(|_| pieces >= CUT) {
            cuts.fetch_add(1, Ordering::Relaxed);
            break;
        }
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

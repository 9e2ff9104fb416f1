//! A bad network: it passes on what comes, late at times, and cuts connections now and then.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A proxy before a port of this machine; it lives as long as the test does.
pub struct Proxy {
    /// Its own port.
    pub port: u16,
    cuts: Arc<AtomicU32>,
}

/// After this many pieces of a connection one is late, and after that many it is cut.
const LATE: u32 = 23;
const CUT: u32 = 60;
const DELAY: Duration = Duration::from_millis(300);

impl Proxy {
    /// A proxy before this port.
    pub fn start(to: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let cuts = Arc::new(AtomicU32::new(0));
        let counted = cuts.clone();
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                // A server that is away is away through us, too.
                let Ok(far) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                for stream in [&near, &far] {
                    let _ = stream.set_nodelay(true);
                }
                let pair = |s: &TcpStream| s.try_clone().expect("a stream");
                let (a, b) = ((pair(&near), pair(&far)), (far, near));
                std::thread::spawn(move || pass(a.0, a.1, None));
                let counted = counted.clone();
                std::thread::spawn(move || pass(b.0, b.1, Some(&counted)));
            }
        });
        Proxy { port, cuts }
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> u32 {
        self.cuts.load(Ordering::Relaxed)
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, cuts: Option<&AtomicU32>) {
    let mut bytes = vec![0; 1 << 16];
    let mut pieces = 0;
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        pieces += 1;
        if pieces % LATE == 0 {
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

//! The command line of Boolector, over the C library of its wheel.
#![expect(unsafe_code, reason = "a C library is loaded and called")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::{IntoRawFd, OwnedFd};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use smt::sexpr::head;

use super::commands::{Commands, Next, echoed};
use super::loaded::Loaded;
use super::{as_set_option, library};
use crate::solver::SolverError;

type New = unsafe extern "C" fn() -> *mut c_void;
type Delete = unsafe extern "C" fn(*mut c_void);
type SetOption = unsafe extern "C" fn(*mut c_void, c_int, u32);
type FirstOption = unsafe extern "C" fn(*mut c_void) -> c_int;
type NextOption = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
type HasOption = unsafe extern "C" fn(*mut c_void, c_int) -> bool;
type OptionName = unsafe extern "C" fn(*mut c_void, c_int) -> *const c_char;
type Parse = unsafe extern "C" fn(
    *mut c_void,
    *mut libc::FILE,
    *const c_char,
    *mut libc::FILE,
    *mut *mut c_char,
    *mut i32,
) -> i32;
type Version = unsafe extern "C" fn(*mut c_void) -> *const c_char;

/// The functions we use; copied into the thread that parses.
#[derive(Clone, Copy)]
struct Api {
    new: New,
    delete: Delete,
    set_option: SetOption,
    first_option: FirstOption,
    next_option: NextOption,
    has_option: HasOption,
    option_name: OptionName,
    parse: Parse,
    version: Version,
}

fn load(place: &Path) -> Result<Api, SolverError> {
    let library = Loaded::open(place)?;
    // SAFETY: the types are those of the header `boolector.h`.
    unsafe {
        Ok(Api {
            new: library.function("boolector_new")?,
            delete: library.function("boolector_delete")?,
            set_option: library.function("boolector_set_opt")?,
            first_option: library.function("boolector_first_opt")?,
            next_option: library.function("boolector_next_opt")?,
            has_option: library.function("boolector_has_opt")?,
            option_name: library.function("boolector_get_opt_lng")?,
            parse: library.function("boolector_parse_smt2")?,
            version: library.function("boolector_version")?,
        })
    }
}

impl Api {
    /// Sets an option by its long name; false if there is none of that name.
    ///
    /// # Safety
    /// `btor` is alive.
    unsafe fn set(&self, btor: *mut c_void, name: &str, value: u32) -> bool {
        // SAFETY: the library says which options there are, and each has a name.
        unsafe {
            let mut option = (self.first_option)(btor);
            while (self.has_option)(btor, option) {
                let named = (self.option_name)(btor, option);
                if !named.is_null() && CStr::from_ptr(named).to_bytes() == name.as_bytes() {
                    (self.set_option)(btor, option, value);
                    return true;
                }
                option = (self.next_option)(btor, option);
            }
        }
        false
    }
}

/// One script on its way through the library's parser, which reads from a pipe and answers as it reads.
struct Script {
    pipe: Option<File>,
    parser: Option<JoinHandle<bool>>,
    /// What it has said, line by line, as it goes out.
    lines: Receiver<String>,
}

impl Script {
    fn new(api: Api, options: &[String]) -> io::Result<Script> {
        let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let (said, says) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let options = options.to_vec();
        let parser = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || parse(api, &options, read, says))?;
        let (sender, lines) = channel();
        std::thread::spawn(move || forward(said, &sender));
        Ok(Script { pipe: Some(File::from(write)), parser: Some(parser), lines })
    }

    /// Sends text on; what the parser says to it comes by itself.
    fn send(&mut self, text: &str) {
        if let Some(pipe) = &mut self.pipe {
            // A parser that has given up reads no more; its last word tells why.
            let _ = pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush());
        }
    }

    /// Waits until the parser has said this line; false if it ends without it.
    fn heard(&mut self, line: &str) -> bool {
        self.lines.iter().any(|l| l.trim_end() == line)
    }

    /// Ends the script and waits for its last word; true if it was in order.
    fn end(&mut self) -> bool {
        self.pipe = None;
        let fine = self.parser.take().is_none_or(|p| p.join().unwrap_or(false));
        while self.lines.recv().is_ok() {}
        fine
    }
}

/// Passes on what the library says, and tells of each line.
fn forward(from: OwnedFd, tell: &Sender<String>) {
    let mut reader = BufReader::new(File::from(from));
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(&line).and_then(|()| out.flush());
        let _ = tell.send(String::from_utf8_lossy(&line).into_owned());
        line.clear();
    }
}

fn parse(api: Api, options: &[String], from: OwnedFd, to: OwnedFd) -> bool {
    // SAFETY: the files are open and ours, the library writes into `error` a text that lives as long as `btor`.
    unsafe {
        let output = libc::fdopen(to.into_raw_fd(), c"w".as_ptr());
        libc::setvbuf(output, std::ptr::null_mut(), libc::_IONBF, 0);
        let input = libc::fdopen(from.into_raw_fd(), c"r".as_ptr());
        // Unbuffered both ways: a command is to be answered when it has come.
        libc::setvbuf(input, std::ptr::null_mut(), libc::_IONBF, 0);
        let btor = (api.new)();
        let mut error: Option<String> = None;
        for (name, value) in options.iter().filter_map(|o| as_set_option(o)) {
            let number = match value.as_str() {
                "true" => 1,
                "false" => 0,
                text => text.parse().unwrap_or(1),
            };
            if !api.set(btor, &name, number) {
                error = Some(format!("no option is called {name}"));
            }
        }
        if error.is_none() {
            let mut why: *mut c_char = std::ptr::null_mut();
            let mut status = 0;
            (api.parse)(btor, input, c"stdin".as_ptr(), output, &raw mut why, &raw mut status);
            if !why.is_null() {
                error = Some(CStr::from_ptr(why).to_string_lossy().trim().to_owned());
            }
        }
        if let Some(why) = &error {
            let said =
                CString::new(format!("(error \"{}\")\n", why.replace('"', "\"\""))).unwrap_or_default();
            libc::fputs(said.as_ptr(), output);
        }
        libc::fclose(output);
        libc::fclose(input);
        (api.delete)(btor);
        error.is_none()
    }
}

/// Reads SMT-LIB from standard input and answers it with the library in `dir`.
pub fn drive(dir: &Path, options: &[String]) -> Result<i32, SolverError> {
    let api = load(&library(dir, "libboolector")?)?;
    if options.iter().any(|o| o == "--version") {
        // SAFETY: the solver is alive and the text it returns is copied at once.
        let version = unsafe { CStr::from_ptr((api.version)((api.new)())).to_string_lossy().into_owned() };
        println!("Boolector {version}");
        return Ok(0);
    }
    serve(api, options).map_err(SolverError::at("standard input"))
}

fn serve(api: Api, options: &[String]) -> io::Result<i32> {
    let mut script = Script::new(api, options)?;
    let mut fine = true;
    let mut commands = Commands::new(io::stdin().lock());
    while let Some(next) = commands.next_command()? {
        let text = match next {
            Next::Command(text) | Next::Rest(text) => text,
        };
        match head(&text) {
            "exit" => break,
            "reset" => {
                fine &= script.end();
                script = Script::new(api, options)?;
            }
            "echo" => {
                // The library echoes it after all that came before; if it has given up, we do, after its last word.
                script.send(&format!("{text}\n"));
                if !script.heard(echoed(&text)) {
                    fine &= script.end();
                    println!("{}", echoed(&text));
                }
            }
            _ => script.send(&format!("{text}\n")),
        }
        io::stdout().flush()?;
    }
    fine &= script.end();
    Ok(i32::from(!fine))
}

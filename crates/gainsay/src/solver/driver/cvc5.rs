//! The command line of cvc5, over the C interface that its wheels have had since 1.2.
#![expect(unsafe_code, reason = "a C library is loaded and called")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use smt::command::{CommandRow, command};
use smt::sexpr::head;

use super::commands::{Commands, Next, echoed};
use super::loaded::Loaded;
use super::{as_set_option, library};
use crate::solver::SolverError;

type New = unsafe extern "C" fn() -> *mut c_void;
type NewOf = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type NewOfTwo = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void;
type Delete = unsafe extern "C" fn(*mut c_void);
type SetInput = unsafe extern "C" fn(*mut c_void, c_int, *const c_char);
type Append = unsafe extern "C" fn(*mut c_void, *const c_char);
type NextCommand = unsafe extern "C" fn(*mut c_void, *mut *const c_char) -> *mut c_void;
type Invoke = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void) -> *const c_char;
type Version = unsafe extern "C" fn(*mut c_void) -> *const c_char;

/// The number of `CVC5_INPUT_LANGUAGE_SMT_LIB_2_6`.
const SMT_LIB: c_int = 0;

/// The functions we use.
struct Api {
    terms_new: New,
    terms_delete: Delete,
    solver_new: NewOf,
    solver_delete: Delete,
    symbols_new: NewOf,
    symbols_delete: Delete,
    parser_new: NewOfTwo,
    parser_delete: Delete,
    set_input: SetInput,
    append: Append,
    next_command: NextCommand,
    invoke: Invoke,
    version: Version,
}

impl Api {
    fn load(place: &Path) -> Result<Api, SolverError> {
        let library = Loaded::open(place)?;
        // SAFETY: the types are those of the headers `cvc5.h` and `cvc5_parser.h`, unchanged from 1.2.0 on.
        unsafe {
            Ok(Api {
                terms_new: library.function("cvc5_term_manager_new")?,
                terms_delete: library.function("cvc5_term_manager_delete")?,
                solver_new: library.function("cvc5_new")?,
                solver_delete: library.function("cvc5_delete")?,
                symbols_new: library.function("cvc5_symbol_manager_new")?,
                symbols_delete: library.function("cvc5_symbol_manager_delete")?,
                parser_new: library.function("cvc5_parser_new")?,
                parser_delete: library.function("cvc5_parser_delete")?,
                set_input: library.function("cvc5_parser_set_inc_str_input")?,
                append: library.function("cvc5_parser_append_inc_str_input")?,
                next_command: library.function("cvc5_parser_next_command")?,
                invoke: library.function("cvc5_cmd_invoke")?,
                version: library.function("cvc5_get_version")?,
            })
        }
    }
}

/// A solver with its terms, symbols and parser.
struct Engine<'a> {
    api: &'a Api,
    terms: *mut c_void,
    solver: *mut c_void,
    symbols: *mut c_void,
    parser: *mut c_void,
}

impl<'a> Engine<'a> {
    fn new(api: &'a Api, options: &[String]) -> (Engine<'a>, String) {
        // SAFETY: each is made from what the interface says it is made from, and deleted in reverse.
        let mut engine = unsafe {
            let terms = (api.terms_new)();
            let solver = (api.solver_new)(terms);
            let symbols = (api.symbols_new)(terms);
            Engine { api, terms, solver, symbols, parser: std::ptr::null_mut() }
        };
        engine.new_parser();
        let mut said = String::new();
        for (name, value) in options.iter().filter_map(|o| as_set_option(o)) {
            match engine.run(&format!("(set-option :{name} {value})")).as_str() {
                "unsupported\n" => said.push_str(&format!("(error \"no option is called {name}\")\n")),
                other => said.push_str(other),
            }
        }
        (engine, said)
    }

    fn new_parser(&mut self) {
        // SAFETY: the solver and symbols are alive, and the old parser is used no more.
        unsafe {
            if !self.parser.is_null() {
                (self.api.parser_delete)(self.parser);
            }
            self.parser = (self.api.parser_new)(self.solver, self.symbols);
            (self.api.set_input)(self.parser, SMT_LIB, c"stdin".as_ptr());
        }
    }

    /// Runs one command and returns what it prints.
    fn run(&mut self, command: &str) -> String {
        let Ok(text) = CString::new(format!("{command}\n")) else {
            return "(error \"a command with a zero byte\")\n".to_owned();
        };
        // SAFETY: the parser is alive, the text ends with zero, and strings that come back are copied at once.
        unsafe {
            (self.api.append)(self.parser, text.as_ptr());
            let mut error: *const c_char = std::ptr::null();
            let parsed = (self.api.next_command)(self.parser, &raw mut error);
            if !error.is_null() {
                let why = CStr::from_ptr(error).to_string_lossy().replace('"', "\"\"");
                self.new_parser();
                return format!("(error \"Parse Error: {}\")\n", why.trim());
            }
            if parsed.is_null() {
                return String::new();
            }
            let said = (self.api.invoke)(parsed, self.solver, self.symbols);
            if said.is_null() { String::new() } else { CStr::from_ptr(said).to_string_lossy().into_owned() }
        }
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        // SAFETY: in the reverse of the order in which they were made.
        unsafe {
            (self.api.parser_delete)(self.parser);
            (self.api.symbols_delete)(self.symbols);
            (self.api.solver_delete)(self.solver);
            (self.api.terms_delete)(self.terms);
        }
    }
}

/// What is said of a check after one that ended with an error. The program cvc5 stops at the error; the library goes on, and the
/// next check may crash.
const AFTER_ERROR: &str = "(error \"an earlier check ended with an error\")";

/// Reads SMT-LIB from standard input and answers it with the library in `dir`.
pub fn drive(dir: &Path, options: &[String]) -> Result<i32, SolverError> {
    let place: PathBuf = library(dir, "libcvc5parser")?;
    let api = Api::load(&place)?;
    if options.iter().any(|o| o == "--version") {
        let (engine, _) = Engine::new(&api, &[]);
        // SAFETY: the solver is alive and the text it returns is copied at once.
        let version = unsafe { CStr::from_ptr((api.version)(engine.solver)).to_string_lossy().into_owned() };
        println!("This is cvc5 version {version}");
        return Ok(0);
    }
    let options: Vec<String> = options.iter().filter(|o| !o.starts_with("--lang=")).cloned().collect();
    let failed = SolverError::at("standard output");
    serve(&api, &options).map_err(failed)
}

fn is_check(name: &str) -> bool {
    command(name).is_some_and(CommandRow::is_check)
}

fn serve(api: &Api, options: &[String]) -> io::Result<i32> {
    let mut out = io::stdout().lock();
    let (mut engine, said) = Engine::new(api, options);
    if !said.is_empty() {
        // As the real program: a wrong option ends it before it reads anything.
        out.write_all(said.as_bytes())?;
        return Ok(1);
    }
    let (mut failures, mut check_failed) = (false, false);
    let mut commands = Commands::new(io::stdin().lock());
    while let Some(next) = commands.next_command()? {
        let command = match next {
            Next::Command(command) => command,
            Next::Rest(text) => {
                failures = true;
                let shown: String = text.chars().take(40).collect::<String>().replace('"', "\"\"");
                writeln!(out, "(error \"Parse Error: expected a command, got `{shown}`\")")?;
                out.flush()?;
                continue;
            }
        };
        match head(&command) {
            "exit" => break,
            "echo" => writeln!(out, "{}", echoed(&command))?,
            "reset" => {
                drop(engine);
                (engine, _) = Engine::new(api, options);
                check_failed = false;
            }
            name if check_failed && is_check(name) => writeln!(out, "{AFTER_ERROR}")?,
            name => {
                let said = engine.run(&command);
                let failed = said.starts_with("(error");
                failures |= failed;
                check_failed |= failed && is_check(name);
                out.write_all(said.as_bytes())?;
            }
        }
        out.flush()?;
    }
    out.flush()?;
    // Taking the solver down can take longer than solving; the kernel does it at once.
    std::process::exit(i32::from(failures));
}

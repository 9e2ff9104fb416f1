//! A solver's shared library, loaded into a process of its own.
#![expect(unsafe_code, reason = "a C library is loaded")]

use std::path::Path;

use libloading::Library;

use crate::solver::SolverError;

/// A library in this process, which was started for it alone; it stays loaded to the end.
#[derive(Clone, Copy)]
pub struct Loaded<'a> {
    library: &'static Library,
    place: &'a Path,
}

impl<'a> Loaded<'a> {
    /// Loads a solver's library.
    pub fn open(place: &'a Path) -> Result<Loaded<'a>, SolverError> {
        // SAFETY: a solver's library has no initialisers that our process, made for it alone, could be harmed by.
        let library = unsafe { Library::new(place) };
        let library = library.map_err(|e| failed(place, &e))?;
        Ok(Loaded { library: Box::leak(Box::new(library)), place })
    }

    /// A function of the library.
    ///
    /// # Safety
    /// `T` must be the type that the library's header gives it.
    pub unsafe fn function<T: Copy>(self, name: &str) -> Result<T, SolverError> {
        // SAFETY: the caller vouches for the type; the library is never unloaded.
        let found = unsafe { self.library.get::<T>(name.as_bytes()) };
        found.map(|symbol| *symbol).map_err(|e| failed(self.place, &e))
    }
}

fn failed(place: &Path, e: &libloading::Error) -> SolverError {
    SolverError::Library { library: place.to_owned(), why: e.to_string() }
}

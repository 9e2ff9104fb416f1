//! Tests of the operator table as a whole, and what the tests of single meanings share.

mod confirmed;
pub(crate) mod mutation;
mod properties;
pub(crate) mod samples;
pub(crate) mod testing;

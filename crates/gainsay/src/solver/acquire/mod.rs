//! How solvers come to this machine: releases from registries, checked by digest, kept in a home of their own.

pub mod choose;
pub mod fetch;
pub mod home;
pub mod install;
pub mod lock;

mod archive;
mod content;
mod http;
mod index;
mod pip_settings;

#[cfg(test)]
mod tests;

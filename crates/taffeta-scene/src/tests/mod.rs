//! Tests of the crate as a whole.

mod bad;
mod good;
mod mutants;
mod referred;
mod schema;
mod set;

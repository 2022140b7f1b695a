//! Tests of the crate as a whole.

mod bad;
mod bodies;
mod doubt;
mod good;
mod keys;
mod mutants;
mod referred;
mod schema;
mod select;
mod set;
mod walker;

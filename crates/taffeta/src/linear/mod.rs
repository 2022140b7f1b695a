//! Linear equations A x = b with 3×3 blocks, one row for each particle.
//!
//! ```text
//! Matrix            blocks on a fixed pattern, and those of contacts in a list of their own
//! cg                the modified conjugate gradient of Baraff & Witkin: constraints hold at any tolerance
//! terms, contact    terms of contacts, and the conjugate gradient with them
//! coarse, envelope  the coarse level of their preconditioner, and its small factor
//! cholesky          a direct factorisation, for statics and where there must be no tolerance
//! scalar            one factor for x, y and z, where the matrix is the same for all three
//! tiled             a factor of blocks in single precision, fast to make
//! factored          the conjugate gradient with that one as preconditioner, where it takes less time
//! direct            the direct factorisation where the conjugate gradient takes too long
//! ```

pub(crate) mod cg;
pub(crate) mod cholesky;
pub(crate) mod coarse;
pub(crate) mod contact;
pub(crate) mod direct;
mod dissection;
mod envelope;
pub(crate) mod factored;
pub(crate) mod filter;
pub(crate) mod matrix;
pub(crate) mod scalar;
pub(crate) mod terms;
pub(crate) mod tiled;

pub(crate) use matrix::{Matrix, Pattern};

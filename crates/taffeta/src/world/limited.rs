//! Edges with a limit on their length.

/// A spring as the limiter sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limited {
    pub a: u32,
    pub b: u32,
    /// Largest length, (1 + limit) times the rest length, m.
    pub longest: f64,
}

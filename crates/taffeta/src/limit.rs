//! Limits on stretch after the step.

use crate::model::spring::SpringKind;

/// Pulls over-long springs back after each step ([Provot 1995]; order by [Kang 2000]).
#[derive(Clone, Debug, PartialEq)]
pub struct Limiter {
    /// Largest allowed elongation, 0.15 for 15 %.
    pub limit: f64,
    /// Sweeps over all springs in a step.
    pub passes: u32,
    /// The order in which springs are visited.
    pub order: Order,
    /// Whether the velocities follow the corrected positions.
    pub inverse_dynamics: bool,
    /// Kinds of springs that are limited.
    pub springs: Vec<SpringKind>,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            limit: 0.15,
            passes: 1,
            order: Order::Stored,
            inverse_dynamics: true,
            springs: vec![SpringKind::Structural, SpringKind::Shear],
        }
    }
}

/// The order in which the limiter visits springs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they are stored.
    #[default]
    Stored,
    /// The most elongated first, by a bucket sort ([Kang 2000]).
    LongestFirst,
}

//! Settings of the limits on stretch.

use super::{Method, SpringKind};

/// Limits stretch after each step.
#[derive(Clone, Debug, PartialEq)]
pub struct Limiter {
    /// Largest allowed elongation, 0.15 for 15 %.
    pub limit: f64,
    /// How stretch is limited. `None` means [`Rule::Keep`] for backward Euler and BDF2, which hold contact in their
    /// equations, and [`Rule::Pull`] for other methods.
    pub rule: Option<Rule>,
    /// Sweeps of [`Rule::Pull`] over all springs in a step.
    pub passes: u32,
    /// The order in which [`Rule::Pull`] visits springs.
    pub order: Order,
    /// Whether the velocities follow the corrected positions.
    pub inverse_dynamics: bool,
    /// Kinds of springs, or of edges, that are limited.
    pub springs: Vec<SpringKind>,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            limit: 0.15,
            rule: None,
            passes: 1,
            order: Order::Stored,
            inverse_dynamics: true,
            springs: vec![SpringKind::Structural, SpringKind::Shear],
        }
    }
}

impl Limiter {
    /// The rule that is used with a method.
    pub fn rule(&self, method: &Method) -> Rule {
        self.rule.unwrap_or(if method.holds_contact() { Rule::Keep } else { Rule::Pull })
    }
}

/// How stretch is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Pulls over-long springs back one after the other (Provot 1995).
    Pull,
    /// Corrects all edges together until none is too long, or as far as pins and bodies allow.
    Keep,
}

/// The order in which [`Rule::Pull`] visits springs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Storage order: by kind, then by first vertex.
    #[default]
    Stored,
    /// Most elongated springs first, by a bucket sort in O(n) (Kang 2000).
    LongestFirst,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Implicit;

    #[test]
    fn methods_that_hold_contact_keep_and_the_others_pull() {
        let limiter = Limiter::default();
        for method in [Method::BackwardEuler(Implicit::default()), Method::Bdf2(Implicit::default())] {
            assert_eq!(limiter.rule(&method), Rule::Keep, "{}", method.name());
        }
        for method in [Method::FilteredEuler, Method::SymplecticEuler, Method::Rk4] {
            assert_eq!(limiter.rule(&method), Rule::Pull, "{}", method.name());
        }
        let keep = Limiter { rule: Some(Rule::Keep), ..limiter };
        assert_eq!(keep.rule(&Method::FilteredEuler), Rule::Keep);
    }
}

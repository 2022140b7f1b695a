//! How accurately the contact states are found.

/// Accuracy of the contact states. A static equilibrium needs less, because only the end counts and not the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Accuracy {
    /// Far from equilibrium.
    Little,
    /// Near equilibrium.
    Some,
    /// In a dynamic run.
    #[default]
    Full,
}

/// Largest number of reviews of normal forces, planes and contacts in a step: in a run, and in a search for an
/// equilibrium, where the next step reviews them again.
const REVIEWS: (u32, u32) = (8, 2);

/// Largest number of rounds of the active set in one linearisation: far from equilibrium, where most states still
/// change, and otherwise, where the search ends by itself.
const ROUNDS: (u32, u32) = (3, 30);

/// Shares of the decrease of Φ in all rounds below which a round is the last, in a run and in a search for an
/// equilibrium.
const ENOUGH: (f64, f64) = (1e-6, 1e-4);

impl Accuracy {
    /// Largest number of reviews of normal forces, planes and contacts in a step.
    pub fn reviews(self) -> u32 {
        if self == Self::Full { REVIEWS.0 } else { REVIEWS.1 }
    }

    /// Largest number of rounds of the active set in one linearisation.
    pub fn rounds(self) -> u32 {
        if self == Self::Little { ROUNDS.0 } else { ROUNDS.1 }
    }

    /// A round is the last if it lowers Φ by no more than this share of the decrease in all rounds.
    pub fn enough(self) -> f64 {
        if self == Self::Full { ENOUGH.0 } else { ENOUGH.1 }
    }
}

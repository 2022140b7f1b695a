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

impl Accuracy {
    /// Largest number of reviews of normal forces, planes and contacts in a step.
    pub fn reviews(self) -> u32 {
        if self == Self::Full { 8 } else { 2 }
    }

    /// Largest number of rounds of the active set in one linearisation.
    pub fn rounds(self) -> u32 {
        if self == Self::Little { 3 } else { 30 }
    }

    /// A round is the last if it lowers Φ by no more than this share of the decrease in all rounds.
    pub fn enough(self) -> f64 {
        if self == Self::Full { 1e-6 } else { 1e-4 }
    }
}

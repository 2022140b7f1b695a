//! How exactly the states of contact are found.

/// A static equilibrium needs less of it, because only the end counts and not the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Accuracy {
    /// Far from rest.
    Little,
    /// Near it.
    Some,
    /// In a run.
    #[default]
    Full,
}

impl Accuracy {
    /// Reviews of normal forces, planes and contacts in a step at most.
    pub fn reviews(self) -> u32 {
        if self == Self::Full { 8 } else { 2 }
    }

    /// Rounds of contact in one linearisation at most.
    pub fn rounds(self) -> u32 {
        if self == Self::Little { 3 } else { 30 }
    }

    /// A round that lowers Φ by no more than this share of all rounds is the last.
    pub fn enough(self) -> f64 {
        if self == Self::Full { 1e-6 } else { 1e-4 }
    }
}

//! How cloth collides.

use super::{ContactBy, Setup};

/// How cloth collides with bodies, with itself and with other cloths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSettings {
    /// Whether cloth collides with itself and with other cloths; `None` where the law has such contact.
    /// [`ContactLaw::Constraint`] has none.
    pub cloth: Option<bool>,
    /// The law of contact.
    pub law: ContactLaw,
    /// What becomes of crossings at the start, with [`ContactLaw::Barrier`].
    pub start: ContactStart,
    /// What becomes of bodies that leave cloth no room, with [`ContactLaw::Barrier`].
    pub impossible: ContactImpossible,
    /// What differs between two cloths, or a cloth and a body.
    pub pairs: Vec<ContactPair>,
}

/// What is special about the contact of two cloths, of a cloth with itself, or of a cloth and a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair {
    /// The names of both.
    pub names: [String; 2],
    /// Coefficient of friction. Without it, it is the mean of both fabrics' between cloths, and with a body the body's
    /// own or else the fabric's.
    pub friction: Option<f64>,
    /// Whether they do not collide, with [`ContactLaw::Barrier`].
    pub ignore: bool,
}

/// The law of contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactLaw {
    /// The barrier. Constraints where cloth with a limiter has bodies, unless cloth has to collide with cloth. A named
    /// method without contact has neither.
    #[default]
    Auto,
    /// Forces that grow without bound as a gap closes, and a guard that lets nothing cross.
    Barrier,
    /// Particles on bodies are constrained in the filter: D. Baraff and A. Witkin, Large Steps in Cloth Simulation,
    /// SIGGRAPH 1998, Sec. 6. For bodies with exact shapes only.
    Constraint,
}

impl ContactLaw {
    /// Names in scene files, in the order of [`ContactLaw`].
    pub const NAMES: [&str; 3] = ["auto", "barrier", "constraint"];
}

impl Setup {
    /// Whether cloth collides with cloth.
    pub fn cloth_collides(&self) -> bool {
        self.components.contact && self.contact_law() == ContactLaw::Barrier && self.contact.cloth != Some(false)
    }

    /// The law of contact that is taken: never [`ContactLaw::Auto`].
    pub fn contact_law(&self) -> ContactLaw {
        let allowed = || {
            // on exact shapes, constraints and limits on stretch are found together
            let limited = self.components.limiter && self.limiter.is_some() && !self.bodies.is_empty();
            let by_method = self.method.is_none_or(|method| method.info().contact != ContactBy::Nothing);
            by_method && !limited
        };
        match self.contact.law {
            ContactLaw::Auto if self.contact.cloth == Some(true) || allowed() => ContactLaw::Barrier,
            ContactLaw::Auto => ContactLaw::Constraint,
            law => law,
        }
    }
}

/// What becomes of triangles that cross at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactStart {
    /// [`World::new`](crate::World::new) refuses the setup and says which triangles cross. Where pins hold cloth inside
    /// a body that is a mesh, or two triangles in each other, it is exempt as with [`ContactStart::Exempt`].
    #[default]
    Refuse,
    /// They do not collide until they have come apart: see [`Exempt`](crate::Exempt). Everything else stays without
    /// crossings.
    Exempt,
}

impl ContactStart {
    /// Names in scene files, in the order of [`ContactStart`].
    pub const NAMES: [&str; 2] = ["refuse", "exempt"];
}

/// What becomes of bodies that leave cloth no room: two that close in on it, or one that goes into cloth which pins
/// hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactImpossible {
    /// Steps are divided, and at last the run ends.
    #[default]
    Stop,
    /// Triangles of cloth and of bodies for which there is no room pass through each other until they have come apart.
    /// Cloth still never passes through cloth.
    Yield,
}

impl ContactImpossible {
    /// Names in scene files, in the order of [`ContactImpossible`].
    pub const NAMES: [&str; 2] = ["stop", "yield"];
}

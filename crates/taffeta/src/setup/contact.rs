//! How cloth collides.

use super::{Body, ContactBy, Setup};

/// How cloth collides with bodies, with itself and with other cloths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Whether cloth collides with itself and with other cloths; `None` where the law has such contact.
    /// [`ContactLaw::Constraint`] has none.
    pub cloth: Option<bool>,
    /// The law of contact.
    pub law: ContactLaw,
    /// What becomes of crossings at the start, with [`ContactLaw::Barrier`].
    pub start: ContactStart,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { cloth: None, law: ContactLaw::Auto, start: ContactStart::Refuse }
    }
}

/// The law of contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLaw {
    /// The barrier. Constraints where a body has restitution, or cloth with a limiter has bodies, unless cloth has to
    /// collide with cloth. A named method without contact has neither.
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
            let unknown = |body: &Body| body.restitution > 0.0;
            by_method && !limited && !self.bodies.iter().any(unknown)
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

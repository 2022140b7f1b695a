//! How cloth collides.

/// How cloth collides with bodies, with itself and with other cloths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Whether cloth collides with itself and with other cloths. That needs [`ContactLaw::Barrier`].
    pub cloth: bool,
    /// The law of contact.
    pub law: ContactLaw,
    /// What becomes of crossings at the start, with [`ContactLaw::Barrier`].
    pub start: ContactStart,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { cloth: false, law: ContactLaw::Constraint, start: ContactStart::Refuse }
    }
}

/// The law of contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLaw {
    /// Forces that grow without bound as a gap closes, and a guard that lets nothing cross.
    Barrier,
    /// Particles on bodies are constrained in the filter: D. Baraff and A. Witkin, Large Steps in Cloth Simulation,
    /// SIGGRAPH 1998, Sec. 6. For bodies with exact shapes only.
    Constraint,
}

impl ContactLaw {
    /// Names in scene files, in the order of [`ContactLaw`].
    pub const NAMES: [&str; 2] = ["barrier", "constraint"];
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

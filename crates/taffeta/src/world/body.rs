//! Solid bodies. They are described and moved already; contact with them comes with the contact work.

use super::{Motion, Place};

/// A solid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Shown in messages and files.
    pub name: String,
    /// Its shape, centred at the origin.
    pub shape: Shape,
    /// Where it is put.
    pub place: Place,
    /// How it moves.
    pub motion: Motion,
    /// Friction coefficient; the fabric's if absent.
    pub friction: Option<f64>,
    /// Restitution coefficient.
    pub restitution: f64,
}

/// Shapes of bodies; lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Shape {
    /// y = 0, normal +y.
    Plane,
    Sphere {
        radius: f64,
    },
    Box {
        size: [f64; 3],
    },
    /// Along y; `height` between the centres of the caps.
    Capsule {
        radius: f64,
        height: f64,
    },
    /// Along y.
    Cylinder {
        radius: f64,
        height: f64,
    },
    /// Along y, tip up.
    Cone {
        radius: f64,
        height: f64,
    },
    /// Around y.
    Torus {
        radius: f64,
        tube: f64,
    },
}

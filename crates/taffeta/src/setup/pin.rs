//! Pins, which hold vertices.

use super::{Motion, Select};
use crate::Vec3;
use crate::algebra::outer;
use glam::DMat3;

/// A pin holds the selected vertices, at rest or along a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Vertices that are held.
    pub select: Select,
    /// Directions that are held.
    pub hold: Hold,
    /// Motion of the held vertices from the moment when the pin takes hold. It turns about their mean position.
    pub motion: Motion,
    /// Time at which the pin takes hold of the vertices where they are, s.
    pub from: f64,
    /// Time until which it holds, s.
    pub until: f64,
    /// Whether it also keeps the cloth from turning. The selection must then hold whole triangles (two rows of
    /// vertices; the free length starts at the inner one). Hinges at its end are twice as stiff, because they bend on
    /// one side only.
    pub clamp: bool,
}

impl Pin {
    /// Holds a selection where it starts, for ever.
    pub fn fixed(select: Select) -> Self {
        Self { select, hold: Hold::All, motion: Motion::default(), from: 0.0, until: f64::INFINITY, clamp: false }
    }

    /// Holds a selection of whole triangles where it starts and keeps the cloth from turning there, for ever.
    pub fn clamped(select: Select) -> Self {
        Self { clamp: true, ..Self::fixed(select) }
    }
}

/// Directions that a pin holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// Every direction.
    All,
    /// The axes x, y, z that are `true`.
    Axes([bool; 3]),
    /// This direction only: the vertex slides in the plane normal to it.
    Normal(Vec3),
    /// All but this direction: the vertex slides along it.
    Along(Vec3),
}

impl Hold {
    /// The free directions as a projection: S of Baraff & Witkin 1998, Sec. 5.1.
    pub fn free(&self) -> DMat3 {
        let along = |n: Vec3| {
            let n = n.normalize_or_zero();
            outer(n, n)
        };
        match *self {
            Hold::All => DMat3::ZERO,
            Hold::Axes(held) => {
                let keep = |h: bool| if h { 0.0 } else { 1.0 };
                DMat3::from_diagonal(Vec3::new(keep(held[0]), keep(held[1]), keep(held[2])))
            }
            Hold::Normal(n) => DMat3::IDENTITY - along(n),
            Hold::Along(d) => along(d),
        }
    }
}

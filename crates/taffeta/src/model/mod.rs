//! Models of cloth: its elements, how they are made from a mesh and a fabric, and the sum of their forces.

/// The kinds of elements beside springs, in the order in which they are summed.
///
/// A row has the name of the list, the type, its number of vertices, the group that other code may evaluate in its
/// place, the energy that it counts as, and the damping times of its conditions from those of the cloth. A new kind is
/// a row here, and a line `mod` below.
macro_rules! kinds {
    ($do:ident) => {
        $do! {
            hinges: crate::model::hinge::Hinge, 4, Hinges, Flexion, |tau: [f64; 3]| [tau[2]];
            stretch: crate::model::stretch::Stretch, 3, Planar, Structural, |tau: [f64; 3]| [tau[0]; 2];
            shear: crate::model::shear::Shear, 3, Planar, Shear, |tau: [f64; 3]| [tau[1]];
            membrane: crate::model::membrane::Membrane, 3, Single, Structural, |tau: [f64; 3]| [tau[0], tau[0], tau[1]];
            structural_tension: crate::model::tension::Tension, 2, Single, Structural, |tau: [f64; 3]| [tau[0]];
            shear_tension: crate::model::tension::Tension, 2, Single, Shear, |tau: [f64; 3]| [tau[1]];
            buckling: crate::model::buckling::Buckling, 2, Single, Flexion, |tau: [f64; 3]| [tau[2]];
            quadratic: crate::model::quadratic::Quadratic, 4, Quadratic, Flexion, |tau: [f64; 3]| [tau[2]; 3];
        }
    };
}

pub mod buckling;
#[cfg(test)]
mod check;
pub mod element;
pub(crate) mod elements;
pub(crate) mod fused;
pub mod hinge;
pub(crate) mod hinges;
mod lanes;
pub mod membrane;
pub(crate) mod network;
pub(crate) mod plate;
pub mod quadratic;
pub mod shear;
pub(crate) mod sheet;
pub mod spring;
pub mod stretch;
pub mod tension;
pub mod triangle;

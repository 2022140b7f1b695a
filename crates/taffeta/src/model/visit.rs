//! Calls a visitor with the elements of a block, kind by kind.
//!
//! Forces, energies and matrices are sums over elements of a dozen kinds. Each sum is written once, for any
//! [`Element`], as a [`Visitor`]; here is the only list of what there is.

use super::blocks::Block;
use super::element::Element;
use super::layout::Layout;
use super::spring::SpringKind;
use crate::World;

/// Elements of one kind in a block.
pub(crate) struct Group<'a, E, const N: usize, const M: usize> {
    pub elements: &'a [E],
    /// Where their blocks are in the matrix; empty if there is none.
    pub places: &'a [[[u32; N]; N]],
    /// Damping time of each condition, s.
    pub tau: [f64; M],
    /// Which energy it counts as.
    pub kind: SpringKind,
}

/// Does something with elements of any kind.
pub(crate) trait Visitor {
    fn visit<const N: usize, const M: usize, E: Element<N, M>>(&mut self, group: Group<'_, E, N, M>);
}

/// Which elements to visit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    /// All but springs and hinges, which explicit methods evaluate by code of their own.
    Others,
    /// Of these, what is not fused: neither stretch nor shear, nor bending that is quadratic.
    NotFused,
    /// All but stretch, shear and hinges.
    NotDefinite,
}

/// Visits the elements of a block that are switched on.
pub(crate) fn block(world: &World, block: &Block, layout: &Layout, which: Which, visitor: &mut impl Visitor) {
    if !world.components.internal {
        return;
    }
    let blocks = &world.blocks;
    let tau = if world.components.damping { world.fabrics[block.cloth].tau } else { [0.0; 3] };
    let on = |kind: SpringKind| world.is_on(kind);
    macro_rules! group {
        ($kind:expr, $range:expr, $list:ident, $tau:expr) => {
            if on($kind) && !$range.is_empty() {
                let range = $range;
                visitor.visit(Group {
                    elements: &blocks.$list[range.clone()],
                    places: layout.$list.get(range).unwrap_or_default(),
                    tau: $tau,
                    kind: $kind,
                });
            }
        };
    }
    use SpringKind::{Flexion, Shear, Structural};
    if matches!(which, Which::All | Which::NotDefinite) {
        for kind in SpringKind::ALL {
            group!(kind, block.inner[kind as usize].clone(), springs, [tau[kind as usize]]);
            group!(kind, block.border[kind as usize].clone(), springs, [tau[kind as usize]]);
        }
    }
    if which == Which::All {
        group!(Flexion, block.hinges.clone(), hinges, [tau[2]]);
    }
    if matches!(which, Which::All | Which::Others) {
        group!(Structural, block.stretch.clone(), stretch, [tau[0]; 2]);
        group!(Shear, block.shear.clone(), shear, [tau[1]]);
    }
    group!(Structural, block.membrane.clone(), membrane, [tau[0], tau[0], tau[1]]);
    group!(Structural, block.tension[0].clone(), tension, [tau[0]]);
    group!(Shear, block.tension[1].clone(), tension, [tau[1]]);
    group!(Flexion, block.buckling.clone(), buckling, [tau[2]]);
    if which != Which::NotFused {
        group!(Flexion, block.quadratic.clone(), quadratic, [tau[2]; 3]);
    }
}

/// Whether a block counts an element as its own: copies lie in every block that it touches, and the one with its
/// smallest vertex counts it.
pub(crate) fn owns<const N: usize>(block: &Block, vertices: &[u32; N]) -> bool {
    vertices.iter().min().is_some_and(|&v| block.particles.contains(&(v as usize)))
}

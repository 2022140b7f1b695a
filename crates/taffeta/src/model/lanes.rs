//! Elements evaluated side by side, so that the compiler can vectorise the loops.
//!
//! What an element needs is gathered into lanes, plain loops over lanes compute, and forces are added element by
//! element in the order of storage: the same arithmetic in the same order as one by one, and the same bits.

use crate::Vec3;

/// Number of elements evaluated at a time: enough for long loops, few enough for the first-level cache.
pub(super) const LANES: usize = 32;

/// One number for each element.
pub(super) type Line = [f64; LANES];

/// A vector of each element.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    x: Line,
    y: Line,
    z: Line,
}

impl Lanes {
    pub const ZERO: Self = Self { x: [0.0; LANES], y: [0.0; LANES], z: [0.0; LANES] };

    #[inline(always)]
    pub fn at(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, v: Vec3) {
        (self.x[lane], self.y[lane], self.z[lane]) = (v.x, v.y, v.z);
    }
}

/// Adds the forces of elements to the particles from `first` on. Particles of another block get their share there.
#[inline(always)]
pub(super) fn add<const N: usize>(
    vertices: impl Iterator<Item = [u32; N]>,
    force: &[Lanes; N],
    first: usize,
    f: &mut [Vec3],
) {
    for (lane, v) in vertices.enumerate().take(LANES) {
        for (i, force) in v.into_iter().zip(force) {
            if let Some(f) = f.get_mut((i as usize).wrapping_sub(first)) {
                *f += force.at(lane);
            }
        }
    }
}

//! The conjugate gradient with any preconditioner, which stops where the library's does.

use crate::system::System;
use taffeta::Vec3;

/// An approximate inverse.
pub trait Inverse {
    /// z ≈ A⁻¹ r; held directions of both are zero.
    fn apply(&mut self, system: &System, r: &[Vec3], z: &mut [Vec3]);
}

/// More iterations than these mean that a candidate fails.
pub const MOST: u32 = 10_000;

pub fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// Solves from `x` until δ is `enough`, or up to `most` iterations; how many. `product` is S A x, or nearly.
///
/// Each direction is made conjugate to the last: Y. Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22, 2000,
/// so that the preconditioner may be rounded or change.
pub fn solve(
    system: &System,
    inverse: &mut dyn Inverse,
    product: &mut dyn FnMut(&[Vec3], &mut [Vec3]),
    x: &mut [Vec3],
    enough: f64,
    most: u32,
) -> u32 {
    let zeros = || vec![Vec3::ZERO; x.len()];
    let (mut r, mut z, mut q, mut direction) = (zeros(), zeros(), zeros(), zeros());
    system.residual(x, &mut r);
    let mut curvature = 1.0;
    let mut iterations = 0;
    while system.measure(&r) > enough && iterations < most {
        inverse.apply(system, &r, &mut z);
        system.filter(&mut z);
        let beta = -dot(&z, &q) / curvature;
        direction.iter_mut().zip(&z).for_each(|(c, z)| *c = *z + *c * beta);
        product(&direction, &mut q);
        curvature = dot(&direction, &q);
        let alpha = dot(&r, &direction) / curvature;
        x.iter_mut().zip(&direction).for_each(|(x, c)| *x += *c * alpha);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= *q * alpha);
        iterations += 1;
    }
    iterations
}

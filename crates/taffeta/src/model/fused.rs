//! Stretch and shear of a triangle in one: what both need is computed once, and half the memory is read.
//!
//! Formulas and names are those of [`super::stretch`] and [`super::shear`], without damping.

use super::shear::Shear;
use super::stretch::Stretch;
use crate::Vec3;

/// A triangle's resistance to stretch and shear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fused {
    v: [u32; 3],
    a: [f64; 2],
    b: [f64; 2],
    k: [f64; 2],
    /// k |w| at rest.
    tension: [f64; 2],
    shear: f64,
}

impl Fused {
    /// `None` if the two are not of the same triangle.
    pub fn new(stretch: &Stretch, shear: &Shear) -> Option<Self> {
        let same = stretch.v == shear.v && stretch.a == shear.a && stretch.b == shear.b;
        let [_, a1, a2] = stretch.a;
        let [_, b1, b2] = stretch.b;
        let tension = [0, 1].map(|i| stretch.k[i] * stretch.rest[i]);
        same.then_some(Self { v: stretch.v, a: [a1, a2], b: [b1, b2], k: stretch.k, tension, shear: shear.k })
    }

    /// Adds the forces to the particles from `first` on; what is not among them gets its share elsewhere.
    #[inline]
    pub fn add(&self, x: &[Vec3], first: usize, f: &mut [Vec3]) {
        let [i, j, k] = self.v.map(|i| i as usize);
        let (d1, d2) = (x[j] - x[i], x[k] - x[i]);
        let (wu, wv) = (d1 * self.a[0] + d2 * self.a[1], d1 * self.b[0] + d2 * self.b[1]);
        let lengths = [wu.length_squared(), wv.length_squared()].map(f64::sqrt);
        let per_length = |m: usize| if lengths[m] > 0.0 { self.k[m] - self.tension[m] / lengths[m] } else { 0.0 };
        let across = self.shear * wu.dot(wv);
        let along_u = wu * per_length(0) + wv * across;
        let along_v = wv * per_length(1) + wu * across;
        let f1 = along_u * self.a[0] + along_v * self.b[0];
        let f2 = along_u * self.a[1] + along_v * self.b[1];
        for (i, force) in [(i, f1 + f2), (j, -f1), (k, -f2)] {
            if let Some(f) = f.get_mut(i.wrapping_sub(first)) {
                *f += force;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check;
    use crate::model::element::force;

    #[test]
    fn it_is_stretch_and_shear() {
        for (name, uv, x) in check::triangles() {
            let stretch = Stretch::new([0, 1, 2], &uv, [40.0, 15.0], [1.02, 0.95]);
            let shear = Shear::new([0, 1, 2], &uv, 7.0);
            let apart = [force(&stretch, &x, &x, &[0.0; 2]), force(&shear, &x, &x, &[0.0])];
            let mut f = [Vec3::ZERO; 3];
            Fused::new(&stretch, &shear).unwrap().add(&x, 0, &mut f);
            let size = apart.iter().flatten().map(|f| f.length()).fold(0.0, f64::max);
            for m in 0..3 {
                // sums of a dozen terms in another order; f_0 is minus the others instead of a sum by a_0
                let off = f[m].distance(apart[0][m] + apart[1][m]);
                assert!(off <= 1e-12 * size, "{name}: {off:e} of {size:e}");
            }
        }
    }
}

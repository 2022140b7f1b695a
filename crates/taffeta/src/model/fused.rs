//! Fused stretch and shear of triangles: common terms are computed once, and half the memory is read.
//!
//! Formulas and names are those of [`super::stretch`] and [`super::shear`]. With damping the stresses get, with dots
//! for rates,
//! ```text
//! k τ ŵ_u·ẇ_u        k τ ŵ_v·ẇ_v        k τ (ẇ_u·w_v + w_u·ẇ_v)
//! ```

use super::lanes::{self, LANES, Lanes, Line};
use super::shear::Shear;
use super::stretch::Stretch;
use crate::Vec3;
use crate::wide::Kernel;

/// Resistance to stretch and shear of several triangles, side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fused {
    v: [[u32; 3]; LANES],
    count: usize,
    a: [Line; 2],
    b: [Line; 2],
    k: [Line; 2],
    /// Tension k |w| at rest.
    tension: [Line; 2],
    shear: Line,
}

impl Fused {
    /// All triangles of a block; `None` if a stretch and its shear are not of the same triangle.
    pub fn all(stretch: &[Stretch], shear: &[Shear]) -> Option<Vec<Self>> {
        stretch.chunks(LANES).zip(shear.chunks(LANES)).map(|(stretch, shear)| Self::new(stretch, shear)).collect()
    }

    fn new(stretch: &[Stretch], shear: &[Shear]) -> Option<Self> {
        let zero = [0.0; LANES];
        let [a, b, k, tension] = [[zero; 2]; 4];
        let mut fused = Self { v: [[0; 3]; LANES], count: stretch.len(), a, b, k, tension, shear: zero };
        for (lane, (stretch, shear)) in stretch.iter().zip(shear).enumerate() {
            if stretch.v != shear.v || stretch.a != shear.a || stretch.b != shear.b {
                return None;
            }
            fused.v[lane] = stretch.v;
            for m in 0..2 {
                fused.a[m][lane] = stretch.a[m + 1];
                fused.b[m][lane] = stretch.b[m + 1];
                fused.k[m][lane] = stretch.k[m];
                fused.tension[m][lane] = stretch.k[m] * stretch.rest[m];
            }
            fused.shear[lane] = shear.k;
        }
        Some(fused)
    }
}

/// Adds the forces to the particles from `first` on.
pub(crate) struct Triangles<'a> {
    pub list: &'a [Fused],
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    /// Damping times of stretch and shear, s.
    pub tau: [f64; 2],
    pub first: usize,
    pub f: &'a mut [Vec3],
}

impl Kernel for Triangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        if self.tau == [0.0; 2] { self.add::<false>() } else { self.add::<true>() }
    }
}

impl Triangles<'_> {
    #[inline(always)]
    fn add<const DAMPED: bool>(self) {
        let Self { list, x, v: speed, tau, first, f } = self;
        let (mut edges, mut rates, mut force) = ([Lanes::ZERO; 2], [Lanes::ZERO; 2], [Lanes::ZERO; 3]);
        for Fused { v, count, a, b, k, tension, shear } in list {
            for (lane, v) in v.iter().take(*count).enumerate() {
                let x = v.map(|i| x[i as usize]);
                (0..2).for_each(|m| edges[m].set(lane, x[m + 1] - x[0]));
                if DAMPED {
                    let v = v.map(|i| speed[i as usize]);
                    (0..2).for_each(|m| rates[m].set(lane, v[m + 1] - v[0]));
                }
            }
            for l in 0..LANES {
                let (d1, d2) = (edges[0].at(l), edges[1].at(l));
                let (wu, wv) = (d1 * a[0][l] + d2 * a[1][l], d1 * b[0][l] + d2 * b[1][l]);
                let (square_u, square_v) = (wu.length_squared(), wv.length_squared());
                let (long_u, long_v) = (square_u.sqrt(), square_v.sqrt());
                let mut pull_u = k[0][l] - tension[0][l] / long_u;
                let mut pull_v = k[1][l] - tension[1][l] / long_v;
                let mut skew = wu.dot(wv);
                if DAMPED {
                    let (d1, d2) = (rates[0].at(l), rates[1].at(l));
                    let (du, dv) = (d1 * a[0][l] + d2 * a[1][l], d1 * b[0][l] + d2 * b[1][l]);
                    pull_u += k[0][l] * tau[0] * wu.dot(du) / square_u;
                    pull_v += k[1][l] * tau[0] * wv.dot(dv) / square_v;
                    skew += tau[1] * (du.dot(wv) + wu.dot(dv));
                }
                let pull_u = if long_u > 0.0 { pull_u } else { 0.0 };
                let pull_v = if long_v > 0.0 { pull_v } else { 0.0 };
                let across = shear[l] * skew;
                let along_u = wu * pull_u + wv * across;
                let along_v = wv * pull_v + wu * across;
                let f1 = along_u * a[0][l] + along_v * b[0][l];
                let f2 = along_u * a[1][l] + along_v * b[1][l];
                force[0].set(l, f1 + f2);
                force[1].set(l, -f1);
                force[2].set(l, -f2);
            }
            lanes::add(v.iter().take(*count).copied(), &force, first, f);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::check;
    use crate::model::element::force;
    use crate::wide::{self, Level, widest};

    #[test]
    fn it_is_stretch_and_shear() {
        for (seed, (name, uv, x)) in check::triangles().into_iter().enumerate() {
            let stretch = Stretch::new([0, 1, 2], &uv, [40.0, 15.0], [1.02, 0.95]);
            let shear = Shear::new([0, 1, 2], &uv, 7.0);
            let list = Fused::all(&[stretch], &[shear]).unwrap();
            let v = check::points::<3>(seed as u64, 3.0);
            for tau in [[0.0, 0.0], [0.3, 0.1], [0.0, 0.2], [0.3, 0.0]] {
                let apart = [force(&stretch, &x, &v, &[tau[0]; 2]), force(&shear, &x, &v, &[tau[1]])];
                let at = |level| {
                    let mut f = [Vec3::ZERO; 3];
                    wide::at(level, Triangles { list: &list, x: &x, v: &v, tau, first: 0, f: &mut f });
                    f
                };
                let f = at(Level::Any);
                assert!(Level::all().into_iter().all(|level| at(level) == f), "{name}: the same bits on any CPU");
                let size = apart.iter().flatten().map(|f| f.length()).fold(0.0, f64::max);
                for m in 0..3 {
                    // the dozen terms are added in a different order; f_0 is minus the sum of the others and not a sum
                    // with a_0
                    let off = f[m].distance(apart[0][m] + apart[1][m]);
                    assert!(off <= 1e-12 * size, "{name}, {tau:?} s: {off:e} of {size:e}");
                }
            }
        }
    }

    /// A list of several times the lanes, and a last one that is not full, each for particles of its own.
    #[test]
    fn many_have_the_bits_of_single_ones() {
        let (all, count) = (check::triangles(), 2 * LANES + 5);
        let of = |t: usize| &all[t % all.len()];
        let x: Vec<Vec3> = (0..count).flat_map(|t| of(t).2).collect();
        let v: Vec<Vec3> = (0..count).flat_map(|t| check::points::<3>(t as u64, 3.0)).collect();
        let element = |t: usize| {
            let v = [0, 1, 2].map(|m| (3 * t + m) as u32);
            (Stretch::new(v, &of(t).1, [40.0, 15.0], [1.02, 0.95]), Shear::new(v, &of(t).1, 7.0))
        };
        let (stretch, shear): (Vec<_>, Vec<_>) = (0..count).map(element).unzip();
        let forces = |stretch: &[Stretch], shear: &[Shear]| {
            let mut f = vec![Vec3::ZERO; x.len()];
            let list = Fused::all(stretch, shear).unwrap();
            widest(Triangles { list: &list, x: &x, v: &v, tau: [0.3, 0.1], first: 0, f: &mut f });
            f
        };
        let together = forces(&stretch, &shear);
        for t in 0..count {
            let alone = forces(&stretch[t..=t], &shear[t..=t]);
            assert_eq!(alone[3 * t..3 * t + 3], together[3 * t..3 * t + 3], "{t}");
        }
    }
}

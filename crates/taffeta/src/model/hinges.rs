//! Forces of many hinges, evaluated side by side, with the same bits as in [`super::hinge`].

use super::hinge::{Hinge, is_flat, series, viscous};
use super::lanes::{self, LANES, Lanes};
use crate::Vec3;
use crate::wide::Kernel;

/// Adds the forces to the particles from `first` on.
pub(crate) struct Hinges<'a> {
    pub list: &'a [Hinge],
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    /// Damping time, s.
    pub tau: f64,
    pub first: usize,
    pub f: &'a mut [Vec3],
}

impl Kernel for Hinges<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { list, x, v, tau, first, f } = self;
        let (mut edges, mut g) = ([Lanes::ZERO; 3], [Lanes::ZERO; 4]);
        let [mut sin, mut cos, mut tan, mut both] = [[0.0; LANES]; 4];
        let [mut k, mut rest, mut theta, mut rate] = [[0.0; LANES]; 4];
        for list in list.chunks(LANES) {
            for (lane, hinge) in list.iter().enumerate() {
                let x = hinge.v.map(|i| x[i as usize]);
                (0..3).for_each(|m| edges[m].set(lane, x[m + 1] - x[0]));
                (k[lane], rest[lane]) = (hinge.k, hinge.rest);
            }
            for l in 0..LANES {
                let [e, d2, d3] = [edges[0].at(l), edges[1].at(l), edges[2].at(l)];
                let (n0, n1) = (e.cross(d2), d3.cross(e));
                let squared = e.length_squared();
                let (a0, a1) = (n0.length_squared(), n1.length_squared());
                let length = squared.sqrt();
                sin[l] = -length * n0.dot(d3);
                cos[l] = n0.dot(n1);
                both[l] = a0 * a1;
                tan[l] = sin[l] / (both[l].sqrt() + cos[l]);
                let (g2, g3) = (n0 * (-length / a0), n1 * (-length / a1));
                let shrink = squared.recip();
                let (t2, t3) = (d2.dot(e) * shrink, d3.dot(e) * shrink);
                let g1 = -(g2 * t2 + g3 * t3);
                g[0].set(l, -(g1 + g2 + g3));
                g[1].set(l, g1);
                g[2].set(l, g2);
                g[3].set(l, g3);
            }
            let mut rare = false;
            for l in 0..LANES {
                theta[l] = series(tan[l]);
                rare |= !is_flat(tan[l]);
            }
            if rare {
                for l in 0..list.len() {
                    if both[l] == 0.0 {
                        theta[l] = rest[l];
                        g.iter_mut().for_each(|g| g.set(l, Vec3::ZERO));
                    } else if !is_flat(tan[l]) {
                        theta[l] = sin[l].atan2(cos[l]);
                    }
                }
            }
            if tau != 0.0 {
                for (lane, hinge) in list.iter().enumerate() {
                    let [a, b, c, d] = hinge.v.map(|i| v[i as usize]);
                    rate[lane] =
                        g[0].at(lane).dot(a) + g[1].at(lane).dot(b) + g[2].at(lane).dot(c) + g[3].at(lane).dot(d);
                }
            }
            for l in 0..LANES {
                let mut moment = theta[l] - rest[l];
                if tau != 0.0 {
                    moment += viscous(tau, rate[l]);
                }
                let scale = -k[l] * moment;
                g[0].set(l, g[0].at(l) * scale);
                g[1].set(l, g[1].at(l) * scale);
                g[2].set(l, g[2].at(l) * scale);
                g[3].set(l, g[3].at(l) * scale);
            }
            lanes::add(list.iter().map(|hinge| hinge.v), &g, first, f);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::signed;
    use crate::wide::{self, Level};

    /// Flat and steep ones, and some without an area; a part of them in another block.
    #[test]
    fn they_have_the_bits_of_single_ones_on_any_cpu() {
        let n = 300u32;
        let point = |i: u32, size: f64, seed: u64| {
            Vec3::from_array([0, 1, 2].map(|a| size * signed(seed, u64::from(3 * i + a))))
        };
        for size in [1e-3, 0.1, 2.0] {
            let x: Vec<Vec3> =
                (0..n).map(|i| Vec3::new((i % 4).into(), (i / 4 % 2).into(), 0.0) + point(i, size, 1)).collect();
            let v: Vec<Vec3> = (0..n).map(|i| point(i, 1.0, 2)).collect();
            let hinge = |i: u32| {
                let apart = if i % 50 == 7 { 0 } else { 1 };
                Hinge { v: [i, i + apart, i + 4, i + 2], k: 1.0 + f64::from(i), rest: 0.1 }
            };
            let list: Vec<Hinge> = (0..n - 8).map(hinge).collect();
            for tau in [0.0, 0.3] {
                let first = 100;
                let mut want = vec![Vec3::ZERO; n as usize - first];
                for hinge in &list {
                    let at = hinge.v.map(|i| i as usize);
                    for (i, force) in at.into_iter().zip(hinge.force(&at.map(|i| x[i]), &at.map(|i| v[i]), tau)) {
                        if i >= first {
                            want[i - first] += force;
                        }
                    }
                }
                for level in Level::all() {
                    let mut f = vec![Vec3::ZERO; want.len()];
                    wide::at(level, Hinges { list: &list, x: &x, v: &v, tau, first, f: &mut f });
                    assert_eq!(f, want, "{size} m, {tau} s, {level:?}");
                }
            }
        }
    }
}

//! Checks shared by the tests of elements: derivatives against central differences, definiteness, states to try.

use super::element::{self, Curvature, Damped, Element, Linear};
use crate::Vec3;
use glam::{DMat3, DQuat};

/// Random points in a cube of the given size.
pub fn points<const N: usize>(seed: u64, scale: f64) -> [Vec3; N] {
    std::array::from_fn(|i| {
        let r = |c: u64| crate::random::signed(seed, 3 * i as u64 + c) * scale;
        Vec3::new(r(0), r(1), r(2))
    })
}

/// Turns points and moves them by some of their size; `far` moves them by a hundred times their size.
pub fn placed<const N: usize>(x: [Vec3; N], seed: u64, far: bool) -> [Vec3; N] {
    let [p, q] = points::<2>(seed, 1.0);
    let turn = DQuat::from_xyzw(p.x, p.y, p.z, q.x).normalize();
    let shift = q * extent(&x) * if far { 100.0 } else { 1.0 };
    x.map(|x| turn * x + shift)
}

fn extent<const N: usize>(x: &[Vec3; N]) -> f64 {
    x.iter().flat_map(|p| x.iter().map(move |q| p.distance(*q))).fold(0.0, f64::max)
}

/// The smallest height of any three of the points (their distance, of two): what a difference has to stay well below.
pub fn reach<const N: usize>(x: &[Vec3; N]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, p) in x.iter().enumerate() {
        for (j, q) in x.iter().enumerate().skip(i + 1) {
            least = least.min(p.distance(*q));
            for r in &x[j + 1..] {
                let longest = p.distance(*q).max(q.distance(*r)).max(r.distance(*p));
                least = least.min((*q - *p).cross(*r - *p).length() / longest);
            }
        }
    }
    least
}

/// Record of what was compared, and how well it agreed.
#[derive(Default)]
pub struct Tally {
    /// Conditions that turn with the element: their damping exerts a torque.
    pub turning: bool,
    pub forces: usize,
    pub derivatives: usize,
    pub states: usize,
    pub worst_force: (f64, String),
    pub worst_derivative: (f64, String),
    pub least: (f64, String),
}

impl Tally {
    /// Everything that must hold for an element in a state: force and derivative against differences, with and without
    /// damping; a symmetric matrix; a definite one where it is asked for; no force and no torque in sum.
    ///
    /// `reach` is the length over which the state may be changed without meeting a kink or a collapse.
    pub fn state<const N: usize, const M: usize>(
        &mut self,
        name: &str,
        element: &impl Element<N, M>,
        x: &[Vec3; N],
        reach: f64,
    ) {
        // the rates have every sign and size: the damping is stronger or weaker than the elastic part
        let seed = self.states as u64;
        let noise = points::<N>(seed ^ 0x5eed, 0.3 * reach);
        let past = element.conditions(&std::array::from_fn(|i| x[i] + noise[i]));
        let ratio = std::array::from_fn(|m| 1.05 + crate::random::signed(seed, 77 + m as u64));
        let damped = Damped { ratio, past };
        for (name, damped) in [(name.to_owned(), None), (format!("{name}, damped"), Some(&damped))] {
            let linear = |x: &[Vec3; N], curvature| element::linearise(element, x, damped, curvature);
            let worst = compare_force(
                &name,
                x,
                reach,
                |x| element::potential(element, x, damped),
                |x| linear(x, Curvature::Exact).force,
            );
            keep(&mut self.worst_force, worst, &name);
            self.forces += 3 * N;
            let worst = force_derivative(&name, x, reach, |x| linear(x, Curvature::Exact));
            keep(&mut self.worst_derivative, worst, &name);
            self.derivatives += 9 * N * N;
            let least = definite(&name, &linear(x, Curvature::Definite));
            keep(&mut self.least, -least, &name);
            self.states += 1;
        }
        let elastic = element::force(element, x, x, &[0.0; M]);
        assert_eq!(elastic, element::linearise(element, x, None, Curvature::Definite).force, "{name}");
        balanced(name, x, &elastic);
        if !self.turning {
            balanced(name, x, &element::force(element, x, &points(seed, extent(x)), &ratio));
        }
    }

    /// Says what was done; fails if it was little.
    pub fn report(&self, what: &str) {
        let Self { turning: _, forces, derivatives, states, worst_force: f, worst_derivative: d, least } = self;
        println!("{what}: {forces} components of forces in {states} states, worst error {:.1e} ({})", f.0, f.1);
        println!("{what}: {derivatives} components of derivatives, worst error {:.1e} ({})", d.0, d.1);
        println!("{what}: least eigenvalue where definite is asked for {:.1e} ({})", -least.0, least.1);
        assert!(*derivatives > 1000, "{what}: only {derivatives} comparisons");
    }
}

fn keep(worst: &mut (f64, String), value: f64, name: &str) {
    if value > worst.0 || worst.1.is_empty() {
        *worst = (value, name.to_owned());
    }
}

/// Internal forces exert no force and no torque in sum.
pub fn balanced<const N: usize>(name: &str, x: &[Vec3; N], f: &[Vec3; N]) {
    let size: f64 = f.iter().map(|f| f.length()).sum();
    let from = x[0];
    let arm = extent(x) + f64::EPSILON * x.iter().map(|x| x.length()).fold(0.0, f64::max) * 1e3;
    let torque: Vec3 = (0..N).map(|i| (x[i] - from).cross(f[i])).sum();
    let sum: Vec3 = f.iter().sum();
    assert!(sum.length() <= 1e-12 * size, "{name}: {sum} of {size}");
    assert!(torque.length() <= 1e-12 * size * arm, "{name}: torque {torque} of {}", size * arm);
}

/// Compares a force with central differences of the energy: relative error near 1e-6 of the largest component.
pub fn force<const N: usize>(
    name: &str,
    x: &[Vec3; N],
    energy: impl Fn(&[Vec3; N]) -> f64,
    force: impl Fn(&[Vec3; N]) -> [Vec3; N],
) {
    compare_force(name, x, reach(x), energy, force);
}

/// Fourth-order differences; their step is a power of two, so that far from the origin it is still the step that was
/// meant.
fn slope<T>(x: f64, reach: f64, at: impl Fn(f64) -> T) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T> + std::ops::Div<f64, Output = T>,
{
    let step = (1e-3 * reach).log2().round().exp2();
    let second = at(x + 2.0 * step) - at(x - 2.0 * step);
    ((at(x + step) - at(x - step)) * 8.0 - second) / (12.0 * step)
}

fn compare_force<const N: usize>(
    name: &str,
    x: &[Vec3; N],
    reach: f64,
    energy: impl Fn(&[Vec3; N]) -> f64,
    force: impl Fn(&[Vec3; N]) -> [Vec3; N],
) -> f64 {
    let exact = force(x);
    let largest = exact.iter().map(|f| f.abs().max_element()).fold(0.0, f64::max);
    assert!(largest > 0.0, "{name}: every component is zero, which proves nothing");
    let mut worst = 0.0f64;
    for i in 0..N {
        for axis in 0..3 {
            let slope = slope(x[i][axis], reach, |value| {
                let mut moved = *x;
                moved[i][axis] = value;
                energy(&moved)
            });
            let error = (exact[i][axis] + slope).abs() / largest;
            assert!(error < 1e-6, "{name}: particle {i} axis {axis}: force {} slope {slope}", exact[i][axis]);
            worst = worst.max(error);
        }
    }
    worst
}

/// Compares -∂f/∂x with differences of the force, by the largest component; returns the worst error.
pub fn force_derivative<const N: usize>(
    name: &str,
    x: &[Vec3; N],
    reach: f64,
    linear: impl Fn(&[Vec3; N]) -> Linear<N>,
) -> f64 {
    let exact = linear(x).stiffness;
    let largest = exact.iter().flatten().map(size).fold(0.0, f64::max);
    assert!(largest > 0.0, "{name}: every component is zero, which proves nothing");
    let mut worst = 0.0f64;
    for j in 0..N {
        for axis in 0..3 {
            for (i, row) in exact.iter().enumerate() {
                let slope = slope(x[j][axis], reach, |value| {
                    let mut moved = *x;
                    moved[j][axis] = value;
                    linear(&moved).force[i]
                });
                let found = row[j].col(axis);
                let error = (found + slope).abs().max_element() / largest;
                assert!(error < 1e-6, "{name}: block {i} {j} axis {axis}: {found} instead of {} ({error})", -slope);
                worst = worst.max(error);
            }
        }
    }
    worst
}

fn size(m: &DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |a, v| a.max(v.abs()))
}

/// The least eigenvalue by the largest component must not be below -1e-12; the matrix must be symmetric.
pub fn definite<const N: usize>(name: &str, linear: &Linear<N>) -> f64 {
    let k = &linear.stiffness;
    let largest = k.iter().flatten().map(size).fold(0.0, f64::max);
    assert!(largest.is_finite(), "{name}: {k:?}");
    if largest == 0.0 {
        return 0.0;
    }
    for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
        let difference = size(&(k[i][j] - k[j][i].transpose()));
        // solvers keep one half, so the other must be the same to the last bit; blocks on the diagonal may have
        // rounding
        assert!(difference <= if i == j { 1e-15 * largest } else { 0.0 }, "{name}: not symmetric: {i} {j}");
    }
    let full = (0..3 * N).map(|r| (0..3 * N).map(|c| k[r / 3][c / 3].col(c % 3)[r % 3] / largest).collect()).collect();
    let least = eigenvalues(full).into_iter().fold(f64::INFINITY, f64::min);
    assert!(least > -1e-12, "{name}: eigenvalue {least} of {largest}");
    least
}

/// Eigenvalues of a symmetric matrix, by Jacobi's rotations.
pub fn eigenvalues(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    for _ in 0..50 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off < 1e-32 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let half = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                let t = half.signum() / (half.abs() + (1.0 + half * half).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let [rows, others] = a.get_disjoint_mut([p, q]).expect("two rows");
                for (p, q) in rows.iter_mut().zip(others) {
                    (*p, *q) = (c * *p - s * *q, s * *p + c * *q);
                }
            }
        }
    }
    (0..n).map(|i| a[i][i]).collect()
}

/// What is kept as definite is not less than the exact second derivative in any direction, for stresses of either sign.
///
/// Holds for positive parts, not for elements that leave out more.
pub fn covers<const N: usize, const M: usize>(name: &str, element: &impl Element<N, M>, x: &[Vec3; N]) {
    for seed in 0..6 {
        let sigma: [f64; M] = std::array::from_fn(|m| crate::random::signed(seed, m as u64));
        let [kept, exact] = [Curvature::Definite, Curvature::Exact].map(|c| element.second(x, &sigma, c));
        let largest = exact.iter().flatten().map(size).fold(0.0, f64::max);
        let entry = |r: usize, c: usize| (kept[r / 3][c / 3] - exact[r / 3][c / 3]).col(c % 3)[r % 3] / largest;
        let least = eigenvalues((0..3 * N).map(|r| (0..3 * N).map(|c| entry(r, c)).collect()).collect());
        assert!(least.iter().all(|&l| l > -1e-12), "{name}: {least:?} with {sigma:?}");
    }
}

/// Where everything is finite, and nothing happens that is not documented.
pub fn finite<const N: usize, const M: usize>(name: &str, element: &impl Element<N, M>, x: &[Vec3; N]) {
    let damped = Damped { ratio: [1.0; M], past: [0.5; M] };
    for curvature in [Curvature::Exact, Curvature::Definite] {
        let Linear { force, stiffness } = element::linearise(element, x, Some(&damped), curvature);
        assert!(force.iter().all(|f| f.is_finite()), "{name}: {force:?}");
        assert!(stiffness.iter().flatten().all(|k| k.is_finite()), "{name}: {stiffness:?}");
    }
    assert!(element::potential(element, x, Some(&damped)).is_finite(), "{name}");
    definite(name, &element::linearise(element, x, Some(&damped), Curvature::Definite));
}

/// Rest triangles of some size: plain, wound clockwise, mirrored and turned, and a needle.
pub fn rest_triangles(scale: f64) -> [(&'static str, [[f64; 2]; 3]); 4] {
    [
        ("plain", [[0.1, -0.2], [1.2, 0.1], [0.3, 0.9]]),
        ("clockwise", [[0.1, -0.2], [0.3, 0.9], [1.2, 0.1]]),
        ("mirrored", [[-0.5, 0.4], [-1.4, 0.9], [-0.9, -0.3]]),
        ("needle", [[0.0, 0.0], [1.0, 0.3], [0.5, 0.152]]),
    ]
    .map(|(name, uv)| (name, uv.map(|p| p.map(|p| p * scale))))
}

/// Rest triangles with states of them: random, stretched, compressed, nearly collapsed, far from the origin.
pub fn triangles() -> Vec<(String, [[f64; 2]; 3], [Vec3; 3])> {
    let v = Vec3::new;
    let mut maps: Vec<(String, Vec3, Vec3)> = [
        ("stretched x10", v(10.0, 0.5, 0.0), v(0.3, 10.0, 0.0)),
        ("stretched x10 along u", v(10.0, 0.0, 0.0), v(0.1, 1.1, 0.0)),
        ("compressed x0.1", v(0.1, 0.02, 0.0), v(-0.01, 0.1, 0.0)),
        ("compressed x0.1 along v", v(1.05, 0.0, 0.0), v(0.01, 0.1, 0.0)),
        ("collapsed to 1e-4 along u", v(1e-4, 0.0, 0.0), v(0.2, 0.9, 0.0)),
        ("sheared by 60 degrees", v(1.0, 0.0, 0.0), v(0.87, 0.5, 0.0)),
        ("sheared to 1e-3", v(1.0, 0.0, 0.0), v(0.999, 1e-3, 0.0)),
        ("sheared to -1e-5", v(1.0, 0.0, 0.0), v(-0.999, 1e-5, 0.0)),
        ("inverted", v(1.1, 0.1, 0.0), v(0.1, -0.8, 0.0)),
        ("near rest", v(1.001, 0.0005, 0.0), v(0.0003, 0.9995, 0.0)),
    ]
    .map(|(name, u, v)| (name.to_owned(), u, v))
    .into();
    maps.extend((0..8).map(|seed| {
        let [u, v] = points::<2>(seed, 1.5);
        (format!("random {seed}"), u, v)
    }));
    let mut samples = Vec::new();
    for scale in [1e-6, 1.0, 1e3] {
        for (shape, uv) in rest_triangles(scale) {
            for (seed, (map, wu, wv)) in maps.iter().enumerate() {
                for far in [false, true] {
                    let x = placed(uv.map(|[u, v]| *wu * u + *wv * v), seed as u64, far);
                    let name = format!("{shape} of {scale} m {map}{}", if far { ", far" } else { "" });
                    samples.push((name, uv, x));
                }
            }
        }
    }
    samples
}

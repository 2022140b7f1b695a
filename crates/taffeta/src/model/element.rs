//! Elements as the implicit methods see them: conditions that should keep their rest values, and a law.
//!
//! ```text
//! E = W(C)                      C(x): M conditions of N particles, after Baraff & Witkin 1998, Sec. 4
//! σ = ∂W/∂C                     stress that belongs to the conditions
//! f_i = -Σ_m σ_m ∂C_m/∂x_i
//! -∂f_i/∂x_j = Σ_mn ∂C_m/∂x_i ∂²W/∂C_m∂C_n ∂C_n/∂x_jᵀ + Σ_m σ_m ∂²C_m/∂x_i∂x_j
//! ```
//! The first term is positive wherever the law is convex. The second can be indefinite: compressed triangles and
//! springs, sheared triangles, bent hinges. Every element says in [`Element::second`] what it leaves out where a
//! definite matrix is asked for.
//!
//! Damping: the stress gets the part τ V Ċ, V the law's stiffness at rest. The paper takes Ċ = ∂C/∂x·v, whose
//! derivative is not symmetric, and drops the terms that make it so. Here the rate is that of the conditions over the
//! step, Ċ = (C(x) - past)/(γh): the same at the start of the step, where the paper linearises, but the gradient of the
//! potential τ V (C - past)²/(2γh). So nothing has to be dropped, and the nonlinear equations stay those of a minimum.
//! Conditions that V couples may have different τ: between two of them τ is the geometric mean.

use crate::Vec3;
use crate::algebra::outer;
use glam::DMat3;

/// Variant of the second derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// The full derivative; the matrix may be indefinite.
    Exact,
    /// The derivative without terms that could make the matrix indefinite: each element's part is positive
    /// semidefinite.
    Definite,
}

/// An element of N particles with M conditions.
pub trait Element<const N: usize, const M: usize> {
    /// Its particles.
    fn vertices(&self) -> [u32; N];

    /// Values of the conditions.
    fn conditions(&self, x: &[Vec3; N]) -> [f64; M];

    /// Of the values that mean the same state as `c`, the one nearest to `to`: angles have more than one.
    fn near(&self, c: [f64; M], _to: &[f64; M]) -> [f64; M] {
        c
    }

    /// Conditions and their gradients; `None` where they are not defined, and the element exerts no force.
    fn gradients(&self, x: &[Vec3; N]) -> Option<([f64; M], [[Vec3; N]; M])>;

    /// Energy W(C), J.
    fn law_energy(&self, c: &[f64; M]) -> f64;

    /// Stress ∂W/∂C.
    fn stress(&self, c: &[f64; M]) -> [f64; M];

    /// Stiffness ∂²W/∂C², symmetric.
    fn stiffness(&self, c: &[f64; M]) -> [[f64; M]; M];

    /// Matrix V that the damping is proportional to; symmetric, and the same in every state.
    fn viscosity(&self) -> [[f64; M]; M];

    /// Geometric stiffness Σ_m σ_m ∂²C_m/∂x_i∂x_j, or the positive semidefinite part of it that is kept.
    fn second(&self, x: &[Vec3; N], sigma: &[f64; M], curvature: Curvature) -> [[DMat3; N]; N];
}

/// Damping of an element in a step.
#[derive(Clone, Copy, Debug)]
pub struct Damped<const M: usize> {
    /// Ratio τ/(γh) of each condition; not negative.
    pub ratio: [f64; M],
    /// Conditions from which the rates are counted.
    pub past: [f64; M],
}

/// Forces, N, and minus their derivative, N/m.
#[derive(Clone, Copy, Debug)]
pub struct Linear<const N: usize> {
    /// Force on each particle, N.
    pub force: [Vec3; N],
    /// Derivatives -∂f_i/∂x_j, N/m.
    pub stiffness: [[DMat3; N]; N],
}

/// Damping matrix √(r_m r_n) V_mn. Where V couples conditions of different ratios, r_m V_mn would not be symmetric, and
/// so not the gradient of a potential. This matrix is symmetric, and as definite as V.
#[inline]
fn scaled<const N: usize, const M: usize>(element: &impl Element<N, M>, ratio: &[f64; M]) -> [[f64; M]; M] {
    let mut v = element.viscosity();
    for m in 0..M {
        v[m][m] *= ratio[m];
        for n in (0..M).filter(|&n| n != m) {
            if v[m][n] != 0.0 {
                v[m][n] *= (ratio[m] * ratio[n]).sqrt();
            }
        }
    }
    v
}

/// Product of a matrix and a vector.
#[inline]
fn times<const M: usize>(matrix: &[[f64; M]; M], vector: &[f64; M]) -> [f64; M] {
    matrix.map(|row| (0..M).map(|n| row[n] * vector[n]).sum())
}

/// Energy and the potential of the damping, if there is any, J.
pub fn potential<const N: usize, const M: usize>(
    element: &impl Element<N, M>,
    x: &[Vec3; N],
    damped: Option<&Damped<M>>,
) -> f64 {
    let c = element.conditions(x);
    let lost = damped.map_or(0.0, |damped| {
        let change = std::array::from_fn(|m| c[m] - damped.past[m]);
        let stress = times(&scaled(element, &damped.ratio), &change);
        (0..M).map(|m| 0.5 * stress[m] * change[m]).sum()
    });
    element.law_energy(&c) + lost
}

/// Elastic forces, N, and those of the damping at the velocities `v` with Ċ = ∂C/∂x·v, as explicit methods need them.
pub fn force<const N: usize, const M: usize>(
    element: &impl Element<N, M>,
    x: &[Vec3; N],
    v: &[Vec3; N],
    tau: &[f64; M],
) -> [Vec3; N] {
    let Some((c, g)) = element.gradients(x) else { return [Vec3::ZERO; N] };
    let mut stress = element.stress(&c);
    if tau.iter().any(|&tau| tau != 0.0) {
        let rate = std::array::from_fn(|m| (0..N).map(|i| g[m][i].dot(v[i])).sum());
        let viscous = times(&scaled(element, tau), &rate);
        (0..M).for_each(|m| stress[m] += viscous[m]);
    }
    std::array::from_fn(|i| -(0..M).map(|m| g[m][i] * stress[m]).sum::<Vec3>())
}

/// Forces at the end of a step and minus their derivative.
pub fn linearise<const N: usize, const M: usize>(
    element: &impl Element<N, M>,
    x: &[Vec3; N],
    damped: Option<&Damped<M>>,
    curvature: Curvature,
) -> Linear<N> {
    let Some((c, g)) = element.gradients(x) else {
        return Linear { force: [Vec3::ZERO; N], stiffness: [[DMat3::ZERO; N]; N] };
    };
    let mut sigma = element.stress(&c);
    let mut law = element.stiffness(&c);
    if let Some(damped) = damped {
        let v = scaled(element, &damped.ratio);
        let viscous = times(&v, &std::array::from_fn(|m| c[m] - damped.past[m]));
        for m in 0..M {
            sigma[m] += viscous[m];
            (0..M).for_each(|n| law[m][n] += v[m][n]);
        }
    }
    let mut stiffness = element.second(x, &sigma, curvature);
    add_products(&g, &law, &mut stiffness);
    let force = std::array::from_fn(|i| -(0..M).map(|m| g[m][i] * sigma[m]).sum::<Vec3>());
    Linear { force, stiffness }
}

/// Minus the derivative of the damping forces by the velocities, N s/m: ∂C/∂x τ V ∂C/∂xᵀ.
pub fn damping_matrix<const N: usize, const M: usize>(
    element: &impl Element<N, M>,
    x: &[Vec3; N],
    tau: &[f64; M],
) -> [[DMat3; N]; N] {
    let mut matrix = [[DMat3::ZERO; N]; N];
    if let Some((_, g)) = element.gradients(x) {
        add_products(&g, &scaled(element, tau), &mut matrix);
    }
    matrix
}

/// Adds Σ_mn ∂C_m/∂x_i law_mn ∂C_n/∂x_jᵀ; the lower half is the transpose of the upper one to the last bit.
#[inline]
fn add_products<const N: usize, const M: usize>(g: &[[Vec3; N]; M], law: &[[f64; M]; M], matrix: &mut [[DMat3; N]; N]) {
    for i in 0..N {
        let left: [Vec3; M] = std::array::from_fn(|n| (0..M).map(|m| g[m][i] * law[m][n]).sum());
        for j in i..N {
            let product: DMat3 = (0..M).fold(DMat3::ZERO, |sum, n| sum + outer(left[n], g[n][j]));
            matrix[i][j] += product;
            if j > i {
                matrix[j][i] += product.transpose();
            }
        }
    }
}

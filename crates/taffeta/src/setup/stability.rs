//! Longest stable step of each method, from the highest frequency of the cloth.
//!
//! The limits on z = h ω of the linear oscillator are from E. Hairer, C. Lubich and G. Wanner, Geometric Numerical
//! Integration, 2006, or derived by hand:
//!
//! | method | z below |
//! |---|---|
//! | forward Euler | 2 ζ of the least damped mode, and for ζ > 1: 2 (ζ - √(ζ²-1)) |
//! | symplectic Euler, Verlet | 2 (√(1 + ζ²) - ζ) |
//! | midpoint | none: amplitudes grow by z⁴/8 in a step; here ten percent in ten seconds |
//! | Runge-Kutta 4 | 2.6, the half disc inside its region; for ζ > 1: 2.6/(ζ + √(ζ²-1)) |
//! | IMEX | 2, whatever the damping |
//! | backward Euler, BDF2, filtered Euler | no limit |

use super::Method;

/// Share of the limit that `auto` uses, because the estimate is that of a linear cloth.
pub const SAFETY: f64 = 0.8;

/// Quantities that bound the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffest {
    /// Highest frequency, rad/s.
    pub omega: f64,
    /// Largest damping rate, of elements and viscous damping together, 1/s.
    pub damping: f64,
    /// Smallest damping time τ of any element, s.
    pub least_tau: f64,
    /// Smallest viscous damping of a particle, 1/s.
    pub least_drag: f64,
}

impl Stiffest {
    /// The longest stable step of a method, s; `None` if it has none. Infinite if nothing is stiff.
    pub fn stable_step(&self, method: Method) -> Option<f64> {
        if self.omega == 0.0 {
            // only drag acts, and the mode decays: v' = -damping v
            return Some(if self.damping > 0.0 { 2.0 / self.damping } else { f64::INFINITY });
        }
        (method.info().stable)(self)
    }

    /// Damping ratio of the stiffest mode.
    fn zeta(&self) -> f64 {
        0.5 * self.damping / self.omega
    }

    /// Factor by which the fast root of the stiffest mode is faster where it is overdamped.
    fn overdamped(&self) -> f64 {
        let zeta = self.zeta();
        if zeta > 1.0 { zeta + (zeta * zeta - 1.0).sqrt() } else { 1.0 }
    }
}

/// Every mode must be damped enough: h < 2 ζ/ω = τ + c/(m ω²) with the least of each.
pub(super) fn forward_euler(of: &Stiffest) -> Option<f64> {
    let z = of.omega * of.least_tau + of.least_drag / of.omega;
    (z != 0.0).then(|| z.min(2.0 / of.overdamped()) / of.omega)
}

pub(super) fn symplectic(of: &Stiffest) -> Option<f64> {
    let zeta = of.zeta();
    Some(2.0 * ((1.0 + zeta * zeta).sqrt() - zeta) / of.omega)
}

pub(super) fn midpoint(of: &Stiffest) -> Option<f64> {
    let undamped = (8.0 * 1.1f64.ln() / (10.0 * of.omega)).cbrt();
    Some(undamped.min(1.9 / of.overdamped()) / of.omega)
}

pub(super) fn rk4(of: &Stiffest) -> Option<f64> {
    Some(2.6 / of.overdamped() / of.omega)
}

/// Damping is implicit: only the elastic forces count.
pub(super) fn imex(of: &Stiffest) -> Option<f64> {
    Some(2.0 / of.omega)
}

pub(super) fn any(_: &Stiffest) -> Option<f64> {
    Some(f64::INFINITY)
}

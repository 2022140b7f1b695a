//! The law of the normal force of a contact.
//!
//! With the radius r, the gap d and τ = r/2:
//! ```text
//! d >= r       f = 0
//! τ <= d < r   f = k (r - d)²/r            starts softly: without a load, cloth rests at r
//! d < τ        f = (k r/4) (τ/d)²          grows without bound: nothing reaches d = 0
//! ```
//! Force and slope are continuous at τ, the force is continuous at r.

/// Radius and stiffness of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Law {
    /// Distance at which the force begins, m.
    pub radius: f64,
    /// Stiffness, N/m.
    pub stiffness: f64,
}

/// The gap at which the two parts of the law join, τ, as a share of the radius, and the force there as a share of k r.
const JOIN: f64 = 0.5;
const AT_JOIN: f64 = (1.0 - JOIN) * (1.0 - JOIN);

/// Sides that cannot give way end no nearer than this share of the radius, so that forces stay finite.
const NEAREST: f64 = 1e-3;

/// The search for the gap at the end of a step begins with a bracket that is wider than both bounds by this share of
/// the radius, so that rounding leaves the solution inside.
const WIDER: f64 = 1e-3;

/// Iterations for the gap at the end of a step. Newton's method, which bisects where it would leave its bracket, needs
/// fewer than ten.
const ITERATIONS: u32 = 60;

/// Accuracy of the gap at the end of a step, as a share of it.
const ACCURACY: f64 = 1e-9;

impl Law {
    /// The energy, J: what has to be done to close the gap to d.
    pub fn energy(&self, d: f64) -> f64 {
        let Self { radius: r, stiffness: k } = *self;
        let tau = JOIN * r;
        match d {
            d if d >= r => 0.0,
            d if d >= tau => k * (r - d).powi(3) / (3.0 * r),
            d => k * r * r / 24.0 + AT_JOIN * k * r * tau * tau * (1.0 / d - 1.0 / tau),
        }
    }

    /// The force, N, at least 0.
    pub fn force(&self, d: f64) -> f64 {
        let Self { radius: r, stiffness: k } = *self;
        let tau = JOIN * r;
        match d {
            d if d >= r => 0.0,
            d if d >= tau => k * (r - d) * (r - d) / r,
            d => AT_JOIN * k * r * (tau / d) * (tau / d),
        }
    }

    /// Minus the derivative of the force, N/m, at least 0.
    pub fn slope(&self, d: f64) -> f64 {
        let Self { radius: r, stiffness: k } = *self;
        match d {
            d if d >= r => 0.0,
            d if d >= JOIN * r => 2.0 * k * (r - d) / r,
            d => 2.0 * self.force(d) / d,
        }
    }

    /// The gap D at the end of a step in which two sides of the effective mass m meet alone:
    /// ```text
    /// m (D - p)/s² = f(D) - F
    /// ```
    /// p is the gap that they would have without a change of forces, F the force before the step, which the rest of the
    /// cloth balances. At rest, where f(p) = F, the gap stays as it is.
    pub fn end(&self, before: f64, p: f64, mass: f64, s: f64) -> f64 {
        let inertia = mass / (s * s);
        let excess = |gap: f64| inertia * (gap - p) + before - self.force(gap);
        if !inertia.is_finite() {
            return p.max(NEAREST * self.radius); // nothing gives way
        }
        if p >= self.radius && before == 0.0 {
            return p;
        }
        // the excess rises with the gap; it is negative near 0
        let (mut low, mut high) = (0.0, self.radius.max(p) + WIDER * self.radius);
        let mut gap = if p > 0.0 { p } else { JOIN * self.radius };
        for _ in 0..ITERATIONS {
            let wrong = excess(gap);
            if wrong > 0.0 {
                high = gap
            } else {
                low = gap
            }
            let newton = gap - wrong / (inertia + self.slope(gap));
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - gap).abs() <= ACCURACY * next {
                return next;
            }
            gap = next;
        }
        gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: Law = Law { radius: 2e-3, stiffness: 1e4 };

    #[test]
    fn force_and_slope_are_the_derivatives_of_the_energy() {
        let step = 1e-8;
        for k in 1..60 {
            let d = 4e-5 * f64::from(k) + 3e-7;
            let by_energy = (LAW.energy(d - step) - LAW.energy(d + step)) / (2.0 * step);
            let by_force = (LAW.force(d - step) - LAW.force(d + step)) / (2.0 * step);
            assert!((LAW.force(d) - by_energy).abs() <= 1e-5 * LAW.force(d) + 1e-9, "{d}: {by_energy}");
            assert!((LAW.slope(d) - by_force).abs() <= 1e-5 * LAW.slope(d) + 1e-6, "{d}: {by_force}");
        }
    }

    #[test]
    fn the_two_parts_join() {
        let tau = 0.5 * LAW.radius;
        for f in [Law::energy, Law::force, Law::slope] {
            let (below, above) = (f(&LAW, tau * (1.0 - 1e-12)), f(&LAW, tau * (1.0 + 1e-12)));
            assert!((below - above).abs() < 1e-10 * above, "{below} {above}");
        }
        assert_eq!((LAW.force(LAW.radius), LAW.energy(LAW.radius)), (0.0, 0.0));
    }

    #[test]
    fn the_end_of_a_meeting_solves_its_equation_and_stays_open() {
        let s = 1.0 / 240.0;
        for mass in [1e-9, 1e-5, 1e-2] {
            for d in [1e-6, 5e-4, 1.5e-3, 5e-3] {
                let before = LAW.force(d);
                // at rest nothing changes
                assert!((LAW.end(before, d, mass, s) / d - 1.0).abs() < 1e-6, "{mass} {d}");
                for speed in [-50.0, -1.0, -1e-3, 0.1] {
                    let p = d + s * speed;
                    let end = LAW.end(before, p, mass, s);
                    let wrong = mass * (end - p) / (s * s) - LAW.force(end) + before;
                    let size = mass * p.abs() / (s * s) + before + LAW.force(end);
                    assert!(end > 0.0 && wrong.abs() < 1e-6 * size, "{mass} {d} {speed}: {end} {wrong}");
                }
            }
        }
        // apart from each other there is no contact
        assert_eq!(LAW.end(0.0, 4e-3, 1.0, s), 4e-3);
    }
}

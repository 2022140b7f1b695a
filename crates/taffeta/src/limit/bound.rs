//! Planes of bodies that the cloth stays above, in the interior point method of [`keep`](super::keep).
//!
//! A point p = Σ wᵢ xᵢ of the cloth, usually a vertex, stays above the plane nearest to it, n·p >= d: it is then
//! outside of a convex body. The force of the body, λ along the normal and -r along the surface, is solved for together
//! with the tensions. It replaces the force F that the step had found, so that a tension may lift the cloth off the
//! body or press it on.
//! ```text
//! M (x - x̂) + τ² F + Jᵀ t - n λ + r = 0      d - n·p + s - ε λ = 0      s λ = μ → 0
//! r = c u/√(u² + δ²)      c = k_f λ,  u the way along the surface from where p would stick
//! ```
//! The second line is Coulomb's friction as δ, which falls with μ, goes to zero. Newton's method for u alone would
//! converge only within δ; with r as an unknown of its own, √(u² + δ²) r = c u, it converges as it does for the
//! tensions (T. Chan, G. Golub and P. Mulet, A Nonlinear Primal-Dual Method for Total Variation-Based Image
//! Restoration, SIAM J. Sci. Comput. 20, 1999, Sec. 3). c is that of the last round. These rounds may not converge:
//! friction may lock itself, where tension, push and grip raise each other. With a given c, that of the step's own
//! force (Tresca's friction), the problem is convex, and friction prevents no limit from being kept.

use crate::Vec3;
use crate::algebra::outer;
use crate::friction;
use crate::linear::{Matrix, Pattern};
use glam::DMat3;

/// A point of the cloth that must stay above a plane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bound {
    pub vertices: [u32; 3],
    /// Weights of the vertices. The third is zero for edges, and the second too for vertices.
    pub weights: [f64; 3],
    pub normal: Vec3,
    /// d, m.
    pub least: f64,
    /// Index in [`World::solids`](crate::world::World).
    pub solid: u32,
    /// k_f.
    pub friction: f64,
    /// Position of p if it sticks, m, and the same point in the body's coordinates.
    pub stay: Vec3,
    pub point: Vec3,
    /// F, N.
    pub before: Vec3,
    /// Final force of the body, N.
    pub force: Vec3,
    /// Whether p finally sticks, and whether it touches at all.
    pub sticks: bool,
    pub touches: bool,
    pub row: Row,
}

/// The variables of a bound in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    slack: f64, // s, m
    push: f64,  // λ, kg m
    rub: Vec3,  // r, kg m
    change_slack: f64,
    change_push: f64,
    /// d - n·p + s - ε λ.
    unmet: f64,
    /// 1/(s/λ + ε).
    weight: f64,
    /// Wanted decrease of s λ.
    lose: f64,
    grip: f64,    // c, kg m
    blurred: f64, // √(u² + δ²), m
    slip: Vec3,   // u, m
    along: DMat3, // derivative of r, kg
}

/// Lower bound of δ, as a share of the extra shortening that every edge gets beyond its limit. Points that stick are
/// put back by less than that.
const BLUR: f64 = 1e-2;

/// δ over the mean of s λ/c.
const SHARP: f64 = 0.1;

/// A slip below this share of the shortening beyond the limit counts as sticking.
const STUCK: f64 = 0.1;

/// A point sticks where the friction force is below this share of the grip.
const INSIDE: f64 = 0.98;

impl Bound {
    fn count(&self) -> usize {
        self.weights.iter().take_while(|weight| **weight != 0.0).count().max(1)
    }

    fn of(&self, x: &[Vec3]) -> Vec3 {
        (0..self.count()).map(|k| x[self.vertices[k] as usize] * self.weights[k]).sum()
    }

    fn along(&self, p: Vec3) -> Vec3 {
        p - self.normal * self.normal.dot(p)
    }

    /// u.
    fn slip(&self, x: &[Vec3]) -> Vec3 {
        self.along(self.of(x) - self.stay)
    }

    /// Adds a vector to the vertices, scaled by their weights.
    fn give(&self, what: Vec3, to: &mut [Vec3]) {
        (0..self.count()).for_each(|k| to[self.vertices[k] as usize] += what * self.weights[k]);
    }

    /// How far p is below the plane, m.
    pub fn depth(&self, x: &[Vec3]) -> f64 {
        self.least - self.normal.dot(self.of(x))
    }

    /// Sets initial values: s is at least `least`, s λ at least `centre`, and forces are not less than those of the
    /// step.
    pub fn begin(&mut self, x: &[Vec3], tau: f64, least: f64, centre: f64) {
        self.row.slack = (-self.depth(x)).max(least);
        let before = self.before * (tau * tau);
        self.row.push = (centre / self.row.slack).max(self.normal.dot(before));
        self.row.rub = -self.along(before);
        self.row.grip = friction::grip(self.friction, self.normal.dot(before).max(0.0));
    }

    /// Updates c from the normal force of the last round.
    pub fn follow(&mut self) {
        self.row.grip = friction::grip(self.friction, self.row.push);
    }

    /// Linearises about x, where s λ is `mean` on average; `fine` is the shortening beyond the limit, m.
    pub fn linearise(&mut self, x: &[Vec3], compliance: f64, mean: f64, fine: f64) {
        self.row.unmet = self.least - self.normal.dot(self.of(x)) + self.row.slack - compliance * self.row.push;
        self.row.weight = 1.0 / (self.row.slack / self.row.push + compliance);
        self.row.lose = self.row.slack * self.row.push;
        self.row.slip = self.slip(x);
        self.row.along = DMat3::ZERO;
        if self.row.grip > 0.0 {
            let blur = (SHARP * mean / self.row.grip).max(BLUR * fine);
            self.row.blurred = self.row.slip.length().hypot(blur);
            if let Some(left) = friction::share_left(self.row.rub.length(), self.row.grip) {
                self.row.rub *= left;
            }
            let (u, r) = (self.row.slip / self.row.blurred, self.row.rub);
            let both = outer(r, u) + outer(u, r);
            let plane = DMat3::IDENTITY - outer(self.normal, self.normal);
            self.row.along = (plane * self.row.grip - both * 0.5) * (1.0 / self.row.blurred);
        }
    }

    /// s λ.
    pub fn gap(&self) -> f64 {
        self.row.slack * self.row.push
    }

    /// |d - n·p + s - ε λ|, m.
    pub fn unmet(&self) -> f64 {
        self.row.unmet.abs()
    }

    /// Adds the blocks of the bound to the matrix.
    pub fn add(&self, pattern: &Pattern, matrix: &mut Matrix) {
        let block = outer(self.normal, self.normal) * self.row.weight + self.row.along;
        for i in 0..self.count() {
            for j in 0..self.count() {
                let place = pattern.place(self.vertices[i], self.vertices[j]) as usize;
                matrix.blocks[place] += block * (self.weights[i] * self.weights[j]);
            }
        }
    }

    /// c u/√(u² + δ²).
    fn wanted_rub(&self) -> Vec3 {
        self.row.slip * friction::damping(self.row.blurred, self.row.grip)
    }

    /// Adds the bound's part of the right-hand side.
    pub fn ask(&self, tau: f64, right: &mut [Vec3]) {
        let push = self.row.push + self.row.weight * (self.row.unmet - self.row.lose / self.row.push);
        let rub = if self.row.grip > 0.0 { self.wanted_rub() } else { Vec3::ZERO };
        self.give(self.normal * push - rub - self.before * (tau * tau), right);
    }

    /// Finds the changes of s and λ for the displacement p, and limits the step lengths so that both stay positive.
    pub fn answer(&mut self, p: &[Vec3], steps: &mut [f64; 2]) {
        let jp = -self.normal.dot(self.of(p));
        self.row.change_push = self.row.weight * (self.row.unmet + jp - self.row.lose / self.row.push);
        self.row.change_slack = -(self.row.lose + self.row.slack * self.row.change_push) / self.row.push;
        if self.row.change_slack < 0.0 {
            steps[0] = steps[0].min(-self.row.slack / self.row.change_slack);
        }
        if self.row.change_push < 0.0 {
            steps[1] = steps[1].min(-self.row.push / self.row.change_push);
        }
    }

    /// s λ after a share of the changes.
    pub fn predicted(&self, far: [f64; 2]) -> f64 {
        (self.row.slack + far[0] * self.row.change_slack) * (self.row.push + far[1] * self.row.change_push)
    }

    /// Adds the second order terms and the target of s λ.
    pub fn correct(&mut self, far: [f64; 2], centre: f64) {
        self.row.lose += far[0] * far[1] * self.row.change_slack * self.row.change_push - centre;
    }

    /// Applies a share of the changes and returns the new s λ.
    pub fn go(&mut self, p: &[Vec3], far: [f64; 2]) -> f64 {
        self.row.slack += far[0] * self.row.change_slack;
        self.row.push += far[1] * self.row.change_push;
        if self.row.grip > 0.0 {
            let wanted = self.wanted_rub() + self.row.along * self.along(self.of(p));
            self.row.rub += (wanted - self.row.rub) * far[0];
            self.row.rub = self.along(self.row.rub);
        }
        self.row.slack * self.row.push
    }

    /// Adds τ² F - n λ + r.
    pub fn weigh(&self, tau: f64, off: &mut [Vec3]) {
        self.give(self.before * (tau * tau) - self.normal * self.row.push + self.row.rub, off);
    }

    /// Finds the force and the state, and puts points that stick exactly where they stick.
    pub fn finish(&mut self, tau: f64, mass: f64, fine: f64, x: &mut [Vec3]) {
        self.touches = self.row.push / mass > self.row.slack;
        self.force = if self.touches { (self.normal * self.row.push - self.row.rub) / (tau * tau) } else { Vec3::ZERO };
        let slip = self.slip(x);
        let stuck = slip.length() <= STUCK * fine;
        let inside =
            friction::inside_cone(self.row.rub.length(), friction::grip(INSIDE * self.friction, self.row.push));
        self.sticks = self.touches && self.friction > 0.0 && (stuck || inside);
        if self.sticks && stuck && self.count() == 1 {
            x[self.vertices[0] as usize] -= slip;
        }
    }

    /// The impulse that the limiter added to the body's impulse on the cloth, in units of mass times displacement, kg
    /// m.
    pub fn added(&self, tau: f64) -> Vec3 {
        (self.force - self.before) * (tau * tau)
    }
}

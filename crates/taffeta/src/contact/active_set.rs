//! Which particles stick, slip and are released: a search over active sets.
//!
//! A method solves A w = b for the motion of a step. Contact adds bounds and friction, and the motion is the minimum of
//! ```text
//! Φ(w) = ½ w·A w - b·w + Σ cᵢ |uᵢ|     with n·(x + s w) not below the plane of contact
//! uᵢ = s⁻¹ times the way along the surface, cᵢ = μ s Nᵢ
//! ```
//! which is convex as long as the normal forces N stay those of the last review. Each round solves the equations for
//! the current active set. It then moves towards the solution as far as Φ decreases: particles that would enter a body
//! stop at the surface, and particles whose slip would reverse stick. Afterwards it releases the particles that are
//! pulled or leave the friction cone. As long as Φ decreases, no active set repeats. A last round in which it no longer
//! decreases is accepted as it is.

use super::Contacts;
use super::crossing::Crossing;
use super::touch::Touch;
use crate::Vec3;
use crate::boundary::Boundary;
use crate::linear::Matrix;
use crate::linear::filter::Held;
use crate::parallel;
use crate::report::Rejection;
use crate::world::World;

/// The equations of a step about (x, v), to which contact adds its terms.
pub(crate) struct Equations<'a> {
    pub world: &'a World,
    /// The time that turns w into a displacement, s.
    pub s: f64,
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    /// Whether (x, v) is where the step starts.
    pub first: bool,
    /// b without contact, kg m/s.
    pub right: &'a [Vec3],
    /// X: the base positions in x+ = X + s v+, m.
    pub base_x: &'a [Vec3],
    /// δ = X + s v - x, m.
    pub lead: &'a [Vec3],
    /// A, kg. The blocks of contact are in [`Matrix::extra`].
    pub matrix: &'a mut Matrix,
    /// w without forces, m/s.
    pub origin: &'a mut [Vec3],
    /// The guess on entry and the solution on return, m/s.
    pub w: &'a mut [Vec3],
}

/// The linear equations of a round.
pub(crate) struct Linear<'a> {
    pub matrix: &'a Matrix,
    pub held: &'a [Held],
    pub right: &'a [Vec3],
    pub origin: &'a [Vec3],
    pub w: &'a mut [Vec3],
}

/// Which round is being solved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// There is no contact.
    Free,
    /// The first round of a step.
    First,
    /// A later round.
    Later,
}

/// Largest number of trials of the line search towards the solution of a round.
const TRIES: u32 = 6;

/// Each trial goes this share of the distance of the one before.
const SHORTER: f64 = 0.25;

/// Φ may rise by this share of itself because of rounding.
const ROUNDING: f64 = 1e-12;

/// Buffers of the search.
#[derive(Default)]
pub(crate) struct ActiveSet {
    pub loaded: Vec<Vec3>, // kg m/s  b with X of held particles, without forces of contact
    pub rubbed: Vec<Vec3>, // kg m/s  b with all forces of contact
    pub trial: Vec<Vec3>,  // m/s     w of the line search
    from: Vec<Vec3>,       // m/s     w before a round
    product: Vec<Vec3>,    // kg m/s  A w
    touches: Vec<Touch>,   //         states before a round
    none: Vec<()>,
    sums: Vec<f64>,
}

impl ActiveSet {
    pub fn new(world: &World) -> Self {
        let n = world.mass.len();
        let zeros = || vec![Vec3::ZERO; n];
        let blocks = world.blocks.len();
        Self {
            loaded: zeros(),
            rubbed: zeros(),
            trial: zeros(),
            from: zeros(),
            product: zeros(),
            touches: Vec::with_capacity(if world.solids.is_empty() { 0 } else { n }),
            none: vec![(); blocks],
            sums: vec![0.0; blocks],
        }
    }

    /// Solves the equations with contact and counts `rounds`. `solve` solves linear equations.
    pub fn settle(
        &mut self,
        mut at: Equations,
        boundary: &mut Boundary,
        contact: &mut Contacts,
        rounds: &mut u32,
        mut solve: impl FnMut(Linear, Round) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        contact.bound(at.s, at.x, at.w);
        let mut fallen = 0.0;
        let most = contact.accuracy.rounds();
        for round in 0..most {
            contact.hold(boundary);
            at.want(boundary);
            self.load(&mut at, boundary, contact);
            if contact.touches.is_empty() && contact.crossings.is_empty() {
                self.rubbed.copy_from_slice(&self.loaded);
                return solve(self.linear(&mut at, boundary), Round::Free);
            }
            // Φ before the round
            self.from.copy_from_slice(at.w);
            let start = self.value(&at, contact, Which::From);
            self.add_contact(&mut at, contact);
            let which = if *rounds == 0 { Round::First } else { Round::Later };
            solve(self.linear(&mut at, boundary), which)?;
            at.matrix.extra.clear();
            let (fall, whole) = self.descend(&at, contact, start);
            fallen += fall.max(0.0);
            let turned = |crossing: &Crossing| {
                crossing.pushes(at.x, at.s, &self.from) != crossing.pushes(at.x, at.s, &self.trial)
            };
            let changed = contact.touches.iter().zip(&self.touches).any(|(a, b)| !a.same_state(b))
                || contact.crossings.iter().any(turned)
                || !whole;
            at.w.copy_from_slice(&self.trial);
            let released = self.release(&mut at, contact);
            *rounds += 1;
            let enough = round > 1 && fall <= contact.accuracy.enough() * fallen;
            if (released == 0 && !changed) || enough || round + 1 == most {
                break;
            }
        }
        contact.hold(boundary);
        self.load(&mut at, boundary, contact);
        self.add_crossings(&mut at, contact);
        Ok(())
    }

    fn linear<'a>(&'a self, at: &'a mut Equations, boundary: &'a Boundary) -> Linear<'a> {
        Linear { matrix: at.matrix, held: &boundary.held, right: &self.rubbed, origin: at.origin, w: at.w }
    }

    /// Moves towards the solution as far as Φ decreases from `start`. Returns the decrease and whether it went all the
    /// way. Leaves w in `trial` and the previous states in `touches`.
    fn descend(&mut self, at: &Equations, contact: &mut Contacts, start: f64) -> (f64, bool) {
        let mut share = 1.0;
        for tried in 1.. {
            let (from, w) = (&self.from, &*at.w);
            parallel::fill(&at.world.blocks, &mut self.trial, &mut self.none, |i| from[i] + (w[i] - from[i]) * share);
            self.touches.clear();
            self.touches.extend_from_slice(&contact.touches);
            contact.project(&self.from, &mut self.trial);
            let value = self.value(at, contact, Which::Trial);
            if value <= start + ROUNDING * start.abs() || tried == TRIES {
                return (start - value, share == 1.0);
            }
            contact.touches.copy_from_slice(&self.touches);
            share *= SHORTER;
        }
        unreachable!("the last try returns")
    }

    /// Releases particles that are pulled or leave the friction cone; returns their number.
    fn release(&mut self, at: &mut Equations, contact: &mut Contacts) -> u32 {
        // minus the gradient
        let Self { product, loaded, .. } = self;
        product.iter_mut().zip(loaded.iter()).for_each(|(product, b)| *product = *b - *product);
        for crossing in &contact.crossings {
            crossing.pull(at.s, at.x, |i| at.velocity(i), at.w, product);
        }
        let diagonal = &at.world.layout.pattern.diagonal;
        let blocks = &at.matrix.blocks;
        let ease = |i: usize| 1.0 / blocks[diagonal[i] as usize].to_cols_array().into_iter().fold(0.0, f64::max);
        contact.release(|i| -product[i], ease, at.w)
    }

    /// Computes the right-hand side with X of the particles that contact holds, without contact forces.
    pub fn load(&mut self, at: &mut Equations, boundary: &Boundary, contact: &Contacts) {
        self.loaded.copy_from_slice(at.right);
        at.matrix.extra.clear();
        // only the first iterate of a step has this lead: later ones already have the held velocity
        for touch in contact.holding().filter(|_| at.first) {
            let i = touch.vertex as usize;
            let held = &boundary.held[boundary.slot[i] as usize];
            let shift = held.end - held.end_speed * at.s - at.base_x[i];
            self.loaded[i] += (shift - held.free * shift) * (at.world.mass[i] / at.s);
        }
    }

    /// Adds the crossings that push at w to the equations.
    pub fn add_crossings(&mut self, at: &mut Equations, contact: &Contacts) {
        let Equations { s, x, v, lead, w, matrix, .. } = at;
        for crossing in &contact.crossings {
            crossing.add(*s, x, |i| v[i] - lead[i] / *s, w, &mut self.loaded, matrix);
        }
        matrix.extra.sort_unstable_by_key(|entry| (entry.0, entry.1));
    }

    /// Builds the equations with all contact forces, to first order about w.
    pub fn add_contact(&mut self, at: &mut Equations, contact: &Contacts) {
        let rubbed = &mut self.rubbed;
        let Equations { s, x, v, lead, w, matrix, .. } = at;
        rubbed.copy_from_slice(&self.loaded);
        for crossing in &contact.crossings {
            crossing.add(*s, x, |i| v[i] - lead[i] / *s, w, rubbed, matrix);
        }
        contact.each_slip(w, |i, gradient, curvature| {
            rubbed[i] += curvature * w[i] - gradient;
            matrix.extra.push((i as u32, i as u32, curvature));
        });
        matrix.extra.sort_unstable_by_key(|entry| (entry.0, entry.1));
    }

    /// Evaluates Φ and leaves A w in `product`.
    fn value(&mut self, at: &Equations, contact: &Contacts, which: Which) -> f64 {
        let Self { from, trial, loaded, product, none, sums, .. } = self;
        let (list, s) = (&at.world.blocks, at.s);
        let w = if which == Which::From { &*from } else { &*trial };
        at.matrix.multiply(&at.world.layout.pattern, list, w, product, none);
        let product = &*product;
        let crossings = contact.crossings.iter().map(|crossing| crossing.value(s, at.x, |i| at.velocity(i), w));
        let inside = parallel::sum(list, sums, |i| w[i].dot(0.5 * product[i] - loaded[i]));
        inside + contact.friction(w) + crossings.sum::<f64>()
    }
}

/// The w at which Φ is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    From,
    Trial,
}

impl Equations<'_> {
    /// The velocity to which w is added, m/s.
    fn velocity(&self, i: usize) -> Vec3 {
        self.v[i] - self.lead[i] / self.s
    }

    /// Sets w in its held directions.
    fn want(&mut self, boundary: &Boundary) {
        for held in &boundary.held {
            let i = held.vertex as usize;
            let wanted = (held.end - self.x[i]) / self.s;
            self.origin[i] = held.mix(self.origin[i], wanted);
            self.w[i] = held.mix(self.w[i], wanted);
        }
    }
}

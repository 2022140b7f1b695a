//! Coulomb's law of dry friction: everything that touches decides here whether a contact sticks, slips or is released,
//! and how large its friction is.
//!
//! ```text
//! N >= 0                a body pushes and never pulls: a contact that would have to pull is released
//! |f| <= μ N            the friction cone: a contact sticks while the force that holds it lies inside
//! f = -μ N u/|u|        a contact outside of the cone slips, and friction acts against the slip u
//! ```
//! μ N is called the grip. The law is the same for forces, for impulses and for changes of velocity in a collision: all
//! functions work in the unit of N. Where a solver needs a force that is continuous, the law is regularised: the force
//! grows evenly with a small slip, up to the grip.
//! ```text
//! f = -μ N u/max(|u|, u₀)        u₀ is a speed (triangles over sharp edges) or a length (the barrier)
//! f = -k u  where  k |u| <= μ N  with a given stiffness k (statics)
//! ```
//!
//! Callers:
//! ```text
//! contact/touch.rs      particles held by the implicit methods: stick, slip, release
//! contact/crossing.rs   edges and triangles over sharp edges, with friction as a damping
//! contact/respond.rs    collisions after a step: changes of velocity
//! limit/bound.rs        bodies in the limiter's interior point method
//! drape/touching.rs     static equilibrium, with friction as the slope of an energy
//! barrier/stencil.rs    contacts of the barrier, with friction that is elastic for small slips
//! barrier/still.rs      the same at rest
//! ```

use crate::Vec3;
use crate::algebra::outer;
use glam::DMat3;

/// The state of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Stick,
    Slip,
    Release,
}

/// Decides the state of a contact whose constraint needs a normal force N and a tangential force of magnitude
/// `tangential`.
#[inline]
pub(crate) fn decide(normal: f64, tangential: f64, grip: f64) -> Decision {
    if pulls(normal) {
        Decision::Release
    } else if in_cone(tangential, grip) {
        Decision::Stick
    } else {
        Decision::Slip
    }
}

/// The largest friction force: μ N.
#[inline]
pub(crate) fn grip(mu: f64, normal: f64) -> f64 {
    mu * normal
}

/// The grip of a contact that is about to slip, from the magnitude of the total force.
#[inline]
pub(crate) fn grip_of_whole(mu: f64, force: f64) -> f64 {
    mu * force / mu.hypot(1.0)
}

/// Whether the body would have to pull to keep the contact.
#[inline]
pub(crate) fn pulls(normal: f64) -> bool {
    normal < 0.0
}

/// Whether a tangential force lies in the friction cone.
#[inline]
pub(crate) fn in_cone(tangential: f64, grip: f64) -> bool {
    tangential <= grip
}

/// Whether a tangential force lies strictly inside the friction cone. Contacts on the cone slip.
#[inline]
pub(crate) fn inside_cone(tangential: f64, grip: f64) -> bool {
    tangential < grip
}

/// The factor that scales a tangential force outside the friction cone back onto it; `None` if it lies in the cone.
#[inline]
pub(crate) fn share_left(tangential: f64, grip: f64) -> Option<f64> {
    (tangential > grip).then(|| grip / tangential)
}

/// The force in the friction cone that is nearest to a tangential force.
#[inline]
pub(crate) fn project(force: Vec3, grip: f64) -> Vec3 {
    force.clamp_length_max(grip)
}

/// The friction force on a contact that slips along the unit vector `direction`.
#[inline]
pub(crate) fn slip_force(direction: Vec3, grip: f64) -> Vec3 {
    direction * -grip
}

/// The slip force as a damping coefficient: the force is -u times this value. Callers keep the speed above zero.
#[inline]
pub(crate) fn damping(speed: f64, grip: f64) -> f64 {
    grip / speed
}

/// The power that the slip dissipates. Its gradient is minus the slip force.
#[inline]
pub(crate) fn dissipation(speed: f64, grip: f64) -> f64 {
    grip * speed
}

/// Whether a slip reversed its direction. Friction stops a slip, so such a contact sticks.
#[inline]
pub(crate) fn turned_round(before: Vec3, after: Vec3) -> bool {
    before.dot(after) < 0.0
}

/// The slip velocity after a collision; zero if friction stops it.
#[inline]
pub(crate) fn slip_after(slip: Vec3, grip: f64) -> Vec3 {
    let speed = slip.length();
    if speed > 0.0 { slip * (1.0 - grip.min(speed) / speed) } else { Vec3::ZERO }
}

/// The change of the slip velocity by friction in a collision.
#[inline]
pub(crate) fn slip_change(slip: Vec3, grip: f64) -> Vec3 {
    let speed = slip.length();
    if speed > 0.0 { slip * (-grip.min(speed) / speed) } else { Vec3::ZERO }
}

/// How the direction of the slip force turns with the slip: minus the derivative of the force by the slip, of the
/// length `size` along the unit vector `direction`. `along` projects on the tangents of the surface.
#[inline]
pub(crate) fn turn_of_slip(direction: Vec3, along: DMat3, size: f64, grip: f64) -> DMat3 {
    (along - outer(direction, direction)) * damping(size, grip)
}

/// The regularised law as a coefficient: the force is -u times this value. Below `least` the force grows evenly with u.
#[inline]
pub(crate) fn regular_damping(size: f64, least: f64, grip: f64) -> f64 {
    damping(size.max(least), grip)
}

/// The power that the slip of the regularised law dissipates: a parabola below `least`. Its gradient is minus the
/// force.
#[inline]
pub(crate) fn regular_dissipation(speed: f64, least: f64, grip: f64) -> f64 {
    let mean = if speed > least { speed - 0.5 * least } else { 0.5 * speed * speed / least };
    dissipation(mean, grip)
}

/// Friction as the slope of an energy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    pub energy: f64,
    /// Minus the gradient of the energy.
    pub force: Vec3,
    /// Minus the derivative of the force.
    pub stiffness: DMat3,
}

/// Friction that yields with the stiffness k until it reaches the grip, after a slip u; `along` projects on the
/// tangents of the surface.
pub(crate) fn yielding(u: Vec3, along: DMat3, grip: f64, k: f64) -> Slope {
    let size = u.length();
    if in_cone(k * size, grip) {
        return Slope { energy: 0.5 * k * size * size, force: u * -k, stiffness: along * k };
    }
    let direction = u / size;
    Slope {
        energy: dissipation(size, grip) - 0.5 * grip * grip / k,
        force: slip_force(direction, grip),
        stiffness: turn_of_slip(direction, along, size, grip),
    }
}

/// Slip up to which the friction of the barrier is elastic, m: cloth at rest does not creep, and this is too
/// short to see.
pub(crate) const ELASTIC: f64 = 2e-5;

/// Share of [`ELASTIC`] by which rounding may leave the slip of a contact that slips shorter than that.
const ROUNDING: f64 = 1e-9;

/// Share of its length that a slip must keep in a step to go on slipping.
const GOES_ON: f64 = 0.5;

/// A friction force that changes evenly with a displacement u: f = force - stiffness u.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    /// The force without a displacement, N.
    pub force: Vec3,
    /// N/m.
    pub stiffness: DMat3,
}

/// No friction.
impl Default for Linear {
    fn default() -> Self {
        Self { force: Vec3::ZERO, stiffness: DMat3::ZERO }
    }
}

/// The friction of the barrier in a step, linear in the displacement of the sides. The contact has the elastic slip
/// `slip` and would go the `way` without friction, m, both along the surface, on whose tangents `along` projects;
/// `inertia` is the effective mass over the time step squared, N/m, infinite where nothing gives way.
///
/// The regularised law is linearised where the step is expected to end, so that one solution suffices for most
/// contacts.
pub(crate) fn elastic(slip: Vec3, way: Vec3, along: DMat3, inertia: f64, grip: f64) -> Linear {
    if grip <= 0.0 {
        return Linear::default();
    }
    let proportional = |stiffness: f64| Linear { force: -slip * stiffness, stiffness: along * stiffness };
    let stiffest = damping(ELASTIC, grip);
    // held alone by its own force, it would go as far as this
    let held = slip + way * (inertia / (inertia + stiffest));
    if !inertia.is_finite() || held.length() <= ELASTIC {
        return proportional(stiffest);
    }
    let whole = slip + way;
    let size = whole.length().max(ELASTIC);
    let direction = whole / size;
    // what is left of the slip after the friction of this step
    let braked = size - (grip - (stiffest * slip.dot(direction)).min(grip)) / inertia;
    if braked > GOES_ON * size {
        // it goes on slipping: the size of the force is known, and it turns with the direction
        let stiffness = turn_of_slip(direction, along, size, grip);
        return Linear { force: slip_force(direction, grip) - stiffness * slip, stiffness };
    }
    proportional(regular_damping(braked, ELASTIC, grip))
}

/// The elastic part of a slip, m: what a contact of the barrier keeps for the next step.
#[inline]
pub(crate) fn elastic_part(slip: Vec3) -> Vec3 {
    slip.clamp_length_max(ELASTIC)
}

/// The friction of the barrier at rest, as the slope of an energy of the slip: elastic up to [`ELASTIC`]. A contact
/// that has slipped so far goes on slipping.
pub(crate) fn at_rest(slip: Vec3, along: DMat3, grip: f64) -> Slope {
    let size = slip.length();
    if grip <= 0.0 {
        return Slope { energy: 0.0, force: Vec3::ZERO, stiffness: DMat3::ZERO };
    }
    let k = damping(ELASTIC, grip);
    let slope = yielding(slip, along, grip, k);
    if sticks(slip) {
        return slope;
    }
    Slope { stiffness: turn_of_slip(slip / size, along, size, grip), ..slope }
}

/// Whether a contact of the barrier sticks, by the elastic part of its slip.
#[inline]
pub(crate) fn sticks(elastic_part: Vec3) -> bool {
    elastic_part.length() < ELASTIC * (1.0 - ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block on a slope slips where the slope is steeper than μ.
    #[test]
    fn a_block_slips_where_the_slope_is_steeper_than_mu() {
        let mu = 0.4;
        for (slope, expected) in [(0.39f64, Decision::Stick), (0.41, Decision::Slip)] {
            let (sine, cosine) = slope.atan().sin_cos();
            assert_eq!(decide(cosine, sine, grip(mu, cosine)), expected);
        }
        assert_eq!(decide(-1e-9, 0.0, 0.0), Decision::Release);
    }

    /// On the edge of the cone the whole force is N √(1 + μ²).
    #[test]
    fn the_grip_follows_from_the_whole_force_on_the_cone() {
        let (mu, normal) = (0.7, 3.0);
        let whole = normal * (1.0f64 + mu * mu).sqrt();
        assert!((grip_of_whole(mu, whole) - grip(mu, normal)).abs() < 1e-15);
    }

    #[test]
    fn friction_stops_a_slip_and_does_not_turn_it_round() {
        let slip = Vec3::new(3.0, 0.0, 4.0);
        for (grip, speed) in [(0.0, 5.0), (2.0, 3.0), (5.0, 0.0), (9.0, 0.0)] {
            assert!((slip_after(slip, grip) - slip / 5.0 * speed).length() < 1e-15);
            assert!((slip + slip_change(slip, grip) - slip_after(slip, grip)).length() < 1e-15);
        }
        assert!(turned_round(slip, -slip) && !turned_round(slip, slip));
        assert_eq!(slip_after(Vec3::ZERO, 1.0), Vec3::ZERO);
    }

    #[test]
    fn forces_outside_of_the_cone_come_onto_it() {
        let force = Vec3::new(0.0, 6.0, 8.0);
        assert_eq!(project(force, 20.0), force);
        assert_eq!(share_left(10.0, 20.0), None);
        assert_eq!(project(force, 5.0), force * share_left(10.0, 5.0).unwrap());
        assert_eq!(slip_force(force / 10.0, 5.0), -force * damping(10.0, 5.0));
        assert_eq!(dissipation(10.0, 5.0), 50.0);
        assert!(in_cone(5.0, 5.0) && !inside_cone(5.0, 5.0));
    }

    /// The derivative of a function by its argument, column by column.
    fn derivative(f: impl Fn(Vec3) -> Vec3, at: Vec3, step: f64) -> DMat3 {
        let by = |axis: Vec3| (f(at + axis * step) - f(at - axis * step)) / (2.0 * step);
        DMat3::from_cols(by(Vec3::X), by(Vec3::Y), by(Vec3::Z))
    }

    fn differs(a: DMat3, b: DMat3) -> f64 {
        (a - b).to_cols_array().into_iter().fold(0.0, |most, d| most.max(d.abs()))
    }

    /// Slips in a plane with the normal y, from much shorter to much longer than a length.
    fn slips(length: f64) -> impl Iterator<Item = Vec3> {
        [0.01, 0.5, 0.97, 1.03, 3.0, 200.0].into_iter().flat_map(move |share| {
            [0.3f64, 1.7, 4.0].map(|angle| Vec3::new(angle.cos(), 0.0, angle.sin()) * (share * length))
        })
    }

    const ALONG: DMat3 = DMat3::from_diagonal(Vec3::new(1.0, 0.0, 1.0));

    #[test]
    fn regularised_friction_is_the_slope_of_its_dissipation_and_stays_in_the_cone() {
        let (least, grip) = (1e-5, 0.3);
        for u in slips(least) {
            let value = |u: Vec3| regular_dissipation((ALONG * u).length(), least, grip);
            let force = u * -regular_damping(u.length(), least, grip);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let step = axis * (1e-4 * least);
                let slope = (value(u + step) - value(u - step)) / (2e-4 * least);
                assert!((slope + axis.dot(force)).abs() < 1e-6 * grip, "{u}: {slope} {force}");
            }
            assert!(force.length() <= grip * (1.0 + 1e-15));
        }
    }

    #[test]
    fn friction_that_yields_is_the_slope_of_its_energy_and_stays_in_the_cone() {
        let (k, grip) = (2e3, 0.3);
        let yields = grip / k;
        for u in slips(yields) {
            let at = |u: Vec3| yielding(ALONG * u, ALONG, grip, k);
            let step = 1e-4 * yields;
            for axis in [Vec3::X, Vec3::Z] {
                let slope = (at(u + axis * step).energy - at(u - axis * step).energy) / (2.0 * step);
                assert!((slope + axis.dot(at(u).force)).abs() < 1e-6 * grip, "{u}: {slope}");
            }
            assert!(differs(derivative(|u| at(u).force, u, step), -at(u).stiffness) < 1e-6 * k, "{u}");
            assert!(at(u).force.length() <= grip * (1.0 + 1e-15));
        }
    }

    /// The law that the friction of the barrier linearises.
    fn regular_force(slip: Vec3, grip: f64) -> Vec3 {
        let slip = ALONG * slip;
        slip * -regular_damping(slip.length(), ELASTIC, grip)
    }

    /// A contact that is heavy goes its way nearly undisturbed: its force and its derivative are those of the law
    /// there.
    #[test]
    fn elastic_friction_has_the_value_and_the_derivative_of_the_law_where_the_step_ends() {
        let grip = 0.3;
        let inertia = 1e12 * grip / ELASTIC;
        let before = Vec3::new(0.6, 0.0, -0.3) * ELASTIC;
        for end in slips(ELASTIC) {
            let way = end - before;
            let found = elastic(before, way, ALONG, inertia, grip);
            let force = found.force - found.stiffness * way;
            assert!((force - regular_force(end, grip)).length() < 1e-12 * grip, "{end}: {force}");
            let slope = derivative(|slip| regular_force(slip, grip), end, 1e-4 * ELASTIC);
            assert!(differs(slope, -found.stiffness) < 1e-6 * grip / ELASTIC, "{end}");
        }
    }

    /// A contact that moves alone under its own friction, from slow to fast and from light to heavy.
    #[test]
    fn elastic_friction_stays_in_the_cone_and_does_not_turn_a_slip_round() {
        let grip = 0.3;
        for inertia in [1e-3, 1e-1, 1.0, 10.0, 1e3].map(|share| share * grip / ELASTIC) {
            for way in slips(ELASTIC).chain(slips(100.0 * ELASTIC)) {
                let found = elastic(Vec3::ZERO, way, ALONG, inertia, grip);
                // m (u - way)/s² = force - stiffness u
                let matrix = DMat3::from_diagonal(Vec3::splat(inertia)) + found.stiffness;
                let u = matrix.inverse() * (way * inertia + found.force);
                let force = found.force - found.stiffness * u;
                assert!(force.length() <= grip * (1.0 + 1e-9), "{inertia} {way}: {force}");
                assert!(u.dot(way) > 0.0 && force.dot(way) < 0.0, "{inertia} {way}: {u} {force}");
            }
        }
        let held = elastic(Vec3::X * ELASTIC, Vec3::X, ALONG, f64::INFINITY, grip);
        assert!((held.force + Vec3::X * grip).length() < 1e-15);
        let free = elastic(Vec3::X, Vec3::X, ALONG, 1.0, 0.0);
        assert_eq!((free.force, free.stiffness), (Vec3::ZERO, DMat3::ZERO));
    }

    #[test]
    fn a_contact_of_the_barrier_sticks_while_its_slip_is_elastic() {
        for slip in slips(ELASTIC) {
            let part = elastic_part(slip);
            assert!(part.length() <= ELASTIC * (1.0 + ROUNDING) && part.cross(slip).length() < 1e-18);
            assert_eq!(sticks(part), slip.length() < ELASTIC);
        }
    }
}

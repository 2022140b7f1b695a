//! Coulomb's law of dry friction. Contact by constraints, the limiter and statics decide here whether a contact sticks,
//! slips or is released. The barrier has friction of its own, elastic for small slips: `barrier/stencil.rs`.
//!
//! ```text
//! N >= 0                a body pushes and never pulls: a contact that would have to pull is released
//! |f| <= μ N            the friction cone: a contact sticks while the force that holds it lies inside
//! f = -μ N u/|u|        a contact outside of the cone slips, and friction acts against the slip u
//! ```
//! μ N is called the grip. The law is the same for forces, for impulses and for changes of velocity in a collision: all
//! functions work in the unit of N.
//!
//! Callers:
//! ```text
//! contact/touch.rs      particles held by the implicit methods: stick, slip, release
//! contact/crossing.rs   edges and triangles over sharp edges, with friction as a damping
//! contact/respond.rs    collisions after a step: changes of velocity
//! limit/bound.rs        bodies in the limiter's interior point method
//! drape/touching.rs     static equilibrium, with friction as the slope of an energy
//! ```

use crate::Vec3;

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
}

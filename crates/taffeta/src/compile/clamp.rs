//! Clamps. At the end of a clamp a hinge bends on one side only.
//!
//! A hinge stands for the bending of half of both its triangles. If one of them is held, the other half bends alone:
//! the same angle over half the length has twice the curvature, so the hinge is twice as stiff. Without this a clamped
//! strip acts half a cell too long, and its error falls with the first order of the edge length instead of the second.

use crate::Vec3;
use crate::setup::{Cloth, Edge, Mesh, Problems, Warning};

/// Whether a clamp ends at each edge: the same pin holds both ends and one wing, but not the other wing. Empty without
/// clamps.
pub(super) fn ends(
    path: &str,
    cloth: &Cloth,
    edges: &[Edge],
    start: &[Vec3],
    warnings: &mut Vec<Warning>,
    problems: &mut Problems,
) -> Vec<bool> {
    if cloth.pins.iter().all(|pin| !pin.clamp) {
        return Vec::new();
    }
    let mut ends = vec![false; edges.len()];
    for (number, pin) in cloth.pins.iter().enumerate().filter(|(_, pin)| pin.clamp) {
        let mut held = vec![false; start.len()];
        pin.select.vertices(&cloth.mesh, start).into_iter().for_each(|v| held[v as usize] = true);
        // an empty selection is reported elsewhere
        if held.contains(&true) && !holds_a_triangle(&cloth.mesh, &held) {
            problems.add(
                path,
                &format!("pin.{number}.clamp"),
                "the selection holds no whole triangle, so the cloth can turn there as if it were not clamped",
                "select two rows of vertices or more, or leave `clamp` out",
            );
        }
        if pin.from > 0.0 || pin.until.is_finite() {
            warnings.push(Warning {
                path: format!("{path}.pin.{number}.clamp"),
                message: "hinges where the clamp ends are twice as stiff during the whole run, also while it is open"
                    .into(),
            });
        }
        for (end, edge) in ends.iter_mut().zip(edges).filter(|(_, edge)| edge.is_inner()) {
            let wings = edge.opposite.map(|v| held[v as usize]);
            *end |= edge.v.iter().all(|&v| held[v as usize]) && wings[0] != wings[1];
        }
    }
    ends
}

fn holds_a_triangle(mesh: &Mesh, held: &[bool]) -> bool {
    mesh.triangles.iter().any(|t| t.iter().all(|&v| held[v as usize]))
}

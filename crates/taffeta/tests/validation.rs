//! The quick part of the table of docs/validation.md: `cargo run --release -p taffeta --example validation` prints all of it.
#![allow(dead_code)] // the rest of the table

#[path = "../examples/validation/bending.rs"]
mod bending;
#[path = "../examples/validation/buckling.rs"]
mod buckling;
#[path = "../examples/validation/cantilever.rs"]
mod cantilever;
#[path = "../examples/validation/cloth.rs"]
mod cloth;
#[path = "../examples/validation/cylinder.rs"]
mod cylinder;
#[path = "../examples/validation/elastica.rs"]
mod elastica;
#[path = "../examples/validation/hanging.rs"]
mod hanging;
#[path = "../examples/validation/moment.rs"]
mod moment;
#[path = "../examples/validation/patch.rs"]
mod patch;
#[path = "../examples/validation/plane.rs"]
mod plane;
#[path = "../examples/validation/rod.rs"]
mod rod;
#[path = "../examples/validation/strip.rs"]
mod strip;
#[path = "../examples/validation/table.rs"]
mod table;

use table::Row;

fn all_hold(rows: Vec<Row>) {
    assert!(!rows.is_empty());
    let failed: Vec<String> = rows.iter().filter(|row| !row.holds()).map(Row::line).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

/// Collocation and elliptic integrals: Γ, P L²/B, x/L, y/L, chord in degrees, curvature at the clamp times L (0: not given).
#[test]
fn reference_elastica_has_the_known_values() {
    for (gamma, p, x, y, chord, curvature) in [
        (0.1, 0.0, 0.999911, -0.012498, 0.716134, 0.049997),
        (1.0, 0.0, 0.991246, -0.123471, 7.100292, 0.496933),
        (8.0, 0.0, 0.724425, -0.640631, 41.487303, 3.201576),
        (50.0, 0.0, 0.245015, -0.907917, 74.897652, 9.528469),
        (200.0, 0.0, 0.107420, -0.956769, 83.593993, 19.562916),
        (0.0, 0.5, 0.984081, -0.162144, 9.356360, 0.0),
        (0.0, 2.0, 0.839358, -0.493457, 30.451207, 0.0),
        (0.0, 10.0, 0.445004, -0.810609, 61.234298, 0.0),
    ] {
        let tip = elastica::tip(gamma, p);
        let off = [tip.x - x, tip.y - y, tip.chord - chord].into_iter().fold(0.0, |most: f64, d| most.max(d.abs()));
        assert!(off < 1e-6, "Γ = {gamma}, p = {p}: {tip:?}");
        assert!(curvature == 0.0 || (tip.curvature - curvature).abs() < 1e-6, "Γ = {gamma}: {tip:?}");
    }
}

#[test]
fn rods_converge_to_the_elastica() {
    all_hold(cantilever::order());
    all_hold(cantilever::tip_loads());
}

#[test]
fn clamped_strips_bend_between_two_elasticas() {
    all_hold(strip::loaded_strips());
    all_hold(strip::orthotropic_strips());
}

#[test]
fn flat_strip_bent_to_a_ring_is_in_balance() {
    all_hold(moment::ring());
}

#[test]
fn standing_rods_and_strips_buckle_under_their_own_weight() {
    all_hold(buckling::own_weight());
}

#[test]
fn strips_hang_like_chains() {
    all_hold(hanging::catenary());
}

#[test]
fn plane_deformations_have_the_energy_and_force_of_the_law() {
    all_hold(plane::patches());
    all_hold(plane::clamped());
    all_hold(patch::conditions());
    all_hold(patch::area_scaling());
}

#[test]
fn irregular_meshes_pass_the_patch_test() {
    all_hold(patch::patch_tests());
}

#[test]
fn cloth_comes_to_its_rest_stretch() {
    all_hold(patch::rest_stretch());
}

#[test]
fn meshes_have_the_bending_stiffness_of_the_fabric() {
    all_hold(bending::imposed());
    all_hold(bending::corrected());
    all_hold(bending::at_rest());
    all_hold(bending::quadratic());
}

//! The quick part of the table is tested always.

use super::*;
use crate::comparison::Judge;
use taffeta::ContactLaw;

fn all_hold(rows: Vec<Row>) {
    comparison::assert_all_hold(&rows);
}

/// Collocation and elliptic integrals: Γ, P L²/B, x/L, y/L, chord in degrees, curvature at the clamp times L (0: not
/// given).
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

#[test]
fn strips_slip_round_a_cylinder_like_a_rope() {
    let [grid, _, random] = contact::strip_around(0.5 * std::f64::consts::PI);
    let [euler, bdf2, _] = contact::methods();
    all_hold(vec![
        contact::capstan_on(random.clone(), euler, ContactLaw::Barrier, 0.3, 0.25, 1.601978),
        contact::capstan_on(random, euler, ContactLaw::Constraint, 0.3, 0.25, 1.601978),
        contact::capstan_on(grid, bdf2, ContactLaw::Barrier, 0.5, 0.25, 2.193280),
    ]);
}

#[test]
fn pulling_a_sheet_over_a_table_takes_the_force_of_its_friction() {
    let [grid, crossed, random] = contact::meshes([0.2, 0.2], 0.025);
    let [euler, bdf2, symplectic] = contact::methods();
    let rows = [(random, euler), (grid, bdf2), (crossed, symplectic)];
    all_hold(
        rows.into_iter()
            .flat_map(|(mesh, method)| contact::pulled_on(mesh, method, ContactLaw::Constraint, 0.3))
            .collect(),
    );
}

#[test]
fn sheets_bounce_as_high_as_their_restitution_says() {
    let [grid, _, random] = contact::meshes([0.2, 0.2], 0.05);
    for method in contact::methods() {
        all_hold(contact::bounce_on(grid.clone(), method, ContactLaw::Constraint));
        all_hold(contact::bounce_on(random.clone(), method, ContactLaw::Constraint));
        // nothing is lost without loss, and nothing is won
        let peaks = contact::bounce_of(grid.1.clone(), 1.0, method.1, ContactLaw::Constraint).peaks;
        assert!(!peaks.is_empty() && peaks.iter().all(|peak| (peak - 1.0).abs() < 5e-3), "{}: {peaks:?}", method.0);
    }
}

#[test]
fn cloth_sticks_on_bodies_and_on_cloth_and_slides_on_bodies_as_coulomb_says() {
    let [_, _, (_, mesh)] = contact::meshes([0.2, 0.2], 0.025);
    let way = |law: ContactLaw, on: touch::On| touch::way(law, on, mesh.clone(), 0.297, 1.0);
    let on_cloth = way(ContactLaw::Barrier, touch::On::Cloth);
    assert!(on_cloth < 1e-4, "on cloth: {on_cloth} m below the threshold");
    for law in contact::LAWS {
        let on_body = way(law, touch::On::Body);
        assert!(on_body < 1e-4, "{law:?}: {on_body} m below the threshold");
        let (slope, expected) = touch::steep();
        let found = touch::acceleration(law, touch::On::Body, mesh.clone(), slope, touch::STEP);
        assert!((found / expected - 1.0).abs() < 0.03, "{law:?}: {found} m/s² instead of {expected} m/s²");
    }
}

#[test]
fn a_displacement_inside_the_step_adds_little_energy_and_the_filter_holds_exactly() {
    all_hold(touch::displacement());
    all_hold(touch::penalty());
}

#[test]
fn stacks_lie_still_in_order() {
    all_hold(touch::stack_rows(5, 6.0));
}

#[test]
fn stacks_fall_freely_and_sheets_that_meet_keep_their_momentum() {
    all_hold(touch::momentum());
    all_hold(touch::stack_falls());
}

/// Values of the same equation, computed independently: c in cm, and the drape coefficients in percent of cloths of 30,
/// 24 and 36 cm on 18 cm, and of 25.4 cm on 12.7 cm. They have four digits.
#[test]
fn reference_wedge_has_the_known_values() {
    for (c, known) in [
        (0.8, [4.74, 19.07, 2.11, 3.66]),
        (1.0, [6.81, 30.10, 2.99, 5.25]),
        (1.25, [9.97, 47.29, 4.28, 7.65]),
        (1.5, [13.98, 64.74, 5.76, 10.66]),
        (1.75, [19.07, 78.73, 7.49, 14.48]),
        (2.0, [25.38, 87.94, 9.51, 19.27]),
        (2.5, [41.07, 96.18, 14.72, 31.90]),
        (3.0, [58.35, 98.65, 21.87, 47.42]),
        (3.5, [73.49, 99.46, 31.03, 63.08]),
        (4.0, [84.32, 99.75, 41.73, 76.11]),
        (5.0, [94.81, 99.94, 63.89, 91.15]),
        (6.0, [98.14, 99.98, 80.88, 96.69]),
    ] {
        for ([support, cloth], known) in [[9.0, 15.0], [9.0, 12.0], [9.0, 18.0], [6.35, 12.7]].into_iter().zip(known) {
            let found = 100.0 * wedge::drape_coefficient(c, support, cloth);
            assert!((found - known).abs() < 0.006, "c = {c}, {cloth} on {support}: {found}, not {known}");
        }
    }
}

/// r = 1 + cos(7 φ)/10: area π (1 + 1/200), seven folds.
#[test]
fn shadow_of_a_star_has_its_area_and_its_folds() {
    let count = 700;
    let at = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
        (1.0 + 0.1 * (7.0 * angle).cos()) * taffeta::Vec3::new(angle.cos(), 0.3, angle.sin())
    };
    let x: Vec<_> = (0..count).map(at).chain([taffeta::Vec3::Y]).collect();
    let triangles: Vec<_> = (0..count).map(|k| [k, (k + 1) % count, count]).collect();
    let shadow = shadow::Shadow::new(0.5, 1.1, &x, &triangles);
    // cells of 1/720 and their random part at the border
    assert!((shadow.area() / (1.005 * std::f64::consts::PI) - 1.0).abs() < 1e-4, "{}", shadow.area());
    assert_eq!(shadow.folds(), 7);
    // of the support alone
    let round = shadow::Shadow::new(0.5, 1.1, &[], &[]);
    assert!((round.area() / (0.25 * std::f64::consts::PI) - 1.0).abs() < 1e-4);
    assert_eq!(round.folds(), 0);
}

#[test]
fn round_cloth_cut_into_wedges_drapes_like_a_wedge() {
    let [model, membrane] = cloth::CONTINUA;
    let (alternating, equilateral) = (strip::Kind::ALTERNATING, strip::Kind::Equilateral);
    all_hold(vec![
        cut::wedge(alternating, model, 0.12, 0.015),
        cut::wedge(equilateral, membrane, 0.15, 0.02),
        cut::wedge(equilateral, model, 0.18, 0.04),
    ]);
}

#[test]
fn round_cloth_drapes_the_same_if_weight_and_stiffness_or_all_lengths_change_together() {
    let disc = cusick::Disc::new(cusick::stiff(0.03), 0.012, 1);
    all_hold(vec![cusick::heavier(&disc, 3.0)]);
    all_hold(cusick::larger(&disc, 0.5, Judge::Reported));
}

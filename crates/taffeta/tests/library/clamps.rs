//! Clamps: cloth that is held so that it cannot turn.

use crate::common::*;
use taffeta::*;

const LENGTH: f64 = 0.1; // m
const DENSITY: f64 = 0.15; // kg/m²

/// Solves A x = b by elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs())).unwrap();
        a.swap(i, pivot);
        b.swap(i, pivot);
        for r in i + 1..n {
            let factor = a[r][i] / a[i][i];
            if factor != 0.0 {
                let (above, below) = a.split_at_mut(r);
                below[0][i..].iter_mut().zip(&above[i][i..]).for_each(|(x, y)| *x -= factor * y);
                b[r] -= factor * b[i];
            }
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|c| a[i][c] * b[c]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// Drop of the tip over the length of a rod under its own weight: a strip one cell wide and `n` long whose two vertices
/// of each row are tied, in equilibrium by Newton's method with the cloth's own forces. Two rows hold it.
fn drop_of_rod(gamma: f64, n: usize, clamp: bool) -> f64 {
    let b = DENSITY * 9.81 * LENGTH.powi(3) / gamma;
    let fabric = Fabric { density: DENSITY, stretch: [1e5, 1e5], shear: 10.0, bend: [b, b], ..fabric() };
    let cell = LENGTH / n as f64;
    let mut cloth = grid([LENGTH + cell, cell], [n as u32 + 1, 1], Pattern::OneDiagonal, fabric);
    cloth.place.rotate = Vec3::new(90.0, 0.0, 0.0);
    cloth.pins = vec![Pin { clamp, ..Pin::fixed(Select::Uv { min: [0.0, 0.0], max: [cell, cell] }) }];
    let Run { world, mut state, mut work } = Run::new(springs(cloth));

    let rows = n + 2;
    let origin = state.x[1];
    // forces of the free rows with a share of the weight, x and y in turn
    let mut residual = |state: &State, load: f64| -> Vec<f64> {
        let f = forces(&world, state, &mut work);
        let row =
            |i: usize| f[i] + f[i + rows] + (1.0 - load) * 9.81 * (world.mass[i] + world.mass[i + rows]) * Vec3::Y;
        (2..rows).flat_map(|i| [row(i).x, row(i).y]).collect()
    };
    let shift = |state: &mut State, coordinate: usize, by: f64| {
        let axis = if coordinate.is_multiple_of(2) { Vec3::X } else { Vec3::Y };
        [2 + coordinate / 2, 2 + coordinate / 2 + rows].into_iter().for_each(|i| state.x[i] += axis * by);
    };
    let weight = DENSITY * 9.81 * LENGTH * cell;
    let steps = 8;
    for load in (1..=steps).map(|i| f64::from(i) / f64::from(steps)) {
        let mut left = f64::INFINITY;
        for _ in 0..50 {
            let force = residual(&state, load);
            left = force.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
            if left < 1e-9 * weight {
                break;
            }
            let mut columns = Vec::new();
            for c in 0..2 * n {
                let h = 1e-7 * cell;
                shift(&mut state, c, h);
                let up = residual(&state, load);
                shift(&mut state, c, -2.0 * h);
                let down = residual(&state, load);
                shift(&mut state, c, h);
                columns.push(up.iter().zip(down).map(|(u, d)| (d - u) / (2.0 * h)).collect::<Vec<f64>>());
            }
            let stiffness = (0..2 * n).map(|r| columns.iter().map(|column| column[r]).collect()).collect();
            let moved = solve(stiffness, force);
            moved.into_iter().enumerate().for_each(|(c, by)| shift(&mut state, c, by));
        }
        assert!(
            left < 1e-6 * weight,
            "gamma {gamma}, n {n}: not in equilibrium at load {load}: {left:e} of {weight:e} N"
        );
    }
    (origin.y - state.x[rows - 1].y) / LENGTH
}

/// Heavy elastica, solved by collocation and by shooting, which agree to 1e-11. A second program of such a rod has the
/// errors 0.99, 0.25, 0.06 % for Γ = 1.
#[test]
fn clamped_rod_converges_to_the_elastica_with_the_second_order() {
    for (gamma, exact) in [(1.0, 0.123471), (8.0, 0.640631), (50.0, 0.907917)] {
        let errors = [10, 20, 40].map(|n| drop_of_rod(gamma, n, true) / exact - 1.0);
        let ratios = [errors[0] / errors[1], errors[1] / errors[2]];
        println!("gamma {gamma}: errors {errors:?}, ratios {ratios:?}");
        assert!(ratios.iter().all(|ratio| (3.6..4.4).contains(ratio)), "gamma {gamma}: {errors:?}, ratios {ratios:?}");
        assert!(errors[2].abs() < 0.001, "gamma {gamma}: {errors:?}");
    }
}

/// What `clamp` is for.
#[test]
fn rod_held_by_two_rows_alone_acts_half_a_cell_too_long() {
    let errors = [10, 20, 40].map(|n| drop_of_rod(1.0, n, false) / 0.123471 - 1.0);
    println!("{errors:?}");
    for (error, known) in errors.into_iter().zip([0.205, 0.100, 0.050]) {
        assert!((error - known).abs() < 0.003, "{errors:?}");
    }
}

#[test]
fn a_clamp_doubles_the_hinges_where_it_ends_and_no_other() {
    let energy = |clamp: bool, fold: f64| {
        let mut cloth = grid([0.6, 0.2], [6, 2], Pattern::OneDiagonal, fabric());
        cloth.pins = vec![Pin { clamp, ..Pin::fixed(Select::Uv { min: [0.0, 0.0], max: [0.2, 1.0] }) }];
        let mut run = Run::new(springs(cloth));
        run.state.x.iter_mut().filter(|p| p.x > fold).for_each(|p| p.z = 0.1 * (p.x - fold));
        run.measure().bend
    };
    // folded along the row where the clamp ends, then along the next
    assert!(off(energy(true, -0.1), 2.0 * energy(false, -0.1)) < 1e-12);
    assert_eq!(energy(true, 0.0), energy(false, 0.0));
    assert_eq!(energy(true, -0.2), energy(false, -0.2));
}

#[test]
fn clamps_that_cannot_clamp_are_refused_with_a_way_out() {
    let problems = |pin: Pin, bending: Bending| {
        let mut cloth = grid([0.6, 0.2], [6, 2], Pattern::Alternating, fabric());
        cloth.model = Model::MassSpring { bending };
        cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Right])), pin];
        World::new(springs(cloth)).err().unwrap_or_default()
    };
    let two_rows = Select::Uv { min: [0.0, 0.0], max: [0.1, 1.0] };
    let one_row = problems(Pin::clamped(Select::Edge(vec![Side::Left])), Bending::Hinge);
    assert_eq!((one_row.len(), one_row[0].path.as_str()), (1, "cloth.0.pin.1.clamp"));
    assert!(one_row[0].message.contains("no whole triangle") && one_row[0].help.contains("two rows"));
    for bending in [Bending::None, Bending::Flexion { curvature: 3.0 }] {
        let found = problems(Pin::clamped(two_rows.clone()), bending);
        assert_eq!(found[0].path, "cloth.0.pin.1.clamp");
        assert!(found[0].help.contains("hinge"), "{found:?}");
    }
    assert_eq!(problems(Pin::clamped(two_rows.clone()), Bending::Hinge), []);
    // nothing selected: said once
    let nowhere = Select::Uv { min: [5.0, 5.0], max: [6.0, 6.0] };
    assert_eq!(problems(Pin::clamped(nowhere), Bending::Hinge).len(), 1);

    let mut cloth = grid([0.6, 0.2], [6, 2], Pattern::Alternating, fabric());
    cloth.pins = vec![Pin { until: 1.0, ..Pin::clamped(two_rows) }];
    let world = World::new(springs(cloth)).unwrap();
    assert!(world.warnings[0].message.contains("during the whole run"), "{:?}", world.warnings);
}

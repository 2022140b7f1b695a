//! Friction with bodies against Coulomb's law in closed form.

use crate::common::*;
use taffeta::*;

const G: f64 = 9.81;

/// Grid, crossed grid and irregular triangles, about 20 x 20 cm.
fn meshes() -> [(&'static str, Mesh); 3] {
    [
        ("one diagonal", Mesh::grid([0.2, 0.2], [8, 8], Pattern::OneDiagonal).unwrap()),
        ("crossed", Mesh::grid([0.2, 0.2], [5, 5], Pattern::Crossed).unwrap()),
        ("random", Mesh::random([0.2, 0.2], 0.025, 3).unwrap()),
    ]
}

fn methods() -> [(&'static str, Method); 3] {
    [
        ("backward-euler", Method::BackwardEuler(Implicit::default())),
        ("bdf2", Method::Bdf2(Implicit::default())),
        ("symplectic-euler", Method::SymplecticEuler),
    ]
}

/// A flat sheet on a plane that falls by `angle` degrees towards +x.
fn on_slope(mesh: Mesh, angle: f64, mu: f64, method: Method) -> Setup {
    let turn = Vec3::new(0.0, 0.0, -angle);
    let normal = Place { rotate: turn, ..Place::default() }.apply(Vec3::Y);
    let mut cloth = Cloth::new("sheet", mesh);
    let half = 0.5 * Fabric::default().thickness;
    // the sheet lies in xy: first flat, then as the slope
    let flat: Vec<Vec3> = cloth.mesh.rest.iter().map(|p| Vec3::new(p.x, 0.0, -p.y)).collect();
    cloth.start = Some(flat);
    cloth.place = Place { rotate: turn, at: normal * half, ..Place::default() };
    let slope = Body {
        name: "slope".into(),
        place: Place { rotate: turn, ..Place::default() },
        friction: Some(mu),
        ..Body::default()
    };
    let mut setup =
        Setup { bodies: vec![slope], method: Some(method), contact: CONSTRAINT, ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(if method.is_implicit() { 2e-3 } else { 2e-4 });
    setup
}

fn way(run: &Run) -> f64 {
    let n = run.state.x.len() as f64;
    run.state.x.iter().zip(&run.world.start).map(|(x, start)| x.distance(*start)).sum::<f64>() / n
}

#[test]
fn a_sheet_sticks_below_the_angle_of_friction_and_slides_above() {
    for (name, mesh) in meshes() {
        for (method_name, method) in methods() {
            for mu in [0.1f64, 0.2, 0.3, 0.5] {
                let angle = mu.atan().to_degrees();
                let mut below = Run::new(on_slope(mesh.clone(), angle - 0.5, mu, method));
                below.until(0.5);
                let mut above = Run::new(on_slope(mesh.clone(), angle + 0.5, mu, method));
                above.until(1.0);
                let expected = {
                    let a = (angle + 0.5f64).to_radians();
                    0.5 * G * (a.sin() - mu * a.cos())
                };
                println!(
                    "{name} {method_name} {mu}: {:.2e} m below, {:.6} above, {expected:.6}",
                    way(&below),
                    way(&above)
                );
                assert!(way(&below) < 1e-9);
                assert!((way(&above) / expected - 1.0).abs() < 0.02);
            }
        }
    }
}

#[test]
fn a_sheet_slides_with_the_right_acceleration() {
    for (name, mesh) in meshes() {
        for (method_name, method) in methods() {
            for (mu, angle, a) in
                [(0.1, 20.0, 2.433379), (0.3, 20.0, 0.589702), (0.2, 30.0, 3.205858), (0.3, 45.0, 4.855702f64)]
            {
                let mut run = Run::new(on_slope(mesh.clone(), angle, mu, method));
                run.until(1.0);
                println!("{name} {method_name} {mu} {angle}: {:.6} {:.6}", way(&run), 0.5 * a);
                assert!((way(&run) / (0.5 * a) - 1.0).abs() < 0.01);
            }
        }
    }
}

#[test]
fn a_sheet_stops_where_its_energy_is_spent_and_does_not_turn_back() {
    for (name, mesh) in meshes() {
        for (method_name, method) in methods() {
            let mut setup = on_slope(mesh.clone(), 0.0, 0.3, method);
            setup.cloths[0].velocity = Vec3::X;
            let mut run = Run::new(setup);
            let mut stopped = None;
            while run.state.time < 0.6 {
                run.step();
                let speed: f64 = run.state.v.iter().map(|v| v.x).sum::<f64>() / run.state.v.len() as f64;
                assert!(speed > -1e-9, "{name} {method_name}: turns back");
                if speed < 1e-9 && stopped.is_none() {
                    stopped = Some(run.state.time);
                }
            }
            println!("{name} {method_name}: {:.6} m, {stopped:?} s", way(&run));
            assert!((way(&run) / 0.169895 - 1.0).abs() < 0.01);
            assert!((stopped.unwrap() / 0.339789 - 1.0).abs() < 0.01);
        }
    }
}

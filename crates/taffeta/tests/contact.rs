//! Contact with bodies: nothing inside, rest, forces, hard cases.

mod common;

use common::*;
use taffeta::*;

/// A sheet that lies flat above the origin.
fn flat(size: f64, cells: u32, height: f64) -> Cloth {
    let mut cloth = grid([size, size], [cells, cells], Pattern::Alternating, fabric());
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, height, 0.0), ..Place::default() };
    cloth
}

fn body(name: &str, shape: Shape, at: Vec3) -> Body {
    Body { name: name.into(), shape, place: Place { at, ..Place::default() }, ..Body::default() }
}

/// Advances frame by frame; the deepest point over all of them, in thicknesses.
fn deepest_of(run: &mut Run, frames: u32) -> f64 {
    let mut worst = f64::NEG_INFINITY;
    for _ in 0..frames {
        run.frame();
        let found = deepest(&run.world, &run.state).expect("there are bodies");
        worst = worst.max(found.depth / fabric().thickness);
    }
    worst
}

#[test]
fn no_point_of_a_draped_cloth_is_deeper_than_its_thickness() {
    let shapes = [
        ("ball", Shape::Sphere { radius: 0.12 }),
        ("box", Shape::Box { size: [0.2, 0.2, 0.2] }),
        ("cylinder", Shape::Cylinder { radius: 0.1, height: 0.2 }),
        ("capsule", Shape::Capsule { radius: 0.1, height: 0.1 }),
        ("cone", Shape::Cone { radius: 0.15, height: 0.2 }),
        ("torus", Shape::Torus { radius: 0.12, tube: 0.05 }),
    ];
    for (name, shape) in shapes {
        for cells in [20, 32] {
            let mut setup = Setup::with_cloth(flat(0.5, cells, 0.16));
            setup.bodies = vec![body(name, shape.clone(), Vec3::ZERO)];
            let mut run = Run::new(setup);
            let clock = std::time::Instant::now();
            let worst = deepest_of(&mut run, 60);
            println!(
                "{name} {cells}: deepest {worst:.3} thicknesses, stretch {:.3}, {:.1} ms a frame",
                run.measure().max_stretch,
                clock.elapsed().as_secs_f64() * 1e3 / 60.0
            );
        }
    }
}

//! Contact by the barrier beside a limit on stretch, and with restitution.

use crate::common::*;
use taffeta::intersect::crossings;
use taffeta::*;

fn barrier() -> ContactSettings {
    ContactSettings { law: ContactLaw::Barrier, ..ContactSettings::default() }
}

fn level(size: f64, cells: u32, height: f64, fabric: Fabric) -> Cloth {
    let mut cloth = grid([size, size], [cells, cells], Pattern::Alternating, fabric);
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, height, 0.0), ..Place::default() };
    cloth
}

/// The forces of the contact that the step and the limiter knew of are not counted twice.
#[test]
fn limited_cloth_rests_on_a_ball_that_carries_its_weight_within_its_limit() {
    let soft = Fabric { stretch: [500.0; 2], shear: 25.0, ..fabric() };
    for method in [euler(), Method::Bdf2(Implicit::default())] {
        let limiter = Some(Limiter { limit: 0.01, rule: Some(Rule::Keep), ..Limiter::default() });
        let bodies = vec![body("ball", Shape::Sphere { radius: 0.12 }, Vec3::ZERO)];
        let contact = barrier();
        let setup = Setup {
            bodies,
            limiter,
            contact,
            method: Some(method),
            ..Setup::with_cloth(level(0.36, 12, 0.1225, soft))
        };
        let mut simulation = Simulation::new(setup).unwrap();
        let (mut force, mut longest) = (Vec3::ZERO, 0.0f64);
        let (settles, counts) = (60, 30);
        for frame in 0..settles + counts {
            simulation.frame().unwrap();
            let x = simulation.positions();
            assert!(crossings(x, &simulation.world().triangles).is_empty());
            let stretch = |edge: &MeshEdge| x[edge.v[0] as usize].distance(x[edge.v[1] as usize]) / edge.rest;
            longest = simulation.world().edges.iter().map(stretch).fold(longest, f64::max);
            if frame >= settles {
                force += simulation.body_force("ball").unwrap() / f64::from(counts);
            }
        }
        let weight = 9.81 * simulation.world().mass.iter().sum::<f64>();
        let lacks = (force - Vec3::Y * weight).length() / weight;
        assert!(lacks < 0.03, "{}: {force} for a weight of {weight}", method.name());
        assert!(longest < 1.0105, "{}: {longest}", method.name());
    }
}

/// A sheet that falls flat on a floor rises again to e² of its height.
#[test]
fn cloth_bounces_to_the_height_of_its_restitution() {
    let height = 0.2;
    for restitution in [0.5f64, 0.8] {
        let mut floor = body("floor", Shape::Plane, Vec3::ZERO);
        floor.restitution = restitution;
        let contact = barrier();
        let half = 0.5 * fabric().thickness;
        let setup = Setup {
            bodies: vec![floor],
            contact,
            time: fixed_step(1e-3),
            ..Setup::with_cloth(level(0.1, 4, half + height, fabric()))
        };
        let mut run = Run::new(setup);
        let (mut met, mut peak) = (false, 0.0f64);
        while run.state.time < 0.2 + 2.2 * (2.0 * height / 9.81).sqrt() {
            run.step();
            let mean = |list: &[Vec3]| list.iter().map(|v| v.y).sum::<f64>() / list.len() as f64;
            met |= mean(&run.state.v) > 0.0;
            if met && run.state.time < (1.0 + 1.9 * restitution) * (2.0 * height / 9.81).sqrt() {
                peak = peak.max(mean(&run.state.x) - half);
            }
        }
        let wanted = restitution * restitution * height;
        assert!((peak / wanted - 1.0).abs() < 0.03, "{restitution}: {peak} m instead of {wanted}");
    }
}

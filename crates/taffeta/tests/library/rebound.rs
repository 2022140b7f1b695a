//! Restitution with contact by the barrier.

use crate::common::*;
use taffeta::*;

fn barrier() -> ContactSettings {
    ContactSettings { law: ContactLaw::Barrier, ..ContactSettings::default() }
}

fn level(size: f64, cells: u32, height: f64, fabric: Fabric) -> Cloth {
    let mut cloth = grid([size, size], [cells, cells], Pattern::Alternating, fabric);
    cloth.place = Place { rotate: Vec3::new(-90.0, 0.0, 0.0), at: Vec3::new(0.0, height, 0.0), ..Place::default() };
    cloth
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

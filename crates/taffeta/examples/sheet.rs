//! A sheet held at two corners: build it, step it, read positions and energies.

use taffeta::{Cloth, Corner, Fabric, Material, Mesh, Pattern, Pin, Select, Setup, Workspace, World};
use taffeta::{advance_frame, measure};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 50 cm x 50 cm, 21 x 21 vertices; warp along x
    let mesh = Mesh::grid([0.5, 0.5], [20, 20], Pattern::Alternating)?;
    let mut sheet = Cloth::new("sheet", mesh);
    let mut fabric = Fabric { density: 0.12, stretch: [400.0, 350.0], shear: 20.0, ..Fabric::default() }; // SI units
    fabric.damping.air = 0.2;
    sheet.material = Material::Fabric(fabric);
    sheet.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];

    // gravity, 60 frames a second and steps from the stiffness are defaults
    let world = World::new(Setup::with_cloth(sheet)).map_err(|problems| problems[0].clone())?;
    let mut state = world.start();
    let mut work = Workspace::new(&world);

    let middle_of_bottom = state.x[10];
    for _ in 0..30 {
        let report = advance_frame(&world, &mut state, &mut work)?;
        let m = measure(&world, &state);
        println!(
            "t = {:.3} s  bottom at y = {:.3} m  kinetic {:.4} J  stretch {:.4} J  pins pull {:.2} N",
            state.time, state.x[10].y, m.kinetic, m.stretch, report.pins[0].y
        );
    }
    assert!(state.x[10].y < middle_of_bottom.y, "it hangs lower than it started");
    Ok(())
}

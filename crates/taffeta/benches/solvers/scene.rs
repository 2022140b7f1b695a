//! The sheet of the peers.

use taffeta::{Cloth, Corner, Material, Mesh, Pattern, Pin, Place, Select, Setup, StepSize, Vec3, World};

/// Vertices a side, N/m, s.
pub fn sheet(side: u32, stretch: f64, step: f64, method: taffeta::Method) -> World {
    let mesh = Mesh::grid([1.0, 1.0], [side - 1, side - 1], Pattern::Alternating).unwrap();
    let mut cloth = Cloth::new("sheet", mesh);
    if let Material::Fabric(fabric) = &mut cloth.material {
        fabric.density = 0.2;
        fabric.stretch = [stretch; 2];
        fabric.shear = 0.5 * stretch;
        fabric.bend = [5e-6; 2];
    }
    cloth.place = Place { rotate: Vec3::new(90.0, 0.0, 0.0), ..Place::default() };
    cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftBottom, Corner::RightBottom]))];
    let mut setup = Setup::with_cloth(cloth);
    setup.method = method;
    setup.time.step = StepSize::AtMost(step * 1.0001);
    World::new(setup).unwrap()
}

//! What the scenes are made of.

use super::Version;
use taffeta::*;

/// Lies flat, with its front up.
pub const FLAT: Vec3 = Vec3::new(-90.0, 0.0, 0.0);

impl Version {
    /// A sheet of a size in metres, cut into cells, in the xy plane before it is turned and moved.
    pub fn sheet(self, size: [f64; 2], cells: [u32; 2], at: Vec3, rotate: Vec3) -> Cloth {
        let cells = cells.map(|count| self.cells(count));
        let mesh = Mesh::grid(size, cells, Pattern::Alternating).expect("a grid");
        let fabric = Fabric {
            density: 0.2,
            thickness: self.thickness,
            stretch: [5000.0; 2],
            shear: 2500.0,
            bend: [5e-6; 2],
            friction: Friction { cloth: 0.3, solid: 0.3 },
            ..Fabric::default()
        };
        let place = Place { at, rotate, ..Place::default() };
        Cloth { place, material: Material::Fabric(fabric), ..Cloth::new("sheet", mesh) }
    }

    /// A flat square at a height.
    pub fn square(self, size: f64, cells: u32, height: f64) -> Cloth {
        self.sheet([size; 2], [cells; 2], height * Vec3::Y, FLAT)
    }
}

/// Cloths and bodies with contact by the barrier, for so many seconds.
pub fn setup(cloths: Vec<Cloth>, bodies: Vec<Body>, seconds: f64) -> Setup {
    let contact = ContactSettings { cloth: Some(true), law: ContactLaw::Barrier, ..ContactSettings::default() };
    let time = Time { duration: seconds, ..Time::default() };
    Setup { cloths, bodies, contact, time, ..Setup::default() }
}

pub fn body(name: &str, shape: Shape, at: Vec3, rotate: Vec3) -> Body {
    Body { name: name.into(), shape, place: Place { at, rotate, ..Place::default() }, ..Body::default() }
}

/// Keys of a straight motion: times and shifts.
pub fn shifts(keys: &[(f64, Vec3)]) -> Motion {
    let keys = keys.iter().map(|&(t, shift)| Key { t, shift, turn: Vec3::ZERO }).collect();
    Motion { keys, smooth: false }
}

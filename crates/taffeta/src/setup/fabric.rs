//! What a cloth is made of, in SI units.

/// A fabric. Pairs are (warp, weft).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Mass per area, kg/m².
    pub density: f64,
    /// m.
    pub thickness: f64,
    /// Force per width and strain when pulled along warp and weft with free sides, N/m.
    pub stretch: [f64; 2],
    /// Shear force per width and radian, N/m.
    pub shear: f64,
    /// Poisson's ratio; a spring network has its own and does not use this one.
    pub poisson: f64,
    /// Bending stiffness per width against curvature along warp and weft, N m.
    pub bend: [f64; 2],
    /// Damping.
    pub damping: FabricDamping,
    /// Friction.
    pub friction: Friction,
}

/// Damping stress = time × rate of the elastic stress, and the drag of still air.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FabricDamping {
    /// s.
    pub stretch: f64,
    /// s.
    pub shear: f64,
    /// s.
    pub bend: f64,
    /// Drag proportional to the velocity relative to the air, N s/m³.
    pub air: f64,
}

/// Friction coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Cloth on cloth.
    pub cloth: f64,
    /// Cloth on a body.
    pub solid: f64,
}

impl Default for Fabric {
    /// A light cloth of round numbers for tests and first steps; not a measured fabric.
    fn default() -> Self {
        Self {
            density: 0.15,
            thickness: 0.0005,
            stretch: [1000.0, 1000.0],
            shear: 50.0,
            poisson: 0.0,
            bend: [1e-5, 1e-5],
            damping: FabricDamping::default(),
            friction: Friction { cloth: 0.3, solid: 0.3 },
        }
    }
}

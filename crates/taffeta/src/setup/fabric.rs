//! Fabrics, in SI units.

/// A fabric. Pairs are (warp, weft).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Mass per area, kg/m².
    pub density: f64,
    /// Thickness, m.
    pub thickness: f64,
    /// Tensile stiffness along warp and weft with free sides: force per width and strain, N/m.
    pub stretch: [f64; 2],
    /// Shear stiffness: force per width and radian, N/m.
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

/// Damping inside the cloth, where damping stress = time × rate of the elastic stress, and the drag of still air.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FabricDamping {
    /// Damping time of stretch, s.
    pub stretch: f64,
    /// Damping time of shear, s.
    pub shear: f64,
    /// Damping time of bending, s.
    pub bend: f64,
    /// Coefficient of the drag proportional to the velocity relative to the air, N s/m³.
    pub air: f64,
}

/// Friction coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Coefficient of cloth on cloth.
    pub cloth: f64,
    /// Coefficient of cloth on a body.
    pub solid: f64,
}

impl Default for Fabric {
    /// A light cloth with round numbers, for tests and first scenes. It is not a measured fabric.
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

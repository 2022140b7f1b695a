//! Fabrics, in SI units.

use super::setting::{between, not_negative, settings};

settings! {
    /// A fabric: density in kg/m², thickness in m, shear in N/m. Pairs are (warp, weft). The default is a light cloth
    /// with round numbers, for tests and first scenes. It is not a measured fabric.
    pub struct Fabric {
        /// Mass for each area.
        density: f64 = 0.15, between(1e-6, 1e6, "kg/m²");
        /// Thickness.
        thickness: f64 = 0.0005, between(1e-7, 1.0, "m");
        /// Shear force for each width and radian.
        shear: f64 = 50.0, not_negative("N/m");
        /// Poisson's ratio; springs have their own.
        poisson: f64 = 0.0, between(-0.99, 0.99, "");
    } and {
        /// Tensile stiffness along warp and weft with free sides: force per width and strain, N/m.
        stretch: [f64; 2] = [1000.0; 2];
        /// Bending stiffness per width against curvature along warp and weft, N m.
        bend: [f64; 2] = [1e-5; 2];
        /// Damping.
        damping: FabricDamping = FabricDamping::default();
        /// Friction.
        friction: Friction = Friction { cloth: 0.3, solid: 0.3 };
    }
}

settings! {
    /// Damping inside the cloth, where damping stress = time × rate of the elastic stress, in s, and the drag of still
    /// air, in N s/m³.
    pub struct FabricDamping {
        /// Of stretch.
        stretch: f64 = 0.0, between(0.0, 1e3, "s");
        /// Of shear.
        shear: f64 = 0.0, between(0.0, 1e3, "s");
        /// Of bending.
        bend: f64 = 0.0, between(0.0, 1e3, "s");
        /// Drag proportional to the velocity relative to the air.
        air: f64 = 0.0, not_negative("N s/m³");
    }
}

/// Friction coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Coefficient of cloth on cloth.
    pub cloth: f64,
    /// Coefficient of cloth on a body.
    pub solid: f64,
}

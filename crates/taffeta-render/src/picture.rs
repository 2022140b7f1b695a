//! Settings of a picture.

use crate::{Camera, RenderError};

/// Longest side of a picture, pixels.
pub const MAX_SIDE: u32 = 16_384;

/// Settings of a picture; [`Picture::default`] is a good start.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Rays for light and shadow per pixel: 4 is clean, 2 is for drafts, 8 and more are for prints. Edges get more
    /// automatically.
    pub samples: u32,
    /// What the cloth looks like.
    pub look: Look,
    /// Whether the edges of the triangles are drawn over the look.
    pub wireframe: bool,
    /// The camera; if absent, one that sees everything from [`view`](Self::view) is chosen.
    pub camera: Option<Camera>,
    /// Direction of an automatic camera.
    pub view: View,
    /// What the scene stands on.
    pub ground: Ground,
    /// Whether bodies are shown.
    pub bodies: bool,
    /// Whether coarse cloth is rounded between its vertices. A wireframe shows the mesh as it is, without rounding.
    pub rounded: bool,
    /// Whether the time is written in the lower left corner.
    pub time: bool,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            width: 960,
            height: 540,
            samples: 4,
            look: Look::default(),
            wireframe: false,
            camera: None,
            view: View::default(),
            ground: Ground::Auto,
            bodies: true,
            rounded: true,
            time: false,
        }
    }
}

impl Picture {
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let side = 1..=MAX_SIDE;
        if !side.contains(&self.width) || !side.contains(&self.height) {
            return Err(RenderError::Size { width: self.width, height: self.height });
        }
        if let Some(camera) = &self.camera {
            camera.check()?;
        }
        Ok(())
    }
}

/// What the cloth looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// Fabric with a pattern from the material coordinates, which makes stretch and shear visible.
    Fabric(Fabric),
    /// A fabric on which triangles of the cloth that cross others, or bodies that are meshes, are red. The test is
    /// exact, and their number stands in the picture.
    Crossings(Fabric),
    /// A quantity as colours, with a legend.
    Map(Map),
    /// The springs by kind instead of the cloth: structural blue, shear green, flexion yellow.
    Springs,
}

impl Default for Look {
    fn default() -> Self {
        Look::Fabric(Fabric::default())
    }
}

/// The look of a fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct Fabric {
    /// Its pattern.
    pub pattern: Pattern,
    /// Length of a check, stripe or thread, m; if absent, one that suits the size of the cloth is chosen.
    pub size: Option<f64>,
    /// Colours of the cloths in turn; if empty, a built-in set is used.
    pub colours: Vec<Colours>,
}

impl Default for Fabric {
    fn default() -> Self {
        Self { pattern: Pattern::Grid, size: None, colours: Vec::new() }
    }
}

/// Colours of a fabric, sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Colour of the front.
    pub front: [u8; 3],
    /// Colour of the back.
    pub back: [u8; 3],
}

/// Patterns of a fabric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// One colour.
    Plain,
    /// Threads over and under each other, for close views.
    Weave,
    /// A chessboard.
    Checker,
    /// Bands along the warp.
    Stripes,
    /// Thin lines along warp and weft.
    #[default]
    Grid,
}

/// A quantity shown as colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The quantity.
    pub quantity: Quantity,
    /// Values at the ends of the scale, in the unit of the legend; if absent, round numbers for all frames.
    pub range: Option<[f64; 2]>,
}

/// Quantities that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Largest elongation in any direction, %.
    Stretch,
    /// Change of the angle between warp and weft, degrees; positive where the angle got smaller.
    Shear,
    /// Sum of the two principal curvatures, 1/m; positive where the front is concave.
    Bending,
    /// Speed, m/s, measured against the frame before.
    Speed,
    /// Values supplied with the frame, e.g. contact force.
    Given {
        /// Name of the quantity.
        name: String,
        /// Their unit.
        unit: String,
    },
}

impl Quantity {
    /// Title of the legend.
    pub fn name(&self) -> &str {
        match self {
            Quantity::Stretch => "stretch",
            Quantity::Shear => "shear",
            Quantity::Bending => "curvature",
            Quantity::Speed => "speed",
            Quantity::Given { name, .. } => name,
        }
    }

    /// Unit of the legend.
    pub fn unit(&self) -> &str {
        match self {
            Quantity::Stretch => "%",
            Quantity::Shear => "°",
            Quantity::Bending => "1/m",
            Quantity::Speed => "m/s",
            Quantity::Given { unit, .. } => unit,
        }
    }

    /// The shortest useful scale: smaller values are rounding errors.
    pub(crate) fn least_scale(&self) -> f64 {
        match self {
            Quantity::Stretch | Quantity::Shear => 0.01,
            Quantity::Bending => 1e-3,
            Quantity::Speed => 1e-6,
            Quantity::Given { .. } => 0.0,
        }
    }

    /// Whether values have a sign, so that the scale is symmetric about zero.
    pub fn has_sign(&self) -> bool {
        matches!(self, Quantity::Shear | Quantity::Bending)
    }
}

/// Direction and field of view of an automatic camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Degrees from the front (+z) towards the right (+x).
    pub azimuth: f64,
    /// Degrees above the horizon.
    pub elevation: f64,
    /// Vertical field of view, degrees.
    pub fov: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth: 28.0, elevation: 14.0, fov: 28.0 }
    }
}

/// What the scene stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ground {
    /// A studio floor a little below everything; no floor if a body is a plane.
    #[default]
    Auto,
    /// A studio floor at this height, m.
    At(f64),
    /// No floor.
    None,
}

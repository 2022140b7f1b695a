//! What a picture should be like.

use crate::{Camera, RenderError};

/// Longest side of a picture, pixels.
pub const MAX_SIDE: u32 = 16_384;

/// What a picture should be like; [`Picture::default`] is a good start.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Rays for light and shadow in each pixel: 4 is clean, 2 is for drafts, 8 and more for prints. Edges get more by
    /// themselves.
    pub samples: u32,
    /// What the cloth looks like.
    pub look: Look,
    /// Whether the edges of the triangles are drawn over the look.
    pub wireframe: bool,
    /// The camera; if absent, one is found that sees everything from [`view`](Self::view).
    pub camera: Option<Camera>,
    /// Where an automatic camera looks from.
    pub view: View,
    /// What the scene stands on.
    pub ground: Ground,
    /// Whether bodies are shown.
    pub bodies: bool,
    /// Whether coarse cloth is rounded between its vertices. Never with a wireframe, which shows the mesh as it is.
    pub rounded: bool,
    /// Whether the time stands in the lower left corner.
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
    /// Like fabric, with a pattern from the material coordinates: what stretches and shears is seen.
    Fabric(Fabric),
    /// A quantity in colours, with a legend.
    Map(Map),
    /// The springs by kind instead of the cloth: structural blue, shear green, flexion yellow.
    Springs,
}

impl Default for Look {
    fn default() -> Self {
        Look::Fabric(Fabric::default())
    }
}

/// How fabric looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Fabric {
    /// Its pattern.
    pub pattern: Pattern,
    /// Length of a check, stripe or thread, m; if absent, one that suits the size of the cloth.
    pub size: Option<f64>,
    /// Colours of the cloths in turn; if empty, a set of our own.
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
    /// Seen from the front.
    pub front: [u8; 3],
    /// Seen from behind.
    pub back: [u8; 3],
}

/// Patterns of fabric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// One colour.
    Plain,
    /// Threads over and under each other, seen from close by.
    Weave,
    /// A chess board.
    Checker,
    /// Bands along the warp.
    Stripes,
    /// Thin lines along warp and weft.
    #[default]
    Grid,
}

/// A quantity shown in colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The quantity.
    pub quantity: Quantity,
    /// Values at the ends of the scale, in the unit of the legend; if absent, round numbers that suit all frames.
    pub range: Option<[f64; 2]>,
}

/// Quantities that can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Largest elongation in any direction, %.
    Stretch,
    /// Change of the angle between warp and weft, degrees; positive where the angle got smaller.
    Shear,
    /// Sum of the two principal curvatures, 1/m; positive where the front is hollow.
    Bending,
    /// Speed, m/s, from the positions of the frame before.
    Speed,
    /// Values that come with the frame, e.g. contact force.
    Given {
        /// What they are.
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

    /// The shortest scale that is of use: below it are rounding errors.
    pub(crate) fn least_scale(&self) -> f64 {
        match self {
            Quantity::Stretch | Quantity::Shear => 0.01,
            Quantity::Bending => 1e-3,
            Quantity::Speed => 1e-6,
            Quantity::Given { .. } => 0.0,
        }
    }

    /// Whether both signs matter, so that the scale is symmetric about zero.
    pub fn has_sign(&self) -> bool {
        matches!(self, Quantity::Shear | Quantity::Bending)
    }
}

/// Where an automatic camera looks from.
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
    /// A studio floor a little below everything; none if a body is a plane.
    #[default]
    Auto,
    /// A studio floor at this height, m.
    At(f64),
    /// Nothing.
    None,
}

//! Light and surroundings: a large soft lamp, a sky, a floor that fades into the backdrop.

use crate::camera::Axes;
use crate::colour::{bytes, linear};
use crate::geometry::Scaling;
use crate::vector::{V3, smoothstep, v3};
use crate::{Look, Stage};
use taffeta::Vec3;

/// Tangent of the lamp's half angle: it sets how soft shadows are.
const LAMP_RADIUS: f32 = 0.17;
/// Angles of the lamp above the horizon and to the left of the camera, degrees.
const LAMP_HEIGHT: f64 = 44.0;
const LAMP_LEFT: f64 = 46.0;

/// The studio, in the tracer's unit.
pub(crate) struct Studio {
    /// Direction to the centre of the lamp.
    pub lamp: V3,
    across: (V3, V3),
    pub key: V3,
    /// Direction to a weak light from behind that outlines edges. It casts no shadow.
    pub rim: V3,
    pub rim_light: V3,
    sky: V3,
    bounce: V3,
    front: V3,
    pub floor: V3,
    horizon: V3,
    zenith: V3,
    centre: V3,
    /// Diagonal of the whole scene.
    pub size: f32,
}

impl Studio {
    pub fn new(stage: &Stage, scaling: &Scaling, look: &Look) -> Studio {
        let axes = stage.camera.axes();
        let (right, back) = level(&axes);
        let (s, c) = LAMP_LEFT.to_radians().sin_cos();
        let (rise, flat) = LAMP_HEIGHT.to_radians().sin_cos();
        let lamp = V3::from_f64((right * -s + back * c) * flat + Vec3::Y * rise);
        let rim = V3::from_f64((right * 0.65 - back * 0.6 + Vec3::Y * 0.45).normalize());
        // the colours of a map must be legible: less lamp, more sky
        let (key, sky) = if matches!(look, Look::Map(_)) { (0.30, 1.62) } else { (1.08, 0.92) };
        // the pale middle of a colour scale must stand out too
        let (backdrop, floor) = match look {
            Look::Map(_) => ([0xb4b7bb, 0x8d949d], 0.55),
            Look::Springs => ([0xd9d9d8, 0xc3c7cc], 1.0),
            Look::Fabric(_) | Look::Crossings(_) => ([0xdedbd6, 0xa9b0ba], 1.0),
        };
        let backdrop = backdrop.map(|c| linear(bytes(c)));
        Studio {
            lamp,
            across: lamp.frame(),
            key: v3(1.0, 0.965, 0.90) * key,
            rim,
            rim_light: v3(0.90, 0.95, 1.0) * 0.22,
            sky: v3(0.41, 0.435, 0.47) * sky,
            bounce: v3(0.30, 0.285, 0.265) * sky,
            front: V3::from_f64(back) * 0.16,
            floor: v3(0.69, 0.675, 0.655) * floor,
            horizon: backdrop[0],
            zenith: backdrop[1],
            centre: scaling.point(stage.centre),
            size: (stage.size / scaling.unit) as f32,
        }
    }

    /// Direction to a point of the lamp; `disc` is a point of the unit disc.
    pub fn to_lamp(&self, disc: [f32; 2]) -> V3 {
        self.lamp + (self.across.0 * disc[0] + self.across.1 * disc[1]) * LAMP_RADIUS
    }

    /// Ambient light on an unoccluded surface.
    pub fn ambient(&self, n: V3) -> V3 {
        let front = 1.0 + self.front.dot(n).max(0.0) * 2.0;
        self.bounce.lerp(self.sky, 0.5 + 0.5 * n.y) * front
    }

    /// The colour of rays that hit nothing.
    pub fn backdrop(&self, d: V3) -> V3 {
        self.horizon.lerp(self.zenith, smoothstep(-0.02, 0.55, d.y))
    }

    /// How far the floor has faded into the backdrop at a point, 0 to 1.
    pub fn fade(&self, p: V3) -> f32 {
        let d = p - self.centre;
        smoothstep(0.9 * self.size, 5.0 * self.size, (d.x * d.x + d.z * d.z).sqrt())
    }
}

/// The right and backward directions of the camera, both horizontal.
fn level(axes: &Axes) -> (Vec3, Vec3) {
    let right = Vec3::new(axes.right.x, 0.0, axes.right.z);
    let right = if right.length() > 1e-6 { right.normalize() } else { Vec3::X };
    (right, right.cross(Vec3::Y))
}

/// Tone mapping of linear light: linear first, then a soft shoulder.
pub(crate) fn tone(c: f32) -> f32 {
    const KNEE: f32 = 0.72;
    if c < KNEE { c.max(0.0) } else { KNEE + (1.0 - KNEE) * (1.0 - (-(c - KNEE) / (1.0 - KNEE)).exp()) }
}

/// Ambient light that remains with an openness of `open`, when occluders have the albedo `albedo`: J. Jimenez et al.,
/// Practical Realtime Strategies for Accurate Indirect Occlusion, 2016, Eq. (10).
pub(crate) fn many_bounces(open: f32, albedo: f32) -> f32 {
    let a = 2.0404 * albedo - 0.3324;
    let b = -4.7951 * albedo + 0.6417;
    let c = 2.7552 * albedo + 0.6903;
    open.max(((open * a + b) * open + c) * open)
}

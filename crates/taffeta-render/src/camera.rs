//! Where a picture is taken from.

use crate::{RenderError, View};
use taffeta::Vec3;

/// A camera in the scene. Lengths are in m, angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the camera.
    pub at: Vec3,
    /// The point in the middle of the picture.
    pub look_at: Vec3,
    /// Vertical field of view, degrees.
    pub fov: f64,
    /// Which way is up in the picture.
    pub up: Vec3,
}

/// The right, up and backward directions of a picture: unit vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    pub right: Vec3,
    pub up: Vec3,
    pub back: Vec3,
}

impl Axes {
    fn new(back: Vec3, up: Vec3) -> Axes {
        // looking straight up or down: any direction will do for right
        let right = [up, Vec3::Z, Vec3::X].into_iter().map(|up| up.cross(back)).find(|r| r.length() > 1e-9);
        let right = right.unwrap_or(Vec3::X).normalize();
        Axes { right, up: back.cross(right), back }
    }

    /// The axes of an automatic camera.
    pub fn of_view(view: &View) -> Axes {
        let (a, e) = (view.azimuth.to_radians(), view.elevation.clamp(-90.0, 90.0).to_radians());
        Axes::new(Vec3::new(a.sin() * e.cos(), e.sin(), a.cos() * e.cos()), Vec3::Y)
    }
}

impl Camera {
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        let bad = |why| Err(RenderError::Camera { why });
        if !(self.at.is_finite() && self.look_at.is_finite() && self.up.is_finite()) {
            return bad("a coordinate is not finite");
        }
        let back = (self.at - self.look_at).length();
        if back.is_nan() || back <= 0.0 || !back.is_finite() {
            return bad("`at` and `look_at` are the same point");
        }
        if self.up.length() <= 0.0 {
            return bad("`up` has no direction");
        }
        if !(1.0..=170.0).contains(&self.fov) {
            return bad("the field of view is not between 1 and 170 degrees");
        }
        Ok(())
    }

    pub(crate) fn axes(&self) -> Axes {
        Axes::new((self.at - self.look_at).normalize(), self.up.normalize())
    }

    /// Pixel coordinates of a point from the upper left corner of a picture of this size; `None` behind the camera.
    pub fn project(&self, point: Vec3, width: u32, height: u32) -> Option<[f64; 2]> {
        let axes = self.axes();
        let d = point - self.at;
        let depth = -d.dot(axes.back);
        if depth <= 0.0 {
            return None;
        }
        let tangent = (0.5 * self.fov).to_radians().tan();
        let half = 0.5 * f64::from(height) / (tangent * depth);
        Some([0.5 * f64::from(width) + half * d.dot(axes.right), 0.5 * f64::from(height) - half * d.dot(axes.up)])
    }
}

/// The smallest distance from which a camera with given axes and field of view sees everything, found point by point.
///
/// A point (x, y, z) on the axes is inside if |x - cx| ≤ t (cz - z) on all four sides, so four maxima suffice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frustum {
    /// Tangents of the half angles to the right, left, top and bottom that points may fill.
    tangent: [f64; 4],
    most: [f64; 4],
    nearest: f64,
}

impl Frustum {
    pub fn new(tangent: [f64; 4]) -> Self {
        Self { tangent, most: [f64::NEG_INFINITY; 4], nearest: f64::NEG_INFINITY }
    }

    pub fn add(&mut self, axes: &Axes, p: Vec3) {
        let [x, y, z] = [p.dot(axes.right), p.dot(axes.up), p.dot(axes.back)];
        for (most, (side, t)) in self.most.iter_mut().zip([x, -x, y, -y].into_iter().zip(self.tangent)) {
            *most = most.max(side + t * z);
        }
        self.nearest = self.nearest.max(z);
    }

    pub fn join(mut self, o: &Frustum) -> Frustum {
        for (a, b) in self.most.iter_mut().zip(o.most) {
            *a = a.max(b);
        }
        self.nearest = self.nearest.max(o.nearest);
        self
    }

    /// The offset from the centre of a ball to a camera that sees all of it.
    pub fn outside_ball(&self, axes: &Axes, radius: f64) -> Vec3 {
        let [r, l, t, b] = self.tangent;
        let distance = radius / (0.5 * (r + l).min(t + b)).atan().sin();
        // a sideways shift centres the ball in the area that may be filled
        axes.back * distance + (axes.right * (l - r) + axes.up * (b - t)) * (0.5 * distance)
    }

    pub fn is_empty(&self) -> bool {
        self.nearest == f64::NEG_INFINITY
    }

    /// The position of the camera; it is at least `closest` in front of the nearest point.
    pub fn solve(&self, axes: &Axes, closest: f64) -> Vec3 {
        let [r, l, t, b] = self.most;
        let [tr, tl, tt, tb] = self.tangent;
        let wide = (r + l) / (tr + tl);
        let high = (t + b) / (tt + tb);
        let z = wide.max(high).max(self.nearest + closest);
        // split the remaining space evenly between both sides
        let x = 0.5 * ((r - tr * z) - (l - tl * z));
        let y = 0.5 * ((t - tt * z) - (b - tb * z));
        axes.right * x + axes.up * y + axes.back * z
    }
}

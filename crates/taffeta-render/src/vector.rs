//! Vectors of three f32, for the tracer.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use taffeta::Vec3;

/// A point, a direction or a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct V3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// A vector of three f32.
pub(crate) const fn v3(x: f32, y: f32, z: f32) -> V3 {
    V3 { x, y, z }
}

impl V3 {
    pub const ZERO: V3 = v3(0.0, 0.0, 0.0);
    pub const ONE: V3 = v3(1.0, 1.0, 1.0);

    pub fn from_f64(v: Vec3) -> V3 {
        v3(v.x as f32, v.y as f32, v.z as f32)
    }

    pub fn dot(self, o: V3) -> f32 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    pub fn cross(self, o: V3) -> V3 {
        v3(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }

    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// The unit vector, or `fallback` if the length is zero.
    pub fn unit_or(self, fallback: V3) -> V3 {
        let length = self.length();
        if length > 1e-30 && length.is_finite() { self / length } else { fallback }
    }

    /// Component-wise product.
    pub fn times(self, o: V3) -> V3 {
        v3(self.x * o.x, self.y * o.y, self.z * o.z)
    }

    pub fn min(self, o: V3) -> V3 {
        v3(self.x.min(o.x), self.y.min(o.y), self.z.min(o.z))
    }

    pub fn max(self, o: V3) -> V3 {
        v3(self.x.max(o.x), self.y.max(o.y), self.z.max(o.z))
    }

    pub fn lerp(self, o: V3, s: f32) -> V3 {
        self + (o - self) * s
    }

    pub fn map(self, f: impl Fn(f32) -> f32) -> V3 {
        v3(f(self.x), f(self.y), f(self.z))
    }

    pub fn axis(self, axis: usize) -> f32 {
        [self.x, self.y, self.z][axis]
    }

    pub fn largest(self) -> f32 {
        self.x.max(self.y).max(self.z)
    }

    /// Two unit vectors perpendicular to this one and to each other, after Duff et al. 2017.
    pub fn frame(self) -> (V3, V3) {
        let sign = 1f32.copysign(self.z);
        let a = -1.0 / (sign + self.z);
        let b = self.x * self.y * a;
        (v3(1.0 + sign * self.x * self.x * a, sign * b, -sign * self.x), v3(b, sign + self.y * self.y * a, -self.y))
    }
}

impl Add for V3 {
    type Output = V3;
    fn add(self, o: V3) -> V3 {
        v3(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl AddAssign for V3 {
    fn add_assign(&mut self, o: V3) {
        *self = *self + o;
    }
}

impl Sub for V3 {
    type Output = V3;
    fn sub(self, o: V3) -> V3 {
        v3(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl Mul<f32> for V3 {
    type Output = V3;
    fn mul(self, s: f32) -> V3 {
        v3(self.x * s, self.y * s, self.z * s)
    }
}

impl Div<f32> for V3 {
    type Output = V3;
    fn div(self, s: f32) -> V3 {
        v3(self.x / s, self.y / s, self.z / s)
    }
}

impl Neg for V3 {
    type Output = V3;
    fn neg(self) -> V3 {
        v3(-self.x, -self.y, -self.z)
    }
}

/// 0 below `a`, 1 above `b`, smooth between.
pub(crate) fn smoothstep(a: f32, b: f32, x: f32) -> f32 {
    let s = ((x - a) / (b - a)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

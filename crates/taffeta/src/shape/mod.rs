//! Shapes of bodies: the only list of them. Each shape has one file with its distance, normal, edges, extents and
//! triangles.
//!
//! A user sets the fields of a row. They and a scale define a [`Geometry`].

mod capsule;
mod cone;
mod cuboid;
mod cylinder;
mod exact;
mod mesh;
mod plane;
mod sphere;
mod torus;
mod turned;

pub use exact::Nearest;
pub(crate) use exact::argument_of_least;
#[cfg(test)]
pub(crate) use exact::tests;
pub use mesh::{BodyMesh, PoseError};

use crate::Vec3;
use glam::DQuat;
use std::fmt::Debug;
use std::sync::Arc;

pub(crate) use self::{
    capsule::Capsule, cone::Cone, cuboid::Cuboid, cylinder::Cylinder, plane::Plane, sphere::Sphere, torus::Torus,
};

/// The list of shapes, passed to a macro. A row has a variant of [`Shape`], its geometry, its key in scenes, a line
/// about it, how it is written there, and its lengths with a line about each.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_shape {
    ($then:ident) => {
        $then! {
            Plane Plane "plane" "y = 0, normal +y. A plane has no settings." "true";
            Sphere Sphere "sphere" "A sphere." "{ radius = 0.25 }" { radius: f64 = "Radius." };
            Box Cuboid "box" "A box." "{ size = [1.0, 0.5, 1.0] }" { size: [f64; 3] = "Width, height and depth." };
            Capsule Capsule "capsule" "A capsule along y; its height lies between the centres of the caps."
                "{ radius = 0.1, height = 0.5 }" { radius: f64 = "Radius.", height: f64 = "Height." };
            Cylinder Cylinder "cylinder" "A cylinder along y."
                "{ radius = 0.1, height = 0.5 }" { radius: f64 = "Radius.", height: f64 = "Height." };
            Cone Cone "cone" "A cone along y, tip up, centred half way up."
                "{ radius = 0.2, height = 0.5 }" { radius: f64 = "Radius.", height: f64 = "Height." };
            Torus Torus "torus" "A torus around y."
                "{ radius = 0.3, tube = 0.05 }" { radius: f64 = "Radius.", tube: f64 = "Radius of the tube." };
        }
    };
}

/// Vertices, and triangles of three vertices, counter-clockwise seen from outside.
pub type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// The part of a [`Geometry`] that says how round it is and how thick, for one that is equally round everywhere: a
/// ball, or a ball swept along a curve.
macro_rules! equally_round {
    ($radius:ident) => {
        fn edges(&self) -> $crate::shape::Edges {
            $crate::shape::Edges::Nothing
        }

        fn radius_at(&self, _: $crate::Vec3) -> f64 {
            self.$radius
        }

        fn roundest(&self) -> f64 {
            self.$radius
        }

        fn bend(&self) -> f64 {
            self.$radius
        }

        fn thinnest(&self) -> f64 {
            self.$radius
        }

        fn width(&self) -> f64 {
            2.0 * self.$radius
        }
    };
}

/// The same for flat faces.
macro_rules! flat {
    () => {
        fn radius_at(&self, _: $crate::Vec3) -> f64 {
            f64::INFINITY
        }

        fn roundest(&self) -> f64 {
            0.0
        }

        fn bend(&self) -> f64 {
            f64::INFINITY
        }
    };
}

use {equally_round, flat};

/// Geometry of a shape in its own coordinates; lengths in m.
pub(crate) trait Geometry: Copy + Debug + PartialEq {
    /// The surface next to a point.
    fn nearest(&self, p: Vec3) -> Nearest;

    /// Whether a straight line between any two of its points never leaves it.
    fn is_convex(&self) -> bool {
        true
    }

    /// Convex shapes that cover one that is not convex, and reach beyond it by no more than a length, m.
    fn pieces(&self, _beyond: f64) -> Vec<Piece> {
        Vec::new()
    }

    /// Its sharp edges.
    fn edges(&self) -> Edges;

    /// The smallest radius of curvature of its smooth faces near a point, m: infinite where they are flat.
    fn radius_at(&self, p: Vec3) -> f64;

    /// The largest [`radius_at`](Self::radius_at) of its round faces, m; 0 if it has none.
    fn roundest(&self) -> f64;

    /// The radius that the edges of a cloth must be far shorter than, m; infinite if there is none.
    fn bend(&self) -> f64;

    /// Half of its smallest thickness, m.
    fn thinnest(&self) -> f64;

    /// The middle one of its three extents, m; for a ring and a rod their thickness.
    fn width(&self) -> f64;

    /// Its farthest point in a direction of length 1; `None` if it is not convex or is unbounded.
    fn farthest(&self, n: Vec3) -> Option<Vec3>;

    /// The same shape made smaller: all points at least `by` inside.
    fn shrunk(&self, by: f64) -> Self;

    /// Position of the origin of [`shrunk`](Self::shrunk).
    fn core_shift(&self, _by: f64) -> Vec3 {
        Vec3::ZERO
    }

    /// Extents along x, y and z, m; `None` if it is unbounded.
    fn extents(&self) -> Option<Vec3>;

    /// A closed surface with this many corners around a circle; `None` if the shape is unbounded.
    fn triangles(&self, around: u32) -> Option<Triangles>;

    /// Why the shape makes no sense: the length to change, what is wrong, and how to solve it.
    fn flaw(&self) -> Option<[String; 3]> {
        None
    }

    /// Some shapes of this kind, for tests.
    #[cfg(test)]
    fn samples() -> Vec<Self>;

    /// Points on its surface, dense enough to be a rough distance by themselves; not made by
    /// [`nearest`](Self::nearest).
    #[cfg(test)]
    fn surface(&self) -> Vec<Vec3>;
}

/// A convex part of a shape, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub exact: Exact,
    pub at: Vec3,
    pub turn: DQuat,
    /// Half of its largest extent, m.
    pub radius: f64,
}

impl Piece {
    pub fn new(exact: Exact, at: Vec3, turn: DQuat) -> Self {
        Self { exact, at, turn, radius: 0.5 * exact.extents().unwrap_or(Vec3::ZERO).length() }
    }

    /// Whether it may come as near to a point of the shape's coordinates, m.
    pub fn may_reach(&self, p: Vec3, distance: f64) -> bool {
        let most = self.radius + distance;
        self.at.distance_squared(p) <= most * most
    }
}

/// Edges and corners that could cut a coarse cloth between its vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Edges {
    Nothing,
    /// Edges of a box.
    Box {
        half: Vec3,
    },
    /// Two rims around y, `half` above and below.
    Rims {
        radius: f64,
        half: f64,
    },
    /// A tip above and a rim below.
    Cone {
        radius: f64,
        half: f64,
    },
}

/// One or several lengths that a shape is made from.
trait Lengths {
    fn list(&self) -> &[f64];
}

impl Lengths for f64 {
    fn list(&self) -> &[f64] {
        std::slice::from_ref(self)
    }
}

impl Lengths for [f64; 3] {
    fn list(&self) -> &[f64] {
        self
    }
}

macro_rules! define {
    ($($variant:ident $geometry:ident $name:literal $doc:literal $example:literal
        $({ $($field:ident: $type:ty = $about:literal),* })?;)*) => {
        /// Shapes of bodies; lengths in m.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Shape {
            $(#[doc = $doc] $variant $({ $(#[doc = $about] $field: $type),* })?,)*
            /// Triangles that may move by themselves.
            Mesh(Arc<dyn BodyMesh>),
        }

        /// A shape whose distance is known in closed form, scaled.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Exact {
            $($variant($geometry),)*
        }

        impl Shape {
            /// Its lengths, with their keys in scenes.
            pub(crate) fn lengths(&self) -> Vec<(&'static str, f64)> {
                match self {
                    $(Self::$variant $({ $($field),* })? => {
                        #[allow(unused_mut)]
                        let mut list = Vec::new();
                        $($(
                            let key = concat!($name, ".", stringify!($field));
                            list.extend($field.list().iter().map(|x| (key, *x)));
                        )*)?
                        list
                    })*
                    Self::Mesh(_) => Vec::new(),
                }
            }
        }

        impl Exact {
            /// `None` for meshes.
            pub fn new(shape: &Shape, scale: f64) -> Option<Self> {
                match *shape {
                    $(Shape::$variant $({ $($field),* })? => {
                        Some(Self::$variant($geometry::new($($($field,)*)? scale)))
                    })*
                    Shape::Mesh(_) => None,
                }
            }

            /// The surface next to a point.
            pub fn nearest(&self, p: Vec3) -> Nearest {
                #[cfg(test)]
                tests::QUERIES.set(tests::QUERIES.get() + 1);
                match self { $(Self::$variant(shape) => shape.nearest(p),)* }
            }

            /// As [`Geometry::pieces`].
            pub fn pieces(&self, beyond: f64) -> Vec<Piece> {
                match self { $(Self::$variant(shape) => shape.pieces(beyond),)* }
            }

            /// As [`Geometry::is_convex`].
            pub fn is_convex(&self) -> bool {
                match self { $(Self::$variant(shape) => shape.is_convex(),)* }
            }

            /// As [`Geometry::edges`].
            pub fn edges(&self) -> Edges {
                match self { $(Self::$variant(shape) => shape.edges(),)* }
            }

            /// As [`Geometry::radius_at`].
            pub fn radius_at(&self, p: Vec3) -> f64 {
                match self { $(Self::$variant(shape) => shape.radius_at(p),)* }
            }

            /// As [`Geometry::roundest`].
            pub fn roundest(&self) -> f64 {
                match self { $(Self::$variant(shape) => shape.roundest(),)* }
            }

            /// As [`Geometry::bend`].
            pub fn bend(&self) -> f64 {
                match self { $(Self::$variant(shape) => shape.bend(),)* }
            }

            /// Half of its smallest thickness, m: a moving body this thin can be missed between two samples.
            pub fn thinnest(&self) -> f64 {
                match self { $(Self::$variant(shape) => shape.thinnest(),)* }
            }

            /// As [`Geometry::width`].
            pub fn width(&self) -> f64 {
                match self { $(Self::$variant(shape) => shape.width(),)* }
            }

            /// How far a convex body reaches along a direction of length 1, and the point where it does: h(n) = max
            /// n·p.
            pub fn support(&self, n: Vec3) -> Option<(f64, Vec3)> {
                let p = match self { $(Self::$variant(shape) => shape.farthest(n)?,)* };
                Some((n.dot(p), p))
            }

            /// The same shape made smaller: all points at least `by` inside. Its outer distance is smooth behind edges
            /// and corners, where that of the shape itself changes direction abruptly.
            pub fn shrunk(&self, by: f64) -> Self {
                match self { $(Self::$variant(shape) => Self::$variant(shape.shrunk(by)),)* }
            }

            /// As [`Geometry::core_shift`].
            pub fn core_shift(&self, by: f64) -> Vec3 {
                match self { $(Self::$variant(shape) => shape.core_shift(by),)* }
            }

            /// As [`Geometry::extents`].
            pub fn extents(&self) -> Option<Vec3> {
                match self { $(Self::$variant(shape) => shape.extents(),)* }
            }

            fn triangles(&self, around: u32) -> Option<Triangles> {
                match self { $(Self::$variant(shape) => shape.triangles(around),)* }
            }

            fn flaw(&self) -> Option<[String; 3]> {
                match self { $(Self::$variant(shape) => shape.flaw(),)* }
            }

            #[cfg(test)]
            pub fn samples() -> Vec<Self> {
                let mut all = Vec::new();
                $(
                    let samples = $geometry::samples();
                    assert!(!samples.is_empty(), "tests of all shapes need some of `{}`", $name);
                    all.extend(samples.into_iter().map(Self::$variant));
                )*
                all
            }

            #[cfg(test)]
            fn surface(&self) -> Vec<Vec3> {
                match self { $(Self::$variant(shape) => shape.surface(),)* }
            }
        }
    };
}

for_each_shape!(define);

impl Shape {
    /// Vertices and triangles of a closed surface, before [`Body::place`](crate::Body::place), with this many corners
    /// around a circle: 32 are within 0.5 % of the radius. `None` for a plane, which is unbounded, and a mesh, which
    /// moves.
    pub fn triangulate(&self, around: u32) -> Option<Triangles> {
        Exact::new(self, 1.0)?.triangles(around.max(4))
    }

    /// Extents along x, y and z, before [`Body::place`](crate::Body::place), m. `None` for a plane and a mesh.
    pub fn extents(&self) -> Option<Vec3> {
        Exact::new(self, 1.0)?.extents()
    }

    /// Whether it has edges or corners that could cut a coarse cloth. It is not known for meshes.
    pub fn is_sharp(&self) -> bool {
        Exact::new(self, 1.0).is_some_and(|exact| exact.is_sharp())
    }

    /// Why the shape makes no sense, if so: the key of the length to change, what is wrong, and how to solve it.
    pub fn flaw(&self) -> Option<[String; 3]> {
        Exact::new(self, 1.0)?.flaw()
    }
}

//! A first pass over all frames: one camera, one floor and one colour scale for the whole film.

use crate::camera::{Axes, Frustum};
use crate::histogram::Histogram;
use crate::{Camera, Frame, Ground, Look, Picture, RenderError, Subject, body, legend, quantity};
use taffeta::{Shape, Vec3};

/// Fraction of half the picture that is kept free on each side.
const MARGIN: f64 = 0.1;
/// Fraction of all values, over all frames, that the scale covers. The few beyond, mostly at pins, would leave the rest
/// in one colour; a pointed end of the legend indicates them.
const COVERED: f64 = 0.98;
/// The camera follows cloth that travels farther than this many times its own size.
const TRAVEL: f64 = 2.5;
/// Bodies larger than this many times the cloth are shown only in part.
const LARGE_BODY: f64 = 3.0;

/// What all frames of a film share. A [`Survey`] makes it; it is plain data and may be changed afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The camera.
    pub camera: Camera,
    /// Height of the studio floor, m.
    pub ground: Option<f64>,
    /// Whether the camera follows the cloth, which travels far: it keeps its position relative to `centre`.
    pub follow: bool,
    /// Ends of the colour scale, if the look is a map.
    pub range: Option<[f64; 2]>,
    /// Whether values lie beyond the ends.
    pub beyond: [bool; 2],
    /// Centre of everything, m.
    pub centre: Vec3,
    /// Diagonal of everything, m.
    pub size: f64,
}

impl Stage {
    /// The stage for one frame: its camera has followed the cloth.
    pub(crate) fn at(&self, frame: &Frame) -> Stage {
        let (true, Some((low, high))) = (self.follow, bounds(frame.positions)) else { return self.clone() };
        let centre = low * 0.5 + high * 0.5;
        let shift = centre - self.centre;
        let camera = Camera { at: self.camera.at + shift, look_at: self.camera.look_at + shift, ..self.camera };
        Stage { camera, centre, ..self.clone() }
    }
}

fn bounds(points: &[Vec3]) -> Option<(Vec3, Vec3)> {
    let join = |(low, high): (Vec3, Vec3), p: &Vec3| (low.min(*p), high.max(*p));
    points.first().map(|&first| points.iter().fold((first, first), join))
}

/// Collects what a [`Stage`] needs, frame by frame.
///
/// ```
/// # use taffeta_render::*;
/// # use taffeta::Vec3;
/// # let uv = vec![[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]];
/// # let subject = Subject { vertices: 3, triangles: vec![[0, 1, 2]], uv, ..Subject::default() };
/// # let frames = [[Vec3::ZERO, Vec3::X, Vec3::Y]; 2];
/// let picture = Picture { width: 64, height: 36, ..Picture::default() };
/// let mut survey = Survey::new(&subject, &picture)?;
/// for (i, positions) in frames.iter().enumerate() {
///     survey.add(&Frame { time: i as f64, positions, ..Frame::default() })?;
/// }
/// let stage = survey.stage();
/// let image = render(&subject, &Frame { positions: &frames[0], ..Frame::default() }, &stage, &picture)?;
/// assert_eq!(image.width(), 64);
/// # Ok::<(), RenderError>(())
/// ```
#[derive(Debug)]
pub struct Survey<'a> {
    subject: &'a Subject,
    picture: &'a Picture,
    axes: Axes,
    cloth: Extent,
    bodies: Vec<Extent>,
    /// Largest diagonal of the cloth in one frame, m.
    largest: f64,
    above: Histogram,
    below: Histogram,
}

/// Box and frustum of a set of points.
#[derive(Clone, Copy, Debug)]
struct Extent {
    low: Vec3,
    high: Vec3,
    frustum: Frustum,
}

impl Extent {
    fn new(frustum: Frustum) -> Self {
        Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY, frustum }
    }

    fn add(&mut self, axes: &Axes, points: impl IntoIterator<Item = Vec3>) {
        for p in points {
            self.low = self.low.min(p);
            self.high = self.high.max(p);
            self.frustum.add(axes, p);
        }
    }

    fn join(self, o: &Extent) -> Extent {
        Extent { low: self.low.min(o.low), high: self.high.max(o.high), frustum: self.frustum.join(&o.frustum) }
    }

    fn size(&self) -> f64 {
        if self.frustum.is_empty() { 0.0 } else { (self.high - self.low).length() }
    }
}

impl<'a> Survey<'a> {
    /// A survey without any frames yet.
    pub fn new(subject: &'a Subject, picture: &'a Picture) -> Result<Self, RenderError> {
        picture.check()?;
        let fov = picture.view.fov;
        if !(1.0..=170.0).contains(&fov) {
            return Err(RenderError::Camera { why: "the field of view is not between 1 and 170 degrees" });
        }
        let tangent = (0.5 * fov).to_radians().tan();
        let across = tangent * f64::from(picture.width) / f64::from(picture.height);
        let free = 1.0 - MARGIN;
        // the legend has its own side
        let (width, height) = (picture.width, picture.height);
        let [right, top, bottom] = match picture.look {
            Look::Map(_) => {
                let [right, bottom] = legend::room(width, height);
                [right, 0, bottom]
            }
            Look::Springs | Look::Crossings(_) => {
                let [right, top] = legend::room_of_kinds(width, height);
                [right, top, 0]
            }
            Look::Fabric(_) => [0; 3],
        };
        let beside = |taken: u32, of: u32| {
            let taken = 2.0 * f64::from(taken) / f64::from(of);
            if taken < 1.0 { free.min(1.0 - taken) } else { free }
        };
        let [right, top, bottom] = [beside(right, width), beside(top, height), beside(bottom, height)];
        let frustum = Frustum::new([across * right, across * free, tangent * top, tangent * bottom]);
        let shown = if picture.bodies { subject.bodies.len() } else { 0 };
        Ok(Self {
            subject,
            picture,
            axes: Axes::of_view(&picture.view),
            cloth: Extent::new(frustum),
            bodies: vec![Extent::new(frustum); shown],
            largest: 0.0,
            above: Histogram::default(),
            below: Histogram::default(),
        })
    }

    /// Takes a frame into account.
    pub fn add(&mut self, frame: &Frame) -> Result<(), RenderError> {
        self.subject.check(frame)?;
        self.cloth.add(&self.axes, frame.positions.iter().copied());
        if let Some((low, high)) = bounds(frame.positions) {
            self.largest = self.largest.max((high - low).length());
        }
        for (extent, solid) in self.bodies.iter_mut().zip(&self.subject.bodies) {
            extent.add(&self.axes, body::outline(solid, frame.time)?);
        }
        if let Look::Map(map) = &self.picture.look
            && self.subject.vertices > 0
        {
            for value in quantity::quantity(self.subject, frame, &map.quantity)? {
                if map.quantity.has_sign() {
                    self.above.add(value.abs());
                } else {
                    self.above.add(value);
                    self.below.add(-value);
                }
            }
        }
        Ok(())
    }

    /// The stage for all frames added so far.
    pub fn stage(&self) -> Stage {
        let cloth = self.cloth.size();
        let close = |extent: &&Extent| cloth == 0.0 || extent.size() <= LARGE_BODY * cloth;
        let all = self.bodies.iter().filter(close).fold(self.cloth, |all, extent| all.join(extent));
        let empty = all.frustum.is_empty();
        let (low, high) = if empty { (Vec3::ZERO, Vec3::ZERO) } else { (all.low, all.high) };
        let size = (high - low).length();
        // a single point, or nothing: any size will do
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        let centre = low * 0.5 + high * 0.5;
        let follow = self.follows(size);
        let size = if follow { self.largest } else { size };
        let camera = self.picture.camera.unwrap_or_else(|| {
            let at = match follow {
                true => centre + all.frustum.outside_ball(&self.axes, 0.5 * size),
                false if empty => self.axes.back * size,
                false => all.frustum.solve(&self.axes, 0.05 * size),
            };
            let far = (at - centre).dot(self.axes.back).max(0.1 * size);
            Camera { at, look_at: at - self.axes.back * far, fov: self.picture.view.fov, up: self.axes.up }
        });
        let (range, beyond) = self.colour_range();
        // bodies too large for the picture are visible in part: the floor must not hide that part
        let everything = self.bodies.iter().fold(self.cloth, |all, extent| all.join(extent));
        Stage { camera, ground: self.ground(&everything, size), follow, range, beyond, centre, size }
    }

    /// Whether the camera follows: the cloth is alone and would be a speck in a picture of its whole path.
    fn follows(&self, size: f64) -> bool {
        let alone = self.subject.bodies.iter().all(|body| body.shape == Shape::Plane);
        self.picture.camera.is_none() && alone && self.largest > 0.0 && size > TRAVEL * self.largest
    }

    fn ground(&self, all: &Extent, size: f64) -> Option<f64> {
        match self.picture.ground {
            Ground::None => None,
            Ground::At(height) => Some(height),
            Ground::Auto if self.subject.bodies.iter().any(|body| body.shape == Shape::Plane) => None,
            Ground::Auto if all.frustum.is_empty() => Some(0.0),
            // a body stands on the floor, cloth hangs above it
            Ground::Auto if all.low.y < self.cloth.low.y - 0.02 * size => Some(all.low.y),
            Ground::Auto => Some(all.low.y - 0.03 * size),
        }
    }

    /// Ends of the scale, and whether values lie beyond them.
    fn colour_range(&self) -> (Option<[f64; 2]>, [bool; 2]) {
        let Look::Map(map) = &self.picture.look else { return (None, [false; 2]) };
        if let Some([a, b]) = map.range
            && a.is_finite()
            && b.is_finite()
            && a < b
        {
            let high = self.above.largest() > b;
            // values with a sign are counted by magnitude; for others, a scale that starts above 0 has values below it
            let low = if map.quantity.has_sign() {
                self.above.largest() > -a
            } else {
                a > 0.0 || a < 0.0 && self.below.largest() > -a
            };
            return (Some([a, b]), [low, high]);
        }
        let end = |histogram: &Histogram| {
            let end = legend::round_up(histogram.quantile(COVERED).max(map.quantity.least_scale()));
            (end, histogram.largest() > end * (1.0 + 1e-9))
        };
        let (high, above) = end(&self.above);
        let (low, below) = end(&self.below);
        if map.quantity.has_sign() {
            (Some([-high, high]), [above; 2])
        } else if self.below.largest() > 0.0 && matches!(map.quantity, crate::Quantity::Given { .. }) {
            (Some([-low, high]), [below, above])
        } else {
            (Some([0.0, high]), [false, above])
        }
    }
}

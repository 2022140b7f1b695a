//! Looking over all frames first: one camera, one ground and one scale of colours for the whole film.

use crate::camera::{Axes, Frustum};
use crate::{Camera, Frame, Ground, Look, Picture, RenderError, Subject, body, legend, quantity};
use taffeta::{Shape, Vec3};

/// Part of the picture's half that is kept free on each side.
const MARGIN: f64 = 0.1;
/// Values above this part of all are beyond the scale: single extreme vertices do not spoil it.
const COVERED: f64 = 0.995;
/// Bodies larger than this many times the cloth are shown as far as they go.
const LARGE_BODY: f64 = 3.0;

/// What all frames of a film share. Made by a [`Survey`], and plain enough to be changed afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The camera.
    pub camera: Camera,
    /// Height of the studio floor, m.
    pub ground: Option<f64>,
    /// Ends of the scale of colours, if the look is a map.
    pub range: Option<[f64; 2]>,
    /// Middle of everything, m.
    pub centre: Vec3,
    /// Diagonal of everything, m.
    pub size: f64,
}

/// Collects what a [`Stage`] needs, frame by frame.
///
/// ```
/// # use taffeta_render::*;
/// # use taffeta::Vec3;
/// # let subject = Subject { vertices: 3, triangles: vec![[0, 1, 2]], uv: vec![[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]], ..Subject::default() };
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
    range: Option<[f64; 2]>,
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
    /// A survey that has seen nothing yet.
    pub fn new(subject: &'a Subject, picture: &'a Picture) -> Result<Self, RenderError> {
        picture.check()?;
        let fov = picture.view.fov;
        if !(1.0..=170.0).contains(&fov) {
            return Err(RenderError::Camera { why: "the field of view is not between 1 and 170 degrees" });
        }
        let tangent = (0.5 * fov).to_radians().tan();
        let across = tangent * f64::from(picture.width) / f64::from(picture.height);
        let free = 1.0 - MARGIN;
        // the legend has the right side for itself
        let taken = match picture.look {
            Look::Map(_) => 2.0 * f64::from(legend::width(picture.height)) / f64::from(picture.width),
            _ => 0.0,
        };
        let right = if taken < 1.0 { free.min(1.0 - taken) } else { free };
        let frustum = Frustum::new([across * right, across * free, tangent * free, tangent * free]);
        let shown = if picture.bodies { subject.bodies.len() } else { 0 };
        Ok(Self {
            subject,
            picture,
            axes: Axes::of_view(&picture.view),
            cloth: Extent::new(frustum),
            bodies: vec![Extent::new(frustum); shown],
            range: None,
        })
    }

    /// Takes a frame into account.
    pub fn add(&mut self, frame: &Frame) -> Result<(), RenderError> {
        self.subject.check(frame)?;
        self.cloth.add(&self.axes, frame.positions.iter().copied());
        for (extent, solid) in self.bodies.iter_mut().zip(&self.subject.bodies) {
            extent.add(&self.axes, body::outline(solid, frame.time)?);
        }
        if let Look::Map(map) = &self.picture.look
            && map.range.is_none()
            && self.subject.vertices > 0
        {
            let mut values = quantity::quantity(self.subject, frame, &map.quantity)?;
            if map.quantity.has_sign() {
                values.iter_mut().for_each(|v| *v = v.abs());
            }
            let nth = ((values.len() - 1) as f64 * COVERED).round() as usize;
            let high = *values.select_nth_unstable_by(nth, f64::total_cmp).1;
            let low = values[..=nth].iter().copied().fold(high, f64::min);
            let [a, b] = self.range.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            self.range = Some([a.min(low), b.max(high)]);
        }
        Ok(())
    }

    /// What all frames seen so far share.
    pub fn stage(&self) -> Stage {
        let cloth = self.cloth.size();
        let close = |extent: &&Extent| cloth == 0.0 || extent.size() <= LARGE_BODY * cloth;
        let all = self.bodies.iter().filter(close).fold(self.cloth, |all, extent| all.join(extent));
        let empty = all.frustum.is_empty();
        let (low, high) = if empty { (Vec3::ZERO, Vec3::ZERO) } else { (all.low, all.high) };
        let size = (high - low).length();
        // a point, or nothing: anything will do
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        let centre = low * 0.5 + high * 0.5;
        let camera = self.picture.camera.unwrap_or_else(|| {
            let at = if empty { self.axes.back * size } else { all.frustum.solve(&self.axes, 0.05 * size) };
            let far = (at - centre).dot(self.axes.back).max(0.1 * size);
            Camera { at, look_at: at - self.axes.back * far, fov: self.picture.view.fov, up: self.axes.up }
        });
        Stage { camera, ground: self.ground(&all, size), range: self.colour_range(), centre, size }
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

    fn colour_range(&self) -> Option<[f64; 2]> {
        let Look::Map(map) = &self.picture.look else { return None };
        if let Some([a, b]) = map.range
            && a.is_finite()
            && b.is_finite()
            && a < b
        {
            return Some([a, b]);
        }
        let [low, high] = self.range.unwrap_or([0.0, 1.0]);
        Some(if map.quantity.has_sign() {
            [-legend::round_up(high), legend::round_up(high)]
        } else if low < 0.0 && matches!(map.quantity, crate::Quantity::Given { .. }) {
            [-legend::round_up(-low), legend::round_up(high)]
        } else {
            [0.0, legend::round_up(high)]
        })
    }
}

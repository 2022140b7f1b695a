//! Layout of the binary chunk.

use super::split::Split;
use crate::body::triangles;
use crate::export::{ExportError, Frames, Stage};
use crate::normals::normals;
use taffeta::glam::DQuat;
use taffeta::{ClothRange, Vec3};

/// Smallest and largest values of an accessor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Bounds {
    pub fn of(values: impl Iterator<Item = [f32; 3]>) -> Self {
        let start = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };
        values.fold(start, |b, v| Self {
            low: std::array::from_fn(|i| b.low[i].min(v[i])),
            high: std::array::from_fn(|i| b.high[i].max(v[i])),
        })
    }
}

pub(super) struct Cloth {
    pub name: String,
    pub split: Split,
    /// Whether this is a body that changes its shape, which is written like a cloth.
    pub is_body: bool,
}

/// A body that moves as a whole.
pub(super) struct Body {
    pub name: String,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    /// First translation and rotation.
    pub pose: ([f64; 3], [f64; 4]),
    /// Index in the bodies of the options.
    pub index: usize,
    pub moves: bool,
}

/// Everything except the positions.
pub(super) struct Layout {
    pub cloths: Vec<Cloth>,
    pub bodies: Vec<Body>,
    pub normals: bool,
    pub frames: usize,
    /// Times, s, from the first pass.
    pub times: Vec<f32>,
    /// Bounds of each cloth in each frame, from the first pass.
    pub bounds: Vec<Bounds>,
}

impl Layout {
    pub fn new(frames: &Frames, stage: &Stage) -> Result<Self, ExportError> {
        let surface = frames.surface();
        let split = if frames.is_run() { Split::of_run } else { Split::new };
        let cloth = |(i, range): (usize, &ClothRange)| Cloth {
            name: range.name.clone(),
            split: split(surface, range),
            is_body: frames.is_body(i),
        };
        let rigid = stage.options.bodies.iter().enumerate().filter(|(_, body)| !body.deforms());
        let time = frames.times(stage.fps).first().copied().unwrap_or(0.0);
        let bodies = rigid.map(|(index, body)| Body::new(index, body, time, frames.count() > 1));
        Ok(Self {
            cloths: surface.cloths.iter().enumerate().map(cloth).collect(),
            bodies: bodies.collect::<Result<_, _>>()?,
            normals: stage.options.normals,
            frames: frames.count() as usize,
            times: Vec::new(),
            bounds: Vec::new(),
        })
    }

    /// Number of vertices of all cloths.
    pub fn vertices(&self) -> usize {
        self.cloths.iter().map(|cloth| cloth.split.sources.len()).sum()
    }

    /// Size in bytes of the positions and normals of a frame.
    pub fn frame_size(&self) -> u64 {
        self.vertices() as u64 * if self.normals { 24 } else { 12 }
    }

    /// Number of morph targets.
    pub fn targets(&self) -> usize {
        self.frames - 1
    }

    /// Sizes in bytes of the triangles and of the uv.
    pub fn fixed_sizes(&self) -> [u64; 2] {
        let triangles = self.cloths.iter().map(|cloth| 12 * cloth.split.triangles.len() as u64).sum();
        let uv = self.cloths.iter().map(|cloth| 8 * cloth.split.uv.len() as u64).sum();
        [triangles, uv]
    }

    /// Sizes in bytes of the positions, normals and triangles of a body.
    pub fn body_sizes(body: &Body) -> [u64; 3] {
        let vertices = 12 * body.positions.len() as u64;
        [vertices, vertices, 12 * body.triangles.len() as u64]
    }

    /// Sizes in bytes of the animation: times, weights, translations and rotations of each body that moves.
    pub fn animation_sizes(&self) -> [u64; 4] {
        if self.frames < 2 {
            return [0; 4];
        }
        let moving = self.bodies.iter().filter(|body| body.moves).count() as u64;
        let frames = self.frames as u64;
        [4 * frames, 4 * frames * self.targets() as u64, 12 * frames * moving, 16 * frames * moving]
    }

    /// Size of the chunk in bytes.
    pub fn size(&self) -> u64 {
        let bodies: u64 = self.bodies.iter().flat_map(Self::body_sizes).sum();
        let ends: u64 = self.fixed_sizes().iter().sum::<u64>() + self.animation_sizes().iter().sum::<u64>();
        ends + self.frames as u64 * self.frame_size() + bodies
    }

    /// The bytes before the frames.
    pub fn fixed_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for cloth in &self.cloths {
            cloth.split.triangles.as_flattened().iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
        }
        self.cloths.iter().for_each(|cloth| floats(&mut bytes, cloth.split.uv.as_flattened()));
        bytes
    }

    /// The bytes after the frames.
    pub fn last_bytes(&self, stage: &Stage) -> Vec<u8> {
        let mut bytes = Vec::new();
        for body in &self.bodies {
            floats(&mut bytes, body.positions.as_flattened());
            floats(&mut bytes, body.normals.as_flattened());
            body.triangles.as_flattened().iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
        }
        if self.frames < 2 {
            return bytes;
        }
        floats(&mut bytes, &self.times);
        // at its own time a target has full weight; between two times, two neighbouring targets share it
        for frame in 0..self.frames {
            for target in 1..self.frames {
                floats(&mut bytes, &[if frame == target { 1.0 } else { 0.0 }]);
            }
        }
        let moving: Vec<&taffeta::Body> =
            self.bodies.iter().filter(|body| body.moves).map(|body| &stage.options.bodies[body.index]).collect();
        for body in &moving {
            for &time in &self.times {
                let (at, _) = body.pose(f64::from(time));
                floats(&mut bytes, &at.to_array().map(|value| value as f32));
            }
        }
        for body in &moving {
            let mut before = DQuat::IDENTITY;
            for &time in &self.times {
                let (_, turn) = body.pose(f64::from(time));
                // q and -q are the same rotation: the nearer one takes the short way
                let turn = if turn.dot(before) < 0.0 { -turn } else { turn };
                before = turn;
                floats(&mut bytes, &turn.to_array().map(|value| value as f32));
            }
        }
        bytes
    }
}

impl Body {
    fn new(index: usize, body: &taffeta::Body, time: f64, moving: bool) -> Result<Self, ExportError> {
        let (mut x, triangles) = triangles(body, time)?;
        x.iter_mut().for_each(|p| *p *= body.place.scale);
        let mut n = Vec::new();
        normals(&triangles, &x, &mut n);
        let single = |p: &Vec3| p.to_array().map(|value| value as f32);
        let (at, turn) = body.pose(time);
        Ok(Self {
            name: body.name.clone(),
            positions: x.iter().map(single).collect(),
            normals: n.iter().map(single).collect(),
            triangles,
            pose: (at.to_array(), turn.to_array()),
            index,
            moves: body.moves() && moving,
        })
    }
}

fn floats(bytes: &mut Vec<u8>, values: &[f32]) {
    values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
}

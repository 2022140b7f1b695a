//! The frames of an export, one at a time, as often as a format needs them.

use super::ExportError;
use crate::cache::CacheReader;
use crate::moving::{FrameTimes, MovingMesh};
use crate::{Surface, body};
use std::ops::ControlFlow;
use taffeta::{Body, ClothRange, Vec3};

/// Called with the number of frames done and their total; may stop the export.
pub type Observe<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Where positions come from.
pub(crate) enum Source<'a> {
    Cache(&'a mut CacheReader),
    /// A mesh, moving or not, with the numbers and times of its frames.
    Moving {
        mesh: &'a MovingMesh,
        times: &'a FrameTimes,
    },
}

/// The frames of an export. Bodies that are given as vertices follow the cloths and are treated like them.
pub(crate) struct Frames<'a> {
    source: Source<'a>,
    surface: Surface,
    numbers: Vec<u64>,
    /// Bodies that are given as vertices, with the vertices of their first pose.
    extras: Vec<(&'a Body, Vec<Vec3>)>,
    /// Number of passes over all frames, some of which are done.
    passes: u64,
    pass: u64,
    observe: Observe<'a>,
}

/// One frame.
pub(crate) struct Frame<'a> {
    /// Number in the export, counted from 0.
    pub index: usize,
    /// Number in the run.
    pub number: u64,
    /// Time, s.
    pub time: f64,
    /// Positions, m.
    pub x: &'a [Vec3],
}

impl<'a> Frames<'a> {
    pub fn new(source: Source<'a>, surface: Surface, numbers: Vec<u64>, observe: Observe<'a>) -> Self {
        Self { source, surface, numbers, extras: Vec::new(), passes: 1, pass: 0, observe }
    }

    /// Adds bodies as vertices: all of them, or only those that the format cannot move otherwise.
    pub fn add_bodies(&mut self, bodies: &'a [Body], all: bool) -> Result<(), ExportError> {
        for body in bodies.iter().filter(|body| all || body.deforms()) {
            let (x, triangles) = body::triangles(body, 0.0)?;
            let surface = &mut self.surface;
            let (first, begin) = (surface.rest.len(), surface.triangles.len());
            surface.rest.extend_from_slice(&x);
            surface.triangles.extend(triangles.iter().map(|t| t.map(|v| v + first as u32)));
            if !surface.uv.is_empty() {
                surface.uv.resize(surface.triangles.len(), [[0.0; 2]; 3]);
            }
            surface.cloths.push(ClothRange {
                name: body.name.clone(),
                vertices: first..surface.rest.len(),
                triangles: begin..surface.triangles.len(),
            });
            self.extras.push((body, x));
        }
        Ok(())
    }

    /// Whether a cloth of the surface is a body.
    pub fn is_body(&self, cloth: usize) -> bool {
        cloth + self.extras.len() >= self.surface.cloths.len()
    }

    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Whether the frames are those of a run, exported before or not.
    pub fn is_run(&self) -> bool {
        match &self.source {
            Source::Cache(_) => true,
            Source::Moving { mesh, .. } => mesh.is_recorded(),
        }
    }

    /// Number of frames.
    pub fn count(&self) -> u64 {
        self.numbers.len() as u64
    }

    /// Numbers of the frames in the run.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// Announces the number of passes over all frames, for the progress.
    pub fn plan(&mut self, passes: usize) {
        self.passes = passes.max(1) as u64;
    }

    pub fn for_each(&mut self, mut each: impl FnMut(Frame) -> Result<(), ExportError>) -> Result<(), ExportError> {
        let mut x = Vec::new();
        let mut moved = Vec::new();
        let total = self.count();
        for (index, &number) in self.numbers.iter().enumerate() {
            let done = (self.pass * total + index as u64) / self.passes;
            if (self.observe)(done.min(total), total).is_break() {
                return Err(ExportError::Stopped);
            }
            let time = match &mut self.source {
                Source::Cache(cache) => cache.read(number, &mut x)?,
                Source::Moving { mesh, times } => {
                    mesh.sample(times.time(number), &mut x).map_err(|source| ExportError::Input { source })?;
                    number as f64 / times.fps
                }
            };
            for (body, first) in &self.extras {
                let begin = x.len();
                if body.deforms() {
                    body::positions(body, time, &mut moved)?;
                    x.extend_from_slice(&moved);
                } else {
                    x.extend_from_slice(first);
                }
                body.put(time, &mut x[begin..]);
            }
            each(Frame { index, number, time, x: &x })?;
        }
        self.pass += 1;
        if self.pass >= self.passes {
            let _ = (self.observe)(total, total);
        }
        Ok(())
    }

    /// Times of all frames, s, without reading the frames.
    pub fn times(&self, fps: f64) -> Vec<f64> {
        self.numbers.iter().map(|&number| number as f64 / fps).collect()
    }
}

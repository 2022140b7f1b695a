//! Cloth that has passed through itself, another cloth or a body that is a mesh, counted in the last frame of a run.

use super::report::CROSSINGS;
use super::{Collides, FrameSource, Report, ReportWarning, names};
use crate::Surface;
use crate::cache::CacheReader;
use std::path::Path;
use taffeta::intersect::{self, Count};
use taffeta::{Body, Shape, Vec3};

impl Report {
    /// Counts crossings in a frame of the run in a folder. Nothing is reported if the frame cannot be read or the count
    /// is stopped.
    pub(super) fn count_crossings(
        &mut self,
        folder: &Path,
        frame: u64,
        source: &dyn FrameSource,
        stop: impl Fn() -> bool,
    ) {
        let mut x = Vec::new();
        let Ok(mut cache) = CacheReader::open(&folder.join(names::POSITIONS)) else { return };
        let Ok(time) = cache.read(frame, &mut x) else { return };
        let surface = cache.surface();
        let Some(count) = intersect::count_crossings(&x, &surface.triangles, &stop) else { return };
        let frame = Crossed { surface, time };
        let collides = source.collides();
        let exempt = source.state().exempt.most > 0 && !collides.bodies_yield;
        let allowed = match collides {
            Collides { but_some: true, .. } => "; the scene's `contact.pair` says that some do not collide",
            Collides { bodies_yield: true, .. } => "; with `impossible = \"yield\"` bodies that leave no room give way",
            _ if exempt => "; what crossed at the start does not collide until it has come apart",
            _ => "",
        };
        self.crossings = Some(count.pairs);
        if let Some(first) = count.first {
            let [a, b] = first.map(|t| frame.cloth_of(t));
            let who = if a == b { format!("`{a}` crosses itself") } else { format!("`{a}` crosses `{b}`") };
            let why = if collides.cloth { allowed } else { "; cloth does not collide with cloth" };
            self.tell(frame.message(&x, "others", &count, first[0], &who) + why);
        }
        let meshes = Meshes::at(time, source.bodies(), &mut x);
        let count = intersect::count_crossings_between(&x, &surface.triangles, &meshes.triangles, stop);
        let Some(count) = count else { return };
        self.crossings_with_bodies = Some(count.pairs);
        if let Some([first, other]) = count.first {
            let who = format!("`{}` crosses `{}`", frame.cloth_of(first), meshes.body_of(other));
            let why = if collides.meshes { allowed } else { "; cloth does not collide with bodies that are meshes" };
            self.tell(frame.message(&x, "bodies", &count, first, &who) + why);
        }
    }

    fn tell(&mut self, message: String) {
        self.warnings.push(ReportWarning { path: CROSSINGS.into(), message });
    }
}

/// The triangles of all bodies that are meshes and have a place at a time.
#[derive(Default)]
struct Meshes {
    triangles: Vec<[u32; 3]>,
    /// The end of the triangles of each body, and its name.
    ends: Vec<(usize, String)>,
}

impl Meshes {
    /// Adds their points to those of the cloth.
    fn at(time: f64, bodies: &[Body], x: &mut Vec<Vec3>) -> Self {
        let mut all = Self::default();
        for body in bodies {
            let (Shape::Mesh(mesh), Some(Ok(points))) = (&body.shape, body.vertices_at(time)) else { continue };
            let first = x.len() as u32;
            x.extend(points);
            all.triangles.extend(mesh.triangles().iter().map(|v| v.map(|v| v + first)));
            all.ends.push((all.triangles.len(), body.name.clone()));
        }
        all
    }

    fn body_of(&self, t: u32) -> &str {
        let found = self.ends.iter().find(|(end, _)| (t as usize) < *end);
        found.map_or("?", |(_, name)| name.as_str())
    }
}

/// The frame that was counted in.
struct Crossed<'a> {
    surface: &'a Surface,
    time: f64,
}

impl Crossed<'_> {
    /// The name of the cloth of a triangle.
    fn cloth_of(&self, t: u32) -> &str {
        let of = self.surface.cloths.iter().find(|cloth| cloth.triangles.contains(&(t as usize)));
        of.map_or("?", |cloth| cloth.name.as_str())
    }

    fn message(&self, x: &[Vec3], others: &str, count: &Count, first: u32, who: &str) -> String {
        let triangles = &self.surface.triangles;
        let corners = triangles[first as usize].map(|v| x[v as usize]);
        let Vec3 { x, y, z } = corners.iter().sum::<Vec3>() / 3.0;
        let (more, count, time) = (if count.more { "more than " } else { "" }, count.triangles, self.time);
        format!(
            "{more}{count} of {} triangles of the cloth cross {others} in the last frame, t = {time:.4} s: first {who} \
             at ({x:.3}, {y:.3}, {z:.3}) m",
            triangles.len()
        )
    }
}

//! Cloth that has passed through itself or another cloth, counted in the last frame of a run.

use super::report::CROSSINGS;
use super::{Report, ReportWarning, names};
use crate::Surface;
use crate::cache::CacheReader;
use std::path::Path;
use taffeta::Vec3;
use taffeta::intersect::{self, Count};

impl Report {
    /// Counts crossings in a frame of the run in a folder. Nothing is reported if the frame cannot be read or the count
    /// is stopped.
    pub(super) fn count_crossings(&mut self, folder: &Path, frame: u64, stop: impl Fn() -> bool) {
        let mut x = Vec::new();
        let Ok(mut cache) = CacheReader::open(&folder.join(names::POSITIONS)) else { return };
        let Ok(time) = cache.read(frame, &mut x) else { return };
        let surface = cache.surface();
        let Some(count) = intersect::count_crossings(&x, &surface.triangles, stop) else { return };
        self.crossings = Some(count.pairs);
        let message = count.first.map(|first| message(surface, &x, time, &count, first));
        self.warnings.extend(message.map(|message| ReportWarning { path: CROSSINGS.into(), message }));
    }
}

fn message(surface: &Surface, x: &[Vec3], time: f64, count: &Count, first: [u32; 2]) -> String {
    let cloth = |t: u32| {
        let of = surface.cloths.iter().find(|cloth| cloth.triangles.contains(&(t as usize)));
        of.map_or("?", |cloth| cloth.name.as_str())
    };
    let corners = surface.triangles[first[0] as usize].map(|v| x[v as usize]);
    let Vec3 { x, y, z } = corners.iter().sum::<Vec3>() / 3.0;
    let [a, b] = first.map(cloth);
    let who = if a == b { format!("`{a}` crosses itself") } else { format!("`{a}` crosses `{b}`") };
    format!(
        "{}{} of {} triangles of the cloth cross others in the last frame, t = {time:.4} s: first {who} at ({x:.3}, \
         {y:.3}, {z:.3}) m; cloth does not collide with cloth",
        if count.more { "more than " } else { "" },
        count.triangles,
        surface.triangles.len()
    )
}

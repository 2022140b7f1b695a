//! Counts crossing triangles without a list of the pairs, because tangled cloth has very many.

use super::pair::neighbours_meet;
use crate::Vec3;
use crate::hierarchy::{Bounds, Tree};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Number of crossings of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Number of pairs of triangles that cross.
    pub pairs: u64,
    /// Number of triangles in these pairs.
    pub triangles: u64,
    /// The first pair in rising order.
    pub first: Option<[u32; 2]>,
    /// Whether counting ended at [`MOST_PAIRS`] and there may be more.
    pub more: bool,
}

/// Number of pairs at which counting ends.
pub const MOST_PAIRS: u64 = 1_000_000;

/// Number of triangles between two calls of `stop`. Their number, not the clock, determines where counting ends.
const BATCH: usize = 256;

/// Counts the pairs that [`crossings`](super::crossings) lists. `None` if `stop` said so.
///
/// # Panics
/// Panics if a triangle refers to a vertex that does not exist.
pub fn count_crossings(x: &[Vec3], triangles: &[[u32; 3]], stop: impl Fn() -> bool) -> Option<Count> {
    let bounds = Bounds::of_triangles(x, triangles);
    let tree = Tree::new(&bounds);
    let crossed: Vec<AtomicBool> = triangles.iter().map(|_| AtomicBool::new(false)).collect();
    let of_triangle = |a: usize| {
        let (mut pairs, mut first) = (0, None::<u32>);
        tree.each_overlap(&bounds[a], |b, _| {
            if b as usize > a && neighbours_meet(x, triangles[a], triangles[b as usize]) {
                crossed[b as usize].store(true, Relaxed);
                pairs += 1;
                first = Some(first.map_or(b, |first| first.min(b)));
            }
        });
        if pairs > 0 {
            crossed[a].store(true, Relaxed);
        }
        (pairs, first.map(|b| [a as u32, b]))
    };
    let mut count = Count::default();
    for begin in (0..triangles.len()).step_by(BATCH) {
        if stop() {
            return None;
        }
        let batch = begin..triangles.len().min(begin + BATCH);
        let found: Vec<(u64, Option<[u32; 2]>)> = batch.into_par_iter().map(of_triangle).collect();
        for (pairs, first) in found {
            count.pairs += pairs;
            count.first = count.first.or(first);
        }
        if count.pairs >= MOST_PAIRS && begin + BATCH < triangles.len() {
            count.more = true;
            break;
        }
    }
    count.triangles = crossed.iter().filter(|crossed| crossed.load(Relaxed)).count() as u64;
    Some(count)
}

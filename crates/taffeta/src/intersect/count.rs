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
    let crosses = |a: usize, b: u32| b as usize > a && neighbours_meet(x, triangles[a], triangles[b as usize]);
    count(&bounds, &tree, crosses, |marked, b| marked[b as usize].store(true, Relaxed), stop)
}

/// Counts the pairs that [`crossings_between`](super::crossings_between) lists. [`Count::triangles`] is the number of
/// triangles of `one` in them. `None` if `stop` said so.
///
/// # Panics
/// Panics if a triangle refers to a vertex that does not exist.
pub fn count_crossings_between(
    x: &[Vec3],
    one: &[[u32; 3]],
    other: &[[u32; 3]],
    stop: impl Fn() -> bool,
) -> Option<Count> {
    let bounds = Bounds::of_triangles(x, one);
    let tree = Tree::new(&Bounds::of_triangles(x, other));
    count(&bounds, &tree, |a, b| neighbours_meet(x, one[a], other[b as usize]), |_, _| {}, stop)
}

/// Counts the pairs of an item and an item of a tree that cross. `mark` marks the second of a pair.
fn count(
    bounds: &[Bounds],
    tree: &Tree,
    crosses: impl Fn(usize, u32) -> bool + Sync,
    mark: impl Fn(&[AtomicBool], u32) + Sync,
    stop: impl Fn() -> bool,
) -> Option<Count> {
    let marked: Vec<AtomicBool> = bounds.iter().map(|_| AtomicBool::new(false)).collect();
    let of_triangle = |a: usize| {
        let (mut pairs, mut first) = (0, None::<u32>);
        tree.each_overlap(&bounds[a], |b, _| {
            if crosses(a, b) {
                mark(&marked, b);
                pairs += 1;
                first = Some(first.map_or(b, |first| first.min(b)));
            }
        });
        if pairs > 0 {
            marked[a].store(true, Relaxed);
        }
        (pairs, first.map(|b| [a as u32, b]))
    };
    let mut count = Count::default();
    for begin in (0..bounds.len()).step_by(BATCH) {
        if stop() {
            return None;
        }
        let batch = begin..bounds.len().min(begin + BATCH);
        let found: Vec<(u64, Option<[u32; 2]>)> = batch.into_par_iter().map(of_triangle).collect();
        for (pairs, first) in found {
            count.pairs += pairs;
            count.first = count.first.or(first);
        }
        if count.pairs >= MOST_PAIRS && begin + BATCH < bounds.len() {
            count.more = true;
            break;
        }
    }
    count.triangles = marked.iter().filter(|marked| marked.load(Relaxed)).count() as u64;
    Some(count)
}

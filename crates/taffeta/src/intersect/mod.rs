//! Exact test of where triangles cross, for meshes that must not intersect themselves or each other.
//!
//! ```text
//! predicate  signs of determinants, exact
//! pair       whether two triangles meet, also touching, coplanar or degenerate ones
//! count      how many pairs there are, within a list of triangles or between two, without a list of the pairs
//! ```
//! Nothing here rounds: a reported pair meets at the positions as they are stored, and a pair that is not reported does
//! not. This holds as long as products of three coordinates neither overflow nor vanish: for coordinates that are zero
//! or between 10⁻⁸⁰ and 10¹⁰⁰ in size.

mod count;
mod pair;
mod predicate;

pub use count::{Count, MOST_PAIRS, count_crossings, count_crossings_between};
pub(crate) use pair::neighbours_meet;
pub use pair::triangles_meet;
pub(crate) use predicate::side_of_plane;

use crate::Vec3;
use crate::hierarchy::{Bounds, Tree};
use rayon::prelude::*;

/// Pairs of triangles that cross or touch, each with the smaller number first, in rising order.
///
/// Triangles that share vertices always meet there. They count if they meet anywhere else, unless both are lines that
/// share their two ends. Vertices at the same place with different numbers are not shared. Positions must be finite.
///
/// ```
/// use taffeta::{Vec3, intersect};
/// let x = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.2, 0.2, -1.], [0.2, 0.2, 1.], [2., 2., 0.]];
/// let x = x.map(Vec3::from_array);
/// assert_eq!(intersect::crossings(&x, &[[0, 1, 2], [3, 4, 5]]), [[0, 1]]);
/// ```
///
/// # Panics
/// Panics if a triangle refers to a vertex that does not exist.
pub fn crossings(x: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let bounds = Bounds::of_triangles(x, triangles);
    let tree = Tree::new(&bounds);
    let of_triangle = |a: usize| {
        let mut found = Vec::new();
        tree.each_overlap(&bounds[a], |b, _| {
            if b as usize > a && neighbours_meet(x, triangles[a], triangles[b as usize]) {
                found.push([a as u32, b]);
            }
        });
        found.sort_unstable();
        found
    };
    (0..triangles.len()).into_par_iter().flat_map_iter(of_triangle).collect()
}

/// Pairs of a triangle of one list and a triangle of another list that cross or touch, by their places in the lists, in
/// rising order.
///
/// Both lists refer to the same positions. Triangles that share vertices count as in [`crossings`]. Positions must be
/// finite.
///
/// ```
/// use taffeta::{Vec3, intersect};
/// let x = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.2, 0.2, -1.], [0.2, 0.2, 1.], [2., 2., 0.]];
/// let x = x.map(Vec3::from_array);
/// assert_eq!(intersect::crossings_between(&x, &[[0, 1, 2]], &[[3, 4, 5]]), [[0, 0]]);
/// ```
///
/// # Panics
/// Panics if a triangle refers to a vertex that does not exist.
pub fn crossings_between(x: &[Vec3], one: &[[u32; 3]], other: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let bounds = Bounds::of_triangles(x, one);
    let tree = Tree::new(&Bounds::of_triangles(x, other));
    let of_triangle = |a: usize| {
        let mut found = Vec::new();
        tree.each_overlap(&bounds[a], |b, _| {
            if neighbours_meet(x, one[a], other[b as usize]) {
                found.push([a as u32, b]);
            }
        });
        found.sort_unstable();
        found
    };
    (0..one.len()).into_par_iter().flat_map_iter(of_triangle).collect()
}

/// For each triangle whether it is in a pair of [`crossings`].
///
/// # Panics
/// Panics if a triangle refers to a vertex that does not exist.
pub fn which_cross(x: &[Vec3], triangles: &[[u32; 3]]) -> Vec<bool> {
    let bounds = Bounds::of_triangles(x, triangles);
    let tree = Tree::new(&bounds);
    let crosses = |a: usize, b: u32| a != b as usize && neighbours_meet(x, triangles[a], triangles[b as usize]);
    which(&bounds, &tree, crosses)
}

/// For each triangle of one list whether it is in a pair of [`crossings_between`].
///
/// # Panics
/// Panics if a triangle refers to a vertex that does not exist.
pub fn which_cross_between(x: &[Vec3], one: &[[u32; 3]], other: &[[u32; 3]]) -> Vec<bool> {
    let tree = Tree::new(&Bounds::of_triangles(x, other));
    which(&Bounds::of_triangles(x, one), &tree, |a, b| neighbours_meet(x, one[a], other[b as usize]))
}

fn which(bounds: &[Bounds], tree: &Tree, crosses: impl Fn(usize, u32) -> bool + Sync) -> Vec<bool> {
    let of_item = |a: usize| {
        let mut found = false;
        tree.each_overlap(&bounds[a], |b, _| found = found || crosses(a, b));
        found
    };
    (0..bounds.len()).into_par_iter().map(of_item).collect()
}

#[cfg(test)]
mod tests;

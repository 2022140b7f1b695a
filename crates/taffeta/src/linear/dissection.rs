//! An order of elimination with little fill: nested dissection of the rest shape.
//!
//! A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10, 1973. A set of particles is
//! halved along its longer side. The particles of one half that have a neighbour in the other half form the separator,
//! which is eliminated last. For a sheet of n particles the factor has O(n log n) entries. Separate cloths, and
//! unconnected pieces of one, are separated first: their rest shapes may overlap, and every cut would go through all of
//! them.

use super::Pattern;
use crate::Vec3;

/// A set of particles that is eliminated at once.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Its particles.
    pub own: Vec<u32>,
    /// Nodes that are eliminated before this one and meet here.
    pub children: Vec<usize>,
}

/// Returns the nodes, children before their parents. Sets of up to `leaf` particles are not divided further: their
/// dense block is cheap.
pub(super) fn dissect(pattern: &Pattern, place: &[Vec3], leaf: usize) -> Vec<Node> {
    let mut parting = Parting { pattern, place, leaf, side: vec![0; place.len()], nodes: Vec::new() };
    for piece in pieces(pattern) {
        parting.part(piece);
    }
    parting.nodes
}

/// Connected sets of particles, each in ascending order.
fn pieces(pattern: &Pattern) -> Vec<Vec<u32>> {
    const NONE: u32 = u32::MAX;
    let mut piece = vec![NONE; pattern.diagonal.len()];
    let mut waiting = Vec::new();
    let mut count = 0;
    for first in 0..piece.len() {
        if piece[first] != NONE {
            continue;
        }
        piece[first] = count;
        waiting.push(first as u32);
        while let Some(i) = waiting.pop() {
            for &j in &pattern.column[pattern.row(i as usize)] {
                if piece[j as usize] == NONE {
                    piece[j as usize] = count;
                    waiting.push(j);
                }
            }
        }
        count += 1;
    }
    let mut pieces = vec![Vec::new(); count as usize];
    for (i, &piece) in (0..).zip(&piece) {
        pieces[piece as usize].push(i);
    }
    pieces
}

struct Parting<'a> {
    pattern: &'a Pattern,
    place: &'a [Vec3],
    leaf: usize,
    /// The half of the current set that each particle is in; 0 if it is not in the set.
    side: Vec<u8>,
    nodes: Vec<Node>,
}

impl Parting<'_> {
    /// Adds the nodes of a set and returns the roots of their trees.
    fn part(&mut self, mut set: Vec<u32>) -> Vec<usize> {
        let Self { pattern, place, leaf, side, nodes } = self;
        if set.len() <= *leaf {
            if set.is_empty() {
                return Vec::new();
            }
            nodes.push(Node { own: set, children: Vec::new() });
            return vec![nodes.len() - 1];
        }
        let bounds = |low: bool| {
            set.iter().fold(if low { Vec3::INFINITY } else { Vec3::NEG_INFINITY }, |b, &i| {
                if low { b.min(place[i as usize]) } else { b.max(place[i as usize]) }
            })
        };
        let size = bounds(false) - bounds(true);
        let axis = size.max_position();
        // break ties by index: the same order on every machine
        let key = |i: &u32| place[*i as usize][axis];
        let middle = set.len() / 2;
        set.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        let high = set.split_off(middle);
        set.iter().for_each(|&i| side[i as usize] = 1);
        high.iter().for_each(|&i| side[i as usize] = 2);
        let meets =
            |i: u32, other: u8| pattern.column[pattern.row(i as usize)].iter().any(|&j| side[j as usize] == other);
        let (own, mut low): (Vec<u32>, Vec<u32>) = set.iter().partition(|&&i| meets(i, 2));
        set.iter().chain(&high).for_each(|&i| side[i as usize] = 0);
        low.sort_unstable();
        let mut high = high;
        high.sort_unstable();
        let mut children = self.part(low);
        children.extend(self.part(high));
        if own.is_empty() {
            return children; // two pieces that do not touch
        }
        let mut own = own;
        own.sort_unstable();
        self.nodes.push(Node { own, children });
        vec![self.nodes.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes `count` grids of 12 by 9 on top of each other, with neighbours along their lines.
    fn grids(count: u32) -> (Pattern, Vec<Vec3>) {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for grid in 0..count {
            let number = |i: u32, j: u32| 108 * grid + j * 12 + i;
            for (i, j) in (0..9).flat_map(|j| (0..12).map(move |i| (i, j))) {
                if i + 1 < 12 {
                    pairs.push([number(i, j), number(i + 1, j)]);
                }
                if j + 1 < 9 {
                    pairs.push([number(i, j), number(i, j + 1)]);
                }
            }
        }
        let place = |k: u32| Vec3::new(f64::from(k % 12), f64::from(k % 108 / 12), 0.0);
        (Pattern::new(108 * count as usize, pairs.iter().map(|p| &p[..])), (0..108 * count).map(place).collect())
    }

    #[test]
    fn cloths_on_top_of_each_other_are_parted_as_each_alone() {
        let [one, three] = [1, 3].map(|count| {
            let (pattern, place) = grids(count);
            dissect(&pattern, &place, 24)
        });
        assert_eq!(three.len(), 3 * one.len());
        for (k, node) in three.iter().enumerate() {
            let (grid, alone) = (k / one.len(), &one[k % one.len()]);
            assert!(node.own.iter().copied().eq(alone.own.iter().map(|i| i + 108 * grid as u32)));
            assert!(node.children.iter().copied().eq(alone.children.iter().map(|child| child + grid * one.len())));
        }
    }

    #[test]
    fn every_particle_is_eliminated_once_and_halves_do_not_touch() {
        let (pattern, place) = grids(1);
        let nodes = dissect(&pattern, &place, 24);
        let mut seen: Vec<u32> = nodes.iter().flat_map(|node| node.own.clone()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..108).collect::<Vec<_>>());
        // below a node: all particles of its subtree
        fn below(nodes: &[Node], k: usize) -> Vec<u32> {
            let mut all = nodes[k].own.clone();
            nodes[k].children.iter().for_each(|&c| all.extend(below(nodes, c)));
            all
        }
        for node in nodes.iter().filter(|node| node.children.len() == 2) {
            let [a, b] = [0, 1].map(|c| below(&nodes, node.children[c]));
            for &i in &a {
                assert!(pattern.column[pattern.row(i as usize)].iter().all(|j| !b.contains(j)), "{i}");
            }
        }
    }
}

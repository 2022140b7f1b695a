//! Parts of the tree of fronts that are solved at the same time.
//!
//! A part has its own slots: those of the parts below it, of its own particles, of its border (the particles above it
//! that it touches), and a buffer. It writes only to these. The part above adds the border of each part to its own
//! slots, in the order of storage. Where the tree is split depends on the size, never on the number of threads, so
//! results have the same bits.

use super::kernel::{Backward, Forward, Fronts, Quad};
use super::{Front, Symbolic};
use crate::Vec3;
use crate::parallel::Cut;
use crate::wide::widest;
use std::ops::Range;

/// Number of columns of the factor that is worth a thread: about 30 µs of work.
const WORTH_A_THREAD: usize = 1 << 14;

/// A subtree, or its root alone with the parts below.
#[derive(Debug, Default)]
pub(super) struct Part {
    below: Vec<Part>,
    fronts: Range<usize>,
    /// Its own particles and their slots.
    own: Vec<[u32; 2]>,
    /// Slots of the border in the part above, ascending in the order of elimination.
    above: Vec<u32>,
    /// Where the slots of its border start.
    border: usize,
    /// Number of all its slots.
    slots: usize,
}

/// Makes the parts, and the fronts of all of them.
pub(super) struct Maker<'a> {
    pub symbolic: &'a Symbolic,
    /// Where the subtree of each front begins.
    pub first: Vec<usize>,
    /// Columns of the subtree of each front.
    pub columns: Vec<usize>,
    pub fronts: Vec<Front>,
    pub below: Vec<u32>,
    /// Slots in the current part.
    pub slot: Vec<u32>,
}

impl Maker<'_> {
    /// Makes the root part, which has all others below it.
    pub fn all(&mut self) -> Part {
        let end = self.symbolic.fronts.len();
        if self.symbolic.roots.iter().map(|&root| self.columns[root]).sum::<usize>() < WORTH_A_THREAD {
            return self.part(Vec::new(), 0..end, &[]);
        }
        let below: Vec<Part> = self.symbolic.roots.iter().map(|&root| self.subtree(root)).collect();
        self.part(below, end..end, &[])
    }

    fn subtree(&mut self, root: usize) -> Part {
        let symbolic = self.symbolic;
        let front = &symbolic.fronts[root];
        let border = &front.particles[front.own..];
        if self.columns[root] < WORTH_A_THREAD {
            return self.part(Vec::new(), self.first[root]..root + 1, border);
        }
        let below = front.children.iter().map(|&child| self.subtree(child)).collect();
        self.part(below, root..root + 1, border)
    }

    fn part(&mut self, mut below: Vec<Part>, fronts: Range<usize>, border: &[u32]) -> Part {
        let list = &self.symbolic.fronts[fronts.clone()];
        let mut end = below.iter().map(|part| part.slots).sum::<usize>();
        let mut own = Vec::new();
        for (front, here) in list.iter().zip(&mut self.fronts[fronts.clone()]) {
            here.first = end;
            for (slot, &i) in (end..).zip(&front.particles[..front.own]) {
                self.slot[i as usize] = slot as u32;
                own.push([i, slot as u32]);
            }
            end += here.wide();
        }
        let start = end;
        border.iter().zip(start..).for_each(|(&i, slot)| self.slot[i as usize] = slot as u32);
        let end = start + border.len();
        for (front, here) in list.iter().zip(&mut self.fronts[fronts.clone()]) {
            here.below = self.below.len();
            self.below.extend(front.particles[front.own..].iter().map(|&i| self.slot[i as usize]));
        }
        // borders of the parts below store particles until their slots are known
        for slot in below.iter_mut().flat_map(|part| &mut part.above) {
            *slot = self.slot[*slot as usize];
        }
        let buffer = self.fronts[fronts.clone()].iter().map(|front| front.own + front.rows).max().unwrap_or(0);
        Part { below, fronts, own, above: border.to_vec(), border: start, slots: end + buffer }
    }
}

impl Part {
    /// Number of slots of this part and all parts below.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Calls `f` with each particle and its slot among all.
    pub fn each_slot(&self, start: usize, f: &mut impl FnMut(u32, usize)) {
        let mut first = start;
        for part in &self.below {
            part.each_slot(first, f);
            first += part.slots;
        }
        self.own.iter().for_each(|&[i, slot]| f(i, start + slot as usize));
    }

    /// Bytes of its lists and of those below.
    pub fn bytes(&self) -> usize {
        let own = size_of::<Self>() + size_of_val(&self.own[..]) + size_of_val(&self.above[..]);
        own + self.below.iter().map(Part::bytes).sum::<usize>()
    }

    /// Reads the right-hand side and eliminates.
    pub fn forward(&self, fronts: Fronts, force: &[Vec3], b: &mut [Quad]) {
        each(&self.below, &mut *b, &|part, b: &mut [Quad]| part.forward(fronts, force, b));
        for &[i, slot] in &self.own {
            let force = force[i as usize];
            b[slot as usize] = [force.x as f32, force.y as f32, force.z as f32, 0.0];
        }
        b[self.border..][..self.above.len()].fill([0.0; 4]);
        let mut start = 0;
        for part in &self.below {
            for (&to, from) in part.above.iter().zip(start + part.border..) {
                let from = b[from];
                (0..4).for_each(|c| b[to as usize][c] += from[c]);
            }
            start += part.slots;
        }
        widest(Forward { fronts: Fronts { list: &fronts.list[self.fronts.clone()], ..fronts }, b });
    }

    /// Finds the solution from that of the border.
    pub fn backward(&self, fronts: Fronts, b: &[Quad], x: &mut [Quad]) {
        let (slots, known) = x.split_at_mut(self.border + self.above.len());
        widest(Backward { fronts: Fronts { list: &fronts.list[self.fronts.clone()], ..fronts }, b, x: slots, known });
        let mut start = 0;
        for part in &self.below {
            for (&from, to) in part.above.iter().zip(start + part.border..) {
                x[to] = x[from as usize];
            }
            start += part.slots;
        }
        each(&self.below, (b, x), &|part, (b, x)| part.backward(fronts, b, x));
    }
}

/// Calls `f` for every part with its slots, in parallel.
fn each<D: Cut>(parts: &[Part], slots: D, f: &(impl Fn(&Part, D) + Sync)) {
    match parts {
        [] => {}
        [part] => f(part, slots),
        _ => {
            let (low, high) = parts.split_at(parts.len() / 2);
            let (slots_low, slots_high) = slots.cut(low.iter().map(|part| part.slots).sum());
            rayon::join(|| each(low, slots_low, f), || each(high, slots_high, f));
        }
    }
}

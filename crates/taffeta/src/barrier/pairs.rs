//! Pairs that are kept over several steps.
//!
//! A search finds all pairs that come near each other while all points go on straight along predicted paths. As long as
//! every point stays within a slack of its path, no other pair comes near. Points that leave their paths get new ones,
//! and the pairs of their triangles are searched for again.
//!
//! The list may hold more than is needed: [`meets`](crate::broad::meets) says which pairs count in a motion, so that no
//! result depends on when searches were made.

use crate::Vec3;
use crate::broad::{Pairs, Surface};

/// How far points may leave their paths, as a share of the distance that counts: at least, at first, at most.
const SLACK: [f64; 3] = [0.1, 0.25, 8.0];

/// The slack is never more than this share of a mean edge.
const COARSE: f64 = 0.1;

/// With more pairs than this for each particle a list is too long: the slack shrinks by `SHRINK`, and searches are for
/// fewer steps. With less than a third of that, by `SPARSE`, the slack grows by `GROW`, up to a bound: `SHRINK` times
/// the last slack that was too large, which is forgotten slowly, by `REGROW` in a search.
const CROWDED: usize = 6;
const SPARSE: usize = 3;
const SHRINK: f64 = 0.7;
const GROW: f64 = 1.4;
const REGROW: f64 = 1.02;

/// How much nearer than along their paths two points may come, in slacks: first at one time, where each is off its path
/// by one. Then with the ways of both added, as in [`meets`](crate::broad::meets): a way has two ends, so the
/// difference of two ways is off by four, and that of the points at the start by two.
const SLACKS: [f64; 2] = [2.0, 6.0];

/// Steps that a search looks ahead, at least and at most: it doubles when a list was used up, and halves when it was
/// not. Two are the least: a search for the end of a step then serves the begin of the next.
const AHEAD: [u32; 2] = [2, 16];

/// A new search replaces repairs if more than one in so many points leaves its path, or repairs made the list this many
/// times as long.
const MANY: usize = 8;
const LONGER: usize = 2;

/// Share by which a search is for a longer time than its steps, whose sum is rounded.
const ROUNDING: f64 = 1e-9;

/// The pairs, and the paths that they were found for.
#[derive(Default)]
pub(super) struct KeptPairs {
    pub pairs: Pairs,
    /// Positions on the paths at the time `begun`, m, and velocities, m/s.
    base: Vec<Vec3>,
    speed: Vec<Vec3>,
    begun: f64,
    until: f64,
    ahead: u32,
    valid: bool,
    /// Pairs that come nearer than this, m, are in the list.
    near: f64,
    slack: f64,
    /// The smallest and the largest slack, m, and the largest that was not too crowded.
    slacks: [f64; 2],
    roof: f64,
    at: Vec<Vec3>,
    ways: Vec<Vec3>,
    outside: Vec<bool>,
    /// Whether the boxes of the broad phase are not those of the paths.
    stale: bool,
    chosen: Vec<u32>,
    /// Number of pairs after the last search; repairs add some twice.
    found: usize,
    /// Searches in this step.
    pub searches: u32,
}

/// A motion of all points, straight from one place to another between two times.
#[derive(Clone, Copy)]
pub(super) struct Passage<'a> {
    pub from: &'a [Vec3],
    pub to: &'a [Vec3],
    pub times: [f64; 2],
}

impl KeptPairs {
    /// For points whose mesh has a mean edge; pairs nearer than `near` count.
    pub fn new(points: usize, edge: f64, near: f64) -> Self {
        let zeros = || vec![Vec3::ZERO; points];
        Self {
            base: zeros(),
            speed: zeros(),
            at: zeros(),
            ways: zeros(),
            outside: vec![false; points],
            ahead: AHEAD[0],
            near,
            slack: (SLACK[1] * near).min(COARSE * edge),
            roof: f64::INFINITY,
            slacks: [SLACK[0] * near, (SLACK[2] * near).min(COARSE * edge)],
            ..Self::default()
        }
    }

    /// Makes sure that the list has all pairs that come near in a motion. Only the first `free` points can leave their
    /// paths; `among` says whether cloth collides with cloth.
    pub fn cover(&mut self, surface: &mut Surface, motion: Passage, free: usize, among: bool) {
        let [from, to] = motion.times;
        if !self.valid || from < self.begun || to > self.until {
            let used_up = self.valid && to > self.until && from <= self.until;
            return self.search(surface, motion, used_up, free, among);
        }
        let on_path = |i: usize, p: Vec3, time: f64| {
            (p - self.base[i] - self.speed[i] * (time - self.begun)).length_squared() <= self.slack * self.slack
        };
        let mut count = 0;
        for i in 0..self.base.len() {
            let stays = on_path(i, motion.from[i], from) && on_path(i, motion.to[i], to);
            self.outside[i] = !stays;
            count += usize::from(!stays);
            if !stays && i >= free {
                return self.search(surface, motion, false, free, among);
            }
        }
        if count == 0 {
            return;
        }
        if MANY * count > free || self.count() > LONGER * self.found + free {
            return self.search(surface, motion, false, free, among);
        }
        self.searches += 1;
        if to > from {
            self.follow_anew(&motion, free);
            if std::mem::take(&mut self.stale) {
                self.fill_ways();
                surface.refit(&self.base, &self.ways, self.wide()[0]);
            }
        } else {
            self.jump(&motion, free);
            self.stale = true;
            surface.refit(&self.at, &self.ways, self.wide()[0]);
        }
        self.chosen.clear();
        let leaves = |v: &[u32; 3]| v.iter().any(|v| self.outside[*v as usize]);
        let leaving = surface.triangles().iter().enumerate().filter(|(_, v)| leaves(v));
        self.chosen.extend(leaving.map(|(t, _)| t as u32));
        let from = if to > from { &self.base } else { &self.at };
        surface.add_pairs(from, &self.ways, self.wide(), among, &self.chosen, &mut self.pairs);
    }

    /// Gives the points that have left their paths new ones, as if they had been on them from the begin.
    fn follow_anew(&mut self, motion: &Passage, free: usize) {
        let [from, to] = motion.times;
        for i in (0..free).filter(|i| self.outside[*i]) {
            self.speed[i] = way(motion, i) / (to - from);
            self.base[i] = motion.from[i] - self.speed[i] * (from - self.begun);
            self.ways[i] = self.speed[i] * (self.until - self.begun);
        }
    }

    /// The ways along the paths from begin to end.
    fn fill_ways(&mut self) {
        let time = self.until - self.begun;
        self.ways.iter_mut().zip(&self.speed).for_each(|(way, speed)| *way = *speed * time);
    }

    /// In a motion that takes no time points that leave their paths jump, and all others stay where they are.
    fn jump(&mut self, motion: &Passage, free: usize) {
        let gone = motion.times[0] - self.begun;
        for i in 0..self.base.len() {
            let jumps = i < free && self.outside[i];
            self.at[i] = if jumps { motion.from[i] } else { self.base[i] + self.speed[i] * gone };
            self.ways[i] = if jumps { way(motion, i) } else { Vec3::ZERO };
        }
    }

    /// Searches for all pairs on new paths.
    fn search(&mut self, surface: &mut Surface, motion: Passage, used_up: bool, free: usize, among: bool) {
        let [from, to] = motion.times;
        self.searches += 1;
        let count = self.count();
        let crowded = count > CROWDED * free;
        self.ahead = if used_up && !crowded { 2 * self.ahead } else { self.ahead / 2 }.clamp(AHEAD[0], AHEAD[1]);
        if crowded {
            self.roof = SHRINK * self.slack;
            self.slack = self.roof.max(self.slacks[0]);
        } else if SPARSE * count < CROWDED * free && !used_up {
            self.roof *= REGROW;
            self.slack = (GROW * self.slack).min(self.slacks[1].min(self.roof)).max(self.slacks[0]);
        }
        let length = (to - from).max(0.0) * f64::from(self.ahead);
        self.begun = from;
        self.until = from + length * (1.0 + ROUNDING);
        // a motion in no time has no path to follow further
        self.valid = to > from;
        for i in 0..self.base.len() {
            let way = way(&motion, i);
            self.base[i] = motion.from[i];
            self.speed[i] = if self.valid { way / (to - from) } else { Vec3::ZERO };
            self.ways[i] = if self.valid { self.speed[i] * (self.until - from) } else { way };
        }
        self.stale = false;
        surface.search(&self.base, &self.ways, self.wide(), among, &mut self.pairs);
        self.found = self.count();
    }

    /// Number of pairs in the list, of which some may stand twice.
    pub fn count(&self) -> usize {
        self.pairs.vertex_face.len() + self.pairs.edge_edge.len()
    }

    /// How near pairs may come along the paths, m, as in [`meets`](crate::broad::meets).
    fn wide(&self) -> [f64; 2] {
        SLACKS.map(|slacks| self.near + slacks * self.slack)
    }
}

/// The way of a point in a motion; none where that is no number.
fn way(motion: &Passage, i: usize) -> Vec3 {
    let way = motion.to[i] - motion.from[i];
    if way.is_finite() { way } else { Vec3::ZERO }
}

//! A factor of 3×3 blocks in single precision, used as preconditioner of the conjugate gradient. It is multifrontal
//! like [`super::cholesky`], in tiles of 24 × 24 for wide vectors.
//!
//! The inverse of each diagonal tile's factor is stored, so that no triangular system has to be solved.
//!
//! Matrix and right-hand sides are scaled to about 1 by powers of two. Numbers that are tiny relative to 1 are flushed
//! to zero.

mod kernel;

use super::cg::System;
use super::cholesky::{Front, Symbolic};
use super::{Matrix, Pattern};
use crate::Vec3;
use crate::halt::Halt;
use crate::linear::filter::Held;
use crate::wide::narrow;
use glam::DMat3;
use kernel::{Backward, Column, Eliminate, Forward, NOTHING, Place, TILE};

/// Particles of a tile.
const EIGHT: usize = TILE / 3;

/// Share of the diagonal that is added to it: rounding in single precision must not make a pivot negative.
const SHIFT: f64 = 2e-7;

/// Subtrees of more fronts than this are worth a thread.
const WORTH_A_THREAD: usize = 16;

/// The order of elimination, and where all numbers of a factor will be: what there is before it has memory.
pub(crate) struct Plan {
    symbolic: Symbolic,
    places: Vec<Place>,
    /// For the subtree of each front: columns of tiles that it needs while it is factored, and its number of fronts.
    needs: Vec<[usize; 2]>,
    /// Indices in `x` of the rows below all fronts.
    list: Vec<u32>,
    /// Index of each particle in `x`.
    slot: Vec<u32>,
    size: Size,
}

/// Sizes in columns.
#[derive(Clone, Copy)]
struct Size {
    kept: usize,
    stack: usize,
    x: usize,
    known: usize,
}

/// A factor.
pub(crate) struct Tiled {
    plan: Plan,
    /// Columns, as plain numbers. The system commits their memory only when the first factor is written.
    kept: Vec<f32>,
    stack: Vec<f32>,
    x: Vec<Column>,
    known: Vec<Column>,
    /// The index of each particle in the list of held ones.
    held: Vec<u32>,
    /// Scale factor of the matrix.
    scale: f64,
}

impl Plan {
    /// Finds an order of elimination; `None` if factors need more than `largest` bytes. `place` are the particles'
    /// positions in the rest shape.
    pub fn new(pattern: &Pattern, place: &[Vec3], largest: usize) -> Option<Self> {
        let symbolic = Symbolic::new(pattern, place);
        let (mut kept, mut first, mut list) = (0, 0, Vec::new());
        let mut slot = vec![0; place.len()];
        let mut places: Vec<Place> = Vec::new();
        for front in &symbolic.fronts {
            let columns = (3 * front.own).next_multiple_of(TILE);
            let particles = front.particles.len() - front.own;
            let below = (3 * particles).next_multiple_of(TILE);
            places.push(Place { columns, below, kept, first, list: 0, particles });
            for (k, &i) in front.particles[..front.own].iter().enumerate() {
                slot[i as usize] = (first * TILE + 3 * k) as u32;
            }
            kept += (columns + below) / TILE * columns;
            first += columns / TILE;
        }
        for (front, place) in symbolic.fronts.iter().zip(&mut places) {
            place.list = list.len();
            list.extend(front.particles[front.own..].iter().map(|&i| slot[i as usize]));
        }
        let mut needs: Vec<[usize; 2]> = Vec::new();
        for (front, place) in symbolic.fronts.iter().zip(&places) {
            let fronts = 1 + front.children.iter().map(|&child| needs[child][1]).sum::<usize>();
            let forks = forks(front, fronts);
            let (mut below, mut most) = (0, 0);
            for &child in &front.children {
                most = most.max(below + needs[child][0]);
                below += if forks { needs[child][0] } else { leaves(&places[child]) };
            }
            let left: usize = front.children.iter().map(|&child| leaves(&places[child])).sum();
            needs.push([most.max(left + leaves(place)), fronts]);
        }
        let stack = symbolic.roots.iter().map(|&root| needs[root][0]).max().unwrap_or(0);
        let known = places.iter().map(|place| place.below / TILE).max().unwrap_or(0);
        let size = Size { kept, stack, x: first, known };
        ((kept + stack) * size_of::<Column>() <= largest).then_some(Self { symbolic, places, needs, list, slot, size })
    }

    /// Approximate bytes of the lists of a factor.
    pub fn bytes(&self) -> usize {
        let Size { kept, stack, x, known } = self.size;
        self.bytes_of_lists() + (kept + stack + x + known) * size_of::<Column>() + self.slot.len() * size_of::<u32>()
    }

    fn bytes_of_lists(&self) -> usize {
        let fronts = size_of_val(&self.places[..]) + size_of_val(&self.needs[..]);
        self.symbolic.bytes() + size_of_val(&self.list[..]) + size_of_val(&self.slot[..]) + fronts
    }

    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.slot.len()
    }

    /// Operations that a factor takes: at least those of a tile for each front.
    pub fn operations(&self) -> f64 {
        self.symbolic.size().1 + (TILE.pow(3) * self.places.len()) as f64
    }
}

impl Tiled {
    /// Allocates the memory for factors.
    pub fn new(plan: Plan) -> Self {
        let zeros = |count: usize| vec![[0.0; TILE]; count];
        let Size { kept, stack, x, known } = plan.size;
        Self {
            kept: vec![0.0; kept * TILE],
            stack: vec![0.0; stack * TILE],
            x: zeros(x),
            known: zeros(known),
            held: vec![u32::MAX; plan.particles()],
            plan,
            scale: 1.0,
        }
    }

    /// Bytes of allocated memory.
    #[cfg(test)]
    pub fn allocated(&self) -> usize {
        let numbers = size_of_val(&self.kept[..]) + size_of_val(&self.stack[..]);
        let sides = size_of_val(&self.x[..]) + size_of_val(&self.known[..]);
        self.plan.bytes_of_lists() + numbers + sides + size_of_val(&self.held[..])
    }

    /// Factors the matrix; `false` if a pivot is not positive, or the caller wants to stop.
    pub fn factor(&mut self, system: &System) -> bool {
        let Self { plan: Plan { symbolic, places, needs, .. }, kept, stack, held: slot, scale, .. } = self;
        let System { pattern, matrix, held, halt, .. } = *system;
        let diagonal = pattern.diagonal.iter().map(|&place| matrix.blocks[place as usize].diagonal().element_sum());
        *scale = to_one(diagonal.sum::<f64>() / (3 * slot.len()) as f64);
        held.iter().enumerate().for_each(|(k, held)| slot[held.vertex as usize] = k as u32);
        let input = Input { symbolic, places, needs, matrix, held, slot, scale: *scale, halt };
        let (kept, stack) = (kept.as_chunks_mut().0, stack.as_chunks_mut().0);
        let mut good = true;
        let mut start = 0;
        for &root in &symbolic.roots {
            let [from, to] = [places[start].kept, end(&places[root])];
            good = good && input.subtree(start, root, &mut kept[from..to], stack);
            start = root + 1;
        }
        held.iter().for_each(|held| slot[held.vertex as usize] = u32::MAX);
        good
    }

    /// Writes the solution for the right-hand side `b` to `out`, in single precision.
    pub fn solve(&mut self, b: &[Vec3], out: &mut [Vec3]) {
        let Self { plan: Plan { places: fronts, list, slot, .. }, kept, x, known, .. } = self;
        let kept = kept.as_chunks().0;
        let scale = to_one(b.iter().map(|b| b.abs().max_element()).fold(0.0, f64::max));
        let flat = x.as_flattened_mut();
        flat.fill(0.0); // what fills tiles up
        for (b, &slot) in b.iter().zip(&*slot) {
            flat[slot as usize..][..3].copy_from_slice(&(*b * scale).to_array().map(single));
        }
        narrow(Forward { fronts, kept, list, x });
        narrow(Backward { fronts, kept, list, x, known });
        let flat = x.as_flattened();
        let back = self.scale / scale;
        for (out, &slot) in out.iter_mut().zip(&*slot) {
            let x = &flat[slot as usize..][..3];
            *out = Vec3::new(x[0].into(), x[1].into(), x[2].into()) * back;
        }
    }
}

/// The power of two that scales a positive number to between 1 and 2; 1 where there is none.
fn to_one(size: f64) -> f64 {
    let exponent = size.to_bits() >> 52;
    if (1..=2045).contains(&exponent) { f64::from_bits((2046 - exponent) << 52) } else { 1.0 }
}

/// Converts to single precision; zero if the number is tiny.
fn single(x: f64) -> f32 {
    if x.abs() < f64::from(NOTHING) { 0.0 } else { x as f32 }
}

/// Columns of tiles that a front leaves to its parent.
fn leaves(place: &Place) -> usize {
    place.below / TILE * place.below
}

/// Where the columns of a front end.
fn end(place: &Place) -> usize {
    place.kept + (place.columns + place.below) / TILE * place.columns
}

/// Whether the two children of a front are factored at the same time.
fn forks(front: &Front, fronts: usize) -> bool {
    front.children.len() == 2 && fronts > WORTH_A_THREAD
}

struct Input<'a> {
    symbolic: &'a Symbolic,
    places: &'a [Place],
    needs: &'a [[usize; 2]],
    matrix: &'a Matrix,
    held: &'a [Held],
    slot: &'a [u32],
    scale: f64,
    halt: &'a Halt,
}

impl Input<'_> {
    /// Factors the fronts `first..=root` and leaves the remainder for the parent of `root` at the start of the stack.
    fn subtree(&self, first: usize, root: usize, kept: &mut [Column], stack: &mut [Column]) -> bool {
        let (fronts, places, needs) = (&self.symbolic.fronts, self.places, self.needs);
        let front = &fronts[root];
        let base = places[first].kept;
        let mut left = 0;
        if forks(front, needs[root][1]) {
            let (a, b) = (front.children[0], front.children[1]);
            let (low, high) = kept.split_at_mut(end(&places[a]) - base);
            let high = &mut high[..end(&places[b]) - end(&places[a])];
            let (stack_a, stack_b) = stack.split_at_mut(needs[a][0]);
            let (done_a, done_b) =
                rayon::join(|| self.subtree(first, a, low, stack_a), || self.subtree(a + 1, b, high, stack_b));
            if !done_a || !done_b {
                return false;
            }
            left = leaves(&places[a]) + leaves(&places[b]);
            let from = needs[a][0];
            stack.copy_within(from..from + leaves(&places[b]), leaves(&places[a]));
        } else {
            let mut start = first;
            for &child in &front.children {
                let part = &mut kept[places[start].kept - base..end(&places[child]) - base];
                if !self.subtree(start, child, part, &mut stack[left..]) {
                    return false;
                }
                left += leaves(&places[child]);
                start = child + 1;
            }
        }
        if self.halt.asked() {
            return false;
        }
        let Place { columns, below, kept: at, .. } = places[root];
        let own = &mut kept[at - base..];
        let (updates, rest) = stack.split_at_mut(left);
        let rest = &mut rest[..below / TILE * below];
        own.fill([0.0; TILE]);
        rest.fill([0.0; TILE]);
        self.add_entries(front, columns, own);
        let mut updates = &*updates;
        for (list, &child) in front.places.iter().zip(&front.children) {
            let (update, others) = updates.split_at(leaves(&places[child]));
            add_update(list, update, front.own, &places[root], own, rest);
            updates = others;
        }
        let good = narrow(Eliminate { own, rest, columns, below });
        stack.copy_within(left..left + below / TILE * below, 0);
        good
    }

    fn add_entries(&self, front: &Front, columns: usize, own: &mut [Column]) {
        // columns that fill the last tile up
        for j in 3 * front.own..columns {
            own[j / TILE * columns + j][j % TILE] = 1.0;
        }
        for &[place, row, column] in &front.entries {
            let (i, j) = (front.particles[row as usize], front.particles[column as usize]);
            let mut a = self.filtered(i, j, self.block(i, j, place) * self.scale);
            if i == j {
                a += DMat3::from_diagonal(a.diagonal() * SHIFT) + self.stays(i);
            }
            let row = row_of(row as usize, front.own, columns);
            for c in 0..3 {
                let to = &mut own[row / TILE * columns + 3 * column as usize + c][row % TILE..][..3];
                to.iter_mut().zip(a.col(c).to_array()).for_each(|(to, a)| *to += single(a));
            }
        }
    }

    /// A_ij, which is at a place of row j.
    fn block(&self, i: u32, j: u32, place: u32) -> DMat3 {
        let extra = &self.matrix.extra;
        let from = extra.partition_point(|entry| (entry.0, entry.1) < (i, j));
        let here = extra[from..].iter().take_while(|entry| (entry.0, entry.1) == (i, j));
        here.fold(self.matrix.blocks[place as usize].transpose(), |sum, entry| sum + entry.2)
    }

    fn free(&self, i: u32) -> Option<DMat3> {
        self.held.get(self.slot[i as usize] as usize).map(|held| held.free)
    }

    /// I - S.
    fn stays(&self, i: u32) -> DMat3 {
        self.free(i).map_or(DMat3::ZERO, |free| DMat3::IDENTITY - free)
    }

    fn filtered(&self, i: u32, j: u32, mut a: DMat3) -> DMat3 {
        if let Some(free) = self.free(i) {
            a = free * a;
        }
        if let Some(free) = self.free(j) {
            a *= free;
        }
        a
    }
}

/// The first row of a particle of a front.
fn row_of(particle: usize, own: usize, columns: usize) -> usize {
    if particle < own { 3 * particle } else { columns + 3 * (particle - own) }
}

/// Adds the lower half of a child's remainder.
fn add_update(list: &[u32], update: &[Column], count: usize, place: &Place, own: &mut [Column], rest: &mut [Column]) {
    let Place { columns, below, .. } = *place;
    let size = (3 * list.len()).next_multiple_of(TILE);
    for (q, &to) in list.iter().enumerate() {
        let column = row_of(to as usize, count, columns);
        // rows rise with columns, so the lower half stays below
        for (tile, rows) in list.chunks(EIGHT).enumerate().skip(q / EIGHT) {
            for (k, &row) in rows.iter().enumerate() {
                let row = row_of(row as usize, count, columns);
                for c in 0..3 {
                    let from = &update[tile * size + 3 * q + c][3 * k..][..3];
                    let to = if column < columns {
                        &mut own[row / TILE * columns + column + c]
                    } else if row >= columns {
                        &mut rest[(row - columns) / TILE * below + column - columns + c]
                    } else {
                        continue;
                    };
                    let to = &mut to[row % TILE..][..3];
                    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::Tangent;
    use crate::setup::{Cloth, ContactSettings, Mesh, Setup};
    use crate::state::State;
    use crate::wide::Kernel;
    use crate::world::World;

    /// A waved sheet, held at its first particle and in a direction of its second.
    fn sheet(cells: u32) -> (World, State, Vec<Held>) {
        sheets(&[cells])
    }

    /// Several on top of each other.
    fn sheets(cells: &[u32]) -> (World, State, Vec<Held>) {
        let cloth = |(name, &cells): (usize, &u32)| {
            Cloth::new(name.to_string(), Mesh::grid([1.0; 2], [cells; 2], crate::setup::Pattern::Alternating).unwrap())
        };
        let cloths = cells.iter().enumerate().map(cloth).collect();
        let contact = ContactSettings { cloth: Some(false), ..ContactSettings::default() };
        let world = World::new(Setup { cloths, contact, ..Setup::default() }).unwrap();
        let mut state = world.start();
        state.x.iter_mut().for_each(|x| x.z += 0.02 * (25.0 * x.x).sin() * (18.0 * x.y).cos());
        let free = [DMat3::ZERO, DMat3::from_diagonal(Vec3::new(1.0, 1.0, 0.0))];
        let held = [0, 1].map(|i| Held { vertex: i, free: free[i as usize], ..Held::default() });
        (world, state, held.to_vec())
    }

    fn side(n: usize) -> Vec<Vec3> {
        (0..n).map(|i| Vec3::new(1.0, (i % 5) as f64, -((i % 3) as f64))).collect()
    }

    /// Factors the matrix of a step of 1/600 s.
    fn made(world: &World, state: &State, held: &[Held]) -> (Tiled, Matrix) {
        let mut tangent = Tangent::new(world).unwrap();
        tangent.fill(world, state, 1.0 / 600.0);
        let matrix = tangent.into_matrix();
        let pattern = &world.layout.pattern;
        let mut tiled = Tiled::new(Plan::new(pattern, &world.rest, usize::MAX).unwrap());
        let blocks = &world.blocks;
        assert!(tiled.factor(&System { pattern, matrix: &matrix, blocks, held, halt: &Halt::default() }));
        (tiled, matrix)
    }

    /// Compares with the factor in double precision. The last case is factored in several parts.
    #[test]
    fn it_solves_what_the_factor_in_double_precision_solves() {
        for cells in [&[1][..], &[4], &[9], &[30], &[9, 1, 12]] {
            let (world, state, held) = sheets(cells);
            let (mut tiled, matrix) = made(&world, &state, &held);
            let mut b = side(world.mass.len());
            held.iter().for_each(|held| b[held.vertex as usize] = held.free * b[held.vertex as usize]);
            let symbolic = Symbolic::new(&world.layout.pattern, &world.rest);
            let mut factor = symbolic.room();
            symbolic.factor(&world.layout.pattern, &matrix, &held, &mut factor, &Halt::default()).unwrap();
            let mut want = b.clone();
            symbolic.solve(&factor, &mut want);
            let mut x = b.clone();
            tiled.solve(&b, &mut x);
            let size = want.iter().map(|w| w.length()).fold(0.0, f64::max);
            let off = want.iter().zip(&x).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            // single precision and the shift, 3e-7, times the condition number: 8 k h²/m is 200 with 30 cells
            assert!(off < 6e-5 * size, "{cells:?}: {off:e} of {size:e}");
        }
    }

    /// Far from the diagonal numbers would be too small for single precision: such numbers cost some CPUs most of their
    /// time.
    #[test]
    fn no_number_of_a_factor_is_too_small_to_be_normal() {
        let (world, mut state, held) = sheet(40);
        state.x.clone_from(&world.rest); // flat: what happens across it has little to do with what happens along it
        state.x.iter_mut().enumerate().for_each(|(i, x)| x.z += 1e-9 * (i % 7) as f64);
        let tiled = made(&world, &state, &held).0;
        assert!(!tiled.kept.iter().any(|x| x.is_subnormal()));
    }

    /// Tests units of mass and forces that are outside the range of single precision.
    #[test]
    fn it_solves_in_any_units() {
        let (world, state, held) = sheet(9);
        let (mut tiled, mut matrix) = made(&world, &state, &held);
        let b = side(world.mass.len());
        let [mut plain, mut scaled] = [b.clone(), b.clone()];
        tiled.solve(&b, &mut plain);
        let (mass, force) = (2f64.powi(-200), 2f64.powi(300));
        matrix.blocks.iter_mut().for_each(|a| *a *= mass);
        let (pattern, blocks) = (&world.layout.pattern, &world.blocks);
        assert!(tiled.factor(&System { pattern, matrix: &matrix, blocks, held: &held, halt: &Halt::default() }));
        let b: Vec<Vec3> = b.iter().map(|b| *b * force).collect();
        tiled.solve(&b, &mut scaled);
        // what is held counts as 1 in any units: no equation of the matrix
        let free = |i: &usize| held.iter().all(|held| held.vertex as usize != *i);
        assert!((0..b.len()).filter(free).all(|i| plain[i] * (force / mass) == scaled[i]));
    }

    #[test]
    fn it_has_the_same_bits_on_any_number_of_threads() {
        let (world, state, held) = sheet(40);
        let b = side(world.mass.len());
        let solved = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut tiled = made(&world, &state, &held).0;
                let mut x = b.clone();
                tiled.solve(&b, &mut x);
                (tiled.kept, x)
            })
        };
        let one = solved(1);
        assert!([2, 3, 8].into_iter().all(|threads| solved(threads) == one));
    }

    /// A front of two tiles of its own and two below, by kernels that are compiled for any CPU, and by those for this
    /// one.
    #[test]
    fn wide_vectors_have_the_same_bits() {
        let (columns, below) = (2 * TILE, 2 * TILE);
        let value = |i: usize, j: usize| {
            if i == j { 100.0 } else { ((i * j) % 7) as f32 - 3.0 }
        };
        let tiles = |first: usize, columns: usize, rows: usize| -> Vec<Column> {
            let column = |k: usize| {
                let (row, column) = (first + k / columns * TILE, first + k % columns);
                std::array::from_fn(|r| value((row + r).max(column), (row + r).min(column)))
            };
            (0..rows / TILE * columns).map(column).collect()
        };
        let (mut own, mut rest) = (tiles(0, columns, columns + below), tiles(columns, below, below));
        let (mut wide_own, mut wide_rest) = (own.clone(), rest.clone());
        assert!(Eliminate { own: &mut own, rest: &mut rest, columns, below }.run());
        assert!(narrow(Eliminate { own: &mut wide_own, rest: &mut wide_rest, columns, below }));
        assert!(own == wide_own && rest == wide_rest);
        let fronts = &[Place { columns, below, particles: below / 3, ..Place::default() }];
        let list: Vec<u32> = (0..below / 3).map(|i| (columns + 3 * i) as u32).collect();
        let start: Vec<Column> = (0..4).map(|t| std::array::from_fn(|r| (5 * t + r) as f32)).collect();
        let (mut x, mut wide_x, mut known) = (start.clone(), start, vec![[0.0; TILE]; 2]);
        let list = &list[..];
        Forward { fronts, kept: &own, list, x: &mut x }.run();
        Backward { fronts, kept: &own, list, x: &mut x, known: &mut known }.run();
        narrow(Forward { fronts, kept: &own, list, x: &mut wide_x });
        narrow(Backward { fronts, kept: &own, list, x: &mut wide_x, known: &mut known });
        assert_eq!(x, wide_x);
    }
}

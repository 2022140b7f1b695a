//! A rod made of cloth: a strip one cell wide, one diagonal, in the xy plane with its width along z. The two vertices
//! of each row are tied: they move together in x and y. Forces and energies are the cloth's own, so a row bends with
//! exactly B b/l.

use super::cloth;
use taffeta::*;

/// How an end of the rod is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Free,
    /// Its row is held and may turn.
    Pinned,
    /// Two rows are held: one more cell lies outside the length.
    Clamped,
}

impl End {
    fn rows(self) -> usize {
        self as usize
    }
}

/// What a rod is made of and how it is loaded.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub model: Model,
    pub length: f64,
    /// Cells along the length.
    pub n: u32,
    pub ends: [End; 2],
    pub fabric: Fabric,
    pub gravity: Vec3,
    /// Force at the right end over the width, N/m.
    pub tip: Vec3,
}

pub struct Rod {
    pub world: World,
    pub state: State,
    work: Workspace,
    rows: usize,
    held: [usize; 2],
    spec: Spec,
}

/// Net force on a row over its weight at which the rod rests.
const SHARE: f64 = 1e-6;

impl Rod {
    /// The rod lies along x from the origin.
    pub fn new(spec: Spec) -> Self {
        let cell = spec.length / f64::from(spec.n);
        let outside = spec.ends.map(|end| u32::from(end == End::Clamped));
        let cells = spec.n + outside[0] + outside[1];
        let mesh = cloth::grid([cell * f64::from(cells), cell], [cells, 1], Pattern::OneDiagonal);
        let mut made = cloth::sheet(mesh, spec.fabric, spec.model);
        made.place.rotate.x = 90.0;
        made.place.at = Vec3::new(cell * (0.5 * f64::from(cells) - f64::from(outside[0])), 0.0, 0.5 * cell);
        let rows = cells as usize + 1;
        let held = spec.ends.map(End::rows);
        for (first, count) in [(0, held[0]), (rows - held[1], held[1])] {
            let vertices = (first..first + count).flat_map(|i| [i as u32, (i + rows) as u32]).collect();
            let clamp = count == 2 && spec.model.bending().is_some();
            if count > 0 {
                made.pins.push(Pin { clamp, ..Pin::fixed(Select::Vertices(vertices)) });
            }
        }
        let setup = Setup { gravity: spec.gravity, ..Setup::with_cloth(made) };
        let world = cloth::world(setup);
        let (state, work) = (world.start(), Workspace::new(&world));
        Self { world, state, work, rows, held, spec }
    }

    pub fn cell(&self) -> f64 {
        self.spec.length / f64::from(self.spec.n)
    }

    /// Number of the row where the length begins.
    pub fn first(&self) -> usize {
        self.held[0].saturating_sub(1)
    }

    /// Where a row is, counted from where the length begins.
    pub fn at(&self, row: usize) -> Vec3 {
        let p = self.state.x[self.first() + row];
        Vec3::new(p.x, p.y, 0.0)
    }

    /// The end of the length.
    pub fn tip(&self) -> Vec3 {
        self.at(self.spec.n as usize)
    }

    /// Moves a row, counted over all of them.
    fn shift(&mut self, row: usize, by: Vec3) {
        self.state.x[row] += by;
        self.state.x[row + self.rows] += by;
    }

    /// Moves every row from where it lies along x at the start.
    pub fn place(&mut self, to: impl Fn(Vec3) -> Vec3) {
        for (x, start) in self.state.x.iter_mut().zip(&self.world.start) {
            *x = to(Vec3::new(start.x, 0.0, 0.0)) + Vec3::Z * start.z;
        }
    }

    /// Moves the held rows of an end.
    pub fn move_end(&mut self, right: bool, by: Vec3) {
        let rows = if right { self.rows - self.held[1]..self.rows } else { 0..self.held[0] };
        rows.for_each(|row| self.shift(row, by));
    }

    /// Net force on each row, N.
    pub fn row_forces(&mut self) -> Vec<Vec3> {
        let f = forces(&self.world, &self.state, &mut self.work);
        let mut rows: Vec<Vec3> = (0..self.rows).map(|i| f[i] + f[i + self.rows]).collect();
        let last = self.rows - self.held[1].max(1);
        rows[last] += self.spec.tip * self.cell();
        rows
    }

    /// Force that holds an end, N for the width of the rod.
    pub fn reaction(&mut self, right: bool) -> Vec3 {
        let f = self.row_forces();
        let rows = if right { self.rows - self.held[1]..self.rows } else { 0..self.held[0] };
        -f[rows].iter().copied().sum::<Vec3>()
    }

    /// Moment per width in the clamp at the left, N m/m.
    pub fn root_moment(&mut self) -> f64 {
        let f = self.row_forces();
        let arm = self.state.x[0] - self.state.x[1];
        arm.cross(f[0]).z.abs() / self.cell()
    }

    /// J: all that is to become least.
    pub fn potential(&self) -> f64 {
        let m = measure(&self.world, &self.state);
        m.stretch + m.shear + m.bend + m.gravity - self.tip().dot(self.spec.tip) * self.cell()
    }

    fn free(&self) -> std::ops::Range<usize> {
        self.held[0]..self.rows - self.held[1]
    }

    /// Forces of the free rows, x and y in turn.
    fn free_forces(&mut self) -> Vec<f64> {
        let free = self.free();
        self.row_forces()[free].iter().flat_map(|f| [f.x, f.y]).collect()
    }

    /// Minus the derivative of the forces of the free rows by central differences. A row reaches two rows far, so every
    /// fifth can be moved at once.
    fn stiffness(&mut self) -> Vec<Vec<f64>> {
        let (free, h) = (self.free(), 1e-5 * self.cell());
        let n = free.len();
        let mut k = vec![vec![0.0; 2 * n]; 2 * n];
        for colour in 0..5 {
            for (c, axis) in [Vec3::X, Vec3::Y].into_iter().enumerate() {
                let mut moved = |by: f64| {
                    let kept = self.state.x.clone();
                    (colour..n).step_by(5).for_each(|row| self.shift(free.start + row, axis * by));
                    let f = self.free_forces();
                    self.state.x = kept;
                    f
                };
                let (up, down) = (moved(h), moved(-h));
                for row in (colour..n).step_by(5) {
                    for r in 2 * row.saturating_sub(2)..2 * (row + 3).min(n) {
                        k[r][2 * row + c] = (down[r] - up[r]) / (2.0 * h);
                    }
                }
            }
        }
        // symmetric but for rounding
        let mean = |r: usize, c: usize| 0.5 * (k[r][c] + k[c][r]);
        (0..2 * n).map(|r| (0..2 * n).map(|c| mean(r, c)).collect()).collect()
    }

    /// Whether the energy has a minimum here: the stiffness is positive definite.
    pub fn is_stable(&mut self) -> bool {
        cholesky(self.stiffness(), 0.0).is_some()
    }

    /// Goes down to the nearest minimum of the energy by Newton's method; whether it arrived.
    pub fn settle(&mut self) -> bool {
        let cell = self.cell();
        let weight = self.spec.fabric.density * 9.81 * cell * cell;
        let mut mu = 0.0;
        for _ in 0..1000 {
            let force = self.free_forces();
            if force.iter().all(|f| f.abs() < SHARE * weight) {
                return true;
            }
            let k = self.stiffness();
            let factor = loop {
                match cholesky(k.clone(), mu) {
                    Some(factor) => break factor,
                    None => mu = (4.0 * mu).max(1e-6 * self.spec.fabric.bend[0] / (cell * cell)),
                }
            };
            let p = solve(&factor, &force);
            let slope: f64 = p.iter().zip(&force).map(|(p, f)| p * f).sum();
            let longest = p.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
            let first = (0.1 * self.spec.length / longest).min(1.0);
            let (before, start) = (self.state.x.clone(), self.potential());
            let rounding = 1e-13 * (start.abs() + weight * self.spec.length * f64::from(self.spec.n));
            let mut share = first;
            loop {
                self.state.x.clone_from(&before);
                for (i, row) in self.free().enumerate() {
                    self.shift(row, Vec3::new(p[2 * i], p[2 * i + 1], 0.0) * share);
                }
                if start - self.potential() >= 1e-4 * share * slope - rounding || share < 1e-6 * first {
                    break;
                }
                share *= 0.5;
            }
            mu = if share == 1.0 { 0.1 * mu } else { mu };
            if share < 0.25 * first {
                mu *= 4.0;
            }
        }
        false
    }
}

/// Lower triangle of A + μ; `None` if that is not positive definite.
fn cholesky(mut a: Vec<Vec<f64>>, mu: f64) -> Option<Vec<Vec<f64>>> {
    for i in 0..a.len() {
        a[i][i] += mu;
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let rest = a[i][j] - sum;
            if i == j && rest <= 0.0 {
                return None;
            }
            a[i][j] = if i == j { rest.sqrt() } else { rest / a[j][j] };
        }
    }
    Some(a)
}

fn solve(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = b.to_vec();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i][i];
    }
    x
}

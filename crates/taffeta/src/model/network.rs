//! Makes the springs and hinges of a cloth from its mesh and its fabric.
//!
//! Structural and shear springs follow Provot on grids. On any triangle mesh the edges near warp and weft are
//! structural; the other edges, and the springs across them that join the two opposite vertices, are shear. A
//! triangulated grid gets Provot's network in this way, whatever its diagonals.
//!
//! Spring constants from N/m. In small strain a spring of length L along (c, s) = (cos φ, sin φ) from the warp has the
//! energy k L²/2 (c² ε_u + s² ε_v + c s γ)², so a sheet of area A is a membrane with
//! ```text
//! C11 = Σ k L² c⁴/A     C22 = Σ k L² s⁴/A     C12 = C66 = Σ k L² c² s²/A
//! ```
//! C66 is to be the fabric's shear G, and C12 = G follows (a network of springs has a Poisson effect of its own).
//! Pulled with free sides the sheet is to have the fabric's stretch E: C11 - G²/C22 = E_warp, C22 - G²/C11 = E_weft.
//! With k = f(φ) T/L², T the area of the triangles at the spring's edge and f = α c⁴ + β s⁴ + 4 γ c² s², three linear
//! equations give α, β, γ. T is halved on the border by itself, so the edge rows of a grid get half their stiffness.

use super::elements::Network;
use super::hinge::{self, Hinge};
use super::spring::Spring;
use crate::Vec3;
use crate::setup::{Bending, Edge, Fabric, Grid, Pattern, Raw, SpringKind};

/// Stiffness that springs give a fabric on a given mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stiffness {
    /// Tensile stiffness along warp and weft, N/m.
    pub stretch: [f64; 2],
    /// Shear stiffness, N/m.
    pub shear: f64,
}

/// Why springs cannot be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unmatched {
    /// At this curvature the springs' own in-plane stiffness already exceeds the fabric's.
    Flexion { stiffness: f64 },
    /// Shear and stretch cannot both be met, e.g. shear far above stretch.
    Stretch,
}

/// Rest shape of a cloth, as its elements need it.
pub(crate) struct Rest<'a> {
    /// Number of the first particle.
    pub first: u32,
    pub triangles: &'a [[u32; 3]],
    pub edges: &'a [Edge],
    /// Angle from x to the warp, degrees.
    pub grain: f64,
    /// Material coordinates, scaled and turned by the grain: u is the warp.
    pub uv: &'a [[[f64; 2]; 3]],
    /// Area of each triangle, m².
    pub area: &'a [f64],
    /// Shape that defines rest angles; flat if absent.
    pub shape: Option<&'a [Vec3]>,
    /// Whether lengths across an edge come from `shape` too.
    pub curved: bool,
    pub grid: Option<Grid>,
    /// Divisor of hinge stiffnesses on meshes that are not grids.
    pub bend_factor: f64,
    /// Whether a clamp ends at each edge; empty without clamps.
    pub clamped: &'a [bool],
}

impl Rest<'_> {
    /// Factor on the bending stiffness of an edge: 2 where a clamp ends, because only one side bends there.
    pub fn clamp_factor(&self, edge: usize) -> f64 {
        if self.clamped.get(edge) == Some(&true) { 2.0 } else { 1.0 }
    }

    /// uv of a vertex in one of its triangles.
    pub fn uv_of(&self, triangle: u32, vertex: u32) -> [f64; 2] {
        let t = triangle as usize;
        let corner = self.triangles[t].iter().position(|&v| v == vertex).expect("an edge belongs to its triangles");
        self.uv[t][corner]
    }
}

/// A spring before it has a constant.
struct Line {
    a: u32,
    b: u32,
    kind: SpringKind,
    length: f64,
    /// Cosine and sine of the angle to the warp.
    direction: [f64; 2],
    /// Area of the triangles at its edge, m².
    area: f64,
    /// Hinge of the edge it spans, if any: (|e|²/(A0 + A1), heights of the two triangles).
    spans: Option<(f64, [f64; 2])>,
}

/// Springs and hinges of a fabric, and their stiffness if it differs from the fabric's.
pub(crate) fn from_fabric(
    rest: &Rest,
    fabric: &Fabric,
    bending: Bending,
) -> Result<(Network, Option<Stiffness>), Unmatched> {
    let total: f64 = rest.area.iter().sum();
    let mut network = Network::default();
    let mut lines = lines(rest);
    lines.retain(|line| line.kind != SpringKind::Flexion || matches!(bending, Bending::Flexion { .. }));

    // flexion springs come first because they add to the stretch stiffness
    let mut own = [0.0; 3];
    if let Bending::Flexion { curvature } = bending {
        for line in lines.iter().filter(|line| line.kind == SpringKind::Flexion) {
            let k = flexion(line, fabric, curvature);
            add(&mut own, line, k * line.length * line.length / total);
            network.push(rest.first, line, k);
        }
    }

    lines.retain(|line| line.kind != SpringKind::Flexion);
    let weights = match_stretch_and_shear(&lines, total, fabric, own)?;
    let mut got = own;
    for (line, f) in lines.iter().zip(weights) {
        add(&mut got, line, f * line.area / total);
        network.push(rest.first, line, f * line.area / (line.length * line.length));
    }
    if bending == Bending::Hinge {
        let bend = hinge_bend(rest, fabric.bend);
        network.hinges = hinges(rest, |_, flat, geometry| {
            let [c, s] = flat.direction;
            // an edge folds the yarns that run across it
            (bend[0] * s * s + bend[1] * c * c) * geometry
        });
    }
    let stiffness =
        Stiffness { stretch: [got[0] - got[2] * got[2] / got[1], got[1] - got[2] * got[2] / got[0]], shear: got[2] };
    let exact = (stiffness.shear - fabric.shear).abs() <= 1e-6 * fabric.shear.max(1e-6 * fabric.stretch[0]);
    Ok((network, (!exact).then_some(stiffness)))
}

/// Springs and hinges with the constants of a paper.
pub(crate) fn from_raw(rest: &Rest, raw: &Raw, bending: Bending) -> Network {
    let mut network = Network::default();
    for line in lines(rest) {
        let k = match line.kind {
            SpringKind::Structural => raw.structural,
            SpringKind::Shear => raw.shear,
            SpringKind::Flexion if matches!(bending, Bending::Flexion { .. }) => raw.flexion,
            SpringKind::Flexion => 0.0,
        };
        if k > 0.0 {
            network.push(rest.first, &line, k);
        }
    }
    if bending == Bending::Hinge && raw.hinge > 0.0 {
        network.hinges = hinges(rest, |_, _, _| raw.hinge);
    }
    network
}

impl Network {
    fn push(&mut self, first: u32, line: &Line, k: f64) {
        self.springs[line.kind as usize].push(Spring { a: first + line.a, b: first + line.b, k, rest: line.length });
    }
}

fn add(sums: &mut [f64; 3], line: &Line, weight: f64) {
    let basis = quartics(line.direction);
    (0..3).for_each(|i| sums[i] += weight * basis[i]);
}

/// c⁴, s⁴, c² s².
fn quartics([c, s]: [f64; 2]) -> [f64; 3] {
    [c * c * c * c, s * s * s * s, c * c * s * s]
}

/// C11, C22, C66 = C12 of the sheet with this uniaxial stretch and this shear.
fn membrane([e1, e2]: [f64; 2], g: f64) -> [f64; 3] {
    let c11 = 0.5 * (e1 + (e1 * e1 + 4.0 * g * g * e1 / e2).sqrt());
    [c11, c11 * e2 / e1, g]
}

/// f(φ) of every line so that the sheet has the fabric's stretch, and its shear or the nearest that springs can have.
///
/// No spring may push. Edges in many directions cannot shear as easily as a woven fabric; long cells cannot resist
/// shear as much as a stiff one, because their diagonals lie too near to the axes and would take all of the stretch.
fn match_stretch_and_shear(lines: &[Line], total: f64, fabric: &Fabric, own: [f64; 3]) -> Result<Vec<f64>, Unmatched> {
    let with_shear = |g: f64| {
        let target = membrane(fabric.stretch, g);
        fit(lines, total, [0, 1, 2].map(|i| target[i] - own[i]))
    };
    let target = membrane(fabric.stretch, fabric.shear);
    if target[0] <= own[0] || target[1] <= own[1] {
        return Err(Unmatched::Flexion { stiffness: own[0].max(own[1]) });
    }
    if let Some(f) = with_shear(fabric.shear) {
        return Ok(f);
    }
    // shears from a thousandth to the whole of the stretch are tried in the order of their distance from the wanted one
    let stretch = (fabric.stretch[0] * fabric.stretch[1]).sqrt();
    let far = |g: f64| (g / fabric.shear.max(1e-6 * stretch)).ln().abs();
    let mut tried: Vec<f64> = (0..=120).map(|i| stretch * 10f64.powf(f64::from(i) / 40.0 - 3.0)).collect();
    tried.sort_by(|a, b| far(*a).total_cmp(&far(*b)));
    let mut best = None;
    if let Some(mut near) = tried.into_iter().find(|g| with_shear(*g).is_some()) {
        let mut beyond = fabric.shear;
        for _ in 0..50 {
            let middle = 0.5 * (near + beyond);
            if with_shear(middle).is_some() { near = middle } else { beyond = middle }
        }
        best = with_shear(near).map(|f| (far(near), f));
    }
    // if the shear is too low for any exact solution, a network without springs at 45 degrees may be nearer
    if let Some((f, g)) = without_bias(lines, total, fabric.stretch)
        && best.as_ref().is_none_or(|(distance, _)| far(g) < *distance)
    {
        best = Some((far(g), f));
    }
    best.map(|(_, f)| f).ok_or(Unmatched::Stretch)
}

/// f(φ) of every line so that the sums are `wanted`; `None` if a spring would have to push.
fn fit(lines: &[Line], total: f64, wanted: [f64; 3]) -> Option<Vec<f64>> {
    // the matrix of the equations for α, β, 4γ has the sums of T q_i q_j / A, with q = c⁴, s⁴, c² s²
    let mut m = [[0.0; 3]; 3];
    for line in lines {
        let q = quartics(line.direction);
        (0..3).for_each(|i| (0..3).for_each(|j| m[i][j] += line.area / total * q[i] * q[j]));
    }
    let [alpha, beta, gamma] = solve3(m, wanted)?;
    let value = |line: &Line| {
        let q = quartics(line.direction);
        alpha * q[0] + beta * q[1] + gamma * q[2]
    };
    let f: Vec<f64> = lines.iter().map(value).collect();
    let largest = f.iter().copied().fold(0.0, f64::max);
    f.iter().all(|&f| f >= -1e-12 * largest).then(|| f.into_iter().map(|f| f.max(0.0)).collect())
}

/// f = max(0, cos 2φ (α c² - β s²)) with the wanted stretch, and the shear that comes out. The maximum makes it
/// nonlinear; a hundred rounds settle it.
fn without_bias(lines: &[Line], total: f64, stretch: [f64; 2]) -> Option<(Vec<f64>, f64)> {
    let value = |line: &Line, alpha: f64, beta: f64| {
        let [c, s] = line.direction;
        ((c * c - s * s) * (alpha * c * c - beta * s * s)).max(0.0)
    };
    let [mut alpha, mut beta] = stretch;
    let mut shear = 0.0;
    for _ in 0..100 {
        let mut got = [0.0; 3];
        lines.iter().for_each(|line| add(&mut got, line, value(line, alpha, beta) * line.area / total));
        let e = [got[0] - got[2] * got[2] / got[1], got[1] - got[2] * got[2] / got[0]];
        let sound = e.iter().all(|e| e.is_finite() && *e > 0.0);
        if !sound {
            return None;
        }
        alpha *= stretch[0] / e[0];
        beta *= stretch[1] / e[1];
        shear = got[2];
    }
    Some((lines.iter().map(|line| value(line, alpha, beta)).collect(), shear))
}

/// Cramer's rule; `None` if the equations depend on each other.
fn solve3(m: [[f64; 3]; 3], b: [f64; 3]) -> Option<[f64; 3]> {
    let m = glam::DMat3::from_cols_array_2d(&m); // the matrix is symmetric
    let scale = m.to_cols_array().iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let solvable = m.determinant().abs() > 1e-9 * scale * scale * scale;
    solvable.then(|| (m.inverse() * Vec3::from(b)).into())
}

/// Stiffness of a flexion spring that has the fabric's bending energy at one curvature κ.
///
/// Folded by θ the spring over heights h0, h1 shortens by h0 h1 θ²/(2 L), and θ = κ (h0 + h1)/2.
fn flexion(line: &Line, fabric: &Fabric, curvature: f64) -> f64 {
    let Some((geometry, [h0, h1])) = line.spans else { return 0.0 };
    let [c, s] = line.direction;
    let b = fabric.bend[0] * c * c + fabric.bend[1] * s * s;
    let theta = curvature * 0.5 * (h0 + h1);
    let shortening = h0 * h1 * theta * theta / (2.0 * line.length);
    b * geometry * theta * theta / (shortening * shortening)
}

/// Bending stiffness (along u and v) to give the hinges so that the sheet has that of the fabric along its axes.
///
/// A grid with alternating or crossed diagonals bent along x by κ lowers its energy by moving every second vertex, or
/// the centres, out of the cylinder. With cells a by b and u the fold that this takes away from the edges along y, the
/// energy of a cell is P (κ a - u)²/2 + R u²/2, so D_x = (a/b) P R/(P + R) with
/// ```text
/// alternating   P = B_x b/a      R = B_y (a/b)³ + (B_x b² + B_y a²)(a² + b²)/(a b³)
/// crossed       P = 2 B_x b/a    R = 2 B_y (a/b)³ + (B_x b² + B_y a²)(a² + b²)/(2 a b³)
/// ```
/// On square cells D = 5/6 B and 4/3 B. One diagonal takes nothing away. A few rounds solve D_x and D_y for B_x and
/// B_y.
fn hinge_bend(rest: &Rest, bend: [f64; 2]) -> [f64; 2] {
    let Some(Grid { size, cells, pattern }) = rest.grid else { return bend.map(|b| b / rest.bend_factor) };
    let share = match pattern {
        Pattern::OneDiagonal => return bend,
        Pattern::Alternating => 1.0,
        Pattern::Crossed => 2.0,
    };
    let cell = [size[0] / f64::from(cells[0]), size[1] / f64::from(cells[1])];
    let along = |a: f64, b: f64, bx: f64, by: f64| {
        let p = share * bx * b / a;
        let r = share * by * (a / b).powi(3) + (bx * b * b + by * a * a) * (a * a + b * b) / (share * a * b.powi(3));
        if p + r > 0.0 { (a / b) * p * r / (p + r) } else { 0.0 }
    };
    // the grid's x is the warp, the weft, or a direction between them, for which the mean stiffness is taken
    let turned = (rest.grain / 90.0).round();
    let straight = (rest.grain - 90.0 * turned).abs() < 1e-9;
    let (u, v) = match (straight, turned.rem_euclid(2.0) == 1.0) {
        (true, false) => (bend[0], bend[1]),
        (true, true) => (bend[1], bend[0]),
        (false, _) => (0.5 * (bend[0] + bend[1]), 0.5 * (bend[0] + bend[1])),
    };
    let mut given = [u, v];
    for _ in 0..200 {
        let got = [along(cell[0], cell[1], given[0], given[1]), along(cell[1], cell[0], given[1], given[0])];
        for (given, (want, got)) in given.iter_mut().zip([u, v].into_iter().zip(got)) {
            *given *= if got > 0.0 { want / got } else { 0.0 };
        }
    }
    match (straight, turned.rem_euclid(2.0) == 1.0) {
        (true, false) => given,
        (true, true) => [given[1], given[0]],
        (false, _) => {
            let factor = if u > 0.0 { 0.5 * (given[0] + given[1]) / u } else { 1.0 };
            bend.map(|b| b * factor)
        }
    }
}

/// Factor on the bending stiffness of hinges, along u and v, that gives the sheet the stiffness of the fabric.
pub(super) fn bend_correction(rest: &Rest, bend: [f64; 2]) -> [f64; 2] {
    let given = hinge_bend(rest, bend);
    [0, 1].map(|d| if bend[d] > 0.0 { given[d] / bend[d] } else { 1.0 })
}

/// A strip of cloth that bends like a beam, between the particles `a` and `b`.
pub(super) struct Beam {
    pub a: u32,
    pub b: u32,
    /// Length, m.
    pub length: f64,
    /// Cosine and sine of the angle to the warp.
    pub direction: [f64; 2],
    /// Area that the beam stands for, m².
    pub area: f64,
    /// Bending stiffness, N m².
    pub bend: f64,
}

/// Beams over every particle of a grid, as Provot's flexion springs, or over every inner edge of another mesh. A beam
/// of stiffness b and length L bent by κ has the energy b L κ²/2; on other meshes the sum over beams is scaled so that
/// the mean over warp and weft is the fabric's.
pub(super) fn beams(rest: &Rest, bend: [f64; 2]) -> Vec<Beam> {
    let mut lines = Vec::new();
    let grid = rest.grid.filter(|grid| grid.pattern != Pattern::Crossed);
    match grid {
        Some(grid) => two_apart(rest, grid, &mut lines),
        None => {
            for edge in rest.edges.iter().filter(|edge| edge.is_inner()) {
                let area: f64 = edge.triangles.iter().map(|&t| rest.area[t as usize]).sum();
                lines.push(across(rest, edge, &flat_edge(rest, edge), SpringKind::Flexion, area));
            }
        }
    }
    let along = |line: &Line| bend[0] * line.direction[0].powi(2) + bend[1] * line.direction[1].powi(2);
    let scale = match grid {
        Some(_) => 1.0,
        None => {
            let quartic = |line: &Line| quartics(line.direction)[0] + quartics(line.direction)[1];
            let got: f64 = lines.iter().map(|line| line.area * along(line) * quartic(line)).sum();
            let wanted = (bend[0] + bend[1]) * rest.area.iter().sum::<f64>();
            if got > 0.0 { wanted / got } else { 1.0 }
        }
    };
    let beam = |line: &Line| Beam {
        a: rest.first + line.a,
        b: rest.first + line.b,
        length: line.length,
        direction: line.direction,
        area: line.area,
        bend: scale * along(line) * line.area / line.length,
    };
    lines.iter().map(beam).collect()
}

/// An edge in the material plane of its first triangle.
pub(super) struct FlatEdge {
    pub length: f64,
    pub direction: [f64; 2],
    /// For each triangle: foot of the third vertex along the edge, and its height.
    apex: [[f64; 2]; 2],
}

pub(super) fn flat_edge(rest: &Rest, edge: &Edge) -> FlatEdge {
    // returns the edge and the vector to the third vertex, in the uv of one triangle
    let side = |i: usize| {
        let corner = |v: u32| rest.uv_of(edge.triangles[i], v);
        let (p, q, r) = (corner(edge.v[0]), corner(edge.v[1]), corner(edge.opposite[i]));
        ([q[0] - p[0], q[1] - p[1]], [r[0] - p[0], r[1] - p[1]])
    };
    let measure = |(e, d): ([f64; 2], [f64; 2])| {
        let length = e[0].hypot(e[1]);
        let (along, across) = ((d[0] * e[0] + d[1] * e[1]) / length, (d[1] * e[0] - d[0] * e[1]) / length);
        (length, [along, across.abs()])
    };
    let first = side(0);
    let (length0, apex0) = measure(first);
    let direction = [first.0[0] / length0, first.0[1] / length0];
    if edge.is_inner() {
        let (length1, apex1) = measure(side(1));
        // across a seam the two sides may differ
        FlatEdge { length: 0.5 * (length0 + length1), direction, apex: [apex0, apex1] }
    } else {
        FlatEdge { length: length0, direction, apex: [apex0, [0.0, 0.0]] }
    }
}

/// Rest lengths of all edges, in their order.
pub(crate) fn edge_lengths(rest: &Rest) -> Vec<f64> {
    rest.edges.iter().map(|edge| flat_edge(rest, edge).length).collect()
}

fn lines(rest: &Rest) -> Vec<Line> {
    let mut lines = Vec::with_capacity(3 * rest.edges.len());
    for edge in rest.edges {
        let flat = flat_edge(rest, edge);
        let area: f64 = edge.triangles.iter().filter_map(|&t| rest.area.get(t as usize)).sum();
        let kind = kind_of(rest, edge);
        let [a, b] = edge.v;
        lines.push(Line { a, b, kind, length: flat.length, direction: flat.direction, area, spans: None });
        let flexion_here = rest.grid.is_none_or(|grid| grid.pattern == Pattern::Crossed);
        if edge.is_inner() && (kind == SpringKind::Shear || flexion_here) {
            let kind = if kind == SpringKind::Shear { SpringKind::Shear } else { SpringKind::Flexion };
            lines.push(across(rest, edge, &flat, kind, area));
        }
    }
    if let Some(grid) = rest.grid.filter(|grid| grid.pattern != Pattern::Crossed) {
        two_apart(rest, grid, &mut lines);
    }
    // sorting by the first vertex makes neighbours in the cloth neighbours in memory
    lines.iter_mut().filter(|line| line.a > line.b).for_each(|line| std::mem::swap(&mut line.a, &mut line.b));
    lines.sort_by_key(|line| (line.kind, line.a, line.b));
    lines
}

/// Purpose of a spring along an edge.
pub(crate) fn kind_of(rest: &Rest, edge: &Edge) -> SpringKind {
    if is_structural(rest, edge, &flat_edge(rest, edge)) { SpringKind::Structural } else { SpringKind::Shear }
}

/// Whether an edge is structural: on grids a side of a cell, elsewhere an edge nearer to warp or weft than to the bias.
fn is_structural(rest: &Rest, edge: &Edge, flat: &FlatEdge) -> bool {
    match rest.grid {
        Some(grid) => {
            let corners = (grid.cells[0] + 1) * (grid.cells[1] + 1);
            let step = edge.v[0].abs_diff(edge.v[1]);
            edge.v.iter().all(|&v| v < corners) && (step == 1 || step == grid.cells[0] + 1)
        }
        None => {
            let [c, s] = flat.direction;
            (c * c - s * s) * (c * c - s * s) > 0.5
        }
    }
}

/// The spring that joins the two vertices opposite an edge.
fn across(rest: &Rest, edge: &Edge, flat: &FlatEdge, kind: SpringKind, area: f64) -> Line {
    let [[foot0, h0], [foot1, h1]] = flat.apex;
    let [e, n] = [flat.direction, normal_side(rest, edge, flat.direction)];
    let (along, upright) = (foot0 - foot1, h0 + h1);
    let flat_length = along.hypot(upright);
    let direction = [(along * e[0] + upright * n[0]) / flat_length, (along * e[1] + upright * n[1]) / flat_length];
    let [a, b] = edge.opposite;
    let length = match rest.shape {
        Some(shape) if rest.curved => shape[a as usize].distance(shape[b as usize]),
        _ => flat_length,
    };
    let geometry = flat.length * flat.length / area;
    Line { a, b, kind, length, direction, area, spans: Some((geometry, [h0, h1])) }
}

/// The normal of an edge in uv, on the side of its first triangle.
fn normal_side(rest: &Rest, edge: &Edge, e: [f64; 2]) -> [f64; 2] {
    let uv = |v: u32| rest.uv_of(edge.triangles[0], v);
    let (p, r) = (uv(edge.v[0]), uv(edge.opposite[0]));
    let side = (r[1] - p[1]) * e[0] - (r[0] - p[0]) * e[1];
    if side >= 0.0 { [-e[1], e[0]] } else { [e[1], -e[0]] }
}

/// Provot's flexion springs on a grid: over one particle along both directions.
fn two_apart(rest: &Rest, grid: Grid, lines: &mut Vec<Line>) {
    let [nx, ny] = grid.cells;
    let scale = (rest.area.iter().sum::<f64>() / (grid.size[0] * grid.size[1])).sqrt();
    let cell = [scale * grid.size[0] / f64::from(nx), scale * grid.size[1] / f64::from(ny)];
    // a side of the first cell gives the direction of the grid's x in uv
    let bottom = flat_edge(rest, rest.edges.iter().find(|e| is_side(e, 0, 1)).expect("a grid has a first cell"));
    let [c, s] = bottom.direction;
    let u = if rest.edges.iter().any(|e| e.v == [0, 1]) { [c, s] } else { [-c, -s] };
    let v = [-u[1], u[0]];
    let number = |i: u32, j: u32| j * (nx + 1) + i;
    let mut add = |a: u32, b: u32, direction: [f64; 2], l: f64, width: f64| {
        lines.push(Line {
            a,
            b,
            kind: SpringKind::Flexion,
            length: 2.0 * l,
            direction,
            area: l * width,
            spans: Some((width / l, [l, l])),
        });
    };
    for j in 0..=ny {
        for i in 0..=nx {
            let share = |k: u32, n: u32, l: f64| if k == 0 || k == n { 0.5 * l } else { l };
            if i + 2 <= nx {
                add(number(i, j), number(i + 2, j), u, cell[0], share(j, ny, cell[1]));
            }
            if j + 2 <= ny {
                add(number(i, j), number(i, j + 2), v, cell[1], share(i, nx, cell[0]));
            }
        }
    }
}

fn is_side(edge: &Edge, a: u32, b: u32) -> bool {
    edge.v == [a, b] || edge.v == [b, a]
}

/// A hinge on every inner edge, with stiffness(edge, in the plane, |e|²/(A0 + A1)), doubled where a clamp ends.
pub(super) fn hinges(rest: &Rest, stiffness: impl Fn(&Edge, &FlatEdge, f64) -> f64) -> Vec<Hinge> {
    let inner = rest.edges.iter().enumerate().filter(|(_, edge)| edge.is_inner());
    inner
        .map(|(number, edge)| {
            let flat = flat_edge(rest, edge);
            let area: f64 = edge.triangles.iter().map(|&t| rest.area[t as usize]).sum();
            let local = [edge.v[0], edge.v[1], edge.opposite[0], edge.opposite[1]];
            Hinge {
                v: local.map(|v| rest.first + v),
                k: rest.clamp_factor(number) * stiffness(edge, &flat, flat.length * flat.length / area),
                rest: rest.shape.map_or(0.0, |shape| hinge::angle(&local.map(|v| shape[v as usize]))),
            }
        })
        .collect()
}

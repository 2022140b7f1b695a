//! Sections 1 and 2, sheets: clamped strips in three dimensions.
//!
//! Hinges make a plate with a Poisson ratio of the mesh, so a strip bends like a cylinder if it is wide (stiffness B)
//! and like a beam if it is narrow (B times `narrow`). Its tip lies between the two elasticas.

use super::cloth::{self, CONTINUA, Rest, SPRINGS, WEIGHT, fabric};
use super::elastica;
use crate::comparison::{Judge, Row};
use taffeta::*;

/// The bracket is widened by this share of the length and by half a degree.
const MARGIN: f64 = 0.01;
const DEGREES: f64 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Grid(Pattern),
    Equilateral,
    Random(u64),
}

impl Kind {
    pub const ALTERNATING: Self = Self::Grid(Pattern::Alternating);

    pub fn name(self) -> String {
        match self {
            Self::Grid(Pattern::OneDiagonal) => "one diagonal".into(),
            Self::Grid(Pattern::Alternating) => "alternating".into(),
            Self::Grid(Pattern::Crossed) => "crossed".into(),
            Self::Equilateral => "equilateral".into(),
            Self::Random(seed) => format!("random {seed}"),
        }
    }

    /// Stiffness of a narrow strip over that of a wide one: 1 - ν².
    fn narrow(self) -> Option<f64> {
        match self {
            Self::Grid(Pattern::Alternating) => Some(0.96),
            Self::Equilateral => Some(8.0 / 9.0),
            _ => None,
        }
    }
}

/// A horizontal strip along x, clamped where x ≤ 0.
pub struct Strip {
    pub kind: Kind,
    pub model: Model,
    pub length: f64,
    /// Cells along the length.
    pub n: u32,
    /// About this wide, m.
    pub width: f64,
    pub fabric: Fabric,
    /// Degrees from the strip to the warp.
    pub grain: f64,
    pub gravity: f64,
    /// N/m at the tip, downwards.
    pub tip: f64,
}

/// Where its tip comes to rest.
pub struct Bent {
    pub y: f64,
    pub chord: f64,
    /// Of the tip's edge, degrees.
    pub twist: f64,
    /// Largest relative elongation of an edge: references do not stretch.
    pub stretch: f64,
}

impl Strip {
    pub fn heavy(kind: Kind, model: Model, gamma: f64, n: u32) -> Self {
        let length: f64 = 0.1;
        let bend = WEIGHT * length.powi(3) / gamma;
        Self {
            kind,
            model,
            length,
            n,
            width: 0.03,
            fabric: Fabric { shear: 1000.0, bend: [bend; 2], ..fabric() },
            grain: 0.0,
            gravity: 9.81,
            tip: 0.0,
        }
    }

    /// The mesh, and its vertices with the clamp's end at 0 and the strip along x.
    fn mesh(&self) -> (Mesh, Vec<Vec3>) {
        let cell = self.length / f64::from(self.n);
        let (mesh, outside) = match self.kind {
            Kind::Grid(pattern) => {
                // an even number has a vertex in the middle
                let across = 2 * ((0.5 * self.width / cell).round() as u32).max(1);
                (cloth::grid([self.length + cell, cell * f64::from(across)], [self.n + 1, across], pattern), cell)
            }
            Kind::Equilateral => {
                let edge = cell / 0.75f64.sqrt();
                let columns = (self.width / edge).round();
                (Mesh::equilateral([columns * edge, self.length + cell], edge).unwrap(), cell)
            }
            // no row ends the clamp: it is longer, so that at least all of its inside holds
            Kind::Random(seed) => {
                (Mesh::random([self.length + 3.0 * cell, self.width], cell, seed).unwrap(), 3.0 * cell)
            }
        };
        let turned = self.kind == Kind::Equilateral;
        let along = |p: &Vec3| if turned { [p.y, p.x] } else { [p.x, -p.y] };
        let first = mesh.rest.iter().map(|p| along(p)[0]).fold(f64::INFINITY, f64::min);
        let start = mesh.rest.iter().map(|p| Vec3::new(along(p)[0] - first - outside, 0.0, along(p)[1])).collect();
        (mesh, start)
    }

    pub fn rest(&self) -> Bent {
        let (mesh, start) = self.mesh();
        let near = 1e-6 * self.length;
        let held = |p: &Vec3| p.x < near;
        let at_tip = |p: &Vec3| p.x > self.length - near;
        let select = |test: &dyn Fn(&Vec3) -> bool| -> Vec<u32> {
            (0..start.len()).filter(|&i| test(&start[i])).map(|i| i as u32).collect()
        };
        let (clamped, tip) = (select(&held), select(&at_tip));
        let mut made = cloth::sheet(mesh, self.fabric, self.model);
        made.grain = self.grain;
        let clamp = self.model.bending().is_some();
        made.pins = vec![Pin { clamp, ..Pin::fixed(Select::Vertices(clamped)) }];
        let wide = tip.iter().map(|&i| start[i as usize].z.abs()).fold(0.0, f64::max);
        let total = Vec3::new(0.0, -2.0 * wide * self.tip, 0.0);
        if self.tip != 0.0 {
            // half at the corners
            let parts = (tip.len() - 1) as f64;
            made.loads = (tip.iter())
                .map(|&i| {
                    let share = if start[i as usize].z.abs() > wide - near { 0.5 } else { 1.0 };
                    let force = vec![(0.0, total * (share / parts))];
                    Load { select: Select::Vertices(vec![i]), force, from: 0.0, until: f64::INFINITY }
                })
                .collect();
        }
        made.start = Some(start.clone());
        let setup = Setup { gravity: Vec3::new(0.0, -self.gravity, 0.0), ..Setup::with_cloth(made) };
        let rest = Rest::new(setup, 1e-6);

        let x = |i: u32| rest.state.x[i as usize];
        let side = |i: &u32| start[*i as usize].z;
        let middle = tip.iter().map(|i| side(i).abs()).fold(f64::INFINITY, f64::min);
        let inner: Vec<Vec3> = tip.iter().filter(|i| side(i).abs() < middle + near).map(|&i| x(i)).collect();
        let at = inner.iter().copied().sum::<Vec3>() / inner.len() as f64 / self.length;
        let left = tip.iter().copied().min_by(|i, j| side(i).total_cmp(&side(j))).unwrap();
        let right = tip.iter().copied().max_by(|i, j| side(i).total_cmp(&side(j))).unwrap();
        let across = x(right) - x(left);
        let stretch = measure(&rest.world, &rest.state).max_stretch;
        let twist = across.y.atan2(across.z).to_degrees().abs();
        Bent { y: rest.value(at.y), chord: (-at.y).atan2(at.x).to_degrees(), twist, stretch }
    }
}

/// Rows of y and the chord between the elasticas of B and of `narrow` B.
pub fn bracket(section: &'static str, what: &str, bent: &Bent, wide: elastica::Tip, narrow: elastica::Tip) -> [Row; 2] {
    let y = Judge::Between(narrow.y - MARGIN, wide.y + MARGIN);
    let chord = Judge::Between(wide.chord - DEGREES, narrow.chord + DEGREES);
    [
        Row::new(section, format!("{what}: y/L"), wide.y, bent.y, y),
        Row::new(section, format!("{what}: chord, degrees"), wide.chord, bent.chord, chord),
    ]
}

/// 1.2: heavy strips on every mesh.
pub fn heavy_strips() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for kind in [Kind::ALTERNATING, Kind::Equilateral] {
            for gamma in [1.0, 2.0, 5.0, 8.0, 10.0, 20.0, 50.0] {
                // an edge of 5 mm is long for a radius of 10 mm: it would have to stretch
                let n = if gamma < 20.0 { 20 } else { 60 };
                let what = format!("heavy strip, Γ = {gamma}, {}, n = {n}, {}", kind.name(), model.name());
                let bent = Strip::heavy(kind, model, gamma, n).rest();
                let narrow = elastica::tip(gamma / kind.narrow().unwrap_or(1.0), 0.0);
                rows.extend(bracket("1.2", &what, &bent, elastica::tip(gamma, 0.0), narrow));
                rows.push(Row::new("1.2", format!("{what}: largest stretch"), 1e-3, bent.stretch, Judge::AtMost));
            }
        }
    }
    rows.extend(reported_strips());
    rows
}

/// Meshes and models that are not held to the bracket.
fn reported_strips() -> Vec<Row> {
    let [one, crossed] = [Pattern::OneDiagonal, Pattern::Crossed].map(Kind::Grid);
    let mut cases: Vec<(Kind, Model, f64, u32)> = Vec::new();
    for gamma in [1.0, 8.0] {
        cases.extend([one, crossed, Kind::Random(1), Kind::Random(2)].map(|kind| (kind, CONTINUA[0], gamma, 20)));
        cases.push((Kind::Random(1), CONTINUA[0], gamma, 40));
        cases.push((Kind::ALTERNATING, SPRINGS, gamma, 20));
        cases.push((Kind::ALTERNATING, Model::ChoiKo, gamma, 20));
    }
    cases.extend([20.0, 50.0].map(|gamma| (Kind::ALTERNATING, CONTINUA[0], gamma, 20)));
    let mut rows = Vec::new();
    for (kind, model, gamma, n) in cases {
        let what = format!("heavy strip, Γ = {gamma}, {}, n = {n}, {}", kind.name(), model.name());
        let (bent, exact) = (Strip::heavy(kind, model, gamma, n).rest(), elastica::tip(gamma, 0.0));
        rows.push(Row::new("1.2", format!("{what}: y/L"), exact.y, bent.y, Judge::Reported));
        if kind == one {
            let what = format!("{what}: twist of the tip, degrees");
            rows.push(Row::new("1.2", what, 0.0, bent.twist, Judge::Reported));
        }
    }
    // beams that hardly give along themselves bend sooner
    let mut strip = Strip::heavy(Kind::ALTERNATING, Model::ChoiKo, 8.0, 20);
    strip.fabric.stretch = [1e6; 2];
    let what = "heavy strip, Γ = 8, alternating, n = 20, choi-ko, k = 1e6 N/m: y/L";
    rows.push(Row::new("1.2", what, elastica::tip(8.0, 0.0).y, strip.rest().y, Judge::Reported));
    rows
}

/// 2.1: a load at the tip of a strip.
pub fn loaded_strips() -> Vec<Row> {
    let mut rows = Vec::new();
    for model in CONTINUA {
        for p in [0.5, 2.0, 10.0] {
            let kind = Kind::ALTERNATING;
            let strip = Strip { gravity: 0.0, ..Strip::heavy(kind, model, 10.0, 20) };
            let tip = p * strip.fabric.bend[0] / strip.length.powi(2);
            let bent = Strip { tip, ..strip }.rest();
            let what = format!("strip with load P L²/B = {p}, alternating, n = 20, {}", model.name());
            rows.extend(bracket("2.1", &what, &bent, elastica::tip(0.0, p), elastica::tip(0.0, p / 0.96)));
        }
    }
    rows
}

/// 7.5: warp ten times as stiff as weft; each direction bends with its own Γ.
pub fn orthotropic_strips() -> Vec<Row> {
    let mut rows = Vec::new();
    for (gamma, grain, name) in [(1.0, 0.0, "warp"), (10.0, 90.0, "weft")] {
        for kind in [Kind::Grid(Pattern::OneDiagonal), Kind::ALTERNATING] {
            let mut strip = Strip { grain, ..Strip::heavy(kind, CONTINUA[0], 1.0, 20) };
            strip.fabric.bend[1] = 0.1 * strip.fabric.bend[0];
            let bent = strip.rest();
            let what = format!("strip along the {name}, bend.warp = 10 bend.weft, Γ = {gamma}, {}", kind.name());
            // one diagonal lets a strip twist: least (1 + b)² + 4 m b², m the mean of both stiffnesses over its own
            let mean = 0.5 * (1.0 + if grain == 0.0 { 0.1 } else { 10.0 });
            let narrow = if kind == Kind::ALTERNATING { 0.96 } else { 4.0 * mean / (1.0 + 4.0 * mean) };
            let narrow = elastica::tip(gamma / narrow, 0.0);
            rows.extend(bracket("7.5", &what, &bent, elastica::tip(gamma, 0.0), narrow));
        }
    }
    rows
}

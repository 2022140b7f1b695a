//! Section 11.2 to 11.7: a whole round cloth on a round support falls into folds.

use super::cloth::{self, CONTINUA, Rest, fabric};
use super::shadow::Shadow;
use super::wedge::drape_coefficient;
use crate::comparison::{Judge, Row};
use std::f64::consts::PI;
use taffeta::*;

/// A round cloth that lies flat on a support and hangs over it.
#[derive(Clone)]
pub struct Disc {
    pub fabric: Fabric,
    /// Of support and cloth, m.
    pub radii: [f64; 2],
    /// Of the triangles, m.
    pub edge: f64,
    /// Of the places at the start, 0.1 mm along every axis.
    pub seed: u64,
    /// Multiplies all lengths above.
    pub scale: f64,
    /// m/s².
    pub gravity: f64,
    /// Instead of the flat cloth with noise.
    pub start: Option<Vec<Vec3>>,
}

/// The shape it comes to, before it is scaled.
pub struct Draped {
    pub coefficient: f64,
    pub folds: u32,
    pub iterations: u32,
    pub x: Vec<Vec3>,
}

impl Disc {
    /// 30 cm on 18 cm.
    pub fn new(fabric: Fabric, edge: f64, seed: u64) -> Self {
        Self { fabric, radii: [0.09, 0.15], edge, seed, scale: 1.0, gravity: 9.81, start: None }
    }

    pub fn rest(&self) -> Draped {
        let [support, radius] = self.radii;
        let mesh = Mesh::disc(radius, self.edge, &[support]).unwrap();
        let flat: Vec<Vec3> = mesh.rest.iter().map(|p| Vec3::new(p.x, 0.0, -p.y)).collect();
        let mut made = cloth::sheet(mesh, self.fabric, CONTINUA[0]);
        made.noise = self.start.is_none().then_some(Noise { size: 1e-4 * self.scale, seed: self.seed });
        made.start = Some(self.start.clone().unwrap_or_else(|| flat.clone()));
        made.place.scale = self.scale;
        let select = Select::Sphere { centre: Vec3::ZERO, radius: support * self.scale };
        made.pins = vec![Pin::clamped(select)];
        let rest = Rest::new(Setup { gravity: Vec3::Y * -self.gravity, ..Setup::with_cloth(made) }, 1e-6);
        let x: Vec<Vec3> = rest.state.x.iter().map(|x| *x / self.scale).collect();
        let [flat, draped] = [&flat, &x].map(|x| Shadow::new(support, radius, x, &rest.world.triangles));
        let disc = PI * support * support;
        let coefficient = rest.value((draped.area() - disc) / (flat.area() - disc));
        Draped { coefficient, folds: draped.folds(), iterations: rest.report.iterations, x }
    }
}

/// The test cloth with another bending length.
pub fn stiff(c: f64) -> Fabric {
    Fabric { bend: [fabric().density * 9.81 * c.powi(3); 2], ..fabric() }
}

/// With its density, its stiffness in the plane and in bending multiplied.
fn times(fabric: &Fabric, density: f64, stretch: f64, bend: f64) -> Fabric {
    Fabric {
        density: density * fabric.density,
        stretch: fabric.stretch.map(|k| stretch * k),
        shear: stretch * fabric.shear,
        bend: fabric.bend.map(|b| bend * b),
        ..*fabric
    }
}

fn name(disc: &Disc) -> String {
    let c = (disc.fabric.bend[0] / (disc.fabric.density * 9.81)).cbrt();
    format!("c = {:.2} cm, edges {:.0} mm, seed {}", 100.0 * c, 1e3 * disc.edge, disc.seed)
}

const SAME: Judge = Judge::Relative(1e-3);

/// A heavier cloth that is stiffer by as much.
pub fn heavier(disc: &Disc, factor: f64) -> Row {
    let other = Disc { fabric: times(&disc.fabric, factor, factor, factor), ..disc.clone() };
    let what = format!("{}: DC with ρ, B, k and shear times {factor}", name(disc));
    Row::new("11.2", what, disc.rest().coefficient, other.rest().coefficient, SAME)
}

/// 11.2: only B/ρg and k/ρg count.
pub fn heavier_cloths() -> Vec<Row> {
    let cloths = [(fabric(), 0.008, 1), (fabric(), 0.008, 3), (fabric(), 0.006, 1), (stiff(0.03), 0.008, 2)];
    let mut rows: Vec<Row> = cloths.map(|(fabric, edge, seed)| heavier(&Disc::new(fabric, edge, seed), 2.0)).into();
    rows.push(heavier(&Disc::new(fabric(), 0.008, 3), 3.0));
    rows
}

/// A cloth `scale` times as large: B/ρg grows with its cube, k/ρg with itself.
pub fn larger(disc: &Disc, scale: f64, judge: Judge) -> Vec<Row> {
    let own = disc.rest();
    // with g times the scale times stay the same, and with them the way to the equilibrium
    let same_way = Disc {
        fabric: times(&disc.fabric, 1.0, scale.powi(2), scale.powi(4)),
        scale,
        gravity: scale * disc.gravity,
        ..disc.clone()
    };
    let other_way = Disc { fabric: times(&disc.fabric, 1.0, scale, scale.powi(3)), scale, ..disc.clone() };
    let stays = Disc { start: Some(own.x.clone()), ..other_way.clone() }.rest();
    let row = |what: &str, found: f64, judge: Judge| {
        Row::new("11.3", format!("{}, {scale} times as large: DC{what}", name(disc)), own.coefficient, found, judge)
    };
    let moved = Row::new(
        "11.3",
        format!("{}, {scale} times as large, from the same shape: iterations", name(disc)),
        0.0,
        f64::from(stays.iterations),
        Judge::AtMost,
    );
    vec![
        row(", g too", same_way.rest().coefficient, SAME),
        row(", from the same shape", stays.coefficient, SAME),
        moved,
        row("", other_way.rest().coefficient, judge),
    ]
}

/// 11.3: lengths times s.
pub fn larger_cloths() -> Vec<Row> {
    let mut rows = Vec::new();
    for scale in [0.5, 2.0] {
        rows.extend(larger(&Disc::new(stiff(0.03), 0.008, 2), scale, SAME));
        // limp cloth has many equilibria
        rows.extend(larger(&Disc::new(fabric(), 0.008, 3), scale, Judge::Reported));
    }
    rows
}

/// Each has a larger coefficient than the one before.
fn rising(cloths: Vec<(String, Fabric)>) -> Vec<Row> {
    let mut before = 0.0;
    let row = |(what, fabric): (String, Fabric)| {
        let found = Disc::new(fabric, 0.008, 1).rest().coefficient;
        let row = Row::new("11.4", what, before, found, Judge::Between(before, 1.0));
        before = found;
        row
    };
    cloths.into_iter().map(row).collect()
}

/// 11.4: stiffer cloth falls less.
pub fn stiffer_cloths() -> Vec<Row> {
    let bend = |c: f64| (format!("c = {} cm: DC, reference: the softer one", 100.0 * c), stiff(c));
    let shear = |k: f64| (format!("shear {k} N/m: DC, reference: the softer one"), Fabric { shear: k, ..fabric() });
    let mut rows = rising([0.01, 0.015, 0.02, 0.03, 0.045].map(bend).into());
    rows.extend(rising([5.0, 50.0, 500.0].map(shear).into()));
    rows
}

/// 11.5: limp cloth still has a shadow, and stiff cloth that of the flat one.
pub fn limits() -> Vec<Row> {
    let row = |c: f64, reference: f64, judge: Judge| {
        let found = Disc::new(stiff(c), 0.008, 1).rest().coefficient;
        Row::new("11.5", format!("c = {} cm: DC", 100.0 * c), reference, found, judge)
    };
    let cut = drape_coefficient(0.005, 0.09, 0.15);
    vec![
        row(0.005, cut, Judge::Between(cut, 1.0)),
        row(0.1, 1.0, Judge::Within(0.01)),
        row(0.2, 1.0, Judge::Within(0.01)),
    ]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Coefficients and folds for each of the first `count` seeds.
fn over_seeds(disc: &Disc, count: u64) -> [Vec<f64>; 2] {
    let found = (1..=count).map(|seed| Disc { seed, ..disc.clone() }.rest());
    let (coefficients, folds) = found.map(|found| (found.coefficient, f64::from(found.folds))).unzip();
    [coefficients, folds]
}

/// 11.6: how much depends on the start, and on the mesh.
pub fn seeds() -> Vec<Row> {
    let mut rows = Vec::new();
    for edge in [0.008, 0.006] {
        let count = 5;
        let found = over_seeds(&Disc::new(fabric(), edge, 0), count);
        for (of, values) in ["DC", "folds"].into_iter().zip(found) {
            let mut add = |which: &str, value: f64| {
                let what = format!("test cloth, edges {:.0} mm, {count} seeds: {which} {of}", 1e3 * edge);
                rows.push(Row::new("11.6", what, mean(&values), value, Judge::Reported));
            };
            add("mean", mean(&values));
            add("least", values.iter().copied().fold(f64::INFINITY, f64::min));
            add("most", values.iter().copied().fold(0.0, f64::max));
        }
    }
    rows
}

/// 11.7: four measured fabrics (M. Matsudaira et al., Journal of Textile Engineering 61(6), 2015) have the order of
/// their coefficients, and more than wedges of them. Of their sizes nothing is known: 25.4 cm on 12.7 cm, as is usual
/// in Japan.
pub fn measured() -> Vec<Row> {
    let mut rows = Vec::new();
    let radii = [0.0635, 0.127];
    let mut before: f64 = 0.0;
    for (name, dc, nodes, density, stretch, shear, poisson, bend) in [
        ("polyester faille", 0.283, 7.0, 0.1043, [1864.0, 822.5], 19.74, 0.381, 1.863e-6),
        ("wool tropical", 0.498, 5.0, 0.1629, [3212.0, 8617.0], 16.87, 0.277, 6.57e-6),
        ("polyester tropical", 0.507, 5.0, 0.1165, [2082.0, 918.7], 22.05, 0.381, 7.551e-6),
        ("cotton broadcloth", 0.829, 2.0, 0.1238, [3258.0, 8525.0], 55.01, 0.243, 1.157e-5),
    ] {
        let fabric = Fabric { density, stretch, shear, poisson, bend: [bend; 2], ..fabric() };
        let [coefficients, folds] = over_seeds(&Disc { radii, ..Disc::new(fabric, 0.006, 0) }, 2);
        let cut = drape_coefficient((bend / (density * 9.81)).cbrt(), radii[0], radii[1]);
        let found = mean(&coefficients);
        let what = format!("{name}, edges 6 mm, 2 seeds: mean");
        rows.push(Row::new("11.7", format!("{what} DC"), dc, found, Judge::Between(before.max(cut), 1.0)));
        rows.push(Row::new("11.7", format!("{what} folds"), nodes, mean(&folds), Judge::Reported));
        before = found;
    }
    rows
}

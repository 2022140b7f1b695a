//! Texture coordinates of a mesh file: lengths in metres, or a layout for a texture that says nothing about lengths.

use super::{
    Builder,
    doubt::{list, toml},
};
use crate::{document::Path, tree::quote, view::View};
use taffeta::{Mesh, Vec3};

/// How the uv of a file are understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Uv {
    /// Taken from the file; the scene does not say whether they are right.
    Unsaid,
    /// The uv are lengths in metres.
    Lengths,
    /// The uv are ignored; lengths come from the shape of the mesh.
    Ignore,
    /// The uv times these factors are lengths, m.
    Scale([f64; 2]),
}

impl Uv {
    /// Reads the setting from the table `mesh`.
    pub fn of(mesh: &View<'_>) -> Self {
        if mesh.node.is_none() {
            return Self::Unsaid;
        }
        let table = mesh.table("uv");
        match mesh.text("uv") {
            Some("ignore") => Self::Ignore,
            Some(_) => Self::Lengths,
            None if table.node.is_some() => match table.optional_number("scale") {
                Some(scale) => Self::Scale([scale; 2]),
                None => Self::Scale(table.vec2("scale")),
            },
            None => Self::Unsaid,
        }
    }

    /// The uv to use.
    pub fn apply(self, uv: Option<Vec<[[f64; 2]; 3]>>) -> Option<Vec<[[f64; 2]; 3]>> {
        match self {
            Self::Unsaid | Self::Lengths => uv,
            Self::Ignore => None,
            Self::Scale([u, v]) => uv.map(|uv| uv.into_iter().map(|t| t.map(|p| [u * p[0], v * p[1]])).collect()),
        }
    }
}

/// Metres in space per unit of uv: the quantiles 5 %, 50 % and 95 %, weighted by area.
type Spread = [f64; 3];

/// Ratios in this range mean lengths: the cloth is only a little stretched in its mesh.
const SAME: std::ops::RangeInclusive<f64> = 0.9..=1.1;
/// Ratios outside this range mean a texture layout.
const OTHER: std::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Ratios of one mesh that vary by more than this factor have no common scale.
const UNEVEN: f64 = 1.5;

impl Builder<'_> {
    /// Questions uv that are not lengths.
    pub(super) fn doubt_uv(&mut self, path: &Path, file: &str, mesh: &Mesh, said: Uv) {
        if !mesh.has_uv || said == Uv::Lengths {
            return;
        }
        let [along_u, along_v] = spreads(mesh);
        let uneven = |[low, _, high]: Spread| high > UNEVEN * low;
        let off = |[_, middle, _]: Spread| !SAME.contains(&middle);
        let far_off = |[_, middle, _]: Spread| !OTHER.contains(&middle);
        let both = [along_u, along_v];
        let no_scale = both.into_iter().any(uneven);
        let in_square = mesh.uv.as_flattened().as_flattened().iter().all(|c| (-1e-6..=1.0 + 1e-6).contains(c));
        let overlaps = in_square && mesh.uv.iter().map(area).sum::<f64>() > 1.001;
        let is_texture = in_square && (no_scale || overlaps || both.into_iter().any(far_off));
        if !is_texture && !no_scale && !both.into_iter().any(off) {
            return;
        }
        let old = if let Uv::Scale(scale) = said { scale } else { [1.0; 2] };
        let scale = [old[0] * along_u[1], old[1] * along_v[1]];
        let even = (scale[0] / scale[1]).ln().abs() < 0.02;
        let scale = if even { toml(0.5 * (scale[0] + scale[1])) } else { list(&scale) };
        let table = |uv: &str| format!("mesh = {{ file = {}, uv = {uv} }}", quote(file));
        let (ignore, scaled) = (table("\"ignore\""), table(&format!("{{ scale = {scale} }}")));
        let found = match no_scale {
            true => format!(
                "lengths in uv are {} to {} times those of the mesh",
                toml(1.0 / along_u[2].max(along_v[2])),
                toml(1.0 / along_u[0].min(along_v[0]))
            ),
            false => format!("lengths in uv are {} times those of the mesh", one_or_two(along_u[1], along_v[1])),
        };
        let why = match (is_texture, overlaps) {
            (true, true) => {
                format!("its uv are a texture layout, not lengths in metres: parts lie on each other, {found}")
            }
            (true, false) => format!(
                "its uv look like a texture layout, not like lengths in metres: all lie between 0 and 1, and {found}"
            ),
            (false, _) => format!("its uv are lengths in metres, and {found}"),
        };
        let mend = match no_scale || overlaps {
            true => format!("to take lengths from the mesh, write {ignore}"),
            false => format!("to take lengths from the mesh, write {ignore}; to scale uv to it, {scaled}"),
        };
        let sure = if is_texture { format!("; if they are right, {}", table("\"lengths\"")) } else { String::new() };
        let message = format!("{why}; the cloth would pull itself to the lengths of its uv; {mend}{sure}");
        self.doubt(path.clone(), message);
    }
}

fn one_or_two(u: f64, v: f64) -> String {
    match (u / v).ln().abs() < 0.02 {
        true => toml(2.0 / (u + v)),
        false => format!("{} and {}", toml(1.0 / u), toml(1.0 / v)),
    }
}

/// The spreads along u and along v.
fn spreads(mesh: &Mesh) -> [Spread; 2] {
    let mut along = [Vec::new(), Vec::new()];
    let mut total = 0.0;
    for (t, uv) in mesh.triangles.iter().zip(&mesh.uv) {
        let [p, q, r] = t.map(|v| mesh.rest[v as usize]);
        let [a, b, c] = *uv;
        let (b, c) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let determinant = b[0] * c[1] - b[1] * c[0];
        let weight = (q - p).cross(r - p).length();
        total += weight;
        let slope = |d: Vec3| d.length() / determinant.abs();
        along[0].push((slope((q - p) * c[1] - (r - p) * b[1]), weight));
        along[1].push((slope((r - p) * b[0] - (q - p) * c[0]), weight));
    }
    along.map(|mut list| {
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        [0.05, 0.5, 0.95].map(|share| {
            let mut sum = 0.0;
            let reached = |(_, weight): &&(f64, f64)| {
                sum += weight;
                sum >= share * total
            };
            list.iter().find(reached).or(list.last()).map_or(1.0, |(slope, _)| *slope)
        })
    })
}

fn area([a, b, c]: &[[f64; 2]; 3]) -> f64 {
    0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
}

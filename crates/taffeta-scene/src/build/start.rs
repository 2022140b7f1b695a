//! First positions of a cloth: from a file, sheared or pleated.

use super::Builder;
use crate::view::View;
use taffeta::{Grid, Mesh, Vec3};

impl Builder<'_> {
    pub(super) fn start(&mut self, view: &View<'_>, mesh: Option<&Mesh>) -> Option<Vec<Vec3>> {
        let table = view.table("start");
        if table.node.is_none() {
            return self.positions(view, "start", mesh.map(|mesh| mesh.rest.len()));
        }
        let mesh = mesh?;
        if view.has("mesh") {
            let help = "use `grid` or `equilateral`, or give a file with the first positions: start = \"start.obj\"";
            self.out.key(&view.at("start"), "only a flat cloth can start sheared or pleated, not a `mesh`", help);
            return None;
        }
        if let Some(angle) = table.optional_number("shear") {
            return Some(mesh.rest.iter().map(|p| sheared(*p, angle)).collect());
        }
        let angle = table.optional_number("pleat")?;
        let Some(grid) = &mesh.grid else {
            let help = "use `grid`, or give a file with the first positions: start = \"start.obj\"";
            self.out.key(&table.at("pleat"), "`pleat` folds after each cell, and only a `grid` has cells", help);
            return None;
        };
        Some(mesh.rest.iter().map(|p| pleated(*p, grid, angle)).collect())
    }
}

/// Lines along y lean towards +x; lengths along x and y stay.
fn sheared(p: Vec3, degrees: f64) -> Vec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vec3::new(p.x + sin * p.y, cos * p.y, p.z)
}

/// Columns of cells rise and fall in turn by half the angle of a fold; each stays flat and as wide as it was.
fn pleated(p: Vec3, grid: &Grid, degrees: f64) -> Vec3 {
    let width = grid.size[0] / f64::from(grid.cells[0]);
    let (sin, cos) = (0.5 * degrees).to_radians().sin_cos();
    let column = (p.x + 0.5 * grid.size[0]) / width;
    let wave = (column - 2.0 * (0.5 * column + 0.5).floor()).abs();
    Vec3::new(cos * p.x, p.y, p.z + sin * width * (wave - 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taffeta::Pattern;

    #[test]
    fn shear_keeps_lengths_along_x_and_y_and_turns_one_of_them() {
        let (x, y) = (sheared(Vec3::X, 30.0), sheared(Vec3::Y, 30.0));
        assert!((x.length() - 1.0).abs() < 1e-15 && (y.length() - 1.0).abs() < 1e-15);
        assert!((x.dot(y) - 0.5).abs() < 1e-15, "30 degrees from the right angle");
    }

    #[test]
    fn pleats_keep_the_edges_of_cells_and_turn_by_the_angle_at_each_fold() {
        for pattern in [Pattern::OneDiagonal, Pattern::Crossed] {
            let mesh = Mesh::grid([0.7, 0.2], [7, 2], pattern).unwrap();
            let start: Vec<Vec3> = mesh.rest.iter().map(|p| pleated(*p, mesh.grid.as_ref().unwrap(), 90.0)).collect();
            for t in &mesh.triangles {
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    let (a, b) = (t[a] as usize, t[b] as usize);
                    let (rest, now) = (mesh.rest[a].distance(mesh.rest[b]), start[a].distance(start[b]));
                    assert!((rest - now).abs() < 1e-14, "{rest} {now}");
                }
            }
            for i in 1..7 {
                let (before, after) = (start[i] - start[i - 1], start[i + 1] - start[i]);
                assert!(before.dot(after).abs() < 1e-15, "a right angle at fold {i}");
            }
        }
    }
}

//! Normals of vertices, for programs that do not compute their own.

use taffeta::Vec3;

/// Unit normals of vertices, weighted by triangle area; z where there is none.
pub(crate) fn normals(triangles: &[[u32; 3]], x: &[Vec3], out: &mut Vec<Vec3>) {
    out.clear();
    out.resize(x.len(), Vec3::ZERO);
    for t in triangles {
        let [a, b, c] = t.map(|v| x[v as usize]);
        let area = (b - a).cross(c - a);
        t.iter().for_each(|&v| out[v as usize] += area);
    }
    out.iter_mut().for_each(|n| *n = n.try_normalize().unwrap_or(Vec3::Z));
}

//! Writing OBJ.

use crate::Surface;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use taffeta::Vec3;

/// Writes frames of the same surface. Constant parts are formatted once.
pub struct ObjWriter {
    /// For each cloth: its `o` line, its vertices, its `vt` lines, its `f` lines.
    cloths: Vec<(String, std::ops::Range<usize>, String, String)>,
}

impl ObjWriter {
    /// Formats the parts that are the same in all frames. A vertex on a seam keeps all its texture coordinates.
    pub fn new(surface: &Surface) -> Self {
        let mut uv_count = 0;
        let mut cloths = Vec::with_capacity(surface.cloths.len());
        for cloth in &surface.cloths {
            let (mut texture, mut faces) = (String::new(), String::new());
            // used for lookup only, never iterated: the order of the file comes from the triangles
            let mut numbers: HashMap<(u32, [u64; 2]), usize> = HashMap::new();
            for t in cloth.triangles.clone() {
                faces.push('f');
                for (corner, v) in surface.triangles[t].iter().enumerate() {
                    let Some(uv) = surface.uv.get(t).map(|uv| uv[corner]) else {
                        let _ = write!(faces, " {}", *v as u64 + 1);
                        continue;
                    };
                    let number = *numbers.entry((*v, uv.map(f64::to_bits))).or_insert_with(|| {
                        uv_count += 1;
                        let _ = writeln!(texture, "vt {:?} {:?}", uv[0], uv[1]);
                        uv_count
                    });
                    let _ = write!(faces, " {}/{number}", *v as u64 + 1);
                }
                faces.push('\n');
            }
            // a line break in a name would end the line
            let name: String = cloth.name.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
            cloths.push((name, cloth.vertices.clone(), texture, faces));
        }
        Self { cloths }
    }

    /// Writes one frame. The numbers have as many digits as needed to read the same bits back.
    ///
    /// # Panics
    /// If there are fewer positions than vertices.
    pub fn write(&self, mut out: impl Write, x: &[Vec3]) -> io::Result<()> {
        writeln!(out, "# Taffeta; metres, y up")?;
        for (name, vertices, texture, faces) in &self.cloths {
            writeln!(out, "o {name}")?;
            for p in &x[vertices.clone()] {
                writeln!(out, "v {:?} {:?} {:?}", p.x, p.y, p.z)?;
            }
            out.write_all(texture.as_bytes())?;
            out.write_all(faces.as_bytes())?;
        }
        Ok(())
    }
}

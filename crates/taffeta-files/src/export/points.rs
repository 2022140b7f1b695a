//! Export of a point cache and an OBJ file for each cloth.

use super::{ExportError, Frames, Stage, write_new};
use crate::disk::{DiskFile, Naming};
use crate::format::CacheWriter;
use crate::names::Names;
use crate::obj::ObjWriter;
use crate::{DiskError, Surface};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use taffeta::{ClothRange, Vec3};

/// Number of files that are open at the same time: systems allow some hundreds.
const OPEN: usize = 64;

/// Writes point caches into a folder. The OBJ files hold the first frame, with the vertices in the same order.
pub(super) fn write(
    folder: &Path,
    stage: &Stage,
    ending: &str,
    CacheWriter { front, number }: CacheWriter,
    frames: &mut Frames,
) -> Result<(), ExportError> {
    fs::create_dir_all(folder).naming("create", folder)?;
    let cloths = frames.surface().cloths.clone();
    let mut names = Names::default();
    let names: Vec<String> = cloths.iter().map(|cloth| names.file(&cloth.name)).collect();
    frames.plan(cloths.len().div_ceil(OPEN));
    let times = frames.times(stage.fps);
    // samples are evenly spaced
    let rate = frames.numbers().get(1).map_or(1, |second| second - frames.numbers()[0]) as f32;

    for (cloths, names) in cloths.chunks(OPEN).zip(names.chunks(OPEN)) {
        let mut files: Vec<(PathBuf, BufWriter<DiskFile>)> = Vec::with_capacity(cloths.len());
        for (cloth, name) in cloths.iter().zip(names) {
            let path = folder.join(format!("{name}.{ending}"));
            let mut file = BufWriter::with_capacity(1 << 18, DiskFile::create(&path)?);
            let points = cloth.vertices.len() as u32;
            file.write_all(&front(points, &times, rate)).naming("write", &path)?;
            files.push((path, file));
        }
        let writers: Vec<ObjWriter> =
            cloths.iter().map(|cloth| ObjWriter::new(&alone(frames.surface(), cloth))).collect();
        frames.for_each(|frame| {
            for (i, (path, file)) in files.iter_mut().enumerate() {
                let x = &frame.x[cloths[i].vertices.clone()];
                put(file, x, number).naming("write", path)?;
                if frame.index == 0 {
                    write_new(&folder.join(format!("{}.obj", names[i])), |out| writers[i].write(out, x))?;
                }
            }
            Ok(())
        })?;
        for (path, mut file) in files {
            file.flush().map_err(|source| DiskError::new("write", &path, source))?;
        }
    }
    Ok(())
}

fn put(out: &mut impl Write, x: &[Vec3], number: fn(f32) -> [u8; 4]) -> io::Result<()> {
    x.iter().flat_map(|p| p.to_array()).try_for_each(|value| out.write_all(&number(value as f32)))
}

/// One cloth as a surface of its own.
fn alone(surface: &Surface, cloth: &ClothRange) -> Surface {
    let first = cloth.vertices.start as u32;
    Surface {
        cloths: vec![ClothRange {
            name: cloth.name.clone(),
            vertices: 0..cloth.vertices.len(),
            triangles: 0..cloth.triangles.len(),
        }],
        rest: surface.rest[cloth.vertices.clone()].to_vec(),
        triangles: surface.triangles[cloth.triangles.clone()].iter().map(|t| t.map(|v| v - first)).collect(),
        uv: surface.uv.get(cloth.triangles.clone()).unwrap_or_default().to_vec(),
    }
}

//! Exports a run in every format, or converts a mesh.
//!
//! ```text
//! cargo run --release -p taffeta-files --example export -- RUN OUT [--bodies] [--every N] [--velocities]
//! cargo run --release -p taffeta-files --example export -- MESH.obj MESH.glb
//! ```
//! `--bodies` puts one body of each shape beside the cloth, some of them moving.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use taffeta::{Body, Key, Motion, Place, Shape, Vec3};
use taffeta_files::export::{Format, Options, Pick, export_with};
use taffeta_files::mesh::ReadOptions;
use taffeta_files::run::RunView;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, out, ..] = args.as_slice() else { return Err("give a run and a folder, or two meshes".into()) };
    let (input, out) = (Path::new(input), Path::new(out));
    if !input.is_dir() {
        let done = taffeta_files::convert(input, out, &ReadOptions::default(), true)?;
        println!("{}: {} vertices, {} triangles", done.path.display(), done.vertices, done.triangles);
        done.notes.iter().for_each(|note| println!("note: {note}"));
        return Ok(());
    }
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|i| args.get(i + 1)?.parse().ok());
    let given = |name: &str| args.iter().any(|arg| arg == name);
    let options = Options {
        frames: value("--every").map_or(Pick::All, Pick::Every),
        velocities: given("--velocities"),
        bodies: if given("--bodies") { bodies() } else { Vec::new() },
        ..Options::default()
    };
    let run = RunView::open(input)?;
    for format in Format::ALL {
        let place = if format.is_folder() {
            out.join(format.name())
        } else {
            out.join(format!("{}.{}", run.name(), format.ending()))
        };
        let begin = std::time::Instant::now();
        let done = export_with(&run, format, Some(&place), true, &options, &mut |_, _| ControlFlow::Continue(()))?;
        println!("{format}: {}, {} of {} frames, {:.2?}", done.path.display(), done.frames, done.of, begin.elapsed());
    }
    Ok(())
}

fn bodies() -> Vec<Body> {
    let shapes = [
        ("plane", Shape::Plane),
        ("ball", Shape::Sphere { radius: 0.2 }),
        ("box", Shape::Box { size: [0.2, 0.3, 0.4] }),
        ("capsule", Shape::Capsule { radius: 0.1, height: 0.3 }),
        ("cylinder", Shape::Cylinder { radius: 0.1, height: 0.3 }),
        ("cone", Shape::Cone { radius: 0.1, height: 0.3 }),
        ("torus", Shape::Torus { radius: 0.2, tube: 0.05 }),
    ];
    let body = |(i, (name, shape)): (usize, (&str, Shape))| {
        let key = |t, turn, y| Key { t, shift: Vec3::new(0.0, y, 0.0), turn: Vec3::new(0.0, 0.0, turn) };
        let keys = if i % 2 == 1 { vec![key(0.0, 0.0, 0.0), key(0.5, 270.0, 0.5)] } else { Vec::new() };
        let place = Place { scale: 1.0, rotate: Vec3::new(20.0, 0.0, 0.0), at: Vec3::new(i as f64, -1.0, 0.5) };
        Body { name: name.into(), shape, place, motion: Motion { keys, smooth: false }, ..Body::default() }
    };
    shapes.into_iter().enumerate().map(body).collect()
}

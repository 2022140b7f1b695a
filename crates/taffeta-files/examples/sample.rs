//! Positions of a mesh that moves, as JSON: a list of frames, each a list of points in metres with y up.
//!
//! ```text
//! cargo run --release -p taffeta-files --example sample -- \
//!     FILE [--topology MESH.obj] [--animation NAME] [--fps N] TIME...
//! ```

use std::error::Error;
use taffeta_files::mesh::ReadOptions;
use taffeta_files::moving::MovingMesh;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("give a file and times in seconds")?;
    let mut options = ReadOptions::default();
    let (mut topology, mut times) = (None, Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--topology" => topology = args.next(),
            "--animation" => options.animation = args.next(),
            "--fps" => options.fps = args.next().unwrap_or_default().parse()?,
            time => times.push(time.parse::<f64>()?),
        }
    }
    let mesh = MovingMesh::read(path.as_ref(), topology.as_deref().map(AsRef::as_ref), &options)?;
    mesh.mesh().notes.iter().for_each(|note| eprintln!("note: {note}"));
    let mut frames = Vec::new();
    for time in times {
        let mut x = Vec::new();
        mesh.sample(time, &mut x)?;
        frames.push(x.iter().map(|p| p.to_array()).collect::<Vec<_>>());
    }
    println!("{}", serde_json::to_string(&frames)?);
    Ok(())
}

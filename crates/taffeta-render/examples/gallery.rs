//! One picture of every kind into a folder, to be looked at: `cargo run --release --example gallery -- FOLDER`.

mod shared;

use shared::{body, draped};
use std::path::PathBuf;
use taffeta::{Shape, Vec3};
use taffeta_render::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "gallery".into()));
    std::fs::create_dir_all(&folder)?;
    let save = |name: &str, image: Image| image.save_png(&folder.join(name).with_extension("png"));
    let hd = Picture { width: 1920, height: 1080, ..Picture::default() };
    let small = Picture { width: 640, height: 360, ..Picture::default() };

    // fabric, fine and coarse, large and small, from the front, from below, from close by
    let (subject, x) = draped(160, 1.0);
    let frame = Frame { positions: &x, time: 1.25, ..Frame::default() };
    for (name, pattern) in [
        ("plain", Pattern::Plain),
        ("weave", Pattern::Weave),
        ("checker", Pattern::Checker),
        ("stripes", Pattern::Stripes),
        ("grid", Pattern::Grid),
    ] {
        let look = Look::Fabric(Fabric { pattern, ..Fabric::default() });
        save(name, still(&subject, &frame, &Picture { look, ..hd.clone() })?)?;
    }
    let close = Camera { at: Vec3::new(0.45, 0.75, 0.75), look_at: Vec3::new(0.1, 0.42, 0.0), fov: 22.0, up: Vec3::Y };
    let look = Look::Fabric(Fabric { pattern: Pattern::Weave, ..Fabric::default() });
    save("close", still(&subject, &frame, &Picture { camera: Some(close), look, ..hd.clone() })?)?;
    let below = Camera { at: Vec3::new(0.9, 0.03, 0.9), look_at: Vec3::new(0.0, 0.3, 0.0), fov: 40.0, up: Vec3::Y };
    save("below", still(&subject, &frame, &Picture { camera: Some(below), ..small.clone() })?)?;
    for (name, rounded, wireframe) in
        [("coarse", true, false), ("coarse-flat", false, false), ("coarse-wire", true, true)]
    {
        let (subject, x) = draped(12, 1.0);
        let frame = Frame { positions: &x, ..Frame::default() };
        save(name, still(&subject, &frame, &Picture { rounded, wireframe, time: true, ..small.clone() })?)?;
    }
    for (name, size) in [("tiny", 1e-3), ("huge", 1e3)] {
        let (subject, x) = draped(60, size);
        save(name, still(&subject, &Frame { positions: &x, ..Frame::default() }, &small)?)?;
    }

    // maps at both sizes
    let before: Vec<Vec3> = x.iter().map(|p| *p * (1.0 - 0.01 * p.y)).collect();
    let force: Vec<f64> = x.iter().map(|p| (p.y - 0.5).max(0.0) * 2e-3).collect();
    let frame = Frame { before: Some((1.23, &before)), values: Some(Values::Vertices(&force)), ..frame };
    let given = Quantity::Given { name: "contact".into(), unit: "N".into() };
    for quantity in [Quantity::Stretch, Quantity::Shear, Quantity::Bending, Quantity::Speed, given] {
        let look = Look::Map(Map { quantity: quantity.clone(), range: None });
        for (kind, picture) in [("map", &small), ("map-hd", &hd)] {
            let name = format!("{kind}-{}", quantity.name());
            save(&name, still(&subject, &frame, &Picture { look: look.clone(), ..picture.clone() })?)?;
        }
    }

    // springs and wires
    let (coarse, y) = draped(24, 1.0);
    let springs = Frame { positions: &y, ..Frame::default() };
    save("springs", still(&coarse, &springs, &Picture { look: Look::Springs, ..hd.clone() })?)?;
    save("springs-small", still(&coarse, &springs, &Picture { look: Look::Springs, ..small.clone() })?)?;
    save("wire", still(&coarse, &springs, &Picture { wireframe: true, ..hd.clone() })?)?;

    // all bodies, on a plane
    let shapes = [
        Shape::Sphere { radius: 0.3 },
        Shape::Box { size: [0.5, 0.6, 0.5] },
        Shape::Capsule { radius: 0.2, height: 0.3 },
        Shape::Cylinder { radius: 0.28, height: 0.6 },
        Shape::Cone { radius: 0.35, height: 0.7 },
        Shape::Torus { radius: 0.3, tube: 0.1 },
    ];
    let low = [0.3, 0.3, 0.35, 0.3, 0.35, 0.1];
    let mut bodies = vec![body("floor", Shape::Plane, Vec3::ZERO)];
    for (i, (shape, low)) in shapes.into_iter().zip(low).enumerate() {
        bodies.push(body("body", shape, Vec3::new(0.8 * i as f64 - 2.0, low, 0.0)));
    }
    let solids = Subject { bodies, ..Subject::default() };
    save("bodies", still(&solids, &Frame::default(), &hd)?)?;
    Ok(())
}

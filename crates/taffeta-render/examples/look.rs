//! Pictures of a run's folder, to be looked at: `look FOLDER OUT.png [key=value ...]`.
use std::path::Path;
use taffeta_files::cache::CacheReader;
use taffeta_render::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let get = |key: &str| args.iter().find_map(|a| a.strip_prefix(&format!("{key}=")).map(str::to_string));
    let mut reader = CacheReader::open(&Path::new(&args[1]).join("positions.bin"))?;
    let surface = reader.surface().clone();
    let subject = Subject {
        cloths: surface.cloths,
        triangles: surface.triangles,
        uv: surface.uv,
        vertices: surface.rest.len(),
        ..Subject::default()
    };
    let mut picture = Picture::default();
    if let Some(s) = get("size") {
        let (w, h) = s.split_once('x').unwrap();
        picture.width = w.parse()?;
        picture.height = h.parse()?;
    }
    if let Some(s) = get("samples") {
        picture.samples = s.parse()?;
    }
    if let Some(s) = get("azimuth") {
        picture.view.azimuth = s.parse()?;
    }
    if let Some(s) = get("elevation") {
        picture.view.elevation = s.parse()?;
    }
    picture.wireframe = get("wire").is_some();
    picture.rounded = get("flat").is_none();
    picture.time = get("time").is_some();
    if let Some(s) = get("pattern") {
        let pattern = match &*s {
            "plain" => Pattern::Plain,
            "weave" => Pattern::Weave,
            "checker" => Pattern::Checker,
            "stripes" => Pattern::Stripes,
            _ => Pattern::Grid,
        };
        picture.look = Look::Fabric(Fabric { pattern, ..Fabric::default() });
    }
    if let Some(s) = get("map") {
        let quantity = match &*s {
            "stretch" => Quantity::Stretch,
            "shear" => Quantity::Shear,
            "bending" => Quantity::Bending,
            _ => Quantity::Speed,
        };
        picture.look = Look::Map(Map { quantity, range: None });
    }
    let frames = reader.frames()?;
    let n: u64 = get("frame").map_or(frames - 1, |f| f.parse().unwrap());
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let mut survey = Survey::new(&subject, &picture)?;
    let whole = get("alone").is_none();
    for i in if whole { 0..frames } else { n..n + 1 } {
        let before = reader.read(i.saturating_sub(1), &mut y)?;
        let time = reader.read(i, &mut x)?;
        survey.add(&Frame { time, positions: &x, before: Some((before, &y)), values: None })?;
    }
    let stage = survey.stage();
    if let Some(path) = get("film") {
        let every: u64 = get("every").map_or(1, |e| e.parse().unwrap());
        let mut film = Film::create(Path::new(&path), reader.fps() / every as f64)?;
        let clock = std::time::Instant::now();
        let (mut rendering, mut count) = (0.0, 0);
        for i in (0..frames).step_by(every as usize).take(get("count").map_or(usize::MAX, |c| c.parse().unwrap())) {
            let before = reader.read(i.saturating_sub(1), &mut y)?;
            let time = reader.read(i, &mut x)?;
            let start = std::time::Instant::now();
            let image = render(
                &subject,
                &Frame { time, positions: &x, before: Some((before, &y)), values: None },
                &stage,
                &picture,
            )?;
            rendering += start.elapsed().as_secs_f64();
            film.add(image)?;
            count += 1;
        }
        film.finish()?;
        eprintln!("{count} frames in {:.1} s, {:.1} s of it rendering", clock.elapsed().as_secs_f64(), rendering);
        return Ok(());
    }
    if let Some(count) = get("sheet") {
        let count: u64 = count.parse()?;
        let mut images = Vec::new();
        for k in 0..count {
            let i = k * (frames - 1) / (count - 1);
            let time = reader.read(i, &mut x)?;
            images.push((
                render(&subject, &Frame { time, positions: &x, ..Frame::default() }, &stage, &picture)?,
                format!("{time:.2} s"),
            ));
        }
        contact_sheet(&images, None)?.save_png(Path::new(&args[2]))?;
        return Ok(());
    }
    let before = reader.read(n.saturating_sub(1), &mut y)?;
    let time = reader.read(n, &mut x)?;
    let clock = std::time::Instant::now();
    let (image, stats) = render_with_stats(
        &subject,
        &Frame { time, positions: &x, before: Some((before, &y)), values: None },
        &stage,
        &picture,
    )?;
    let seconds = clock.elapsed().as_secs_f64();
    eprintln!(
        "{:.2} s, {} triangles, {:.1} M rays, {:.2} M rays/s",
        seconds,
        stats.triangles,
        stats.rays as f64 / 1e6,
        stats.rays as f64 / 1e6 / seconds
    );
    image.save_png(Path::new(&args[2]))?;
    Ok(())
}

//! Rays per second, a still and frames of a film: `cargo bench -p taffeta-render`.

#[path = "../examples/shared/mod.rs"]
mod shared;

use cpu_time::ProcessTime;
use std::time::Instant;
use taffeta_render::{Frame, Look, Map, Picture, Quantity, Stats, Survey, render_with_stats};

fn main() {
    println!("{} threads; best of 3; CPU time does not suffer from other programs", rayon::current_num_threads());
    let film = Picture::default();
    let still = Picture { width: 1920, height: 1080, ..Picture::default() };
    let map = Picture { look: Look::Map(Map { quantity: Quantity::Stretch, range: None }), ..film.clone() };
    measure("still  1920 x 1080, 100,352 triangles", 224, &still);
    measure("film    960 x 540,    3,200 triangles", 40, &film);
    measure("film    960 x 540,  100,352 triangles", 224, &film);
    measure("map     960 x 540,    3,200 triangles", 40, &map);
}

fn measure(name: &str, cells: u32, picture: &Picture) {
    let (subject, x) = shared::draped(cells, 1.0);
    let frame = Frame { positions: &x, ..Frame::default() };
    let mut survey = Survey::new(&subject, picture).expect("a picture");
    survey.add(&frame).expect("a frame");
    let stage = survey.stage();
    let (mut wall, mut cpu, mut stats) = (f64::INFINITY, f64::INFINITY, Stats::default());
    for _ in 0..3 {
        let (clock, work) = (Instant::now(), ProcessTime::now());
        stats = render_with_stats(&subject, &frame, &stage, picture).expect("a picture").1;
        wall = wall.min(clock.elapsed().as_secs_f64());
        cpu = cpu.min(work.elapsed().as_secs_f64());
    }
    let rays = stats.rays as f64 / 1e6;
    println!(
        "{name}: {wall:5.2} s, CPU {cpu:5.2} s, {rays:5.1} M rays, {:5.2} M rays/s, {:.2} M rays in a second of CPU",
        rays / wall,
        rays / cpu
    );
}

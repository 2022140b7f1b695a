//! A whole frame: where its time goes, what a second thread brings, how it grows with the number of vertices.

use super::chosen::Chosen;
use super::rows::{METHODS, Method};
use super::scene::{SIDES, Sheet};
use crate::measured::{Taken, go, power_law};
use crate::table::{Cell, Table};
use crate::{Context, Outcome};
use taffeta::State;
use taffeta_render::plot::{Axis, Plot, Series, Style};

/// Frames from level that come before those that are measured, and these.
const FRAMES: [u64; 2] = [10, 3];

/// Adds the table and its plot.
pub fn growth(context: &Context, chosen: &Chosen, outcome: &mut Outcome) {
    let columns = [
        ("method", ""),
        ("stretch", "N/m"),
        ("vertices", ""),
        ("time a frame", "ms"),
        ("forces", "%"),
        ("solving", "%"),
        ("rest", "%"),
        ("speed-up by two threads", ""),
        ("exponent since the row above", ""),
    ];
    let [before, measured] = FRAMES;
    let title = format!(
        "Growth: frames {} to {}, CPU time of one thread, least of three; judged: the same bits on two threads",
        before + 1,
        before + measured
    );
    let mut table = Table::new("growth", &title, &columns);
    let mut series = Vec::new();
    let usual = if context.quick { &SIDES[..2] } else { &SIDES };
    for row in rows(chosen) {
        for stretch in chosen.stretches() {
            let mut points: Vec<[f64; 2]> = Vec::new();
            for side in chosen.sides(usual).into_iter().filter(|side| row.largest >= *side) {
                context.say(&format!("growth: {}, {stretch} N/m, {side} x {side} vertices", row.name));
                let frame = Frame::measured(row, Sheet { side, stretch });
                let (times, whole) = (&frame.taken.times, frame.taken.times.total());
                let share = |time: f64| Cell::fixed(frame.taken.share(time), 1);
                let point = [frame.vertices as f64, frame.ms];
                let exponent = points.last().map(|last| power_law(&[*last, point])[0]);
                let cells = vec![
                    Cell::text(row.name),
                    Cell::count(stretch.into()),
                    Cell::count(frame.vertices as u64),
                    Cell::fixed(frame.ms, 2),
                    share(times.forces),
                    share(times.solve),
                    share(whole - times.forces - times.solve),
                    Cell::fixed(frame.speed_up, 2),
                    exponent.map_or(Cell::empty(), |exponent| Cell::fixed(exponent, 2)),
                ];
                table.judge(cells, frame.same_bits);
                points.push(point);
            }
            let name = match points.len() {
                0 | 1 => format!("{}, {stretch} N/m", row.name),
                _ => format!("{}, {stretch} N/m: n^{:.2}", row.name, power_law(&points)[0]),
            };
            series.push(Series::new(name, points, Style::LineDots));
        }
    }
    outcome.tables.push(table);
    outcome.plots.push(Plot {
        name: "growth".into(),
        title: "CPU time a frame of 1/60 s over the number of vertices, one thread".into(),
        x: Axis::log("vertices"),
        y: Axis::log("CPU ms a frame"),
        series,
    });
}

/// The methods that are named, else filtered Euler; of those that the library has.
fn rows(chosen: &Chosen) -> Vec<&'static Method> {
    let named = |row: &&Method| chosen.names_methods() || row.family() == METHODS[0].family();
    chosen.rows(METHODS, 0).into_iter().filter(|row| row.own.is_none()).filter(named).collect()
}

/// Frames of a sheet.
struct Frame {
    vertices: usize,
    /// CPU ms of one thread.
    ms: f64,
    speed_up: f64,
    /// The fastest turn on one thread.
    taken: Taken,
    /// Whether all turns end in the same state.
    same_bits: bool,
}

impl Frame {
    fn measured(row: &Method, sheet: Sheet) -> Self {
        let world = sheet.world(row.set);
        let mut start = world.start();
        go(&world, &mut start, 2, |state, _| state.frame < FRAMES[0]);
        // in turns, so that what disturbs one disturbs both
        let turns = [(); 3].map(|()| {
            [1, 2].map(|threads| -> (Taken, State) {
                let mut state = start.clone();
                (go(&world, &mut state, threads, |state, _| state.frame < FRAMES[0] + FRAMES[1]), state)
            })
        });
        let wall =
            |threads: usize| turns.iter().map(|turn| turn[threads - 1].0.times.total()).fold(f64::INFINITY, f64::min);
        let same_bits = turns.iter().flatten().all(|(_, end)| *end == turns[0][0].1);
        let speed_up = wall(1) / wall(2);
        let ms = turns.iter().map(|turn| turn[0].0.ms_a_frame()).fold(f64::INFINITY, f64::min);
        let [first, others @ ..] = turns.map(|[one, _]| one.0);
        let least = |a: Taken, b: Taken| if b.times.total() < a.times.total() { b } else { a };
        let taken = others.into_iter().fold(first, least);
        Self { vertices: world.mass.len(), ms, speed_up, taken, same_bits }
    }
}

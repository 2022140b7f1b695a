//! From samples to pixels: shadows, filtering, antialiasing. Parallel over fixed tiles of the picture.
//!
//! Each pixel has a few samples, each with one ray to the lamp and one to the sky. Their results are averaged over a
//! window of 5 × 5 pixels, only among samples of the same smooth surface. Where the samples of a pixel differ (an edge,
//! a fold, a line of the pattern), twelve more trace camera rays alone, and take lamp and sky light from the window.

use crate::bvh::{Ray, Stack};
use crate::geometry::Geometry;
use crate::sequence::{EXTRA, FILTER, Points, sobol};
use crate::shade::{Sample, Shader, Surface};
use crate::studio::many_bounces;
use crate::vector::V3;
use crate::{Look, Picture, Stage};
use rayon::prelude::*;

/// Side of a tile of pixels that is rendered as a unit.
const SQUARE: u32 = 64;
/// Border around a tile that its filter reads, pixels.
const APRON: i64 = (FILTER.len() / 2) as i64;
/// Samples per pixel at an edge.
const EDGE_SAMPLES: u32 = 16;
/// More samples would make no visible difference.
const MAX_SAMPLES: u32 = 128;
/// Range of ambient occlusion, as a fraction of the size of the scene.
const SKY_REACH: f32 = 0.4;

/// Least openness in the deepest fold: nothing is black.
const LEAST_OPEN: f32 = 0.05;

/// Generates rays from the camera.
struct Lens {
    eye: V3,
    right: V3,
    up: V3,
    forward: V3,
    centre: [f32; 2],
    scale: f32,
}

impl Lens {
    fn new(stage: &Stage, picture: &Picture, geometry: &Geometry) -> Lens {
        let axes = stage.camera.axes();
        Lens {
            eye: geometry.scaling.point(stage.camera.at),
            right: V3::from_f64(axes.right),
            up: V3::from_f64(axes.up),
            forward: V3::from_f64(-axes.back),
            centre: [0.5 * picture.width as f32, 0.5 * picture.height as f32],
            scale: (2.0 * (0.5 * stage.camera.fov).to_radians().tan() / f64::from(picture.height)) as f32,
        }
    }

    fn ray(&self, x: f32, y: f32) -> Ray {
        let (x, y) = ((x - self.centre[0]) * self.scale, (self.centre[1] - y) * self.scale);
        Ray::new(self.eye, (self.forward + self.right * x + self.up * y).unit_or(self.forward))
    }
}

/// A sample with its lamp light and sky openness.
#[derive(Clone, Copy)]
struct Lit {
    sample: Sample,
    light: f32,
    open: f32,
}

/// The combined samples of a pixel.
struct Cell {
    /// The surface of the first sample.
    surface: Surface,
    /// Whether all samples lie on it; if so, their mean lamp light and openness follow.
    whole: bool,
    light: f32,
    open: f32,
}

impl Cell {
    fn new(own: &[Lit]) -> Cell {
        let surface = own[0].sample.surface;
        let mean = |f: fn(&Lit) -> f32| own.iter().map(f).sum::<f32>() / own.len() as f32;
        Cell {
            surface,
            whole: own.iter().all(|lit| same_surface(&surface, &lit.sample.surface)),
            light: mean(|lit| lit.light),
            open: mean(|lit| lit.open),
        }
    }
}

/// The whole picture in linear light, row by row, and the number of rays it took.
pub(crate) fn trace(shader: &Shader, stage: &Stage, picture: &Picture) -> (Vec<V3>, u64) {
    let lens = Lens::new(stage, picture, shader.geometry);
    // shadows of thin rods are hard to filter
    let rods = if picture.look == Look::Springs { 4 } else { 1 };
    let samples = (rods * picture.samples.clamp(1, MAX_SAMPLES)) as usize;
    let points = Points::new(samples);
    let (columns, rows) = (picture.width.div_ceil(SQUARE), picture.height.div_ceil(SQUARE));
    let squares: Vec<(Vec<V3>, u64)> = (0..columns * rows)
        .into_par_iter()
        .map(|i| {
            let corner = [i % columns * SQUARE, i / columns * SQUARE];
            let size = [SQUARE.min(picture.width - corner[0]), SQUARE.min(picture.height - corner[1])];
            let square = Square { shader, lens: &lens, points: &points, samples, corner: corner.map(i64::from), size };
            square.trace()
        })
        .collect();

    let mut pixels = vec![V3::ZERO; picture.width as usize * picture.height as usize];
    let mut rays = 0;
    for (i, (square, count)) in squares.iter().enumerate() {
        let (x, y) = (i as u32 % columns * SQUARE, i as u32 / columns * SQUARE);
        let width = SQUARE.min(picture.width - x) as usize;
        for (row, line) in square.chunks_exact(width).enumerate() {
            let start = (y as usize + row) * picture.width as usize + x as usize;
            pixels[start..start + width].copy_from_slice(line);
        }
        rays += count;
    }
    (pixels, rays)
}

struct Square<'a> {
    shader: &'a Shader<'a>,
    lens: &'a Lens,
    points: &'a Points,
    samples: usize,
    corner: [i64; 2],
    size: [u32; 2],
}

impl Square<'_> {
    fn trace(&self) -> (Vec<V3>, u64) {
        let (mut stack, mut rays) = (Stack::default(), 0);
        let width = self.size[0] as usize + 2 * APRON as usize;
        let height = self.size[1] as usize + 2 * APRON as usize;
        let mut lit = Vec::with_capacity(width * height * self.samples);
        for y in 0..height as i64 {
            for x in 0..width as i64 {
                let pixel = [self.corner[0] + x - APRON, self.corner[1] + y - APRON];
                let first = self.points.first(pixel[0], pixel[1]);
                for k in 0..self.samples {
                    let sample = self.look(pixel, k as u32, &mut stack);
                    let (light, open) = self.secondary(&sample, first + k, &mut stack, &mut rays);
                    lit.push(Lit { sample, light, open });
                    rays += 1;
                }
            }
        }
        self.refine(&mut lit, width, &mut stack, &mut rays);
        let cells: Vec<Cell> = lit.chunks_exact(self.samples).map(Cell::new).collect();

        let mut pixels = Vec::with_capacity((self.size[0] * self.size[1]) as usize);
        for y in 0..self.size[1] as i64 {
            for x in 0..self.size[0] as i64 {
                let window =
                    Window { lit: &lit, cells: &cells, width, samples: self.samples, at: [x as usize, y as usize] };
                pixels.push(self.pixel([self.corner[0] + x, self.corner[1] + y], &window, &mut stack, &mut rays));
            }
        }
        (pixels, rays)
    }

    /// Sample `k` of a pixel.
    fn look(&self, pixel: [i64; 2], k: u32, stack: &mut Stack) -> Sample {
        let [a, b] = sobol(k);
        // the points of a sequence begin at 0: half a step centres their mean in the pixel
        let half = 0.5 / EDGE_SAMPLES.max(self.samples as u32) as f32;
        let ray = self.lens.ray(pixel[0] as f32 + a + half, pixel[1] as f32 + b + half);
        self.shader.sample(&ray, stack)
    }

    /// Whether the lamp is visible, and whether the sky is.
    fn secondary(&self, sample: &Sample, point: usize, stack: &mut Stack, rays: &mut u64) -> (f32, f32) {
        if sample.surface.object == 0 {
            return (1.0, 1.0);
        }
        (self.light(sample, point, stack, rays), self.sky(sample, point, stack, rays))
    }

    /// 1 if a direction to the sky is unoccluded.
    fn sky(&self, sample: &Sample, point: usize, stack: &mut Stack, rays: &mut u64) -> f32 {
        let (u, v) = sample.surface.normal.frame();
        let h = self.points.hemisphere(point);
        let d = u * h.x + v * h.y + sample.surface.normal * h.z;
        let reach = SKY_REACH * self.shader.studio.size;
        *rays += 1;
        if self.shader.geometry.bvh.any(&Ray::new(sample.to_sky, d), reach, stack) { 0.0 } else { 1.0 }
    }

    /// 1 if a point of the lamp is visible.
    fn light(&self, sample: &Sample, point: usize, stack: &mut Stack, rays: &mut u64) -> f32 {
        if sample.direct.largest() <= 0.0 {
            return 1.0;
        }
        let d = self.shader.studio.to_lamp(self.points.disc(point));
        let behind = self.shader.geometry.planes.iter().any(|plane| {
            let above = (sample.to_lamp - plane.point).dot(plane.normal);
            plane.solid && d.dot(plane.normal) < 0.0 && above > 0.0
        });
        *rays += 1;
        let shut = behind || self.shader.geometry.bvh.any(&Ray::new(sample.to_lamp, d), f32::INFINITY, stack);
        if shut { 0.0 } else { 1.0 }
    }

    /// Traces more rays where a few would leave steps: to the lamp in penumbrae, and to the sky on floors, whose plain
    /// surface hides no noise.
    fn refine(&self, lit: &mut [Lit], width: usize, stack: &mut Stack, rays: &mut u64) {
        let mean = |f: fn(&Lit) -> f32| -> Vec<f32> {
            lit.chunks_exact(self.samples).map(|own| own.iter().map(f).sum::<f32>() / self.samples as f32).collect()
        };
        let half_lit = in_between(&mean(|lit| lit.light), width);
        let half_open = in_between(&mean(|lit| lit.open), width);
        for (i, own) in lit.chunks_exact_mut(self.samples).enumerate().filter(|(i, _)| half_lit[*i] || half_open[*i]) {
            let (x, y) = ((i % width) as i64 - APRON, (i / width) as i64 - APRON);
            let first = self.points.first(self.corner[0] + x, self.corner[1] + y);
            for (k, lit) in own.iter_mut().enumerate().filter(|(_, lit)| lit.sample.surface.object != 0) {
                let extra = self.points.extra(first + k);
                let points = extra..extra + EXTRA;
                if half_lit[i] {
                    let more: f32 = points.clone().map(|i| self.light(&lit.sample, i, stack, rays)).sum();
                    lit.light = (lit.light + more) / (1 + EXTRA) as f32;
                }
                if half_open[i] && lit.sample.surface.is_floor() {
                    let more: f32 = points.map(|i| self.sky(&lit.sample, i, stack, rays)).sum();
                    lit.open = (lit.open + more) / (1 + EXTRA) as f32;
                }
            }
        }
    }

    fn pixel(&self, pixel: [i64; 2], window: &Window, stack: &mut Stack, rays: &mut u64) -> V3 {
        let (own, cell) = window.place(APRON as usize, APRON as usize);
        let mut sum = V3::ZERO;
        // one pass over the window serves all samples on one surface
        let shared = if cell.whole { window.gather(&cell.surface) } else { None };
        for lit in own {
            let found = shared.or_else(|| window.gather(&lit.sample.surface));
            let (light, open) = found.unwrap_or((lit.light, lit.open));
            sum += brightness(&lit.sample, light, open);
        }
        let flat = cell.whole && own.iter().all(|lit| similar(&own[0].sample, &lit.sample));
        let mut count = own.len();
        if !flat {
            for k in self.samples as u32..EDGE_SAMPLES {
                let sample = self.look(pixel, k, stack);
                *rays += 1;
                let (light, open) =
                    window.gather(&sample.surface).unwrap_or_else(|| self.alone(&sample, pixel, stack, rays));
                sum += brightness(&sample, light, open);
                count += 1;
            }
        }
        sum / count as f32
    }

    /// Lamp and sky light of a sample that has no similar neighbours.
    fn alone(&self, sample: &Sample, pixel: [i64; 2], stack: &mut Stack, rays: &mut u64) -> (f32, f32) {
        let first = self.points.first(pixel[0], pixel[1]);
        let mut sum = (0.0, 0.0);
        for k in 0..self.samples {
            let (light, open) = self.secondary(sample, first + k, stack, rays);
            sum = (sum.0 + light, sum.1 + open);
        }
        (sum.0 / self.samples as f32, sum.1 / self.samples as f32)
    }
}

/// The samples around a pixel.
struct Window<'a> {
    lit: &'a [Lit],
    cells: &'a [Cell],
    width: usize,
    samples: usize,
    /// Upper left corner of the window.
    at: [usize; 2],
}

impl Window<'_> {
    fn place(&self, i: usize, j: usize) -> (&[Lit], &Cell) {
        let pixel = (self.at[1] + j) * self.width + self.at[0] + i;
        (&self.lit[pixel * self.samples..][..self.samples], &self.cells[pixel])
    }

    /// Mean lamp light and openness of samples on the same surface; `None` if there are none.
    fn gather(&self, surface: &Surface) -> Option<(f32, f32)> {
        if surface.object == 0 {
            return Some((1.0, 1.0));
        }
        let (mut weight, mut light, mut open) = (0.0, 0.0, 0.0);
        let mut add = |w: f32, l: f32, o: f32| {
            weight += w;
            light += w * l;
            open += w * o;
        };
        for (j, wy) in FILTER.iter().enumerate() {
            for (i, wx) in FILTER.iter().enumerate() {
                let (own, cell) = self.place(i, j);
                if !cell.whole {
                    let w = wx * wy / self.samples as f32;
                    let same = own.iter().filter(|lit| same_surface(surface, &lit.sample.surface));
                    same.for_each(|lit| add(w, lit.light, lit.open));
                } else if same_surface(surface, &cell.surface) {
                    add(wx * wy, cell.light, cell.open);
                }
            }
        }
        (weight > 0.0).then(|| (light / weight, open / weight))
    }
}

/// Where the values around a pixel, within the filter, are neither all 0 nor all 1.
fn in_between(values: &[f32], width: usize) -> Vec<bool> {
    let (reach, height) = (APRON as usize, values.len() / width);
    let spread = |low: f32, high: f32| low < 1.0 && high > 0.0;
    // along rows first, then along columns
    let ends = |values: &mut dyn Iterator<Item = (f32, f32)>| {
        values.fold((f32::INFINITY, 0f32), |(low, high), (a, b)| (low.min(a), high.max(b)))
    };
    let rows: Vec<(f32, f32)> = (0..values.len())
        .map(|i| {
            let (row, x) = (&values[i / width * width..][..width], i % width);
            ends(&mut row[x.saturating_sub(reach)..(x + reach + 1).min(width)].iter().map(|&v| (v, v)))
        })
        .collect();
    (0..values.len())
        .map(|i| {
            let (x, y) = (i % width, i / width);
            let column = y.saturating_sub(reach)..(y + reach + 1).min(height);
            let (low, high) = ends(&mut column.map(|y| rows[y * width + x]));
            spread(low, high)
        })
        .collect()
}

/// Whether two samples close to each other lie on one smooth piece of surface.
fn same_surface(a: &Surface, b: &Surface) -> bool {
    let distance = (b.position - a.position).dot(a.normal).abs();
    a.object == b.object && (a.object == 0 || (a.normal.dot(b.normal) > 0.8 && distance < 3.0 * a.pixel))
}

/// Whether two samples have nearly the same colour.
fn similar(a: &Sample, b: &Sample) -> bool {
    let d = (a.fixed + a.direct + a.ambient) - (b.fixed + b.direct + b.ambient);
    d.x.abs().max(d.y.abs()).max(d.z.abs()) < 0.035
}

fn brightness(sample: &Sample, light: f32, open: f32) -> V3 {
    sample.fixed
        + sample.direct * light
        + sample.ambient * many_bounces(LEAST_OPEN + (1.0 - LEAST_OPEN) * open, sample.albedo)
}

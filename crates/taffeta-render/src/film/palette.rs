//! 255 colours for a film: median cut, then a few rounds of k-means, in OKLab.

use crate::colour::{from_oklab, linear, to_bytes, to_oklab};
use crate::vector::V3;
use crate::{Image, sequence};
use rayon::prelude::*;

/// Number of colours in the palette; one more entry means "unchanged".
const COLOURS: usize = 255;
/// Bits of a channel in the histogram and the lookup table.
const BITS: u32 = 6;
const SIDE: usize = 1 << BITS;
const ROUNDS: usize = 6;

/// A palette and, for every quantized colour, its nearest entry.
#[derive(Debug)]
pub(super) struct Palette {
    pub colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
    /// Amplitude of the dither, in byte steps: about half the distance between neighbouring colours.
    spread: f32,
}

#[derive(Clone, Copy)]
struct Bin {
    lab: V3,
    weight: f32,
}

impl Palette {
    /// Makes a palette for pictures like these.
    pub fn new(pictures: &[Image]) -> Palette {
        let bins = histogram(pictures);
        let mut centres: Vec<V3> = median_cut(bins.clone()).iter().map(|part| mean(part)).collect();
        for _ in 0..ROUNDS {
            let nearest: Vec<usize> = bins.par_iter().map(|bin| closest(&centres, bin.lab)).collect();
            let mut sums = vec![(V3::ZERO, 0.0); centres.len()];
            for (bin, &i) in bins.iter().zip(&nearest) {
                sums[i] = (sums[i].0 + bin.lab * bin.weight, sums[i].1 + bin.weight);
            }
            for (centre, (sum, weight)) in centres.iter_mut().zip(sums) {
                if weight > 0.0 {
                    *centre = sum / weight;
                }
            }
        }
        let colours: Vec<[u8; 3]> = centres.iter().map(|lab| to_bytes(from_oklab(*lab))).collect();
        let spread = spread(&colours);
        let nearest = (0..SIDE * SIDE * SIDE).into_par_iter();
        let nearest = nearest.map(|cell| closest(&centres, to_oklab(linear(middle(cell)))) as u8).collect();
        Palette { colours, nearest, spread }
    }

    /// Mean square error of a picture's colours without dither, in byte steps; at least 1.
    pub fn error(&self, image: &Image) -> f32 {
        // every seventh pixel is enough
        let (mut sum, mut count) = (0u64, 0u64);
        for p in image.pixels().chunks_exact(3).step_by(7) {
            let found = self.colours[usize::from(self.nearest[cell([p[0], p[1], p[2]])])];
            sum += (0..3).map(|k| u64::from(p[k].abs_diff(found[k])).pow(2)).sum::<u64>();
            count += 1;
        }
        1.0 + sum as f32 / count.max(1) as f32
    }

    /// The palette entry of each pixel. The dither pattern is fixed, so that still parts do not flicker.
    pub fn apply(&self, image: &Image) -> Vec<u8> {
        let width = image.width() as usize;
        let mut indices = vec![0; width * image.height() as usize];
        let rows = indices.par_chunks_exact_mut(width).zip(image.pixels().par_chunks_exact(3 * width)).enumerate();
        rows.for_each(|(y, (indices, row))| {
            for (x, (index, pixel)) in indices.iter_mut().zip(row.chunks_exact(3)).enumerate() {
                let noise = (sequence::dither(x as u32, y as u32) - 0.5) * self.spread;
                let shifted = [pixel[0], pixel[1], pixel[2]].map(|c| (f32::from(c) + noise).clamp(0.0, 255.0) as u8);
                *index = self.nearest[cell(shifted)];
            }
        });
        indices
    }
}

fn cell(c: [u8; 3]) -> usize {
    let [r, g, b] = c.map(|c| usize::from(c >> (8 - BITS)));
    (r << (2 * BITS)) | (g << BITS) | b
}

/// The colour at the centre of a cell.
fn middle(cell: usize) -> [u8; 3] {
    let part = |shift: u32| ((cell >> shift & (SIDE - 1)) << (8 - BITS)) as u8 | 1 << (7 - BITS);
    [part(2 * BITS), part(BITS), part(0)]
}

fn histogram(pictures: &[Image]) -> Vec<Bin> {
    let mut counts = vec![0u32; SIDE * SIDE * SIDE];
    for picture in pictures {
        picture.pixels().chunks_exact(3).for_each(|p| counts[cell([p[0], p[1], p[2]])] += 1);
    }
    let used = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    // the square root keeps a large even backdrop from taking all colours from the cloth
    let bins = used.map(|(i, &count)| Bin { lab: to_oklab(linear(middle(i))), weight: (count as f32).sqrt() });
    bins.collect()
}

/// Divides the colours into parts of about equal spread.
fn median_cut(bins: Vec<Bin>) -> Vec<Vec<Bin>> {
    let cost = |part: &[Bin]| {
        let m = mean(part);
        (0..3)
            .map(|k| part.iter().map(|b| b.weight * (b.lab.axis(k) - m.axis(k)).powi(2)).sum::<f32>())
            .collect::<Vec<_>>()
    };
    let mut parts: Vec<(Vec<f32>, Vec<Bin>)> = vec![(cost(&bins), bins)];
    while parts.len() < COLOURS {
        let worst = |part: &(Vec<f32>, Vec<Bin>)| if part.1.len() > 1 { part.0.iter().sum::<f32>() } else { -1.0 };
        let Some(at) = (0..parts.len()).max_by(|&a, &b| worst(&parts[a]).total_cmp(&worst(&parts[b]))) else { break };
        if worst(&parts[at]) <= 0.0 {
            break;
        }
        let (costs, mut part) = parts.swap_remove(at);
        let axis = (0..3).fold(0, |best, k| if costs[k] > costs[best] { k } else { best });
        let key = |b: &Bin| b.lab.axis(axis);
        part.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let m = mean(&part).axis(axis);
        let cut = part.partition_point(|b| key(b) < m).clamp(1, part.len() - 1);
        let rest = part.split_off(cut);
        parts.push((cost(&part), part));
        parts.push((cost(&rest), rest));
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

fn mean(part: &[Bin]) -> V3 {
    let weight: f32 = part.iter().map(|b| b.weight).sum();
    let sum = part.iter().fold(V3::ZERO, |sum, b| sum + b.lab * b.weight);
    if weight > 0.0 { sum / weight } else { V3::ZERO }
}

fn closest(centres: &[V3], lab: V3) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (i, centre) in centres.iter().enumerate() {
        let d = *centre - lab;
        let distance = d.dot(d);
        if distance < best.0 {
            best = (distance, i);
        }
    }
    best.1
}

/// Half the median distance between a colour and its nearest neighbour, in byte steps.
fn spread(colours: &[[u8; 3]]) -> f32 {
    let distance = |a: &[u8; 3], b: &[u8; 3]| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0);
    let nearest = |(i, a): (usize, &[u8; 3])| {
        colours.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, b)| distance(a, b)).min().unwrap_or(0)
    };
    let mut all: Vec<u8> = colours.iter().enumerate().map(nearest).collect();
    all.sort_unstable();
    all.get(all.len() / 2).map_or(0.0, |d| f32::from(*d)).clamp(0.0, 16.0)
}

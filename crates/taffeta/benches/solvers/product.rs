//! Products that read fewer bytes.

use crate::system::System;
use taffeta::Vec3;
use taffeta::glam::DMat3;

/// Blocks in single precision; vectors and sums are in double.
pub struct Single(Vec<[f32; 9]>);

impl Single {
    pub fn new(system: &System) -> Self {
        Self(system.blocks.iter().map(|a| a.to_cols_array().map(|a| a as f32)).collect())
    }

    /// out = S A x.
    pub fn times(&self, system: &System, x: &[Vec3], out: &mut [Vec3]) {
        for (i, out) in out.iter_mut().enumerate() {
            let row = system.row(i);
            let mut sum = Vec3::ZERO;
            for (a, &j) in self.0[row.clone()].iter().zip(&system.column[row]) {
                let [a, b, c, d, e, f, g, h, i] = a.map(f64::from);
                let x = x[j as usize];
                sum += Vec3::new(a, b, c) * x.x + Vec3::new(d, e, f) * x.y + Vec3::new(g, h, i) * x.z;
            }
            *out = sum;
        }
        system.filter(out);
    }
}

/// The diagonal and what is right of it.
pub struct Half {
    start: Vec<usize>,
    column: Vec<u32>,
    blocks: Vec<DMat3>,
}

impl Half {
    pub fn new(system: &System) -> Self {
        let mut half = Self { start: vec![0], column: Vec::new(), blocks: Vec::new() };
        for (i, &diagonal) in system.diagonal.iter().enumerate() {
            let upper = diagonal..system.row(i).end;
            half.column.extend_from_slice(&system.column[upper.clone()]);
            half.blocks.extend_from_slice(&system.blocks[upper]);
            half.start.push(half.blocks.len());
        }
        half
    }

    /// out = S A x.
    pub fn times(&self, system: &System, x: &[Vec3], out: &mut [Vec3]) {
        out.fill(Vec3::ZERO);
        for i in 0..x.len() {
            let (own, row) = (self.start[i], self.start[i] + 1..self.start[i + 1]);
            let here = x[i];
            let mut sum = self.blocks[own] * here;
            for (a, &j) in self.blocks[row.clone()].iter().zip(&self.column[row]) {
                sum += *a * x[j as usize];
                out[j as usize] += Vec3::new(a.x_axis.dot(here), a.y_axis.dot(here), a.z_axis.dot(here));
            }
            out[i] += sum;
        }
        system.filter(out);
    }
}

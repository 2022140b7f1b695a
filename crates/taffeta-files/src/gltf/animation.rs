//! Animation of nodes and weights.

use super::container::Contents;
use super::{bad, get};
use crate::mesh::Note;
use crate::wrong::Wrong;
use taffeta::Vec3;
use taffeta::glam::DQuat;

/// Channels that play together.
#[derive(Clone, Debug)]
pub(super) struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Translation,
    Rotation,
    Scale,
    Weights,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpolation {
    Step,
    Linear,
    Cubic,
}

/// A value of a node over time.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub node: usize,
    pub what: What,
    interpolation: Interpolation,
    times: Vec<f64>,
    /// `width` numbers per key; three times as many if cubic: in-tangent, value, out-tangent.
    values: Vec<f64>,
    width: usize,
}

impl Animation {
    pub fn duration(&self) -> f64 {
        self.channels.iter().filter_map(|channel| channel.times.last()).fold(0.0, |a, &b| a.max(b))
    }

    /// Times of all keys, s, unordered.
    pub fn times(&self) -> impl Iterator<Item = f64> {
        self.channels.iter().flat_map(|channel| channel.times.iter().copied())
    }

    /// Loads an animation; `targets` gives the number of morph targets of a node.
    pub fn load(
        contents: &Contents,
        index: usize,
        targets: impl Fn(usize) -> usize,
        notes: &mut Vec<Note>,
    ) -> Result<Self, Wrong> {
        let entry = &contents.document.animations[index];
        let mut channels = Vec::with_capacity(entry.channels.len());
        for (i, channel) in entry.channels.iter().enumerate() {
            let place = format!("animations[{index}].channels[{i}]");
            let what = match channel.target.path.as_str() {
                "translation" => What::Translation,
                "rotation" => What::Rotation,
                "scale" => What::Scale,
                "weights" => What::Weights,
                other => {
                    notes.push(Note::NotRead { what: format!("{place} (`{other}`)") });
                    continue;
                }
            };
            let Some(node) = channel.target.node else { continue };
            get(&contents.document.nodes, "node", node, &place)?;
            let sampler = get(&entry.samplers, "sampler", channel.sampler, &place)?;
            let interpolation = match sampler.interpolation.as_deref() {
                None | Some("LINEAR") => Interpolation::Linear,
                Some("STEP") => Interpolation::Step,
                Some("CUBICSPLINE") => Interpolation::Cubic,
                Some(other) => return Err(bad(place, format!("interpolation `{other}` is not known"))),
            };
            let times: Vec<f64> =
                contents.elements::<1>(sampler.input, "SCALAR", "times")?.into_iter().flatten().collect();
            let (width, values) = match what {
                What::Translation => (3, flat(contents.elements::<3>(sampler.output, "VEC3", "translation")?)),
                What::Scale => (3, flat(contents.elements::<3>(sampler.output, "VEC3", "scale")?)),
                What::Rotation => (4, flat(contents.elements::<4>(sampler.output, "VEC4", "rotation")?)),
                What::Weights => (targets(node), flat(contents.elements::<1>(sampler.output, "SCALAR", "weights")?)),
            };
            let needed = times.len().saturating_mul(width) * if interpolation == Interpolation::Cubic { 3 } else { 1 };
            if values.len() != needed {
                return Err(bad(place, format!("{} numbers are given, and the keys need {needed}", values.len())));
            }
            if times.is_empty() {
                return Err(bad(place, "it has no keys"));
            }
            if let Some(k) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
                return Err(bad(place, format!("key {} is not later than the one before", k + 1)));
            }
            channels.push(Channel { node, what, interpolation, times, values, width });
        }
        let name = entry.name.clone().unwrap_or_else(|| format!("animation {index}"));
        Ok(Self { name, channels })
    }
}

fn flat<const N: usize>(rows: Vec<[f64; N]>) -> Vec<f64> {
    rows.into_flattened()
}

impl Channel {
    pub fn vector(&self, time: f64) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|i| self.number(time, i)))
    }

    pub fn rotation(&self, time: f64) -> DQuat {
        let (k, s) = self.span(time);
        if self.interpolation == Interpolation::Linear && s > 0.0 {
            let [a, b] = [k, k + 1].map(|k| unit(std::array::from_fn(|i| self.values[4 * k + i])));
            return a.slerp(b, s);
        }
        unit(std::array::from_fn(|i| self.number(time, i)))
    }

    pub fn weights(&self, time: f64, out: &mut Vec<f64>) {
        out.clear();
        out.extend((0..self.width).map(|i| self.number(time, i)));
    }

    /// The key at or before a time, and the fraction of the way to the next key: 0 outside the keys.
    fn span(&self, time: f64) -> (usize, f64) {
        let last = self.times.len() - 1;
        let next = self.times.partition_point(|&t| t <= time);
        match next {
            0 => (0, 0.0),
            _ if next > last => (last, 0.0),
            _ => (next - 1, (time - self.times[next - 1]) / (self.times[next] - self.times[next - 1])),
        }
    }

    /// Interpolates as in glTF 2.0, appendix C.
    fn number(&self, time: f64, i: usize) -> f64 {
        let (k, s) = self.span(time);
        let width = self.width;
        match self.interpolation {
            Interpolation::Step => self.values[k * width + i],
            Interpolation::Linear => {
                let a = self.values[k * width + i];
                if s > 0.0 { a + s * (self.values[(k + 1) * width + i] - a) } else { a }
            }
            Interpolation::Cubic => {
                let value = |k: usize, part: usize| self.values[(3 * k + part) * width + i];
                if s == 0.0 {
                    return value(k, 1);
                }
                let h = self.times[k + 1] - self.times[k];
                let (s2, s3) = (s * s, s * s * s);
                (2.0 * s3 - 3.0 * s2 + 1.0) * value(k, 1)
                    + h * (s3 - 2.0 * s2 + s) * value(k, 2)
                    + (3.0 * s2 - 2.0 * s3) * value(k + 1, 1)
                    + h * (s3 - s2) * value(k + 1, 0)
            }
        }
    }
}

/// A unit rotation; four zeros mean no rotation.
pub(super) fn unit(q: [f64; 4]) -> DQuat {
    let q = DQuat::from_array(q);
    if q.length_squared() > 1e-30 && q.is_finite() { q.normalize() } else { DQuat::IDENTITY }
}

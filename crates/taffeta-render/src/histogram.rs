//! A histogram of positive values with logarithmic bins. Its memory does not grow with the number of values.

/// Bits dropped to get the bin: the exponent and four more bits remain, so that a bin is 1/16 of a doubling or less.
const SHIFT: u32 = 48;

/// Counts of positive values in logarithmic bins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Histogram {
    /// Count and largest value of each bin.
    bins: Vec<(u64, f64)>,
    count: u64,
    largest: f64,
}

impl Histogram {
    /// Counts a value. Zero, negative values and NaN are ignored.
    pub fn add(&mut self, value: f64) {
        if !(value.is_finite() && value > 0.0) {
            return;
        }
        // positive floats sort in the order of their bits
        let bin = (value.to_bits() >> SHIFT) as usize;
        if self.bins.is_empty() {
            self.bins = vec![(0, 0.0); 1 << (63 - SHIFT)];
        }
        let (count, largest) = &mut self.bins[bin];
        (*count, *largest) = (*count + 1, largest.max(value));
        self.count += 1;
        self.largest = self.largest.max(value);
    }

    /// A quantile, at most 1/16 too large; 0 if there are no values.
    pub fn quantile(&self, part: f64) -> f64 {
        let wanted = (part * self.count as f64).ceil() as u64;
        let mut seen = 0;
        let bin = self.bins.iter().find(|(count, _)| {
            seen += count;
            seen >= wanted.max(1)
        });
        bin.map_or(0.0, |(_, largest)| *largest)
    }

    /// The largest value; 0 if there are no values.
    pub fn largest(&self) -> f64 {
        self.largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_to_a_sixteenth() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.quantile(0.5), histogram.largest()), (0.0, 0.0));
        for ignored in [0.0, -3.0, f64::NAN, f64::INFINITY] {
            histogram.add(ignored);
        }
        assert_eq!(histogram.quantile(1.0), 0.0);
        for scale in [1.0, 1e-300, 1e300] {
            let mut histogram = Histogram::default();
            (1..=1000).for_each(|i| histogram.add(f64::from(i) * scale));
            for (part, exact) in [(0.5, 500.0), (0.98, 980.0), (0.001, 1.0)] {
                let found = histogram.quantile(part) / scale;
                assert!((exact..=exact * 1.0626).contains(&found), "{part} of {scale:e}: {found}");
            }
            assert_eq!((histogram.quantile(1.0), histogram.largest()), (1000.0 * scale, 1000.0 * scale));
        }
    }
}

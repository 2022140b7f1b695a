//! Maps values to pixels along an axis, and places its numbers.

use super::Axis;
use crate::ticks;

/// The range of values of an axis and the range of pixels that shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// Greatest number of labels on an axis, approximately.
const MOST: usize = 7;

impl Scale {
    /// The scale of these values between two pixels. Values that it cannot show are ignored.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, [from, to]: [f64; 2]) -> Self {
        let log = axis.log;
        let shown = values.filter(|value| shows(log, *value)).map(|value| if log { value.log10() } else { value });
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = match (low <= high, log) {
            (false, _) => (0.0, 1.0),
            (true, true) => (low - 0.05, high + 0.05),
            // positive values start at zero, unless that would squeeze them together
            (true, false) if low > 0.0 && low < 0.5 * high => (0.0, high),
            (true, false) => (low, high),
        };
        // extreme values still have a finite range
        let (low, high) = (low.max(-1e300), high.min(1e300));
        let room = if high > low { 0.04 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        let low = if low == 0.0 && !log { low } else { low - room };
        Self { log, low, high: high + room, from, to }
    }

    /// The pixel of a value; `None` if the axis cannot show it.
    pub fn place(&self, value: f64) -> Option<f64> {
        let at = shows(self.log, value).then(|| if self.log { value.log10() } else { value })?;
        Some(self.from + (at - self.low) / (self.high - self.low) * (self.to - self.from))
    }

    /// The labelled values and their labels.
    pub fn numbers(&self) -> Vec<(f64, String)> {
        let values: Vec<f64> = if self.log { self.powers() } else { ticks(self.low, self.high, MOST) };
        values.into_iter().map(|value| (value, number(value))).collect()
    }

    /// Powers of ten; if there are few, also 2 and 5 times these.
    fn powers(&self) -> Vec<f64> {
        let decades = self.low.ceil() as i32..=self.high.floor() as i32;
        let every = (decades.clone().count() / MOST + 1) as i32;
        let factors: &[f64] = if self.high - self.low < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let within = |value: &f64| (self.low..=self.high).contains(&value.log10());
        let values = (decades.start() - 1..=*decades.end()).filter(|power| power.rem_euclid(every) == 0);
        values.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power))).filter(within).collect()
    }
}

fn shows(log: bool, value: f64) -> bool {
    value.is_finite() && (!log || value > 0.0)
}

/// The shortest text of a number: 0.05, 20, 1e-7.
fn number(value: f64) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        let text = format!("{value:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let text = format!("{value:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_within() {
        let texts = |log: bool, values: &[f64]| {
            let axis = Axis { label: String::new(), log };
            let scale = Scale::new(&axis, values.iter().copied(), [0.0, 100.0]);
            scale.numbers().into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts(true, &[1e-7, 1e-3]), ["1e-7", "1e-6", "1e-5", "1e-4", "0.001"]);
        assert_eq!(texts(true, &[500.0, 8000.0]), ["500", "1000", "2000", "5000", "10000"]);
        assert_eq!(texts(false, &[1.0, 9.8]), ["0", "2", "4", "6", "8", "10"]);
    }
}

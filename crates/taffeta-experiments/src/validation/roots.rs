//! Where functions of one variable pass a value.

/// Where a test that is false below becomes true, to a ten-thousandth.
pub fn bisect(mut low: f64, mut high: f64, test: impl Fn(f64) -> bool) -> f64 {
    while high - low > 1e-4 * high.abs() {
        let middle = 0.5 * (low + high);
        if test(middle) { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Root of a smooth function near two values.
pub fn secant(mut a: f64, mut b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut fa, mut fb) = (f(a), f(b));
    while (b - a).abs() > 1e-5 * b.abs() {
        (a, b) = (b, b - fb * (b - a) / (fb - fa));
        (fa, fb) = (fb, f(b));
    }
    b
}

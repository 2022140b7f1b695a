//! Shared by the derivative tests of elements.

use crate::Vec3;

/// Random points in a cube of the given size.
pub fn points<const N: usize>(seed: u64, scale: f64) -> [Vec3; N] {
    std::array::from_fn(|i| {
        let r = |c: u64| crate::random::signed(seed, 3 * i as u64 + c) * scale;
        Vec3::new(r(0), r(1), r(2))
    })
}

/// Compares a force with central differences of the energy: relative error near 1e-6 of the largest component.
pub fn force<const N: usize>(
    name: &str,
    x: &[Vec3; N],
    energy: impl Fn(&[Vec3; N]) -> f64,
    force: impl Fn(&[Vec3; N]) -> [Vec3; N],
) {
    let size = x.iter().flat_map(|p| x.iter().map(move |q| p.distance(*q))).fold(0.0, f64::max);
    let step = 1e-5 * size;
    let exact = force(x);
    let largest = exact.iter().map(|f| f.abs().max_element()).fold(0.0, f64::max);
    assert!(largest > 0.0, "{name}: every component is zero, which proves nothing");
    for i in 0..N {
        for axis in 0..3 {
            let at = |s: f64| {
                let mut moved = *x;
                moved[i][axis] += s;
                energy(&moved)
            };
            // fourth-order difference
            let slope = (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
            let error = (exact[i][axis] + slope).abs() / largest;
            assert!(error < 2e-6, "{name}: particle {i} axis {axis}: force {} slope {slope}", exact[i][axis]);
        }
    }
}

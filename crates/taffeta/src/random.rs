//! Seeded random numbers without state, the same on every machine.

/// A number in [-1, 1) that depends on seed and index only (SplitMix64, Steele, Lea and Flood, OOPSLA 2014).
pub(crate) fn signed(seed: u64, index: u64) -> f64 {
    let mut z = seed.wrapping_mul(0xd1342543de82ef95).wrapping_add(index).wrapping_mul(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^= z >> 31;
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

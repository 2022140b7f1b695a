//! Conversion of numbers to little-endian bytes and back.

use taffeta::Vec3;

/// Appends numbers to a buffer.
pub(crate) trait PutBytes {
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
    fn put_f64(&mut self, value: f64);
    fn put_points(&mut self, points: &[Vec3]);
}

impl PutBytes for Vec<u8> {
    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_f64(&mut self, value: f64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_points(&mut self, points: &[Vec3]) {
        self.reserve(24 * points.len());
        for p in points {
            for value in p.to_array() {
                self.extend_from_slice(&value.to_le_bytes());
            }
        }
    }
}

/// Takes numbers from the front of a slice; returns `None` when it is too short.
pub(crate) struct TakeBytes<'a>(pub &'a [u8]);

impl<'a> TakeBytes<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*front)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    /// Replaces the contents of `points` with the next `count` points.
    pub fn points(&mut self, count: usize, points: &mut Vec<Vec3>) -> Option<()> {
        let bytes = self.take(count.checked_mul(24)?)?;
        points.clear();
        points.extend(bytes.as_chunks::<24>().0.iter().map(|p| {
            let (values, _) = p.as_chunks::<8>();
            Vec3::from_array([values[0], values[1], values[2]].map(f64::from_le_bytes))
        }));
        Some(())
    }
}

/// CRC-32 as in zlib, PNG and zip: `zlib.crc32` in Python.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

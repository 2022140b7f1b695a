//! Four f32 at once: SSE2 on x86-64, where it is always available, plain arrays elsewhere. Both round alike, so both
//! give the same bits.

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use plain::F4;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse::F4;

/// Operators that both implementations share.
macro_rules! operators {
    ($($trait:ident $name:ident),*) => {
        $(impl std::ops::$trait for F4 {
            type Output = F4;
            #[inline(always)]
            fn $name(self, o: F4) -> F4 {
                self.$name(o)
            }
        })*
    };
}

#[cfg(target_arch = "x86_64")]
mod sse {
    use std::arch::x86_64::*;

    /// SAFETY, here and below: every x86-64 CPU has SSE2, and none of these calls accesses memory.
    macro_rules! sse {
        ($call:expr) => {
            unsafe { $call }
        };
    }

    /// Four f32.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct F4(__m128);

    #[allow(clippy::should_implement_trait)]
    impl F4 {
        #[inline(always)]
        pub fn new(v: [f32; 4]) -> F4 {
            F4(sse!(_mm_set_ps(v[3], v[2], v[1], v[0])))
        }

        #[inline(always)]
        pub fn splat(v: f32) -> F4 {
            F4(sse!(_mm_set1_ps(v)))
        }

        /// The smaller value; the second one if either is NaN.
        #[inline(always)]
        pub fn min(self, o: F4) -> F4 {
            F4(sse!(_mm_min_ps(self.0, o.0)))
        }

        /// The larger value; the second one if either is NaN.
        #[inline(always)]
        pub fn max(self, o: F4) -> F4 {
            F4(sse!(_mm_max_ps(self.0, o.0)))
        }

        /// Bit i is set where self ≤ o in lane i.
        #[inline(always)]
        pub fn at_most(self, o: F4) -> u32 {
            sse!(_mm_movemask_ps(_mm_cmple_ps(self.0, o.0))) as u32
        }

        #[inline(always)]
        pub fn to_array(self) -> [f32; 4] {
            let low = |v| sse!(_mm_cvtss_f32(v));
            [
                low(self.0),
                low(sse!(_mm_shuffle_ps::<1>(self.0, self.0))),
                low(sse!(_mm_shuffle_ps::<2>(self.0, self.0))),
                low(sse!(_mm_shuffle_ps::<3>(self.0, self.0))),
            ]
        }

        #[inline(always)]
        fn add(self, o: F4) -> F4 {
            F4(sse!(_mm_add_ps(self.0, o.0)))
        }
        #[inline(always)]
        fn sub(self, o: F4) -> F4 {
            F4(sse!(_mm_sub_ps(self.0, o.0)))
        }
        #[inline(always)]
        fn mul(self, o: F4) -> F4 {
            F4(sse!(_mm_mul_ps(self.0, o.0)))
        }
        #[inline(always)]
        fn div(self, o: F4) -> F4 {
            F4(sse!(_mm_div_ps(self.0, o.0)))
        }
    }
    operators!(Add add, Sub sub, Mul mul, Div div);
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    /// Four f32.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct F4([f32; 4]);

    #[allow(clippy::should_implement_trait)]
    impl F4 {
        pub fn new(v: [f32; 4]) -> F4 {
            F4(v)
        }

        pub fn splat(v: f32) -> F4 {
            F4([v; 4])
        }

        fn zip(self, o: F4, f: impl Fn(f32, f32) -> f32) -> F4 {
            F4(std::array::from_fn(|i| f(self.0[i], o.0[i])))
        }

        /// The smaller value; the second one if either is NaN.
        pub fn min(self, o: F4) -> F4 {
            self.zip(o, |a, b| if a < b { a } else { b })
        }

        /// The larger value; the second one if either is NaN.
        pub fn max(self, o: F4) -> F4 {
            self.zip(o, |a, b| if a > b { a } else { b })
        }

        /// Bit i is set where self ≤ o in lane i.
        pub fn at_most(self, o: F4) -> u32 {
            (0..4).map(|i| u32::from(self.0[i] <= o.0[i]) << i).sum()
        }

        pub fn to_array(self) -> [f32; 4] {
            self.0
        }

        fn add(self, o: F4) -> F4 {
            self.zip(o, |a, b| a + b)
        }
        fn sub(self, o: F4) -> F4 {
            self.zip(o, |a, b| a - b)
        }
        fn mul(self, o: F4) -> F4 {
            self.zip(o, |a, b| a * b)
        }
        fn div(self, o: F4) -> F4 {
            self.zip(o, |a, b| a / b)
        }
    }
    operators!(Add add, Sub sub, Mul mul, Div div);
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    #[test]
    fn both_kinds_of_lanes_have_the_same_bits() {
        let values = [0.0, -0.0, 1.5, -3e-20, 7e20, f32::INFINITY, f32::NAN, 1e-3];
        for i in 0..values.len() {
            for j in 0..values.len() {
                let a: [f32; 4] = std::array::from_fn(|k| values[(i + k) % 8]);
                let b: [f32; 4] = std::array::from_fn(|k| values[(j + 3 * k) % 8]);
                let (sa, sb) = (super::sse::F4::new(a), super::sse::F4::new(b));
                let (pa, pb) = (super::plain::F4::new(a), super::plain::F4::new(b));
                // a NaN may have any sign
                let bits = |v: [f32; 4]| v.map(|x| if x.is_nan() { 1 } else { x.to_bits() });
                let pairs = [
                    (sa.min(sb).to_array(), pa.min(pb).to_array()),
                    (sa.max(sb).to_array(), pa.max(pb).to_array()),
                    ((sa + sb).to_array(), (pa + pb).to_array()),
                    ((sa - sb).to_array(), (pa - pb).to_array()),
                    ((sa * sb).to_array(), (pa * pb).to_array()),
                    ((sa / sb).to_array(), (pa / pb).to_array()),
                ];
                for (s, p) in pairs {
                    assert_eq!(bits(s), bits(p), "{a:?} {b:?}");
                }
                assert_eq!(sa.at_most(sb), pa.at_most(pb));
                assert_eq!(
                    super::sse::F4::splat(a[0]).to_array()[3].to_bits(),
                    super::plain::F4::splat(a[0]).to_array()[3].to_bits()
                );
            }
        }
    }
}

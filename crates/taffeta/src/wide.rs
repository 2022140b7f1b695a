//! Code that is compiled several times: for any CPU, for those with vectors of 256 bits, and for those with AVX-512, chosen as the program
//! runs.
//!
//! All have the same bits: there is no fused multiply-add, and vectors change the speed of element-wise arithmetic, not its order.

/// Work that gains from wide vectors. All that it calls must be `#[inline(always)]`, or it is compiled for any CPU only.
pub(crate) trait Kernel {
    type Output;

    fn run(self) -> Self::Output;
}

/// Runs a kernel, compiled for what the CPU has.
#[inline]
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        // twice the registers, and vectors that are as long as fits
        #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
        fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        if is_x86_feature_detected!("avx2") {
            let more = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
            // SAFETY: the functions are safe but for the CPU that they need, which was asked for.
            return unsafe {
                if more && is_x86_feature_detected!("avx512dq") { with_avx512(kernel) } else { with_avx2(kernel) }
            };
        }
    }
    kernel.run()
}

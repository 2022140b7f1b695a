//! Code that is compiled twice: for any CPU, and for those with vectors of 256 bits, chosen as the program runs.
//!
//! Both have the same bits: there is no fused multiply-add, and vectors change the speed of element-wise arithmetic, not its order.

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
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the function is safe but for the CPU that it needs, which was asked for in the line above.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run()
}

//! Kernels that are compiled several times: for any CPU, for CPUs with vectors of 256 bits, and for those with AVX-512.
//! The version is chosen at run time.
//!
//! All versions give the same bits: there is no fused multiply-add, and vectors change the speed of element-wise
//! arithmetic, not its order.

/// Work that gains from wide vectors. Everything it calls must be `#[inline(always)]`; otherwise that is compiled for
/// any CPU only.
pub(crate) trait Kernel {
    type Output;

    fn run(self) -> Self::Output;
}

/// Vector instructions of a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Any,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Twice the registers, and vectors that are as long as fits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// Level of this CPU.
    #[inline]
    fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            let more = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
            return if more && is_x86_feature_detected!("avx512dq") { Level::Avx512 } else { Level::Avx2 };
        }
        Level::Any
    }

    /// All levels that this CPU can run, the lowest first.
    #[cfg(test)]
    pub fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let list = vec![Level::Any, Level::Avx2, Level::Avx512];
        #[cfg(not(target_arch = "x86_64"))]
        let list = vec![Level::Any];
        list.into_iter().filter(|level| *level <= Self::here()).collect()
    }
}

/// Runs a kernel, compiled for the level of this CPU.
#[inline]
pub(crate) fn widest<K: Kernel>(kernel: K) -> K::Output {
    at(Level::here(), kernel)
}

/// Runs a kernel with vectors of at most 256 bits, for kernels whose sums were made to fill the registers of AVX2.
#[inline]
pub(crate) fn narrow<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    return at(Level::here().min(Level::Avx2), kernel);
    #[cfg(not(target_arch = "x86_64"))]
    kernel.run()
}

/// Runs a kernel, compiled for a level that the CPU supports.
#[inline]
pub(crate) fn at<K: Kernel>(level: Level, kernel: K) -> K::Output {
    assert!(level <= Level::here());
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
        fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        // SAFETY: the functions need the CPU features of `level`, which the assertion above asks for.
        match level {
            Level::Any => {}
            Level::Avx2 => return unsafe { with_avx2(kernel) },
            Level::Avx512 => return unsafe { with_avx512(kernel) },
        }
    }
    kernel.run()
}

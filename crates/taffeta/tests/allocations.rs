//! A step after the first allocates nothing.

mod common;
use common::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use taffeta::*;

struct Counting;
static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(p, layout) }
    }
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(p, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test in this file, so that no other thread allocates meanwhile.
#[test]
fn steps_after_the_first_allocate_nothing() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for method in METHODS {
            let allocated = pool.install(|| {
                let damping = FabricDamping { stretch: 1e-5, shear: 1e-4, bend: 1e-4, air: 0.1 };
                let mut cloth = grid([0.7, 0.7], [50, 50], Pattern::Alternating, Fabric { damping, ..fabric() });
                cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
                cloth.pins.push(Pin { from: 1e-3, ..Pin::fixed(Select::Edge(vec![Side::Left])) });
                let mut setup = springs(cloth);
                setup.method = method;
                setup.air = Air { drag: 1.0, fluid: 0.2, wind: Vec3::new(3.0, 0.0, 4.0), ..Air::default() };
                setup.limiter =
                    Some(Limiter { limit: 1e-6, passes: 3, order: Order::LongestFirst, ..Limiter::default() });
                setup.time = fixed_step(2e-5);
                let mut run = Run::new(setup);
                run.steps(10);
                let before = COUNT.load(Ordering::Relaxed);
                run.steps(70);
                COUNT.load(Ordering::Relaxed) - before
            });
            assert_eq!(allocated, 0, "{method:?} on {threads} threads: allocations in 70 steps");
        }
    }
}

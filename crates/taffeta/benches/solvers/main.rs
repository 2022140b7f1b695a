//! probe
mod scene;
use cpu_time::ProcessTime;
use taffeta::equations::*;
use taffeta::{Workspace, advance_frame};
fn main() { rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(all) }
fn all() {
    for side in [41, 101] {
        for stretch in [5e3, 5e4] {
            let world = scene::sheet(side, stretch, 1.0 / 60.0);
            let (mut state, mut work) = (world.start(), Workspace::new(&world));
            while state.frame < 11 {
                advance_frame(&world, &mut state, &mut work).unwrap();
            }
            let list = work.equations(|work| { advance_frame(&world, &mut state, work).unwrap(); });
            let mut whole = Whole::new(&world);
            let (numbers, operations) = whole.size();
            println!("{side} {stretch}: {} systems, factor {numbers} numbers {operations:e} ops", list.len());
            let e = &list[0];
            let mut g = Gradient::new(&world);
            for _ in 0..3 {
                let t = ProcessTime::now();
                let mut x = e.guess.clone();
                let it = e.conjugate_gradient(&world, &mut x, &mut g);
                let a = t.elapsed();
                let t = ProcessTime::now();
                assert!(whole.factor(&world, e));
                let b = t.elapsed();
                let t = ProcessTime::now();
                whole.solve(&mut x);
                println!("cg {it} {a:?}  factor {b:?} solve {:?}", t.elapsed());
            }
        }
    }
}

//! probe
mod pcg;
mod scene;
mod system;
use cpu_time::ProcessTime;
use taffeta::equations::*;
use taffeta::{Vec3, Workspace, advance_frame};
fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(all)
}
struct P<'a>(&'a mut Tiles);
impl pcg::Inverse for P<'_> {
    fn apply(&mut self, _: &system::System, r: &[Vec3], z: &mut [Vec3]) {
        self.0.solve(r, z);
    }
}
fn all() {
    let sides: Vec<u32> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    for side in sides {
        for stretch in [5e3, 5e4] {
            for h in [1.0 / 60.0, 1.0 / 240.0] {
                let world = scene::sheet(side, stretch, h, Default::default());
                let fast = scene::sheet(side, stretch, if stretch > 1e4 { 4.2e-4 } else { 1.3e-3 }, taffeta::Method::FilteredEuler);
                let (mut fstate, mut fwork) = (fast.start(), Workspace::new(&fast));
                while fstate.frame < 11 {
                    advance_frame(&fast, &mut fstate, &mut fwork).unwrap();
                }
 let (mut state, mut work) = (world.start(), Workspace::new(&world));
 state.x = fstate.x; state.v = fstate.v;
                let list = work.equations(|work| {
                    advance_frame(&world, &mut state, work).unwrap();
                });
                println!("{side} {stretch}: {} systems {h}", list.len());
                let e = &list[0];
                let s = system::System::new(&world, e);
                let mut g = Gradient::new(&world);
                let mut r = e.right.clone();
                let mut whole = Whole::new(&world);
                let mut x = e.guess.clone();
                for _ in 0..1 {
                    x.copy_from_slice(&e.guess);
                    let t = ProcessTime::now();
                    let it = e.conjugate_gradient(&world, &mut x, &mut g);
                    let a = t.elapsed();
                    s.residual(&x, &mut r);
                    println!("cg {it} {a:?} share {:e}", (s.measure(&r) / s.enough).sqrt());
                }
                let t = ProcessTime::now();
                assert!(whole.factor(&world, e));
                println!("  old factor {:?}", t.elapsed());
                for all in [true] {
                    let mut tiles = Tiles::new(&world);
                    for _ in 0..std::env::var("REP").map_or(3, |r| r.parse().unwrap()) {
                        x.copy_from_slice(&e.guess);
                        let t = ProcessTime::now();
                        let good = tiles.factor(&world, e);
                        let b = t.elapsed();
                        let t = ProcessTime::now();
                        let it = pcg::solve(&s, &mut P(&mut tiles), &mut |x, out| s.product(x, out), &mut x, s.enough);
                        let c = t.elapsed();
                        let t = ProcessTime::now();
                        tiles.solve(&r, &mut x.clone());
                        let d = t.elapsed();
                        s.residual(&x, &mut r);
                        println!(
                            "  all {all} {good}: {:.1} MB factor {b:?} solve {c:?} it {it} share {:e} once {d:?}",
                            tiles.bytes() as f64 / 1e6, (s.measure(&r) / s.enough).sqrt()
                        );
                    }
                }
            }
        }
    }
}

//! What an implicit step is made of: forces, their derivatives, products with the matrix. Figures are those of one
//! thread; "2 threads" is how much faster two are.

use crate::timing::{Stream, batch, in_turns};
use rayon::ThreadPool;
use std::cell::RefCell;
use std::hint::black_box;
use taffeta::{Cloth, Implicit, Material, Mesh, Method, Pattern, Setup, State, Tangent, Workspace, World, forces};

/// A sheet of triangles and hinges, waved.
fn sheet(side: u32) -> (World, State) {
    let mesh = Mesh::grid([1.0, 1.0], [side - 1, side - 1], Pattern::Alternating).unwrap();
    let mut cloth = Cloth::new("sheet", mesh);
    if let Material::Fabric(fabric) = &mut cloth.material {
        fabric.stretch = [5000.0; 2];
        fabric.shear = 2500.0;
    }
    let world =
        World::new(Setup { method: Some(Method::BackwardEuler(Implicit::default())), ..Setup::with_cloth(cloth) })
            .unwrap();
    let mut state = world.start();
    state.x.iter_mut().for_each(|x| x.z += 0.02 * (25.0 * x.x).sin() * (18.0 * x.y).cos());
    (world, state)
}

/// Length of a step, s.
const H: f64 = 1.0 / 60.0;

/// Prints the tables.
pub fn kernels() {
    let [one, two] = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    println!("\nforces, and forces with derivatives in the matrix: CPU ns for each triangle with its share of hinges");
    println!("{:>9} {:>10} {:>10} {:>14} {:>10}", "vertices", "forces", "2 threads", "derivatives", "2 threads");
    for side in [41, 101, 317] {
        let (world, state) = sheet(side);
        let mut works = [(); 2].map(|()| (Workspace::new(&world), Tangent::new(&world).unwrap()));
        let [(work, tangent), (other_work, other_tangent)] = &mut works;
        let [a, b, c, d] = in_turns([
            &mut || one.install(|| batch(|| _ = black_box(forces(&world, &state, work)))),
            &mut || two.install(|| batch(|| _ = black_box(forces(&world, &state, other_work)))),
            &mut || one.install(|| batch(|| tangent.fill(&world, &state, H))),
            &mut || two.install(|| batch(|| other_tangent.fill(&world, &state, H))),
        ]);
        let each = 1e9 / world.triangles.len() as f64;
        println!(
            "{:>9} {:>10.1} {:>10.2} {:>14.1} {:>10.2}",
            world.mass.len(),
            each * a.cpu,
            a.wall / b.wall,
            each * c.cpu,
            c.wall / d.wall
        );
    }

    println!("\nproduct with the matrix, beside the sum of an array of the same bytes, in turns");
    println!(
        "{:>9} {:>8} {:>8} {:>10} {:>8} {:>8} {:>8} {:>10}",
        "vertices", "blocks", "MB", "CPU µs", "GB/s", "sum", "share", "2 threads"
    );
    // the matrix in the second level of cache, the third, and in memory
    for side in [17, 41, 101, 317, 501] {
        let (world, state) = sheet(side);
        let mut tangent = Tangent::new(&world).unwrap();
        tangent.fill(&world, &state, H);
        let blocks = tangent.blocks();
        let x = &state.x;
        // the vector is read and the result written, once each
        let bytes = tangent.bytes(&world) + 2 * size_of_val(&x[..]);
        let stream = Stream::new(bytes);
        let shared = RefCell::new((tangent, x.clone()));
        let product = |pool: &ThreadPool| {
            let (tangent, out) = &mut *shared.borrow_mut();
            pool.install(|| batch(|| tangent.multiply(&world, black_box(x), out)))
        };
        let [a, b, sum] = in_turns([&mut || product(&one), &mut || product(&two), &mut || batch(|| stream.sum())]);
        let (speed, limit) = (bytes as f64 / a.cpu, stream.bytes() as f64 / sum.cpu);
        println!(
            "{:>9} {blocks:>8} {:>8.2} {:>10.1} {:>8.1} {:>8.1} {:>6.0} % {:>10.2}",
            world.mass.len(),
            bytes as f64 / 1e6,
            1e6 * a.cpu,
            speed / 1e9,
            limit / 1e9,
            100.0 * speed / limit,
            a.wall / b.wall
        );
    }
}

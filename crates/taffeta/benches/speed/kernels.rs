//! What an implicit step is made of: forces, their derivatives, products with the matrix. One thread and two.

use crate::timing::{Stream, in_turns};
use std::hint::black_box;
use taffeta::{Cloth, Material, Mesh, Pattern, Setup, State, Tangent, Workspace, World, forces};

/// A sheet of triangles and hinges, waved.
fn sheet(side: u32) -> (World, State) {
    let mesh = Mesh::grid([1.0, 1.0], [side - 1, side - 1], Pattern::Alternating).unwrap();
    let mut cloth = Cloth::new("sheet", mesh);
    if let Material::Fabric(fabric) = &mut cloth.material {
        fabric.stretch = [5000.0; 2];
        fabric.shear = 2500.0;
    }
    let world = World::new(Setup::with_cloth(cloth)).unwrap();
    let mut state = world.start();
    state.x.iter_mut().for_each(|x| x.z += 0.02 * (25.0 * x.x).sin() * (18.0 * x.y).cos());
    (world, state)
}

/// Length of a step, s.
const H: f64 = 1.0 / 60.0;

/// Prints the tables.
pub fn kernels() {
    let [one, two] = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    println!(
        "\nforces, and forces with derivatives in the matrix; ns for each triangle with its share of hinges, least"
    );
    println!(
        "{:>9} {:>10} {:>10} {:>7} {:>14} {:>10} {:>7}",
        "vertices", "forces", "2 threads", "ratio", "derivatives", "2 threads", "ratio"
    );
    for side in [41, 101, 317] {
        let (world, state) = sheet(side);
        let mut works = [(); 2].map(|()| (Workspace::new(&world), Tangent::new(&world).unwrap()));
        let [(work, tangent), (other_work, other_tangent)] = &mut works;
        let times = in_turns([
            &mut || one.install(|| _ = black_box(forces(&world, &state, work))),
            &mut || two.install(|| _ = black_box(forces(&world, &state, other_work))),
            &mut || one.install(|| tangent.fill(&world, &state, H)),
            &mut || two.install(|| other_tangent.fill(&world, &state, H)),
        ]);
        let [a, b, c, d] = times.map(|time| 1e9 * time / world.triangles.len() as f64);
        println!("{:>9} {a:>10.1} {b:>10.1} {:>7.2} {c:>14.1} {d:>10.1} {:>7.2}", world.mass.len(), a / b, c / d);
    }

    println!("\nproduct with the matrix, beside the sum of an array of the same bytes, in turns");
    println!(
        "{:>9} {:>8} {:>8} {:>10} {:>8} {:>8} {:>8} {:>10} {:>7}",
        "vertices", "blocks", "MB", "µs", "GB/s", "sum", "share", "2 threads", "ratio"
    );
    // the matrix in the second level of cache, the third, and in memory
    for side in [17, 41, 101, 317, 501] {
        let (world, state) = sheet(side);
        let mut tangent = Tangent::new(&world).unwrap();
        tangent.fill(&world, &state, H);
        let x = &state.x;
        let mut out = x.clone();
        // the vector is read and the result written, once each
        let bytes = (tangent.bytes(&world) + 2 * size_of_val(&x[..])) as f64;
        let stream = Stream::new(bytes as usize);
        let shared = std::cell::RefCell::new((&mut tangent, &mut out));
        let product = |pool: &rayon::ThreadPool| {
            let (tangent, out) = &mut *shared.borrow_mut();
            pool.install(|| tangent.multiply(&world, black_box(x), out));
        };
        let [a, b, sum] = in_turns([&mut || product(&one), &mut || product(&two), &mut || stream.sum()]);
        let (speed, limit) = (bytes / a, stream.bytes() as f64 / sum);
        let blocks = shared.borrow().0.blocks();
        println!(
            "{:>9} {blocks:>8} {:>8.2} {:>10.1} {:>8.1} {:>8.1} {:>6.0} % {:>10.1} {:>7.2}",
            world.mass.len(),
            bytes / 1e6,
            1e6 * a,
            speed / 1e9,
            limit / 1e9,
            100.0 * speed / limit,
            1e6 * b,
            a / b
        );
    }
}

//! Static equilibria.

mod common;
use common::*;
use taffeta::*;

fn draped(setup: Setup) -> (Run, DrapeReport) {
    let mut run = Run::new(setup);
    let begin = std::time::Instant::now();
    let report = drape(&run.world, &mut run.state, &Drape::default(), &mut |p| {
        if p.iteration % 20 == 0 {
            println!("  {} {:.3e}", p.iteration, p.share);
        }
        true
    });
    println!("{:.2} s {:?}", begin.elapsed().as_secs_f64(), report);
    (run, report)
}

#[test]
fn quick() {
    for model in [Model::BaraffWitkin { bending: Bending::Hinge }, Model::Membrane { bending: Bending::Hinge }] {
        for pattern in [Pattern::OneDiagonal, Pattern::Alternating, Pattern::Crossed] {
            let mut cloth = grid([1.0, 1.0], [10, 10], pattern, fabric());
            cloth.model = model;
            cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
            let (run, _) = draped(Setup::with_cloth(cloth));
            let n = 10;
            let x = &run.state.x;
            let y = (x[1..n].iter().map(|p| p.y).sum::<f64>() + 0.5 * (x[0].y + x[n].y)) / n as f64;
            println!("{} {pattern:?} {:.9e} off {:e}", model.name(), -0.5 - y, off(-0.5 - y, 7.3575e-4));
        }
    }
    for cells in [20, 40, 80] {
        let mut cloth = grid([1.0, 1.0], [cells, cells], Pattern::Alternating, fabric());
        cloth.place.rotate.x = 90.0;
        cloth.noise = Some(Noise { size: 1e-4, seed: 1 });
        cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop]))];
        let (run, report) = draped(Setup::with_cloth(cloth));
        println!("{cells} com {} pins {:?}", run.measure().com_height, report.pins);
    }
}

//! Runs 64 small simulations side by side on all cores, each in another wind.
//!
//!     cargo run --release -p taffeta --example many

use rayon::prelude::*;
use std::error::Error;
use std::sync::Arc;
use taffeta::{Action, Cloth, Mesh, Pattern, Pin, Select, Setup, Side, Simulation, SimulationError, Vec3, World};

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut flag = Cloth::new("flag", Mesh::grid([0.3, 0.2], [12, 8], Pattern::Alternating)?);
    flag.pins.push(Pin::fixed(Select::Edge(vec![Side::Left])));
    let mut setup = Setup::with_cloth(flag);
    setup.air.drag = 1.0;
    setup.air.wind = Vec3::X; // for the choice of the method: all winds come later
    // one world for all; each gets its own copy when its wind changes
    let world = Arc::new(World::new(setup).map_err(|problems| problems[0].clone())?);
    let lifted = |number: u32| -> Result<f64, SimulationError> {
        let mut simulation = Simulation::of(world.clone());
        simulation.act(Action::Wind(Vec3::new(0.2 * f64::from(number), 0.0, 0.5)))?;
        for _ in 0..30 {
            simulation.frame()?;
        }
        Ok(simulation.positions().iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max))
    };
    let reach: Vec<f64> = (0..64).into_par_iter().map(lifted).collect::<Result<_, _>>()?;
    for (number, reach) in reach.iter().enumerate().step_by(9) {
        println!("wind {:4.1} m/s: the flag reaches {reach:.3} m", 0.2 * number as f64);
    }
    Ok(())
}

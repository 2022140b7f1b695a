//! Pulls a cloth by hand from code, moves a ball through where it hangs, goes back to a snapshot and gets the same
//! bits.
//!
//!     cargo run --release -p taffeta --example hand

use std::error::Error;
use taffeta::{Action, Body, Cloth, Corner, Mesh, Pattern, Pin, Place, Select, Setup, Shape, Simulation, Vec3};

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    // a sheet of half a metre hangs from its upper corners, a ball waits behind it
    let mut sheet = Cloth::new("sheet", Mesh::grid([0.5, 0.5], [16, 16], Pattern::Alternating)?);
    sheet.pins.push(Pin::fixed(Select::Corners(vec![Corner::LeftTop, Corner::RightTop])));
    let mut setup = Setup::with_cloth(sheet);
    setup.bodies.push(Body {
        name: "ball".into(),
        shape: Shape::Sphere { radius: 0.08 },
        place: Place { at: Vec3::new(0.0, -0.05, -0.3), ..Place::default() },
        ..Body::default()
    });
    let mut simulation = Simulation::new(setup).map_err(|problems| problems[0].clone())?;
    println!("method {}", simulation.world().method.name());

    // a finger takes the vertex in the middle of the lower edge: 100 N/m, 0.5 N at most
    let vertex = 8;
    let place = simulation.positions()[vertex as usize];
    let point = [(vertex, 1.0), (vertex, 0.0), (vertex, 0.0)];
    simulation.act(Action::Grab { grab: 1, point, to: place, stiffness: 100.0, limit: 0.5 })?;
    simulation.act(Action::Drag { grab: 1, to: place + Vec3::new(0.1, 0.1, 0.2), over: 0.5 })?;
    for _ in 0..30 {
        simulation.frame()?;
    }
    let force = simulation.pull(1).map_or(0.0, Vec3::length);
    println!("after 0.5 s the finger pulls with {force:.3} N at {:.3}", simulation.positions()[vertex as usize]);

    // the finger lets go while the ball comes through
    let before = simulation.snapshot();
    let through = |simulation: &mut Simulation| -> Result<(), Box<dyn Error>> {
        simulation.act(Action::LetGo { grab: 1 })?;
        let shift = Vec3::Z * 0.45;
        simulation.act(Action::MoveBody { body: "ball".into(), shift, turn: Vec3::ZERO, over: 0.6 })?;
        for _ in 0..36 {
            simulation.frame()?;
        }
        Ok(())
    };
    through(&mut simulation)?;
    let first = simulation.state().clone();
    println!("{} vertices touch the ball", simulation.contacts().len());

    // the same again
    simulation.restore(&before)?;
    through(&mut simulation)?;
    assert!(*simulation.state() == first, "the same bits");
    println!("the same bits after going back");
    Ok(())
}

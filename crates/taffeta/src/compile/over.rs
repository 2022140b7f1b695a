//! The world that takes over when cloth comes near itself, and the method has no contact.

use crate::model::elements::Layout;
use crate::setup::{GoodStep, Implicit, Method};
use crate::state::{Control, State};
use crate::world::World;

impl World {
    /// The same world with a method that has contact, BDF2 in its own steps. A run goes over to it where
    /// [`World::goes_over`] and a step fails with [`StepError::Meets`](crate::StepError::Meets);
    /// [`Simulation`](crate::Simulation) does this by itself.
    pub fn with_contact(&self) -> World {
        let method = Method::Bdf2(Implicit::default());
        let mut world = World { method, adaptive: Some(self.adaptive.unwrap_or_default()), ..self.clone() };
        world.layout = Layout::new(world.mass.len(), &world.elements);
        if let GoodStep::AtMost(longest) = method.info().step {
            let steps = world.steps_of(longest);
            (world.steps_per_frame, world.h) = (steps as u32, 1.0 / world.fps / steps);
            world.longest = world.h;
        }
        world
    }
}

impl State {
    /// Goes over to the method of [`World::with_contact`], which continues from here.
    pub fn go_over(&mut self) {
        self.went_over = Some(self.time);
        self.control = Control::default();
        self.past.h = 0.0;
    }
}

//! Forces of bodies on the cloth other than the contacts of particles: those of crossings, and of the response after a
//! step.

use crate::Vec3;

/// Mean forces over the step, N.
#[derive(Default)]
pub(crate) struct Pushes {
    /// Force of each body.
    pub of_body: Vec<Vec3>,
    on_particle: Vec<Vec3>,
}

impl Pushes {
    pub fn new(bodies: usize, particles: usize) -> Self {
        Self { of_body: vec![Vec3::ZERO; bodies], on_particle: vec![Vec3::ZERO; particles] }
    }

    pub fn clear(&mut self) {
        self.of_body.fill(Vec3::ZERO);
        self.on_particle.fill(Vec3::ZERO);
    }

    /// Adds the force on a particle.
    pub fn add(&mut self, body: u32, particle: usize, force: Vec3) {
        self.of_body[body as usize] += force;
        self.on_particle[particle] += force;
    }

    /// Adds the force on a point between particles, distributed by their weights.
    pub fn add_between(&mut self, body: u32, particles: [u32; 3], weights: [f64; 3], force: Vec3) {
        self.of_body[body as usize] += force;
        (0..3).for_each(|k| self.on_particle[particles[k] as usize] += force * weights[k]);
    }

    /// The particles that are pushed, and the forces on them, N.
    pub fn list(&self) -> Vec<(u32, Vec3)> {
        let all = self.on_particle.iter().enumerate().map(|(i, force)| (i as u32, *force));
        all.filter(|(_, force)| *force != Vec3::ZERO).collect()
    }
}

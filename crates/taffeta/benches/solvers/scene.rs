//! Equations from simulated frames.

use taffeta::equations::Equations;
use taffeta::{
    Body, Cloth, Corner, Implicit, Material, Mesh, Method, Motion, Pattern, Pin, Place, Select, Setup, Shape, StepSize,
    Vec3, Workspace, World, advance_frame,
};

/// What is simulated: side in vertices, stretch in N/m, step in s, and whether it falls on a ball instead of hanging.
#[derive(Clone, Copy)]
pub struct Scene {
    pub side: u32,
    pub stretch: u32,
    pub step: f64,
    pub ball: bool,
}

/// Equations of a frame's last step, and those that came before.
pub struct Sample {
    pub frame: u64,
    pub now: Equations,
    /// Of the step before, and of four frames before.
    pub before: Equations,
    pub long_before: Equations,
}

impl Scene {
    /// The sheet of `bench/peers/scene.toml`; with a ball it lies above it and nothing holds it.
    pub fn world(&self) -> World {
        let mesh = Mesh::grid([1.0, 1.0], [self.side - 1, self.side - 1], Pattern::Alternating).unwrap();
        let mut cloth = Cloth::new("sheet", mesh);
        if let Material::Fabric(fabric) = &mut cloth.material {
            fabric.density = 0.2;
            fabric.stretch = [f64::from(self.stretch); 2];
            fabric.shear = 0.5 * f64::from(self.stretch);
            fabric.bend = [5e-6; 2];
        }
        cloth.place = Place { rotate: Vec3::new(90.0, 0.0, 0.0), ..Place::default() };
        if !self.ball {
            cloth.pins = vec![Pin::fixed(Select::Corners(vec![Corner::LeftBottom, Corner::RightBottom]))];
        }
        let mut setup = Setup::with_cloth(cloth);
        setup.method = Some(Method::BackwardEuler(Implicit::default()));
        if self.ball {
            let place = Place { at: Vec3::new(0.0, -0.26, 0.0), ..Place::default() };
            let shape = Shape::Sphere { radius: 0.25 };
            let (name, motion, restitution) = ("ball".into(), Motion::default(), 0.0);
            setup.bodies =
                vec![Body { name, shape, place, motion, friction: Some(0.3), restitution, ..Body::default() }];
        }
        // a millionth more, so that rounding does not cut a frame into one step more
        setup.time.step = StepSize::AtMost(self.step * (1.0 + 1e-6));
        World::new(setup).unwrap()
    }

    /// Runs up to the last of some frames.
    pub fn samples(&self, world: &World, frames: &[u64]) -> Vec<Sample> {
        let (mut state, mut work) = (world.start(), Workspace::new(world));
        let mut samples = Vec::new();
        let mut last: Vec<Equations> = Vec::new();
        while samples.len() < frames.len() {
            let solved = work.equations(|work| _ = advance_frame(world, &mut state, work).unwrap());
            let k = chosen(&solved);
            if frames.contains(&state.frame) {
                let (now, long_before) = (solved[k].clone(), last[last.len().saturating_sub(4)].clone());
                let before = if k > 0 { solved[k - 1].clone() } else { last[last.len() - 1].clone() };
                samples.push(Sample { frame: state.frame, now, before, long_before });
            }
            last.push(solved[k].clone());
        }
        samples
    }
}

/// The last, and of several rounds of contact an early one: later ones start where the one before ended.
fn chosen(list: &[Equations]) -> usize {
    let most = list.iter().map(|equations| equations.contact_blocks().len()).max().unwrap_or(0);
    let early = list.iter().position(|equations| 2 * equations.contact_blocks().len() >= most);
    if most > 0 { early.unwrap_or(0) } else { list.len() - 1 }
}

//! Small scenes for the comparisons of moving cloth.

use taffeta::*;

/// A simulation in one piece.
pub struct Run {
    pub world: World,
    pub state: State,
    pub work: Workspace,
}

impl Run {
    /// By backward Euler unless the setup names a method.
    pub fn new(setup: Setup) -> Self {
        let method = setup.method.or(Some(Method::BackwardEuler(Implicit::default())));
        let world = World::new(Setup { method, ..setup }).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let (state, work) = (world.start(), Workspace::new(&world));
        Self { world, state, work }
    }

    pub fn step(&mut self) -> StepReport {
        step(&self.world, &mut self.state, &mut self.work).unwrap()
    }

    pub fn frame(&mut self) -> FrameReport {
        advance_frame(&self.world, &mut self.state, &mut self.work).unwrap()
    }

    pub fn until(&mut self, time: f64) {
        while self.state.time < time - 1e-9 {
            self.step();
        }
    }

    /// Mean time between upward zero crossings of a value, over `count` of them.
    pub fn period(&mut self, count: usize, value: impl Fn(&State) -> f64) -> f64 {
        self.period_with(count, |_| (), value)
    }

    /// As [`Run::period`], with a change of the state after every step.
    pub fn period_with(&mut self, count: usize, change: impl Fn(&mut State), value: impl Fn(&State) -> f64) -> f64 {
        let (mut before, mut crossings) = ((self.state.time, value(&self.state)), Vec::new());
        while crossings.len() <= count {
            self.step();
            change(&mut self.state);
            let now = (self.state.time, value(&self.state));
            if before.1 < 0.0 && now.1 >= 0.0 {
                crossings.push(before.0 - before.1 * (now.0 - before.0) / (now.1 - before.1));
            }
            before = now;
        }
        (crossings[count] - crossings[0]) / count as f64
    }
}

/// Backward Euler with equations solved in up to `newton` linearisations.
pub fn euler(newton: u32) -> Method {
    Method::BackwardEuler(solved(newton))
}

pub fn bdf2(newton: u32) -> Method {
    Method::Bdf2(solved(newton))
}

pub fn imex(order: ImexOrder) -> Method {
    Method::Imex(Imex { order, tolerance: 1e-12, ..Imex::default() })
}

fn solved(newton: u32) -> Implicit {
    Implicit { tolerance: 1e-8, newton, residual: 1e-6, ..Implicit::default() }
}

/// Equal steps of exactly `h` seconds.
pub fn fixed_step(h: f64) -> Time {
    Time { fps: 1.0 / h, step: StepSize::AtMost(2.0 * h), duration: 1.0, adaptive: None }
}

/// A grid of the default cloth.
pub fn grid(size: [f64; 2], cells: [u32; 2], pattern: Pattern, fabric: Fabric) -> Cloth {
    let mut cloth = Cloth::new("sheet", Mesh::grid(size, cells, pattern).unwrap());
    cloth.material = Material::Fabric(fabric);
    cloth
}

/// A particle (vertex 1) of 1 kg on a spring along x, 1 m long, of the given stiffness.
pub fn particle(k: f64, method: Method, h: f64) -> Setup {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]], None).unwrap();
    let mut cloth = Cloth::new("particle", mesh);
    cloth.model = Model::MassSpring { bending: Bending::Hinge };
    let damping = ViscousDamping::Constant(0.0);
    let raw = Raw { mass: 1.0, structural: k, shear: 0.0, flexion: 0.0, hinge: 0.0, damping, along: 0.0 };
    cloth.material = Material::Raw(raw);
    cloth.pins = vec![Pin::fixed(Select::Vertices(vec![0, 2]))];
    let mut setup = Setup { method: Some(method), gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(h);
    setup
}

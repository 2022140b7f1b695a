//! Shared by the tests of the library.

use taffeta::*;

/// The test cloth: ρ = 0.15 kg/m², k = 1000 N/m, shear 50 N/m, B = 1e-5 N m.
pub fn fabric() -> Fabric {
    Fabric::default()
}

/// A grid of the given fabric.
pub fn grid(size: [f64; 2], cells: [u32; 2], pattern: Pattern, fabric: Fabric) -> Cloth {
    let mut cloth = Cloth::new("sheet", Mesh::grid(size, cells, pattern).unwrap());
    cloth.material = Material::Fabric(fabric);
    cloth
}

/// Contact with exact shapes by constraints.
pub const CONSTRAINT: ContactSettings = ContactSettings {
    cloth: None,
    law: ContactLaw::Constraint,
    start: ContactStart::Refuse,
    impossible: ContactImpossible::Stop,
    pairs: Vec::new(),
};

/// A body at rest.
pub fn body(name: &str, shape: Shape, at: Vec3) -> Body {
    Body { name: name.into(), shape, place: Place { at, ..Place::default() }, ..Body::default() }
}

/// A motion through times, shifts and turns, in straight lines.
pub fn keys(list: &[(f64, Vec3, Vec3)]) -> Motion {
    Motion { keys: list.iter().map(|&(t, shift, turn)| Key { t, shift, turn }).collect(), smooth: false }
}

/// Springs, unless the cloth has another model than the default, under symplectic Euler.
pub fn springs(mut cloth: Cloth) -> Setup {
    if cloth.model == Model::default() {
        cloth.model = Model::MassSpring { bending: Bending::Hinge };
    }
    // tests of the elements need no contact
    Setup { method: Some(Method::SymplecticEuler), contact: CONSTRAINT, ..Setup::with_cloth(cloth) }
}

/// Backward Euler as it comes.
pub fn euler() -> Method {
    Method::BackwardEuler(Implicit::default())
}

/// A simulation in one piece.
pub struct Run {
    pub world: World,
    pub state: State,
    pub work: Workspace,
}

impl Run {
    /// By backward Euler unless the setup names a method: what tests expect does not depend on the choice of the best
    /// one.
    pub fn new(setup: Setup) -> Self {
        let method = setup.method.or(Some(euler()));
        let world = World::new(Setup { method, ..setup }).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let state = world.start();
        let work = Workspace::new(&world);
        Self { world, state, work }
    }

    pub fn step(&mut self) -> StepReport {
        step(&self.world, &mut self.state, &mut self.work).unwrap()
    }

    pub fn frame(&mut self) -> FrameReport {
        advance_frame(&self.world, &mut self.state, &mut self.work).unwrap()
    }

    pub fn steps(&mut self, count: u32) {
        (0..count).for_each(|_| _ = self.step());
    }

    pub fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| _ = self.frame());
    }

    /// Advances to a time, in whole steps.
    pub fn until(&mut self, time: f64) {
        while self.state.time < time - 1e-9 {
            self.step();
        }
    }

    pub fn measure(&self) -> Measures {
        measure(&self.world, &self.state)
    }
}

/// One step a frame of exactly `h` seconds.
pub fn fixed_step(h: f64) -> Time {
    Time { fps: 1.0 / h, step: StepSize::AtMost(2.0 * h), duration: 1.0, adaptive: None }
}

/// Raw constants with nothing but structural springs.
pub fn structural(mass: f64, k: f64) -> Raw {
    Raw {
        mass,
        structural: k,
        shear: 0.0,
        flexion: 0.0,
        hinge: 0.0,
        damping: ViscousDamping::Constant(0.0),
        along: 0.0,
    }
}

/// A particle (vertex 1) of mass 1 kg on a spring along x with rest length 1 m and frequency `omega`, the rest held.
pub fn oscillator(omega: f64, method: Method, h: f64) -> Run {
    Run::new(oscillator_setup(omega, method, h))
}

/// The setup of [`oscillator`].
pub fn oscillator_setup(omega: f64, method: Method, h: f64) -> Setup {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mesh = Mesh::new(corners, vec![[0, 1, 2]], None).unwrap();
    let mut cloth = Cloth::new("oscillator", mesh);
    cloth.material = Material::Raw(structural(1.0, omega * omega));
    cloth.pins = vec![Pin::fixed(Select::Vertices(vec![0, 2]))];
    let mut setup = springs(cloth);
    setup.gravity = Vec3::ZERO;
    setup.method = Some(method);
    setup.time = fixed_step(h);
    setup
}

/// All explicit methods, Verlet without damping.
pub const METHODS: [Method; 5] =
    [Method::ForwardEuler, Method::SymplecticEuler, Method::Midpoint, Method::Rk4, Method::Verlet { damping: 0.0 }];

/// All models, springs last.
pub const MODELS: [Model; 5] = [
    Model::BaraffWitkin { bending: Bending::Hinge },
    Model::BaraffWitkin { bending: Bending::Quadratic },
    Model::Membrane { bending: Bending::Hinge },
    Model::ChoiKo,
    Model::MassSpring { bending: Bending::Hinge },
];

/// Equations solved to rounding, or nearly, in up to `newton` linearisations.
pub fn tight(newton: u32) -> Implicit {
    Implicit { tolerance: 1e-12, newton, residual: 1e-9, ..Implicit::default() }
}

/// Backward Euler with [`tight`] settings.
pub fn tight_euler(newton: u32) -> Method {
    Method::BackwardEuler(tight(newton))
}

/// BDF2 with [`tight`] settings.
pub fn tight_bdf2(newton: u32) -> Method {
    Method::Bdf2(tight(newton))
}

/// IMEX in one of its orders, solved to rounding.
pub fn imex(order: ImexOrder) -> Method {
    Method::Imex(Imex { order, tolerance: 1e-12, ..Imex::default() })
}

/// The largest distance of two lists of points.
pub fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
}

/// Mean time between upward zero crossings, interpolated.
pub fn period(times: &[f64], values: &[f64]) -> f64 {
    let crossings: Vec<f64> = (1..values.len())
        .filter(|&i| values[i - 1] < 0.0 && values[i] >= 0.0)
        .map(|i| times[i - 1] - values[i - 1] * (times[i] - times[i - 1]) / (values[i] - values[i - 1]))
        .collect();
    assert!(crossings.len() >= 2, "only {} crossings", crossings.len());
    (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64
}

/// |got/want - 1|
pub fn off(got: f64, want: f64) -> f64 {
    (got / want - 1.0).abs()
}

//! The test cloth, its models, and how it comes to rest.

use crate::comparison::Judge;
use taffeta::*;

pub const BARAFF_WITKIN: Model = Model::BaraffWitkin { bending: Bending::Hinge };
pub const MEMBRANE: Model = Model::Membrane { bending: Bending::Hinge };
pub const SPRINGS: Model = Model::MassSpring { bending: Bending::Hinge };
/// Models whose elements are those of a continuum: every row counts.
pub const CONTINUA: [Model; 2] = [BARAFF_WITKIN, MEMBRANE];
pub const ALL: [Model; 4] = [BARAFF_WITKIN, MEMBRANE, SPRINGS, Model::ChoiKo];

/// Springs have a Poisson ratio and a bending of their own: their rows are shown.
pub fn judged(model: Model, judge: Judge) -> Judge {
    if CONTINUA.contains(&model) { judge } else { Judge::Reported }
}

/// ρ = 0.15 kg/m², k = 1000 N/m, shear 50 N/m, B = 1e-5 N m.
pub fn fabric() -> Fabric {
    Fabric::default()
}

/// Weight of the test cloth per area, N/m².
pub const WEIGHT: f64 = 0.15 * 9.81;

pub fn sheet(mesh: Mesh, fabric: Fabric, model: Model) -> Cloth {
    Cloth { material: Material::Fabric(fabric), model, ..Cloth::new("sheet", mesh) }
}

pub fn grid(size: [f64; 2], cells: [u32; 2], pattern: Pattern) -> Mesh {
    Mesh::grid(size, cells, pattern).unwrap()
}

/// By backward Euler unless the setup names a method.
pub fn world(setup: Setup) -> World {
    let method = setup.method.or(Some(Method::BackwardEuler(Implicit::default())));
    World::new(Setup { method, ..setup }).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// Cloth at rest. NaN in place of what did not come to rest lets no row hold.
pub struct Rest {
    pub world: World,
    pub state: State,
    pub report: DrapeReport,
}

impl Rest {
    pub fn new(setup: Setup, residual: f64) -> Self {
        let world = world(setup);
        let mut state = world.start();
        let report = drape(&world, &mut state, &Drape { residual, ..Drape::default() }, &mut |_| true);
        Self { world, state, report }
    }

    /// The value, if the cloth rests.
    pub fn value(&self, value: f64) -> f64 {
        if self.report.converged { value } else { f64::NAN }
    }
}

//! Description of a simulation by its user: plain data with public fields and sensible defaults.
//! [`World::new`](crate::world::World::new) checks it and builds everything that a step needs.

mod action;
mod air;
mod body;
mod border;
mod contact;
mod delaunay;
mod disc;
mod fabric;
mod limiter;
mod mesh;
mod mesh_check;
mod method;
mod pin;
mod place;
mod problem;
mod random_mesh;
mod region;
mod select;
mod setting;
mod spring_kind;
mod stability;
mod start_shape;
mod topology;

pub use crate::shape::{BodyMesh, PoseError, Shape};
pub use action::{Action, TimedAction};
pub use air::{Air, Gust};
pub use body::Body;
pub use border::Border;
pub use contact::{ContactImpossible, ContactLaw, ContactPair, ContactSettings, ContactStart};
pub use fabric::{Fabric, FabricDamping, Friction};
pub use limiter::{Limiter, Order, Rule};
pub use mesh::{Grid, MAX_VERTICES, Mesh, MeshProblem, MeshProblems, Pattern};
pub use method::{ContactBy, GoodStep, Imex, ImexOrder, Implicit, Method, MethodInfo};
pub use pin::{Hold, Pin};
pub use place::{Key, Motion, Place};
pub(crate) use problem::{Allowed, Problems};
pub use problem::{Problem, Warning};
pub(crate) use region::Patches;
pub use region::Region;
pub(crate) use select::bounds;
pub use select::{Corner, Select, Side};
pub use setting::{Bounds, HUGE, Setting, SettingKind, SettingValue, Settings, figure};
pub use spring_kind::SpringKind;
pub use stability::{SAFETY, Stiffest};
pub(crate) use topology::{Edge, edges_of};

use crate::Vec3;

/// The whole simulation before it is checked and compiled into a [`World`](crate::world::World).
#[derive(Clone, Debug)]
pub struct Setup {
    /// Acceleration of gravity, m/s².
    pub gravity: Vec3,
    /// The air around the cloth.
    pub air: Air,
    /// The pieces of cloth; all share one array of particles, one after the other.
    pub cloths: Vec<Cloth>,
    /// Solid bodies.
    pub bodies: Vec<Body>,
    /// Integration method; `None` means [`Method::best`].
    pub method: Option<Method>,
    /// Frames and steps.
    pub time: Time,
    /// Pulls over-long springs back after each step.
    pub limiter: Option<Limiter>,
    /// How cloth collides.
    pub contact: ContactSettings,
    /// Parts of a step that are switched on.
    pub components: Components,
    /// Actions from outside during the run, in any order.
    pub actions: Vec<TimedAction>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            air: Air::default(),
            cloths: Vec::new(),
            bodies: Vec::new(),
            method: None,
            time: Time::default(),
            limiter: None,
            contact: ContactSettings::default(),
            components: Components::default(),
            actions: Vec::new(),
        }
    }
}

/// Frames, and the steps they are cut into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Frames in a second of simulated time.
    pub fps: f64,
    /// The longest step.
    pub step: StepSize,
    /// Planned simulated time, s. A static drape takes pins and loads as they are at its end.
    pub duration: f64,
    /// Shortens the steps of implicit methods where needed; `None` means that all steps are equal.
    pub adaptive: Option<Adaptive>,
}

impl Default for Time {
    fn default() -> Self {
        Self { fps: 60.0, step: StepSize::Auto, duration: 3.0, adaptive: Some(Adaptive::default()) }
    }
}

/// The longest step that a frame is cut into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepSize {
    /// For explicit methods, a step from the stiffness and the mass: see [`Stiffest`]. For backward Euler a frame, but
    /// at most 20 ms; for BDF2 at most 1/120 s; for filtered Euler a step that slows the cloth only a little.
    Auto,
    /// At most this long, s. A frame is cut into equal steps no longer than this.
    AtMost(f64),
}

/// A piece of cloth.
#[derive(Clone, Debug)]
pub struct Cloth {
    /// Name in messages and files.
    pub name: String,
    /// Rest shape and triangles.
    pub mesh: Mesh,
    /// Angle from x to the warp, degrees. It turns uv only.
    pub grain: f64,
    /// Initial positions, one for each vertex, before `place`; those of the mesh if absent.
    pub start: Option<Vec<Vec3>>,
    /// Shape that defines the rest angles of hinges, one position for each vertex; flat if absent.
    pub rest_shape: Option<Vec<Vec3>>,
    /// Placement of the cloth. Its scale applies to the rest shape too.
    pub place: Place,
    /// What it is made of.
    pub material: Material,
    /// Parts of the cloth with another material.
    pub regions: Vec<Region>,
    /// How it is modelled.
    pub model: Model,
    /// Initial velocity of all vertices, m/s.
    pub velocity: Vec3,
    /// Small random displacement of the initial positions.
    pub noise: Option<Noise>,
    /// Held vertices.
    pub pins: Vec<Pin>,
    /// External forces on selected vertices.
    pub loads: Vec<Load>,
}

impl Cloth {
    /// Whether the fabric has viscous air drag, which is relative to the wind.
    pub fn drags(&self) -> bool {
        let drags = |fabric: &Fabric| fabric.damping.air != 0.0;
        let whole = matches!(&self.material, Material::Fabric(fabric) if drags(fabric));
        whole || self.regions.iter().any(|region| region.fabric.as_ref().is_some_and(drags))
    }

    /// Initial positions of the vertices in space, without noise, m.
    pub(crate) fn first_positions(&self) -> Vec<Vec3> {
        self.start.as_ref().unwrap_or(&self.mesh.rest).iter().map(|p| self.place.apply(*p)).collect()
    }

    /// A piece of cloth with default fabric and model, at the origin, without pins.
    pub fn new(name: impl Into<String>, mesh: Mesh) -> Self {
        Self {
            name: name.into(),
            mesh,
            grain: 0.0,
            start: None,
            rest_shape: None,
            place: Place::default(),
            material: Material::default(),
            regions: Vec::new(),
            model: Model::default(),
            velocity: Vec3::ZERO,
            noise: None,
            pins: Vec::new(),
            loads: Vec::new(),
        }
    }
}

/// Material of a cloth: values in SI units, or the raw constants of the papers.
#[derive(Clone, Debug, PartialEq)]
pub enum Material {
    /// A fabric, which behaves alike at every resolution.
    Fabric(Fabric),
    /// Raw constants, whose cloth depends on the resolution.
    Raw(Raw),
}

impl Default for Material {
    fn default() -> Self {
        Self::Fabric(Fabric::default())
    }
}

/// Raw constants of the papers, the same for every particle or spring.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// Mass of each particle, kg.
    pub mass: f64,
    /// Stiffness of structural springs, N/m.
    pub structural: f64,
    /// Stiffness of shear springs, N/m.
    pub shear: f64,
    /// Stiffness of flexion springs, N/m.
    pub flexion: f64,
    /// Stiffness of each hinge (the factor before θ²/2), N m.
    pub hinge: f64,
    /// Viscous damping of each particle.
    pub damping: ViscousDamping,
    /// Damping along each spring, N s/m.
    pub along: f64,
}

/// Viscous damping -c v of each particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViscousDamping {
    /// Constant coefficient c, N s/m.
    Constant(f64),
    /// Critical damping, c = √(4 m k) with the largest spring constant ([Vo 2006, Eq. 7.1]).
    Critical,
}

/// Physical model of the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// Conditions on triangles: D. Baraff and A. Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998.
    BaraffWitkin {
        /// Bending model; flexion springs are not possible.
        bending: Bending,
    },
    /// An orthotropic membrane of triangles of constant strain.
    Membrane {
        /// Bending model; flexion springs are not possible.
        bending: Bending,
    },
    /// Springs that pull and beams that buckle: K.-J. Choi and H.-S. Ko, Stable but Responsive Cloth, SIGGRAPH 2002.
    ChoiKo,
    /// Provot's structural, shear and flexion springs, or hinges for bending.
    MassSpring {
        /// Bending model; the quadratic energy is not possible.
        bending: Bending,
    },
}

impl Default for Model {
    fn default() -> Self {
        Self::BaraffWitkin { bending: Bending::Hinge }
    }
}

impl Model {
    /// Names in scene files, in the order of [`Model`].
    pub const NAMES: [&str; 4] = ["baraff-witkin", "membrane", "choi-ko", "mass-spring"];

    /// The name in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Model::BaraffWitkin { .. } => Self::NAMES[0],
            Model::Membrane { .. } => Self::NAMES[1],
            Model::ChoiKo => Self::NAMES[2],
            Model::MassSpring { .. } => Self::NAMES[3],
        }
    }

    /// Whether parts of the cloth can have another material. Springs cannot, because one fit of all springs gives the
    /// sheet its stiffness.
    pub fn takes_regions(&self) -> bool {
        matches!(self, Model::BaraffWitkin { .. } | Model::Membrane { .. })
    }

    /// The bending model, where it can be chosen.
    pub fn bending(&self) -> Option<Bending> {
        match *self {
            Model::BaraffWitkin { bending } | Model::Membrane { bending } | Model::MassSpring { bending } => {
                Some(bending)
            }
            Model::ChoiKo => None,
        }
    }
}

/// Bending model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bending {
    /// A hinge on every inner edge. The stiffness is the fabric's along the axes of grids, and in every direction of
    /// equilateral, random and disc meshes; on meshes from files it depends on the triangles.
    Hinge,
    /// The quadratic energy of Bergou et al. 2006. It equals that of hinges for small angles and has a constant matrix;
    /// its rest state is flat.
    Quadratic,
    /// Flexion springs. They have the bending energy of the fabric at this curvature only, because their energy grows
    /// with the fourth power of the curvature. With raw constants the curvature is not used.
    Flexion {
        /// Curvature at which the energies agree, 1/m.
        curvature: f64,
    },
    /// No resistance to bending.
    None,
}

/// A seeded random displacement of the initial positions of vertices that no pin holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Largest displacement along each axis, m.
    pub size: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// An external force on selected vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Vertices it acts on.
    pub select: Select,
    /// Total force over time, N: keys (s, N), linear between them, held before the first and after the last.
    pub force: Vec<(f64, Vec3)>,
    /// Time from which it acts, s.
    pub from: f64,
    /// Time until which it acts, s.
    pub until: f64,
}

/// Parts of a step, each of which can be switched off ([Vo 2006, 6.1]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Forces inside the cloth: the switch for all of the next three.
    pub internal: bool,
    /// Structural springs.
    pub structural: bool,
    /// Shear springs.
    pub shear: bool,
    /// Flexion springs and hinges.
    pub bend: bool,
    /// Gravity.
    pub gravity: bool,
    /// Air: drag, fluid force and wind, which act on the triangles of the surface.
    pub air: bool,
    /// The wind; without it the air is at rest.
    pub wind: bool,
    /// Loads.
    pub loads: bool,
    /// Damping: viscous and inside the cloth.
    pub damping: bool,
    /// Pins.
    pub pins: bool,
    /// Numerical integration. Without it time passes and nothing moves.
    pub integration: bool,
    /// The limiter after the step.
    pub limiter: bool,
    /// Contact with bodies.
    pub contact: bool,
}

impl Default for Components {
    fn default() -> Self {
        Self {
            internal: true,
            structural: true,
            shear: true,
            bend: true,
            gravity: true,
            air: true,
            wind: true,
            loads: true,
            damping: true,
            pins: true,
            integration: true,
            limiter: true,
            contact: true,
        }
    }
}

impl Setup {
    /// A setup with one piece of cloth and defaults for everything else.
    pub fn with_cloth(cloth: Cloth) -> Self {
        Self { cloths: vec![cloth], ..Self::default() }
    }

    /// The vertices of a selection in a cloth, numbered over all cloths as in a world; `None` if no cloth has the name.
    ///
    /// ```
    /// use taffeta::{Cloth, Mesh, Pattern, Select, Setup, Side};
    /// let sheet = || Cloth::new("", Mesh::grid([1.0, 1.0], [2, 2], Pattern::Alternating).unwrap());
    /// let cloths = vec![Cloth { name: "back".into(), ..sheet() }, Cloth { name: "front".into(), ..sheet() }];
    /// let setup = Setup { cloths, ..Setup::default() };
    /// assert_eq!(setup.vertices("front", &Select::Edge(vec![Side::Bottom])), Some(vec![9, 10, 11]));
    /// ```
    pub fn vertices(&self, cloth: &str, select: &Select) -> Option<Vec<u32>> {
        let number = self.cloths.iter().position(|known| known.name == cloth)?;
        let first: usize = self.cloths[..number].iter().map(|cloth| cloth.mesh.rest.len()).sum();
        let found = select.vertices(&self.cloths[number].mesh, &self.cloths[number].first_positions());
        Some(found.into_iter().map(|v| first as u32 + v).collect())
    }
}

impl Default for Body {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: Shape::Plane,
            place: Place::default(),
            motion: Motion::default(),
            friction: None,
            restitution: 0.0,
            thickness: 0.0,
        }
    }
}

/// Settings of adaptive steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Largest change of a triangle's stretch |w_u| or |w_v| in a step.
    pub change: f64,
    /// Shortest step as a share of the longest.
    pub least: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { change: 0.1, least: 1.0 / 4096.0 }
    }
}

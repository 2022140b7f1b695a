//! Builds a [`World`] from a [`Setup`].

use super::check;
use crate::Vec3;
use crate::compile::clamp;
use crate::force::frequency;
use crate::method::filtered_euler;
use crate::model::elements::{Elements, Layout, Network};
use crate::model::network::{self, Rest, Stiffness, Unmatched};
use crate::model::sheet;
use crate::parallel::Block;
use crate::setup::{
    Action, Bending, Cloth, Edge, Fabric, GoodStep, Hold, Material, Mesh, Method, Model, Motion, Noise, Patches, Pin,
    Problem, Problems, SAFETY, Setup, SpringKind, StepSize, ViscousDamping, Warning, bounds, edges_of,
};
use crate::world::{ClothConstants, ClothRange, CompiledLoad, Fan, HeldSet, Limited, MeshEdge, World};
use std::borrow::Borrow;
use std::ops::RangeInclusive;

/// Largest number of steps in a frame. More are a mistake.
const MOST_STEPS: f64 = 1e7;

/// Ratio to the longest good step of the filter from which a warning is given: a wave as long as the cloth is then
/// slowed by a quarter.
const SLOW_MOTION: f64 = 1.5;

/// Longest step with contact by the barrier, s, but for calm cloth. With one linearisation in each, four in a frame of
/// 1/60 s keep a sheet that falls on a sphere within 8 mm of a converged motion; with three its edges are torn to three
/// times the stretch.
const BARRIER_STEP: f64 = 1.0 / 240.0;

/// Ratios of the lengths by uv to those in space that need no warning.
const UV_SCALE: RangeInclusive<f64> = 0.9..=1.1;

impl World {
    /// Checks a setup and builds everything a step needs. All problems are reported at once.
    pub fn new(setup: impl Borrow<Setup>) -> Result<Self, Vec<Problem>> {
        let setup = setup.borrow();
        let mut problems = check::setup(setup);
        if !problems.is_empty() {
            return Err(problems.into_list());
        }
        let mut world = Self::empty(setup);
        for (number, cloth) in setup.cloths.iter().enumerate() {
            world.add_cloth(number, cloth, setup, &mut problems);
        }
        if problems.is_empty() {
            world.add_contacts(setup, &mut problems);
        }
        if problems.is_empty() {
            if world.method.has_matrix() || !world.solids.is_empty() {
                world.layout = Layout::new(world.mass.len(), &world.elements);
            }
            if world.air.has_fluid() {
                world.fan = Fan::new(world.mass.len(), &world.triangles);
            }
            world.elements.fuse(&world.blocks);
            world.plan_steps(setup, &mut problems);
            world.add_actions(setup, &mut problems);
        }
        if problems.is_empty() { Ok(world) } else { Err(problems.into_list()) }
    }

    fn empty(setup: &Setup) -> Self {
        let method = setup.method.unwrap_or_else(|| Method::best(setup));
        World {
            cloths: Vec::new(),
            rest: Vec::new(),
            start: Vec::new(),
            triangles: Vec::new(),
            uv: Vec::new(),
            edges: Vec::new(),
            mass: Vec::new(),
            bodies: setup.bodies.clone(),
            pin_names: Vec::new(),
            steps_per_frame: 1,
            longest: 0.0,
            fps: setup.time.fps,
            duration: setup.time.duration,
            h: 0.0,
            adaptive: setup.time.adaptive.filter(|_| method.is_implicit()),
            method,
            actions: Default::default(),
            warnings: Vec::new(),
            velocity: Vec::new(),
            area: Vec::new(),
            drag: Vec::new(),
            fabrics: Vec::new(),
            blocks: Vec::new(),
            elements: Elements::default(),
            layout: Layout::default(),
            fan: Fan::default(),
            pins: Vec::new(),
            anchors: 0,
            loads: Vec::new(),
            grabs: Vec::new(),
            limiter: setup.limiter.clone().filter(|_| setup.components.limiter),
            limited: Vec::new(),
            gravity: setup.gravity,
            air: setup.air,
            components: setup.components,
            stiffest: Default::default(),
            solids: Vec::new(),
            reach: Vec::new(),
            barrier: None,
        }
    }

    fn add_cloth(&mut self, number: usize, cloth: &Cloth, setup: &Setup, problems: &mut Problems) {
        let mesh = &cloth.mesh;
        let first = self.mass.len();
        let n = mesh.rest.len();
        let path = format!("cloth.{number}");
        let edges = match edges_of(&mesh.triangles) {
            Ok(edges) => edges,
            Err(wrong) => {
                problems.add(&path, "mesh", wrong[0].to_string(), "mend the mesh; Mesh::new names every mistake");
                return;
            }
        };

        // the rest shape is the uv, scaled and turned by the grain
        let scale = cloth.place.scale;
        let (sin, cos) = cloth.grain.to_radians().sin_cos();
        let turn = |uv: [f64; 2]| [scale * (cos * uv[0] + sin * uv[1]), scale * (cos * uv[1] - sin * uv[0])];
        let uv: Vec<[[f64; 2]; 3]> = mesh.uv.iter().map(|t| t.map(turn)).collect();
        let area: Vec<f64> = uv.iter().map(uv_area).collect();
        let shape: Option<Vec<Vec3>> = match (&cloth.rest_shape, mesh.has_uv) {
            (Some(shape), _) => Some(shape.iter().map(|p| *p * scale).collect()),
            (None, true) => None,
            (None, false) => Some(mesh.rest.iter().map(|p| *p * scale).collect()),
        };
        let start = cloth.first_positions();
        let patches = Patches::new(&path, cloth, &start, problems);
        let clamped = clamp::ends(&path, cloth, &edges, &start, &mut self.warnings, problems);
        let rest = Rest {
            first: first as u32,
            triangles: &mesh.triangles,
            edges: &edges,
            grain: cloth.grain,
            uv: &uv,
            area: &area,
            shape: shape.as_deref(),
            curved: !mesh.has_uv,
            grid: mesh.grid,
            bend_factor: mesh.bend_factor,
            clamped: &clamped,
        };

        let mut vertex_area = vec![0.0; n];
        for (t, area) in mesh.triangles.iter().zip(&area) {
            t.iter().for_each(|&v| vertex_area[v as usize] += area / 3.0);
        }
        let in_space = mesh.triangles.iter().map(|t| area_in_space(t.map(|v| mesh.rest[v as usize]))).sum::<f64>();
        let uv_scale = (area.iter().sum::<f64>() / (in_space * scale * scale)).sqrt();
        if !UV_SCALE.contains(&uv_scale) {
            self.warnings.push(Warning {
                path: format!("{path}.mesh"),
                message: format!(
                    "by its uv the cloth is {uv_scale:.3} times as large as its mesh and will pull itself to that \
                     size; \
                     uv are lengths in metres: scale them, or leave them out if they are a texture layout (in a \
                     scene, `uv` of \
                     its `mesh`)"
                ),
            });
        }
        let Some(network) = self.add_material(&path, cloth, &rest, patches.as_ref(), &vertex_area, problems) else {
            return;
        };
        let lengths = network::edge_lengths(&rest);
        self.edges.extend(
            edges.iter().zip(&lengths).map(|(edge, &rest)| MeshEdge { v: edge.v.map(|v| first as u32 + v), rest }),
        );
        let (low, high) = bounds(&mesh.rest);
        if let Some(fabric) = self.fabrics.last_mut() {
            fabric.size = (high - low).length() * scale;
            fabric.scale = scale;
        }

        // vertices that pins hold from the start get no noise
        let firsts = self.add_pins(&path, cloth, first, &start, problems);
        self.add_loads(&path, cloth, first, &start, &edges, &lengths, &vertex_area, problems);
        self.start.extend(start.iter().enumerate().map(|(i, p)| match cloth.noise {
            Some(noise) if !firsts[i] => *p + noise_at(noise, i),
            _ => *p,
        }));
        self.velocity.extend(std::iter::repeat_n(cloth.velocity, n));
        self.rest.extend(rest_positions(mesh));

        // elements number their vertices over the particles of all cloths
        let triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| first as u32 + v)).collect();
        let blocks = self.blocks.len();
        self.blocks.extend(Block::cut(blocks, number, first..first + n));
        self.elements.add(&self.blocks[blocks..], &network, &triangles);
        if let Some(limiter) = &setup.limiter {
            for kind in SpringKind::ALL.into_iter().filter(|kind| limiter.springs.contains(kind)) {
                let limited = |[a, b]: [u32; 2], rest: f64| Limited { a, b, longest: rest * (1.0 + limiter.limit) };
                if matches!(cloth.model, Model::MassSpring { .. }) {
                    let springs = network.springs[kind as usize].iter();
                    self.limited.extend(springs.map(|s| limited([s.a, s.b], s.rest)));
                } else {
                    // models without springs limit the edges of the mesh
                    let edges = edges.iter().zip(&lengths).filter(|(edge, _)| network::kind_of(&rest, edge) == kind);
                    self.limited.extend(edges.map(|(edge, &length)| limited(edge.v.map(|v| first as u32 + v), length)));
                }
            }
        }
        let first_triangle = self.triangles.len();
        self.triangles.extend(triangles);
        self.uv.extend(uv);
        self.area.extend(vertex_area);
        self.cloths.push(ClothRange {
            name: cloth.name.clone(),
            vertices: first..first + n,
            triangles: first_triangle..self.triangles.len(),
        });
    }

    /// Adds masses, damping and elements. `patches` give the material of each triangle, unless its constants are raw.
    fn add_material(
        &mut self,
        path: &str,
        cloth: &Cloth,
        rest: &Rest,
        patches: Option<&Patches>,
        area: &[f64],
        problems: &mut Problems,
    ) -> Option<Network> {
        match &cloth.material {
            Material::Fabric(fabric) => {
                let patches = patches.expect("a fabric has patches");
                let (network, differs) = match elements(rest, fabric, patches, cloth.model) {
                    Ok(made) => made,
                    Err(why) => {
                        check::unmatched(problems, path, why);
                        return None;
                    }
                };
                if let Some(got) = differs {
                    self.warn_of_shear(path, fabric, got);
                }
                let damping = fabric.damping;
                let drag = patches.per_vertex(rest.triangles, rest.area, area, |fabric| fabric.damping.air);
                let has_drag = drag.iter().any(|c| *c > 0.0);
                self.mass.extend(patches.per_vertex(rest.triangles, rest.area, area, |fabric| fabric.density));
                self.drag.extend(drag);
                self.fabrics.push(ClothConstants {
                    tau: [damping.stretch, damping.shear, damping.bend],
                    has_drag,
                    drag_in_wind: true,
                    size: 0.0,
                    scale: 1.0,
                    thickness: fabric.thickness,
                    friction: fabric.friction.solid,
                    friction_cloth: fabric.friction.cloth,
                    stiffness: 0.5 * (fabric.stretch[0] + fabric.stretch[1]),
                });
                Some(network)
            }
            Material::Raw(raw) => {
                let bending = cloth.model.bending().unwrap_or(Bending::None);
                let stiffest = raw.structural.max(raw.shear).max(raw.flexion);
                let drag = match raw.damping {
                    ViscousDamping::Constant(c) => c,
                    ViscousDamping::Critical => critical_damping(raw.mass, stiffest),
                };
                let tau = |k: f64| if k > 0.0 { raw.along / k } else { 0.0 };
                self.mass.extend(area.iter().map(|_| raw.mass));
                self.drag.extend(area.iter().map(|_| drag));
                self.fabrics.push(ClothConstants {
                    // only springs have the damping `along`; hinges have none
                    tau: [
                        tau(raw.structural),
                        tau(raw.shear),
                        if matches!(bending, Bending::Flexion { .. }) { tau(raw.flexion) } else { 0.0 },
                    ],
                    has_drag: drag > 0.0,
                    drag_in_wind: false,
                    size: 0.0,
                    scale: 1.0,
                    thickness: 0.0, // set by compile/contacts.rs, from the edges
                    friction: Fabric::default().friction.solid,
                    friction_cloth: Fabric::default().friction.cloth,
                    stiffness: stiffest,
                });
                Some(match cloth.model {
                    Model::BaraffWitkin { .. } => sheet::baraff_witkin_raw(rest, raw),
                    _ => network::from_raw(rest, raw, bending),
                })
            }
        }
    }

    fn warn_of_shear(&mut self, path: &str, fabric: &Fabric, got: Stiffness) {
        let why = if got.shear > fabric.shear {
            "the least that edges in these directions allow; a grid can have less"
        } else {
            "the most that cells so long allow; nearly square cells can have more"
        };
        self.warnings.push(Warning {
            path: format!("{path}.fabric"),
            message: format!(
                "springs on this mesh have shear {:.3} N/m instead of {} N/m, {why}; stretch is {:.1} and {:.1} N/m \
                 if all of it strains evenly, and less once an irregular mesh has settled",
                got.shear, fabric.shear, got.stretch[0], got.stretch[1]
            ),
        });
    }

    /// Adds the pins of a cloth. Returns which vertices a pin holds from the start.
    fn add_pins(
        &mut self,
        path: &str,
        cloth: &Cloth,
        first: usize,
        start: &[Vec3],
        problems: &mut Problems,
    ) -> Vec<bool> {
        let mut held = vec![false; start.len()];
        for (number, pin) in cloth.pins.iter().enumerate() {
            let vertices = pin.select.vertices(&cloth.mesh, start);
            let at = format!("pin.{number}.select");
            if vertices.is_empty() {
                let (why, help) = pin.select.why_empty(&cloth.mesh);
                problems.add(
                    path,
                    &at,
                    format!("{why}: the pin would hold nothing"),
                    format!("{help}, or leave the pin out"),
                );
            }
            pin.select.warn_of_few(format!("{path}.{at}"), cloth, &mut self.warnings);
            self.warn_of_pin(path, number, cloth, pin, &vertices, first);
            if pin.from <= 0.0 {
                vertices.iter().for_each(|&v| held[v as usize] = true);
            }
            let count = vertices.len();
            self.pin_names.push(format!("{}.pin[{number}]", cloth.name));
            self.pins.push(HeldSet {
                vertices: vertices.into_iter().map(|v| first as u32 + v).collect(),
                first_anchor: self.anchors,
                free: pin.hold.free(),
                motion: pin.motion.clone(),
                from: pin.from,
                until: pin.until,
            });
            self.anchors += count;
        }
        held
    }

    /// Warns where a pin does not do what the scene may intend.
    fn warn_of_pin(&mut self, path: &str, number: usize, cloth: &Cloth, pin: &Pin, vertices: &[u32], first: usize) {
        let from = pin.from.max(0.0);
        if pin.motion.at(from).is_some_and(|(shift, turn)| shift != Vec3::ZERO || turn != glam::DQuat::IDENTITY) {
            self.warnings.push(Warning {
                path: format!("{path}.pin.{number}.motion"),
                message: format!(
                    "the motion is not zero at t = {from} s, when the pin takes hold: it counts from its \
                     place at that time"
                ),
            });
        }
        let before = self.pins.len() - number;
        for (other, earlier) in cloth.pins[..number].iter().enumerate() {
            let same = earlier.hold == pin.hold && earlier.motion == pin.motion;
            let disjoint = earlier.until <= pin.from || pin.until <= earlier.from;
            if same
                || disjoint
                || (earlier.hold == Hold::All && earlier.motion == Motion::default() && pin.motion == Motion::default())
            {
                continue;
            }
            let taken: &[u32] = &self.pins[before + other].vertices;
            let both = vertices.iter().filter(|&&v| taken.binary_search(&(first as u32 + v)).is_ok()).count();
            if both > 0 {
                self.warnings.push(Warning {
                    path: format!("{path}.pin.{number}.select"),
                    message: format!(
                        "pin[{other}] holds {both} of these vertices too; of two pins on a vertex the first counts"
                    ),
                });
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of them describe one cloth")]
    fn add_loads(
        &mut self,
        path: &str,
        cloth: &Cloth,
        first: usize,
        start: &[Vec3],
        edges: &[Edge],
        lengths: &[f64],
        area: &[f64],
        problems: &mut Problems,
    ) {
        for (number, load) in cloth.loads.iter().enumerate() {
            let vertices = load.select.vertices(&cloth.mesh, start);
            // a load on a line is shared by length, any other load by area
            let mut weight = vec![0.0; start.len()];
            if load.select.is_line() {
                let mut chosen = vec![false; start.len()];
                vertices.iter().for_each(|&v| chosen[v as usize] = true);
                let border = edges.iter().zip(lengths).filter(|(edge, _)| !edge.is_inner());
                for (edge, length) in border.filter(|(edge, _)| edge.v.iter().all(|&v| chosen[v as usize])) {
                    edge.v.iter().for_each(|&v| weight[v as usize] += 0.5 * length);
                }
            }
            if weight.iter().all(|share| *share == 0.0) {
                vertices.iter().for_each(|&v| weight[v as usize] = area[v as usize]);
            }
            let total: f64 = weight.iter().sum();
            if total <= 0.0 {
                let (why, help) = load.select.why_empty(&cloth.mesh);
                let at = format!("load.{number}.select");
                problems.add(
                    path,
                    &at,
                    format!("{why}: the load would act on nothing"),
                    format!("{help}, or leave the load out"),
                );
                continue;
            }
            load.select.warn_of_few(format!("{path}.load.{number}.select"), cloth, &mut self.warnings);
            let shares = vertices.iter().map(|&v| (first as u32 + v, weight[v as usize] / total));
            self.loads.push(CompiledLoad {
                vertices: shares.filter(|share| share.1 > 0.0).collect(),
                keys: load.force.clone(),
                from: load.from,
                until: load.until,
                push: None,
            });
        }
    }

    /// Adds actions in the order of time; those at the same time keep their order.
    fn add_actions(&mut self, setup: &Setup, problems: &mut Problems) {
        let mut order: Vec<usize> = (0..setup.actions.len()).collect();
        order.sort_by_key(|&i| setup.actions[i].place());
        self.actions = order.iter().map(|&i| setup.actions[i].clone()).collect();
        for (i, error) in self.check_actions(&self.actions) {
            problems.add("actions", &order[i].to_string(), error.to_string(), error.help());
        }
        let stable = self.stable_step().unwrap_or(f64::INFINITY);
        for (place, timed) in order.iter().zip(self.actions.iter()) {
            if let Action::Step(longest) = timed.action
                && 1.0 / self.fps / self.steps_of(longest) > stable
            {
                let message =
                    format!("a step of {longest:.3e} s is longer than the stable {stable:.3e} s: it may diverge");
                self.warnings.push(Warning { path: format!("actions.{place}"), message });
            }
        }
        let end = self.duration;
        if let Some(late) = self.actions.iter().position(|timed| timed.time >= end) {
            let (count, first) = (self.actions.len() - late, &self.actions[late]);
            let message =
                format!("the run ends at {end} s, before {count} of the actions; the first is at {} s", first.time);
            self.warnings.push(Warning { path: format!("actions.{}", order[late]), message });
        }
    }

    /// The longest step where none is given, s.
    fn good_step(&self) -> Option<f64> {
        match self.method.info().step {
            GoodStep::Stable => self.stable_step().map(|stable| SAFETY * stable),
            GoodStep::AtMost(step) => Some(step),
            GoodStep::Filter => Some(filtered_euler::good_step(self)),
        }
    }

    /// Cuts frames into steps.
    fn plan_steps(&mut self, setup: &Setup, problems: &mut Problems) {
        if !self.method.is_implicit() {
            self.stiffest = frequency::stiffest(self);
        }
        let frame = 1.0 / self.fps;
        let longest = match setup.time.step {
            StepSize::AtMost(step) => step,
            StepSize::Auto => match self.good_step() {
                Some(step) => step,
                None => {
                    problems.add(
                        "time",
                        "step",
                        format!("`auto` finds no step: {} is not stable without damping", self.method.name()),
                        "add damping, give a step in seconds, or use method symplectic-euler",
                    );
                    return;
                }
            },
        };
        let calm = longest;
        let touches = self.barrier.is_some() && self.can_touch();
        let longest = if touches { longest.min(BARRIER_STEP) } else { longest };
        let steps = self.steps_of(longest);
        if steps.is_nan() || steps > MOST_STEPS {
            problems.add(
                "time",
                "step",
                format!("a frame of {frame:.3e} s would take {steps:.0} steps of {longest:.3e} s"),
                "more frames in a second, or a softer, heavier or coarser cloth; a longer step would diverge",
            );
            return;
        }
        self.steps_per_frame = steps as u32;
        self.h = frame / steps;
        self.longest = if calm > longest { calm.min(frame) } else { self.h };
        let unslowed = match self.method.info().step {
            GoodStep::Filter => filtered_euler::unslowed(self),
            GoodStep::Stable | GoodStep::AtMost(_) => f64::INFINITY,
        };
        let message = match self.stable_step() {
            _ if self.h > SLOW_MOTION * unslowed => format!(
                "a step of {:.3e} s is longer than {:.3e} s, which suits what is here: the filter makes cloth \
                     move in slow motion",
                self.h,
                filtered_euler::good_step(self)
            ),
            Some(stable) if self.h <= stable => return,
            Some(stable) => {
                format!("a step of {:.3e} s is longer than the stable {stable:.3e} s: it may diverge", self.h)
            }
            None => {
                format!("{} gains energy in every step here: no step is stable without damping", self.method.name())
            }
        };
        self.warnings.push(Warning { path: "time.step".into(), message });
    }
}

/// The elements of a fabric, and the stiffness of its springs if it differs from the fabric's.
fn elements(
    rest: &Rest,
    fabric: &Fabric,
    patches: &Patches,
    model: Model,
) -> Result<(Network, Option<Stiffness>), Unmatched> {
    match model {
        Model::BaraffWitkin { bending } => Ok((sheet::baraff_witkin(rest, patches, bending), None)),
        Model::Membrane { bending } => Ok((sheet::membrane(rest, patches, bending), None)),
        Model::ChoiKo => sheet::choi_ko(rest, fabric),
        Model::MassSpring { bending } => network::from_fabric(rest, fabric, bending),
    }
}

/// Critical damping of a particle on a spring, c = √(4 m k) in N s/m ([Vo 2006, Eq. 7.1]).
pub fn critical_damping(mass: f64, k: f64) -> f64 {
    (4.0 * mass * k).sqrt()
}

fn area_in_space([a, b, c]: [Vec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

fn uv_area(uv: &[[f64; 2]; 3]) -> f64 {
    let [a, b, c] = *uv;
    0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
}

fn noise_at(noise: Noise, i: usize) -> Vec3 {
    let r = |axis: u64| noise.size * crate::random::signed(noise.seed, 3 * i as u64 + axis);
    Vec3::new(r(0), r(1), r(2))
}

/// Rest positions: (u, v, 0) if every vertex has one uv, else the mesh's shape.
fn rest_positions(mesh: &Mesh) -> Vec<Vec3> {
    let mut flat = vec![Vec3::NAN; mesh.rest.len()];
    for (t, uv) in mesh.triangles.iter().zip(&mesh.uv) {
        for (&v, uv) in t.iter().zip(uv) {
            let p = Vec3::new(uv[0], uv[1], 0.0);
            let place = &mut flat[v as usize];
            if place.is_nan() {
                *place = p;
            } else if *place != p {
                return mesh.rest.clone();
            }
        }
    }
    if mesh.has_uv { flat } else { mesh.rest.clone() }
}

impl From<Unmatched> for String {
    fn from(why: Unmatched) -> String {
        match why {
            Unmatched::Flexion { stiffness } => {
                format!(
                    "flexion springs matched at this curvature stretch with {stiffness:.0} N/m, more than the fabric"
                )
            }
            Unmatched::Stretch => "no springs on this mesh have this stretch and shear together".into(),
        }
    }
}

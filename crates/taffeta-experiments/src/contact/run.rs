//! Runs a scene and looks at every frame.

use super::linking::Twist;
use crate::measured::on_threads;
use cpu_time::ThreadTime;
use std::time::Duration;
use taffeta::intersect::{crossings, crossings_between};
use taffeta::{Body, FrameReport, Halt, Setup, Shape, Simulation, SimulationError, StepError, Vec3};

/// What came of a scene.
#[derive(Default)]
pub struct Ran {
    pub vertices: usize,
    /// Frames that were finished.
    pub frames: u64,
    /// CPU time of the simulation, without the tests of the frames, s.
    pub cpu: f64,
    /// Largest elongation of an edge in any frame.
    pub stretch: f64,
    /// Sum over all frames.
    pub crossings: u64,
    /// Lengths of ways, and what the guard cut off them, m.
    pub wanted: f64,
    pub lost: f64,
    pub rounds: u32,
    /// Searches for pairs.
    pub searches: u64,
    /// At the end, J.
    pub kinetic: f64,
    /// How often the borders of a wound sheet go around each other at the end.
    pub turns: f64,
    /// Why it ended early.
    pub error: Option<String>,
    /// Whether it ended because there was no room.
    pub blocked: bool,
}

impl Ran {
    fn add(&mut self, report: &FrameReport) {
        self.frames += 1;
        self.wanted += report.guard.wanted;
        self.lost += report.guard.lost;
        self.rounds = self.rounds.max(report.guard.rounds);
        self.searches += u64::from(report.guard.detections);
    }

    fn look(&mut self, simulation: &Simulation, hulls: &[Hull]) {
        let measures = simulation.measure();
        self.stretch = self.stretch.max(measures.max_stretch);
        self.kinetic = measures.kinetic;
        self.crossings += crossings_in(simulation, hulls);
    }
}

/// CPU time of this thread since then.
fn since(begin: Duration) -> f64 {
    (ThreadTime::now().as_duration() - begin).as_secs_f64()
}

/// Runs a scene to its planned end on one thread, but at most for so many seconds of CPU time.
pub fn run(setup: &Setup, twist: Option<&Twist>, longest: f64) -> Ran {
    let mut ran = Ran::default();
    let mut simulation = match Simulation::new(setup) {
        Ok(simulation) => simulation,
        Err(problems) => {
            ran.error = Some(format!("refused: {}", problems[0]));
            return ran;
        }
    };
    ran.vertices = simulation.positions().len();
    let frames = (setup.time.duration * setup.time.fps).round() as u64;
    let hulls: Vec<Hull> = simulation.world().bodies.iter().filter_map(Hull::new).collect();
    on_threads(1, || {
        while ran.frames < frames {
            let (begin, left) = (ThreadTime::now().as_duration(), longest - ran.cpu);
            simulation.stop_when(Halt::when(move || since(begin) > left));
            let done = simulation.frame();
            ran.cpu += since(begin);
            ran.look(&simulation, &hulls);
            match done {
                Ok(report) => ran.add(&report),
                Err(error) => {
                    ran.blocked = matches!(error, SimulationError::Step(StepError::Blocked { .. }));
                    ran.error = Some(match error {
                        SimulationError::Step(StepError::Stopped { time }) => format!("too slow: at {time:.3} s"),
                        error => error.to_string(),
                    });
                    break;
                }
            }
        }
    });
    ran.turns = twist.map_or(0.0, |twist| twist.found(simulation.positions()));
    ran
}

/// The triangles of a body: its own if it is a mesh, else some that are inscribed.
struct Hull {
    body: Body,
    inscribed: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Hull {
    /// `None` for planes: whether vertices are below is enough.
    fn new(body: &Body) -> Option<Self> {
        let (inscribed, triangles) = match &body.shape {
            Shape::Mesh(mesh) => (Vec::new(), mesh.triangles().to_vec()),
            shape => shape.triangulate(32)?,
        };
        Some(Self { body: body.clone(), inscribed, triangles })
    }

    fn points(&self, time: f64) -> Vec<Vec3> {
        match self.body.vertices_at(time) {
            Some(points) => points.expect("meshes of this experiment are known at all times"),
            None => {
                let mut points = self.inscribed.clone();
                self.body.put(time, &mut points);
                points
            }
        }
    }
}

/// Pairs of triangles that cross, and vertices inside bodies with exact shapes.
fn crossings_in(simulation: &Simulation, hulls: &[Hull]) -> u64 {
    let (world, mut x) = (simulation.world(), simulation.positions().to_vec());
    let mut found = crossings(&x, &world.triangles).len();
    for near in world.bodies.iter().filter_map(|body| body.nearest(simulation.time())) {
        found += x.iter().filter(|p| near(**p).distance < 0.0).count();
    }
    let mut all = Vec::new();
    for hull in hulls {
        let first = x.len() as u32;
        x.extend(hull.points(simulation.time()));
        all.extend(hull.triangles.iter().map(|v| v.map(|v| v + first)));
    }
    (found + crossings_between(&x, &world.triangles, &all).len()) as u64
}

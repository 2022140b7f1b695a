//! Builds the setup of the simulator from a checked scene.
//!
//! Building continues after mistakes, with defaults in their place, to find as many as it can.

mod body;
mod body_mesh;
mod cloth;
mod doubt;
mod fabric;
mod output;
mod pin;
mod refer;
mod uv;

pub(crate) use refer::shown;

use crate::{
    document::Document,
    files,
    keys::SCENE,
    mistakes::Mistakes,
    scene::{Camera, Output, Reference},
    tree::Value,
    view::View,
};
use std::path::Path;
use taffeta::{
    Adaptive, Air, Components, ContactImpossible, ContactLaw, ContactPair, ContactSettings, ContactStart, Gust,
    Implicit, Limiter, Method, Order, Place, Rule, Settings, Setup, SpringKind, StepSize, Time, Warning,
};
use taffeta_files::Room;
use taffeta_files::actions::Recorded;

/// More frames are a mistake: 16 hours at 60 frames a second do not fit on a disk either.
pub const MOST_FRAMES: u64 = 1_000_000;

/// Peak memory of a vertex, while elements are sorted: about 1300 bytes, measured by `cargo bench`.
pub(crate) const BYTES_PER_VERTEX: u64 = 1500;

/// Bounds that keep absurd input from taking the machine down.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Most vertices of all cloths together.
    pub vertices: u64,
    /// The memory that limits them, if memory does.
    pub memory: Option<Room>,
}

impl Default for Limits {
    fn default() -> Self {
        let memory = taffeta_files::room();
        let vertices = memory.as_ref().map_or(u64::MAX, |room| room.bytes / BYTES_PER_VERTEX);
        let memory = memory.filter(|_| vertices < taffeta::MAX_VERTICES);
        Self { vertices: vertices.min(taffeta::MAX_VERTICES), memory }
    }
}

/// How much time building may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Large meshes are postponed.
    Cheap,
    Full,
}

/// A mesh with this many vertices is postponed: a random mesh of this size takes a tenth of a second.
const MANY_VERTICES: u128 = 10_000;
/// A mesh file of this many bytes is postponed: it holds about as many vertices.
const LARGE_FILE: u64 = 1 << 20;

/// The input of building, and what it collects.
pub(crate) struct Builder<'a> {
    pub out: Mistakes<'a>,
    pub folder: &'a Path,
    pub limits: Limits,
    pub effort: Effort,
    /// Keys of meshes that were postponed.
    pub put_off: Vec<String>,
    /// Vertices of the cloths so far.
    pub vertices: u64,
    pub files: Vec<Reference>,
    pub notes: Vec<String>,
    /// Questions about implausible values, each at its key.
    pub warnings: Vec<Warning>,
}

/// The contents of a scene.
pub(crate) struct Built {
    pub title: Option<String>,
    pub setup: Setup,
    /// The line of each action in its file.
    pub action_lines: Vec<usize>,
    pub output: Output,
    pub camera: Option<Camera>,
}

impl<'a> Builder<'a> {
    pub fn new(document: &'a Document, folder: &'a Path, limits: Limits, effort: Effort) -> Self {
        let out = Mistakes::new(document, None);
        let (put_off, files, notes) = (Vec::new(), Vec::new(), Vec::new());
        Self { out, folder, limits, effort, put_off, vertices: 0, files, notes, warnings: Vec::new() }
    }

    /// Postpones a large mesh if only cheap parts are wanted now.
    fn put_off(&mut self, path: &[String], large: bool) -> Option<()> {
        if self.effort == Effort::Full || !large {
            return Some(());
        }
        self.put_off.push(path.join("."));
        None
    }

    /// Reads the whole scene.
    pub fn scene(&mut self) -> Built {
        let root = View { node: Some(&self.out.document.root), table: &SCENE, path: Vec::new() };
        let mut setup = Setup {
            gravity: root.vec3("gravity"),
            air: self.air(&root.table("air")),
            cloths: self.cloths(&root),
            bodies: self.bodies(&root),
            method: None,
            time: self.time(&root.table("time")),
            limiter: root.has("limiter").then(|| limiter(&root.table("limiter"))),
            contact: contact(&root.table("contact")),
            components: components(&root.table("components")),
            actions: Vec::new(),
        };
        let recorded = self.actions(&root, setup.time.fps);
        let action_lines = recorded.iter().map(|(_, line)| *line).collect();
        setup.actions = recorded.into_iter().map(|(action, _)| action).collect();
        if setup.air.wind != taffeta::Vec3::ZERO && !setup.air.acts() && !setup.cloths.iter().any(taffeta::Cloth::drags)
        {
            self.notes.push("the wind does nothing: air acts through `drag` or `fluid`; set air.drag = 1.0".into());
        }
        setup.method = self.method(&root.table("method"), &setup);
        self.doubt_scene(&root, &setup);
        if setup.cloths.len() > 1 && !setup.cloth_collides() {
            self.notes
                .push("cloths pass through each other and through themselves: contact is with bodies only".into());
        }
        let output = self.output(&root.table("output"), &setup.time);
        let (title, camera) = (root.text("title").map(str::to_string), self.camera(&root));
        Built { title, setup, action_lines, output, camera }
    }

    fn camera(&mut self, root: &View<'_>) -> Option<Camera> {
        let view = root.table("camera");
        view.node?;
        let camera =
            Camera { at: view.vec3("at"), look_at: view.vec3("look_at"), fov: view.number("fov"), up: view.vec3("up") };
        let sideways = (camera.look_at - camera.at).cross(camera.up);
        if self.out.clean(&view.path)
            && sideways.length() <= 1e-9 * camera.up.length() * camera.at.distance(camera.look_at)
        {
            let help = "move `at` away from `look_at`, or give an `up` that is not along the view";
            self.out.key(&view.at("at"), "the camera has nowhere to look, or looks along `up`", help);
        }
        Some(camera)
    }

    fn time(&mut self, view: &View<'_>) -> Time {
        let (duration, fps) = (view.number("duration"), view.number("fps"));
        if duration * fps > MOST_FRAMES as f64 {
            let message = format!("{duration} s at {fps} frames a second are {:.0} frames", duration * fps);
            let help = format!("at most {MOST_FRAMES} can be written: make `duration` or `fps` smaller");
            let key = if view.has("duration") { "duration" } else { "fps" };
            self.out.value(&view.at(key), message, help);
        }
        let step = view.optional_number("step").map_or(StepSize::Auto, StepSize::AtMost);
        let adaptive = match view.given("adaptive").map(|node| &node.value) {
            Some(Value::Bool(false)) => None,
            _ => {
                let table = view.table("adaptive");
                Some(Adaptive { change: table.number("change"), least: table.number("least") })
            }
        };
        Time { fps, step, duration, adaptive }
    }

    /// The actions from outside, each with its line.
    fn actions(&mut self, root: &View<'_>, fps: f64) -> Vec<Recorded> {
        let path = root.at("actions");
        let Some(text) = root.text("actions") else { return Vec::new() };
        let Some(referred) = self.file(&path, text, &["jsonl"]) else { return Vec::new() };
        files::actions(&referred.bytes, fps).unwrap_or_else(|problems| {
            self.file_problems(&path, &referred, problems);
            Vec::new()
        })
    }

    /// The method; `None` leaves the choice to the simulator. With settings that only implicit methods have, it is the
    /// implicit method that fits the rest of the setup best.
    fn method(&mut self, view: &View<'_>, setup: &Setup) -> Option<Method> {
        let name = view.word("name").unwrap_or_default();
        let mut method = Method::named(name);
        if method.is_none() && Implicit::LIST.iter().any(|setting| view.has(setting.key)) {
            method = Some(match Method::best(setup) {
                best @ Method::BackwardEuler(_) => best,
                _ => Method::Bdf2(Implicit::default()),
            });
        }
        if let Some(method) = &mut method {
            for setting in method.info().settings {
                view.setting(setting).into_iter().for_each(|value| method.set(setting.key, value));
            }
        }
        for key in view.table.names().filter(|key| *key != "name") {
            let auto = Implicit::LIST.iter().any(|setting| setting.key == key).then_some(AUTO);
            let owners: Vec<&str> = (view.table.owners)(key).into_iter().map(|(name, _)| name).chain(auto).collect();
            if view.has(key) && !owners.contains(&name) && self.out.clean(&view.at("name")) {
                let help = match key {
                    "damping" => "leave it out and give the fabric a `damping`, or use name = \"verlet\"".to_string(),
                    _ => format!("leave it out, or use name = \"{}\"", owners[0]),
                };
                let message = format!("`{key}` belongs to {}, not to `{name}`", quoted(&owners));
                self.out.key(&view.at(key), message, help);
            }
        }
        method
    }

    fn air(&mut self, view: &View<'_>) -> Air {
        let gust = view.has("gust").then(|| {
            let gust = view.table("gust");
            Gust { strength: gust.number("strength"), period: gust.number("period"), seed: gust.integer("seed") as u64 }
        });
        let air = Air {
            density: view.number("density"),
            drag: view.number("drag"),
            fluid: view.number("fluid"),
            fluid_per_particle: view.number("fluid_per_particle"),
            wind: view.vec3("wind"),
            gust,
        };
        if gust.is_some() && air.wind == taffeta::Vec3::ZERO {
            self.notes.push("the gust does nothing: it strengthens and weakens `wind`, which is 0".into());
        }
        air
    }
}

/// The word for a method that we choose.
const AUTO: &str = "auto";

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn limiter(view: &View<'_>) -> Limiter {
    let springs = view.words("springs").into_iter().map(|word| match word {
        "structural" => SpringKind::Structural,
        "shear" => SpringKind::Shear,
        _ => SpringKind::Flexion,
    });
    Limiter {
        limit: view.number("limit"),
        rule: view.word("rule").map(|word| if word == "keep" { Rule::Keep } else { Rule::Pull }),
        passes: view.integer("passes") as u32,
        order: if view.word("order") == Some("longest-first") { Order::LongestFirst } else { Order::Stored },
        inverse_dynamics: view.flag("inverse_dynamics"),
        springs: springs.collect(),
    }
}

fn contact(view: &View<'_>) -> ContactSettings {
    let law = match view.word("law") {
        Some("barrier") => ContactLaw::Barrier,
        Some("constraint") => ContactLaw::Constraint,
        _ => ContactLaw::Auto,
    };
    let start = if view.word("start") == Some("exempt") { ContactStart::Exempt } else { ContactStart::Refuse };
    let impossible = match view.word("impossible") {
        Some("yield") => ContactImpossible::Yield,
        _ => ContactImpossible::Stop,
    };
    let pairs = view.tables("pair").iter().map(contact_pair).collect();
    ContactSettings { cloth: view.has("cloth").then(|| view.flag("cloth")), law, start, impossible, pairs }
}

fn contact_pair(view: &View<'_>) -> ContactPair {
    let mut names = view.texts("names").into_iter().map(str::to_owned);
    ContactPair {
        names: std::array::from_fn(|_| names.next().unwrap_or_default()),
        friction: view.optional_number("friction"),
        ignore: view.flag("ignore"),
    }
}

fn components(view: &View<'_>) -> Components {
    Components {
        internal: view.flag("internal"),
        structural: view.flag("structural"),
        shear: view.flag("shear"),
        bend: view.flag("bend"),
        gravity: view.flag("gravity"),
        air: view.flag("air"),
        wind: view.flag("wind"),
        loads: view.flag("loads"),
        damping: view.flag("damping"),
        pins: view.flag("pins"),
        integration: view.flag("integration"),
        limiter: view.flag("limiter"),
        contact: view.flag("contact"),
    }
}

/// The placement of a cloth or a body.
fn place(view: &View<'_>) -> Place {
    Place { scale: view.number("scale"), rotate: view.vec3("rotate"), at: view.vec3("at") }
}

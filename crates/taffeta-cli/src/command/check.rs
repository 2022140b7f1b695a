//! `taffeta check`.

use super::again::Again;
use super::pace::{self, Pace};
use super::scene::Ready;
use super::simulate::pool;
use super::way_out;
use crate::args::Check;
use crate::console::Console;
use crate::failure::{FAILED, Failure};
use crate::words::{self, number};
use serde_json::{Map, Value, json};
use std::path::Path;
use taffeta::{Body, BodyMesh, ElementCounts, GoodStep, Shape, World};
use taffeta_files::Surface;
use taffeta_files::cache::CacheWriter;
use taffeta_files::checkpoint;
use taffeta_files::run;
use taffeta_scene::Source;

/// Approximate bytes of a line of `frames.jsonl`.
const LINE: u64 = 700;
/// Ratio of the peak memory, while elements are sorted, to the memory that stays. Factors are excluded, because they
/// are made later. Measured with 1,000,000 vertices by `cargo bench` and as the peak of `check` itself.
const PEAK: f64 = 2.2;

/// Most pins and loads that are listed by name; further ones are only counted.
const PINS: usize = 20;
/// Most meshes that are described; further ones are only counted.
const MESHES: usize = 8;

pub fn check(console: Console, threads: Option<usize>, args: &Check) -> Result<(), Failure> {
    let source = Source::find(&args.scene.scene)?;
    let pool = pool(threads)?;
    let ready = pool.install(|| Ready::new(&source, &args.scene.set))?;
    ready.show_warnings(console);
    ready.fits()?;
    let cost = Cost::of(&ready);
    let pace = if args.no_time { Ok(None) } else { pace::measure(&ready, &pool) };
    let say = |text: &str| text.lines().try_for_each(|line| console.say(line));
    match pace {
        Ok(pace) => {
            say(&text(&ready, &cost, pace))?;
            console.json(&Value::Object(object(&ready, &cost, pace)))
        }
        Err(error) => {
            say(&text(&ready, &cost, None))?;
            let failure = run::Failure::from(error);
            let scene = words::typed(Path::new(&args.scene.scene));
            let again = Again::new(format!("taffeta run {scene}"), args.scene.set.clone());
            let help = way_out::tried(console, &failure, &ready, &again, &pool);
            let object = object(&ready, &cost, None);
            Err(Failure { object, ..Failure::new(FAILED, format!("a run of it fails: {failure}"), help) })
        }
    }
}

/// Resources that a run would need.
struct Cost {
    frames: u64,
    memory: u64, // bytes
    disk: u64,   // bytes
    mass: f64,   // kg
}

impl Cost {
    fn of(ready: &Ready) -> Self {
        let frames = ready.frames();
        let positions = CacheWriter::size(&Surface::of(&ready.world), frames + 1);
        let copies: u64 = ready.attachments().iter().map(|file| file.contents.size()).sum();
        let caches = if ready.world.can_touch() { 2 * positions } else { positions };
        let disk = caches + (frames + 1) * LINE + checkpoint::bytes(&ready.world.start()) + copies;
        let factors = ready.world.memory_of_factors() as u64;
        let stays = ready.world.memory();
        let peak = (PEAK * (stays - factors) as f64) as u64;
        Self { frames, memory: peak.max(stays), disk, mass: ready.world.mass.iter().sum() }
    }
}

fn text(ready: &Ready, cost: &Cost, pace: Option<Pace>) -> String {
    let (scene, world) = (&ready.scene, &ready.world);
    let counts = world.element_counts();
    let stable = match world.stable_step() {
        _ if world.method.info().step == GoodStep::Filter => "stable near rest lengths".into(),
        _ if world.method.is_implicit() => "stable at any step".into(),
        Some(step) if step.is_finite() => format!("stable up to {} s", number(step)),
        Some(_) => "nothing is stiff".into(),
        None => format!("{} has no stable step here", world.method.name()),
    };
    let rows = [
        ("scene", format!("{}: {}", scene.name, scene.title)),
        (
            "cloth",
            format!("{}, {} vertices, {} triangles", cloth_names(ready), world.mass.len(), world.triangles.len()),
        ),
        ("model", models(ready)),
        ("elements", elements(&counts)),
        ("pins", pins(ready)),
        ("loads", loads(ready)),
        ("regions", regions(ready)),
        ("bodies", bodies(ready)),
        ("actions", actions(ready)),
        ("contact", contact(ready)),
        ("mass", format!("{} kg", number(cost.mass))),
        ("method", method(world)),
        ("step", format!("{} s, {}{}", number(world.h), stable, adaptive(ready))),
        (
            "frames",
            format!(
                "{} in {} s, {}{} each",
                cost.frames,
                number(scene.duration),
                words::count(world.steps_per_frame.into(), "step"),
                if world.adaptive.is_some() { " or more" } else { "" }
            ),
        ),
        ("memory", format!("about {} at its peak", words::bytes(cost.memory))),
        ("disk", format!("about {}", words::bytes(cost.disk))),
        ("time", pace.map_or(String::new(), |pace| pace.line(world.can_touch()))),
    ];
    let rows = rows.iter().filter(|(_, value)| !value.is_empty());
    let lines: Vec<String> = rows.map(|(name, value)| format!("{name:9}{value}")).collect();
    let warnings = world.warnings.len() as u64;
    let end = if warnings == 0 { String::new() } else { format!(", {}", words::count(warnings, "warning")) };
    format!("{}\nno mistakes{end}", lines.join("\n"))
}

/// The number of actions and their times.
fn actions(ready: &Ready) -> String {
    match &ready.world.actions[..] {
        [] => String::new(),
        [one] => format!("1 at {} s", number(one.time)),
        [first, .., last] => {
            let count = ready.world.actions.len();
            format!("{count} from {} s to {} s", number(first.time), number(last.time))
        }
    }
}

/// The models of the cloths, each once.
fn models(ready: &Ready) -> String {
    let mut names: Vec<&str> = ready.scene.setup.cloths.iter().map(|cloth| cloth.model.name()).collect();
    names.dedup();
    match names.as_slice() {
        [first, _, _, _, _, ..] => format!("{first} and others"),
        names => names.join(", "),
    }
}

/// The elements of the cloth, by kind; kinds that are absent are left out.
fn elements(counts: &ElementCounts) -> String {
    let kinds = [
        (counts.triangles, "triangles"),
        (counts.structural, "structural springs"),
        (counts.shear, "shear springs"),
        (counts.flexion, "flexion springs or beams"),
        (counts.hinges, "hinges"),
    ];
    let there = kinds.iter().filter(|(count, _)| *count > 0);
    let list: Vec<String> = there.map(|(count, name)| format!("{count} {name}")).collect();
    if list.is_empty() { "none".into() } else { list.join(", ") }
}

/// How short adaptive steps may become, if steps are adaptive.
fn adaptive(ready: &Ready) -> String {
    match ready.world.adaptive {
        Some(adaptive) => format!(", halved where needed down to {} s", number(ready.world.h * adaptive.least)),
        None => String::new(),
    }
}

/// Names of the pins, the vertices that each holds, and whether it clamps.
fn named_pins(ready: &Ready) -> impl Iterator<Item = (&String, usize, bool)> {
    let pins = ready.scene.setup.cloths.iter().flat_map(|cloth| &cloth.pins);
    let held = ready.world.pin_names.iter().zip(ready.world.pin_sizes());
    held.zip(pins).map(|((name, count), pin)| (name, count, pin.clamp))
}

fn pins(ready: &Ready) -> String {
    let marked = |(name, count, clamp): (&String, usize, bool)| {
        let clamp = if clamp { ", clamp" } else { "" };
        format!("{name} ({}{clamp})", vertices(count))
    };
    let names: Vec<String> = named_pins(ready).map(marked).collect();
    if names.is_empty() { "none".into() } else { first(&names) }
}

/// Names of the loads and the number of vertices that each acts on.
fn named_loads(ready: &Ready) -> impl Iterator<Item = (String, usize)> {
    let cloths = ready.scene.setup.cloths.iter();
    let names = cloths.flat_map(|cloth| (0..cloth.loads.len()).map(|i| format!("{}.load[{i}]", cloth.name)));
    names.zip(ready.world.load_sizes())
}

/// The loads as text; empty if there are none.
fn loads(ready: &Ready) -> String {
    let names: Vec<String> = named_loads(ready).map(|(name, count)| format!("{name} ({})", vertices(count))).collect();
    first(&names)
}

fn vertices(count: usize) -> String {
    if count == 1 { "1 vertex".into() } else { format!("{count} vertices") }
}

/// The first names of a list, and how many more there are.
fn first(names: &[String]) -> String {
    let more = names.len().saturating_sub(PINS);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", names[..names.len() - more].join(", "))
}

/// Which contacts are computed and which are not; empty if a single cloth touches nothing.
fn contact(ready: &Ready) -> String {
    let cloths = ready.world.cloths.len();
    if ready.world.cloth_collides() {
        let bodies = if ready.world.can_touch() { "with bodies, " } else { "" };
        let others = if cloths > 1 { " and with other cloths" } else { "" };
        return format!("{bodies}of cloth with itself{others}");
    }
    match (ready.world.can_touch(), cloths > 1) {
        (true, true) => "with bodies; cloths pass through each other and through themselves".into(),
        (true, false) => "with bodies; cloth passes through itself".into(),
        (false, true) => "none; cloths pass through each other and through themselves".into(),
        (false, false) => String::new(),
    }
}

/// Cloths with regions and their number; empty if there are none.
fn regions(ready: &Ready) -> String {
    let cloths = ready.scene.setup.cloths.iter().filter(|cloth| !cloth.regions.is_empty());
    cloths.map(|cloth| format!("{} in {}", cloth.regions.len(), cloth.name)).collect::<Vec<_>>().join(", ")
}

/// Meshes with their size and motion; other bodies are only counted.
fn bodies(ready: &Ready) -> String {
    let bodies = &ready.world.bodies;
    if bodies.is_empty() {
        return "none".into();
    }
    let meshes: Vec<String> = meshes(bodies).take(MESHES).map(|(name, mesh)| describe(name, mesh)).collect();
    let others = (bodies.len() - meshes.len()) as u64;
    let rest = match (others, meshes.is_empty()) {
        (0, _) => String::new(),
        (others, true) => others.to_string(),
        (others, false) => format!("; {others} more"),
    };
    format!("{}{rest}", meshes.join("; "))
}

fn describe(name: &str, mesh: &dyn BodyMesh) -> String {
    let (begin, end) = mesh.span();
    let moves = match begin < end {
        true => format!("moves from {} s to {} s", number(begin), number(end)),
        false => "keeps its shape".into(),
    };
    format!("{name}, {} vertices, {} triangles, {moves}", mesh.vertices(), mesh.triangles().len())
}

fn meshes(bodies: &[Body]) -> impl Iterator<Item = (&str, &dyn BodyMesh)> {
    bodies.iter().filter_map(|body| match &body.shape {
        Shape::Mesh(mesh) => Some((body.name.as_str(), mesh.as_ref())),
        _ => None,
    })
}

fn cloth_names(ready: &Ready) -> String {
    let names: Vec<&str> = ready.world.cloths.iter().map(|cloth| cloth.name.as_str()).collect();
    match names.as_slice() {
        [first, _, _, _, _, ..] => format!("{first} and {} more", names.len() - 1),
        names => names.join(", "),
    }
}

fn object(ready: &Ready, cost: &Cost, pace: Option<Pace>) -> Map<String, Value> {
    let (scene, world) = (&ready.scene, &ready.world);
    let counts = world.element_counts();
    let warnings: Vec<Value> = world
        .warnings
        .iter()
        .map(|warning| {
            let at = scene.locate(&warning.path);
            json!({
                "message": warning.message,
                "key": warning.path,
                "file": at.file,
                "line": at.line,
                "column": at.column,
            })
        })
        .collect();
    let object = json!({
        "scene": scene.name,
        "title": scene.title,
        "cloths": world.cloths.iter().map(|cloth| &cloth.name).collect::<Vec<_>>(),
        "vertices": world.mass.len(),
        "triangles": world.triangles.len(),
        "models": scene.setup.cloths.iter().map(|cloth| cloth.model.name()).collect::<Vec<_>>(),
        "triangle_elements": counts.triangles,
        "structural": counts.structural,
        "shear": counts.shear,
        "flexion": counts.flexion,
        "hinges": counts.hinges,
        "pins": named_pins(ready)
            .map(|(name, vertices, clamp)| json!({ "name": name, "vertices": vertices, "clamp": clamp }))
            .collect::<Vec<_>>(),
        "loads": named_loads(ready)
            .map(|(name, vertices)| json!({ "name": name, "vertices": vertices }))
            .collect::<Vec<_>>(),
        "contact": { "bodies": world.can_touch(), "cloth": world.cloth_collides() },
        "regions": scene.setup.cloths.iter().map(|cloth| cloth.regions.len()).sum::<usize>(),
        "bodies": world.bodies.len(),
        "actions": world.actions.len(),
        "body_meshes": meshes(&world.bodies)
            .map(|(name, mesh)| {
                let (begin, end) = mesh.span();
                let span = (begin < end).then_some([begin, end]);
                json!({ "name": name, "vertices": mesh.vertices(), "triangles": mesh.triangles().len(), "moves": span })
            })
            .collect::<Vec<_>>(),
        "mass": cost.mass,
        "method": world.method.name(),
        "step": world.h,
        "steps_per_frame": world.steps_per_frame,
        "stable_at_any_step": world.method.is_implicit() && world.method.info().step != GoodStep::Filter,
        "adaptive": world.adaptive.map(|adaptive| json!({ "change": adaptive.change, "least": adaptive.least })),
        // JSON has no infinity: without stiffness there is no limit
        "stable_step": world.stable_step().filter(|step| step.is_finite()),
        "frames": cost.frames,
        "duration": scene.duration,
        "memory_bytes": cost.memory,
        "disk_bytes": cost.disk,
        "warnings": warnings,
        "notes": scene.notes,
        "time": pace.map(|pace| pace.json()),
    });
    if let Value::Object(object) = object { object } else { Map::new() }
}
/// The method, and the one that takes over.
fn method(world: &World) -> String {
    match world.goes_over() {
        true => format!("{}; bdf2 from when cloth comes near itself, which takes longer", world.method.name()),
        false => world.method.name().into(),
    }
}

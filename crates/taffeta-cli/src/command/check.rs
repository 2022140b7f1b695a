//! `taffeta check`.

use super::scene::Ready;
use crate::args::Check;
use crate::console::Console;
use crate::failure::Failure;
use crate::words::{self, number};
use serde_json::{Value, json};
use taffeta::{Body, BodyMesh, ElementCounts, Method, Shape};
use taffeta_files::Surface;
use taffeta_files::cache::CacheWriter;
use taffeta_scene::Source;

/// Bytes of a line of `frames.jsonl`, about.
const LINE: u64 = 700;
/// Bytes of the checkpoint for each vertex: position, velocity and room for a contact, in two slots.
const CHECKPOINT: u64 = 2 * (48 + 57);

/// What is taken at the peak, while elements are sorted, over what stays without factors, which come later: measured with
/// 1,000,000 vertices by `cargo bench` and as the peak of `check` itself.
const PEAK: f64 = 2.2;

/// Meshes that are described; a crowd is counted.
const MESHES: usize = 8;

pub fn check(console: Console, args: &Check) -> Result<(), Failure> {
    let source = Source::find(&args.scene.scene)?;
    let ready = Ready::new(&source, &args.scene.set)?;
    ready.show_warnings(console);
    let cost = Cost::of(&ready);
    console.say(&text(&ready, &cost))?;
    console.json(&object(&ready, &cost))
}

/// What a run would take.
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
        let disk = caches + (frames + 1) * LINE + CHECKPOINT * ready.world.mass.len() as u64 + copies;
        let factors = ready.world.memory_of_factors() as u64;
        let stays = ready.world.memory();
        let peak = (PEAK * (stays - factors) as f64) as u64;
        Self { frames, memory: peak.max(stays), disk, mass: ready.world.mass.iter().sum() }
    }
}

fn text(ready: &Ready, cost: &Cost) -> String {
    let (scene, world) = (&ready.scene, &ready.world);
    let counts = world.element_counts();
    let stable = match world.stable_step() {
        _ if world.method == Method::FilteredEuler => "stable near rest lengths".into(),
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
        ("regions", regions(ready)),
        ("bodies", bodies(ready)),
        ("mass", format!("{} kg", number(cost.mass))),
        ("method", world.method.name().to_string()),
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
    ];
    let rows = rows.iter().filter(|(name, value)| *name != "regions" || !value.is_empty());
    let lines: Vec<String> = rows.map(|(name, value)| format!("{name:9}{value}")).collect();
    let warnings = world.warnings.len() as u64;
    let end = if warnings == 0 { String::new() } else { format!(", {}", words::count(warnings, "warning")) };
    format!("{}\nno mistakes{end}", lines.join("\n"))
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

/// What the cloth is made of, by kind; kinds that are absent are left out.
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

/// How short steps may become, where they may.
fn adaptive(ready: &Ready) -> String {
    match ready.world.adaptive {
        Some(adaptive) => format!(", halved where needed down to {} s", number(ready.world.h * adaptive.least)),
        None => String::new(),
    }
}

/// Names of the pins, and whether they clamp.
fn named_pins(ready: &Ready) -> impl Iterator<Item = (&String, bool)> {
    let pins = ready.scene.setup.cloths.iter().flat_map(|cloth| &cloth.pins);
    ready.world.pin_names.iter().zip(pins.map(|pin| pin.clamp))
}

fn pins(ready: &Ready) -> String {
    let marked = |(name, clamp): (&String, bool)| format!("{name}{}", if clamp { " (clamp)" } else { "" });
    let names: Vec<String> = named_pins(ready).map(marked).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// Cloths with regions and how many they have; empty if there are none.
fn regions(ready: &Ready) -> String {
    let cloths = ready.scene.setup.cloths.iter().filter(|cloth| !cloth.regions.is_empty());
    cloths.map(|cloth| format!("{} in {}", cloth.regions.len(), cloth.name)).collect::<Vec<_>>().join(", ")
}

/// Meshes with their size and motion, the others by their number.
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

fn object(ready: &Ready, cost: &Cost) -> Value {
    let (scene, world) = (&ready.scene, &ready.world);
    let counts = world.element_counts();
    let warnings: Vec<Value> = world
        .warnings
        .iter()
        .map(|warning| {
            let at = scene.locate(&warning.path);
            json!({ "message": warning.message, "key": warning.path, "file": at.file, "line": at.line, "column": at.column })
        })
        .collect();
    json!({
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
        "pins": world.pin_names,
        "clamps": named_pins(ready).filter(|(_, clamp)| *clamp).map(|(name, _)| name).collect::<Vec<_>>(),
        "regions": scene.setup.cloths.iter().map(|cloth| cloth.regions.len()).sum::<usize>(),
        "bodies": world.bodies.len(),
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
        "stable_at_any_step": world.method.is_implicit() && world.method != Method::FilteredEuler,
        "adaptive": world.adaptive.map(|adaptive| json!({ "change": adaptive.change, "least": adaptive.least })),
        // JSON has no infinity: where nothing is stiff there is no limit
        "stable_step": world.stable_step().filter(|step| step.is_finite()),
        "frames": cost.frames,
        "duration": scene.duration,
        "memory_bytes": cost.memory,
        "disk_bytes": cost.disk,
        "warnings": warnings,
        "notes": scene.notes,
    })
}

//! A piece of cloth: its mesh, place, material and model.

use super::{
    BYTES_PER_VERTEX, Builder, LARGE_FILE, MANY_VERTICES, fabric::values, pin::Known, place, refer::Referred, uv::Uv,
};
use crate::{
    document::{Path, shown},
    files::{self, FileProblem},
    tree::Value,
    view::View,
};
use std::collections::BTreeMap;
use taffeta::{
    Bending, Cloth, Fabric, Material, Mesh, MeshProblem, MeshProblems, Model, Noise, Pattern, Raw, Region, Vec3,
    ViscousDamping,
};
use taffeta_files::mesh::{Arranged, ReadOptions, Up};
use taffeta_files::{Format, Holds, NoRoom, Wrong};

/// Vertices by group name in a mesh file.
type Groups = BTreeMap<String, Vec<u32>>;

impl Builder<'_> {
    pub(super) fn cloths(&mut self, root: &View<'_>) -> Vec<Cloth> {
        let views = root.tables("cloth");
        let names = self.names(&views, "cloth");
        views.iter().zip(names).filter_map(|(view, name)| self.cloth(view, name)).collect()
    }

    /// The given or numbered names; reports those given twice.
    pub(super) fn names(&mut self, views: &[View<'_>], what: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (i, view) in views.iter().enumerate() {
            let default = if views.len() == 1 { what.to_string() } else { format!("{what}-{}", i + 1) };
            let name = view.text("name").map_or(default, str::to_string);
            if let Some(first) = names.iter().position(|earlier| *earlier == name) {
                let message = format!("`{name}` is the name of `{what}[{first}]` already");
                self.out.value(&view.at("name"), message, format!("give each {what} its own name"));
            }
            names.push(name);
        }
        names
    }

    /// A cloth; `None` if it has no mesh.
    fn cloth(&mut self, view: &View<'_>, name: String) -> Option<Cloth> {
        let (mesh, file) = self.mesh(view).unzip();
        let (arranged, groups) = file.flatten().unzip();
        let vertices = mesh.as_ref().map(|mesh| mesh.rest.len());
        let known = vertices.map(|vertices| Known { vertices, groups });
        let known = known.as_ref();
        let model = self.model(view);
        let material = self.material(view);
        let noise = view.has("noise").then(|| {
            let noise = view.table("noise");
            Noise { size: noise.number("size"), seed: noise.integer("seed") as u64 }
        });
        let cloth = Cloth {
            grain: view.number("grain"),
            start: match mesh.as_ref().filter(|_| is_shape(&view.table("start"))) {
                Some(mesh) => self.start_shape(view, mesh),
                None => self.positions(view, "start", vertices, arranged.as_ref()),
            },
            rest_shape: self.positions(view, "rest_shape", vertices, arranged.as_ref()),
            place: place(&view.table("place")),
            model: self.bending(view, model, &material),
            regions: view.tables("region").iter().map(|region| self.region(region, &material, known)).collect(),
            material,
            velocity: view.vec3("velocity"),
            noise,
            pins: view.tables("pin").iter().map(|pin| self.pin(pin, known)).collect(),
            loads: view.tables("load").iter().map(|load| self.load(load, known)).collect(),
            name,
            mesh: mesh?,
        };
        self.doubt_cloth(view, &cloth);
        Some(cloth)
    }

    fn region(&mut self, view: &View<'_>, material: &Material, known: Option<&Known>) -> Region {
        let select = self.select(&view.table("select"), known);
        let own = |key: &str| !["select", "stretch_rest"].contains(&key);
        let changes = view.table.names().any(|key| own(key) && view.has(key));
        if !changes && !view.has("stretch_rest") && self.out.clean(&view.path) {
            let help = "add stretch_rest = [1.1, 0.9] or a value of the fabric, or leave the region out";
            self.out.key(&view.path, format!("`{}` changes nothing", shown(&view.path)), help);
        }
        // raw constants with a region are refused later
        let base = if let Material::Fabric(fabric) = material { *fabric } else { Fabric::default() };
        Region { select, stretch_rest: view.vec2("stretch_rest"), fabric: changes.then(|| values(view, base)) }
    }

    /// The mesh; for one from a file also how its vertices were rearranged, and its named groups.
    fn mesh(&mut self, view: &View<'_>) -> Option<(Mesh, Option<(Arranged, Groups)>)> {
        // two shapes have been reported as a mistake already
        if view.has("mesh") {
            let (path, text, options) = named_file(view, "mesh")?;
            let mesh = view.table("mesh");
            let (weld, part) = match mesh.node {
                Some(_) => (mesh.optional_number("weld"), mesh.text("part").map(str::to_string)),
                None => (None, None),
            };
            let uv = Uv::of(&mesh);
            let (mesh, file) = self.mesh_file(&path, text, &ReadOptions { weld, part, ..options }, uv)?;
            return Some((mesh, Some(file)));
        }
        let key = ["grid", "equilateral", "disc", "random"].into_iter().find(|key| view.has(key))?;
        let (shape, path) = (view.table(key), view.at(key));
        if !self.out.clean(&path) {
            return None;
        }
        let made = if key == "grid" {
            let cells = shape.given("cells").map_or(&[][..], |node| node.items());
            let cell = |i: usize| match cells.get(i).map(|node| &node.value) {
                Some(Value::Integer(Some(n))) => u32::try_from(*n).unwrap_or(1),
                _ => 1,
            };
            let cells = [cell(0), cell(1)];
            let pattern = match shape.word("pattern") {
                Some("one-diagonal") => Pattern::OneDiagonal,
                Some("crossed") => Pattern::Crossed,
                _ => Pattern::Alternating,
            };
            let [nx, ny] = cells.map(u128::from);
            let middle = if pattern == Pattern::Crossed { nx * ny } else { 0 };
            let vertices = (nx + 1) * (ny + 1) + middle;
            self.room(&shape.at("cells"), vertices, "cells")?;
            self.put_off(&path, vertices > MANY_VERTICES)?;
            Mesh::grid(shape.vec2("size"), cells, pattern)
        } else {
            // about as many vertices as triangles of this size need, or somewhat more
            let edge = shape.number("edge");
            let [x, y] = if key == "disc" { [2.0 * shape.number("radius"); 2] } else { shape.vec2("size") };
            let in_a_square = if key == "random" { 1.3 } else { 1.16 };
            let vertices = in_a_square * (x / edge + 2.0) * (y / edge + 2.0);
            self.room(&shape.at("edge"), vertices as u128, "triangles")?;
            self.put_off(&path, vertices as u128 > MANY_VERTICES)?;
            match key {
                "disc" => Mesh::disc(shape.number("radius"), edge, &shape.numbers("rings")),
                "random" => Mesh::random([x, y], edge, shape.integer("seed") as u64),
                _ => Mesh::equilateral([x, y], edge),
            }
        };
        made.map_err(|MeshProblems(problems)| {
            for problem in problems {
                let (path, help) = match problem {
                    MeshProblem::BadRing { .. } => (shape.at("rings"), "rings lie between the centre and the border"),
                    MeshProblem::RingsTooClose { .. } => {
                        (shape.at("rings"), "keep rings, the centre and the border a tenth of an edge apart or more")
                    }
                    _ => (path.clone(), "change its size or the size of its triangles"),
                };
                self.out.value(&path, format!("`{}`: {problem}", shown(&path)), help);
            }
        })
        .ok()
        .map(|mesh| (mesh, None))
    }

    /// Refuses more vertices than the limit before anything is allocated.
    fn room(&mut self, path: &[String], count: u128, of: &str) -> Option<()> {
        let limit = u128::from(self.limits.vertices);
        if count + u128::from(self.vertices) > limit {
            let needed = (count + u128::from(self.vertices)).saturating_mul(u128::from(BYTES_PER_VERTEX));
            let needed = u64::try_from(needed).unwrap_or(u64::MAX);
            let (limit, why, other) = match &self.limits.memory {
                Some(room) => {
                    let room = room.clone();
                    // free memory changes all the time: two digits are enough
                    let size = 10u128.pow(limit.checked_ilog10().unwrap_or(0).saturating_sub(1));
                    let why = format!(": {}", NoRoom { bytes: needed, room });
                    (format!("about {}", limit / size * size), why, ", or allow the process more memory")
                }
                None => (limit.to_string(), String::new(), ""),
            };
            let message = format!("these are {count} vertices, and there is room for {limit}{why}");
            self.out.value(path, message, format!("use fewer {of}{other}"));
            return None;
        }
        self.vertices += count as u64;
        Some(())
    }

    fn mesh_file(
        &mut self,
        path: &Path,
        text: &str,
        options: &ReadOptions,
        uv: Uv,
    ) -> Option<(Mesh, (Arranged, Groups))> {
        let referred = self.file(path, text, &Format::endings_of(Holds::is_mesh))?;
        self.put_off(path, referred.size() > LARGE_FILE)?;
        let (mesh, arranged) = match files::mesh(text, &referred.bytes, &referred.beside, options) {
            Ok(mesh) => mesh,
            Err(problems) => {
                self.file_problems(path, &referred, problems);
                return None;
            }
        };
        self.room(path, mesh.positions.len() as u128, "vertices")?;
        self.notes.extend(mesh.notes.iter().map(|note| format!("{}: {note}", referred.file)));
        let groups = mesh.grouped();
        match Mesh::new(mesh.positions, mesh.triangles, uv.apply(mesh.uv)) {
            Ok(mesh) => {
                self.doubt_uv(path, text, &mesh, uv);
                if !mesh.has_uv && uv != Uv::Ignore {
                    self.notes.push(format!(
                        "{}: no usable uv, so lengths and rest angles come from its shape",
                        referred.file
                    ));
                }
                Some((mesh, (arranged, groups)))
            }
            Err(MeshProblems(problems)) => {
                // a part or a welded mesh renumbers its elements, so no line can be given
                let whole = options.weld.is_none() && options.part.is_none();
                let problems = problems.iter().map(|problem| in_file(problem, &referred, whole)).collect();
                self.file_problems(path, &referred, problems);
                None
            }
        }
    }

    /// Positions from a file: of the vertices of the cloth, or of those in the file of its mesh.
    fn positions(
        &mut self,
        view: &View<'_>,
        key: &str,
        vertices: Option<usize>,
        arranged: Option<&Arranged>,
    ) -> Option<Vec<Vec3>> {
        let (path, text, options) = named_file(view, key)?;
        let referred = self.file(&path, text, &Format::endings_of(Holds::is_mesh))?;
        let needed = vertices?;
        let problems = match files::positions(text, &referred.bytes, &referred.beside, &options) {
            Ok(x) if x.len() == needed => return Some(x),
            Ok(mut x) => match arranged.filter(|arranged| arranged.vertices() == x.len()) {
                Some(arranged) => {
                    arranged.select(&mut x);
                    return Some(x);
                }
                None => {
                    let wrong = Wrong::VertexCount { found: x.len(), needed };
                    vec![FileProblem { line: None, message: wrong.to_string(), help: wrong.help() }]
                }
            },
            Err(problems) => problems,
        };
        self.file_problems(&path, &referred, problems);
        None
    }

    fn start_shape(&mut self, view: &View<'_>, mesh: &Mesh) -> Option<Vec<Vec3>> {
        let start = view.table("start");
        for key in ["unit", "up"].into_iter().filter(|key| start.has(key)) {
            self.out.key(&start.at(key), format!("`{key}` belongs to a file"), "leave it out, or give `file`");
        }
        if let Some(degrees) = start.optional_number("shear") {
            return Some(mesh.sheared(degrees));
        }
        let pleated = mesh.pleated(start.optional_number("pleat")?);
        if pleated.is_none() {
            let help = "use a `grid`, or give the pleated shape as an OBJ file";
            self.out.key(&start.at("pleat"), "only a grid has lines of cells to pleat along", help);
        }
        pleated
    }

    fn material(&mut self, view: &View<'_>) -> Material {
        if !view.has("raw") {
            return Material::Fabric(self.fabric(view));
        }
        if view.has("fabric") {
            let message = format!("`{}` has both `fabric` and `raw`", shown(&view.path));
            self.out.key(&view.at("raw"), message, "`raw` constants stand in place of a fabric: leave one of them out");
        }
        let raw = view.table("raw");
        Material::Raw(Raw {
            mass: raw.number("mass"),
            structural: raw.number("structural"),
            shear: raw.number("shear"),
            flexion: raw.number("flexion"),
            hinge: raw.number("hinge"),
            damping: match raw.word("damping") {
                Some(_) => ViscousDamping::Critical,
                None => ViscousDamping::Constant(raw.number("damping")),
            },
            along: raw.number("along"),
        })
    }

    /// The bending model that the scene asks for; `None` if it names none.
    fn model(&mut self, view: &View<'_>) -> Option<Bending> {
        let model = view.table("model");
        let curvature = model.number("curvature");
        let bending = match model.word("bending") {
            Some("flexion") => return Some(Bending::Flexion { curvature }),
            Some("none") => Some(Bending::None),
            Some("quadratic") => Some(Bending::Quadratic),
            Some(_) => Some(Bending::Hinge),
            None => None,
        };
        if model.has("curvature") && self.out.clean(&model.at("bending")) {
            let help = "add bending = \"flexion\", or leave `curvature` out";
            self.out.key(&model.at("curvature"), "`curvature` belongs to flexion springs", help);
        }
        bending
    }

    /// The bending model. If the scene names none, it follows from which raw constants are given.
    fn bending(&mut self, view: &View<'_>, said: Option<Bending>, material: &Material) -> Model {
        let bending = match (said, material) {
            (Some(bending), _) => bending,
            (None, Material::Raw(raw)) if raw.flexion > 0.0 => {
                if raw.hinge > 0.0 {
                    let help =
                        "add model = { bending = \"hinge\" } or model = { bending = \"flexion\" }, or give only one";
                    let message = "both `hinge` and `flexion` are given, and only one can resist bending";
                    self.out.key(&view.table("raw").at("hinge"), message, help);
                }
                Bending::Flexion { curvature: view.table("model").number("curvature") }
            }
            _ => Bending::Hinge,
        };
        let raw = matches!(material, Material::Raw(_));
        let name = view.table("model").word("name").or_else(|| view.word("model"));
        match name.unwrap_or(if raw { "mass-spring" } else { "baraff-witkin" }) {
            "membrane" => Model::Membrane { bending },
            "mass-spring" => Model::MassSpring { bending },
            "choi-ko" => {
                if said.is_some() {
                    let help = "leave `bending` out, or use another model";
                    self.out.key(&view.table("model").at("bending"), "the beams of choi-ko are its bending", help);
                }
                Model::ChoiKo
            }
            _ => Model::BaraffWitkin { bending },
        }
    }
}

/// Whether the initial positions are computed rather than read.
fn is_shape(start: &View<'_>) -> bool {
    start.node.is_some() && !start.has("file")
}

/// The key and name of a mesh file and its options: a bare path, or a table with `file`, `unit` and `up`.
pub(super) fn named_file<'v>(view: &View<'v>, key: &str) -> Option<(Path, &'v str, ReadOptions)> {
    if let Some(text) = view.text(key) {
        return Some((view.at(key), text, ReadOptions::default()));
    }
    let table = view.table(key);
    let text = table.text("file")?;
    let up = if table.word("up") == Some("z") { Up::Z } else { Up::Y };
    Some((table.at("file"), text, ReadOptions { unit: table.number("unit"), up, ..ReadOptions::default() }))
}

/// The line of a file that causes a mistake in its mesh, if its elements are `whole`, and a way out.
fn in_file(problem: &MeshProblem, referred: &Referred, whole: bool) -> FileProblem {
    let is_obj = whole && referred.file.to_ascii_lowercase().ends_with(".obj");
    let text = if is_obj { String::from_utf8_lossy(&referred.bytes) } else { Default::default() };
    let line = match problem {
        MeshProblem::NotFinite { vertex, .. } | MeshProblem::Loose { vertex } => files::vertex_line(&text, *vertex),
        MeshProblem::OutOfRange { triangle, .. }
        | MeshProblem::Repeated { triangle, .. }
        | MeshProblem::NoArea { triangle, .. }
        | MeshProblem::NoUvArea { triangle }
        | MeshProblem::UvNotFinite { triangle } => files::triangle_line(&text, *triangle),
        MeshProblem::NonManifold { triangles, .. } => files::triangle_line(&text, triangles[2]),
        MeshProblem::Flipped { triangles, .. } => files::triangle_line(&text, triangles[1]),
        _ => None,
    };
    let help = match problem {
        MeshProblem::Loose { .. } => "delete loose vertices in the program that made the mesh",
        MeshProblem::Flipped { .. } => {
            "let all faces look the same way, in Blender: Mesh > Normals > Recalculate Outside"
        }
        MeshProblem::NonManifold { .. } => "split the cloth there: at most two triangles can share an edge",
        MeshProblem::NoArea { .. } | MeshProblem::Repeated { .. } => "merge or delete faces without area",
        MeshProblem::NoUvArea { .. } | MeshProblem::UvNotFinite { .. } => {
            "write uv = \"ignore\" in the table of `mesh` to take lengths from its shape, or unwrap it again"
        }
        _ => "repair the mesh in the program that made it and export it again",
    };
    FileProblem { line, message: problem.to_string(), help: help.into() }
}

//! Bodies from mesh files.

use super::cloth::named_file;
use super::refer::{Referred, shown};
use super::{Builder, LARGE_FILE};
use crate::{files, keys::can_be_a_body, tree::shorten, view::View};
use std::path::Path;
use std::sync::Arc;
use taffeta::{Mesh, MeshProblem, MeshProblems, Shape};
use taffeta_files::mesh::{Note, ReadOptions};
use taffeta_files::moving::MovingMesh;
use taffeta_files::run::{Contents, is_attachment_name};
use taffeta_files::{Format, HashedFile, Holds, ReadError};

/// Number of times at which an animation is checked before a run.
const SAMPLES: u32 = 64;
/// Flaws of one mesh that are reported; further ones are only counted.
const TOLD: usize = 3;

impl Builder<'_> {
    pub(super) fn body_mesh(&mut self, view: &View<'_>) -> Option<Shape> {
        let (path, text, options) = named_file(view, "mesh")?;
        if !self.out.clean(&view.at("mesh")) {
            return None;
        }
        let full = self.folder.join(text);
        let is_pattern = full.file_name().is_some_and(|name| name.to_string_lossy().contains('#'));
        let is_sequence = full.is_dir() || is_pattern;
        if !is_sequence && full.extension().is_none() {
            self.unreadable(&path, text, &full, "there is no such folder");
            return None;
        }
        let ending = match is_sequence {
            true => String::new(),
            false => self.ending(&path, text, &Format::endings_of(can_be_a_body))?,
        };
        let holds = Format::reading(&full).filter(|_| !is_sequence).map(Format::holds);
        let (topology, options) = self.motion_of_file(view, options, &ending, holds);
        if !self.out.clean(&view.at("mesh")) {
            return None;
        }
        let topology_path = topology.map(|text| self.folder.join(text));
        let there = |path: &Path| std::fs::metadata(path).is_ok();
        if (is_pattern || there(&full)) && topology_path.as_deref().is_none_or(there) {
            // the size of a sequence, or of a .gltf file with its buffers, is not known yet: treat it as large
            let large = is_sequence || ending == "gltf" || std::fs::metadata(&full).is_ok_and(|m| m.len() > LARGE_FILE);
            self.put_off(&path, large)?;
        }
        let mesh = match MovingMesh::read(&full, topology_path.as_deref(), &options) {
            Ok(mesh) => mesh,
            Err(error) => {
                match (topology, topology_path) {
                    (Some(text), Some(full)) if failed_at(&error) == Some(&full) => {
                        self.not_read(&view.table("mesh").at("topology"), text, &full, error);
                    }
                    _ => self.not_read(&path, text, &full, error),
                }
                return None;
            }
        };
        self.look_over(&path, &full, &mesh, holds == Some(Holds::Scene))?;
        self.refer_to(view, &path, &full, topology_path.as_deref(), mesh.files())?;
        Some(Shape::Mesh(Arc::new(mesh)))
    }

    /// Reads the keys that say how a mesh moves; each applies to some kinds of files.
    fn motion_of_file<'v>(
        &mut self,
        view: &View<'v>,
        options: ReadOptions,
        ending: &str,
        holds: Option<Holds>,
    ) -> (Option<&'v str>, ReadOptions) {
        let table = view.table("mesh");
        if table.node.is_none() {
            return (None, options);
        }
        // sequences have no format of their own
        let is_sequence = holds.is_none();
        let is_scene = holds == Some(Holds::Scene);
        let is_cache = holds.is_some_and(Holds::is_points);
        let untimed = holds == Some(Holds::Points { timed: false });
        let files = |holds: fn(Holds) -> bool| format!(".{} files", Format::endings_of(holds).join(", ."));
        let is_untimed = |holds| holds == Holds::Points { timed: false };
        for (key, has_use, what) in [
            ("animation", is_scene, "glTF files".into()),
            ("topology", is_cache, format!("point caches: {}", files(Holds::is_points))),
            ("fps", is_sequence || untimed, format!("sequences of meshes and {}", files(is_untimed))),
            ("delay", is_sequence || is_scene || is_cache, "what moves".into()),
        ] {
            if table.has(key) && !has_use {
                let message = format!("`{key}` belongs to {what}, not to .{ending}");
                self.out.key(&table.at(key), message, "leave it out, or give another file");
            }
        }
        let owned = |key: &str| table.text(key).map(str::to_string);
        let options = ReadOptions {
            weld: table.optional_number("weld"),
            part: owned("part"),
            animation: owned("animation"),
            fps: table.number("fps"),
            delay: table.number("delay"),
            ..options
        };
        (table.text("topology"), options)
    }

    fn not_read(&mut self, path: &[String], text: &str, full: &Path, error: ReadError) {
        match error {
            ReadError::Io { path: file, source } => {
                let why = match source.kind() {
                    std::io::ErrorKind::NotFound => "there is no such file".to_string(),
                    _ => source.to_string(),
                };
                if file == full {
                    return self.unreadable(path, text, &file, &why);
                }
                let message = format!("`{}` needs `{}`, which cannot be read: {why}", shorten(text), shown(&file));
                let help = "a point cache needs the OBJ file of its mesh: put it beside it, or name it with `topology`";
                self.out.value(path, message, help);
            }
            ReadError::Wrong { path: file, problems } => {
                // the lines to be shown; a file that has vanished meanwhile has none
                let bytes = std::fs::read(&file).unwrap_or_default();
                let referred = Referred { file: shown(&file), bytes: Arc::new(bytes), beside: Vec::new() };
                self.file_problems(path, &referred, files::problems(problems));
            }
            other => self.out.value(path, other.to_string(), other.help()),
        }
    }

    /// Reports what is odd about a mesh, and refuses one whose animation cannot be sampled.
    fn look_over(&mut self, path: &[String], full: &Path, mesh: &MovingMesh, animated: bool) -> Option<()> {
        let file = shown(full);
        let (begin, end) = mesh.span();
        let mut x = Vec::new();
        for k in (0..=SAMPLES).filter(|_| animated && begin < end) {
            let time = begin + (end - begin) * f64::from(k) / f64::from(SAMPLES);
            if let Err(error) = mesh.sample(time, &mut x) {
                let help = "see to the animation in the program that made it and export it again";
                self.out.value(path, format!("`{file}`: {error}"), help);
                return None;
            }
        }
        if begin < end && end <= 0.0 {
            self.notes.push(format!("{file}: its motion ends at {end} s, so that it rests during the run"));
        }
        // seams are harmless in a body
        let notes = mesh.mesh().notes.iter().filter(|note| !matches!(note, Note::Duplicates { .. }));
        self.notes.extend(notes.map(|note| format!("{file}: {note}")));
        let shape = mesh.mesh();
        if let Err(MeshProblems(flaws)) = Mesh::new(shape.positions.clone(), shape.triangles.clone(), None) {
            let flaws: Vec<MeshProblem> =
                flaws.into_iter().filter(|flaw| !matches!(flaw, MeshProblem::Loose { .. })).collect();
            self.notes.extend(flaws.iter().take(TOLD).map(|flaw| format!("{file}: {flaw}")));
            if flaws.len() > TOLD {
                self.notes.push(format!("{file}: and {} more flaws of this kind", flaws.len() - TOLD));
            }
        }
        Some(())
    }

    /// Records the files of a body, so that a run has copies of them all.
    fn refer_to(
        &mut self,
        view: &View<'_>,
        path: &[String],
        full: &Path,
        topology: Option<&Path>,
        files: &[HashedFile],
    ) -> Option<()> {
        let folder = if full.is_dir() { full } else { full.parent().unwrap_or(Path::new("")) };
        let mut copies: Vec<(std::path::PathBuf, String, Contents)> = Vec::new();
        for file in files.iter().filter(|file| Some(file.path.as_path()) != topology) {
            let name = file.path.strip_prefix(folder).unwrap_or(&file.path).to_string_lossy().replace('\\', "/");
            if !is_attachment_name(&name) {
                self.outside(path, full, &name);
                return None;
            }
            if copies.iter().all(|(path, ..)| *path != file.path) {
                copies.push((file.path.clone(), name, Contents::File(file.clone())));
            }
        }
        let name =
            if full.is_dir() { Default::default() } else { full.file_name().unwrap_or_default().to_string_lossy() };
        self.refer(path, full, &name, copies);
        let mesh = files.iter().find(|file| Some(file.path.as_path()) == topology);
        if let (Some(topology), Some(file)) = (topology, mesh) {
            let name = topology.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let copy = (file.path.clone(), name.clone(), Contents::File(file.clone()));
            self.refer(&view.table("mesh").at("topology"), topology, &name, vec![copy]);
        }
        Some(())
    }
}

/// The file that an error is about.
fn failed_at(error: &ReadError) -> Option<&Path> {
    match error {
        ReadError::Io { path, .. } | ReadError::Wrong { path, .. } | ReadError::NotAFile { path } => Some(path),
        _ => None,
    }
}

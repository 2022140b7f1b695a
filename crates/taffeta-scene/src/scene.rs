//! A scene that was parsed and checked.

use crate::{
    build::{Builder, Built, Effort, Limits, shown},
    check,
    diagnostic::{Diagnostic, Diagnostics, KEPT, Location},
    document::{Document, Part, path},
    keys::SCENE,
    overrides,
    source::Source,
    tree::quote,
};
use std::path::PathBuf;
use taffeta_files::export::{Format, Pick};
use taffeta_files::run::Contents;

/// A scene: what to simulate and what to write.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The name of its file without the ending, or the name of the built-in scene.
    pub name: String,
    /// A line about it; the name if the scene has none.
    pub title: String,
    /// The TOML text with the overrides applied.
    pub text: String,
    /// What is simulated.
    pub setup: taffeta::Setup,
    /// Simulated time, s.
    pub duration: f64,
    /// Output besides the frames.
    pub output: Output,
    /// The camera for pictures.
    pub camera: Option<Camera>,
    /// The files that it refers to.
    pub files: Vec<Reference>,
    /// Remarks for the user that are not mistakes.
    pub notes: Vec<String>,
    /// Warnings about values that are allowed but implausible, each at its key. The world's warnings include them.
    pub warnings: Vec<taffeta::Warning>,
    /// The line of each action in its file.
    action_lines: Vec<usize>,
    document: Document,
}

/// Output besides the frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Files that a finished run exports.
    pub formats: Vec<Format>,
    /// Which frames the files hold.
    pub frames: Pick,
}

/// A camera. Lengths are in m, angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the camera.
    pub at: taffeta::Vec3,
    /// The point in the middle of the picture.
    pub look_at: taffeta::Vec3,
    /// Vertical field of view.
    pub fov: f64,
    /// Which way is up in the picture.
    pub up: taffeta::Vec3,
}

/// A reference from a key of a scene to a file, or to several that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The key, such as `cloth.0.mesh`.
    pub key: String,
    /// The path it names: a file, a folder or a pattern.
    pub path: PathBuf,
    /// Its name in the folder `files` of a run. Several files get a folder there; a name that is already taken gets a
    /// number.
    pub copy_name: String,
    /// All files that belong to it.
    pub files: Vec<FileCopy>,
}

/// A file to be copied.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCopy {
    /// Path of the file.
    pub path: PathBuf,
    /// Its name in the folder `files` of a run.
    pub name: String,
    /// The exact bytes that the scene was built from.
    pub contents: Contents,
}

/// Reads a scene and applies overrides such as `time.fps=30` to it. All mistakes are reported at once.
///
/// ```
/// use taffeta_scene::{Source, load};
/// let mistakes = load(&Source::text("mine", "[time]\nfsp = 30\n", "."), &[]).unwrap_err();
/// assert_eq!(mistakes.list[1].help, "did you mean `fps`?");
/// assert_eq!(mistakes.list[1].at.as_ref().unwrap().line, 2);
/// ```
pub fn load(source: &Source, overrides: &[String]) -> Result<Scene, Diagnostics> {
    load_within(source, overrides, Limits::default())
}

/// As [`load`], with other limits.
pub(crate) fn load_within(source: &Source, overrides: &[String], limits: Limits) -> Result<Scene, Diagnostics> {
    let document = Document::new(&source.file, source.text.clone()).map_err(Diagnostics::new)?;
    let document = overrides::apply(document, overrides).map_err(Diagnostics::new)?;
    // cheap parts come first: a wrong title should not wait for a mesh that takes minutes
    let (mut builder, mut built) = build(&document, source, limits.clone(), Effort::Cheap);
    if !builder.out.list.is_empty() {
        let unseen = builder.put_off.first().map(|first| {
            let others = match builder.put_off.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "`{first}`{others} was not read, which takes its time: there may be more mistakes that depend on it"
            )
        });
        return Err(Diagnostics { unseen, ..builder.out.sorted() });
    }
    if !builder.put_off.is_empty() {
        (builder, built) = build(&document, source, limits, Effort::Full);
        if !builder.out.list.is_empty() {
            return Err(builder.out.sorted());
        }
    }
    let Builder { files, notes, warnings, .. } = builder;
    Ok(Scene {
        title: built.title.unwrap_or_else(|| source.name.clone()),
        name: source.name.clone(),
        text: document.text.clone(),
        duration: built.setup.time.duration,
        setup: built.setup,
        action_lines: built.action_lines,
        output: built.output,
        camera: built.camera,
        files,
        notes,
        warnings,
        document,
    })
}

/// Checks every key, then builds as much as the effort allows.
fn build<'a>(document: &'a Document, source: &'a Source, limits: Limits, effort: Effort) -> (Builder<'a>, Built) {
    let mut builder = Builder::new(document, &source.folder, limits, effort);
    check::table(&mut builder.out, &document.root, &SCENE, &[]);
    let built = builder.scene();
    (builder, built)
}

impl Scene {
    /// The text for a run's folder: it expects the files that it refers to in the folder `files` beside it.
    pub fn saved_text(&self) -> String {
        let mut places: Vec<_> = self
            .files
            .iter()
            .filter_map(|file| Some((self.document.get(&path(&file.key))?.span.clone(), &file.copy_name)))
            .collect();
        places.sort_by_key(|(span, _)| span.start);
        let mut text = self.text.clone();
        for (span, name) in places.into_iter().rev() {
            text.replace_range(span, &quote(&format!("files/{name}")));
        }
        text
    }

    /// Builds the world. Mistakes are reported at the keys of the scene.
    pub fn world(&self) -> Result<taffeta::World, Diagnostics> {
        let mut world = taffeta::World::new(&self.setup).map_err(|problems| self.diagnostics(&problems))?;
        // a question about a mesh that was asked here, with a way out, is not repeated
        let asked = |path: &str| path.ends_with(".mesh") && self.warnings.iter().any(|w| w.path.starts_with(path));
        world.warnings.retain(|warning| !asked(&warning.path));
        world.warnings.splice(..0, self.warnings.iter().cloned());
        Ok(world)
    }

    /// The bodies with their motions, for pictures and exports: their own motions and those by actions from outside.
    pub fn moved_bodies(&self) -> Result<Vec<taffeta::Body>, Diagnostics> {
        match self.setup.actions.is_empty() {
            true => Ok(self.setup.bodies.clone()),
            false => Ok(self.world()?.moved_bodies()),
        }
    }

    /// The place of a value such as `cloth.0.pin.1.select`, or of its parent if it is absent. An action has a place in
    /// its own file.
    pub fn locate(&self, key: &str) -> Location {
        let action = key.strip_prefix("actions.").and_then(|number| number.parse::<usize>().ok());
        let line = action.and_then(|number| self.action_lines.get(number));
        let file = self.files.iter().find(|file| file.key == "actions").and_then(|file| file.files.first());
        if let (Some(line), Some(FileCopy { path, contents: Contents::Bytes(bytes), .. })) = (line, file) {
            return Location::line(&shown(path), &String::from_utf8_lossy(bytes), *line);
        }
        self.document.locate(&path(key), Part::Value)
    }

    /// The mistakes that the simulator has found, each at its key.
    pub(crate) fn diagnostics(&self, problems: &[taffeta::Problem]) -> Diagnostics {
        let show = |problem: &taffeta::Problem| {
            let help = if problem.help.is_empty() { "change this value" } else { &problem.help };
            let mut found = Diagnostic::new(&problem.message, help).at(self.locate(&problem.path));
            found.key = problem.path.clone();
            found
        };
        let more = problems.len().saturating_sub(KEPT);
        Diagnostics { more, ..Diagnostics::new(problems.iter().take(KEPT).map(show).collect()) }
    }
}

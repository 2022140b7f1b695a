//! A scene that was read and checked.

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

/// A scene: what to simulate, and what to do with it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The name of its file without the ending, or of the built-in scene.
    pub name: String,
    /// A line about it; the name if the scene has none.
    pub title: String,
    /// The TOML text with the overrides applied.
    pub text: String,
    /// What is simulated.
    pub setup: taffeta::Setup,
    /// Simulated time, s.
    pub duration: f64,
    /// What is written besides the frames.
    pub output: Output,
    /// Where pictures are taken from.
    pub camera: Option<Camera>,
    /// The files that it refers to.
    pub files: Vec<Reference>,
    /// What the user should know though nothing is wrong.
    pub notes: Vec<String>,
    /// Values that are allowed and that hardly anybody means, each at its key. The world has them among its own.
    pub warnings: Vec<taffeta::Warning>,
    /// The line of each action in its file.
    action_lines: Vec<usize>,
    document: Document,
}

/// What is written besides the frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Files that a finished run exports.
    pub formats: Vec<Format>,
    /// Which frames they hold.
    pub frames: Pick,
}

/// A camera, m and degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is.
    pub at: taffeta::Vec3,
    /// What is in the middle of the picture.
    pub look_at: taffeta::Vec3,
    /// Vertical field of view.
    pub fov: f64,
    /// Which way is up in the picture.
    pub up: taffeta::Vec3,
}

/// What a key of a scene names: a file, or several that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The key, such as `cloth.0.mesh`.
    pub key: String,
    /// What it names: a file, a folder or a pattern.
    pub path: PathBuf,
    /// What names it in the folder `files` of a run. What is several files has a folder there; what would have the same
    /// name as something else gets a number.
    pub copy_name: String,
    /// All files that belong to it.
    pub files: Vec<FileCopy>,
}

/// A file to be copied.
#[derive(Clone, Debug, PartialEq)]
pub struct FileCopy {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in the folder `files` of a run.
    pub name: String,
    /// The very bytes that the scene was built from.
    pub contents: Contents,
}

/// Reads a scene, with overrides such as `time.fps=30` applied to it. Everything that is wrong is reported at once.
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
    // what is cheap comes first: a wrong title should not wait for a mesh that takes minutes
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

/// Checks every key, then builds as far as the effort goes.
fn build<'a>(document: &'a Document, source: &'a Source, limits: Limits, effort: Effort) -> (Builder<'a>, Built) {
    let mut builder = Builder::new(document, &source.folder, limits, effort);
    check::table(&mut builder.out, &document.root, &SCENE, &[]);
    let built = builder.scene();
    (builder, built)
}

impl Scene {
    /// The text for a run's folder: the files that it refers to are expected in the folder `files` beside it.
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

    /// Builds the world. What is wrong is shown at the keys of the scene.
    pub fn world(&self) -> Result<taffeta::World, Diagnostics> {
        let mut world = taffeta::World::new(&self.setup).map_err(|problems| self.diagnostics(&problems))?;
        // what was asked about a mesh here, with a way out, is not said of it again
        let asked = |path: &str| path.ends_with(".mesh") && self.warnings.iter().any(|w| w.path.starts_with(path));
        world.warnings.retain(|warning| !asked(&warning.path));
        world.warnings.splice(..0, self.warnings.iter().cloned());
        Ok(world)
    }

    /// The bodies as they move, for pictures and exports: by their own motions, and by what is done from outside.
    pub fn moved_bodies(&self) -> Result<Vec<taffeta::Body>, Diagnostics> {
        match self.setup.actions.is_empty() {
            true => Ok(self.setup.bodies.clone()),
            false => Ok(self.world()?.moved_bodies()),
        }
    }

    /// The line of a value such as `cloth.0.pin.1.select`, or of what it would belong to. An action has one in its own
    /// file.
    pub fn locate(&self, key: &str) -> Location {
        let action = key.strip_prefix("actions.").and_then(|number| number.parse::<usize>().ok());
        let line = action.and_then(|number| self.action_lines.get(number));
        let file = self.files.iter().find(|file| file.key == "actions").and_then(|file| file.files.first());
        if let (Some(line), Some(FileCopy { path, contents: Contents::Bytes(bytes), .. })) = (line, file) {
            return Location::line(&shown(path), &String::from_utf8_lossy(bytes), *line);
        }
        self.document.locate(&path(key), Part::Value)
    }

    /// Mistakes that the simulator has found, each at its key.
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

//! `taffeta render`: a picture, a contact sheet or a film of a run, or a picture of a scene's start.

mod camera;
mod contact;
mod look;
mod set;

use self::contact::Contact;
use super::simulate::pool;
use crate::args::{LookName, Render};
use crate::console::Console;
use crate::failure::{BAD_INPUT, FAILED, Failure, INTERRUPTED};
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::json;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use taffeta::{ContactStart, Vec3};
use taffeta_files::cache::CacheReader;
use taffeta_files::mesh::ReadOptions;
use taffeta_files::run::{Kind, RunError, RunView};
use taffeta_files::{Format, PictureFile};
use taffeta_render::{
    Camera, Film, Frame, Image, Picture, RenderError, Stage, Subject, Survey, Values, contact_sheet,
    contact_sheet_size, render,
};
use taffeta_scene::{Scene, Source, load};

/// Most frames that the automatic camera and colour scale use: little changes between two of them.
const SURVEYED: u64 = 201;

pub fn render_command(console: Console, threads: Option<usize>, args: &Render) -> Result<(), Failure> {
    let pool = pool(threads)?;
    check_ending(args)?;
    let mut shown = match Format::reading_mesh(&args.input) {
        _ if args.input.is_dir() => Shown::run(&args.input, args.look, &args.set)?,
        Some(_) => Shown::mesh(args)?,
        None => Shown::scene(args)?,
    };
    if args.look == LookName::Springs && shown.subject.springs.is_empty() {
        return Err(no_springs(args, &shown));
    }
    if matches!(shown.frames, Frames::Start(_)) {
        only_the_start(args)?;
    }
    if shown.without_uv && matches!(args.look, LookName::Checker | LookName::Weave | LookName::Stripes) {
        console.note("a cloth has no uv of its own: its pattern begins anew in each triangle; --look plain has none");
    }
    shown.warnings.iter().for_each(|warning| console.warning(warning));
    let mut picture = Picture { camera: camera::start(&args.camera, shown.camera), ..look::picture(args)? };
    if picture.time && shown.rests {
        picture.time = false;
        if args.time {
            console.note("an equilibrium has no time: none is written into the picture");
        }
    }
    if shown.contact.as_ref().is_some_and(Contact::is_none) {
        console.note("nothing collides in this run: the force of contact is zero everywhere");
    }
    interrupt::listen("this picture", console.quiet());
    let made = pool.install(|| shown.render(console, args, &picture))?;
    console.say(&made.text())?;
    console.json(&json!({
        "path": made.path.display().to_string(),
        "last": made.last.as_ref().map(|path| path.display().to_string()),
        "frames": made.frames,
        "size": made.size,
        "warnings": shown.warnings,
    }))
}

/// The files that were written.
struct Made {
    /// The file, or the first of several.
    path: PathBuf,
    /// The last of several files.
    last: Option<PathBuf>,
    frames: u64,
    /// Size of each file, pixels.
    size: [u32; 2],
    /// Size of each picture in a contact sheet, pixels.
    each: Option<[u32; 2]>,
}

impl Made {
    fn text(&self) -> String {
        let (path, [width, height]) = (words::typed(&self.path), self.size);
        if let Some(last) = &self.last {
            return format!("pictures: {path} to {}, {}", words::typed(last), words::count(self.frames, "frame"));
        }
        match self.each {
            Some([w, h]) => {
                let count = words::count(self.frames, "frame");
                format!("picture: {path}, {count} of {w}x{h}, in all {width}x{height} pixels")
            }
            None => format!("picture: {path}"),
        }
    }
}

/// Refuses a picture that is not a PNG file. `Film` checks the endings of films.
fn check_ending(args: &Render) -> Result<(), Failure> {
    match &args.out {
        Some(out) if PictureFile::of(out) != Some(PictureFile::Png) => {
            let right = words::typed(&out.with_extension("png"));
            let help = match PictureFile::of(out).is_some_and(PictureFile::is_film) {
                true => format!("give --out {right}, or --film {} for a film", words::typed(out)),
                false => format!("give --out {right}"),
            };
            Err(Failure::new(BAD_INPUT, format!("{}: a picture is a PNG file", out.display()), help))
        }
        _ => Ok(()),
    }
}

/// Refuses options for frames: a scene that was not run has none to choose from.
fn only_the_start(args: &Render) -> Result<(), Failure> {
    let (what, rest) = match (&args.film, args.sheet) {
        (Some(film), _) => ("film", format!(" --film {}", words::typed(film))),
        (None, Some(count)) => ("contact sheet", format!(" --sheet {count}")),
        (None, None) => return Ok(()),
    };
    if Format::reading_mesh(&args.input).is_some() {
        let help = "use it in a scene and run that, or leave the option out for a picture";
        return Err(Failure::new(BAD_INPUT, format!("a {what} needs a run, and this is a mesh"), help));
    }
    let name = args.input.file_stem().unwrap_or_default().to_string_lossy();
    let input = words::typed(&args.input);
    let help = format!("run it first: taffeta run {input}, then taffeta render runs/{name}{rest}");
    Err(Failure::new(BAD_INPUT, format!("a scene that was not run has only its start: no {what} of it"), help))
}

/// The failure if there are no springs: only the mass-spring model has them.
fn no_springs(args: &Render, shown: &Shown) -> Failure {
    let error = match &shown.model {
        Some(model) => format!("there are no springs to show: the model of the cloth is {model}"),
        None => "there are no springs to show".to_string(),
    };
    let input = words::typed(&args.input);
    let springs = "--set cloth.model=mass-spring";
    let help = match &shown.frames {
        Frames::Start(_) if shown.model.is_none() => "--wireframe shows its triangles".to_string(),
        Frames::Start(_) => {
            format!("taffeta render {input} --look springs {springs}; or --wireframe, which shows the triangles")
        }
        Frames::Run(_) => {
            let scene = words::typed(&args.input.join("scene.toml"));
            format!("run it with springs: taffeta run {scene} {springs}; or --wireframe, which shows the triangles")
        }
    };
    Failure::new(BAD_INPUT, error, help)
}

/// Renders the last frame of a run, at the end of `run`.
pub fn still(folder: &Path, out: &Path) -> Result<(), Failure> {
    let mut shown = Shown::run(folder, LookName::Grid, &[])?;
    let last = shown.last()?;
    let picture = Picture { time: !shown.rests, camera: shown.camera, ..Picture::default() };
    let stage = shown.survey(&picture, &(0..=last))?;
    Ok(shown.picture(last, &stage, &picture)?.save_png(out)?)
}

/// What is rendered.
struct Shown {
    subject: Subject,
    frames: Frames,
    /// Contact forces, if they are shown.
    contact: Option<Contact>,
    /// The camera of the scene.
    camera: Option<Camera>,
    /// Default path of pictures, without the ending.
    place: PathBuf,
    /// Name of the first cloth's model, if there is a scene.
    model: Option<&'static str>,
    /// Whether a cloth has no material coordinates except separate ones for each triangle.
    without_uv: bool,
    /// Whether it is an equilibrium, which has no time.
    rests: bool,
    /// What the picture lacks.
    warnings: Vec<String>,
}

/// Where positions come from.
enum Frames {
    Run(Box<CacheReader>),
    Start(Vec<Vec3>),
}

impl Shown {
    fn run(folder: &Path, look: LookName, overrides: &[String]) -> Result<Self, Failure> {
        set::check(folder, overrides)?;
        let run = RunView::open(folder)?;
        let cache = run.positions()?;
        let surface = cache.surface();
        let mut subject = Subject {
            cloths: surface.cloths.clone(),
            triangles: surface.triangles.clone(),
            uv: surface.uv.clone(),
            vertices: surface.rest.len(),
            ..Subject::default()
        };
        let rests = run.manifest().is_ok_and(|manifest| manifest.kind == Kind::Drape);
        // bodies and springs come from the scene; the cloth can be shown without it
        let mut warnings = Vec::new();
        let scene = match scene_of(&run, overrides) {
            Ok(scene) => Some(scene),
            Err(failure) if look == LookName::Springs || !overrides.is_empty() => return Err(failure),
            Err(failure) => {
                warnings.push(without_scene(&run, &failure));
                None
            }
        };
        let camera = scene.as_ref().and_then(|scene| scene.camera).map(camera);
        let model = scene.as_ref().and_then(model);
        let without_uv = scene.as_ref().is_some_and(without_uv);
        if let Some(scene) = scene {
            if look == LookName::Springs {
                subject.springs = Subject::of(&scene.world()?).springs;
            }
            subject.bodies = scene.moved_bodies()?;
        }
        let contact = if look == LookName::Contact { Some(Contact::of(&run)?) } else { None };
        let (frames, place) = (Frames::Run(Box::new(cache)), folder.join("still"));
        Ok(Self { subject, frames, contact, camera, place, model, without_uv, rests, warnings })
    }

    /// A mesh file as it is, in its first pose.
    fn mesh(args: &Render) -> Result<Self, Failure> {
        let of_cloth = [
            LookName::Stretch,
            LookName::Shear,
            LookName::Bending,
            LookName::Speed,
            LookName::Contact,
            LookName::Springs,
        ];
        if of_cloth.contains(&args.look) {
            let error = "a mesh file has no springs, strains or forces: they belong to cloth in a scene";
            let help = "leave --look out, or use the mesh in a scene: taffeta scenes hang --copy";
            return Err(Failure::new(BAD_INPUT, error, help));
        }
        if let Some(set) = args.set.first() {
            let error = format!("--set {set} changes a scene, and {} is a mesh", args.input.display());
            return Err(Failure::new(BAD_INPUT, error, "leave --set out"));
        }
        let mesh = taffeta_files::mesh::read(&args.input, &ReadOptions::default())
            .map_err(|error| Failure::new(BAD_INPUT, error.to_string(), error.help()))?;
        let name = args.input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let surface = mesh.surface(&name);
        let without_uv = surface.uv.is_empty();
        let uv = if without_uv { vec![[[0.0; 2]; 3]; mesh.triangles.len()] } else { surface.uv };
        let subject = Subject {
            cloths: surface.cloths,
            triangles: mesh.triangles,
            uv,
            vertices: mesh.positions.len(),
            ..Subject::default()
        };
        let frames = Frames::Start(mesh.positions);
        Ok(Self {
            subject,
            frames,
            contact: None,
            camera: None,
            place: name.into(),
            model: None,
            without_uv,
            rests: false,
            warnings: Vec::new(),
        })
    }

    fn scene(args: &Render) -> Result<Self, Failure> {
        let text = args.input.to_string_lossy();
        let mut scene = load(&Source::find(&text)?, &args.set)?;
        if args.look == LookName::Crossings {
            // a scene that is refused because it crosses is just what is to be seen
            scene.setup.contact.start = ContactStart::Exempt;
        }
        let world = scene.world()?;
        let place = PathBuf::from(&scene.name);
        let camera = scene.camera.map(camera);
        let contact = (args.look == LookName::Contact).then(Contact::none);
        let (model, without_uv) = (model(&scene), without_uv(&scene));
        let subject = Subject::of(&world);
        let frames = Frames::Start(world.start.clone());
        let (rests, warnings) = (false, Vec::new());
        Ok(Self { subject, frames, contact, camera, place, model, without_uv, rests, warnings })
    }

    /// Number of the last frame.
    fn last(&mut self) -> Result<u64, Failure> {
        match &mut self.frames {
            Frames::Start(_) => Ok(0),
            Frames::Run(cache) => {
                let frames = cache.sound_frames().map_err(RunError::from)?;
                frames.checked_sub(1).ok_or_else(|| {
                    Failure::new(BAD_INPUT, "the run has no frames yet", "wait for the first frame, or resume the run")
                })
            }
        }
    }

    /// Time and positions of a frame.
    fn read(&mut self, frame: u64) -> Result<(f64, Vec<Vec3>), Failure> {
        match &mut self.frames {
            Frames::Start(x) => Ok((0.0, x.clone())),
            Frames::Run(cache) => {
                let mut x = Vec::new();
                let time = cache.read(frame, &mut x).map_err(RunError::from)?;
                Ok((time, x))
            }
        }
    }

    /// Calls `f` with a frame and its neighbour, from which speeds are computed.
    fn with<T>(
        &mut self,
        frame: u64,
        f: impl FnOnce(&Subject, &Frame) -> Result<T, RenderError>,
    ) -> Result<T, Failure> {
        let (time, positions) = self.read(frame)?;
        let beside = match frame {
            0 => self.last()?.min(1),
            _ => frame - 1,
        };
        let (before_time, before) = self.read(beside)?;
        let forces = self.contact.as_mut().map(|contact| contact.values(frame, &self.subject)).transpose()?;
        let values = forces.as_deref().map(Values::Vertices);
        let frame = Frame { time, positions: &positions, before: Some((before_time, &before)), values };
        Ok(f(&self.subject, &frame)?)
    }

    /// One camera, floor and colour scale for all frames.
    fn survey(&mut self, picture: &Picture, frames: &RangeInclusive<u64>) -> Result<Stage, Failure> {
        let subject = self.subject.clone();
        let mut survey = Survey::new(&subject, picture)?;
        for frame in spread(frames, SURVEYED) {
            self.with(frame, |_, frame| survey.add(frame))?;
        }
        Ok(survey.stage())
    }

    fn picture(&mut self, frame: u64, stage: &Stage, picture: &Picture) -> Result<Image, Failure> {
        self.with(frame, |subject, frame| render(subject, frame, stage, picture))
    }

    /// Renders what the arguments ask for.
    fn render(&mut self, console: Console, args: &Render, picture: &Picture) -> Result<Made, Failure> {
        let last = self.last()?;
        if let Some(frame) = args.frame.filter(|&frame| frame > last) {
            let error = format!("frame {frame} does not exist");
            return Err(Failure::new(BAD_INPUT, error, format!("frames are numbered from 0 to {last}")));
        }
        let frames = match args.frames {
            None => 0..=last,
            Some(_) if args.film.is_none() && args.sheet.is_none() => {
                let help = "add --film FILE or --sheet COUNT, or take one frame with --frame NUMBER";
                return Err(Failure::new(BAD_INPUT, "--frames is for films and contact sheets", help));
            }
            Some(range) => range.within(last, self.fps()).ok_or_else(|| {
                let error = format!("there is no frame in {range}");
                Failure::new(BAD_INPUT, error, format!("frames are numbered from 0 to {last}"))
            })?,
        };
        let film = args.film.as_ref();
        let asked = film.cloned().or_else(|| args.out.clone());
        let out = asked.unwrap_or_else(|| free_name(&self.place, args.force));
        let every = args.every.unwrap_or(1).max(1);
        let pictures = film.is_some() && out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
        let numbered = frames.clone().step_by(usize::try_from(every).unwrap_or(usize::MAX));
        let there = match pictures {
            true => numbered.map(|frame| Film::picture(&out, frame)).find(|path| path.exists()),
            false => Some(&out).filter(|out| out.exists()).cloned(),
        };
        if let Some(there) = there.filter(|_| !args.force) {
            let option = if film.is_some() { "--film" } else { "--out" };
            let help = format!("give another place with {option}, or --force to replace it");
            return Err(Failure::new(BAD_INPUT, format!("{} exists", there.display()), help));
        }
        room_for(picture, args.sheet.map(|count| spread(&frames, u64::from(count)).len()))?;
        let mut stage = self.survey(picture, &frames)?;
        camera::place(&args.camera, picture.camera.is_some(), &mut stage)?;
        let size = [picture.width, picture.height];
        let mut progress = Progress::late(console);
        if film.is_some() {
            let count = (frames.end() - frames.start()) / every + 1;
            let mut made = Film::create(&out, self.fps() / every as f64)?;
            for i in 0..count {
                if interrupt::asked() {
                    return Err(Failure::new(INTERRUPTED, "the film was not finished", "start it again when you like"));
                }
                progress.update(i, count);
                let frame = frames.start() + i * every;
                made.add_numbered(self.picture(frame, &stage, picture)?, frame)?;
            }
            made.finish()?;
            progress.end();
            let last = frames.start() + (count - 1) * every;
            let numbered = |frame: u64| Film::picture(&out, frame);
            let (path, last) = match pictures {
                true => (numbered(*frames.start()), Some(numbered(last))),
                false => (out, None),
            };
            return Ok(Made { path, last, frames: count, size, each: None });
        }
        if let Some(count) = args.sheet {
            let chosen = spread(&frames, u64::from(count));
            let count = chosen.len() as u64;
            let mut pictures = Vec::new();
            for (i, frame) in (0..).zip(chosen) {
                progress.update(i, count);
                let (time, _) = self.read(frame)?;
                let label = match (self.rests, frame) {
                    (false, _) => format!("{time:.2} s"),
                    (true, 0) => "start".into(),
                    (true, _) => "at rest".into(),
                };
                pictures.push((self.picture(frame, &stage, picture)?, label));
            }
            progress.end();
            let sheet = contact_sheet(&pictures, None)?;
            sheet.save_png(&out)?;
            let (each, size) = (Some(size), [sheet.width(), sheet.height()]);
            return Ok(Made { path: out, last: None, frames: count, size, each });
        }
        self.picture(args.frame.unwrap_or(last), &stage, picture)?.save_png(&out)?;
        Ok(Made { path: out, last: None, frames: 1, size, each: None })
    }

    fn fps(&self) -> f64 {
        match &self.frames {
            Frames::Run(cache) => cache.fps(),
            Frames::Start(_) => 1.0,
        }
    }
}

/// At most this many frames of a range, evenly spaced, with the first and the last; for one, the last.
fn spread(frames: &RangeInclusive<u64>, most: u64) -> Vec<u64> {
    let (first, length) = (*frames.start(), frames.end() - frames.start());
    match most.min(length + 1) {
        0 | 1 => vec![*frames.end()],
        count => (0..count).map(|i| first + i * length / (count - 1)).collect(),
    }
}

/// Bytes per pixel while a picture is rendered: 24 measured with 4000 x 4000, and those of the file.
const PIXEL: u64 = 30;

/// Bytes per pixel of a finished picture.
const DONE: u64 = 3;

/// Refuses pictures that do not fit in memory before the first ray.
fn room_for(picture: &Picture, sheet: Option<usize>) -> Result<(), Failure> {
    let pixels = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
    let size = [picture.width, picture.height];
    let mut bytes = PIXEL * pixels(size);
    if let Some(count) = sheet {
        let (whole, _) = contact_sheet_size(count as u32, size, None)?;
        bytes += DONE * (count as u64 * pixels(size) + pixels(whole));
    }
    taffeta_files::fits(bytes).map_err(|error| {
        let help = "give a smaller --size, fewer pictures with --sheet, or allow the process more memory";
        Failure::new(BAD_INPUT, format!("the picture is too large: {error}"), help)
    })
}

/// The default name of a picture: the first that is free, unless existing files may be replaced.
fn free_name(place: &Path, force: bool) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = |number: u64| match number {
        1 => place.with_file_name(format!("{name}.png")),
        number => place.with_file_name(format!("{name}-{number}.png")),
    };
    let free = |number: &u64| force || !numbered(*number).exists();
    numbered((1..).find(free).unwrap_or(1))
}

/// The scene of a run, as it was run except for these overrides.
fn scene_of(run: &RunView, overrides: &[String]) -> Result<Scene, Failure> {
    let text = run.scene()?;
    Ok(load(&Source::text(&run.name(), &text, run.path()), overrides)?)
}

/// Describes what a picture without the scene lacks.
fn without_scene(run: &RunView, failure: &Failure) -> String {
    let bodies = run.report().map(|report| report.bodies).ok();
    let lacks = match bodies.as_deref() {
        None => "bodies, if there were any, are not in the picture, and the scene's camera is not used".into(),
        Some([]) => "the scene's camera, if it has one, is not used".to_string(),
        Some([one]) => format!("the body `{one}` is not in the picture, and the scene's camera is not used"),
        Some([first, ..]) => {
            let count = bodies.as_ref().map_or(0, Vec::len);
            format!("{count} bodies, `{first}` and others, are not in the picture, and the scene's camera is not used")
        }
    };
    format!("{lacks}: {}; {}", failure.error, failure.help)
}

fn model(scene: &Scene) -> Option<&'static str> {
    scene.setup.cloths.first().map(|cloth| cloth.model.name())
}

fn without_uv(scene: &Scene) -> bool {
    scene.setup.cloths.iter().any(|cloth| !cloth.mesh.has_uv)
}

fn camera(scene: taffeta_scene::Camera) -> Camera {
    let taffeta_scene::Camera { at, look_at, fov, up } = scene;
    Camera { at, look_at, fov, up }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        let status =
            if matches!(error, RenderError::Disk { .. } | RenderError::Encoder { .. }) { FAILED } else { BAD_INPUT };
        let help = error.help().unwrap_or("try another look, size or file").to_string();
        Self::new(status, error.to_string(), help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_spread_from_the_first_to_the_last() {
        assert_eq!(spread(&(0..=180), 4), [0, 60, 120, 180]);
        assert_eq!(spread(&(10..=12), 9), [10, 11, 12]);
        assert_eq!(spread(&(30..=60), 1), [60]);
        assert_eq!(spread(&(7..=7), 5), [7]);
        assert_eq!(spread(&(0..=1_000_000), 201).len(), 201);
    }
}

//! `taffeta render`: a picture, a contact sheet or a film of a run, or a picture of a scene's start.

use super::scene::Ready;
use super::simulate::pool;
use crate::args::{LookName, Render};
use crate::console::Console;
use crate::failure::{BAD_INPUT, FAILED, Failure, INTERRUPTED};
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::json;
use std::path::{Path, PathBuf};
use taffeta::Vec3;
use taffeta_files::cache::CacheReader;
use taffeta_files::run::{RunError, RunView};
use taffeta_render::{
    Camera, Fabric, Film, Frame, Image, Look, Map, Pattern, Picture, Quantity, RenderError, Stage, Subject, Survey,
    View, contact_sheet, render,
};
use taffeta_scene::{Source, load};

/// Frames that the automatic camera and scale look at; a film of more does not change much between two of them.
const SURVEYED: u64 = 200;

pub fn render_command(console: Console, threads: Option<usize>, args: &Render) -> Result<(), Failure> {
    let pool = pool(threads)?;
    let mut shown = if args.input.is_dir() { Shown::run(&args.input, args)? } else { Shown::scene(args)? };
    // a direction given in the command wins over the camera of the scene
    let camera = shown.camera.filter(|_| args.azimuth.is_none() && args.elevation.is_none());
    let picture = Picture { camera, ..picture(args) };
    interrupt::listen("this picture", console.quiet());
    let (path, frames) = pool.install(|| shown.render(console, args, &picture))?;
    console.say(&format!("picture: {}", words::typed(&path)))?;
    console.json(&json!({ "path": path.display().to_string(), "frames": frames }))
}

/// A still of the last frame of a run, for the end of `run`.
pub fn still(folder: &Path, out: &Path) -> Result<(), Failure> {
    let mut shown = Shown::run_subject(folder, false)?;
    let last = shown.last()?;
    let picture = Picture { time: true, camera: shown.camera, ..Picture::default() };
    let stage = shown.survey(&picture, last)?;
    Ok(shown.picture(last, &stage, &picture)?.save_png(out)?)
}

/// What is rendered.
struct Shown {
    subject: Subject,
    frames: Frames,
    /// The camera of the scene.
    camera: Option<Camera>,
    /// Where pictures go unless asked otherwise, without the ending.
    place: PathBuf,
}

/// Where positions come from.
enum Frames {
    Run(Box<CacheReader>),
    Start(Vec<Vec3>),
}

impl Shown {
    fn run(folder: &Path, args: &Render) -> Result<Self, Failure> {
        Self::run_subject(folder, args.look == LookName::Springs)
    }

    fn run_subject(folder: &Path, springs: bool) -> Result<Self, Failure> {
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
        // bodies and springs come from the scene; the cloth can be seen without it
        let scene = run.scene().ok().and_then(|text| load(&Source::text(&run.name(), &text, run.path()), &[]).ok());
        let camera = scene.as_ref().and_then(|scene| scene.camera).map(camera);
        if let Some(scene) = scene {
            if springs {
                subject.springs = Subject::of(&scene.world()?).springs;
            }
            subject.bodies = scene.setup.bodies;
        }
        Ok(Self { subject, frames: Frames::Run(Box::new(cache)), camera, place: folder.join("still") })
    }

    fn scene(args: &Render) -> Result<Self, Failure> {
        let text = args.input.to_string_lossy();
        let ready = Ready::new(&Source::find(&text)?, &args.set)?;
        let place = PathBuf::from(&ready.scene.name);
        let camera = ready.scene.camera.map(camera);
        Ok(Self { subject: Subject::of(&ready.world), frames: Frames::Start(ready.world.start), camera, place })
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

    /// Calls `f` with a frame and the one beside it, which speeds are measured against.
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
        let frame = Frame { time, positions: &positions, before: Some((before_time, &before)), values: None };
        Ok(f(&self.subject, &frame)?)
    }

    /// One camera, floor and scale for all frames.
    fn survey(&mut self, picture: &Picture, last: u64) -> Result<Stage, Failure> {
        let subject = self.subject.clone();
        let mut survey = Survey::new(&subject, picture)?;
        let looks = last.clamp(1, SURVEYED);
        for i in 0..=looks {
            self.with(i * last / looks, |_, frame| survey.add(frame))?;
        }
        Ok(survey.stage())
    }

    fn picture(&mut self, frame: u64, stage: &Stage, picture: &Picture) -> Result<Image, Failure> {
        self.with(frame, |subject, frame| render(subject, frame, stage, picture))
    }

    /// Makes what is asked for; returns where it is and how many frames it shows.
    fn render(&mut self, console: Console, args: &Render, picture: &Picture) -> Result<(PathBuf, u64), Failure> {
        let last = self.last()?;
        if let Some(frame) = args.frame.filter(|&frame| frame > last) {
            let error = format!("frame {frame} does not exist");
            return Err(Failure::new(BAD_INPUT, error, format!("frames are numbered from 0 to {last}")));
        }
        let film = args.film.as_ref();
        let ending = if film.is_some() { "gif" } else { "png" };
        let out = film.cloned().or_else(|| args.out.clone()).unwrap_or_else(|| self.place.with_extension(ending));
        if out.exists() && !args.force {
            let error = format!("{} exists", out.display());
            return Err(Failure::new(BAD_INPUT, error, "give another place with --out, or --force to replace it"));
        }
        let stage = self.survey(picture, last)?;
        let mut progress = Progress::late(console);
        if film.is_some() {
            let every = args.every.unwrap_or(1).max(1);
            let count = last / every + 1;
            let mut made = Film::create(&out, self.fps() / every as f64)?;
            for i in 0..count {
                if interrupt::asked() {
                    return Err(Failure::new(INTERRUPTED, "the film was not finished", "start it again when you like"));
                }
                progress.update(i, count);
                made.add(self.picture(i * every, &stage, picture)?)?;
            }
            made.finish()?;
            progress.end();
            return Ok((out, count));
        }
        if let Some(count) = args.sheet {
            let count = u64::from(count).min(last + 1).max(1);
            let mut pictures = Vec::new();
            for i in 0..count {
                progress.update(i, count);
                let frame = if count == 1 { last } else { i * last / (count - 1) };
                let (time, _) = self.read(frame)?;
                pictures.push((self.picture(frame, &stage, picture)?, format!("{time:.2} s")));
            }
            progress.end();
            contact_sheet(&pictures, None)?.save_png(&out)?;
            return Ok((out, count));
        }
        self.picture(args.frame.unwrap_or(last), &stage, picture)?.save_png(&out)?;
        Ok((out, 1))
    }

    fn fps(&self) -> f64 {
        match &self.frames {
            Frames::Run(cache) => cache.fps(),
            Frames::Start(_) => 1.0,
        }
    }
}

fn picture(args: &Render) -> Picture {
    let fabric = |pattern| Look::Fabric(Fabric { pattern, ..Fabric::default() });
    let map = |quantity| Look::Map(Map { quantity, range: None });
    let look = match args.look {
        LookName::Grid => fabric(Pattern::Grid),
        LookName::Plain => fabric(Pattern::Plain),
        LookName::Weave => fabric(Pattern::Weave),
        LookName::Checker => fabric(Pattern::Checker),
        LookName::Stripes => fabric(Pattern::Stripes),
        LookName::Stretch => map(Quantity::Stretch),
        LookName::Shear => map(Quantity::Shear),
        LookName::Bending => map(Quantity::Bending),
        LookName::Speed => map(Quantity::Speed),
        LookName::Springs => Look::Springs,
    };
    let usual = View::default();
    let view = View {
        azimuth: args.azimuth.unwrap_or(usual.azimuth),
        elevation: args.elevation.unwrap_or(usual.elevation),
        ..usual
    };
    let [width, height] = args.size;
    Picture {
        width,
        height,
        samples: args.samples,
        look,
        wireframe: args.wireframe,
        view,
        time: args.film.is_some() || args.time,
        ..Picture::default()
    }
}

fn camera(scene: taffeta_scene::Camera) -> Camera {
    let taffeta_scene::Camera { at, look_at, fov, up } = scene;
    Camera { at, look_at, fov, up }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        let status = if matches!(error, RenderError::Disk { .. }) { FAILED } else { BAD_INPUT };
        let help = error.help().unwrap_or("try another look, size or file").to_string();
        Self::new(status, error.to_string(), help)
    }
}

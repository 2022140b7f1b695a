//! `taffeta render`: a picture, a contact sheet or a film of a run, or a picture of a scene's start.

mod contact;
mod look;

use self::contact::Contact;
use super::scene::Ready;
use super::simulate::pool;
use crate::args::{LookName, Render};
use crate::console::Console;
use crate::failure::{BAD_INPUT, FAILED, Failure, INTERRUPTED};
use crate::progress::Progress;
use crate::{interrupt, words};
use serde_json::json;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use taffeta::Vec3;
use taffeta_files::cache::CacheReader;
use taffeta_files::run::{RunError, RunView};
use taffeta_render::{
    Camera, Film, Frame, Image, Picture, RenderError, Stage, Subject, Survey, Values, contact_sheet, render,
};
use taffeta_scene::{Source, load};

/// Frames that the automatic camera and scale look at; a film of more does not change much between two of them.
const SURVEYED: u64 = 201;

pub fn render_command(console: Console, threads: Option<usize>, args: &Render) -> Result<(), Failure> {
    let pool = pool(threads)?;
    let mut shown = if args.input.is_dir() { Shown::run(&args.input, args.look)? } else { Shown::scene(args)? };
    if args.look == LookName::Springs && shown.subject.springs.is_empty() {
        let help = "--wireframe shows its triangles; `taffeta render thesis-6-bend --look springs` has springs";
        return Err(Failure::new(BAD_INPUT, "this cloth has no springs: its model is not mass-spring", help));
    }
    // a direction given in the command wins over the camera of the scene
    let camera = shown.camera.filter(|_| args.azimuth.is_none() && args.elevation.is_none());
    let picture = Picture { camera, ..look::picture(args) };
    if shown.contact.as_ref().is_some_and(Contact::is_none) {
        console.note("nothing collides in this run: the force of contact is zero everywhere");
    }
    interrupt::listen("this picture", console.quiet());
    let (path, frames) = pool.install(|| shown.render(console, args, &picture))?;
    console.say(&format!("picture: {}", words::typed(&path)))?;
    console.json(&json!({ "path": path.display().to_string(), "frames": frames }))
}

/// A still of the last frame of a run, for the end of `run`.
pub fn still(folder: &Path, out: &Path) -> Result<(), Failure> {
    let mut shown = Shown::run(folder, LookName::Grid)?;
    let last = shown.last()?;
    let picture = Picture { time: true, camera: shown.camera, ..Picture::default() };
    let stage = shown.survey(&picture, &(0..=last))?;
    Ok(shown.picture(last, &stage, &picture)?.save_png(out)?)
}

/// What is rendered.
struct Shown {
    subject: Subject,
    frames: Frames,
    /// Forces of contact, if they are shown.
    contact: Option<Contact>,
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
    fn run(folder: &Path, look: LookName) -> Result<Self, Failure> {
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
            if look == LookName::Springs {
                subject.springs = Subject::of(&scene.world()?).springs;
            }
            subject.bodies = scene.setup.bodies;
        }
        let contact = if look == LookName::Contact { Some(Contact::of(&run)?) } else { None };
        Ok(Self { subject, frames: Frames::Run(Box::new(cache)), contact, camera, place: folder.join("still") })
    }

    fn scene(args: &Render) -> Result<Self, Failure> {
        let text = args.input.to_string_lossy();
        let ready = Ready::new(&Source::find(&text)?, &args.set)?;
        let place = PathBuf::from(&ready.scene.name);
        let camera = ready.scene.camera.map(camera);
        let contact = (args.look == LookName::Contact).then(Contact::none);
        Ok(Self {
            subject: Subject::of(&ready.world),
            frames: Frames::Start(ready.world.start),
            contact,
            camera,
            place,
        })
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
        let forces = self.contact.as_mut().map(|contact| contact.values(frame, &self.subject)).transpose()?;
        let values = forces.as_deref().map(Values::Vertices);
        let frame = Frame { time, positions: &positions, before: Some((before_time, &before)), values };
        Ok(f(&self.subject, &frame)?)
    }

    /// One camera, floor and scale for all frames.
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

    /// Makes what is asked for; returns where it is and how many frames it shows.
    fn render(&mut self, console: Console, args: &Render, picture: &Picture) -> Result<(PathBuf, u64), Failure> {
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
        let ending = if film.is_some() { "gif" } else { "png" };
        let out = film.cloned().or_else(|| args.out.clone()).unwrap_or_else(|| self.place.with_extension(ending));
        if out.exists() && !args.force {
            let error = format!("{} exists", out.display());
            return Err(Failure::new(BAD_INPUT, error, "give another place with --out, or --force to replace it"));
        }
        let stage = self.survey(picture, &frames)?;
        let mut progress = Progress::late(console);
        if film.is_some() {
            let every = args.every.unwrap_or(1).max(1);
            let count = (frames.end() - frames.start()) / every + 1;
            let mut made = Film::create(&out, self.fps() / every as f64)?;
            for i in 0..count {
                if interrupt::asked() {
                    return Err(Failure::new(INTERRUPTED, "the film was not finished", "start it again when you like"));
                }
                progress.update(i, count);
                made.add(self.picture(frames.start() + i * every, &stage, picture)?)?;
            }
            made.finish()?;
            progress.end();
            return Ok((out, count));
        }
        if let Some(count) = args.sheet {
            let chosen = spread(&frames, u64::from(count));
            let count = chosen.len() as u64;
            let mut pictures = Vec::new();
            for (i, frame) in (0..).zip(chosen) {
                progress.update(i, count);
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

/// At most so many frames of a range, as even as can be, the first and the last included; of one, the last.
fn spread(frames: &RangeInclusive<u64>, most: u64) -> Vec<u64> {
    let (first, length) = (*frames.start(), frames.end() - frames.start());
    match most.min(length + 1) {
        0 | 1 => vec![*frames.end()],
        count => (0..count).map(|i| first + i * length / (count - 1)).collect(),
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

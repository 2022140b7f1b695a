//! Builds the world from the arguments, and shows what the user should know before it runs.

use super::again;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::words::number;
use std::collections::HashSet;
use std::sync::Arc;
use taffeta::{Warning, World};
use taffeta_files::run::Attachment;
use taffeta_scene::{Scene, Source, load};

/// Most bytes per vertex, including a factor over all directions: blocks of three by three doubles, 31 log₂ n of them
/// for a million vertices.
const MOST_BYTES: u64 = 50_000;

/// Most bytes of all preconditioners, which have their own bound.
const MOST_FACTOR: u64 = 2_000_000_000;

/// A scene that is ready to run.
pub struct Ready {
    pub scene: Scene,
    pub world: Arc<World>,
    source: Source,
    overrides: Vec<String>,
}

impl Ready {
    /// Reads the scene and builds its world; the failure holds all mistakes.
    pub fn new(source: &Source, overrides: &[String]) -> Result<Self, Failure> {
        let scene = load(source, overrides)?;
        let world = Arc::new(scene.world()?);
        Ok(Self { scene, world, source: source.clone(), overrides: overrides.to_vec() })
    }

    /// The same scene with other values.
    pub fn changed(&self, changes: &[String]) -> Result<Self, Failure> {
        Self::new(&self.source, &again::changed(&self.overrides, changes))
    }

    /// Refuses a scene that does not fit in memory when it runs.
    pub fn fits(&self) -> Result<(), Failure> {
        let Some(room) = taffeta_files::room() else { return Ok(()) };
        // the exact size takes as long as allocating a workspace: compute it only where memory may be short
        let vertices = self.world.mass.len() as u64;
        if room.bytes / MOST_BYTES > vertices.saturating_add(MOST_FACTOR / MOST_BYTES) {
            return Ok(());
        }
        taffeta_files::fits(self.world.memory()).map_err(|error| {
            let help = "use fewer cells or vertices, or allow the process more memory";
            Failure::new(BAD_INPUT, format!("the scene is too large: {error}"), help)
        })
    }

    /// Number of frames in the planned duration.
    pub fn frames(&self) -> u64 {
        frames(self.scene.duration, self.world.fps)
    }

    /// Warnings to the user, as they go into the report.
    pub fn warnings(&self) -> Vec<Warning> {
        let note = |message: &String| Warning { path: String::new(), message: message.clone() };
        self.world.warnings.iter().cloned().chain(self.scene.notes.iter().map(note)).collect()
    }

    /// Shows the warnings, with the lines of the scene.
    pub fn show_warnings(&self, console: Console) {
        for warning in &self.world.warnings {
            let at = self.scene.locate(&warning.path);
            let place = format!("  --> {}:{}:{}", at.file, at.line, at.column);
            let line = if at.excerpt.trim().is_empty() { String::new() } else { format!(": {}", at.excerpt.trim()) };
            console.warning_at(&warning.message, &format!("{place}{line}"));
        }
        for note in &self.scene.notes {
            console.note(note);
        }
        let end = self.frames() as f64 / self.world.fps;
        if end > self.scene.duration + 0.5 / self.world.fps {
            console.note(&format!("frames are whole: the last ends at {} s", number(end)));
        }
    }

    /// The files that the scene refers to, to be copied into the run.
    pub fn attachments(&self) -> Vec<Attachment> {
        let mut seen = HashSet::new();
        let files = self.scene.files.iter().flat_map(|reference| &reference.files);
        let once = files.filter(|file| seen.insert(&file.name));
        once.map(|file| Attachment { name: file.name.clone(), contents: file.contents.clone() }).collect()
    }
}

/// Number of frames in a duration; the last may end after it.
pub fn frames(duration: f64, fps: f64) -> u64 {
    // a number that is whole except for rounding counts as whole
    (duration * fps * (1.0 - 1e-9)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::frames;

    #[test]
    fn frames_cover_the_duration() {
        for (duration, fps, expected) in
            [(3.0, 60.0, 180), (0.1, 30.0, 3), (0.05, 60.0, 3), (0.1, 24.0, 3), (0.0, 60.0, 0)]
        {
            assert_eq!(frames(duration, fps), expected, "{duration} s at {fps}");
        }
    }
}

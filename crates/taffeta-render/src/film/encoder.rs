//! H.264 by the program ffmpeg, which reads raw pictures from a pipe.

use crate::{Image, RenderError};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::JoinHandle;

/// The program, before and while it runs.
#[derive(Debug)]
pub(super) struct Encoder {
    program: OsString,
    running: Option<(Child, JoinHandle<String>)>,
}

impl Encoder {
    /// Checks that the program exists, before a film is rendered in vain.
    pub fn find(program: OsString) -> Result<Self, RenderError> {
        let quiet = |command: &mut Command| {
            command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
        };
        match quiet(&mut Command::new(&program)) {
            Ok(_) => Ok(Self { program, running: None }),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(RenderError::NoEncoder { program: program.to_string_lossy().into_owned() })
            }
            Err(error) => Err(failed(&program, error.to_string())),
        }
    }

    pub fn add(&mut self, image: &Image, path: &Path, fps: f64) -> Result<(), RenderError> {
        if self.running.is_none() {
            self.running = Some(self.start(image, path, fps)?);
        }
        let Some((child, _)) = &mut self.running else { return Ok(()) };
        let written = child.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(image.pixels()));
        match written {
            Ok(()) => Ok(()),
            // the program has exited: its own error says why
            Err(error) => Err(self.wait().err().unwrap_or_else(|| failed(&self.program, error.to_string()))),
        }
    }

    fn start(&self, image: &Image, path: &Path, fps: f64) -> Result<(Child, JoinHandle<String>), RenderError> {
        let mut command = Command::new(&self.program);
        command.args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
        command.args(["-s", &format!("{}x{}", image.width(), image.height()), "-r", &fps.to_string(), "-i", "-"]);
        // players need 4:2:0, which needs even sides; the BT.709 tag keeps the colours unchanged
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"]);
        command.args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]);
        command.args(["-c:v", "libx264", "-preset", "medium", "-crf", "17", "-movflags", "+faststart"]);
        // a name that begins with `-` must not be read as an option
        let file = if path.is_absolute() { path.to_path_buf() } else { Path::new(".").join(path) };
        command.arg(file).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| failed(&self.program, error.to_string()))?;
        let errors = child.stderr.take();
        Ok((child, std::thread::spawn(move || last_words(errors))))
    }

    pub fn finish(mut self) -> Result<(), RenderError> {
        self.wait()
    }

    /// Closes the pipe and waits for the program to exit.
    fn wait(&mut self) -> Result<(), RenderError> {
        let Some((mut child, errors)) = self.running.take() else { return Ok(()) };
        drop(child.stdin.take());
        let status = child.wait().map_err(|error| failed(&self.program, error.to_string()))?;
        let message = errors.join().unwrap_or_default();
        if status.success() { Ok(()) } else { Err(failed(&self.program, format!("{message} ({status})"))) }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // the film was abandoned
        if let Some((mut child, _)) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The last non-empty line that a program wrote.
fn last_words(errors: Option<ChildStderr>) -> String {
    let mut text = Vec::new();
    if let Some(mut errors) = errors {
        // a failure to read the message is not worth another error
        let _ = errors.read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message").trim().to_string()
}

fn failed(program: &OsString, message: String) -> RenderError {
    RenderError::Encoder { program: program.to_string_lossy().into_owned(), message }
}

//! A folder to work in, and the command.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A small sheet: runs in no time.
pub const SMALL: &str = r#"
[time]
duration = 0.2
[[cloth]]
grid = { size = [1.0, 1.0], cells = [10, 10] }
fabric = { density = 0.2, stretch = 100.0, shear = 5.0, bend = 1e-5, damping = { stretch = 0.001 } }
[[cloth.pin]]
select = { edge = "top" }
"#;

/// A small mesh.
pub const MESH: &str = "v 0 0 1\nv 0.1 0 1\nv 0 0.1 1\nv 0 0 1.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

/// A body that is a mesh, `ball.obj`, and a warning that nothing collides with it.
pub const UNTOUCHED: &str = "[[body]]\nname = \"ball\"\nmesh = \"ball.obj\"\n[contact]\nlaw = \"constraint\"\n";

/// A larger, soft one: parallel, a few milliseconds a frame, a good part of them writing.
pub const LARGE: &str = r#"
[time]
duration = 0.5
fps = 240
[air]
drag = 1.0
[contact]
cloth = false
[[cloth]]
grid = { size = [1.0, 1.0], cells = [90, 90] }
place = { rotate = [90.0, 0.0, 0.0] }
fabric = { density = 0.5, stretch = 20.0, shear = 2.0, bend = 1e-5 }
noise = { size = 1e-3, seed = 1 }
[[cloth.pin]]
select = { corners = ["left-top", "right-top"] }
motion = [{ t = 0.0 }, { t = 0.3, move = [0.0, 0.1, 0.0] }]
"#;

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// Exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// An empty folder with the command in it.
pub struct Place {
    folder: tempfile::TempDir,
    stills: bool,
}

impl Place {
    /// Runs in this folder get `--no-still`: the picture at the end takes most of the time of a small run.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), stills: false }
    }

    /// Runs in this folder end with a picture, as those of users do.
    pub fn with_stills() -> Self {
        Self { stills: true, ..Self::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taffeta"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        let simulates = matches!(args.first(), Some(&("run" | "drape" | "resume")));
        if simulates && !self.stills && !args.contains(&"--no-still") {
            command.arg("--no-still");
        }
        command
    }

    pub fn taffeta(&self, args: &[&str]) -> Ended {
        ended(&mut self.command(args))
    }

    /// Expects success.
    pub fn done(&self, args: &[&str]) -> Ended {
        let ended = self.taffeta(args);
        assert_eq!(ended.status, Some(0), "{args:?}: {ended:?}");
        ended
    }

    /// Expects an exit status, a message and a way out, and no panic.
    pub fn refused(&self, args: &[&str], status: i32) -> Ended {
        let ended = self.taffeta(args);
        assert_eq!(ended.status, Some(status), "{args:?}: {ended:?}");
        for part in ["error", "help"] {
            assert!(ended.stderr.contains(part), "{args:?}: {ended:?}");
        }
        assert!(!ended.stderr.contains("bug in taffeta") && !ended.stderr.contains("panicked"), "{args:?}: {ended:?}");
        ended
    }

    pub fn report(&self, run: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(run).join("report.json")).unwrap()).unwrap()
    }

    /// What must be the same in two runs that are the same: positions, and the lines of the frames without times.
    pub fn result(&self, run: &str) -> (Vec<u8>, Vec<Value>) {
        let positions = fs::read(self.path(run).join("positions.bin")).unwrap();
        let mut lines = self.lines(run);
        lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("ms")));
        (positions, lines)
    }

    /// The lines of `frames.jsonl`.
    pub fn lines(&self, run: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(run).join("frames.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Whole lines of `frames.jsonl`, also while they are written.
    pub fn frames_seen(&self, run: &str) -> usize {
        let bytes = fs::read(self.path(run).join("frames.jsonl")).unwrap_or_default();
        bytes.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Every file below a folder with its contents.
    pub fn snapshot(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        collect(&self.path(folder), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push((path.clone(), fs::read(&path).unwrap())) }
    }
}

/// Waits for a command.
pub fn ended(command: &mut Command) -> Ended {
    let output = command.output().unwrap();
    Ended {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Waits until something is so; fails after a minute.
pub fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Reads what a child says until it says this.
pub fn hear(stderr: &mut impl std::io::Read, what: &str) {
    let mut text = Vec::new();
    wait_until(what, || {
        let mut part = [0; 200];
        let count = stderr.read(&mut part).unwrap();
        text.extend_from_slice(&part[..count]);
        String::from_utf8_lossy(&text).contains(what)
    });
}

/// Random numbers that are the same in every run: SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

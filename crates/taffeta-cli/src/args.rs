//! The command line: commands, arguments and their help texts.

use crate::values::{
    Between, at_least_zero, between, colours, finite, fov, point, positive, rate, seconds, share, size,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as Group, Parser, Subcommand};
use std::path::PathBuf;
use taffeta::Vec3;
use taffeta_files::export::{Format, FrameRange, Holds};
use taffeta_render::Colours;

/// Simulates cloth on any CPU: SI units, the same bits on any number of threads, nothing lost when it is stopped.
#[derive(Debug, Parser)]
#[command(name = "taffeta", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  taffeta scenes                    what there is to try
  taffeta run hang                  simulate a built-in scene into runs/hang
  taffeta drape hang                how it hangs at rest
  taffeta scenes hang --copy        write hang.toml to start from
  taffeta check hang.toml           every mistake at once, sizes, cost
  taffeta run hang.toml --set time.fps=30 --export npz
  taffeta render runs/hang --film hang.gif
  taffeta resume runs/hang          go on after Ctrl-C, a crash or a full disk

Exit status: 0 done, 1 the run failed, 2 bad input or usage, 130 interrupted.
Every command has --help with examples.")]
pub struct Args {
    #[command(flatten)]
    pub everywhere: Everywhere,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Group)]
#[command(next_display_order = 100)]
pub struct Everywhere {
    /// Threads to use; the result has the same bits with any number [default: RAYON_NUM_THREADS, or all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object on stdout and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// Print nothing but errors and what was asked for
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scene into a new folder
    #[command(after_help = "\
The result is in runs/NAME, or runs/NAME-2 and so on when that exists: positions.bin,
frames.jsonl, report.json, scene.toml. Ctrl-C stops after the frame in work, or without it
after a second; `taffeta resume` goes on, and the result is the same as without a break.

Examples:
  taffeta run hang
  taffeta run flag --duration 0.5 --set air.wind=[8,0,0] --set cloth.fabric.density=0.2
  taffeta scenes hang --copy                     a file of your own to change
  taffeta run hang.toml --duration 0.5 --out try-1
  taffeta run hang --set method.name=verlet --export npz --json")]
    Run(Run),
    /// Find how a scene hangs at rest, without simulating its motion
    #[command(after_help = "\
Pins, loads and bodies are taken as they are at the end of the scene's duration. Without bodies pins
that move are followed slowly; with bodies the motion up to there is simulated first, and the cloth
then comes to rest on them. Air and damping do nothing at rest. The result is a folder like that of
`run` with two frames, the start and the equilibrium; report.json has `converged` and `residual` in
N. Ctrl-C keeps what was reached so far, with its residual and the status `interrupted`.

Examples:
  taffeta drape hang
  taffeta drape hang --set cloth.grid.cells=[20,20] --residual 1e-6 --out rest --export obj
  taffeta drape hang --set cloth.grid.cells=[20,20] --set cloth.fabric=denim --json")]
    Drape(Drape),
    /// Go on with an interrupted run, or lengthen a finished one
    #[command(after_help = "\
Examples:
  taffeta run hang --duration 0.5
  taffeta resume runs/hang                 the rest of what was planned, if something was
  taffeta resume runs/hang --duration 1    until 1 s of simulated time")]
    Resume(Resume),
    /// Show everything that is wrong with a scene, or else its sizes and cost in memory, disk and time
    #[command(after_help = "\
Examples:
  taffeta check hang --set cloth.grid.cells=[200,200]
  taffeta check hang --no-time             without the first steps, which take two seconds at most
  taffeta scenes hang --copy
  taffeta check hang.toml")]
    Check(Check),
    /// Turn a run, finished or not, a mesh or an animation into another format
    #[command(after_help = "\
Examples:
  taffeta run hang
  taffeta convert runs/hang --to usd                  runs/hang/hang.usda, all frames in one file
  taffeta convert runs/hang --to npz                  runs/hang/hang.npz, for numpy.load
  taffeta convert runs/hang --to obj --out frames     frames/hang.0000.obj and so on
  taffeta convert runs/hang --to glb --frames 0.5s..2s --every 3 --out part.glb
  taffeta convert frames/hang.0060.obj --to ply --unit 0.01   centimetres to metres
  taffeta convert 'frames/hang.####.obj' --to usd     a sequence in one file
  taffeta convert part.glb --to pc2 --fps 20          part-pc2/part.pc2, and part-pc2/part.obj
  taffeta convert part-pc2/part.pc2 --topology part-pc2/part.obj --to glb")]
    Convert(Convert),
    /// Make a picture, a contact sheet or a film of a run, or a picture of how a scene starts
    #[command(after_help = "\
Examples:
  taffeta run hang
  taffeta render runs/hang                             the last frame, as runs/hang/still-2.png beside the run's own
  taffeta render runs/hang --frame 60 --look stretch --range 0..5% --out stretch.png
  taffeta render runs/hang --azimuth 30 --elevation 20 --colour c04030 --out side.png
  taffeta render runs/hang --at 0,0.8,3 --look-at 0,0.55,0 --fov 35 --out near.png
  taffeta render runs/hang --sheet 6 --out sheet.png   six moments in one picture
  taffeta render runs/hang --film hang.gif --every 2   .gif by itself, .mp4 if ffmpeg is there
  taffeta render runs/hang --film part.gif --frames 30..90
  taffeta render flag --out start.png                  how a scene starts
  taffeta render flag --look springs --set cloth.model=mass-spring
  taffeta convert runs/hang --to obj --last --out sheet.obj
  taffeta render sheet.obj                             a mesh, as sheet-2.png if sheet.png exists")]
    Render(Box<Render>),
    /// List the built-in scenes, or show one whole
    #[command(after_help = "\
Examples:
  taffeta scenes
  taffeta scenes flag            the TOML of it
  taffeta scenes flag --copy     write flag.toml here, to change it")]
    Scenes(Named),
    /// List the built-in fabrics, or show one whole
    #[command(after_help = "\
In a scene: fabric = \"NAME\", or { base = \"NAME\", bend = 1e-5 } to change single values.

Examples:
  taffeta fabrics
  taffeta fabrics denim          the TOML of it, with the source of every value
  taffeta fabrics denim --copy   write denim.toml here, to change it")]
    Fabrics(Named),
    /// List the methods of integration and the models they work with, or explain one
    #[command(after_help = "\
Examples:
  taffeta methods
  taffeta methods verlet")]
    Methods(Methods),
    /// List the experiments, or run one: tables, plots and a page
    #[command(after_help = "\
The result is in experiments/NAME: a page (report.md), its tables (.csv) and plots (.svg, .png).
Exit status 1 if a row of a comparison does not hold. Times are better without other work on the
machine. Ctrl-C ends it and leaves nothing behind.

Examples:
  taffeta experiment                              what there is, and how long it takes
  taffeta experiment stiffness --quick
  taffeta experiment validation 5.1 6 --quick     some sections only
  taffeta experiment validation 6.3 --out patches --json")]
    Experiment(ExperimentArgs),
    /// Print the JSON schema of scene files, for editors
    #[command(after_help = "\
Examples:
  taffeta schema > scene.schema.json
  then as the first line of a scene: #:schema ./scene.schema.json")]
    Schema,
    /// Print a script that completes commands in a shell
    #[command(after_help = "\
Examples:
  taffeta completions bash > taffeta.bash         then: source taffeta.bash, also in ~/.bashrc
  taffeta completions zsh > _taffeta              for a folder of $fpath
  taffeta completions fish > taffeta.fish         for ~/.config/fish/completions
  taffeta completions powershell > taffeta.ps1    then: . ./taffeta.ps1, also in $PROFILE")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// A scene and the values that are changed in it.
#[derive(Debug, Group)]
pub struct SceneArgs {
    /// Name of a built-in scene (`taffeta scenes`), or a .toml file
    pub scene: String,
    /// Override a value of the scene, such as time.fps=30; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Debug, Group)]
pub struct Run {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Folder of the result [default: runs/NAME]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace an existing result, after success
    #[arg(long)]
    pub force: bool,
    /// Simulated time, in place of the scene's
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub duration: Option<f64>,
    /// Export when finished, in place of the scene's output.formats; can be given several times
    #[arg(long, value_name = "FORMAT", value_parser = format(), value_delimiter = ',')]
    pub export: Vec<Format>,
    /// Export these frames only, such as 30..60, 30.. or 0.5s..1.2s; both ends included
    #[arg(long, value_name = "RANGE", requires = "export")]
    pub frames: Option<FrameRange>,
    /// Export only every N-th frame
    #[arg(long, value_name = "N", requires = "export", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Make no picture of the last frame
    #[arg(long)]
    pub no_still: bool,
}

#[derive(Debug, Group)]
pub struct Drape {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Folder of the result [default: runs/NAME-drape]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace an existing result, after success
    #[arg(long)]
    pub force: bool,
    /// Largest net force on a particle, as a share of its weight [default: 1e-4]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    pub residual: Option<f64>,
    /// Iterations of Newton's method at most, and of steps where there are bodies [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: Option<u32>,
    /// Export when found, in place of the scene's output.formats; can be given several times
    #[arg(long, value_name = "FORMAT", value_parser = format(), value_delimiter = ',')]
    pub export: Vec<Format>,
    /// Make no picture
    #[arg(long)]
    pub no_still: bool,
}

#[derive(Debug, Group)]
pub struct Resume {
    /// Folder of a run
    pub folder: PathBuf,
    /// Simulated time from the start, in place of what was planned
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub duration: Option<f64>,
    /// Make no picture of the last frame
    #[arg(long)]
    pub no_still: bool,
    /// Refused with a reason
    #[arg(long, hide = true)]
    pub set: Vec<String>,
}

#[derive(Debug, Group)]
pub struct Check {
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Do not simulate the first steps to tell how long a run would take
    #[arg(long)]
    pub no_time: bool,
}

#[derive(Debug, Group)]
pub struct Convert {
    #[arg(help = format!(
        "Folder of a run; a file (.{}); or a folder or pattern NAME.####.obj of a sequence",
        Format::endings_of(|holds| holds != Holds::Nothing).join(" .")
    ))]
    pub input: PathBuf,
    /// Format of the export
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub to: Option<Format>,
    /// File or folder to write [default: in the folder of the run, or beside the input]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Take these frames only, such as 30..60, 30.. or 0.5s..1.2s; both ends included
    #[arg(long, value_name = "RANGE")]
    pub frames: Option<FrameRange>,
    /// Take only every N-th frame
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Take the last frame only
    #[arg(long, conflicts_with_all = ["every", "frames"])]
    pub last: bool,
    /// Export the bodies of the run's scene too
    #[arg(long)]
    pub bodies: bool,
    /// Frames in a second of what is read, if it is no run [default: what the file says, or 24]
    #[arg(long, value_name = "N", value_parser = rate, allow_negative_numbers = true)]
    pub fps: Option<f64>,
    /// Frames of a file that may be written; more are refused [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_frames: Option<u64>,
    /// The OBJ file of a point cache [default: the one of the same name beside it]
    #[arg(long, value_name = "FILE")]
    pub topology: Option<PathBuf>,
    /// Which animation of a glTF file [default: the first]
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
    /// Metres in a unit of the mesh that is read [default: 1]
    #[arg(long, value_name = "METRES", value_parser = positive, allow_negative_numbers = true)]
    pub unit: Option<f64>,
    /// The mesh that is read has z up
    #[arg(long)]
    pub z_up: bool,
    /// Join vertices of the mesh that are no farther apart than this (m)
    #[arg(long, value_name = "METRES", value_parser = at_least_zero, allow_negative_numbers = true)]
    pub weld: Option<f64>,
    /// Replace an existing file or folder
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Group)]
pub struct Render {
    #[arg(help = format!(
        "Folder of a run, name of a built-in scene, a .toml file, or a mesh (.{})",
        Format::endings_of(Holds::is_mesh).join(", .")
    ))]
    pub input: PathBuf,
    /// Number of the frame [default: the last]
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["sheet", "film"])]
    pub frame: Option<u64>,
    /// A contact sheet: this many moments of the run in one picture
    #[arg(long, value_name = "COUNT", conflicts_with = "film", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub sheet: Option<u32>,
    /// A film in this file: .gif, .mp4 (needs ffmpeg), .y4m, or .png for pictures with the numbers of their frames
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub film: Option<PathBuf>,
    /// Take these frames only for a film or contact sheet, such as 30..60, 30.. or 0.5s..1.2s; both ends included
    #[arg(long, value_name = "RANGE", conflicts_with = "frame")]
    pub frames: Option<FrameRange>,
    /// Take only every N-th frame for a film
    #[arg(long, value_name = "N", requires = "film", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Picture to write, a .png file [default: still.png in the folder of the run, or still-2.png and so on when that
    /// exists]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file or folder
    #[arg(long)]
    pub force: bool,
    /// What the cloth looks like
    #[arg(long, value_enum, default_value_t = LookName::Grid)]
    pub look: LookName,
    /// Draw the edges of the triangles
    #[arg(long)]
    pub wireframe: bool,
    /// Write the time into the picture; films have it
    #[arg(long)]
    pub time: bool,
    /// Width and height in pixels; of each picture in a contact sheet
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x540", value_parser = size)]
    pub size: [u32; 2],
    /// Rays for light and shadow in each pixel
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub samples: u32,
    /// Ends of the scale of a map in its unit, such as 0..5 or -10..10 [default: round numbers that suit all frames]
    #[arg(long, value_name = "LOW..HIGH", value_parser = between, allow_hyphen_values = true)]
    pub range: Option<Between>,
    /// Colours of front and back of a fabric, such as c04030 or c04030,e0d0c0; once for each cloth [default: a set of
    /// our own]
    #[arg(long, visible_alias = "color", value_name = "FRONT[,BACK]", value_parser = colours)]
    pub colour: Vec<Colours>,
    #[command(flatten)]
    pub camera: CameraArgs,
    /// Override a value of the scene, when a scene is shown; of a run those of its camera; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Where a picture is taken from: what is left out is the scene's camera, or one that sees everything.
#[derive(Debug, Default, Group)]
#[command(next_help_heading = "Camera")]
pub struct CameraArgs {
    /// Where the camera is, m [default: the scene's camera.at, or far enough to see everything]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["azimuth", "elevation", "distance"])]
    pub at: Option<Vec3>,
    /// What is in the middle of the picture, m [default: the scene's camera.look_at, or the middle of everything]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub look_at: Option<Vec3>,
    /// Vertical field of view, degrees [default: the scene's camera.fov, or 28]
    #[arg(long, value_name = "DEGREES", value_parser = fov, allow_negative_numbers = true)]
    pub fov: Option<f64>,
    /// Which way is up in the picture [default: the scene's camera.up, or 0,1,0]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub up: Option<Vec3>,
    /// Degrees from the front towards the right that the camera looks from, in place of the scene's camera [default:
    /// 28]
    #[arg(long, value_name = "DEGREES", value_parser = finite, allow_negative_numbers = true)]
    pub azimuth: Option<f64>,
    /// Degrees above the horizon that the camera looks from, in place of the scene's camera [default: 14]
    #[arg(long, value_name = "DEGREES", value_parser = finite, allow_negative_numbers = true)]
    pub elevation: Option<f64>,
    /// Metres from what is in the middle of the picture to the camera
    #[arg(long, value_name = "METRES", value_parser = positive, allow_negative_numbers = true)]
    pub distance: Option<f64>,
    /// How many times larger everything is in the picture, about its middle
    #[arg(long, value_name = "FACTOR", value_parser = positive, allow_negative_numbers = true)]
    pub zoom: Option<f64>,
}

/// Looks of cloth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LookName {
    /// Fabric with thin lines along warp and weft
    Grid,
    /// Fabric of one colour
    Plain,
    /// Fabric with threads over and under each other
    Weave,
    /// Fabric like a chess board
    Checker,
    /// Fabric with bands along the warp
    Stripes,
    /// Largest elongation in colours, %
    Stretch,
    /// Change of the angle between warp and weft in colours, degrees
    Shear,
    /// Curvature in colours, 1/m
    Bending,
    /// Speed in colours, m/s
    Speed,
    /// Force of contact in colours, N/m²
    Contact,
    /// Fabric with triangles that cross in red
    Crossings,
    /// The springs by kind: structural blue, shear green, flexion yellow
    Springs,
}

#[derive(Debug, Group)]
pub struct Named {
    /// Name of the one to print
    pub name: Option<String>,
    /// Write it to NAME.toml in the current folder
    #[arg(long, requires = "name")]
    pub copy: bool,
    /// Replace an existing file
    #[arg(long, requires = "copy")]
    pub force: bool,
}

#[derive(Debug, Group)]
pub struct Methods {
    /// Name of the method or model to explain
    pub name: Option<String>,
}

#[derive(Debug, Group)]
pub struct ExperimentArgs {
    /// Name of the experiment
    #[arg(index = 1)] // completions change this argument, which would put it behind the next
    pub name: Option<String>,
    /// Parts to run, such as sections of the validation; a wrong one lists them [default: the usual ones]
    #[arg(index = 2, value_name = "PART", requires = "name")]
    pub parts: Vec<String>,
    /// Run only the quick part, which takes seconds
    #[arg(long, requires = "name")]
    pub quick: bool,
    /// Folder of the result [default: experiments/NAME]
    #[arg(long, value_name = "FOLDER", requires = "name")]
    pub out: Option<PathBuf>,
    /// Replace the files of an experiment in an existing folder
    #[arg(long, requires = "name")]
    pub force: bool,
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(|format| PossibleValue::new(format.name()).help(format.describe())))
        .map(|name| name.parse().expect("clap accepts only these names"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        for command in Args::command().get_subcommands() {
            let help = command.get_after_help().map(|help| help.to_string()).unwrap_or_default();
            assert!(help.contains("Examples:\n"), "{}", command.get_name());
        }
    }
}

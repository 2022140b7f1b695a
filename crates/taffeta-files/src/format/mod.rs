//! The only list of file formats. Endings, messages, help texts and the files to tidy up are derived from it.
//!
//! Each format has its own module with a [`FormatInfo`], and a row in the list below.

mod words;

pub use words::UnknownFormat;
pub(crate) use words::{ending, or};

use crate::export::{ExportError, Frames, Stage};
use crate::mesh::FileMesh;
use crate::moving::Recorded;
use crate::points::{self, Points};
use crate::problem::Problems;
use crate::{Surface, gltf, npz, obj, ply, usd};
use std::io::{self, Write};
use std::path::Path;
use taffeta::Vec3;

/// Defines [`Format`] and its list from one row for each format.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident => $info:path;)*) => {
        /// A format that meshes and runs are written in. Most can also be read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $($(#[$doc])* $variant,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: [Format; [$(stringify!($variant)),*].len()] = [$(Format::$variant),*];

            /// The description of the format.
            pub(crate) const fn info(self) -> &'static FormatInfo {
                match self {
                    $(Format::$variant => &$info,)*
                }
            }
        }
    };
}

formats! {
    /// One text file of Universal Scene Description: see [`crate::usd`].
    Usd => usd::FORMAT;
    /// One binary glTF file with a morph target for each frame: see [`crate::gltf`].
    Glb => gltf::FORMAT;
    /// A folder with an OBJ file for each frame.
    Obj => obj::FORMAT;
    /// A folder with a PLY file for each frame.
    Ply => ply::FORMAT;
    /// A folder with a PC2 point cache and an OBJ file for each cloth: see [`crate::points`].
    Pc2 => points::PC2;
    /// A folder with an MDD point cache and an OBJ file for each cloth: see [`crate::points`].
    Mdd => points::MDD;
    /// One NumPy archive: see [`crate::npz`].
    Npz => npz::FORMAT;
}

/// The description of a format.
pub(crate) struct FormatInfo {
    /// Its name in commands and scenes.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// A description of an export, in one line.
    pub line: &'static str,
    /// Endings of files that are written, the default first.
    pub written: &'static [&'static str],
    /// Endings of files that are read.
    pub read: &'static [&'static str],
    pub reader: Reader,
    pub writer: Writer,
    /// Default for the maximum number of frames of an export.
    pub most_frames: u64,
    /// Whether the frames of an export must be evenly spaced.
    pub even: bool,
    /// How bodies are included.
    pub bodies: BodiesIn,
}

/// Reads a mesh.
pub(crate) type Parse = fn(&[u8]) -> Result<FileMesh, Problems>;
/// Reads the given number of vertices.
pub(crate) type ParseVertices = fn(&[u8], usize) -> Result<Vec<Vec3>, Problems>;
/// Reads positions over time; the number is the frame rate.
pub(crate) type ParsePoints = fn(&[u8], f64) -> Result<Points, Problems>;
/// Reads a mesh with its frames; the number is the frame rate.
pub(crate) type ParseFrames = fn(&[u8], f64) -> Result<(FileMesh, Recorded), Problems>;

/// How a format is read.
pub(crate) enum Reader {
    /// A still mesh; a folder of these is a sequence. Later frames of a sequence may be vertices alone if `vertices`
    /// can read them; it is given the number of vertices there must be.
    Still { mesh: Parse, vertices: Option<ParseVertices> },
    /// A glTF scene, which may move and may need files beside it.
    Scene,
    /// Positions over time of a mesh in an OBJ file beside it. `timed`: the file has times; otherwise it has frames,
    /// whose times follow from the frame rate.
    Points { points: ParsePoints, timed: bool },
    /// A mesh with all its frames; the number is the frame rate if the file has none.
    Recorded(ParseFrames),
    /// The format is not read.
    #[allow(dead_code)]
    Nothing,
}

/// Writes a frame of the surface that it was created for.
pub(crate) type FrameWriter = Box<dyn Fn(&mut dyn Write, &[Vec3]) -> io::Result<()>>;

/// How a format is written.
pub(crate) enum Writer {
    /// One file with all frames.
    File {
        write: fn(&Path, &Stage, &mut Frames) -> Result<(), ExportError>,
        /// Estimated bytes that are written once, and for each frame similar to these vertices.
        size: fn(&Surface, &[Vec3]) -> [u64; 2],
    },
    /// A folder with a file for each frame; a single frame may be a file.
    Sequence(fn(&Surface) -> FrameWriter),
    /// A folder with a point cache and an OBJ file for each cloth.
    Caches(CacheWriter),
}

/// How a point cache is written.
#[derive(Clone, Copy)]
pub(crate) struct CacheWriter {
    /// Returns the header of a cache, given the number of points, the times of its frames and their interval in frames
    /// of the run.
    pub front: fn(u32, &[f64], f32) -> Vec<u8>,
    pub number: fn(f32) -> [u8; 4],
}

/// How bodies are included in an export.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodiesIn {
    /// As vertices in every frame.
    Vertices,
    /// As transforms; only bodies that change their shape are vertices.
    Transforms,
    /// They are left out.
    Nothing,
}

/// What a file of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// A still mesh; many in a folder are a sequence.
    Mesh,
    /// A scene of meshes that may move.
    Scene,
    /// Positions over time, without a mesh.
    Points {
        /// Whether it has times instead of frames.
        timed: bool,
    },
    /// A mesh with all its frames, as Taffeta writes it.
    Recorded,
    /// The format is not read.
    Nothing,
}

impl Format {
    /// Its name in commands and scenes.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// A description of an export, in one line.
    pub const fn describe(self) -> &'static str {
        self.info().line
    }

    /// The ending of the file or of the files in the folder.
    pub fn ending(self) -> &'static str {
        self.info().written[0]
    }

    /// Endings of files that are read.
    pub fn read_endings(self) -> &'static [&'static str] {
        self.info().read
    }

    /// Whether an export is a folder.
    pub fn is_folder(self) -> bool {
        !matches!(self.info().writer, Writer::File { .. })
    }

    /// Whether a single frame may be a file although several are a folder.
    pub(crate) fn is_sequence(self) -> bool {
        matches!(self.info().writer, Writer::Sequence(_))
    }

    /// Whether an export includes the requested bodies.
    pub fn has_bodies(self) -> bool {
        self.info().bodies != BodiesIn::Nothing
    }

    /// What files of this format hold when read.
    pub fn holds(self) -> Holds {
        match self.info().reader {
            Reader::Still { .. } => Holds::Mesh,
            Reader::Scene => Holds::Scene,
            Reader::Points { timed, .. } => Holds::Points { timed },
            Reader::Recorded(_) => Holds::Recorded,
            Reader::Nothing => Holds::Nothing,
        }
    }

    /// The format that a file is written in, by the ending of its name.
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// The format that a file is read in, by the ending of its name.
    pub fn reading(path: &Path) -> Option<Self> {
        let ending = ending(path);
        Self::ALL.into_iter().find(|format| format.info().read.contains(&ending.as_str()))
    }

    /// As [`reading`](Self::reading), for files that hold a mesh by themselves: all but point caches and recorded runs.
    pub fn reading_mesh(path: &Path) -> Option<Self> {
        Self::reading(path).filter(|format| format.holds().is_mesh())
    }

    /// Endings of files whose contents match, plain meshes first.
    pub fn endings_of(holds: impl Fn(Holds) -> bool) -> Vec<&'static str> {
        let mut chosen: Vec<Self> = Self::ALL.into_iter().filter(|format| holds(format.holds())).collect();
        chosen.sort_by_key(|format| format.holds());
        chosen.into_iter().flat_map(|format| format.info().read).copied().collect()
    }

    /// Whether a path has the ending of one file of this format.
    pub(crate) fn is_file(self, path: &Path) -> bool {
        !matches!(self.info().writer, Writer::Caches(_)) && self.info().written.contains(&ending(path).as_str())
    }

    /// Endings of exports that are one file.
    pub(crate) fn file_endings() -> impl Iterator<Item = &'static str> {
        let files = Self::ALL.into_iter().filter(|format| !matches!(format.info().writer, Writer::Caches(_)));
        files.flat_map(|format| format.info().written).copied()
    }

    /// Endings of the files in its folder.
    pub(crate) fn folder_endings(self) -> impl Iterator<Item = &'static str> {
        let mesh = matches!(self.info().writer, Writer::Caches(_)).then_some("obj");
        self.info().written.iter().copied().filter(move |_| self.is_folder()).chain(mesh)
    }

    /// Refuses a path whose ending belongs to something else. `single`: there is one frame, which a sequence format
    /// holds in a file.
    pub(crate) fn check_ending(self, path: &Path, single: bool) -> Result<(), ExportError> {
        let known = words::is_of_a_file(&ending(path));
        let fits = match self.is_folder() {
            false => self.is_file(path),
            true => !known || (single && self.is_file(path)),
        };
        if fits {
            return Ok(());
        }
        let right = match (self.is_folder(), known) {
            (false, true) => path.with_extension(self.ending()),
            (false, false) => {
                let mut name = path.as_os_str().to_owned();
                name.push(format!(".{}", self.ending()));
                name.into()
            }
            (true, _) if single && self.is_sequence() => path.with_extension(self.ending()),
            (true, _) => path.with_extension(""),
        };
        Err(ExportError::Ending { path: path.to_path_buf(), format: self, right })
    }
}

impl Holds {
    /// Whether it holds a mesh, still or in a scene.
    pub fn is_mesh(self) -> bool {
        matches!(self, Holds::Mesh | Holds::Scene)
    }

    /// Whether it holds a point cache.
    pub fn is_points(self) -> bool {
        matches!(self, Holds::Points { .. })
    }
}

//! Reads meshes, writes caches and exports, and keeps run folders that survive a crash.
//!
//! Use this crate to read OBJ, PLY and glTF meshes, to write and resume runs, and to export them as USD, glTF, OBJ,
//! PLY, PC2, MDD and NumPy archives. It does not know TOML and prints nothing. Every error says what is wrong, and its
//! `help()` says what to do about it.
//!
//! ```
//! let mesh = taffeta_files::obj::parse(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")?;
//! assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
//!
//! let problems = taffeta_files::obj::parse(b"v 0 0 0\nv 1 0 O\nf 1 2 3\n").unwrap_err();
//! assert_eq!(problems.list[0].to_string(), "line 2: `O` is not a number");
//! assert_eq!(problems.list[1].to_string(), "line 3: vertex 3 does not exist: the file has 2");
//! # Ok::<(), taffeta_files::Problems>(())
//! ```
//!
//! ```text
//! mesh                a mesh of any format: obj, ply, gltf; units, up-axis, parts, weld
//! moving              meshes that move: glTF animation, OBJ sequences, point caches (points)
//! csv                 motions
//! actions             actions applied from outside while a simulation runs
//! run                 the folder of a run and the loop that fills it: start, resume, view
//!   cache             positions.bin: every finished frame, with checksums
//!   checkpoint        checkpoint.bin: the state from which a run continues
//! export              a run, finished or not: usd, gltf, OBJ and PLY sequences, points (PC2, MDD), npz
//!   body              bodies included in an export
//! format              the list of formats: names, endings, how each is read and written
//! convert             a mesh from one format to another
//! picture             endings of pictures and films
//! whole               files that appear under their name when they are complete
//! beside, printable   files from elsewhere: paths they may refer to, text safe to show
//! ```

pub mod actions;
mod beside;
mod body;
mod bytes;
pub mod cache;
pub mod checkpoint;
mod convert;
pub mod csv;
mod disk;
pub mod export;
mod format;
pub mod gltf;
mod hash;
mod hashed_file;
mod memory;
pub mod mesh;
pub mod moving;
mod names;
mod normals;
pub mod npz;
pub mod obj;
mod picture;
pub mod ply;
pub mod points;
mod printable;
mod problem;
pub mod run;
mod similar;
mod surface;
mod text;
pub mod usd;
pub mod whole;
mod wrong;

pub use beside::{Outside, file_beside};
pub use convert::{Conversion, ConvertError, ConvertOptions, Converted, MOST_FRAMES, convert, convert_with};
pub use disk::{DiskError, InTheWay};
pub use format::{Format, Holds, UnknownFormat};
pub use hash::Hash;
pub use hashed_file::HashedFile;
pub use memory::{Bound, NoRoom, Room, fits, room};
pub use picture::PictureFile;
pub use printable::{is_steering, printable};
pub use problem::{LineProblem, MOST_PROBLEMS, Problems, ReadError};
pub use similar::nearest;
pub use surface::Surface;
pub use wrong::{FARTHEST, Wrong};

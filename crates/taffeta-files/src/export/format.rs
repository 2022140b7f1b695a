//! What a run can be exported to.

use super::ExportError;
use crate::similar::nearest;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format that a run can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One text file of Universal Scene Description: see [`crate::usd`].
    Usd,
    /// One binary glTF file with a morph target for each frame: see [`crate::gltf`].
    Glb,
    /// A folder with an OBJ file for each frame.
    Obj,
    /// A folder with a PLY file for each frame.
    Ply,
    /// A folder with a PC2 point cache and an OBJ file for each cloth: see [`crate::points`].
    Pc2,
    /// A folder with an MDD point cache and an OBJ file for each cloth: see [`crate::points`].
    Mdd,
    /// One NumPy archive: see [`crate::npz`].
    Npz,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 7] =
        [Format::Usd, Format::Glb, Format::Obj, Format::Ply, Format::Pc2, Format::Mdd, Format::Npz];

    /// Its name in commands and scenes.
    pub fn name(self) -> &'static str {
        match self {
            Format::Usd => "usd",
            Format::Glb => "glb",
            Format::Obj => "obj",
            Format::Ply => "ply",
            Format::Pc2 => "pc2",
            Format::Mdd => "mdd",
            Format::Npz => "npz",
        }
    }

    /// What it is, in a line.
    pub fn describe(self) -> &'static str {
        match self {
            Format::Usd => "one USD file (.usda) with all frames, uv, normals and a material, for film tools",
            Format::Glb => "one glTF file with a morph target for each frame, for viewers, the web and games",
            Format::Obj => "a Wavefront OBJ file for each frame, with uv",
            Format::Ply => "a binary PLY file for each frame, with uv",
            Format::Pc2 => "a PC2 point cache and an OBJ file for each cloth",
            Format::Mdd => "an MDD point cache and an OBJ file for each cloth",
            Format::Npz => "one NumPy archive with positions, times, triangles, uv and rest shape",
        }
    }

    /// The ending of the file or of the files in the folder.
    pub fn ending(self) -> &'static str {
        if self == Format::Usd { "usda" } else { self.name() }
    }

    /// Whether it is a folder of files.
    pub fn is_folder(self) -> bool {
        matches!(self, Format::Obj | Format::Ply | Format::Pc2 | Format::Mdd)
    }

    /// What it is on disk, for messages.
    pub(super) fn place(self) -> String {
        let ending = self.ending();
        match self {
            Format::Obj | Format::Ply => {
                format!("{self} is a folder with a file for each frame, or one .{ending} file")
            }
            Format::Pc2 | Format::Mdd => format!("{self} is a folder with a cache and an OBJ file for each cloth"),
            _ => format!("{self} is one .{ending} file"),
        }
    }

    /// Whether a path has the ending of one file of this format.
    pub(crate) fn is_file(self, path: &Path) -> bool {
        let ending = ending(path);
        match self {
            // a .usd file may be text
            Format::Usd => ending == "usda" || ending == "usd",
            Format::Pc2 | Format::Mdd => false,
            _ => ending == self.name(),
        }
    }

    /// Refuses a path whose ending says that it is something else. `single`: there is one frame, which OBJ and PLY hold
    /// in a file.
    pub(crate) fn check_ending(self, path: &Path, single: bool) -> Result<(), ExportError> {
        let known = FILES.contains(&ending(path).as_str());
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
            (true, _) if single && matches!(self, Format::Obj | Format::Ply) => path.with_extension(self.ending()),
            (true, _) => path.with_extension(""),
        };
        Err(ExportError::Ending { path: path.to_path_buf(), format: self, right })
    }

    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Endings of the files in its folder.
    pub(super) fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Obj => &["obj"],
            Format::Ply => &["ply"],
            Format::Pc2 => &["pc2", "obj"],
            Format::Mdd => &["mdd", "obj"],
            Format::Usd | Format::Glb | Format::Npz => &[],
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Endings that are never those of folders.
const FILES: [&str; 17] = [
    "usd", "usda", "usdc", "usdz", "glb", "gltf", "obj", "ply", "pc2", "mdd", "npz", "npy", "fbx", "abc", "stl", "png",
    "gif",
];

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// Other words for the same.
const ALIASES: [(&str, Format); 3] = [("usda", Format::Usd), ("gltf", Format::Glb), ("numpy", Format::Npz)];

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` is not a format: {}", match self.meant() {
    Some(format) => format!("did you mean `{format}`?"),
    None => format!("there are {}", Format::ALL.map(Format::name).join(", ")),
})]
pub struct UnknownFormat {
    /// What was given.
    pub name: String,
}

impl UnknownFormat {
    /// What was meant, if that can be told.
    pub fn meant(&self) -> Option<Format> {
        nearest(&self.name, Format::ALL.map(Format::name)).and_then(|name| name.parse().ok())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().map(|format| (format.name(), format)).chain(ALIASES);
        let found = known.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(name));
        found.map(|(_, format)| format).ok_or_else(|| UnknownFormat { name: name.into() })
    }
}

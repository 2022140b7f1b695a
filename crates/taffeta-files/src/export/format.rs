//! What a run can be exported to.

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
            Format::Npz => "one NumPy archive with positions, times, triangles and rest shape",
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

    /// Whether it can hold a single mesh.
    pub fn is_mesh(self) -> bool {
        matches!(self, Format::Usd | Format::Glb | Format::Obj | Format::Ply)
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

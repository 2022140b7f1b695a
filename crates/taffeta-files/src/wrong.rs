//! What can be wrong with a file, and how to correct it.

/// Maximum distance (m): beyond it, f64 cannot resolve a fibre, and squares and areas overflow in some programs.
pub const FARTHEST: f64 = 1e9;

/// Lists the existing names; if there are many, only the first.
fn listed(names: &[String], none: &str) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => none.into(),
        1..=SHOWN => format!("the file has {}", shown.join(", ")),
        count => format!("the file has {} and {} more", shown.join(", "), count - SHOWN),
    }
}

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Wrong {
    #[error("the file is empty")]
    Empty,
    #[error("this is a binary file, not text")]
    Binary,
    #[error("`{text}` is not a number")]
    NotANumber { text: String },
    #[error("`{text}` is not finite")]
    NotFinite { text: String },
    #[error("`{text}` is farther away than {FARTHEST:e} m")]
    TooFar { text: String },
    #[error("`{keyword}` has {found} numbers and needs {needed}")]
    TooFewNumbers { keyword: String, found: usize, needed: usize },
    #[error("there are no vertices (lines that begin with `v`)")]
    NoVertices,
    #[error("there are no faces (lines that begin with `f`)")]
    NoFaces,
    #[error("{count} vertices are more than the {limit} that a mesh can have")]
    TooManyVertices { count: u64, limit: u64 },
    #[error("the file has {found} vertices, but the mesh has {needed}")]
    VertexCount { found: usize, needed: usize },
    #[error("a face has {found} corners and needs at least 3")]
    TooFewCorners { found: usize },
    #[error("`{text}` is not a corner of a face")]
    BadCorner { text: String },
    #[error("{of} number 0 does not exist: OBJ counts from 1")]
    ZeroIndex { of: &'static str },
    #[error("{of} {index} does not exist: the file has {count}")]
    IndexOutOfRange { of: &'static str, index: i64, count: usize },
    #[error("the face uses vertex {vertex} twice")]
    RepeatedVertex { vertex: usize },
    #[error("`{text}` is no line of an OBJ file")]
    NotObj { text: String },
    #[error("the line has {found} values and needs 4")]
    ValueCount { found: usize },
    #[error("time {time} s comes after {previous} s")]
    TimeNotRising { time: f64, previous: f64 },
    #[error("there are no rows")]
    NoRows,
    #[error("this is not a {format} file")]
    NotThis { format: &'static str },
    #[error("{what}")]
    Header { what: String },
    #[error("{what} needs {needed} bytes, but {found} are left: the file is cut off, or its numbers are wrong")]
    CutOff { what: String, needed: u64, found: u64 },
    #[error("there are {found} values, and more are needed")]
    TooFewValues { found: usize },
    #[error("there are {found} values, and the element has {needed}")]
    TooManyValues { found: usize, needed: usize },
    #[error("{of} {number}: {wrong}")]
    In { of: &'static str, number: u64, wrong: Box<Wrong> },
    #[error("{of} {index} does not exist: there are {count}, counted from 0")]
    NoSuch { of: &'static str, index: i64, count: usize },
    #[error("{place}: {what}")]
    Gltf { place: String, what: String },
    #[error("it needs `{name}`, which is not in its own folder or below it")]
    OutsideFile { name: String },
    #[error("`{extension}` is needed to read this file")]
    Extension { extension: String },
    #[error("the file uses its data more than {factor} times over")]
    Amplified { factor: usize },
    #[error("there is no animation `{name}`: {}", listed(.names, "it has no animations"))]
    NoAnimation { name: String, meant: Option<String>, names: Vec<String> },
    #[error("face {face} has other vertices than in the first file of the sequence")]
    OtherFace { face: usize },
    #[error("there are {found} faces, and {needed} in the first file of the sequence")]
    FaceCount { found: usize, needed: usize },
    #[error("{what}")]
    Line { what: String, help: String },
    #[error("there is no part `{name}`: {}", listed(.names, "its parts have no names"))]
    NoPart { name: String, meant: Option<String>, names: Vec<String> },
}

impl Wrong {
    /// Suggests what would be right.
    pub fn help(&self) -> String {
        let text = match self {
            Wrong::Empty => "was it written to the end? Export it again",
            Wrong::Binary => "give a text file in UTF-8 or ASCII, not one that is packed or in UTF-16",
            Wrong::NotANumber { text } if text.contains(',') => "write a point before the decimals: 1.5",
            Wrong::NotANumber { .. } => "write a number such as 0.25, -3 or 1e-3",
            Wrong::NotFinite { .. } => "the program that wrote the file had no valid value here: repair it there",
            Wrong::TooFar { .. } => "lengths are in metres: scale the mesh",
            Wrong::TooFewNumbers { keyword, .. } if keyword == "v" => "write `v x y z`",
            Wrong::TooFewNumbers { .. } => "write `vt u v`",
            Wrong::NoVertices => "is this an OBJ file? A triangle is `v 0 0 0`, `v 1 0 0`, `v 0 1 0`, `f 1 2 3`",
            Wrong::NoFaces => "export the mesh with its faces, not as points or lines",
            Wrong::TooManyVertices { .. } => "use a coarser mesh",
            Wrong::VertexCount { .. } => {
                "the file must have the same vertices in the same order as the mesh: export it without merging or \
                 splitting vertices"
            }
            Wrong::TooFewCorners { .. } => "write `f 1 2 3`",
            Wrong::BadCorner { .. } => "write v, v/vt, v/vt/vn or v//vn, for example `f 1/1 2/2 3/3`",
            Wrong::ZeroIndex { .. } => "the first is 1, the last one before this line is -1",
            Wrong::IndexOutOfRange { count: 0, of, .. } => {
                return format!("the file has no lines that give a {of}: export them or leave the number out");
            }
            Wrong::IndexOutOfRange { count, .. } => {
                return format!("use 1 to {count}, or negative numbers counted back from this line");
            }
            Wrong::RepeatedVertex { .. } => "each corner of a face must be another vertex",
            Wrong::NotObj { .. } => "is this an OBJ file? Lines begin with a word such as v, vt, f or #",
            Wrong::ValueCount { .. } => "write `t,x,y,z`: seconds and metres",
            Wrong::TimeNotRising { .. } => "each row must be later than the one before",
            Wrong::NotThis { .. } => "give a file whose contents are what its name says",
            Wrong::Header { .. } => "was it written by another program in an unusual way? Export it again",
            Wrong::TooFewValues { .. } | Wrong::TooManyValues { .. } => "each element is a line with all its values",
            Wrong::CutOff { .. } => "was it written to the end? Export it again",
            Wrong::In { wrong, .. } => return wrong.help(),
            Wrong::NoSuch { .. } => "export the mesh again: its faces and vertices do not belong together",
            Wrong::Gltf { .. } => "see what the Khronos glTF validator says, and export the file again",
            Wrong::OutsideFile { .. } => "put it beside the file, or export the mesh as .glb with everything inside",
            Wrong::Extension { .. } => "export it without compression and without that extension",
            Wrong::Amplified { .. } => "export the mesh without instances",
            Wrong::NoAnimation { names, .. } if names.is_empty() => "leave the name out",
            Wrong::NoAnimation { meant: Some(name), .. } => return format!("did you mean `{name}`?"),
            Wrong::NoAnimation { .. } => "give one of them, or leave the name out for the first",
            Wrong::OtherFace { .. } | Wrong::FaceCount { .. } => {
                "the faces must be the same in all files: export them with the same vertices in the same order, and \
                 without remeshing"
            }
            Wrong::NoPart { meant: Some(name), .. } => return format!("did you mean `{name}`?"),
            Wrong::NoPart { names, .. } if names.is_empty() => "leave `part` out to take the whole file",
            Wrong::NoPart { .. } => "give one of them, or leave `part` out to take the whole file",
            Wrong::Line { help, .. } => return help.clone(),
            Wrong::NoRows => "write a row `t,x,y,z` for each key, for example `0,0,0,0`",
        };
        text.to_string()
    }
}

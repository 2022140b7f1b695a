//! Reading USD text: the meshes of a stage as Taffeta and `usdcat` write it, one line per value.

use crate::mesh::{self, FileMesh, Note, Part, Polygon};
use crate::moving::Recorded;
use crate::problem::{Collector, MOST_PROBLEMS, Problems};
use crate::text::{self, hopeless};
use crate::wrong::{FARTHEST, Wrong};
use taffeta::{MAX_VERTICES, Vec3};

/// Reads the meshes of a stage; other contents get a note.
pub(crate) fn parse(bytes: &[u8]) -> Result<(FileMesh, Recorded), Problems> {
    if bytes.starts_with(b"PXR-USDC") {
        return Collector::one(None, wrong("this is binary USD, and only text is read: `usdcat FILE -o NEW.usda`"));
    }
    if let Some(wrong) = hopeless(bytes) {
        return Collector::one(None, wrong);
    }
    if !bytes.starts_with(b"#usda") {
        return Collector::one(0, Wrong::NotThis { format: "USD text" });
    }
    let mut reader = Reader { unit: 0.01, z_up: false, codes: 24.0, ..Reader::default() };
    for (number, line) in text::lines(bytes) {
        if let Err(wrong) = reader.line(String::from_utf8_lossy(line).trim()) {
            let mut problems = Collector::default();
            problems.add(number, wrong);
            return problems.finish((FileMesh::default(), Recorded::default()));
        }
    }
    reader.finish().or_else(|wrong| Collector::one(None, wrong))
}

fn wrong(what: impl Into<String>) -> Wrong {
    Wrong::Header { what: what.into() }
}

#[derive(Default)]
struct Reader {
    /// Metres per unit.
    unit: f64,
    z_up: bool,
    /// Time codes per second.
    codes: f64,
    open: Vec<Open>,
    meshes: Vec<MeshPrim>,
    notes: Vec<Note>,
}

/// A scope that is open at a line. In a list of these the innermost is last.
enum Open {
    /// In parentheses: metadata of the preceding item.
    About,
    /// In the braces of an item that is not read.
    Other,
    /// Time samples of an attribute.
    Samples(String),
    /// A prim; it begins at its brace.
    Prim { kind: String, begun: bool, placed: bool, mesh: Box<MeshPrim> },
}

#[derive(Default)]
struct MeshPrim {
    name: String,
    counts: Vec<f64>,
    corners: Vec<f64>,
    points: Vec<Vec3>,
    samples: Vec<(f64, Vec<Vec3>)>,
    /// Name and values of the first texture coordinates.
    st: Option<(String, Vec<f64>)>,
    st_indices: Option<Vec<f64>>,
    left_handed: bool,
}

/// Kinds of prims that are not visible by themselves.
const SILENT: [&str; 7] = ["Xform", "Scope", "Material", "Shader", "GeomSubset", "NodeGraph", ""];

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let outermost = self.open.len() == 1;
        match self.open.last_mut() {
            Some(Open::About) => {
                if line == ")" {
                    self.open.pop();
                } else if line.ends_with('{') {
                    self.open.push(Open::Other);
                } else if outermost {
                    self.about_layer(line);
                }
                return Ok(());
            }
            Some(Open::Other) => {
                if line.ends_with('{') {
                    self.open.push(Open::Other);
                } else if line.starts_with('}') {
                    self.open.pop();
                }
                return Ok(());
            }
            Some(Open::Samples(_)) if line.starts_with('}') => {
                self.open.pop();
                return Ok(());
            }
            Some(Open::Samples(name)) => {
                if name == "points" {
                    let Some((code, values)) = line.split_once(':') else { return Err(wrong("a sample has no time")) };
                    let code = code.trim().parse::<f64>().ok().filter(|code| code.is_finite());
                    let code = code.ok_or_else(|| wrong("the time of a sample is no number"))?;
                    let points = points(values)?;
                    if let Some(mesh) = self.mesh() {
                        mesh.samples.push((code, points));
                    }
                }
                return Ok(());
            }
            Some(Open::Prim { begun, .. }) if !*begun && line == "{" => {
                *begun = true;
                return Ok(());
            }
            _ => {}
        }
        if let Some(rest) = line.strip_prefix("def ") {
            let mut words = rest.splitn(3, '"');
            let kind = words.next().unwrap_or_default().trim().to_string();
            let name = words.next().unwrap_or_default().to_string();
            let mesh = Box::new(MeshPrim { name, ..MeshPrim::default() });
            self.open.push(Open::Prim { kind, begun: line.ends_with('{'), placed: false, mesh });
        } else if line == "}" {
            self.close();
            return Ok(());
        } else if let Some(left) = line.strip_suffix(".timeSamples = {") {
            self.open.push(Open::Samples(left.rsplit(' ').next().unwrap_or_default().to_string()));
            return Ok(());
        } else if line.ends_with('{') {
            self.open.push(Open::Other);
            return Ok(());
        } else if let Some((left, value)) = line.split_once('=') {
            self.attribute(left.trim(), value)?;
        }
        if line.ends_with('(') {
            self.open.push(Open::About);
        }
        Ok(())
    }

    fn about_layer(&mut self, line: &str) {
        let Some((key, value)) = line.split_once('=') else { return };
        let number = || value.trim().parse::<f64>().ok().filter(|value| (1e-9..=1e9).contains(value));
        match key.trim() {
            "metersPerUnit" => self.unit = number().unwrap_or(self.unit),
            "timeCodesPerSecond" => self.codes = number().unwrap_or(self.codes),
            "upAxis" => self.z_up = value.contains('Z'),
            _ => {}
        }
    }

    /// The currently open mesh.
    fn mesh(&mut self) -> Option<&mut MeshPrim> {
        self.open
            .iter_mut()
            .rev()
            .find_map(|open| match open {
                Open::Prim { kind, mesh, .. } => Some((kind, mesh)),
                _ => None,
            })
            .filter(|(kind, _)| *kind == "Mesh")
            .map(|(_, mesh)| mesh.as_mut())
    }

    fn attribute(&mut self, left: &str, value: &str) -> Result<(), Wrong> {
        let mut words = left.rsplit(' ');
        let name = words.next().unwrap_or_default();
        let kind = words.next().unwrap_or_default();
        if name == "xformOpOrder"
            && value.contains('"')
            && let Some(Open::Prim { placed, .. }) = self.open.last_mut()
        {
            *placed = true;
        }
        let Some(mesh) = self.mesh() else { return Ok(()) };
        match name {
            "faceVertexCounts" => mesh.counts = numbers(value)?,
            "faceVertexIndices" => mesh.corners = numbers(value)?,
            "points" => mesh.points = points(value)?,
            "orientation" => mesh.left_handed = value.contains("leftHanded"),
            _ if kind == "texCoord2f[]" && mesh.st.is_none() => mesh.st = Some((name.to_string(), numbers(value)?)),
            _ => {
                if let (Some((st, _)), Some(of)) = (&mesh.st, name.strip_suffix(":indices"))
                    && st == of
                {
                    mesh.st_indices = Some(numbers(value)?);
                }
            }
        }
        Ok(())
    }

    /// Ends a prim.
    fn close(&mut self) {
        let above = self.open.iter().any(|open| matches!(open, Open::Prim { placed: true, .. }));
        let Some(Open::Prim { kind, mesh, .. }) = self.open.pop() else { return };
        let odd = match kind.as_str() {
            "Mesh" if !above => {
                self.meshes.push(*mesh);
                return;
            }
            "Mesh" => format!("`{}`, which is placed by a transform,", mesh.name),
            kind if SILENT.contains(&kind) => return,
            kind => format!("`{}` ({kind})", mesh.name),
        };
        if self.notes.len() < MOST_PROBLEMS {
            self.notes.push(Note::NotRead { what: odd });
        }
    }

    fn finish(self) -> Result<(FileMesh, Recorded), Wrong> {
        let Self { unit, z_up, codes, meshes, notes, .. } = self;
        if meshes.is_empty() {
            return Err(wrong("there is no Mesh that can be read: transforms and references must be baked first"));
        }
        let times = meshes.iter().find(|mesh| mesh.samples.len() > 1).map(|mesh| times(&mesh.samples));
        let times =
            times.unwrap_or_else(|| meshes.iter().find_map(|m| m.samples.first()).map_or(vec![0.0], |s| vec![s.0]));
        if let Some(pair) = times.windows(2).find(|pair| pair[1] <= pair[0]) {
            return Err(Wrong::TimeNotRising { time: pair[1], previous: pair[0] });
        }
        let place = |p: Vec3| {
            let p = if unit == 1.0 { p } else { p * unit };
            if z_up { Vec3::new(p.x, p.z, -p.y) } else { p }
        };
        let mut all = FileMesh { notes, ..FileMesh::default() };
        let mut frames = vec![Vec::new(); times.len()];
        let mut uv = Some(Vec::new());
        for mesh in meshes {
            let first = all.positions.len();
            let count = mesh.samples.first().map_or(mesh.points.len(), |(_, points)| points.len());
            if (first + count) as u64 > MAX_VERTICES {
                return Err(Wrong::TooManyVertices { count: (first + count) as u64, limit: MAX_VERTICES });
            }
            if mesh.samples.len() > 1 && self::times(&mesh.samples) != times {
                return Err(wrong(format!("`{}` has samples at other times than the mesh before it", mesh.name)));
            }
            for (k, frame) in frames.iter_mut().enumerate() {
                let x = match mesh.samples.as_slice() {
                    [] => &mesh.points,
                    [(_, one)] => one,
                    many => &many[k].1,
                };
                if x.len() != count {
                    return Err(Wrong::VertexCount { found: x.len(), needed: count });
                }
                frame.extend(x.iter().map(|p| place(*p)));
            }
            all.positions = frames[0].clone();
            add_faces(&mut all, &mut uv, &mesh, first, count)?;
        }
        all.uv = uv;
        if all.triangles.is_empty() {
            return Err(Wrong::NoFaces);
        }
        mesh::cut(&all.positions, &mut all.triangles, all.uv.as_deref_mut(), &all.polygons, &mut all.notes);
        let times = times.into_iter().map(|code| code / codes).collect();
        Ok((all, Recorded { times, frames, fps: Some(codes), rest: None }))
    }
}

fn times(samples: &[(f64, Vec<Vec3>)]) -> Vec<f64> {
    samples.iter().map(|(code, _)| *code).collect()
}

/// Adds the faces of a mesh as fans, with uv if it has them.
fn add_faces(
    all: &mut FileMesh,
    uv: &mut Option<Vec<[[f64; 2]; 3]>>,
    mesh: &MeshPrim,
    first: usize,
    count: usize,
) -> Result<(), Wrong> {
    let begin = all.triangles.len();
    let corners = mesh.corners.len();
    let st = mesh.st.as_ref().map(|(_, values)| values.as_chunks::<2>().0);
    // per corner, or per vertex; with or without indices
    let st_at = |corner: usize, vertex: usize| {
        let st = st?;
        let by = |i: usize| match &mesh.st_indices {
            Some(indices) => indices.get(i).map(|&i| i as usize),
            None => Some(i),
        };
        let length = mesh.st_indices.as_ref().map_or(st.len(), Vec::len);
        let index = if length == corners { by(corner) } else { by(vertex) };
        st.get(index?).copied()
    };
    let mut at = 0usize;
    for &n in &mesh.counts {
        let n = n as usize;
        if n < 3 {
            return Err(Wrong::TooFewCorners { found: n });
        }
        let face = at.checked_add(n).and_then(|end| mesh.corners.get(at..end));
        let face = face.ok_or(Wrong::TooFewValues { found: corners })?;
        if let Some(&v) = face.iter().find(|&&v| v < 0.0 || v >= count as f64) {
            return Err(Wrong::NoSuch { of: "vertex", index: v as i64, count });
        }
        let (mut fan, mut places): (Vec<u32>, Vec<usize>) =
            (face.iter().map(|&v| v as u32).collect(), (at..at + n).collect());
        if mesh.left_handed {
            fan.reverse();
            places.reverse();
        }
        let mut sorted = fan.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Wrong::RepeatedVertex { vertex: pair[0] as usize });
        }
        if n > 3 {
            all.polygons.push(Polygon { first: all.triangles.len(), corners: n });
        }
        for i in 1..n - 1 {
            let three = [0, i, i + 1];
            all.triangles.push(three.map(|i| fan[i] + first as u32));
            let [a, b, c] = three.map(|i| st_at(places[i], fan[i] as usize));
            match (uv.as_mut(), a, b, c) {
                (Some(list), Some(a), Some(b), Some(c)) => list.push([a, b, c]),
                _ => *uv = None,
            }
        }
        at += n;
    }
    if all.triangles.len() > begin {
        all.parts.push(Part { name: mesh.name.clone(), triangles: begin..all.triangles.len() });
    }
    Ok(())
}

/// All numbers of a list, ignoring brackets.
fn numbers(text: &str) -> Result<Vec<f64>, Wrong> {
    let words = text.split(['[', ']', '(', ')', ',', ' ', ';']).filter(|word| !word.is_empty());
    words
        .map(|word| match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(Wrong::NotFinite { text: text::shown(word.as_bytes()) }),
            Err(_) => Err(Wrong::NotANumber { text: text::shown(word.as_bytes()) }),
        })
        .collect()
}

fn points(text: &str) -> Result<Vec<Vec3>, Wrong> {
    let values = numbers(text)?;
    if let Some(far) = values.iter().find(|value| value.abs() > FARTHEST) {
        return Err(Wrong::TooFar { text: far.to_string() });
    }
    if !values.len().is_multiple_of(3) {
        return Err(wrong(format!("points have {} numbers, not three each", values.len())));
    }
    Ok(values.as_chunks::<3>().0.iter().map(|p| Vec3::from_array(*p)).collect())
}

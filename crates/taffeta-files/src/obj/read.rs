//! Reading OBJ.

use crate::mesh::{self, FileMesh, Note, Part, Polygon};
use crate::problem::{Collector, MOST_PROBLEMS, Problems, ReadError};
use crate::text::{self, hopeless, number, shown};
use crate::wrong::Wrong;
use std::path::Path;
use taffeta::{MAX_VERTICES, Vec3};

/// Keywords that do not affect the shape of a mesh.
const SILENT: [&[u8]; 9] = [b"vn", b"vp", b"mtllib", b"usemap", b"maplib", b"s", b"mg", b"bevel", b"lod"];

/// Reads a mesh from a file.
pub fn read(path: &Path) -> Result<FileMesh, ReadError> {
    text::read_with(path, parse)
}

/// Reads only the vertices of a file, for first positions and rest shapes. There must be `vertices` of them.
pub fn read_positions(path: &Path, vertices: usize) -> Result<Vec<Vec3>, ReadError> {
    text::read_with(path, |bytes| parse_positions(bytes, vertices))
}

/// As [`read_positions`], from memory.
pub fn parse_positions(bytes: &[u8], vertices: usize) -> Result<Vec<Vec3>, Problems> {
    let mut problems = Collector::default();
    let positions = vertices_of(bytes, &mut problems);
    if !positions.is_empty() && positions.len() != vertices {
        problems.add(None, Wrong::VertexCount { found: positions.len(), needed: vertices });
    }
    problems.finish(positions)
}

/// Reads only the vertices from memory, however many there are.
pub fn parse_vertices(bytes: &[u8]) -> Result<Vec<Vec3>, Problems> {
    let mut problems = Collector::default();
    let positions = vertices_of(bytes, &mut problems);
    problems.finish(positions)
}

fn vertices_of(bytes: &[u8], problems: &mut Collector) -> Vec<Vec3> {
    let mut positions = Vec::new();
    if let Some(wrong) = hopeless(bytes) {
        problems.add(None, wrong);
        return positions;
    }
    let mut tokens = Vec::new();
    for line in logical_lines(bytes) {
        line.split(&mut tokens);
        if let Some((&b"v", values)) = tokens.split_first() {
            positions.push(vertex(line.number, values, problems));
        }
    }
    if positions.is_empty() {
        problems.add(None, Wrong::NoVertices);
    }
    positions
}

/// Reads a mesh from memory. All errors are reported at once.
pub fn parse(bytes: &[u8]) -> Result<FileMesh, Problems> {
    let mut problems = Collector::default();
    let mut reader = Reader::default();
    if let Some(wrong) = hopeless(bytes) {
        problems.add(None, wrong);
        return problems.finish(FileMesh::default());
    }

    // faces may refer to later vertices, so vertices are counted first
    let mut tokens = Vec::new();
    for line in logical_lines(bytes) {
        match line.keyword() {
            b"v" => reader.vertex_count += 1,
            b"vt" => reader.uv_count += 1,
            _ => {}
        }
    }
    if reader.vertex_count as u64 > MAX_VERTICES {
        problems.add(None, Wrong::TooManyVertices { count: reader.vertex_count as u64, limit: MAX_VERTICES });
        return problems.finish(FileMesh::default());
    }
    for line in logical_lines(bytes) {
        line.split(&mut tokens);
        if let Some((keyword, values)) = tokens.split_first() {
            reader.line(line.number, keyword, values, &mut problems);
        }
    }

    // missing vertices or faces are reported only if nothing else is wrong
    if problems.is_empty() && reader.positions.is_empty() {
        problems.add(None, Wrong::NoVertices);
    } else if problems.is_empty() && reader.triangles.is_empty() {
        problems.add(None, Wrong::NoFaces);
    }
    if !problems.is_empty() {
        return problems.finish(FileMesh::default());
    }
    Ok(reader.mesh())
}

#[derive(Default)]
struct Reader {
    vertex_count: usize,
    uv_count: usize,
    positions: Vec<Vec3>,
    texture: Vec<[f64; 2]>,
    triangles: Vec<[u32; 3]>,
    /// Indices into `texture`, parallel to `triangles` as long as every face has them.
    uv: Vec<[u32; 3]>,
    faces_with_uv: usize,
    faces_without_uv: usize,
    first_without_uv: usize,
    notes: Vec<Note>,
    polygons: Vec<Polygon>,
    /// Each part ends where the next begins.
    parts: Vec<Part>,
    groups: Vec<Part>,
    /// First triangle and names of the current object, groups and material.
    open: [(usize, Vec<String>); 3],
    /// Scratch buffer of a face.
    corners: Vec<(u32, Option<u32>)>,
    sorted: Vec<u32>,
}

impl Reader {
    fn line(&mut self, line: usize, keyword: &[u8], values: &[&[u8]], problems: &mut Collector) {
        match keyword {
            b"v" => self.positions.push(vertex(line, values, problems)),
            b"vt" => self.texture.push(texture(line, values, problems)),
            b"f" | b"fo" => self.face(line, values, problems),
            b"o" => {
                self.begin_group(0, &[&values.join(&b' ')]);
                self.begin_part(values);
            }
            b"g" => {
                // faces can be in several groups
                self.begin_group(1, values);
                self.begin_part(values);
            }
            b"usemtl" => self.begin_group(2, &[&values.join(&b' ')]),
            _ if SILENT.contains(&keyword) => {}
            _ if keyword[0].is_ascii_alphabetic() && keyword.iter().all(|b| b.is_ascii_graphic()) => {
                let keyword = shown(keyword);
                let known = |n: &Note| matches!(n, Note::Skipped { keyword: k, .. } if *k == keyword);
                if self.notes.len() < MOST_PROBLEMS && !self.notes.iter().any(known) {
                    self.notes.push(Note::Skipped { line, keyword });
                }
            }
            _ => problems.add(line, Wrong::NotObj { text: shown(keyword) }),
        }
    }

    fn face(&mut self, line: usize, tokens: &[&[u8]], problems: &mut Collector) {
        if tokens.len() < 3 {
            return problems.add(line, Wrong::TooFewCorners { found: tokens.len() });
        }
        self.corners.clear();
        for token in tokens {
            match self.corner(token) {
                Ok(corner) => self.corners.push(corner),
                Err(wrong) => return problems.add(line, wrong),
            }
        }

        // sorted, because a face may have a million corners and comparing all pairs would take too long
        self.sorted.clear();
        self.sorted.extend(self.corners.iter().map(|c| c.0));
        self.sorted.sort_unstable();
        if let Some(pair) = self.sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return problems.add(line, Wrong::RepeatedVertex { vertex: pair[0] as usize + 1 });
        }

        let has_uv = self.corners.iter().all(|c| c.1.is_some());
        if has_uv {
            self.faces_with_uv += 1;
        } else {
            self.faces_without_uv += 1;
            self.first_without_uv = if self.faces_without_uv == 1 { line } else { self.first_without_uv };
        }
        if self.corners.len() > 3 {
            self.polygons.push(Polygon { first: self.triangles.len(), corners: self.corners.len() });
        }
        let first = self.corners[0];
        for pair in self.corners[1..].windows(2) {
            self.triangles.push([first.0, pair[0].0, pair[1].0]);
            if let ([Some(a), Some(b), Some(c)], 0) = ([first.1, pair[0].1, pair[1].1], self.faces_without_uv) {
                self.uv.push([a, b, c]);
            }
        }
    }

    /// Vertex and texture coordinate of a corner `v`, `v/vt`, `v/vt/vn` or `v//vn`, counted from 0.
    fn corner(&self, token: &[u8]) -> Result<(u32, Option<u32>), Wrong> {
        let bad = || Wrong::BadCorner { text: shown(token) };
        let integer = |part: &[u8]| std::str::from_utf8(part).ok().and_then(|s| s.parse::<i64>().ok()).ok_or_else(bad);
        let mut parts = token.split(|&b| b == b'/');
        let v = integer(parts.next().unwrap_or_default())?;
        let uv = parts.next().filter(|part| !part.is_empty()).map(integer).transpose()?;
        // normals are not used, but an invalid corner must be refused
        parts.next().filter(|part| !part.is_empty()).map(integer).transpose()?;
        if parts.next().is_some() {
            return Err(bad());
        }
        let v = index("vertex", v, self.positions.len(), self.vertex_count)?;
        let uv = uv.map(|uv| index("texture coordinate", uv, self.texture.len(), self.uv_count)).transpose()?;
        Ok((v, uv))
    }

    /// Sets the names of the following faces, for one kind: object, group or material.
    fn begin_group(&mut self, kind: usize, names: &[&[u8]]) {
        let here = self.triangles.len();
        let (begin, open) = std::mem::take(&mut self.open[kind]);
        if begin < here {
            self.groups.extend(open.into_iter().map(|name| Part { name, triangles: begin..here }));
        }
        let name = |name: &&[u8]| String::from_utf8_lossy(name).into_owned();
        self.open[kind] = (here, names.iter().map(name).collect());
    }

    /// Assigns the following faces to another object or group.
    fn begin_part(&mut self, words: &[&[u8]]) {
        self.end_part();
        let name = String::from_utf8_lossy(&words.join(&b' ')).into_owned();
        let here = self.triangles.len();
        match self.parts.last_mut() {
            // no faces yet: `o` and `g` often come together, and the last one is the most specific
            Some(part) if part.triangles.is_empty() => part.name = name,
            _ => self.parts.push(Part { name, triangles: here..here }),
        }
    }

    fn end_part(&mut self) {
        let here = self.triangles.len();
        match self.parts.last_mut() {
            Some(part) => part.triangles.end = here,
            // faces before the first name
            None if here > 0 => self.parts.push(Part { name: String::new(), triangles: 0..here }),
            None => {}
        }
    }

    fn mesh(mut self) -> FileMesh {
        self.end_part();
        (0..self.open.len()).for_each(|kind| self.begin_group(kind, &[]));
        self.parts.retain(|part| !part.triangles.is_empty());
        let (with, without) = (self.faces_with_uv, self.faces_without_uv);
        if with > 0 && without > 0 {
            self.notes.insert(0, Note::SomeUv { with, without, line: self.first_without_uv });
        }
        let corners = |t: &[u32; 3]| t.map(|i| self.texture.get(i as usize).copied().unwrap_or_default());
        let mut uv: Option<Vec<_>> = (with > 0 && without == 0).then(|| self.uv.iter().map(corners).collect());
        mesh::cut(&self.positions, &mut self.triangles, uv.as_deref_mut(), &self.polygons, &mut self.notes);
        FileMesh {
            positions: self.positions,
            triangles: self.triangles,
            uv,
            parts: self.parts,
            groups: self.groups,
            polygons: self.polygons,
            notes: self.notes,
        }
    }
}

/// Converts an index to count from 0. Positive ones count from the start of the file, negative ones back from `so_far`.
fn index(of: &'static str, given: i64, so_far: usize, count: usize) -> Result<u32, Wrong> {
    let from_zero = match given {
        0 => return Err(Wrong::ZeroIndex { of }),
        1.. => given - 1,
        // there are at most 200 million vertices: the sum cannot overflow
        _ => (so_far as i64).saturating_add(given),
    };
    match usize::try_from(from_zero) {
        // more texture coordinates than fit 32 bits are out of range as well
        Ok(i) if i < count => u32::try_from(i).map_err(|_| Wrong::IndexOutOfRange { of, index: given, count }),
        _ => Err(Wrong::IndexOutOfRange { of, index: given, count }),
    }
}

/// Reads a position. Invalid ones are kept as well, so that the numbers of the others stay right.
fn vertex(line: usize, values: &[&[u8]], problems: &mut Collector) -> Vec3 {
    Vec3::from_array(numbers(line, "v", values, 3, problems))
}

fn texture(line: usize, values: &[&[u8]], problems: &mut Collector) -> [f64; 2] {
    // `vt u` alone is allowed and means v = 0
    numbers(line, "vt", values, 1, problems)
}

/// The first N numbers of a line, of which `needed` are required. Further numbers (weights, colours) are ignored.
fn numbers<const N: usize>(
    line: usize,
    keyword: &str,
    tokens: &[&[u8]],
    needed: usize,
    problems: &mut Collector,
) -> [f64; N] {
    let mut values = [0.0; N];
    if tokens.len() < needed {
        problems.add(line, Wrong::TooFewNumbers { keyword: keyword.into(), found: tokens.len(), needed });
        return values;
    }
    for (value, token) in values.iter_mut().zip(tokens) {
        match number(token) {
            Ok(number) => *value = number,
            Err(wrong) => problems.add(line, wrong),
        }
    }
    values
}

/// A line joined with its continuation lines (a `\` at the end), and the number of the first.
struct LogicalLine<'a> {
    number: usize,
    first: &'a [u8],
    more: Vec<&'a [u8]>,
}

impl<'a> LogicalLine<'a> {
    fn tokens(&self) -> impl Iterator<Item = &'a [u8]> {
        let parts = std::iter::once(self.first).chain(self.more.iter().copied());
        parts.flat_map(|p| p.split(u8::is_ascii_whitespace)).filter(|t| !t.is_empty()).take_while(|t| t[0] != b'#')
    }

    fn split(&self, tokens: &mut Vec<&'a [u8]>) {
        tokens.clear();
        tokens.extend(self.tokens());
    }

    fn keyword(&self) -> &'a [u8] {
        self.tokens().next().unwrap_or_default()
    }
}

fn logical_lines(bytes: &[u8]) -> impl Iterator<Item = LogicalLine<'_>> {
    let mut lines = text::lines(bytes);
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut line = LogicalLine { number, first, more: Vec::new() };
        // a comment may end with the backslash of a path
        if first.trim_ascii_start().starts_with(b"#") {
            return Some(line);
        }
        let mut last = first;
        let mut stripped = last.trim_ascii_end().strip_suffix(b"\\");
        line.first = stripped.unwrap_or(first);
        while stripped.is_some() {
            let Some((_, next)) = lines.next() else { break };
            last = next;
            stripped = last.trim_ascii_end().strip_suffix(b"\\");
            line.more.push(stripped.unwrap_or(last));
        }
        Some(line)
    })
}

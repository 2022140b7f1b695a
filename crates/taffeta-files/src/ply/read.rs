//! Reading PLY.

use super::header::{Element, Header, Property};
use super::values::{Values, place};
use crate::mesh::{self, FileMesh, Note, Part, Polygon};
use crate::problem::{Collector, Problems};
use crate::wrong::Wrong;
use taffeta::{MAX_VERTICES, Vec3};

/// Reads a mesh from memory. Errors have the number of the element and its line or byte.
pub fn parse(bytes: &[u8]) -> Result<FileMesh, Problems> {
    let header = Header::parse(bytes)?;
    let mut reader = Reader::default();
    let mut problems = Collector::default();
    let mut values = Values::new(&header, bytes);
    for element in &header.elements {
        // an element without properties takes no space, however many there are
        if element.properties.is_empty() {
            continue;
        }
        if reader.element(&header, element, &mut values, &mut problems).is_err() {
            break;
        }
    }
    if problems.is_empty() && reader.mesh.positions.is_empty() {
        problems.add(None, Wrong::Header { what: "there is no element `vertex` with x, y and z".into() });
    } else if problems.is_empty() && reader.mesh.triangles.is_empty() {
        problems.add(None, Wrong::Header { what: "there are no faces (element `face` with `vertex_indices`)".into() });
    }
    if !problems.is_empty() {
        return problems.finish(FileMesh::default());
    }
    // faces may come before the vertices
    for (number, (vertex, at)) in reader.largest.into_iter().enumerate() {
        if vertex as usize >= reader.mesh.positions.len() {
            let index = i64::from(vertex);
            let wrong = Wrong::NoSuch { of: "vertex", index, count: reader.mesh.positions.len() };
            problems.add_place(at, Wrong::In { of: "face", number: number as u64, wrong: Box::new(wrong) });
        }
    }
    reader.largest = Vec::new();
    if problems.is_empty() { Ok(reader.mesh()) } else { problems.finish(FileMesh::default()) }
}

/// Reading the element cannot continue: the values that follow would be misinterpreted.
struct Lost;

#[derive(Default)]
struct Reader {
    mesh: FileMesh,
    vertex_uv: Option<Vec<[f64; 2]>>,
    /// uv of the corners of faces, as long as each face has them.
    face_uv: Vec<[[f64; 2]; 3]>,
    faces_without_uv: usize,
    first_without_uv: usize,
    faces: usize,
    /// The largest vertex of each face, and the place of the face; checked when the vertices are known.
    largest: Vec<(u32, (Option<usize>, usize))>,
    /// Scratch buffer of a face.
    corners: Vec<u32>,
    texture: Vec<f64>,
    sorted: Vec<u32>,
}

impl Reader {
    fn element(
        &mut self,
        header: &Header,
        element: &Element,
        values: &mut Values,
        problems: &mut Collector,
    ) -> Result<(), Lost> {
        // compare with the bytes available before anything is allocated
        let needed = element.count.saturating_mul(element.least_size(header.encoding));
        let found = values.left() as u64;
        if needed > found.saturating_add(1) {
            let what = format!("{} elements `{}`", element.count, element.name);
            problems.add_place(values.place(), Wrong::CutOff { what, needed, found });
            return Err(Lost);
        }
        let roles: Vec<Role> = element.properties.iter().map(|p| Role::of(&element.name, p)).collect();
        match element.name.as_str() {
            "vertex" => {
                if element.count > MAX_VERTICES {
                    problems.add(None, Wrong::TooManyVertices { count: element.count, limit: MAX_VERTICES });
                    return Err(Lost);
                }
                if [Role::Axis(0), Role::Axis(1), Role::Axis(2)].iter().any(|axis| !roles.contains(axis)) {
                    problems.add(None, Wrong::Header { what: "the vertices have no x, y and z".into() });
                    return Err(Lost);
                }
                self.mesh.positions.reserve(element.count as usize);
                if roles.contains(&Role::Texture(0)) && roles.contains(&Role::Texture(1)) {
                    self.vertex_uv = Some(Vec::with_capacity(element.count as usize));
                }
            }
            "face" if !roles.contains(&Role::Corners) => {
                problems.add(None, Wrong::Header { what: "the faces have no list `vertex_indices`".into() });
                return Err(Lost);
            }
            "face" => {}
            other => self.mesh.notes.push(Note::NotRead { what: format!("element `{other}`") }),
        }
        for number in 0..element.count {
            let at = values.place();
            let result = self.one(element, &roles, values);
            if let Err((wrong, lost)) = result {
                let of = match element.name.as_str() {
                    "vertex" => "vertex",
                    "face" => "face",
                    _ => "element",
                };
                // a text element has a line of its own, known once the element has begun
                let at = if at.0.is_some() { values.place() } else { at };
                problems.add_place(at, Wrong::In { of, number, wrong: Box::new(wrong) });
                if lost || problems.is_full() {
                    return Err(Lost);
                }
            }
        }
        Ok(())
    }

    /// Reads one element. The error tells whether the place of the next is unknown.
    fn one(&mut self, element: &Element, roles: &[Role], values: &mut Values) -> Result<(), (Wrong, bool)> {
        values.begin().map_err(|wrong| (wrong, true))?;
        let binary = values.place().0.is_none();
        let lost = |wrong: Wrong| (wrong, binary);
        let (mut p, mut uv, mut wrong) = ([0.0; 3], [0.0; 2], None);
        self.corners.clear();
        self.texture.clear();
        for (property, role) in element.properties.iter().zip(roles) {
            let count = match property.count {
                Some(kind) => values.count(kind, property.number).map_err(lost)?,
                None => 1,
            };
            match role {
                Role::Skip => values.skip(property.number, count).map_err(lost)?,
                Role::Axis(axis) => {
                    let value = values.number(property.number).map_err(lost)?;
                    place(value).map_or_else(|w| wrong = Some(w), |value| p[*axis] = value);
                }
                Role::Texture(axis) => {
                    let value = values.number(property.number).map_err(lost)?;
                    place(value).map_or_else(|w| wrong = Some(w), |value| uv[*axis] = value);
                }
                Role::Corners => {
                    for _ in 0..count {
                        let value = values.number(property.number).map_err(lost)?;
                        let whole = value.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&value);
                        if !whole {
                            let (index, count) = (value as i64, self.mesh.positions.len());
                            wrong = Some(Wrong::NoSuch { of: "vertex", index, count });
                        }
                        self.corners.push(value as u32);
                    }
                }
                Role::FaceTexture => {
                    for _ in 0..count {
                        let value = values.number(property.number).map_err(lost)?;
                        place(value).map_or_else(|w| wrong = Some(w), |value| self.texture.push(value));
                    }
                }
            }
        }
        values.end().map_err(lost)?;
        if element.name == "vertex" {
            self.mesh.positions.push(Vec3::from_array(p));
            self.vertex_uv.iter_mut().for_each(|list| list.push(uv));
        }
        match wrong {
            Some(wrong) => Err((wrong, false)),
            None if element.name == "face" => self.face(values).map_err(|wrong| (wrong, false)),
            None => Ok(()),
        }
    }

    fn face(&mut self, values: &Values) -> Result<(), Wrong> {
        let face = self.faces;
        self.faces += 1;
        let n = self.corners.len();
        if n < 3 {
            return Err(Wrong::TooFewCorners { found: n });
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.corners);
        self.sorted.sort_unstable();
        if let Some(pair) = self.sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Wrong::RepeatedVertex { vertex: pair[0] as usize });
        }
        self.largest.push((self.sorted[n - 1], values.place()));
        if n > 3 {
            self.mesh.polygons.push(Polygon { first: self.mesh.triangles.len(), corners: n });
        }
        let has_uv = self.texture.len() == 2 * n;
        if !has_uv {
            self.first_without_uv = if self.faces_without_uv == 0 { face } else { self.first_without_uv };
            self.faces_without_uv += 1;
        }
        for i in 1..n - 1 {
            let corners = [0, i, i + 1];
            self.mesh.triangles.push(corners.map(|c| self.corners[c]));
            if has_uv && self.faces_without_uv == 0 {
                self.face_uv.push(corners.map(|c| [self.texture[2 * c], self.texture[2 * c + 1]]));
            }
        }
        Ok(())
    }

    fn mesh(mut self) -> FileMesh {
        let mut mesh = self.mesh;
        let some = self.faces_without_uv > 0 && self.faces_without_uv < self.faces;
        if let Some(uv) = self.vertex_uv.take() {
            mesh.uv = Some(mesh.triangles.iter().map(|t| t.map(|v| uv[v as usize])).collect());
        } else if self.faces_without_uv == 0 {
            mesh.uv = Some(self.face_uv);
        } else if some {
            let (face, count) = (self.first_without_uv, self.faces_without_uv);
            let what = format!("what texture coordinates there are ({count} faces have none, the first is {face})");
            mesh.notes.push(Note::NotRead { what });
        }
        mesh::cut(&mesh.positions, &mut mesh.triangles, mesh.uv.as_deref_mut(), &mesh.polygons, &mut mesh.notes);
        mesh.parts = vec![Part { name: String::new(), triangles: 0..mesh.triangles.len() }];
        mesh
    }
}

/// What a property is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Axis(usize),
    Texture(usize),
    Corners,
    FaceTexture,
    Skip,
}

impl Role {
    fn of(element: &str, property: &Property) -> Self {
        match (element, property.name.as_str(), property.count.is_some()) {
            ("vertex", "x", false) => Role::Axis(0),
            ("vertex", "y", false) => Role::Axis(1),
            ("vertex", "z", false) => Role::Axis(2),
            ("vertex", "s" | "u" | "texture_u", false) => Role::Texture(0),
            ("vertex", "t" | "v" | "texture_v", false) => Role::Texture(1),
            ("face", "vertex_indices" | "vertex_index", true) => Role::Corners,
            ("face", "texcoord", true) => Role::FaceTexture,
            _ => Role::Skip,
        }
    }
}

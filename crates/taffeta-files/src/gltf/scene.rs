//! Nodes and skins: positions at any time.

use super::animation::{Animation, What, unit};
use super::container::{Contents, Load};
use super::document::Node;
use super::shape::{self, Shape, Target};
use super::{bad, get};
use crate::mesh::{FileMesh, Note, Part};
use crate::problem::{Collector, Problems};
use crate::similar::nearest;
use crate::wrong::{FARTHEST, Wrong};
use taffeta::glam::{DMat4, DQuat};
use taffeta::{MAX_VERTICES, Vec3};

/// All triangles of a glTF file and their motion.
#[derive(Clone, Debug)]
pub struct Scene {
    mesh: FileMesh,
    shapes: Vec<Shape>,
    pieces: Vec<Piece>,
    nodes: Vec<Pose>,
    /// Node indices, parents before children.
    order: Vec<usize>,
    parents: Vec<Option<usize>>,
    skins: Vec<Skin>,
    animations: Vec<Animation>,
}

/// A shape at a node.
#[derive(Clone, Debug)]
struct Piece {
    shape: usize,
    node: usize,
    skin: Option<usize>,
}

/// A node's transform and weights.
#[derive(Clone, Debug, Default)]
struct Pose {
    matrix: Option<DMat4>,
    translation: Vec3,
    rotation: DQuat,
    scale: Vec3,
    weights: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Skin {
    joints: Vec<usize>,
    inverse_bind: Vec<DMat4>,
}

impl Pose {
    fn of(node: &Node, place: &str) -> Result<Self, Wrong> {
        let numbers = [
            node.matrix.as_ref().map(|m| m.as_slice()),
            node.translation.as_ref().map(|t| t.as_slice()),
            node.rotation.as_ref().map(|r| r.as_slice()),
            node.scale.as_ref().map(|s| s.as_slice()),
            node.weights.as_deref(),
        ];
        if numbers.into_iter().flatten().flatten().any(|value| value.abs() > FARTHEST) {
            return Err(bad(place, "a number of its transform is out of all measure"));
        }
        Ok(Self {
            matrix: node.matrix.map(|m| DMat4::from_cols_array(&m)),
            translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
            rotation: node.rotation.map_or(DQuat::IDENTITY, unit),
            scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
            weights: node.weights.clone().unwrap_or_default(),
        })
    }

    fn local(&self) -> DMat4 {
        let built = || DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation);
        self.matrix.unwrap_or_else(built)
    }
}

/// Reads a scene from memory; `load` returns the bytes of files that it needs beside it.
pub fn parse(bytes: &[u8], load: Load) -> Result<Scene, Problems> {
    let contents = Contents::parse(bytes, load)?;
    Scene::build(&contents).or_else(|wrong| Collector::one(None, wrong))
}

impl Scene {
    /// The mesh in its first pose, before any animation. Each node with triangles is a part.
    pub fn mesh(&self) -> FileMesh {
        self.mesh.clone()
    }

    /// Names and lengths (s) of the animations.
    pub fn animations(&self) -> Vec<(String, f64)> {
        self.animations.iter().map(|animation| (animation.name.clone(), animation.duration())).collect()
    }

    /// A frame rate that hits every key of an animation and is high enough to show the motion between keys.
    pub(crate) fn rate(&self, animation: usize) -> f64 {
        /// The rate of films.
        const LEAST: f64 = 24.0;
        /// Keys closer than this are not one per frame.
        const MOST: f64 = 240.0;
        let mut times: Vec<f64> = self.animations[animation].times().collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-5);
        match crate::moving::rate_of(&times) {
            rate if rate > MOST => LEAST,
            // one key per frame, if the keys are dense enough
            rate if rate >= 10.0 => rate,
            rate => rate * (LEAST / rate).ceil(),
        }
    }

    /// The index of an animation by its name; without a name the first, if there is one.
    pub fn animation(&self, name: Option<&str>) -> Result<Option<usize>, Wrong> {
        let Some(name) = name else { return Ok((!self.animations.is_empty()).then_some(0)) };
        let found = self.animations.iter().position(|animation| animation.name == name);
        found.map(Some).ok_or_else(|| Wrong::NoAnimation {
            name: name.to_string(),
            meant: nearest(name, self.animations.iter().map(|a| a.name.as_str())).map(str::to_string),
            names: self.animations.iter().map(|animation| animation.name.clone()).collect(),
        })
    }

    /// Positions of all vertices at a time (s) of an animation, or in the pose without animation.
    ///
    /// # Panics
    /// If there is no such animation.
    pub fn sample(&self, animation: Option<usize>, time: f64, x: &mut Vec<Vec3>) {
        // transforms of the nodes
        let mut nodes = self.nodes.clone();
        for channel in animation.iter().flat_map(|&index| &self.animations[index].channels) {
            let pose = &mut nodes[channel.node];
            match channel.what {
                What::Weights => channel.weights(time, &mut pose.weights),
                What::Translation => pose.translation = channel.vector(time),
                What::Scale => pose.scale = channel.vector(time),
                What::Rotation => pose.rotation = channel.rotation(time),
            }
            if channel.what != What::Weights {
                // an animated node has no matrix; glTF 2.0, 3.5.3
                pose.matrix = None;
            }
        }
        let mut world = vec![DMat4::IDENTITY; nodes.len()];
        for &node in &self.order {
            let local = nodes[node].local();
            world[node] = self.parents[node].map_or(local, |parent| world[parent] * local);
        }

        // positions of the vertices
        x.clear();
        for piece in &self.pieces {
            let shape = &self.shapes[piece.shape];
            let begin = x.len();
            x.extend_from_slice(&shape.positions);
            let x = &mut x[begin..];
            for (target, &weight) in shape.targets.iter().zip(&nodes[piece.node].weights) {
                match target {
                    _ if weight == 0.0 => {}
                    Target::All(moves) => {
                        x.iter_mut().zip(moves).for_each(|(p, m)| *p += weight * Vec3::from_array(*m));
                    }
                    Target::Few(moves) => {
                        moves.iter().for_each(|(i, m)| x[*i as usize] += weight * Vec3::from_array(*m));
                    }
                }
            }
            match piece.skin.map(|skin| &self.skins[skin]) {
                Some(skin) => skin.bend(shape, &world, x),
                None => x.iter_mut().for_each(|p| *p = world[piece.node].transform_point3(*p)),
            }
        }
    }

    fn build(contents: &Contents) -> Result<Self, Wrong> {
        let document = &contents.document;
        let mut notes = Vec::new();
        let (order, parents) = tree(&document.nodes)?;
        let mut nodes = Vec::with_capacity(document.nodes.len());
        for (i, node) in document.nodes.iter().enumerate() {
            let mut pose = Pose::of(node, &format!("nodes[{i}]"))?;
            let mesh = node.mesh.and_then(|mesh| document.meshes.get(mesh));
            if let (Some(mesh), true) = (mesh, pose.weights.is_empty()) {
                pose.weights = mesh.weights.clone().unwrap_or_default();
            }
            nodes.push(pose);
        }
        let skins = (0..document.skins.len()).map(|i| Skin::load(contents, i)).collect::<Result<Vec<_>, _>>()?;

        // visible nodes: each mesh is read once, and each node with a mesh is a part
        let mut shown = vec![false; document.nodes.len()];
        let roots = match document.scenes.is_empty() {
            false => get(&document.scenes, "scene", document.scene.unwrap_or(0), "scene")?.nodes.clone(),
            true => (0..nodes.len()).filter(|&node| parents[node].is_none()).collect(),
        };
        for root in roots {
            *shown.get_mut(root).ok_or_else(|| bad("scenes", format!("node {root} does not exist")))? = true;
        }
        order.iter().for_each(|&node| shown[node] |= parents[node].is_some_and(|parent| shown[parent]));
        let mut scene = Self {
            mesh: FileMesh::default(),
            shapes: Vec::new(),
            pieces: Vec::new(),
            nodes,
            order,
            parents,
            skins,
            animations: Vec::new(),
        };
        let mut loaded: Vec<Option<std::ops::Range<usize>>> = vec![None; document.meshes.len()];
        for (i, node) in document.nodes.iter().enumerate().filter(|(i, _)| shown[*i]) {
            let Some(mesh) = node.mesh else { continue };
            get(&document.meshes, "mesh", mesh, format!("nodes[{i}]"))?;
            if loaded[mesh].is_none() {
                let begin = scene.shapes.len();
                scene.shapes.extend(shape::load(contents, mesh, &mut notes)?);
                loaded[mesh] = Some(begin..scene.shapes.len());
            }
            let shapes = loaded[mesh].clone().unwrap_or_default();
            scene.add_part(contents, i, shapes)?;
        }
        if scene.mesh.triangles.is_empty() {
            return Err(bad("scene", "it shows no triangles"));
        }
        let targets = |node: usize| {
            let mesh = document.nodes[node].mesh.and_then(|mesh| document.meshes.get(mesh));
            mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len())
        };
        for i in 0..document.animations.len() {
            scene.animations.push(Animation::load(contents, i, targets, &mut notes)?);
        }
        scene.finish(notes)
    }

    fn add_part(&mut self, contents: &Contents, node: usize, shapes: std::ops::Range<usize>) -> Result<(), Wrong> {
        let entry = &contents.document.nodes[node];
        let begin = self.mesh.triangles.len();
        for index in shapes {
            let shape = &self.shapes[index];
            let skin = entry.skin.filter(|_| !shape.influences.is_empty());
            if let Some(skin) = skin {
                let joints = get(&self.skins, "skin", skin, format!("nodes[{node}]"))?.joints.len();
                if shape.largest_joint as usize >= joints {
                    let what = format!("a vertex has joint {}, and skin {skin} has {joints}", shape.largest_joint);
                    return Err(bad(format!("nodes[{node}]"), what));
                }
            }
            contents.charge(3 * (shape.positions.len() + 3 * shape.triangles.len()))?;
            let first = self.mesh.positions.len() as u32;
            let count = self.mesh.positions.len() + shape.positions.len();
            if count as u64 > MAX_VERTICES {
                return Err(Wrong::TooManyVertices { count: count as u64, limit: MAX_VERTICES });
            }
            let at = self.mesh.triangles.len();
            for (triangles, material) in &shape.materials {
                let name = contents.document.materials.get(*material).and_then(|material| material.name.clone());
                let triangles = at + triangles.start..at + triangles.end;
                self.mesh.groups.extend(name.map(|name| Part { name, triangles }));
            }
            self.mesh.positions.extend_from_slice(&shape.positions);
            self.mesh.triangles.extend(shape.triangles.iter().map(|t| t.map(|v| v + first)));
            self.pieces.push(Piece { shape: index, node, skin });
        }
        let mesh = entry.mesh.and_then(|mesh| contents.document.meshes.get(mesh));
        let name = entry.name.clone().or_else(|| mesh?.name.clone()).unwrap_or_default();
        let triangles = begin..self.mesh.triangles.len();
        if !triangles.is_empty() {
            let names = [Some(&name), mesh.and_then(|mesh| mesh.name.as_ref()).filter(|other| **other != name)];
            let group = |name: &String| Part { name: name.clone(), triangles: triangles.clone() };
            self.mesh.groups.extend(names.into_iter().flatten().map(group));
            self.mesh.parts.push(Part { name, triangles });
        }
        Ok(())
    }

    /// Checks the first pose, keeps uv if all pieces have them, and flips mirrored parts.
    fn finish(mut self, mut notes: Vec<Note>) -> Result<Self, Wrong> {
        let mut x = Vec::new();
        self.sample(None, 0.0, &mut x);
        if let Some(vertex) = x.iter().position(|p| p.is_nan() || p.abs().max_element() > FARTHEST) {
            let wrong = Wrong::TooFar { text: x[vertex].to_string() };
            return Err(Wrong::In { of: "vertex", number: vertex as u64, wrong: Box::new(wrong) });
        }
        self.mesh.positions = x;
        let mut world = vec![DMat4::IDENTITY; self.nodes.len()];
        for &node in &self.order {
            let local = self.nodes[node].local();
            world[node] = self.parents[node].map_or(local, |parent| world[parent] * local);
        }
        let mut at = 0;
        let mut all_uv = Vec::new();
        let mut without = None;
        for piece in &self.pieces {
            let shape = &self.shapes[piece.shape];
            let range = at..at + shape.triangles.len();
            let mirrored = piece.skin.is_none() && world[piece.node].determinant() < 0.0;
            match &shape.uv {
                Some(uv) => all_uv.extend(shape.triangles.iter().map(|t| {
                    let [a, b, c] = t.map(|v| uv[v as usize]);
                    if mirrored { [a, c, b] } else { [a, b, c] }
                })),
                None => without = without.or(Some(range.start)),
            }
            if mirrored {
                self.mesh.triangles[range.clone()].iter_mut().for_each(|t| t.swap(1, 2));
            }
            at = range.end;
        }
        match without {
            None => self.mesh.uv = Some(all_uv),
            Some(triangle) if !all_uv.is_empty() => {
                let part = self.mesh.parts.iter().find(|part| part.triangles.contains(&triangle));
                notes.push(Note::PartWithoutUv { part: part.map(|part| part.name.clone()).unwrap_or_default() });
            }
            Some(_) => {}
        }
        notes.truncate(crate::MOST_PROBLEMS);
        self.mesh.notes = notes;
        Ok(self)
    }
}

impl Skin {
    fn load(contents: &Contents, index: usize) -> Result<Self, Wrong> {
        let entry = &contents.document.skins[index];
        let place = format!("skins[{index}]");
        for &joint in &entry.joints {
            get(&contents.document.nodes, "node", joint, &place)?;
        }
        let inverse_bind: Vec<DMat4> = match entry.inverse_bind_matrices {
            Some(matrices) => {
                let rows = contents.elements::<16>(matrices, "MAT4", "inverse bind matrices")?;
                rows.iter().map(DMat4::from_cols_array).collect()
            }
            None => vec![DMat4::IDENTITY; entry.joints.len()],
        };
        if inverse_bind.len() < entry.joints.len() {
            let (found, needed) = (inverse_bind.len(), entry.joints.len());
            return Err(bad(place, format!("{found} inverse bind matrices are given for {needed} joints")));
        }
        Ok(Self { joints: entry.joints.clone(), inverse_bind })
    }

    /// Linear blend skinning; the node's own transform is ignored (glTF 2.0, 3.7.3.3).
    fn bend(&self, shape: &Shape, world: &[DMat4], x: &mut [Vec3]) {
        let joints: Vec<DMat4> = self.joints.iter().zip(&self.inverse_bind).map(|(&j, b)| world[j] * *b).collect();
        for (v, p) in x.iter_mut().enumerate() {
            let all = shape.influences.iter().flat_map(|set| set.joints[v].into_iter().zip(set.weights[v]));
            let (mut sum, mut total) = (Vec3::ZERO, 0.0);
            for (joint, weight) in all.filter(|(_, weight)| *weight != 0.0) {
                sum += weight * joints[joint as usize].transform_point3(*p);
                total += weight;
            }
            // reduced or rounded weights do not always add up to 1
            let alone =
                || shape.influences.first().map_or(*p, |set| joints[set.joints[v][0] as usize].transform_point3(*p));
            *p = if total > 0.0 { sum / total } else { alone() };
        }
    }
}

/// Nodes with parents before children, and the parent of each.
fn tree(nodes: &[Node]) -> Result<(Vec<usize>, Vec<Option<usize>>), Wrong> {
    let mut parents = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let place = format!("nodes[{i}].children");
            let count = nodes.len();
            let slot: &mut Option<usize> = parents
                .get_mut(child)
                .ok_or_else(|| bad(&place, format!("node {child} does not exist: there are {count}")))?;
            if let Some(other) = slot.replace(i) {
                return Err(bad(place, format!("node {child} is a child of node {other} already")));
            }
        }
    }
    let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| parents[node].is_none()).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        order.extend_from_slice(&nodes[node].children);
        next += 1;
    }
    if order.len() < nodes.len() {
        let mut reached = vec![false; nodes.len()];
        order.iter().for_each(|&node| reached[node] = true);
        let lost = reached.iter().position(|reached| !reached).unwrap_or_default();
        return Err(bad(format!("nodes[{lost}]"), "it is its own ancestor"));
    }
    Ok((order, parents))
}

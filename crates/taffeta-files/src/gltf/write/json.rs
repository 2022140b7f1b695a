//! The JSON of a GLB file.

use super::layout::{Bounds, Layout};
use crate::export::Stage;
use crate::usd::{COLOURS, GREY};
use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const TRIANGLES: u32 = 34963;

/// Lists whose entries refer to each other by index.
#[derive(Default)]
struct Lists {
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// Number of bytes that already have a view.
    at: u64,
}

impl Lists {
    /// Adds a view of the next bytes.
    fn view(&mut self, size: u64, stride: Option<u32>, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.at, "byteLength": size });
        stride.iter().for_each(|stride| view["byteStride"] = json!(stride));
        target.iter().for_each(|target| view["target"] = json!(target));
        self.at += size;
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, view: usize, offset: u64, component: u32, count: usize, kind: &str) -> usize {
        self.accessors.push(json!({
            "bufferView": view, "byteOffset": offset, "componentType": component, "count": count, "type": kind,
        }));
        self.accessors.len() - 1
    }

    fn bounded(&mut self, view: usize, offset: u64, count: usize, bounds: &Bounds) -> usize {
        let index = self.accessor(view, offset, FLOAT, count, "VEC3");
        // exact: every f32 is an f64
        self.accessors[index]["min"] = json!(bounds.low.map(f64::from));
        self.accessors[index]["max"] = json!(bounds.high.map(f64::from));
        index
    }
}

impl Layout {
    /// The document, padded with spaces to a multiple of four bytes.
    pub fn json(&self, stage: &Stage) -> String {
        let mut lists = Lists::default();
        let (mut meshes, mut nodes, mut materials) = (Vec::new(), Vec::new(), Vec::new());
        self.cloths(&mut lists, &mut meshes, &mut nodes, &mut materials);
        self.bodies(&mut lists, &mut meshes, &mut nodes, &mut materials);
        let animations = self.animations(&mut lists);

        let children: Vec<usize> = (0..nodes.len()).collect();
        let root = nodes.len();
        nodes.push(json!({ "name": stage.name, "children": children }));
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "Taffeta" },
            "scene": 0,
            "scenes": [{ "name": stage.name, "nodes": [root] }],
            "nodes": nodes,
            "meshes": meshes,
            "materials": materials,
            "accessors": lists.accessors,
            "bufferViews": lists.views,
            "buffers": [{ "byteLength": self.size() }],
        });
        if let Some(animations) = animations {
            document["animations"] = json!([animations]);
        }
        let mut text = document.to_string();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        text
    }

    fn cloths(&self, lists: &mut Lists, meshes: &mut Vec<Value>, nodes: &mut Vec<Value>, materials: &mut Vec<Value>) {
        let [triangles, uv] = self.fixed_sizes();
        let triangles_view = lists.view(triangles, None, Some(TRIANGLES));
        let uv_view = (uv > 0).then(|| lists.view(uv, Some(8), Some(VERTICES)));
        let frames_view = lists.view(self.frames as u64 * self.frame_size(), Some(12), Some(VERTICES));
        let normals_at = 12 * self.vertices() as u64;
        let (mut triangle_at, mut uv_at, mut vertex_at) = (0, 0, 0);
        for (i, cloth) in self.cloths.iter().enumerate() {
            let count = cloth.split.sources.len();
            let indices = 3 * cloth.split.triangles.len();
            let indices = lists.accessor(triangles_view, triangle_at, UNSIGNED, indices, "SCALAR");
            let of_frame = |lists: &mut Lists, frame: usize| {
                let at = frame as u64 * self.frame_size() + vertex_at;
                let bounds = &self.bounds[frame * self.cloths.len() + i];
                let mut attributes = json!({ "POSITION": lists.bounded(frames_view, at, count, bounds) });
                if self.normals {
                    attributes["NORMAL"] = json!(lists.accessor(frames_view, at + normals_at, FLOAT, count, "VEC3"));
                }
                attributes
            };
            let mut attributes = of_frame(lists, 0);
            let targets: Vec<Value> = (1..self.frames).map(|frame| of_frame(lists, frame)).collect();
            if let (Some(view), false) = (uv_view, cloth.split.uv.is_empty()) {
                attributes["TEXCOORD_0"] = json!(lists.accessor(view, uv_at, FLOAT, count, "VEC2"));
            }
            let mut primitive = json!({ "attributes": attributes, "indices": indices, "material": materials.len() });
            let mut mesh = json!({ "name": cloth.name });
            if !targets.is_empty() {
                primitive["targets"] = json!(targets);
                mesh["weights"] = json!(vec![0; targets.len()]);
                let names: Vec<String> = self.times[1..].iter().map(|time| format!("{time:.4} s")).collect();
                mesh["extras"] = json!({ "targetNames": names });
            }
            mesh["primitives"] = json!([primitive]);
            let colour = if cloth.is_body { GREY } else { COLOURS[i % COLOURS.len()] };
            materials.push(material(&cloth.name, colour));
            nodes.push(json!({ "name": cloth.name, "mesh": meshes.len() }));
            meshes.push(mesh);
            triangle_at += 12 * cloth.split.triangles.len() as u64;
            uv_at += 8 * cloth.split.uv.len() as u64;
            vertex_at += 12 * count as u64;
        }
    }

    fn bodies(&self, lists: &mut Lists, meshes: &mut Vec<Value>, nodes: &mut Vec<Value>, materials: &mut Vec<Value>) {
        for body in &self.bodies {
            let [positions, normals, triangles] = Self::body_sizes(body);
            let count = body.positions.len();
            let view = lists.view(positions, Some(12), Some(VERTICES));
            let position = lists.bounded(view, 0, count, &Bounds::of(body.positions.iter().copied()));
            let view = lists.view(normals, Some(12), Some(VERTICES));
            let normal = lists.accessor(view, 0, FLOAT, count, "VEC3");
            let view = lists.view(triangles, None, Some(TRIANGLES));
            let indices = lists.accessor(view, 0, UNSIGNED, 3 * body.triangles.len(), "SCALAR");
            let attributes = json!({ "POSITION": position, "NORMAL": normal });
            let primitive = json!({ "attributes": attributes, "indices": indices, "material": materials.len() });
            materials.push(material(&body.name, GREY));
            let (at, turn) = body.pose;
            nodes.push(json!({ "name": body.name, "mesh": meshes.len(), "translation": at, "rotation": turn }));
            meshes.push(json!({ "name": body.name, "primitives": [primitive] }));
        }
    }

    fn animations(&self, lists: &mut Lists) -> Option<Value> {
        if self.frames < 2 {
            return None;
        }
        let [times, weights, places, turns] = self.animation_sizes();
        let view = lists.view(times, None, None);
        let input = lists.accessor(view, 0, FLOAT, self.frames, "SCALAR");
        lists.accessors[input]["min"] = json!([f64::from(self.times[0])]);
        lists.accessors[input]["max"] = json!([f64::from(self.times[self.frames - 1])]);
        let view = lists.view(weights, None, None);
        let output = lists.accessor(view, 0, FLOAT, self.frames * self.targets(), "SCALAR");
        let mut samplers = vec![json!({ "input": input, "output": output, "interpolation": "LINEAR" })];
        let mut channels: Vec<Value> = (0..self.cloths.len())
            .map(|node| json!({ "sampler": 0, "target": { "node": node, "path": "weights" } }))
            .collect();
        let moving: Vec<usize> = (0..self.bodies.len()).filter(|&i| self.bodies[i].moves).collect();
        for (path, size, kind, row) in [("translation", places, "VEC3", 12), ("rotation", turns, "VEC4", 16)] {
            if moving.is_empty() {
                break;
            }
            let view = lists.view(size, None, None);
            for (k, body) in moving.iter().enumerate() {
                let at = (k * self.frames * row) as u64;
                let output = lists.accessor(view, at, FLOAT, self.frames, kind);
                let node = self.cloths.len() + body;
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        Some(json!({ "name": "run", "samplers": samplers, "channels": channels }))
    }
}

fn material(name: &str, [r, g, b]: [f32; 3]) -> Value {
    json!({
        "name": name,
        "doubleSided": true,
        "pbrMetallicRoughness": {
            "baseColorFactor": [f64::from(r), f64::from(g), f64::from(b), 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.9,
        },
    })
}

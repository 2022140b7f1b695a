//! Files made by hand, for several tests.
#![allow(dead_code)]

use serde_json::{Value, json};

/// A deterministic stream of numbers (Knuth's MMIX generator).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// A glTF document in the making: accessors get their data here.
pub struct Gltf {
    pub json: Value,
    pub data: Vec<u8>,
}

impl Default for Gltf {
    fn default() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0, "name": "thing" }],
            "meshes": [{ "primitives": [] }],
            "accessors": [],
            "bufferViews": [],
        });
        Self { json, data: Vec::new() }
    }
}

impl Gltf {
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.data.len().is_multiple_of(4) {
            self.data.push(0);
        }
        let view = json!({ "buffer": 0, "byteOffset": self.data.len(), "byteLength": bytes.len() });
        self.data.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = ["SCALAR", "", "VEC2", "VEC3", "VEC4"].iter().position(|k| *k == kind).unwrap_or(16).max(1);
        let width = if kind == "SCALAR" { 1 } else { width };
        let view = self.view(&values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
        let count = values.len() / width;
        self.push("accessors", json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind }))
    }

    pub fn shorts(&mut self, kind: &str, count: usize, values: &[u16]) -> usize {
        let view = self.view(&values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
        self.push("accessors", json!({ "bufferView": view, "componentType": 5123, "count": count, "type": kind }))
    }

    pub fn primitive(&mut self, primitive: Value) {
        self.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.data.len() }]);
        let mut text = json.to_string().into_bytes();
        while !text.len().is_multiple_of(4) {
            text.push(b' ');
        }
        let mut data = self.data.clone();
        while !data.len().is_multiple_of(4) {
            data.push(0);
        }
        let mut file = b"glTF".to_vec();
        for n in [2, 12 + 8 + text.len() + 8 + data.len(), text.len()] {
            file.extend_from_slice(&(n as u32).to_le_bytes());
        }
        file.extend_from_slice(b"JSON");
        file.extend_from_slice(&text);
        file.extend_from_slice(&(data.len() as u32).to_le_bytes());
        file.extend_from_slice(b"BIN\0");
        file.extend_from_slice(&data);
        file
    }

    /// As text, with the buffer named or inside.
    pub fn text(&self, uri: Option<&str>) -> Vec<u8> {
        let mut json = self.json.clone();
        let inside = format!("data:application/octet-stream;base64,{}", base64(&self.data));
        json["buffers"] = json!([{ "byteLength": self.data.len(), "uri": uri.unwrap_or(&inside) }]);
        serde_json::to_vec_pretty(&json).unwrap()
    }
}

pub fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let b = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from(b[0]) << 16 | u32::from(b[1]) << 8 | u32::from(b[2]);
        for i in 0..4 {
            let letter = letters[(bits >> (18 - 6 * i) & 63) as usize] as char;
            text.push(if i > chunk.len() { '=' } else { letter });
        }
    }
    text
}

/// Two triangles, skinned by two joints, with a morph target, a sparse one and an animation of everything.
pub fn puppet() -> Gltf {
    let mut g = Gltf::default();
    let position = g.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    let uv = g.floats("VEC2", &[0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let indices = g.shorts("SCALAR", 6, &[0, 1, 2, 0, 2, 3]);
    let joints = g.shorts("VEC4", 4, &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    let weights = g.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
    let target = g.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let few_at = g.view(&[3, 0]);
    let few = g.view(&[1.0f32, 0.0, 0.0].map(f32::to_le_bytes).concat());
    let sparse = g.push(
        "accessors",
        json!({ "componentType": 5126, "count": 4, "type": "VEC3", "sparse": { "count": 1,
            "indices": { "bufferView": few_at, "componentType": 5123 }, "values": { "bufferView": few } } }),
    );
    g.primitive(json!({
        "attributes": { "POSITION": position, "TEXCOORD_0": uv, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "indices": indices,
        "targets": [{ "POSITION": target }, { "POSITION": sparse }],
    }));
    g.json["nodes"] = json!([
        { "mesh": 0, "skin": 0, "name": "thing", "translation": [100, 0, 0] },
        { "name": "hip", "children": [2] },
        { "name": "knee", "translation": [0, 1, 0] },
    ]);
    g.json["scenes"][0]["nodes"] = json!([0, 1]);
    // the knee is at (0, 1, 0) when bound
    let bind = g.floats(
        "MAT4",
        &[
            [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.],
            [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -1., 0., 1.],
        ]
        .concat(),
    );
    g.json["skins"] = json!([{ "joints": [1, 2], "inverseBindMatrices": bind }]);
    let times = g.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns = g.floats("VEC4", &[0., 0., 0., 1., 0., 0., half, half, 0., 0., half, half]);
    let moves = g.floats("VEC3", &[0., 0., 0., 2., 0., 0., 2., 0., 4.]);
    let fade = g.floats("SCALAR", &[0., 0., 1., 0., 0., 1.]);
    g.json["animations"] = json!([
        { "name": "bend", "samplers": [{ "input": times, "output": turns }],
          "channels": [{ "sampler": 0, "target": { "node": 2, "path": "rotation" } }] },
        { "name": "walk", "samplers": [{ "input": times, "output": moves }],
          "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }] },
        { "name": "jump", "samplers": [{ "input": times, "output": moves, "interpolation": "STEP" }],
          "channels": [{ "sampler": 0, "target": { "node": 1, "path": "translation" } }] },
        { "name": "morph", "samplers": [{ "input": times, "output": fade }],
          "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }] },
    ]);
    g
}

//! A skinned mesh made by hand: a strip of two bones that bends at its knee, or walks.

/// The text of a glTF file with a separate buffer, or with the unnamed buffer of a GLB file.
pub fn json(uri: Option<&str>) -> String {
    let uri = uri.map_or(String::new(), |uri| format!("\"uri\": \"{uri}\", "));
    let view = |at: usize, size: usize| format!("{{ \"buffer\": 0, \"byteOffset\": {at}, \"byteLength\": {size} }}");
    let views = [(0, 48), (48, 12), (60, 16), (76, 64), (140, 128), (268, 8), (276, 32), (308, 8), (316, 24)];
    let views: Vec<String> = views.into_iter().map(|(at, size)| view(at, size)).collect();
    let accessor = |(i, (kind, component, count)): (usize, &(&str, u32, u32))| {
        format!("{{ \"bufferView\": {i}, \"componentType\": {component}, \"count\": {count}, \"type\": \"{kind}\" }}")
    };
    let accessors = [
        ("VEC3", 5126, 4),
        ("SCALAR", 5123, 6),
        ("VEC4", 5121, 4),
        ("VEC4", 5126, 4),
        ("MAT4", 5126, 2),
        ("SCALAR", 5126, 2),
        ("VEC4", 5126, 2),
        ("SCALAR", 5126, 2),
        ("VEC3", 5126, 2),
    ];
    let accessors: Vec<String> = accessors.iter().enumerate().map(accessor).collect();
    format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "scenes": [{{ "nodes": [0, 1] }}],
  "nodes": [{{ "mesh": 0, "skin": 0, "name": "strip" }}, {{ "children": [2] }}, {{ "translation": [0, 1, 0] }}],
  "meshes": [{{
    "primitives": [{{ "attributes": {{ "POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3 }}, "indices": 1 }}]
  }}],
  "skins": [{{ "joints": [1, 2], "inverseBindMatrices": 4 }}],
  "animations": [
    {{ "name": "bend", "samplers": [{{ "input": 5, "output": 6 }}],
       "channels": [{{ "sampler": 0, "target": {{ "node": 2, "path": "rotation" }} }}] }},
    {{ "name": "walk", "samplers": [{{ "input": 7, "output": 8 }}],
       "channels": [{{ "sampler": 0, "target": {{ "node": 1, "path": "translation" }} }}] }}],
  "buffers": [{{ {uri}"byteLength": 340 }}],
  "bufferViews": [{}], "accessors": [{}] }}"#,
        views.join(", "),
        accessors.join(", ")
    )
}

/// The contents of its buffer.
pub fn data() -> Vec<u8> {
    let mut bytes = Vec::new();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let floats = |bytes: &mut Vec<u8>, values: &[f32]| values.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    floats(&mut bytes, &[0., 0., 0., 1., 0., 0., 0., 2., 0., 1., 2., 0.]);
    [0u16, 1, 3, 0, 3, 2].iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    // the first two vertices are bound to the hip, the third to the knee, the last to both
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]);
    floats(&mut bytes, &[1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 0.5, 0.5, 0., 0.]);
    floats(&mut bytes, &[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]);
    floats(&mut bytes, &[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -1., 0., 1.]);
    floats(&mut bytes, &[0., 1.]);
    floats(&mut bytes, &[0., 0., 0., 1., 0., 0., half, half]);
    floats(&mut bytes, &[0., 2.]);
    floats(&mut bytes, &[0., 0., 0., 4., 0., 0.]);
    bytes
}

/// Text and buffer in one GLB file.
pub fn glb() -> Vec<u8> {
    let (mut json, data) = (json(None), data());
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let mut file = b"glTF".to_vec();
    for n in [2, 12 + 8 + json.len() + 8 + data.len(), json.len()] {
        file.extend((n as u32).to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(data);
    file
}

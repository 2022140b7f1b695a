//! PLY in: text and both binary kinds, made by hand.

use taffeta::Vec3;
use taffeta_files::{Wrong, mesh::Note, ply};

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Little,
    Big,
}

/// A square with uv, colours, an edge list and a quad, in each encoding.
fn square(kind: Kind) -> Vec<u8> {
    let (name, end) = match kind {
        Kind::Text => ("ascii", "\n"),
        Kind::Little => ("binary_little_endian", "\n"),
        Kind::Big => ("binary_big_endian", "\r\n"),
    };
    let header = [
        "ply",
        &format!("format {name} 1.0"),
        "comment made by hand",
        "element vertex 5",
        "property float x",
        "property double y",
        "property float32 z",
        "property uchar red",
        "property float s",
        "property float t",
        "element edge 1",
        "property int vertex1",
        "property int vertex2",
        "element face 2",
        "property uchar flags",
        "property list uchar uint vertex_indices",
        "property list uint8 short other",
        "end_header",
    ];
    let mut file = (header.join(end) + end).into_bytes();
    let vertices = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [0.0, 1.0, 0.5], [0.5, 2.0, 0.5]];
    let faces: [&[u32]; 2] = [&[0, 1, 2, 3], &[3, 2, 4]];
    let mut text = String::new();
    let mut put = |b: &[u8]| match kind {
        Kind::Big => file.extend(b.iter().rev()),
        _ => file.extend(b),
    };
    for [x, y, z] in vertices {
        text += &format!("{x} {y} {z} 200 {x} {y}\n");
        put(&(x as f32).to_le_bytes());
        put(&f64::to_le_bytes(y));
        put(&(z as f32).to_le_bytes());
        put(&[200]);
        put(&(x as f32).to_le_bytes());
        put(&(y as f32).to_le_bytes());
    }
    text += "0 1\n\n";
    put(&0i32.to_le_bytes());
    put(&1i32.to_le_bytes());
    for face in faces {
        text += &format!("7 {}", face.len());
        put(&[7]);
        put(&[face.len() as u8]);
        for v in face {
            text += &format!(" {v}");
            put(&v.to_le_bytes());
        }
        text += " 2 -1 -2\n";
        put(&[2]);
        put(&(-1i16).to_le_bytes());
        put(&(-2i16).to_le_bytes());
    }
    if let Kind::Text = kind {
        file.extend(text.as_bytes());
    }
    file
}

#[test]
fn text_and_both_binary_kinds_are_the_same_mesh() {
    for kind in [Kind::Text, Kind::Little, Kind::Big] {
        let mut file = square(kind);
        if let Kind::Text = kind {
            // only the text follows its header
            let at = file.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
            let begin = file.windows(11).rposition(|w| w == b"0 0 0.5 200").unwrap();
            file.drain(at..begin);
        }
        let mesh = ply::parse(&file).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(mesh.positions.len(), 5);
        assert_eq!(mesh.positions[4], Vec3::new(0.5, 2.0, 0.5));
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 4]]);
        assert_eq!(mesh.uv.as_ref().unwrap()[2], [[0.0, 1.0], [1.0, 1.0], [0.5, 2.0]]);
        assert_eq!(mesh.notes, [Note::NotRead { what: "element `edge`".into() }]);
        assert_eq!((0..3).map(|t| mesh.face_of(t)).collect::<Vec<_>>(), [0, 0, 1]);
    }
}

const TRIANGLE: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n\
    3 0 1 2\n";

#[test]
fn faces_can_have_their_own_uv_and_come_before_the_vertices() {
    let text = "ply\nformat ascii 1.0\nelement face 2\nproperty list uchar int vertex_index\n\
        property list uchar float texcoord\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        end_header\n3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 5 0 6 1 5 1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
    let mesh = ply::parse(text.as_bytes()).unwrap();
    assert_eq!(mesh.uv.unwrap(), [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [[5.0, 0.0], [6.0, 1.0], [5.0, 1.0]]]);
    let some = text.replace("6 5 0 6 1 5 1", "0");
    let mesh = ply::parse(some.as_bytes()).unwrap();
    assert_eq!((mesh.uv, mesh.notes.len()), (None, 1));
    let wrong = ply::parse(text.replace("3 0 2 3 6", "3 0 2 4 6").as_bytes()).unwrap_err();
    assert_eq!(wrong.to_string(), "line 12: face 1: vertex 4 does not exist: there are 4, counted from 0");
}

#[test]
fn what_is_wrong_is_said_with_element_and_line() {
    assert_eq!(ply::parse(TRIANGLE.as_bytes()).unwrap().triangles, [[0, 1, 2]]);
    for (from, to, expected) in [
        ("ply\n", "plx\n", "this is not a PLY file"),
        ("ascii 1.0", "ascii 2.0", "line 2: the format `ascii 2.0` is not known"),
        ("format ascii 1.0\n", "", "the header has no line `format`"),
        ("end_header", "end", "line 9: `end` is no line of a PLY header"),
        ("vertex 3", "vertex three", "line 3: `three` is not a number of elements"),
        ("vertex 3", "vertex -3", "line 3: `-3` is not a number of elements"),
        ("float x", "real x", "line 4: `real` is not a type of numbers"),
        ("list uchar int", "list float int", "line 8: the number of values in a list must be an integer"),
        ("element vertex 3\n", "", "line 3: a property comes before the first element"),
        ("float x", "float w", "the vertices have no x, y and z"),
        ("vertex_indices", "corners", "the faces have no list `vertex_indices`"),
        ("vertex 3", "vertex 4", "line 13: vertex 3: there are 4 values, and the element has 3"),
        ("vertex 3", "vertex 4000000000", "4000000000 elements `vertex` needs 24000000000 bytes, but"),
        ("1 0 0\n", "1 0\n", "line 11: vertex 1: there are 2 values, and more are needed"),
        ("1 0 0\n", "1 O 0\n", "line 11: vertex 1: `O` is not a number"),
        ("1 0 0\n", "1 nan 0\n", "line 11: vertex 1: `NaN` is not finite"),
        ("1 0 0\n", "1 1e12 0\n", "line 11: vertex 1: `1000000000000` is farther away"),
        ("3 0 1 2", "2 0 1", "line 13: face 0: a face has 2 corners"),
        ("3 0 1 2", "3 0 1 3", "line 13: face 0: vertex 3 does not exist: there are 3"),
        ("3 0 1 2", "3 0 1 -1", "line 13: face 0: vertex -1 does not exist"),
        ("3 0 1 2", "3 0 1 1.5", "line 13: face 0: vertex 1 does not exist"),
        ("3 0 1 2", "3 0 1 1", "line 13: face 0: the face uses vertex 1 twice"),
        ("3 0 1 2", "9 0 1 2", "line 13: face 0: there are 4 values"),
        ("3 0 1 2", "-1", "line 13: face 0: a list has -1 values"),
        ("3 0 1 2\n", "", "1 elements `face`"),
        ("face 1", "face 0", "there are no faces"),
        ("vertex 3", "vertex 0", "line 10: face 0: there are 3 values, and the element has 1"),
    ] {
        assert!(TRIANGLE.contains(from), "{from}");
        let problems = ply::parse(TRIANGLE.replacen(from, to, 1).as_bytes()).expect_err(to);
        let text = problems.to_string();
        let found =
            text.starts_with(expected) || text.split_once(": ").is_some_and(|(_, rest)| rest.starts_with(expected));
        assert!(found, "{from} -> {to}: {text}");
        assert!(!problems.list[0].help().is_empty());
    }
}

#[test]
fn a_wrong_byte_is_named() {
    let file = square(Kind::Little);
    let end = file.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    let mut broken = file.clone();
    broken[end + 25..end + 29].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let problem = &ply::parse(&broken).unwrap_err().list[0];
    assert_eq!(problem.byte, Some(end as u64 + 25));
    assert_eq!(problem.to_string(), format!("byte {}: vertex 1: `inf` is not finite", end + 25));
    let problem = &ply::parse(&file[..file.len() - 1]).unwrap_err().list[0];
    assert!(matches!(&problem.wrong, Wrong::In { of: "face", number: 1, .. }), "{problem}");
}

#[test]
fn elements_without_properties_and_with_huge_counts_cost_nothing() {
    let text = TRIANGLE.replace("element face", "element nothing 18446744073709551615\nelement face");
    assert_eq!(ply::parse(text.as_bytes()).unwrap().triangles.len(), 1);
}

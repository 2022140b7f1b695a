//! OBJ in and out.

use taffeta::{ClothRange, Vec3};
use taffeta_files::obj::{self, Note, ObjWriter};
use taffeta_files::{MOST_PROBLEMS, ReadError, Surface, Wrong};

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn all_ways_to_write_a_triangle_mean_the_same() {
    let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n";
    for face in [
        "f 1 2 3",
        "f 1// 2// 3//",
        "f 1//1 2//1 3//1",
        "f 1/1 2/2 3/3",
        "f 1/1/1 2/2/1 3/3/1",
        "f -3 -2 -1",
        "f -3/-3/-1 -2/-2/-1 -1/-1/-1",
        "f 1 2 3 # a comment",
        "f 1 \\\n2 \\\n 3",
        "f 1 2 3 \\",
        "\t f\t1  2\t3  ",
        "f 1 2 3\r",
        "o a\ng b c\nusemtl red\ns off\nf 1 2 3",
    ] {
        let text = format!("# C:\\meshes\\\n{vertices}{face}\n");
        for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
            let mesh = obj::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{face}: {e}"));
            assert_eq!(mesh.positions, [Vec3::ZERO, Vec3::X, Vec3::Y], "{face}");
            assert_eq!(mesh.triangles, [[0, 1, 2]], "{face}");
            let with_uv = face.contains("/1") && !face.contains("//") || face.contains("/-3");
            assert_eq!(mesh.uv, with_uv.then(|| vec![[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]), "{face}");
            assert_eq!(mesh.notes, [], "{face}");
        }
    }
}

#[test]
fn faces_may_use_vertices_that_come_later() {
    let mesh = obj::parse(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0").unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
}

#[test]
fn quads_and_polygons_become_fans() {
    let mesh = obj::parse(format!("{SQUARE}v -1 0.5 0\nf 1 2 3 4\nf 1 2 3 4 5\n").as_bytes()).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3], [0, 3, 4]]);
}

#[test]
fn negative_indices_count_back_from_their_line() {
    let mesh = obj::parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf -3 -2 -1\n").unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [3, 4, 5]]);
}

#[test]
fn vertex_weights_and_colours_are_left_alone() {
    let mesh = obj::parse(b"v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nvt 0.5\nf 1/1 2/1 3/1\n").unwrap();
    assert_eq!(mesh.positions[1], Vec3::X);
    assert_eq!(mesh.uv.unwrap()[0][0], [0.5, 0.0]);
}

#[test]
fn texture_coordinates_on_some_faces_only_are_dropped_with_a_note() {
    let mesh = obj::parse(format!("{SQUARE}vt 0 0\nf 1/1 2/1 3/1\nf 1 3 4\nf 1/1 2/1 4/1\n").as_bytes()).unwrap();
    assert_eq!(mesh.uv, None);
    assert_eq!(mesh.notes, [Note::SomeUv { with: 2, without: 1, line: 7 }]);
}

#[test]
fn lines_and_points_are_skipped_with_a_note() {
    let mesh = obj::parse(format!("{SQUARE}f 1 2 3\nl 1 2\nl 2 3\np 1\n").as_bytes()).unwrap();
    let skipped = |line, keyword: &str| Note::Skipped { line, keyword: keyword.into() };
    assert_eq!(mesh.notes, [skipped(6, "l"), skipped(8, "p")]);
}

#[test]
fn names_in_another_encoding_do_no_harm() {
    let mut text = b"# f\xfcr Anf\xe4nger\no T\xfcll\n".to_vec();
    text.extend_from_slice(SQUARE.as_bytes());
    text.extend_from_slice(b"f 1 2 3");
    assert_eq!(obj::parse(&text).unwrap().triangles.len(), 1);
}

#[test]
fn every_malformed_line_is_named() {
    let vertex = |index, count| Wrong::IndexOutOfRange { of: "vertex", index, count };
    let uv = |index, count| Wrong::IndexOutOfRange { of: "texture coordinate", index, count };
    let not_a_number = |text: &str| Wrong::NotANumber { text: text.into() };
    let not_finite = |text: &str| Wrong::NotFinite { text: text.into() };
    let too_far = |text: &str| Wrong::TooFar { text: text.into() };
    let corner = |text: &str| Wrong::BadCorner { text: text.into() };
    let few = |keyword: &str, found, needed| Wrong::TooFewNumbers { keyword: keyword.into(), found, needed };
    let not_obj = |text: &str| Wrong::NotObj { text: text.into() };
    // line 5, after four vertices
    let cases = [
        ("v", few("v", 0, 3)),
        ("v 1", few("v", 1, 3)),
        ("v 1 2", few("v", 2, 3)),
        ("v 1 2 # 3", few("v", 2, 3)),
        ("v 1 2 x", not_a_number("x")),
        ("v 1,5 2 3", not_a_number("1,5")),
        ("v 1 2 0x10", not_a_number("0x10")),
        ("v 1 2 1.2.3", not_a_number("1.2.3")),
        ("v 1 2 --3", not_a_number("--3")),
        ("v 1 2 \u{0663}", not_a_number("\u{0663}")),
        ("v nan 0 0", not_finite("nan")),
        ("v 0 -NaN 0", not_finite("-NaN")),
        ("v 0 inf 0", not_finite("inf")),
        ("v 0 0 -infinity", not_finite("-infinity")),
        ("v 1e999 0 0", not_finite("1e999")),
        ("v 1e300 0 0", too_far("1e300")),
        ("v 0 -2e9 0", too_far("-2e9")),
        ("vt", few("vt", 0, 1)),
        ("vt a 0", not_a_number("a")),
        ("vt 0 nan", not_finite("nan")),
        ("vt 0 1e12", too_far("1e12")),
        ("f", Wrong::TooFewCorners { found: 0 }),
        ("f 1 2", Wrong::TooFewCorners { found: 2 }),
        ("f 1 2 0", Wrong::ZeroIndex { of: "vertex" }),
        ("f 1 2 5", vertex(5, 4)),
        ("f 1 2 -5", vertex(-5, 4)),
        ("f 1 2 9223372036854775807", vertex(i64::MAX, 4)),
        ("f 1 2 -9223372036854775808", vertex(i64::MIN, 4)),
        ("f 1 2 4294967297", vertex(4294967297, 4)),
        ("f 1 2 99999999999999999999", corner("99999999999999999999")),
        ("f 1 2 1.5", corner("1.5")),
        ("f 1 2 three", corner("three")),
        ("f 1 2 /3", corner("/3")),
        ("f 1 2 3/a", corner("3/a")),
        ("f 1 2 3//a", corner("3//a")),
        ("f 1 2 3/1/1/1", corner("3/1/1/1")),
        ("f 1/1 2/1 3/1", uv(1, 0)),
        ("f 1/0 2/0 3/0", Wrong::ZeroIndex { of: "texture coordinate" }),
        ("f 1 1 2", Wrong::RepeatedVertex { vertex: 1 }),
        ("f 1 2 3 4 2", Wrong::RepeatedVertex { vertex: 2 }),
        ("f 1 2 -3", Wrong::RepeatedVertex { vertex: 2 }),
        ("<html>", not_obj("<html>")),
        ("{\"a\": 1}", not_obj("{\"a\":")),
        ("1 2 3", not_obj("1")),
        ("\x01\x02", not_obj("??")),
    ];
    for (line, wrong) in cases {
        let text = format!("{SQUARE}{line}\nf 1 2 3\n");
        let problems = obj::parse(text.as_bytes()).expect_err(line);
        let found: Vec<_> = problems.list.iter().map(|p| (p.line, p.wrong.clone())).collect();
        assert_eq!(found, [(Some(5), wrong)], "{line}");
        assert!(!problems.list[0].help().is_empty(), "{line}");
        assert!(problems.to_string().starts_with("line 5: "), "{problems}");
    }
}

#[test]
fn files_that_are_no_mesh_say_so() {
    for (bytes, wrong) in [
        (&b""[..], Wrong::Empty),
        (b" \n\r\n\t", Wrong::Empty),
        (b"# only a comment\n", Wrong::NoVertices),
        (b"\\", Wrong::NoVertices),
        (b"\\\n\\\n\\", Wrong::NoVertices),
        (b"o name\n", Wrong::NoVertices),
        (b"v 0 0 0\n", Wrong::NoFaces),
        (b"v 0 0 0\0\n", Wrong::Binary),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Wrong::Binary),
        (b"\xff\xfev\0 \0", Wrong::Binary),
    ] {
        let problems = obj::parse(bytes).unwrap_err();
        assert_eq!(problems.list.iter().map(|p| &p.wrong).collect::<Vec<_>>(), [&wrong], "{bytes:?}");
        assert_eq!(problems.list[0].line, None);
    }
}

#[test]
fn a_wrong_vertex_does_not_make_the_faces_wrong_too() {
    let problems = obj::parse(b"v 0 0 0\nv x 0 0\nv 0 1 0\nf 1 2 3\n").unwrap_err();
    assert_eq!(problems.list.len(), 1);
}

#[test]
fn the_first_twenty_problems_are_listed_and_the_rest_counted() {
    let problems = obj::parse("v a b c\n".repeat(10).as_bytes()).unwrap_err();
    assert_eq!((problems.list.len(), problems.more), (MOST_PROBLEMS, 10));
}

#[test]
fn rubbish_neither_panics_nor_hangs() {
    // every mixture of the bytes that mean something to the reader, seeded so that it is always the same
    let alphabet = b"vvtf 0123-/\\\n\r#.e\xff\x01";
    let mut seed = 1u64;
    for length in 0..4000 {
        let mut text = Vec::new();
        for _ in 0..length % 97 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push(alphabet[(seed >> 33) as usize % alphabet.len()]);
        }
        let _ = obj::parse(&text);
        let _ = obj::parse_positions(&text, 3);
        let _ = taffeta_files::csv::parse_motion(&text);
    }
}

#[test]
fn a_face_with_a_million_corners_is_read_in_good_time() {
    let mut text = String::from("f");
    (1..=1_000_000).for_each(|i| text.push_str(&format!(" {i}")));
    text.push('\n');
    text.push_str(&"v 0 0 0\n".repeat(1_000_000));
    assert_eq!(obj::parse(text.as_bytes()).unwrap().triangles.len(), 999_998);
}

#[test]
fn positions_alone_are_read_and_counted() {
    assert_eq!(obj::parse_positions(b"v 1 2 3\nf 9 9 9\nv 4 5 6\n", 2).unwrap()[1], Vec3::new(4.0, 5.0, 6.0));
    let problems = obj::parse_positions(b"v 1 2 3\n", 2).unwrap_err();
    assert_eq!(problems.list[0].wrong, Wrong::VertexCount { found: 1, needed: 2 });
}

#[test]
fn a_missing_file_and_a_folder_are_errors_with_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.obj");
    assert!(matches!(obj::read(&missing), Err(ReadError::Io { path, .. }) if path == missing));
    assert!(matches!(obj::read(folder.path()), Err(ReadError::NotAFile { .. })));
}

#[test]
fn what_is_written_is_read_back_bit_for_bit_with_its_seams() {
    // two cloths; the middle edge of the first is a seam: same vertices, two uv each
    let surface = Surface {
        cloths: vec![
            ClothRange { name: "left\nright".into(), vertices: 0..4, triangles: 0..2 },
            ClothRange { name: "patch".into(), vertices: 4..7, triangles: 2..3 },
        ],
        rest: vec![Vec3::ZERO; 7],
        triangles: vec![[0, 1, 2], [0, 2, 3], [4, 5, 6]],
        uv: vec![
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
            [[5.0, 0.0], [6.0, 1.0], [5.0, 1.0 / 3.0]],
            [[0.1, 0.2], [1e-9, 0.3], [0.7, -0.0]],
        ],
    };
    let x: Vec<Vec3> =
        (0..7).map(|i| Vec3::new(1.0 / (i + 3) as f64, -1e-17 * i as f64, (i as f64 * 1e5).sqrt())).collect();
    let mut bytes = Vec::new();
    ObjWriter::new(&surface).write(&mut bytes, &x).unwrap();
    let mesh = obj::parse(&bytes).unwrap();
    assert_eq!(mesh.positions, x);
    assert_eq!(mesh.triangles, surface.triangles);
    assert_eq!(mesh.uv.unwrap(), surface.uv);
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.lines().filter(|l| l.starts_with("o ")).collect::<Vec<_>>(), ["o left_right", "o patch"]);
    assert_eq!(text.lines().filter(|l| l.starts_with("vt ")).count(), 9);
}

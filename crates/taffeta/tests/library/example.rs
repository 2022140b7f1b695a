//! The examples of the library run.

#[path = "../../examples/ccd_queries.rs"]
#[allow(dead_code)] // its main
mod ccd_queries;
#[path = "../../examples/hand.rs"]
mod hand;
#[path = "../../examples/many.rs"]
mod many;
#[path = "../../examples/sheet.rs"]
mod sheet;

#[test]
fn the_examples_run() {
    sheet::main().unwrap();
    hand::main().unwrap();
    many::main().unwrap();
}

/// Rows of queries: numerators, a denominator for all of them, and the result.
fn queries(all: &[([[i64; 3]; 8], u64, u8)]) -> String {
    let row = |p: &[i64; 3], d: u64, meets: u8| format!("{},{d},{},{d},{},{d},{meets}\n", p[0], p[1], p[2]);
    all.iter().flat_map(|(x, d, meets)| x.iter().map(|p| row(p, *d, *meets))).collect()
}

/// A vertex that falls from 1 to -1 m over a triangle, and beside it; two crossed edges, one of which passes through
/// the other, and stops just before it. Powers of two leave the answers as they are.
fn known() -> [String; 2] {
    let face = |x: i64, to: i64| {
        let corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
        let [a, b, c] = corners;
        [[x, 1, 4], a, b, c, [x, 1, to], a, b, c]
    };
    let edges = |to: i64| {
        let still = [[0, -4, 0], [0, 4, 0]];
        [[-4, 0, 4], [4, 0, 4], still[0], still[1], [-4, 0, to], [4, 0, to], still[0], still[1]]
    };
    let huge = 1 << 62;
    let faces = [(face(1, -4), 4, 1), (face(4, -4), 4, 0), (face(3, -4), huge, 1)];
    [queries(&faces), queries(&[(edges(-4), 1, 1), (edges(1), 4, 0), (edges(0), huge, 1)])]
}

/// A folder for one test, removed with what is in it.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("taffeta-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn queries_of_the_published_format_are_read_and_answered() {
    let folder = Folder::new("queries");
    let [faces, edges] = known();
    // as names of files, and of folders
    folder.write("mine-vertex-face.csv", &faces);
    folder.write("scene/edge-edge/data_0_0.csv", &edges.replace('\n', "\r\n"));
    folder.write("scene/README.md", "no queries");
    let all = ccd_queries::run(&folder.0).unwrap();
    assert_eq!([all.queries, all.meet, all.missed, all.false_alarms], [6, 4, 0, 0], "{all:?}");
    // results are what the file says: a wrong one is counted
    folder.write("mine-vertex-face.csv", &faces.replace(",1\n", ",0\n"));
    assert_eq!(ccd_queries::run(&folder.0).unwrap().false_alarms, 2);
    folder.write("mine-vertex-face.csv", &faces.replace(",0\n", ",1\n"));
    assert_eq!(ccd_queries::run(&folder.0).unwrap().missed, 1);
}

#[test]
fn bad_files_of_queries_are_named_with_their_line() {
    let good = &known()[0];
    for (text, expected) in [
        (good.replacen("4,4,1\n", "4,4\n", 1), "line 1: 7 values"),
        (good.replacen("4,4,1\n", "4,4,2\n", 1), "line 1: the result `2`"),
        (good.replacen("4,4,1\n", "4,0,1\n", 1), "line 1: the denominator 0"),
        (good.replacen("4,4,1\n", "4,3,1\n", 1), "line 1: the denominator 3"),
        (good.replacen("4,4,1\n", "4,-4,1\n", 1), "line 1: the denominator -4"),
        (good.replacen("4,4,1\n", "0.5,4,1\n", 1), "line 1: `0.5`"),
        (good.replacen("4,4,1\n", "nan,4,1\n", 1), "line 1: `nan`"),
        (good.replacen("4,4,1\n", "9007199254740993,4,1\n", 1), "line 1: `9007199254740993`"),
        (good.replacen("4,4,1\n", "4,4,0\n", 1), "line 2: its result differs"),
        (good.lines().take(13).map(|line| format!("{line}\n")).collect(), "line 13: the last query has 5 rows"),
    ] {
        let folder = Folder::new("bad-queries");
        folder.write("vertex-face/bad.csv", &text);
        let error = ccd_queries::run(&folder.0).unwrap_err();
        assert!(error.contains(expected) && error.contains("bad.csv"), "{error}, not {expected}");
    }
    let folder = Folder::new("no-queries");
    assert!(ccd_queries::run(&folder.0).unwrap_err().contains("ends in .csv"));
    folder.write("a.csv", good);
    assert!(ccd_queries::run(&folder.0).unwrap_err().contains("needs `edge-edge` or `vertex-face`"));
    assert!(ccd_queries::run(&folder.0.join("absent")).unwrap_err().contains("absent"));
}

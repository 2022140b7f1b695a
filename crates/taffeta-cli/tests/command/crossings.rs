//! Cloth that passes through cloth is counted and told.

use crate::common::{Place, SMALL};

/// A sheet across another, pinned too.
const ACROSS: &str = r#"
[[cloth]]
name = "across"
grid = { size = [0.6, 0.6], cells = [6, 6] }
fabric = { density = 0.2, stretch = 100.0, shear = 5.0, bend = 1e-5, damping = { stretch = 0.001 } }
place = { at = [0.013, 0.1, 0.0], rotate = [0.0, 70.0, 0.0] }
[[cloth.pin]]
select = { edge = "top" }
"#;

#[test]
fn a_sheet_through_another_is_counted_and_warned_of() {
    let place = Place::new();
    place.write("one.toml", SMALL);
    place.write("two.toml", format!("{SMALL}{ACROSS}"));
    let one = place.done(&["run", "one.toml", "--json"]).json();
    assert_eq!(one["crossings"], 0);
    assert_eq!(place.report("runs/one")["crossings"], 0);

    let two = place.done(&["run", "two.toml"]);
    let pairs = place.report("runs/two")["crossings"].as_u64().unwrap();
    // a line of six edges' length through both sheets
    assert!((6..60).contains(&pairs), "{pairs}");
    for part in ["triangles of the cloth cross others in the last frame", "`cloth-1` crosses `across`"] {
        assert!(two.stderr.contains(part), "{part}: {}", two.stderr);
    }
    let drape = place.done(&["drape", "two.toml", "--json"]).json();
    assert!(drape["crossings"].as_u64().unwrap() > 0, "{drape}");
}

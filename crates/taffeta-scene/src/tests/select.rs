//! Selections: borders, groups of mesh files, every so many.

use super::referred::Folder;
use crate::{Diagnostics, Scene, Source, load};

/// Two adjacent squares, sewn together: `left` and `right`. They differ in material. Group `all` holds both, group
/// `half` only the left one.
const TWO: &str = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\no left\ng half all\nusemtl red\nf 1 2 5 4\n\
    o right\ng all\nusemtl blue\nf 2 3 6 5\n";

fn from_file(name: &str, select: &str) -> Result<Scene, Diagnostics> {
    let text = format!(
        "[[cloth]]\nmesh = \"a.obj\"\nfabric = \"silk\"\n[[cloth.pin]]\nselect = {select}\n[[body]]\nplane = true\n\
            place = {{ at = [0.0, -9.0, 0.0] }}\n"
    );
    load(&Folder::new(name, &[("scene.toml", text.into_bytes()), ("a.obj", TWO.into())]).source(), &[])
}

fn of_shape(shape: &str, select: &str) -> Result<Scene, Diagnostics> {
    let text = format!("[[cloth]]\n{shape}\nfabric = \"silk\"\n[[cloth.pin]]\nselect = {select}\n");
    load(&Source::text("shape", &text, "."), &[])
}

/// Vertices that the only pin holds.
fn held(scene: &Scene) -> Vec<u32> {
    let cloth = &scene.setup.cloths[0];
    cloth.pins[0].select.vertices(&cloth.mesh, &cloth.mesh.rest)
}

#[test]
fn groups_objects_and_materials_of_a_mesh_file_are_selected_by_name() {
    for (name, select, expected) in [
        ("object", "{ group = \"left\" }", &[0, 1, 3, 4][..]),
        ("material", "{ group = \"blue\" }", &[1, 2, 4, 5]),
        ("one of two groups", "{ group = \"half\" }", &[0, 1, 3, 4]),
        ("both", "{ group = \"all\" }", &[0, 1, 2, 3, 4, 5]),
        ("list", "{ group = [\"left\", \"blue\"] }", &[0, 1, 2, 3, 4, 5]),
    ] {
        assert_eq!(held(&from_file(name, select).unwrap()), expected, "{name}");
    }
    let near = from_file("near", "{ group = \"bleu\" }").unwrap_err().to_string();
    assert!(near.contains("no group `bleu`") && near.contains("did you mean \"blue\"?"), "{near}");
    let far = from_file("far", "{ group = [\"left\", \"zzz\"] }").unwrap_err().to_string();
    assert!(far.contains("`all`, `blue`, `half`, `left`, `red` and `right`"), "{far}");
    let none = of_shape("grid = { size = [1, 1], cells = [2, 2] }", "{ group = \"a\" }").unwrap_err().to_string();
    assert!(none.contains("`group` is a name in a mesh file"), "{none}");
}

#[test]
fn borders_are_selected_whole_by_loop_and_by_a_point_near_them() {
    let grid = "grid = { size = [3, 2], cells = [3, 2] }";
    let around = vec![0, 1, 2, 3, 4, 7, 8, 9, 10, 11];
    for select in ["{ border = \"all\" }", "{ border = 0 }", "{ border = { near = [9.0, 0.0, 0.0] } }"] {
        assert_eq!(held(&of_shape(grid, select).unwrap()), around, "{select}");
    }
    let wrong = of_shape(grid, "{ border = 3 }").unwrap().world().unwrap_err().to_string();
    assert!(
        wrong.contains("there is no loop 3 on the border") && wrong.contains("its loops are number 0 (10.000 m)"),
        "{wrong}"
    );
    assert!(of_shape(grid, "{ border = \"top\" }").unwrap_err().to_string().contains("\"all\""));
    assert!(of_shape(grid, "{ border = {} }").unwrap_err().to_string().contains("add near = [0.0, 1.4, 0.1]"));
}

#[test]
fn every_so_many_vertices_are_counted_along_sides_and_loops() {
    let grid = "grid = { size = [10, 1], cells = [10, 1] }";
    for (select, expected) in [
        ("{ edge = \"top\", every = 5 }", vec![11, 16, 21]),
        ("{ edge = [\"bottom\", \"left\"], every = 4 }", vec![0, 4, 8]),
        ("{ border = 0, every = 11 }", vec![0, 21]),
        ("{ edge = \"top\", every = 1 }", (11..22).collect()),
    ] {
        assert_eq!(held(&of_shape(grid, select).unwrap()), expected, "{select}");
    }
    let wrong = of_shape(grid, "{ all = true, every = 2 }").unwrap_err().to_string();
    assert!(wrong.contains("`every` counts along an `edge` or a `border`, not `all`"), "{wrong}");
    assert!(of_shape(grid, "{ edge = \"top\", every = 0 }").unwrap_err().to_string().contains("out of range"));
}

#[test]
fn a_side_of_an_irregular_mesh_that_is_one_vertex_is_said_to_be() {
    let said = |shape: &str| {
        let world = of_shape(shape, "{ edge = \"top\" }").unwrap().world().unwrap();
        world.warnings.into_iter().map(|warning| (warning.path, warning.message)).collect::<Vec<_>>()
    };
    let disc = said("disc = { radius = 0.3, edge = 0.05 }");
    assert!(disc.len() == 1 && disc[0].0 == "cloth.0.pin.0.select", "{disc:?}");
    assert!(disc[0].1.contains("only 1 vertex") && disc[0].1.contains("`border = 0`"), "{disc:?}");
    for shape in ["grid = { size = [1, 1], cells = [4, 4] }", "random = { size = [1, 1], edge = 0.2 }"] {
        assert_eq!(said(shape), [], "{shape}");
    }
}

/// A load along a border is distributed by length; on single vertices by their area.
#[test]
fn loads_act_on_borders_groups_and_single_vertices() {
    for (shape, select, count) in [
        ("grid = { size = [3, 2], cells = [3, 2] }", "{ border = \"all\" }", 10),
        ("grid = { size = [3, 2], cells = [3, 2] }", "{ edge = \"top\", every = 3 }", 2),
        ("disc = { radius = 0.3, edge = 0.05 }", "{ edge = \"top\" }", 1),
    ] {
        let text =
            format!("[[cloth]]\n{shape}\nfabric = \"silk\"\n[[cloth.load]]\nselect = {select}\nforce = [0, 1, 0]\n");
        let world = load(&Source::text("load", &text, "."), &[]).unwrap().world().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(world.load_sizes().collect::<Vec<_>>(), [count], "{select}");
    }
}

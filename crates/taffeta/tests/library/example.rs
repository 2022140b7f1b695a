//! The example of the library runs.

#[path = "../../examples/sheet.rs"]
mod sheet;

#[test]
fn the_example_runs() {
    sheet::main().unwrap();
}

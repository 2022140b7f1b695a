//! The examples of the library run.

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

//! The command `taffeta`.
fn main() {}

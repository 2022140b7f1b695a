//! The same bits on any number of threads.

use crate::common::{LARGE, Place};

#[test]
fn large_sheet_has_the_same_bits_on_1_2_and_3_threads() {
    let place = Place::new();
    place.write("large.toml", LARGE);
    let run = |threads: &str| {
        place.done(&["run", "large.toml", "--duration", "0.1", "--out", threads, "--threads", threads, "--quiet"]);
        assert_eq!(place.report(threads)["machine"]["threads"].to_string(), threads);
        place.result(threads)
    };
    let one = run("1");
    assert!(one == run("2") && one == run("3"), "other bits");
}

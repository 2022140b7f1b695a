//! Compares the simulator with closed forms and published values: `cargo run --release -p taffeta --example validation`.
//!
//! Prints docs/validation.md's table; arguments choose sections, e.g. `1 7.2 8`. Exit status 1 if a row does not hold.

mod dynamics;
mod methods;
mod scene;
mod sheet;
mod table;

use table::Row;

/// A section and what makes its rows.
type Group = (&'static str, fn() -> Vec<Row>);

fn main() -> std::process::ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let chosen = |section: &str| {
        wanted.is_empty() || wanted.iter().any(|w| section == w || section.starts_with(&format!("{w}.")))
    };
    // each group has its first section; a group makes its rows only if it is chosen
    let groups: &[Group] = &[
        ("8.1", dynamics::free_fall),
        ("8.2", dynamics::swing),
        ("8.3", dynamics::cantilever),
        ("8.4", dynamics::waves),
        ("8.5", dynamics::pendulum),
        ("8.6", dynamics::terminal_velocity),
        ("8.7", methods::order),
        ("8.8", methods::amplification),
        ("8.9", methods::energy),
        ("8.10", sheet::rows),
    ];
    println!("| section | what | reference | found | allowed | |\n|---|---|---|---|---|---|");
    let (mut count, mut failed) = (0, 0);
    for (section, rows) in groups {
        if !chosen(section) {
            continue;
        }
        for row in rows() {
            println!("{}", row.line());
            count += 1;
            failed += usize::from(!row.holds());
        }
    }
    println!("\n{count} rows, {failed} do not hold");
    std::process::ExitCode::from(u8::from(failed > 0))
}

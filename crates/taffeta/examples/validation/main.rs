//! Compares the simulator with closed forms and published values: `cargo run --release -p taffeta --example validation`.
//!
//! Prints docs/validation.md's table; arguments choose sections, e.g. `1 7.2 8`. Exit status 1 if a row does not hold.

mod bending;
mod buckling;
mod cantilever;
mod cloth;
mod contact;
mod cusick;
mod cut;
mod cylinder;
mod dynamics;
mod elastica;
mod hanging;
mod methods;
mod moment;
mod patch;
mod plane;
mod rod;
mod scene;
mod shadow;
mod sheet;
mod strip;
mod table;
mod wedge;

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
        ("1.1", cantilever::heavy_rods),
        ("1.1", cantilever::order),
        ("1.2", strip::heavy_strips),
        ("1.3", cantilever::d1388),
        ("1.3", strip::d1388),
        ("2.1", cantilever::tip_loads),
        ("2.1", strip::loaded_strips),
        ("2.2", moment::rest_angles),
        ("2.2", moment::ring),
        ("3", buckling::own_weight),
        ("4", buckling::euler),
        ("5.1", hanging::catenary),
        ("5.2", hanging::hanging_sheet),
        ("6.1", plane::patches),
        ("6.1", plane::clamped),
        ("6.2", patch::conditions),
        ("6.2", patch::area_scaling),
        ("6.3", patch::patch_tests),
        ("6.4", patch::rest_stretch),
        ("7.2", bending::settled),
        ("7.3", bending::imposed),
        ("7.3", bending::corrected),
        ("7.3", bending::at_rest),
        ("7.4", bending::quadratic),
        ("7.5", strip::orthotropic_strips),
        ("8.1", dynamics::free_fall),
        ("8.2", dynamics::swing),
        ("8.3", dynamics::cantilever),
        ("8.4", dynamics::waves),
        ("8.4", dynamics::pulses),
        ("8.5", dynamics::pendulum),
        ("8.6", dynamics::terminal_velocity),
        ("8.7", methods::order),
        ("8.8", methods::amplification),
        ("8.9", methods::energy),
        ("8.10", sheet::rows),
        ("9.1", contact::slope),
        ("9.2", contact::stopping),
        ("9.3", contact::capstan),
        ("9.4", contact::table_edge),
        ("9.5", contact::pulled),
        ("10.1", contact::bounce),
        ("11.1", cut::wedges),
        ("11.1", cut::whole_sheets),
        ("11.2", cusick::heavier_cloths),
        ("11.3", cusick::larger_cloths),
        ("11.4", cusick::stiffer_cloths),
        ("11.5", cusick::limits),
        ("11.6", cusick::seeds),
        ("11.7", cusick::measured),
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

//! The simulator beside closed forms and published values: the table of docs/validation.md.

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
mod overhang;
mod patch;
mod plane;
mod rod;
mod roots;
mod scene;
mod shadow;
mod sheet;
mod strip;
#[cfg(test)]
mod tests;
mod touch;
mod wedge;

use crate::comparison::{self, Row};
use crate::table::Cell;
use crate::{Context, Experiment, Outcome};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "validation",
    about: "closed forms and published values: rods, strips, patches, waves, friction, drape",
    takes: "12 min",
    quick: Some("10 s"),
    parts: Some("sections of docs/validation.md, such as 5 or 7.3"),
    has_part: |part| GROUPS.iter().any(|group| group.is_in(part)),
    run,
};

/// Rows that are made together.
struct Group {
    /// Its first section.
    section: &'static str,
    rows: fn() -> Vec<Row>,
    /// Whether it takes seconds at most.
    quick: bool,
}

impl Group {
    const fn new(section: &'static str, rows: fn() -> Vec<Row>) -> Self {
        Self { section, rows, quick: false }
    }

    const fn quick(section: &'static str, rows: fn() -> Vec<Row>) -> Self {
        Self { section, rows, quick: true }
    }

    /// Whether it belongs to a section: `7` has `7.3` in it.
    fn is_in(&self, section: &str) -> bool {
        self.section == section || self.section.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))
    }
}

const GROUPS: &[Group] = &[
    Group::new("1.1", cantilever::heavy_rods),
    Group::quick("1.1", cantilever::order),
    Group::new("1.2", strip::heavy_strips),
    Group::new("1.3", overhang::rods),
    Group::new("1.3", overhang::strips),
    Group::quick("2.1", cantilever::tip_loads),
    Group::quick("2.1", strip::loaded_strips),
    Group::new("2.2", moment::rest_angles),
    Group::quick("2.2", moment::ring),
    Group::quick("3", buckling::own_weight),
    Group::new("4", buckling::euler),
    Group::quick("5.1", hanging::catenary),
    Group::new("5.2", hanging::hanging_sheet),
    Group::quick("6.1", plane::patches),
    Group::quick("6.1", plane::clamped),
    Group::quick("6.2", patch::conditions),
    Group::quick("6.2", patch::area_scaling),
    Group::quick("6.3", patch::patch_tests),
    Group::quick("6.4", patch::rest_stretch),
    Group::new("7.2", bending::settled),
    Group::quick("7.3", bending::imposed),
    Group::quick("7.3", bending::corrected),
    Group::quick("7.3", bending::at_rest),
    Group::quick("7.4", bending::quadratic),
    Group::quick("7.5", strip::orthotropic_strips),
    Group::new("8.1", dynamics::free_fall),
    Group::new("8.2", dynamics::swing),
    Group::new("8.3", dynamics::cantilever),
    Group::new("8.4", dynamics::waves),
    Group::new("8.4", dynamics::pulses),
    Group::new("8.5", dynamics::pendulum),
    Group::new("8.6", dynamics::terminal_velocity),
    Group::new("8.7", methods::order),
    Group::new("8.8", methods::amplification),
    Group::new("8.9", methods::energy),
    Group::new("8.10", sheet::rows),
    Group::new("9.1", contact::slope),
    Group::new("9.2", contact::stopping),
    Group::new("9.3", contact::capstan),
    Group::new("9.4", contact::table_edge),
    Group::new("9.5", contact::pulled),
    Group::new("9.6", touch::threshold),
    Group::new("9.7", touch::stopping),
    Group::new("10.1", contact::bounce),
    Group::new("10.2", touch::stacks),
    Group::new("10.3", touch::momentum),
    Group::new("10.4", touch::resting),
    Group::new("10.5", touch::falls),
    Group::new("10.6", touch::stack_falls),
    Group::quick("10.7", touch::displacement),
    Group::quick("10.8", touch::penalty),
    Group::new("11.1", cut::wedges),
    Group::new("11.1", cut::whole_sheets),
    Group::new("11.2", cusick::heavier_cloths),
    Group::new("11.3", cusick::larger_cloths),
    Group::new("11.4", cusick::stiffer_cloths),
    Group::new("11.5", cusick::limits),
    Group::new("11.6", cusick::seeds),
    Group::new("11.7", cusick::measured),
];

fn run(context: &Context) -> Outcome {
    let chosen: Vec<&Group> = GROUPS
        .iter()
        .filter(|group| group.quick || !context.quick)
        .filter(|group| context.parts.is_empty() || context.parts.iter().any(|part| group.is_in(part)))
        .collect();
    let mut rows = Vec::new();
    for (i, group) in chosen.iter().enumerate() {
        context.say(&format!("section {}, {} of {} groups done, {} rows", group.section, i, chosen.len(), rows.len()));
        rows.extend((group.rows)());
    }
    Outcome {
        tables: vec![comparison::table("validation", "Closed forms and published values", "section", &rows, |x| {
            Cell::power(x, 7)
        })],
        plots: vec![comparison::plot("margins", "How much of what is allowed each row takes, by section", &rows)],
        notes: vec!["What the sections are and where their references come from: docs/validation.md.".into()],
    }
}

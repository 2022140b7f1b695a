//! The tests of Vo's thesis (L. H. D. Vo, Investigations into the Simulation of Cloth, 2006, Sec. 7.1.1), from the
//! built-in scenes, with their outcomes within 20 %: what docs/thesis.md tells.

mod course;
mod first;
mod second;

use crate::comparison::{self, Judge, Row};
use crate::table::Cell;
use crate::{Context, Experiment, Outcome};
use course::run as simulate;
use taffeta_render::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "thesis",
    about: "the tests of Vo's thesis of 2006, their outcomes within 20 %",
    takes: "1 s",
    quick: None,
    parts: Some("tests: 1 to 6 of springs; s2, or s2.1, s2.2, s2.3, of Baraff and Witkin's conditions"),
    has_part: |part| GROUPS.iter().any(|(test, _)| is_in(test, part)),
    run,
};

/// A test and what makes its rows.
type Group = (&'static str, fn() -> Vec<Row>);

const GROUPS: &[Group] = &[
    ("1", first::bounce),
    ("1", first::stiffer),
    ("1", first::diverges),
    ("2", first::damping),
    ("3", first::limiter),
    ("4", first::settle),
    ("5", first::flag),
    ("6", first::shear),
    ("6", first::bend),
    ("s2.1", second::stretch),
    ("s2", second::damped),
    ("s2.1", second::shear),
    ("s2.1", second::bend),
    ("s2.3", second::implicit),
    ("s2.2", second::flag),
];

fn is_in(test: &str, part: &str) -> bool {
    test == part || test.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'))
}

/// Within 20 % of the thesis.
fn near(test: &'static str, what: impl Into<String>, thesis: f64, found: f64) -> Row {
    Row::new(test, what, thesis, found, Judge::Relative(0.2))
}

fn between(test: &'static str, what: impl Into<String>, thesis: f64, found: f64, [low, high]: [f64; 2]) -> Row {
    Row::new(test, what, thesis, found, Judge::Between(low, high))
}

fn at_least(test: &'static str, what: impl Into<String>, least: f64, found: f64) -> Row {
    between(test, what, f64::NAN, found, [least, f64::INFINITY])
}

fn at_most(test: &'static str, what: impl Into<String>, most: f64, found: f64) -> Row {
    between(test, what, f64::NAN, found, [f64::NEG_INFINITY, most])
}

/// Counts, and times at which a run ends: rounded in their last digits only.
fn exactly(test: &'static str, what: impl Into<String>, wanted: f64, found: f64) -> Row {
    Row::new(test, what, wanted, found, Judge::Within(1e-9))
}

fn reported(test: &'static str, what: impl Into<String>, thesis: f64, found: f64) -> Row {
    Row::new(test, what, thesis, found, Judge::Reported)
}

/// With as many digits as anyone reads off a figure.
fn number(value: f64) -> Cell {
    match value.abs() {
        size if size != 0.0 && !(1e-3..1e5).contains(&size) => Cell::power(value, 1),
        size if size < 1.0 => Cell::fixed(value, 3),
        _ => Cell::fixed(value, 1),
    }
}

fn run(context: &Context) -> Outcome {
    let chosen = |test: &str| context.parts.is_empty() || context.parts.iter().any(|part| is_in(test, part));
    let mut rows = Vec::new();
    for (test, group) in GROUPS.iter().filter(|(test, _)| chosen(test)) {
        context.say(&format!("test {test}, {} rows so far", rows.len()));
        rows.extend(group());
    }
    Outcome {
        tables: vec![comparison::table("thesis", "Outcomes of the tests", "test", &rows, number)],
        plots: vec![heights()],
        notes: vec![
            "\"s2\" is the second simulator. Scenes, settings and what the thesis leaves open: docs/thesis.md.".into(),
        ],
    }
}

/// The first four tests as the thesis shows them: how high the sheet is.
fn heights() -> Plot {
    let series = [
        ("1, undamped", "thesis-1-bounce"),
        ("2, critical damping", "thesis-2-damping"),
        ("3, limiter", "thesis-3-limiter"),
        ("4, both", "thesis-4-settle"),
    ];
    let series = series.map(|(name, scene)| {
        let run = simulate(scene, &[], 30.0);
        let points = run.course.iter().map(|(time, measures)| [*time, measures.com_height]).collect();
        Series::new(name, points, Style::Dots)
    });
    Plot {
        name: "heights".into(),
        title: "Height of the centre of mass in tests 1 to 4".into(),
        x: Axis::linear("s"),
        y: Axis::linear("m"),
        series: series.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::assert_all_hold;

    #[test]
    fn springs_bounce_diverge_and_are_damped_as_in_the_thesis() {
        for rows in [first::bounce, first::stiffer, first::diverges, first::damping] {
            assert_all_hold(&rows());
        }
    }

    #[test]
    fn springs_with_a_limiter_settle_as_in_the_thesis() {
        assert_all_hold(&first::limiter());
        assert_all_hold(&first::settle());
    }

    #[test]
    fn a_flag_of_springs_stays_stable_in_any_wind() {
        assert_all_hold(&first::flag());
    }

    #[test]
    fn sheared_sheets_pulse_and_pleated_ones_unfold() {
        assert_all_hold(&first::shear());
        assert_all_hold(&first::bend());
    }

    #[test]
    fn conditions_stretch_shear_and_bend_as_in_the_thesis() {
        for rows in [second::stretch, second::damped, second::shear, second::bend] {
            assert_all_hold(&rows());
        }
    }

    #[test]
    fn the_implicit_method_is_stable_where_the_explicit_one_diverges() {
        assert_all_hold(&second::implicit());
    }

    #[test]
    fn a_flag_of_conditions_needs_damping_and_the_limiter() {
        assert_all_hold(&second::flag());
    }
}

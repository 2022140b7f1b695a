//! The methods that are compared: rows of the tables.

use super::quasi_newton::QuasiNewton;

/// A way to advance the cloth.
pub struct Method {
    pub name: &'static str,
    /// What `taffeta run --set` takes.
    pub set: &'static [&'static str],
    /// For a method that the library does not have.
    pub own: Option<QuasiNewton>,
    /// Vertices a side up to which it is worth waiting for.
    pub largest: u32,
}

impl Method {
    /// Its name up to the comma.
    pub fn family(&self) -> &'static str {
        family(self.name)
    }
}

/// A name of a row up to the comma.
pub fn family(name: &'static str) -> &'static str {
    name.split(',').next().unwrap_or(name)
}

const fn row(name: &'static str, set: &'static [&'static str]) -> Method {
    Method { name, set, own: None, largest: u32::MAX }
}

const fn l_bfgs(name: &'static str, steps: u32, iterations: u32) -> Method {
    Method { own: Some(QuasiNewton { steps, iterations }), ..row(name, &[]) }
}

/// **A new method is one more line.** A frame is 1/60 s: a longest step of 0.00417 s is 4 in a frame, 0.00167 s is 10.
pub const METHODS: &[Method] = &[
    row("filtered-euler, the default", &[]),
    row("backward-euler", &["method.name=backward-euler", "method.newton=1"]),
    row("backward-euler, 4 steps", &["method.name=backward-euler", "time.step=0.00417"]),
    Method { largest: 101, ..row("backward-euler, 10 steps", &["method.name=backward-euler", "time.step=0.00167"]) },
    Method {
        largest: 101,
        ..row("backward-euler, newton 5", &["method.name=backward-euler", "method.newton=5", "time.adaptive=false"])
    },
    row("bdf2, 2 steps", &["method.name=bdf2", "time.step=0.00834"]),
    row("bdf2, 4 steps", &["method.name=bdf2", "time.step=0.00417"]),
    Method { largest: 101, ..row("bdf2, 8 steps", &["method.name=bdf2", "time.step=0.00209"]) },
    row(
        "filtered-euler, quadratic bending",
        &["method.name=filtered-euler", "cloth.model.bending=quadratic", "contact.cloth=false"],
    ),
    Method { largest: 101, ..l_bfgs("l-bfgs, 1 step of 10", 1, 10) },
    l_bfgs("l-bfgs, 4 steps of 5", 4, 5),
    l_bfgs("l-bfgs, 20 steps of 2", 20, 2),
    Method { largest: 101, ..l_bfgs("l-bfgs, 20 steps of 5", 20, 5) },
    Method { largest: 41, ..row("symplectic-euler", &["method.name=symplectic-euler"]) },
];

/// The rows of the table with contact; the first is what the others are compared with.
pub const WITH_CONTACT: &[Method] = &[
    row("bdf2, 8 steps", &["method.name=bdf2", "time.step=0.00209"]),
    row("bdf2, 2 steps, the default", &[]),
    row("bdf2, 4 steps", &["method.name=bdf2", "time.step=0.00417"]),
    row("backward-euler", &["method.name=backward-euler"]),
    row("backward-euler, 2 steps", &["method.name=backward-euler", "time.step=0.00834"]),
    row("backward-euler, 4 steps", &["method.name=backward-euler", "time.step=0.00417"]),
    Method { largest: 41, ..row("backward-euler, newton 5", &["method.name=backward-euler", "method.newton=5"]) },
    Method { largest: 41, ..row("symplectic-euler", &["method.name=symplectic-euler"]) },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::scene::Sheet;

    #[test]
    fn every_row_is_a_scene() {
        let sheet = Sheet { side: 4, stretch: 5_000 };
        METHODS.iter().for_each(|row| drop(sheet.world(row.set)));
        WITH_CONTACT.iter().for_each(|row| drop(sheet.on_ball(row.set)));
    }
}

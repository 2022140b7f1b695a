//! `taffeta methods`: the methods of integration, and the models that each works with.

use crate::args::Methods;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::words;
use serde_json::{Value, json};

/// Models of cloth; every method works with each of them.
const MODELS: [(&str, &str); 1] =
    [("mass-spring", "structural, shear and flexion springs (Provot), or hinges for bending")];

/// A method of integration.
struct About {
    name: &'static str,
    order: u32,
    /// Evaluations of the forces in a step.
    evaluations: u32,
    /// Largest h ω without damping.
    limit: &'static str,
    line: &'static str,
    /// What it does and what it is good for.
    text: &'static str,
}

/// In the order of `taffeta::Method::NAMES`. Limits as in `taffeta::method::stability`.
const ALL: [About; 5] = [
    About {
        name: "forward-euler",
        order: 1,
        evaluations: 1,
        limit: "2 zeta",
        line: "the simplest; unstable without damping",
        text: "\
x+ = x + h v        v+ = v + h a(x, v)

Energy grows in every step unless damping takes more: a mode is stable for h omega < 2 zeta
(zeta > 1: 2 (zeta - sqrt(zeta^2 - 1))). For comparison with the others, not for work.",
    },
    About {
        name: "symplectic-euler",
        order: 1,
        evaluations: 1,
        limit: "2",
        line: "the default: cheap, keeps energy in the mean",
        text: "\
v+ = v + h a(x, v)  x+ = x + h v+

The cheapest stable step. Energy swings about its true value and does not drift.
Damped modes are stable for h omega < 2 (sqrt(1 + zeta^2) - zeta).",
    },
    About {
        name: "midpoint",
        order: 2,
        evaluations: 2,
        limit: "none",
        line: "second order; energy grows slowly without damping",
        text: "\
x+, v+ by the slope at the middle of the step, reached by half a step of forward-euler

Undamped amplitudes grow by (h omega)^4/8 in a step; `auto` takes a step for which that is
ten percent over the planned duration, and less than 1.9 with damping.",
    },
    About {
        name: "rk4",
        order: 4,
        evaluations: 4,
        limit: "2.6",
        line: "Runge-Kutta: the most accurate for short smooth motion",
        text: "\
The classic method of Runge and Kutta: four slopes, weighted 1/6, 1/3, 1/3, 1/6

Very accurate where the motion is smooth; loses a little energy at the limit of stability.
A step costs four times that of symplectic-euler and may be 1.3 times as long.",
    },
    About {
        name: "verlet",
        order: 2,
        evaluations: 2,
        limit: "2",
        line: "second order, keeps energy in the mean; optional damping",
        text: "\
x+ = x + (1 - e)(x - x-) + h^2 a    written with velocities, e = method.damping

Second order and without drift of energy. `damping` is the share of the velocity that is lost
in each step: handy, but it depends on the step; the fabric's damping does not.",
    },
];

pub fn methods(console: Console, args: &Methods) -> Result<(), Failure> {
    match &args.name {
        None => {
            console.print(&table())?;
            let models: Vec<Value> = MODELS.iter().map(|&(name, about)| model_json(name, about)).collect();
            console.json(&json!({ "methods": ALL.iter().map(json).collect::<Vec<_>>(), "models": models }))
        }
        Some(name) => {
            let about = ALL.iter().find(|about| about.name == name).ok_or_else(|| unknown(name))?;
            console.print(&details(about))?;
            console.json(&json(about))
        }
    }
}

fn table() -> String {
    let mut text = format!("{:18}{:7}{:13}{:8}\n", "method", "order", "evaluations", "limit");
    for about in &ALL {
        text +=
            &format!("{:18}{:<7}{:<13}{:8}{}\n", about.name, about.order, about.evaluations, about.limit, about.line);
    }
    text += "\nlimit: largest h omega of a stable step without damping, omega the highest frequency\n\n";
    text += &format!("{:16}", "model");
    text += ALL.map(|about| about.name).join("  ").as_str();
    for (name, _) in MODELS {
        text += &format!("\n{name:16}");
        text += ALL.map(|about| format!("{:1$}", "yes", about.name.len())).join("  ").trim_end();
    }
    text + "\n\nIn a scene: method = { name = \"verlet\" }; or --set method.name=verlet\n"
}

fn details(about: &About) -> String {
    format!(
        "{}: {}\n\n{}\n\norder {}, {} a step, limit of h omega without damping: {}\n\
         works with the models {}\n\nIn a scene: method = {{ name = \"{}\" }}; or --set method.name={0}\n",
        about.name,
        about.line,
        about.text,
        about.order,
        words::count(about.evaluations.into(), "force evaluation"),
        about.limit,
        MODELS.map(|model| model.0).join(", "),
        about.name,
    )
}

fn json(about: &About) -> Value {
    json!({
        "name": about.name,
        "order": about.order,
        "evaluations": about.evaluations,
        "limit": about.limit,
        "description": about.line,
        "text": about.text,
        "models": MODELS.map(|model| model.0),
    })
}

fn model_json(name: &str, about: &str) -> Value {
    json!({ "name": name, "description": about, "methods": ALL.iter().map(|about| about.name).collect::<Vec<_>>() })
}

fn unknown(name: &str) -> Failure {
    let names = || ALL.iter().map(|about| about.name);
    let help = match words::nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`? `taffeta methods` shows all"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Failure::new(BAD_INPUT, format!("there is no method `{name}`"), help)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_method_is_explained() {
        assert_eq!(super::ALL.map(|about| about.name)[..], taffeta::Method::NAMES[..5]);
    }
}

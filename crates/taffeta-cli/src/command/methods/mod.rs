//! `taffeta methods`: the integration methods, and the models that each works with.

mod about;

use crate::args::Methods;
use crate::console::Console;
use crate::failure::{BAD_INPUT, Failure};
use crate::words;
use about::{MODELS, Model};
use serde_json::{Value, json};
use taffeta::{ContactBy, Method, MethodInfo};
use taffeta_files::nearest;

pub fn methods(console: Console, args: &Methods) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        console.print(&table())?;
        let (methods, models): (Vec<_>, Vec<_>) =
            (Method::LIST.iter().map(method_json).collect(), MODELS.iter().map(model_json).collect());
        return console.json(&json!({ "methods": methods, "models": models }));
    };
    if let Some(model) = MODELS.iter().find(|model| model.name == name) {
        console.print(&model_details(model))?;
        return console.json(&model_json(model));
    }
    if name == "auto" {
        console.print(&format!("auto: {}\n", about::DEFAULTS))?;
        return console
            .json(&json!({ "name": name, "default": true, "methods": about::AUTO, "text": about::DEFAULTS }));
    }
    let method = Method::LIST.iter().find(|method| method.name == name).ok_or_else(|| unknown(name))?;
    console.print(&details(method))?;
    console.json(&method_json(method))
}

/// The names that can be explained: methods, models, and the choice of a method.
pub fn names() -> Vec<&'static str> {
    Method::LIST.iter().map(|method| method.name).chain(MODELS.iter().map(|model| model.name)).chain(["auto"]).collect()
}

fn method_names() -> Vec<&'static str> {
    Method::LIST.iter().map(|method| method.name).collect()
}

fn table() -> String {
    let mut text = format!("{:18}{:7}{:13}{:8}\n", "method", "order", "evaluations", "limit");
    for method in Method::LIST {
        let MethodInfo { name, order, limit, line, .. } = method;
        text += &format!("{name:18}{order:<7}{:<13}{limit:8}{line}\n", method.evaluations);
    }
    text += "\nlimit: largest h omega of a stable step without damping, omega the highest frequency\n\n";
    text += &format!("{:16}{}\n", "model", method_names().join("  "));
    for model in &MODELS {
        let works =
            method_names().iter().map(|name| format!("{:1$}", "yes", name.len())).collect::<Vec<_>>().join("  ");
        text += &format!("{:16}{}\n", model.name, works.trim_end());
    }
    text += "\n";
    for Model { name, line } in &MODELS {
        text += &format!("{name:16}{line}\n");
    }
    format!(
        "{text}\n{}\n\nIn a scene: method = {{ name = \"bdf2\" }} and in a cloth model = \"membrane\";\n\
         or --set method.name=bdf2 --set cloth.model=membrane\n",
        about::DEFAULTS
    )
}

fn details(method: &MethodInfo) -> String {
    let MethodInfo { name, order, limit, line, text, .. } = method;
    let mut cost = words::count(method.evaluations.into(), "force evaluation");
    if method.solves > 0 {
        cost += &format!(" and {} of equations", words::count(method.solves.into(), "system"));
    }
    let limit = match *limit {
        "any" if method.contact == ContactBy::Nothing => "stable near rest lengths".into(),
        "any" => "stable at any step".into(),
        limit => format!("limit of h omega without damping: {limit}"),
    };
    format!(
        "{name}: {line}\n\n{text}\n\norder {order}, {cost} a step, {limit}\n\
         works with the models {}\n\nIn a scene: method = {{ name = \"{name}\" }}; or --set method.name={name}\n",
        MODELS.map(|model| model.name).join(", "),
    )
}

fn model_details(model: &Model) -> String {
    let Model { name, line } = model;
    format!(
        "{name}: {line}\n\nworks with the methods {}\n\nIn a cloth: model = \"{name}\"; or --set cloth.model={name}\n",
        method_names().join(", "),
    )
}

fn method_json(method: &MethodInfo) -> Value {
    json!({
        "name": method.name,
        "order": method.order,
        "evaluations": method.evaluations,
        "solves": method.solves,
        "limit": method.limit,
        "implicit": method.implicit,
        "default": about::AUTO.contains(&method.name),
        "description": method.line,
        "text": method.text,
        "models": MODELS.map(|model| model.name),
    })
}

fn model_json(model: &Model) -> Value {
    json!({
        "name": model.name,
        "default": model.name == taffeta::Model::default().name(),
        "description": model.line,
        "methods": method_names(),
    })
}

fn unknown(name: &str) -> Failure {
    let names = || Method::LIST.iter().map(|method| method.name).chain(MODELS.iter().map(|model| model.name));
    let help = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`? `taffeta methods` shows all"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    Failure::new(BAD_INPUT, format!("there is no method or model `{name}`"), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_explained() {
        assert_eq!(MODELS.map(|model| model.name), taffeta::Model::NAMES);
    }

    #[test]
    fn the_lines_say_which_is_the_default() {
        let says = |line: &str| line.starts_with("the default");
        let methods: Vec<&str> =
            Method::LIST.iter().filter(|method| says(method.line)).map(|method| method.name).collect();
        assert_eq!(methods, about::AUTO);
        let model = MODELS.iter().find(|model| says(model.line)).unwrap();
        assert_eq!(model.name, taffeta::Model::default().name());
    }
}

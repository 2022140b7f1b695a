//! Looks by their names.

use super::camera;
use super::contact;
use crate::args::{LookName, Render};
use crate::failure::{BAD_INPUT, Failure};
use taffeta_render::{Fabric, Look, Map, Pattern, Picture, Quantity};

/// The settings of a picture, from the arguments.
pub fn picture(args: &Render) -> Result<Picture, Failure> {
    let fabric = |pattern| Look::Fabric(Fabric { pattern, colours: args.colour.clone(), ..Fabric::default() });
    let range = args.range.as_ref().map(|range| [range.low, range.high]);
    let map = |quantity| Look::Map(Map { quantity, range });
    let look = match args.look {
        LookName::Grid => fabric(Pattern::Grid),
        LookName::Plain => fabric(Pattern::Plain),
        LookName::Weave => fabric(Pattern::Weave),
        LookName::Checker => fabric(Pattern::Checker),
        LookName::Stripes => fabric(Pattern::Stripes),
        LookName::Stretch => map(Quantity::Stretch),
        LookName::Shear => map(Quantity::Shear),
        LookName::Bending => map(Quantity::Bending),
        LookName::Speed => map(Quantity::Speed),
        LookName::Contact => map(contact::quantity()),
        LookName::Crossings => Look::Crossings(Fabric { colours: args.colour.clone(), ..Fabric::default() }),
        LookName::Springs => Look::Springs,
    };
    check(args, &look)?;
    let [width, height] = args.size;
    Ok(Picture {
        width,
        height,
        samples: args.samples,
        look,
        wireframe: args.wireframe,
        view: camera::view(&args.camera),
        time: args.film.is_some() || args.time,
        ..Picture::default()
    })
}

/// Checks that a range is given only for maps, and colours only for fabrics.
fn check(args: &Render, look: &Look) -> Result<(), Failure> {
    let wrong = |error: String, help: String| Err(Failure::new(BAD_INPUT, error, help));
    if let Some(range) = &args.range {
        let Look::Map(map) = look else {
            let help = "add --look stretch, shear, bending, speed or contact";
            return wrong("--range is the scale of a map, and this look has none".into(), help.into());
        };
        let unit = map.quantity.unit();
        if !range.unit.is_empty() && range.unit != unit {
            let error = format!("--range has the unit `{}`, and this map `{unit}`", range.unit);
            return wrong(error, format!("give --range {}..{}", range.low, range.high));
        }
    }
    if !args.colour.is_empty() && !matches!(look, Look::Fabric(_) | Look::Crossings(_)) {
        let help = "leave it out, or add --look grid, plain, weave, checker, stripes or crossings";
        return wrong("--colour is for fabric, and this look has its own colours".into(), help.into());
    }
    Ok(())
}

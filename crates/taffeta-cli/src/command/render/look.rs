//! Looks by their names.

use super::contact;
use crate::args::{LookName, Render};
use taffeta_render::{Fabric, Look, Map, Pattern, Picture, Quantity, View};

/// What a picture should be like, from the arguments.
pub fn picture(args: &Render) -> Picture {
    let fabric = |pattern| Look::Fabric(Fabric { pattern, ..Fabric::default() });
    let map = |quantity| Look::Map(Map { quantity, range: None });
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
        LookName::Springs => Look::Springs,
    };
    let usual = View::default();
    let view = View {
        azimuth: args.azimuth.unwrap_or(usual.azimuth),
        elevation: args.elevation.unwrap_or(usual.elevation),
        ..usual
    };
    let [width, height] = args.size;
    Picture {
        width,
        height,
        samples: args.samples,
        look,
        wireframe: args.wireframe,
        view,
        time: args.film.is_some() || args.time,
        ..Picture::default()
    }
}

//! Universal Scene Description, as text (`.usda`), written by hand: metres, y up, a time code for each frame.
//!
//! ```text
//! /RUN                     Xform, the default prim
//!   /RUN/CLOTH             Mesh: points, extent, normals and velocities over time; st; no subdivision
//!   /RUN/BODY              Sphere, Cube, Capsule, Cylinder, Cone or Mesh, with its transform over time, or points over
//!                          time
//!   /RUN/Looks/NAME        a UsdPreviewSurface for each of them
//! ```
//!
//! Each attribute of each cloth takes one pass over the frames, since a text file stores it contiguously.

mod body;
mod cloth;
mod read;
mod text;

use crate::disk::Naming;
use crate::export::{ExportError, Frames, Stage, in_file};
use crate::format::{BodiesIn, FormatInfo, Reader, Writer};
use crate::names::Names;
use std::io::{self, Write};
use std::path::Path;
use text::quoted;

pub(crate) const FORMAT: FormatInfo = FormatInfo {
    name: "usd",
    aliases: &["usda"],
    line: "one USD file (.usda) with all frames, uv, normals and a material, for film tools",
    // a .usd file may be text
    written: &["usda", "usd"],
    read: &["usda", "usd"],
    reader: Reader::Recorded(|bytes, _| read::parse(bytes)),
    writer: Writer::File {
        write: |path, stage, frames| in_file(path, |out| write(out, path, stage, frames)),
        // positions and normals, with about ten digits per number
        size: |surface, x| [72 * surface.triangles.len() as u64, 66 * x.len() as u64],
    },
    most_frames: u64::MAX,
    even: false,
    bodies: BodiesIn::Transforms,
};

/// Colours of cloths and bodies in turn: linear RGB, different in hue and similar in brightness.
pub(crate) const COLOURS: [[f32; 3]; 6] = [
    [0.45, 0.55, 0.75],
    [0.75, 0.45, 0.38],
    [0.45, 0.65, 0.42],
    [0.72, 0.60, 0.35],
    [0.60, 0.45, 0.70],
    [0.38, 0.65, 0.66],
];
/// The colour of bodies.
pub(crate) const GREY: [f32; 3] = [0.5, 0.5, 0.5];

/// A prim and its material.
struct Prim {
    name: String,
    /// The name as the user wrote it.
    shown: String,
    root: String,
}

impl Prim {
    fn begin(&self, out: &mut impl Write, kind: &str) -> io::Result<()> {
        writeln!(out, "\n    def {kind} \"{}\" (", self.name)?;
        writeln!(out, "        prepend apiSchemas = [\"MaterialBindingAPI\"]")?;
        if self.shown != self.name {
            writeln!(out, "        displayName = {}", quoted(&self.shown))?;
        }
        writeln!(out, "    )\n    {{")?;
        writeln!(out, "        rel material:binding = </{}/Looks/{}>", self.root, self.name)
    }
}

/// Writes a stage with all frames.
pub(crate) fn write(out: &mut impl Write, path: &Path, stage: &Stage, frames: &mut Frames) -> Result<(), ExportError> {
    let cloths = frames.surface().cloths.clone();
    let bodies: Vec<_> = stage.options.bodies.iter().filter(|body| !body.deforms()).collect();
    // one pass for the points and extents of a cloth, one for its normals, one for its velocities
    let each = 1 + usize::from(stage.options.normals) + usize::from(stage.options.velocities && frames.count() > 1);
    frames.plan(each * cloths.len());

    let root = Names::default().identifier(stage.name);
    let mut names = Names::default();
    names.identifier("Looks");
    let mut prim = |shown: &str| Prim { name: names.identifier(shown), shown: shown.into(), root: root.clone() };
    let cloth_prims: Vec<Prim> = cloths.iter().map(|cloth| prim(&cloth.name)).collect();
    let body_prims: Vec<Prim> = bodies.iter().map(|body| prim(&body.name)).collect();

    front(out, stage, frames, &root).naming("write", path)?;
    for (cloth, prim) in cloths.iter().zip(&cloth_prims) {
        cloth::write(out, path, stage, frames, cloth, prim)?;
    }
    for (body, prim) in bodies.iter().zip(&body_prims) {
        body::write(out, path, stage, frames, body, prim)?;
    }
    let colour = |i: usize| if frames.is_body(i) { GREY } else { COLOURS[i % COLOURS.len()] };
    let looks_of = cloth_prims.iter().enumerate().map(|(i, prim)| (prim, colour(i)));
    looks(out, &root, looks_of.chain(body_prims.iter().map(|prim| (prim, GREY)))).naming("write", path)?;
    out.flush().naming("write", path)?;
    Ok(())
}

fn front(out: &mut impl Write, stage: &Stage, frames: &Frames, root: &str) -> io::Result<()> {
    let (first, last) = match frames.numbers() {
        [first, .., last] => (*first, *last),
        [one] => (*one, *one),
        [] => (0, 0),
    };
    writeln!(out, "#usda 1.0\n(")?;
    writeln!(out, "    customLayerData = {{\n        string creator = \"Taffeta\"\n    }}")?;
    writeln!(out, "    defaultPrim = \"{root}\"")?;
    writeln!(out, "    startTimeCode = {first}\n    endTimeCode = {last}")?;
    writeln!(out, "    timeCodesPerSecond = {}\n    framesPerSecond = {}", stage.fps, stage.fps)?;
    writeln!(out, "    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n")?;
    writeln!(out, "def Xform \"{root}\" (\n    kind = \"component\"")?;
    if stage.name != root {
        writeln!(out, "    displayName = {}", quoted(stage.name))?;
    }
    writeln!(out, ")\n{{")
}

fn looks<'p>(out: &mut impl Write, root: &str, prims: impl Iterator<Item = (&'p Prim, [f32; 3])>) -> io::Result<()> {
    writeln!(out, "\n    def Scope \"Looks\"\n    {{")?;
    for (prim, [r, g, b]) in prims {
        let name = &prim.name;
        writeln!(out, "        def Material \"{name}\"\n        {{")?;
        writeln!(out, "            token outputs:surface.connect = </{root}/Looks/{name}/Surface.outputs:surface>\n")?;
        writeln!(out, "            def Shader \"Surface\"\n            {{")?;
        writeln!(out, "                uniform token info:id = \"UsdPreviewSurface\"")?;
        writeln!(out, "                color3f inputs:diffuseColor = ({r}, {g}, {b})")?;
        writeln!(out, "                float inputs:metallic = 0\n                float inputs:roughness = 0.9")?;
        writeln!(out, "                token outputs:surface\n            }}\n        }}")?;
    }
    writeln!(out, "    }}\n}}")
}

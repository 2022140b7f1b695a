//! Elements of the models on triangles, Baraff & Witkin's conditions and the membrane, and Choi & Ko's springs.
//!
//! Warp and weft follow uv in every triangle. Bending is the same for all of them: a hinge on every inner edge,
//! corrected for what the mesh makes of it ([`network`](super::network)), or the quadratic energy with the same
//! constants.

use super::buckling::Buckling;
use super::elements::Network;
use super::membrane::{Membrane, Orthotropic};
use super::network::{self, FlatEdge, Rest, Stiffness, Unmatched};
use super::quadratic::Quadratic;
use super::shear::Shear;
use super::stretch::Stretch;
use super::tension::Tension;
use crate::setup::{Bending, Edge, Fabric, Patches, Raw, SpringKind};

/// Stretch, shear and bend conditions with energies per area, so that k belongs to the fabric alone.
pub(crate) fn baraff_witkin(rest: &Rest, patches: &Patches, bending: Bending) -> Network {
    let mut made = Network::default();
    for (t, uv) in rest.uv.iter().enumerate() {
        let (fabric, stretch_rest) = patches.of(t);
        let v = rest.triangles[t].map(|v| rest.first + v);
        made.stretch.push(Stretch::new(v, uv, fabric.stretch, stretch_rest));
        if fabric.shear > 0.0 {
            made.shear.push(Shear::new(v, uv, fabric.shear));
        }
    }
    bend(rest, patches, bending, &mut made);
    made
}

/// The conditions with raw constants, as the paper prints them: C is multiplied by the triangle's area, so that another
/// resolution is another cloth.
pub(crate) fn baraff_witkin_raw(rest: &Rest, raw: &Raw) -> Network {
    let mut made = Network::default();
    for (t, uv) in rest.uv.iter().enumerate() {
        let v = rest.triangles[t].map(|v| rest.first + v);
        let area = rest.area[t];
        made.stretch.push(Stretch::new(v, uv, [raw.structural * area; 2], [1.0; 2]));
        if raw.shear > 0.0 {
            made.shear.push(Shear::new(v, uv, raw.shear * area));
        }
    }
    if raw.hinge > 0.0 {
        made.hinges = network::hinges(rest, |_, _, _| raw.hinge);
    }
    made
}

/// Triangles of constant strain.
pub(crate) fn membrane(rest: &Rest, patches: &Patches, bending: Bending) -> Network {
    let mut made = Network::default();
    for (t, uv) in rest.uv.iter().enumerate() {
        let (fabric, stretch_rest) = patches.of(t);
        let v = rest.triangles[t].map(|v| rest.first + v);
        let Fabric { stretch, shear, poisson, .. } = *fabric;
        made.membrane.push(Membrane::new(v, uv, &Orthotropic { stretch, shear, poisson }, stretch_rest));
    }
    bend(rest, patches, bending, &mut made);
    made
}

fn bend(rest: &Rest, patches: &Patches, bending: Bending, made: &mut Network) {
    if bending == Bending::None {
        return;
    }
    let (fabric, _) = patches.of(0);
    let factor = network::bend_correction(rest, fabric.bend);
    let stiffness = |edge: &Edge, flat: &FlatEdge| {
        let [c, s] = flat.direction;
        let mean = |d: usize| 0.5 * edge.triangles.iter().map(|&t| patches.of(t as usize).0.bend[d]).sum::<f64>();
        // an edge folds the yarns that run across it
        factor[0] * mean(0) * s * s + factor[1] * mean(1) * c * c
    };
    let hinges = network::hinges(rest, |edge, flat, geometry| stiffness(edge, flat) * geometry);
    match bending {
        Bending::Quadratic => {
            let inner = rest.edges.iter().filter(|edge| edge.is_inner());
            let quadratic = inner.zip(hinges).map(|(edge, hinge)| {
                let shape = |side: usize| {
                    let corner = |v: u32| rest.uv_of(edge.triangles[side], v);
                    [corner(edge.v[0]), corner(edge.v[1]), corner(edge.opposite[side])]
                };
                let flat = network::flat_edge(rest, edge);
                let area: f64 = edge.triangles.iter().map(|&t| rest.area[t as usize]).sum();
                Quadratic::new(hinge.v, &[shape(0), shape(1)], hinge.k * area / (flat.length * flat.length))
            });
            made.quadratic = quadratic.collect();
        }
        _ => made.hinges = hinges,
    }
}

/// Choi & Ko 2002: springs between neighbours that only pull, and beams over them that buckle. Spring constants are
/// those of the mass-spring model. A beam has the bending stiffness of the strip of cloth that it stands for.
pub(crate) fn choi_ko(rest: &Rest, fabric: &Fabric) -> Result<(Network, Option<Stiffness>), Unmatched> {
    let (springs, differs) = network::from_fabric(rest, fabric, Bending::None)?;
    let mut made = Network::default();
    let tension = |kind: SpringKind| {
        let springs = springs.springs[kind as usize].iter();
        springs.map(|s| Tension { a: s.a, b: s.b, k: s.k, rest: s.rest }).collect()
    };
    made.structural_tension = tension(SpringKind::Structural);
    made.shear_tension = tension(SpringKind::Shear);
    // a beam that starts to buckle is as stiff along itself as the cloth is
    for beam in network::beams(rest, fabric.bend) {
        let along = fabric.stretch[0] * beam.direction[0].powi(2) + fabric.stretch[1] * beam.direction[1].powi(2);
        let straight = along * beam.area / (beam.length * beam.length);
        if beam.bend > 0.0 {
            made.buckling.push(Buckling::new(beam.a, beam.b, beam.bend, straight, beam.length));
        }
    }
    Ok((made, differs))
}

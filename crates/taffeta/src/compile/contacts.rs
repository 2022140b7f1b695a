//! Builds what contact needs of a world, and checks the start.

use super::contact_pairs::NamedPairs;
use crate::setup::{BodyMesh, ContactBy, ContactLaw, ContactSettings, Problems, Setup, Shape, Warning};
use crate::solid::mesh::MeshSolid;
use crate::solid::reach::{Reach, circle};
use crate::solid::shape::Exact;
use crate::solid::{Pose, Solid};
use crate::world::{BarrierConstants, World};
use glam::DMat3;

/// Raw constants have no thickness: this share of a mean edge takes its place.
const RAW_THICKNESS: f64 = 0.01;

/// Thickness of cloth, as a share of its mean edge, up to which neighbouring parts of it leave each other alone. Beyond
/// it a sheet on a ball takes several times as long and stretches.
const THICKEST: f64 = 0.75;

/// A coarse triangle may dip into a smooth body at the start by at most this share of the body's smallest half
/// thickness.
const DIP: f64 = 0.3;

impl World {
    /// Adds bodies and thicknesses, and measures how coarse the cloth is.
    pub(super) fn add_contacts(&mut self, setup: &Setup, problems: &mut Problems) {
        let barrier = setup.components.contact && setup.contact_law() == ContactLaw::Barrier;
        for (number, body) in setup.bodies.iter().enumerate().filter(|(_, body)| body.is_mesh() && !barrier) {
            let why = if !setup.components.contact {
                "contact is switched off".into()
            } else if setup.contact.law == ContactLaw::Constraint {
                "contact by constraints is with exact shapes only".into()
            } else if self.limiter.is_some() {
                "with a limiter contact is by constraints, unless `contact.cloth` is true".into()
            } else {
                format!("`{}` has no contact with meshes, `backward-euler` and `bdf2` have", self.method.name())
            };
            let message = format!("nothing collides with `{}`: {why}", body.name);
            self.warnings.push(Warning { path: format!("body.{number}"), message });
        }
        if !setup.components.contact {
            return;
        }
        for (cloth, range) in self.fabrics.iter_mut().zip(&self.cloths).filter(|(cloth, _)| cloth.thickness <= 0.0) {
            let mut own = self.edges.iter().filter(|edge| range.vertices.contains(&(edge.v[0] as usize)));
            let (sum, count) = own.by_ref().fold((0.0, 0), |(sum, count), edge| (sum + edge.rest, count + 1));
            cloth.thickness = RAW_THICKNESS * sum / f64::from(count.max(1));
        }
        let pairs = NamedPairs::new(setup, problems);
        self.solids = self.solids_of(&pairs);
        let named = setup.method.is_some_and(|method| method.info().contact == ContactBy::Nothing);
        if named
            && setup.bodies.is_empty()
            && setup.contact.cloth != Some(false)
            && setup.contact.law != ContactLaw::Constraint
        {
            let name = self.method.name();
            problems.add(
                "contact",
                "cloth",
                format!("`{name}` has no contact, and cloth collides with itself"),
                "let it pass through itself (`[contact]` with `cloth = false`), or leave the method out: the run then \
                 goes over to bdf2 where cloth comes near itself",
            );
        }
        self.add_barrier(setup, &pairs, problems);
        if !self.can_touch() {
            return;
        }
        if self.method.info().contact == ContactBy::Nothing {
            problems.add(
                "method",
                "name",
                format!("`{}` has no contact, and there are bodies to touch", self.method.name()),
                "take `backward-euler` or `bdf2`, or let cloth pass through bodies: `components.contact = false`",
            );
            return;
        }
        self.reach = vec![Reach::default(); self.mass.len()];
        for (cloth, range) in self.fabrics.iter().zip(&self.cloths) {
            self.reach[range.vertices.clone()].fill(Reach { thickness: cloth.thickness, radius: 0.0 });
        }
        for (triangle, uv) in self.triangles.iter().zip(&self.uv) {
            let radius = STRETCHED * circle(*uv).sqrt();
            for v in triangle {
                let reach = &mut self.reach[*v as usize];
                reach.radius = reach.radius.max(radius);
            }
        }
        self.warn_of_long_edges();
        self.check_start(problems);
    }

    /// Adds what contact by the barrier needs.
    fn add_barrier(&mut self, setup: &Setup, pairs: &NamedPairs, problems: &mut Problems) {
        let (cloth, ContactSettings { start, impossible, .. }) = (setup.cloth_collides(), setup.contact.clone());
        if setup.contact_law() == ContactLaw::Constraint {
            if setup.contact.cloth == Some(true) {
                problems.add(
                    "contact",
                    "law",
                    "cloth collides with cloth only by the barrier",
                    "take `law = \"barrier\"`, or leave it out",
                );
            }
            for (number, body) in setup.bodies.iter().enumerate().filter(|(_, body)| body.thickness > 0.0) {
                let message = format!("contact by constraints knows no thickness of `{}`", body.name);
                let help = "take `law = \"barrier\"`, or a larger shape";
                problems.add(&format!("body.{number}"), "thickness", message, help);
            }
            return;
        }
        if cloth {
            self.warn_of_short_edges();
        }
        let (meshes, triangles) = self.meshes_of(pairs);
        if !cloth && self.solids.is_empty() && meshes.is_empty() {
            return;
        }
        if self.method.info().contact == ContactBy::Nothing && setup.method.is_some() {
            problems.add(
                "method",
                "name",
                format!("`{}` has no contact by the barrier", self.method.name()),
                "take `backward-euler` or `bdf2`",
            );
        }
        self.barrier = Some(BarrierConstants {
            cloth,
            radius: self.fabrics.iter().map(|cloth| 0.5 * cloth.thickness).collect(),
            friction: self.friction_of_cloths(pairs),
            ignored: pairs.ignored(self.fabrics.len()),
            impossible,
            meshes,
            triangles,
            crossing: Vec::new(),
        });
        self.check_crossings(start, problems);
    }

    /// Warns of cloth that is so thick beside its edges that neighbouring parts of it push each other.
    fn warn_of_short_edges(&mut self) {
        for (number, (cloth, range)) in self.fabrics.iter().zip(&self.cloths).enumerate() {
            let own = || self.edges.iter().filter(|edge| range.vertices.contains(&(edge.v[0] as usize)));
            let mean = own().map(|edge| edge.rest).sum::<f64>() / own().count().max(1) as f64;
            if cloth.thickness > THICKEST * mean {
                let message = format!(
                    "a thickness of {:.3} m is too much for edges of {mean:.3} m: neighbouring parts of the cloth push \
                     each other away, which stretches it and takes long; take longer edges or thinner cloth, or \
                     let it pass through itself, `contact.cloth = false`",
                    cloth.thickness
                );
                self.warnings.push(Warning { path: format!("cloth.{number}.fabric"), message });
            }
        }
    }

    /// Checks the start. Cloth that starts inside a body by more than its thickness cannot come out on the right side.
    fn check_start(&self, problems: &mut Problems) {
        let pinned = self.held_at(0.0);
        for solid in &self.solids {
            let body = &self.bodies[solid.body as usize];
            let pose = Pose::of(body, 0.0);
            for (number, cloth) in self.cloths.iter().enumerate().filter(|(number, _)| solid.collides[*number]) {
                let thickness = self.fabrics[number].thickness;
                let depth = |i: &usize| -solid.exact.distance(pose.to_body(self.start[*i]));
                let inside = cloth.vertices.clone().filter(|i| !pinned[*i] && depth(i) > thickness);
                let (count, deepest) = inside.fold((0, None), |(count, deepest): (u32, Option<usize>), i| {
                    let deeper = deepest.is_none_or(|other| depth(&i) > depth(&other));
                    (count + 1, if deeper { Some(i) } else { deepest })
                });
                if let Some(i) = deepest {
                    let vertex = i - cloth.vertices.start;
                    let at = self.start[i];
                    let depth = depth(&i);
                    problems.add(
                        &format!("body.{}", solid.body),
                        "place",
                        format!(
                            "at the start {} of `{}` {} inside `{}`, vertex {vertex} at [{:.4}, {:.4}, {:.4}] by \
                             {depth:.4} m",
                            if count == 1 { "1 vertex".into() } else { format!("{count} vertices") },
                            cloth.name,
                            if count == 1 { "is" } else { "are" },
                            body.name,
                            at.x,
                            at.y,
                            at.z
                        ),
                        "move the body or the cloth apart, or pin what is inside in all directions, from the start",
                    );
                    continue;
                }
                if let Some((triangle, depth)) = self.cut_triangle(solid, &pose, number, &pinned) {
                    problems.add(
                        &format!("body.{}", solid.body),
                        "place",
                        format!(
                            "at the start `{}` reaches through triangle {triangle} of `{}`, {depth:.4} m deep, between \
                             its vertices",
                            body.name, cloth.name
                        ),
                        "move the body or the cloth apart, or use smaller triangles",
                    );
                }
            }
        }
    }

    /// Particles that pins hold in all directions at a time. Where two pins hold a vertex, the first counts.
    pub(crate) fn held_at(&self, time: f64) -> Vec<bool> {
        let mut free = vec![None; self.mass.len()];
        for pin in self.pins.iter().filter(|pin| self.components.pins && pin.is_on(time)) {
            for v in &pin.vertices {
                free[*v as usize].get_or_insert(pin.free);
            }
        }
        free.into_iter().map(|free| free == Some(DMat3::ZERO)).collect()
    }

    /// Finds a triangle that a body reaches through at the start although its vertices are outside.
    fn cut_triangle(
        &self,
        solid: &crate::solid::Solid,
        pose: &Pose,
        cloth: usize,
        pinned: &[bool],
    ) -> Option<(usize, f64)> {
        let range = self.cloths[cloth].triangles.clone();
        // a coarse triangle may dip into a smooth body by this much before contact lifts it
        let allowed = |v: &[u32; 3]| {
            let reach = self.reach[v[0] as usize];
            let thinnest = solid.exact.thinnest();
            let dips =
                if solid.exact.is_sharp() { 0.0 } else { (reach.radius * reach.radius / thinnest).min(DIP * thinnest) };
            reach.thickness + dips
        };
        range.clone().find_map(|t| {
            let v = &self.triangles[t];
            if v.iter().any(|v| pinned[*v as usize]) {
                return None;
            }
            let x = v.map(|v| pose.to_body(self.start[v as usize]));
            let depth = -solid.exact.least_distance(x);
            (depth > allowed(v)).then_some((t - range.start, depth))
        })
    }

    /// Index of the cloth of a particle.
    pub(crate) fn cloth_of(&self, i: usize) -> usize {
        self.cloths.partition_point(|cloth| cloth.vertices.end <= i)
    }

    /// Friction coefficient μ between a body, by its index in [`World::solids`], and a particle.
    pub(crate) fn friction(&self, solid: usize, i: usize) -> f64 {
        self.solids[solid].friction[self.cloth_of(i)]
    }
}

/// Stretch up to which a particle's reach is that of its rest shape, so that it does not change from step to step.
const STRETCHED: f64 = 1.1;

/// If a mesh is closed, 1 where its triangles are counterclockwise seen from outside, and -1 where they are clockwise.
fn outward(mesh: &dyn BodyMesh) -> Option<f64> {
    let mut x = Vec::new();
    mesh.at(0.0, &mut x).ok()?;
    // every edge has one triangle on each side
    let sides = |v: &[u32; 3]| [[v[0], v[1]], [v[1], v[2]], [v[2], v[0]]];
    let mut edges: Vec<[u32; 2]> = mesh.triangles().iter().flat_map(sides).collect();
    edges.sort_unstable();
    let closed = edges.windows(2).all(|two| two[0] != two[1])
        && edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok());
    let volume: f64 =
        mesh.triangles().iter().map(|v| v.map(|v| x[v as usize])).map(|[a, b, c]| a.cross(b).dot(c)).sum();
    (closed && volume != 0.0).then(|| volume.signum())
}

impl World {
    /// Bodies that are meshes, and their triangles.
    fn meshes_of(&self, pairs: &NamedPairs) -> (Vec<MeshSolid>, Vec<[u32; 3]>) {
        let (mut meshes, mut triangles) = (Vec::new(), Vec::new());
        let mut first = 0;
        for (number, body) in self.bodies.iter().enumerate() {
            let Shape::Mesh(mesh) = &body.shape else { continue };
            let points = first..first + mesh.vertices();
            let offset = (self.mass.len() + first) as u32;
            let begin = triangles.len();
            triangles.extend(mesh.triangles().iter().map(|v| v.map(|v| v + offset)));
            first = points.end;
            meshes.push(MeshSolid {
                body: number as u32,
                points,
                triangles: begin..triangles.len(),
                outward: outward(mesh.as_ref()),
                thickness: body.thickness,
                friction: self.friction_with(number, body, pairs),
                moves: body.moves() || body.deforms(),
            });
        }
        (meshes, triangles)
    }

    /// Bodies with exact shapes that cloth collides with.
    fn solids_of(&self, pairs: &NamedPairs) -> Vec<Solid> {
        let mut solids = Vec::new();
        for (number, body) in self.bodies.iter().enumerate() {
            let Some(exact) = Exact::new(&body.shape, body.place.scale) else { continue };
            solids.push(Solid {
                body: number as u32,
                exact,
                friction: self.friction_with(number, body, pairs),
                collides: self.collides_with(number, pairs),
                thickness: body.thickness,
                restitution: body.restitution,
            });
        }
        solids
    }
}

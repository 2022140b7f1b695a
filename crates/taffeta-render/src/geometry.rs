//! The geometry that the tracer works on: triangles of cloth, springs and bodies in one tree, moved to the origin and
//! scaled to a size of about 1, so that tolerances need no unit.

use crate::bvh::{Bvh, Hit};
use crate::pn_triangles::{self, Rounding};
use crate::vector::V3;
use crate::{Frame, Look, Picture, RenderError, Stage, Subject, body, springs};
use taffeta::{SpringKind, Vec3};

/// What a triangle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Cloth(u16),
    Body,
    Spring(SpringKind),
}

/// Conversion between scene coordinates and the tracer's unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling {
    pub centre: Vec3,
    /// Length of the tracer's unit, m.
    pub unit: f64,
}

impl Scaling {
    pub fn point(&self, p: Vec3) -> V3 {
        V3::from_f64((p - self.centre) / self.unit)
    }

    pub fn back(&self, p: V3) -> Vec3 {
        self.centre + Vec3::new(p.x.into(), p.y.into(), p.z.into()) * self.unit
    }

    /// The scaling that fits points into a box from -1 to 1.
    fn of(points: &[Vec3]) -> Option<Self> {
        let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let (centre, half) = (low * 0.5 + high * 0.5, high * 0.5 - low * 0.5);
        let unit = half.max_element();
        // an extent smaller than the rounding of the coordinates counts as zero
        let least = 1e-12 * centre.abs().max_element().max(1e-290);
        (centre.is_finite() && unit.is_finite()).then_some(Self { centre, unit: if unit > least { unit } else { 1.0 } })
    }
}

/// A plane. Planes are infinite, so they are not in the tree. They are visible from above only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub point: V3,
    pub normal: V3,
    /// Whether it is a body, which casts shadows, and not the studio floor.
    pub solid: bool,
}

/// Everything that rays can hit.
pub(crate) struct Geometry {
    pub scaling: Scaling,
    pub points: Vec<V3>,
    pub normals: Vec<V3>,
    pub triangles: Vec<[u32; 3]>,
    pub planes: Vec<Plane>,
    pub bvh: Bvh,
    /// For each part, its first triangle and what the triangles from there on belong to.
    parts: Vec<(u32, Part)>,
    rounding: Rounding,
}

/// A place on the simulated cloth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// Triangle of the subject.
    pub triangle: usize,
    /// Weights of its corners.
    pub weights: [f32; 3],
}

impl Geometry {
    pub fn new(subject: &Subject, frame: &Frame, stage: &Stage, picture: &Picture) -> Result<Geometry, RenderError> {
        let x = frame.positions;
        let solids: Vec<body::Solid> = match picture.bodies {
            true => subject.bodies.iter().map(|b| body::solid(b, frame.time)).collect::<Result<_, _>>()?,
            false => Vec::new(),
        };
        // the cloth sets the scale; without cloth, the bodies do
        let scaling =
            Scaling::of(x).or_else(|| Scaling::of(&solids.iter().flat_map(|s| s.points.clone()).collect::<Vec<_>>()));
        let scaling = scaling.unwrap_or(Scaling { centre: Vec3::ZERO, unit: 1.0 });
        let mut geometry = Geometry {
            scaling,
            points: x.iter().map(|&p| scaling.point(p)).collect(),
            normals: Vec::new(),
            triangles: Vec::new(),
            planes: Vec::new(),
            bvh: Bvh::new(&[], &[]),
            parts: Vec::new(),
            rounding: Rounding::new(1),
        };
        geometry.normals = vertex_normals(&geometry.points, &subject.triangles);
        match picture.look {
            Look::Springs => geometry.add_springs(subject, stage, picture),
            _ => geometry.add_cloth(subject, picture, frame.time),
        }
        for solid in &solids {
            let first = geometry.points.len() as u32;
            geometry.parts.push((geometry.triangles.len() as u32, Part::Body));
            geometry.points.extend(solid.points.iter().map(|&p| scaling.point(p)));
            geometry.normals.extend(solid.normals.iter().map(|&n| V3::from_f64(n)));
            geometry.triangles.extend(solid.triangles.iter().map(|t| t.map(|v| v + first)));
        }
        geometry.add_planes(subject, frame, stage, picture);
        geometry.bvh = Bvh::new(&geometry.points, &geometry.triangles);
        Ok(geometry)
    }

    fn add_cloth(&mut self, subject: &Subject, picture: &Picture, time: f64) {
        if picture.rounded && !picture.wireframe {
            self.rounding = Rounding::for_triangles(subject.triangles.len());
        }
        let solid = subject.bodies.iter().filter(|_| picture.bodies);
        let solid: Vec<_> = solid.filter_map(|body| body.nearest(time)).collect();
        let scaling = self.scaling;
        let nearest = |p: V3| {
            let p = scaling.back(p);
            let all = solid.iter().map(|nearest| nearest(p));
            let near = all.min_by(|a, b| a.distance.total_cmp(&b.distance)).unwrap_or_default();
            ((near.distance / scaling.unit) as f32, V3::from_f64(near.normal))
        };
        let flat = self.near_sharp(subject, picture, time);
        let bodies = pn_triangles::Bodies { nearest: &nearest, flat: &flat };
        let bodies = if solid.is_empty() { None } else { Some(bodies) };
        let fine = pn_triangles::subdivide(self.rounding, &self.points, &self.normals, &subject.triangles, bodies);
        let each = self.rounding.count() as u32;
        let mut last = None;
        for (i, cloth) in subject.cloth_of_triangles().into_iter().enumerate() {
            if last != Some(cloth) {
                self.parts.push((i as u32 * each, Part::Cloth(cloth)));
                last = Some(cloth);
            }
        }
        match fine {
            Some(fine) => (self.points, self.normals, self.triangles) = fine,
            None => self.triangles.extend_from_slice(&subject.triangles),
        }
    }

    /// Vertices no farther from a body with sharp edges than the length of their longest edge.
    fn near_sharp(&self, subject: &Subject, picture: &Picture, time: f64) -> Vec<bool> {
        let sharp = subject.bodies.iter().filter(|body| picture.bodies && body.shape.is_sharp());
        let sharp: Vec<_> = sharp.filter_map(|body| body.nearest(time)).collect();
        if sharp.is_empty() {
            return vec![false; self.points.len()];
        }
        let mut longest = vec![0f32; self.points.len()];
        for t in &subject.triangles {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].map(|(a, b)| (a as usize, b as usize)) {
                let length = (self.points[a] - self.points[b]).length();
                (longest[a], longest[b]) = (longest[a].max(length), longest[b].max(length));
            }
        }
        let is_near = |(&p, &longest): (&V3, &f32)| {
            let p = self.scaling.back(p);
            sharp.iter().any(|nearest| nearest(p).distance < f64::from(longest) * self.scaling.unit)
        };
        self.points.iter().zip(&longest).map(is_near).collect()
    }

    fn add_springs(&mut self, subject: &Subject, stage: &Stage, picture: &Picture) {
        let far = (stage.camera.at - self.scaling.centre).length() / self.scaling.unit;
        let pixel = 2.0 * (0.5 * stage.camera.fov).to_radians().tan() / f64::from(picture.height) * far;
        let (points, normals) = (std::mem::take(&mut self.points), std::mem::take(&mut self.normals));
        for kind in SpringKind::ALL {
            self.parts.push((self.triangles.len() as u32, Part::Spring(kind)));
            springs::add(self, &points, &normals, subject, kind, pixel as f32);
        }
    }

    fn add_planes(&mut self, subject: &Subject, frame: &Frame, stage: &Stage, picture: &Picture) {
        let solid = subject.bodies.iter().filter(|_| picture.bodies).filter_map(|b| body::plane(b, frame.time));
        for (point, normal) in solid {
            self.planes.push(Plane { point: self.scaling.point(point), normal: V3::from_f64(normal), solid: true });
        }
        if let Some(height) = stage.ground {
            let point = self.scaling.point(Vec3::new(stage.centre.x, height, stage.centre.z));
            self.planes.push(Plane { point, normal: V3::from_f64(Vec3::Y), solid: false });
        }
    }

    pub fn part(&self, triangle: u32) -> Part {
        let next = self.parts.partition_point(|(first, _)| *first <= triangle);
        // every triangle comes after the start of its part
        self.parts[next.max(1) - 1].1
    }

    /// The place on the subject's own triangles that a hit on cloth corresponds to.
    pub fn source(&self, hit: &Hit) -> Source {
        let (triangle, weights) = self.rounding.source(hit.triangle as usize, [1.0 - hit.u - hit.v, hit.u, hit.v]);
        Source { triangle, weights }
    }
}

/// Vertex normals: the mean over adjacent triangles, weighted by their angle there. Zero without triangles.
fn vertex_normals(points: &[V3], triangles: &[[u32; 3]]) -> Vec<V3> {
    let mut normals = vec![V3::ZERO; points.len()];
    for t in triangles {
        let p = t.map(|v| points[v as usize]);
        let n = (p[1] - p[0]).cross(p[2] - p[0]).unit_or(V3::ZERO);
        for i in 0..3 {
            let a = (p[(i + 1) % 3] - p[i]).unit_or(V3::ZERO);
            let b = (p[(i + 2) % 3] - p[i]).unit_or(V3::ZERO);
            normals[t[i] as usize] += n * a.dot(b).clamp(-1.0, 1.0).acos();
        }
    }
    normals.iter().map(|n| n.unit_or(V3::ZERO)).collect()
}

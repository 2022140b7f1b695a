//! Shading of camera rays, before shadows are known.

use crate::bvh::{Hit, Ray, Stack};
use crate::colour::{Scale, bytes, linear};
use crate::geometry::{Geometry, Part, Plane};
use crate::studio::Studio;
use crate::texture::{self, Texture};
use crate::vector::{V3, smoothstep, v3};
use crate::{Fabric, Frame, Look, Picture, RenderError, Stage, Subject, colour, quantity};

/// Offset of secondary rays from the surface they start on, in the tracer's unit: well above the rounding of a hit
/// (about 1e-6), well below the size of a fold.
const LIFT: f32 = 4e-5;
/// Fraction of the lamp's light that passes through cloth.
const THROUGH: f32 = 0.20;
/// How far light wraps round the edge of surfaces that face the lamp: it models the fuzz of the fabric.
const WRAP: f32 = 0.12;

/// A place on a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub position: V3,
    pub normal: V3,
    /// Size of a pixel at this place.
    pub pixel: f32,
    /// The object it belongs to; 0 for the backdrop.
    pub object: u32,
}

/// What a ray hits. Lamp light and sky openness are computed later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub surface: Surface,
    /// Radiance that does not depend on shadows; then that of the lamp and that of the surroundings.
    pub fixed: V3,
    pub direct: V3,
    pub ambient: V3,
    pub albedo: f32,
    /// Where rays to the lamp and to the sky start.
    pub to_lamp: V3,
    pub to_sky: V3,
}

impl Surface {
    /// Whether it lies on a plane.
    pub fn is_floor(&self) -> bool {
        (1..BODY).contains(&self.object)
    }
}

/// Object numbers: 0 is the backdrop, then come planes, bodies, springs, and two for each cloth.
const BODY: u32 = 1 << 16;
const SPRING: u32 = BODY + 1;
const CLOTH: u32 = BODY + 2;

/// Everything that shading needs.
pub(crate) struct Shader<'a> {
    pub geometry: &'a Geometry,
    pub studio: &'a Studio,
    subject: &'a Subject,
    textures: Vec<Texture>,
    /// Whether each triangle crosses another one; empty where that is not shown.
    crossed: &'a [bool],
    /// Position of each vertex on the colour scale, 0 to 1.
    values: Option<Vec<f32>>,
    table: Vec<V3>,
    wireframe: bool,
    /// Half the width of wireframe lines, pixels.
    line: f32,
    /// Size of a pixel at distance 1.
    pixel: f32,
}

impl<'a> Shader<'a> {
    pub fn new(
        subject: &'a Subject,
        frame: &Frame,
        stage: &Stage,
        picture: &Picture,
        geometry: &'a Geometry,
        studio: &'a Studio,
        crossed: &'a [bool],
    ) -> Result<Self, RenderError> {
        let mut shader = Shader {
            geometry,
            studio,
            subject,
            textures: Vec::new(),
            crossed,
            values: None,
            table: Vec::new(),
            wireframe: picture.wireframe,
            line: (picture.height as f32 / 900.0).max(0.6),
            pixel: (2.0 * (0.5 * stage.camera.fov).to_radians().tan() / f64::from(picture.height)) as f32,
        };
        match &picture.look {
            Look::Fabric(fabric) | Look::Crossings(fabric) => {
                let far = stage.camera.at.distance(stage.centre);
                let red = matches!(picture.look, Look::Crossings(_));
                let own = if red && fabric.colours.is_empty() { texture::beside_red() } else { Vec::new() };
                let fabric = if own.is_empty() { fabric } else { &Fabric { colours: own, ..fabric.clone() } };
                shader.textures = texture::textures(subject, fabric, f64::from(shader.pixel) * far);
            }
            Look::Map(map) => {
                let values = quantity::quantity(subject, frame, &map.quantity)?;
                let [low, high] = stage.range.unwrap_or([0.0, 1.0]);
                shader.values =
                    Some(values.iter().map(|v| (((v - low) / (high - low)) as f32).clamp(0.0, 1.0)).collect());
                shader.table = scale_of([low, high]).table();
            }
            Look::Springs if subject.springs.is_empty() => {
                return Err(RenderError::Missing { look: "the springs".into(), missing: "springs" });
            }
            Look::Springs => {}
        }
        Ok(shader)
    }

    /// Traces a ray from the camera.
    pub fn sample(&self, ray: &Ray, stack: &mut Stack) -> Sample {
        let hit = self.geometry.bvh.first(ray, f32::INFINITY, stack);
        let planes = self.geometry.planes.iter().enumerate();
        // the first plane that is hit from above
        let plane = planes
            .filter_map(|(i, plane)| {
                let slope = ray.d.dot(plane.normal);
                let t = (plane.point - ray.o).dot(plane.normal) / slope;
                (slope < 0.0 && t > 0.0 && t.is_finite()).then_some((t, i, plane))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match (hit, plane) {
            (Some(hit), Some((t, i, plane))) if t < hit.t => self.on_plane(ray, t, i, plane),
            (None, Some((t, i, plane))) => self.on_plane(ray, t, i, plane),
            (Some(hit), _) => self.on_triangle(ray, &hit),
            (None, None) => self.backdrop(ray),
        }
    }

    fn backdrop(&self, ray: &Ray) -> Sample {
        Sample {
            surface: Surface { position: ray.o, normal: V3::ZERO, pixel: 0.0, object: 0 },
            fixed: self.studio.backdrop(ray.d),
            direct: V3::ZERO,
            ambient: V3::ZERO,
            albedo: 0.5,
            to_lamp: ray.o,
            to_sky: ray.o,
        }
    }

    fn on_plane(&self, ray: &Ray, t: f32, number: usize, plane: &Plane) -> Sample {
        let (studio, p, n) = (self.studio, ray.at(t), plane.normal);
        let fade = studio.fade(p);
        let near = 1.0 - fade;
        let lifted = p + n * LIFT;
        let object = if near > 0.0 { 1 + (number as u32).min(BODY - 2) } else { 0 };
        Sample {
            surface: Surface { position: p, normal: n, pixel: self.pixel * t, object },
            fixed: studio.backdrop(v3(ray.d.x, ray.d.y.max(0.0), ray.d.z)) * fade,
            direct: studio.floor.times(studio.key) * (studio.lamp.dot(n).max(0.0) * near),
            ambient: studio.floor.times(studio.ambient(n)) * near,
            albedo: 0.6,
            to_lamp: lifted,
            to_sky: lifted,
        }
    }

    fn on_triangle(&self, ray: &Ray, hit: &Hit) -> Sample {
        let studio = self.studio;
        let corners = self.geometry.triangles[hit.triangle as usize];
        let p = corners.map(|v| self.geometry.points[v as usize]);
        let w = [1.0 - hit.u - hit.v, hit.u, hit.v];
        let face = (p[1] - p[0]).cross(p[2] - p[0]).unit_or(v3(0.0, 1.0, 0.0));
        let position = p[0] * w[0] + p[1] * w[1] + p[2] * w[2];
        let pixel = self.pixel * hit.t;

        // surfaces are shaded on the side that the ray comes from
        let front = face.dot(ray.d) <= 0.0;
        let side = if front { 1.0 } else { -1.0 };
        let face = face * side;
        let bent = corners.map(|v| self.geometry.normals[v as usize] * side);
        let smooth = (bent[0] * w[0] + bent[1] * w[1] + bent[2] * w[2]).unit_or(face);
        let smooth = if smooth.dot(face) < 0.0 { face } else { smooth };
        // a normal that points away from the camera would be too dark at the edge of a coarse fold
        let turned_away = smooth.dot(ray.d).max(0.0);
        let n = (smooth - ray.d * (1.02 * turned_away)).unit_or(face);

        let part = self.geometry.part(hit.triangle);
        let albedo = self.albedo(part, hit, front, pixel / (-face.dot(ray.d)).max(0.2).sqrt());
        let is_fabric = matches!(part, Part::Cloth(_)) && self.values.is_none();

        // the lamp on the near side, and through the cloth
        let facing = studio.lamp.dot(n);
        let through = if is_fabric { THROUGH * (-facing).max(0.0) } else { 0.0 };
        let soft = ((facing + WRAP) / (1.0 + WRAP)).max(0.0);
        let mut direct = albedo.times(studio.key) * (soft + through);
        let mut ambient = albedo.times(studio.ambient(n) + studio.rim_light * studio.rim.dot(n).max(0.0));
        let grazing = (1.0 - (-ray.d.dot(n)).clamp(0.0, 1.0)).powi(4);
        if is_fabric {
            let fuzz = albedo * 0.85 + V3::ONE * 0.12;
            direct += fuzz.times(studio.key) * (0.30 * grazing * soft + sheen(n, studio.lamp, -ray.d));
            ambient += fuzz.times(studio.ambient(n)) * (0.45 * grazing);
        } else if self.values.is_none() {
            ambient += studio.ambient(n) * (0.25 * grazing);
        }

        let lamp_side = if facing >= 0.0 { 1.0 } else { -1.0 };
        let object = match part {
            Part::Body => BODY,
            Part::Spring(_) => SPRING,
            Part::Cloth(i) => CLOTH + 2 * u32::from(i) + u32::from(front),
        };
        Sample {
            surface: Surface { position, normal: n, pixel, object },
            fixed: V3::ZERO,
            direct,
            ambient,
            albedo: (albedo.x + albedo.y + albedo.z) / 3.0,
            to_lamp: lift(position, &p, &bent, w, lamp_side) + n * (lamp_side * LIFT),
            to_sky: lift(position, &p, &bent, w, 1.0) + n * LIFT,
        }
    }

    fn albedo(&self, part: Part, hit: &Hit, front: bool, pixel: f32) -> V3 {
        let colour = match part {
            Part::Body => linear(bytes(0xc9c4bc)),
            Part::Spring(kind) => linear(colour::of_spring(kind)),
            Part::Cloth(number) => {
                let source = self.geometry.source(hit);
                let w = source.weights;
                if let Some(values) = &self.values {
                    let corners = self.subject.triangles[source.triangle].map(|v| values[v as usize]);
                    let value = corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
                    self.table[(value * 255.0).round().clamp(0.0, 255.0) as usize]
                } else if self.crossed.get(source.triangle) == Some(&true) {
                    linear(colour::CROSSED)
                } else {
                    let corners = &self.subject.uv[source.triangle];
                    let uv = [0, 1].map(|k| (0..3).map(|i| f64::from(w[i]) * corners[i][k]).sum());
                    let texture = &self.textures[usize::from(number).min(self.textures.len() - 1)];
                    texture.colour(uv, f64::from(pixel) * self.geometry.scaling.unit, front)
                }
            }
        };
        match part {
            Part::Cloth(_) if self.wireframe => colour.lerp(line_on(colour), self.wire(hit, pixel)),
            _ => colour,
        }
    }

    /// The fraction of a pixel that the edges of its triangle cover.
    fn wire(&self, hit: &Hit, pixel: f32) -> f32 {
        let p = self.geometry.triangles[hit.triangle as usize].map(|v| self.geometry.points[v as usize]);
        let double_area = (p[1] - p[0]).cross(p[2] - p[0]).length();
        let w = [1.0 - hit.u - hit.v, hit.u, hit.v];
        let (mut nearest, mut narrow) = (f32::INFINITY, f32::INFINITY);
        for i in 0..3 {
            let height = double_area / (p[(i + 2) % 3] - p[(i + 1) % 3]).length().max(1e-20);
            nearest = nearest.min(w[i] * height);
            narrow = narrow.min(height);
        }
        // half a line on each side of an edge; lines fade where triangles are as small as pixels
        let covered = 1.0 - smoothstep(self.line - 0.35, self.line + 0.35, nearest / pixel);
        0.85 * covered * smoothstep(1.5, 7.0, narrow / pixel)
    }
}

/// A line colour with contrast: light on dark cloth, dark otherwise.
fn line_on(colour: V3) -> V3 {
    let brightness = 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z;
    if brightness < 0.1 { v3(0.55, 0.55, 0.53) } else { v3(0.03, 0.03, 0.04) }
}

/// The colour scale for a range: diverging if zero is inside.
pub(crate) fn scale_of(range: [f64; 2]) -> Scale {
    if range[0] < 0.0 && range[1] > 0.0 { Scale::Diverging } else { Scale::Sequential }
}

/// Moves a point of a flat triangle onto the curved surface that its normals imply, so that coarse neighbours do not
/// shadow it. J. Hanika, Hacking the Shadow Terminator, Ray Tracing Gems II, 2021.
fn lift(position: V3, p: &[V3; 3], n: &[V3; 3], w: [f32; 3], side: f32) -> V3 {
    let mut lifted = position;
    for i in 0..3 {
        let n = n[i] * side;
        lifted += n * (-(position - p[i]).dot(n).min(0.0) * w[i]);
    }
    lifted
}

/// Sheen: light that fuzz scatters towards the viewer. A. Estevez and C. Kulla, Production Friendly Microfacet Sheen
/// BRDF, 2017, with the roughness of cotton and the visibility term of D. Neubelt and M. Pettineo, 2013.
fn sheen(n: V3, to_lamp: V3, to_eye: V3) -> f32 {
    const ROUGHNESS: f32 = 0.45;
    let (light, eye) = (n.dot(to_lamp), n.dot(to_eye).max(1e-3));
    if light <= 0.0 {
        return 0.0;
    }
    let half = (to_lamp + to_eye).unit_or(n).dot(n).clamp(0.0, 1.0);
    let sine = (1.0 - half * half).sqrt();
    let spread = (2.0 + 1.0 / ROUGHNESS) * sine.powf(1.0 / ROUGHNESS) / std::f32::consts::TAU;
    0.5 * spread * light / (4.0 * (light + eye - light * eye))
}

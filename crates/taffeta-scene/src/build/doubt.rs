//! Questions about values that are allowed but implausible; most of them are in another unit.
//!
//! The bounds come from real cloth. The fabrics of data/fabrics.csv have 0.08 to 0.48 kg/m², are 0.18 to 1.28 mm thick,
//! and have a bending stiffness of 2e-6 to 1.2e-5 N m. The lightest silk has about 0.01 kg/m², felt and carpets 2 kg/m²
//! and 10 mm, and cardboard 0.01 N m. Cloth of more than 20 m is a tent or a sail. The bounds lie outside all of these.

use super::Builder;
use crate::{document::Path, view::View};
use taffeta::{Body, Cloth, Fabric, Material, Motion, Setup, Shape, Vec3, Warning, figure};

/// The plausible range of one value of a fabric.
struct Bounds {
    key: &'static str,
    unit: &'static str,
    /// A value outside this range is questioned.
    allowed: [f64; 2],
    /// A value converted from another unit should lie in this range.
    usual: [f64; 2],
    /// Other units, the likeliest first.
    units: &'static [Unit],
}

/// Factor from another unit to ours, and the name of that unit.
type Unit = (f64, &'static str);

const DENSITY: Bounds = Bounds {
    key: "density",
    unit: "kg/m²",
    allowed: [0.003, 5.0],
    usual: [0.03, 1.0],
    units: &[(1e-3, "g/m²"), (1e-2, "mg/cm²"), (0.0339, "oz/yd²"), (10.0, "g/cm²"), (1e3, "g/mm²")],
};
const THICKNESS: Bounds = Bounds {
    key: "thickness",
    unit: "m",
    allowed: [5e-6, 0.02],
    usual: [5e-5, 5e-3],
    units: &[(1e-3, "mm"), (1e-2, "cm"), (1e-6, "µm"), (1e3, "km")],
};
const BEND: Bounds = Bounds {
    key: "bend",
    unit: "N m",
    allowed: [0.0, 0.02],
    usual: [1e-7, 1e-3],
    units: &[(9.80665e-5, "gf cm²/cm"), (1e-6, "µN m"), (1e-3, "mN m")],
};

/// Units of length, the likeliest first.
const LENGTHS: &[Unit] = &[(0.01, "centimetres"), (0.001, "millimetres"), (0.0254, "inches")];
/// A cloth whose largest extent is outside this range is questioned, m.
const CLOTH: [f64; 2] = [0.01, 20.0];
/// Usual extent of a cloth, m.
const USUAL_CLOTH: [f64; 2] = [0.2, 5.0];
/// A body thicker than this is questioned, m: a floor may be as wide as it likes.
const BODY: f64 = 20.0;
/// So is a body that is this many times as thick as the cloth is large, and at least this thick, m.
const BODY_BESIDE_CLOTH: (f64, f64) = (5.0, 5.0);
/// A body smaller than this fraction of the cloth, and than this many m, is questioned.
const SMALL_BODY: (f64, f64) = (0.01, 0.005);
/// A motion over this many times the size of the cloth, and this many m, is questioned.
const FAR: (f64, f64) = (100.0, 50.0);
/// A motion faster than this is questioned, m/s: a third of the speed of sound.
const FAST: f64 = 100.0;
/// Noise above this fraction of the mean edge is questioned: triangles would turn over.
const NOISE: f64 = 0.5;
/// Gravity above this is questioned, m/s²: it is more than on any planet.
const GRAVITY: f64 = 100.0;

impl Builder<'_> {
    /// Questions the scene as a whole, when all of it is known.
    pub(super) fn doubt_scene(&mut self, root: &View<'_>, setup: &Setup) {
        let g = setup.gravity;
        if g.length() > GRAVITY {
            let likely = likely(g.length(), [5.0, 20.0], &[(0.01, "cm/s²"), (0.001, "mm/s²")]);
            let message = match likely {
                Some((factor, unit)) => {
                    format!("in {unit} it would be gravity = {}", list(&(g * factor).to_array()))
                }
                None => "that of the Earth is gravity = [0.0, -9.81, 0.0]".into(),
            };
            let size = figure(three(g.length()));
            self.doubt(root.at("gravity"), format!("gravity is {size} m/s²; is that meant? {message}"));
        }
        let size = setup.cloths.iter().map(size_of).fold(0.0, f64::max);
        for (view, body) in root.tables("body").iter().zip(&setup.bodies) {
            self.doubt_body(view, body, size);
        }
    }

    pub(super) fn doubt_cloth(&mut self, view: &View<'_>, cloth: &Cloth) {
        if let Material::Fabric(fabric) = &cloth.material {
            // raw constants from papers have units of their own
            self.doubt_size(view, cloth, fabric);
            self.doubt_fabric(&view.table("fabric"), view.at("fabric"), fabric);
            for (view, region) in view.tables("region").iter().zip(&cloth.regions) {
                if let Some(own) = region.fabric.filter(|own| own != fabric) {
                    self.doubt_fabric(view, view.path.clone(), &own);
                }
            }
        }
        let size = size_of(cloth);
        let edge = mean_edge(cloth);
        if let Some(noise) = cloth.noise.filter(|noise| noise.size > NOISE * edge) {
            self.doubt(
                view.table("noise").at("size"),
                format!(
                    "noise of {} m moves vertices farther than the edges between them are long ({} m); is that meant? \
                     To break a symmetry, size = {} is enough",
                    figure(noise.size),
                    figure(three(edge)),
                    toml(1e-3 * edge)
                ),
            );
        }
        for (view, pin) in view.tables("pin").iter().zip(&cloth.pins) {
            self.doubt_motion(view, &pin.motion, size, "the pin");
        }
    }

    fn doubt_fabric(&mut self, view: &View<'_>, path: Path, fabric: &Fabric) {
        let [warp, weft] = fabric.bend;
        for (bounds, value) in [(DENSITY, fabric.density), (THICKNESS, fabric.thickness), (BEND, warp.max(weft))] {
            let [low, high] = bounds.allowed;
            if (low..=high).contains(&value) {
                continue;
            }
            let (key, unit) = (bounds.key, bounds.unit);
            let real = match key {
                "density" => "real cloth has 0.01 to 2 kg/m²",
                "thickness" => "real cloth is 0.00002 to 0.01 m thick",
                _ => "real cloth has 1e-7 to 0.001 N m",
            };
            let mend = match likely(value, bounds.usual, bounds.units) {
                Some((factor, other)) => format!("; in {other} it would be {key} = {}", toml(value * factor)),
                None => String::new(),
            };
            let path = if view.has(key) { view.at(key) } else { path.clone() };
            self.doubt(path, format!("`{key}` is {} {unit}; is that meant? {real}{mend}", figure(value)));
        }
    }

    /// Questions a cloth of unusual size.
    fn doubt_size(&mut self, view: &View<'_>, cloth: &Cloth, fabric: &Fabric) {
        let size = size_of(cloth);
        if (CLOTH[0]..=CLOTH[1]).contains(&size) {
            return;
        }
        let Some(key) = view.table.one_of.iter().copied().find(|key| view.has(key)) else { return };
        let extents = extents(&cloth.mesh.rest) * cloth.place.scale;
        let mut sides = extents.to_array();
        sides.sort_by(|a, b| b.total_cmp(a));
        let mass = figure(three(fabric.density * area(cloth)));
        let said = format!(
            "the cloth is {} m by {} m large and weighs {mass} kg",
            figure(three(sides[0])),
            figure(three(sides[1]))
        );
        let small = size < CLOTH[0];
        let units: &[Unit] = if small { &[(100.0, ""), (1000.0, "")] } else { LENGTHS };
        let mend = likely(size, USUAL_CLOTH, units).map(|(factor, unit)| {
            let shape = view.table(key);
            let sizes = |key: &str| {
                let scaled = |x: &f64| x * factor;
                list(&shape.vec2(key).iter().map(scaled).collect::<Vec<_>>())
            };
            let keys = match key {
                "grid" => format!("size = {}", sizes("size")),
                "equilateral" | "random" => {
                    format!("size = {}, edge = {}", sizes("size"), toml(shape.number("edge") * factor))
                }
                "disc" if !shape.has("rings") => {
                    let number = |key: &str| toml(shape.number(key) * factor);
                    format!("radius = {}, edge = {}", number("radius"), number("edge"))
                }
                _ => format!("place = {{ scale = {} }}, which scales uv too", toml(cloth.place.scale * factor)),
            };
            if small {
                format!("{factor} times larger it is {keys}")
            } else {
                format!("if these are {unit}, write {keys}")
            }
        });
        let mend = mend.unwrap_or_else(|| "lengths are in metres: `place = { scale = ... }` scales all of them".into());
        self.doubt(view.at(key), format!("{said}; is that meant? {mend}"));
    }

    fn doubt_body(&mut self, view: &View<'_>, body: &Body, cloth: f64) {
        self.doubt_motion(view, &body.motion, cloth, "the body");
        let Some([least, most]) = thickness_and_length(body) else { return };
        let (times, thick) = BODY_BESIDE_CLOTH;
        let large = least > BODY || (least > thick && least > times * cloth);
        let small = most < SMALL_BODY.0 * cloth && most < SMALL_BODY.1;
        if !large && !small {
            return;
        }
        let units: &[Unit] = if small { &[(100.0, ""), (1000.0, "")] } else { LENGTHS };
        let mend = match likely(most, [0.3 * cloth.min(1.0), 5.0 * cloth.max(0.6)], units) {
            Some((factor, unit)) => {
                let keys = format!("place = {{ scale = {} }}", toml(body.place.scale * factor));
                if small {
                    format!("{factor} times larger: {keys}")
                } else {
                    format!("if these are {unit}, write {keys}")
                }
            }
            None => "lengths are in metres: `place = { scale = ... }` scales all of them".into(),
        };
        let key = view.table.one_of.iter().copied().find(|key| view.has(key)).unwrap_or("name");
        let most = figure(three(most));
        let said = format!("the body is {most} m long and the cloth {} m; is that meant? {mend}", figure(three(cloth)));
        self.doubt(view.at(key), said);
    }

    fn doubt_motion(&mut self, view: &View<'_>, motion: &Motion, cloth: f64, what: &str) {
        let far = motion.keys.iter().map(|key| key.shift.length()).fold(0.0, f64::max);
        let pairs = motion.keys.windows(2).map(|pair| (pair[1].shift.distance(pair[0].shift), pair[1].t - pair[0].t));
        let jumps = pairs.filter(|(distance, time)| *distance > cloth && *time > 0.0);
        let speed = jumps.map(|(distance, time)| distance / time).fold(0.0, f64::max);
        let said = if far > (FAR.0 * cloth).max(FAR.1) {
            format!("{what} moves by {} m, and the cloth is {} m large", figure(three(far)), figure(three(cloth)))
        } else if speed > FAST {
            format!("{what} moves at {} m/s", figure(three(speed)))
        } else {
            return;
        };
        let mend = match likely(far, [0.1 * cloth, 5.0 * cloth], LENGTHS) {
            Some((factor, unit)) => {
                let key = motion.keys.iter().map(|key| key.shift).max_by(|a, b| a.length().total_cmp(&b.length()));
                let scaled = list(&(key.unwrap_or_default() * factor).to_array());
                format!("if it is in {unit}, write move = {scaled}")
            }
            None => "`move` is in metres and `t` in seconds".into(),
        };
        self.doubt(view.at("motion"), format!("{said}; is that meant? {mend}"));
    }

    pub(super) fn doubt(&mut self, path: Path, message: String) {
        self.warnings.push(Warning { path: path.join("."), message });
    }
}

/// The first unit in which a value would be usual.
fn likely(value: f64, [low, high]: [f64; 2], units: &[Unit]) -> Option<Unit> {
    units.iter().copied().find(|(factor, _)| (low..=high).contains(&(value * factor)))
}

/// Rounds to three digits.
pub(super) fn three(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// A number with three digits, as written in a scene.
pub(super) fn toml(x: f64) -> String {
    format!("{:?}", three(x))
}

/// Numbers, as written in a scene.
pub(super) fn list(numbers: &[f64]) -> String {
    format!("[{}]", numbers.iter().map(|x| toml(x + 0.0)).collect::<Vec<_>>().join(", "))
}

fn extents(points: &[Vec3]) -> Vec3 {
    let (low, high) =
        points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    (high - low).max(Vec3::ZERO)
}

/// The largest extent of a cloth, m.
fn size_of(cloth: &Cloth) -> f64 {
    extents(&cloth.mesh.rest).max_element() * cloth.place.scale
}

/// Area by uv, as for masses, m².
fn area(cloth: &Cloth) -> f64 {
    let double = |[a, b, c]: &[[f64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    0.5 * cloth.mesh.uv.iter().map(|t| double(t).abs()).sum::<f64>() * cloth.place.scale.powi(2)
}

fn mean_edge(cloth: &Cloth) -> f64 {
    let sides = |[a, b, c]: &[[f64; 2]; 3]| {
        let side = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        side(a, b) + side(b, c) + side(c, a)
    };
    let uv = &cloth.mesh.uv;
    uv.iter().map(sides).sum::<f64>() / (3 * uv.len().max(1)) as f64 * cloth.place.scale
}

/// Smallest and largest extent of a body, m; a plane has none.
fn thickness_and_length(body: &Body) -> Option<[f64; 2]> {
    let sides = match &body.shape {
        Shape::Mesh(mesh) => {
            let mut x = Vec::new();
            mesh.at(mesh.span().0, &mut x).ok()?;
            extents(&x).to_array()
        }
        shape => shape.extents()?.to_array(),
    };
    let fold = |start: f64, pick: fn(f64, f64) -> f64| sides.into_iter().fold(start, pick) * body.place.scale;
    Some([fold(f64::INFINITY, f64::min), fold(0.0, f64::max)])
}

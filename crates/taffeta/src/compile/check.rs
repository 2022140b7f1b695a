//! Checks of single values of a [`Setup`]. Each check names the key as scene files do.

use crate::model::network::Unmatched;
use crate::setup::Allowed::{Any, NotNegative, Positive};
use crate::setup::{
    Air, Bending, Body, BodyMesh, Cloth, Fabric, FabricDamping, Hold, MAX_VERTICES, Material, Method, Model, Motion,
    Place, Problems, Raw, Select, Setting, SettingValue, Settings, Setup, Shape, StepSize, ViscousDamping,
};

/// Finds every problem that can be seen without building.
pub(super) fn setup(setup: &Setup) -> Problems {
    let mut p = Problems::default();
    p.vector("", "gravity", setup.gravity, "m/s^2");
    air(&mut p, &setup.air);
    time(&mut p, setup);
    if let Some(limiter) = &setup.limiter {
        p.number("limiter", "limit", limiter.limit, "", NotNegative);
        if limiter.passes == 0 || limiter.passes > 10_000 {
            p.add("limiter", "passes", format!("{} passes", limiter.passes), "give 1 to 10000 passes");
        }
    }
    if setup.cloths.is_empty() {
        p.add("", "cloth", "there is no cloth", "add a [[cloth]] with a grid or a mesh");
    }
    let total: u64 = setup.cloths.iter().map(|cloth| cloth.mesh.rest.len() as u64).sum();
    if total > MAX_VERTICES {
        p.add("", "cloth", format!("{total} vertices in all are more than {MAX_VERTICES}"), "use coarser meshes");
    }
    for (i, c) in setup.cloths.iter().enumerate() {
        if setup.cloths[..i].iter().any(|other| other.name == c.name) {
            let path = format!("cloth.{i}");
            p.add(&path, "name", format!("another cloth is called `{}` too", c.name), "give each cloth its own name");
        }
        cloth(&mut p, &format!("cloth.{i}"), c);
    }
    for (i, b) in setup.bodies.iter().enumerate() {
        body(&mut p, &format!("body.{i}"), b);
    }
    p
}

/// Reports why springs cannot be made from a fabric.
pub(super) fn unmatched(p: &mut Problems, path: &str, why: Unmatched) {
    let (key, help) = match why {
        Unmatched::Flexion { .. } => {
            ("model.curvature", "match at a larger curvature, use a coarser mesh, or bending = \"hinge\"")
        }
        Unmatched::Stretch => ("fabric", "lower shear to less than half of stretch, or use a grid"),
    };
    p.add(path, key, String::from(why), help);
}

fn air(p: &mut Problems, air: &Air) {
    p.number("air", "density", air.density, "kg/m^3", NotNegative);
    p.number("air", "drag", air.drag, "", NotNegative);
    p.number("air", "fluid", air.fluid, "N s/m^3", NotNegative);
    p.number("air", "fluid_per_particle", air.fluid_per_particle, "N s/m", NotNegative);
    p.vector("air", "wind", air.wind, "m/s");
    if let Some(gust) = air.gust {
        p.number("air.gust", "strength", gust.strength, "", NotNegative);
        p.number("air.gust", "period", gust.period, "s", Positive);
    }
}

fn time(p: &mut Problems, setup: &Setup) {
    p.number("time", "fps", setup.time.fps, "frames per second", Positive);
    p.number("time", "duration", setup.time.duration, "s", NotNegative);
    if let StepSize::AtMost(step) = setup.time.step {
        p.number("time", "step", step, "s", Positive);
    }
    if let Some(adaptive) = setup.time.adaptive {
        p.number("time.adaptive", "change", adaptive.change, "", Positive);
        if !(adaptive.least > 0.0 && adaptive.least <= 1.0) {
            let message = format!("{} is not a share of the longest step", adaptive.least);
            p.add("time.adaptive", "least", message, "give a number above 0, up to 1");
        }
    }
    setup.method.iter().for_each(|chosen| method(p, chosen));
}

fn method(p: &mut Problems, method: &Method) {
    settings(p, "method", method.info().settings, &method.values());
}

/// Checks each value against its row.
fn settings(p: &mut Problems, path: &str, list: &[Setting], values: &[SettingValue]) {
    for (setting, value) in list.iter().zip(values).filter(|(setting, value)| !setting.kind.holds(**value)) {
        p.add(path, setting.key, format!("{value} is not possible here"), format!("give {}", setting.kind));
    }
}

fn cloth(p: &mut Problems, path: &str, cloth: &Cloth) {
    let n = cloth.mesh.rest.len();
    if cloth.mesh.triangles.is_empty() {
        p.add(path, "mesh", "the mesh has no triangles", "make it with Mesh::new, Mesh::grid or Mesh::equilateral");
        return;
    }
    for (key, shape) in [("start", &cloth.start), ("rest_shape", &cloth.rest_shape)] {
        let Some(shape) = shape else { continue };
        if shape.len() != n {
            let message = format!("it has {} vertices, the cloth has {n}", shape.len());
            p.add(path, key, message, "export it from the same mesh, with the same vertices in the same order");
        } else if let Some(i) = shape.iter().position(|p| !p.is_finite()) {
            p.add(path, key, format!("vertex {i} has a position that is not a number"), "mend that vertex");
        }
    }
    p.number(path, "mesh.bend_factor", cloth.mesh.bend_factor, "", Positive);
    p.number(path, "grain", cloth.grain, "degrees", Any);
    place(p, path, &cloth.place);
    p.vector(path, "velocity", cloth.velocity, "m/s");
    if let Some(noise) = cloth.noise {
        p.number(&format!("{path}.noise"), "size", noise.size, "m", NotNegative);
    }
    match &cloth.material {
        Material::Fabric(f) => fabric(p, &format!("{path}.fabric"), f),
        Material::Raw(r) => raw(p, &format!("{path}.raw"), r),
    }
    model(p, path, cloth);
    regions(p, path, cloth);
    for (i, pin) in cloth.pins.iter().enumerate() {
        let path = format!("{path}.pin.{i}");
        if pin.clamp && !matches!(cloth.model.bending(), Some(Bending::Hinge | Bending::Quadratic)) {
            p.add(
                &path,
                "clamp",
                "a clamp acts on hinges, and this model has none",
                "use bending = \"hinge\", or leave it out",
            );
        }
        selection(p, &path, &pin.select, n);
        if let Hold::Normal(d) | Hold::Along(d) = pin.hold
            && !(d.is_finite() && d.length() > 0.0)
        {
            p.add(&path, "hold", "the direction has no length", "give a direction such as [0.0, 1.0, 0.0]");
        }
        motion(p, &path, &pin.motion);
        span(p, &path, pin.from, pin.until);
    }
    for (i, load) in cloth.loads.iter().enumerate() {
        let path = format!("{path}.load.{i}");
        selection(p, &path, &load.select, n);
        span(p, &path, load.from, load.until);
        if load.force.is_empty() || load.force.iter().any(|(t, f)| !t.is_finite() || !f.is_finite()) {
            p.add(&path, "force", "a force is missing or not a number", "give three numbers in N");
        }
        rising(p, &path, "force", load.force.iter().map(|key| key.0));
    }
}

fn model(p: &mut Problems, path: &str, cloth: &Cloth) {
    let (name, bending) = (cloth.model.name(), cloth.model.bending());
    let springs = matches!(cloth.model, Model::MassSpring { .. });
    match bending {
        Some(Bending::Flexion { curvature }) if springs => {
            if matches!(cloth.material, Material::Fabric(_)) {
                p.number(&format!("{path}.model"), "curvature", curvature, "1/m", Positive);
            }
        }
        Some(Bending::Flexion { .. }) => {
            let message = format!("{name} has no flexion springs");
            p.add(path, "model", message, "use bending = \"hinge\" or \"quadratic\", or model mass-spring");
        }
        Some(Bending::Quadratic) if springs => {
            let message = "mass-spring has no quadratic bending";
            p.add(path, "model", message, "use bending = \"hinge\", or model baraff-witkin or membrane");
        }
        Some(Bending::Quadratic) if cloth.rest_shape.is_some() || !cloth.mesh.has_uv => {
            let message = "quadratic bending rests flat only, and this cloth has a rest shape of its own";
            p.add(path, "model", message, "use bending = \"hinge\", or give the mesh uv and leave `rest_shape` out");
        }
        _ => {}
    }
    if let (Material::Raw(_), Model::Membrane { .. } | Model::ChoiKo) = (&cloth.material, &cloth.model) {
        let message = format!("raw constants are those of mass-spring and baraff-witkin, not of {name}");
        p.add(path, "raw", message, "give a fabric, or use model mass-spring or baraff-witkin");
    }
    if let (Material::Fabric(f), Model::Membrane { .. }) = (&cloth.material, &cloth.model)
        && f.poisson * f.poisson >= f.stretch[0] / f.stretch[1]
    {
        let most = (f.stretch[0] / f.stretch[1]).sqrt();
        let message = format!("a membrane with this stretch has a Poisson ratio below {most:.3}, not {}", f.poisson);
        p.add(&format!("{path}.fabric"), "poisson", message, "lower it");
    }
}

fn regions(p: &mut Problems, path: &str, cloth: &Cloth) {
    if !cloth.regions.is_empty() && !cloth.model.takes_regions() {
        let message = "springs share one fabric: regions need a model made of triangles";
        p.add(path, "region", message, "use model baraff-witkin or membrane, or leave the regions out");
    }
    if !cloth.regions.is_empty() && matches!(cloth.material, Material::Raw(_)) {
        let message = "regions change values of a fabric, and `raw` constants are none";
        p.add(path, "region", message, "give a `fabric` in place of `raw`, or leave the regions out");
    }
    for (i, region) in cloth.regions.iter().enumerate() {
        let path = format!("{path}.region.{i}");
        selection(p, &path, &region.select, cloth.mesh.rest.len());
        region.stretch_rest.iter().for_each(|&b| p.number(&path, "stretch_rest", b, "", Positive));
        if let Some(f) = &region.fabric {
            fabric(p, &path, f);
            let times = |f: &Fabric| [f.damping.stretch, f.damping.shear, f.damping.bend];
            if let Material::Fabric(own) = &cloth.material
                && times(own) != times(f)
            {
                let message = "damping inside the cloth is the same everywhere; a region may have its own `air` only";
                p.add(&path, "damping", message, "give the damping times to the fabric of the cloth");
            }
        }
    }
}

fn place(p: &mut Problems, path: &str, place: &Place) {
    let path = format!("{path}.place");
    p.number(&path, "scale", place.scale, "", Positive);
    p.vector(&path, "rotate", place.rotate, "degrees");
    p.vector(&path, "at", place.at, "m");
}

fn fabric(p: &mut Problems, path: &str, f: &Fabric) {
    settings(p, path, Fabric::LIST, &f.values());
    settings(p, &format!("{path}.damping"), FabricDamping::LIST, &f.damping.values());
    f.stretch.iter().for_each(|&k| p.number(path, "stretch", k, "N/m", Positive));
    f.bend.iter().for_each(|&b| p.number(path, "bend", b, "N m", NotNegative));
    for (key, value) in [("self", f.friction.cloth), ("solid", f.friction.solid)] {
        p.number(&format!("{path}.friction"), key, value, "", NotNegative);
    }
}

fn raw(p: &mut Problems, path: &str, r: &Raw) {
    p.number(path, "mass", r.mass, "kg for each particle", Positive);
    for (key, value, unit) in [
        ("structural", r.structural, "N/m"),
        ("shear", r.shear, "N/m"),
        ("flexion", r.flexion, "N/m"),
        ("hinge", r.hinge, "N m"),
        ("along", r.along, "N s/m"),
    ] {
        p.number(path, key, value, unit, NotNegative);
    }
    if let ViscousDamping::Constant(c) = r.damping {
        p.number(path, "damping", c, "N s/m", NotNegative);
    }
}

fn selection(p: &mut Problems, path: &str, select: &Select, n: usize) {
    if let Select::Vertices(list) = select
        && let Some(v) = list.iter().find(|&&v| v as usize >= n)
    {
        let message = format!("vertex {v} does not exist: the cloth has {n}");
        p.add(path, "select", message, format!("vertices are numbered from 0 to {}", n.saturating_sub(1)));
    }
    if let Select::Sphere { radius, .. } = select {
        p.number(path, "select.sphere.radius", *radius, "m", Positive);
    }
}

fn motion(p: &mut Problems, path: &str, motion: &Motion) {
    if let Some(i) = motion.keys.iter().position(|k| !(k.t.is_finite() && k.shift.is_finite() && k.turn.is_finite())) {
        p.add(path, "motion", format!("key {i} has a value that is not a number"), "give finite numbers");
    }
    rising(p, path, "motion", motion.keys.iter().map(|key| key.t));
}

fn rising(p: &mut Problems, path: &str, key: &str, times: impl Iterator<Item = f64>) {
    let times: Vec<f64> = times.collect();
    if let Some(i) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let message = format!("key {} at t = {} s comes after t = {} s", i + 1, times[i + 1], times[i]);
        p.add(path, key, message, "put keys in the order of time, each time once");
    }
}

fn span(p: &mut Problems, path: &str, from: f64, until: f64) {
    if from.is_nan() || until.is_nan() || from >= until {
        p.add(path, "until", format!("until {until} s is not after from {from} s"), "make `until` later than `from`");
    }
}

fn body(p: &mut Problems, path: &str, body: &Body) {
    if let Shape::Mesh(mesh) = &body.shape {
        body_mesh(p, path, mesh.as_ref());
    }
    body.shape.lengths().iter().for_each(|(key, length)| p.number(path, key, *length, "m", Positive));
    place(p, path, &body.place);
    motion(p, path, &body.motion);
    p.number(path, "restitution", body.restitution, "", NotNegative);
    p.number(path, "thickness", body.thickness, "m", NotNegative);
    if let Some(friction) = body.friction {
        p.number(path, "friction", friction, "", NotNegative);
    }
}

/// Checks what contact and pictures require of a body mesh.
fn body_mesh(p: &mut Problems, path: &str, mesh: &dyn BodyMesh) {
    let (count, triangles) = (mesh.vertices() as u64, mesh.triangles());
    let (begin, end) = mesh.span();
    let message = if triangles.is_empty() {
        "the mesh has no triangles".into()
    } else if count > MAX_VERTICES {
        format!("{count} vertices are more than {MAX_VERTICES}")
    } else if let Some((i, v)) = triangles.as_flattened().iter().enumerate().find(|(_, v)| u64::from(**v) >= count) {
        format!("triangle {} has vertex {v}, and there are {count}, counted from 0", i / 3)
    } else if !(begin.is_finite() && end.is_finite() && begin <= end) {
        format!("it moves from {begin} s to {end} s")
    } else if let Err(error) = mesh.at(begin, &mut Vec::new()) {
        error.to_string()
    } else {
        return;
    };
    p.add(path, "mesh", message, "repair the mesh in the program that made it and export it again");
}

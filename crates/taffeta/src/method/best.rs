//! The choice of a method for a scene.

use crate::Vec3;
use crate::setup::{Cloth, ContactLaw, Fabric, Implicit, Material, Method, Region, Setup, StepSize};

impl Method {
    /// The best method for a setup, as far as that is known before it moves. `setup.method` is ignored.
    ///
    /// [`Method::FilteredEuler`] is several times faster than all others for sheets of about a metre and keeps the
    /// motion of a whole cloth, but it slows down short waves and shear, and has no contact. So it is taken where cloth
    /// resists shear by a tenth of stretch or more, bends easily, touches nothing, nothing limits its stretch, no
    /// region has other rest lengths, the air does not drive it (no wind, and pins that never let go), and the step is
    /// left to it. Bodies with contact by the barrier get [`Method::BackwardEuler`], everything else [`Method::Bdf2`].
    /// How far the cloth is from rest at the start, and how far pins and loads will pull it, is not considered. Actions
    /// make no difference, so that a recording is replayed with the method that it was made with.
    ///
    /// ```
    /// use taffeta::{Cloth, Fabric, Material, Mesh, Method, Pattern, Pin, Select, Setup};
    /// let mut sheet = Cloth::new("sheet", Mesh::grid([1.0, 1.0], [10, 10], Pattern::OneDiagonal)?);
    /// sheet.pins.push(Pin::fixed(Select::Vertices(vec![0])));
    /// sheet.material = Material::Fabric(Fabric { stretch: [5000.0; 2], shear: 2500.0, ..Fabric::default() });
    /// let mut setup = Setup::with_cloth(sheet);
    /// assert_eq!(Method::best(&setup).name(), "filtered-euler");
    /// setup.air.wind.x = 5.0;
    /// setup.air.drag = 1.0;
    /// assert_eq!(Method::best(&setup).name(), "bdf2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(setup: &Setup) -> Method {
        let Setup { air, components: on, .. } = setup;
        let barrier = setup.contact_law() == ContactLaw::Barrier;
        if on.contact && barrier && !setup.bodies.is_empty() {
            return Method::BackwardEuler(Implicit::default());
        }
        let touches = on.contact && !setup.bodies.is_empty();
        let limited = on.limiter && setup.limiter.is_some();
        let wind = on.wind && air.wind != Vec3::ZERO;
        let blown = |cloth: &Cloth| {
            let drags = on.air && air.acts() || on.damping && cloth.drags();
            drags && (wind || !on.pins || !stays(cloth))
        };
        let own_step = setup.time.step != StepSize::Auto;
        let fits = |cloth: &Cloth| on.shear && resists(cloth) && (!on.bend || bends(cloth)) && !blown(cloth);
        if touches || limited || own_step || !setup.cloths.iter().all(fits) {
            Method::Bdf2(Implicit::default())
        } else {
            Method::FilteredEuler
        }
    }
}

/// Shear stiffness that counts as that of stretch: the filter takes both for the same, and a wave of shear is slowed by
/// up to the root of their ratio.
const SHEAR: f64 = 0.1;

/// Whether the cloth has the rest lengths of its mesh and resists shear.
fn resists(cloth: &Cloth) -> bool {
    let resists = |fabric: &Fabric| fabric.shear >= SHEAR * fabric.stretch[0].max(fabric.stretch[1]);
    let whole = match &cloth.material {
        Material::Fabric(fabric) => resists(fabric),
        Material::Raw(raw) => raw.shear >= SHEAR * raw.structural,
    };
    let region = |region: &Region| region.stretch_rest == [1.0; 2] && region.fabric.as_ref().is_none_or(resists);
    whole && cloth.regions.iter().all(region)
}

/// Bending stiffness over the square of an edge, as a share of stretch, that is no trouble: what stands for bending in
/// the filter resists turning, so that stiffer cloth would need shorter and shorter steps.
const BEND: f64 = 0.1;

/// Whether bending is soft beside stretch at the size of a triangle.
fn bends(cloth: &Cloth) -> bool {
    let area = |[a, b, c]: &[[f64; 2]; 3]| 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])).abs();
    let triangles = &cloth.mesh.uv;
    let squared_edge = 2.0 * triangles.iter().map(area).sum::<f64>() / triangles.len().max(1) as f64;
    let soft = |bend: f64, stretch: f64| bend <= BEND * stretch * squared_edge;
    let bends = |fabric: &Fabric| soft(fabric.bend[0].max(fabric.bend[1]), fabric.stretch[0].min(fabric.stretch[1]));
    let whole = match &cloth.material {
        Material::Fabric(fabric) => bends(fabric),
        Material::Raw(raw) => soft(raw.hinge, raw.structural),
    };
    whole && cloth.regions.iter().all(|region| region.fabric.as_ref().is_none_or(bends))
}

/// Whether a pin holds the cloth for ever, however long it runs.
fn stays(cloth: &Cloth) -> bool {
    cloth.pins.iter().any(|pin| pin.from <= 0.0 && pin.until == f64::INFINITY)
}

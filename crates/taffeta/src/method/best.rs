//! Which method to take for a scene.

use super::{Implicit, Method};
use crate::{Cloth, Fabric, Material, Region, Setup, StepSize, Vec3};

impl Method {
    /// The method that is best for a setup, as far as that can be told before it moves; `setup.method` is not looked at.
    ///
    /// [`Method::FilteredEuler`] is several times faster than all others and keeps the motion of a whole cloth, but it slows down
    /// short waves and shear, and has no contact. So it is taken where cloth resists shear by a tenth of stretch or more, touches
    /// nothing, nothing limits its stretch, no region has other rest lengths, the air does not drive it (no wind, and pins that
    /// never let go), and the step is left to it. Everything else gets [`Method::Bdf2`]. How far the cloth is from rest at
    /// the start, and how far pins and loads will pull it, is not looked at.
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
        let touches = on.contact && !setup.bodies.is_empty();
        let limited = on.limiter && setup.limiter.is_some();
        let wind = on.wind && air.wind != Vec3::ZERO;
        let blown = |cloth: &Cloth| {
            let drags = on.air && air.acts() || on.damping && cloth.drags();
            drags && (wind || !on.pins || !stays(cloth))
        };
        let own_step = setup.time.step != StepSize::Auto;
        let fits = |cloth: &Cloth| on.shear && resists(cloth) && !blown(cloth);
        if touches || limited || own_step || !setup.cloths.iter().all(fits) {
            Method::Bdf2(Implicit::default())
        } else {
            Method::FilteredEuler
        }
    }
}

/// Shear stiffness that counts as that of stretch: the filter takes both for the same, and a wave of shear is slowed by up to the root
/// of their ratio.
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

/// Whether a pin holds the cloth for ever, however long it runs.
fn stays(cloth: &Cloth) -> bool {
    cloth.pins.iter().any(|pin| pin.from <= 0.0 && pin.until == f64::INFINITY)
}

//! Which method to take for a scene.

use super::{Implicit, Method};
use crate::{Cloth, Setup, StepSize, Vec3};

impl Method {
    /// The method that is best for a setup, as far as that can be told before it moves; `setup.method` is not looked at.
    ///
    /// [`Method::FilteredEuler`] is several times faster than all others and keeps the motion of a whole cloth, but it slows down
    /// short waves, and has no contact. So it is taken where cloth touches nothing, nothing limits its stretch, it
    /// starts near its rest lengths, the air does not drive it, and the step is left to it. Everything else gets
    /// [`Method::Bdf2`].
    ///
    /// ```
    /// use taffeta::{Cloth, Mesh, Method, Pattern, Pin, Select, Setup};
    /// let mut sheet = Cloth::new("sheet", Mesh::grid([1.0, 1.0], [10, 10], Pattern::OneDiagonal)?);
    /// sheet.pins.push(Pin::fixed(Select::Vertices(vec![0])));
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
        let blown = on.air && air.acts() && {
            let wind = on.wind && air.wind != Vec3::ZERO;
            wind || !setup.cloths.iter().all(|cloth| on.pins && stays(cloth, setup.time.duration))
        };
        let elsewhere = |cloth: &Cloth| cloth.regions.iter().any(|region| region.stretch_rest != [1.0; 2]);
        let own_step = setup.time.step != StepSize::Auto;
        if touches || limited || blown || own_step || setup.cloths.iter().any(elsewhere) {
            Method::Bdf2(Implicit::default())
        } else {
            Method::FilteredEuler
        }
    }
}

/// Whether a pin holds the cloth all the time.
fn stays(cloth: &Cloth, duration: f64) -> bool {
    cloth.pins.iter().any(|pin| pin.from <= 0.0 && pin.until >= duration)
}

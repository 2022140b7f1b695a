//! The air: density, drag and a wind with deterministic gusts.

use crate::Vec3;

/// The air around the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Density, kg/m³.
    pub density: f64,
    /// Coefficient C of the pressure drag ½ ρ C A (n·u)|n·u| n on each triangle, where u is the velocity of the air
    /// relative to it.
    pub drag: f64,
    /// Coefficient C, N s/m³, of Provot's fluid force C A (n·u) n on each vertex with normal n and area A.
    pub fluid: f64,
    /// Coefficient C, N s/m, of the fluid force as the papers write it: C (n·u) n for each particle.
    pub fluid_per_particle: f64,
    /// Velocity of the wind, m/s.
    pub wind: Vec3,
    /// Gusts, which strengthen and weaken the wind.
    pub gust: Option<Gust>,
}

impl Default for Air {
    /// Air at rest that does not act on the cloth.
    fn default() -> Self {
        Self { density: 1.2, drag: 0.0, fluid: 0.0, fluid_per_particle: 0.0, wind: Vec3::ZERO, gust: None }
    }
}

/// Gusts multiply the wind by 1 + strength × noise. The noise is smooth in time and between -1 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gust {
    /// Strength as a share of the wind.
    pub strength: f64,
    /// Time between two random values, s.
    pub period: f64,
    /// Seed of the noise.
    pub seed: u64,
}

impl Air {
    /// Velocity of the air at time `t`.
    pub fn wind_at(&self, t: f64) -> Vec3 {
        match self.gust {
            None => self.wind,
            Some(gust) => self.wind * (1.0 + gust.strength * gust.noise(t)),
        }
    }

    /// Highest speed that the wind reaches, m/s.
    pub fn top_speed(&self) -> f64 {
        self.wind.length() * (1.0 + self.gust.map_or(0.0, |gust| gust.strength.abs()))
    }

    /// Whether Provot's fluid force acts.
    pub(crate) fn has_fluid(&self) -> bool {
        self.fluid != 0.0 || self.fluid_per_particle != 0.0
    }

    /// Whether the air acts on the cloth at all.
    pub fn acts(&self) -> bool {
        self.drag * self.density != 0.0 || self.has_fluid()
    }
}

impl Gust {
    /// Value noise: one random number for each period, interpolated by a polynomial with two continuous derivatives.
    fn noise(&self, t: f64) -> f64 {
        let s = t / self.period;
        let cell = s.floor();
        let f = s - cell;
        let blend = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
        let value = |i: f64| crate::random::signed(self.seed, i as i64 as u64);
        let (a, b) = (value(cell), value(cell + 1.0));
        a + (b - a) * blend
    }
}

//! The heavy wedge, the reference for a round cloth with radial cuts.
//!
//! ```text
//! (r θ')' = -cos θ (R² - r²)/(2 c³),  θ(a) = 0,  θ'(R) = 0
//! r from the centre, along the cloth; θ below the horizontal
//! c = (B/ρg)^⅓                        a radius of the support, R of the cloth
//! ```
//! A strip whose width grows with r, held level at r = a: (B w θ')' = -ρ g cos θ ∫ w. Solved by shooting from the tip
//! for φ = π/2 - θ, which is tiny there if the cloth is limp.

use std::f64::consts::FRAC_PI_2;

const STEPS: u32 = 4000;

/// Drape coefficient: shadow of the cloth beyond the support over that of the flat cloth.
pub fn drape_coefficient(c: f64, support: f64, cloth: f64) -> f64 {
    let reach = support + overhang(c, support, cloth);
    (reach * reach - support * support) / (cloth * cloth - support * support)
}

/// How far the tip is from the support, seen from above.
fn overhang(c: f64, support: f64, cloth: f64) -> f64 {
    // by the logarithm of φ at the tip
    let (mut low, mut high) = (-100.0, FRAC_PI_2.ln());
    for _ in 0..60 {
        let middle: f64 = 0.5 * (low + high);
        if shoot(c, support, cloth, middle.exp())[0] < FRAC_PI_2 { low = middle } else { high = middle }
    }
    shoot(c, support, cloth, (0.5 * (low + high)).exp())[2]
}

/// φ, r dφ/dσ and ∫ sin φ at the support; σ counts from the tip, where φ = `angle`.
fn shoot(c: f64, support: f64, cloth: f64, angle: f64) -> [f64; 3] {
    let rate = |sigma: f64, y: &[f64; 3]| {
        let r = cloth - sigma;
        [y[1] / r, y[0].sin() * (cloth * cloth - r * r) / (2.0 * c.powi(3)), y[0].sin()]
    };
    let h = (cloth - support) / f64::from(STEPS);
    let mut y = [angle, 0.0, 0.0];
    for i in 0..STEPS {
        // it only grows towards the support: what is level before it is too high there
        if y[0] > FRAC_PI_2 + 0.1 {
            break;
        }
        let sigma = f64::from(i) * h;
        let after = |k: &[f64; 3], share: f64| -> [f64; 3] { std::array::from_fn(|i| y[i] + share * h * k[i]) };
        let k1 = rate(sigma, &y);
        let k2 = rate(sigma + 0.5 * h, &after(&k1, 0.5));
        let k3 = rate(sigma + 0.5 * h, &after(&k2, 0.5));
        let k4 = rate(sigma + h, &after(&k3, 1.0));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

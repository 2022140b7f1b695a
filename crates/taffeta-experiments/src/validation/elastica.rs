//! The heavy elastica, the reference for strips.
//!
//! ```text
//! θ'' = -(Γ (1 - s) + p) cos θ,  θ(0) = 0,  θ'(1) = 0        s in lengths from the clamp, θ below the horizontal
//! Γ = ρ g L³/B                   p = P L²/B, P a force per width at the tip
//! ```
//! Solved by shooting from the tip with Runge and Kutta's method. Of the same problem, collocation and elliptic
//! integrals (K. Bisshopp and D. Drucker, Large Deflection of Cantilever Beams, 1945) give the values that
//! tests/validation.rs holds it to.

/// The deflected tip, lengths over L, angles in degrees.
#[derive(Clone, Copy, Debug)]
pub struct Tip {
    pub x: f64,
    pub y: f64,
    /// Of the line from clamp to tip, below the horizontal.
    pub chord: f64,
    /// Curvature at the clamp times L.
    pub curvature: f64,
}

const STEPS: u32 = 4000;

/// The tip of an elastica under its own weight and a load at the tip.
pub fn tip(gamma: f64, p: f64) -> Tip {
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(gamma, p, middle)[0] > 0.0 { high = middle } else { low = middle }
    }
    let [_, rate, x, y] = shoot(gamma, p, 0.5 * (low + high));
    Tip { x, y: -y, chord: y.atan2(x).to_degrees(), curvature: -rate }
}

/// θ, dθ/dσ, ∫ cos θ and ∫ sin θ at the clamp; σ counts from the tip, where θ = `angle`.
fn shoot(gamma: f64, p: f64, angle: f64) -> [f64; 4] {
    let rate = |sigma: f64, y: &[f64; 4]| [y[1], -(gamma * sigma + p) * y[0].cos(), y[0].cos(), y[0].sin()];
    let h = 1.0 / f64::from(STEPS);
    let mut y = [angle, 0.0, 0.0, 0.0];
    for i in 0..STEPS {
        // it only falls towards the clamp: what is below 0 before it ends there too
        if y[0] < 0.0 {
            break;
        }
        let sigma = f64::from(i) * h;
        let after = |k: &[f64; 4], share: f64| -> [f64; 4] { std::array::from_fn(|c| y[c] + share * h * k[c]) };
        let k1 = rate(sigma, &y);
        let k2 = rate(sigma + 0.5 * h, &after(&k1, 0.5));
        let k3 = rate(sigma + 0.5 * h, &after(&k2, 0.5));
        let k4 = rate(sigma + h, &after(&k3, 1.0));
        y = std::array::from_fn(|c| y[c] + h / 6.0 * (k1[c] + 2.0 * k2[c] + 2.0 * k3[c] + k4[c]));
    }
    y
}

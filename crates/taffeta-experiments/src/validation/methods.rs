//! Section 8.7 to 8.9: order, amplification, energy and momentum of the methods.

use super::scene::{Run, bdf2, euler, fixed_step, grid, imex, particle};
use crate::comparison::{Judge, Row};
use std::f64::consts::FRAC_1_SQRT_2;
use taffeta::*;

const OMEGA: f64 = 2.0 * std::f64::consts::PI;

/// 8.7: errors at t = 0.3 of an oscillator with ω = 2π.
pub fn order() -> Vec<Row> {
    let verlet = [2.295075e-4, 5.737218e-5, 1.434275e-5, 3.585670e-6];
    let euler_row = [3.489344e-2, 1.760671e-2, 8.843093e-3, 4.431447e-3];
    let bdf2_row = [8.827391e-4, 2.220455e-4, 5.566651e-5, 1.393505e-5];
    #[rustfmt::skip]
    let table = [
        ("forward Euler", Method::ForwardEuler, [3.615460e-2, 1.792223e-2, 8.921990e-3, 4.451172e-3]),
        ("symplectic Euler", Method::SymplecticEuler, [1.803620e-2, 8.990417e-3, 4.488431e-3, 2.242539e-3]),
        ("Verlet", Method::Verlet { damping: 0.0 }, verlet),
        ("midpoint", Method::Midpoint, [4.464812e-4, 1.116219e-4, 2.790561e-5, 6.976409e-6]),
        ("RK4", Method::Rk4, [3.172767e-8, 1.983000e-9, 1.239377e-10, 7.745827e-12]),
        ("backward Euler", Method::BackwardEuler(Implicit::default()), euler_row),
        ("BDF2", Method::Bdf2(Implicit::default()), bdf2_row),
        ("IMEX, explicit first", imex(ImexOrder::ExplicitFirst), verlet),
        ("IMEX, implicit first", imex(ImexOrder::ImplicitFirst), verlet),
    ];
    let mut rows = Vec::new();
    for (name, method, errors) in table {
        for (n, wanted) in [50u32, 100, 200, 400].into_iter().zip(errors) {
            let (a, h) = (0.5, 0.3 / f64::from(n));
            let mut run = Run::new(particle(OMEGA * OMEGA, method, h));
            run.state.x[1].x = 1.0 + a;
            if matches!(method, Method::Bdf2(_)) {
                let past = &mut run.state.past;
                past.h = h;
                past.x[1].x = 1.0 + a * (OMEGA * h).cos();
                past.v[1].x = a * OMEGA * (OMEGA * h).sin();
            }
            (0..n).for_each(|_| _ = run.step());
            let (sin, cos) = (OMEGA * 0.3).sin_cos();
            let (x, v) = ((run.state.x[1].x - 1.0) / a, run.state.v[1].x / a);
            let found = (x - cos).hypot(v / OMEGA + sin);
            rows.push(Row::new(
                "8.7",
                format!("{name}, {n} steps"),
                wanted,
                found,
                Judge::Within(1e-6 * wanted + 1e-14),
            ));
        }
    }
    rows
}

/// 8.8: |A| and phase of a step, from many steps of the mode itself.
pub fn amplification() -> Vec<Row> {
    let mut rows = Vec::new();
    for (z, euler_known, bdf2_known) in [(0.1f64, 0.99503719, 0.99997561), (1.0, FRAC_1_SQRT_2, 0.93332106)] {
        for (name, method, known) in [
            ("backward Euler", Method::BackwardEuler(Implicit::default()), euler_known),
            ("BDF2", Method::Bdf2(Implicit::default()), bdf2_known),
        ] {
            let mut run = Run::new(particle(1.0, method, z));
            run.state.x[1].x = 1.4;
            // the other root of BDF2 dies out
            (0..20).for_each(|_| _ = run.step());
            let at = |s: &State| (s.x[1].x - 1.0, -s.v[1].x);
            let before = at(&run.state);
            run.step();
            let now = at(&run.state);
            let size = now.0.hypot(now.1) / before.0.hypot(before.1);
            let angle = (before.0 * now.1 - before.1 * now.0).atan2(before.0 * now.0 + before.1 * now.1);
            let phase = match method {
                Method::BackwardEuler(_) => z.atan(),
                _ => bdf2_phase(z),
            };
            rows.push(Row::new("8.8", format!("{name}, z = {z}: |A|"), known, size, Judge::Within(6e-9)));
            rows.push(Row::new("8.8", format!("{name}, z = {z}: phase"), phase, angle, Judge::Within(1e-8)));
        }
    }
    rows
}

/// arg (2 + √(1 + 2iz))/(3 - 2iz).
fn bdf2_phase(z: f64) -> f64 {
    let size = (1.0 + 4.0 * z * z).sqrt();
    let root = ((0.5 * (size + 1.0)).sqrt(), (0.5 * (size - 1.0)).sqrt());
    root.1.atan2(2.0 + root.0) + (2.0 * z).atan2(3.0)
}

fn swinging(method: Method, degrees: f64, h: f64) -> Run {
    let mut cloth = grid([0.4, 0.4], [8, 8], Pattern::Alternating, Fabric::default());
    cloth.place.rotate = Vec3::new(degrees, 0.0, 0.0);
    cloth.pins = vec![Pin::fixed(Select::Edge(vec![Side::Top]))];
    let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
    setup.time = fixed_step(h);
    Run::new(setup)
}

/// 8.9: E' - E = -½|Δv|² + [V' - V - ∇V'·Δx] of backward Euler, the energy that methods lose, momentum.
pub fn energy() -> Vec<Row> {
    let mut rows = Vec::new();
    for newton in [60, 1] {
        let mut run = swinging(euler(newton), 60.0, 1.0 / 240.0);
        let first = measure(&run.world, &run.state).energy();
        let (mut off, mut growth, mut kinetic) = (0.0f64, 0.0f64, 0.0f64);
        for _ in 0..240 {
            let (old, before) = (run.state.clone(), measure(&run.world, &run.state));
            run.step();
            let after = measure(&run.world, &run.state);
            let Run { world, state, work } = &mut run;
            let force = forces(world, state, work);
            let mut formula = after.energy() - after.kinetic - before.energy() + before.kinetic;
            for (i, force) in force.iter().enumerate() {
                formula -= 0.5 * world.mass[i] * (state.v[i] - old.v[i]).length_squared();
                formula += force.dot(state.x[i] - old.x[i]);
            }
            off = off.max((after.energy() - before.energy() - formula).abs());
            growth = growth.max(after.energy() - before.energy());
            kinetic = kinetic.max(after.kinetic);
        }
        let name = if newton > 1 { "Newton" } else { "one linearisation" };
        if newton > 1 {
            rows.push(Row::new(
                "8.9",
                "energy formula of backward Euler off by, J",
                1e-7 * kinetic,
                off,
                Judge::AtMost,
            ));
        }
        let what = format!("backward Euler, {name}: energy at the end less that at the start, J");
        rows.push(Row::new("8.9", what, 0.0, measure(&run.world, &run.state).energy() - first, Judge::AtMost));
        let what = format!("backward Euler, {name}: largest growth in a step / largest kinetic energy");
        rows.push(Row::new("8.9", what, 0.0, growth / kinetic, Judge::Reported));
    }
    for degrees in [15.0, 30.0, 60.0] {
        let lost = |method: Method| {
            let mut run = swinging(method, degrees, 1.0 / 240.0);
            let first = measure(&run.world, &run.state).energy();
            run.until(5.0);
            first - measure(&run.world, &run.state).energy()
        };
        let share = lost(bdf2(60)) / lost(euler(60));
        let what = format!("energy lost in 5 s from {degrees} degrees, BDF2 / backward Euler");
        rows.push(Row::new("8.9", what, 0.5, share, Judge::AtMost));
    }
    rows
}

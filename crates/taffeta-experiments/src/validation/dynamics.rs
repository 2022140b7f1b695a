//! Section 8.1 to 8.6: moving cloth against closed forms.

use super::scene::{Run, bdf2, euler, fixed_step, grid, particle};
use crate::comparison::{Judge, Row};
use std::f64::consts::PI;
use taffeta::*;

/// 8.1: fall and shape, with the strongest damping inside the cloth.
pub fn free_fall() -> Vec<Row> {
    let mut rows = Vec::new();
    let h = 1e-2;
    for (name, method) in [("backward Euler", euler(1)), ("BDF2", bdf2(1)), ("backward Euler, Newton", euler(20))] {
        for tau in [0.0, 1.0] {
            let damping = FabricDamping { stretch: tau, shear: tau, bend: tau, air: 0.0 };
            let mut cloth = grid([0.3, 0.2], [6, 5], Pattern::Alternating, Fabric { damping, ..Fabric::default() });
            cloth.place.rotate = Vec3::new(20.0, 30.0, 40.0);
            cloth.velocity = Vec3::new(0.5, 2.0, -0.25);
            let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
            setup.time = fixed_step(h);
            let mut run = Run::new(setup);
            run.until(0.2);
            let moved = run.state.x[0] - run.world.start[0];
            let shape = run.state.x.iter().zip(&run.world.start).map(|(x, s)| (*x - *s - moved).length());
            let shape = shape.fold(0.0, f64::max) / 0.04;
            rows.push(Row::new(
                "8.1",
                format!("{name}, τ = {tau} s: change of shape / l"),
                1e-12,
                shape,
                Judge::AtMost,
            ));
            if name != "BDF2" {
                let fall = 2.0 * 0.2 - 0.5 * 9.81 * h * h * 20.0 * 21.0;
                rows.push(Row::new(
                    "8.1",
                    format!("{name}, τ = {tau} s: rise in 0.2 s, m"),
                    fall,
                    moved.y,
                    Judge::Within(1e-14),
                ));
            }
        }
    }
    rows
}

/// Bessel function of order 0, by its series.
fn j0(x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= -x * x / 4.0 / f64::from(k * k);
        sum += term;
    }
    sum
}

/// 8.2: period of a hanging strip.
pub fn swing() -> Vec<Row> {
    let mut rows = Vec::new();
    for (n, chain) in [(10u32, 5.240963), (20, 5.229350), (40, 5.226448)] {
        for (name, method) in [("backward Euler", euler(1)), ("BDF2", bdf2(1))] {
            let fabric = Fabric { stretch: [1e4, 1e4], shear: 100.0, ..Fabric::default() };
            let mut cloth = grid([0.1, 1.0], [1, n], Pattern::OneDiagonal, fabric);
            cloth.pins = vec![
                Pin::fixed(Select::Edge(vec![Side::Top])),
                Pin { hold: Hold::Normal(Vec3::X), ..Pin::fixed(Select::All) },
            ];
            let swung = |p: &Vec3| Vec3::new(p.x, p.y, 0.01 * j0(2.404826 * (p.y + 0.5).sqrt()));
            cloth.start = Some(cloth.mesh.rest.iter().map(swung).collect());
            let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
            setup.components.bend = false;
            setup.time = fixed_step(1.668368 / 2000.0);
            let found = Run::new(setup).period(5, |s| s.x[0].z) * 9.81f64.sqrt();
            let what = format!("{name}, {n} links: T √(g/L), continuum 5.225481");
            rows.push(Row::new("8.2", what, chain, found, Judge::Relative(3e-3)));
        }
    }
    rows
}

/// 8.3: a clamped strip without gravity. The rod: one cell wide, the two nodes of a row tied after every step, which is
/// exact for symplectic Euler; a sheet of alternating diagonals bends a little softer or stiffer than its fabric.
pub fn cantilever() -> Vec<Row> {
    let mut rows = Vec::new();
    for (n, beta) in [(5u32, 3.402107), (10, 3.486597), (20, 3.508599)] {
        let frequency = beta / (2.0 * PI) * (1e-5f64 / (0.15 * 0.1f64.powi(4))).sqrt();
        let rod = Cantilever { n, width: 1, pattern: Pattern::OneDiagonal, tied: true };
        let found = rod.frequency(Method::SymplecticEuler, 2e-5);
        let what = format!("rod, symplectic Euler, {n} cells: f, Hz, continuum 0.456904");
        rows.push(Row::new("8.3", what, frequency, found, Judge::Relative(0.01)));
        let sheet = Cantilever { n, width: 4, pattern: Pattern::Alternating, tied: false };
        for (name, method) in [("BDF2", bdf2(1)), ("backward Euler", euler(1))] {
            let found = sheet.frequency(method, 1.0 / frequency / 1000.0);
            rows.push(Row::new("8.3", format!("sheet, {name}, {n} cells: f, Hz"), frequency, found, Judge::Reported));
        }
    }
    rows
}

struct Cantilever {
    n: u32,
    width: u32,
    pattern: Pattern,
    tied: bool,
}

impl Cantilever {
    /// Hz, from the static shape of a tip load, 0.01 L high.
    fn frequency(&self, method: Method, h: f64) -> f64 {
        let (length, l) = (0.1, 0.1 / f64::from(self.n));
        let cells = [self.n + 1, self.width];
        let mut cloth = grid([length + l, f64::from(self.width) * l], cells, self.pattern, Fabric::default());
        let x0 = -0.5 * (length + l);
        let clamp = Select::Box { min: Vec3::splat(-1.0), max: Vec3::new(x0 + l + 1e-6, 1.0, 1.0) };
        let flat = Pin { hold: Hold::Normal(Vec3::Y), ..Pin::fixed(Select::All) };
        cloth.pins = vec![Pin::clamped(clamp), flat];
        let bent = |p: &Vec3| {
            let s = (p.x - x0 - l).max(0.0) / length;
            Vec3::new(p.x, p.y, 0.01 * length * 0.5 * s * s * (3.0 - s))
        };
        cloth.start = Some(cloth.mesh.rest.iter().map(bent).collect());
        let mut setup = Setup { method: Some(method), gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) };
        setup.time = fixed_step(h);
        let row = self.n as usize + 2;
        let mut run = Run::new(setup);
        let mass = run.world.mass.clone();
        let tie = |state: &mut State| {
            for i in 0..if self.tied { row } else { 0 } {
                for list in [&mut state.x, &mut state.v] {
                    let mean = (list[i] * mass[i] + list[i + row] * mass[i + row]) / (mass[i] + mass[i + row]);
                    list[i] = Vec3::new(mean.x, list[i].y, mean.z);
                    list[i + row] = Vec3::new(mean.x, list[i + row].y, mean.z);
                }
            }
        };
        let last = row - 1;
        1.0 / run.period_with(3, tie, |s| s.x[last].z + s.x[last + row].z)
    }
}

/// 8.4: standing waves of a strip held at both ends.
pub fn waves() -> Vec<Row> {
    let mut rows = Vec::new();
    let (n, length) = (40u32, 0.4);
    for (along, strain) in [(true, 0.0), (false, 0.01)] {
        for (name, method) in [("BDF2", bdf2(1)), ("Verlet", Method::Verlet { damping: 0.0 })] {
            let fabric = Fabric { shear: 0.0, bend: [0.0, 0.0], ..Fabric::default() };
            let mut cloth = grid([length, 0.01], [n, 1], Pattern::OneDiagonal, fabric);
            let wave = |p: &Vec3| {
                let shape = (PI * (p.x / length + 0.5)).sin() * 1e-5;
                Vec3::new(p.x * (1.0 + strain), p.y, 0.0) + if along { Vec3::X } else { Vec3::Z } * shape
            };
            cloth.start = Some(cloth.mesh.rest.iter().map(wave).collect());
            cloth.pins = vec![
                Pin::fixed(Select::Edge(vec![Side::Left, Side::Right])),
                Pin { hold: Hold::Normal(Vec3::Y), ..Pin::fixed(Select::All) },
            ];
            let lumped = (PI / (2.0 * f64::from(n))).sin() / (PI / (2.0 * f64::from(n)));
            // the pretension makes the strip longer and its waves lighter
            let speed = if along { (1000.0f64 / 0.15).sqrt() } else { (10.0 / 0.15 / (1.0 + strain)).sqrt() };
            let frequency = speed / (2.0 * length) * lumped;
            let mut setup = Setup { method: Some(method), gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) };
            setup.time = fixed_step(if along { 2e-5 } else { 5e-5 });
            let mut run = Run::new(setup);
            let middle = n as usize / 2;
            let found = 1.0 / run.period(5, |s| if along { s.x[middle].x } else { s.x[middle].z });
            let what = format!("{name}, standing wave {}: f, Hz", if along { "along" } else { "across, T = 10 N/m" });
            rows.push(Row::new("8.4", what, frequency, found, Judge::Relative(5e-3)));
        }
    }
    rows
}

/// 8.4: a pulse that travels along a strip, and a wave that bending makes faster.
pub fn pulses() -> Vec<Row> {
    let mut rows = Vec::new();
    let methods = [("BDF2", bdf2(1)), ("Verlet", Method::Verlet { damping: 0.0 })];
    let strip = |fabric: Fabric, length: f64, n: u32, strain: f64| {
        let mut cloth = grid([length, length / f64::from(n)], [n, 1], Pattern::OneDiagonal, fabric);
        cloth.start = Some(cloth.mesh.rest.iter().map(|p| Vec3::new(p.x * (1.0 + strain), p.y, 0.0)).collect());
        cloth.pins = vec![
            Pin::fixed(Select::Edge(vec![Side::Left, Side::Right])),
            Pin { hold: Hold::Normal(Vec3::Y), ..Pin::fixed(Select::All) },
        ];
        Setup { gravity: Vec3::ZERO, ..Setup::with_cloth(cloth) }
    };

    // a Gaussian ten edges wide, started so that it runs to the right
    let (n, length) = (200u32, 2.0);
    let width = 10.0 * length / f64::from(n);
    let flat = Fabric { shear: 0.0, bend: [0.0, 0.0], ..Fabric::default() };
    for (along, strain) in [(true, 0.0), (false, 0.01)] {
        let speed = if along { (1000.0f64 / 0.15).sqrt() } else { (10.0f64 / 0.15 / (1.0 + strain)).sqrt() };
        for (name, method) in methods {
            let mut setup = strip(flat, length, n, strain);
            setup.method = Some(method);
            setup.time = fixed_step(if along { 4e-5 } else { 1e-4 });
            let mut run = Run::new(setup);
            let axis = if along { Vec3::X } else { Vec3::Z };
            let rest = run.world.start.clone();
            for (i, at) in rest.iter().enumerate() {
                let from_peak = at.x / (1.0 + strain) + 0.3 * length;
                let shape = 1e-5 * (-(from_peak / width).powi(2)).exp();
                let held = (i % (n as usize + 1)).is_multiple_of(n as usize);
                if !held {
                    run.state.x[i] += axis * shape;
                    run.state.v[i] += axis * (speed * 2.0 * from_peak / (width * width) * shape);
                }
            }
            let arrival = 0.5 * length / speed;
            while run.state.time < arrival {
                run.step();
            }
            let height = |i: usize| (run.state.x[i] - rest[i]).dot(axis);
            let peak = (1..n as usize).max_by(|&a, &b| height(a).total_cmp(&height(b))).expect("a strip has vertices");
            // the top of the parabola through three vertices
            let (a, b, c) = (height(peak - 1), height(peak), height(peak + 1));
            let edge = length / f64::from(n);
            let place = edge * (peak as f64 + 0.5 * (a - c) / (a - 2.0 * b + c)) - 0.5 * length;
            let found = place + 0.3 * length - speed * (run.state.time - arrival);
            let what =
                format!("{name}, pulse {}: way of its peak, m", if along { "along" } else { "across, T = 10 N/m" });
            rows.push(Row::new("8.4", what, 0.5 * length, found, Judge::Relative(0.01)));
        }
    }

    // ω² = (T q² + B q⁴)/ρ; T = 1 N/m, B so that bending gives a fifth of the stiffness
    let (n, length) = (40u32, 0.4);
    let q = PI / length;
    let b = 0.25 / (q * q);
    let stiff = Fabric { shear: 0.0, bend: [b, b], ..Fabric::default() };
    for (name, method) in methods {
        let mut setup = strip(stiff, length, n, 1e-3);
        setup.method = Some(method);
        setup.time = fixed_step(1e-4);
        let mut run = Run::new(setup);
        for (x, start) in run.state.x.iter_mut().zip(&run.world.start) {
            x.z += 1e-5 * (PI * (start.x / (length * (1.0 + 1e-3)) + 0.5)).sin();
        }
        let found = 1.0 / run.period(5, |s| s.x[n as usize / 2].z);
        // a narrow strip with one diagonal twists a little as it bends: between 0.8 B and B, as in section 7
        let frequency = |b: f64| ((q * q + b * q.powi(4)) / 0.15).sqrt() / (2.0 * PI);
        let bracket = Judge::Between(0.995 * frequency(0.8 * b), 1.005 * frequency(b));
        let what = format!("{name}, standing wave across, T = 1 N/m, B q² = T/4: f, Hz");
        rows.push(Row::new("8.4", what, frequency(b), found, bracket));
    }
    rows
}

/// 8.5: a particle on a stiff spring.
pub fn pendulum() -> Vec<Row> {
    let mut rows = Vec::new();
    let amplitudes = [(10.0f64, 1.001907), (30.0, 1.017409), (60.0, 1.073182), (90.0, 1.180341), (120.0, 1.372880)];
    for (degrees, factor) in amplitudes {
        let mut setup = particle(5e6, bdf2(20), 5e-4);
        let (s, c) = degrees.to_radians().sin_cos();
        setup.cloths[0].start = Some(vec![Vec3::ZERO, Vec3::new(s, -c, 0.0), Vec3::Y]);
        setup.gravity = Vec3::new(0.0, -9.81, 0.0);
        let mut run = Run::new(setup);
        let found = run.period(1, |s| s.x[1].x) / (2.0 * PI / 9.81f64.sqrt());
        let what = format!("BDF2, Newton, h = 0.5 ms, {degrees} degrees: T/T0");
        rows.push(Row::new("8.5", what, factor, found, Judge::Relative(1e-3)));
        let strain = (run.state.x[1].length() - 1.0).abs();
        rows.push(Row::new("8.5", format!("{degrees} degrees: strain"), 1e-4, strain, Judge::AtMost));
    }
    rows
}

/// 8.6: a sheet that falls face-on.
pub fn terminal_velocity() -> Vec<Row> {
    let mut rows = Vec::new();
    // backward Euler falls g h t/2 too far, 0.11 % at 0.1 s with h = 1e-4 s: it gets half of that
    for (name, method, h) in [("BDF2", bdf2(1), 1e-3), ("backward Euler", euler(1), 5e-5)] {
        let mut fall_of = Vec::new();
        for (cells, pattern) in [(1, Pattern::OneDiagonal), (7, Pattern::Alternating)] {
            for quadratic in [true, false] {
                let mut fabric = Fabric::default();
                fabric.damping.air = if quadratic { 0.0 } else { 1.0 };
                let mut cloth = grid([0.2, 0.2], [cells, cells], pattern, fabric);
                cloth.place.rotate.x = 90.0;
                let mut setup = Setup { method: Some(method), ..Setup::with_cloth(cloth) };
                setup.components.internal = false; // flat by itself
                setup.time = fixed_step(h);
                if quadratic {
                    setup.air = Air { density: 1.2, drag: 2.0, ..Air::default() };
                }
                let known: &[(f64, f64, f64)] = match quadratic {
                    true => &[(0.1, 0.785515, 0.043721), (0.2, 1.045132, 0.138391), (0.5, 1.107047, 0.467055)],
                    false => &[(0.1, 0.716007, 0.039749), (0.3, 1.272354, 0.250597)],
                };
                let mut run = Run::new(setup);
                for &(t, v, fall) in known {
                    run.until(t);
                    let height = measure(&run.world, &run.state).com_height;
                    if cells == 1 {
                        let drag = if quadratic { "quadratic" } else { "linear" };
                        let speed = -run.state.v[0].y;
                        rows.push(Row::new(
                            "8.6",
                            format!("{name}, {drag}: v({t}), m/s"),
                            v,
                            speed,
                            Judge::Relative(1e-3),
                        ));
                        rows.push(Row::new(
                            "8.6",
                            format!("{name}, {drag}: fall({t}), m"),
                            fall,
                            -height,
                            Judge::Relative(1e-3),
                        ));
                    }
                }
                fall_of.push(measure(&run.world, &run.state).com_height);
            }
        }
        for (k, drag) in ["quadratic", "linear"].into_iter().enumerate() {
            let what = format!("{name}, {drag}: fall on another mesh, m");
            rows.push(Row::new("8.6", what, fall_of[k], fall_of[k + 2], Judge::Relative(1e-10)));
        }
    }
    rows
}

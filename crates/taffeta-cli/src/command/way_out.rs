//! What to change in a scene that cannot go on, as a command that can be typed.

use super::scene::Ready;
use crate::words::number;
use taffeta::{Method, StepError, World};
use taffeta_files::run::Failure;

/// A way out of a failure. `again` begins a command that would run the same scene once more.
pub fn way_out(failure: &Failure, ready: &Ready, again: &str) -> String {
    let world = &ready.world;
    match failure {
        Failure::Step(StepError::Stretched { time, .. }) => stretched(*time, ready, again),
        Failure::Step(StepError::Unsolved { iterations, .. }) => unsolved(*iterations, world, again),
        Failure::Step(StepError::Diverged { stable, .. }) => shorter_step(world, *stable, again),
        Failure::Step(StepError::NoRoom { bodies, thickness, .. }) => no_room(bodies, *thickness),
        Failure::Step(StepError::Inside { body, cloth, time, .. }) => inside(body, cloth, *time, world),
        Failure::NoEquilibrium { iterations, loose, .. } => no_equilibrium(*iterations, loose.as_deref(), ready, again),
        Failure::Step(StepError::NotFinite { .. }) | Failure::NotFinite { .. } => {
            shorter_step(world, world.stable_step(), again)
        }
    }
}

/// Bodies close on a cloth.
fn no_room([a, b]: &[String; 2], thickness: f64) -> String {
    format!(
        "keep `{a}` and `{b}` {} mm apart or more where there is cloth (their `place`, `motion` and size), \
         or end the scene before (`time.duration`)",
        number(1000.0 * thickness)
    )
}

/// A body came over the cloth faster than it could give way, or a pin let go of it inside.
fn inside(body: &str, cloth: &str, time: f64, world: &World) -> String {
    let moves = world.bodies.iter().any(|other| other.name == body && other.moves());
    match moves {
        true => format!("slow the `motion` of `{body}` at {} s, so that it does not jump into `{cloth}`", number(time)),
        false => format!("let pins bring `{cloth}` out of `{body}` before they let go of it (`motion`, `until`)"),
    }
}

/// Nothing rests there, or it takes longer.
fn no_equilibrium(iterations: u32, loose: Option<&str>, ready: &Ready, again: &str) -> String {
    if let Some(name) = loose {
        let end = number(ready.world.duration);
        return match ready.world.can_touch() {
            false => format!("nothing holds `{name}` at {end} s, the end of the scene: give it a pin"),
            true => {
                format!(
                    "`{name}` falls past all bodies: give it a pin, or a body below it at {end} s, the end of the scene"
                )
            }
        };
    }
    let more = u64::from(iterations) * 5;
    let more = more.max(10_000);
    let slides = if ready.world.can_touch() { "a cloth that slides on for ever has none; else " } else { "" };
    format!("{slides}allow a larger residual (--residual), or more iterations: {again} --iterations {more}")
}

/// The cloth is pulled faster than the shortest step can follow.
fn stretched(time: f64, ready: &Ready, again: &str) -> String {
    let least = ready.world.adaptive.map_or(1.0, |adaptive| adaptive.least);
    let slower = match fastest_pin(ready, time) {
        Some((name, speed)) => format!("slow the motion of pin `{name}`, {} m/s there, or ", number(speed)),
        None => String::new(),
    };
    // the scene's own bound on `least`
    let shorter = (least / 64.0).max(1e-9);
    format!("{slower}let steps become shorter: {again} --set time.adaptive.least={}", rounded_down(shorter))
}

/// The pin that moves fastest at a time, and how fast it does, m/s.
fn fastest_pin(ready: &Ready, time: f64) -> Option<(&str, f64)> {
    let pins = ready.scene.setup.cloths.iter().flat_map(|cloth| &cloth.pins);
    let step = ready.world.h;
    let speed = |pin: &taffeta::Pin| {
        let place = |t: f64| pin.motion.at(t).map_or(taffeta::Vec3::ZERO, |(moved, _)| moved);
        let holds = pin.from <= time + step && time < pin.until;
        if holds { place(time + step).distance(place(time)) / step } else { 0.0 }
    };
    let moving = ready.world.pin_names.iter().zip(pins).map(|(name, pin)| (name.as_str(), speed(pin)));
    moving.filter(|(_, speed)| *speed > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The conjugate gradient gave up: it had too few iterations, or equations that have no good solution.
fn unsolved(iterations: u32, world: &World, again: &str) -> String {
    let most = match world.method {
        Method::BackwardEuler(settings) | Method::Bdf2(settings) => settings.iterations,
        Method::Imex(settings) => settings.iterations,
        _ => 0,
    };
    if iterations < most {
        return shorter_step(world, world.stable_step(), again);
    }
    let more = (u64::from(most) * 10).clamp(10_000, 1_000_000_000);
    format!(
        "take shorter steps (time.step), a rougher solution (method.tolerance), or more iterations: \
         {again} --set method.iterations={more}"
    )
}

/// A way out of divergence.
fn shorter_step(world: &World, stable: Option<f64>, again: &str) -> String {
    let Some(stable) = stable else {
        let other = "--set method.name=backward-euler --set time.step=auto";
        return format!("add damping to the fabric, or use another method: {again} {other}");
    };
    // `auto` takes the same share of the stable step; a step that was short enough must become shorter still
    let step = if world.h > stable {
        taffeta::method::stability::SAFETY * stable
    } else {
        world.h * if world.method.is_implicit() { 0.1 } else { 0.5 }
    };
    let other = if world.method.is_implicit() { "" } else { "use backward-euler, stable at any step, or " };
    format!("{other}take shorter steps: {again} --set time.step={}", rounded_down(step))
}

/// Two digits, never more than the value.
fn rounded_down(value: f64) -> String {
    let size = 10f64.powi(value.log10().floor() as i32 - 1);
    format!("{:.1e}", (value / size).floor() * size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taffeta_scene::Source;

    fn ready(overrides: &[&str]) -> Ready {
        let overrides: Vec<String> = overrides.iter().map(|text| text.to_string()).collect();
        Ready::new(&Source::find("hang").unwrap(), &overrides).unwrap_or_else(|failure| panic!("{}", failure.error))
    }

    fn help(error: StepError, overrides: &[&str]) -> String {
        way_out(&error.into(), &ready(overrides), "taffeta run a")
    }

    #[test]
    fn steps_are_rounded_down() {
        for (value, text) in [(3.49e-4, "3.4e-4"), (0.00123, "1.2e-3"), (0.9999, "9.9e-1"), (2.0, "2.0e0")] {
            assert_eq!(rounded_down(value), text);
        }
    }

    #[test]
    fn a_way_out_of_divergence_is_always_shorter() {
        let diverged =
            |stable| StepError::Diverged { time: 0.0, vertex: 0, cloth: "a".into(), moved: 1.0, h: 0.01, stable };
        let explicit = ["method.name=verlet", "time.step=0.01"];
        assert!(help(diverged(Some(1e-3)), &explicit).contains("taffeta run a --set time.step=8.0e-4"));
        let short = ["method.name=verlet", "time.step=1e-4", "time.fps=100"];
        assert!(help(diverged(Some(2e-3)), &short).contains("time.step=5.0e-5"));
        assert!(help(diverged(None), &explicit).contains("taffeta run a --set method.name=backward-euler"));
        assert!(help(diverged(Some(f64::INFINITY)), &["time.step=0.01", "time.fps=100"]).ends_with("time.step=1.0e-3"));
        let not_finite = StepError::NotFinite { time: 0.0, h: 0.01 };
        assert!(help(not_finite, &["time.step=0.01", "time.fps=100"]).ends_with("time.step=1.0e-3"));
    }

    #[test]
    fn the_pin_that_pulls_is_named() {
        let error = StepError::Stretched { time: 0.6, triangle: 0, cloth: "sheet".into(), change: 0.5, h: 1e-6 };
        let text = help(error, &[]);
        assert!(text.contains("pin `sheet.") && text.contains("m/s there"), "{text}");
        assert!(text.ends_with("taffeta run a --set time.adaptive.least=3.8e-6"), "{text}");
        let later = StepError::Stretched { time: 2.6, triangle: 0, cloth: "sheet".into(), change: 0.5, h: 1e-6 };
        assert!(help(later, &[]).starts_with("let steps become shorter"), "pins that rest are not to blame");
    }

    #[test]
    fn a_body_that_jumps_is_to_be_slowed_and_one_that_rests_is_not() {
        let inside = || StepError::Inside {
            time: 0.05,
            h: 1e-6,
            body: "ball".into(),
            cloth: "sheet".into(),
            thickness: 5e-4,
            vertex: 3,
            at: taffeta::Vec3::ZERO,
            depth: 0.1,
        };
        let rests = "body=[{name=\"ball\",sphere={radius=0.1},place={at=[0.0,-9.0,0.0]}}]";
        let jumps = rests.replace("}}]", "},motion=[{t=0.0},{t=0.1,move=[1.0,0.0,0.0]}]}]");
        assert!(help(inside(), &[&jumps]).starts_with("slow the `motion` of `ball` at 0.05 s"));
        assert!(help(inside(), &[rests]).contains("before they let go of it"));
    }

    #[test]
    fn an_equilibrium_that_bodies_carry_needs_no_pin() {
        let ball = ["body=[{sphere={radius=0.1},place={at=[0.0,-9.0,0.0]}}]"];
        let help = |loose: Option<&str>, overrides: &[&str]| {
            let loose = loose.map(String::from);
            let failure = Failure::NoEquilibrium { iterations: 9, residual: 1.0, share: 1.0, loose };
            way_out(&failure, &ready(overrides), "taffeta drape a")
        };
        assert!(help(Some("sheet"), &[]).contains("nothing holds `sheet`"));
        assert!(help(Some("sheet"), &ball).contains("`sheet` falls past all bodies"));
        assert!(help(None, &ball).ends_with("taffeta drape a --iterations 10000"));
    }

    #[test]
    fn equations_without_a_solution_need_shorter_steps_and_not_more_iterations() {
        let unsolved = |iterations| StepError::Unsolved { time: 0.0, iterations, h: 0.01 };
        let text = help(unsolved(20), &["method.iterations=20"]);
        assert!(text.contains("--set method.iterations=10000") && text.contains("method.tolerance"), "{text}");
        assert!(help(unsolved(3), &["method.iterations=20"]).contains("time.step="));
    }
}

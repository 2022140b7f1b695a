//! Proposes changes to a scene that failed, as a command that can be typed. They are tried first where that is quick,
//! so that the advice does not fail in turn.

use super::again::Again;
use super::scene::Ready;
use super::trial::{Trial, Tried};
use crate::console::Console;
use crate::words::number;
use rayon::ThreadPool;
use taffeta::{Limiter, Method, Rule, StepError, World};
use taffeta_files::run::Failure;

/// A proposed change.
struct Remedy {
    /// What the change does, for people.
    words: &'static str,
    /// The overrides that make the change.
    set: Vec<String>,
}

impl Remedy {
    fn new(words: &'static str, set: impl Into<String>) -> Self {
        Self { words, set: vec![set.into()] }
    }
}

/// A way out of a failed motion, tried before it is proposed.
pub fn tried(console: Console, failure: &Failure, ready: &Ready, again: &Again, pool: &ThreadPool) -> String {
    let Some(time) = failed_at(failure, ready.world.fps) else { return untried(failure, ready, again) };
    console.remark("looking for a way out");
    let trial = Trial::new(ready, pool, time);
    way_out(failure, ready, again, |set| trial.of(set))
}

/// A way out of a failure that was not tried.
pub fn untried(failure: &Failure, ready: &Ready, again: &Again) -> String {
    way_out(failure, ready, again, |_| Tried::Unknown)
}

/// A way out of a failure. `again` is the command that would run the same scene once more; `tried` tries the scene with
/// other values.
fn way_out(failure: &Failure, ready: &Ready, again: &Again, tried: impl Fn(&[String]) -> Tried) -> String {
    let world = &ready.world;
    let (reason, remedies) = match failure {
        Failure::Action(error) => return error.help().to_string(),
        Failure::Step(StepError::Stopped { .. }) => return format!("begin again: {}", again.with(&[])),
        Failure::Step(StepError::Stretched { time, .. }) => (slower_pin(*time, ready), stretched(ready)),
        Failure::Step(StepError::Unsolved { iterations, .. }) => (String::new(), unsolved(*iterations, ready)),
        Failure::Step(StepError::Diverged { stable, time, .. }) => {
            // if the step is too long for the stiffness, no pin is to blame
            let too_long = stable.is_some_and(|stable| world.h > stable);
            (if too_long { String::new() } else { slower_pin(*time, ready) }, diverged(ready, *stable))
        }
        Failure::Step(StepError::NotFinite { .. }) | Failure::NotFinite { .. } => {
            (String::new(), diverged(ready, world.stable_step()))
        }
        Failure::Step(StepError::NoRoom { bodies, thickness, time, .. }) => {
            (no_room(bodies, *thickness), end_before(*time, world))
        }
        Failure::Step(StepError::Inside { body, cloth, time, .. }) => {
            (inside(body, cloth, *time, world), end_before(*time, world))
        }
        Failure::Step(StepError::Blocked { time, .. }) => (
            "move the pins or bodies more slowly, leave the cloth more room, let cloth pass through cloth \
             (`contact.cloth = false`), or "
                .into(),
            end_before(*time, world),
        ),
        Failure::Step(StepError::Spread { time, .. }) => (
            "begin with cloth that crosses less, or with `contact.start = \"refuse\"`, or ".into(),
            end_before(*time, world),
        ),
        Failure::Step(StepError::NoPose { time, body, .. }) => {
            (format!("export the motion of `{body}` again, or "), end_before(*time, world))
        }
        Failure::Step(StepError::Meets { .. }) => {
            (String::new(), vec![Remedy::new("let cloth pass through cloth", "contact.cloth=false")])
        }
        Failure::NoEquilibrium { iterations, loose, .. } => {
            return no_equilibrium(*iterations, loose.as_deref(), ready, again);
        }
    };
    recommend(&reason, &remedies, again, tried)
}

/// The time at which a scene failed, s; `None` if no motion failed.
fn failed_at(failure: &Failure, fps: f64) -> Option<f64> {
    match failure {
        Failure::Step(
            StepError::Stretched { time, .. }
            | StepError::Unsolved { time, .. }
            | StepError::Diverged { time, .. }
            | StepError::NotFinite { time, .. }
            | StepError::NoRoom { time, .. }
            | StepError::Inside { time, .. }
            | StepError::Blocked { time, .. }
            | StepError::Spread { time, .. }
            | StepError::Meets { time, .. }
            | StepError::NoPose { time, .. },
        ) => Some(*time),
        Failure::NotFinite { frame, .. } => Some(*frame as f64 / fps),
        Failure::Step(StepError::Stopped { .. }) | Failure::NoEquilibrium { .. } | Failure::Action(_) => None,
    }
}

/// The first remedy that works, or else the first whose result is unknown.
fn recommend(reason: &str, remedies: &[Remedy], again: &Again, tried: impl Fn(&[String]) -> Tried) -> String {
    let mut unknown = None;
    for remedy in remedies {
        let verdict = tried(&remedy.set);
        let command = || again.with(&remedy.set);
        match verdict {
            Tried::Works => return format!("{reason}{} (tried, it goes on): {}", remedy.words, command()),
            Tried::Unknown => unknown = unknown.or(Some(format!("{reason}{}: {}", remedy.words, command()))),
            Tried::Fails => {}
        }
    }
    let without = || {
        let reason = reason.strip_suffix(", or ").map_or(String::new(), |reason| format!("{reason}; "));
        let tried: Vec<String> = remedies.iter().map(|remedy| remedy.set.join(" with ")).collect();
        let tried = if tried.is_empty() { String::new() } else { format!("{} were tried in vain; ", tried.join(", ")) };
        format!(
            "{reason}{tried}look at the last frames with `taffeta render`, and for forces, speeds or sizes that are \
                too large"
        )
    };
    unknown.unwrap_or_else(without)
}

/// Help if bodies close on a cloth.
fn no_room([a, b]: &[String; 2], thickness: f64) -> String {
    format!(
        "keep `{a}` and `{b}` {} mm apart or more where there is cloth (their `place`, `motion` and size), or ",
        number(1000.0 * thickness)
    )
}

/// Help if a body moved over the cloth faster than it could yield, or a pin released it inside.
fn inside(body: &str, cloth: &str, time: f64, world: &World) -> String {
    let moves = world.bodies.iter().any(|other| other.name == body && other.moves());
    match moves {
        true => {
            format!("slow the `motion` of `{body}` at {} s, so that it does not jump into `{cloth}`, or ", number(time))
        }
        false => format!("let pins bring `{cloth}` out of `{body}` before they let go of it (`motion`, `until`), or "),
    }
}

/// Proposes to end the run earlier: later demands of bodies or pins cannot be met.
fn end_before(time: f64, world: &World) -> Vec<Remedy> {
    let frames = (time * world.fps).floor() - 1.0;
    let end = |frames: f64| Remedy::new("end the scene before", format!("time.duration={:?}", frames / world.fps));
    (frames >= 1.0).then(|| end(frames)).into_iter().collect()
}

/// Help if there is no equilibrium, or more iterations are needed.
fn no_equilibrium(iterations: u32, loose: Option<&str>, ready: &Ready, again: &Again) -> String {
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
    let again = again.with(&[]);
    format!("{slides}allow a larger residual (--residual), or more iterations: {again} --iterations {more}")
}

/// Remedies if the cloth changes faster than the shortest step can follow.
fn stretched(ready: &Ready) -> Vec<Remedy> {
    let world = &ready.world;
    let mut remedies = pulled(ready);
    remedies.extend(shorter_least(world));
    remedies.push(Remedy::new("take shorter steps", format!("time.step={}", rounded_down(0.1 * world.h))));
    remedies.extend(other_implicit(world));
    let rough = "let the cloth change as much as it does in a step, with motion that is less exact there";
    remedies.push(Remedy::new(rough, "time.adaptive=false"));
    remedies
}

/// Allows steps to be halved more often: 6 times, or 12 times.
fn shorter_least(world: &World) -> Vec<Remedy> {
    let Some(least) = world.adaptive.map(|adaptive| adaptive.least) else { return Vec::new() };
    // the scene's own bound on `least`
    let mut shorter = [least / 64.0, least / 4096.0].map(|shorter| shorter.max(SHORTEST)).to_vec();
    shorter.dedup();
    shorter.retain(|shorter| *shorter < least);
    let remedy =
        |least| Remedy::new("let steps become shorter", format!("time.adaptive.least={}", rounded_down(least)));
    shorter.into_iter().map(remedy).collect()
}

/// The smallest `time.adaptive.least`.
const SHORTEST: f64 = 1e-9;

/// Remedies if springs are corrected against the method's own forces.
fn pulled(ready: &Ready) -> Vec<Remedy> {
    let (world, setup) = (&ready.world, &ready.scene.setup);
    let pulls = |limiter: &&Limiter| setup.components.limiter && limiter.rule(&world.method) == Rule::Pull;
    let Some(limiter) = setup.limiter.as_ref().filter(pulls) else { return Vec::new() };
    let mut remedies = Vec::new();
    if !limiter.inverse_dynamics {
        let words = "let velocities follow the limiter";
        remedies.push(Remedy::new(words, "limiter.inverse_dynamics=true"));
    }
    if world.method.holds_contact() {
        let words = "keep the limit in place of pulling springs back, which works against the method";
        remedies.push(Remedy::new(words, "limiter.rule=keep"));
    }
    remedies
}

/// The implicit method that is not in use, with steps that suit it.
fn other_implicit(world: &World) -> Option<Remedy> {
    let (words, name) = match world.method {
        Method::Bdf2(_) => ("use backward-euler, which damps more", "backward-euler"),
        Method::BackwardEuler(_) => ("use bdf2", "bdf2"),
        _ => ("use bdf2, stable at any step", "bdf2"),
    };
    Some(Remedy { words, set: vec![format!("method={{name='{name}'}}"), "time.step=auto".into()] })
}

/// Advice about the pin that moves fastest when the scene fails.
fn slower_pin(time: f64, ready: &Ready) -> String {
    match fastest_pin(ready, time) {
        Some((name, speed)) => format!("slow the motion of pin `{name}`, {} m/s there, or ", number(speed)),
        None => String::new(),
    }
}

/// The pin that moves fastest at a given time, and its speed, m/s.
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

/// Remedies if the conjugate gradient failed: it had too few iterations, or the equations are ill-conditioned.
fn unsolved(iterations: u32, ready: &Ready) -> Vec<Remedy> {
    let world = &ready.world;
    let most = match world.method {
        Method::BackwardEuler(settings) | Method::Bdf2(settings) => settings.iterations,
        Method::Imex(settings) => settings.iterations,
        _ => 0,
    };
    let mut remedies = Vec::new();
    if iterations >= most {
        let more = (u64::from(most) * 10).clamp(10_000, 1_000_000_000);
        remedies.push(Remedy::new("allow more iterations", format!("method.iterations={more}")));
        remedies.push(Remedy::new("take a rougher solution", "method.tolerance=1e-3"));
    }
    remedies.extend(diverged(ready, world.stable_step()));
    remedies
}

/// Remedies if steps are too long for the stiffness, or for whatever moves the cloth.
fn diverged(ready: &Ready, stable: Option<f64>) -> Vec<Remedy> {
    let world = &ready.world;
    let mut remedies = pulled(ready);
    let implicit = world.method.is_implicit();
    if let Some(stable) = stable {
        // `auto` uses the same fraction of the stable step; a step that was short enough must become shorter still
        let step = if world.h > stable { taffeta::SAFETY * stable } else { world.h * if implicit { 0.1 } else { 0.5 } };
        for step in [step, 0.1 * step] {
            remedies.push(Remedy::new("take shorter steps", format!("time.step={}", rounded_down(step))));
        }
    }
    remedies.extend(shorter_least(world));
    remedies.extend(other_implicit(world));
    remedies
}

/// Rounds down to two digits.
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

    fn again() -> Again {
        Again::new("taffeta run a".into(), Vec::new())
    }

    fn help(error: StepError, overrides: &[&str]) -> String {
        way_out(&error.into(), &ready(overrides), &again(), |_| Tried::Unknown)
    }

    fn stretched_at(time: f64) -> StepError {
        StepError::Stretched { time, triangle: 0, cloth: "sheet".into(), change: 0.5, h: 1e-6 }
    }

    #[test]
    fn what_works_is_recommended_and_what_fails_is_not() {
        let pulled = ["limiter={ limit = 0.01, rule = 'pull', inverse_dynamics = false }", "method={ name = 'bdf2' }"];
        let ready = ready(&pulled);
        let all = std::cell::RefCell::new(Vec::new());
        let help = |works: &str| {
            all.borrow_mut().clear();
            way_out(&stretched_at(2.6).into(), &ready, &again(), |set| {
                all.borrow_mut().push(set[0].clone());
                if set[0] == works { Tried::Works } else { Tried::Fails }
            })
        };
        assert!(help("nothing").contains("in vain"), "{}", help("nothing"));
        let offered = all.borrow().clone();
        for set in ["limiter.inverse_dynamics=true", "limiter.rule=keep", "time.adaptive=false"] {
            assert!(offered.iter().any(|offered| offered == set), "{set}: {offered:?}");
        }
        for set in offered {
            let text = help(&set);
            assert!(text.contains("(tried, it goes on)") && text.contains(&set), "{text}");
        }
    }

    #[test]
    fn steps_as_short_as_can_be_are_not_advised_again() {
        let text = help(stretched_at(2.6), &["time.adaptive.least=1e-9"]);
        assert!(!text.contains("adaptive.least") && text.contains("taffeta run a --set time.step="), "{text}");
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
        assert!(help(diverged(None), &explicit).contains("taffeta run a --set \"method={name='bdf2'}\""));
        assert!(help(diverged(Some(f64::INFINITY)), &["time.step=0.01", "time.fps=100"]).ends_with("time.step=1.0e-3"));
        let not_finite = StepError::NotFinite { time: 0.0, h: 0.01 };
        assert!(help(not_finite, &["time.step=0.01", "time.fps=100"]).ends_with("time.step=1.0e-3"));
    }

    #[test]
    fn the_pin_that_pulls_is_named() {
        let text = help(stretched_at(0.6), &[]);
        assert!(text.contains("pin `sheet.") && text.contains("m/s there"), "{text}");
        assert!(text.ends_with("taffeta run a --set time.adaptive.least=3.8e-6"), "{text}");
        assert!(
            help(stretched_at(2.6), &[]).starts_with("let steps become shorter"),
            "pins that rest are not to blame"
        );
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
            let again = Again::new("taffeta drape a".into(), Vec::new());
            way_out(&failure, &ready(overrides), &again, |_| Tried::Unknown)
        };
        assert!(help(Some("sheet"), &[]).contains("nothing holds `sheet`"));
        assert!(help(Some("sheet"), &ball).contains("`sheet` falls past all bodies"));
        assert!(help(None, &ball).ends_with("taffeta drape a --iterations 10000"));
    }

    #[test]
    fn equations_without_a_solution_need_shorter_steps_and_not_more_iterations() {
        let unsolved = |iterations| StepError::Unsolved { time: 0.0, iterations, h: 0.01 };
        let text = help(unsolved(20), &["method.iterations=20"]);
        assert!(text.ends_with("--set method.iterations=10000"), "{text}");
        assert!(help(unsolved(3), &["method.iterations=20"]).contains("time.step="));
    }
}

//! `taffeta drape`.

use super::again::Again;
use super::scene::Ready;
use super::simulate::{Ran, conclude, pool};
use crate::args::Drape;
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, words};
use std::path::{Path, PathBuf};
use taffeta::{DrapeProgress, Halt, Warning};
use taffeta_files::run::{self, Draper, Hooks, Kind, Plan, RunFolder, Settings, Target};
use taffeta_scene::Source;

pub fn drape(console: Console, threads: Option<usize>, args: &Drape) -> Result<(), Failure> {
    let source = Source::find(&args.scene.scene)?;
    let pool = pool(threads)?;
    let ready = pool.install(|| Ready::new(&source, &overrides(args)))?;
    let attachments = ready.attachments();
    ready.show_warnings(console);
    pool.install(|| ready.fits())?;
    let limit: Vec<Warning> = limit_warning(&ready).into_iter().collect();
    limit.iter().for_each(|warning| console.warning(&warning.message));

    if !ready.world.actions.is_empty() {
        console.note("no action is done while the equilibrium is searched for: they belong to the motion");
    }

    interrupt::listen("this iteration", console.quiet());
    let target = match &args.out {
        Some(folder) => Target::Exactly(folder.clone()),
        None => Target::Named { parent: PathBuf::from("runs"), name: format!("{}-drape", ready.scene.name) },
    };
    let folder = RunFolder::create(&target, args.force)?;
    let (title, vertices) = (&ready.scene.title, ready.world.mass.len());
    console.remark(&format!("{title}: {vertices} vertices at rest, into {}", folder.path().display()));
    let scene = ready.scene.saved_text();
    let plan = Plan { scene: &scene, attachments: &attachments, frames: 1, kind: Kind::Drape };
    let mut warnings = ready.warnings();
    warnings.extend(limit);
    let settings = Settings { threads: pool.current_num_threads(), warnings: &warnings };

    let mut progress = Progress::new(console);
    let mut watch = |now: &DrapeProgress| progress.say(|| line(now));
    let default = taffeta::Drape::default();
    let goal = taffeta::Drape {
        residual: args.residual.unwrap_or(default.residual),
        iterations: args.iterations.unwrap_or(default.iterations),
    };
    let outcome = pool.install(|| {
        let mut hooks = Hooks { stop: &interrupt::asked, observe: &mut |_| (), within: &mut |_| () };
        let draper = Draper::new(&ready.world, goal, &mut watch);
        let mut draper = draper.stopping(Halt::when(interrupt::overdue));
        run::start(folder, &plan, &mut draper, &settings, &mut hooks)
    });
    progress.end();
    let mut ran = Ran { outcome: outcome?, kinetic: None, resumable: false };
    conclude(console, &ready, &mut ran, &again(args), &pool, !args.no_still)
}

/// Warns about a strain limiter: it corrects steps, but the equilibrium is one of the forces alone.
fn limit_warning(ready: &Ready) -> Option<Warning> {
    let setup = &ready.scene.setup;
    let limit = 100.0 * setup.limiter.as_ref().filter(|_| setup.components.limiter)?.limit;
    let message = format!(
        "the equilibrium does not keep the limit on stretch of {} %: for a rest that does, let the motion settle with \
         `taffeta run`, or give the fabric more `stretch`",
        words::number(limit)
    );
    Some(Warning { path: "limiter".into(), message })
}

fn line(now: &DrapeProgress) -> String {
    let DrapeProgress { iteration, share, stage, stages } = *now;
    let stages = if stages > 1 { format!("stage {stage} of {stages}, ") } else { String::new() };
    if share == f64::INFINITY {
        return format!("{stages}following what moves");
    }
    format!("{stages}iteration {iteration}, net force {} % of a particle's weight", words::number(100.0 * share))
}

/// The command without the number of iterations, which a way out sets.
fn again(args: &Drape) -> Again {
    let mut command = format!("taffeta drape {}", words::typed(Path::new(&args.scene.scene)));
    command.extend(args.residual.map(|residual| format!(" --residual {residual:e}")));
    Again::new(command, args.scene.set.clone())
}

fn overrides(args: &Drape) -> Vec<String> {
    let mut overrides = args.scene.set.clone();
    if !args.export.is_empty() {
        let names: Vec<String> = args.export.iter().map(|format| format!("\"{format}\"")).collect();
        overrides.push(format!("output.formats=[{}]", names.join(", ")));
    }
    overrides
}

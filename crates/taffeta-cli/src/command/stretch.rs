//! A warning about cloth that was stretched farther than fabric can be.

use super::again::Again;
use super::scene::Ready;
use crate::words::number;
use taffeta::{Material, Rule};
use taffeta_files::run::{Report, ReportWarning};

/// No woven fabric stretches farther than this. Along its yarns it breaks at 10 to 40 %; on the bias the yarns lock at
/// about 40° of shear, which elongates a diagonal by √(1 + sin 40°) - 1 = 28 %.
const FARTHEST: f64 = 0.3;

/// Path of the warning.
pub const STRETCH: &str = "cloth.fabric";

/// The warning, if it applies. Raw constants are exempt: they come from papers whose springs stretch on purpose.
pub fn warning(report: &Report, ready: &Ready, again: &Again, rests: bool) -> Option<ReportWarning> {
    let setup = &ready.scene.setup;
    let fabric = setup.cloths.iter().all(|cloth| matches!(cloth.material, Material::Fabric(_)));
    if !fabric || report.max_stretch <= FARTHEST {
        return None;
    }
    let frame = report.totals.maxima.max_stretch_frame;
    let when = if rests { String::new() } else { format!(" at {} s", number(frame as f64 / report.fps)) };
    let limiter = setup.limiter.as_ref().filter(|_| setup.components.limiter);
    let advice = if frame == 0 && !rests {
        "it starts like that: make its `noise` smaller, or start nearer to its rest shape".to_string()
    } else if rests {
        format!("a stiffer fabric hangs nearer to its size: {}", again.with(&["cloth.fabric=canvas".into()]))
    } else {
        match limiter {
            // the other warning, about the limit that was not kept, explains it
            Some(limiter) if limiter.rule(&ready.world.method) == Rule::Keep => {
                "pins or bodies pull harder than the limit allows: move them slower, or less far".to_string()
            }
            Some(_) => {
                format!("its limit is one that pulls; keep it: {}", again.with(&changes(ready, "limiter.rule=keep")))
            }
            None => format!("limit it: {}", again.with(&changes(ready, "limiter.limit=0.1"))),
        }
    };
    let percent = |share: f64| number(100.0 * share);
    let message = format!(
        "the cloth was stretched by {} %{when}, and woven fabrics break or lock before {} %: what pulls at it is too \
         much for its fabric; {advice}",
        percent(report.max_stretch),
        percent(FARTHEST)
    );
    Some(ReportWarning { path: STRETCH.into(), message })
}

/// The changes that set a limit, with a method that keeps limits unless one is in use.
fn changes(ready: &Ready, limit: &str) -> Vec<String> {
    let keeps = ready.world.method.holds_contact();
    let method = (!keeps).then(|| "method.name=bdf2".to_string());
    method.into_iter().chain([limit.to_string()]).collect()
}

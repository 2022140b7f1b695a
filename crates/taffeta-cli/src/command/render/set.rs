//! `--set` when a run is rendered: its motion is done, so only values that pictures depend on can change.

use crate::failure::{BAD_INPUT, Failure};
use crate::words;
use std::path::Path;
use taffeta_files::nearest;

/// The table of a scene that pictures depend on, and its keys.
const TABLE: &str = "camera";
const KEYS: [&str; 4] = ["at", "look_at", "fov", "up"];

/// Refuses every key that does not affect pictures. The scene finds mistakes in the others.
pub fn check(folder: &Path, set: &[String]) -> Result<(), Failure> {
    set.iter().try_for_each(|argument| {
        let key = argument.split('=').next().unwrap_or_default().trim();
        let (first, last) = (key.split('.').next().unwrap_or_default(), key.rsplit('.').next().unwrap_or_default());
        if first == TABLE {
            return Ok(());
        }
        let near = nearest(first, [TABLE]).is_some();
        let meant = match nearest(last, KEYS) {
            Some(part) if near || !key.contains('.') => Some(format!("did you mean `{TABLE}.{part}`?")),
            _ if near => Some(format!("did you mean `{TABLE}`?")),
            _ => None,
        };
        let keys = KEYS.map(|key| format!("{TABLE}.{key}")).join(", ");
        let again = format!("taffeta run {} --set {}", words::typed(&folder.join("scene.toml")), quoted(argument));
        let help = meant.unwrap_or_else(|| format!("of a run {keys} can be set; for another motion: {again}"));
        let error = format!("--set {argument}: no picture of a finished motion depends on `{key}`");
        Err(Failure::new(BAD_INPUT, error, help))
    })
}

fn quoted(argument: &str) -> String {
    words::typed(Path::new(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_of_pictures_pass_and_others_have_a_way_out() {
        let refused =
            |argument: &str| check(Path::new("runs/hang"), &[argument.into()]).map_err(|failure| failure.help);
        assert_eq!(refused("camera.at=[1,2,3]"), Ok(()));
        assert_eq!(refused("camera.fvo=3"), Ok(())); // the scene knows
        assert_eq!(refused("camra.fov=3"), Err("did you mean `camera.fov`?".into()));
        assert_eq!(refused("fov=3"), Err("did you mean `camera.fov`?".into()));
        assert_eq!(refused("lookat=3"), Err("did you mean `camera.look_at`?".into()));
        let other = refused("time.fps=30").unwrap_err();
        assert!(other.contains("taffeta run runs/hang/scene.toml --set time.fps=30") && other.contains("camera.up"));
    }
}

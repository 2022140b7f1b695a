//! Mistakes in the arguments: what clap says, with a tip where we know better.

use crate::console::{self, Console};
use crate::failure::{BAD_INPUT, Failure};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;
use taffeta_files::{is_steering, printable};

/// Shows help, version or what is wrong; returns the exit status.
pub fn explain(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // a closed pipe is no mistake
        let _ = error.print();
        return 0;
    }
    let text = error.render().to_string();
    let tip = tip(error);
    // whether --json was meant is not known where arguments are wrong: it counts wherever it stands
    if std::env::args_os().any(|argument| argument == "--json") {
        let mut paragraphs = text.trim().splitn(2, "\n\n");
        let first = paragraphs.next().unwrap_or_default().trim_start_matches("error: ");
        let help = tip.clone().unwrap_or_else(|| "see `taffeta --help`".into());
        let failure = Failure::new(BAD_INPUT, first, help);
        let _ = Console::new(true, true).json(&failure.json());
    }
    // a name that the shell found may have colours of its own: then there are none
    let coloured = !std::env::args_os().any(|argument| argument.to_string_lossy().contains(is_steering));
    if coloured {
        console::stderr(&error.render().ansi().to_string());
    } else {
        text.lines().for_each(|line| console::stderr(&format!("{}\n", printable(line))));
    }
    if let Some(tip) = tip {
        console::stderr(&format!("  help: {tip}\n"));
    }
    error.exit_code().try_into().unwrap_or(BAD_INPUT)
}

/// `taffeta hang` means `taffeta run hang`.
fn tip(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_scene = taffeta_scene::builtin::scene(word).is_some() || word.ends_with(".toml");
    is_scene.then(|| format!("to simulate it: taffeta run {}", crate::words::typed(Path::new(word))))
}

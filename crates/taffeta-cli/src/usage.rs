//! Mistakes in the arguments: clap's message, with a better tip where we have one.

use crate::console::{self, Console};
use crate::failure::{BAD_INPUT, Failure};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::path::Path;
use taffeta_files::{is_steering, printable};

/// Prints help, version or the mistake; returns the exit status.
pub fn explain(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // a closed pipe is not an error
        let _ = error.print();
        return 0;
    }
    let text = error.render().to_string();
    let tip = tip(error);
    // wrong arguments leave it open whether --json was meant: it counts wherever it is
    if std::env::args_os().any(|argument| argument == "--json") {
        let mut paragraphs = text.trim().splitn(2, "\n\n");
        let first = paragraphs.next().unwrap_or_default().trim_start_matches("error: ");
        let help = tip.clone().unwrap_or_else(|| "see `taffeta --help`".into());
        let failure = Failure::new(BAD_INPUT, first, help);
        let _ = Console::new(true, true).json(&failure.json());
    }
    // a file name from the shell may contain colour codes: then print no colours
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

/// A tip: `taffeta hang` means `taffeta run hang`.
fn tip(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_scene = taffeta_scene::builtin::scene(word).is_some() || word.ends_with(".toml");
    is_scene.then(|| format!("to simulate it: taffeta run {}", crate::words::typed(Path::new(word))))
}

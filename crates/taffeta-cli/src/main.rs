//! The command `taffeta`: parses arguments, calls the libraries, and turns results into text and exit statuses.
//!
//! ```text
//! args        what can be typed          command/     one file a command
//! console     what is printed where      failure      what went wrong: message, way out, exit status
//! progress    the bar                    interrupt    Ctrl-C
//! values      numbers, points, colours   out_of_memory  a message where an allocation fails
//! ```

mod args;
mod command;
mod console;
mod failure;
mod interrupt;
mod out_of_memory;
mod progress;
mod usage;
mod values;
mod words;

use clap::Parser;
use console::Console;
use failure::Failure;
use std::process::ExitCode;

/// Exit status of a bug, the same as Rust's own.
const BUG: u8 = 101;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |at| format!(" ({}:{})", at.file(), at.line()));
        let what = taffeta_files::printable(info.payload_as_str().unwrap_or("no reason given"));
        console::stderr(&format!("error: this is a bug in taffeta {}: {what}{place}\n", env!("CARGO_PKG_VERSION")));
        console::stderr("  help: please report it with the command, the scene and this message\n");
    }));
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage::explain(&error).into(),
    };
    let console = Console::new(args.everywhere.json, args.everywhere.quiet);
    if args.everywhere.json {
        out_of_memory::speak_json();
    }
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| command::call(&args, &console)));
    match result {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            console.failure(&failure);
            failure.status.into()
        }
        // the panic hook has printed the message for people
        Err(_) => {
            let help = "please report it with the command, the scene and what stands on stderr";
            console.json(&Failure::new(BUG, "this is a bug in taffeta", help).json()).ok();
            BUG.into()
        }
    }
}

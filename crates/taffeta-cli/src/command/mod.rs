//! The commands, one file each.

mod again;
mod check;
mod completions;
mod convert;
mod drape;
mod experiment;
mod figures;
mod list;
mod methods;
mod pace;
mod render;
mod resume;
mod run;
mod scene;
mod simulate;
mod stretch;
mod trial;
mod way_out;

use crate::args::{Args, Command};
use crate::console::Console;
use crate::failure::Failure;

/// Runs the command that the arguments name.
pub fn call(args: &Args, console: &Console) -> Result<(), Failure> {
    let threads = args.everywhere.threads.map(usize::from);
    let console = *console;
    match &args.command {
        Command::Run(args) => run::run(console, threads, args),
        Command::Drape(args) => drape::drape(console, threads, args),
        Command::Resume(args) => resume::resume(console, threads, args),
        Command::Check(args) => check::check(console, threads, args),
        Command::Convert(args) => convert::convert(console, args),
        Command::Render(args) => render::render_command(console, threads, args),
        Command::Scenes(args) => list::list(console, &list::SCENES, args),
        Command::Fabrics(args) => list::list(console, &list::FABRICS, args),
        Command::Methods(args) => methods::methods(console, args),
        Command::Experiment(args) => experiment::experiment(console, threads, args),
        Command::Schema => schema(console),
        Command::Completions { shell } => completions::completions(console, *shell),
    }
}

/// Prints the schema, which is a JSON object already.
fn schema(console: Console) -> Result<(), Failure> {
    let schema = taffeta_scene::schema();
    console.print(&format!("{}\n", schema.trim_end()))?;
    console.json(&serde_json::from_str(&schema).expect("the schema is JSON"))
}

//! Scene files: from TOML to a setup of the simulator.
//!
//! Use this crate to read scenes and fabrics, built in or from files, and to check them. It reports all mistakes at
//! once, each with its line and a way out.
//!
//! ```
//! use taffeta_scene::{Source, load};
//!
//! // a built-in scene with a value of our own
//! let scene = load(&Source::find("hang")?, &["time.duration=1.0".into()])?;
//! assert_eq!(scene.duration, 1.0);
//! let world = scene.world()?;
//! assert_eq!(world.mass.len(), 41 * 41);
//!
//! // a scene with a mistake
//! let text = "[[cloth]]\ngrid = { size = [1.0, 1.0], cells = [8, 8] }\nfabric = \"sillk\"\n";
//! let mistakes = load(&Source::text("mine", text, "."), &[]).unwrap_err();
//! assert_eq!(mistakes.list[0].message, "there is no fabric `sillk`");
//! assert!(mistakes.list[0].help.starts_with("did you mean \"silk\"?"));
//! assert_eq!(mistakes.list[0].at.as_ref().map(|at| at.line), Some(3));
//! # Ok::<(), taffeta_scene::Diagnostics>(())
//! ```
//!
//! ```text
//! Source ──load──▶ Scene ──world──▶ taffeta::World
//!   │ name or file   │ setup, saved text, referred files
//!   │                ▼
//!   └────────────▶ Diagnostics: all mistakes at once, for people (render) and programs (json)
//!
//! keys      the one table of all keys: checking, defaults, schema() and reference() come from it
//! builtin   the scenes and fabrics that are built in
//! ```

mod build;
pub mod builtin;
mod check;
mod diagnostic;
mod document;
mod edit;
mod files;
mod json;
mod keys;
mod mistakes;
mod overrides;
mod reference;
mod sample;
mod scene;
mod schema;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod words;

pub use build::MOST_FRAMES;
pub use builtin::Builtin;
pub use diagnostic::{Diagnostic, Diagnostics, Location};
pub use reference::reference;
pub use scene::{Camera, FileCopy, Output, Reference, Scene, load};
pub use schema::schema;
pub use source::Source;

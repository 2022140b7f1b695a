//! Scene files: TOML to a setup of the simulator, with every mistake shown at its line and a way out of it.
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
//!
//! ```no_run
//! use taffeta_scene::{Source, load};
//! let scene = load(&Source::find("hang")?, &["time.duration=1.0".into()])?;
//! let world = scene.world()?;
//! # Ok::<(), taffeta_scene::Diagnostics>(())
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

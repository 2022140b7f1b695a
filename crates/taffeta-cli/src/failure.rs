//! Failures of a command: a message, a way out and an exit status.

use crate::console::labelled;
use anstyle::AnsiColor;
use serde_json::{Map, Value, json};
use taffeta_files::export::ExportError;
use taffeta_files::run::RunError;
use taffeta_scene::Diagnostics;

/// Exit status: the run failed.
pub const FAILED: u8 = 1;
/// Exit status: bad input or usage.
pub const BAD_INPUT: u8 = 2;
/// Exit status: interrupted, as in shells after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    pub status: u8,
    pub error: String,
    pub help: String,
    /// Mistakes in a scene, each with its line.
    pub mistakes: Option<Box<Diagnostics>>,
    /// Further fields for `--json`: a failed run still has a folder and figures.
    pub object: Map<String, Value>,
}

impl Failure {
    pub fn new(status: u8, error: impl Into<String>, help: impl Into<String>) -> Self {
        Self { status, error: error.into(), help: help.into(), mistakes: None, object: Map::new() }
    }

    /// Text for people.
    pub fn render(&self) -> String {
        if let Some(mistakes) = &self.mistakes {
            let count = mistakes.count();
            let sum = if count == 1 { String::new() } else { format!("\n{count} mistakes, nothing was done\n") };
            return format!("{}\n{sum}", mistakes.render(true));
        }
        let title = if self.status == INTERRUPTED { ("stopped", AnsiColor::Yellow) } else { ("error", AnsiColor::Red) };
        let help = labelled("help", AnsiColor::Cyan, &self.help);
        format!("{}\n  {help}\n", labelled(title.0, title.1, &self.error))
    }

    /// Object for programs.
    pub fn json(&self) -> Value {
        let mut object = self.object.clone();
        object.insert("error".into(), json!(self.error));
        object.insert("help".into(), json!(self.help));
        if let Some(mistakes) = &self.mistakes {
            object.insert("more_mistakes".into(), json!(mistakes.more));
            object.insert("unseen".into(), json!(mistakes.unseen));
        }
        let mistakes = self.mistakes.as_ref().and_then(|mistakes| serde_json::from_str(&mistakes.json()).ok());
        object.insert("mistakes".into(), mistakes.unwrap_or_else(|| json!([])));
        Value::Object(object)
    }
}

impl From<Diagnostics> for Failure {
    fn from(mistakes: Diagnostics) -> Self {
        let (error, help) = match mistakes.list.as_slice() {
            [one] if mistakes.more == 0 => (one.message.clone(), one.help.clone()),
            list => {
                let help = match mistakes.more {
                    0 => "see `mistakes`, each with its own help".into(),
                    _ => format!("see `mistakes`, the first {}, each with its own help", list.len()),
                };
                (format!("{} mistakes", mistakes.count()), help)
            }
        };
        Self { mistakes: Some(Box::new(mistakes)), ..Self::new(BAD_INPUT, error, help) }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let status = match &error {
            RunError::Write { error, .. } if error.is_in_the_way() => BAD_INPUT,
            RunError::Write { .. } | RunError::NotReplaced { .. } => FAILED,
            RunError::Disk(error) if error.is_full() => FAILED,
            _ => BAD_INPUT,
        };
        Self::new(status, error.to_string(), error.help())
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        let status = match &error {
            ExportError::Stopped => INTERRUPTED,
            ExportError::Disk(error) if !error.is_in_the_way() => FAILED,
            _ => BAD_INPUT,
        };
        Self::new(status, error.to_string(), error.help())
    }
}

//! Lets the caller end a step early. The question is asked between iterations, rounds and fronts. Partial results are
//! dropped with the workspace, so that no result depends on when the caller stops.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Stops steps while they are computed: see [`Workspace::stop_when`](crate::workspace::Workspace::stop_when).
#[derive(Default)]
pub struct Halt {
    ask: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
    /// Whether the answer was yes in this step. Interrupted work must not be taken for finished.
    said: Arc<AtomicBool>,
}

/// A clone asks the same question and keeps an answer of its own.
impl Clone for Halt {
    fn clone(&self) -> Self {
        Self { ask: self.ask.clone(), said: Arc::default() }
    }
}

impl Halt {
    /// Stops when `ask` says so. It is called often and from many threads: it must be quick and must not wait.
    pub fn when(ask: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { ask: Some(Arc::new(ask)), said: Arc::default() }
    }

    /// Forgets the answer, when no interrupted work is left.
    pub(crate) fn forget(&self) {
        self.said.store(false, Relaxed);
    }

    /// Whether to stop. Once the answer is yes it stays so until [`Halt::forget`].
    pub(crate) fn asked(&self) -> bool {
        let Some(ask) = &self.ask else { return false };
        if self.said.load(Relaxed) {
            return true;
        }
        let now = ask();
        if now {
            self.said.store(true, Relaxed);
        }
        now
    }
}

impl fmt::Debug for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Halt").field("asks", &self.ask.is_some()).finish()
    }
}

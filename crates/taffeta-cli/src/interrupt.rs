//! Ctrl-C: the first stops after the frame in progress, or within it if it takes long; the second stops at once.
//! SIGTERM and a closed terminal count too. `timeout` and closing terminals signal twice, to the process and to its
//! group: a second signal that follows at once is ignored.

use crate::console;
use crate::failure::INTERRUPTED;
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};
use taffeta_files::run::GRACE;

/// Signals within this time of the first count as one.
const SAME: Duration = Duration::from_secs(1);

/// The time of the first request to stop.
static ASKED: OnceLock<Instant> = OnceLock::new();
static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked to stop.
pub fn asked() -> bool {
    ASKED.get().is_some()
}

/// Whether the user has waited so long that even work that is nearly done is abandoned.
pub fn overdue() -> bool {
    ASKED.get().is_some_and(|asked| asked.elapsed() > GRACE)
}

/// From now on Ctrl-C only requests a stop. `what` is finished first, such as "this frame".
pub fn listen(what: &'static str, quiet: bool) {
    QUIET.store(quiet, SeqCst);
    let hang_up_ignored = hang_up::is_ignored();
    let listening = ctrlc::set_handler(move || {
        // the terminal prints ^C on the line of the progress bar
        let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
        match ASKED.get().map(Instant::elapsed) {
            None => _ = ASKED.set(Instant::now()),
            Some(since) if since < SAME => return,
            Some(_) => {
                console::stderr(line);
                std::process::exit(INTERRUPTED.into());
            }
        }
        if !QUIET.load(SeqCst) {
            console::stderr(&format!("{line}stopping after {what}; press again to stop now\n"));
        }
    });
    if hang_up_ignored {
        hang_up::ignore();
    }
    // without a handler Ctrl-C stops at once, which is safe for a run too
    let _ = listening;
}

/// `nohup` ignores SIGHUP, so we must ignore it too.
#[cfg(unix)]
mod hang_up {
    pub fn is_ignored() -> bool {
        // SAFETY: a null action only queries, and all zero bytes are a valid `sigaction` to be overwritten
        unsafe {
            let mut now: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGHUP, std::ptr::null(), &mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
        }
    }

    pub fn ignore() {
        // SAFETY: no handler of ours is replaced while it runs: this is called once, before any signal counts
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
}

#[cfg(not(unix))]
mod hang_up {
    pub fn is_ignored() -> bool {
        false
    }

    pub fn ignore() {}
}

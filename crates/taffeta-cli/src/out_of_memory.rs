//! Failed allocations: they end with a message, a way out and the status of bad input instead of an abort.
//!
//! Large inputs are refused with figures before work begins (`taffeta_files::fits`). This module handles the rest.

use crate::failure::BAD_INPUT;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The system's allocator, with a message when memory runs out.
struct Said;

#[global_allocator]
static ALLOCATOR: Said = Said;

/// Whether stdout must have a JSON object.
static JSON: AtomicBool = AtomicBool::new(false);

/// Called if `--json` was given.
pub fn speak_json() {
    JSON.store(true, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator unchanged, and its result is returned.
unsafe impl GlobalAlloc for Said {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller
        found(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller
        found(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller
        found(unsafe { System.realloc(p, layout, size) }, size)
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller
        unsafe { System.dealloc(p, layout) }
    }
}

#[inline]
fn found(p: *mut u8, size: usize) -> *mut u8 {
    if p.is_null() {
        give_up(size);
    }
    p
}

/// Prints the message without allocating, and exits. A run in progress can be resumed, as after a kill.
#[cold]
fn give_up(size: usize) -> ! {
    const HELP: &str = "use a smaller mesh or picture, or allow more memory (ulimit -v, the limit of the container)";
    say(ERRORS, format_args!("error: out of memory: {size} more bytes cannot be had\n  help: {HELP}\n"));
    if JSON.load(Relaxed) {
        let error = format_args!("out of memory: {size} more bytes cannot be had");
        say(RESULTS, format_args!("{{ \"error\": \"{error}\", \"help\": \"{HELP}\", \"mistakes\": [] }}\n"));
    }
    end()
}

/// File descriptors of stdout and stderr.
const RESULTS: i32 = 1;
const ERRORS: i32 = 2;

fn say(to: i32, parts: std::fmt::Arguments) {
    let mut text = [0u8; 600];
    let mut rest = &mut text[..];
    let _ = rest.write_fmt(parts);
    let left = rest.len();
    write(to, &text[..600 - left]);
}

/// Writes without the locks of the standard library, which may be held.
#[cfg(unix)]
fn write(to: i32, text: &[u8]) {
    // SAFETY: the text outlives the call
    unsafe { libc::write(to, text.as_ptr().cast(), text.len()) };
}

#[cfg(not(unix))]
fn write(to: i32, text: &[u8]) {
    let _ = if to == ERRORS { std::io::stderr().write_all(text) } else { std::io::stdout().write_all(text) };
}

/// Exits without the destructors of threads and statics, which may allocate.
#[cfg(unix)]
fn end() -> ! {
    // SAFETY: ends the process whatever its state
    unsafe { libc::_exit(BAD_INPUT.into()) }
}

#[cfg(not(unix))]
fn end() -> ! {
    std::process::exit(BAD_INPUT.into())
}

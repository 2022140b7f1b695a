//! The command as its users meet it: a process, its files and its exit status.

mod bodies;
mod builtin;
mod check;
mod common;
mod crossings;
mod disk;
mod diverged;
mod documents;
mod drape;
mod examples;
mod existing;
mod experiment;
mod export;
mod foreign;
mod interrupt;
mod kill;
mod malformed;
mod malformed_cases;
mod memory;
mod output;
mod render;
mod run;
mod steps;
mod stretch;
mod threads;
mod uv;

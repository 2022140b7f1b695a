//! Scene files: TOML to a world.

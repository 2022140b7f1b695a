//! Meshes in, caches and exports out, run folders that survive a crash.

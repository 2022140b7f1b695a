//! How much memory there is.

/// Memory of this machine, bytes; `None` where the system does not tell in a file.
///
/// All of it, not what is free now: the same scene must be refused or accepted whatever else goes on.
pub fn total_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

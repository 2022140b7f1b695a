//! Memory available to this process, limited by the machine, by the process itself or by a container.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Memory that can still be allocated, and its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes that are left.
    pub bytes: u64,
    /// The whole limit in bytes.
    pub whole: u64,
    /// What sets the limit.
    pub bound: Bound,
}

/// What limits the memory of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Free memory of the machine, including swap.
    Machine,
    /// The address space of the process: `ulimit -v`.
    AddressSpace,
    /// The data segment of the process: `ulimit -d`.
    Data,
    /// The control group of a container or of another group of processes.
    Group(PathBuf),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Machine => f.write_str("this machine"),
            Bound::AddressSpace => f.write_str("the limit on the address space of the process (ulimit -v)"),
            Bound::Data => f.write_str("the limit on the data of the process (ulimit -d)"),
            Bound::Group(path) => write!(f, "the limit of the container or group of processes ({})", path.display()),
        }
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Room { bytes, whole, bound } = self;
        write!(f, "{} are left of {}: {bound}", in_words(*bytes), in_words(*whole))
    }
}

/// Bytes in decimal units.
fn in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.1} GB", bytes as f64 / 1e9),
        1_000_000_000_000..1_000_000_000_000_000 => format!("{:.1} TB", bytes as f64 / 1e12),
        _ => "more than 1000 TB".into(),
    }
}

/// `bytes` do not fit into the memory that is left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} of memory are needed, and {room}", in_words(*.bytes))]
pub struct NoRoom {
    /// Bytes that are needed.
    pub bytes: u64,
    /// Memory that is left.
    pub room: Room,
}

/// Refuses a size that does not fit; if the system reports nothing, every size fits.
pub fn fits(bytes: u64) -> Result<(), NoRoom> {
    match room() {
        Some(room) if bytes > room.bytes => Err(NoRoom { bytes, room }),
        _ => Ok(()),
    }
}

/// The smallest remaining memory of all limits of this process; `None` where the system has no files for it.
pub fn room() -> Option<Room> {
    room_in(Path::new("/"))
}

/// As [`room`], with the system files below a folder.
fn room_in(root: &Path) -> Option<Room> {
    let bounds = machine(root).into_iter().chain(process(root)).chain(groups(root));
    bounds.min_by_key(|room| room.bytes)
}

fn read(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The number after a name in a text of lines.
fn number(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn machine(root: &Path) -> Option<Room> {
    let text = read(&root.join("proc/meminfo"))?;
    let kilobytes = |name: &str| number(&text, name).map(|count| count.saturating_mul(1024));
    let swap = |name: &str| kilobytes(name).unwrap_or(0);
    let whole = kilobytes("MemTotal:")?.saturating_add(swap("SwapTotal:"));
    let bytes = kilobytes("MemAvailable:").map_or(whole, |free| free.saturating_add(swap("SwapFree:")));
    Some(Room { bytes, whole, bound: Bound::Machine })
}

/// The limits of `ulimit`, less what is already used.
fn process(root: &Path) -> Vec<Room> {
    let (limits, status) = (read(&root.join("proc/self/limits")), read(&root.join("proc/self/status")));
    let (Some(limits), Some(status)) = (limits, status) else { return Vec::new() };
    let of = |name: &str, taken: &str, bound: Bound| {
        let whole = number(&limits, name)?; // `unlimited` is no number
        let taken = number(&status, taken).unwrap_or(0).saturating_mul(1024);
        Some(Room { bytes: whole.saturating_sub(taken), whole, bound })
    };
    let space = of("Max address space", "VmSize:", Bound::AddressSpace);
    space.into_iter().chain(of("Max data size", "VmData:", Bound::Data)).collect()
}

/// The control groups of the process and all their ancestors, of both versions.
fn groups(root: &Path) -> Vec<Room> {
    let mut rooms = Vec::new();
    for line in read(&root.join("proc/self/cgroup")).unwrap_or_default().lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (parts.next(), parts.next()) else { continue };
        let files = match kinds {
            "" => &SECOND,
            kinds if kinds.split(',').any(|kind| kind == "memory") => &FIRST,
            _ => continue,
        };
        // inside a container, its own group may be at the root
        for folder in Path::new(path.trim_start_matches('/')).ancestors() {
            rooms.extend(group(root, Path::new(files.place), folder, files));
        }
    }
    rooms
}

/// File names of a version of control groups.
struct Names {
    place: &'static str,
    limits: &'static [&'static str],
    taken: &'static str,
    /// The share that caches files, which the system can reclaim.
    cached: &'static str,
}

const SECOND: Names =
    Names { place: "sys/fs/cgroup", limits: &["memory.max", "memory.high"], taken: "memory.current", cached: "file " };
const FIRST: Names = Names {
    place: "sys/fs/cgroup/memory",
    limits: &["memory.limit_in_bytes"],
    taken: "memory.usage_in_bytes",
    cached: "total_cache ",
};

fn group(root: &Path, place: &Path, folder: &Path, names: &Names) -> Option<Room> {
    let at = root.join(place).join(folder);
    let value = |name: &str| read(&at.join(name))?.trim().parse::<u64>().ok();
    // `max` is not a number
    let whole = names.limits.iter().filter_map(|name| value(name)).min()?;
    let cached = read(&at.join("memory.stat")).and_then(|text| number(&text, names.cached)).unwrap_or(0);
    let taken = value(names.taken).unwrap_or(0).saturating_sub(cached);
    let bound = Bound::Group(Path::new("/").join(place).join(folder));
    Some(Room { bytes: whole.saturating_sub(taken), whole, bound })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates the files of a system.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    const MACHINE: (&str, &str) =
        ("proc/meminfo", "MemTotal: 8000 kB\nMemAvailable: 6000 kB\nSwapTotal: 1000 kB\nSwapFree: 500 kB\n");

    fn bytes(files: &[(&str, &str)]) -> (u64, Bound) {
        let system = system(&[&[MACHINE], files].concat());
        let room = room_in(system.path()).unwrap();
        (room.bytes, room.bound)
    }

    #[test]
    fn the_machine_has_what_is_free() {
        assert_eq!(bytes(&[]), (6500 * 1024, Bound::Machine));
        assert!(room().is_some() || !cfg!(target_os = "linux"));
        assert_eq!(room_in(system(&[]).path()), None);
    }

    #[test]
    fn limits_of_the_process_count_less_what_it_has() {
        let status = ("proc/self/status", "Name: x\nVmSize:\t 100 kB\nVmData:\t 20 kB\n");
        let unlimited = "Limit Soft Limit Hard Limit Units\nMax data size   unlimited  unlimited  bytes\n";
        let limits = |text: &'static str| ("proc/self/limits", text);
        assert_eq!(bytes(&[status, limits(unlimited)]).1, Bound::Machine);
        let space = limits("Max address space         1024000     unlimited            bytes     \n");
        assert_eq!(bytes(&[status, space]), (1_024_000 - 102_400, Bound::AddressSpace));
        let data = limits("Max data size             10240     unlimited            bytes     \n");
        assert_eq!(bytes(&[status, data]), (0, Bound::Data));
    }

    #[test]
    fn groups_of_both_versions_count_up_to_the_root() {
        let group = |path: &str| Bound::Group(Path::new("/").join(path));
        let second = [
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/memory.max", "50000\n"),
            ("sys/fs/cgroup/a/memory.current", "30000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 10000\nfile 20000\n"),
        ];
        assert_eq!(bytes(&second), (40_000, group("sys/fs/cgroup/a")));
        let high = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.high", "70000\n")];
        assert_eq!(bytes(&high), (70_000, group("sys/fs/cgroup/")));
        // the path is the one outside, the files are those inside a container
        let first = [
            ("proc/self/cgroup", "5:cpu:/\n4:memory,x:/docker/abc\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "60000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "30000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "cache 1\ntotal_cache 10000\n"),
        ];
        assert_eq!(bytes(&first), (40_000, group("sys/fs/cgroup/memory/")));
        // no limit at all
        let none = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "max")];
        assert_eq!(bytes(&none).1, Bound::Machine);
    }

    #[test]
    fn what_does_not_fit_is_said_with_figures() {
        let room = Room { bytes: 1_500_000, whole: 2_000_000_000, bound: Bound::AddressSpace };
        let said = NoRoom { bytes: 3_000_000_000, room }.to_string();
        assert_eq!(
            said,
            "3.0 GB of memory are needed, and 2 MB are left of 2.0 GB: the limit on the address space of the process \
                (ulimit -v)"
        );
    }
}

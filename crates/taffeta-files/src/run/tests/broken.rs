//! Kills, truncated files and full disks at every byte.

use super::*;
use crate::disk::full_disk::with_space;

/// A run of three frames, and the same run stopped after `stop` frames.
struct Pair {
    _folder: tempfile::TempDir,
    whole: std::path::PathBuf,
    stopped: std::path::PathBuf,
    scratch: std::path::PathBuf,
}

fn pair(stop: u64) -> Pair {
    let folder = quick_folder();
    let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
    run(create(&whole), fake(), 3, u64::MAX).unwrap();
    run(create(&stopped), fake(), 3, stop).unwrap();
    Pair { whole, stopped, scratch: folder.path().join("scratch"), _folder: folder }
}

impl Pair {
    fn checkpoint(frame: u64) -> Vec<u8> {
        fs::read(pair(frame).stopped.join(names::CHECKPOINT)).unwrap()
    }

    /// The stopped run with one file replaced.
    fn with(&self, name: &str, contents: &[u8]) -> &Path {
        let _ = fs::remove_dir_all(&self.scratch);
        copy(&self.stopped, &self.scratch);
        fs::write(self.scratch.join(name), contents).unwrap();
        &self.scratch
    }
}

/// A kill while a frame is saved leaves positions and lines beyond the checkpoint, with the last one cut anywhere.
#[test]
fn a_run_killed_at_any_byte_of_a_frame_resumes() {
    let pair = pair(1);
    let expected = results(&pair.whole);
    for name in [names::POSITIONS, names::CONTACT, names::FRAMES] {
        let whole = fs::read(pair.whole.join(name)).unwrap();
        let mut all = fs::read(pair.stopped.join(name)).unwrap();
        let begin = all.len();
        // lines differ in the digits of their milliseconds
        let lines: usize = whole.split_inclusive(|&b| b == b'\n').take(2).map(<[u8]>::len).sum();
        all.extend_from_slice(&whole[if name == names::FRAMES { lines } else { begin }..]);
        for length in begin..=all.len() {
            let path = pair.with(name, &all[..length]);
            let outcome = go_on(path, fake(), None, u64::MAX).unwrap_or_else(|e| panic!("{name} to {length}: {e}"));
            assert_eq!(outcome.simulated, 2);
            assert_eq!(results(path), expected, "{name} to {length}");
        }
    }
}

/// Files are cut before the checkpoint, as no kill can do: the error is clear, and nothing is changed.
#[test]
fn a_file_cut_before_the_checkpoint_is_named_and_left_alone() {
    let pair = pair(2);
    for name in [names::POSITIONS, names::CONTACT, names::FRAMES] {
        let all = fs::read(pair.stopped.join(name)).unwrap();
        for length in 0..all.len() {
            let path = pair.with(name, &all[..length]);
            let error = go_on(path, fake(), None, u64::MAX).expect_err(name);
            assert!(error.to_string().contains(name), "{name} to {length}: {error}");
            assert!(!error.help().is_empty());
            assert_eq!(fs::read(path.join(name)).unwrap().len(), length);
        }
    }
}

/// While only the start exists nothing can be lost, so the run starts again by itself.
#[test]
fn a_run_killed_at_any_byte_of_its_start_begins_again() {
    let pair = pair(0);
    let expected = results(&pair.whole);
    // in the order of writing: one file is cut, and later ones do not exist
    let order = [names::POSITIONS, names::CONTACT, names::FRAMES, names::FRAME_SUMS, names::CHECKPOINT];
    for (i, name) in order.iter().enumerate() {
        let all = fs::read(pair.stopped.join(name)).unwrap();
        for length in 0..all.len() {
            let path = pair.with(name, &all[..length]);
            order[i + 1..].iter().for_each(|later| fs::remove_file(path.join(later)).unwrap());
            go_on(path, fake(), None, u64::MAX).unwrap_or_else(|e| panic!("{name} to {length}: {e}"));
            assert_eq!(results(path), expected, "{name} to {length}");
        }
        let path = pair.with(name, &[]);
        order[i..].iter().for_each(|later| fs::remove_file(path.join(later)).unwrap());
        go_on(path, fake(), None, u64::MAX).unwrap();
        assert_eq!(results(path), expected, "without {name}");
    }
}

#[test]
fn a_lost_checkpoint_never_costs_finished_frames() {
    let pair = pair(2);
    let path = pair.with("x", b"");
    fs::remove_file(path.join(names::CHECKPOINT)).unwrap();
    let positions = fs::read(path.join(names::POSITIONS)).unwrap();
    go_on(path, fake(), None, u64::MAX).unwrap_err();
    assert_eq!(fs::read(path.join(names::POSITIONS)).unwrap(), positions);
    // lost positions do not cost the rest either
    let path = pair.with("x", b"");
    fs::remove_file(path.join(names::POSITIONS)).unwrap();
    go_on(path, fake(), None, u64::MAX).unwrap_err();
    assert!(path.join(names::CHECKPOINT).exists());
}

#[test]
fn a_flipped_byte_of_positions_and_forces_is_detected() {
    let pair = pair(2);
    for name in [names::POSITIONS, names::CONTACT] {
        let all = fs::read(pair.stopped.join(name)).unwrap();
        for i in 0..all.len() {
            let mut changed = all.clone();
            changed[i] ^= 0x40;
            let path = pair.with(name, &changed);
            go_on(path, fake(), None, u64::MAX).expect_err("a damaged file");
            assert_eq!(fs::read(path.join(name)).unwrap(), changed);
        }
    }
}

#[test]
fn a_changed_line_is_named_and_nothing_is_changed() {
    let pair = pair(2);
    let all = fs::read(pair.stopped.join(names::FRAMES)).unwrap();
    for i in 0..all.len() {
        let mut changed = all.clone();
        // a digit becomes another digit, and the line stays JSON
        changed[i] = if all[i].is_ascii_digit() { b'0' + (all[i] - b'0' + 1) % 10 } else { all[i] ^ 0x40 };
        let path = pair.with(names::FRAMES, &changed);
        let error = go_on(path, fake(), None, u64::MAX).expect_err("a changed line");
        let line = 1 + all[..i].iter().filter(|&&byte| byte == b'\n').count();
        let text = error.to_string();
        assert!(text.contains(names::FRAMES), "{text}");
        assert!(text.contains(&format!("line {line}")) || !changed[i].is_ascii_digit(), "byte {i}: {text}");
        assert!(!error.help().is_empty());
        assert_eq!(fs::read(path.join(names::FRAMES)).unwrap(), changed);
    }
    let sums = fs::read(pair.stopped.join(names::FRAME_SUMS)).unwrap();
    assert_eq!(sums.len(), 4 * 3);
    for length in 0..sums.len() {
        let error = go_on(pair.with(names::FRAME_SUMS, &sums[..length]), fake(), None, u64::MAX).unwrap_err();
        assert!(error.to_string().contains(names::FRAME_SUMS), "{error}");
    }
    // a run of an earlier version has no checksums, and gets them
    let path = pair.with(names::FRAMES, &all);
    fs::remove_file(path.join(names::FRAME_SUMS)).unwrap();
    go_on(path, fake(), None, u64::MAX).unwrap();
    assert_eq!(results(path), results(&pair.whole));
    assert_eq!(fs::read(path.join(names::FRAME_SUMS)).unwrap()[..12], sums);
}

#[test]
fn a_changed_manifest_is_refused() {
    let pair = pair(2);
    let all = fs::read(pair.stopped.join(names::MANIFEST)).unwrap();
    for i in (0..all.len()).filter(|&i| all[i].is_ascii_alphanumeric()) {
        let mut changed = all.clone();
        changed[i] = if all[i].is_ascii_digit() { b'0' + (all[i] - b'0' + 1) % 10 } else { all[i] ^ 1 };
        let error = go_on(pair.with(names::MANIFEST, &changed), fake(), None, u64::MAX);
        let error = error.expect_err(&String::from_utf8_lossy(&changed)).to_string();
        assert!(error.contains("manifest.json"), "{error}");
    }
    // a manifest of an earlier version has no checksum
    let mut old: serde_json::Value = serde_json::from_slice(&all).unwrap();
    old.as_object_mut().unwrap().remove("checksum").unwrap();
    go_on(pair.with(names::MANIFEST, old.to_string().as_bytes()), fake(), None, u64::MAX).unwrap();
}

/// If a kill damages one slot, the other is used; if both are damaged, only the frames are left.
#[test]
fn a_checkpoint_cut_or_changed_anywhere_gives_the_right_frames_or_none() {
    let pair = pair(2);
    let expected = results(&pair.whole);
    // as a kill leaves it: frame 2 in the first slot, frame 1 in the second
    let mut all = fs::read(pair.stopped.join(names::CHECKPOINT)).unwrap();
    let slot = all.len() / 2;
    let earlier = Pair::checkpoint(1);
    all[slot..].copy_from_slice(&earlier[slot..]);
    // bytes after the last contact are ignored
    let whole = u64::from_le_bytes(all[12..20].try_into().unwrap()) as usize;
    assert!(whole < slot);
    for i in 0..all.len() {
        let mut changed = all.clone();
        changed[i] ^= 0x40;
        let path = pair.with(names::CHECKPOINT, &changed);
        assert_eq!(go_on(path, fake(), None, u64::MAX).unwrap().simulated, if i < whole { 2 } else { 1 });
        assert_eq!(results(path), expected, "byte {i}");

        let path = pair.with(names::CHECKPOINT, &all[..i]);
        let cut = go_on(path, fake(), None, u64::MAX);
        if i < whole {
            let error = cut.unwrap_err();
            assert!(error.to_string().contains(names::CHECKPOINT), "cut to {i}: {error}");
            let mut positions = RunView::open(path).unwrap().positions().unwrap();
            assert_eq!(positions.sound_frames().unwrap(), 3, "the frames can still be exported");
        } else {
            assert_eq!(cut.unwrap().simulated, 1);
            assert_eq!(results(path), expected, "cut to {i}");
        }
    }
}

/// After a power cut the newest files may be empty or full of zeros: the synced checkpoint is still valid.
#[test]
fn a_power_cut_falls_back_to_the_last_synced_checkpoint() {
    let pair = pair(1);
    let expected = results(&pair.whole);
    let synced = fs::read(pair.stopped.join(names::CHECKPOINT)).unwrap();
    let newest = fs::read(pair.whole.join(names::CHECKPOINT)).unwrap();
    let positions = fs::read(pair.stopped.join(names::POSITIONS)).unwrap();
    for checkpoint in [&b""[..], &vec![0; newest.len()], &newest] {
        for zeros in [0, 7, 400] {
            let path = pair.with(names::CHECKPOINT, checkpoint);
            fs::write(path.join(names::CHECKPOINT_SYNCED), &synced).unwrap();
            fs::write(path.join(names::POSITIONS), [&positions[..], &vec![0; zeros]].concat()).unwrap();
            assert_eq!(RunView::open(path).unwrap().positions().unwrap().sound_frames().unwrap(), 2);
            assert_eq!(go_on(path, fake(), None, u64::MAX).unwrap().simulated, 2);
            assert_eq!(results(path), expected);
        }
    }
}

/// `disk` tests every byte of a single file; here steps of 11 bytes hit each file of each frame in many places.
#[test]
fn a_disk_that_is_full_after_any_number_of_bytes_costs_only_the_frame_in_work() {
    let folder = quick_folder();
    let whole = folder.path().join("whole");
    run(create(&whole), fake(), 3, u64::MAX).unwrap();
    let expected = results(&whole);
    let path = folder.path().join("full");
    let mut most = None;
    for space in (0..).step_by(11) {
        let _ = fs::remove_dir_all(&path);
        let error = match with_space(space, || run(create(&path), fake(), 3, u64::MAX)) {
            Ok(outcome) => {
                assert_eq!(outcome.ended, Ended::Finished);
                break;
            }
            Err(error) => error,
        };
        let RunError::Write { error: disk, safe, .. } = &error else { panic!("{space} bytes: {error}") };
        assert!(disk.is_full() && error.help().contains("space"), "{space} bytes: {error}");
        most = most.max(*safe);
        // the report is complete at every moment
        let status = Report::read(&path).map(|report| report.status);
        match safe {
            Some(_) => assert!(matches!(status, Ok(Status::Running | Status::Failed)), "{space} bytes: {status:?}"),
            // the report says how the run ended, or does not exist
            None => {
                let gone = !path.join(names::REPORT).exists();
                assert!(gone || matches!(status, Ok(Status::Failed)), "{space} bytes: {status:?}");
            }
        }
        match go_on(&path, fake(), None, u64::MAX) {
            Err(RunError::NotBegun { .. }) => assert_eq!(*safe, None, "{space} bytes"),
            outcome => {
                let outcome = outcome.unwrap_or_else(|e| panic!("{space} bytes: {e}"));
                assert_eq!(outcome.simulated, 3 - safe.unwrap_or(0), "{space} bytes");
                assert_eq!(results(&path), expected, "{space} bytes");
            }
        }
    }
    // the number of syncs, and with it the space that the end of the run needs, depends on the run's speed
    assert!(most >= Some(2), "also the last frame was tried: {most:?}");
}

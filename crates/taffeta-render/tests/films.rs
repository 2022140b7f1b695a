//! Films as files.

use std::fs::File;
use std::path::Path;
use taffeta_render::{Film, Image, RenderError};

/// A red bar that moves over a gradient.
fn frames(count: u32) -> Vec<Image> {
    let colour = |x: u32, y: u32, i: u32| match x / 4 == i % 10 {
        true => [180, 40, 30],
        false => [150 + x as u8, 180, 150 + 2 * y as u8],
    };
    let frame = |i: u32| {
        let pixels = (0..30).flat_map(|y| (0..40).flat_map(move |x| colour(x, y, i))).collect();
        Image::from_pixels(40, 30, pixels).unwrap()
    };
    (0..count).map(frame).collect()
}

fn write(film: Film, count: u32) -> Result<u32, RenderError> {
    let mut film = film;
    for image in frames(count) {
        film.add(image)?;
    }
    film.finish()
}

/// Pictures of a GIF as they are seen, and how long each is shown, in hundredths of a second.
fn read_gif(path: &Path) -> Vec<(Vec<[u8; 3]>, u16)> {
    let mut decoder = gif::DecodeOptions::new().read_info(File::open(path).unwrap()).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![[0; 3]; width * height];
    let mut seen = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let palette = frame.palette.as_ref().unwrap();
        for (i, &index) in frame.buffer.iter().enumerate().filter(|(_, index)| frame.transparent != Some(**index)) {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            let at = (y + usize::from(frame.top)) * width + x + usize::from(frame.left);
            canvas[at].copy_from_slice(&palette[3 * usize::from(index)..][..3]);
        }
        seen.push((canvas.clone(), frame.delay));
    }
    seen
}

#[test]
fn gif_shows_every_frame_in_nearly_its_colours_and_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.gif");
    for count in [1, 3, 25] {
        assert_eq!(write(Film::create(&path, 12.0).unwrap(), count).unwrap(), count);
        let seen = read_gif(&path);
        assert_eq!(seen.len(), count as usize);
        let total: u32 = seen.iter().map(|(_, delay)| u32::from(*delay)).sum();
        assert_eq!(total, (f64::from(count) * 100.0 / 12.0).round() as u32);
        for (image, (found, _)) in frames(count).iter().zip(&seen) {
            let worst = image.pixels().iter().zip(found.as_flattened()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst.unwrap() < 24, "{worst:?}");
        }
    }
}

#[test]
fn gif_of_60_frames_a_second_stays_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fast.gif");
    write(Film::create(&path, 60.0).unwrap(), 60).unwrap();
    let delays: Vec<u16> = read_gif(&path).iter().map(|(_, delay)| *delay).collect();
    assert!(delays.iter().all(|d| *d >= 2) && delays.len() > 30);
    let total: u16 = delays.iter().sum();
    assert!((98..=101).contains(&total), "{total} hundredths of a second");
}

#[test]
fn gif_gets_a_new_palette_when_the_colours_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("change.gif");
    let mut film = Film::create(&path, 10.0).unwrap();
    let colours = |i: u8| if i < 20 { [240 - i, 20, 20] } else { [20, 30 + i, 230] };
    for i in 0..40 {
        film.add(Image::new(16, 16, colours(i))).unwrap();
    }
    film.finish().unwrap();
    for (i, (seen, _)) in (0u8..).zip(read_gif(&path)) {
        let worst = seen[40].iter().zip(colours(i)).map(|(a, b)| a.abs_diff(b)).max().unwrap();
        assert!(worst < 24, "frame {i}: {:?}", seen[40]);
    }
}

#[test]
fn gif_has_the_same_bits_on_1_and_2_threads() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = [1, 2].map(|threads| {
        let path = folder.path().join(format!("{threads}.gif"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(Film::create(&path, 24.0).unwrap(), 15)).unwrap();
        std::fs::read(path).unwrap()
    });
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn y4m_has_a_header_and_three_planes_for_each_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.y4m");
    write(Film::create(&path, 25.0).unwrap(), 4).unwrap();
    let bytes = std::fs::read(path).unwrap();
    let header = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
    assert!(bytes.starts_with(b"YUV4MPEG2 W40 H30 F25:1 "));
    assert_eq!(bytes.len(), header + 4 * (6 + 3 * 40 * 30));
}

#[test]
fn numbered_pictures_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    write(Film::create(&folder.path().join("bar.png"), 25.0).unwrap(), 3).unwrap();
    for (i, expected) in frames(3).iter().enumerate() {
        let file = File::open(folder.path().join(format!("bar-{i:04}.png"))).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert!(pixels == expected.pixels());
    }
}

#[test]
fn film_without_frames_with_two_sizes_or_of_an_unknown_kind_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.gif");
    assert!(matches!(Film::create(&path, 10.0).unwrap().finish(), Err(RenderError::Frames(_))));
    let mut film = Film::create(&path, 10.0).unwrap();
    film.add(Image::new(4, 4, [0; 3])).unwrap();
    assert!(matches!(film.add(Image::new(5, 4, [0; 3])), Err(RenderError::Frames(_))));
    assert!(matches!(Film::create(&folder.path().join("bar.avi"), 10.0), Err(RenderError::UnknownFilm { .. })));
    assert!(matches!(Film::create(&path, 0.0), Err(RenderError::Frames(_))));
    std::fs::write(folder.path().join("file"), "").unwrap();
    let nowhere = folder.path().join("file").join("bar.gif");
    let error = write(Film::create(&nowhere, 10.0).unwrap(), 1).unwrap_err();
    assert!(matches!(error, RenderError::Disk { .. }) && error.help().is_some(), "{error}");
}

/// What was there stays until the film is whole; given up, it leaves nothing.
#[test]
fn films_appear_when_they_are_whole_in_folders_that_are_made_for_them() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["gif", "y4m"] {
        let path = folder.path().join("new").join("folder").join(format!("bar.{ending}"));
        let mut film = Film::create(&path, 10.0).unwrap();
        frames(12).into_iter().for_each(|image| film.add(image).unwrap());
        assert!(!path.exists(), "{ending}: not finished");
        film.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut film = Film::create(&path, 10.0).unwrap();
        frames(10).into_iter().for_each(|image| film.add(image).unwrap());
        drop(film);
        assert!(std::fs::read(&path).unwrap() == whole, "{ending}: given up");
    }
    assert_eq!(std::fs::read_dir(folder.path().join("new/folder")).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn numbered_pictures_keep_the_numbers_of_their_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.png");
    let mut film = Film::create(&path, 10.0).unwrap();
    for (image, number) in frames(2).into_iter().zip([30, 12345]) {
        film.add_numbered(image, number).unwrap();
    }
    assert_eq!(film.finish().unwrap(), 2);
    for name in ["bar-0030.png", "bar-12345.png"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    assert_eq!(Film::picture(&path, 30), folder.path().join("bar-0030.png"));
}

#[test]
fn mp4_without_the_encoder_is_an_error_before_the_first_frame() {
    let film = Film::create_with(Path::new("bar.mp4"), 10.0, "no-such-program-here".into());
    let message = film.unwrap_err().to_string();
    assert!(message.contains("no-such-program-here") && message.contains(".gif"), "{message}");
}

/// Small scripts take the place of ffmpeg.
#[cfg(unix)]
mod encoder {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    fn script(folder: &Path, text: &str) -> PathBuf {
        let path = folder.join("encoder");
        std::fs::write(&path, format!("#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        // a process that another test starts at this moment has the file open for writing until it begins: "text file
        // busy"
        let begins = || std::process::Command::new(&path).arg("-version").status().is_ok();
        let patience = std::time::Instant::now();
        while !begins() {
            assert!(patience.elapsed().as_secs() < 10, "{path:?} does not begin");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        path
    }

    #[test]
    fn encoder_gets_every_byte_and_the_file_name_last() {
        let folder = tempfile::tempdir().unwrap();
        let program = script(folder.path(), "for last; do :; done; cat > \"$last\"");
        let path = folder.path().join("bar.mp4");
        assert_eq!(write(Film::create_with(&path, 10.0, program.into()).unwrap(), 5).unwrap(), 5);
        let expected: Vec<u8> = frames(5).iter().flat_map(|image| image.pixels().to_vec()).collect();
        assert!(std::fs::read(path).unwrap() == expected);
    }

    #[test]
    fn last_words_of_a_failing_encoder_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let program = script(folder.path(), "cat > /dev/null; echo 'Unknown encoder' >&2; exit 3");
        let film = Film::create_with(&folder.path().join("bar.mp4"), 10.0, program.into()).unwrap();
        let message = write(film, 5).unwrap_err().to_string();
        assert!(message.contains("Unknown encoder"), "{message}");
    }
}

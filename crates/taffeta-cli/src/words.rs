//! Numbers, paths and names as text for people.

use std::path::Path;

/// Bytes in decimal units: 1.2 MB.
pub fn bytes(count: u64) -> String {
    let mut value = count as f64;
    for unit in ["bytes", "kB", "MB", "GB"] {
        if value < 999.5 {
            let digits = if unit == "bytes" || value >= 99.5 { 0 } else { 1 };
            return format!("{value:.digits$} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

/// A number with three significant digits, without a long tail of zeros: 12.3, 0.0456, 7.8e-5.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let size = value.abs().log10().floor() as i32;
    if !(-4..6).contains(&size) {
        return format!("{value:.2e}");
    }
    let digits = (2 - size).max(0) as usize;
    let text = format!("{value:.digits$}");
    if digits > 0 { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A duration: 12 s, 3:05 min, 2:03 h.
pub fn wait(seconds: f64) -> String {
    let seconds = seconds.round().clamp(0.0, 3e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m}:{s:02} min"),
        (h, m, _) => format!("{h}:{m:02} h"),
    }
}

/// A number with its noun: 1 frame, 2 frames.
pub fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A path as it can be typed in a shell.
pub fn typed(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/\\.-_+=:,@%~".contains(c);
    // characters that double quotes do not keep literal
    let needs_single = text.contains(['"', '$', '`']) && !text.contains('\'');
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false if needs_single => format!("'{text}'"),
        false => format!("\"{text}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (12.345, "12.3"),
            (0.04561, "0.0456"),
            (7.84e-5, "7.84e-5"),
            (2.0, "2"),
            (1234.5, "1234"),
            (1e9, "1.00e9"),
            (-0.5, "-0.5"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(
            (bytes(999), bytes(1_230_000), bytes(45_600_000_000)),
            ("999 bytes".into(), "1.2 MB".into(), "45.6 GB".into())
        );
        assert_eq!((wait(59.4), wait(185.0), wait(7400.0)), ("59 s".into(), "3:05 min".into(), "2:03 h".into()));
        assert_eq!((count(1, "frame"), count(0, "frame")), ("1 frame".into(), "0 frames".into()));
    }

    #[test]
    fn paths_with_spaces_are_quoted() {
        assert_eq!(typed(Path::new("runs/hang-2")), "runs/hang-2");
        assert_eq!(typed(Path::new("my runs/a")), "\"my runs/a\"");
    }
}

//! Parses numbers, points and colours from arguments. Infinity and NaN are refused.

use taffeta::Vec3;
use taffeta_render::{Colours, MAX_SIDE};

/// A finite number.
pub fn finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().map_err(|_| "give a number, without a unit".to_string())?;
    if number.is_finite() { Ok(number) } else { Err("give a finite number".into()) }
}

fn number_that(text: &str, holds: impl Fn(f64) -> bool, what: &str) -> Result<f64, String> {
    finite(text).ok().filter(|number| holds(*number)).ok_or_else(|| what.to_string())
}

pub fn positive(text: &str) -> Result<f64, String> {
    number_that(text, |number| number > 0.0, "give a finite number above 0")
}

pub fn at_least_zero(text: &str) -> Result<f64, String> {
    number_that(text, |number| number >= 0.0, "give a finite number, 0 or more")
}

pub fn share(text: &str) -> Result<f64, String> {
    number_that(text, |number| number > 0.0 && number <= 1.0, "give a number above 0 and up to 1, such as 1e-4")
}

pub fn rate(text: &str) -> Result<f64, String> {
    number_that(text, |number| number > 0.0 && number <= 1e4, "give a number above 0 and up to 10000, such as 24")
}

/// A field of view within the bounds of `camera.fov` in scenes.
pub fn fov(text: &str) -> Result<f64, String> {
    number_that(text, |number| (1.0..=150.0).contains(&number), "give degrees from 1 to 150")
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        Ok(_) => Err("a duration is 0 or more seconds".into()),
        Err(_) => Err("give a number of seconds, without a unit".into()),
    }
}

pub fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    let found = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    found.ok_or_else(|| format!("give it as 1920x1080; each side is 1 to {MAX_SIDE}"))
}

/// x,y,z in metres; brackets as in scenes are accepted.
pub fn point(text: &str) -> Result<Vec3, String> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let numbers: Option<Vec<f64>> = inner.split(',').map(|part| finite(part).ok()).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    numbers.map(Vec3::from_array).ok_or_else(|| "give three finite numbers, such as 1,0.5,3".into())
}

/// Ends of a scale, and the unit if it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Between {
    pub low: f64,
    pub high: f64,
    pub unit: String,
}

/// A range: 0..5, 0..5% or -10..10.
pub fn between(text: &str) -> Result<Between, String> {
    let wrong = || "give two finite numbers, the lower first, such as 0..5".to_string();
    let (low, rest) = text.split_once("..").ok_or_else(wrong)?;
    // the longest prefix that is a number; the rest is a unit
    let ends = (1..=rest.len()).rev().filter(|&end| rest.is_char_boundary(end));
    let end = ends.into_iter().find(|&end| rest[..end].trim().parse::<f64>().is_ok()).ok_or_else(wrong)?;
    let (low, high) = (finite(low).map_err(|_| wrong())?, finite(&rest[..end]).map_err(|_| wrong())?);
    let unit = rest[end..].trim().to_string();
    if low < high { Ok(Between { low, high, unit }) } else { Err(wrong()) }
}

/// rrggbb of the front and of the back; by default the back is a darker front. (A `#` before it would begin a comment
/// in shells.)
pub fn colours(text: &str) -> Result<Colours, String> {
    let wrong = || "give colours as c04030, or c04030,e0d0c0 for front and back".to_string();
    let one = |text: &str| -> Option<[u8; 3]> {
        let digits = text.trim().trim_start_matches('#');
        let whole = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = whole.then(|| u32::from_str_radix(digits, 16).ok())??;
        let [_, red, green, blue] = number.to_be_bytes();
        Some([red, green, blue])
    };
    let (front, back) = match text.split_once(',') {
        Some((front, back)) => (one(front).ok_or_else(wrong)?, one(back).ok_or_else(wrong)?),
        None => {
            let front = one(text).ok_or_else(wrong)?;
            (front, front.map(|part| (f64::from(part) * 0.7) as u8))
        }
    };
    Ok(Colours { front, back })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_finite_number_is_refused_everywhere() {
        for text in ["inf", "-inf", "nan", "NaN", "infinity", "1e999", "", "x", "m 1"] {
            for parse in [finite, positive, at_least_zero, share, rate, fov, seconds] {
                assert!(parse(text).is_err(), "{text}");
            }
            assert!(point(&format!("0,{text},1")).is_err(), "{text}");
            assert!(between(&format!("0..{text}")).is_err() && between(&format!("{text}..1")).is_err(), "{text}");
        }
        assert!(positive("0").is_err() && positive("-1").is_err() && at_least_zero("-1").is_err());
        assert!(fov("0.5").is_err() && fov("180").is_err() && fov("28") == Ok(28.0));
    }

    #[test]
    fn points_ranges_and_colours_are_read() {
        assert_eq!(point("1,-0.5,3e-1"), Ok(Vec3::new(1.0, -0.5, 0.3)));
        assert_eq!(point("[1, 2, 3]"), Ok(Vec3::new(1.0, 2.0, 3.0)));
        assert!(point("1,2").is_err() && point("1,2,3,4").is_err());
        let of = |low, high, unit: &str| Ok(Between { low, high, unit: unit.into() });
        assert_eq!(between("0..5"), of(0.0, 5.0, ""));
        assert_eq!(between("0..5%"), of(0.0, 5.0, "%"));
        assert_eq!(between("-1.5..1e1 1/m"), of(-1.5, 10.0, "1/m"));
        assert!(
            between("5..0").is_err() && between("5").is_err() && between("..5").is_err() && between("0..").is_err()
        );
        assert_eq!(colours("#ff8000,000001"), Ok(Colours { front: [255, 128, 0], back: [0, 0, 1] }));
        assert_eq!(colours("646464"), Ok(Colours { front: [100; 3], back: [70; 3] }));
        assert!(colours("red").is_err() && colours("#12345").is_err() && colours("#ff8000,").is_err());
    }
}

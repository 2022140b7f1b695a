//! What all frames share: camera, scale, legend.

#[path = "../examples/shared/mod.rs"]
mod shared;

use shared::{body, draped};
use taffeta::{Shape, Vec3};
use taffeta_render::*;

fn small() -> Picture {
    Picture { width: 160, height: 90, samples: 1, ..Picture::default() }
}

fn map(quantity: Quantity) -> Look {
    Look::Map(Map { quantity, range: None })
}

fn contact() -> Quantity {
    Quantity::Given { name: "contact".into(), unit: "N/m²".into() }
}

/// A sheet without bodies that falls `way` times its size.
fn falling(way: f64) -> (Subject, Vec<Vec<Vec3>>) {
    let (mut subject, x) = draped(12, 1.0);
    subject.bodies.clear();
    let at = |i: u32| x.iter().map(|p| *p - Vec3::new(0.0, way * f64::from(i) / 10.0, 0.0)).collect();
    (subject, (0..=10).map(at).collect())
}

fn stage(subject: &Subject, frames: &[Vec<Vec3>], picture: &Picture) -> Stage {
    let mut survey = Survey::new(subject, picture).unwrap();
    frames.iter().for_each(|positions| survey.add(&Frame { positions, ..Frame::default() }).unwrap());
    survey.stage()
}

/// Pixels between the first and last row and column in which a picture differs from another.
fn extent(a: &Image, b: &Image) -> [u32; 4] {
    let places = (0..a.height()).flat_map(|y| (0..a.width()).map(move |x| (x, y)));
    let differ = places.filter(|&(x, y)| {
        let [p, q] = [a, b].map(|image| image.pixel(x, y).unwrap());
        (0..3).any(|k| p[k].abs_diff(q[k]) > 40)
    });
    differ.fold([u32::MAX, u32::MAX, 0, 0], |[l, t, r, b], (x, y)| [l.min(x), t.min(y), r.max(x), b.max(y)])
}

#[test]
fn camera_follows_cloth_that_travels_and_stands_still_otherwise() {
    let picture = Picture { ground: Ground::None, ..small() };
    let (subject, near) = falling(1.0);
    assert!(!stage(&subject, &near, &picture).follow);
    let (subject, far) = falling(30.0);
    let shared = stage(&subject, &far, &picture);
    assert!(shared.follow);
    let nothing = Subject { triangles: Vec::new(), uv: Vec::new(), cloths: Vec::new(), ..subject.clone() };
    for positions in &far {
        let frame = Frame { positions, ..Frame::default() };
        let [l, t, r, b] = extent(
            &render(&subject, &frame, &shared, &picture).unwrap(),
            &render(&nothing, &frame, &shared, &picture).unwrap(),
        );
        assert!(l > 2 && t > 2 && r < 157 && b < 87, "clipped: {l} {t} {r} {b}");
        assert!(b - t > 30, "a speck: {l} {t} {r} {b}");
    }
    // with something to fall onto, all of the way is shown; a camera that was asked for stays
    let mut onto = subject.clone();
    onto.bodies.push(body("ball", Shape::Sphere { radius: 0.3 }, Vec3::new(0.0, -20.0, 0.0)));
    assert!(!stage(&onto, &far, &picture).follow);
    let camera = Camera { at: Vec3::new(0.0, 0.0, 50.0), look_at: Vec3::ZERO, fov: 40.0, up: Vec3::Y };
    let fixed = stage(&subject, &far, &Picture { camera: Some(camera), ..picture });
    assert!(!fixed.follow && fixed.camera == camera);
}

#[test]
fn scale_shows_most_values_and_tells_of_the_rest() {
    let (subject, x) = draped(30, 1.0);
    let range = |values: &[f64]| {
        let picture = Picture { look: map(contact()), ..small() };
        let mut survey = Survey::new(&subject, &picture).unwrap();
        let values = Some(Values::Vertices(values));
        survey.add(&Frame { positions: &x, values, ..Frame::default() }).unwrap();
        let stage = survey.stage();
        (stage.range.unwrap(), stage.beyond)
    };
    let mut values = vec![0.0; x.len()];
    assert_eq!(range(&values), ([0.0, 1.0], [false; 2]), "nothing touches");
    // most of the cloth is free: the scale is that of what touches
    values[..20].fill(3.0);
    assert_eq!(range(&values), ([0.0, 3.0], [false; 2]));
    values.fill(3.0);
    values[7] = 500.0;
    assert_eq!(range(&values), ([0.0, 3.0], [false, true]));
    values[8] = -2.0;
    assert_eq!(range(&values), ([-2.0, 3.0], [false, true]));
}

/// Given forces are seen where they act, in the colours of the legend.
#[test]
fn given_contact_forces_are_shown_where_they_act() {
    let mesh = taffeta::Mesh::grid([1.0, 1.0], [8, 8], taffeta::Pattern::Alternating).unwrap();
    let x = mesh.rest;
    let subject = Subject { vertices: x.len(), triangles: mesh.triangles, uv: mesh.uv, ..Subject::default() };
    // the left half is pressed with 100 N/m², as a share of the area to each vertex
    let pressed = |p: &Vec3| p.x < x.iter().map(|p| p.x).sum::<f64>() / x.len() as f64 - 0.01;
    let forces: Vec<Vec3> = x.iter().map(|p| if pressed(p) { Vec3::Z * 100.0 / 64.0 } else { Vec3::ZERO }).collect();
    let values = force_by_area(&subject, &forces).unwrap();
    let view = View { azimuth: 0.0, elevation: 0.0, fov: 20.0 };
    let picture = Picture { look: map(contact()), view, ..small() };
    let frame = Frame { positions: &x, values: Some(Values::Vertices(&values)), ..Frame::default() };
    let image = still(&subject, &frame, &picture).unwrap();
    let stage = {
        let mut survey = Survey::new(&subject, &picture).unwrap();
        survey.add(&frame).unwrap();
        survey.stage()
    };
    let at = |fraction: f64| {
        let low = x.iter().copied().reduce(|a, b| a.min(b)).unwrap();
        let high = x.iter().copied().reduce(|a, b| a.max(b)).unwrap();
        let [px, py] = stage.camera.project(low + (high - low) * Vec3::new(fraction, 0.5, 0.5), 160, 90).unwrap();
        image.pixel(px as u32, py as u32).unwrap()
    };
    let (left, right) = (at(0.2), at(0.8));
    assert!(left[1] > right[1] + 60, "pressed {left:?}, free {right:?}");
    assert!(right[1] < right[0] && right[1] < right[2], "free is purple: {right:?}");
}

#[test]
fn legend_stands_beside_wide_and_lies_below_tall_pictures() {
    let (subject, x) = draped(12, 1.0);
    let frame = Frame { positions: &x, ..Frame::default() };
    for (width, height) in [(320, 180), (180, 320), (120, 400), (960, 540)] {
        let picture = |look| Picture { width, height, look, ..small() };
        let fixed = |range| Look::Map(Map { quantity: Quantity::Stretch, range: Some(range) });
        let draw = |look| still(&subject, &frame, &picture(look)).unwrap();
        // another scale: the same cloth, other numbers
        let [l, t, r, b] = extent(&draw(fixed([0.0, 1e7])), &draw(fixed([0.0, 3e7])));
        assert!(l < r && t < b, "{width} x {height}: no legend");
        let place = [l > 2 * width / 3, t > 3 * height / 4];
        assert_eq!(place, [width > height, width < height], "{width} x {height}: {l} {t} {r} {b}");
        assert!(r < width && b < height);
    }
}

#[test]
fn floor_lies_below_bodies_that_are_too_large_for_the_picture() {
    let (mut subject, x) = falling(0.0);
    let table = body("table", Shape::Box { size: [9.0, 0.1, 9.0] }, Vec3::new(0.0, -0.4, 0.0));
    subject.bodies = vec![table];
    let picture = small();
    let camera = Camera { at: Vec3::new(0.0, 3.0, 7.0), look_at: Vec3::new(0.0, 0.3, 0.0), fov: 40.0, up: Vec3::Y };
    for camera in [None, Some(camera)] {
        let picture = Picture { camera, ..picture.clone() };
        let shared = stage(&subject, &x, &picture);
        assert!((shared.ground.unwrap() + 0.45).abs() < 1e-12, "{:?}", shared.ground);
        // it is seen: without it the picture is another one
        let frame = Frame { positions: &x[0], ..Frame::default() };
        let bare = Subject { bodies: Vec::new(), ..subject.clone() };
        let pixels = |subject| render(subject, &frame, &shared, &picture).unwrap();
        let [a, b] = [pixels(&subject), pixels(&bare)];
        let other = a.pixels().chunks(3).zip(b.pixels().chunks(3)).filter(|(a, b)| a != b).count();
        assert!(other > 160 * 90 / 10, "{other} pixels");
    }
}

#[test]
fn scale_of_unstrained_cloth_does_not_show_rounding_errors() {
    let mesh = taffeta::Mesh::grid([1.0, 1.0], [9, 9], taffeta::Pattern::Alternating).unwrap();
    let (s, c) = 0.7f64.sin_cos();
    let x: Vec<Vec3> = mesh.rest.iter().map(|p| Vec3::new(c * p.x - s * p.y, s * p.x + c * p.y, 0.3)).collect();
    let moved: Vec<Vec3> = x.iter().map(|p| *p + Vec3::new(1e-15, 0.0, 0.0)).collect();
    let subject = Subject { vertices: x.len(), triangles: mesh.triangles, uv: mesh.uv, ..Subject::default() };
    for (quantity, range) in [
        (Quantity::Stretch, [0.0, 0.01]),
        (Quantity::Shear, [-0.01, 0.01]),
        (Quantity::Bending, [-1e-3, 1e-3]),
        (Quantity::Speed, [0.0, 1e-6]),
    ] {
        let picture = Picture { look: map(quantity.clone()), ..small() };
        let mut survey = Survey::new(&subject, &picture).unwrap();
        survey.add(&Frame { time: 1.0, positions: &x, before: Some((0.9, &moved)), values: None }).unwrap();
        assert_eq!(survey.stage().range, Some(range), "{}", quantity.name());
    }
}

/// Lines of a wireframe are lighter than dark cloth and darker than light cloth.
#[test]
fn wireframe_stands_out_on_dark_and_light_cloth() {
    let (subject, x) = draped(12, 1.0);
    let frame = Frame { positions: &x, ..Frame::default() };
    // the ends of viridis: purple and yellow
    for (range, lighter) in [([1e6, 2e6], true), ([-2e6, -1e6], false)] {
        let look = Look::Map(Map { quantity: Quantity::Stretch, range: Some(range) });
        let draw = |wireframe| {
            let picture = Picture { look: look.clone(), wireframe, rounded: false, width: 320, height: 180, ..small() };
            still(&subject, &frame, &picture).unwrap()
        };
        let [with, without] = [draw(true), draw(false)];
        let change = |(a, b): (&u8, &u8)| i64::from(*a) - i64::from(*b);
        let sum: i64 = with.pixels().iter().zip(without.pixels()).map(change).sum();
        assert_eq!(sum > 0, lighter, "{range:?}: {sum}");
        assert!(sum.abs() > 20_000, "{range:?}: {sum}");
    }
}

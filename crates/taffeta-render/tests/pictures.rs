//! What must hold for every picture.

#[path = "../examples/shared/mod.rs"]
mod shared;

use shared::{body, draped};
use taffeta::{Shape, Vec3};
use taffeta_render::*;

fn small() -> Picture {
    Picture { width: 120, height: 80, samples: 2, ..Picture::default() }
}

fn map(quantity: Quantity) -> Look {
    Look::Map(Map { quantity, range: None })
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn picture_has_the_same_bits_on_1_2_and_3_threads() {
    let (subject, x) = draped(60, 1.0);
    let frame = Frame { positions: &x, ..Frame::default() };
    for look in [Look::default(), map(Quantity::Stretch), Look::Springs] {
        let picture = Picture { look, width: 200, height: 150, ..small() };
        let images = [1, 2, 3].map(|threads| pool(threads).install(|| still(&subject, &frame, &picture).unwrap()));
        assert!(images[0] == images[1] && images[0] == images[2], "{:?}", picture.look);
    }
}

#[test]
fn tree_of_a_large_mesh_has_the_same_bits_on_1_and_2_threads() {
    let (subject, x) = draped(160, 1.0); // more triangles than are split on one thread
    let frame = Frame { positions: &x, ..Frame::default() };
    let [a, b] = [1, 2].map(|threads| pool(threads).install(|| still(&subject, &frame, &small()).unwrap()));
    assert!(a == b);
}

#[test]
fn nothing_is_clipped_by_the_automatic_camera_in_any_frame() {
    let (mut subject, x) = draped(10, 1.0);
    subject.bodies.push(body("far", Shape::Cone { radius: 0.2, height: 0.9 }, Vec3::new(-1.5, 0.4, 0.8)));
    let fly = |t: f64| -> Vec<Vec3> { x.iter().map(|p| *p + Vec3::new(2.0 * t, (5.0 * t).sin(), -3.0 * t)).collect() };
    let frames: Vec<Vec<Vec3>> = (0..12).map(|i| fly(f64::from(i) / 11.0)).collect();
    for (width, height) in [(160, 90), (50, 200), (400, 40)] {
        for (azimuth, elevation) in [(28.0, 14.0), (-120.0, -30.0), (0.0, 90.0), (200.0, 60.0)] {
            for look in [Look::default(), map(Quantity::Shear)] {
                let view = View { azimuth, elevation, fov: 35.0 };
                let picture = Picture { width, height, view, look, ..small() };
                let mut survey = Survey::new(&subject, &picture).unwrap();
                for positions in &frames {
                    survey.add(&Frame { positions, ..Frame::default() }).unwrap();
                }
                let camera = survey.stage().camera;
                let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
                let size = [f64::from(width), f64::from(height)];
                for p in frames.iter().flatten() {
                    let place = camera.project(*p, width, height).expect("in front of the camera");
                    for k in 0..2 {
                        low[k] = low[k].min(place[k] / size[k]);
                        high[k] = high[k].max(place[k] / size[k]);
                    }
                }
                assert!(
                    low.iter().all(|l| *l > 0.04) && high.iter().all(|h| *h < 0.96),
                    "{low:?} {high:?} {picture:?}"
                );
            }
        }
    }
}

#[test]
fn single_sheet_fills_the_picture_as_far_as_it_may() {
    let (mut subject, x) = draped(10, 1.0);
    subject.bodies.clear();
    let picture = Picture { width: 160, height: 90, ..small() };
    let mut survey = Survey::new(&subject, &picture).unwrap();
    survey.add(&Frame { positions: &x, ..Frame::default() }).unwrap();
    let camera = survey.stage().camera;
    let heights = x.iter().map(|p| camera.project(*p, 160, 90).unwrap()[1] / 90.0);
    let (low, high) = heights.fold((1f64, 0f64), |(low, high), y| (low.min(y), high.max(y)));
    assert!((low - 0.05).abs() < 1e-6 && (high - 0.95).abs() < 1e-6, "{low} {high}");
}

#[test]
fn size_and_place_of_the_scene_do_not_change_the_picture() {
    // powers of two keep every bit; other factors only nearly
    let (subject, x) = draped(30, 1.0);
    let expected = still(&subject, &Frame { positions: &x, ..Frame::default() }, &small()).unwrap();
    for (scale, shift, tolerance) in [(1e-3, 0.0, 2), (1e3, 0.0, 2), (1.0, 4096.0, 6)] {
        let (mut subject, y) = draped(30, scale);
        let shift = Vec3::new(shift, -shift, shift);
        let y: Vec<Vec3> = y.iter().map(|p| *p + shift).collect();
        subject.bodies[0].place.at += shift;
        let image = still(&subject, &Frame { positions: &y, ..Frame::default() }, &small()).unwrap();
        let differ = |(a, b): (&u8, &u8)| a.abs_diff(*b) > tolerance;
        let count = image.pixels().iter().zip(expected.pixels()).filter(|p| differ(*p)).count();
        assert!(count < image.pixels().len() / 200, "scale {scale}, shift {shift}: {count} bytes differ");
    }
}

#[test]
fn degenerate_input_gives_a_picture_or_an_error_but_no_panic() {
    let (sheet, x) = draped(6, 1.0);
    let nothing = Subject::default();
    let same = vec![Vec3::splat(3.0); x.len()];
    let line: Vec<Vec3> = (0..x.len()).map(|i| Vec3::new(i as f64, 0.0, 0.0)).collect();
    let far: Vec<Vec3> = x.iter().map(|p| *p + Vec3::splat(1e9)).collect();
    let wide: Vec<Vec3> = x.iter().map(|p| *p * 1e150).collect();
    let narrow: Vec<Vec3> = x.iter().map(|p| *p * 1e-200).collect();
    let spike: Vec<Vec3> = (0..x.len()).map(|i| if i == 7 { Vec3::splat(1e12) } else { x[i] }).collect();
    let mut no_uv = sheet.clone();
    no_uv.uv.fill([[0.0; 2]; 3]);
    let mut no_cloths = sheet.clone();
    no_cloths.cloths.clear();
    let looks = [Look::default(), map(Quantity::Stretch), map(Quantity::Bending), map(Quantity::Shear), Look::Springs];
    for (width, height) in [(1, 1), (7, 3), (1, 40), (90, 50)] {
        for look in &looks {
            let picture = Picture { width, height, look: look.clone(), wireframe: width == 7, ..small() };
            for subject in [&sheet, &no_uv, &no_cloths] {
                for positions in [&x, &same, &line, &far, &wide, &narrow, &spike] {
                    let image = still(subject, &Frame { positions, ..Frame::default() }, &picture).unwrap();
                    assert_eq!(image.pixels().len(), (3 * width * height) as usize);
                }
            }
        }
        still(&nothing, &Frame::default(), &Picture { width, height, ..small() }).unwrap();
    }
    for samples in [0, 1, 200] {
        let frame = Frame { positions: &x, ..Frame::default() };
        still(&sheet, &frame, &Picture { width: 20, height: 10, samples, ..Picture::default() }).unwrap();
    }
}

#[test]
fn cameras_in_strange_places_give_pictures() {
    let (subject, x) = draped(10, 1.0);
    let frame = Frame { positions: &x, ..Frame::default() };
    let camera = |at: [f64; 3], look_at: [f64; 3], fov: f64| Camera {
        at: Vec3::from_array(at),
        look_at: Vec3::from_array(look_at),
        fov,
        up: Vec3::Y,
    };
    for (at, look_at) in [
        ([0.0, 0.3, 0.0], [1.0, 0.3, 0.0]),  // inside the ball
        ([0.0, 5.0, 0.0], [0.0, 0.0, 0.0]),  // straight down
        ([0.0, -5.0, 0.0], [0.0, 0.0, 0.0]), // from under the floor
        ([9.0, 1.0, 0.0], [18.0, 1.0, 0.0]), // looking away
        ([1e6, 1e6, 0.0], [0.0, 0.0, 0.0]),
    ] {
        for ground in [Ground::Auto, Ground::None, Ground::At(0.2)] {
            let picture = Picture { camera: Some(camera(at, look_at, 30.0)), ground, ..small() };
            still(&subject, &frame, &picture).unwrap();
        }
    }
    for bad in
        [camera([1.0; 3], [1.0; 3], 30.0), camera([1.0; 3], [0.0; 3], 0.0), camera([f64::NAN; 3], [0.0; 3], 30.0)]
    {
        let picture = Picture { camera: Some(bad), ..small() };
        assert!(matches!(still(&subject, &frame, &picture), Err(RenderError::Camera { .. })), "{bad:?}");
    }
}

#[test]
fn wrong_input_is_an_error_that_says_what_is_wrong() {
    let (subject, x) = draped(4, 1.0);
    let frame = Frame { positions: &x, ..Frame::default() };
    let message = |result: Result<Image, RenderError>| result.unwrap_err().to_string();
    let short = Frame { positions: &x[1..], ..Frame::default() };
    assert_eq!(message(still(&subject, &short, &small())), "24 positions, and 25 are needed");
    let mut broken = subject.clone();
    broken.triangles[0][1] = 99;
    assert_eq!(message(still(&broken, &frame, &small())), "vertex 99 does not exist: there are 25");
    let mut nan = x.clone();
    nan[3].y = f64::NAN;
    let frame_nan = Frame { positions: &nan, ..Frame::default() };
    assert_eq!(message(still(&subject, &frame_nan, &small())), "vertex 3 has no finite position");
    let picture = Picture { width: 0, ..small() };
    assert!(message(still(&subject, &frame, &picture)).starts_with("a picture of 0 x 80 pixels cannot be made"));
    let picture = Picture { look: map(Quantity::Speed), ..small() };
    assert!(message(still(&subject, &frame, &picture)).starts_with("speed cannot be shown"));
    let bare = Subject { springs: Vec::new(), ..subject.clone() };
    let picture = Picture { look: Look::Springs, ..small() };
    assert!(message(still(&bare, &frame, &picture)).contains("springs"));
}

/// A triangle across the sheet of [`crossing_pixels`].
#[derive(Debug)]
struct Across;

impl taffeta::BodyMesh for Across {
    fn vertices(&self) -> usize {
        3
    }
    fn triangles(&self) -> &[[u32; 3]] {
        &[[0, 1, 2]]
    }
    fn positions(&self, _: f64, x: &mut Vec<Vec3>) -> Result<(), taffeta::PoseError> {
        x.clear();
        x.extend([Vec3::new(0.1, 0.2, -0.3), Vec3::new(0.1, -0.2, -0.3), Vec3::new(0.12, 0.01, 0.3)]);
        Ok(())
    }
    fn span(&self) -> (f64, f64) {
        (0.0, 0.0)
    }
}

/// Red pixels, without the legend, of a sheet that a triangle of cloth or of a body crosses, is beside, or is not.
fn crossing_pixels(cloth: Option<f64>, of_body: Option<f64>) -> usize {
    let mesh = taffeta::Mesh::grid([1.0, 1.0], [8, 8], taffeta::Pattern::Alternating).unwrap();
    let (mut x, mut triangles, mut uv) = (mesh.rest, mesh.triangles, mesh.uv);
    if let Some(shift) = cloth {
        let n = x.len() as u32;
        let mut points = Vec::new();
        taffeta::BodyMesh::positions(&Across, 0.0, &mut points).unwrap();
        x.extend(points.iter().map(|p| *p + Vec3::X * shift));
        triangles.push([n, n + 1, n + 2]);
        uv.push([[0.0, 0.0], [0.4, 0.0], [0.0, 0.6]]);
    }
    let across = |at: f64| body("across", Shape::Mesh(std::sync::Arc::new(Across)), Vec3::X * at);
    let bodies = of_body.map(across).into_iter().collect();
    let subject = Subject { vertices: x.len(), triangles, uv, bodies, ..Subject::default() };
    let view = View { azimuth: 20.0, elevation: 0.0, fov: 20.0 };
    let picture = Picture { view, look: Look::Crossings(Fabric::default()), width: 300, height: 200, ..small() };
    let image = still(&subject, &Frame { positions: &x, ..Frame::default() }, &picture).unwrap();
    let is_red = |x: u32, y: u32| image.pixel(x, y).is_some_and(|[r, g, b]| r > 100 && g < r / 3 && b < r / 3);
    (0..200)
        .flat_map(|y| (0..300).map(move |x| (x, y)))
        .filter(|(x, y)| (*y > 60 || *x < 180) && is_red(*x, *y))
        .count()
}

#[test]
fn triangles_that_cross_are_red_and_no_others() {
    assert_eq!(crossing_pixels(None, None), 0);
    assert_eq!(crossing_pixels(Some(0.9), Some(-1.4)), 0, "beside the sheet");
    let (cloth, body) = (crossing_pixels(Some(0.0), None), crossing_pixels(None, Some(0.0)));
    assert!(cloth > 20 && body > 20, "{cloth} and {body} pixels");
    assert!(cloth < 12_000 && body < 12_000, "{cloth} and {body} pixels");
}

/// A square sheet upright in the xy plane, seen straight from the front or from behind.
fn middle_pixel(azimuth: f64, look: Look, stretch: f64) -> [u8; 3] {
    let mesh = taffeta::Mesh::grid([1.0, 1.0], [8, 8], taffeta::Pattern::Alternating).unwrap();
    let x: Vec<Vec3> = mesh.rest.iter().map(|p| Vec3::new(p.x * stretch, p.y, p.z)).collect();
    let subject = Subject { vertices: x.len(), triangles: mesh.triangles, uv: mesh.uv, ..Subject::default() };
    let view = View { azimuth, elevation: 0.0, fov: 20.0 };
    let image =
        still(&subject, &Frame { positions: &x, ..Frame::default() }, &Picture { view, look, ..small() }).unwrap();
    image.pixel(image.width() / 3, image.height() / 2).unwrap()
}

#[test]
fn front_and_back_have_their_own_colours() {
    let colours = vec![Colours { front: [200, 30, 30], back: [30, 30, 200] }];
    let look = Look::Fabric(Fabric { pattern: Pattern::Plain, size: None, colours });
    let (front, back) = (middle_pixel(0.0, look.clone(), 1.0), middle_pixel(180.0, look, 1.0));
    assert!(front[0] > 2 * front[2] && back[2] > 2 * back[0], "{front:?} {back:?}");
}

#[test]
fn colour_of_a_stretched_sheet_is_that_of_its_value_on_the_scale() {
    let look = Look::Map(Map { quantity: Quantity::Stretch, range: Some([0.0, 20.0]) });
    let [none, some, much] = [1.0, 1.1, 1.2].map(|stretch| middle_pixel(0.0, look.clone(), stretch));
    // purple, green-blue, yellow: by channel
    assert!(none[1] < none[0] && none[1] < none[2], "{none:?}");
    assert!(some[0] < some[1] && some[0] < some[2], "{some:?}");
    assert!(much[2] < much[0] && much[2] < much[1], "{much:?}");
}

#[test]
fn cloth_throws_a_shadow_on_the_floor() {
    let (subject, x) = draped(20, 1.0);
    // from above, and from high enough that most of the picture is floor
    let camera = Camera { at: Vec3::new(0.01, 4.0, 0.0), look_at: Vec3::ZERO, fov: 30.0, up: Vec3::Z };
    let colours = vec![Colours { front: [220, 0, 0], back: [220, 0, 0] }];
    let look = Look::Fabric(Fabric { pattern: Pattern::Plain, size: None, colours });
    let picture = Picture { camera: Some(camera), look, width: 160, height: 160, bodies: false, ..small() };
    let image = still(&subject, &Frame { positions: &x, ..Frame::default() }, &picture).unwrap();
    let floor: Vec<u8> = image.pixels().chunks(3).filter(|p| p[0].abs_diff(p[2]) < 40).map(|p| p[1]).collect();
    let bright = *floor.iter().max().unwrap();
    let dark = floor.iter().filter(|p| **p < bright - 40).count();
    assert!(dark > 500 && dark < floor.len() / 2, "{dark} dark pixels of {}, the brightest {bright}", floor.len());
}

//! The camera of a picture: the scene's or an automatic one, with the changes by the command.

use crate::args::CameraArgs;
use crate::failure::{BAD_INPUT, Failure};
use taffeta::Vec3;
use taffeta_render::{Camera, Stage, View};

/// The initial camera. A direction given in the command overrides the camera of the scene.
pub fn start(args: &CameraArgs, scene: Option<Camera>) -> Option<Camera> {
    let fov = |camera: Camera| Camera { fov: args.fov.unwrap_or(camera.fov), ..camera };
    scene.filter(|_| args.azimuth.is_none() && args.elevation.is_none()).map(fov)
}

/// The direction of an automatic camera.
pub fn view(args: &CameraArgs) -> View {
    let usual = View::default();
    View {
        azimuth: args.azimuth.unwrap_or(usual.azimuth),
        elevation: args.elevation.unwrap_or(usual.elevation),
        fov: args.fov.unwrap_or(usual.fov),
    }
}

/// Applies the command's options to the camera of a stage; `given` if it is the scene's.
pub fn place(args: &CameraArgs, given: bool, stage: &mut Stage) -> Result<(), Failure> {
    let wrong = |error: &str, help: &str| Err(Failure::new(BAD_INPUT, error, help));
    let Camera { at, look_at, fov, up } = stage.camera;
    let target = args.look_at.unwrap_or(look_at);
    // without a position of its own it moves along with its target
    let from = args.at.unwrap_or(at + (target - look_at));
    let Some(back) = (from - target).try_normalize() else {
        return wrong("the camera is where it looks at", "give --at and --look-at apart from each other");
    };
    let at = args.distance.map_or(from, |distance| target + back * distance);
    let zoom = args.zoom.unwrap_or(1.0);
    // without a zoom the value stays the same to the last bit
    let fov = if zoom == 1.0 { fov } else { 2.0 * ((0.5 * fov.to_radians()).tan() / zoom).atan().to_degrees() };
    if !(1.0..=170.0).contains(&fov) {
        let error = format!("--zoom {zoom:?} makes a field of view of {fov:.3} degrees, and 1 to 170 can be shown");
        return wrong(&error, "give a factor nearer to 1, or move the camera with --distance or --at");
    }
    // the up vector of an automatic camera belongs to its own direction
    let up = args.up.unwrap_or(if args.at.is_some() && !given { Vec3::Y } else { up });
    if up.try_normalize().is_none() {
        return wrong("`up` has no length", "give a direction, such as --up 0,1,0");
    }
    if up.try_normalize().is_none_or(|up| up.cross(back).length() < 1e-9) {
        return wrong("the camera looks along `up`", "give another --up, such as 0,0,1 where it looks straight down");
    }
    stage.follow &= args.at.is_none() && args.look_at.is_none();
    stage.camera = Camera { at, look_at: target, fov, up };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(args: CameraArgs) -> Camera {
        let camera = Camera { at: Vec3::new(0.0, 0.0, 5.0), look_at: Vec3::ZERO, fov: 30.0, up: Vec3::Y };
        let mut stage = Stage {
            camera,
            ground: None,
            follow: true,
            range: None,
            beyond: [false; 2],
            centre: Vec3::ZERO,
            size: 1.0,
        };
        place(&args, true, &mut stage).unwrap();
        stage.camera
    }

    #[test]
    fn options_move_turn_and_zoom_the_camera() {
        let none = placed(CameraArgs::default());
        assert!((none.at.z, none.look_at) == (5.0, Vec3::ZERO) && (none.fov - 30.0).abs() < 1e-12);
        let aside = placed(CameraArgs { look_at: Some(Vec3::X), ..Default::default() });
        assert_eq!((aside.at, aside.look_at), (Vec3::new(1.0, 0.0, 5.0), Vec3::X));
        let near = placed(CameraArgs { distance: Some(2.0), ..Default::default() });
        assert_eq!(near.at, Vec3::new(0.0, 0.0, 2.0));
        let there = placed(CameraArgs { at: Some(Vec3::X), ..Default::default() });
        assert_eq!((there.at, there.look_at), (Vec3::X, Vec3::ZERO));
        // twice as large: half the height is visible
        let large = placed(CameraArgs { zoom: Some(2.0), ..Default::default() });
        let half = |fov: f64| (0.5 * fov).to_radians().tan();
        assert!((half(30.0) / half(large.fov) - 2.0).abs() < 1e-12);
    }
}

//! The sheets of the comparison, in their sizes and fabrics: that of `bench/peers`, and one that falls on a ball.

use std::fmt;
use taffeta::World;
use taffeta_scene::{Source, load};

/// Frames for each second.
pub const FPS: u64 = 60;
/// 3 s.
pub const FRAMES: u64 = 180;
/// Vertices a side.
pub const SIDES: [u32; 5] = [22, 41, 101, 183, 317];
/// Of the quick part.
pub const QUICK_SIDE: u32 = SIDES[0];
/// Fabrics, N/m.
pub const STRETCHES: [u32; 2] = [5_000, 50_000];
/// When the height of the centre of mass is told, s.
pub const TIMES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

/// A sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Vertices a side.
    pub side: u32,
    /// Stiffness of stretch, N/m; that of shear is half of it.
    pub stretch: u32,
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0} x {0} vertices, {1} N/m", self.side, self.stretch)
    }
}

impl Sheet {
    /// The sheet of the peers with further settings, as `taffeta run --set` takes them.
    pub fn world(&self, set: &[&str]) -> World {
        self.of(include_str!("../../../../bench/peers/scene.toml"), set)
    }

    /// Likewise, on a ball.
    pub fn on_ball(&self, set: &[&str]) -> World {
        self.of(include_str!("ball.toml"), set)
    }

    fn of(&self, scene: &str, set: &[&str]) -> World {
        let Sheet { side, stretch } = *self;
        let source = Source::text("sheet", scene, ".");
        let mut overrides = vec![
            format!("cloth.grid.cells=[{0},{0}]", side - 1),
            format!("cloth.fabric.stretch={stretch}"),
            format!("cloth.fabric.shear={}", stretch / 2),
        ];
        overrides.extend(set.iter().copied().map(String::from));
        match load(&source, &overrides).and_then(|scene| scene.world()) {
            Ok(world) => world,
            Err(mistakes) => panic!("{}", mistakes.render(false)),
        }
    }

    /// Whether a vertex is one of the two corners.
    pub fn holds(&self, vertex: usize) -> bool {
        vertex == 0 || vertex + 1 == self.side as usize
    }
}

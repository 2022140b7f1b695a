//! Rendering of a single picture.

use crate::geometry::Geometry;
use crate::legend::Legend;
use crate::sequence::dither;
use crate::shade::{Shader, scale_of};
use crate::studio::{Studio, tone};
use crate::text::Font;
use crate::trace::trace;
use crate::vector::V3;
use crate::{Frame, Image, Look, Picture, RenderError, Stage, Subject, Survey, colour, crossings, legend};
use rayon::prelude::*;
use taffeta::SpringKind;

/// Counts of rays and triangles of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of rays traced.
    pub rays: u64,
    /// Number of triangles, after rounding and including those of bodies.
    pub triangles: u64,
}

/// Renders a frame on the stage that all frames share.
pub fn render(subject: &Subject, frame: &Frame, stage: &Stage, picture: &Picture) -> Result<Image, RenderError> {
    render_with_stats(subject, frame, stage, picture).map(|(image, _)| image)
}

/// Renders a single frame with a camera of its own.
pub fn still(subject: &Subject, frame: &Frame, picture: &Picture) -> Result<Image, RenderError> {
    let mut survey = Survey::new(subject, picture)?;
    survey.add(frame)?;
    render(subject, frame, &survey.stage(), picture)
}

/// As [`render`], with statistics.
pub fn render_with_stats(
    subject: &Subject,
    frame: &Frame,
    stage: &Stage,
    picture: &Picture,
) -> Result<(Image, Stats), RenderError> {
    picture.check()?;
    subject.check(frame)?;
    stage.camera.check()?;
    let stage = &stage.at(frame);
    let geometry = Geometry::new(subject, frame, stage, picture)?;
    let studio = Studio::new(stage, &geometry.scaling, &picture.look);
    let crossed = match picture.look {
        Look::Crossings(_) => crossings::which(subject, frame)?,
        _ => Vec::new(),
    };
    let shader = Shader::new(subject, frame, stage, picture, &geometry, &studio, &crossed)?;
    let (pixels, rays) = trace(&shader, stage, picture);
    let mut image = develop(&pixels, picture);
    annotate(&mut image, subject, frame, stage, picture, &crossed);
    Ok((image, Stats { rays, triangles: geometry.triangles.len() as u64 }))
}

/// Converts linear light to bytes: darkens the corners, compresses highlights, and dithers against banding.
fn develop(pixels: &[V3], picture: &Picture) -> Image {
    let (width, height) = (picture.width, picture.height);
    let mut image = Image::new(width, height, [0; 3]);
    image.pixels_mut().par_chunks_exact_mut(3 * width as usize).enumerate().for_each(|(y, row)| {
        for (x, bytes) in row.chunks_exact_mut(3).enumerate() {
            let u = (x as f32 + 0.5) / width as f32 - 0.5;
            let v = (y as f32 + 0.5) / height as f32 - 0.5;
            let corners = 1.0 - 0.22 * (u * u + v * v);
            let c = pixels[y * width as usize + x] * corners;
            let noise = dither(x as u32, y as u32);
            for (byte, c) in bytes.iter_mut().zip([c.x, c.y, c.z]) {
                *byte = (colour::encode(tone(c)) * 255.0 + noise).clamp(0.0, 255.0) as u8;
            }
        }
    });
    image
}

/// Draws the legend and the time.
fn annotate(image: &mut Image, subject: &Subject, frame: &Frame, stage: &Stage, picture: &Picture, crossed: &[bool]) {
    if let (Look::Map(map), Some(range)) = (&picture.look, stage.range) {
        let legend = Legend { quantity: &map.quantity, scale: scale_of(range), range, beyond: stage.beyond };
        legend.draw(image);
    }
    if picture.look == Look::Springs {
        let shown = |kind: &SpringKind| subject.springs.iter().any(|s| s.kind == *kind);
        let kinds: Vec<SpringKind> = SpringKind::ALL.into_iter().filter(shown).collect();
        legend::draw_kinds(image, &kinds);
    }
    if let Look::Crossings(_) = picture.look {
        legend::draw_crossings(image, crossed.iter().filter(|crossed| **crossed).count());
    }
    if picture.time {
        let font = Font::for_picture(picture.width, picture.height);
        // a legend at the bottom leaves the top free
        let is_map = matches!(picture.look, Look::Map(_));
        let low = !is_map || legend::room(picture.width, picture.height)[1] == 0;
        let y = if low { i64::from(picture.height) - 2 * font.height() } else { font.height() };
        let place = [font.height(), y];
        font.write(image, place, &format!("{:.2} s", frame.time), legend::INK);
    }
}

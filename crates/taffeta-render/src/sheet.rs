//! Several pictures on one page, with a line of text under each.

use crate::legend::INK;
use crate::text::Font;
use crate::{Image, RenderError};

/// Background colour.
const PAPER: [u8; 3] = [0xf4, 0xf3, 0xf1];

/// Width and height of a contact sheet of `count` pictures, and its number of columns.
pub fn contact_sheet_size(count: u32, [w, h]: [u32; 2], columns: Option<u32>) -> Result<([u32; 2], u32), RenderError> {
    let columns = columns.unwrap_or_else(|| f64::from(count).sqrt().ceil() as u32).clamp(1, count.max(1));
    let rows = u64::from(count.div_ceil(columns));
    let (gap, line) = spaces(w, h);
    let (w, h, gap, line) = (u64::from(w), u64::from(h), u64::from(gap), u64::from(line));
    let (width, height) = (u64::from(columns) * (w + gap) + gap, rows * (h + line + gap / 2) + gap);
    let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    if width > crate::MAX_SIDE || height > crate::MAX_SIDE {
        return Err(RenderError::Size { width, height });
    }
    Ok(([width, height], columns))
}

/// The gap between pictures, and the height of a caption including it.
fn spaces(w: u32, h: u32) -> (u32, u32) {
    let gap = (h / 30).max(4);
    (gap, Font::for_picture(2 * w, 2 * h).height() as u32 + gap)
}

/// Arranges pictures of one size in rows from left to right, each with its caption below. Without `columns`, the page
/// has about the aspect ratio of its pictures.
pub fn contact_sheet(pictures: &[(Image, String)], columns: Option<u32>) -> Result<Image, RenderError> {
    let Some((first, _)) = pictures.first() else {
        return Err(RenderError::Frames("a contact sheet needs at least one frame"));
    };
    let (w, h) = (first.width(), first.height());
    if pictures.iter().any(|(image, _)| (image.width(), image.height()) != (w, h)) {
        return Err(RenderError::Frames("the frames of a contact sheet need one size"));
    }
    let count = pictures.len() as u32;
    let ([width, height], columns) = contact_sheet_size(count, [w, h], columns)?;
    let font = Font::for_picture(2 * w, 2 * h);
    let (gap, line) = spaces(w, h);
    let mut sheet = Image::new(width, height, PAPER);
    for (i, (image, caption)) in (0u32..).zip(pictures) {
        let (x, y) = (gap + i % columns * (w + gap), gap + i / columns * (h + line + gap / 2));
        sheet.put([x, y], image);
        font.write(&mut sheet, [i64::from(x), i64::from(y + h + gap / 4)], caption, INK);
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_in_rows_with_room_for_captions() {
        let pictures: Vec<(Image, String)> =
            (0..5u8).map(|i| (Image::new(60, 40, [i, 0, 0]), format!("{i}.00 s"))).collect();
        let sheet = contact_sheet(&pictures, None).unwrap();
        let find = |colour: [u8; 3]| {
            let places = (0..sheet.height()).flat_map(|y| (0..sheet.width()).map(move |x| (x, y)));
            places.filter(|&(x, y)| sheet.pixel(x, y) == Some(colour)).collect::<Vec<_>>()
        };
        for i in 0..5u8 {
            assert_eq!(find([i, 0, 0]).len(), 60 * 40, "picture {i} is whole");
        }
        assert!(!find(INK).is_empty(), "captions are written");
        assert!(find([4, 0, 0])[0].1 > find([0, 0, 0])[0].1, "the fourth is in the second row");
        assert!(contact_sheet(&[], None).is_err());
        let other = vec![(Image::new(2, 2, [0; 3]), String::new()), (Image::new(3, 2, [0; 3]), String::new())];
        assert!(contact_sheet(&other, None).is_err());
    }
}

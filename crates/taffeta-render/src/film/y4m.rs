//! YUV4MPEG2: raw video that every encoder reads. Full colour resolution (4:4:4), BT.709, limited range.

use crate::Image;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A y4m file that is being written.
#[derive(Debug, Default)]
pub(super) struct Y4m {
    file: Option<BufWriter<File>>,
}

impl Y4m {
    pub fn begin(&mut self, mut file: BufWriter<File>, [width, height]: [u32; 2], fps: f64) -> io::Result<()> {
        // a fraction that is exact for integers and close enough for other rates
        let (top, bottom) = if fps.fract() == 0.0 { (fps, 1) } else { ((fps * 1000.0).round(), 1000) };
        writeln!(file, "YUV4MPEG2 W{width} H{height} F{top}:{bottom} Ip A1:1 C444 XCOLORRANGE=LIMITED")?;
        self.file = Some(file);
        Ok(())
    }

    pub fn add(&mut self, image: &Image) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let count = image.pixels().len() / 3;
        let mut planes = vec![0u8; 3 * count];
        for (i, p) in image.pixels().chunks_exact(3).enumerate() {
            for (k, value) in yuv([p[0], p[1], p[2]]).into_iter().enumerate() {
                planes[k * count + i] = value;
            }
        }
        file.write_all(b"FRAME\n")?;
        file.write_all(&planes)
    }

    pub fn finish(self) -> io::Result<()> {
        match self.file {
            Some(mut file) => file.flush(),
            None => Ok(()),
        }
    }
}

/// Converts to BT.709 in the limited range, 16 to 235 and 16 to 240.
fn yuv(p: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = p.map(|c| f32::from(c) / 255.0);
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let (u, v) = ((b - y) / 1.8556, (r - y) / 1.5748);
    [16.0 + 219.0 * y, 128.0 + 224.0 * u, 128.0 + 224.0 * v].map(|c| c.round() as u8)
}

#[cfg(test)]
mod tests {
    #[test]
    fn white_black_and_red_have_the_values_of_the_standard() {
        assert_eq!(super::yuv([255, 255, 255]), [235, 128, 128]);
        assert_eq!(super::yuv([0, 0, 0]), [16, 128, 128]);
        assert_eq!(super::yuv([255, 0, 0]), [63, 102, 240]);
    }
}

//! An SVG as pixels.
//!
//! The program carries one face of the fonts in `dejavu` for this. Whoever passes the program on
//! passes on `LICENSE-DejaVu`, too.

use std::sync::Arc;

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::svg::FONT;

/// Pixels for each unit of the SVG: sharp on fine screens and on paper.
const SCALE: f32 = 2.0;

/// The picture as a PNG file.
pub(super) fn render(svg: &str) -> Result<Vec<u8>> {
    pixels(svg)?.encode_png().context("cannot compress it")
}

/// The picture as pixels. The system's fonts play no part.
fn pixels(svg: &str) -> Result<Pixmap> {
    let mut options = Options {
        font_family: FONT.to_owned(),
        ..Options::default()
    };
    let font = fontdb::Source::Binary(Arc::new(dejavu::sans::regular()));
    options.fontdb_mut().load_font_source(font);
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let size = size.scale_by(SCALE).context("it is too large")?;
    let mut pixmap = Pixmap::new(size.width(), size.height()).context("it is too large")?;
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixmap.as_mut(),
    );
    Ok(pixmap)
}

#[cfg(test)]
mod tests {
    use super::super::bars::{BarChart, Marker};
    use super::super::svg::{Canvas, Label};
    use super::*;
    use resvg::tiny_skia::PremultipliedColorU8;

    /// A picture of a size with a text, if any.
    fn with_text(text: &str) -> String {
        let mut canvas = Canvas::new(120.0, 40.0);
        canvas.label(&Label {
            at: (10.0, 25.0),
            text,
            ..Label::default()
        });
        canvas.finish("", "").svg
    }

    #[test]
    fn a_png_has_the_signature_and_twice_the_size() {
        let png = render(&with_text("")).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        // The header comes first: its length, its name, then width and height.
        assert_eq!(png[16..20], 240_u32.to_be_bytes());
        assert_eq!(png[20..24], 80_u32.to_be_bytes());
    }

    #[test]
    fn the_background_is_white() {
        let pixmap = pixels(&with_text("")).unwrap();
        assert!(pixmap.data().iter().all(|&byte| byte == 255));
    }

    #[test]
    fn text_is_drawn() {
        let [nothing, one, two] = ["", "1", "2"].map(|text| pixels(&with_text(text)).unwrap());
        assert!(nothing != one);
        assert!(one != two);
    }

    #[test]
    fn a_chart_has_its_bars_and_the_labels_of_its_markers() {
        let chart = |label: &str| {
            let marker = Marker {
                at: 1.0,
                label: label.to_owned(),
            };
            let chart = BarChart {
                bars: vec![(0, 1), (1, 2)],
                markers: vec![marker],
                ..BarChart::default()
            };
            pixels(&chart.picture().svg).unwrap()
        };
        let pixmap = chart("mean 1.00");
        assert_eq!((pixmap.width(), pixmap.height()), (1920, 1080));
        let is_blue = |pixel: &PremultipliedColorU8| pixel.blue() > pixel.red().saturating_add(80);
        let blue = pixmap
            .pixels()
            .iter()
            .filter(|pixel| is_blue(pixel))
            .count();
        assert!(blue > 10_000, "{blue}");
        assert!(pixmap != chart("mean 1.01"));
    }

    #[test]
    fn the_font_has_every_sign_that_charts_use() {
        // What a font lacks is drawn as one and the same box.
        let lacking = pixels(&with_text("\u{e000}")).unwrap();
        for sign in "aZ09.,%*=<>–—…·×≤≥é".chars() {
            let drawn = pixels(&with_text(&sign.to_string())).unwrap();
            assert!(drawn != lacking, "{sign}");
        }
    }
}

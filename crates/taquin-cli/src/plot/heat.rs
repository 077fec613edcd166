//! How good estimates are: for each true distance, how often which estimate.

use std::collections::BTreeMap;

use super::Picture;
use super::axis::{self, float};
use super::svg::{Anchor, Canvas, FAINT, GREY, INK, Label, Stroke, text_width};
use crate::figures;

/// Panels side by side, one an estimate, with the same axes and colours.
#[derive(Default)]
pub(crate) struct HeatMap {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// What is counted, as the legend says it: `boards`.
    pub(crate) counted: String,
    /// One to six; more are drawn too, in more rows.
    pub(crate) panels: Vec<Panel>,
}

/// What one estimate says.
#[derive(Default)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// In any order. What is given twice is added up.
    pub(crate) cells: Vec<Cell>,
}

/// How many there are with that true distance and that estimate.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    /// The true distance, h*.
    pub(crate) distance: u32,
    /// The estimate, h.
    pub(crate) estimate: u32,
    pub(crate) count: u64,
}

/// The size of the figures along the axes.
const SIZE: f64 = 11.0;
/// Left of the first panel: the title of the axis.
const LEFT: f64 = 44.0;
/// Between the left edge of a panel's place and its axis: figures.
const FIGURES: f64 = 34.0;
/// Between the top of a panel's place and its axes: its titles.
const TITLES: f64 = 46.0;
/// Below a panel: figures and the title of the axis.
const BELOW: f64 = 52.0;
/// Between panels.
const GAP: f64 = 18.0;
/// The heading of the picture.
const HEADING: f64 = 72.0;
/// The legend at the bottom.
const LEGEND: f64 = 56.0;

/// The colour of the mean.
const MEAN: &str = "#e8590c";
/// Colours from few to many: each is darker than the one before.
const COLOURS: [(u8, u8, u8); 5] = [
    (214, 228, 242),
    (150, 191, 223),
    (84, 148, 200),
    (36, 100, 163),
    (10, 48, 98),
];
/// How many shades are told apart.
const SHADES: u32 = 48;

impl HeatMap {
    /// Draws the panels.
    pub(crate) fn picture(&self) -> Picture {
        let frame = self.frame();
        let mut canvas = Canvas::new(frame.width(), frame.height());
        canvas.heading(&self.title, &self.subtitle);
        for (index, panel) in self.panels.iter().enumerate() {
            let is_lowest = index + frame.columns >= self.panels.len();
            panel.draw(&mut canvas, &frame, frame.origin(index), is_lowest);
            if index.is_multiple_of(frame.columns) {
                let (_, y) = frame.origin(index);
                canvas.label(&Label {
                    at: (28.0, y - frame.side / 2.0),
                    anchor: Anchor::Middle,
                    size: 13.0,
                    turn: -90.0,
                    text: "estimate h",
                    ..Label::default()
                });
            }
        }
        self.draw_legend(&mut canvas, &frame);
        canvas.finish(&self.title, &self.description())
    }

    /// Where everything goes.
    fn frame(&self) -> Frame {
        let cells = || self.panels.iter().flat_map(Panel::counted);
        let ends = cells().map(|cell| cell.distance.max(cell.estimate));
        let columns = match self.panels.len() {
            0 | 1 => 1,
            2 | 4 => 2,
            _ => 3,
        };
        Frame {
            columns,
            rows: self.panels.len().div_ceil(columns).max(1),
            side: match columns {
                1 => 460.0,
                2 => 380.0,
                _ => 300.0,
            },
            end: ends.max().unwrap_or(0),
            most: cells().map(|cell| cell.count).max().unwrap_or(0),
        }
    }

    /// What the lines and the colours mean.
    fn draw_legend(&self, canvas: &mut Canvas, frame: &Frame) {
        let y = frame.height() - 30.0;
        let left = LEFT + FIGURES;
        let mean = [(left, y), (left + 26.0, y)];
        draw_mean(canvas, &mean);
        canvas.label(&Label {
            at: (left + 34.0, y + 4.0),
            text: "mean h",
            ..Label::default()
        });
        if frame.most == 0 {
            return;
        }
        let (from, width) = (left + 120.0, 200.0);
        let step = width / f64::from(SHADES);
        for shade in 0..SHADES {
            let x = from + f64::from(shade) * step;
            canvas.tiles(&[((x, y - 10.0), (step, 12.0))], &colour(shade));
        }
        for count in frame.landmarks(width) {
            canvas.label(&Label {
                at: (from + width * frame.strength(count), y + 18.0),
                anchor: Anchor::Middle,
                size: SIZE,
                text: &axis::short(count),
                ..Label::default()
            });
        }
        canvas.label(&Label {
            at: (from + width + 12.0, y + 1.0),
            text: &format!("{} in a cell", self.counted),
            ..Label::default()
        });
    }

    /// The picture in words.
    fn description(&self) -> String {
        let panels = self.panels.iter().map(|panel| {
            let count: u128 = panel.counted().map(|cell| u128::from(cell.count)).sum();
            let gap = |cell: Cell| f64::from(cell.distance) - f64::from(cell.estimate);
            let sum: f64 = panel.counted().map(|c| gap(c) * float(c.count)).sum();
            #[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
            let mean = sum / count.max(1) as f64;
            format!(
                "{}: {} {}, where h* - h is {mean:.2} on average.",
                panel.title,
                figures::count(count),
                self.counted,
            )
        });
        let panels: Vec<String> = panels.collect();
        format!("Estimate h against true distance h*. {}", panels.join(" "))
    }
}

/// Where the panels are and what their axes and colours span.
struct Frame {
    columns: usize,
    rows: usize,
    /// The length of each axis.
    side: f64,
    /// The last number on both axes.
    end: u32,
    /// The largest count of a cell.
    most: u64,
}

impl Frame {
    fn width(&self) -> f64 {
        let panel = FIGURES + self.side + GAP;
        LEFT + panel * float(self.columns as u64) + 6.0
    }

    fn height(&self) -> f64 {
        let panel = TITLES + self.side + BELOW;
        HEADING + panel * float(self.rows as u64) + LEGEND
    }

    /// Where the axes of a panel meet.
    fn origin(&self, index: usize) -> (f64, f64) {
        let column = float((index % self.columns) as u64);
        let row = float((index / self.columns) as u64);
        (
            LEFT + FIGURES + column * (FIGURES + self.side + GAP),
            HEADING + (row + 1.0) * (TITLES + self.side) + row * BELOW,
        )
    }

    /// The length that a number takes on an axis.
    fn unit(&self) -> f64 {
        self.side / (f64::from(self.end) + 1.0)
    }

    /// How strong the colour of a count is: 0 for one, 1 for the most, in between by its logarithm.
    fn strength(&self, count: u64) -> f64 {
        if self.most <= 1 {
            return 0.0;
        }
        float(count.max(1)).ln() / float(self.most).ln()
    }

    /// Powers of ten for a scale of that length, evenly spaced and not too close.
    fn landmarks(&self, length: f64) -> Vec<u64> {
        let decades = float(self.most.max(1)).log10();
        let fit = (length / text_width("100,000", SIZE)).floor();
        #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
        let step = (decades / fit).ceil().max(1.0) as u32;
        let factor = 10_u64.saturating_pow(step);
        let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(factor));
        powers.take_while(|&power| power <= self.most).collect()
    }

    /// The shade of a count.
    #[expect(clippy::cast_sign_loss, reason = "it is from 0 to 1")]
    fn shade(&self, count: u64) -> u32 {
        let shades = f64::from(SHADES - 1);
        (self.strength(count) * shades).round() as u32
    }
}

impl Panel {
    /// The cells that have something in them, each once and in order, so that the same counts are
    /// the same picture.
    fn counted(&self) -> impl Iterator<Item = Cell> {
        let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for cell in self.cells.iter().filter(|cell| cell.count > 0) {
            let sum = counts.entry((cell.distance, cell.estimate)).or_default();
            *sum = sum.saturating_add(cell.count);
        }
        let counts = counts.into_iter();
        counts.map(|((distance, estimate), count)| Cell {
            distance,
            estimate,
            count,
        })
    }

    /// Draws the panel with its axes. The lowest one of a column has the title of the axis below.
    fn draw(&self, canvas: &mut Canvas, frame: &Frame, origin: (f64, f64), is_lowest: bool) {
        let (left, bottom) = origin;
        let titles = [
            (&self.title, 14.0, INK, 26.0),
            (&self.subtitle, 11.0, GREY, 9.0),
        ];
        for (text, size, colour, above) in titles {
            let label = Label {
                at: (left, bottom - frame.side - above),
                size,
                colour,
                text,
                ..Label::default()
            };
            canvas.fitted(&label, frame.side);
        }
        draw_axes(canvas, frame, origin);
        if is_lowest {
            canvas.label(&Label {
                at: (left + frame.side / 2.0, bottom + 40.0),
                anchor: Anchor::Middle,
                size: 13.0,
                text: "true distance h*",
                ..Label::default()
            });
        }
        self.draw_cells(canvas, frame, origin);
        draw_diagonal(canvas, frame, origin);
        let unit = frame.unit();
        let mean: Vec<(f64, f64)> = self
            .means()
            .map(|(distance, mean)| {
                (
                    left + (f64::from(distance) + 0.5) * unit,
                    bottom - (mean + 0.5) * unit,
                )
            })
            .collect();
        match mean[..] {
            // A line needs two ends.
            [(x, y)] => draw_mean(canvas, &[(x - unit / 2.0, y), (x + unit / 2.0, y)]),
            _ => draw_mean(canvas, &mean),
        }
    }

    /// The cells in their colours.
    fn draw_cells(&self, canvas: &mut Canvas, frame: &Frame, (left, bottom): (f64, f64)) {
        let reach = if self.is_chessboard() { 1.0 } else { 0.5 };
        let unit = frame.unit();
        let top = bottom - frame.side;
        let mut by_shade: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for cell in self.counted() {
            let x = left + f64::from(cell.distance) * unit;
            let middle = bottom - (f64::from(cell.estimate) + 0.5) * unit;
            let from = (middle - reach * unit).max(top);
            let to = (middle + reach * unit).min(bottom);
            let tiles = by_shade.entry(frame.shade(cell.count)).or_default();
            tiles.push(((x, from), (unit, to - from)));
        }
        for (shade, tiles) in by_shade {
            canvas.tiles(&tiles, &colour(shade));
        }
    }

    /// Whether every other cell must be empty: an estimate such as the Manhattan distance is odd
    /// where the true distance is odd. The other cells are drawn twice as high then, so that they
    /// make one picture.
    fn is_chessboard(&self) -> bool {
        let keeps_parity = |cell: Cell| cell.distance % 2 == cell.estimate % 2;
        // One estimate for each distance is but a line.
        self.counted().all(keeps_parity) && self.counted().count() > self.means().count()
    }

    /// The mean estimate for each distance that there is.
    fn means(&self) -> impl Iterator<Item = (u32, f64)> {
        let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for cell in self.counted() {
            let (sum, count) = sums.entry(cell.distance).or_default();
            *sum += f64::from(cell.estimate) * float(cell.count);
            *count += float(cell.count);
        }
        let means = sums.into_iter();
        means.map(|(distance, (sum, count))| (distance, sum / count))
    }
}

/// Both axes with faint lines and round figures.
fn draw_axes(canvas: &mut Canvas, frame: &Frame, (left, bottom): (f64, f64)) {
    let unit = frame.unit();
    let faint = Stroke {
        colour: FAINT,
        width: 1.0,
        dashed: false,
    };
    let (right, top) = (left + frame.side, bottom - frame.side);
    let room = text_width(&frame.end.to_string(), SIZE) + 22.0;
    for number in axis::multiples(axis::step(unit, room), 0, frame.end) {
        let text = &number.to_string();
        let offset = (f64::from(number) + 0.5) * unit;
        let (x, y) = (left + offset, bottom - offset);
        canvas.line(&[(x, bottom), (x, top)], faint);
        canvas.line(&[(left, y), (right, y)], faint);
        let label = Label {
            size: SIZE,
            text,
            ..Label::default()
        };
        canvas.label(&Label {
            at: (x, bottom + 17.0),
            anchor: Anchor::Middle,
            ..label
        });
        canvas.label(&Label {
            at: (left - 6.0, y + SIZE * 0.36),
            anchor: Anchor::End,
            ..label
        });
    }
    let axis = Stroke {
        colour: GREY,
        ..faint
    };
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], axis);
}

/// Where an estimate is right.
fn draw_diagonal(canvas: &mut Canvas, frame: &Frame, (left, bottom): (f64, f64)) {
    let stroke = Stroke {
        colour: GREY,
        width: 1.2,
        dashed: true,
    };
    let (right, top) = (left + frame.side, bottom - frame.side);
    canvas.line(&[(left, bottom), (right, top)], stroke);
    let middle = frame.side * 0.84;
    // Clear of the cells on the diagonal, unless they are huge.
    let away = (frame.unit() / 2.0 + 3.0).clamp(6.0, 14.0);
    canvas.label(&Label {
        at: (left + middle - away, bottom - middle - away),
        anchor: Anchor::Middle,
        turn: -45.0,
        rim: true,
        text: "h = h*",
        ..Label::default()
    });
}

/// The line of the means, with a rim that sets it off from dark cells.
fn draw_mean(canvas: &mut Canvas, points: &[(f64, f64)]) {
    for (colour, width) in [("#ffffff", 4.0), (MEAN, 2.0)] {
        let stroke = Stroke {
            colour,
            width,
            dashed: false,
        };
        canvas.line(points, stroke);
    }
}

/// The colour of a shade, from the lightest on.
fn colour(shade: u32) -> String {
    let place = f64::from(shade) / f64::from(SHADES - 1) * float(COLOURS.len() as u64 - 1);
    #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
    let index = (place as usize).min(COLOURS.len() - 2);
    let share = place - float(index as u64);
    let (from, to) = (COLOURS[index], COLOURS[index + 1]);
    #[expect(clippy::cast_sign_loss, reason = "it is between two bytes")]
    let mix = |from: u8, to: u8| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
    };
    format!(
        "#{:02x}{:02x}{:02x}",
        mix(from.0, to.0),
        mix(from.1, to.1),
        mix(from.2, to.2)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(distance: u32, estimate: u32, count: u64) -> Cell {
        Cell {
            distance,
            estimate,
            count,
        }
    }

    fn map(panels: Vec<Vec<Cell>>) -> HeatMap {
        let panels = panels.into_iter().map(|cells| Panel {
            title: "Manhattan".to_owned(),
            cells,
            ..Panel::default()
        });
        HeatMap {
            counted: "boards".to_owned(),
            panels: panels.collect(),
            ..HeatMap::default()
        }
    }

    /// How light a colour is to the eye, by and large.
    fn lightness(colour: &str) -> f64 {
        let part = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn each_shade_is_darker_than_the_one_before() {
        let shades: Vec<f64> = (0..SHADES).map(|shade| lightness(&colour(shade))).collect();
        assert!(shades.windows(2).all(|pair| pair[0] > pair[1] + 1.0));
        assert_eq!(colour(0), "#d6e4f2");
        assert_eq!(colour(SHADES - 1), "#0a3062");
    }

    #[test]
    fn the_colour_goes_by_the_logarithm() {
        let frame = map(vec![vec![cell(3, 3, 1_000_000)]]).frame();
        assert!((frame.strength(1000) - 0.5).abs() < 1e-9);
        assert_eq!(frame.shade(1), 0);
        assert_eq!(frame.shade(1_000_000), SHADES - 1);
    }

    #[test]
    fn landmarks_of_the_colours_are_evenly_spaced() {
        for (most, expected) in [
            (1, vec![1]),
            (9, vec![1]),
            (24_047, vec![1, 100, 10_000]),
            (7000, vec![1, 10, 100, 1000]),
            (2_000_000_000, vec![1, 1000, 1_000_000, 1_000_000_000]),
        ] {
            let frame = map(vec![vec![cell(3, 3, most)]]).frame();
            assert_eq!(frame.landmarks(200.0), expected, "{most}");
        }
    }

    #[test]
    fn only_estimates_that_keep_parity_make_a_chessboard() {
        for (cells, expected) in [
            (vec![cell(2, 0, 1), cell(2, 2, 1), cell(3, 1, 1)], true),
            (vec![cell(2, 0, 1), cell(2, 2, 1), cell(3, 2, 1)], false),
            (vec![cell(2, 2, 1), cell(3, 3, 1)], false),
            (vec![], false),
        ] {
            let map = map(vec![cells]);
            assert_eq!(map.panels[0].is_chessboard(), expected);
        }
    }

    #[test]
    fn all_panels_have_the_same_axes() {
        let map = map(vec![
            vec![cell(3, 1, 1)],
            vec![cell(31, 5, 7), cell(40, 0, 0)],
        ]);
        let frame = map.frame();
        assert_eq!((frame.end, frame.most), (31, 7), "empty cells do not count");
    }

    #[test]
    fn the_order_of_cells_makes_no_difference() {
        let one = map(vec![vec![cell(4, 2, 3), cell(4, 4, 1), cell(2, 2, 1)]]);
        let other = vec![cell(2, 2, 1), cell(4, 4, 1), cell(4, 2, 1), cell(4, 2, 2)];
        assert_eq!(one.picture().svg, map(vec![other]).picture().svg);
    }

    #[test]
    fn means_are_weighted() {
        let map = map(vec![vec![cell(4, 2, 3), cell(4, 4, 1), cell(2, 2, 1)]]);
        let means: Vec<_> = map.panels[0].means().collect();
        assert_eq!(means, [(2, 2.0), (4, 2.5)]);
        let description = map.description();
        assert!(
            description.contains("5 boards, where h* - h is 1.20"),
            "{description}"
        );
    }

    #[test]
    fn any_number_of_panels_stays_in_the_picture() {
        for count in 0..9 {
            let map = map(vec![vec![cell(10, 9, 5)]; count]);
            let frame = map.frame();
            for index in 0..count {
                let (left, bottom) = frame.origin(index);
                assert!(left + frame.side < frame.width(), "{count}");
                assert!(bottom + BELOW + LEGEND <= frame.height() + 0.01, "{count}");
            }
            let svg = map.picture().svg;
            assert_eq!(svg.matches("h = h*</text>").count(), count);
            assert!(roxmltree::Document::parse(&svg).is_ok());
        }
    }

    #[test]
    fn little_or_nothing_is_no_trouble() {
        for cells in [
            vec![],
            vec![cell(0, 0, 0)],
            vec![cell(0, 0, 1)],
            vec![cell(u32::MAX, u32::MAX, u64::MAX)],
        ] {
            let svg = map(vec![cells]).picture().svg;
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}

//! A bar chart: how many there are at each distance.

use std::collections::BTreeMap;

use super::Picture;
use super::axis::{self, Axis, float};
use super::svg::{Anchor, Canvas, FAINT, GREY, Label, Stroke, text_width};
use crate::figures;

/// A bar chart with a bar for each whole number.
#[derive(Default)]
pub(crate) struct BarChart {
    pub(crate) title: String,
    /// A smaller line below the title.
    pub(crate) subtitle: String,
    /// What the places are: `moves to the goal`.
    pub(crate) x_title: String,
    /// What is counted: `boards`.
    pub(crate) y_title: String,
    /// Where a bar stands and what it counts, in any order. What is given twice is added up; where
    /// nothing is given is a gap.
    pub(crate) bars: Vec<(u32, u64)>,
    /// Those that are not finite are left out.
    pub(crate) markers: Vec<Marker>,
    /// Whether the axis of the counts is logarithmic. Its title says so then.
    pub(crate) log: bool,
}

/// An upright line at a place, with a label such as `mean 21.97`.
pub(crate) struct Marker {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// The size of the picture.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 540.0;
/// Where the axes end.
const RIGHT: f64 = WIDTH - 28.0;
const BOTTOM: f64 = HEIGHT - 62.0;
/// Where labels of markers begin, below the heading.
const TOP: f64 = 82.0;
/// The height of a line of labels.
const LINE: f64 = 18.0;
/// The size of the figures along the axes.
const SIZE: f64 = 12.0;
/// No bar is wider, however few there are.
const WIDEST: f64 = 72.0;

/// The colour of bars.
const BAR: &str = "#4f8ac9";
/// The colour of markers.
const MARK: &str = "#a83a06";

impl BarChart {
    /// Draws the chart.
    pub(crate) fn picture(&self) -> Picture {
        let mut canvas = Canvas::new(WIDTH, HEIGHT);
        canvas.heading(&self.title, &self.subtitle);
        let frame = self.frame();
        self.draw_counts(&mut canvas, &frame);
        self.draw_bars(&mut canvas, &frame);
        self.draw_places(&mut canvas, &frame);
        draw_markers(&mut canvas, &frame);
        canvas.finish(&self.title, &self.description(&frame))
    }

    /// Where everything goes.
    fn frame(&self) -> Frame<'_> {
        let mut bars: BTreeMap<u32, u64> = BTreeMap::new();
        for &(place, count) in &self.bars {
            let sum = bars.entry(place).or_default();
            *sum = sum.saturating_add(count);
        }
        let max = bars.values().copied().max().unwrap_or(0);
        let axis = if self.log {
            Axis::logarithmic(max)
        } else {
            Axis::linear(max)
        };
        let labels = axis.ticks.iter().map(|&tick| axis::short(tick));
        let widest = labels.map(|label| text_width(&label, SIZE));
        let left = 56.0 + widest.fold(0.0, f64::max);

        let markers = self.markers.iter();
        let markers: Vec<&Marker> = markers.filter(|marker| marker.at.is_finite()).collect();
        // A cast stops at the limits.
        #[expect(clippy::cast_sign_loss, reason = "what is below zero stands at zero")]
        let places = markers.iter().map(|marker| marker.at.round() as u32);
        let places = places.chain(bars.keys().copied());
        let (first, last) = places.fold((u32::MAX, 0), |(first, last), place| {
            (first.min(place), last.max(place))
        });
        let first = first.min(last);
        let mut frame = Frame {
            bars,
            axis,
            left,
            top: TOP,
            first,
            last,
            band: (RIGHT - left) / (f64::from(last - first) + 1.0),
            markers: Vec::new(),
        };
        let lines = frame.place_labels(&markers);
        frame.top = TOP + LINE * float(lines as u64);
        frame
    }

    /// The axis of the counts, with faint lines across.
    fn draw_counts(&self, canvas: &mut Canvas, frame: &Frame<'_>) {
        for &tick in &frame.axis.ticks {
            let y = frame.y(tick);
            let faint = Stroke {
                colour: FAINT,
                width: 1.0,
                dashed: false,
            };
            canvas.line(&[(frame.left, y), (RIGHT, y)], faint);
            canvas.label(&Label {
                at: (frame.left - 8.0, y + SIZE * 0.36),
                anchor: Anchor::End,
                size: SIZE,
                text: &axis::short(tick),
                ..Label::default()
            });
        }
        let title = if self.log {
            format!("{} (logarithmic)", self.y_title)
        } else {
            self.y_title.clone()
        };
        let label = Label {
            at: (28.0, frame.top.midpoint(BOTTOM)),
            anchor: Anchor::Middle,
            size: 13.0,
            turn: -90.0,
            text: title.trim_start(),
            ..Label::default()
        };
        canvas.fitted(&label, BOTTOM - frame.top);
    }

    /// The bars themselves.
    fn draw_bars(&self, canvas: &mut Canvas, frame: &Frame<'_>) {
        // Narrow bars have narrow gaps.
        let width = (frame.band * 0.84).min(WIDEST);
        for (&place, &count) in &frame.bars {
            if count == 0 {
                continue;
            }
            // What is there is seen, however little it is.
            let height = (BOTTOM - frame.y(count)).max(1.5);
            let corner = (frame.x(place.into()) - width / 2.0, BOTTOM - height);
            let hint = format!("{} {place}: {}", self.x_title, figures::count(count));
            canvas.rectangle(corner, (width, height), BAR, Some(hint.trim_start()));
        }
    }

    /// The axis of the places.
    fn draw_places(&self, canvas: &mut Canvas, frame: &Frame<'_>) {
        let axis = Stroke {
            colour: GREY,
            width: 1.2,
            dashed: false,
        };
        canvas.line(&[(frame.left, BOTTOM), (RIGHT, BOTTOM)], axis);
        if frame.bars.is_empty() {
            canvas.label(&Label {
                at: (frame.left.midpoint(RIGHT), frame.top.midpoint(BOTTOM)),
                anchor: Anchor::Middle,
                size: 13.0,
                text: "nothing to show",
                ..Label::default()
            });
        }
        let room = text_width(&frame.last.to_string(), SIZE) + 10.0;
        let step = axis::step(frame.band, room);
        for place in axis::multiples(step, frame.first, frame.last) {
            let x = frame.x(place.into());
            canvas.line(&[(x, BOTTOM), (x, BOTTOM + 5.0)], axis);
            canvas.label(&Label {
                at: (x, BOTTOM + 20.0),
                anchor: Anchor::Middle,
                size: SIZE,
                text: &place.to_string(),
                ..Label::default()
            });
        }
        let label = Label {
            at: (frame.left.midpoint(RIGHT), HEIGHT - 18.0),
            anchor: Anchor::Middle,
            size: 13.0,
            text: &self.x_title,
            ..Label::default()
        };
        canvas.fitted(&label, RIGHT - frame.left);
    }

    /// The chart in words.
    fn description(&self, frame: &Frame<'_>) -> String {
        let highest = frame.bars.iter().rev().max_by_key(|&(_, count)| count);
        let Some((place, &count)) = highest else {
            return "A bar chart without bars.".to_owned();
        };
        let mut text = format!(
            "Bar chart of {} bars, {} by {}, from {} to {}. The highest is {} at {place}.",
            frame.bars.len(),
            self.y_title,
            self.x_title,
            frame.first,
            frame.last,
            figures::count(count),
        );
        for (marker, ..) in &frame.markers {
            text.extend([" Marked: ", &marker.label, "."]);
        }
        text
    }
}

/// Where everything goes in a chart.
struct Frame<'a> {
    bars: BTreeMap<u32, u64>,
    axis: Axis,
    left: f64,
    top: f64,
    first: u32,
    last: u32,
    /// The width that belongs to one bar and the gap beside it.
    band: f64,
    /// Each with the middle of its label and the line that this stands in.
    markers: Vec<(&'a Marker, f64, usize)>,
}

impl<'a> Frame<'a> {
    /// The middle of a place.
    fn x(&self, place: f64) -> f64 {
        let x = self.left + (place - f64::from(self.first) + 0.5) * self.band;
        x.clamp(self.left, RIGHT)
    }

    /// The height of a count.
    fn y(&self, count: u64) -> f64 {
        BOTTOM - (BOTTOM - self.top) * self.axis.height(count)
    }

    /// Finds a place for each label so that none is on another, and tells how many lines they take.
    fn place_labels(&mut self, markers: &[&'a Marker]) -> usize {
        let mut markers = markers.to_vec();
        markers.sort_by(|a, b| a.at.total_cmp(&b.at));
        // How far each line is taken.
        let mut lines: Vec<f64> = Vec::new();
        for marker in markers {
            let half = text_width(&marker.label, SIZE) / 2.0;
            // A label longer than the chart stands in the middle of it.
            let (from, to) = (self.left + half, RIGHT - half);
            let middle = if from < to {
                self.x(marker.at).clamp(from, to)
            } else {
                self.left.midpoint(RIGHT)
            };
            let free = |&taken: &f64| taken + 10.0 <= middle - half;
            let line = lines.iter().position(free).unwrap_or(lines.len());
            if line == lines.len() {
                lines.push(0.0);
            }
            lines[line] = middle + half;
            self.markers.push((marker, middle, line));
        }
        lines.len()
    }
}

/// Upright lines with their labels above.
fn draw_markers(canvas: &mut Canvas, frame: &Frame<'_>) {
    let baseline = |line: usize| TOP + LINE * float(line as u64) + 12.0;
    for &(marker, _, line) in &frame.markers {
        let x = frame.x(marker.at);
        // From its label down, or from below all labels when another one is in the way.
        let is_blocked = frame.markers.iter().any(|(other, middle, below)| {
            let half = text_width(&other.label, SIZE) / 2.0;
            *below > line && (middle - x).abs() < half + 4.0
        });
        let top = if is_blocked {
            frame.top
        } else {
            baseline(line) + 4.0
        };
        // A rim sets it off from the bars.
        for (colour, width, dashed) in [("#ffffff", 3.0, false), (MARK, 1.8, true)] {
            let stroke = Stroke {
                colour,
                width,
                dashed,
            };
            canvas.line(&[(x, BOTTOM), (x, top)], stroke);
        }
    }
    for &(marker, middle, line) in &frame.markers {
        let label = Label {
            at: (middle, baseline(line)),
            anchor: Anchor::Middle,
            size: SIZE,
            colour: MARK,
            text: &marker.label,
            ..Label::default()
        };
        canvas.fitted(&label, RIGHT - frame.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(bars: Vec<(u32, u64)>) -> BarChart {
        BarChart {
            title: "boards".to_owned(),
            x_title: "distance".to_owned(),
            y_title: "boards".to_owned(),
            bars,
            ..BarChart::default()
        }
    }

    fn marker(at: f64, label: &str) -> Marker {
        Marker {
            at,
            label: label.to_owned(),
        }
    }

    /// The attribute of each element of a kind.
    fn attributes(picture: &Picture, element: &str, attribute: &str) -> Vec<f64> {
        let document = roxmltree::Document::parse(&picture.svg).unwrap();
        let elements = document.descendants();
        let elements = elements.filter(|node| node.has_tag_name(element));
        let values = elements.filter_map(|node| node.attribute(attribute));
        values.map(|value| value.parse().unwrap()).collect()
    }

    /// The heights of the bars: all rectangles but the background.
    fn heights(chart: &BarChart) -> Vec<f64> {
        attributes(&chart.picture(), "rect", "height")[1..].to_vec()
    }

    #[test]
    fn bars_are_as_high_as_their_counts() {
        let heights = heights(&chart(vec![(0, 100), (1, 200), (3, 50), (4, 0)]));
        assert_eq!(heights.len(), 3, "nothing has no bar");
        assert!((heights[1] - 2.0 * heights[0]).abs() < 0.02);
        assert!((heights[0] - 2.0 * heights[2]).abs() < 0.02);
    }

    #[test]
    fn a_logarithmic_bar_of_one_is_seen_and_of_none_is_not() {
        let mut chart = chart(vec![(0, 1), (1, 0), (2, 10_000_000_000)]);
        chart.log = true;
        let heights = heights(&chart);
        assert_eq!(heights.len(), 2);
        assert!(heights[0] > 5.0, "{heights:?}");
        assert!(chart.picture().svg.contains("boards (logarithmic)"));
    }

    #[test]
    fn few_bars_or_none_are_no_trouble() {
        for log in [false, true] {
            for bars in [
                vec![],
                vec![(7, 0)],
                vec![(7, 3)],
                vec![(u32::MAX, u64::MAX)],
            ] {
                let mut chart = chart(bars);
                chart.log = log;
                let svg = chart.picture().svg;
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn figures_along_the_axis_do_not_touch() {
        for bars in 1..=200 {
            let chart = chart((0..bars).map(|place| (place, 5)).collect());
            let frame = chart.frame();
            let room = text_width(&frame.last.to_string(), SIZE);
            let step = axis::step(frame.band, room + 10.0);
            assert!(f64::from(step) * frame.band > room, "{bars}");
            assert!(bars / step <= 35, "{bars}");
            assert!(bars < 5 || bars / step >= 4, "{bars}");
        }
    }

    #[test]
    fn labels_of_close_markers_stand_in_different_lines() {
        let mut chart = chart((0..32).map(|place| (place, 5)).collect());
        chart.markers = vec![
            marker(22.0, "median 22"),
            marker(21.97, "mean 21.97"),
            marker(2.0, "far off"),
            marker(f64::NAN, "nowhere"),
        ];
        let frame = chart.frame();
        let lines: Vec<_> = frame
            .markers
            .iter()
            .map(|&(m, _, line)| (&*m.label, line))
            .collect();
        assert_eq!(lines, [("far off", 0), ("mean 21.97", 0), ("median 22", 1)]);
        assert!(frame.top > TOP + 2.0 * LINE - 1.0);
        assert!(chart.picture().svg.contains("Marked: mean 21.97."));
    }

    #[test]
    fn markers_are_within_the_picture() {
        let mut chart = chart(vec![(3, 5), (4, 5)]);
        chart.markers = vec![marker(-5.0, "low"), marker(9.4, &"long ".repeat(99))];
        let picture = chart.picture();
        let xs = attributes(&picture, "text", "x");
        assert!(xs.iter().all(|x| (0.0..=WIDTH).contains(x)), "{xs:?}");
    }
}

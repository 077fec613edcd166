//! The few shapes that charts are made of, as SVG.

use std::fmt::Write;

use super::Picture;

/// The font that pictures are drawn with; widths of text are reckoned with it.
#[cfg(feature = "png")]
pub(super) const FONT: &str = "DejaVu Sans";
/// The font, and those to take where it is not installed.
const FONTS: &str = "DejaVu Sans, Verdana, sans-serif";

/// The colour of titles.
pub(super) const INK: &str = "#1f2933";
/// The colour of everything else that is to be read.
pub(super) const GREY: &str = "#52606d";
/// The colour of lines that only guide the eye.
pub(super) const FAINT: &str = "#e1e5ea";

/// Where a text stands from its point.
#[derive(Clone, Copy, Default)]
pub(super) enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

/// A line of text.
pub(super) struct Label<'a> {
    /// Where it is anchored, on the base line.
    pub(super) at: (f64, f64),
    pub(super) anchor: Anchor,
    pub(super) size: f64,
    pub(super) colour: &'a str,
    /// Degrees by which it is turned clockwise around its anchor.
    pub(super) turn: f64,
    /// Whether a white rim sets it off from what is beneath.
    pub(super) rim: bool,
    pub(super) text: &'a str,
}

impl Default for Label<'_> {
    fn default() -> Self {
        Self {
            at: (0.0, 0.0),
            anchor: Anchor::Start,
            size: 12.0,
            colour: GREY,
            turn: 0.0,
            rim: false,
            text: "",
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(super) struct Stroke<'a> {
    pub(super) colour: &'a str,
    pub(super) width: f64,
    pub(super) dashed: bool,
}

/// The upper left corner and the size of a rectangle.
pub(super) type Rectangle = ((f64, f64), (f64, f64));

/// A picture in the making. Numbers are written with two decimals, so that the same chart is the
/// same text.
pub(super) struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    /// A white canvas: viewers with a dark background show the chart all the same.
    pub(super) fn new(width: f64, height: f64) -> Self {
        let mut canvas = Self {
            width,
            height,
            body: String::new(),
        };
        canvas.rectangle((0.0, 0.0), (width, height), "#ffffff", None);
        canvas
    }

    /// A filled rectangle, with a text that shows when a pointer rests on it.
    pub(super) fn rectangle(
        &mut self,
        corner: (f64, f64),
        size: (f64, f64),
        fill: &str,
        hint: Option<&str>,
    ) {
        let ((x, y), (width, height)) = (corner, size);
        self.push(format_args!(
            r#"<rect x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}" fill="{fill}""#
        ));
        match hint {
            Some(hint) => self.push(format_args!("><title>{}</title></rect>\n", escape(hint))),
            None => self.push(format_args!("/>\n")),
        }
    }

    /// Rectangles of one colour without gaps between neighbours.
    pub(super) fn tiles(&mut self, tiles: &[Rectangle], fill: &str) {
        self.push(format_args!(
            r#"<path shape-rendering="crispEdges" fill="{fill}" d=""#
        ));
        for ((x, y), (width, height)) in tiles {
            self.push(format_args!(
                "M{x:.2} {y:.2}h{width:.2}v{height:.2}h-{width:.2}z"
            ));
        }
        self.push(format_args!("\"/>\n"));
    }

    /// A line through points.
    pub(super) fn line(&mut self, points: &[(f64, f64)], stroke: Stroke<'_>) {
        let Stroke {
            colour,
            width,
            dashed,
        } = stroke;
        self.push(format_args!(
            r#"<polyline fill="none" stroke="{colour}" stroke-width="{width:.2}""#
        ));
        self.push(format_args!(r#" stroke-linejoin="round""#));
        if dashed {
            self.push(format_args!(r#" stroke-dasharray="5 4""#));
        }
        let points: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.2},{y:.2}"))
            .collect();
        self.push(format_args!(" points=\"{}\"/>\n", points.join(" ")));
    }

    /// A line of text.
    pub(super) fn label(&mut self, label: &Label<'_>) {
        let (x, y) = label.at;
        let anchor = match label.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (size, colour) = (label.size, label.colour);
        self.push(format_args!(
            r#"<text x="{x:.2}" y="{y:.2}" font-size="{size:.2}" fill="{colour}""#
        ));
        self.push(format_args!(r#" text-anchor="{anchor}""#));
        if label.turn != 0.0 {
            let turn = label.turn;
            self.push(format_args!(
                r#" transform="rotate({turn:.2} {x:.2} {y:.2})""#
            ));
        }
        if label.rim {
            self.push(format_args!(
                r##" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke""##
            ));
        }
        self.push(format_args!(">{}</text>\n", escape(label.text)));
    }

    /// A text that must not be wider than that: smaller if need be, then cut.
    pub(super) fn fitted(&mut self, label: &Label<'_>, width: f64) {
        let wanted = text_width(label.text, label.size);
        let size = (label.size * (width / wanted).min(1.0)).max(label.size * 0.7);
        let text = cut(label.text, size, width);
        self.label(&Label {
            size,
            text: &text,
            ..*label
        });
    }

    /// The title of the chart and the line below it.
    pub(super) fn heading(&mut self, title: &str, subtitle: &str) {
        let width = self.width - 48.0;
        self.fitted(
            &Label {
                at: (24.0, 36.0),
                size: 20.0,
                colour: INK,
                text: title,
                ..Label::default()
            },
            width,
        );
        self.fitted(
            &Label {
                at: (24.0, 58.0),
                size: 13.0,
                text: subtitle,
                ..Label::default()
            },
            width,
        );
    }

    /// The picture, with a title and a description for those who do not see it.
    pub(super) fn finish(self, title: &str, description: &str) -> Picture {
        let Self {
            width,
            height,
            body,
        } = self;
        let (title, description) = (escape(title), escape(description));
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="{FONTS}" role="img">
<title>{title}</title>
<desc>{description}</desc>
{body}</svg>
"#
        );
        Picture { svg }
    }

    /// Adds a piece of SVG.
    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.body.write_fmt(text);
    }
}

/// The text as XML takes it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write these.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// About how wide a text is. What stands in for the font where it is not installed is about as wide.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let thousandths: u32 = text.chars().map(advance).sum();
    f64::from(thousandths) / 1000.0 * size
}

/// The width of a character in thousandths of the size.
const fn advance(c: char) -> u32 {
    match c {
        'i' | 'j' | 'l' | 'I' | 'J' => 295,
        ' ' | ',' | '.' | ':' | ';' | '/' | '|' | '·' | '\'' => 337,
        'f' | 't' | 'r' | '(' | ')' | '-' | '*' | '"' => 420,
        '%' => 950,
        'm' | 'M' | 'w' | 'W' | '—' | '…' => 1000,
        '=' | '+' | '<' | '>' | '≤' | '≥' | '×' => 838,
        'A'..='Z' => 750,
        c if c.is_ascii() => 636,
        // Not known: an em is enough for nearly all.
        _ => 1000,
    }
}

/// As much of a text as fits.
fn cut(text: &str, size: f64, width: f64) -> String {
    // What was made to fit exactly may seem a hair too wide.
    if text_width(text, size) <= width + 0.01 {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while short.pop().is_some() {
        let end = short.trim_end().len();
        short.truncate(end);
        if text_width(&short, size) + text_width("…", size) <= width {
            break;
        }
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escape(r#"a < b & "c" > d"#),
            "a &lt; b &amp; &quot;c&quot; &gt; d"
        );
        assert_eq!(escape("a\nb\0c\u{ffff}"), "a b c\u{fffd}");
    }

    #[test]
    fn hostile_text_is_still_a_picture() {
        let mut canvas = Canvas::new(100.0, 50.0);
        let text = "</text><script>&\"'\u{1}";
        canvas.heading(text, text);
        canvas.rectangle((0.0, 0.0), (1.0, 1.0), FAINT, Some(text));
        let svg = canvas.finish(text, text).svg;
        assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
        assert!(!svg.contains("<script"));
    }

    #[test]
    fn long_texts_are_cut_and_short_ones_are_not() {
        assert_eq!(cut("short", 10.0, 100.0), "short");
        let short = cut(&"long ".repeat(100), 10.0, 100.0);
        assert!(
            short.starts_with("long long") && short.ends_with('…'),
            "{short}"
        );
        assert!(text_width(&short, 10.0) <= 100.0);
        assert_eq!(cut("any", 10.0, 0.0), "…");
    }

    #[test]
    fn a_small_picture_is_this_text() {
        let mut canvas = Canvas::new(20.0, 10.0);
        canvas.line(
            &[(0.0, 1.0), (2.5, 1.0 / 3.0)],
            Stroke {
                colour: INK,
                width: 1.0,
                dashed: true,
            },
        );
        canvas.tiles(&[((1.0, 2.0), (3.0, 4.0))], GREY);
        let expected = r##"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10" font-family="DejaVu Sans, Verdana, sans-serif" role="img">
<title>t</title>
<desc>d</desc>
<rect x="0.00" y="0.00" width="20.00" height="10.00" fill="#ffffff"/>
<polyline fill="none" stroke="#1f2933" stroke-width="1.00" stroke-linejoin="round" stroke-dasharray="5 4" points="0.00,1.00 2.50,0.33"/>
<path shape-rendering="crispEdges" fill="#52606d" d="M1.00 2.00h3.00v4.00h-3.00z"/>
</svg>
"##;
        assert_eq!(canvas.finish("t", "d").svg, expected);
    }
}

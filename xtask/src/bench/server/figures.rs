//! What was seen, beside what was asked for.

use std::fmt;
use std::time::Duration;

/// The rows of a table.
#[derive(Default)]
pub(super) struct Figures(Vec<Figure>);

struct Figure {
    what: String,
    floor: String,
    seen: String,
    met: bool,
}

impl Figures {
    /// Something that is good to know.
    pub(super) fn tell(&mut self, what: impl Into<String>, seen: impl fmt::Display) {
        self.expect(what, "", seen, true);
    }

    /// Something that was asked for, and whether it was met.
    pub(super) fn expect(
        &mut self,
        what: impl Into<String>,
        floor: impl fmt::Display,
        seen: impl fmt::Display,
        met: bool,
    ) {
        self.0.push(Figure {
            what: what.into(),
            floor: floor.to_string(),
            seen: seen.to_string(),
            met,
        });
    }

    /// A time that must stay under another.
    pub(super) fn expect_under(
        &mut self,
        what: impl Into<String>,
        floor: Duration,
        seen: Duration,
    ) {
        let under = format!("under {}", ms(floor));
        self.expect(what, under, ms(seen), seen < floor);
    }

    /// What was asked for and not seen.
    pub(super) fn missed(&self) -> impl Iterator<Item = &str> {
        let missed = self.0.iter().filter(|figure| !figure.met);
        missed.map(|figure| figure.what.as_str())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = |text: fn(&Figure) -> &str, title: &str| {
            let widths = self.0.iter().map(|figure| text(figure).chars().count());
            widths.max().unwrap_or(0).max(title.len())
        };
        let what = widest(|figure| &figure.what, "");
        let floor = widest(|figure| &figure.floor, "floor");
        writeln!(f, "  {:what$}  {:floor$}  seen", "", "floor")?;
        for figure in &self.0 {
            let missed = if figure.met { "" } else { "  MISSED" };
            let seen = &figure.seen;
            writeln!(
                f,
                "  {:what$}  {:floor$}  {seen}{missed}",
                figure.what, figure.floor
            )?;
        }
        Ok(())
    }
}

/// A time for people; the longest there is stands for none.
pub(super) fn ms(time: Duration) -> String {
    if time == Duration::MAX {
        return "none".to_owned();
    }
    let ms = time.as_secs_f64() * 1e3;
    if ms < 10.0 {
        format!("{ms:.2} ms")
    } else {
        format!("{ms:.0} ms")
    }
}

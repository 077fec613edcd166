//! What can be typed behind `cargo xtask bench korf24`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use crate::Result;

pub(crate) const USAGE: &str = "\
usage: korf24 [--until TIME] [--threads N] [--boards FROM-TO] [--fresh]
              [--journal PATH] [--table PATH] [--tables-dir PATH]

  --until TIME       at most this time for each board, as in 20s, 5m or 2h (default: 5m)
  --threads N        threads for each board (default: 2)
  --boards FROM-TO   only these in the order of difficulty, as in 1-20; or one, as in 3
  --fresh            forget the results so far
  --journal PATH     the results, a line a board (default: target/bench/korf24.jsonl)
  --table PATH       write the table between the markers of this file (default: print it)
  --tables-dir PATH  where pattern databases are kept (default: where the program keeps them)";

/// What is to be measured, and where the results go.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) until: Duration,
    pub(crate) threads: usize,
    /// Places in the order of difficulty, from 1 on.
    pub(crate) boards: RangeInclusive<usize>,
    pub(crate) fresh: bool,
    pub(crate) journal: PathBuf,
    pub(crate) table: Option<PathBuf>,
    pub(crate) tables: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            until: Duration::from_secs(300),
            threads: 2,
            boards: 1..=usize::MAX,
            fresh: false,
            journal: "target/bench/korf24.jsonl".into(),
            table: None,
            tables: None,
        }
    }
}

impl Options {
    pub(crate) fn read(args: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.into_iter();
        while let Some(name) = args.next() {
            if name == "--fresh" {
                options.fresh = true;
                continue;
            }
            let mut value = || args.next().ok_or(format!("{name} needs a value\n{USAGE}"));
            match &*name {
                "--until" => options.until = time(&value()?)?,
                "--threads" => options.threads = number(&value()?, "a number of threads")?,
                "--boards" => options.boards = range(&value()?)?,
                "--journal" => options.journal = value()?.into(),
                "--table" => options.table = Some(value()?.into()),
                "--tables-dir" => options.tables = Some(value()?.into()),
                _ => return Err(format!("unknown: {name}\n{USAGE}").into()),
            }
        }
        Ok(options)
    }
}

/// A time: `500ms`, `20s`, `1.5m`, `2h`, or seconds as a plain number.
fn time(text: &str) -> Result<Duration> {
    let fail = || format!("{text} is no time as in 20s, 5m or 2h");
    let unit_from = text.find(char::is_alphabetic).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_from);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(fail().into()),
    };
    let number: f64 = number.parse().map_err(|_| fail())?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| fail())?;
    if time.is_zero() {
        return Err(fail().into());
    }
    Ok(time)
}

/// Numbers from 1 on: `1-20`, or one as in `3`.
fn range(text: &str) -> Result<RangeInclusive<usize>> {
    let what = "boards as in 1-20 or 3";
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (number(from, what)?, number(to, what)?);
    if from > to {
        return Err(format!("{text}: {what} are wanted").into());
    }
    Ok(from..=to)
}

/// A number from 1 on.
fn number(text: &str, what: &str) -> Result<usize> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{text}: {what} is wanted").into()),
    }
}

/// A time as it is typed: `5m`, `20s`.
pub(crate) fn typed(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.subsec_millis());
    match seconds {
        _ if millis > 0 => format!("{}ms", time.as_millis()),
        s if s % 3600 == 0 => format!("{}h", s / 3600),
        s if s % 60 == 0 => format!("{}m", s / 60),
        s => format!("{s}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Options> {
        Options::read(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_read() {
        assert_eq!(read("").unwrap(), Options::default());
        let options = read("--until 20s --threads 1 --boards 2-4 --fresh --table a.md").unwrap();
        let expected = Options {
            until: Duration::from_secs(20),
            threads: 1,
            boards: 2..=4,
            fresh: true,
            table: Some("a.md".into()),
            ..Options::default()
        };
        assert_eq!(options, expected);
        assert_eq!(read("--boards 3").unwrap().boards, 3..=3);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in [
            "--until",
            "--until soon",
            "--until 0s",
            "--until -5m",
            "--until 5d",
            "--threads 0",
            "--boards 4-2",
            "--boards 0",
            "--boards -",
            "--quick",
            "38",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_written_as_they_are_typed() {
        for text in ["500ms", "20s", "90s", "5m", "2h"] {
            assert_eq!(typed(time(text).unwrap()), text);
        }
        assert_eq!(time("1.5m").unwrap(), Duration::from_secs(90));
        assert_eq!(time("7").unwrap(), Duration::from_secs(7));
    }
}

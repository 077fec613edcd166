//! The file that a picture goes to.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(feature = "png")]
use anyhow::Context;
use anyhow::Result;
use clap::builder::{PathBufValueParser, TryMapValueParser, TypedValueParser, ValueParserFactory};

use super::Picture;
#[cfg(feature = "png")]
use super::png;
use crate::interrupt;

/// Where a picture goes, as in `--plot distances.svg`. The end of the name is the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlotFile {
    path: PathBuf,
    format: Format,
}

/// The forms of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

impl TryFrom<PathBuf> for PlotFile {
    type Error = String;

    fn try_from(path: PathBuf) -> Result<Self, String> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match extension.to_str() {
            Some("svg") => Format::Svg,
            #[cfg(feature = "png")]
            Some("png") => Format::Png,
            #[cfg(not(feature = "png"))]
            Some("png") => {
                return Err(
                    "this program was built without PNG pictures: name an .svg file, or \
                            build it with `--features png`"
                        .to_owned(),
                );
            }
            _ => return Err("pictures end in .svg or .png".to_owned()),
        };
        Ok(Self { path, format })
    }
}

/// How [`PlotFile`] is read from the command line.
type Parser = TryMapValueParser<PathBufValueParser, fn(PathBuf) -> Result<PlotFile, String>>;

impl ValueParserFactory for PlotFile {
    type Parser = Parser;

    fn value_parser() -> Parser {
        PathBufValueParser::new().try_map(Self::try_from)
    }
}

impl PlotFile {
    /// Complains when the folder of the file is not there. A command that computes for long asks
    /// before it begins.
    pub(crate) fn check_folder(&self) -> Result<()> {
        let folder = self.folder();
        let is_folder = std::fs::metadata(folder).and_then(|data| {
            if data.is_dir() {
                Ok(())
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        });
        is_folder.map_err(|error| self.explain(error))
    }

    /// Writes the picture. A file that is there is replaced only when all went well.
    pub(crate) fn write(&self, picture: &Picture) -> Result<()> {
        let bytes = match self.format {
            Format::Svg => picture.svg.as_bytes().to_vec(),
            #[cfg(feature = "png")]
            Format::Png => png::render(&picture.svg)
                .with_context(|| format!("cannot draw {}: try an .svg", self.path.display()))?,
        };
        interrupt::wait_for(|| self.replace(&bytes)).map_err(|error| self.explain(error))
    }

    /// Puts a whole new file in the place of the old one.
    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".taquin-");
        // Pictures are no secret. The process's mask still applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(self.folder())?;
        file.write_all(bytes)?;
        // Without this a loss of power could leave the new name with nothing behind it.
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// The folder that the file is in.
    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// What went wrong with which file, and what to do.
    fn explain(&self, error: io::Error) -> anyhow::Error {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => "make its folder first, or name another",
            io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
                "name a file in a folder that exists"
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "name a file in a folder that you may write to"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room, or name a file on another disk"
            }
            _ => "try another file",
        };
        let path = self.path.display();
        anyhow::Error::new(error).context(format!("cannot write {path}; {advice}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn picture() -> Picture {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>"#;
        Picture {
            svg: svg.to_owned(),
        }
    }

    fn plot_file(path: impl Into<PathBuf>) -> Result<PlotFile, String> {
        PlotFile::try_from(path.into())
    }

    #[test]
    fn the_end_of_the_name_is_the_format() {
        for (path, format) in [
            ("a.svg", Format::Svg),
            ("b/a.SVG", Format::Svg),
            #[cfg(feature = "png")]
            ("a.b.Png", Format::Png),
        ] {
            assert_eq!(plot_file(path).unwrap().format, format, "{path}");
        }
        for path in ["a", "svg", ".svg", "a.svg.gz", "a.jpg", "png/"] {
            let message = plot_file(path).unwrap_err();
            assert_eq!(message, "pictures end in .svg or .png", "{path}");
        }
    }

    #[test]
    fn the_option_is_checked_when_it_is_parsed() {
        let command = || {
            let option = clap::Arg::new("plot").long("plot");
            clap::Command::new("test").arg(option.value_parser(PlotFile::value_parser()))
        };
        let parsed = command().get_matches_from(["test", "--plot", "a.svg"]);
        let file = parsed.get_one::<PlotFile>("plot").unwrap();
        assert_eq!(file.path, Path::new("a.svg"));
        let refused = command().try_get_matches_from(["test", "--plot", "a.gif"]);
        let message = refused.unwrap_err().to_string();
        assert!(
            message.contains("pictures end in .svg or .png"),
            "{message}"
        );
    }

    #[test]
    fn a_picture_replaces_the_old_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        fs::write(&path, "old").unwrap();
        plot_file(&path).unwrap().write(&picture()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), picture().svg);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(not(feature = "png"))]
    #[test]
    fn a_program_without_png_says_what_to_do() {
        let message = plot_file("a.png").unwrap_err();
        assert!(message.contains("name an .svg file"), "{message}");
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_png_is_a_png() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        plot_file(&path).unwrap().write(&picture()).unwrap();
        assert!(fs::read(&path).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
    }

    #[cfg(unix)]
    #[test]
    fn a_picture_is_as_readable_as_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        plot_file(&path).unwrap().write(&picture()).unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&other));
    }

    #[test]
    fn a_missing_folder_is_named_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let file = plot_file(folder.path().join("none/a.svg")).unwrap();
        for result in [file.check_folder(), file.write(&picture())] {
            let message = format!("{:#}", result.unwrap_err());
            assert!(
                message.contains("a.svg; make its folder first"),
                "{message}"
            );
        }
        let file = plot_file(folder.path().join("a.svg")).unwrap();
        file.check_folder().unwrap();
        plot_file("a.svg").unwrap().check_folder().unwrap();
    }
}

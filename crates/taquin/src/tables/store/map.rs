//! The one place where a file becomes memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a whole file for reading.
///
/// The whole of it, not only the payload: a map that begins where the file does lets Linux use huge
/// pages for files that it holds in large pieces.
///
/// No advice (`MADV_WILLNEED`, `MADV_SEQUENTIAL`, `MAP_POPULATE`) goes with it: with the file in the
/// page cache none made it faster, see `docs/benchmarks.md`, and without, the disk's own whims were
/// larger than any difference.
#[expect(
    unsafe_code,
    reason = "a map is the only way to have 200 MB at hand in microseconds"
)]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private to this process and read-only, so what is left to prove is that
    // nobody else changes the file while it is mapped. No program of ours does: a table is written
    // to a temporary file that no one maps, and renamed when it is complete; to replace or remove
    // it takes away the name only, and the file lives on as long as it is mapped. Nothing can stop
    // another program from writing into the file, as with any file that is mapped or any library
    // that is loaded. If one does, then
    // * other bytes: we read wrong values. The checksums find them if they are there when `verify`
    //   comes by, and `confirm` notices the write before anything is claimed that was found with
    //   them; no value of a byte is invalid, and nobody uses one as an address or as an index
    //   without a check.
    // * a shorter file: reading what is gone ends the process with SIGBUS (an exception on
    //   Windows). That is a loud end, and no wrong answer.
    unsafe { Mmap::map(file) }
}

//! The memory that tables live in.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use thiserror::Error;

use super::ChangedTableError;
#[cfg(feature = "store")]
use super::store::MappedTable;
#[cfg(feature = "store")]
use memmap2::MmapMut;

/// From this length on [`BytesMut::zeroed`] asks for huge pages: below it there is nothing to win,
/// since the processor knows the places of a thousand common pages by heart.
#[cfg(feature = "store")]
const HUGE_FROM: usize = 4 << 20;

/// Bytes to be filled.
///
/// With the feature `store` four mebibytes and more lie in huge pages, where the system has them:
/// a table is read all over, and with pages of four kibibytes most reads would have to look for
/// their page first.
///
/// ```
/// use taquin::tables::{Bytes, BytesMut};
///
/// let mut bytes = BytesMut::zeroed(1000)?;
/// bytes[7] = 1;
/// let table = Bytes::from(bytes);
/// assert_eq!(table[..8], [0, 0, 0, 0, 0, 0, 0, 1]);
/// # Ok::<(), taquin::tables::OutOfMemoryError>(())
/// ```
pub struct BytesMut(Memory);

/// Where bytes that can be written lie.
enum Memory {
    Heap(Vec<u8>),
    #[cfg(feature = "store")]
    Huge(MmapMut),
}

/// There is not as much memory; it hands back what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no memory for {bytes} bytes")]
pub struct OutOfMemoryError {
    /// The bytes asked for.
    pub bytes: usize,
}

/// Makes room for `more` values, or says that there is no memory for them.
pub(crate) fn try_reserve_exact<T>(
    values: &mut Vec<T>,
    more: usize,
) -> Result<(), OutOfMemoryError> {
    let reserved = values.try_reserve_exact(more);
    reserved.map_err(|_| OutOfMemoryError {
        bytes: more.saturating_mul(size_of::<T>()),
    })
}

/// Whether the system has this many bytes in one piece. They are given back at once.
pub(crate) fn may_have(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_given = room.try_reserve_exact(bytes).is_ok();
    // Else the compiler may take out an allocation that nobody uses.
    std::hint::black_box(&mut room);
    is_given
}

impl BytesMut {
    /// `len` bytes, all zero.
    ///
    /// Most systems hand out pages only when they are written to, so that this takes no time, and
    /// a system that promises more than it has is not found out here.
    pub fn zeroed(len: usize) -> Result<Self, OutOfMemoryError> {
        #[cfg(feature = "store")]
        if len >= HUGE_FROM
            && let Ok(map) = MmapMut::map_anon(len)
        {
            ask_for_huge_pages(&map);
            return Ok(Self(Memory::Huge(map)));
        }
        // `vec!` gets zeroed pages without writing to them, but ends the process if there are none:
        // so ask first.
        if !may_have(len) {
            return Err(OutOfMemoryError { bytes: len });
        }
        Ok(Self(Memory::Heap(vec![0; len])))
    }
}

/// Pages that the system does not make huge are as good, only slower, so a refusal does no harm.
#[cfg(feature = "store")]
fn ask_for_huge_pages(map: &MmapMut) {
    #[cfg(target_os = "linux")]
    drop(map.advise(memmap2::Advice::HugePage));
    #[cfg(not(target_os = "linux"))]
    let _ = map;
}

impl Deref for BytesMut {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Memory::Heap(bytes) => bytes,
            #[cfg(feature = "store")]
            Memory::Huge(map) => map,
        }
    }
}

impl DerefMut for BytesMut {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Memory::Heap(bytes) => bytes,
            #[cfg(feature = "store")]
            Memory::Huge(map) => map,
        }
    }
}

impl From<Vec<u8>> for BytesMut {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Memory::Heap(bytes))
    }
}

/// Says how many there are, not which.
impl fmt::Debug for BytesMut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BytesMut({})", self.len())
    }
}

/// Bytes that do not change any more, in memory or in a mapped file. A clone shares them.
///
/// Dereferencing follows two pointers, so take the slice once before a hot loop.
#[derive(Clone)]
pub struct Bytes(Arc<Source>);

/// Where bytes that are only read lie.
enum Source {
    Memory(BytesMut),
    #[cfg(feature = "store")]
    File(MappedTable),
}

impl Bytes {
    /// Whether they are those of a mapped file.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        match &*self.0 {
            Source::Memory(_) => false,
            #[cfg(feature = "store")]
            Source::File(_) => true,
        }
    }

    /// Whether these bytes are still those that were checked. In memory they are; a mapped file may
    /// have been written to by another program, and then whatever was found with them may be wrong.
    ///
    /// Ask after the last use and before anything is claimed. It takes less than a microsecond,
    /// unless something happened to the file, or it was written just before it was checked: then all
    /// of it is read again.
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        match &*self.0 {
            Source::Memory(_) => Ok(()),
            #[cfg(feature = "store")]
            Source::File(mapped) => mapped.confirm(),
        }
    }
}

#[cfg(feature = "store")]
impl Bytes {
    /// The bytes of a mapped file.
    pub(super) fn mapped(mapped: MappedTable) -> Self {
        Self(Arc::new(Source::File(mapped)))
    }

    /// The file that they are mapped from, if they are.
    pub(super) fn file(&self) -> Option<&MappedTable> {
        match &*self.0 {
            Source::Memory(_) => None,
            Source::File(mapped) => Some(mapped),
        }
    }

    /// A copy in memory of its own, in huge pages if it is large and the system has them, made by
    /// `threads` threads.
    ///
    /// It repays itself for a batch where the system maps files in small pages.
    pub fn to_huge_pages(&self, threads: usize) -> Result<Self, OutOfMemoryError> {
        /// Some huge pages, so that no two threads are given parts of one.
        const PART: usize = 8 << 20;
        let mut copy = BytesMut::zeroed(self.len())?;
        let parts = copy.chunks_mut(PART).zip(self.chunks(PART));
        let parts = std::sync::Mutex::new(parts);
        let next = || parts.lock().ok()?.next();
        crate::threads::on_threads(threads, || {
            while let Some((to, from)) = next() {
                to.copy_from_slice(from);
            }
        });
        Ok(copy.into())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &*self.0 {
            Source::Memory(bytes) => bytes,
            #[cfg(feature = "store")]
            Source::File(mapped) => mapped.payload(),
        }
    }
}

impl From<BytesMut> for Bytes {
    fn from(bytes: BytesMut) -> Self {
        Self(Arc::new(Source::Memory(bytes)))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        BytesMut::from(bytes).into()
    }
}

/// Says how many there are, not which.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_bytes_are_zero_and_can_be_written_whatever_their_number() {
        for len in [0, 1, 4096, (4 << 20) - 1, 4 << 20, (8 << 20) + 5] {
            let mut bytes = BytesMut::zeroed(len).unwrap();
            assert_eq!(bytes.len(), len);
            assert!(bytes.iter().all(|&byte| byte == 0), "{len} bytes");
            bytes.fill(7);
            let bytes = Bytes::from(bytes);
            let shared = bytes.clone();
            drop(bytes);
            assert_eq!(shared.len(), len);
            assert!(shared.iter().all(|&byte| byte == 7), "{len} bytes");
        }
    }

    #[test]
    fn more_than_there_can_be_is_refused() {
        for bytes in [usize::MAX, isize::MAX as usize] {
            assert_eq!(
                BytesMut::zeroed(bytes).err(),
                Some(OutOfMemoryError { bytes })
            );
        }
    }

    #[cfg(feature = "store")]
    #[test]
    fn a_copy_in_huge_pages_is_equal_whatever_the_number_of_threads() {
        let original: Vec<u8> = (0..20_000_003_u32).map(|i| (i % 251) as u8).collect();
        let original = Bytes::from(original);
        for threads in [0, 1, 2, 5] {
            let copy = original.to_huge_pages(threads).unwrap();
            assert!(*copy == *original, "{threads} threads");
        }
        assert!(Bytes::from(Vec::new()).to_huge_pages(2).unwrap().is_empty());
    }
}

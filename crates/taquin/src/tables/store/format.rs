//! The file of a table: a header, then the payload.
//!
//! | at | bytes | what |
//! |---:|---:|---|
//! | 0 | 8 | magic: `TAQUIN`, 0x1a, 0x0a |
//! | 8 | 4 | version of the format |
//! | 12 | 4 | checksum of the header without these four bytes |
//! | 16 | 1 | rows |
//! | 17 | 1 | columns |
//! | 18 | 1 | the goal's blank cell |
//! | 19 | 1 | the largest value in the table |
//! | 20 | 1 | what it is of: 0 a pattern, 1 all boards in single-tile moves, 2 in multi-tile moves, 3 classes of coloured boards in multi-tile moves |
//! | 21 | 3 | zero |
//! | 24 | 8 | the pattern: bit `c` for the tile whose home is cell `c`; zero for all boards; of coloured boards bits `2c` and `2c + 1` for the colour of the tile whose home is cell `c`, zero for the blank |
//! | 32 | 8 | entries |
//! | 40 | 8 | bytes of the payload |
//! | 48 | 4 each | a checksum for each mebibyte of the payload; the last part may be shorter |
//! | | | zeros up to a multiple of 4096, which is the end of the header |
//! | | | the payload, up to the end of the file |
//!
//! Numbers are little-endian. Checksums are CRC-32 as in gzip and PNG, which finds every single
//! flipped bit and every damage within 32 bits; by chance one damage in four billion is missed.
//! The checksums of the payload's parts stand in the header, so that to check the header is to
//! check that they are the right ones, and the parts can be checked by several threads.

use super::error::StoreErrorKind;
use crate::tables::{ClassKey, Key, Pattern, SpaceKey, TableSubject};
use crate::{Metric, Size};

/// The version of the format, which is that of the header and of what the payload's bytes mean: a
/// new order of the entries is a new version.
pub(super) const VERSION: u32 = 1;

/// The payload is summed in parts of this many bytes.
pub(super) const PART: usize = 1 << 20;

/// No text begins like that, and a copy that changed line ends would be noticed.
const MAGIC: [u8; 8] = *b"TAQUIN\x1a\n";

/// The payload begins at a multiple of this: the size of a page, so that it is aligned in memory.
const PAGE: u64 = 4096;

// Where the fields are.
const CHECKSUM: usize = 12;
const SUMS: usize = 48;

/// What the file of a table says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// What the table is of.
    pub subject: TableSubject,
    /// How many entries it has.
    pub entries: u64,
    /// The largest value in it.
    pub max: u8,
}

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) description: Description,
    /// The length of the payload.
    pub(super) bytes: u64,
    /// The checksum of each part of the payload.
    pub(super) sums: Vec<u32>,
}

impl Header {
    /// The header for a payload.
    pub(super) fn of(description: Description, payload: &[u8]) -> Self {
        Self {
            description,
            bytes: payload.len() as u64,
            sums: payload.chunks(PART).map(crc32fast::hash).collect(),
        }
    }

    /// Where the payload begins in the file: the length of the header.
    pub(super) fn payload_start(&self) -> u64 {
        payload_start(self.bytes)
    }

    /// The header as it stands in the file.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Description {
            subject,
            entries,
            max,
        } = self.description;
        let mut header = Vec::with_capacity(self.payload_start() as usize);
        header.extend(MAGIC);
        header.extend(VERSION.to_le_bytes());
        header.extend([0; 4]);
        let [rows, columns] = [subject.size().rows(), subject.size().columns()];
        header.extend([rows as u8, columns as u8, subject.blank() as u8, max]);
        let (kind, tiles) = match subject {
            TableSubject::Pattern(key) => (0, key.pattern().homes()),
            TableSubject::Space(key) => match key.metric {
                Metric::Single => (1, 0),
                Metric::Multi => (2, 0),
            },
            TableSubject::Classes(key) => (3, key.code()),
        };
        header.extend([kind, 0, 0, 0]);
        header.extend(tiles.to_le_bytes());
        header.extend(entries.to_le_bytes());
        header.extend(self.bytes.to_le_bytes());
        header.extend(self.sums.iter().flat_map(|sum| sum.to_le_bytes()));
        header.resize(self.payload_start() as usize, 0);
        let checksum = checksum(&header);
        header[CHECKSUM..][..4].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Reads the header of a file and checks all that can be checked without the payload.
    pub(super) fn decode(file: &[u8]) -> Result<Self, StoreErrorKind> {
        let found = file.len() as u64;
        let incomplete = StoreErrorKind::Incomplete { found };

        // 1. Is it ours, and in our version? A file that ends so early that it cannot be told was
        //    more likely cut off than made by another program.
        if !file.starts_with(&MAGIC) {
            let cut = MAGIC.starts_with(file);
            return Err(if cut {
                incomplete
            } else {
                StoreErrorKind::Foreign
            });
        }
        if file.len() < SUMS {
            return Err(incomplete);
        }
        let version = u32::from_le_bytes(field(file, 8));
        if version != VERSION {
            return Err(StoreErrorKind::Version { found: version });
        }

        // 2. Is the header whole? Its length follows from that of the payload, which may itself be
        //    damaged: then it is too long for the file, or the checksum does not fit.
        let bytes = u64::from_le_bytes(field(file, 40));
        let start = payload_start(bytes);
        if start > found {
            return Err(incomplete);
        }
        let header = &file[..start as usize];
        if checksum(header) != u32::from_le_bytes(field(header, CHECKSUM)) {
            return Err(StoreErrorKind::Header);
        }

        // 3. From here on the header is what was written. Is the payload as long as it was?
        let expected = start.saturating_add(bytes);
        if found != expected {
            return Err(StoreErrorKind::Length { expected, found });
        }
        let [rows, columns, blank, max] = field(header, 16).map(usize::from);
        let tiles = u64::from_le_bytes(field(header, 24));
        let size = Size::new(rows, columns).ok();
        let subject = size.and_then(|size| subject(size, blank, header[20], tiles));
        let sums = header[SUMS..].chunks_exact(4).take(parts(bytes) as usize);
        Ok(Self {
            description: Description {
                // No program of ours writes a header that speaks of no table.
                subject: subject.ok_or(StoreErrorKind::Foreign)?,
                entries: u64::from_le_bytes(field(header, 32)),
                max: max as u8,
            },
            bytes,
            sums: sums.map(|sum| u32::from_le_bytes(field(sum, 0))).collect(),
        })
    }
}

/// What a table is of, by what its header says; `None` if there are no such tables.
fn subject(size: Size, blank: usize, kind: u8, tiles: u64) -> Option<TableSubject> {
    let metric = match kind {
        0 => {
            let key = Key::new(size, blank, Pattern::from_homes(tiles));
            return key.ok().map(TableSubject::Pattern);
        }
        1 => Metric::Single,
        2 => Metric::Multi,
        3 => return ClassKey::from_code(size, blank, tiles).map(TableSubject::Classes),
        _ => return None,
    };
    (tiles == 0 && blank < size.cells()).then_some(TableSubject::Space(SpaceKey {
        size,
        blank,
        metric,
    }))
}

/// How many parts a payload has.
fn parts(bytes: u64) -> u64 {
    bytes.div_ceil(PART as u64)
}

/// Where a payload of so many bytes begins: the header's length. It cannot overflow, since there is
/// a checksum for a mebibyte only.
fn payload_start(bytes: u64) -> u64 {
    (SUMS as u64 + 4 * parts(bytes)).next_multiple_of(PAGE)
}

/// The checksum of a header without its own place.
fn checksum(header: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&header[..CHECKSUM]);
    crc.update(&header[CHECKSUM + 4..]);
    crc.finalize()
}

/// The bytes of a field, which lies within them.
fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::{ClassCatalogue, Tier};

    fn description() -> Description {
        let size = Size::new(4, 5).unwrap();
        let pattern = [0, 1, 5, 18].into_iter().collect();
        Description {
            subject: Key::new(size, 19, pattern).unwrap().into(),
            entries: 0x0102_0304_0506,
            max: 41,
        }
    }

    fn file(payload: &[u8]) -> Vec<u8> {
        let mut file = Header::of(description(), payload).encode();
        file.extend(payload);
        file
    }

    #[test]
    fn the_header_is_laid_out_as_the_documents_say() {
        let file = file(b"123456789");
        assert_eq!(file.len(), 4096 + 9);
        assert_eq!(file[..12], *b"TAQUIN\x1a\n\x01\0\0\0");
        assert_eq!(file[16..24], [4, 5, 19, 41, 0, 0, 0, 0]);
        assert_eq!(file[24..32], [0b10_0011, 0, 0b100, 0, 0, 0, 0, 0]);
        assert_eq!(file[32..40], [6, 5, 4, 3, 2, 1, 0, 0]);
        assert_eq!(file[40..48], [9, 0, 0, 0, 0, 0, 0, 0]);
        // The check value that every description of CRC-32 gives for these nine digits.
        assert_eq!(file[48..52], 0xcbf4_3926_u32.to_le_bytes());
        assert!(file[52..4096].iter().all(|&byte| byte == 0));
    }

    #[test]
    fn the_header_of_a_whole_space_says_so_and_is_read() {
        for (metric, kind) in [(Metric::Single, 1), (Metric::Multi, 2)] {
            let key = SpaceKey {
                size: Size::new(3, 4).unwrap(),
                blank: 11,
                metric,
            };
            let description = Description {
                subject: key.into(),
                ..description()
            };
            let mut file = Header::of(description, b"1").encode();
            file.push(b'1');
            assert_eq!(file[16..24], [3, 4, 11, 41, kind, 0, 0, 0]);
            assert_eq!(file[24..32], [0; 8]);
            assert_eq!(Header::decode(&file).unwrap().description, description);
        }
    }

    #[test]
    fn the_header_of_coloured_boards_has_their_colours_and_is_read() {
        let catalogue = ClassCatalogue::of(Size::new(2, 3).unwrap(), 5, Tier::Full).unwrap();
        let key = catalogue.keys()[0];
        let description = Description {
            subject: key.into(),
            ..description()
        };
        let mut file = Header::of(description, b"1").encode();
        file.push(b'1');
        assert_eq!(file[16..24], [2, 3, 5, 41, 3, 0, 0, 0]);
        assert_eq!(file[24..32], key.code().to_le_bytes());
        assert_eq!(Header::decode(&file).unwrap().description, description);
    }

    #[test]
    fn what_is_written_is_read_and_the_payload_is_aligned() {
        for len in [0, 1, PART - 1, PART, PART + 1, 3 * PART] {
            let payload: Vec<u8> = (0..len).map(|i| (i % 253) as u8).collect();
            let header = Header::of(description(), &payload);
            assert_eq!(header.sums.len(), len.div_ceil(PART));
            assert!(header.payload_start().is_multiple_of(PAGE));
            assert_eq!(Header::decode(&file(&payload)).unwrap(), header);
        }
    }

    #[test]
    fn a_header_of_several_pages_is_read() {
        // As of a payload that nobody wants to write in a test.
        let bytes = 3000 * PART as u64;
        let header = Header {
            description: description(),
            bytes,
            sums: (0..3000).collect(),
        };
        let file = header.encode();
        assert_eq!(file.len(), 3 * 4096);
        let expected = file.len() as u64 + bytes;
        match Header::decode(&file) {
            Err(StoreErrorKind::Length { expected: e, found }) => {
                assert_eq!((e, found), (expected, file.len() as u64));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_flipped_bit_of_the_header_is_noticed() {
        let mut file = file(&[7; 5000]);
        for bit in 0..4096 * 8 {
            file[bit / 8] ^= 1 << (bit % 8);
            let kind = Header::decode(&file).expect_err(&format!("bit {bit}"));
            match bit / 8 {
                0..8 => assert!(matches!(kind, StoreErrorKind::Foreign), "{bit}: {kind}"),
                8..12 => assert!(
                    matches!(kind, StoreErrorKind::Version { .. }),
                    "{bit}: {kind}"
                ),
                // A length that is much too long hides the end of the header.
                40..48 => assert!(
                    matches!(
                        kind,
                        StoreErrorKind::Header | StoreErrorKind::Incomplete { .. }
                    ),
                    "{bit}: {kind}"
                ),
                _ => assert!(matches!(kind, StoreErrorKind::Header), "{bit}: {kind}"),
            }
            file[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(Header::decode(&file).is_ok());
    }

    #[test]
    fn a_file_cut_off_anywhere_or_grown_is_noticed() {
        let mut file = file(&[7; 5000]);
        for len in 0..file.len() {
            let kind = Header::decode(&file[..len]).expect_err(&format!("{len} bytes"));
            match kind {
                StoreErrorKind::Incomplete { found } => {
                    assert_eq!(found, len as u64);
                    assert!(len < 4096);
                }
                StoreErrorKind::Length { expected, found } => {
                    assert_eq!((expected, found), (9096, len as u64));
                    assert!(len >= 4096);
                }
                other => panic!("{len}: {other}"),
            }
        }
        file.push(0);
        assert!(matches!(
            Header::decode(&file),
            Err(StoreErrorKind::Length {
                expected: 9096,
                found: 9097
            })
        ));
    }

    #[test]
    fn a_header_in_order_that_speaks_of_no_table_is_foreign() {
        // A board of one row; a kind that is not known; a whole space with a pattern.
        for (at, value) in [(16, 1), (20, 3), (20, 1)] {
            let mut file = file(&[7; 10]);
            file[at] = value;
            let checksum = checksum(&file[..4096]);
            file[CHECKSUM..][..4].copy_from_slice(&checksum.to_le_bytes());
            assert!(matches!(
                Header::decode(&file),
                Err(StoreErrorKind::Foreign)
            ));
        }
    }

    proptest! {
        #[test]
        fn no_file_makes_the_reader_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..9000),
            magic in 0..=12_usize,
        ) {
            let ours = b"TAQUIN\x1a\n\x01\0\0\0";
            let len = magic.min(bytes.len());
            bytes[..len].copy_from_slice(&ours[..len]);
            prop_assert!(Header::decode(&bytes).is_err());
        }
    }
}

//! What a table of 200 MB costs to open, to verify, to copy and to read all over.
//!
//! The file lies in the system's folder for temporary files (`TMPDIR`) and is in the page cache.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use taquin::Rng;
use taquin::tables::store::Store;
use taquin::tables::{Key, Pattern};

const BYTES: usize = 200 << 20;
/// Reads that depend on one another, as those of a search do.
const READS: usize = 1 << 20;

fn store(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path());
    let size = "4x4".parse().expect("a size");
    let key = Key::new(size, 15, Pattern::from_homes(0b1_0011)).expect("a table");
    let mut rng = Rng::from_seed(1);
    let random = |_| rng.next_u64().to_le_bytes();
    let payload: Vec<u8> = (0..BYTES / 8).flat_map(random).collect();

    let mut group = c.benchmark_group("store");
    group.sample_size(10);
    let lock = store
        .try_lock(key)
        .expect("a folder")
        .expect("nobody else is here");
    let write = || lock.write(BYTES as u64, 1, &payload).expect("room");
    group.bench_function("write", |b| b.iter(write));
    drop(payload);

    let open = || store.open(key).expect("in order").expect("written");
    group.bench_function("open", |b| b.iter(|| open().bytes().len()));
    let table = open();
    group.throughput(Throughput::Bytes(BYTES as u64));
    for threads in [1, 2, 4] {
        group.bench_function(format!("open and verify, {threads} threads"), |b| {
            b.iter(|| open().verify(threads).expect("in order"));
        });
        group.bench_function(format!("copy to huge pages, {threads} threads"), |b| {
            b.iter(|| table.bytes().to_huge_pages(threads).expect("memory"));
        });
    }

    group.throughput(Throughput::Elements(READS as u64));
    let huge = table.bytes().to_huge_pages(1).expect("memory");
    let heap = table.bytes().to_vec();
    let memories: [(&str, &[u8]); 3] = [
        ("mapped", table.bytes()),
        ("huge pages", &huge),
        ("heap", &heap),
    ];
    for (name, bytes) in memories {
        group.bench_function(format!("random reads, {name}"), |b| {
            b.iter(|| read_all_over(black_box(bytes)));
        });
    }
    group.finish();
}

/// Reads bytes at random places; where the next one is depends on the last one.
fn read_all_over(bytes: &[u8]) -> u64 {
    (0..READS).fold(1, |state: u64, _| {
        let at = (u128::from(state) * bytes.len() as u128) >> 64;
        let read = u64::from(bytes[at as usize]);
        (state ^ read).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (state >> 29)
    })
}

criterion_group!(benches, store);
criterion_main!(benches);

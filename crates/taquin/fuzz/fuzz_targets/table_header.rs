//! No file in the place of a table makes the store panic, and none is accepted without its
//! checksums.

#![no_main]

#[path = "../../tests/store/any_file.rs"]
mod any_file;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use taquin::tables::store::Store;

/// A folder of this process alone. It stays, with an empty file: nobody knows which input is the
/// last one, and to make it anew for each takes longer than all the rest.
static STORE: LazyLock<Store> = LazyLock::new(|| {
    let name = format!("taquin-fuzz-{}", std::process::id());
    Store::new(std::env::temp_dir().join(name))
});

fuzz_target!(|data: &[u8]| {
    any_file::judge(&STORE, &any_file::make_file(data));
});

//! No body of a request makes the server panic or answer that it failed, and every solution leads
//! to the goal. There are no connections, and searches end after milliseconds.

#![no_main]

#[path = "../../../taquin-server/tests/bodies/any_body.rs"]
mod any_body;

use std::cell::LazyCell;

use libfuzzer_sys::fuzz_target;

thread_local! {
    static RIG: LazyCell<any_body::Rig> = LazyCell::new(any_body::Rig::new);
}

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the request.
    let Some((&request, data)) = data.split_first() else {
        return;
    };
    RIG.with(|rig| rig.judge(request, &any_body::make_body(data)));
});

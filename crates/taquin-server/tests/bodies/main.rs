//! Bodies of any bytes for every request: what the fuzz target `json_body` looks for, for a few
//! seconds on every machine.

mod any_body;

use proptest::prelude::*;

use any_body::{Rig, make_body};

#[test]
fn the_judge_knows_good_bodies() {
    let rig = Rig::new();
    for (request, body) in [
        (0, r#"{"board":"8 1 3/4 0 2/7 6 5","moves":"R"}"#),
        (1, r#"{"board":"8 1 3/4 0 2/7 6 5"}"#),
        (
            2,
            r#"{"board":"3 1 2/0 4 5","searches":[{"algorithm":"idastar"}]}"#,
        ),
        (3, r#"{"board":"8 1 3/4 0 2/7 6 5"}"#),
        (4, r#"{"board":"1 2 3/4 5 6/7 0 8"}"#),
        (5, r#"{"size":"3x3"}"#),
        (6, r#"{"board":"1 2 3/4 5 0/7 8 6","fast":true}"#),
    ] {
        assert_eq!(rig.judge(request, body.as_bytes()), 200, "{body}");
    }
    assert_eq!(rig.judge(6, b"{"), 400);
    assert_eq!(rig.judge(6, &[b' '; 5000]), 413);
}

#[test]
fn some_random_bodies_are_good() {
    let good = make_body(&[0b0000_0001]);
    assert_eq!(good, br#"{"board":"8 1 3/4 0 2/7 6 5"}"#);
    assert_eq!(Rig::new().judge(1, &good), 200);
}

#[test]
fn no_body_makes_the_server_fail() {
    let rig = Rig::new();
    let data = (
        any::<u8>(),
        any::<u8>(),
        prop::collection::vec(any::<u8>(), 0..60),
    );
    proptest!(ProptestConfig::with_cases(1500), |((request, mode, rest) in data)| {
        let body = make_body(&[&[mode][..], &rest].concat());
        rig.judge(request, &body);
    });
}

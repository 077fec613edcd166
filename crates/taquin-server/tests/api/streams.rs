//! Server-sent events: what a search tells while it runs.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value, json};
use taquin::heuristic::HeuristicKind;
use taquin::search::{Algorithm, Counting, Laboratory, Tracer};
use taquin::{Board, Goal, Limits, Moves, Unsolvable};
use taquin_records::Trace;

use crate::support::{EASY, Event, HARD, Rig, UNSOLVABLE, long_stream, path, timeless};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

#[test]
fn the_end_of_a_stream_is_what_post_answers() {
    let rig = Rig::new();
    for fields in [
        &[("board", EASY)][..],
        &[
            ("board", "8 1 3 4 0 2 7 6 5"),
            ("form", "flat"),
            ("goal", "snail"),
        ],
        &[
            ("board", EASY),
            ("algorithm", "idastar"),
            ("heuristic", "manhattan"),
        ],
        &[
            ("board", EASY),
            ("algorithm", "astar"),
            ("cost", "tile"),
            ("notation", "numbers"),
        ],
        &[("board", EASY), ("optimal", "true")],
        &[("board", EASY), ("metric", "multi")],
        &[("board", UNSOLVABLE)],
        &[("board", UNSOLVABLE), ("within_ms", "100")],
    ] {
        let mut request = json!({});
        for (name, value) in fields {
            // Numbers and truth values are JSON as they are.
            request[*name] = serde_json::from_str(value).unwrap_or(json!(value));
        }
        let answer = rig.ask("solve", &request);
        let events: Vec<Event> = rig.stream(&path("solve/stream", fields)).collect();
        let end = events.last().unwrap();
        assert_eq!(end.name, "end");
        assert_eq!(timeless(&end.data), timeless(answer), "{request}");
        for event in &events[..events.len() - 1] {
            assert_eq!(event.name, "progress");
        }
    }
}

#[test]
fn better_solutions_come_as_they_are_found() {
    let rig = Rig::new();
    let fields = [("board", HARD), ("within_ms", "500"), ("style", "letters")];
    let events: Vec<Event> = rig.stream(&path("solve/stream", &fields)).collect();
    let (end, before) = events.split_last().unwrap();
    let improved: Vec<&Value> = before
        .iter()
        .filter(|event| event.name == "improved")
        .map(|event| &event.data)
        .collect();
    assert!(!improved.is_empty(), "{events:?}");
    let start = board(HARD);
    let goal = Goal::Classic.board(start.size()).unwrap();
    let (mut length, mut bound) = (u64::MAX, 0);
    for better in &improved {
        let moves: Moves = better["moves"].as_str().unwrap().parse().unwrap();
        assert_eq!(start.after(&moves).unwrap(), goal);
        let now = (
            better["length"].as_u64().unwrap(),
            better["lower_bound"].as_u64().unwrap(),
        );
        assert_eq!(now.0, moves.len() as u64);
        assert!(
            now.0 <= length && now.1 >= bound && now != (length, bound),
            "{better}"
        );
        (length, bound) = now;
    }
    assert_eq!((&*end.name, &end.data["status"]), ("end", &json!("solved")));
    assert_eq!(end.data["length"], length, "the end is the last of them");
}

#[test]
fn tables_that_have_to_be_built_are_told() {
    let tables = tempfile::tempdir().unwrap();
    let rig = Rig::with_tables(tables.path());
    let solve = path("solve/stream", &[("board", EASY)]);
    let building = |events: &[Event]| -> Vec<Value> {
        let building = events.iter().filter(|event| event.name == "building");
        building.map(|event| event.data.clone()).collect()
    };
    let events: Vec<Event> = rig.stream(&solve).collect();
    let tables = json!({"size": "3x3", "tier": "full"});
    assert_eq!(building(&events), [tables], "{events:?}");
    assert_eq!(events.last().unwrap().data["length"], 14);
    // The second time they are there.
    let events: Vec<Event> = rig.stream(&solve).collect();
    assert!(building(&events).is_empty(), "{events:?}");
}

#[test]
fn a_long_search_tells_how_far_it_is() {
    let rig = Rig::new();
    let told: Vec<Value> = rig
        .stream(&long_stream())
        .inspect(|event| assert_eq!(event.name, "progress"))
        .map(|event| event.data)
        .filter(|data| data["nodes"].as_u64().unwrap() > 0)
        .take(3)
        .collect();
    for pair in told.windows(2) {
        assert!(
            pair[0]["nodes"].as_u64() <= pair[1]["nodes"].as_u64(),
            "{told:?}"
        );
        assert!(
            pair[0]["lower_bound"].as_u64() <= pair[1]["lower_bound"].as_u64(),
            "{told:?}"
        );
        assert!(
            pair[0]["time_ms"].as_f64() < pair[1]["time_ms"].as_f64(),
            "{told:?}"
        );
    }
    rig.until_running(0);
}

/// What the library tells of a search.
fn traced(text: &str, algorithm: Algorithm, kind: HeuristicKind, counting: Counting) -> Vec<Event> {
    let start = board(text);
    let goal = Goal::Classic.board(start.size()).unwrap();
    let laboratory = Laboratory::new(&goal, counting, kind).unwrap();
    let event = |record: &Trace<'_>| Event {
        name: record.name().to_owned(),
        data: timeless(record),
    };
    let h = laboratory.estimate(&start).unwrap();
    let first = Trace::start(&start, Goal::Classic.name(), counting, algorithm, kind, h);
    let mut events = vec![event(&first)];
    let stop = Arc::default();
    let limits = Limits {
        cancel: Some(Arc::clone(&stop)),
        memory: Some(64 << 20),
        ..Limits::default()
    };
    let mut tracer = Tracer::new(start.size(), 10_000, stop, |traced| {
        events.push(event(&Trace::from(&traced)));
        ControlFlow::Continue(())
    });
    let report = laboratory
        .observe(&start, algorithm, &limits, &mut tracer)
        .unwrap();
    let end = Trace::end(&tracer, &report);
    events.push(event(&end));
    events
}

#[test]
fn a_trace_tells_what_the_search_does() {
    use HeuristicKind::{LinearConflict, Manhattan, Max, Zero};

    let rig = Rig::new();
    for (algorithm, kind, counting) in [
        (Algorithm::Idastar, Manhattan, Counting::Moves),
        (Algorithm::Idastar, LinearConflict, Counting::Tiles),
        (Algorithm::Astar, Max, Counting::Moves),
        (Algorithm::Bfs, Zero, Counting::Moves),
        (Algorithm::Idastar, Max, Counting::Slides),
        (Algorithm::Bibfs, Zero, Counting::Slides),
    ] {
        let name = kind.name();
        let mut fields = vec![
            ("board", EASY),
            ("algorithm", algorithm.name()),
            ("metric", counting.metric().name()),
            ("cost", counting.cost().name()),
        ];
        if algorithm.uses_heuristic() {
            fields.push(("heuristic", &name));
        }
        let events: Vec<Event> = rig.stream(&path("trace/stream", &fields)).collect();
        let expected = traced(EASY, algorithm, kind, counting);
        assert_eq!(events.len(), expected.len(), "{fields:?}");
        for (event, expected) in events.iter().zip(&expected) {
            assert_eq!(event, expected, "{fields:?}");
        }
    }
    let usual: Vec<Event> = rig
        .stream(&path("trace/stream", &[("board", EASY)]))
        .collect();
    assert!(
        usual
            == traced(
                EASY,
                Algorithm::Idastar,
                HeuristicKind::Manhattan,
                Counting::Moves
            )
    );
}

#[test]
fn the_trace_of_an_unsolvable_board_is_short() {
    let rig = Rig::new();
    let fields = [("board", UNSOLVABLE)];
    let events: Vec<Event> = rig.stream(&path("trace/stream", &fields)).collect();
    let names: Vec<&str> = events.iter().map(|event| &*event.name).collect();
    assert_eq!(names, ["start", "end"]);
    let start = board(UNSOLVABLE);
    let goal = Goal::Classic.board(start.size()).unwrap();
    let unsolvable = Unsolvable::check(&start, &goal).unwrap().unwrap_err();
    assert_eq!(events[1].data, timeless(Trace::unsolvable(&unsolvable)));
}

#[test]
fn a_stream_that_cannot_go_on_ends_with_a_problem() {
    let rig = Rig::new();
    // That these tables are too much is seen only when they are to be made.
    let fields = [
        ("board", HARD),
        ("algorithm", "idastar"),
        ("heuristic", "pdb:8-8-8"),
    ];
    for name in ["solve/stream", "trace/stream"] {
        let last = rig.stream(&path(name, &fields)).last().unwrap();
        assert_eq!(last.name, "problem", "{last:?}");
        assert_eq!(last.data["type"], "/problems/invalid");
        assert_eq!(last.data["pointer"], "/heuristic");
    }
    rig.until_running(0);
}

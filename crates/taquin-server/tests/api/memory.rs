//! What is kept for the next request, and what surveys may take.

use std::time::Duration;

use serde_json::{Value, json};
use taquin::{Board, Goal, Rng, uniform};

use crate::support::{EASY, Rig, build_4x4, path};

/// Goals of 3x3 that nobody asked for before, with boards that can reach them.
fn new_goals() -> impl Iterator<Item = (Board, Board)> {
    let classic: Board = Goal::Classic.board("3x3".parse().unwrap()).unwrap();
    let mut rng = Rng::from_seed(30);
    std::iter::repeat_with(move || {
        let goal = uniform(&classic, &mut rng);
        let board = uniform(&goal, &mut rng);
        (goal, board)
    })
}

#[test]
fn thirty_new_goals_leave_the_usual_one_at_hand_and_fill_no_memory() {
    const KEPT: u64 = 64 << 20;
    let tables = tempfile::tempdir().unwrap();
    // The warm-up finds its tables, and is over after this question: what it keeps counts too.
    build_4x4(tables.path());
    let rig = Rig::with_tables_and(tables.path(), |bounds| bounds.kept = KEPT);
    let nearly = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15";
    rig.ask("solve", &json!({"board": nearly}));
    let usual = || {
        let stream: Vec<_> = rig
            .stream(&path("solve/stream", &[("board", EASY)]))
            .collect();
        let built = stream.iter().any(|event| event.name == "building");
        let distribution = rig.get("/api/v1/distribution/3x3").good();
        let searched = distribution["time_ms"] != Value::Null;
        rig.ask(
            "estimate",
            &json!({"board": EASY, "heuristics": ["pdb:4-4"]}),
        );
        (built, searched)
    };
    assert_eq!(usual(), (true, true));
    assert_eq!(usual(), (false, false));
    let ask = |goal: &Board, board: &Board| {
        let (goal, board) = (&*goal.to_string(), board.to_string());
        rig.ask("solve", &json!({"board": board, "goal": goal}));
        let heuristics = json!(["pdb:4-4", "pdb:quick"]);
        rig.ask(
            "estimate",
            &json!({"board": board, "goal": goal, "heuristics": heuristics}),
        );
        rig.get(&path("distribution/3x3", &[("goal", goal)])).good();
        let fields = [("goal", goal), ("heuristic", "max")];
        rig.get(&path("quality/3x3", &fields)).good();
    };
    let mut goals = new_goals();
    // One with the blank in each cell: then all is there that there can be.
    for cell in 0..9 {
        let mut there = goals.by_ref().filter(|(goal, _)| goal.blank() == cell);
        let (goal, board) = there.next().unwrap();
        ask(&goal, &board);
    }
    let kept = rig.metric("taquin_kept_bytes");
    assert!((1..=KEPT).contains(&kept), "{kept}");
    for (goal, board) in goals.take(30) {
        ask(&goal, &board);
        assert!(rig.metric("taquin_kept_bytes") <= kept);
    }
    assert_eq!(usual(), (false, false));
}

#[test]
fn surveys_obey_the_server_s_memory_and_time() {
    let small = Rig::with(|bounds| bounds.survey_memory = 1 << 20);
    let short = Rig::with(|bounds| bounds.time = Duration::ZERO);
    for path in [
        "/api/v1/distribution/3x4",
        "/api/v1/distribution/2x5?metric=multi",
        "/api/v1/quality/2x4",
    ] {
        short.get(path).problem(413, "too-large");
    }
    small
        .get("/api/v1/distribution/3x4")
        .problem(413, "too-large");
    small.get("/api/v1/distribution/2x4").good();
    // Nothing of it is left behind.
    small.until_running(0);
    short.until_running(0);
}

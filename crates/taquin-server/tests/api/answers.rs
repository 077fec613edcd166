//! Every request is answered as the library says and as the program's `--json` would.

use std::time::Instant;

use serde_json::{Value, json};
use taquin::heuristic::{Estimator, HeuristicKind};
use taquin::notation::{BoardForm, MoveNotation, MoveStyle, ReadOptions, read_board, read_moves};
use taquin::search::{Algorithm, Cost, Counting, Laboratory};
use taquin::space::{self, Space};
use taquin::{
    Board, Budget, Goal, LaboratoryChoice, Limits, Metric, Moves, Request, Rng, Solver, Unsolvable,
    Want, random_walk_end, uniform,
};
use taquin_records::{
    Apply, Check, Compare, Enumerate, Estimate, Estimates, Hint, Quality, Scramble, Solve, Writing,
};

use crate::support::{EASY, HARD, PATIENCE, Rig, UNSOLVABLE, path, timeless};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn classic(board: &Board) -> Board {
    Goal::Classic.board(board.size()).unwrap()
}

/// What `check` answers.
fn checked(board: &Board, goal: &Goal) -> Value {
    let home = goal.board(board.size()).unwrap();
    let verdict = Unsolvable::check(board, &home).unwrap();
    let unsolvable = verdict.as_ref().err();
    let hint = unsolvable.and_then(|unsolvable| unsolvable.verdict.swap_hint(board, &home));
    timeless(Check::new(board, goal.name(), &verdict, hint))
}

/// The moves of an answer lead from a board to its goal.
#[track_caller]
fn leads_home(from: &str, answer: &Value) {
    let from = board(from);
    let moves: Moves = answer["moves"].as_str().unwrap().parse().unwrap();
    assert_eq!(answer["length"], moves.len(), "{answer}");
    assert_eq!(from.after(&moves).unwrap(), classic(&from), "{answer}");
}

#[test]
fn boards_are_checked_in_every_form_against_every_goal() {
    let rig = Rig::new();
    let forms = [
        (EASY, None),
        ("8 1 3 4 0 2 7 6 5", None),
        ("8,1,3,4,0,2,7,6,5", Some("flat")),
        ("8 1 3\n4 0 2\n7 6 5\n", None),
        ("3\n8 1 3\n4 0 2\n7 6 5\n", Some("princeton")),
        ("# a comment\n3\n8 1 3\n4 0 2\n7 6 5\n", Some("npuzzle")),
        ("8 1 3 4 x 2 7 6 5", Some("hdu1043")),
        ("813402765", Some("p1379")),
        ("3x3:8,1,3,4,0,2,7,6,5", Some("game-id")),
    ];
    let snail = "1 2 3/8 0 4/7 6 5";
    for (text, form) in forms {
        for goal in [
            None,
            Some("classic"),
            Some("blank-first"),
            Some("snail"),
            Some(snail),
        ] {
            let mut request = json!({"board": text});
            if let Some(form) = form {
                request["form"] = json!(form);
            }
            if let Some(goal) = goal {
                request["goal"] = json!(goal);
            }
            let form = form.map(|name| {
                let mut forms = BoardForm::ALL.into_iter();
                forms.find(|form| form.name() == name).unwrap()
            });
            let read = read_board(text, ReadOptions { form, size: None }).unwrap();
            assert_eq!(read, board(EASY));
            let usual = form.unwrap_or_default().goal();
            let goal: Goal = goal.map_or(usual, |goal| goal.parse().unwrap());
            assert_eq!(
                rig.ask("check", &request),
                checked(&read, &goal),
                "{request}"
            );
        }
    }
}

#[test]
fn boards_of_other_sizes_are_checked_too() {
    let rig = Rig::new();
    for text in [
        "0xfe169b4c0a73d852",
        "1 2/3 0",
        "5 4 3/2 1 0",
        "1 2 3 4 5 6/7 8 9 10 0 11",
    ] {
        let expected = checked(&board(text), &Goal::Classic);
        assert_eq!(rig.ask("check", &json!({"board": text})), expected);
    }
}

#[test]
fn moves_are_applied_in_every_notation() {
    let rig = Rig::new();
    let start = board("1 2 3/4 5 6/0 7 8");
    for (moves, notation, metric) in [
        ("LL", None, None),
        ("L2", Some("tile"), Some("multi")),
        ("RR", Some("blank"), Some("single")),
        ("7 8", Some("numbers"), None),
        ("7 8", Some("positions"), None),
        ("", None, None),
    ] {
        let mut request = json!({"board": start.to_string(), "moves": moves});
        if let Some(notation) = notation {
            request["notation"] = json!(notation);
        }
        if let Some(metric) = metric {
            request["metric"] = json!(metric);
        }
        let notation = notation.map(|name| {
            let mut all = MoveNotation::ALL.into_iter();
            all.find(|notation| notation.name() == name).unwrap()
        });
        let metric = if metric == Some("multi") {
            Metric::Multi
        } else {
            Metric::default()
        };
        let moves = read_moves(moves, notation, Some(&start)).unwrap();
        let result = start.after(&moves).unwrap();
        let solved = result == classic(&start);
        let record = Apply::new(
            &start,
            Goal::Classic.name(),
            &moves,
            metric,
            &result,
            solved,
        );
        let answer = rig.ask("apply", &request);
        assert_eq!(answer, timeless(record), "{request}");
        assert_eq!(answer["status"] == "solved", moves.len() == 2, "{answer}");
    }
}

#[test]
fn scrambles_are_those_of_their_seed() {
    let rig = Rig::new();
    for (size, goal, seed, index, walk) in [
        ("3x3", None, 7, 0, None),
        ("4x4", Some("blank-first"), 42, 5, None),
        ("3x5", Some("snail"), u64::from(u32::MAX), 1, Some(30)),
        ("2x2", Some("0 1/2 3"), 0, 0, Some(0)),
    ] {
        let mut request = json!({"size": size, "seed": seed, "index": index});
        if let Some(goal) = goal {
            request["goal"] = json!(goal);
        }
        if let Some(walk) = walk {
            request["walk"] = json!(walk);
        }
        let goal: Goal = goal.map_or_else(Goal::default, |goal| goal.parse().unwrap());
        let home = goal.board(size.parse().unwrap()).unwrap();
        let mut rng = Rng::from_seed(seed);
        let mut drawn = home.clone();
        for _ in 0..=index {
            drawn = match walk {
                Some(length) => random_walk_end(&home, length, &mut rng),
                None => uniform(&home, &mut rng),
            };
        }
        let record = Scramble::new(&drawn, size, goal.name(), seed, index, walk);
        assert_eq!(rig.ask("scramble", &request), timeless(record), "{request}");
    }
}

#[test]
fn a_scramble_without_a_seed_can_be_drawn_again() {
    let rig = Rig::new();
    let drawn = rig.ask("scramble", &json!({"size": "5x5"}));
    let again = rig.ask("scramble", &json!({"size": "5x5", "seed": drawn["seed"]}));
    assert_eq!(drawn, again);
    let other = rig.ask("scramble", &json!({"size": "5x5"}));
    assert_ne!(drawn["seed"], other["seed"]);
}

#[test]
fn estimates_tell_every_part() {
    let rig = Rig::new();
    for text in [EASY, UNSOLVABLE, "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3"] {
        for counting in [Counting::Moves, Counting::Tiles, Counting::Slides] {
            let read = board(text);
            let home = classic(&read);
            let parts = Estimator::new(&home, counting).breakdown(&read).unwrap();
            let estimates = Estimates::of(&parts);
            let name = Goal::Classic.name();
            let unsolvable = Unsolvable::check(&read, &home).unwrap().err();
            let unsolvable = unsolvable.as_ref();
            let record = Estimate::new(&read, name, unsolvable, counting, &parts, estimates);
            let (metric, cost) = (counting.metric(), counting.cost());
            let request = json!({"board": text, "metric": metric.name(), "cost": cost.name()});
            assert_eq!(rig.ask("estimate", &request), timeless(record), "{request}");
        }
    }
}

#[test]
fn pattern_databases_are_asked_on_demand() {
    let rig = Rig::new();
    let request = json!({"board": EASY, "heuristics": ["manhattan", "pdb:quick"]});
    let answer = rig.ask("estimate", &request);
    let kind = HeuristicKind::from_name("pdb:quick").unwrap();
    let laboratory = Laboratory::new(&classic(&board(EASY)), Cost::Unit, kind).unwrap();
    let value = laboratory.estimate(&board(EASY)).unwrap();
    assert_eq!(answer["estimates"]["pdb:quick"], value, "{answer}");
    let names = answer["estimates"].as_object().unwrap().len();
    assert_eq!(names, HeuristicKind::ALL.len() + 1, "each is told once");
}

#[test]
fn in_multi_tile_moves_hints_lead_to_the_goal_in_the_fewest_slides() {
    let rig = Rig::new();
    let solved = rig.ask("solve", &json!({"board": EASY, "metric": "multi"}));
    assert_eq!(
        (&solved["metric"], &solved["optimal"]),
        (&json!("multi"), &json!(true))
    );
    let slides = solved["length"].as_u64().unwrap();
    assert_eq!(solved["lengths"]["multi"], slides);
    let mut now = EASY.to_owned();
    for left in (0..=slides).rev() {
        let fields = json!({"board": now, "metric": "multi", "within_ms": 10_000});
        let hint = rig.ask("hint", &fields);
        assert_eq!(
            (&hint["length"], &hint["optimal"], &hint["metric"]),
            (&json!(left), &json!(true), &json!("multi")),
            "{hint}"
        );
        if left == 0 {
            assert_eq!(
                (&hint["next"], &hint["tiles"]),
                (&Value::Null, &Value::Null)
            );
            break;
        }
        // The other metric has hints of its own.
        let single = rig.ask("hint", &json!({"board": now, "within_ms": 10_000}));
        assert_eq!(
            (&single["metric"], &single["tiles"]),
            (&json!("single"), &json!(1))
        );
        let fields = json!({"board": now, "moves": hint["next"], "metric": "multi"});
        let moved = rig.ask("apply", &fields);
        assert_eq!(
            (&moved["length"], &moved["lengths"]["single"]),
            (&json!(1), &hint["tiles"])
        );
        now = moved["result"].as_str().unwrap().to_owned();
    }
}

#[test]
fn hints_lead_to_the_goal_by_the_shortest_way() {
    let rig = Rig::new();
    let mut now = EASY.to_owned();
    for remaining in (0..=14).rev() {
        let hint = rig.ask("hint", &json!({"board": now, "within_ms": 10_000}));
        assert_eq!(hint["status"], "solved", "{hint}");
        assert_eq!(
            (&hint["length"], &hint["optimal"]),
            (&json!(remaining), &json!(true)),
            "{hint}"
        );
        if remaining == 0 {
            assert_eq!((&hint["next"], &hint["tile"]), (&Value::Null, &Value::Null));
            break;
        }
        // The same in another notation.
        let numbers = json!({"board": now, "notation": "numbers"});
        assert_eq!(rig.ask("hint", &numbers)["next"], hint["tile"].to_string());
        let moved = rig.ask("apply", &json!({"board": now, "moves": hint["next"]}));
        moved["result"].as_str().unwrap().clone_into(&mut now);
    }
    assert_eq!(board(&now), classic(&board(EASY)));
}

#[test]
fn a_shortest_solution_is_found_and_proven() {
    let rig = Rig::new();
    let answer = rig.ask("solve", &json!({"board": EASY}));
    leads_home(EASY, &answer);
    assert_eq!(
        (&answer["status"], &answer["length"]),
        (&json!("solved"), &json!(14))
    );
    assert_eq!(
        (&answer["optimal"], &answer["lower_bound"]),
        (&json!(true), &json!(14))
    );
    assert!(answer.get("count").is_none() && answer.get("solutions").is_none());
}

#[test]
fn a_shortest_solution_can_be_asked_for() {
    let rig = Rig::new();
    // Near enough to be solved in a moment, whatever tables there are.
    let near = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 0 19/21 22 23 24 20";
    let answer = rig.ask("solve", &json!({"board": near, "optimal": true}));
    leads_home(near, &answer);
    assert_eq!(
        (&answer["optimal"], &answer["algorithm"]),
        (&json!(true), &json!("idastar")),
        "{answer}"
    );
    // Below the limits of the server.
    let request = json!({"board": HARD, "optimal": true, "limit_time_ms": 200});
    let stopped = rig.ask("solve", &request);
    assert_eq!(
        (&stopped["status"], &stopped["limit"]),
        (&json!("limit"), &json!("time")),
        "{stopped}"
    );
    // All shortest solutions are shortest ones anyway.
    let request = json!({"board": EASY, "optimal": true, "all": true, "count": true});
    let all = rig.ask("solve", &request);
    assert_eq!(
        (&all["length"], &all["optimal"]),
        (&json!(14), &json!(true))
    );
    assert_eq!(all["count"], all["solutions"].as_array().unwrap().len());
    // Without it, nothing changes.
    let without = rig.ask("solve", &json!({"board": EASY, "optimal": false}));
    assert_eq!(
        timeless(without),
        timeless(rig.ask("solve", &json!({"board": EASY})))
    );
}

#[test]
fn a_large_board_gets_the_best_of_some_seconds_and_a_bound() {
    let rig = Rig::new();
    let begin = Instant::now();
    let answer = rig.ask("solve", &json!({"board": HARD}));
    assert!(begin.elapsed() < PATIENCE, "took {:?}", begin.elapsed());
    leads_home(HARD, &answer);
    assert_eq!(
        (&answer["status"], &answer["algorithm"]),
        (&json!("solved"), &json!("anytime")),
        "{answer}"
    );
    let bound = answer["lower_bound"].as_u64().unwrap();
    assert!(
        bound > 0 && bound <= answer["length"].as_u64().unwrap(),
        "{answer}"
    );
    assert!(answer["ratio"].as_f64().unwrap() < 2.0, "{answer}");
}

#[test]
fn all_shortest_solutions_are_listed_or_counted() {
    let rig = Rig::new();
    // One of the two boards that are farthest away.
    let far = "8 6 7/2 5 4/3 0 1";
    let all = rig.ask("solve", &json!({"board": far, "all": true}));
    let mut solutions: Vec<&str> = all["solutions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|moves| moves.as_str().unwrap())
        .collect();
    assert_eq!(all["count"], solutions.len());
    assert!(solutions.len() > 1);
    for moves in &solutions {
        leads_home(far, &json!({"length": 31, "moves": moves}));
    }
    solutions.sort_unstable();
    solutions.dedup();
    assert_eq!(all["count"], solutions.len(), "some are the same");

    let counted = rig.ask("solve", &json!({"board": far, "count": true}));
    assert_eq!(counted["count"], all["count"]);
    assert!(counted.get("solutions").is_none());
    let some = rig.ask("solve", &json!({"board": far, "all": true, "max": 2}));
    assert_eq!(some["solutions"].as_array().unwrap().len(), 2);
}

#[test]
fn solutions_are_written_as_they_are_wanted() {
    let rig = Rig::new();
    let plain = rig.ask("solve", &json!({"board": EASY}));
    let moves: Moves = plain["moves"].as_str().unwrap().parse().unwrap();
    for notation in MoveNotation::ALL {
        for style in MoveStyle::ALL {
            let request = json!({
                "board": EASY, "notation": notation.name(), "style": style.name()
            });
            let answer = rig.ask("solve", &request);
            let text = answer["moves"].as_str().unwrap();
            assert_eq!(answer["notation"], notation.name());
            let read = read_moves(text, Some(notation), Some(&board(EASY)));
            let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(
                board(EASY).after(&read).unwrap(),
                classic(&board(EASY)),
                "{text}"
            );
            assert_eq!(read.len(), moves.len());
        }
    }
}

#[test]
fn algorithms_of_the_laboratory_do_what_they_do_in_the_library() {
    let rig = Rig::new();
    for (algorithm, heuristic, cost, weight) in [
        (
            Algorithm::Idastar,
            HeuristicKind::Manhattan,
            Cost::Unit,
            None,
        ),
        (
            Algorithm::Idastar,
            HeuristicKind::Manhattan,
            Cost::Tile,
            None,
        ),
        (
            Algorithm::IdastarTt,
            HeuristicKind::LinearConflict,
            Cost::Unit,
            None,
        ),
        (
            Algorithm::Astar,
            HeuristicKind::WalkingDistance,
            Cost::Unit,
            None,
        ),
        (
            Algorithm::Wastar,
            HeuristicKind::Manhattan,
            Cost::Unit,
            Some(3.0),
        ),
        (Algorithm::Greedy, HeuristicKind::Hamming, Cost::Unit, None),
        (Algorithm::Rbfs, HeuristicKind::Max, Cost::Unit, None),
        (Algorithm::Bfs, HeuristicKind::Zero, Cost::Unit, None),
        (Algorithm::Bibfs, HeuristicKind::Zero, Cost::Unit, None),
    ] {
        let mut request =
            json!({"board": EASY, "algorithm": algorithm.name(), "cost": cost.name()});
        if algorithm.uses_heuristic() {
            request["heuristic"] = json!(heuristic.name());
        }
        if let Some(weight) = weight {
            request["weight"] = json!(weight);
        }
        let asked = Request {
            want: Want::Laboratory(LaboratoryChoice {
                algorithm,
                heuristic: Some(heuristic),
                weight: weight.unwrap_or(Laboratory::DEFAULT_WEIGHT),
                cost,
            }),
            limits: Limits {
                memory: Some(64 << 20),
                ..Limits::default()
            },
            ..Request::new(board(EASY))
        };
        let answer = Solver::in_memory().solve(&asked).unwrap();
        let (name, writing) = (Goal::Classic.name(), Writing::default());
        let record = Solve::new(&asked.board, name, cost, writing, &answer);
        assert_eq!(
            timeless(rig.ask("solve", &request)),
            timeless(record),
            "{request}"
        );
    }
}

#[test]
fn large_boards_are_solved_as_well_as_the_time_allows() {
    let rig = Rig::new();
    for (rows, walk) in [(5, 200), (10, 1_000)] {
        let size = format!("{rows}x{rows}");
        let drawn = rig.ask("scramble", &json!({"size": size, "seed": 3, "walk": walk}));
        let text = drawn["board"].as_str().unwrap();
        let fast = rig.ask("solve", &json!({"board": text, "fast": true}));
        leads_home(text, &fast);
        assert_eq!(fast["algorithm"], "first");
        let within = rig.ask("solve", &json!({"board": text, "within_ms": 100}));
        leads_home(text, &within);
        assert_eq!(within["algorithm"], "anytime");
        assert!(within["ratio"].as_f64().unwrap() >= 1.0, "{within}");
    }
}

#[test]
fn searches_are_compared_in_the_order_asked_for() {
    let rig = Rig::new();
    let pairs = [
        (Algorithm::Idastar, HeuristicKind::Manhattan),
        (Algorithm::Astar, HeuristicKind::LinearConflict),
        (Algorithm::Bfs, HeuristicKind::Zero),
        (Algorithm::Idastar, HeuristicKind::Max),
    ];
    let searches = pairs.map(|(algorithm, heuristic)| {
        json!({"algorithm": algorithm.name(), "heuristic": heuristic.name()})
    });
    let (start, home) = (board(EASY), classic(&board(EASY)));
    for metric in [Metric::Single, Metric::Multi] {
        let records = pairs.map(|(algorithm, kind)| {
            let laboratory = Laboratory::new(&home, metric, kind).unwrap();
            let limits = Limits {
                memory: Some(64 << 20),
                ..Limits::default()
            };
            let report = laboratory.search(&start, algorithm, &limits).unwrap();
            let heuristic = algorithm.uses_heuristic().then(|| kind.name());
            let name = Goal::Classic.name();
            timeless(Compare::new(
                &start, name, metric, algorithm, heuristic, &report,
            ))
        });
        let request = json!({"board": EASY, "metric": metric.name(), "searches": searches});
        let answer = rig.ask("compare", &request);
        assert_eq!(timeless(answer), json!({"results": records}));
    }
}

#[test]
fn what_does_not_go_with_multi_tile_moves_is_refused() {
    let rig = Rig::new();
    let heavy = json!({"board": EASY, "metric": "multi", "cost": "tile"});
    rig.post("estimate", &heavy).invalid("/cost");
    let patterns = json!({"board": EASY, "metric": "multi", "heuristics": ["pdb:quick"]});
    rig.post("estimate", &patterns).invalid("/heuristics/0");
    let searches = json!([{"algorithm": "idastar", "heuristic": "pdb:quick"}]);
    let patterns = json!({"board": EASY, "metric": "multi", "searches": searches});
    rig.post("compare", &patterns).invalid("/searches/0");
    let fields = [("metric", "multi"), ("heuristic", "pdb:quick")];
    rig.get(&path("quality/2x3", &fields)).invalid("/heuristic");
}

#[test]
fn whole_spaces_are_counted() {
    let rig = Rig::new();
    for (size, goal, metric) in [
        ("2x2", None, Metric::Single),
        ("2x3", Some("snail"), Metric::Single),
        ("3x2", Some("0 1/2 3/4 5"), Metric::Multi),
        ("3x3", None, Metric::Single),
    ] {
        let mut fields = vec![("metric", metric.name())];
        fields.extend(goal.map(|goal| ("goal", goal)));
        let goal: Goal = goal.map_or_else(Goal::default, |goal| goal.parse().unwrap());
        let home = goal.board(size.parse().unwrap()).unwrap();
        let space = Space::new(&home, metric).unwrap();
        let atlas = space.search(1, &Budget::default()).unwrap();
        let record = Enumerate::new(&atlas, goal.name(), None);
        let answer = rig
            .get(&path(&format!("distribution/{size}"), &fields))
            .good();
        assert_eq!(timeless(&answer), timeless(record), "{size}");
        // The second time it is known.
        let again = rig
            .get(&path(&format!("distribution/{size}"), &fields))
            .good();
        assert_eq!(timeless(&answer), timeless(again), "{size}");
        if size == "3x3" {
            assert_eq!(
                (&answer["boards"], &answer["farthest"]),
                (&json!(181_440), &json!(31))
            );
        }
    }
}

#[test]
fn heuristics_are_measured_against_the_truth() {
    let rig = Rig::new();
    for (goal, metric, kind) in [
        (None, None, None),
        (Some("snail"), None, Some(HeuristicKind::LinearConflict)),
        (Some("snail"), Some(Metric::Multi), Some(HeuristicKind::Max)),
    ] {
        let name = kind.map(HeuristicKind::name);
        let mut fields = Vec::new();
        fields.extend(metric.map(|metric| ("metric", metric.name())));
        fields.extend(goal.map(|goal| ("goal", goal)));
        fields.extend(name.as_ref().map(|name| ("heuristic", &**name)));
        let goal: Goal = goal.map_or_else(Goal::default, |goal| goal.parse().unwrap());
        let home = goal.board("2x3".parse().unwrap()).unwrap();
        let space = Space::new(&home, metric.unwrap_or_default()).unwrap();
        let kind = kind.unwrap_or(HeuristicKind::Manhattan);
        let measured = space::Quality::measure(&space, kind, 1, &Budget::default()).unwrap();
        let record = Quality::new(&space, goal.name(), &measured);
        let answer = rig.get(&path("quality/2x3", &fields)).good();
        assert_eq!(answer, timeless(record));
    }
}

#[test]
fn an_unsolvable_board_is_an_answer() {
    let rig = Rig::new();
    let read = board(UNSOLVABLE);
    let unsolvable = Unsolvable::check(&read, &classic(&read)).unwrap();
    let unsolvable = unsolvable.unwrap_err();
    let reason = unsolvable.to_string();
    for extra in [
        json!({}),
        json!({"optimal": true}),
        json!({"fast": true}),
        json!({"within_ms": 100}),
        json!({"algorithm": "astar", "heuristic": "manhattan"}),
        json!({"all": true}),
    ] {
        let mut request = extra;
        request["board"] = json!(UNSOLVABLE);
        let answer = rig.ask("solve", &request);
        assert_eq!(
            (&answer["status"], &answer["reason"]),
            (&json!("unsolvable"), &json!(reason)),
            "{answer}"
        );
        assert_eq!(
            (&answer["moves"], &answer["nodes"]),
            (&Value::Null, &Value::Null)
        );
        let reachable: Vec<_> = unsolvable.reachable.iter().map(Goal::name).collect();
        assert_eq!(answer["reachable"], json!(reachable));
    }
    let (name, writing) = (Goal::Classic.name(), Writing::default());
    let record = Hint::unsolvable(&read, name.clone(), Metric::Single, writing, &unsolvable);
    let answer = rig.ask("hint", &json!({"board": UNSOLVABLE}));
    assert_eq!(timeless(answer), timeless(record));
    let request =
        json!({"board": UNSOLVABLE, "searches": [{"algorithm": "bfs"}, {"algorithm": "astar"}]});
    let record = Compare::unsolvable(&read, name, Cost::Unit, &unsolvable);
    let answer = rig.ask("compare", &request);
    assert_eq!(timeless(answer), json!({"results": [timeless(record)]}));
}

#[test]
fn the_server_tells_what_it_takes() {
    let rig = Rig::with(|bounds| {
        bounds.searches = 3;
        bounds.queue = 5;
    });
    let about = rig.get("/api/v1/about").good();
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    let limits = &about["limits"];
    assert_eq!(
        (&limits["searches"], &limits["queue"]),
        (&json!(3), &json!(5))
    );
    assert_eq!(
        (&limits["limit_time_ms"], &limits["cells"]),
        (&json!(60_000), &json!(100))
    );
    assert_eq!(limits["body"], 64 << 10);
    let names = |list: &str| {
        let name = |one: &Value| one.get("name").unwrap_or(one).as_str().unwrap().to_owned();
        about[list]
            .as_array()
            .unwrap()
            .iter()
            .map(name)
            .collect::<Vec<String>>()
    };
    assert_eq!(names("algorithms"), Algorithm::ALL.map(Algorithm::name));
    assert_eq!(
        names("heuristics"),
        HeuristicKind::ALL.map(HeuristicKind::name)
    );
    assert_eq!(names("forms"), BoardForm::ALL.map(BoardForm::name));
    assert_eq!(
        names("notations"),
        MoveNotation::ALL.map(MoveNotation::name)
    );
    assert_eq!(names("styles"), MoveStyle::ALL.map(MoveStyle::name));
    assert_eq!(
        names("goals"),
        Goal::NAMED.map(|goal| goal.name().into_owned())
    );
    // Whatever has a name there can be asked for by it.
    for goal in names("goals") {
        rig.ask("check", &json!({"board": EASY, "goal": goal}));
    }
    for algorithm in names("algorithms") {
        let request = json!({"board": "1 2 3/4 5 6/7 0 8", "algorithm": algorithm});
        assert_eq!(rig.ask("solve", &request)["length"], 1, "{algorithm}");
    }
}

#[test]
fn health_is_one_word() {
    let rig = Rig::new();
    let reply = rig.get("/healthz");
    assert_eq!((reply.status, &*reply.text()), (200, "ok\n"));
}

#[test]
fn metrics_can_be_read_and_count_what_was_done() {
    let rig = Rig::new();
    rig.ask("check", &json!({"board": EASY}));
    rig.ask("check", &json!({"board": EASY}));
    rig.post("check", &json!({})).invalid("");
    rig.ask("solve", &json!({"board": EASY, "algorithm": "bfs"}));
    rig.get("/one/that/a/client/made/up")
        .problem(404, "not-found");
    let reply = rig.get("/metrics");
    assert!(
        reply
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    let text = reply.text();
    assert!(text.ends_with("# EOF\n"), "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(
            name.starts_with("taquin_") && value.parse::<f64>().is_ok(),
            "{line}"
        );
        assert_eq!(name.contains('{'), name.ends_with('}'), "{line}");
    }
    let counted = |labels: &str| rig.metric(&format!("taquin_requests_total{labels}"));
    assert_eq!(
        counted(r#"{path="/api/v1/check",status="200"}"#),
        2,
        "{text}"
    );
    assert_eq!(
        counted(r#"{path="/api/v1/check",status="422"}"#),
        1,
        "{text}"
    );
    assert!(rig.metric("taquin_nodes_total") > 100, "{text}");
    assert!(!text.contains("made/up"), "{text}");
    assert_eq!((rig.running(), rig.waiting()), (0, 0));
}

//! Records are what their schemas say, and have no field of which these say nothing.

#![cfg(feature = "openapi")]

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};
use taquin::heuristic::{AnyHeuristic, Estimator, HeuristicKind};
use taquin::notation::{BoardForm, MoveNotation};
use taquin::search::{Algorithm, Cost, FlatState, Laboratory, Sliding, Tracer};
use taquin::space::{self, Distribution, Equilibrium, Measurement, Space};
use taquin::{
    AllShortest, Board, Budget, Goal, Limits, Metric, Move, Moves, Request, Solvability, Solver,
    Unsolvable, Want, solve,
};
use taquin_records::{
    Apply, Check, Compare, ConvertBoard, ConvertMoves, Counterexamples, Distance, Enumerate,
    ErrorRecord, Estimate, Estimated, Estimates, Farthest, Forecast, Hint, Improvement, Predict,
    Quality, Sample, Scramble, Show, SlideWord, Solve, Status, Step, Trace, Writing,
};
use utoipa::ToSchema;

/// A small judge of the keywords that our schemas have. It refuses others, so that nothing goes
/// unjudged.
struct Judge {
    /// What `$ref` can name.
    components: HashMap<String, Value>,
}

impl Judge {
    fn of<T: ToSchema>() -> Self {
        let mut schemas = Vec::new();
        T::schemas(&mut schemas);
        let components = schemas
            .into_iter()
            .map(|(name, schema)| (name, serde_json::to_value(schema).unwrap()));
        Self {
            components: components.collect(),
        }
    }

    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = schema.as_object().ok_or("a schema is an object")?;
        let refused = |what: &str| Err(format!("{value} is not {what} of {schema:?}"));
        for (keyword, rule) in schema {
            let fits = match keyword.as_str() {
                "description" | "format" => true,
                "type" => match rule {
                    Value::Array(types) => types.iter().any(|name| has_type(name, value)),
                    name => has_type(name, value),
                },
                "enum" => rule.as_array().unwrap().contains(value),
                "minimum" => value.as_f64().is_none_or(|v| v >= rule.as_f64().unwrap()),
                "minItems" => length(value) >= rule.as_u64().unwrap(),
                "maxItems" => length(value) <= rule.as_u64().unwrap(),
                "items" => {
                    let mut items = value.as_array().into_iter().flatten();
                    items.try_for_each(|item| self.check(rule, item))?;
                    true
                }
                "required" => {
                    let names = rule.as_array().unwrap().iter();
                    let mut names = names.map(|name| name.as_str().unwrap());
                    names.all(|name| value.get(name).is_some())
                }
                "properties" => {
                    let fields = value.as_object().into_iter().flatten();
                    for (name, field) in fields {
                        let rule = rule.get(name).ok_or(format!("{name} has no schema"))?;
                        self.check(rule, field)?;
                    }
                    true
                }
                "additionalProperties" => {
                    let mut fields = value.as_object().into_iter().flatten();
                    fields.try_for_each(|(_, field)| self.check(rule, field))?;
                    true
                }
                "oneOf" => {
                    let ways = rule.as_array().unwrap().iter();
                    ways.filter(|way| self.check(way, value).is_ok()).count() == 1
                }
                "$ref" => {
                    let name = rule.as_str().unwrap().rsplit('/').next().unwrap();
                    let schema = self.components.get(name);
                    self.check(schema.ok_or(format!("no schema {name}"))?, value)?;
                    true
                }
                other => return Err(format!("the keyword {other} is not judged")),
            };
            if !fits {
                return refused(keyword);
            }
        }
        Ok(())
    }
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no such type: {other}"),
    }
}

fn length(value: &Value) -> u64 {
    value.as_array().map_or(0, |items| items.len() as u64)
}

/// A record fits, and would not without any of its fields but those that may be left out.
fn fits<T: ToSchema + Serialize>(record: &T, optional: &[&str]) {
    let judge = Judge::of::<T>();
    let schema = serde_json::to_value(T::schema()).unwrap();
    let value = serde_json::to_value(record).unwrap();
    let verdict = judge.check(&schema, &value);
    assert_eq!(verdict, Ok(()), "{} {value}", T::name());
    let fields: Map<String, Value> = value.as_object().unwrap().clone();
    for name in fields.keys() {
        let mut less = fields.clone();
        less.remove(name);
        let verdict = judge.check(&schema, &Value::Object(less));
        let optional = optional.contains(&name.as_str());
        assert_eq!(verdict.is_ok(), optional, "{} {name}", T::name());
    }
}

const BOARD: &str = "8 1 3/4 0 2/7 6 5";
const UNSOLVABLE: &str = "1 2 3/4 5 6/8 7 0";

fn board(text: &str) -> (Board, Board, Result<Solvability, Unsolvable>) {
    let board: Board = text.parse().unwrap();
    let goal = Goal::Classic.board(board.size()).unwrap();
    let verdict = Unsolvable::check(&board, &goal).unwrap();
    (board, goal, verdict)
}

fn laboratory(goal: &Board, name: &str) -> Laboratory {
    let kind = HeuristicKind::from_name(name).unwrap();
    Laboratory::new(goal, Cost::Unit, kind).unwrap()
}

#[test]
fn checks_scrambles_and_moves() {
    for text in [BOARD, UNSOLVABLE] {
        let (board, goal, verdict) = board(text);
        let unsolvable = verdict.as_ref().err();
        let hint = unsolvable.and_then(|no| no.verdict.swap_hint(&board, &goal));
        fits(&Check::new(&board, "classic", &verdict, hint), &[]);
        fits(&Scramble::new(&board, "3x3", "classic", 1, 0, Some(3)), &[]);
        fits(&Scramble::new(&board, "3x3", "classic", 1, 0, None), &[]);
        let moves = Moves::default();
        for solved in [false, true] {
            let record = Apply::new(&board, "classic", &moves, Metric::Multi, &board, solved);
            fits(&record, &[]);
        }
    }
}

#[test]
fn estimates() {
    for text in [BOARD, UNSOLVABLE, "3 2 1/4 5 6/7 8 0"] {
        let (board, goal, verdict) = board(text);
        let unsolvable = verdict.as_ref().err();
        let metric = Metric::Multi;
        let parts = Estimator::new(&goal, metric).breakdown(&board).unwrap();
        let estimates = Estimates::of(&parts);
        let record = Estimate::new(&board, "classic", unsolvable, metric, &parts, estimates);
        fits(&record, &[]);
        let parts = Estimator::new(&goal, Cost::Tile).breakdown(&board).unwrap();
        let mut estimates = Estimates::of(&parts);
        estimates.push(HeuristicKind::Zero, u32::MAX);
        let cost = Cost::Tile;
        let record = Estimate::new(&board, "classic", unsolvable, cost, &parts, estimates);
        let patterns = laboratory(&goal, "pdb:5-3+reflected").patterns(&board);
        fits(&record.with_patterns(&[patterns.unwrap().unwrap()]), &[]);
    }
}

#[test]
fn searches() {
    let (board, goal, _) = board(BOARD);
    let laboratory = laboratory(&goal, "manhattan");
    for nodes in [None, Some(1)] {
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let (algorithm, cost) = (Algorithm::Idastar, Cost::Unit);
        let report = laboratory.search(&board, algorithm, &limits).unwrap();
        let heuristic = Some("manhattan".into());
        let record = Compare::new(&board, "classic", cost, algorithm, heuristic, &report);
        fits(&record, &[]);
    }
    let (board, _, verdict) = self::board(UNSOLVABLE);
    let unsolvable = verdict.unwrap_err();
    let record = Compare::unsolvable(&board, "classic", Cost::Tile, &unsolvable);
    fits(&record, &[]);
}

#[test]
fn answers() {
    let all = AllShortest {
        list: Some(1),
        count: true,
    };
    let stopped = Limits {
        nodes: Some(1),
        ..Limits::default()
    };
    for (text, want, limits, optional) in [
        (BOARD, Want::First, Limits::default(), &[][..]),
        (
            BOARD,
            Want::All(all),
            Limits::default(),
            &["count", "solutions"],
        ),
        (BOARD, Want::Shortest, stopped, &[]),
        (
            UNSOLVABLE,
            Want::Solution,
            Limits::default(),
            &["reachable"],
        ),
    ] {
        let request = Request {
            want,
            limits,
            ..Request::new(text.parse().unwrap())
        };
        let answer = Solver::in_memory().solve(&request).unwrap();
        let (board, writing) = (&request.board, Writing::default());
        let record = Solve::new(board, "classic", Cost::Unit, writing, &answer);
        fits(&record, optional);
    }
}

#[test]
fn improvements_and_hints() {
    let (board, _, verdict) = board(UNSOLVABLE);
    let unsolvable = verdict.unwrap_err();
    let writing = Writing::default();
    let moves = [taquin::Move::Down];
    let known = solve::Improvement {
        moves: &moves,
        length: moves.len() as u32,
        lower_bound: 0,
        time: Duration::from_millis(3),
    };
    fits(
        &Improvement::new(&board, &known, Metric::Multi, writing),
        &[],
    );
    fits(
        &Hint::unsolvable(&board, "classic", Metric::Single, writing, &unsolvable),
        &[],
    );
    let hint = Hint {
        status: Status::Solved,
        tile: Some(1),
        length: Some(3),
        ..Hint::unsolvable(&board, "classic", Metric::Single, writing, &unsolvable)
    };
    fits(&hint, &[]);
}

#[test]
fn traces() {
    let (board, goal, _) = board(BOARD);
    let kind = HeuristicKind::Manhattan;
    let laboratories =
        [Metric::Single, Metric::Multi].map(|metric| Laboratory::new(&goal, metric, kind).unwrap());
    for (algorithm, laboratory) in [Algorithm::Idastar, Algorithm::Bfs]
        .into_iter()
        .flat_map(|algorithm| laboratories.iter().map(move |made| (algorithm, made)))
    {
        let counting = laboratory.counting();
        fits(
            &Trace::start(&board, "classic", counting, algorithm, kind, 3),
            &[],
        );
        let mut names = Vec::new();
        let mut tracer = Tracer::new(board.size(), 200, Arc::default(), |event| {
            let record = Trace::from(&event);
            fits(&record, &[]);
            names.push(record.name());
            ControlFlow::Continue(())
        });
        let report = laboratory.observe(&board, algorithm, &Limits::default(), &mut tracer);
        fits(&Trace::end(&tracer, &report.unwrap()), &[]);
        assert!(names.contains(&"pruned") && names.contains(&"solved"));
    }
    let (_, _, verdict) = self::board(UNSOLVABLE);
    fits(&Trace::unsolvable(&verdict.unwrap_err()), &[]);
}

#[test]
fn whole_spaces() {
    let goal = Goal::Classic.board("2x3".parse().unwrap()).unwrap();
    let space = Space::new(&goal, Metric::Single).unwrap();
    let budget = Budget::default();
    let atlas = space.search(1, &budget).unwrap();
    fits(&Enumerate::new(&atlas, "classic", None), &[]);
    let board: Board = "1 2 3/0 4 5".parse().unwrap();
    let metric = space.metric();
    fits(&Farthest::new(&board, "2x3", "classic", metric, 2, 0), &[]);
    fits(&Sample::new(&board, "2x3", "classic", metric, 2, 1, 0), &[]);
    let writing = Writing::default();
    for solution in [false, true] {
        let record = Distance::look_up(&board, "classic", &atlas, writing, solution);
        fits(&record.unwrap(), &[]);
    }
    let kind = HeuristicKind::Manhattan;
    let quality = space::Quality::measure(&space, kind, 1, &budget).unwrap();
    let mut record = Quality::new(&space, "classic", &quality);
    fits(&record, &[]);
    record.counterexamples = Some(Counterexamples {
        admissible: Some(Estimated {
            board: board.to_string(),
            distance: 1,
            h: 2,
        }),
        consistent: Some(Step {
            board: board.to_string(),
            written: SlideWord(Move::Up.into()),
            h: 1,
            h_after: 3,
        }),
    });
    fits(&record, &[]);
}

#[test]
fn boards_and_moves_in_other_forms() {
    let (board, ..) = board(BOARD);
    fits(&Show::new(&board), &[]);
    fits(&ConvertBoard::new(&board, BoardForm::Rows, BOARD), &[]);
    let moves: Moves = "UD".parse().unwrap();
    for start in [None, Some(&board)] {
        let record = ConvertMoves::new(start, &moves, MoveNotation::Blank, "DU");
        fits(&record, &[]);
    }
    fits(&ErrorRecord::new("line 1: no board"), &[]);
}

#[test]
fn predictions() {
    let goal = Goal::Classic.board("2x3".parse().unwrap()).unwrap();
    let puzzle: Sliding<FlatState> = Sliding::new(&goal, Cost::Unit).unwrap();
    let kind = HeuristicKind::Manhattan;
    let heuristic = AnyHeuristic::new(kind, &puzzle).unwrap();
    let distribution = Distribution::new(&puzzle, &heuristic, 1000, 1);
    let counted = Measurement::take(&puzzle, &heuristic, 10, 20, 1_000_000, 1);
    for measured in [counted.ok_or_else(String::new), Err("not asked".to_owned())] {
        let forecast = Forecast {
            size: goal.size(),
            heuristic: kind,
            depth: 10,
            seed: 1,
            equilibrium: Equilibrium::new(goal.size()),
            prediction: distribution.predict(10),
            distribution: distribution.clone(),
            measured,
        };
        fits(&Predict::new("classic", &forecast), &[]);
    }
}

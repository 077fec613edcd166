use super::*;
use crate::Metric;
use crate::outcome::Limits;
use crate::policy::puzzle::Puzzle;
use crate::supply::TableSource;
use crate::{Goal, Request, Rng, random_walk_end, uniform};

const GIB: u64 = 1 << 30;

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

/// Two threads, so that every machine decides alike.
fn solver() -> Solver {
    Solver::in_memory().with_threads(2)
}

fn advise(size: &str, memory: u64) -> Advice {
    Advice::new(&solver(), &goal(size), None, memory).unwrap()
}

fn within(board: Board, time: Duration) -> Request {
    Request {
        limits: Limits {
            time: Some(time),
            ..Limits::default()
        },
        ..Request::new(board)
    }
}

/// The mean nodes of some random boards with tables of a tier.
fn mean_nodes(size: &str, tier: Tier, boards: u32) -> f64 {
    let goal = goal(size);
    let solver = solver();
    let mut rng = Rng::from_seed(1);
    let nodes = |_| {
        let request = Request {
            want: Want::Shortest,
            tables: Some(tier),
            threads: Some(1),
            ..Request::new(uniform(&goal, &mut rng))
        };
        let answer = solver.solve(&request).unwrap();
        assert!(answer.is_optimal());
        answer.statistics.expanded
    };
    let sum: u64 = (0..boards).map(nodes).sum();
    #[expect(clippy::cast_precision_loss, reason = "it is far below 2^53")]
    let sum = sum as f64;
    sum / f64::from(boards)
}

#[test]
fn what_is_advised_is_what_the_solver_does() {
    let solver = solver();
    for (size, name, heuristic) in [
        ("2x3", "idastar-pdb:full", Some("pdb:full")),
        ("3x3", "idastar-pdb:full", Some("pdb:full")),
        ("3x4", "idastar-pdb:full", Some("pdb:full")),
        ("4x4", "idastar-pdb:quick", Some("pdb:quick")),
        ("5x5", "anytime-pdb:quick", Some("pdb:quick")),
        ("6x6", "anytime-pdb:quick", Some("pdb:quick")),
        ("8x8", "anytime", None),
    ] {
        let goal = goal(size);
        let advice = Advice::new(&solver, &goal, None, GIB).unwrap();
        assert_eq!(advice.method.name(), name, "{size}");
        assert_eq!(advice.method.heuristic(), heuristic, "{size}");
        assert!(advice.assessment().unwrap().fits, "{size}");

        // Tables that come too late are not used, so they have to be there before.
        solver
            .warm_up(
                &Goal::Classic,
                goal.size(),
                Metric::Single,
                &Limits::default(),
            )
            .unwrap();
        assert_eq!(solver.method_for(&goal, GIB), advice.method, "{size}");
        let board = uniform(&goal, &mut Rng::from_seed(1));
        let request = if goal.size().cells() <= Want::SMALL_CELLS {
            Request::new(board)
        } else {
            within(board, Duration::from_secs(1))
        };
        let answer = solver.solve(&request).unwrap();
        assert_eq!(answer.searched_by, advice.method.searched_by, "{size}");
        assert_eq!(answer.heuristic.as_deref(), heuristic, "{size}");
    }
}

#[test]
fn tables_that_are_soon_built_guide_a_search_for_the_best_solution() {
    let solver = solver();
    for (size, tables) in [
        ("3x6", Tier::Full),
        ("4x5", Tier::Full),
        ("5x5", Tier::Quick),
    ] {
        let method = Method::anytime(Some(tables));
        assert_eq!(solver.method_for(&goal(size), GIB), method, "{size}");
    }
    // Where they are ready, as they soon are, the search has them.
    let goal = goal("3x6");
    let budget = crate::Budget::default();
    solver
        .pool
        .get(Puzzle::single(&goal), Tier::Full, &budget)
        .unwrap();
    let board = uniform(&goal, &mut Rng::from_seed(1));
    let request = within(board, Duration::from_secs(1));
    let answer = solver.solve(&request).unwrap();
    assert_eq!(answer.searched_by, SearchedBy::Anytime);
    assert_eq!(answer.heuristic.as_deref(), Some("pdb:full"));
}

#[test]
#[cfg(feature = "store")]
fn full_tables_that_are_there_are_advised() {
    use crate::Budget;
    use crate::tables::store::Store;

    let goal = goal("3x5");
    assert_eq!(solver().method_for(&goal, GIB), Method::engine(Tier::Quick));
    let folder = tempfile::tempdir().unwrap();
    let store = || Store::new(folder.path());
    let source = TableSource::stored(store());
    source
        .get(&goal, Metric::Single, Tier::Full, &Budget::default())
        .unwrap();

    let solver = Solver::stored(store());
    let advice = Advice::new(&solver, &goal, None, GIB).unwrap();
    assert_eq!(advice.method, Method::engine(Tier::Full));
    assert_eq!(advice.assessment().unwrap().build_time, None);
    let board = uniform(&goal, &mut Rng::from_seed(1));
    let answer = solver.solve(&Request::new(board)).unwrap();
    assert_eq!(answer.heuristic.as_deref(), advice.method.heuristic());
}

#[test]
fn without_room_for_tables_the_laboratory_searches() {
    assert_eq!(
        advise("4x4", 10_000_000).method,
        Method::engine(Tier::Quick)
    );
    let advice = advise("4x4", 1_000_000);
    assert_eq!(advice.method, Method::laboratory(Algorithm::Idastar));
    assert!(advice.assessment().unwrap().fits);
    let quick = &advice.assessments[0];
    assert!(!quick.fits && quick.reason.contains("memory"), "{quick:?}");

    let solver = Solver::with_source(TableSource::in_memory().with_memory(1_000_000));
    let board = random_walk_end(&goal("4x4"), 30, &mut Rng::from_seed(1));
    let answer = solver.solve(&Request::new(board)).unwrap();
    assert_eq!(answer.searched_by, advice.method.searched_by);

    let large = advise("5x5", 1_000_000);
    assert_eq!(large.method, Method::anytime(None));
    assert!(large.assessment().unwrap().fits);
}

#[test]
fn the_methods_of_small_boards_are_all_measured() {
    for rows in 2..=4 {
        for columns in 2..=8 {
            let size = format!("{rows}x{columns}");
            if rows * columns > Want::SMALL_CELLS {
                continue;
            }
            let advice = advise(&size, GIB);
            let engine =
                |assessment: &&Assessment| assessment.method.searched_by == SearchedBy::Engine;
            let mut tiers = 0;
            for assessment in advice.assessments.iter().filter(engine) {
                assert_eq!(assessment.basis, Basis::Measured, "{size}: {assessment:?}");
                assert!(assessment.fits, "{size}: {assessment:?}");
                tiers += 1;
            }
            assert_eq!(tiers, if rows * columns > 12 { 2 } else { 1 }, "{size}");
        }
    }
}

#[test]
fn large_boards_have_a_bound_and_an_honest_estimate_of_a_proof() {
    let [of_5x5, of_6x6] = ["5x5", "6x6"].map(|size| advise(size, GIB));
    for (size, advice, length, basis) in [
        ("5x5", &of_5x5, 103.2, Basis::Estimated),
        ("6x6", &of_6x6, 185.3, Basis::Estimated),
        ("8x8", &advise("8x8", GIB), 481.0, Basis::Estimated),
        ("10x10", &advise("10x10", GIB), 976.7, Basis::Measured),
    ] {
        let found = advice.assessment().unwrap();
        let moves = found.length.unwrap();
        assert_eq!(moves.basis, basis, "{size}");
        assert!(
            (moves.value / length - 1.0).abs() < 0.02,
            "{size} {moves:?}"
        );
        let factor = found.factor.unwrap();
        assert!((1.0..2.0).contains(&factor), "{size} {factor}");
    }
    let with = |advice: &Advice, method: Method| {
        let mut all = advice.assessments.iter();
        all.find(|assessment| assessment.method == method).cloned()
    };
    // With the full tables they were measured, and have a better bound.
    let full = with(&of_5x5, Method::anytime(Some(Tier::Full))).unwrap();
    let quick = with(&of_5x5, Method::anytime(Some(Tier::Quick))).unwrap();
    assert_eq!(full.basis, Basis::Measured);
    assert!(full.factor < quick.factor);
    let proof = |advice: &Advice| with(advice, Method::engine(Tier::Full));
    let five = proof(&of_5x5).unwrap();
    let hours = five.ln_seconds.unwrap().exp() / 3600.0;
    assert!((2.0..4.0).contains(&hours), "{hours}");
    assert_eq!((five.fits, five.basis), (false, Basis::Estimated));
    let six = proof(&of_6x6).unwrap();
    assert!(six.ln_seconds > five.ln_seconds);
    assert_eq!(proof(&advise("7x7", GIB)), None);
    // Nothing was measured of boards like these.
    assert_eq!(advise("2x30", GIB).assessment().unwrap().length, None);
}

#[test]
fn a_board_near_the_goal_has_figures_of_its_own() {
    let board: Board = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 0 23 24"
        .parse()
        .unwrap();
    let goal = goal("5x5");
    let advice = Advice::new(&solver(), &goal, Some(&board), GIB).unwrap();
    let best = advice.assessment().unwrap();
    assert_eq!(best.length.map(|length| length.value), Some(2.0));
    assert_eq!(best.factor, Some(1.0));
    let engine = advice
        .assessments
        .iter()
        .find(|a| a.method.name() == "idastar-pdb:full");
    assert!(engine.unwrap().fits);
}

#[test]
fn the_measured_figures_of_4x4_hold() {
    let nodes = mean_nodes("4x4", Tier::Quick, 20);
    let figure = measured::engine(goal("4x4").size(), Tier::Quick).unwrap();
    let ratio = nodes / figure.value;
    assert!((1.0 / 3.0..3.0).contains(&ratio), "{nodes} {figure:?}");
}

#[test]
#[ignore = "measures for minutes, with tables of 400 MB"]
fn all_measured_figures_hold() {
    for run in measured::ENGINE {
        let size = format!("{}x{}", run.sides.0, run.sides.1);
        let nodes = mean_nodes(&size, run.tier, run.boards);
        let (tier, figure) = (run.tier, run.nodes);
        assert!(
            (nodes / figure - 1.0).abs() < 0.02,
            "{size} {tier}: {nodes}"
        );
    }
}

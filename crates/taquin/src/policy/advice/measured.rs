//! What was measured, as constants: searches take too long to measure when advice is asked for.

use crate::Size;
use crate::space::{Basis, Figure};
use crate::tables::Tier;

/// What the engine took on random boards of a size.
pub(super) struct EngineRun {
    /// The sides, the shorter one first.
    pub(super) sides: (usize, usize),
    pub(super) tier: Tier,
    /// How many boards were solved.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test repeats the run"))]
    pub(super) boards: u32,
    /// The nodes it expanded for each, on average.
    pub(super) nodes: f64,
}

/// What the engine took on random boards of the classic goal.
///
/// Measured, not computed: November 2026, one thread, boards of seed 1. 4×4 with full tables is in
/// `docs/benchmarks.md`, "The table engine" (`cargo xtask bench engine`: 7,252,051 nodes for 1000
/// boards). The others are from a run of 18 November 2026 with the same boards, which `cargo test -p
/// taquin --lib all_measured_figures_hold -- --ignored` repeats; where a size took a minute, it
/// ended there. Sizes of up to twelve cells have one set of tables, which counts as full.
pub(super) const ENGINE: [EngineRun; 15] = [
    run((2, 2), Tier::Full, 1000, 3.5),
    run((2, 3), Tier::Full, 1000, 16.5),
    run((2, 4), Tier::Full, 1000, 35.3),
    run((3, 3), Tier::Full, 1000, 37.9),
    run((2, 5), Tier::Full, 1000, 132.3),
    run((3, 4), Tier::Full, 1000, 689.2),
    run((2, 6), Tier::Full, 1000, 473.0),
    run((2, 7), Tier::Quick, 877, 252_779.0),
    run((2, 7), Tier::Full, 1000, 676.5),
    run((3, 5), Tier::Quick, 967, 117_920.5),
    run((3, 5), Tier::Full, 1000, 8_342.0),
    // Most need far less, one needs 234 million.
    run((2, 8), Tier::Quick, 17, 14_721_260.0),
    run((2, 8), Tier::Full, 1000, 3_087.8),
    run((4, 4), Tier::Quick, 915, 160_105.8),
    run((4, 4), Tier::Full, 1000, 7_252.1),
];

const fn run(sides: (usize, usize), tier: Tier, boards: u32, nodes: f64) -> EngineRun {
    EngineRun {
        sides,
        tier,
        boards,
        nodes,
    }
}

/// Nodes that the engine expands in a second on one core.
///
/// Measured, as in `docs/benchmarks.md`, "The table engine": 7,252 nodes in 0.95 to 1.04 ms a board
/// on 4×4, and 95.4 million in 35.0 s for four boards of the 24-puzzle.
const SMALL_SPEED: f64 = 7.3e6;
const LARGE_SPEED: f64 = 2.7e6;

/// Nodes for a random board of 5×5 with full tables, on average: an estimate.
///
/// Korf and Felner (2002) needed 3.61e11 on average for 50 random boards, with one partition and its
/// mirror image. On the four of them that were measured here (nos. 25, 38, 40 and 44 in
/// `docs/benchmarks.md`, "The table engine"), the engine expands 0.076 of their nodes.
const NODES_5X5: f64 = 2.7e10;

/// What the search for the best solution found in ten seconds on random boards of a size.
struct AnytimeRun {
    /// The side of the square.
    side: usize,
    /// The tables it had.
    tables: Option<Tier>,
    /// The mean length.
    length: f64,
    /// The mean of length ÷ Manhattan distance.
    per_manhattan: f64,
    /// The mean of length ÷ proven bound.
    factor: f64,
}

/// What the search for the best solution found in ten seconds.
///
/// Measured, not computed: `docs/benchmarks.md`, "Good solutions in little time" (`cargo xtask bench
/// anytime`), November 2026, 20 random boards each (5 of 100×100), two threads, tables in memory.
const ANYTIME: [AnytimeRun; 6] = [
    anytime_run(5, Some(Tier::Full), 103.2, 1.346, 1.071),
    anytime_run(6, Some(Tier::Full), 185.3, 1.379, 1.262),
    anytime_run(7, None, 309.2, 1.427, 1.386),
    anytime_run(10, None, 976.7, 1.502, 1.491),
    anytime_run(20, None, 8_544.0, 1.605, 1.601),
    anytime_run(100, None, 1_416_000.0, 2.123, 2.123),
];

/// The side of a square, and length ÷ proven bound with quick tables.
///
/// Measured on few boards, 18 November 2026, on a busy machine with
/// [`Solver::solve`](crate::Solver::solve): the first 8 boards of 5×5 in `cargo xtask bench anytime`,
/// the first 6 of 6×6. Lengths do not differ by more than chance: 103.25 moves with quick tables and
/// 103.5 with full ones on those of 5×5.
const QUICK_FACTORS: [(usize, f64); 2] = [(5, 1.124), (6, 1.286)];

const fn anytime_run(
    side: usize,
    tables: Option<Tier>,
    length: f64,
    per_manhattan: f64,
    factor: f64,
) -> AnytimeRun {
    AnytimeRun {
        side,
        tables,
        length,
        per_manhattan,
        factor,
    }
}

/// What the search for the best solution finds in ten seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) length: Figure,
    /// Length ÷ proven bound.
    pub(super) factor: f64,
}

/// The nodes of the engine on a random board, where they were measured or can be estimated from
/// what was.
pub(super) fn engine(size: Size, tier: Tier) -> Option<Figure> {
    let sides = sides(size);
    if (sides, tier) == ((5, 5), Tier::Full) {
        return Some(Figure {
            value: NODES_5X5,
            basis: Basis::Estimated,
        });
    }
    let is_it = |run: &&EngineRun| (run.sides, run.tier) == (sides, tier);
    ENGINE.iter().find(is_it).map(|run| Figure {
        value: run.nodes,
        basis: Basis::Measured,
    })
}

/// Nodes that the engine expands in a second on one core.
pub(super) const fn nodes_per_second(size: Size) -> f64 {
    if size.cells() <= super::Want::SMALL_CELLS {
        SMALL_SPEED
    } else {
        LARGE_SPEED
    }
}

/// What the search for the best solution finds in ten seconds with tables of that tier: measured,
/// or estimated from the squares that were. Nothing is known of long and narrow boards.
pub(super) fn anytime(size: Size, tables: Option<Tier>) -> Option<Found> {
    let (short, long) = sides(size);
    if long > 2 * short {
        return None;
    }
    if let Some(run) = ANYTIME
        .iter()
        .find(|run| (run.side, run.side) == (short, long))
    {
        let quick = QUICK_FACTORS.iter().find(|quick| quick.0 == short);
        let is_measured = run.tables == tables;
        return Some(Found {
            length: Figure {
                value: run.length,
                basis: if is_measured {
                    Basis::Measured
                } else {
                    Basis::Estimated
                },
            },
            factor: match quick {
                Some(&(_, factor)) if !is_measured => factor,
                _ => run.factor,
            },
        });
    }
    // The ratios grow about evenly with the logarithm of the cells, and stay what they are beyond
    // the smallest and the largest.
    let cells = size.cells();
    let ln = |cells: usize| f64::from(cells as u32).ln();
    let after = ANYTIME.iter().position(|run| run.side.pow(2) > cells);
    let after = after.unwrap_or(ANYTIME.len() - 1).max(1);
    let (low, high) = (&ANYTIME[after - 1], &ANYTIME[after]);
    let share = (ln(cells) - ln(low.side.pow(2))) / (ln(high.side.pow(2)) - ln(low.side.pow(2)));
    let between = |low: f64, high: f64| low + share.clamp(0.0, 1.0) * (high - low);
    Some(Found {
        length: Figure {
            value: between(low.per_manhattan, high.per_manhattan) * mean_manhattan(size),
            basis: Basis::Estimated,
        },
        factor: between(low.factor, high.factor),
    })
}

/// The mean Manhattan distance of random boards: that of two random cells, for each tile.
fn mean_manhattan(size: Size) -> f64 {
    let side = |n: usize| {
        let n = f64::from(n as u32);
        (n - 1.0 / n) / 3.0
    };
    f64::from(size.cells() as u32 - 1) * (side(size.rows()) + side(size.columns()))
}

/// The sides of a board, the shorter one first.
fn sides(size: Size) -> (usize, usize) {
    let (rows, columns) = (size.rows(), size.columns());
    (rows.min(columns), rows.max(columns))
}

//! The plain and the vector form must agree bit by bit.

use proptest::prelude::*;

use crate::outcome::{Budget, Outcome};
use crate::solve::Effort;
use crate::tables::{Catalogue, Partition, TableSet, Tier};
use crate::{Board, Goal, Rng, Size, random_walk_end};

use super::engine::Engine;

/// The engine of the quick tables of a size.
fn quick(size: Size, blank: usize) -> Engine {
    engine(Catalogue::of(size, blank, Tier::Quick).unwrap())
}

fn engine(catalogue: Catalogue) -> Engine {
    let tables = TableSet::build(catalogue, 2, &Budget::default()).unwrap();
    Engine::new(&tables, true)
}

/// The engine of partitions into small patterns, which builds fast.
fn small(size: Size, partitions: &[&str]) -> Engine {
    let blank = size.cells() - 1;
    let partitions = partitions
        .iter()
        .map(|drawing| Partition::from_drawing(size, blank, drawing).unwrap())
        .collect();
    engine(Catalogue::new(size, blank, partitions).unwrap())
}

/// Engines of every size with quick tables, and some with many views: of patterns of one size, which
/// are numbered alike, and of several, which are not.
fn engines() -> Vec<(Size, Engine)> {
    let sizes = (2..=6).flat_map(|rows| (rows..=6).map(move |columns| (rows, columns)));
    let sizes = sizes.map(|(rows, columns)| Size::new(rows, columns).unwrap());
    let mut engines: Vec<(Size, Engine)> = sizes
        .map(|size| (size, quick(size, size.cells() - 1)))
        .collect();
    let four = Size::new(4, 4).unwrap();
    let five = Size::new(5, 5).unwrap();
    let alike = [
        "aaab/ccdb/eedb/eedd",
        "aabb/aabc/ddcc/ddee",
        "abbb/acdd/accd/eeed",
        "aaad/bbbd/ccce/dddd",
        "abcd/abcd/abcd/aeee",
        "abbc/aabc/ddcc/eeed",
    ];
    let mixed = [
        "aaab/ccdb/eedb/eedd",
        "aaaa/abbb/bccc/dddd",
        "abcd/abcd/abcd/abcd",
        "aabb/aabb/ccdd/ccdd",
        "aaaa/abbb/bbcc/cccc",
    ];
    let fives = [
        "aaaab/bbbcc/ccddd/deeee/fffff",
        "abcde/abcde/abcde/abcde/fffff",
        "aabbc/aabbc/ddeec/ddeec/fffff",
        "aaabb/abbcc/ddccc/ddeee/fffff",
        "abbbb/aaacd/eeecd/effcd/ffffd",
    ];
    for (size, drawings) in [
        (four, &alike[..]),
        (four, &mixed[..]),
        (five, &fives[..3]),
        (five, &fives[..]),
    ] {
        engines.push((size, small(size, drawings)));
    }
    engines
}

/// A board from which a random walk leads to the goal.
fn near_goal(size: Size, length: usize, rng: &mut Rng) -> Board {
    random_walk_end(&Goal::Classic.board(size).unwrap(), length, rng)
}

/// What a search does is the same with vectors and without.
#[test]
fn searches_expand_the_same_nodes_in_both_forms() {
    let mut rng = Rng::from_seed(7);
    for (size, engine) in engines() {
        let mut plain = engine.clone();
        plain.is_plain = true;
        for length in [0, 1, 7, 20, 40] {
            let board = near_goal(size, length, &mut rng);
            let solved = |engine: &Engine| {
                let report = engine.solve(&board, &Effort::default()).unwrap();
                let Outcome::Solved(solution) = report.outcome else {
                    panic!("{board}: no limit was set");
                };
                assert!(solution.cost as usize <= length);
                let nodes = report.statistics.iterations.iter().map(|i| i.expanded);
                (solution.moves, nodes.collect::<Vec<u64>>())
            };
            assert_eq!(solved(&engine), solved(&plain), "{board}");
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod steps {
    use super::*;
    use crate::cpu::WideVectors;
    use crate::solve::optimal::lookup::{Lookup, Word};
    use crate::solve::optimal::octets::Octets;
    use crate::solve::optimal::step::{Form, Plain, RowBits, RowWords, TileMove};
    use crate::solve::optimal::wide::Wide;

    const SLOTS: usize = Engine::MAX_SLOTS;
    const VIEWS: usize = Engine::MAX_VIEWS;
    const WIDTH: usize = Engine::MAX_ROW;

    /// Walks from a board and compares what both forms say of each move.
    fn walk(size: Size, engine: &Engine, vectors: WideVectors, rng: &mut Rng) {
        let lookups: Vec<Lookup<'_>> = engine.lookups();
        let plain = Plain {
            engine,
            lookups: &lookups,
        };
        let wide = Wide {
            engine,
            lookups: &lookups,
            octets: &Octets::new(engine, &lookups),
            vectors,
        };
        let board = near_goal(size, 300, rng);
        let start = engine.start(&board).unwrap();
        let mut words = [Word::default(); SLOTS];
        for (word, &(place, value)) in words.iter_mut().zip(&start.values) {
            *word = Word::new(place, value);
        }
        let (mut tiles, mut blank) = (start.tiles, start.blank);
        for _ in 0..60 {
            let legal = engine.moves(usize::from(blank), engine.automaton.start());
            let moves: Vec<usize> = (0..4).filter(|index| legal >> index & 1 == 1).collect();
            let from = engine.from(blank, moves[rng.below(moves.len())]);
            let tile = tiles[usize::from(from)];
            let slack: [u8; VIEWS] = std::array::from_fn(|_| rng.below(3) as u8);
            let tile_move = TileMove {
                tile,
                from,
                to: blank,
            };
            let width = engine.row(tile).slots().len();
            let judged = step(plain, tile_move, width, &words, &slack);
            assert_eq!(
                step(wide, tile_move, width, &words, &slack),
                judged,
                "{size}"
            );
            judged.words.write_to(engine.row(tile), &mut words);
            tiles[usize::from(blank)] = tile;
            blank = from;
        }
    }

    /// All that a form says of a move.
    #[derive(Debug, PartialEq)]
    struct Step {
        words: RowWords<WIDTH>,
        bits: Vec<u64>,
        rises: Vec<u8>,
        slack: [u8; VIEWS],
        is_within: bool,
    }

    /// What a form says of a move; of what is behind the slots of the row only the words count.
    fn step(
        form: impl Form,
        tile_move: TileMove,
        width: usize,
        words: &[Word; SLOTS],
        slack: &[u8; VIEWS],
    ) -> Step {
        let mut after = RowWords::<WIDTH>::EMPTY;
        let mut bits = RowBits::<WIDTH>::EMPTY;
        form.advance(tile_move, words, &mut after, &mut bits);
        let rises = form.land(tile_move.tile, &mut after, &bits);
        let mut new = [0; VIEWS];
        let is_within = form.slacken(tile_move.tile, slack, &rises, &mut new);
        // Behind them the first is repeated up to the end of an octet or of the row.
        let first = after.0[0];
        after.0[width..].fill(first);
        Step {
            words: after,
            bits: bits.0[..width].to_vec(),
            rises: rises[..width].to_vec(),
            slack: new,
            is_within,
        }
    }

    #[test]
    fn vectors_agree_with_the_plain_form() {
        let Some(vectors) = WideVectors::detect() else {
            return;
        };
        let engines = engines();
        proptest!(ProptestConfig::with_cases(32), |(seed: u64)| {
            let mut rng = Rng::from_seed(seed);
            for (size, engine) in &engines {
                walk(*size, engine, vectors, &mut rng);
            }
        });
    }
}

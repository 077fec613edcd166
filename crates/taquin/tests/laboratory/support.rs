//! What the other files share: all searches behind one call, a judge that knows all costs, and
//! the checks that every answer must pass.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use taquin::heuristic::{AnyHeuristic, Heuristic, HeuristicKind, Manhattan};
use taquin::search::{
    Cost, Domain, Observer, PackedState, Sliding, TilePuzzle, TileState, astar, bfs, bibfs,
    dijkstra, frontier, greedy, idastar, idastar_tt, nbs, rbfs, smastar, wastar,
};
use taquin::{Board, Goal, Limits, Move, Outcome, Proof, Report, Rng, Solution, uniform};

pub(crate) type Puzzle = Sliding<PackedState>;

/// What a search of the laboratory finds.
pub(crate) type Path<P = Puzzle> = Vec<<P as Domain>::Action>;

pub(crate) const WEIGHT: f64 = 1.5;

/// Every search of the laboratory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Bfs,
    Dijkstra,
    Astar,
    Wastar,
    Greedy,
    Idastar,
    IdastarTt,
    /// With a table of a handful of entries.
    IdastarTiny,
    Rbfs,
    Smastar,
    Frontier,
    Bibfs,
    Nbs,
}

use Algorithm::{
    Astar, Bfs, Bibfs, Dijkstra, Frontier, Greedy, Idastar, IdastarTiny, IdastarTt, Nbs, Rbfs,
    Smastar, Wastar,
};

impl Algorithm {
    pub(crate) const ALL: [Self; 13] = [
        Bfs,
        Dijkstra,
        Astar,
        Wastar,
        Greedy,
        Idastar,
        IdastarTt,
        IdastarTiny,
        Rbfs,
        Smastar,
        Frontier,
        Bibfs,
        Nbs,
    ];

    /// Whether it uses no estimate.
    pub(crate) fn is_blind(self) -> bool {
        matches!(self, Bfs | Dijkstra | Frontier | Bibfs)
    }

    /// Whether it searches one path at a time and would never end without a goal.
    pub(crate) fn is_depth_first(self) -> bool {
        matches!(self, Idastar | IdastarTt | IdastarTiny | Rbfs)
    }

    /// Whether it finds a cheapest path.
    pub(crate) fn is_optimal(self, cost: Cost) -> bool {
        match self {
            Wastar | Greedy => false,
            Bfs => cost == Cost::Unit,
            _ => true,
        }
    }
}

/// A puzzle with an estimate, and the means to make the same estimate for another goal.
pub(crate) struct Lab<H, P = Puzzle> {
    pub(crate) domain: P,
    pub(crate) heuristic: H,
    make: Box<Make<H, P>>,
}

/// Makes an estimate for a puzzle.
type Make<H, P> = dyn Fn(&P) -> H;

impl<H: Heuristic<P>, P: TilePuzzle> Lab<H, P> {
    pub(crate) fn new(domain: P, make: impl Fn(&P) -> H + 'static) -> Self {
        Self {
            heuristic: make(&domain),
            domain,
            make: Box::new(make),
        }
    }

    pub(crate) fn start(&self, board: &Board) -> P::State {
        self.domain.state(board).expect("the same size")
    }

    pub(crate) fn uniform(&self, rng: &mut Rng) -> P::State {
        self.start(&uniform(self.domain.goal_board(), rng))
    }

    pub(crate) fn estimate(&self, state: &P::State) -> u32 {
        let memo = self.heuristic.evaluate(&self.domain, state);
        self.heuristic.value(&memo)
    }

    pub(crate) fn solve(&self, algorithm: Algorithm, start: P::State) -> Report<Path<P>> {
        self.run(algorithm, start, &Limits::default(), &mut ())
    }

    pub(crate) fn run<O: Observer<P>>(
        &self,
        algorithm: Algorithm,
        start: P::State,
        limits: &Limits,
        observer: &mut O,
    ) -> Report<Path<P>> {
        let (domain, heuristic) = (&self.domain, &self.heuristic);
        match algorithm {
            Bfs => bfs(domain, start, limits, observer),
            Dijkstra => dijkstra(domain, start, limits, observer),
            Astar => astar(domain, start, heuristic, limits, observer),
            Wastar => wastar(domain, start, heuristic, WEIGHT, limits, observer),
            Greedy => greedy(domain, start, heuristic, limits, observer),
            Idastar => idastar(domain, start, heuristic, limits, observer),
            IdastarTt => idastar_tt(domain, start, heuristic, None, limits, observer),
            IdastarTiny => idastar_tt(
                domain,
                start,
                heuristic,
                NonZeroU64::new(200),
                limits,
                observer,
            ),
            Rbfs => rbfs(domain, start, heuristic, limits, observer),
            Smastar => smastar(domain, start, heuristic, None, limits, observer),
            Frontier => frontier(domain, start, limits, observer),
            Bibfs => bibfs(domain, start, limits, observer),
            Nbs => {
                let goal = start.to_board(domain.goal_board().size());
                let back = domain.towards(&goal.expect("a board"));
                let back = back.expect("the same size");
                let backward = (self.make)(&back);
                nbs(domain, start, heuristic, &backward, limits, observer)
            }
        }
    }

    /// The report has a path that leads to the goal, costs what it says, takes no move back, and is
    /// as cheap as its proof promises. Gives what it costs.
    pub(crate) fn check(
        &self,
        algorithm: Algorithm,
        start: &P::State,
        report: &Report<Path<P>>,
        cost: u32,
    ) -> u32 {
        let Outcome::Solved(solution) = &report.outcome else {
            panic!("{algorithm:?}: {:?}", report.outcome);
        };
        self.check_path(start, solution);
        match solution.proof {
            Proof::Optimal(_) => assert_eq!(solution.cost, cost, "{algorithm:?}"),
            Proof::Within { lower_bound, .. } => {
                assert!(lower_bound <= cost, "{algorithm:?} {lower_bound}");
                assert!(cost <= solution.cost, "{algorithm:?}");
                let factor = solution.factor().unwrap();
                assert!((1.0..=WEIGHT).contains(&factor), "{algorithm:?} {factor}");
            }
            Proof::Nothing(_) => assert!(solution.cost >= cost, "{algorithm:?}"),
        }
        let proven = solution.proof.is_optimal();
        let expected = algorithm.is_optimal(self.domain.counting().cost());
        assert!(proven || !expected, "{algorithm:?}");
        solution.cost
    }

    fn check_path(&self, start: &P::State, solution: &Solution<Path<P>>) {
        let (mut state, mut cost, mut last) = (start.clone(), 0, None);
        for &action in &solution.moves {
            let mut possible = self.domain.actions_after(&state, last);
            assert!(possible.any(|possible| possible == action));
            cost += self.domain.apply(&mut state, action);
            last = Some(action);
        }
        assert!(self.domain.is_goal(&state));
        assert_eq!(cost, solution.cost);
    }
}

pub(crate) fn puzzle(size: &str, goal: &Goal, cost: Cost) -> Puzzle {
    let size = size.parse().expect("a size");
    Puzzle::new(&goal.board(size).expect("a goal"), cost).expect("small enough")
}

/// The puzzle with Manhattan distance.
pub(crate) fn manhattan(size: &str, goal: &Goal, cost: Cost) -> Lab<Manhattan> {
    Lab::new(puzzle(size, goal, cost), Manhattan::new)
}

/// The puzzle with the heuristic of a kind.
pub(crate) fn kind(kind: HeuristicKind, size: &str, goal: &Goal, cost: Cost) -> Lab<AnyHeuristic> {
    let make = move |puzzle: &Puzzle| AnyHeuristic::new(kind, puzzle).expect("a small board");
    Lab::new(puzzle(size, goal, cost), make)
}

pub(crate) fn board(text: &str) -> Board {
    text.parse().expect("a board")
}

/// Eighty moves, as far as it gets on 4x4: no search in these tests gets there.
pub(crate) const FAR: &str = "15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0";

/// What every board costs that can reach the goal: Dijkstra's algorithm from there, by nothing but
/// maps.
pub(crate) fn true_costs<P: TilePuzzle<State = PackedState>>(
    domain: &P,
) -> HashMap<PackedState, u32> {
    let mut costs = HashMap::new();
    let mut queue = BTreeMap::from([(0, vec![domain.goal()])]);
    while let Some((cost, states)) = queue.pop_first() {
        for state in states {
            if let Entry::Vacant(entry) = costs.entry(state) {
                entry.insert(cost);
                for action in domain.actions(&state) {
                    let (next, step) = domain.successor(&state, action);
                    queue.entry(cost + step).or_default().push(next);
                }
            }
        }
    }
    costs
}

/// Manhattan distance on every third state and nothing on the others: never too much, far from
/// consistent.
pub(crate) struct Patchy(Manhattan);

impl Patchy {
    pub(crate) fn new(domain: &Puzzle) -> Self {
        Self(Manhattan::new(domain))
    }
}

impl Heuristic<Puzzle> for Patchy {
    type Memo = u32;

    fn evaluate(&self, domain: &Puzzle, state: &PackedState) -> u32 {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        if hasher.finish().is_multiple_of(3) {
            self.0.evaluate(domain, state)
        } else {
            0
        }
    }

    fn step(&self, domain: &Puzzle, _: &u32, after: &PackedState, _: Move) -> u32 {
        self.evaluate(domain, after)
    }

    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

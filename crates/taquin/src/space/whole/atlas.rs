//! What a search of a whole space found, to be looked up.

use thiserror::Error;

use super::layout::{BoardPlace, Layout, Order};
use super::memory::{PORTION, search_bytes};
use super::search::{Found, search};
use super::survey::{Level, Survey};
use super::walk::{Form, Guide, Position, Step};
use super::{Census, Space, Tally};
use crate::outcome::{Budget, WrongSolutionError};
use crate::tables::{BuildError, Bytes, ChangedTableError, OutOfMemoryError, try_reserve_exact};
use crate::{Board, GoalSizeError, Metric, Moves, Rng, Size, Slide, Solvability, Tile, uniform};

/// Everything about a whole space: how many boards there are at each distance, which are the
/// farthest, and how far each board is.
///
/// A board takes one bit in single-tile moves and two in multi-tile moves: its distance modulo 4
/// or modulo 3. The distance itself comes from walking to the goal, each step to a board that is
/// nearer by one. Up to a million boards take a byte each, and need no walk.
///
/// ```
/// use taquin::space::Space;
/// use taquin::{Goal, Metric, Budget};
///
/// let goal = Goal::Classic.board("3x3".parse()?)?;
/// let atlas = Space::new(&goal, Metric::Single)?.search(1, &Budget::default())?;
/// assert_eq!(atlas.census().all().farthest(), 31);
/// let farthest: Vec<String> = atlas.farthest().iter().map(|board| board.to_string()).collect();
/// assert_eq!(farthest, ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]);
///
/// let board = "1 2 3/4 0 6/7 5 8".parse()?;
/// assert_eq!(atlas.distance(&board)?, 2);
/// assert_eq!(atlas.solution(&board)?.to_string(), "UL");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Atlas {
    space: Space,
    layout: Layout,
    bytes: Bytes,
    census: Census,
    farthest: Vec<Board>,
    /// The canonical cell of each cell.
    cells: Vec<usize>,
}

/// Why a board has no distance.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DistanceError {
    /// It has not the goal's size.
    #[error(transparent)]
    Size(#[from] GoalSizeError),
    /// No moves lead from it to the goal.
    #[error("unsolvable: {0}")]
    Unsolvable(Solvability),
    /// The table leads nowhere: it is damaged.
    #[error("the table of distances is damaged")]
    Damaged,
    /// The file of the table was changed while it was used.
    #[error(transparent)]
    Changed(#[from] ChangedTableError),
}

/// Why no board was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There is none at that distance.
    #[error("no board needs {distance} moves: the farthest need {farthest}")]
    Distance {
        /// The distance asked for.
        distance: u32,
        /// The largest that there is.
        farthest: u32,
    },
    /// The search for them was broken off.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There should be many, and there are none: the table is damaged.
    #[error("the table of distances is damaged")]
    Damaged,
    /// The file of the table was changed while it was used.
    #[error(transparent)]
    Changed(#[from] ChangedTableError),
}

/// Up to so many boards at a distance are searched for and listed, to draw from; of more, the
/// next random board is one soon enough.
const RARE: u64 = 100_000;

/// The most distances that the bytes of an atlas have room for.
pub(super) const LEVELS: usize = 256;

impl Atlas {
    /// The most boards that [`Atlas::farthest`] lists.
    pub const MAX_LISTED: usize = 1024;

    /// Searches all boards of a space.
    pub(super) fn search(
        space: &Space,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, BuildError> {
        space.allow(space.working_memory(threads), budget)?;
        let key = space.key();
        let layout = Layout::new(&key);
        let form = Form::of(&layout, key.metric);
        let mut survey = Survey::new(&layout, form, budget)?;
        let planes = search(&key, &layout, threads, budget, &mut survey)?;
        let bytes = survey.into_bytes(&layout, form, planes, budget)?;
        let atlas = Self::from_bytes(space, bytes.into());
        Ok(atlas.expect("a search finds every board once"))
    }

    /// How many bytes an atlas has.
    pub(super) fn len(layout: &Layout, metric: Metric) -> usize {
        Form::of(layout, metric).len(layout) + Self::rest_len(layout)
    }

    /// How many bytes come after those of the boards: how many there are of each distance, and the
    /// list of the farthest.
    pub(super) fn rest_len(layout: &Layout) -> usize {
        (LEVELS * layout.size().cells() + Self::MAX_LISTED) * size_of::<u64>()
    }

    /// An atlas that was stored; `None` if the bytes are not those of one. Whether the distances
    /// in it are right is not checked; damaged ones give wrong distances, or none.
    #[must_use]
    pub fn from_bytes(space: &Space, bytes: Bytes) -> Option<Self> {
        let key = space.key();
        let layout = Layout::new(&key);
        if bytes.len() != Self::len(&layout, key.metric) {
            return None;
        }
        let (_, rest) = bytes.split_at(Form::of(&layout, key.metric).len(&layout));
        let (counts, listed) = rest.split_at(rest.len() - Self::MAX_LISTED * size_of::<u64>());

        // 1. How many boards there are at each distance.
        let original = space.goal.size();
        let symmetry = space.reduction.symmetry();
        let cells: Vec<usize> = (0..original.cells())
            .map(|cell| symmetry.cell(original, cell))
            .collect();
        let counts: Vec<u64> = numbers(counts).collect();
        let boards = counts
            .iter()
            .try_fold(0_u64, |sum, &count| sum.checked_add(count));
        if boards != Some(space.boards()) {
            return None;
        }
        let tally = |&cell: &usize| {
            let of_cell = counts.iter().skip(cell).step_by(cells.len());
            Tally::new(of_cell.copied().collect())
        };
        let census = Census::new(cells.iter().map(tally).collect());

        // 2. The farthest boards.
        let count = census.all().at(census.all().farthest());
        let places = numbers(listed).take(count.min(Self::MAX_LISTED as u64) as usize);
        let boards: Option<Vec<Board>> = places
            .map(|number| space.board_at(&layout, place_of(&layout, number)?))
            .collect();
        let mut farthest = boards?;
        farthest.sort_by_cached_key(key_of);

        Some(Self {
            space: space.clone(),
            layout,
            census,
            farthest,
            cells,
            bytes,
        })
    }

    /// The bytes to store: they can be read by [`Atlas::from_bytes`] with any goal of the same
    /// [key](Space::key).
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The space.
    #[must_use]
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// How many boards there are at each distance.
    #[must_use]
    pub const fn census(&self) -> &Census {
        &self.census
    }

    /// The boards at the largest distance, in the order of their tiles; [`Atlas::MAX_LISTED`] of
    /// them if there are more.
    #[must_use]
    pub fn farthest(&self) -> &[Board] {
        &self.farthest
    }

    /// Whether the bytes are still what they were when they were found or checked: see
    /// [`Bytes::confirm`]. Lookups ask that themselves before they answer.
    pub fn confirm(&self) -> Result<(), ChangedTableError> {
        self.bytes.confirm()
    }

    /// How many moves a board needs.
    pub fn distance(&self, board: &Board) -> Result<u32, DistanceError> {
        let distance = self.look_up(board);
        self.confirm()?;
        distance
    }

    /// How many moves a board needs, if the bytes are right.
    fn look_up(&self, board: &Board) -> Result<u32, DistanceError> {
        let position = self.position(board)?;
        self.guide()
            .distance(position)
            .ok_or(DistanceError::Damaged)
    }

    /// All first moves of shortest solutions: none for the goal.
    pub fn best(&self, board: &Board) -> Result<Vec<Slide>, DistanceError> {
        let position = self.position(board)?;
        let steps = self.guide().downhill(position);
        let mut slides: Vec<Slide> = steps.map(|(step, _)| self.slide(step)).collect();
        self.confirm()?;
        // In the order of the original's directions, whatever the canonical ones are.
        slides.sort_by_key(|slide| (slide.direction as usize, slide.tiles));
        Ok(slides)
    }

    /// A shortest solution.
    pub fn solution(&self, board: &Board) -> Result<Moves, DistanceError> {
        let moves = self.walk(board);
        self.confirm()?;
        let moves = moves?;
        WrongSolutionError::check(board, &self.space.goal, &moves)
            .map_err(|_| DistanceError::Damaged)?;
        Ok(moves)
    }

    /// The way to the goal, if the bytes are right.
    fn walk(&self, board: &Board) -> Result<Moves, DistanceError> {
        let mut position = self.position(board)?;
        let guide = self.guide();
        let distance = guide.distance(position).ok_or(DistanceError::Damaged)?;
        let mut moves = Moves::new();
        for _ in 0..distance {
            let Some((step, next)) = guide.downhill(position).next() else {
                return Err(DistanceError::Damaged);
            };
            let slide = self.slide(step);
            for _ in 0..slide.tiles {
                moves.push(slide.direction);
            }
            position = next;
        }
        Ok(moves)
    }

    /// Draws boards at exactly that distance, each as likely as every other one. The same generator
    /// gives the same boards for ever. Where such boards are rare they are searched for first, on
    /// `threads` threads, as [`Space::level`] does. What is drawn counts as memory too.
    pub fn sample(
        &self,
        distance: u32,
        count: usize,
        rng: &mut Rng,
        threads: usize,
        budget: &Budget,
    ) -> Result<Vec<Board>, SampleError> {
        let available = self.census.all().at(distance);
        if available == 0 {
            let farthest = self.census.all().farthest();
            return Err(SampleError::Distance { distance, farthest });
        }
        let space = &self.space;
        let bytes = (count as u64).saturating_mul(size_of::<Board>() as u64);
        space.allow(bytes, budget).map_err(BuildError::Limit)?;
        let mut drawn = Vec::new();
        try_reserve_exact(&mut drawn, count).map_err(BuildError::Memory)?;
        if available <= RARE {
            let level = space.level(distance, threads, budget)?;
            let draw = |_| level[rng.below(level.len())].clone();
            drawn.extend((0..count).map(draw));
            return Ok(drawn);
        }
        // So many boards without one are so unlikely that the counts must be wrong.
        let patience = space.boards() / available * 100;
        let mut in_vain = 0;
        while drawn.len() < count {
            budget.check().map_err(BuildError::Stopped)?;
            let board = uniform(&space.goal, rng);
            if self.look_up(&board) == Ok(distance) {
                drawn.push(board);
                in_vain = 0;
            } else if in_vain > patience {
                self.confirm()?;
                return Err(SampleError::Damaged);
            } else {
                in_vain += 1;
            }
        }
        self.confirm()?;
        Ok(drawn)
    }

    fn guide(&self) -> Guide<'_> {
        let len = Form::of(&self.layout, self.space.metric).len(&self.layout);
        let farthest = self.census.all().farthest();
        Guide::new(
            &self.layout,
            self.space.metric,
            &self.bytes[..len],
            farthest,
        )
    }

    /// A board as the canonical puzzle has it.
    fn position(&self, board: &Board) -> Result<Position, DistanceError> {
        let goal = &self.space.goal;
        if board.size() != goal.size() {
            return Err(Solvability::of(board, goal)
                .map_or_else(DistanceError::Size, DistanceError::Unsolvable));
        }
        let mut names = [0; Space::MAX_CELLS];
        for (tile, &cell) in board.tiles().zip(&self.cells) {
            names[cell] = self.space.reduction.name(tile) as u8;
        }
        let position = Position::new(self.cells[board.blank()], &names[..self.cells.len()]);
        if position.parity(&self.layout) == self.layout.parity(position.blank) {
            // What was changed since the last lookup is not even looked at.
            self.confirm()?;
            Ok(position)
        } else {
            Err(DistanceError::Unsolvable(Solvability::of(board, goal)?))
        }
    }

    /// A canonical step as a slide of the original puzzle.
    fn slide(&self, step: Step) -> Slide {
        let back = self.space.reduction.symmetry().inverse();
        Slide {
            direction: back.transform_move(step.direction),
            tiles: step.tiles as u8,
        }
    }
}

/// What a board of a level takes: its key, sorted, and itself.
const LISTED_BYTES: u64 = (size_of::<u64>() + size_of::<Board>()) as u64;

impl Space {
    /// All boards at a distance, in the order of their tiles, found by a search on `threads` threads.
    /// There can be many: each takes some dozens of bytes, which count as memory of the budget as
    /// those of the search do.
    pub fn level(
        &self,
        distance: u32,
        threads: usize,
        budget: &Budget,
    ) -> Result<Vec<Board>, BuildError> {
        // 1. The words that have such boards.
        let key = self.key();
        let layout = Layout::new(&key);
        let search_bytes = search_bytes(&layout, self.metric, threads);
        self.allow(search_bytes, budget)?;
        let limit = budget.limits().memory.unwrap_or(u64::MAX);
        let mut level = Level::new(distance, limit - search_bytes);
        drop(search(&key, &layout, threads, budget, &mut level)?);

        // 2. The boards. Up to now it was not known how many they are.
        let words: usize = level.found.iter().map(Vec::capacity).sum();
        let words_bytes = (words * size_of::<Found>()) as u64;
        let bytes = words_bytes + level.boards * LISTED_BYTES;
        if level.is_full() {
            // There would have been as many words at the most.
            let words_bytes = level.boards * size_of::<Found>() as u64;
            self.allow(search_bytes + bytes + words_bytes, budget)?;
            let bytes = words_bytes as usize;
            return Err(OutOfMemoryError { bytes }.into());
        }
        self.allow(bytes, budget)?;
        let (mut keys, mut boards) = (Vec::new(), Vec::new());
        try_reserve_exact(&mut keys, level.boards as usize)?;
        try_reserve_exact(&mut boards, level.boards as usize)?;
        for words in level.found.iter().flat_map(|found| found.chunks(PORTION)) {
            budget.check().map_err(BuildError::Stopped)?;
            for place in words.iter().flat_map(Found::places) {
                keys.extend(self.board_at(&layout, place).map(|board| key_of(&board)));
            }
        }
        sort_keys(&mut keys, budget)?;
        let size = self.goal.size();
        for keys in keys.chunks(PORTION) {
            budget.check().map_err(BuildError::Stopped)?;
            boards.extend(keys.iter().filter_map(|&key| board_of(size, key)));
        }
        Ok(boards)
    }

    /// The board at a place, as the original puzzle has it.
    pub(super) fn board_at(&self, layout: &Layout, place: BoardPlace) -> Option<Board> {
        let mut board = None;
        layout.orders(place.blank, place.word, 1 << place.bit, |order| {
            board = self.board(layout, place.blank, order);
        });
        board
    }

    /// The board with the tiles in this order, as the original puzzle has it.
    fn board(&self, layout: &Layout, blank: usize, order: &Order) -> Option<Board> {
        let mut tiles: Vec<_> = order[..layout.tiles()]
            .iter()
            .map(|&tile| u16::from(tile) + 1)
            .collect();
        tiles.insert(blank, 0);
        let board = Board::from_tiles(layout.size(), &tiles).ok()?;
        self.reduction.restore_board(&board).ok()
    }
}

/// A board as a number: its tiles in reading order, four bits each. Numbers come in the order of
/// the tiles.
pub(super) fn key_of(board: &Board) -> u64 {
    let tiles = board.tiles();
    tiles.fold(0, |key, tile| key << 4 | u64::from(tile))
}

/// The board of a number.
fn board_of(size: Size, key: u64) -> Option<Board> {
    let mut tiles = [0; Space::MAX_CELLS];
    let tiles = &mut tiles[..size.cells()];
    for (place, tile) in tiles.iter_mut().rev().enumerate() {
        *tile = (key >> (4 * place) & 15) as Tile;
    }
    Board::from_tiles(size, tiles).ok()
}

/// Sorts many keys, and looks at the budget now and then.
fn sort_keys(keys: &mut [u64], budget: &Budget) -> Result<(), BuildError> {
    budget.check().map_err(BuildError::Stopped)?;
    if keys.len() <= PORTION {
        keys.sort_unstable();
        return Ok(());
    }
    let (low, _, high) = keys.select_nth_unstable(keys.len() / 2);
    sort_keys(low, budget)?;
    sort_keys(high, budget)
}

/// Numbers as they are stored.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|&number| u64::from_le_bytes(number))
}

/// The place of a stored number; `None` if there is none.
fn place_of(layout: &Layout, number: u64) -> Option<BoardPlace> {
    let (word, bit) = ((number / 64) as usize, (number % 64) as u32);
    let exists = word < layout.all_words() && layout.full() >> bit & 1 == 1;
    exists.then(|| BoardPlace {
        blank: word / layout.words(),
        word: word % layout.words(),
        bit,
    })
}

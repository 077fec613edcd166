//! Random boards.

use std::hash::{BuildHasher, RandomState};

use axum::extract::State;
use serde::Deserialize;
use taquin::{Rng, random_walk_end, uniform};
use taquin_records::Scramble;
use utoipa::ToSchema;

use super::{Answer, Answered};
use crate::client::Client;
use crate::fields;
use crate::problem::{Problem, Refusals};
use crate::read::Json;
use crate::search_task;
use crate::state::App;

/// Which board to draw.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScrambleRequest {
    /// Rows x columns.
    #[schema(example = "4x4")]
    size: String,
    /// The goal: a name, or a board. Default: `classic`.
    goal: Option<String>,
    /// Where the random numbers start; the same seed gives the same boards for ever. Without it
    /// one is drawn.
    #[schema(example = 7)]
    seed: Option<u64>,
    /// Which board of the seed, from 0.
    #[serde(default)]
    #[schema(maximum = 1000)]
    index: u64,
    /// Walk this many random moves from the goal, instead of drawing among all boards.
    #[schema(maximum = 100_000)]
    walk: Option<usize>,
}

/// The boards of a seed are drawn one after the other, so that a late one takes longer.
const MOST_INDEX: u64 = 1_000;
/// Longer walks are no more random.
const LONGEST_WALK: usize = 100_000;
/// The most moves of all the walks up to the board that is asked for.
const MOST_MOVES: u64 = 1_000_000;

/// Up to this many moves or cells a board is drawn in well under a millisecond.
const FEW_STEPS: u64 = 10_000;

/// A random board.
#[utoipa::path(
    post,
    path = "/api/v1/scramble",
    request_body = ScrambleRequest,
    responses((status = 200, description = "The answer.", body = Scramble), Refusals)
)]
pub(crate) async fn scramble(
    State(app): State<App>,
    client: Client,
    Json(request): Json<ScrambleRequest>,
) -> Answer<Scramble<'static>> {
    let size = fields::size(&app, &request.size)?;
    let goal = fields::goal(request.goal.as_deref())?.unwrap_or_default();
    let goal_board = fields::goal_board(&goal, size)?;
    if request.index > MOST_INDEX {
        let detail = format!("the last board of a seed that can be asked for is {MOST_INDEX}");
        return Err(Problem::invalid("/index", detail));
    }
    if request.walk.is_some_and(|walk| walk > LONGEST_WALK) {
        let detail = format!("a walk has at most {LONGEST_WALK} moves");
        return Err(Problem::invalid("/walk", detail));
    }
    let moves = request.walk.unwrap_or(0) as u64 * (request.index + 1);
    if moves > MOST_MOVES {
        let detail = format!("all walks up to that board have at most {MOST_MOVES} moves");
        return Err(Problem::invalid("/index", detail));
    }
    let seed = request.seed.unwrap_or_else(fresh);
    let (index, walk) = (request.index, request.walk);
    let steps = (index + 1) * walk.unwrap_or_else(|| size.cells()) as u64;
    let draw = move || {
        let mut rng = Rng::from_seed(seed);
        let mut draw = || match walk {
            Some(length) => random_walk_end(&goal_board, length, &mut rng),
            None => uniform(&goal_board, &mut rng),
        };
        for _ in 0..index {
            draw();
        }
        let board = draw();
        let (size, goal) = (size.to_string(), goal.name());
        Ok(Scramble::new(&board, size, goal, seed, index, walk))
    };
    let drawn = search_task::run_unless_small(&app, &client, steps <= FEW_STEPS, draw);
    drawn.await.map(Answered)
}

/// A seed that differs from call to call, and is short enough to be typed and for every language's
/// numbers.
fn fresh() -> u64 {
    RandomState::new().hash_one(()) >> 32
}

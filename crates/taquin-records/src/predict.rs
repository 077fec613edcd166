//! How many nodes an iteration of IDA* expands.

use std::borrow::Cow;
use std::f64::consts::LN_10;

use serde::Serialize;
use taquin::Size;
use taquin::heuristic::HeuristicKind;
use taquin::space::{Distribution, Equilibrium, Measurement, Prediction};

use crate::figures::significant;

/// How many nodes an iteration of IDA* expands: predicted, and counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Predict<'a> {
    /// Rows x columns.
    pub size: Cow<'a, str>,
    /// The goal's name or board.
    pub goal: Cow<'a, str>,
    /// The heuristic.
    pub heuristic: Cow<'a, str>,
    /// The threshold of the iteration.
    pub depth: u32,
    /// Where the random numbers start.
    pub seed: u64,
    /// The branching factor of the search tree.
    pub branching_factor: f64,
    /// The boards that the distribution of the estimate rests on.
    pub boards: usize,
    /// Whether these are all boards.
    pub exact: bool,
    /// The mean estimate over all boards.
    pub mean: f64,
    /// The mean estimate in the search tree.
    pub equilibrium_mean: f64,
    /// The nodes of a board; `null` where the number is beyond an `f64`.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub predicted: Option<f64>,
    /// The decimal logarithm of the nodes; `null` if there are none.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub predicted_log10: Option<f64>,
    /// The standard error of the prediction, as a share of it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub predicted_error: Option<f64>,
    /// The nodes of a board that were counted, on average.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub measured: Option<f64>,
    /// The standard error of that mean, as a share of it.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub measured_error: Option<f64>,
    /// The boards on which nodes were counted.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub measured_boards: Option<usize>,
    /// The prediction divided by the measurement.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ratio: Option<f64>,
    /// Why nothing was counted.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub not_measured: Option<Cow<'a, str>>,
}

/// A prediction with what it rests on and what was counted: what a [`Predict`] tells of.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The size of the boards.
    pub size: Size,
    /// The heuristic.
    pub heuristic: HeuristicKind,
    /// The threshold of the iteration.
    pub depth: u32,
    /// Where the random numbers start.
    pub seed: u64,
    /// The search tree.
    pub equilibrium: Equilibrium,
    /// The values of the heuristic.
    pub distribution: Distribution,
    /// What follows from both.
    pub prediction: Prediction,
    /// What was counted, or why nothing was.
    pub measured: Result<Measurement, String>,
}

impl Forecast {
    /// The prediction divided by the measurement, if there is one of any node.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let measured = self.measured.as_ref().ok()?;
        (measured.nodes > 0.0).then(|| self.prediction.nodes() / measured.nodes)
    }
}

impl<'a> Predict<'a> {
    /// The record of a prediction; `goal` is the goal's name or board.
    #[must_use]
    pub fn new(goal: impl Into<Cow<'a, str>>, forecast: &'a Forecast) -> Self {
        let Forecast {
            equilibrium,
            distribution,
            prediction,
            ..
        } = forecast;
        let finite = |number: f64| number.is_finite().then(|| significant(number));
        let measured = forecast.measured.as_ref();
        let counted = measured.ok();
        let error = counted.map(|counted| counted.standard_error / counted.nodes);
        Self {
            size: forecast.size.to_string().into(),
            goal: goal.into(),
            heuristic: forecast.heuristic.name(),
            depth: forecast.depth,
            seed: forecast.seed,
            branching_factor: significant(equilibrium.branching_factor()),
            boards: distribution.boards(),
            exact: distribution.is_exact(),
            mean: significant(distribution.mean()),
            equilibrium_mean: significant(distribution.equilibrium_mean(equilibrium)),
            predicted: finite(prediction.nodes()),
            predicted_log10: finite(prediction.ln_nodes / LN_10),
            predicted_error: finite(prediction.relative_error),
            measured: counted.map(|counted| significant(counted.nodes)),
            measured_error: error.and_then(finite),
            measured_boards: counted.map(|counted| counted.boards),
            ratio: forecast.ratio().map(significant),
            not_measured: measured.err().map(Into::into),
        }
    }
}

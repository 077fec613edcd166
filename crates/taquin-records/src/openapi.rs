//! What stands for the records' fields in their schemas where the Rust type says too little: words
//! of which there are only some, and arrays of a fixed length.

use std::borrow::Cow;

use taquin::notation::MoveNotation;
use taquin::search::{Algorithm, Cost, Limit, PruneReason};
use taquin::{Metric, Tile};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type,
};
use utoipa::{PartialSchema, ToSchema};

use crate::estimate::Estimates;
use crate::status::{LIMIT, SOLVED, UNSOLVABLE};

/// Types whose values are some words.
macro_rules! words {
    ($($name:ident: $words:expr;)*) => {$(
        pub(crate) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words = ObjectBuilder::new().schema_type(Type::String);
                words.enum_values(Some($words)).into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

const LIMITS: [Limit; 5] = [
    Limit::Nodes,
    Limit::Time,
    Limit::Memory,
    Limit::Cost,
    Limit::Cancelled,
];

const REASONS: [PruneReason; 5] = [
    PruneReason::Threshold,
    PruneReason::Duplicate,
    PruneReason::Transposition,
    PruneReason::Bound,
    PruneReason::Memory,
];

words! {
    SolvedWord: [SOLVED];
    UnsolvableWord: [UNSOLVABLE];
    VerdictWord: [SOLVED, UNSOLVABLE];
    StatusWord: [SOLVED, UNSOLVABLE, LIMIT];
    ImprovedWord: ["improved"];
    LimitWord: LIMITS.map(Limit::name);
    TraceLimitWord: LIMITS.map(Limit::name).into_iter().chain(["events"]);
    ReasonWord: REASONS.map(PruneReason::name);
    NotationWord: MoveNotation::ALL.map(MoveNotation::name);
    MetricWord: [Metric::Single, Metric::Multi].map(Metric::name);
    CostWord: [Cost::Unit, Cost::Tile].map(Cost::name);
    AlgorithmWord: Algorithm::ALL.map(Algorithm::name);
    DirectionWord: ["U", "D", "L", "R"];
    LineWord: ["row", "column"];
}

/// Two tiles.
pub(crate) struct Pair;

impl PartialSchema for Pair {
    fn schema() -> RefOr<Schema> {
        let pair = ArrayBuilder::new().items(Tile::schema());
        pair.min_items(Some(2)).max_items(Some(2)).into()
    }
}

impl ToSchema for Pair {}

impl PartialSchema for Estimates {
    fn schema() -> RefOr<Schema> {
        let number = SchemaType::from_iter([Type::Integer, Type::Null]);
        let number = ObjectBuilder::new().schema_type(number).minimum(Some(0));
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("The values by name; null for what cannot be had."))
            .additional_properties(Some(AdditionalProperties::RefOr(number.into())))
            .into()
    }
}

impl ToSchema for Estimates {
    fn name() -> Cow<'static, str> {
        "Estimates".into()
    }
}

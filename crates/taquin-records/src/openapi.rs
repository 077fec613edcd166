//! Schemas that are not derived: of words, and of fields whose Rust type says too little.

use std::borrow::Cow;

use taquin::{Named, Tile};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type,
};
use utoipa::{PartialSchema, ToSchema};

use crate::estimate::Estimates;
use crate::word::{SlideWord, Status, TraceLimit, Word};

/// The schema of a text that is one of some words.
fn one_of<W: Into<String>>(words: impl IntoIterator<Item = W>) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    text.enum_values(Some(words.into_iter().map(Into::into)))
        .into()
}

impl<T: Named> PartialSchema for Word<T> {
    fn schema() -> RefOr<Schema> {
        one_of(T::names())
    }
}

impl<T: Named> ToSchema for Word<T> {
    fn name() -> Cow<'static, str> {
        let path = std::any::type_name::<T>();
        let name = path.rsplit("::").next().unwrap_or(path);
        format!("{name}Word").into()
    }
}

impl PartialSchema for TraceLimit {
    fn schema() -> RefOr<Schema> {
        one_of(Self::names())
    }
}

impl ToSchema for TraceLimit {}

impl PartialSchema for SlideWord {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl ToSchema for SlideWord {}

/// Types that stand for a [`Status`] of which a record has only some.
macro_rules! statuses {
    ($($name:ident: $($status:ident)|+;)*) => {$(
        pub(crate) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                one_of([$(Status::$status),+].map(|status| status.to_string()))
            }
        }

        impl ToSchema for $name {}
    )*};
}

statuses! {
    SolvedWord: Solved;
    UnsolvableWord: Unsolvable;
    VerdictWord: Solved | Unsolvable;
    StatusWord: Solved | Unsolvable | Limit;
    ErrorWord: Error;
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

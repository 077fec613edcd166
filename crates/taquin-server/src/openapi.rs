//! The description of the API for programs: an `OpenAPI` 3.1 document.

use serde_json::Value;
use taquin_records::{Improvement, Trace};
use utoipa::OpenApi;

use crate::problem::Problem;

/// What is described besides the requests, which their router collects.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Taquin",
        description = "Sliding-tile puzzles: solvability, solutions, hints, estimates, traces. \
                       Boards can be written in many forms, such as `8 1 3/4 0 2/7 6 5`; moves name \
                       the direction in which the tile slides."
    ),
    components(schemas(Problem, Improvement, Trace))
)]
pub(crate) struct Document;

/// The document as JSON.
pub(crate) fn written(document: &utoipa::openapi::OpenApi) -> Vec<u8> {
    let mut json = serde_json::to_value(document).unwrap_or_default();
    tidy(&mut json);
    serde_json::to_vec(&json).unwrap_or_default()
}

/// Puts descriptions where they belong. A field whose schema is written in place comes as all of
/// that schema and of an object that has nothing but a description, so that no text would do.
fn tidy(json: &mut Value) {
    if let Some(Value::Array(parts)) = json.get("allOf")
        && let [schema, Value::Object(described)] = &parts[..]
        && described
            .keys()
            .all(|key| key == "type" || key == "description")
    {
        let (mut schema, description) = (schema.clone(), described.get("description").cloned());
        if let (Value::Object(fields), Some(description)) = (&mut schema, description) {
            fields.insert("description".to_owned(), description);
        }
        *json = schema;
    }
    match json {
        Value::Object(fields) => fields.values_mut().for_each(tidy),
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn descriptions_are_part_of_what_they_describe() {
        let mut field = json!({"field": {"allOf": [
            {"type": "string", "enum": ["a"]},
            {"type": "object", "description": "A letter."},
        ]}});
        tidy(&mut field);
        let expected = json!({"type": "string", "enum": ["a"], "description": "A letter."});
        assert_eq!(field["field"], expected);
    }
}

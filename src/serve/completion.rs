//! Completes an argument from the values that its parameter may have.

use crate::tool::Parameter;
use serde_json::Value;

/// The values that begin with what was typed, then those that have it inside; letter case does not matter.
pub(super) fn completions_of(parameter: &Parameter, typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    let values = parameter.constraints.allowed_values.iter().flatten();
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (mut begin, mut inside) = (Vec::new(), Vec::new());
    for value in values.map(plain) {
        let lower = value.to_lowercase();
        if lower.starts_with(&typed) {
            begin.push(value);
        } else if lower.contains(&typed) {
            inside.push(value);
        }
    }
    begin.extend(inside);
    begin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Constraints;
    use crate::ty::Type;
    use serde_json::json;

    fn completed(values: Value, typed: &str) -> Vec<String> {
        let allowed_values = values.as_array().cloned();
        let parameter = Parameter {
            name: "p".to_owned(),
            ty: Type::Text,
            also: Vec::new(),
            description: None,
            required: true,
            default: None,
            default_expression: None,
            constraints: Constraints { allowed_values, ..Constraints::default() },
            examples: Vec::new(),
            choices: Vec::new(),
            allowed_query: None,
            from: None,
            fields: Vec::new(),
        };
        completions_of(&parameter, typed)
    }

    #[test]
    fn values_that_begin_so_come_before_those_that_have_it_inside() {
        let airports = json!(["LGA", "EWR", "JFK", "ALGA", "lg"]);
        assert_eq!(completed(airports.clone(), "lg"), ["LGA", "lg", "ALGA"]);
        assert_eq!(completed(airports.clone(), ""), ["LGA", "EWR", "JFK", "ALGA", "lg"]);
        assert!(completed(airports, "x").is_empty());
        assert_eq!(completed(json!([1, 12, 21]), "1"), ["1", "12", "21"]);
        assert!(completed(Value::Null, "1").is_empty());
    }
}

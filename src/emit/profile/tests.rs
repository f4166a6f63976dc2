use super::fixture::{native, schemas, tool, tools};
use super::subset::{Numbers, Objects, Patterns};
use super::*;
use crate::emit::mcp;
use crate::tool::Contract;
use serde_json::{Value, json};

/// The published schema of one parameter, rewritten.
fn lowered(parameter: Value, profile: Profile) -> Value {
    let name = parameter["name"].as_str().unwrap().to_owned();
    lower(&mcp::input_schema(&tool("t", &[parameter])), profile).schema["properties"][name].clone()
}

/// Everything in a schema that is a schema itself, with the schema.
fn all_within(schema: &Value) -> Vec<&Value> {
    let mut found = vec![schema];
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match keyword.as_str() {
            "properties" | "$defs" => found.extend(value.as_object().unwrap().values().flat_map(all_within)),
            "items" => found.extend(all_within(value)),
            "additionalProperties" if value.is_object() => found.extend(all_within(value)),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                found.extend(value.as_array().unwrap().iter().flat_map(all_within));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn what_is_sent_is_within_the_subset() {
    for profile in Profile::ALL {
        let subset = profile.subset();
        for whole in schemas().iter().map(|schema| lower(schema, profile).schema) {
            for schema in all_within(&whole) {
                let map = schema.as_object().unwrap_or_else(|| panic!("{profile}: {schema} is no object"));
                for (keyword, value) in map {
                    assert!(subset.has(keyword), "{profile}: `{keyword}` in {schema}");
                    if keyword == "format" {
                        let format = value.as_str().unwrap();
                        assert!(subset.formats.is_none_or(|known| known.contains(&format)), "{profile}: {schema}");
                    }
                    if keyword == "pattern" && subset.patterns == Patterns::WithoutLookAround {
                        assert!(!value.as_str().unwrap().contains("(?"), "{profile}: {schema}");
                    }
                    if subset.numbers == Numbers::Doubles && value.is_i64() {
                        assert!(value.as_f64().unwrap().abs() < 9_007_199_254_740_992.0, "{profile}: {schema}");
                    }
                }
                if subset.objects == Objects::Closed {
                    assert!(["type", "anyOf", "const"].iter().any(|one| map.contains_key(*one)), "{schema}");
                }
                if subset.objects == Objects::Closed && map.contains_key("properties") {
                    let names: Vec<&String> = map["properties"].as_object().unwrap().keys().collect();
                    assert_eq!(map["required"], json!(names), "{schema}");
                    assert_eq!(map["additionalProperties"], false, "{schema}");
                }
            }
        }
    }
}

#[test]
fn what_is_within_the_subset_stays_as_it_is() {
    for profile in Profile::ALL {
        for schema in schemas() {
            let once = lower(&schema, profile);
            let twice = lower(&once.schema, profile);
            assert_eq!(twice.schema, once.schema, "{profile}");
            assert_eq!(twice.moved, [], "{profile}");
        }
    }
}

#[test]
fn every_restriction_is_kept_or_said() {
    let silent = ["title", "oneOf", "const", "additionalProperties", "required", "description"];
    for profile in Profile::ALL {
        for schema in schemas() {
            let lowered = lower(&schema, profile);
            let text = lowered.schema.to_string();
            for (keyword, value) in
                all_within(&schema).into_iter().flat_map(|one| one.as_object().into_iter().flatten())
            {
                let of_type = value.as_f64().is_some_and(|n| n.abs() > 9.2e18);
                let is_values = ["enum", "examples", "default"].contains(&keyword.as_str());
                let is_structure = value.is_object() || value.is_array() && !is_values;
                if silent.contains(&keyword.as_str()) || of_type || is_structure {
                    continue;
                }
                let kept = all_within(&lowered.schema).iter().any(|one| one.get(keyword) == Some(value));
                let said = words::words_of_keyword(keyword, value).is_some_and(|words| {
                    let escaped = json!(words).to_string();
                    text.contains(escaped.trim_matches('"'))
                });
                assert!(kept || said, "{profile}: `{keyword}: {value}` is gone");
            }
        }
    }
}

#[test]
fn what_strict_mode_cannot_say_is_said_in_words() {
    let text = json!({
        "name": "c", "type": "text", "description": "A code", "required": false, "default": "ab",
        "examples": ["ab", "cd"],
        "constraints": {"min_length": 1, "max_length": 10, "pattern": "^[a-z]+$"}
    });
    assert_eq!(
        lowered(text.clone(), Profile::OpenAiStrict),
        json!({
            "anyOf": [{"type": "string", "pattern": "^[a-z]+$"}, {"type": "null"}],
            "description": "A code. At least 1 character. At most 10 characters. Default: ab. For example ab, cd.",
        })
    );
    assert_eq!(
        lowered(text.clone(), Profile::Gemini),
        json!({
            "type": "string",
            "description": "A code. At least 1 character. At most 10 characters. Matches `^[a-z]+$`. Default: ab. \
                            For example ab, cd.",
        })
    );
    let published = mcp::input_schema(&tool("t", &[text]));
    assert_eq!(lower(&published, Profile::Claude).schema, published);
}

#[test]
fn look_around_reaches_no_model_of_openai() {
    let interval = json!({"name": "i", "type": "interval"});
    for profile in [Profile::OpenAi, Profile::OpenAiStrict] {
        let schema = lowered(interval.clone(), profile);
        assert_eq!(schema, json!({"type": "string", "description": "An ISO 8601 duration such as P1DT2H."}));
    }
    let looking = json!({"type": "object", "properties": {"p": {"type": "string", "pattern": "^(?!a)"}}});
    let schema = lower(&looking, Profile::OpenAi).schema;
    assert_eq!(schema["properties"]["p"], json!({"type": "string", "description": "Matches `^(?!a)`."}));
}

#[test]
fn json_of_any_kind_is_a_text_in_strict_mode() {
    let schema = lowered(json!({"name": "j", "type": "json"}), Profile::OpenAiStrict);
    assert_eq!(schema, json!({"type": "string", "description": "Any JSON value, written as JSON text."}));
    let listed = json!({"name": "j", "type": "json", "constraints": {"allowed_values": [1, "x", null]}});
    let schema = lowered(listed, Profile::OpenAiStrict);
    assert_eq!(schema, json!({"enum": [1, "x", null], "type": ["integer", "null", "string"]}));
}

#[test]
fn bounds_that_no_double_holds_are_said_unless_they_are_those_of_the_type() {
    let large = 9_007_199_254_740_993_i64;
    let bounded = json!({"name": "n", "type": "bigint", "constraints": {"minimum": 1, "maximum": large}});
    for profile in [Profile::OpenAiStrict, Profile::Gemini, Profile::Cursor] {
        assert_eq!(lowered(json!({"name": "n", "type": "bigint"}), profile), json!({"type": "integer"}));
        assert_eq!(lowered(json!({"name": "n", "type": "real"}), profile), json!({"type": "number"}));
        let schema = lowered(bounded.clone(), profile);
        assert_eq!(schema, json!({"type": "integer", "minimum": 1, "description": "At most 9007199254740993."}));
    }
}

#[test]
fn a_strict_call_without_its_nulls_is_a_call_as_published() {
    let tool = tool(
        "t",
        &[
            json!({"name": "a", "type": "int"}),
            json!({"name": "b", "type": "text", "required": false, "constraints": {"allowed_values": ["x", "y"]}}),
            json!({"name": "c", "type": "int[]", "required": false, "constraints": {"max_items": 2}}),
        ],
    );
    let published = mcp::input_schema(&tool);
    let strict = lower(&published, Profile::OpenAiStrict).schema;
    for (call, is_valid) in [
        (json!({"a": 1, "b": null, "c": null}), true),
        (json!({"a": 1, "b": "x", "c": [1, 2]}), true),
        (json!({"a": null, "b": "x", "c": [1, 2]}), false),
        (json!({"a": 1, "b": "z", "c": null}), false),
        (json!({"a": 1, "b": "x", "c": [1, 2, 3]}), false),
        (json!({"a": 1, "b": "x"}), false),
    ] {
        assert_eq!(jsonschema::is_valid(&strict, &call), is_valid, "{call}");
        if is_valid {
            let sent: Value =
                call.as_object().unwrap().clone().into_iter().filter(|(_, value)| !value.is_null()).collect();
            assert!(jsonschema::is_valid(&published, &sent), "{sent}");
        }
    }
}

#[test]
fn an_object_of_any_keys_has_no_schema_in_strict_mode() {
    let counts = native(json!({"counts": {"type": "object", "additionalProperties": {"type": "integer"}}}));
    assert_eq!(lower(&mcp::input_schema(&counts), Profile::OpenAiStrict).unsayable, ["counts"]);
    let [finding] = check("s", std::slice::from_ref(&counts), Profile::OpenAiStrict).try_into().unwrap();
    assert_eq!(
        finding.to_string(),
        "warning: native: strict mode has no schema for `counts` (the tool is emitted without strict mode)"
    );
    assert_eq!(check("s", &[counts], Profile::Gemini), []);
}

#[test]
fn null_is_none_at_the_top_only() {
    let point = json!({"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}});
    let unsayable = |required: Value| {
        let mut point = point.clone();
        point["required"] = required;
        lower(&mcp::input_schema(&native(json!({"point": point}))), Profile::OpenAiStrict).unsayable
    };
    assert_eq!(unsayable(json!(["x", "y"])), Vec::<String>::new());
    assert_eq!(unsayable(json!(["x"])), ["point.y"]);
}

#[test]
fn a_tool_in_rust_is_strict_only_where_it_takes_null_and_no_json_as_text() {
    let mut made = native(json!({"id": {"type": "integer"}, "top": {"type": "integer"}, "any": true}));
    let crate::tool::Input::Schema(schema) = &mut made.input else { unreachable!() };
    schema["required"] = json!(["id", "any"]);
    assert_eq!(lower_tool(&made, Profile::OpenAiStrict).unsayable, ["any", "top"]);
    assert_eq!(lower_tool(&made, Profile::Gemini).unsayable, Vec::<String>::new());
    let nullable = native(json!({"top": {"type": ["integer", "null"]}}));
    assert_eq!(lower_tool(&nullable, Profile::OpenAiStrict).unsayable, Vec::<String>::new());
}

/// The severity of what is found first about a tool whose name has so many characters.
fn of_name(server: &str, length: usize, profile: Profile) -> Option<Severity> {
    check(server, &[tool(&"a".repeat(length), &[])], profile).first().map(|finding| finding.severity)
}

#[test]
fn names_are_counted_as_the_client_joins_them() {
    assert_eq!(of_name("flights", 52, Profile::Cursor), None);
    assert_eq!(of_name("flights", 53, Profile::Cursor), Some(Severity::Error));
    assert_eq!(of_name("flights", 50, Profile::Claude), None);
    assert_eq!(of_name("flights", 51, Profile::Claude), Some(Severity::Warning));
    assert_eq!(of_name(&"s".repeat(70), 52, Profile::Claude), Some(Severity::Error));
    assert_eq!(of_name("flights", 64, Profile::OpenAi), None);
    assert_eq!(of_name("flights", 65, Profile::OpenAi), Some(Severity::Error));
    assert_eq!(of_name("flights", 65, Profile::Gemini), Some(Severity::Warning));
}

#[test]
fn a_parameter_name_that_fails_the_whole_request_is_an_error() {
    let bracketed = native(json!({"filter[id]": {"type": "string"}}));
    let said = |profile| {
        check("s", std::slice::from_ref(&bracketed), profile).first().map(|one| (one.severity, one.what.clone()))
    };
    let what = "the name of the parameter `filter[id]` has the character '[' where it may not stand".to_owned();
    assert_eq!(said(Profile::Claude), Some((Severity::Error, what.clone())));
    assert_eq!(said(Profile::Gemini), Some((Severity::Warning, what)));
    assert_eq!(said(Profile::OpenAi), None);
}

#[test]
fn sizes_beyond_a_limit_are_told() {
    let values: Vec<String> = (0..99).map(|at| format!("value_{at}")).collect();
    let listed = |count: usize| {
        let one = |at| json!({"name": format!("p{at}"), "type": "text", "constraints": {"allowed_values": values}});
        tool("listed", &(0..count).map(one).collect::<Vec<_>>())
    };
    assert_eq!(check("s", &[listed(10)], Profile::OpenAiStrict), []);
    let [finding] = check("s", &[listed(11)], Profile::OpenAiStrict).try_into().unwrap();
    assert_eq!(finding.what, "the schema has 1089 listed values, and 1000 are the most in strict mode");

    let deep = |levels: usize| format!("int{}", "[]".repeat(levels));
    let nested = |levels| tool("nested", &[json!({"name": "p", "type": deep(levels)})]);
    assert_eq!(check("s", &[nested(9)], Profile::OpenAiStrict), []);
    let [finding] = check("s", &[nested(10)], Profile::OpenAiStrict).try_into().unwrap();
    assert_eq!(finding.what, "the schema has 11 levels of nesting, and 10 are the most in strict mode");

    let long = Contract { description: Some("é".repeat(1025)), ..tool("long", &[]) };
    let said = |profile| check("s", std::slice::from_ref(&long), profile).first().map(|one| one.what.clone());
    let cut = "the description has 2050 bytes; Claude Code cuts it behind 2048";
    assert_eq!(said(Profile::Claude).as_deref(), Some(cut));
    let refused = "the description has 1025 characters; Chat Completions takes 1024";
    assert_eq!(said(Profile::OpenAi).as_deref(), Some(refused));
    assert_eq!(said(Profile::Gemini), None);

    let many: Vec<Contract> = (0..41).map(|at| tool(&format!("t{at}"), &[])).collect();
    let [finding] = check("s", &many, Profile::Cursor).try_into().unwrap();
    assert_eq!((finding.tool, finding.severity), (None, Severity::Warning));
    assert_eq!(check("s", &many, Profile::OpenAi), []);
}

#[test]
fn restrictions_that_a_model_only_reads_of_are_noted() {
    let tools = tools();
    let constrained = tools.iter().find(|tool| tool.name == "constrained").unwrap();
    let notes = |profile| check("s", std::slice::from_ref(constrained), profile).pop().map(|one| one.to_string());
    let strict = "note: constrained: said in words only: `minLength` of `c`, `maxLength` of `c`, `format` of `e`, \
                  `minLength` of `f[]` (the server enforces it all the same)";
    assert_eq!(notes(Profile::OpenAiStrict).as_deref(), Some(strict));
    assert_eq!(notes(Profile::Claude), None);
}

#[test]
fn a_profile_is_read_by_its_name() {
    for profile in Profile::ALL {
        assert_eq!(profile.as_str().parse(), Ok(profile));
        assert_eq!(json!(profile), json!(profile.as_str()));
    }
    let error = "gpt".parse::<Profile>().unwrap_err().to_string();
    assert_eq!(error, "the profiles are openai, openai-strict, claude, gemini, cursor");
}

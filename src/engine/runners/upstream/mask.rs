//! What nobody sees of an answer: the values that JSON Pointers lead to, in its data and in its texts.

use crate::engine::result::Passed;
use crate::upstreams::Content;
use serde_json::Value;

/// What stands in the place of what is masked.
const MASKED: &str = "…";

/// An answer without what is masked. Texts that are the data in JSON are masked as that; where there is data, all other texts are left
/// out, for they may say the same in other words.
///
/// Errors: there is a text, and no data to find anything in.
pub(super) fn masked(passed: Passed, pointers: &[String]) -> Result<Passed, String> {
    let Passed { structured, content } = passed;
    let data = structured.is_some();
    let structured = structured.map(|mut value| {
        hide_all(&mut value, pointers);
        value
    });
    let mut kept = Vec::new();
    for block in content {
        let Content::Text(text) = block else {
            return Err("what is masked cannot be found in an answer that is no text".to_owned());
        };
        match serde_json::from_str::<Value>(&text) {
            Ok(mut value) if value.is_object() || value.is_array() => {
                hide_all(&mut value, pointers);
                kept.push(Content::Text(value.to_string()));
            }
            _ if data => {}
            _ => return Err("what is masked cannot be found in a text that is no JSON".to_owned()),
        }
    }
    if kept.is_empty()
        && let Some(value) = &structured
    {
        kept.push(Content::Text(value.to_string()));
    }
    Ok(Passed { structured, content: kept })
}

fn hide_all(value: &mut Value, pointers: &[String]) {
    for pointer in pointers {
        let keys: Vec<String> =
            pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).collect();
        hide(value, &keys);
        hide_in_texts(value, &keys);
    }
}

/// Masks in the texts of a value that are JSON themselves: some servers put all of an answer into one.
fn hide_in_texts(value: &mut Value, keys: &[String]) {
    match value {
        Value::String(text) => within_text(text, keys),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_in_texts(item, keys)),
        Value::Object(map) => map.values_mut().for_each(|item| hide_in_texts(item, keys)),
        _ => {}
    }
}

fn within_text(text: &mut String, keys: &[String]) {
    if !text.trim_start().starts_with(['{', '[']) {
        return;
    }
    if let Ok(mut inner) = serde_json::from_str::<Value>(text) {
        hide(&mut inner, keys);
        hide_in_texts(&mut inner, keys);
        *text = inner.to_string();
    }
}

fn hide(value: &mut Value, keys: &[String]) {
    let Some((key, rest)) = keys.split_first() else {
        *value = MASKED.into();
        return;
    };
    match value {
        Value::String(text) => within_text(text, keys),
        Value::Object(map) if key == "*" => map.values_mut().for_each(|value| hide(value, rest)),
        Value::Object(map) => map.get_mut(key).into_iter().for_each(|value| hide(value, rest)),
        Value::Array(items) if key == "*" => items.iter_mut().for_each(|value| hide(value, rest)),
        Value::Array(items) => {
            let at = key.parse::<usize>().ok();
            at.and_then(|at| items.get_mut(at)).into_iter().for_each(|value| hide(value, rest));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(value: &Value) -> Content {
        Content::Text(value.to_string())
    }

    #[test]
    fn values_are_masked_in_data_and_in_texts_of_it() {
        let data = json!({"users": [{"email": "a@b", "name": "A"}, {"name": "B"}], "a/b": {"x": 1}});
        let passed =
            Passed { structured: Some(data.clone()), content: vec![text(&data), Content::Text("A is a@b".into())] };
        let hidden = masked(passed, &["/users/*/email".into(), "/a~1b/x".into()]).unwrap();
        let now = json!({"users": [{"email": "…", "name": "A"}, {"name": "B"}], "a/b": {"x": "…"}});
        assert_eq!(hidden, Passed { structured: Some(now.clone()), content: vec![text(&now)] });
    }

    #[test]
    fn texts_that_are_json_are_masked_wherever_they_stand() {
        let inner = json!({"user": {"email": "a@b", "name": "A"}}).to_string();
        let passed = Passed { structured: Some(json!({"result": inner})), content: vec![Content::Text(inner)] };
        for pointer in ["/user/email", "/result/user/email"] {
            let hidden = masked(passed.clone(), &[pointer.into()]).unwrap();
            assert!(!hidden.object().to_string().contains("a@b"), "{pointer}");
        }
        let hidden = masked(passed, &["/user/email".into()]).unwrap();
        assert!(!hidden.text().contains("a@b") && hidden.text().contains("\"A\""));
    }

    #[test]
    fn what_cannot_be_searched_is_not_passed_on() {
        let one = |content| Passed { structured: None, content: vec![content] };
        assert!(masked(one(Content::Text("a@b".into())), &["/email".into()]).is_err());
        assert!(
            masked(one(Content::Image { mime: "image/png".into(), data: String::new() }), &["/email".into()]).is_err()
        );
        let list = masked(one(text(&json!([{"email": 1}]))), &["/0/email".into()]).unwrap();
        assert_eq!(list.content, [text(&json!([{"email": "…"}]))]);
    }
}

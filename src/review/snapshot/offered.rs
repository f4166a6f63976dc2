//! What is passed on of another server beside its tools, as it is kept once somebody has accepted it:
//! `snapshots/offered/<server>.snap`. The form is that of the snapshots of tools.

use super::{CONTRACT, Unread, content, hash, lost, yaml};
use crate::tool::Offered;
use serde_json::Value;

/// Writes the snapshot of what is passed on of a server.
pub fn write(offered: &Offered) -> String {
    let body = body(offered);
    format!(
        "---\nsource: qtool.yaml\nexpression: upstreams.{}\n---\n{body}{CONTRACT}: {}\n",
        offered.upstream,
        hash(&body)
    )
}

/// Reads what is passed on of the server of that name back.
///
/// Errors: the text is no such snapshot, was changed by hand, or is that of another server.
pub fn read_named(name: &str, text: &str) -> Result<Offered, Unread> {
    let content = content(text);
    let cut = content.rfind(&format!("\n{CONTRACT}: ")).map(|at| at + 1);
    let Some((body, rest)) = cut.and_then(|at| content.split_at_checked(at)) else {
        return Err(Unread::Malformed(format!("there is no `{CONTRACT}` in it")));
    };
    let written = rest.lines().next().and_then(|line| line.strip_prefix(CONTRACT)?.strip_prefix(": "));
    if written.map(str::trim_end) != Some(hash(body).as_str()) {
        return Err(Unread::Edited);
    }
    let value = yaml::read(body).map_err(Unread::Malformed)?;
    let offered: Offered =
        serde_json::from_value(value.clone()).map_err(|error| Unread::Malformed(error.to_string()))?;
    // What is not understood may be what protects: it does not fall away in silence.
    match lost::first(&value, &serde_json::to_value(&offered).unwrap_or_default()) {
        Some(key) => Err(Unread::Later(key)),
        None if offered.upstream != name => Err(Unread::Another(offered.upstream)),
        None => Ok(offered),
    }
}

fn body(offered: &Offered) -> String {
    // Plain data, which always has a JSON form.
    match serde_json::to_value(offered) {
        Ok(Value::Object(map)) => yaml::write(&map),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn offered() -> Offered {
        serde_json::from_value(json!({
            "upstream": "docs", "command": ["docs", "--yes"], "env": {"TOKEN": "${TOKEN}"}, "scopes": ["docs"], "timeout": "30s",
            "prompts": [{"name": "d_review", "locked": {"name": "review", "description": "Says\n\u{200b}no: \"x\".", "arguments": [
                {"name": "file", "required": true}, {"name": "tone"}]}}],
            "resources": [{"uri": "docs://a", "name": "contract: x", "mimeType": "text/plain"}],
            "templates": [{"uriTemplate": "docs://{page}", "name": "pages", "description": "\ncontract: 1\n"}],
        }))
        .unwrap()
    }

    #[test]
    fn what_is_written_reads_back_as_itself() {
        let text = write(&offered());
        assert_eq!(read_named("docs", &text), Ok(offered()), "{text}");
        assert!(!text.contains('\u{200b}'));
        assert_eq!(read_named("other", &text), Err(Unread::Another("docs".to_owned())));
    }

    #[test]
    fn what_was_changed_by_hand_is_not_read() {
        let text = write(&offered());
        assert_eq!(read_named("docs", &text.replace("d_review", "d_revise")), Err(Unread::Edited));
        assert!(matches!(read_named("docs", "upstream: docs\n"), Err(Unread::Malformed(_))));
    }
}

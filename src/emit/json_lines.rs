//! The tools for search indexes: JSON Lines (<https://jsonlines.org/>), one object per tool.

use super::arguments::{self, Argument};
use crate::tool::Contract;
use serde_json::{Value, json};

/// One line per tool: its name, title, description, tags, parameters, columns and tables, and as `text` all that is
/// worth searching in, a piece per line.
pub fn lines(tools: &[Contract]) -> String {
    tools.iter().map(|tool| line(tool).to_string() + "\n").collect()
}

fn line(tool: &Contract) -> Value {
    let arguments = arguments::arguments_of(tool);
    // What qtool adds is the same for all tools, and tells them apart for nobody.
    let own: Vec<&Argument> = arguments.iter().filter(|one| !crate::name::RESERVED.contains(&&*one.name)).collect();
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "tags": tool.tags,
        "parameters": own
            .iter()
            .map(|one| json!({"name": one.name, "type": one.ty, "description": one.description}))
            .collect::<Vec<_>>(),
        "columns": tool
            .columns()
            .iter()
            .map(|column| {
                json!({"name": column.name, "type": column.ty.to_string(), "description": column.description})
            })
            .collect::<Vec<_>>(),
        "tables": tool.tables,
        "text": text(tool, &own),
    })
}

/// Names are there as they are and, for searches by word, with blanks.
fn text(tool: &Contract, arguments: &[&Argument]) -> String {
    let mut pieces = vec![tool.name.clone(), tool.name.replace('_', " "), tool.title.clone()];
    pieces.extend(tool.description.clone());
    pieces.extend(tool.tags.iter().cloned());
    let named = |name: &str, description: &Option<String>| match description {
        Some(description) => format!("{name}: {description}"),
        None => name.to_owned(),
    };
    pieces.extend(arguments.iter().map(|one| named(&one.name, &one.description)));
    pieces.extend(tool.columns().iter().map(|column| named(&column.name, &column.description)));
    pieces.extend(tool.tables.iter().cloned());
    let mut once: Vec<String> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        if !once.contains(&piece) {
            once.push(piece);
        }
    }
    once.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::client::fixture;

    #[test]
    fn every_tool_is_one_line_with_all_that_is_said_of_it() {
        let tools = fixture::tools();
        let text = lines(&tools);
        assert!(text.ends_with('\n'));
        let objects: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), tools.len());
        let first = &objects[0];
        assert_eq!(first["parameters"][1], json!({"name": "first_day", "type": "date", "description": "First day"}));
        assert_eq!(
            first["text"],
            "late_flights\nlate flights\nLate flights\nFlights with a long delay, worst first.\nDelays in minutes.\n\
             delays\nairports\norigin: Airport of departure.\nfirst_day: First day\nmin_delay\n\
             flight: Number of the flight\ndelay\nday\nflights\nplanes"
        );
    }
}

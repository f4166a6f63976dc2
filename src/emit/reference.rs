//! The tools as a page in Markdown (CommonMark with the tables of GitHub): what people read to know what there is.
//!
//! All text in the page is of authors or of data, and none of it is Markdown: whatever a template prints is escaped,
//! unless a filter has made Markdown of it.

mod markdown;
mod page;

use super::about::About;
use crate::tool::Contract;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, context};
use page::Entry;

/// The template without which there is another.
const TEMPLATE: &str = include_str!("reference.jinja");
/// The name of the template in errors.
const NAME: &str = "reference";

/// What a page may cost in minijinja's instructions, and what it may cost more for every tool, parameter and column.
const FUEL: u64 = 200_000;
const FUEL_OF_EACH: u64 = 2_000;

/// Writes the page. A `template` of the project's own stands in for that of qtool: it gets the same variables,
/// `project` and `tools`, and the same filters. `code` writes inline code, `cell` and `cell_code` the same for cells of
/// tables, and `fence("json")` a block of code; all else that is printed is escaped.
///
/// Errors: those of the template of the project, one of which is that it takes too long.
pub fn reference(about: &About<'_>, tools: &[Contract], template: Option<&str>) -> Result<String, Error> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?;
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_debug(false);
    let each: usize = tools.iter().map(|tool| 1 + tool.parameters().len() + tool.columns().len()).sum();
    environment.set_fuel(Some(FUEL.saturating_add(FUEL_OF_EACH.saturating_mul(each as u64))));
    // Prints the engine's state.
    environment.remove_global("debug");
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("markdown".into()));
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        if value.is_safe() || value.is_number() {
            out.write_str(&text)?;
        } else if !value.is_none() {
            out.write_str(&markdown::text(&text))?;
        }
        Ok(())
    });
    environment.add_filter("code", |text: String| Value::from_safe_string(markdown::code(&text)));
    environment.add_filter("cell", |text: String| Value::from_safe_string(markdown::cell(&text)));
    environment.add_filter("cell_code", |text: String| Value::from_safe_string(markdown::cell_code(&text)));
    let fence = |text: String, language: String| Value::from_safe_string(markdown::fence(&text, &language));
    environment.add_filter("fence", fence);
    let template = environment.template_from_named_str(NAME, template.unwrap_or(TEMPLATE))?;
    let entries: Vec<Entry> = tools.iter().map(Entry::of).collect();
    template.render(context! {
        project => context! { name => about.name, version => about.version, description => about.description,
                              authenticated => about.authenticated },
        tools => Serde(&entries),
    })
}

#[cfg(test)]
mod tests {
    use super::super::client::fixture;
    use super::*;
    use minijinja::ErrorKind;

    const ABOUT: About<'_> = About {
        name: "flights",
        version: Some("1.0.0"),
        description: Some("Flights of *2013*."),
        authenticated: false,
    };

    #[test]
    fn a_page_tells_all_of_a_tool() {
        let page = reference(&ABOUT, &[fixture::tool("late_flights"), fixture::tool("no_parameters")], None).unwrap();
        assert_eq!(page, include_str!("reference/expected.md"));
    }

    #[test]
    fn a_template_of_ones_own_gets_the_same_and_is_escaped_too() {
        let own = "{% for tool in tools %}{{ tool.description }}{% for one in tool.parameters %} \
                   {{ one.name | code }}: {{ one.type }}{% endfor %}{% endfor %}";
        let mut tool = fixture::tool("a_b");
        tool.description = Some("<b>*bold*</b>".to_owned());
        let page = reference(&ABOUT, &[tool], Some(own)).unwrap();
        assert_eq!(page, "&lt;b&gt;\\*bold\\*&lt;/b&gt; `limit`: integer `table_format`: text");
    }

    #[test]
    fn a_template_without_end_is_stopped_and_a_misspelt_variable_is_told() {
        let fails = |template: &str| reference(&ABOUT, &[], Some(template)).unwrap_err().kind();
        let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}";
        assert_eq!(fails(endless), ErrorKind::OutOfFuel);
        assert_eq!(fails("{{ projekt }}"), ErrorKind::UndefinedError);
    }

    #[test]
    fn the_own_template_has_fuel_for_many_tools() {
        let tools: Vec<Contract> = (0..3).flat_map(|_| fixture::tools()).collect();
        assert!(reference(&ABOUT, &tools, None).is_ok());
        let bare = vec![fixture::tool("no_parameters"); 1_000];
        assert!(reference(&ABOUT, &bare, None).is_ok());
    }
}

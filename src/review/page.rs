//! The review as one HTML page: every change with its class, and what stands behind it, before and after.
//!
//! The page is whole in itself: it loads nothing, runs nothing, and says so to the browser (Content Security Policy
//! level 3, <https://www.w3.org/TR/CSP3/>). All that an author wrote is text: the template's engine escapes it, and
//! characters that nobody sees are shown by their number.

mod difference;
mod pieces;
mod tool;

use super::change::{Bump, Change, Class, bump};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};
use pieces::visible;
use serde::Serialize;
use tool::{Count, Reviewed};

const TEMPLATE: &str = include_str!("page/page.jinja");
const STYLE: &str = include_str!("page/style.css");

/// All classes, the heaviest first.
const CLASSES: [Class; 3] = [Class::Breaking, Class::Compatible, Class::Documentation];

/// A tool before and after.
#[derive(Debug, Clone, Default)]
pub struct Pair {
    /// The name by which changes speak of it: of one that was renamed, the new one.
    pub name: String,
    /// What was accepted; absent for a tool that is new.
    pub before: Option<Side>,
    /// What compiles now; absent for a tool that was removed.
    pub after: Option<Side>,
}

/// What a page shows of a tool. An empty text is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Side {
    /// The tool as a person reads it.
    pub signature: String,
    /// The schema of its arguments, as JSON on several lines.
    pub schema: String,
    /// The SQL.
    pub statement: String,
    /// The optimised plan.
    pub plan: String,
    /// The snapshot.
    pub snapshot: String,
}

/// A class in the summary.
#[derive(Serialize)]
struct Total {
    class: Class,
    count: usize,
    means: &'static str,
}

/// Writes the page. Tools without a change and without a difference are counted, not shown; those with breaking changes
/// come first.
///
/// Errors: none that a project can cause; the template is part of the program.
pub fn page(project: &str, changes: &[Change], tools: &[Pair]) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?;
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let reviewed = Reviewed::all(changes, tools);
    let unchanged = tools.iter().filter(|pair| !reviewed.iter().any(|tool| tool.name == pair.name)).count();
    let totals = CLASSES.map(|class| Total { class, count: count(changes, class), means: means(class) });
    let version = match bump(changes) {
        Bump::None => None,
        step => Some(step.to_string()),
    };
    environment.template_from_str(TEMPLATE)?.render(context! {
        style => Value::from_safe_string(STYLE.to_owned()),
        project => visible(project),
        title => Serde(&pieces::pieces_of(project)),
        totals => Serde(&totals),
        version => version,
        tools => Serde(&reviewed),
        changed => Serde(&Count::new(reviewed.len(), "tool")),
        unchanged => Serde(&Count::new(unchanged, "tool")),
    })
}

fn count(changes: &[Change], class: Class) -> usize {
    changes.iter().filter(|change| change.class == class).count()
}

fn means(class: Class) -> &'static str {
    match class {
        Class::Breaking => "What worked before may fail, or mean something else.",
        Class::Compatible => "What worked before works on.",
        Class::Documentation => "Nothing but words.",
    }
}

#[cfg(test)]
mod tests;

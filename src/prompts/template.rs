//! The template of a prompt: what it asks for, what it can never do, and its text for some arguments.
//!
//! The values of arguments are texts of strangers: they are data of a template and never read as one.

use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

/// The values of a template's variables.
pub(super) type Context = BTreeMap<String, String>;

/// What a rendering may cost, in minijinja's instructions: a prompt takes hundreds, a loop without end all of them.
const FUEL: u64 = 200_000;
/// The most bytes of a rendered prompt.
const MAX_RENDERED: usize = 1 << 20;
/// The name that minijinja gives a template in its errors; not shown.
const NAME: &str = "prompt";

/// What is wrong with a template, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Bytes of the template.
    pub(super) range: Range<usize>,
    /// Why, in words.
    pub(super) why: String,
}

impl Flaw {
    fn of(error: &Error, template: &str) -> Flaw {
        let range = error.range().filter(|range| template.get(range.clone()).is_some_and(|text| !text.is_empty()));
        let range = range.unwrap_or_else(|| line(template, error.line().unwrap_or(1)));
        Flaw { range, why: error.detail().map_or_else(|| error.kind().to_string(), str::to_owned) }
    }
}

/// The variables that a template does not give a value itself, sorted.
pub(super) fn variables(template: &str) -> Result<Vec<String>, Flaw> {
    let environment = environment();
    let parsed = environment.template_from_named_str(NAME, template).map_err(|error| Flaw::of(&error, template))?;
    let is_global = |name: &String| environment.globals().any(|(known, _)| known == name);
    let mut names: Vec<String> =
        parsed.undeclared_variables(false).into_iter().filter(|name| !is_global(name)).collect();
    names.sort();
    Ok(names)
}

/// Where a template fails with these values because of a filter, test, method or template that does not exist: with
/// others it would fail just so. Errors that may come of the values are none.
pub(super) fn lasting_failure(template: &str, values: Context) -> Option<Flaw> {
    let error = write(template, values).err()?;
    let lasts = matches!(
        error.kind(),
        ErrorKind::UnknownFilter
            | ErrorKind::UnknownTest
            | ErrorKind::UnknownMethod
            | ErrorKind::UnknownFunction
            | ErrorKind::UnknownBlock
            | ErrorKind::TemplateNotFound
            | ErrorKind::BadInclude
    );
    lasts.then(|| Flaw::of(&error, template))
}

/// The text of a template with these values.
///
/// Errors: what minijinja says, `OutOfFuel` where it runs for too long, `WriteFailure` where the text is too long.
pub(super) fn write(template: &str, values: Context) -> Result<String, Error> {
    let environment = environment();
    let parsed = environment.template_from_named_str(NAME, template)?;
    let mut out = Bounded(Vec::new());
    parsed.render_captured_to(values, &mut out)?;
    Ok(String::from_utf8_lossy(&out.0).into_owned())
}

/// Plain Jinja for plain text: nothing is escaped, and what is undefined is an error.
fn environment<'source>() -> Environment<'source> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_debug(false);
    environment.set_fuel(Some(FUEL));
    // Prints the engine's state.
    environment.remove_global("debug");
    environment
}

/// The bytes of a line, counted from 1, without its end.
fn line(text: &str, number: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(number.saturating_sub(1)).map(str::len).sum();
    let length = text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
    start..start + length
}

/// Takes so many bytes, and no more.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.0.len() + part.len() > MAX_RENDERED {
            return Err(io::Error::other("longer than a prompt may be"));
        }
        self.0.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(values: &[(&str, &str)]) -> Context {
        values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn kind(template: &str) -> ErrorKind {
        write(template, context(&[("region", "north")])).unwrap_err().kind()
    }

    #[test]
    fn values_are_put_in_as_they_are() {
        let values = context(&[("region", "<b> {{ 1 + 1 }} {% if %}")]);
        let text = write("In {{ region }}{% if region %}!{% endif %}\n", values).unwrap();
        assert_eq!(text, "In <b> {{ 1 + 1 }} {% if %}!");
    }

    #[test]
    fn the_variables_are_those_that_nothing_defines() {
        let template = "{% for i in range(3) %}{{ i }}{{ loop.index }}{% endfor %}{% set a = b %}{{ a }}{{ c.d }}";
        assert_eq!(variables(template), Ok(vec!["b".to_owned(), "c".to_owned()]));
        assert_eq!(variables("none at all"), Ok(Vec::new()));
        assert_eq!(variables("{{ debug() }}"), Ok(vec!["debug".to_owned()]));
    }

    #[test]
    fn a_syntax_error_has_its_line() {
        let template = "first\nsecond {{ region | }}\nthird\n";
        let flaw = variables(template).unwrap_err();
        assert!(flaw.range.start >= 6 && flaw.range.end <= 27, "{flaw:?}");
        assert!(!flaw.why.is_empty());
        for template in ["{% if region %}", "{{ 'é", "é {% endfor %}", "{{ region", "{% nothing %}é", "{{ é"] {
            let flaw = variables(template).unwrap_err();
            assert!(template.get(flaw.range.clone()).is_some(), "{template}: {flaw:?}");
        }
    }

    #[test]
    fn what_does_not_exist_fails_for_all_values() {
        let fails = |template: &str| lasting_failure(template, context(&[("region", "north")])).is_some();
        assert!(fails("{{ region|shout }}"));
        assert!(fails("{{ region is loud }}"));
        assert!(fails("{{ region.upper() }}"));
        assert!(fails("{% include 'other.md' %}"));
        assert!(!fails("{{ region|upper }}"));
        assert!(!fails("{{ region|int }}"), "with a number it does not fail");
    }

    #[test]
    fn a_template_that_never_ends_is_stopped() {
        assert_eq!(
            kind("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"),
            ErrorKind::OutOfFuel
        );
        let long = format!("{{% for i in range(9999) %}}{}{{% endfor %}}", "x".repeat(999));
        assert_eq!(kind(&long), ErrorKind::WriteFailure);
        assert_eq!(kind("{{ place }}"), ErrorKind::UndefinedError);
    }
}

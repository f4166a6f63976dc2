//! What stands behind the header: one statement, from its tokens to what it refers to.

use super::header_sql::HeaderSql;
use super::lexer::Lexed;
use super::placeholder::{self, Folded};
use super::quoted::{self, Quoted};
use super::renames::{self, RenamedUse};
use super::statement::{self, Outline, Tree};
use super::{Choices, DefaultValue, Trees, choice, depth, size};
use crate::diagnostic::Diagnostics;
use crate::source::{SourceFile, Sources, Span};

/// A statement as it was read, with the first of all choices.
pub(super) struct Body {
    /// Its tokens with placeholders where choices are put, and the placeholders.
    pub folded: Folded,
    pub trees: Trees,
    pub outline: Outline,
    /// What looks like a placeholder in it and is none.
    pub quoted: Vec<Quoted>,
    pub span: Span,
    pub head: Span,
}

impl Body {
    /// Reads the statement that stands at `sql`; `None` where it is too broken to go on.
    pub(super) fn read(
        (file, sql): (&SourceFile, Span),
        tokens: Vec<Lexed>,
        said: &HeaderSql,
        sources: &Sources,
        sink: &mut Diagnostics,
    ) -> Option<Body> {
        size::check(&tokens, sink)?;
        let hidden = quoted::hides_signs(file.slice(sql), &tokens);
        let quoted = if hidden { quoted::find(file, sql, quoted::Home::Statement) } else { Vec::new() };
        let folded = placeholder::fold(file, tokens, sink)?;
        size::check_placeholders(&folded.placeholders, sink)?;
        let (folded, renamed) = renames::fold(file, folded, sink)?;
        let (span, head) = statement::extent(file, &folded.tokens, sink)?;
        depth::check(&folded.tokens, sink)?;
        // What is told of the query is told of it with the first choices.
        let first = |name: &str| said.choices.get(name).and_then(|all| all.first()).cloned();
        let tokens = choice::expand(&folded.tokens, &folded.placeholders, &first, true);
        let statement = statement::parse(file, &tokens, sink)?;
        size::check_statement(&statement, head, sink)?;
        let mut outline = statement::outline(&statement, file, &tokens, sink)?;
        let mut apart = Vec::new();
        if !said.choices.is_empty() {
            outline = outlined_apart(file, &folded.tokens, &said.choices, sources, (outline, &mut apart));
        }
        name_the_renamed(&mut outline, &renamed);
        add_what_the_header_calls(&mut outline, said, &folded);
        let statement = Tree { statement, tokens, file: file.id };
        Some(Body { folded, trees: Trees { statement, apart }, outline, quoted, span, head })
    }
}

/// The outline of a statement with choices: what a choice refers to stands in the choice, and the rest in the statement
/// without them, if that parses. Adds the trees of both.
fn outlined_apart(
    file: &SourceFile,
    tokens: &[Lexed],
    choices: &Choices,
    sources: &Sources,
    (mut outline, apart): (Outline, &mut Vec<Tree>),
) -> Outline {
    let mut unheard = Diagnostics::default();
    let bare = statement::parse(file, tokens, &mut unheard).and_then(|statement| {
        let outline = statement::outline(&statement, file, tokens, &mut unheard)?;
        Some((Tree { statement, tokens: tokens.to_vec(), file: file.id }, outline))
    });
    if let Some((tree, bare)) = bare {
        outline = Outline { outputs: outline.outputs, ..bare };
        apart.push(tree);
    }
    for (tree, of_choice) in choice::outlines(choices, sources) {
        outline.references.extend(of_choice.references);
        outline.functions.extend(of_choice.functions);
        outline.table_functions.extend(of_choice.table_functions);
        outline.function_clauses.extend(of_choice.function_clauses);
        apart.push(tree);
    }
    outline
}

/// Queries that are used under new parameter names are referred to by their own.
fn name_the_renamed(outline: &mut Outline, renamed: &[RenamedUse]) {
    for reference in &mut outline.references {
        if let Some(used) = renamed.iter().find(|used| used.query.span.start == reference.span.start) {
            reference.query.clone_from(&used.query.value);
            reference.renames.clone_from(&used.renames);
            reference.given.clone_from(&used.given);
            reference.clause = used.clause;
        }
    }
}

fn add_what_the_header_calls(outline: &mut Outline, said: &HeaderSql, folded: &Folded) {
    let inline = folded.placeholders.iter().filter_map(|one| match &one.default.as_ref()?.value {
        DefaultValue::Expression(expression) => Some(expression.as_ref()),
        DefaultValue::Literal(_) => None,
    });
    for default in said.defaults.values().chain(inline) {
        outline.functions.extend(default.functions.iter().cloned());
        outline.function_clauses.extend(default.function_clauses.iter().cloned());
    }
    let of_rules = said.rules.iter().flat_map(|rule| &rule.function_clauses);
    outline.function_clauses.extend(of_rules.cloned());
}

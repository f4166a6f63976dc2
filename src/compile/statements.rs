//! What databases are asked about the queries in their own SQL, and what is said where they refuse one.

use super::LinkInput;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::project::{Project, QueryFile, RefusedStatement, UnpreparedStatement};
use crate::source::{Sources, Span};
use crate::syntax::choice::{are_too_many, combinations};
use crate::syntax::link::LinkedQuery;
use crate::syntax::native::pieces::{self, Filling, Piece};
use crate::syntax::{self, NativeStatement, ParsedQuery};
use crate::tool::StatementEnd;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

/// What a database says of the limit that is written behind a statement which has none.
const OURS: &str = "near \"LIMIT\"";

/// How much is shown of what a database says.
const LONGEST: usize = 300;

/// The queries of a project that are in a database's own SQL, as far as they can be read.
pub fn unprepared_statements(project: &Project) -> Vec<UnpreparedStatement> {
    // Most files are none, and this is asked of every project.
    let may_be_one = |query: &&QueryFile| {
        let files = [Some(query.file), query.sidecar].into_iter().flatten();
        files.filter_map(|file| project.sources.get(file)).any(|file| file.text.contains("source"))
    };
    let queries: Vec<&QueryFile> = project.queries.iter().filter(may_be_one).collect();
    if queries.is_empty() {
        return Vec::new();
    }
    super::on_a_deep_stack(|| queries.iter().filter_map(|query| unprepared(query, project)).collect())
}

fn unprepared(query: &QueryFile, project: &Project) -> Option<UnpreparedStatement> {
    let mut unheard = Diagnostics::default();
    let (parsed, _) = syntax::parse(query, &project.document, &project.sources, &mut unheard)?;
    parsed.native.as_ref()?;
    let input = LinkInput { query: Arc::new(parsed), uses: Vec::new() };
    let linked = input.link(&[], &project.sources)?;
    let native = input.query.native.as_ref()?;
    let pieces = pieces::pieces(&linked.parts.last()?.text, native.kind)?;
    let counts: Vec<usize> = linked.choices.iter().map(|choice| choice.all.len()).collect();
    if are_too_many(&counts) || counts.contains(&0) {
        return None;
    }
    let mut values = 0;
    let mut texts = Vec::new();
    for picks in combinations(&counts) {
        let (text, count) = prepared_text(&pieces, native, &linked, &picks);
        values = count;
        texts.push(text);
    }
    let mut hasher = Sha256::new();
    for part in [native.source.value.as_str(), native.kind.as_str()].into_iter().chain(texts.iter().map(String::as_str))
    {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    Some(UnpreparedStatement {
        file: query.file,
        place: native.source.span,
        name: input.query.name.value.clone(),
        source: native.source.value.clone(),
        hash: hex::encode(hasher.finalize()),
        texts,
        values,
        keeps_not_null: native.keeps_not_null,
    })
}

/// The text of a statement with all its optional clauses and these choices, and how many values it takes.
fn prepared_text(
    pieces: &[Piece],
    native: &NativeStatement,
    linked: &LinkedQuery<'_>,
    picks: &[usize],
) -> (String, usize) {
    let mut filling = Everything { native, linked, picks, numbers: HashMap::new() };
    let text = pieces::rendered(pieces, &mut filling);
    let mut values = filling.numbers.len();
    if native.end != StatementEnd::Open {
        return (text, values);
    }
    values += 1;
    (pieces::limited(&text, &pieces::placeholder(native.kind, values), None), values)
}

/// A call that brings a value for everything.
struct Everything<'a> {
    native: &'a NativeStatement,
    linked: &'a LinkedQuery<'a>,
    picks: &'a [usize],
    /// The numbers of placeholders by slot.
    numbers: HashMap<usize, usize>,
}

impl Filling for Everything<'_> {
    fn has_value(&self, _: usize) -> bool {
        true
    }

    fn written(&mut self, slot: usize) -> String {
        let name = self.linked.slots.get(slot).map(|slot| slot.name.as_str()).unwrap_or_default();
        let chosen = self.linked.choices.iter().zip(self.picks).find(|(choice, _)| choice.name == name);
        if let Some(choice) = chosen.and_then(|(choice, pick)| choice.all.get(*pick)) {
            return choice.text.clone();
        }
        let next = self.numbers.len() + 1;
        pieces::placeholder(self.native.kind, *self.numbers.entry(slot).or_insert(next))
    }
}

/// What is said of a statement that its database refuses, or cannot be asked about.
pub(super) fn refused(
    query: &ParsedQuery,
    native: &NativeStatement,
    refused: &RefusedStatement,
    sources: &Sources,
) -> Diagnostic {
    let source = &native.source.value;
    match refused {
        RefusedStatement::Source(why) => codes::unreadable_source(native.source.span, source, why),
        RefusedStatement::Choices(why) => {
            let second = query.choices.values().find_map(|all| all.get(1));
            codes::invalid_choice(second.map_or(query.head, |choice| choice.span), why)
        }
        RefusedStatement::Statement(why) => {
            if native.end == StatementEnd::Open && why.contains(OURS) {
                let why = "it is not complete: it ends where more of it is expected";
                return codes::foreign_statement(query.span.after(), source, why);
            }
            let place = meant(query, why, sources).unwrap_or(query.head);
            codes::foreign_statement(place, source, &on_a_line(why))
        }
    }
}

/// A message of a database, on one line and not too long.
fn on_a_line(why: &str) -> String {
    let start: String =
        why.chars().take(LONGEST).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if why.chars().nth(LONGEST).is_some() { format!("{start}…") } else { start }
}

/// The place of the word that a database speaks of at the end of its message: `no such column: nam`, `near "x": …`.
fn meant(query: &ParsedQuery, why: &str, sources: &Sources) -> Option<Span> {
    let refused = why.strip_prefix("access to ").and_then(|rest| rest.split(['.', ' ']).next());
    let quoted = why.split_once("near \"").and_then(|(_, rest)| rest.split_once('"')).map(|(word, _)| word);
    let last = why.rsplit_once(": ").map(|(_, name)| name);
    let word = refused.or(quoted).or(last)?.rsplit('.').next()?.trim_matches(['"', '`', '[', ']', '(', ')']);
    let file = sources.get(query.file)?;
    query.place_of_word(file, word)
}

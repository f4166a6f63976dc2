//! What databases are asked about the queries in their own SQL, and what is said where they refuse one.

use super::{LinkInput, record_statements};
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::infer;
use crate::project::{
    AskedChange, AskedParameter, AutomaticParameter, ForeignColumn, Project, QueryFile, RefusedStatement,
    UnpreparedStatement, name_parts,
};
use crate::source::{Sources, Span};
use crate::syntax::choice::{are_too_many, combinations};
use crate::syntax::link::LinkedQuery;
use crate::syntax::native::Returned;
use crate::syntax::native::pieces::{self, Filling, Piece, Slots};
use crate::syntax::{self, NativeStatement, ParsedQuery};
use crate::tool::StatementEnd;
use crate::ty::Type;
use sha2::{Digest, Sha256};
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
    let native = parsed.native.as_ref()?;
    let source = &native.source.value;
    let is_image = record_statements::is_image(project, source);
    if is_image && !native.is_change() || record_statements::is_broken(project, source) {
        return None;
    }
    let input = LinkInput { query: Arc::new(parsed), uses: Vec::new() };
    let linked = input.link(&[], &project.sources)?;
    let native = input.query.native.as_ref()?;
    let is_list = |slot: usize| linked.slots.get(slot).is_some_and(|slot| slot.list);
    // As of one row: its types are those of all.
    let slots = Slots { is_list: &is_list, is_field: &|_| false };
    let pieces = pieces::pieces(&linked.parts.last()?.text, native.kind, &slots)?;
    let counts: Vec<usize> = linked.choices.iter().map(|choice| choice.all.len()).collect();
    if are_too_many(&counts) || counts.contains(&0) {
        return None;
    }
    let mut slots = Vec::new();
    let mut texts = Vec::new();
    let declared = infer::declared_types(&linked);
    let mut each: Vec<Vec<usize>> = Vec::new();
    let combinations = if native.is_change() { vec![Vec::new()] } else { combinations(&counts) };
    for picks in combinations {
        // Without changes, there is one statement.
        for pieces in pieces::of_each(&pieces) {
            let (text, numbered) = prepared_text(&pieces, native, (&linked, &declared), &picks);
            each.push(numbered.clone());
            slots = numbered;
            texts.push(text);
        }
    }
    let parameter = |slot: &usize| {
        let slot = linked.slots.get(*slot)?;
        let declared = declared.iter().find(|(name, _)| *name == slot.name).map(|(_, ty)| ty.clone());
        Some(AskedParameter { name: slot.name.clone(), is_list: slot.list, declared })
    };
    let parameters = |slots: &[usize]| slots.iter().map(parameter).collect::<Option<Vec<AskedParameter>>>();
    let change = match native.is_change() {
        true => Some(asked_change(
            (project, &input.query, native),
            each.iter().map(|slots| parameters(slots)).collect::<Option<_>>()?,
        )),
        false => None,
    };
    let asked = UnpreparedStatement {
        file: query.file,
        place: native.source.span,
        name: input.query.name.value.clone(),
        source: native.source.value.clone(),
        hash: String::new(),
        texts,
        parameters: parameters(&slots)?,
        is_limited: native.end == StatementEnd::Open,
        columns: infer::declared_columns(&input.query),
        keeps_not_null: native.keeps_not_null,
        image: change.as_ref().and_then(|_| record_statements::image_of(project, &native.source.value)),
        change,
    };
    Some(UnpreparedStatement { hash: hash(&asked, native), ..asked })
}

/// What is asked of a statement that changes data.
fn asked_change(
    (project, query, native): (&Project, &ParsedQuery, &NativeStatement),
    parameters: Vec<Vec<AskedParameter>>,
) -> AskedChange {
    let has_keys = query.header.expose.iter().flatten().any(|one| *one == AutomaticParameter::IdempotencyKey);
    let config = project.file.sources.get(&native.source.value).and_then(|source| source.idempotency());
    let keys = config.filter(|_| has_keys).map(|config| name_parts(&config.table));
    let mut tables: Vec<Vec<String>> = Vec::new();
    for write in native.changes.iter().flat_map(|change| &change.writes) {
        if !tables.contains(&write.table.value) {
            tables.push(write.table.value.clone());
        }
    }
    let last = native.changes.last();
    let returned = last.and_then(|change| change.returned.as_ref());
    let columns = match returned {
        Some(Returned::Written(columns)) => columns.clone(),
        Some(Returned::Query) | None => Vec::new(),
    };
    let returned_of = match returned {
        Some(Returned::Written(_)) => {
            last.and_then(|change| change.writes.first()).map(|write| write.table.value.clone())
        }
        Some(Returned::Query) | None => None,
    };
    AskedChange { parameters, tables, keys, gives_rows: returned.is_some(), returned_of, returned: columns }
}

/// The hash of all that an answer depends on.
fn hash(of: &UnpreparedStatement, native: &NativeStatement) -> String {
    let mut hasher = Sha256::new();
    let mut add = |part: &str| {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    };
    [of.source.as_str(), native.kind.as_str()]
        .into_iter()
        .chain(of.texts.iter().map(String::as_str))
        .for_each(&mut add);
    // What is kept beside it is looked at as well.
    of.change.iter().flat_map(|change| &change.keys).flatten().for_each(|part| add(part));
    of.image.iter().for_each(|image| add(image));
    match native.kind {
        // It says what it says, whatever is declared.
        DatabaseKind::Sqlite => {}
        DatabaseKind::Postgres | DatabaseKind::Mysql => {
            let parameters = of.parameters.iter().filter_map(|one| Some((&one.name, one.declared.as_ref()?)));
            let columns = of.columns.iter().map(|(name, ty)| (name, ty));
            for (name, ty) in parameters.chain(columns) {
                add(name);
                add(&ty.to_string());
            }
        }
    }
    hex::encode(hasher.finalize())
}

/// The text of a statement with all its optional clauses and these choices, and the slots of the values that it takes, by
/// their numbers.
fn prepared_text(
    pieces: &[Piece],
    native: &NativeStatement,
    (linked, declared): (&LinkedQuery<'_>, &[(String, Type)]),
    picks: &[usize],
) -> (String, Vec<usize>) {
    let mut filling = Everything { native, linked, declared, picks, numbered: Vec::new() };
    let text = pieces::rendered(pieces, &mut filling);
    let slots = filling.numbered;
    match native.end {
        StatementEnd::Open => (pieces::limited(&text, &pieces::placeholder(native.kind, slots.len() + 1), None), slots),
        StatementEnd::After(_) | StatementEnd::Closed => (text, slots),
    }
}

/// A call that brings a value for everything.
struct Everything<'a> {
    native: &'a NativeStatement,
    linked: &'a LinkedQuery<'a>,
    /// The types that parameters are declared with.
    declared: &'a [(String, Type)],
    picks: &'a [usize],
    /// The slots of the placeholders that there are, by their numbers.
    numbered: Vec<usize>,
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
        let at = self.numbered.iter().position(|one| *one == slot).unwrap_or_else(|| {
            self.numbered.push(slot);
            self.numbered.len() - 1
        });
        let placeholder = pieces::placeholder(self.native.kind, at + 1);
        let is_day = self.declared.iter().any(|(declared, ty)| declared == name && *ty == Type::Date);
        if is_day { pieces::of_day(self.native.kind, placeholder) } else { placeholder }
    }
}

/// What is said of a statement that its database refuses, or cannot be asked about.
pub(super) fn refused(
    query: &ParsedQuery,
    native: &NativeStatement,
    refused: &RefusedStatement,
    (sources, is_image): (&Sources, bool),
) -> Vec<Diagnostic> {
    let source = &native.source.value;
    let told = match refused {
        RefusedStatement::Source(why) => codes::unreadable_source(native.source.span, source, why),
        RefusedStatement::Choices(why) => {
            let second = query.choices.values().find_map(|all| all.get(1));
            codes::invalid_choice(second.map_or(query.head, |choice| choice.span), why)
        }
        RefusedStatement::Columns(columns) => {
            let foreign = |one: &ForeignColumn| {
                let file = sources.get(query.file);
                let place = || file.and_then(|file| query.place_of_word(file, &one.name)).unwrap_or(query.head);
                let item = native.bare_outputs.iter().find(|item| item.value == one.name).map(|item| item.span);
                let ty = (one.ty.as_str(), one.declared.as_ref());
                codes::column_of_foreign_type(
                    item.unwrap_or_else(place),
                    &one.name,
                    ty,
                    (item, cast_to_text(native.kind, &one.ty)),
                )
            };
            return columns.iter().map(foreign).collect();
        }
        RefusedStatement::Statement { why, word } => {
            if native.end == StatementEnd::Open && why.contains(OURS) {
                let why = "it is not complete: it ends where more of it is expected";
                return vec![codes::foreign_statement(query.span.after(), source, why)];
            }
            let pointed = word.as_ref().zip(sources.get(query.file));
            let pointed = pointed.and_then(|(word, file)| query.place_of_word(file, word));
            let place = pointed.or_else(|| meant(query, why, sources)).unwrap_or(query.head);
            let of_records = format!("qtool describe {source}");
            let of_source = format!("qtool describe --source {source}");
            let shows = if is_image { of_records } else { of_source };
            codes::foreign_statement_over(place, (source, &shows), &on_a_line(why))
        }
    };
    vec![told]
}

/// What makes a text of a value of a type.
fn cast_to_text(kind: DatabaseKind, ty: &str) -> &'static str {
    match kind {
        DatabaseKind::Postgres => "::text",
        DatabaseKind::Mysql if ty == "geometry" => "`ST_AsText(…)`, or `ST_AsGeoJSON(…)`",
        DatabaseKind::Mysql => "`CAST(… AS CHAR)`",
        DatabaseKind::Sqlite => "`CAST(… AS TEXT)`",
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

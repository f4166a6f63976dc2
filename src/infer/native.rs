//! The types of a statement in a database's own SQL.
//!
//! Its columns are what the database says of them, and what the header declares. Parameters have the types that they are
//! declared with; else those of what they are compared with, as far as the statement can be read and the tables are those
//! of the project: under the names that the database has for them.

use super::collect::{self, Collected};
use super::constraint::{Ask, Strength};
use super::solve::by_name;
use super::written;
use super::{
    Context, Declaration, Lineage, Pages, TypedParameter, TypedQuery, allowed_query, declaration, default_expression,
    likely, solve, typed_rules, unify,
};
use crate::catalog::{Catalog, Column, DatabaseKind, StatementAnswer, StatementColumn, Table};
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{AutomaticParameter, ProjectFile, TableSource, WriteOperation};
use crate::source::{Sources, Span, Spanned};
use crate::syntax::link::LinkedQuery;
use crate::syntax::{NativeStatement, ParsedQuery};
use crate::tool::{Annotations, OutputColumn, PlaceholderUse, StatementEnd};
use crate::ty::Type;
use arrow::datatypes::DataType;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How many labels of an enum are listed at most.
const MOST_LABELS: usize = 100;

/// What the database says, with the project that names its tables.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// What it says; `None` where nobody could ask.
    pub answer: Option<&'a StatementAnswer>,
    /// `qtool.yaml`.
    pub file: &'a ProjectFile,
    /// Whether it changes records: their contract says the types of their fields, and each moment is kept in one form.
    pub is_of_records: bool,
}

/// The types of a linked statement. `None` where there are errors; all of them are in the sink, or were told before where
/// there are no columns.
pub fn infer_statement(
    linked: &LinkedQuery<'_>,
    native: &NativeStatement,
    asked: Asked<'_>,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<TypedQuery> {
    let errors = sink.errors();
    let own = linked.own()?;
    let mut declarations = declaration::collect(linked, sink);
    default_expression::check(&mut declarations, context, sink);
    allowed_query::check(&mut declarations, context, sink);
    if sink.errors() > errors {
        return None;
    }
    // What is compared with a column of a table that is not read yet has a type as soon as it is; that it is not was told.
    let is_known = |(name, table): (&String, &TableSource)| {
        table.source() != Some(native.source.value.as_str()) || context.catalog.tables.contains_key(name)
    };
    let mut unheard = Diagnostics::default();
    let heard = if asked.file.tables.iter().all(is_known) { &mut *sink } else { &mut unheard };
    let parameters = parameters(linked, native, &declarations, asked, context, heard);
    let columns = asked.answer.map(|answer| {
        output_columns(own, native, &answer.columns, (asked.file, context.catalog, context.sources), sink)
    });
    let rules = parameters.as_ref().and_then(|parameters| typed_rules(linked, parameters, context, sink));
    let (parameters, columns, rules) = (parameters?, columns??, rules?);
    let answer = asked.answer?;
    let pages = pages(own, native, &answer.columns, sink);
    let as_told = as_told(own, native.kind, &columns, &answer.columns);
    let sent_as = answer.parameters.iter().filter_map(|one| Some((one.column.name.clone(), one.sent_as.clone()?)));
    let placeholders =
        linked.slots.iter().map(|slot| PlaceholderUse { parameter: slot.name.clone(), list: slot.list }).collect();
    (sink.errors() == errors).then(|| TypedQuery {
        parameters,
        columns,
        views: Vec::new(),
        statement: linked.parts.last().map(|part| part.text.clone()).unwrap_or_default(),
        placeholders,
        rules,
        sent_as: sent_as.collect(),
        as_told,
        tables: Vec::new(),
        lineage: lineage_of(&native.source.value, &answer.columns, asked.file, context.catalog),
        annotations: annotations(native),
        pages,
        change: None,
    })
}

/// What a statement shows of its effects.
fn annotations(native: &NativeStatement) -> Annotations {
    let mut writes = native.changes.iter().flat_map(|change| &change.writes);
    let repeats = writes.clone().all(|write| write.repeats);
    Annotations {
        read_only: !native.is_change(),
        destructive: writes.any(|write| write.operation != WriteOperation::Insert),
        idempotent: !native.is_volatile && repeats,
        open_world: false,
    }
}

/// The types that parameters are declared with, by name.
pub fn declared_types(linked: &LinkedQuery<'_>) -> Vec<(String, Type)> {
    let mut unheard = Diagnostics::default();
    let declarations = declaration::collect(linked, &mut unheard);
    declarations.into_iter().filter_map(|one| Some((one.name, one.ty?.value))).collect()
}

/// The types that columns of the result are declared with, by name. What is no type is told elsewhere.
pub fn declared_columns(query: &ParsedQuery) -> Vec<(String, Type)> {
    let columns = query.header.columns.iter();
    columns.filter_map(|(name, config)| Some((name.clone(), Type::parse(config.ty.as_deref()?).ok()?))).collect()
}

/// The types of the parameters.
fn parameters(
    linked: &LinkedQuery<'_>,
    native: &NativeStatement,
    declarations: &[Declaration],
    asked: Asked<'_>,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<Vec<TypedParameter>> {
    let errors = sink.errors();
    let catalog = of_database(&native.source.value, asked.file, context.catalog);
    let inside = Context { catalog: &catalog, queries: &[], ..context };
    let mut solved: Collected = collect::collect(linked, declarations, inside);
    solve::solve(&mut solved, &linked.occurrences, declarations);
    // What the walk does not know is there all the same: the database has the last word.
    solved.beside_wrong.clear();
    match native.kind {
        // What is declared is what the author says of the database's own types.
        DatabaseKind::Sqlite if asked.is_of_records => forget_documents(linked, declarations, &mut solved),
        DatabaseKind::Sqlite | DatabaseKind::Mysql => forget_declared(linked, declarations, &mut solved),
        DatabaseKind::Postgres => ask_as_told(linked, declarations, asked.answer?, &mut solved, sink)?,
    }
    let parameters = unify::unify(linked, declarations, &solved, sink);
    if parameters.is_none() && sink.errors() == errors {
        for one in declarations.iter().filter(|one| one.ty.is_none()) {
            sink.push(codes::cannot_infer_type(one.first_use, one.type_edit, &one.name, likely::ANY));
        }
    }
    let mut parameters = parameters?;
    parameters.iter_mut().for_each(|one| one.labels = labels(one, asked.answer));
    if let Some(answer) = asked.answer {
        written::settle(linked, native, answer, &mut parameters);
    }
    for parameter in parameters.iter().filter(|one| one.declaration.config.choices.is_none()) {
        let uses = || linked.occurrences.iter().filter(|one| one.name.value == parameter.declaration.name);
        let is_list = !uses().any(|one| !one.list);
        let sent = match &parameter.ty {
            Type::List(item) if is_list => item.as_ref(),
            ty => ty,
        };
        let (place, name) = (parameter.declaration.first_use, &parameter.declaration.name);
        let is_kept_in_one_form = asked.is_of_records && matches!(sent, Type::Timestamp(_));
        if parameter.declaration.ty.is_none() && !is_kept_in_one_form && is_compared_as_written(sent, native.kind) {
            let edit = parameter.declaration.type_edit;
            sink.push(codes::time_compared_as_text(place, edit, name, (&parameter.ty, native.kind.title())));
        } else if !can_be_sent(sent, native.kind) {
            sink.push(codes::parameter_of_foreign_type(place, name, &parameter.ty, native.kind.title()));
        }
    }
    (sink.errors() == errors).then_some(parameters)
}

/// Leaves out what the places of parameters ask for that are declared as documents: to a database they are texts.
fn forget_documents(linked: &LinkedQuery<'_>, declarations: &[Declaration], solved: &mut Collected) {
    let is_document = |one: &Declaration| one.ty.as_ref().is_some_and(|ty| ty.value == Type::Json);
    for (_, places) in by_name(&linked.occurrences, declarations).into_iter().filter(|(one, _)| is_document(one)) {
        for at in places {
            solved.constraints.cells.get_mut(at).into_iter().for_each(|cell| cell.asks.clear());
        }
    }
}

/// Leaves out what the places of declared parameters ask for.
fn forget_declared(linked: &LinkedQuery<'_>, declarations: &[Declaration], solved: &mut Collected) {
    for (_, places) in by_name(&linked.occurrences, declarations).into_iter().filter(|(one, _)| one.ty.is_some()) {
        for at in places {
            solved.constraints.cells.get_mut(at).into_iter().for_each(|cell| cell.asks.clear());
        }
    }
}

/// Every place asks for what the database says of it. `None` where that is not what is declared, which is told.
fn ask_as_told(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    answer: &StatementAnswer,
    solved: &mut Collected,
    sink: &mut Diagnostics,
) -> Option<()> {
    let errors = sink.errors();
    for (declaration, places) in by_name(&linked.occurrences, declarations) {
        for at in places {
            let (Some(one), Some(cell)) = (linked.occurrences.get(at), solved.constraints.cells.get_mut(at)) else {
                continue;
            };
            // Those of rules are none of the statement's.
            let Some(told) = answer.parameter(&declaration.name, one.list) else { continue };
            let asked: Vec<Ask> = std::mem::take(&mut cell.asks);
            let Some(ty) = told.column.ty() else { continue };
            match &declaration.ty {
                Some(declared) if declared.value.to_arrow() != told.column.arrow => {
                    let used = Spanned::new(ty, one.span);
                    sink.push(codes::declared_type_conflicts(&declaration.name, declared, &used, true));
                }
                Some(_) => {}
                None => {
                    // Behind IN, it asks for one item of the list.
                    let ty = match ty {
                        Type::List(item) if one.list => *item,
                        ty => ty,
                    };
                    // The server says that it is a number, and the column beside it of how many digits.
                    let is_number = |ask: &Ask| matches!((&ask.ty, &ty), (Type::Decimal(..), Type::Decimal(..)));
                    let digits = asked.iter().find(|ask| ask.strength == Strength::Use && is_number(ask)).cloned();
                    cell.asks.push(digits.unwrap_or(Ask { ty, strength: Strength::Use }));
                }
            }
        }
    }
    (sink.errors() == errors).then_some(())
}

/// The labels that a parameter must be one of, by what the database says of its places; none where the author says what it may
/// be, and where they are too many to be listed.
fn labels(parameter: &TypedParameter, answer: Option<&StatementAnswer>) -> Vec<String> {
    let (name, config) = (&parameter.declaration.name, &parameter.declaration.config);
    if config.allowed_values.is_some() || config.choices.is_some() {
        return Vec::new();
    }
    let told = answer.into_iter().flat_map(|answer| &answer.parameters);
    let told = told.filter(|one| one.column.name == *name && !one.labels.is_empty()).map(|one| one.labels.clone());
    // What two enums have.
    let common = told.reduce(|one, other| one.into_iter().filter(|label| other.contains(label)).collect());
    common.filter(|labels| labels.len() <= MOST_LABELS).unwrap_or_default()
}

/// Whether values of a type are read as texts, where a column is one of them.
fn comes_as_text(ty: &Type, kind: DatabaseKind) -> bool {
    match kind {
        DatabaseKind::Sqlite => true,
        // Numbers have one text.
        DatabaseKind::Postgres => ty.to_arrow() == DataType::Utf8 || matches!(ty, Type::Decimal(..)),
        DatabaseKind::Mysql => *ty == Type::Text,
    }
}

/// Whether values of a type can be sent.
fn can_be_sent(ty: &Type, kind: DatabaseKind) -> bool {
    match (kind, ty) {
        (_, Type::Struct(_) | Type::Map(..))
        | (DatabaseKind::Sqlite | DatabaseKind::Mysql, Type::Interval | Type::List(_)) => false,
        (DatabaseKind::Postgres, Type::List(item)) => !matches!(**item, Type::List(_)) && can_be_sent(item, kind),
        (DatabaseKind::Sqlite | DatabaseKind::Postgres | DatabaseKind::Mysql, _) => true,
    }
}

/// Whether a database compares the values of a type as the texts that they are stored as, of which there are several for one
/// value: then nobody knows which of them is to be sent. A day has one.
fn is_compared_as_written(ty: &Type, kind: DatabaseKind) -> bool {
    match kind {
        DatabaseKind::Sqlite => matches!(ty, Type::Time | Type::Timestamp(_) | Type::Timestamptz(_)),
        DatabaseKind::Postgres | DatabaseKind::Mysql => false,
    }
}

/// Whether a database compares the values of a column as numbers, and others with it, that are read as bytes here: then a column
/// does not say what is to be sent.
fn is_compared_as_number(kind: DatabaseKind, declared: &str, arrow: &DataType) -> bool {
    match kind {
        DatabaseKind::Mysql => declared.to_lowercase().starts_with("bit") && *arrow == DataType::Binary,
        DatabaseKind::Sqlite | DatabaseKind::Postgres => false,
    }
}

/// The tables of a database that the project has, as the database names them and their columns, in small letters: by each end
/// of their whole names that is one table's alone.
fn of_database(source: &str, file: &ProjectFile, catalog: &Catalog) -> Catalog {
    let mut found = Catalog::default();
    let mut wholes: HashMap<String, Vec<String>> = HashMap::new();
    let mut of_several = HashSet::new();
    for (_, table) in tables_of(source, file, catalog) {
        let Some(native) = &table.native else { continue };
        let columns = native.columns.iter().zip(&table.columns);
        let columns = columns.filter(|(own, column)| !is_compared_as_number(native.kind, &own.declared, &column.arrow));
        let columns = columns.map(|(own, column)| Column { name: own.name.to_lowercase(), ..column.clone() });
        let lies_in = (native.kind == DatabaseKind::Sqlite).then_some("main");
        let parts: Vec<String> =
            lies_in.into_iter().chain(native.name.iter().map(String::as_str)).map(str::to_lowercase).collect();
        let columns: Vec<Column> = columns.collect();
        for name in (0..parts.len()).filter_map(|start| Some(parts.get(start..)?.join("."))) {
            if wholes.insert(name.clone(), parts.clone()).is_some_and(|before| before != parts) {
                of_several.insert(name.clone());
            }
            found.tables.insert(name, Table::of_columns(columns.clone()));
        }
    }
    found.tables.retain(|name, _| !of_several.contains(name));
    found
}

/// The tables of the project that lie in a database.
fn tables_of<'a>(
    source: &'a str,
    file: &'a ProjectFile,
    catalog: &'a Catalog,
) -> impl Iterator<Item = (&'a str, &'a Table)> {
    file.tables.iter().filter_map(move |(name, table)| match table {
        TableSource::Database(table) if table.source == source => Some((name.as_str(), catalog.tables.get(name)?)),
        _ => None,
    })
}

/// The columns of tables that the result shows as they are. What a database computes it does not tell the origin of.
fn lineage_of(source: &str, columns: &[StatementColumn], file: &ProjectFile, catalog: &Catalog) -> Lineage {
    let mut lineage = Lineage::new();
    for (one, origin) in columns.iter().filter_map(|one| Some((one, one.origin.as_ref()?))) {
        for (name, table) in tables_of(source, file, catalog) {
            let Some(native) = table.native.as_ref().filter(|native| native.name.last() == Some(&origin.table)) else {
                continue;
            };
            let at = native.columns.iter().position(|column| column.name == origin.column);
            if let Some(column) = at.and_then(|at| table.columns.get(at)) {
                let key = (name.to_owned(), column.name.clone());
                lineage.entry(key).or_default().insert(one.column.name.clone());
            }
        }
    }
    lineage
}

/// The columns of the result.
fn output_columns(
    query: &ParsedQuery,
    native: &NativeStatement,
    columns: &[StatementColumn],
    (file, catalog, sources): (&ProjectFile, &Catalog, &Sources),
    sink: &mut Diagnostics,
) -> Option<Vec<OutputColumn>> {
    let errors = sink.errors();
    let place =
        |name: &str| sources.get(query.file).and_then(|file| query.place_of_word(file, name)).unwrap_or(query.head);
    let mut found: Vec<OutputColumn> = Vec::new();
    let mut untyped: Vec<&StatementColumn> = Vec::new();
    for (at, one) in columns.iter().enumerate() {
        let name = one.column.name.clone();
        if found.iter().any(|column| column.name == name) {
            sink.push(codes::duplicate_column(place(&name), &name, None));
        }
        let declared = match query.header.columns.get(&name).and_then(|config| config.ty.as_deref()) {
            Some(written) => match Type::parse(written) {
                Ok(ty) if !native.kind.can_read(&ty) => {
                    let place = query.document.value_span(&["columns", &name, "type"]);
                    sink.push(codes::column_of_other_type(place, &name, (&ty, native.kind.title())));
                    continue;
                }
                Ok(ty) => Some(ty),
                Err(unknown) => {
                    sink.push(codes::unknown_type(query.document.value_span(&["columns", &name, "type"]), &unknown));
                    continue;
                }
            },
            None => None,
        };
        // What a table's column is declared as is what its own statements cast it to; an author's do not.
        let is_cast = |ty: &Type| native.kind != DatabaseKind::Sqlite && *ty == Type::Text;
        let told = || one.has_type().then(|| Type::beside_column(&one.column.arrow)).flatten();
        let of_table = || {
            let found = tables_of(&native.source.value, file, catalog).find_map(|(_, table)| type_in(table, one));
            found.filter(|ty| !is_cast(ty) || told().is_none_or(|told| comes_as_text(&told, native.kind)))
        };
        let called = || native.calls.get(at)?.as_deref().and_then(|name| type_of_call(name, native.kind));
        match declared.or_else(of_table).or_else(told).or_else(called) {
            Some(ty) => found.push(OutputColumn { nullable: one.column.nullable, ..OutputColumn::new(name, ty) }),
            None => untyped.push(one),
        }
    }
    tell_untyped(query, &untyped, &place, sink);
    (sink.errors() == errors).then_some(found)
}

/// The columns whose types are those that the database says of them.
fn as_told(
    query: &ParsedQuery,
    kind: DatabaseKind,
    columns: &[OutputColumn],
    told: &[StatementColumn],
) -> BTreeSet<String> {
    let is_as_told = |(column, told): &(&OutputColumn, &StatementColumn)| {
        // What the header declares, the answers of servers have taken over.
        let is_own = !kind.is_server() || query.header.columns.get(&column.name).is_none_or(|one| one.ty.is_none());
        is_own && told.has_type() && Type::beside_column(&told.column.arrow).as_ref() == Some(&column.ty)
    };
    columns.iter().zip(told).filter(is_as_told).map(|(column, _)| column.name.clone()).collect()
}

/// Says which columns need a type.
fn tell_untyped(
    query: &ParsedQuery,
    untyped: &[&StatementColumn],
    place: &dyn Fn(&str) -> Span,
    sink: &mut Diagnostics,
) {
    let names: Vec<&str> = untyped.iter().map(|one| one.column.name.as_str()).collect();
    let places: Vec<Span> = names.iter().map(|name| place(name)).collect();
    match places.as_slice() {
        [first, others @ ..] if !others.is_empty() && !query.document.has(&["columns"]) => {
            let entries: Vec<String> = untyped.iter().map(|one| entry_of_type(one, "text")).collect();
            let edit = query.document.inserting_edit(&[], &format!("columns: {{ {} }}", entries.join(", ")));
            sink.push(codes::columns_without_type(*first, others, &names, edit));
        }
        places => {
            for (one, place) in untyped.iter().zip(places) {
                sink.push(codes::column_without_type(*place, &one.column.name, edits_of_type(query, one)));
            }
        }
    }
}

/// The type that a table of the project has for the column that a result shows as it is.
fn type_in(table: &Table, column: &StatementColumn) -> Option<Type> {
    let (origin, native) = (column.origin.as_ref()?, table.native.as_ref()?);
    let at = match native.kind {
        DatabaseKind::Sqlite if native.name.last()?.eq_ignore_ascii_case(&origin.table) => {
            native.columns.iter().position(|own| own.name.eq_ignore_ascii_case(&origin.column))?
        }
        DatabaseKind::Postgres | DatabaseKind::Mysql if native.name.join(".") == origin.table => {
            native.columns.iter().position(|own| own.name == origin.column)?
        }
        DatabaseKind::Sqlite | DatabaseKind::Postgres | DatabaseKind::Mysql => return None,
    };
    Type::beside_column(&table.columns.get(at)?.arrow)
}

/// The type of what a function gives, whatever it is called with.
fn type_of_call(name: &str, kind: DatabaseKind) -> Option<Type> {
    match kind {
        DatabaseKind::Sqlite => match name {
            "||" | "cast as text" => Some(Type::Text),
            "cast as integer" | "cast as int" | "cast as bigint" => Some(Type::Bigint),
            "cast as real" | "cast as double" | "cast as float" => Some(Type::Double),
            "count" | "length" | "octet_length" | "instr" | "unicode" | "row_number" | "rank" | "dense_rank"
            | "ntile" | "json_array_length" | "unixepoch" => Some(Type::Bigint),
            "avg" | "round" | "total" | "percent_rank" | "cume_dist" | "julianday" | "bm25" => Some(Type::Double),
            "lower" | "upper" | "trim" | "ltrim" | "rtrim" | "replace" | "substr" | "substring" | "group_concat"
            | "string_agg" | "printf" | "format" | "hex" | "quote" | "typeof" | "date" | "time" | "datetime"
            | "strftime" | "char" | "concat" | "concat_ws" | "highlight" | "snippet" => Some(Type::Text),
            "json" | "json_array" | "json_object" | "json_group_array" | "json_group_object" | "json_set"
            | "json_insert" | "json_replace" | "json_remove" | "json_patch" => Some(Type::Json),
            _ => None,
        },
        // The server says the type of each column itself.
        DatabaseKind::Postgres | DatabaseKind::Mysql => None,
    }
}

/// Where the type of a column can be declared in the header, and what is written there: for each type that it may well have.
fn edits_of_type(query: &ParsedQuery, column: &StatementColumn) -> Vec<(&'static str, Span, String)> {
    // A column of a table without a type is mostly one of a full-text index.
    let likely: &[&'static str] = if column.origin.is_some() { &["text"] } else { &["text", "bigint", "double"] };
    let (document, name) = (&query.document, column.column.name.as_str());
    let edit = |ty: &&'static str| {
        let edit = if document.has(&["columns", name]) {
            document.inserting_edit(&["columns", name], &format!("type: {ty}"))
        } else if document.has(&["columns"]) {
            document.inserting_edit(&["columns"], &entry_of_type(column, ty))
        } else {
            document.inserting_edit(&[], &format!("columns: {{ {} }}", entry_of_type(column, ty)))
        };
        edit.map(|(place, text)| (*ty, place, text))
    };
    likely.iter().filter_map(edit).collect()
}

/// What `columns` says of a column of a type.
fn entry_of_type(column: &StatementColumn, ty: &str) -> String {
    let name = column.column.name.as_str();
    let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let key = if is_plain { name.to_owned() } else { serde_json::Value::from(name).to_string() };
    format!("{key}: {{ type: {ty} }}")
}

/// Whether pages of the rows fit together: they are sorted by what tells the rows of their one table apart.
fn pages(query: &ParsedQuery, native: &NativeStatement, columns: &[StatementColumn], sink: &mut Diagnostics) -> Pages {
    let asked = query.header.expose.as_ref().map(|exposed| exposed.contains(&AutomaticParameter::Cursor));
    if asked == Some(false) {
        return Pages::Unwanted;
    }
    let sorts_by = |one: &StatementColumn| {
        native.order.iter().any(|key| {
            let own = one.origin.as_ref().map(|origin| origin.column.as_str());
            let is_named = key.name.eq_ignore_ascii_case(&one.column.name);
            is_named && (!key.is_qualified || own.is_some_and(|own| own.eq_ignore_ascii_case(&key.name)))
        })
    };
    let keys: Vec<&StatementColumn> =
        columns.iter().filter(|one| one.origin.as_ref().is_some_and(|origin| origin.is_key)).collect();
    let is_whole = !keys.is_empty() && keys.iter().all(|one| !one.column.nullable && sorts_by(one));
    if is_whole && native.is_of_one_table && native.end == StatementEnd::Open {
        return Pages::Fit;
    }
    if asked == Some(true) {
        let place = query.document.value_span(&["expose"]);
        let why = "pages of a statement in a database's own SQL fit together only where it has no LIMIT, reads one table, \
                   and sorts by columns of the result that are a key of it";
        sink.push(codes::invalid_setting(place, why));
    }
    Pages::Unwanted
}

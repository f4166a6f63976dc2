//! What a server of PostgreSQL says of a statement in its own SQL: the types of its parameters, and its columns with the tables
//! that they come from.
//!
//! The server finds the type of a parameter by the place that it stands in. Where one is declared that this type does not take,
//! the server is told the declared one, and may have another operator for it: `pieces > 1.5` compares numbers that an integer
//! is none of.

use super::super::dialect::quoted;
use super::describe::{self, WORDS};
use super::error::source_error;
use super::sent_as;
use super::session::Session;
use super::transaction::{END, Sessions};
use super::types::{can_be, column_type, comes_as_text, is_read_as_text};
use super::volatile::{self, Whose};
use super::written;
use crate::catalog::{Column, Origin, StatementAnswer, StatementColumn, StatementParameter};
use crate::project::{AskedParameter, ForeignColumn, RefusedStatement, UnpreparedStatement};
use crate::ty::Type;
use arrow::datatypes::DataType;
use tokio_postgres::error::{DbError, ErrorPosition, SqlState};
use tokio_postgres::types::{Kind, Type as Own};
use tokio_postgres::{Client, Error, Statement};

/// The words for types, in the order of their numbers.
const TYPES: &str = "SELECT coalesce(own.words, '') FROM \
     unnest($1::oid[], $2::int4[]) WITH ORDINALITY AS a(atttypid, atttypmod, place) ";

/// The columns of tables that columns of a result are. Of a table whose rows are those of others too, the key is none of all of
/// them; and nobody sees to it that a foreign table has no nulls.
const ORIGINS: &str = "SELECT w.place, n.nspname::text || '.' || c.relname::text, a.attname::text, \
     NOT a.attnotnull OR c.relkind NOT IN ('r', 'p'), \
     CASE WHEN c.relkind = 'r' AND c.relhassubclass THEN NULL ELSE (k.indkey::int2[])[0:k.indnkeyatts - 1] END \
     FROM unnest($1::oid[], $2::int2[]) WITH ORDINALITY AS w(oid, number, place) \
     JOIN pg_catalog.pg_class c ON c.oid = w.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = w.number \
     LEFT JOIN pg_catalog.pg_index k ON k.indrelid = c.oid AND k.indisprimary";

/// Digits of a number that may have any: more than those of money and measures.
const ANY_NUMBER: Type = Type::Decimal(38, 10);

/// The statements that clients have prepared in a session, but for those that a pooler knows of.
const PREPARED: &str =
    "SELECT name FROM pg_catalog.pg_prepared_statements WHERE NOT from_sql AND name !~ '^PGBOUNCER_'";

/// A place in the transaction before the statement, and the way back to it.
const MARK: &str = "; SAVEPOINT unprepared";
const BACK: &str = "ROLLBACK TO SAVEPOINT unprepared";

/// The catalog is asked as always: nothing is found in other schemas.
const OF_THE_CATALOG: &str = "; SET LOCAL search_path = ''";

/// How often the server is given a text whose name somebody else has left in the session.
const MOST_NAMES: usize = 64;

/// A server that is asked about a statement.
pub(super) struct Asked<'a> {
    pub(super) session: &'a Session,
    pub(super) source: &'a str,
    pub(super) text: &'a str,
    pub(super) of: &'a UnpreparedStatement,
}

impl Asked<'_> {
    /// The answer. All is asked in one transaction: behind a pooler, the next one has another session.
    ///
    /// Errors: the server cannot be asked, or refuses the statement; or a column is of a type that is not read.
    pub(super) async fn answer(&self) -> Result<StatementAnswer, RefusedStatement> {
        let lost = |error: Error| self.lost(&error);
        let begin = [END, "; ", &self.session.sessions().begin_authored(), MARK].concat();
        self.client().batch_execute(&begin).await.map_err(lost)?;
        let before = self.prepared_names().await.map_err(lost)?;
        let answered = match self.prepared().await {
            Ok(prepared) => {
                self.client().batch_execute(&[BACK, OF_THE_CATALOG].concat()).await.map_err(lost)?;
                self.described(prepared).await
            }
            Err(refused) => Err(refused),
        };
        self.clear(&before).await.map_err(lost)?;
        self.client().batch_execute(END).await.map_err(lost)?;
        answered
    }

    fn client(&self) -> &Client {
        self.session.client()
    }

    /// The server does not answer what is asked beside the statement.
    fn lost(&self, error: &Error) -> RefusedStatement {
        source_error(error, self.source, &self.of.name).into()
    }

    /// What is prepared in a session that others have, too.
    async fn prepared_names(&self) -> Result<Vec<String>, Error> {
        match self.session.sessions() {
            Sessions::Own => Ok(Vec::new()),
            Sessions::Shared => {
                self.client().query_typed(PREPARED, &[]).await?.iter().map(|row| row.try_get(0)).collect()
            }
        }
    }

    /// Leaves nothing behind in a session that others have, too: the driver prepares statements of its own, to ask what types
    /// are, and keeps them.
    async fn clear(&self, before: &[String]) -> Result<(), Error> {
        if self.session.sessions() == Sessions::Own {
            return Ok(());
        }
        self.client().batch_execute(BACK).await?;
        let names = self.prepared_names().await?;
        for name in names.iter().filter(|name| !before.contains(name)) {
            self.session.mark_spent();
            self.client().batch_execute(&format!("DEALLOCATE {}", quoted(name))).await?;
        }
        Ok(())
    }

    /// The statement as the server has prepared it, with the types that parameters are sent as.
    async fn prepared(&self) -> Result<Prepared, RefusedStatement> {
        let parameters = &self.of.parameters;
        let mut sent: Vec<Sent> = parameters.iter().map(|_| Sent::Found).collect();
        let mut first: Option<Error> = None;
        loop {
            let error = match self.attempt(&sent).await {
                Ok(statement) => return self.steered(statement, sent).await,
                Err(error) => error,
            };
            let state = error.code().map(|state| state.code().to_owned()).unwrap_or_default();
            let unknown = untyped_parameter(&error).filter(|at| sent.get(*at) == Some(&Sent::Found));
            if let Some(one) = unknown.and_then(|at| Some((sent.get_mut(at)?, parameters.get(at)?))) {
                let (sent, parameter) = one;
                let declared = parameter.declared.as_ref().and_then(sent_as::words);
                *sent = declared.map_or(Sent::Unknown, Sent::As);
                continue;
            }
            let first = first.get_or_insert(error);
            let more = declared(parameters, |at| sent.get(at) == Some(&Sent::Found));
            if more.is_empty() || !state.starts_with("42") {
                return Err(self.refused(first));
            }
            for (at, words) in more {
                sent.get_mut(at).into_iter().for_each(|sent| *sent = Sent::As(words.clone()));
            }
        }
    }

    /// The same, where parameters that are declared as what the server's types do not take are sent as what they are.
    async fn steered(&self, statement: Statement, sent: Vec<Sent>) -> Result<Prepared, RefusedStatement> {
        let found = self.words(statement.params().iter().map(|ty| (ty.oid(), -1)).collect()).await?;
        let takes = |at: usize| {
            let declared = self.of.parameters.get(at).and_then(|one| one.declared.as_ref());
            found.get(at).zip(declared).is_none_or(|(own, ty)| sent_as::takes(own, ty))
        };
        let mut others = sent.clone();
        for (at, words) in declared(&self.of.parameters, |at| sent.get(at) == Some(&Sent::Found) && !takes(at)) {
            others.get_mut(at).into_iter().for_each(|one| *one = Sent::As(words.clone()));
        }
        if others != sent
            && let Ok(statement) = self.attempt(&others).await
        {
            let words = self.words(statement.params().iter().map(|ty| (ty.oid(), -1)).collect()).await?;
            return Ok(Prepared { statement, sent: others, words });
        }
        Ok(Prepared { statement, sent, words: found })
    }

    /// Gives the text to the server, in a transaction as it runs in.
    async fn attempt(&self, sent: &[Sent]) -> Result<Statement, Error> {
        let types: Vec<Own> = sent.iter().map(Sent::own).collect();
        let mut names = 0;
        loop {
            self.client().batch_execute(BACK).await?;
            match self.client().prepare_typed(self.text, &types).await {
                // The next has another name.
                Err(error) if error.code() == Some(&SqlState::DUPLICATE_PSTATEMENT) && names < MOST_NAMES => names += 1,
                outcome => return outcome,
            }
        }
    }

    async fn described(&self, prepared: Prepared) -> Result<StatementAnswer, RefusedStatement> {
        let Prepared { statement, sent, words } = prepared;
        let no_query = |why: &str| RefusedStatement::Statement { why: why.to_owned(), word: None };
        let change = self.of.change.as_ref();
        if statement.columns().is_empty() && change.is_none_or(|change| change.gives_rows) {
            return Err(no_query("it gives no columns"));
        }
        if statement.params().len() != self.of.values() {
            return Err(no_query("it has parameters that are no `<< placeholders >>`"));
        }
        let lost = |error: Error| self.lost(&error);
        // One of the database's own people may change what nobody has said that it may.
        let whose = if change.is_some() { Whose::Anybodys } else { Whose::Servers };
        if let Some(name) = volatile::refused(self.client(), self.text, whose).await.map_err(lost)? {
            let why = format!(
                "`{name}` is not called by a tool: it is volatile, which is to say that it may do more than read"
            );
            return Err(RefusedStatement::Statement { why, word: Some(name) });
        }
        let parameters = self.of.parameters.iter().zip(sent).zip(statement.params().iter().zip(&words));
        let parameters = parameters.map(|((asked, sent), (ty, own))| {
            let labels = if sent == Sent::Found { labels(ty) } else { Vec::new() };
            StatementParameter { labels, ..parameter(asked, sent, own) }
        });
        let parameters = parameters.collect();
        let columns = statement.columns();
        let types = columns.iter().map(|column| (column.type_().oid(), column.type_modifier())).collect();
        let words = self.words(types).await?;
        let origins = self.origins(columns).await?;
        let (mut told, mut foreign) = (Vec::with_capacity(columns.len()), Vec::new());
        for ((column, own), origin) in columns.iter().zip(&words).zip(origins) {
            let ty = match self.column_type(column.name(), own) {
                Ok(ty) => ty,
                Err(column) => {
                    foreign.push(column);
                    continue;
                }
            };
            let (nullable, origin) = origin.map_or((true, None), |(nullable, origin)| (nullable, Some(origin)));
            let column = Column { name: column.name().to_owned(), arrow: ty.to_arrow(), nullable };
            told.push(StatementColumn { column, origin });
        }
        if !foreign.is_empty() {
            return Err(RefusedStatement::Columns(foreign));
        }
        let written = match change {
            Some(change) => written::columns(self.client(), &change.tables).await.map_err(lost)?,
            None => Vec::new(),
        };
        Ok(StatementAnswer { columns: told, parameters, written })
    }

    /// The type of a column: the one that is declared, else its own.
    fn column_type(&self, name: &str, own: &str) -> Result<Type, ForeignColumn> {
        let declared = self.of.columns.iter().find(|(column, _)| column == name).map(|(_, ty)| ty);
        let is_read = |ty: &Type| !comes_as_text(own, &ty.to_arrow());
        let read = match declared {
            // Nobody casts what the statement shows.
            Some(ty) if is_read(ty) => can_be(own, ty).then(|| ty.clone()),
            Some(_) => None,
            None => column_type(own),
        };
        let refused = || ForeignColumn {
            name: name.to_owned(),
            ty: own.to_owned(),
            declared: declared.filter(|ty| is_read(ty)).cloned(),
        };
        read.filter(|_| !is_read_as_text(own)).ok_or_else(refused)
    }

    /// The words for types.
    async fn words(&self, types: Vec<(u32, i32)>) -> Result<Vec<String>, RefusedStatement> {
        let lost = |error: Error| self.lost(&error);
        let (numbers, modifiers): (Vec<u32>, Vec<i32>) = types.into_iter().unzip();
        let text = [TYPES, WORDS, "ORDER BY a.place"].concat();
        let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Own); 2] =
            [(&numbers, Own::OID_ARRAY), (&modifiers, Own::INT4_ARRAY)];
        let rows = self.client().query_typed(&text, &values).await.map_err(lost)?;
        let mut words: Vec<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(lost)?;
        describe::settle_money(self.client(), words.iter_mut()).await.map_err(lost)?;
        Ok(words)
    }

    /// The columns of tables that these are, and whether each may be null.
    async fn origins(
        &self,
        columns: &[tokio_postgres::Column],
    ) -> Result<Vec<Option<(bool, Origin)>>, RefusedStatement> {
        let lost = |error: Error| self.lost(&error);
        let places: Vec<(u32, i16)> = columns
            .iter()
            .map(|column| (column.table_oid().unwrap_or_default(), column.column_id().unwrap_or_default()))
            .collect();
        let (tables, numbers): (Vec<u32>, Vec<i16>) = places.iter().copied().unzip();
        let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Own); 2] =
            [(&tables, Own::OID_ARRAY), (&numbers, Own::INT2_ARRAY)];
        let rows = self.client().query_typed(ORIGINS, &values).await.map_err(lost)?;
        let mut found: Vec<Option<(bool, Origin)>> = columns.iter().map(|_| None).collect();
        for row in &rows {
            let place: i64 = row.try_get(0).map_err(lost)?;
            let at = usize::try_from(place - 1).unwrap_or_default();
            let (table, column): (String, String) = (row.try_get(1).map_err(lost)?, row.try_get(2).map_err(lost)?);
            let nullable: bool = row.try_get(3).map_err(lost)?;
            let key: Option<Vec<i16>> = row.try_get(4).map_err(lost)?;
            let Some(((of, number), found)) = places.get(at).zip(found.get_mut(at)) else { continue };
            let key = key.unwrap_or_default();
            let is_shown = |part: &i16| places.contains(&(*of, *part));
            let is_key = key.contains(number) && key.iter().all(is_shown);
            *found = Some((nullable, Origin { table, column, is_key }));
        }
        Ok(found)
    }

    /// What the server says of a text that it does not prepare: its own words, which are about the author's text.
    fn refused(&self, error: &Error) -> RefusedStatement {
        let about_text =
            |told: &&DbError| ["08", "53", "57", "58", "XX"].iter().all(|class| !told.code().code().starts_with(class));
        match error.as_db_error().filter(about_text) {
            Some(told) => {
                let hint = told.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
                let word = match told.position() {
                    Some(ErrorPosition::Original(position)) => word_at(self.text, *position),
                    _ => None,
                };
                RefusedStatement::Statement { why: format!("{}{hint}", told.message()), word }
            }
            None => source_error(error, self.source, &self.of.name).into(),
        }
    }
}

/// A statement that the server has prepared.
struct Prepared {
    statement: Statement,
    sent: Vec<Sent>,
    /// The types of its parameters, in the words of the server.
    words: Vec<String>,
}

/// As what a parameter is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sent {
    /// As what the server finds.
    Found,
    /// As a type that the server is told.
    As(String),
    /// As text, since nobody knows its type.
    Unknown,
}

impl Sent {
    fn own(&self) -> Own {
        match self {
            Sent::Found => sent_as::own(None),
            Sent::As(words) => sent_as::own(Some(words)),
            Sent::Unknown => Own::TEXT,
        }
    }
}

/// The parameters whose types are declared, with the server's words for those; of the places that are wanted.
fn declared(parameters: &[AskedParameter], is_wanted: impl Fn(usize) -> bool) -> Vec<(usize, String)> {
    let all = parameters.iter().enumerate().filter(|(at, _)| is_wanted(*at));
    all.filter_map(|(at, one)| Some((at, sent_as::words(one.declared.as_ref()?)?))).collect()
}

/// What is told of a parameter. One that is declared has the type that it is declared with, but where the server's type is
/// another kind of value.
fn parameter(asked: &AskedParameter, sent: Sent, own: &str) -> StatementParameter {
    // What the server has found is told from then on: where it would find another, what it reads has changed.
    let found = || Some(own.to_owned()).filter(|own| sent_as::own(Some(own)) != Own::UNKNOWN);
    let (arrow, sent_as) = match (&asked.declared, sent) {
        (_, Sent::Unknown) => (DataType::Null, None),
        (Some(ty), Sent::As(words)) => (ty.to_arrow(), Some(words)),
        (Some(ty), Sent::Found) if sent_as::takes(own, ty) || sent_as::tells(own, ty) => (ty.to_arrow(), found()),
        (_, Sent::Found | Sent::As(_)) => (parameter_type(own).to_arrow(), found()),
    };
    let column = Column { name: asked.name.clone(), arrow, nullable: true };
    StatementParameter { column, sent_as, is_list: asked.is_list, labels: Vec::new() }
}

/// The labels of an enum, or of the items of a list that are of one.
fn labels(ty: &Own) -> Vec<String> {
    match ty.kind() {
        Kind::Enum(labels) => labels.clone(),
        Kind::Array(item) => labels(item),
        _ => Vec::new(),
    }
}

/// The type here of a parameter of a type there.
fn parameter_type(own: &str) -> Type {
    match own {
        "numeric" => ANY_NUMBER,
        "numeric[]" => Type::List(Box::new(ANY_NUMBER)),
        own => column_type(own).unwrap_or(Type::Text),
    }
}

/// The number of the parameter that the server finds no type for, from 0.
fn untyped_parameter(error: &Error) -> Option<usize> {
    let told = error.as_db_error().filter(|told| told.code().code() == "42P18")?;
    let (_, number) = told.message().rsplit_once('$')?;
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// The name that begins at a character, counted from 1: its last part, without quotes.
fn word_at(text: &str, position: u32) -> Option<String> {
    let start: String = text.chars().skip(usize::try_from(position).ok()?.checked_sub(1)?).collect();
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut rest = start.as_str();
    loop {
        let (word, behind) = match rest.strip_prefix('"') {
            Some(inside) => inside.split_once('"')?,
            None => rest.split_at(rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len())),
        };
        match behind.strip_prefix('.') {
            Some(further) => rest = further,
            None => return (!word.is_empty()).then(|| word.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_a_server_points_at_is_the_last_part_of_a_name() {
        let text = "SELECT ä, o.\"Odd Nam\", public.low(x) FRM";
        for (part, word) in
            [("o.\"Odd", Some("Odd Nam")), ("public", Some("low")), ("FRM", Some("FRM")), ("ä", Some("ä")), (",", None)]
        {
            let position = text.split_once(part).unwrap().0.chars().count() + 1;
            assert_eq!(word_at(text, u32::try_from(position).unwrap()).as_deref(), word, "{part}");
        }
        assert_eq!(word_at(text, 400), None);
    }
}

//! From rows to a result: how many of them, where the next page begins, and what is said of the rest.

use super::admit::Admitted;
use super::bind::is_null;
use super::encode::{Rows, Written, table_schema};
use super::error::CallError;
use super::result::CallResult;
use super::runners::RunOutput;
use crate::project::{AutomaticParameter, ByteSize, TableFormat, TableToolKind};
use crate::tool::{Output, Parameter};
use crate::ty::coerce::Strictness;
use datafusion::common::ScalarValue;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Who asks for one row wants no others.
const ONE: u64 = 1;

/// What is said of data that cannot be read, without figures.
const UNREAD: &str = "values of the data that cannot be read are null, or their rows are left out";

/// The rows of a result, as many as fit into it.
struct Fitted {
    rows: Rows,
    written: Written,
    /// Whether some or a part of one did not fit.
    cut: bool,
    /// What is said of that.
    notes: Vec<String>,
}

impl Admitted {
    /// The result of what the runner gave.
    pub(super) fn present(&self, output: RunOutput) -> Result<CallResult, CallError> {
        let (contract, call) = (&self.tool.contract, &self.call);
        if let Some(passed) = output.passed {
            return Ok(CallResult::of_passed(passed));
        }
        let (columns, table_schema) = match (&contract.output, &output.columns) {
            (Output::Columns(columns), _) => (columns, Arc::clone(&self.prepared.table_schema)),
            (Output::Rows | Output::Passed { .. }, Some(columns)) => (columns, table_schema(columns)),
            (Output::Rows | Output::Passed { .. }, None) => {
                return Err(CallError::internal("nothing says which columns the rows have"));
            }
        };
        let rows = Rows::from_batches(columns, &output.batches);
        let mut rows = rows.map_err(|error| CallError::internal_of_engine(error.to_string()))?;
        let read = rows.len() as u64;
        let more = call.limit.is_some_and(|limit| read > limit);
        if let Some(limit) = call.limit {
            rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let most = contract.max_bytes.map_or(self.core.limits.max_bytes, ByteSize::bytes);
        let mut fitted = fitted(rows, call.format, most)?;
        let mut notes = call.notes.clone();
        notes.extend(self.notes_of_policies(read == 0 && call.skip == 0));
        notes.extend(self.notes_of_tables());
        notes.append(&mut fitted.notes);
        let Fitted { rows, mut written, cut, .. } = fitted;
        let total = if more { output.total } else { Some(call.skip + read) };
        let truncated = more || (rows.len() as u64) < read;
        let goes_on = truncated && output.has_pages;
        let next_cursor = goes_on.then(|| self.cursor(call.skip + rows.len() as u64)).flatten();
        if truncated {
            notes.extend(self.how_to_go_on(next_cursor.is_some(), cut));
        }
        let mut changed = output.changed;
        if let Some(changed) = &mut changed {
            changed.gives_rows = !columns.is_empty();
            if changed.is_repeated {
                notes.push("this is the answer of an earlier call with the same `idempotency_key`".to_owned());
            }
        }
        let own_limit = output.own_limit.filter(|rows| !truncated && *rows > ONE && call.skip + read == *rows);
        notes.extend(own_limit.map(|rows| format!("the query's own LIMIT {rows} was reached: more rows may match")));
        if read == 0 && call.skip == 0 && contract.changes.is_none() {
            notes.extend(self.what_narrows());
        }
        notes.append(&mut written.notes);
        let (table, format) = (written.text, call.format);
        Ok(CallResult {
            rows,
            table,
            table_schema,
            format,
            total,
            truncated,
            next_cursor,
            notes,
            changed: changed.map(Box::new),
            passed: None,
        })
    }

    /// What a caller does not see of the tables that were asked for. That values are masked is said where nothing was found: it
    /// may have been looked for among them.
    fn notes_of_policies(&self, is_empty: bool) -> Vec<String> {
        let asked = self.tool.table_set().and_then(|_| self.arguments.get("table")?.as_str());
        let is_asked = |table: &str| asked.is_none_or(|asked| asked == table);
        let parameters = self.tool.contract.parameters().iter();
        let of_policies = parameters.filter_map(|parameter| Some((parameter.policy()?.0, parameter)));
        let (mut closed, mut masked) = (BTreeSet::new(), Vec::new());
        for (table, parameter) in of_policies.filter(|(table, _)| is_asked(table)) {
            match (parameter.unmasked_column(), self.call.value(&parameter.name)) {
                (None, None) if parameter.required => _ = closed.insert(table),
                (Some(column), Some(ScalarValue::Boolean(Some(false)))) if is_empty => masked.push((table, column)),
                _ => {}
            }
        }
        masked.retain(|(table, _)| !closed.contains(table));
        let closed = closed.into_iter().map(|table| format!("of `{table}`, this caller sees no rows"));
        let masked = masked.into_iter().map(|(table, column)| {
            format!("of `{table}`, this caller sees `{column}` masked, and no value of it is found")
        });
        closed.chain(masked).collect()
    }

    /// What is said of the tables' data: without figures where the rows are those of the caller alone, for the figures count
    /// the rows of all.
    fn notes_of_tables(&self) -> Vec<String> {
        let notes: Vec<String> = self.core.opened(&self.prepared.tables).filter_map(|table| table.note()).collect();
        let is_personal = self.tool.contract.parameters().iter().any(|parameter| parameter.from.is_some());
        if is_personal && !notes.is_empty() { vec![UNREAD.to_owned()] } else { notes }
    }

    /// What an agent can do who did not get all rows.
    fn how_to_go_on(&self, has_cursor: bool, cut: bool) -> Option<String> {
        let contract = &self.tool.contract;
        let mut ways = Vec::new();
        if has_cursor {
            ways.push("call again with the same arguments and `cursor`".to_owned());
        }
        let most = contract.result_limit.rows();
        if !cut && contract.expose.contains(&AutomaticParameter::Limit) && self.call.limit < most {
            ways.extend(most.map(|most| format!("ask for more with `limit` (at most {most})")));
        }
        // What is left out of a tool without conditions narrows nothing.
        let narrows = |parameter: &Parameter| self.tool.has_statement() && !self.is_own_choice(parameter);
        let names = self.names_of(narrows);
        if self.tool.table_set().is_some_and(|set| set.does == TableToolKind::Analyze) {
            ways.push("page with `LIMIT` and `OFFSET` behind an `ORDER BY`".to_owned());
        }
        if !names.is_empty() {
            ways.push(format!("narrow with {}", names.join(", ")));
        }
        (!ways.is_empty()).then(|| format!("more rows exist: {}", ways.join(", or ")))
    }

    /// What an agent can do who got no rows at all: leave out what it need not have sent.
    fn what_narrows(&self) -> Option<String> {
        // How a tool made of tables looks is no reason that it finds nothing.
        let narrows = |parameter: &Parameter| self.tool.table_set().is_none() && self.is_own_choice(parameter);
        let names = self.names_of(narrows);
        (!names.is_empty()).then(|| format!("no rows match: leave out or widen {}", names.join(", ")))
    }

    /// The parameters of a kind that may be left out, as they are shown.
    fn names_of(&self, is_one: impl Fn(&Parameter) -> bool) -> Vec<String> {
        let may_lack = |parameter: &&Parameter| !parameter.required && parameter.choices.is_empty();
        let found = self.tool.contract.published().filter(may_lack).filter(|parameter| is_one(parameter));
        found.map(|parameter| format!("`{}`", parameter.name)).collect()
    }

    /// Whether the agent has sent a value that is not the one of a call without it. A default that was sent restricts no
    /// more than one that was not: equal calls are told the same.
    fn is_own_choice(&self, parameter: &Parameter) -> bool {
        let strictness = if self.tool.contract.strict { Strictness::Strict } else { Strictness::Lax };
        let sent = self.arguments.get(&parameter.name);
        let is_sent = sent.is_some_and(|sent| !is_null(parameter, sent, strictness));
        is_sent && self.default_of(parameter).as_ref() != self.call.value(&parameter.name)
    }

    /// The default of a parameter at the moment of the call.
    fn default_of(&self, parameter: &Parameter) -> Option<ScalarValue> {
        let defaults = &self.prepared.plans(&self.core).ok()?.defaults;
        defaults.value(parameter, self.call.now)?.ok()?
    }
}

/// As many rows as fit into so many bytes; of the first a part at least.
fn fitted(mut rows: Rows, format: TableFormat, most: usize) -> Result<Fitted, CallError> {
    let written = rows.write(format, most);
    let cut = written.rows < rows.len();
    let mut notes = Vec::new();
    if cut && written.rows == 0 {
        // The next page would begin with the same row.
        let (row, names) = rows.shortened(format, most).ok_or_else(too_large)?;
        notes.push(row_was_cut(&names, most));
        if rows.len() > 1 {
            notes.push(format!("the result was cut after 1 row at {}", shown_size(most)));
        }
        let written = row.write(format, usize::MAX);
        return Ok(Fitted { rows: row, written, cut, notes });
    }
    if cut {
        rows.truncate(written.rows);
        notes.push(format!("the result was cut after {} rows at {}", written.rows, shown_size(most)));
    }
    Ok(Fitted { rows, written, cut, notes })
}

fn too_large() -> CallError {
    CallError::internal("the first row is larger than a result may be, and cannot be cut")
}

/// So many bytes, as they are told.
fn shown_size(bytes: usize) -> String {
    match bytes.is_multiple_of(1 << 10) {
        true => format!("{} KiB", bytes >> 10),
        false => format!("{bytes} bytes"),
    }
}

/// What is said of a row that is larger than a result may be.
fn row_was_cut(columns: &[String], most: usize) -> String {
    let names: Vec<String> = columns.iter().map(|name| format!("`{name}`")).collect();
    let size = shown_size(most);
    match names.as_slice() {
        [] => format!("a row is larger than {size}"),
        names => {
            format!("a row is larger than {size}: its longest values are cut, in {}", names.join(", "))
        }
    }
}

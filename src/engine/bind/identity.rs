//! What tells two calls of a tool apart: the values that they are bound to, however these were sent.

use super::BoundCall;
use crate::tool::{Contract, Parameter};
use datafusion::arrow::row::{RowConverter, SortField};
use datafusion::common::ScalarValue;

impl BoundCall {
    /// The values of all parameters, those that come from the caller among them, as bytes. Equal bytes are equal values:
    /// `1` and `"1"` for a number, a default that was sent and one that was not. A default that is another one at every look
    /// counts as one value. `None` where a value has no such form.
    pub(in crate::engine) fn identity(&self, tool: &Contract) -> Option<Vec<u8>> {
        let mut parameters: Vec<&Parameter> = tool.parameters().iter().collect();
        parameters.sort_by(|one, other| one.name.cmp(&other.name));
        let mut all = Vec::new();
        for parameter in parameters {
            push(&mut all, parameter.name.as_bytes());
            if let Some(rows) = self.rows.get(&parameter.name) {
                push(&mut all, &(rows.len() as u64).to_be_bytes());
                for value in rows.iter().flat_map(|row| &row.values) {
                    match value.as_ref().filter(|value| !value.is_null()) {
                        Some(value) => push(&mut all, &bytes(value)?),
                        None => all.push(u8::MAX),
                    }
                }
                continue;
            }
            if self.unsettled.contains(&parameter.name) {
                all.push(u8::MAX - 1);
                continue;
            }
            match self.value(&parameter.name).filter(|value| !value.is_null()) {
                Some(value) => push(&mut all, &bytes(value)?),
                None => all.push(u8::MAX),
            }
        }
        Some(all)
    }
}

/// A value as bytes, with its type.
fn bytes(value: &ScalarValue) -> Option<Vec<u8>> {
    let ty = value.data_type();
    let mut all = format!("{ty:?}").into_bytes();
    let converter = RowConverter::new(vec![SortField::new(ty)]).ok()?;
    let rows = converter.convert_columns(&[value.to_array().ok()?]).ok()?;
    all.extend_from_slice(rows.row(0).as_ref());
    Some(all)
}

/// Adds bytes behind their number, so that nothing runs into what follows. The number begins with a zero, unlike the marks
/// of what has no value.
fn push(all: &mut Vec<u8>, bytes: &[u8]) {
    all.extend((bytes.len() as u64).to_be_bytes());
    all.extend_from_slice(bytes);
}

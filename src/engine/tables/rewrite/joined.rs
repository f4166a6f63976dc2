//! One type for each column of several workbooks, every one of which says one by itself.

use super::super::whole::Flaw;
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::reader::FileReader;
use bytes::Bytes;
use std::io::Cursor;
use std::sync::Arc;

/// The columns of a sheet that was rewritten, with their types; `None` of one without a value, which says nothing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    /// The file.
    pub(super) file: String,
    of: Vec<(String, Option<DataType>)>,
}

impl Columns {
    /// Reads them of an Arrow file.
    pub(super) fn of(file: String, text: Bytes) -> Result<Columns, ArrowError> {
        let reader = FileReader::try_new(Cursor::new(text), None)?;
        let schema = reader.schema();
        let mut filled = vec![false; schema.fields().len()];
        for batch in reader {
            let batch = batch?;
            for (is_filled, values) in filled.iter_mut().zip(batch.columns()) {
                *is_filled |= values.null_count() < values.len();
            }
        }
        let says = |is_filled: bool, ty: &DataType| is_filled || *ty != DataType::Utf8;
        let columns = schema.fields().iter().zip(filled);
        let of = columns.map(|(field, is_filled)| {
            let ty = field.data_type();
            (field.name().clone(), says(is_filled, ty).then(|| ty.clone()))
        });
        Ok(Columns { file, of: of.collect() })
    }

    fn get(&self, name: &str) -> Option<&Option<DataType>> {
        self.of.iter().find(|(own, _)| own == name).map(|(_, ty)| ty)
    }
}

/// What is wrong with a file beside others.
#[derive(Debug, PartialEq)]
pub(super) struct Unlike {
    /// The file.
    pub(super) file: String,
    /// What is wrong with it.
    pub(super) why: Flaw,
}

/// The columns that all files are to have; `None` where they have them already.
///
/// Errors: a file has other columns than the first, or values that do not go together with those of the files before.
pub(super) fn joined(files: &[Columns]) -> Result<Option<SchemaRef>, Unlike> {
    let Some((first, others)) = files.split_first() else { return Ok(None) };
    let mut joined = first.of.clone();
    for other in others {
        let unlike = |why: String| Unlike { file: other.file.clone(), why: why.into() };
        if let Some((name, _)) = other.of.iter().find(|(name, _)| first.get(name).is_none()) {
            return Err(unlike(format!("it has a column `{name}`, and `{}` has none", first.file)));
        }
        for (name, ty) in &mut joined {
            let Some(own) = other.get(name) else {
                return Err(unlike(format!("it has no column `{name}`, and `{}` has one", first.file)));
            };
            *ty = both(ty.as_ref(), own.as_ref()).map_err(|(before, own)| {
                let (before, own) = (type_words(before), type_words(own));
                unlike(format!(
                    "its column `{name}` is of type {own}, and in the files before of type {before}: declare its type"
                ))
            })?;
        }
    }
    let is_alike = |file: &Columns| joined.iter().all(|(name, ty)| file.get(name).is_some_and(|own| own == ty));
    if files.iter().all(is_alike) {
        return Ok(None);
    }
    let field = |(name, ty): &(String, Option<DataType>)| Field::new(name, ty.clone().unwrap_or(DataType::Utf8), true);
    Ok(Some(Arc::new(Schema::new(joined.iter().map(field).collect::<Vec<_>>()))))
}

/// The type that takes the values of both.
fn both<'a>(
    before: Option<&'a DataType>,
    own: Option<&'a DataType>,
) -> Result<Option<DataType>, (&'a DataType, &'a DataType)> {
    match (before, own) {
        (None, ty) | (ty, None) => Ok(ty.cloned()),
        (Some(before), Some(own)) => match (before, own) {
            (before, own) if before == own => Ok(Some(own.clone())),
            (DataType::Int64, wide @ DataType::Float64) | (wide @ DataType::Float64, DataType::Int64) => {
                Ok(Some(wide.clone()))
            }
            (DataType::Date32, time @ DataType::Timestamp(..)) | (time @ DataType::Timestamp(..), DataType::Date32) => {
                Ok(Some(time.clone()))
            }
            _ => Err((before, own)),
        },
    }
}

fn type_words(ty: &DataType) -> String {
    Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(file: &str, of: &[(&str, Option<DataType>)]) -> Columns {
        let of = of.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())).collect();
        Columns { file: file.to_owned(), of }
    }

    #[test]
    fn whole_numbers_go_together_with_others() {
        let (whole, wide) = (Some(DataType::Int64), Some(DataType::Float64));
        let first = columns("a", &[("n", whole.clone()), ("t", None)]);
        let second = columns("b", &[("t", Some(DataType::Utf8)), ("n", wide)]);
        let schema = joined(&[first.clone(), second]).unwrap().unwrap();
        let expected = [Field::new("n", DataType::Float64, true), Field::new("t", DataType::Utf8, true)];
        assert_eq!(*schema, Schema::new(expected.to_vec()));
        assert_eq!(joined(&[first.clone(), first]), Ok(None));
    }

    #[test]
    fn what_does_not_go_together_is_told() {
        let (whole, text) = (Some(DataType::Int64), Some(DataType::Utf8));
        let first = columns("a", &[("n", whole.clone())]);
        let why =
            |of: &[(&str, Option<DataType>)]| joined(&[first.clone(), columns("b", of)]).unwrap_err().why.to_string();
        let types = "its column `n` is of type text, and in the files before of type bigint: declare its type";
        assert_eq!(why(&[("n", text)]), types);
        assert_eq!(why(&[]), "it has no column `n`, and `a` has one");
        assert_eq!(why(&[("n", whole.clone()), ("m", whole)]), "it has a column `m`, and `a` has none");
    }
}

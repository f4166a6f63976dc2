//! Functions that look into texts of JSON, under DuckDB's names: `json_extract(document, path)`, for which `->` stands,
//! `json_extract_string`, for which `->>` stands, and a few beside them.
//!
//! What is found is handed out as it is written, so that no number loses a digit. A text that is no JSON is an error of
//! the call, as in DuckDB and PostgreSQL; `json_valid` tells it from others.

mod path;
mod text;

use crate::plan::stop;
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, StringArray};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use path::{Step, steps};
use std::sync::Arc;
use text::{is_json, item_count, json_flaw, looked_up, string_of};

pub(crate) use path::NO_PATH;

/// What is said of a text that is no JSON, in front of what is wrong in it.
pub(crate) const NO_JSON: &str = "a text that is read as JSON is none";

/// What is asked of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    /// What is there, as JSON.
    Extract,
    /// What is there, as a text.
    ExtractString,
    /// How many items a list has.
    Length,
    /// Whether anything is there.
    Exists,
    /// Whether it is JSON at all.
    Valid,
}

const QUESTIONS: [Question; 5] =
    [Question::Extract, Question::ExtractString, Question::Length, Question::Exists, Question::Valid];

/// The functions.
pub(super) fn document_functions() -> impl Iterator<Item = ScalarUDF> {
    QUESTIONS.into_iter().map(|question| {
        let signature = Signature::user_defined(Volatility::Immutable);
        ScalarUDF::from(Document { question, signature })
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Document {
    question: Question,
    signature: Signature,
}

impl Document {
    /// How few and how many arguments there may be.
    fn arity(&self) -> (usize, usize) {
        match self.question {
            Question::Extract | Question::ExtractString | Question::Exists => (2, 2),
            Question::Length => (1, 2),
            Question::Valid => (1, 1),
        }
    }
}

impl ScalarUDFImpl for Document {
    fn name(&self) -> &str {
        match self.question {
            Question::Extract => "json_extract",
            Question::ExtractString => "json_extract_string",
            Question::Length => "json_array_length",
            Question::Exists => "json_exists",
            Question::Valid => "json_valid",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, args: &[DataType]) -> Result<Vec<DataType>> {
        let (least, most) = self.arity();
        let name = self.name();
        if args.len() < least || args.len() > most {
            return plan_err!("{name} takes {least} to {most} arguments, not {}", args.len());
        }
        let coerced = args.iter().enumerate().map(|(at, ty)| match ty {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok(DataType::Utf8),
            ty if at == 1 && ty.is_integer() => Ok(DataType::Int64),
            DataType::Struct(_) | DataType::List(_) if at == 0 => {
                plan_err!("{name} looks into a text of JSON; into a record look with [], as in record['key']")
            }
            ty if at == 0 => plan_err!("{name} looks into a text of JSON, not {ty}"),
            ty => plan_err!("a key of {name} is a text or the number of an item, not {ty}"),
        });
        coerced.collect()
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.question {
            Question::Extract | Question::ExtractString => DataType::Utf8,
            Question::Length => DataType::Int64,
            Question::Exists | Question::Valid => DataType::Boolean,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_literal = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_literal { 1 } else { args.number_rows };
        let Some(document) = args.args.first() else { return exec_err!("{} takes a document", self.name()) };
        let documents = document.to_array(rows)?;
        let answers = self.answers(&documents, args.args.get(1))?;
        Ok(if is_literal {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&answers, 0)?)
        } else {
            ColumnarValue::Array(answers)
        })
    }
}

impl Document {
    fn answers(&self, documents: &ArrayRef, key: Option<&ColumnarValue>) -> Result<ArrayRef> {
        let keys = Keys::of(key, documents.len())?;
        let texts = documents.as_string::<i32>();
        let documents = || texts.iter().enumerate().map(|(row, document)| Ok((document, keys.at(row)?)));
        Ok(match self.question {
            Question::Extract => {
                let each = |(document, key)| Ok(Document::found(document, key)?.map(str::to_owned));
                Arc::new(documents().map(|one| one.and_then(each)).collect::<Result<StringArray>>()?)
            }
            Question::ExtractString => {
                let each = |(document, key)| match Document::found(document, key)? {
                    Some(found) => string_of(found),
                    None => Ok(None),
                };
                Arc::new(documents().map(|one| one.and_then(each)).collect::<Result<StringArray>>()?)
            }
            Question::Length => {
                let each = |(document, key)| Ok(Document::found(document, key)?.map(item_count));
                Arc::new(documents().map(|one| one.and_then(each)).collect::<Result<Int64Array>>()?)
            }
            Question::Exists => {
                let each = |(document, key): (Option<&str>, Option<Vec<Step>>)| match (document, key) {
                    (Some(document), Some(key)) => Ok(Some(Document::found(Some(document), Some(key))?.is_some())),
                    _ => Ok(None),
                };
                Arc::new(documents().map(|one| one.and_then(each)).collect::<Result<BooleanArray>>()?)
            }
            Question::Valid => Arc::new(texts.iter().map(|text| text.map(is_json)).collect::<BooleanArray>()),
        })
    }

    /// What is in a document at a place.
    fn found(document: Option<&str>, key: Option<Vec<Step>>) -> Result<Option<&str>> {
        let (Some(document), Some(key)) = (document, key) else { return Ok(None) };
        stop::check()?;
        if let Some(flaw) = json_flaw(document) {
            return exec_err!("{NO_JSON}: {flaw}");
        }
        looked_up(document, &key)
    }
}

/// Where the rows are looked up.
enum Keys {
    /// All at the same place; `None` for NULL.
    Same(Option<Vec<Step>>),
    /// Each at its own.
    Each(ArrayRef),
}

impl Keys {
    fn of(key: Option<&ColumnarValue>, rows: usize) -> Result<Keys> {
        Ok(match key {
            // The document itself.
            None => Keys::Same(Some(Vec::new())),
            Some(ColumnarValue::Scalar(key)) if rows > 0 => Keys::Same(steps_of(&key.to_array()?, 0)?),
            Some(ColumnarValue::Scalar(_)) => Keys::Same(None),
            Some(ColumnarValue::Array(keys)) => Keys::Each(Arc::clone(keys)),
        })
    }

    fn at(&self, row: usize) -> Result<Option<Vec<Step>>> {
        match self {
            Keys::Same(steps) => Ok(steps.clone()),
            Keys::Each(keys) => steps_of(keys, row),
        }
    }
}

fn steps_of(keys: &ArrayRef, row: usize) -> Result<Option<Vec<Step>>> {
    if keys.is_null(row) {
        return Ok(None);
    }
    match keys.data_type() {
        DataType::Int64 => Ok(Some(vec![Step::Item(keys.as_primitive::<Int64Type>().value(row))])),
        DataType::Utf8 => steps(keys.as_string::<i32>().value(row)).map(Some),
        other => exec_err!("{other} is no key of a document"),
    }
}

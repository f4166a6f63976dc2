//! Functions of texts and lists that DuckDB's users know and DataFusion does not have, with DuckDB's answers.

use crate::plan::stop;
use arrow::array::{
    Array, ArrayRef, AsArray, GenericStringBuilder, Int64Array, ListBuilder, StringArray, StringBuilder, new_null_array,
};
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use regex::Regex;
use std::collections::HashMap;
use std::sync::Arc;

/// The most patterns that are kept compiled at a time.
const COMPILED: usize = 16;

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Does {
    /// `string_split(text, separator)`: the parts of a text; its characters where the separator is empty.
    Split,
    /// `regexp_extract(text, pattern[, group])`: what the pattern finds first, an empty text where it finds nothing.
    Extract,
    /// `len(text or list)`: how many characters or items there are.
    Len,
}

/// The functions.
pub(super) fn familiar_functions() -> impl Iterator<Item = ScalarUDF> {
    [Does::Split, Does::Extract, Does::Len].into_iter().map(|does| {
        let signature = match does {
            Does::Split => Signature::string(2, Volatility::Immutable),
            Does::Extract | Does::Len => Signature::user_defined(Volatility::Immutable),
        };
        ScalarUDF::from(Familiar { does, signature })
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Familiar {
    does: Does,
    signature: Signature,
}

fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null)
}

impl ScalarUDFImpl for Familiar {
    fn name(&self) -> &str {
        match self.does {
            Does::Split => "string_split",
            Does::Extract => "regexp_extract",
            Does::Len => "len",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, args: &[DataType]) -> Result<Vec<DataType>> {
        let name = self.name();
        match (self.does, args) {
            (Does::Extract, [text, pattern]) if is_text(text) && is_text(pattern) => {
                Ok(vec![DataType::Utf8, DataType::Utf8])
            }
            (Does::Extract, [text, pattern, group])
                if is_text(text) && is_text(pattern) && (group.is_integer() || group.is_null()) =>
            {
                Ok(vec![DataType::Utf8, DataType::Utf8, DataType::Int64])
            }
            (Does::Extract, _) => plan_err!("{name} takes a text, a pattern and the number of a group"),
            (Does::Len, [text]) if is_text(text) => Ok(vec![DataType::Utf8]),
            (Does::Len, [list @ (DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..))]) => {
                Ok(vec![list.clone()])
            }
            (Does::Len, _) => plan_err!("{name} takes a text or a list"),
            (Does::Split, args) => Ok(args.to_vec()),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.does {
            Does::Split => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
            Does::Extract => DataType::Utf8,
            Does::Len => DataType::Int64,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_literal = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_literal { 1 } else { args.number_rows };
        let arrays = args.args.iter().map(|arg| arg.to_array(rows)).collect::<Result<Vec<ArrayRef>>>()?;
        let result = match (self.does, arrays.as_slice()) {
            (Does::Split, [texts, separators]) => split(&plain_texts(texts)?, &plain_texts(separators)?)?,
            (Does::Extract, [texts, patterns, groups @ ..]) => extracted(texts, patterns, groups.first())?,
            (Does::Len, [values]) => lengths(values)?,
            _ => return exec_err!("{} takes other arguments", self.name()),
        };
        Ok(if is_literal {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?)
        } else {
            ColumnarValue::Array(result)
        })
    }
}

/// Texts of any kind as those of one.
fn plain_texts(texts: &ArrayRef) -> Result<ArrayRef> {
    Ok(arrow::compute::cast(texts, &DataType::Utf8)?)
}

fn split(texts: &ArrayRef, separators: &ArrayRef) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(GenericStringBuilder::<i32>::new());
    for (text, separator) in texts.as_string::<i32>().iter().zip(separators.as_string::<i32>()) {
        stop::check()?;
        let (Some(text), Some(separator)) = (text, separator) else {
            lists.append_null();
            continue;
        };
        let parts: &mut StringBuilder = lists.values();
        if !separator.is_empty() {
            text.split(separator).for_each(|part| parts.append_value(part));
        } else if text.is_empty() {
            parts.append_value("");
        } else {
            let mut buffer = [0; 4];
            text.chars().for_each(|sign| parts.append_value(sign.encode_utf8(&mut buffer)));
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

fn extracted(texts: &ArrayRef, patterns: &ArrayRef, groups: Option<&ArrayRef>) -> Result<ArrayRef> {
    let groups = groups.map(|groups| groups.as_primitive::<Int64Type>());
    let mut compiled: HashMap<&str, Regex> = HashMap::new();
    let mut found: Vec<Option<&str>> = Vec::with_capacity(texts.len());
    for (row, (text, pattern)) in texts.as_string::<i32>().iter().zip(patterns.as_string::<i32>()).enumerate() {
        stop::check()?;
        let group = match groups {
            None => Some(0),
            Some(groups) => groups.is_valid(row).then(|| groups.value(row)),
        };
        let (Some(text), Some(pattern), Some(group)) = (text, pattern, group) else {
            found.push(None);
            continue;
        };
        let Ok(group) = usize::try_from(group) else {
            return exec_err!("the group of regexp_extract is counted from 0, not {group}");
        };
        if !compiled.contains_key(pattern) {
            // Where each row has a pattern of its own, all of them together would take any amount of memory.
            if compiled.len() >= COMPILED {
                compiled.clear();
            }
            match Regex::new(pattern) {
                Ok(regex) => compiled.insert(pattern, regex),
                Err(error) => return exec_err!("Regular expression did not compile: {error}"),
            };
        }
        let groups = compiled.get(pattern).and_then(|regex| regex.captures(text));
        found.push(Some(groups.and_then(|groups| groups.get(group)).map_or("", |group| group.as_str())));
    }
    Ok(Arc::new(StringArray::from(found)))
}

fn lengths(values: &ArrayRef) -> Result<ArrayRef> {
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let lengths: Int64Array = match values.data_type() {
        DataType::Utf8 => values.as_string::<i32>().iter().map(|text| Some(count(text?.chars().count()))).collect(),
        DataType::List(_) => values.as_list::<i32>().iter().map(|list| Some(count(list?.len()))).collect(),
        DataType::LargeList(_) => values.as_list::<i64>().iter().map(|list| Some(count(list?.len()))).collect(),
        DataType::FixedSizeList(..) => {
            values.as_fixed_size_list().iter().map(|list| Some(count(list?.len()))).collect()
        }
        DataType::Null => return Ok(new_null_array(&DataType::Int64, values.len())),
        other => return exec_err!("{other} has no length"),
    };
    Ok(Arc::new(lengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(values: &[Option<&str>]) -> ArrayRef {
        Arc::new(StringArray::from(values.to_vec()))
    }

    #[test]
    fn texts_are_split_as_in_duckdb() {
        for (text, separator, parts) in [
            ("a,b,", ",", vec!["a", "b", ""]),
            ("", ",", vec![""]),
            ("", "", vec![""]),
            ("äb", "", vec!["ä", "b"]),
            ("a--b", "--", vec!["a", "b"]),
        ] {
            let lists = split(&texts(&[Some(text)]), &texts(&[Some(separator)])).unwrap();
            let items = lists.as_list::<i32>().value(0);
            let items: Vec<&str> = items.as_string::<i32>().iter().flatten().collect();
            assert_eq!(items, parts, "{text}");
        }
        let lists = split(&texts(&[None, Some("a")]), &texts(&[Some(","), None])).unwrap();
        assert_eq!(lists.null_count(), 2);
    }

    #[test]
    fn what_a_pattern_does_not_find_is_empty() {
        let found = |text, pattern, group: Option<i64>| {
            let group: Option<ArrayRef> = group.map(|group| Arc::new(Int64Array::from(vec![group])) as ArrayRef);
            let found = extracted(&texts(&[text]), &texts(&[pattern]), group.as_ref())?;
            Ok::<_, datafusion::common::DataFusionError>(
                found.as_string::<i32>().iter().next().flatten().map(str::to_owned),
            )
        };
        assert_eq!(found(Some("abc"), Some("b."), None).unwrap().as_deref(), Some("bc"));
        assert_eq!(found(Some("abc"), Some("(a)(x)?"), Some(1)).unwrap().as_deref(), Some("a"));
        assert_eq!(found(Some("abc"), Some("(a)(x)?"), Some(2)).unwrap().as_deref(), Some(""));
        assert_eq!(found(Some("abc"), Some("x"), None).unwrap().as_deref(), Some(""));
        assert_eq!(found(Some("abc"), Some("b"), Some(5)).unwrap().as_deref(), Some(""));
        assert_eq!(found(None, Some("b"), None).unwrap(), None);
        assert_eq!(found(Some("b"), None, None).unwrap(), None);
        assert!(found(Some("b"), Some("("), None).is_err());
        assert!(found(Some("b"), Some("b"), Some(-1)).is_err());
    }
}

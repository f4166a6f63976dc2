//! What the values of a column are, beyond their type, and what to mind of them in a query.

use super::BEGINNING;
use super::seen::Seen;
use crate::name::EMAIL_FORM;
use crate::tool::DescribedColumn;
use crate::ty::Type;
use chrono::NaiveDate;
use regex::Regex;
use std::sync::LazyLock;

/// What values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Identifier,
    Category,
    Constant,
    Email,
    Url,
    Uuid,
    DateText,
    TimestampText,
    NumberText,
    /// With commas in it: between thousands, or as the point.
    GroupedNumber,
    BooleanText,
    JsonText,
    FreeText,
}

impl Meaning {
    /// The word that agents read.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Meaning::Identifier => "identifier",
            Meaning::Category => "category",
            Meaning::Constant => "constant",
            Meaning::Email => "email",
            Meaning::Url => "url",
            Meaning::Uuid => "uuid",
            Meaning::DateText => "date text",
            Meaning::TimestampText => "timestamp text",
            Meaning::NumberText | Meaning::GroupedNumber => "number text",
            Meaning::BooleanText => "boolean text",
            Meaning::JsonText => "json text",
            Meaning::FreeText => "free text",
        }
    }
}

/// Forms of texts, each with what it is: the first that all values have.
static FORMS: LazyLock<Vec<(Meaning, Regex)>> = LazyLock::new(|| {
    let forms = [
        (Meaning::Uuid, r"(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
        (Meaning::Email, EMAIL_FORM),
        (Meaning::Url, r"(?i)^(https?|ftp)://[^\s/]+"),
        (Meaning::DateText, r"^(\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4})$"),
        (Meaning::TimestampText, r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?$"),
        (Meaning::BooleanText, r"(?i)^(true|false|yes|no)$"),
        (Meaning::NumberText, r"^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"),
        (Meaning::GroupedNumber, r"^[+-]?(\d{1,3}(,\d{3})+(\.\d+)?|\d{1,3}(\.\d{3})*,\d+|\d+,\d+)$"),
        (Meaning::JsonText, r#"^\s*(\{\s*["}]|\[)"#),
    ];
    forms.into_iter().filter_map(|(meaning, form)| Some((meaning, Regex::new(form).ok()?))).collect()
});

/// So many different values are a list to choose from, where there are enough rows to tell.
const FEW: usize = 20;
/// So few rows tell nothing.
const ENOUGH: usize = 20;
/// Texts of so many characters are read, and not compared.
const LONG: i64 = 100;

/// What the values of a column are; `None` where nothing is known.
pub(super) fn meaning_of(column: &DescribedColumn, seen: &Seen) -> Option<Meaning> {
    let (filled, distinct) = (seen.filled(), seen.distinct());
    if filled == 0 || distinct == 0 {
        return None;
    }
    let form = if column.ty == Type::Text { form_of(seen) } else { None };
    if form.is_some() {
        return form;
    }
    let is_key = !matches!(column.ty, Type::Real | Type::Double | Type::Decimal(..)) && distinct == filled;
    let may_be_key = is_called_key(&column.name) || filled >= ENOUGH && !column.ty.is_temporal();
    let is_long = seen.longest().is_some_and(|longest| longest > LONG);
    let kinds = [
        (Meaning::Uuid, column.ty == Type::Uuid),
        (Meaning::JsonText, column.ty == Type::Json),
        (Meaning::Constant, distinct == 1 && filled >= ENOUGH),
        (Meaning::FreeText, is_long),
        (Meaning::Identifier, is_key && may_be_key),
        (Meaning::Category, distinct <= FEW && filled >= ENOUGH && filled >= 2 * distinct),
    ];
    kinds.into_iter().find(|(_, is_one)| *is_one).map(|(meaning, _)| meaning)
}

/// The form that all values have, and are what it says.
fn form_of(seen: &Seen) -> Option<Meaning> {
    let has_all = |meaning: Meaning, form: &Regex| {
        seen.texts().map(str::trim).all(|text| form.is_match(text) && may_be(meaning, text))
    };
    FORMS.iter().find(|(meaning, form)| has_all(*meaning, form)).map(|(meaning, _)| *meaning)
}

/// Whether a text that looks so is so, as far as its beginning tells: a query that goes by it fails otherwise.
fn may_be(meaning: Meaning, text: &str) -> bool {
    match meaning {
        Meaning::DateText | Meaning::TimestampText => {
            text.get(..10).filter(|day| day.as_bytes().get(4) == Some(&b'-')).is_none_or(is_iso_day)
        }
        Meaning::JsonText => {
            i64::try_from(text.chars().count()).is_ok_and(|long| long >= BEGINNING)
                || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
        }
        _ => true,
    }
}

/// Whether a text is a day as SQL casts it.
fn is_iso_day(text: &str) -> bool {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

fn is_called_key(name: &str) -> bool {
    let name = name.to_lowercase();
    name == "id" || name.ends_with("_id") || name.ends_with("_key") || name.ends_with("_code")
}

/// What to mind of a column in a query.
pub(super) fn hints_of(column: &DescribedColumn, seen: &Seen, meaning: Option<Meaning>) -> Vec<String> {
    let mut hints = Vec::new();
    if seen.rows() > 0 && seen.filled() == 0 {
        return vec!["no row that was looked at has a value".to_owned()];
    }
    if seen.rows() > 0 && seen.filled() * 2 < seen.rows() {
        hints.push("most rows have no value".to_owned());
    }
    hints.extend(meaning.and_then(|meaning| hint_of(column, seen, meaning)));
    if seen.texts().any(|text| text.is_empty()) {
        hints.push("some texts are empty, which is not null".to_owned());
    }
    let is_padded = column.ty == Type::Text && seen.texts().any(|text| text.trim().len() != text.len());
    if is_padded {
        hints.push("some texts begin or end with blanks: compare with trim".to_owned());
    }
    if column.ty == Type::Text && has_cases(seen) {
        hints.push("some texts differ by letter case alone: compare with lower".to_owned());
    }
    hints
}

fn hint_of(column: &DescribedColumn, seen: &Seen, meaning: Meaning) -> Option<String> {
    let hint = match meaning {
        Meaning::Identifier => "the values tell rows apart: join and look up by it",
        Meaning::Category => "few values: filter and group by it",
        Meaning::Constant => "all rows have the same value",
        Meaning::DateText if seen.texts().all(|text| is_iso_day(text.trim())) => {
            "dates that are texts: cast them before they are compared or sorted"
        }
        Meaning::DateText => "dates that are texts: read them with strptime before they are compared or sorted",
        Meaning::TimestampText => "times that are texts: cast them before they are compared or sorted",
        Meaning::NumberText => "numbers that are texts: cast them before they are compared, sorted or summed up",
        Meaning::GroupedNumber => {
            "numbers with commas: replace these before they are cast, compared, sorted or summed up"
        }
        Meaning::BooleanText => "truth values that are texts",
        Meaning::JsonText => "JSON: take values out of it with json_extract_string",
        Meaning::FreeText => "long texts: leave the column out where it is not needed",
        Meaning::Uuid if column.ty == Type::Text => "UUIDs that are texts: letter case counts",
        Meaning::Email | Meaning::Url | Meaning::Uuid => return None,
    };
    Some(hint.to_owned())
}

/// Whether two values are the same but for letter case.
fn has_cases(seen: &Seen) -> bool {
    let mut small = std::collections::HashSet::new();
    !seen.texts().all(|text| small.insert(text.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, Int64Array, StringArray};
    use std::sync::Arc;

    fn meaning(values: &[&str]) -> Option<&'static str> {
        let array: ArrayRef = Arc::new(StringArray::from(values.to_vec()));
        let lengths: Vec<i64> = values.iter().map(|value| value.chars().count() as i64).collect();
        let lengths: ArrayRef = Arc::new(Int64Array::from(lengths));
        let mut seen = Seen::default();
        seen.take_values(&array, Some(&lengths)).unwrap();
        let column = DescribedColumn { name: "c".to_owned(), ty: Type::Text, nullable: true, description: None };
        meaning_of(&column, &seen).map(Meaning::as_str)
    }

    #[test]
    fn texts_are_told_by_a_form_that_all_have() {
        let cases: [(&[&str], Option<&str>); 16] = [
            (&["a@b.org", "c.d@e.co.uk"], Some("email")),
            (&["https://a.org/x", "http://b.org"], Some("url")),
            (&["2024-03-31", "31.03.2024"], Some("date text")),
            (&["2024-03-31 12:00", "2024-03-31T12:00:00Z"], Some("timestamp text")),
            (&["1", "-2.5", "1e3"], Some("number text")),
            (&["yes", "no"], Some("boolean text")),
            (&[r#"{"a": 1}"#, "[1, 2]"], Some("json text")),
            (&["6f2c1f0e-3b1d-4c3e-9a54-0d1f6b1a2c3d"], Some("uuid")),
            (&["1,234.50", "12,000"], Some("number text")),
            (&["1.234,50", "0,5"], Some("number text")),
            (&["10.0.0.1", "10.0.0.2"], None),
            (&["1.2.3", "2.0.0"], None),
            (&["[1,3)", "[2,5)"], None),
            (&["2024-03-31", "0000-00-00"], None),
            (&["a@b.org", "nobody"], None),
            (&[], None),
        ];
        for (values, expected) in cases {
            assert_eq!(meaning(values), expected, "{values:?}");
        }
    }

    #[test]
    fn few_values_of_many_rows_are_a_category() {
        assert_eq!(meaning(&["a", "b"].repeat(20)), Some("category"));
        assert_eq!(meaning(&["a"].repeat(20)), Some("constant"));
        let many: Vec<String> = (0..30).map(|number| format!("n{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(meaning(&many), Some("identifier"));
        let long = "x ".repeat(100);
        assert_eq!(meaning(&[&long, "y"]), Some("free text"));
    }
}

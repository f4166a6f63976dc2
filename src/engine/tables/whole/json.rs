//! Looks JSON through for values that the engine's reader would change, or refuse without saying where: it cuts a number
//! to the integer that its column holds, shifts a time with an offset to UTC, and keeps the last of two values of a name.

use super::exact::{self, no_value};
use super::flaw::{Flaw, MARK, MARKED};
use super::forms::{self, Form, Misfit};
use super::list::List;
use super::names::Names;
use arrow::datatypes::{DataType, FieldRef, Fields};
use std::borrow::Cow;
use std::mem;

/// The longest row that is none, as it is quoted, and the longest name.
const LONGEST: usize = 256;
const LONGEST_NAME: usize = 1 << 16;

/// How far a text of JSON is read. Whether it is one at all is for the reader to say.
pub(super) struct Json {
    columns: Fields,
    /// For a file that holds one list: whether it is whole.
    list: Option<List>,
    open: Vec<Frame>,
    token: Token,
    text: Vec<u8>,
    /// How many bytes are kept of what is being read.
    most: usize,
    line: u64,
    /// How many objects of the outermost level have begun.
    row: u64,
}

/// A bracket that is open.
enum Frame {
    /// The list of all rows.
    Rows,
    Object {
        fields: Fields,
        /// The field whose value comes next.
        field: Option<FieldRef>,
        /// The place of the field to look at first for the next name.
        next: usize,
        /// Whether a name comes next.
        in_name: bool,
        /// The fields that were there.
        names: Names,
    },
    List {
        item: Option<FieldRef>,
    },
}

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Between,
    /// Without quotes: a number, `true`, `false`, `null`.
    Bare,
    Text {
        escaped: bool,
    },
}

impl Json {
    /// A text whose columns are read as those.
    pub(super) fn new(columns: Fields, is_list: bool) -> Json {
        Json {
            columns,
            list: is_list.then(List::default),
            open: Vec::new(),
            token: Token::Between,
            text: Vec::new(),
            most: 0,
            line: 1,
            row: 0,
        }
    }

    /// Reads the next bytes.
    ///
    /// Errors: a value that would be changed, or is none of its column's type; a name that stands twice; of a list, more
    /// behind its end.
    pub(super) fn go_on(&mut self, part: &[u8]) -> Result<(), Flaw> {
        let begins = self.row == 0 && self.open.is_empty() && self.token == Token::Between;
        if begins && part.first() == Some(&MARK) {
            return Err(MARKED.into());
        }
        if let Some(list) = &mut self.list {
            list.go_on(part)?;
        }
        for byte in part {
            self.byte(*byte)?;
        }
        Ok(())
    }

    /// Checks the end of the file.
    ///
    /// Errors: its last value, as above; a list lacks its end.
    pub(super) fn end(&mut self) -> Result<(), Flaw> {
        if self.token == Token::Bare {
            self.bare()?;
        }
        self.list.as_ref().map_or(Ok(()), List::end)
    }

    fn byte(&mut self, byte: u8) -> Result<(), Flaw> {
        match self.token {
            Token::Text { escaped } => return self.in_text(byte, escaped),
            Token::Bare => {
                if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') {
                    self.keep(byte);
                    return Ok(());
                }
                self.bare()?;
            }
            Token::Between => {}
        }
        match byte {
            b'"' => self.begin(Token::Text { escaped: false }),
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                self.begin(Token::Bare);
                self.keep(byte);
            }
            b'{' => self.open_object()?,
            b'[' => self.open_list()?,
            b'}' | b']' => {
                self.open.pop();
            }
            b',' => self.set_in_name(true),
            b':' => self.set_in_name(false),
            b'\n' => self.line += 1,
            _ => {}
        }
        Ok(())
    }

    /// Begins a text or a number.
    fn begin(&mut self, token: Token) {
        self.token = token;
        self.most = match (token, self.field()) {
            (Token::Text { .. }, _) if self.is_name() => LONGEST_NAME,
            // Texts are read as they are.
            (Token::Text { .. }, Some(field)) if forms::takes_any_text(field) => 0,
            (_, Some(field)) => forms::longest(field),
            (_, None) if self.is_row() => LONGEST,
            (_, None) => 0,
        };
    }

    /// Keeps a byte of what is being read.
    fn keep(&mut self, byte: u8) {
        if self.text.len() < self.most {
            self.text.push(byte);
        }
    }

    fn in_text(&mut self, byte: u8, escaped: bool) -> Result<(), Flaw> {
        if byte == b'"' && !escaped {
            self.token = Token::Between;
            return if self.is_name() { self.name() } else { self.value(Form::Text) };
        }
        self.token = Token::Text { escaped: byte == b'\\' && !escaped };
        self.keep(byte);
        Ok(())
    }

    fn open_object(&mut self) -> Result<(), Flaw> {
        let fields = match self.open.last() {
            None | Some(Frame::Rows) => {
                self.row += 1;
                self.columns.clone()
            }
            Some(_) => match self.field().map(|field| field.data_type()) {
                Some(DataType::Struct(fields)) => fields.clone(),
                Some(ty) => return Err(self.wrong("an object", &no_value(ty))),
                None => Fields::empty(),
            },
        };
        self.open.push(Frame::Object { fields, field: None, next: 0, in_name: true, names: Names::default() });
        Ok(())
    }

    fn open_list(&mut self) -> Result<(), Flaw> {
        let frame = match self.open.last() {
            None if self.list.is_some() => Frame::Rows,
            None | Some(Frame::Rows) => return Err(self.no_row("a list")),
            Some(_) => match self.field().map(|field| field.data_type()) {
                Some(DataType::List(item)) => Frame::List { item: Some(item.clone()) },
                Some(ty) => return Err(self.wrong("a list", &no_value(ty))),
                None => Frame::List { item: None },
            },
        };
        self.open.push(frame);
        Ok(())
    }

    /// The field that the next value is of, if it is known.
    fn field(&self) -> Option<&FieldRef> {
        match self.open.last()? {
            Frame::Rows => None,
            Frame::Object { field, .. } => field.as_ref(),
            Frame::List { item } => item.as_ref(),
        }
    }

    /// Whether a row comes next.
    fn is_row(&self) -> bool {
        matches!(self.open.last(), None | Some(Frame::Rows))
    }

    fn is_name(&self) -> bool {
        matches!(self.open.last(), Some(Frame::Object { in_name: true, .. }))
    }

    fn set_in_name(&mut self, now: bool) {
        if let Some(Frame::Object { in_name, .. }) = self.open.last_mut() {
            *in_name = now;
        }
    }

    /// Takes the name that was read.
    fn name(&mut self) -> Result<(), Flaw> {
        let text = mem::take(&mut self.text);
        let name = unescaped(&text);
        let mut is_new = true;
        if let Some(Frame::Object { fields, field, next, names, .. }) = self.open.last_mut() {
            // Rows mostly have their fields in the same order.
            let is_next = fields.get(*next).is_some_and(|field| *field.name() == *name);
            let at = if is_next { Some(*next) } else { fields.iter().position(|field| *field.name() == *name) };
            *field = at.and_then(|at| fields.get(at)).cloned();
            *next = at.map_or(*next, |at| at + 1);
            is_new = at.is_none_or(|at| names.add(at));
        }
        let checked = if is_new { Ok(()) } else { Err(repeated(&name, &self.place())) };
        self.free(text);
        checked
    }

    /// Checks what was read without quotes. What is no value at all is left to the reader.
    fn bare(&mut self) -> Result<(), Flaw> {
        self.token = Token::Between;
        let written = match self.text.as_slice() {
            [b'-' | b'0'..=b'9', ..] => return self.value(Form::Number),
            b"true" => "true",
            b"false" => "false",
            _ => "",
        };
        self.text.clear();
        match self.field() {
            _ if written.is_empty() => Ok(()),
            None if self.is_row() => Err(self.no_row(&exact::quoted(written))),
            None => Ok(()),
            Some(field) if *field.data_type() == DataType::Boolean || forms::takes_booleans(field) => Ok(()),
            Some(field) => Err(self.wrong(&exact::quoted(written), &no_value(field.data_type()))),
        }
    }

    /// Checks the text or the number that was read.
    fn value(&mut self, form: Form) -> Result<(), Flaw> {
        let text = mem::take(&mut self.text);
        let checked = match self.field() {
            Some(field) if form == Form::Text && forms::takes_any_text(field) => Ok(()),
            Some(field) => {
                let value = if form == Form::Text { unescaped(&text) } else { String::from_utf8_lossy(&text) };
                let checked = match field.data_type() {
                    DataType::Boolean => Err(no_value(&DataType::Boolean)),
                    _ => exact::check(&value, form, field),
                };
                checked.map_err(|why| self.wrong(&exact::quoted(&value), &why))
            }
            None if self.is_row() => Err(self.no_row(&exact::quoted(&String::from_utf8_lossy(&text)))),
            None => Ok(()),
        };
        self.free(text);
        checked
    }

    /// Gives the memory of what was read back to what comes next.
    fn free(&mut self, mut text: Vec<u8>) {
        text.clear();
        self.text = text;
    }

    /// What is wrong with a value of the column that is being read.
    fn wrong(&self, value: &str, why: &Misfit) -> Flaw {
        format!("column `{}` holds {value} in {}, {why}", self.column(), self.place()).into()
    }

    fn no_row(&self, value: &str) -> Flaw {
        let place = match self.list {
            Some(_) => format!("row {}", self.row + 1),
            None => self.place(),
        };
        no_object(&place, value)
    }

    fn place(&self) -> String {
        match self.list {
            Some(_) => format!("row {}", self.row),
            None => format!("line {}", self.line),
        }
    }

    /// The column that is being read.
    fn column(&self) -> &str {
        let field = self.open.iter().find_map(|frame| match frame {
            Frame::Object { field, .. } => Some(field.as_ref()),
            _ => None,
        });
        field.flatten().map_or("", |field| field.name())
    }
}

/// A text as it reads without its escapes.
fn unescaped(text: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(text);
    if !text.contains('\\') {
        return text;
    }
    serde_json::from_str(&format!("\"{text}\"")).map_or(text, Cow::Owned)
}

/// What is said of a name that an object has twice.
pub(in crate::engine::tables) fn repeated(name: &str, place: &str) -> Flaw {
    let name = exact::quoted(name);
    format!("{name} is there more than once in {place}; write it once, with the value that counts").into()
}

/// What is said of a row that is none.
pub(in crate::engine::tables) fn no_object(place: &str, value: &str) -> Flaw {
    format!("{place} holds {value}, and not an object, such as {{\"id\": 1}}").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::Type;
    use arrow::datatypes::Field;

    fn columns() -> Fields {
        let inner = Fields::from(vec![Field::new("day", DataType::Date32, true)]);
        Fields::from(vec![
            Field::new("id", DataType::Int64, true),
            Field::new("note", DataType::Utf8, true),
            Field::new("is", DataType::Boolean, true),
            Field::new("cost", DataType::Decimal128(10, 2), true),
            Field::new("one", DataType::Struct(inner), true),
            Field::new("many", DataType::List(Field::new_list_field(DataType::Int32, true).into()), true),
        ])
    }

    fn looked_through(text: &str, is_list: bool) -> Result<(), String> {
        let looked = |size: usize| {
            let mut json = Json::new(columns(), is_list);
            text.as_bytes().chunks(size).try_for_each(|part| json.go_on(part)).and_then(|()| json.end())
        };
        assert_eq!(looked(1), looked(1000));
        looked(7).map_err(|flaw| flaw.to_string())
    }

    #[test]
    fn values_that_are_kept_pass() {
        let lines = "{\"id\": 1, \"note\": \"a \\\"1.9\\\" {\", \"cost\": \"1.50\", \"one\": {\"day\": \"2024-01-01\"}, \
             \"many\": [1, 2.0, null], \"other\": {\"id\": 1.9, \"x\": [1.5, {\"cost\": 1.555}]}}\n\
             {\"cost\": 1.5, \"is\": true, \"id\": null, \"one\": null, \"note\": \"id\"}\n\n{\"id\":7}";
        assert_eq!(looked_through(lines, false), Ok(()));
        assert_eq!(looked_through("[ {\"id\": 1}, {}, {\"id\": 2}] ", true), Ok(()));
    }

    #[test]
    fn a_value_that_would_be_changed_is_told_with_its_place() {
        let told = |text: &str, is_list: bool| looked_through(text, is_list).unwrap_err();
        let why = told("{\"id\": 1}\n{\"note\": \"x\", \"i\\u0064\": 1.9}\n", false);
        assert_eq!(why, "column `id` holds `1.9` in line 2, which is not a value of type bigint");
        let why = told("[{\"id\": 1},\n{\"one\": {\"day\": \"2024-01-01T00:00:00Z\"}}]", true);
        assert!(why.starts_with("column `one` holds `2024-01-01T00:00:00Z` in row 2, which has an offset"), "{why}");
        let why = told("{\"many\": [1, 2.5]}", false);
        assert_eq!(why, "column `many` holds `2.5` in line 1, which is not a value of type int");
        let why = told("{\"cost\": 1.005}", false);
        assert!(why.ends_with("which has more digits than type decimal(10,2) has places for"), "{why}");
        assert_eq!(told("[{\"id\": 1}", true), "the file is cut off: it lacks its end");
    }

    #[test]
    fn a_value_of_another_kind_is_told_with_its_place() {
        let told = |text: &str, is_list: bool| looked_through(text, is_list).unwrap_err();
        let no_value = "which is not a value of type";
        let why = told("{\"id\": 1}\n{\"id\": \"x\"}", false);
        assert_eq!(why, format!("column `id` holds `x` in line 2, {no_value} bigint"));
        assert_eq!(told("{\"id\": true}", false), format!("column `id` holds `true` in line 1, {no_value} bigint"));
        assert_eq!(
            told("{\"is\": \"true\"}", false),
            format!("column `is` holds `true` in line 1, {no_value} boolean")
        );
        assert_eq!(told("{\"note\": 7}", false), format!("column `note` holds `7` in line 1, {no_value} text"));
        assert_eq!(told("[{\"id\": {}}]", true), format!("column `id` holds an object in row 1, {no_value} bigint"));
        assert_eq!(told("{\"note\": [1]}", false), format!("column `note` holds a list in line 1, {no_value} text"));
        assert_eq!(told("{\"many\": 5}", false), format!("column `many` holds `5` in line 1, {no_value} int[]"));
        assert_eq!(told("{}\n7", false), "line 2 holds `7`, and not an object, such as {\"id\": 1}");
        assert_eq!(told("[{}, \"x\"]", true), "row 2 holds `x`, and not an object, such as {\"id\": 1}");
    }

    #[test]
    fn a_declared_text_takes_whatever_is_one_value() {
        let looked = |text: &str, ty: &Type| {
            let field = forms::declared_as(&Field::new("a", DataType::Utf8, true), ty);
            let mut json = Json::new(Fields::from(vec![field]), false);
            json.go_on(text.as_bytes()).and_then(|()| json.end()).map_err(|flaw| flaw.to_string())
        };
        assert_eq!(looked("{\"a\": 1.10}{\"a\": \"x\"}{\"a\": true}{\"a\": null}", &Type::Text), Ok(()));
        assert!(looked("{\"a\": {}}", &Type::Text).is_err() && looked("{\"a\": 1-2}", &Type::Text).is_err());
        let why = looked("{\"a\": \"xyz\"}", &Type::Uuid).unwrap_err();
        assert_eq!(why, "column `a` holds `xyz` in line 1, which is not a value of type uuid");
        assert!(looked("{\"a\": true}", &Type::Uuid).is_err());
        let long = format!("{{\"a\": \"[{}1]\"}}", "1, ".repeat(1000));
        assert_eq!(looked(&long, &Type::Json), Ok(()));
    }

    #[test]
    fn a_number_is_no_time() {
        let mut json = Json::new(Fields::from(vec![Field::new("a", DataType::Date32, true)]), false);
        let why = json.go_on(b"{\"a\": 19000}").unwrap_err().to_string();
        assert!(why.starts_with("column `a` holds `19000` in line 1, which is a number"), "{why}");
    }

    #[test]
    fn a_name_that_stands_twice_is_told_with_its_place() {
        let told = |text: &str| looked_through(text, false).unwrap_err();
        let once = "write it once, with the value that counts";
        let why = told("{\"id\": 1}\n{\"id\": 2, \"note\": \"\", \"i\\u0064\": 2}");
        assert_eq!(why, format!("`id` is there more than once in line 2; {once}"));
        let why = told("{\"one\": {\"day\": null, \"day\": null}}");
        assert_eq!(why, format!("`day` is there more than once in line 1; {once}"));
    }
}

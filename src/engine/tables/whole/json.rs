//! Looks JSON through for values that the engine's reader would change: it cuts a number to the integer that its column
//! holds, and shifts a time with an offset to UTC.

use super::exact::{self, Form};
use super::list::List;
use arrow::datatypes::{DataType, FieldRef, Fields};

/// The longest value that is checked, and the longest name: no number, time or column is longer.
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
    },
    List {
        item: Option<FieldRef>,
    },
}

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Between,
    Number,
    Text { escaped: bool },
}

/// Whether there may be values of the columns, or inside of them, that the reader would change.
pub(super) fn may_change(fields: &Fields) -> bool {
    fields.iter().any(|field| match field.data_type() {
        DataType::Struct(inner) => may_change(inner),
        DataType::List(item) => may_change(&Fields::from(vec![item.clone()])),
        ty => exact::may_change(ty, Form::Number) || exact::may_change(ty, Form::Text),
    })
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
            line: 1,
            row: 0,
        }
    }

    /// Reads the next bytes.
    ///
    /// Errors: a value that would be changed; of a list, more behind its end.
    pub(super) fn go_on(&mut self, part: &[u8]) -> Result<(), String> {
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
    /// Errors: a list lacks its end.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.list.as_ref().map_or(Ok(()), List::end)
    }

    fn byte(&mut self, byte: u8) -> Result<(), String> {
        match self.token {
            Token::Text { escaped } => return self.in_text(byte, escaped),
            Token::Number => {
                if byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E') {
                    self.keep(byte);
                    return Ok(());
                }
                self.token = Token::Between;
                self.value(Form::Number)?;
            }
            Token::Between => {}
        }
        match byte {
            b'"' => self.token = Token::Text { escaped: false },
            b'-' | b'0'..=b'9' => {
                self.token = Token::Number;
                self.keep(byte);
            }
            b'{' => self.open_object(),
            b'[' => self.open_list(),
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

    fn in_text(&mut self, byte: u8, escaped: bool) -> Result<(), String> {
        if byte == b'"' && !escaped {
            self.token = Token::Between;
            if !self.is_name() {
                return self.value(Form::Text);
            }
            self.name();
            return Ok(());
        }
        self.token = Token::Text { escaped: byte == b'\\' && !escaped };
        self.keep(byte);
        Ok(())
    }

    fn open_object(&mut self) {
        let fields = match self.open.last() {
            None | Some(Frame::Rows) => {
                self.row += 1;
                self.columns.clone()
            }
            Some(_) => match self.field().map(|field| field.data_type()) {
                Some(DataType::Struct(fields)) => fields.clone(),
                _ => Fields::empty(),
            },
        };
        self.open.push(Frame::Object { fields, field: None, next: 0, in_name: true });
    }

    fn open_list(&mut self) {
        let frame = match self.open.last() {
            None => Frame::Rows,
            Some(_) => match self.field().map(|field| field.data_type()) {
                Some(DataType::List(item)) => Frame::List { item: Some(item.clone()) },
                _ => Frame::List { item: None },
            },
        };
        self.open.push(frame);
    }

    /// The field that the next value is of, if it is known.
    fn field(&self) -> Option<&FieldRef> {
        match self.open.last()? {
            Frame::Rows => None,
            Frame::Object { field, .. } => field.as_ref(),
            Frame::List { item } => item.as_ref(),
        }
    }

    fn is_name(&self) -> bool {
        matches!(self.open.last(), Some(Frame::Object { in_name: true, .. }))
    }

    fn set_in_name(&mut self, now: bool) {
        if let Some(Frame::Object { in_name, .. }) = self.open.last_mut() {
            *in_name = now;
        }
    }

    /// Keeps a byte of a name, or of a value that is checked.
    fn keep(&mut self, byte: u8) {
        let most = match &self.token {
            Token::Text { .. } if self.is_name() => LONGEST_NAME,
            _ if self.field().is_some_and(|field| is_checked(field.data_type())) => LONGEST,
            _ => 0,
        };
        if self.text.len() < most {
            self.text.push(byte);
        }
    }

    /// The text that was read, and the place is free for the next.
    fn take(&mut self, form: Form) -> String {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        self.text.clear();
        if form == Form::Number || !text.contains('\\') {
            return text;
        }
        serde_json::from_str(&format!("\"{text}\"")).unwrap_or(text)
    }

    fn name(&mut self) {
        let name = self.take(Form::Text);
        let Some(Frame::Object { fields, field, next, .. }) = self.open.last_mut() else { return };
        // Rows mostly have their fields in the same order.
        let is_next = fields.get(*next).is_some_and(|field| *field.name() == name);
        let at = if is_next { Some(*next) } else { fields.iter().position(|field| *field.name() == name) };
        *field = at.and_then(|at| fields.get(at)).cloned();
        *next = at.map_or(*next, |at| at + 1);
    }

    /// Checks the value that was read.
    fn value(&mut self, form: Form) -> Result<(), String> {
        let Some(ty) = self.field().map(|field| field.data_type().clone()).filter(is_checked) else {
            self.text.clear();
            return Ok(());
        };
        let text = self.take(form);
        if !exact::may_change(&ty, form) {
            return Ok(());
        }
        exact::check(&text, form, &ty).map_err(|why| {
            let (column, value) = (self.column(), exact::quoted(&text));
            let place = match self.list {
                Some(_) => format!("row {}", self.row),
                None => format!("line {}", self.line),
            };
            format!("column `{column}` holds {value} in {place}, {why}")
        })
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

fn is_checked(ty: &DataType) -> bool {
    exact::may_change(ty, Form::Number) || exact::may_change(ty, Form::Text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Field;

    fn columns() -> Fields {
        let inner = Fields::from(vec![Field::new("day", DataType::Date32, true)]);
        Fields::from(vec![
            Field::new("id", DataType::Int64, true),
            Field::new("note", DataType::Utf8, true),
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
        looked(7)
    }

    #[test]
    fn values_that_are_kept_pass() {
        let lines = "{\"id\": 1, \"note\": \"a \\\"1.9\\\" {\", \"cost\": \"1.50\", \"one\": {\"day\": \"2024-01-01\"}, \
             \"many\": [1, 2.0, null], \"other\": {\"id\": 1.9, \"x\": [1.5, {\"cost\": 1.555}]}}\n\
             {\"cost\": 1.5, \"id\": null, \"one\": null, \"note\": \"id\"}\n\n{\"id\":7}";
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
}

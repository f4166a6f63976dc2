//! The arguments of a program: texts of the manifest, with the values of a call in the place of placeholders. A value is
//! one argument or a part of one, whatever is in it, and never an option.

use super::super::Order;
use super::super::values::{as_told, has_value, json_of, object_of, text_of, text_of_json};
use crate::engine::code::CallCode;
use crate::engine::error::{CallError, Detail};
use crate::project::argument::{Piece, lone_name, pieces};
use crate::project::{ProgramConfig, RunArgument, StdinForm};
use crate::tool::Parameter;
use crate::ty::Type;
use datafusion::common::ScalarValue;
use serde_json::Value;
use std::ffi::OsString;

/// The longest argument that Linux hands to a program, in bytes: `MAX_ARG_STRLEN` without the zero behind it.
const LONGEST: usize = (128 << 10) - 1;
/// What stands before the arguments that are no options.
const END_OF_OPTIONS: &str = "--";

/// The program and its arguments.
///
/// Errors: a value would be an option, or cannot be an argument.
pub(super) fn of_call(program: &ProgramConfig, order: Order<'_>) -> Result<Vec<OsString>, CallError> {
    let mut all = Arguments { order, given: Vec::new(), errors: Vec::new(), is_past_options: false };
    for entry in &program.run {
        match entry {
            RunArgument::One(text) => all.add(text, None),
            RunArgument::Together(texts) => {
                if texts.iter().all(|text| all.has_values(text)) {
                    all.add_all(texts);
                }
            }
            RunArgument::When(when) => {
                if all.is_true(&when.condition) {
                    all.add_all(&when.then);
                }
            }
        }
    }
    if program.json_argument {
        let text = object_of(order)?.to_string();
        if text.len() > LONGEST {
            let message =
                format!("the arguments are {} bytes long as JSON, and the program takes {LONGEST} at most", text.len());
            return Err(CallError::new(CallCode::InvalidArguments, message).hint("send shorter ones"));
        }
        all.given.push(text.into());
    }
    CallError::all(all.errors).map_or(Ok(all.given), Err)
}

/// What it reads from its standard input.
///
/// Errors: a value cannot be written.
pub(super) fn input_of_call(program: &ProgramConfig, order: Order<'_>) -> Result<Option<Vec<u8>>, CallError> {
    match program.stdin {
        None => Ok(None),
        Some(StdinForm::Json) => {
            let mut text = object_of(order)?.to_string().into_bytes();
            text.push(b'\n');
            Ok(Some(text))
        }
    }
}

struct Arguments<'a> {
    order: Order<'a>,
    given: Vec<OsString>,
    errors: Vec<CallError>,
    is_past_options: bool,
}

impl Arguments<'_> {
    fn add_all(&mut self, texts: &[String]) {
        let mut before: Option<&str> = None;
        for text in texts {
            self.add(text, before);
            before = Some(text);
        }
    }

    /// Adds what a text is in this call. `before` is the text before it in a list.
    fn add(&mut self, text: &str, before: Option<&str>) {
        // What cannot be read was refused when it was compiled.
        let Ok(parts) = pieces(text) else {
            return self.errors.push(CallError::internal("an argument cannot be read"));
        };
        if let Some(name) = lone_name(&parts)
            && let Some(parameter) = self.order.contract.parameter(name)
            && let Type::List(item) = &parameter.ty
        {
            return self.add_items(parameter, item);
        }
        let mut argument = String::new();
        for piece in &parts {
            match piece {
                Piece::Text(text) => argument.push_str(text),
                Piece::Value { name, .. } => match text_of(self.order, name) {
                    Ok(value) => argument.push_str(&value),
                    Err(error) => return self.errors.push(error),
                },
            }
        }
        if let Some(Piece::Value { name, .. }) = parts.first() {
            let takes_value = before.is_some_and(|before| before.starts_with('-') && before != END_OF_OPTIONS);
            self.check_no_option(name, &argument, takes_value);
        }
        self.push(argument);
    }

    fn push(&mut self, argument: String) {
        self.is_past_options |= argument == END_OF_OPTIONS;
        self.given.push(argument.into());
    }

    fn add_items(&mut self, parameter: &Parameter, item: &Type) {
        let items = match json_of(self.order, parameter) {
            Ok(None) => return,
            Ok(Some(Value::Array(items))) => items,
            Ok(Some(_)) => return self.errors.push(CallError::internal("a list is none")),
            Err(error) => return self.errors.push(error),
        };
        for value in &items {
            match text_of_json(value, item, &parameter.name).map_err(|error| as_told(parameter, error)) {
                Ok(text) => {
                    self.check_no_option(&parameter.name, &text, false);
                    self.push(text);
                }
                Err(error) => self.errors.push(error),
            }
        }
    }

    /// A value that a program would read as an option of its own is refused, unless it is a number that belongs to one.
    fn check_no_option(&mut self, name: &str, argument: &str, takes_value: bool) {
        let is_number = || argument.parse::<f64>().is_ok_and(f64::is_finite) && !argument.contains(['n', 'i']);
        if !argument.starts_with('-') || self.is_past_options || takes_value && is_number() {
            return;
        }
        if self.order.contract.parameter(name).is_some_and(|parameter| parameter.from.is_some()) {
            // What nobody sends is told to nobody.
            let error = CallError::new(CallCode::NotPermitted, "the caller may not use this tool");
            let why =
                format!("the value that `{name}` is bound to begins with `-`: the program would read it as an option");
            return self.errors.push(CallError { detail: Some(Detail::Own(why)), ..error });
        }
        let message = format!("`{name}` may not begin with `-`: the program would read it as an option");
        self.errors.push(CallError::about(CallCode::InvalidArgument, name, message));
    }

    fn has_values(&self, text: &str) -> bool {
        let Ok(parts) = pieces(text) else { return false };
        let mut names = crate::project::argument::names_in(&parts);
        names.all(|name| has_value(self.order, name))
    }

    fn is_true(&self, condition: &str) -> bool {
        let Ok(parts) = pieces(condition) else { return false };
        let value = lone_name(&parts).and_then(|name| self.order.call.value(name));
        matches!(value, Some(ScalarValue::Boolean(Some(true))))
    }
}

//! Parameters that are lists of rows: each of their fields is a parameter of its own.

use super::{Contract, Parameter};

impl Contract {
    /// The list of rows whose field a placeholder is, which is called `list.field`, and which of the fields.
    pub fn list_of(&self, placeholder: &str) -> Option<(&Parameter, usize)> {
        let (list, field) = placeholder.split_once('.')?;
        let list = self.parameters().iter().find(|one| one.name == list && one.is_list_of_rows())?;
        Some((list, list.fields.iter().position(|one| one.name == field)?))
    }
}

impl Parameter {
    /// Whether it is a list of rows.
    pub fn is_list_of_rows(&self) -> bool {
        !self.fields.is_empty()
    }
}

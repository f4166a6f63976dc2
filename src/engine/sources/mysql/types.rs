//! What the types of MySQL's columns are here.

use crate::catalog::Native;
use crate::ty::Type;

/// The type of a column that is declared so; `None` where nothing is declared.
pub(in crate::engine::sources) fn column_type(declared: &str) -> Option<Type> {
    (!declared.is_empty()).then_some(Type::Text)
}

/// Whether a column that is declared so may be read as another type.
pub(in crate::engine::sources) fn can_be(declared: &str, ty: &Type) -> bool {
    column_type(declared).as_ref() == Some(ty)
}

/// What tells a row in messages: the columns of the key.
pub(in crate::engine::sources) fn row_of(native: &Native) -> Vec<String> {
    native.key.clone()
}

//! What the types of PostgreSQL's columns are here.

use crate::catalog::Native;
use crate::ty::Type;

/// What the name of a collation ends in that finds texts equal whose bytes are not.
pub(in crate::engine::sources) const NONDETERMINISTIC: &str = " (nondeterministic)";

/// The type of a column that is declared so, in the words of `format_type`; `None` where it is none of those known here.
pub(in crate::engine::sources) fn column_type(declared: &str) -> Option<Type> {
    let _ = declared;
    None
}

/// Whether a column that is declared so may be read as another type.
pub(in crate::engine::sources) fn can_be(declared: &str, ty: &Type) -> bool {
    let _ = (declared, ty);
    false
}

/// Whether the values of a type come as the server writes them, because nobody here reads its own form.
pub(in crate::engine::sources) fn is_read_as_text(declared: &str) -> bool {
    let _ = declared;
    true
}

/// What tells a row in messages: the columns of the key.
pub(in crate::engine::sources) fn row_of(native: &Native) -> Vec<String> {
    native.key.clone()
}

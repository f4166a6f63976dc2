//! Columns of tools that no author wrote: what they are is known here.

use crate::tool::OutputColumn;
use crate::ty::Type;

/// A column that always has a value.
pub(super) fn column(name: &str, ty: Type, description: Option<&str>) -> OutputColumn {
    let description = description.map(str::to_owned);
    OutputColumn { nullable: false, description, ..OutputColumn::new(name, ty) }
}

/// One whose values may be null.
pub(super) fn nullable(name: &str, ty: Type, description: &str) -> OutputColumn {
    OutputColumn { nullable: true, ..column(name, ty, Some(description)) }
}

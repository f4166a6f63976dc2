//! The stars of one SELECT, as they are written.

use super::extent::Extents;
use super::projection;
use crate::diagnostic::codes::ColumnList;
use crate::source::Span;
use crate::syntax::ast::{last_part, normalized, place};
use sqlparser::ast::{Select, SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, WildcardAdditionalOptions};

/// Those of a SELECT.
#[derive(Debug)]
pub(super) struct StarItems {
    /// Each with the name in front of it; a FROM without a SELECT is one without a name.
    pub items: Vec<(Option<String>, Span)>,
    /// How the names of the columns take its place, where it is all that is selected.
    pub list: Option<ColumnList>,
}

impl StarItems {
    pub(super) fn of(select: &Select, extents: &Extents<'_>) -> StarItems {
        let mut items = Vec::new();
        if is_bare(select) {
            items.push((None, place(extents.file, select.select_token.0.span)));
        }
        if select.projection.iter().any(|item| star_table(item).is_some()) {
            let spans = projection::items(select, extents);
            let stars = select.projection.iter().zip(spans);
            items.extend(stars.filter_map(|(item, span)| Some((star_table(item)?, span))));
        }
        let list = if items.is_empty() { None } else { column_list(select) };
        StarItems { items, list }
    }
}

/// How the columns of the result can be written instead of its only item.
fn column_list(select: &Select) -> Option<ColumnList> {
    match select.projection.as_slice() {
        [] if is_bare(select) => Some(ColumnList::BeforeFrom),
        [SelectItem::Wildcard(options)] if keeps_columns(options) => Some(ColumnList::Plain),
        [SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)]
            if keeps_columns(options) =>
        {
            match name.0.as_slice() {
                [table] => table.as_ident().map(|table| ColumnList::Of(normalized(table))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `FROM t`, which selects all of it.
fn is_bare(select: &Select) -> bool {
    select.flavor == SelectFlavor::FromFirstNoSelect
}

/// Whether the columns of a star are columns of its tables, under their own names.
fn keeps_columns(options: &WildcardAdditionalOptions) -> bool {
    options.opt_replace.is_none() && options.opt_rename.is_none() && options.opt_alias.is_none()
}

/// The name in front of a star, if there is one; nothing for what is no star.
fn star_table(item: &SelectItem) -> Option<Option<String>> {
    match item {
        SelectItem::Wildcard(_) => Some(None),
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => Some(last_part(name)),
        _ => None,
    }
}

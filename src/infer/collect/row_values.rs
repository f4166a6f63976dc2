//! Rows that are compared: `(a, b) = (1, 2)`.

use sqlparser::ast::Expr;

/// The items of rows, by their positions; `None` where one is no row, or has another number of items.
pub(super) fn by_position<'e>(rows: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<Vec<&'e Expr>>> {
    let mut columns: Option<Vec<Vec<&'e Expr>>> = None;
    for expr in rows {
        let items = row(expr)?;
        let columns = columns.get_or_insert_with(|| vec![Vec::new(); items.len()]);
        if columns.len() != items.len() {
            return None;
        }
        for (column, item) in columns.iter_mut().zip(items) {
            column.push(item);
        }
    }
    columns
}

fn row(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Nested(inner) => row(inner),
        Expr::Tuple(items) => Some(items),
        _ => None,
    }
}

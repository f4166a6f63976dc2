//! What is written as a parameter is one.
//!
//! Bad: `WHERE note LIKE '%<< word >>%'`. Good: `WHERE note LIKE '%' || << word >> || '%'`.

use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::{ParsedQuery, Within};

/// Says what stands in quotes, and warns of what stands in comments.
pub(super) fn check(query: &ParsedQuery, sink: &mut Diagnostics) {
    for quoted in &query.quoted {
        sink.push(match &quoted.within {
            Within::Text(edit) => codes::placeholder_in_text(quoted.span, quoted.place, &quoted.written, edit.clone()),
            Within::Foreign { edit, is_certain } => codes::foreign_placeholder_in_text(
                quoted.span,
                quoted.place,
                &quoted.written,
                edit.clone(),
                *is_certain,
            ),
            Within::Name { is_value } => codes::placeholder_in_name(quoted.span, &quoted.written, *is_value),
            Within::Comment(name) => codes::placeholder_in_comment(quoted.place, &quoted.written, name),
        });
    }
}

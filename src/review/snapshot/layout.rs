//! Line breaks in a printed statement: sqlparser 0.62 prints all conditions and all that follows them on one line.

use crate::review::sql::{Piece, pieces};
use sqlparser::tokenizer::Token;

/// Gives every condition and every clause behind them a line of its own. Nothing but blanks changes, and only between
/// tokens.
pub(super) fn laid_out(text: &str) -> String {
    let Some(pieces) = pieces(text) else { return text.to_owned() };
    let mut out = String::with_capacity(text.len() + 64);
    // The brackets that are open: whether what is in them has lines, and whether an AND of BETWEEN is to come.
    let mut open = vec![(true, false)];
    for (at, piece) in pieces.iter().enumerate() {
        let behind = || pieces.iter().skip(at + 1).find(|piece| !piece.is_blank());
        let (has_lines, between) = open.last().copied().unwrap_or((true, false));
        let is_clause = has_lines && starts_clause(piece, behind());
        let is_condition = has_lines && (piece.is_word("and") && !between || starts_optional(&pieces, at));
        if piece.is_word("and") || piece.is_word("between") {
            open.last_mut().into_iter().for_each(|(_, between)| *between = piece.is_word("between"));
        }
        if is_clause || is_condition {
            let indent = indent(&out);
            // Conditions stand in a clause, which stands two blanks further to the right than its first word.
            let indent = if is_clause { indent.saturating_sub(2) } else { indent };
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
        }
        match piece.token {
            Token::LParen | Token::LBracket => {
                let next = pieces.get(at + 1).is_some_and(|next| next.is_blank() && next.text.contains('\n'));
                open.push((next, false));
            }
            Token::RParen | Token::RBracket if open.len() > 1 => drop(open.pop()),
            _ => {}
        }
        out.push_str(&piece.text);
    }
    out
}

/// Whether a clause begins that is printed behind others.
fn starts_clause(piece: &Piece, behind: Option<&Piece>) -> bool {
    let by = behind.is_some_and(|next| next.is_word("by"));
    piece.is_word("order") && by || piece.is_word("limit") || piece.is_word("offset") || piece.is_word("fetch")
}

fn starts_optional(pieces: &[Piece], at: usize) -> bool {
    let is_bracket = |at: usize| pieces.get(at).is_some_and(|piece| piece.token == Token::LBracket);
    let word = pieces.iter().skip(at + 2).find(|piece| !piece.is_blank());
    is_bracket(at) && is_bracket(at + 1) && word.is_some_and(|word| word.is_word("and") || word.is_word("or"))
}

/// How far the last line is indented.
fn indent(text: &str) -> usize {
    let line = text.rsplit('\n').next().unwrap_or_default();
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_lines_and_bounds_do_not() {
        let text =
            "SELECT\n  a\nWHERE\n  a BETWEEN 1 AND 2 AND (b OR c AND d) [[ AND e = 'x AND y' ]] ORDER BY a LIMIT 1";
        let lines =
            ["SELECT", "  a", "WHERE", "  a BETWEEN 1 AND 2", "  AND (b OR c AND d)", "  [[ AND e = 'x AND y' ]]"];
        assert_eq!(laid_out(text), format!("{}\nORDER BY a\nLIMIT 1", lines.join("\n")));
    }
}

//! The dialect of query files: sqlparser's generic one, functions as arguments, and `IS DISTINCT FROM` with the precedence
//! that it has.

use super::arrows;
use sqlparser::ast::Expr;
use sqlparser::dialect::{Dialect, GenericDialect, Precedence};
use sqlparser::keywords::Keyword::{self, CASE, DISTINCT, FROM, IS, NOT};
use sqlparser::parser::{Parser, ParserError};
use std::any::TypeId;

/// How close an arrow binds: closer than `*` and `||`, which have 40, and not as close as `::`, which has 50.
const ARROW: u8 = 45;

/// As [`GenericDialect`], with `array_filter(tags, tag -> tag <> 'x')`.
#[derive(Debug)]
pub(crate) struct QueryDialect;

/// Passes on what the generic dialect says of itself. What it does not say is the same for every dialect.
macro_rules! as_generic {
    ($($feature:ident)*) => {
        $(fn $feature(&self) -> bool { GenericDialect {}.$feature() })*
    };
}

impl Dialect for QueryDialect {
    fn dialect(&self) -> TypeId {
        TypeId::of::<GenericDialect>()
    }

    fn is_delimited_identifier_start(&self, ch: char) -> bool {
        GenericDialect {}.is_delimited_identifier_start(ch)
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        GenericDialect {}.is_identifier_start(ch)
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        GenericDialect {}.is_identifier_part(ch)
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_order_by_all(&self) -> bool {
        true
    }

    /// What is looked up in a document is one operand: `document ->> 'key' = 'x'` compares it. sqlparser 0.62 has the
    /// comparison bind closer.
    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        arrows::is_arrow(&parser.peek_token_ref().token).then_some(Ok(ARROW))
    }

    /// sqlparser 0.62 takes other words for names where what follows them is wrong or nested too deep, and then complains
    /// of the next word.
    fn is_reserved_for_identifier(&self, keyword: Keyword) -> bool {
        matches!(keyword, CASE | NOT) || GenericDialect {}.is_reserved_for_identifier(keyword)
    }

    /// sqlparser 0.62 takes all that follows for the right side: `a IS DISTINCT FROM b AND c` would mean
    /// `a IS DISTINCT FROM (b AND c)`.
    fn parse_infix(&self, parser: &mut Parser<'_>, expr: &Expr, _: u8) -> Option<Result<Expr, ParserError>> {
        let make: fn(Box<Expr>, Box<Expr>) -> Expr = if parser.parse_keywords(&[IS, DISTINCT, FROM]) {
            Expr::IsDistinctFrom
        } else if parser.parse_keywords(&[IS, NOT, DISTINCT, FROM]) {
            Expr::IsNotDistinctFrom
        } else {
            return None;
        };
        let right = parser.parse_subexpr(self.prec_value(Precedence::Is));
        Some(right.map(|right| make(Box::new(expr.clone()), Box::new(right))))
    }

    as_generic! {
        supports_unicode_string_literal
        supports_partition_by_after_order_by
        supports_array_join_syntax
        supports_group_by_expr
        supports_group_by_with_modifier
        supports_left_associative_joins_without_parens
        supports_connect_by
        supports_match_recognize
        supports_pipe_operator
        supports_start_transaction_modifier
        supports_window_function_null_treatment_arg
        supports_dictionary_syntax
        supports_window_clause_named_window_reference
        supports_parenthesized_set_variables
        supports_select_wildcard_except
        support_map_literal_syntax
        allow_extract_custom
        allow_extract_single_quotes
        supports_extract_comma_syntax
        supports_create_view_comment_syntax
        supports_parens_around_table_factor
        supports_values_as_table_factor
        supports_create_index_with_clause
        supports_explain_with_utility_options
        supports_limit_comma
        supports_update_order_by
        supports_from_first_select
        supports_projection_trailing_commas
        supports_asc_desc_in_column_definition
        supports_try_convert
        supports_bitwise_shift_operators
        supports_comment_on
        supports_load_extension
        supports_named_fn_args_with_assignment_operator
        supports_struct_literal
        supports_empty_projections
        supports_nested_comments
        supports_multiline_comment_hints
        supports_user_host_grantee
        supports_string_escape_constant
        supports_array_typedef_with_brackets
        supports_match_against
        supports_set_names
        supports_comma_separated_set_assignments
        supports_filter_during_aggregation
        supports_select_wildcard_exclude
        supports_data_type_signed_suffix
        supports_interval_options
        supports_quote_delimited_string
        supports_select_wildcard_replace
        supports_select_wildcard_ilike
        supports_select_wildcard_rename
        supports_optimize_table
        supports_install
        supports_detach
        supports_prewhere
        supports_with_fill
        supports_limit_by
        supports_interpolate
        supports_settings
        supports_select_format
        supports_comment_optimizer_hint
        supports_constraint_keyword_without_name
        supports_key_column_option
        supports_comma_separated_trim
        supports_cte_without_as
        supports_select_item_multi_column_alias
        supports_xml_expressions
    }
}

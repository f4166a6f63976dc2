//! Calls as other databases write them, in the form that they have here: `year(day)` is `date_part('year', day)`.
//!
//! What is only called otherwise is an alias of the function, and no matter of the tree. Here stands what takes other
//! arguments, or is no function at all. The tree is rewritten as soon as it is parsed, so that nothing else has to know.

use super::arrows;
use super::dialect::QueryDialect;
use super::written_call::{both, call};
use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentClause, FunctionArguments, Ident, Interval, ObjectName, ObjectNamePart, OrderBy, OrderByExpr,
    OrderByKind, Query, SelectItem, SetExpr, Spanned as _, Statement, Subscript, TableFactor, Value, Visit, VisitMut,
    Visitor, VisitorMut,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Tokenizer};
use std::ops::ControlFlow;

/// A call by its name, what its arguments are called in the form that it has here, and this form.
type Synonym = (&'static str, &'static [&'static str], &'static str);

/// The arguments of a template.
const ONE: &[&str] = &["arg_0"];
const TWO: &[&str] = &["arg_0", "arg_1"];
const THREE: &[&str] = &["arg_0", "arg_1", "arg_2"];

const LARGEST: &str = "first_value(arg_0 ORDER BY arg_1 DESC) FILTER (WHERE arg_0 IS NOT NULL AND arg_1 IS NOT NULL)";
const SMALLEST: &str = "first_value(arg_0 ORDER BY arg_1 ASC) FILTER (WHERE arg_0 IS NOT NULL AND arg_1 IS NOT NULL)";
const CHOSEN: &str = "CASE WHEN arg_0 THEN arg_1 ELSE arg_2 END";
const COUNTED: &str = "count(*) FILTER (WHERE arg_0)";

/// The calls that are written in another form.
const SYNONYMS: &[Synonym] = &[
    // Parts of days and points in time.
    ("year", ONE, "date_part('year', arg_0)"),
    ("isoyear", ONE, "date_part('isoyear', arg_0)"),
    ("quarter", ONE, "date_part('quarter', arg_0)"),
    ("month", ONE, "date_part('month', arg_0)"),
    ("week", ONE, "date_part('week', arg_0)"),
    ("weekofyear", ONE, "date_part('week', arg_0)"),
    ("day", ONE, "date_part('day', arg_0)"),
    ("dayofmonth", ONE, "date_part('day', arg_0)"),
    ("dayofweek", ONE, "date_part('dow', arg_0)"),
    ("isodow", ONE, "date_part('isodow', arg_0)"),
    ("dayofyear", ONE, "date_part('doy', arg_0)"),
    ("hour", ONE, "date_part('hour', arg_0)"),
    ("minute", ONE, "date_part('minute', arg_0)"),
    ("second", ONE, "date_part('second', arg_0)"),
    ("epoch", ONE, "date_part('epoch', arg_0)"),
    ("dayname", ONE, "to_char(arg_0, '%A')"),
    ("monthname", ONE, "to_char(arg_0, '%B')"),
    ("last_day", ONE, "CAST(date_trunc('month', arg_0) + INTERVAL '1 month' - INTERVAL '1 day' AS date)"),
    ("date_add", TWO, "(arg_0 + arg_1)"),
    ("date_sub", TWO, "(arg_0 - arg_1)"),
    // Conditions.
    ("if", THREE, CHOSEN),
    ("iif", THREE, CHOSEN),
    ("iff", THREE, CHOSEN),
    // Many rows.
    ("count_if", ONE, COUNTED),
    ("countif", ONE, COUNTED),
    ("arg_max", TWO, LARGEST),
    ("argmax", TWO, LARGEST),
    ("max_by", TWO, LARGEST),
    ("arg_min", TWO, SMALLEST),
    ("argmin", TWO, SMALLEST),
    ("min_by", TWO, SMALLEST),
    ("group_concat", ONE, "string_agg(arg_0, ',')"),
    ("group_concat", TWO, "string_agg(arg_0, arg_1)"),
    ("listagg", ONE, "string_agg(arg_0, ',')"),
    ("listagg", TWO, "string_agg(arg_0, arg_1)"),
];

/// What `strftime` means by a part of its format, where `to_char` means something else.
const FORMATS: [(&str, &str); 5] =
    [("%f", "%6f"), ("%g", "%3f"), ("%c", "%Y-%m-%d %H:%M:%S"), ("%x", "%Y-%m-%d"), ("%X", "%H:%M:%S")];

/// Where `time_bucket` counts months from, and all else: the Monday behind.
const ORIGIN_OF_MONTHS: &str = "date_bin(arg_0, arg_1, TIMESTAMP '2000-01-01 00:00:00')";
const ORIGIN_OF_DAYS: &str = "date_bin(arg_0, arg_1, TIMESTAMP '2000-01-03 00:00:00')";
const GIVEN_ORIGIN: &str = "date_bin(arg_0, arg_1, arg_2)";

/// What the words of an interval hold that has months.
const MONTHS: [&str; 6] = ["mon", "quarter", "qtr", "year", "yr", "decade"];

/// What `list_aggregate` makes of the items of a list.
const OF_ITEMS: [&str; 7] = ["sum", "avg", "min", "max", "median", "bool_and", "bool_or"];

/// The units that `date_diff` counts, as they are written without quotes.
const UNITS: [&str; 10] =
    ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"];

/// Writes every such call in the form that it has here.
pub(super) fn write_out(statement: &mut Statement) {
    let _ = VisitMut::visit(statement, &mut Calls);
}

/// The names of the calls that are written in another form, for whoever lists functions.
#[cfg(test)]
pub(crate) fn synonym_names() -> impl Iterator<Item = &'static str> {
    SYNONYMS.iter().map(|(name, ..)| *name).chain([
        "strftime",
        "struct_pack",
        "time_bucket",
        "list_aggregate",
        "list_aggr",
    ])
}

struct Calls;

impl VisitorMut for Calls {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        order_by_places(query);
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        super::pivot::write_out(factor);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            // Of whole numbers, a division leaves the rest out anyway.
            Expr::BinaryOp { op, .. } if *op == BinaryOperator::DuckIntegerDivide => *op = BinaryOperator::Divide,
            Expr::BinaryOp { .. } => arrows::to_call(expr),
            Expr::CompoundFieldAccess { root, access_chain } => fields_by_name(root, access_chain),
            Expr::Lambda(lambda) => super::item_fields::by_name(lambda),
            // A document is a text, and is read where it is looked into.
            Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, data_type, .. } if is_document(data_type) => {
                *data_type = DataType::Text;
            }
            Expr::Function(function) => {
                if let Some(here) = here(function) {
                    *expr = here;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn is_document(ty: &DataType) -> bool {
    matches!(ty, DataType::JSON | DataType::JSONB)
}

/// `ORDER BY ALL` as the places of the columns, where they can be counted.
fn order_by_places(query: &mut Query) {
    let Query { body, order_by: Some(OrderBy { kind, .. }), .. } = query else { return };
    let (SetExpr::Select(select), OrderByKind::All(options)) = (body.as_ref(), &*kind) else { return };
    let is_one = |item: &SelectItem| matches!(item, SelectItem::UnnamedExpr(_) | SelectItem::ExprWithAlias { .. });
    if !select.projection.iter().all(is_one) {
        return;
    }
    let place = |at: usize| OrderByExpr {
        expr: Expr::value(Value::Number((at + 1).to_string(), false)),
        options: *options,
        with_fill: None,
    };
    *kind = OrderByKind::Expressions((0..select.projection.len()).map(place).collect());
}

/// `(x).field` and `x[1].field` as `(x)['field']` and `x[1]['field']`. What begins with names is a path of them.
fn fields_by_name(root: &Expr, chain: &mut [AccessExpr]) {
    let mut is_path = matches!(root, Expr::Identifier(_));
    for access in chain {
        let field = match &*access {
            AccessExpr::Dot(Expr::Identifier(name)) if !is_path => name,
            AccessExpr::Dot(_) => continue,
            AccessExpr::Subscript(_) => {
                is_path = false;
                continue;
            }
        };
        let name = Value::SingleQuotedString(super::ast::normalized(field)).with_span(field.span);
        *access = AccessExpr::Subscript(Subscript::Index { index: Expr::Value(name) });
    }
}

/// What a call is here; `None` where it is nothing else.
fn here(function: &mut Function) -> Option<Expr> {
    let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice() else { return None };
    let (written, span) = (super::ast::normalized(name), name.span);
    match written.as_str() {
        "strftime" => return formatted(function, span),
        "struct_pack" => return packed(function, span),
        "time_bucket" => return bucket(function, span),
        "to_timestamp" | "to_timestamp_micros" => return read_by_hours(function, span),
        "list_aggregate" | "list_aggr" => return of_items(function),
        "date_diff" | "datediff" => {
            quote_unit(function, 3);
            return None;
        }
        "datepart" => {
            quote_unit(function, 2);
            return None;
        }
        _ => {}
    }
    let mut named = SYNONYMS.iter().filter(|(name, ..)| *name == written).peekable();
    named.peek()?;
    let args = plain_args(function)?;
    let (_, names, template) = named.find(|(_, names, _)| names.len() == args.len())?;
    // Arguments that are written several times must not hold others of that kind: the text would double with each.
    if matches!(*template, LARGEST | SMALLEST) && args.iter().any(calls_first_value) {
        return None;
    }
    let form = filled(template, names, &args)?;
    match form {
        Expr::Function(form) => carried_over(form, function, span),
        form if is_bare(function) => Some(form),
        _ => None,
    }
}

/// The arguments, where all are expressions without names.
fn plain_args(function: &Function) -> Option<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let arg = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().map(arg).collect()
}

fn calls_first_value(arg: &Expr) -> bool {
    Visit::visit(arg, &mut FirstValue).is_break()
}

struct FirstValue;

impl Visitor for FirstValue {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Function(call) if call.name.to_string() == "first_value" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Whether nothing but arguments stands in a call.
fn is_bare(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else { return false };
    list.duplicate_treatment.is_none()
        && list.clauses.is_empty()
        && function.filter.is_none()
        && function.over.is_none()
        && function.within_group.is_empty()
        && function.null_treatment.is_none()
}

/// The form of a template with the arguments in it.
fn filled(template: &str, names: &[&str], args: &[Expr]) -> Option<Expr> {
    // Tokens without places: they stand in no file.
    let tokens = Tokenizer::new(&QueryDialect, template).tokenize().ok()?;
    let mut form = Parser::new(&QueryDialect).with_tokens(tokens).parse_expr().ok()?;
    let _ = VisitMut::visit(&mut form, &mut Fill { names, args });
    Some(form)
}

struct Fill<'a> {
    names: &'a [&'a str],
    args: &'a [Expr],
}

impl VisitorMut for Fill<'_> {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Identifier(ident) = expr
            && let Some(at) = self.names.iter().position(|name| *name == ident.value)
            && let Some(arg) = self.args.get(at)
        {
            *expr = match arg {
                Expr::BinaryOp { .. } | Expr::Lambda(_) => Expr::Nested(Box::new(arg.clone())),
                arg => arg.clone(),
            };
        }
        ControlFlow::Continue(())
    }
}

/// The form with what else stands in the call: `DISTINCT`, an order, a filter, a window.
fn carried_over(mut form: Function, call: &Function, span: Span) -> Option<Expr> {
    let FunctionArguments::List(from) = &call.args else { return None };
    let has_order = matches!(&form.args, FunctionArguments::List(list) if !list.clauses.is_empty());
    let has_more = from.duplicate_treatment.is_some() || !from.clauses.is_empty() || !call.within_group.is_empty();
    // `count(*)` takes nothing of the kind.
    let is_star = form.args.to_string().contains('*');
    if (has_order && (has_more || call.over.is_some())) || (is_star && has_more) {
        return None;
    }
    if let FunctionArguments::List(list) = &mut form.args {
        list.duplicate_treatment = from.duplicate_treatment;
        for clause in &from.clauses {
            match clause {
                // `GROUP_CONCAT(x SEPARATOR '; ')`
                FunctionArgumentClause::Separator(separator) => {
                    list.args.truncate(1);
                    list.args.push(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(separator.clone()))));
                }
                clause => list.clauses.push(clause.clone()),
            }
        }
        // `LISTAGG(x, ',') WITHIN GROUP (ORDER BY y)`
        if !call.within_group.is_empty() {
            list.clauses.push(FunctionArgumentClause::OrderBy(call.within_group.clone()));
        }
    }
    form.filter = match (form.filter.take(), &call.filter) {
        (Some(own), Some(more)) => Some(Box::new(both(*own, more.as_ref().clone()))),
        (own, more) => own.or_else(|| more.clone()),
    };
    form.over.clone_from(&call.over);
    form.null_treatment = call.null_treatment;
    form.name = ObjectName::from(vec![named(&form.name, span)?]);
    Some(Expr::Function(form))
}

/// The name of a function, at the place of the name that was written.
fn named(name: &ObjectName, span: Span) -> Option<Ident> {
    let mut ident = name.0.first()?.as_ident()?.clone();
    ident.span = span;
    Some(ident)
}

/// `strftime(time, format)`, or with both the other way around.
fn formatted(function: &Function, span: Span) -> Option<Expr> {
    let args = plain_args(function).filter(|_| is_bare(function))?;
    let [one, other] = <[Expr; 2]>::try_from(args).ok()?;
    let (time, format) = if is_format(&one) && !is_format(&other) { (other, one) } else { (one, other) };
    Some(call(Ident::with_span(span, "to_char"), [time, with_parts_here(format)]))
}

/// `to_timestamp(text, '%Y-%m-%d %H')`: of a format with hours and without minutes, DataFusion reads the day alone.
fn read_by_hours(function: &Function, span: Span) -> Option<Expr> {
    let args = plain_args(function).filter(|_| is_bare(function))?;
    let [time, format] = <[Expr; 2]>::try_from(args).ok()?;
    let Expr::Value(written) = &format else { return None };
    let Value::SingleQuotedString(text) = &written.value else { return None };
    let text = text.replace("%%", "").replace(['-', '_', '0'], "");
    let has = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let reads_hours = has(&["%H", "%I", "%k", "%l"]);
    let reads_minutes = has(&["%M", "%T", "%R", "%r", "%c", "%X", "%+", "%s"]);
    (reads_hours && !reads_minutes).then(|| call(Ident::with_span(span, "strptime"), [time, format]))
}

fn is_format(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(&value.value, Value::SingleQuotedString(text) if text.contains('%')))
}

/// A format whose parts mean what they mean in `strftime`. One that is no literal stays as it is.
fn with_parts_here(mut format: Expr) -> Expr {
    if let Expr::Value(value) = &mut format
        && let Value::SingleQuotedString(text) = &mut value.value
    {
        // `%%f` is a sign and a letter.
        let parts = text
            .split("%%")
            .map(|part| FORMATS.iter().fold(part.to_owned(), |part, (theirs, ours)| part.replace(theirs, ours)));
        *text = parts.collect::<Vec<_>>().join("%%");
    }
    format
}

/// `struct_pack(a := 1)`
fn packed(function: &Function, span: Span) -> Option<Expr> {
    let FunctionArguments::List(list) = &function.args else { return None };
    if !is_bare(function) {
        return None;
    }
    let mut args = Vec::new();
    for arg in &list.args {
        let FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } = arg else { return None };
        args.push(Expr::value(Value::SingleQuotedString(super::ast::normalized(name))));
        args.push(value.clone());
    }
    Some(call(Ident::with_span(span, "named_struct"), args))
}

/// `time_bucket(width, time)` and `time_bucket(width, time, origin)`. Only a width that is written out tells where it is
/// counted from; an interval in the place of the origin shifts the buckets, and is no origin.
fn bucket(function: &Function, span: Span) -> Option<Expr> {
    let args = plain_args(function)?;
    let form = match args.as_slice() {
        [Expr::Interval(width), _] if has_months(width)? => filled(ORIGIN_OF_MONTHS, TWO, &args),
        [Expr::Interval(_), _] => filled(ORIGIN_OF_DAYS, TWO, &args),
        [_, _, Expr::Interval(_)] => None,
        [_, _, _] => filled(GIVEN_ORIGIN, THREE, &args),
        _ => None,
    };
    match form? {
        Expr::Function(form) => carried_over(form, function, span),
        _ => None,
    }
}

/// Whether an interval is one of months; `None` where it is not written out.
fn has_months(width: &Interval) -> Option<bool> {
    let Expr::Value(value) = width.value.as_ref() else { return None };
    let number = match &value.value {
        Value::SingleQuotedString(text) => text.as_str(),
        Value::Number(..) => "",
        _ => return None,
    };
    let unit = width.leading_field.as_ref().map(ToString::to_string).unwrap_or_default();
    let words = format!("{number} {unit}").to_lowercase();
    Some(MONTHS.iter().any(|month| words.contains(month)))
}

/// `list_aggregate(list, 'sum')`: the sum over the items as rows.
fn of_items(function: &Function) -> Option<Expr> {
    let args = plain_args(function).filter(|_| is_bare(function))?;
    let [list, Expr::Value(aggregate)] = args.as_slice() else { return None };
    let Value::SingleQuotedString(aggregate) = &aggregate.value else { return None };
    let aggregate = OF_ITEMS.iter().find(|name| name.eq_ignore_ascii_case(aggregate))?;
    let template = format!("(SELECT {aggregate}(qtool_item) FROM unnest(arg_0) AS qtool_items(qtool_item))");
    filled(&template, ONE, std::slice::from_ref(list))
}

/// `datediff(day, a, b)`: the unit is a text.
fn quote_unit(function: &mut Function, arguments: usize) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    if list.args.len() != arguments {
        return;
    }
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first))) = list.args.first_mut() else { return };
    let span = first.span();
    if let Expr::Identifier(ident) = first
        && ident.quote_style.is_none()
        && UNITS.contains(&ident.value.to_lowercase().as_str())
    {
        let text = Value::SingleQuotedString(ident.value.to_lowercase());
        *first = Expr::Value(text.with_span(span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written_out(text: &str) -> String {
        let tokens = Tokenizer::new(&QueryDialect, text).tokenize_with_location().unwrap_or_default();
        let tokens = tokens
            .into_iter()
            .filter(|token| !matches!(token.token, sqlparser::tokenizer::Token::Whitespace(_)))
            .collect();
        super::super::statement::parse_tokens(tokens).map(|statement| statement.to_string()).unwrap_or_default()
    }

    #[track_caller]
    fn becomes(text: &str, form: &str) {
        assert_eq!(written_out(&format!("SELECT {text}")), format!("SELECT {form}"), "{text}");
    }

    #[test]
    fn calls_of_others_are_written_as_here() {
        becomes("YEAR(d)", "date_part('year', d)");
        becomes("if(a > 1, 'x', b)", "CASE WHEN (a > 1) THEN 'x' ELSE b END");
        becomes("count_if(a > 1) FILTER (WHERE b)", "count(*) FILTER (WHERE ((a > 1)) AND (b))");
        becomes("count_if(a) OVER (ORDER BY b)", "count(*) FILTER (WHERE a) OVER (ORDER BY b)");
        becomes("group_concat(DISTINCT a ORDER BY a)", "string_agg(DISTINCT a, ',' ORDER BY a)");
        becomes("listagg(a, ';') WITHIN GROUP (ORDER BY b)", "string_agg(a, ';' ORDER BY b)");
        becomes("date_sub(d, INTERVAL '1 day')", "(d - INTERVAL '1 day')");
        becomes("datediff(day, a, b)", "datediff('day', a, b)");
        becomes("datepart(year, a)", "datepart('year', a)");
        becomes("datediff(day, a)", "datediff(day, a)");
        becomes("struct_pack(a := 1, b := c)", "named_struct('a', 1, 'b', c)");
    }

    #[test]
    fn buckets_are_counted_from_where_duckdb_counts_them() {
        becomes(
            "time_bucket(INTERVAL '2 months', t)",
            "date_bin(INTERVAL '2 months', t, TIMESTAMP '2000-01-01 00:00:00')",
        );
        becomes("time_bucket(INTERVAL '1' YEAR, t)", "date_bin(INTERVAL '1' YEAR, t, TIMESTAMP '2000-01-01 00:00:00')");
        becomes("time_bucket(INTERVAL '1 week', t)", "date_bin(INTERVAL '1 week', t, TIMESTAMP '2000-01-03 00:00:00')");
        becomes("time_bucket(w, t, o)", "date_bin(w, t, o)");
        becomes("time_bucket(w, t)", "time_bucket(w, t)");
        becomes("time_bucket(w, t, INTERVAL '1 day')", "time_bucket(w, t, INTERVAL '1 day')");
    }

    #[test]
    fn items_are_aggregated_as_rows() {
        becomes("list_aggregate(xs, 'SUM')", "(SELECT sum(qtool_item) FROM UNNEST(xs) AS qtool_items (qtool_item))");
        becomes("list_aggregate(xs, 'product')", "list_aggregate(xs, 'product')");
        becomes("a // b * c", "a / b * c");
        becomes("count(*) FILTER (a > 1)", "count(*) FILTER (WHERE a > 1)");
        becomes("count(*) FILTER (WHERE a > 1)", "count(*) FILTER (WHERE a > 1)");
    }

    #[test]
    fn what_is_no_such_call_stays() {
        becomes("year(a, b)", "year(a, b)");
        becomes("if(a, b)", "if(a, b)");
        becomes("arg_max(a, b) OVER ()", "arg_max(a, b) OVER ()");
        becomes("max_by(DISTINCT a, b)", "max_by(DISTINCT a, b)");
    }

    #[test]
    fn formats_mean_what_they_mean_in_strftime() {
        becomes("strftime(t, '%Y-%m')", "to_char(t, '%Y-%m')");
        becomes("strftime('%Y', t)", "to_char(t, '%Y')");
        becomes("strftime(t, '%f %%f')", "to_char(t, '%6f %%f')");
        becomes("strftime(t, f)", "to_char(t, f)");
    }

    #[test]
    fn arrows_look_into_documents() {
        becomes("j -> 'a' ->> 'b' = 'c'", "json_extract_string(json_extract(j, 'a'), 'b') = 'c'");
        becomes("'x' || j ->> 'a'", "'x' || json_extract_string(j, 'a')");
        becomes("t.j ->> 0", "json_extract_string(t.j, 0)");
        becomes("list_transform(xs, x -> x + 1)", "list_transform(xs, x -> x + 1)");
        becomes("list_filter(j -> 'a', (x) -> x)", "list_filter(json_extract(j, 'a'), (x) -> x)");
        becomes("f(j -> 'a', j -> 'b')", "f(json_extract(j, 'a'), json_extract(j, 'b'))");
    }

    #[test]
    fn documents_are_texts() {
        becomes("j::json -> 'a'", "json_extract(j::TEXT, 'a')");
        becomes("CAST(j AS jsonb) ->> 'a'", "json_extract_string(CAST(j AS TEXT), 'a')");
    }

    #[test]
    fn hours_without_minutes_are_read() {
        becomes("to_timestamp(t, '%Y-%m-%d %H')", "strptime(t, '%Y-%m-%d %H')");
        becomes("to_timestamp(t, '%Y-%m-%d %-H %p')", "strptime(t, '%Y-%m-%d %-H %p')");
        for other in ["to_timestamp(t, '%Y-%m-%d %H:%M')", "to_timestamp(t, '%Y-%m-%d')", "to_timestamp(t, f)"] {
            becomes(other, other);
        }
    }

    #[test]
    fn fields_behind_brackets_are_names() {
        becomes("(o).a.B", "(o)['a']['b']");
        becomes("xs[1].a", "xs[1]['a']");
        becomes("t.xs[1].a", "t.xs[1]['a']");
        becomes("t.o.a", "t.o.a");
    }

    #[test]
    fn all_columns_are_ordered_by_their_places() {
        becomes("a, b AS c FROM t ORDER BY ALL DESC", "a, b AS c FROM t ORDER BY 1 DESC, 2 DESC");
    }
}

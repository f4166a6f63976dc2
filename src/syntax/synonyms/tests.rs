use crate::syntax::dialect::QueryDialect;
use sqlparser::tokenizer::Tokenizer;

fn written_out(text: &str) -> String {
    let tokens = Tokenizer::new(&QueryDialect, text).tokenize_with_location().unwrap_or_default();
    let tokens =
        tokens.into_iter().filter(|token| !matches!(token.token, sqlparser::tokenizer::Token::Whitespace(_))).collect();
    crate::syntax::statement::parse_tokens(tokens).map(|statement| statement.to_string()).unwrap_or_default()
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
    becomes("time_bucket(INTERVAL '2 months', t)", "date_bin(INTERVAL '2 months', t, TIMESTAMP '2000-01-01 00:00:00')");
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

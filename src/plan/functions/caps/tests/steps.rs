//! Functions whose time grows faster than their arguments.

use super::*;
use crate::plan::stop::Stop;
use datafusion::functions_nested::array_has::{array_has_all_udf, array_has_any_udf};

fn strings_of(rows: usize, text: &str) -> ColumnarValue {
    texts(vec![Some(text); rows])
}

fn range(end: i64) -> ColumnarValue {
    list((0..end).map(Some).collect())
}

#[test]
fn a_product_of_two_long_arguments_is_refused() {
    let long = "ab".repeat(20_000);
    for (function, args) in [
        (string::levenshtein(), vec![text(&long), text(&long)]),
        (string::levenshtein(), vec![strings_of(2, &long), text(&long)]),
        (string::btrim(), vec![text(&long), text(&long)]),
        (string::ltrim(), vec![strings_of(1, &long), text(&long)]),
        (unicode::strpos(), vec![strings_of(1, &long), strings_of(1, &long)]),
        (array_has_all_udf(), vec![range(20_000), range(20_000)]),
        (array_has_any_udf(), vec![range(20_000), range(20_000)]),
        (regex::regexp_instr(), vec![text(&long), text("a"), number(1), number(39_000)]),
    ] {
        let name = function.name().to_owned();
        refused(call(function, args), &format!("{name} takes too many steps for values of this size"));
    }
}

#[test]
fn a_heavy_pattern_in_a_long_text_is_refused() {
    let (long, heavy) = ("ab".repeat(100_000), "((a{40}){40}){10}");
    for (function, rest) in [
        (regex::regexp_like(), vec![]),
        (regex::regexp_match(), vec![]),
        (regex::regexp_count(), vec![]),
        (regex::regexp_replace(), vec![text("x")]),
    ] {
        let name = function.name().to_owned();
        let args = |text_of: &str| [text(text_of), text(heavy)].into_iter().chain(rest.clone()).collect();
        refused(
            call(Arc::clone(&function), args(&long)),
            &format!("{name} takes too many steps for values of this size"),
        );
        assert!(call(function, args("ab")).is_ok(), "{name}");
    }
}

#[test]
fn long_columns_are_carried_out_in_parts() {
    // Nothing is trimmed, so it takes no time; but it might.
    let (kept, characters) = ("z".repeat(20_000), "ab".repeat(6_000));
    let column = texts(vec![Some(&kept), None, Some("aza"), Some(&kept), Some(&kept)]);
    let found = call(string::btrim(), vec![column, text(&characters)]).unwrap();
    assert_eq!(strings(&found), [Some(kept.as_str()), None, Some("z"), Some(&kept), Some(&kept)]);
    let distances = call(string::levenshtein(), vec![texts(vec![Some("kitten"), None]), text("sitting")]).unwrap();
    assert_eq!(distances.as_primitive::<arrow::datatypes::Int32Type>().iter().collect::<Vec<_>>(), [Some(3), None]);
}

#[test]
fn long_texts_are_searched_as_short_ones() {
    let replaced = |copies: usize, flags: &str| {
        let args = vec![text(&"aXbä ".repeat(copies)), text("(x)|ä"), text(r"<\1>"), text(flags)];
        strings(&call(regex::regexp_replace(), args).unwrap())[0].unwrap().to_owned()
    };
    for flags in ["g", "gi"] {
        let short = replaced(1, flags);
        assert_eq!(replaced(5_000, flags), short.repeat(5_000), "{flags}");
    }
    let counted = |copies: usize, start: i64, flags: &str| {
        let args = vec![text(&"aXbä ".repeat(copies)), text("[xä]"), number(start), text(flags)];
        call(regex::regexp_count(), args).unwrap().as_primitive::<Int64Type>().value(0)
    };
    assert_eq!(
        [counted(1, 1, ""), counted(1, 1, "i"), counted(1, 3, "i"), counted(1, 6, ""), counted(1, 9, "")],
        [1, 2, 1, 0, 0]
    );
    assert_eq!([counted(5_000, 1, ""), counted(5_000, 3, "i"), counted(5_000, 25_001, "")], [5_000, 9_999, 0]);
}

#[test]
fn a_null_among_long_texts_is_null() {
    let long = "ab".repeat(20_000);
    let column = texts(vec![Some(&long), None, Some("b")]);
    let args = vec![column.clone(), text("b"), text(""), text("g")];
    let found = call(regex::regexp_replace(), args).unwrap();
    assert_eq!(strings(&found), [Some("a".repeat(20_000).as_str()), None, Some("")]);
    let found = call(regex::regexp_count(), vec![column, text("b")]).unwrap();
    assert_eq!(found.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), [Some(20_000), None, Some(1)]);
}

#[test]
fn what_is_wrong_with_a_search_is_said_for_long_texts_too() {
    let long = "ab".repeat(20_000);
    for args in [
        vec![text(&long), text("("), text("x"), text("g")],
        vec![text(&long), text("a"), text("x"), text("gg")],
        vec![text(&long), text("a"), text("x"), text("gq")],
    ] {
        assert!(call(regex::regexp_replace(), args).is_err());
    }
    for args in [vec![text(&long), text("(")], vec![text(&long), text("a"), number(0)]] {
        assert!(call(regex::regexp_count(), args).is_err());
    }
}

/// What goes on for longer than anybody waits ends where it looks.
#[test]
fn a_search_stops_when_nobody_waits() {
    let search = || {
        let stop = Stop::default();
        stop.holds_here();
        let later = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            stop.set();
        });
        let args = vec![text(&"a".repeat(1_000_000)), text("a*b|a"), text("x"), text("g")];
        let found = call(regex::regexp_replace(), args);
        later.join().unwrap();
        found
    };
    let found = std::thread::spawn(search).join().unwrap();
    assert!(found.unwrap_err().to_string().contains("nobody waits"));
}

#[test]
fn a_window_stops_when_nobody_waits() {
    let aggregate = || {
        let stop = Stop::default();
        stop.holds_here();
        let function = capped_aggregate(datafusion::functions_aggregate::string_agg::string_agg_udaf());
        let mut accumulator = with_args(Some(","), |args| function.accumulator(args)).unwrap();
        stop.set();
        accumulator.evaluate()
    };
    assert!(std::thread::spawn(aggregate).join().unwrap().is_err());
}

use super::*;
use serde_json::json;

fn lax() -> Coercion {
    Coercion { strictness: Strictness::Lax, time_zone: TimeZoneName::parse("America/New_York").unwrap() }
}

fn strict() -> Coercion {
    Coercion { strictness: Strictness::Strict, ..lax() }
}

fn read(ty: &str, value: Value) -> Option<String> {
    Type::parse(ty).unwrap().coerce(&value, &lax()).ok().map(|scalar| scalar.to_string())
}

#[test]
fn integers_take_whole_numbers_only() {
    assert_eq!(read("int", json!(5)), Some("5".into()));
    assert_eq!(read("int", json!("5")), Some("5".into()));
    assert_eq!(read("int", json!(5.0)), Some("5".into()));
    for bad in [
        json!(5.5),
        json!(true),
        json!("five"),
        json!(""),
        json!("5.0x"),
        json!(null),
        json!(3_000_000_000_i64),
        json!("1_000"),
    ] {
        assert_eq!(read("int", bad.clone()), None, "{bad}");
    }
    assert_eq!(read("bigint", json!(9_223_372_036_854_775_807_i64)), Some("9223372036854775807".into()));
    assert_eq!(read("bigint", json!(9_223_372_036_854_775_808_u64)), None);
    assert_eq!(read("bigint", json!(1e18)), None, "a float of that size does not say which integer is meant");
}

#[test]
fn strict_takes_no_texts_for_numbers_but_whole_floats_as_json_schema_does() {
    let int = Type::Int;
    assert!(int.coerce(&json!("5"), &strict()).is_err());
    assert!(int.coerce(&json!(5.0), &strict()).is_ok());
    assert!(Type::Boolean.coerce(&json!("true"), &strict()).is_err());
}

#[test]
fn numbers_are_finite() {
    assert_eq!(read("double", json!("1.5")), Some("1.5".into()));
    for bad in [json!("nan"), json!("inf"), json!("1e999"), json!(true), json!("")] {
        assert_eq!(read("double", bad.clone()), None, "{bad}");
    }
}

#[test]
fn decimals_are_exact() {
    let exact = |value| match Type::Decimal(5, 2).coerce(&value, &lax()) {
        Ok(ScalarValue::Decimal128(Some(unscaled), ..)) => Some(unscaled),
        _ => None,
    };
    assert_eq!(exact(json!("123.45")), Some(12345));
    assert_eq!(exact(json!(123.4)), Some(12340));
    assert_eq!(exact(json!("-0.01")), Some(-1));
    assert_eq!(exact(json!("0")), Some(0));
    assert_eq!(exact(json!("1.230")), Some(123));
    for bad in [json!("1.234"), json!("1234.5"), json!("1."), json!(".5"), json!("1,5"), json!("")] {
        assert_eq!(exact(bad.clone()), None, "{bad}");
    }
    // A double keeps 15 digits, of which zeros in front are none.
    let long = |value| Type::Decimal(38, 18).coerce(&value, &lax()).is_ok();
    assert!(long(json!(0.00123456789012345)) && long(json!(123456789012345.0)));
    assert!(!long(json!(0.1234567890123456)) && !long(json!(1234567890.1234567)));
}

#[test]
fn a_number_is_no_text_and_null_is_nothing() {
    assert_eq!(read("text", json!(5)), None);
    assert_eq!(read("text", json!(null)), None);
    assert_eq!(read("text", json!("null")), Some("null".into()));
}

#[test]
fn dates_and_times() {
    assert_eq!(read("date", json!("2013-02-28")), Some("2013-02-28".into()));
    for bad in
        [json!("2013-02-30"), json!("2013-2-1"), json!("28.02.2013"), json!("2013-02-28T00:00:00"), json!(20130228)]
    {
        assert_eq!(read("date", bad.clone()), None, "{bad}");
    }
    assert_eq!(read("time", json!("17:45")), Some("63900000000".into()));
    assert_eq!(read("time", json!("24:00")), None);
    assert_eq!(read("timestamp", json!("2013-01-01 05:00")), Some("1357016400000000".into()));
    assert_eq!(read("timestamp", json!("2013-01-01T05:00:00Z")), None);
    assert_eq!(read("timestamp(0)", json!("2013-01-01T05:00:00.5")), None);
}

#[test]
fn an_instant_without_offset_is_in_the_time_zone_of_the_project() {
    let seconds = |text: &str, coercion: &Coercion| match Type::Timestamptz(0).coerce(&json!(text), coercion) {
        Ok(ScalarValue::TimestampSecond(Some(at), _)) => Some(at),
        _ => None,
    };
    assert_eq!(seconds("2013-01-01T05:00:00Z", &lax()), Some(1_357_016_400));
    assert_eq!(seconds("2013-01-01T00:00:00", &lax()), Some(1_357_016_400));
    assert_eq!(seconds("2013-01-01T00:00:00", &strict()), None);
    // 02:30 is skipped, and 01:30 on 3 November comes twice: PostgreSQL's answers.
    assert_eq!(seconds("2013-03-10T02:30:00", &lax()), seconds("2013-03-10T07:30:00Z", &lax()));
    assert_eq!(seconds("2013-11-03T01:30:00", &lax()), seconds("2013-11-03T06:30:00Z", &lax()));
}

#[test]
fn intervals_in_iso_8601_and_in_words() {
    let make = |text: &str| match Type::Interval.coerce(&json!(text), &lax()) {
        Ok(ScalarValue::IntervalMonthDayNano(Some(value))) => Some((value.months, value.days, value.nanoseconds)),
        _ => None,
    };
    assert_eq!(make("P1Y2M3DT4H"), Some((14, 3, 4 * 3_600_000_000_000)));
    assert_eq!(make("PT0.5S"), Some((0, 0, 500_000_000)));
    assert_eq!(make("P2W"), Some((0, 14, 0)));
    assert_eq!(make("1 day"), Some((0, 1, 0)));
    for bad in ["P", "PT", "P1", "P1H", "1", "soon", "P99999999999Y", ""] {
        assert_eq!(make(bad), None, "{bad}");
    }
}

#[test]
fn lists_and_records_may_come_as_json_text() {
    assert_eq!(read("int[]", json!([1, "2"])), Some("[1, 2]".into()));
    assert_eq!(read("int[]", json!("[1,2]")), Some("[1, 2]".into()));
    assert_eq!(read("int[]", json!([])), Some("[]".into()));
    assert_eq!(read("int[]", json!([1, null])), None);
    assert_eq!(read("struct(a int, b text)", json!({"b": "x", "a": 1})), Some("{a:1,b:x}".into()));
    assert_eq!(read("struct(a int)", json!({"a": 1, "z": 2})), None);
    let error = Type::parse("int[]").unwrap().coerce(&json!([1, "x"]), &lax()).unwrap_err();
    assert_eq!(error.path, "[1]");
}

#[test]
fn an_error_quotes_a_long_value_shortened() {
    let error = Type::Int.coerce(&json!("é".repeat(10_000_000)), &lax()).unwrap_err();
    assert!(error.got.chars().count() <= 61);
}

#[test]
fn an_offset_may_leave_its_minutes_out() {
    let same = read("timestamptz", json!("2024-02-29T10:00:00+07:00"));
    assert!(same.is_some());
    for text in ["2024-02-29T10:00:00+07", "2024-02-29T10:00:00+0700", "2024-02-29 10:00:00+07"] {
        assert_eq!(read("timestamptz", json!(text)), same, "{text}");
        let strict = Type::parse("timestamptz").unwrap().coerce(&json!(text), &strict());
        assert!(strict.is_err(), "{text}");
    }
    for text in
        ["2024-02-29T10:00:00+7", "2024-02-29T10:00:00+070", "2024-02-29T10:00:00+07000", "2024-02-29T10:00:00-"]
    {
        assert_eq!(read("timestamptz", json!(text)), None, "{text}");
    }
}

use super::*;

fn guessed(text: &[u8], format: FileFormat) -> Guess {
    of_several(&[text], format)
}

fn of_several(texts: &[&[u8]], format: FileFormat) -> Guess {
    let samples: Vec<Sample> = texts.iter().map(|text| Sample { text: text.to_vec(), whole: true }).collect();
    let mut guess = Guess::default();
    of_text((&samples, format), Seen::Whole, None, &mut guess).unwrap();
    guess
}

fn settings(guess: &Guess) -> Vec<String> {
    guess.settings.iter().map(|setting| format!("{}: {}", setting.key, setting.value)).collect()
}

fn columns(guess: &Guess) -> Vec<String> {
    let column = |column: &ColumnGuess| format!("{}: {}", column.name, column.ty.as_deref().unwrap_or("?"));
    guess.columns.iter().map(column).collect()
}

#[test]
fn a_plain_file_needs_nothing() {
    let guess = guessed(b"id,name,at\n1,x,2024-01-01\n2,y,2024-01-02\n", FileFormat::Csv);
    assert!(guess.settings.is_empty() && guess.columns.is_empty() && guess.remarks.is_empty(), "{guess:?}");
    assert_eq!(guess.key.unwrap().0, "id");
}

#[test]
fn a_table_of_a_german_office_is_read() {
    let text = "Bericht 2024\n\nPLZ;Name;Betrag;Datum\n01067;K\u{f6}ln;1.234,50;31.12.2024\n50667;k.A.;-;1.2.2025\n99999;M\u{fc}nchen;2,00;NA\n";
    let bytes: Vec<u8> = text.chars().map(|sign| sign as u32 as u8).collect();
    let guess = guessed(&bytes, FileFormat::Csv);
    let expected = [
        "encoding: \"windows-1252\"",
        "delimiter: \";\"",
        "skip_lines: 2",
        "null_value: [\"-\",\"NA\"]",
        "decimal_separator: \",\"",
        "thousands_separator: \".\"",
        "date_format: \"%d.%m.%Y\"",
    ];
    assert_eq!(settings(&guess), expected);
    assert_eq!(columns(&guess), ["PLZ: text", "Betrag: double", "Datum: date"]);
}

#[test]
fn a_line_for_excel_says_the_delimiter() {
    let guess = guessed(b"sep=;\nid;t\n1;x\n2;y\n", FileFormat::Csv);
    assert_eq!(settings(&guess), ["delimiter: \";\"", "skip_lines: 1"]);
    assert_eq!(guess.header.unwrap(), ["id", "t"]);
    let plain = guessed(b"sep=,\r\nid,t\r\n1,x\r\n", FileFormat::Csv);
    assert_eq!(settings(&plain), ["skip_lines: 1"]);
}

#[test]
fn a_quote_behind_a_blank_is_told() {
    let guess = guessed(b"id, name\n1, \"Bob, B\"\n2, \"Ann\"\n3, \"Eve\"\n", FileFormat::Csv);
    let remark = guess.remarks.first().unwrap();
    assert!(
        remark.starts_with("in line 2 a blank stands before a quote: quotes count only right behind `,`"),
        "{remark}"
    );
}

#[test]
fn a_day_that_is_none_is_told() {
    let guess = guessed(b"id,d\n1,2024-02-28\n2,2024-02-30\n", FileFormat::Csv);
    assert_eq!(columns(&guess), ["d: date"]);
    assert!(guess.remarks.first().unwrap().starts_with("`d` holds `2024-02-30`, which is no day: `--on-error null`"));
}

#[test]
fn a_file_without_names_has_no_header() {
    let guess = guessed(b"1,2.5,x\n2,3.5,y\n", FileFormat::Csv);
    assert_eq!(settings(&guess), ["header: false"]);
    let years = guessed(b"country,2019,2020\nA,1.5,2.5\nB,3,4\n", FileFormat::Csv);
    assert!(years.settings.is_empty(), "{years:?}");
}

#[test]
fn a_word_for_null_that_texts_hold_is_told() {
    let guess = guessed(b"country,n\nNA,1\nDE,NA\n", FileFormat::Csv);
    assert_eq!(settings(&guess), ["null_value: \"NA\""]);
    assert_eq!(guess.remarks, ["`NA` is null in the texts of `country` too, 1 times: see `null_value`"]);
}

#[test]
fn names_are_told_apart() {
    let guess = guessed(b",a,a\n1,2,3\n2,3,4\n", FileFormat::Csv);
    assert_eq!(guess.header.unwrap(), ["#1", "a", "a#2"]);
}

#[test]
fn columns_of_json_with_several_types_are_declared() {
    let text = b"{\"a\":1,\"b\":{\"x\":1},\"c\":null}\n{\"a\":\"x\",\"b\":[1],\"c\":1}\n";
    let guess = guessed(text, FileFormat::Ndjson);
    assert_eq!(columns(&guess), ["a: text", "b: json"]);
    assert_eq!(guess.columns.first().unwrap().why, "a number in record 1, a text in record 2");
}

#[test]
fn whatever_is_mixed_with_lists_or_objects_is_json() {
    let text = "{\"a\":{\"x\":1},\"b\":[1],\"c\":[1]}\n{\"a\":\"x\",\"b\":[\"y\"],\"c\":[{\"z\":null}]}\n{\"a\":[],\"b\":null,\"c\":\"t\"}\n";
    assert_eq!(columns(&guessed(text.as_bytes(), FileFormat::Ndjson)), ["a: json", "b: json", "c: json"]);
}

#[test]
fn days_and_times_of_json_are_declared() {
    let text = "{\"d\":\"2024-02-29\",\"t\":\"2024-01-31T10:00:00\",\"z\":\"2024-01-31T10:00:00Z\",\"x\":\"2024-01-01\",\"y\":\"2023-02-29\"}\n\
                {\"d\":null,\"t\":\"2024-01-31 10:00:00.5\",\"z\":\"2024-01-31T10:00:00.25+02:00\",\"x\":\"soon\",\"y\":\"2023-03-01\"}\n";
    let guess = guessed(text.as_bytes(), FileFormat::Ndjson);
    assert_eq!(columns(&guess), ["d: date", "t: timestamp", "z: timestamptz"]);
    assert_eq!(guess.columns.first().unwrap().why, "every text is a day, such as `2024-02-29`");
}

#[test]
fn a_name_that_is_nobody_elses_is_no_key() {
    let key = |text: &str, format| guessed(text.as_bytes(), format).key.map(|(name, _)| name);
    assert_eq!(key("first_name,n\nAnn,1\nBob,2\n", FileFormat::Csv), None);
    assert_eq!(key("sku,n\nA1,1\nB2,2\n", FileFormat::Csv).as_deref(), Some("sku"));
    assert_eq!(key("row,n\n1,x\n2,y\n", FileFormat::Csv).as_deref(), Some("row"));
    assert_eq!(key("{\"first_name\":\"Ann\"}\n{\"first_name\":\"Bob\"}\n", FileFormat::Ndjson), None);
}

#[test]
fn an_encoding_shows_in_the_bytes() {
    let utf16: Vec<u8> = "a,b\n1,x\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(settings(&guessed(&utf16, FileFormat::Csv)), ["encoding: \"utf-16le\""]);
    assert_eq!(settings(&guessed(b"\xEF\xBB\xBF{\"a\":1}\n", FileFormat::Ndjson)), ["encoding: \"utf-8\""]);
}

#[test]
fn names_of_other_columns_than_there_are_values_are_no_text_above() {
    for text in ["a,b,c,d\n1,2,3\n4,5,6\n", "a,b\n1,2,3\n4,5,6\n"] {
        let guess = guessed(text.as_bytes(), FileFormat::Csv);
        assert!(guess.settings.is_empty(), "{text}: {guess:?}");
        assert!(guess.remarks.iter().any(|remark| remark.starts_with("2 rows have other than")), "{guess:?}");
    }
    let titled = guessed(b"Sales, Europe\na,b,c\n1,2,3\n4,5,6\n", FileFormat::Csv);
    assert_eq!(settings(&titled), ["skip_lines: 1"]);
}

#[test]
fn values_of_several_kinds_inside_of_lists_are_json() {
    let guess = guessed(b"{\"a\":[1,[2]],\"b\":[null,{\"x\":1}]}\n{\"a\":[{}],\"b\":null}\n", FileFormat::Ndjson);
    assert_eq!(columns(&guess), ["a: json"]);
    assert_eq!(guess.columns.first().unwrap().why, "a number in record 1, a list in the same place of record 1");
}

#[test]
fn a_column_of_json_that_tells_records_apart_is_a_key() {
    let key = |text: &str| guessed(text.as_bytes(), FileFormat::Ndjson).key.map(|(name, _)| name);
    assert_eq!(key("{\"a\":1,\"user_id\":\"x\"}\n{\"a\":2,\"user_id\":\"y\"}\n").as_deref(), Some("user_id"));
    assert_eq!(key("{\"id\":1}\n{\"id\":1}\n"), None);
    assert_eq!(key("{\"id\":1}\n{\"id\":null}\n"), None);
    assert_eq!(key("{\"id\":1}\n{\"id\":\"1\"}\n"), None);
}

#[test]
fn a_few_values_that_are_no_numbers_are_told() {
    let rows: String = (0..19).map(|number| format!("x,{number}\n")).collect();
    let guess = guessed(format!("a,n\n{rows}y,unknown\n").as_bytes(), FileFormat::Csv);
    let expected = "`n` is text: 1 of its 20 values are no numbers, such as `unknown`; with its type declared as `bigint` and \
                    `on_error: null`, such values are null";
    assert_eq!(guess.remarks, [expected]);
}

#[test]
fn a_word_for_null_or_a_comma_in_any_file_counts() {
    let guess = of_several(&[b"id,x\n1,1.5\n2,2\n", b"id,x\n3,n/a\n"], FileFormat::Csv);
    assert_eq!(settings(&guess), ["null_value: \"n/a\""]);
    let guess = of_several(&[b"id;x\n1;1\n", b"id;x\n2;2,5\n"], FileFormat::Csv);
    assert_eq!(settings(&guess), ["delimiter: \";\"", "decimal_separator: \",\""]);
    assert_eq!(columns(&guess), ["x: double"]);
    assert_eq!(guess.key.unwrap().0, "id");
    // The rows of a file with other columns are none of the table.
    let guess = of_several(&[b"id,x\n1,1.5\n", b"x,id\nn/a,2\n"], FileFormat::Csv);
    assert!(guess.settings.is_empty(), "{guess:?}");
}

#[test]
fn a_column_that_is_text_for_a_few_values_says_why() {
    let why = |text: &str| guessed(text.as_bytes(), FileFormat::Csv).columns.first().unwrap().why.clone();
    assert_eq!(
        why("id,x\n1,1\n2,2\n3,late\n"),
        "text: `late` is no number, as 2 of its 3 values are; `null_value` takes it for null"
    );
    assert!(why("id,x\n1,1\n2,2\n3,late\n4,5\n5,gone\n").contains("`on_error: null` and a declared type"));
    assert_eq!(why("id,x\n1, 1.5\n2,3\n"), "text: a number is written without blanks around it, and not ` 1.5`");
    assert!(guessed(b"id,x\n1,12\n2,12b\n3,a\n", FileFormat::Csv).columns.is_empty());
}

#[test]
fn quotes_that_do_not_end_are_signs_as_any_other() {
    let guess = guessed(b"id\tname\n1\t\"a\n2\tb\"c\n", FileFormat::Tsv);
    assert_eq!(settings(&guess), ["quote: \"\""]);
    // Here others are quotes.
    let guess = guessed(b"id,t\n1,\"he said \\\"hi\\\"\"\n2,\"plain\"\n", FileFormat::Csv);
    assert!(guess.settings.is_empty(), "{guess:?}");
}

#[test]
fn an_encoding_that_cannot_be_told_is_none() {
    let samples = [Sample { text: b"\x94\xD4\x8D\x86,x\n1,\x93\x8C\n".to_vec(), whole: true }];
    let mut guess = Guess::default();
    assert!(of_text((&samples, FileFormat::Csv), Seen::Whole, None, &mut guess).is_err());
    let jis = Encoding::for_label(b"shift_jis");
    assert_eq!(of_text((&samples, FileFormat::Csv), Seen::Whole, jis, &mut guess), Ok(()));
    assert_eq!(guess.header.unwrap(), ["番号", "x"]);
}

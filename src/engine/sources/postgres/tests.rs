//! What is said of PostgreSQL here, tried on a server: the one whose address `QTOOL_TEST_POSTGRES` holds. Without one,
//! nothing is tried.

use super::super::bind::{Bind, Form};
use super::super::driver::{Described, Outline, Request};
use super::super::error::SourceError;
use super::decode::Batch;
use super::encode::parameters;
use super::{describe, survey, types};
use crate::engine::sources::dialect::quoted;
use crate::engine::sources::survey::{RowEstimate, SurveyedKind};
use arrow::array::{Array, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::record_batch::RecordBatch;
use futures::{StreamExt, pin_mut};
use std::sync::Arc;
use tokio_postgres::{Client, NoTls};

/// One row of everything, in the order of [`READ`].
const EVERYTHING: &str = "
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE DOMAIN amount AS numeric(10,2);
    CREATE DOMAIN less AS amount NOT NULL;
    CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE everything (id int PRIMARY KEY, b boolean, i2 smallint, i8 bigint NOT NULL, f4 real, f8 float8,
        n numeric(10,2), nn numeric, m money, t text, v varchar(20) COLLATE nocase, c char(5) COLLATE \"C\", u uuid, j json,
        jb jsonb, by bytea, d date, ti time(3), tz timetz, ts timestamp(3), tsz timestamptz, iv interval, ia int[],
        ta text[], na numeric(6,2)[], e mood, ea mood[], am less, ip inet);
    INSERT INTO everything VALUES (1, true, -2, 9007199254740993, 1.5, 'NaN', 12.50, 1234567890.1234567890123456789012,
        1234.56, 'tëxt', 'v', 'ab', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{\"a\": 1.0}', '{\"b\":[1,2]}', '\\xdeadbeef',
        '2024-03-31', '12:30:15.123', '12:30+02', '2024-03-31 12:30:15.123', '2024-03-31 12:30:15.123456+02',
        '1 mon 2 days 3.5 s', '{1,NULL,3}', '{a,\"b c\",NULL}', '{1.10,2.25}', 'ok', '{sad,ok}', 5, '192.168.1.5');
    CREATE TABLE pair (b int, a text, PRIMARY KEY (a, b));
    CREATE TABLE \"Pair\" (x int);
    CREATE VIEW shown AS SELECT id, n FROM everything;
    CREATE TABLE wrong (id int, at date, PRIMARY KEY (id, at), n numeric(4,1), ia int[], ts timestamp);
    ANALYZE everything, pair, wrong";

/// The columns, their types here, and the values as Arrow writes them.
const READ: [(&str, &str, &str); 29] = [
    ("id", "int", "1"),
    ("b", "boolean", "true"),
    ("i2", "smallint", "-2"),
    ("i8", "bigint", "9007199254740993"),
    ("f4", "real", "1.5"),
    ("f8", "double", "NaN"),
    ("n", "decimal(10,2)", "12.50"),
    ("nn", "text", "1234567890.1234567890123456789012"),
    ("m", "decimal(19,2)", "1234.56"),
    ("t", "text", "tëxt"),
    ("v", "text", "v"),
    ("c", "text", "ab"),
    ("u", "uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("j", "json", "{\"a\": 1.0}"),
    ("jb", "json", "{\"b\": [1, 2]}"),
    ("by", "bytea", "deadbeef"),
    ("d", "date", "2024-03-31"),
    ("ti", "time", "12:30:15.123"),
    ("tz", "text", "12:30:00+02"),
    ("ts", "timestamp", "2024-03-31T12:30:15.123"),
    ("tsz", "timestamptz", "2024-03-31T10:30:15.123456Z"),
    ("iv", "interval", "1 mons 2 days 3.500000000 secs"),
    ("ia", "int[]", "[1, , 3]"),
    ("ta", "text[]", "[a, b c, ]"),
    ("na", "decimal(6,2)[]", "[1.10, 2.25]"),
    ("e", "text", "ok"),
    ("ea", "text", "{sad,ok}"),
    ("am", "decimal(10,2)", "5.00"),
    ("ip", "text", "192.168.1.5/32"),
];

/// A schema of its own in the server that there is, by a name that others do not take.
async fn server(name: &str) -> Option<(Client, String)> {
    let Ok(address) = std::env::var("QTOOL_TEST_POSTGRES") else { return None };
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    let schema = format!("qtool_{name}_{}", std::process::id());
    let begin = format!("CREATE SCHEMA {schema}; SET search_path = {schema}; SET lc_monetary = 'C'");
    client.batch_execute(&begin).await.unwrap();
    Some((client, schema))
}

async fn drop_schema(client: &Client, schema: &str) {
    client.batch_execute(&format!("SET client_min_messages = error; DROP SCHEMA {schema} CASCADE")).await.unwrap();
}

async fn described(client: &Client, name: &[&str]) -> Result<Described, SourceError> {
    let name: Vec<String> = name.iter().map(|part| (*part).to_owned()).collect();
    describe::table(client, "shop", &name).await
}

/// What is asked for to read all of a table.
fn request(described: &Described) -> Request {
    let native = &described.native;
    let field = |(column, nullable): (&crate::catalog::NativeColumn, &bool)| {
        Field::new(&column.name, types::column_type(&column.declared).unwrap().to_arrow(), *nullable)
    };
    let fields: Vec<Field> = native.columns.iter().zip(&described.nullable).map(field).collect();
    let item = |column: &crate::catalog::NativeColumn| {
        let cast = if types::is_read_as_text(&column.declared) { "::text" } else { "" };
        format!("{}{cast}", quoted(&column.name))
    };
    let key = types::row_of(native);
    let items: Vec<String> = native.columns.iter().map(item).chain(key.iter().map(|name| quoted(name))).collect();
    let name: Vec<String> = native.name.iter().map(|part| quoted(part)).collect();
    let outline = Outline {
        table: "shop".into(),
        native: Vec::new(),
        names: fields.iter().map(|field| field.name().clone()).collect(),
        schema: Arc::new(Schema::new(fields)),
        stand_ins: Vec::new(),
        key,
        guarded: Vec::new(),
        version: None,
        others: Vec::new(),
        is_witnessed: false,
        is_authored: false,
        as_told: Vec::new(),
        writes: false,
        has_functions: false,
    };
    let sql = ["SELECT ", &items.join(", "), " FROM ", &name.join("."), " ORDER BY 1"].concat();
    let outline = Arc::new(outline);
    Request { outline, sql, binds: Vec::new(), most: None, batch: 2, session: Vec::new(), deadline: None }
}

async fn rows(client: &Client, request: &Request) -> Result<Vec<RecordBatch>, SourceError> {
    let rows = client.query_typed_raw(&request.sql, parameters(&request.binds)).await.unwrap();
    let (mut batch, mut batches): (Option<Batch>, _) = (None, Vec::new());
    pin_mut!(rows);
    while let Some(row) = rows.next().await {
        let row = row.unwrap();
        let batch = match &mut batch {
            Some(batch) => batch,
            None => batch.insert(Batch::new(request, row.columns(), "shop")?),
        };
        batch.push(&row)?;
        if batch.is_full() {
            batches.push(batch.take()?);
        }
    }
    if let Some(mut batch) = batch.filter(|batch| !batch.is_empty()) {
        batches.push(batch.take()?);
    }
    Ok(batches)
}

fn written(batch: &RecordBatch, at: usize, row: usize) -> String {
    let options = arrow::util::display::FormatOptions::default();
    arrow::util::display::ArrayFormatter::try_new(batch.column(at), &options).unwrap().value(row).to_string()
}

#[tokio::test]
async fn every_type_is_read_as_the_server_writes_it() {
    let Some((client, schema)) = server("types").await else { return };
    client.batch_execute(EVERYTHING).await.unwrap();
    let table = described(&client, &[&schema, "everything"]).await.unwrap();
    assert_eq!((table.native.key.clone(), table.rows, table.sorts_bytes), (vec!["id".to_owned()], Some(1), true));
    let collation = |name: &str| table.native.columns.iter().find(|one| one.name == name).unwrap().collation.clone();
    assert_eq!(collation("v").as_deref(), Some("nocase (nondeterministic)"));
    assert_eq!(collation("c"), None);
    let request = request(&table);
    assert_eq!(request.outline.key, ["id"]);
    let batches = rows(&client, &request).await.unwrap();
    assert_eq!(batches.len(), 1);
    for (at, (name, ty, value)) in READ.into_iter().enumerate() {
        let column = &table.native.columns[at];
        assert_eq!((column.name.as_str(), written(&batches[0], at, 0).as_str()), (name, value), "{}", column.declared);
        assert_eq!(types::column_type(&column.declared).unwrap().to_string(), ty, "{name}");
        assert_eq!(table.nullable[at], !matches!(name, "id" | "i8"), "{name}");
    }
    client
        .batch_execute("TRUNCATE everything; INSERT INTO everything(id, i8, am) VALUES (1, 1, 0), (2, 2, 0), (3, 3, 0)")
        .await
        .unwrap();
    let batches = rows(&client, &request).await.unwrap();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [2, 1]);
    assert!((4..27).all(|at| batches[0].column(at).null_count() == 2));
    drop_schema(&client, &schema).await;
}

#[tokio::test]
async fn names_are_found_as_they_are_meant() {
    let Some((client, schema)) = server("names").await else { return };
    client.batch_execute(EVERYTHING).await.unwrap();
    let pair = described(&client, &[&schema, "pair"]).await.unwrap();
    assert_eq!(
        (pair.native.key, pair.native.name),
        (vec!["a".to_owned(), "b".into()], vec![schema.clone(), "pair".into()])
    );
    let own = described(&client, &[&schema, "Pair"]).await.unwrap();
    assert_eq!(own.native.columns[0].name, "x");
    let shown = described(&client, &[&schema.to_uppercase(), "SHOWN"]).await.unwrap();
    assert!(shown.native.is_view && shown.native.key.is_empty() && shown.rows.is_none());
    let Err(SourceError::NoTable { near, .. }) = described(&client, &[&schema, "everithing"]).await else { panic!() };
    assert_eq!(near, Some(format!("{schema}.everything")));
    drop_schema(&client, &schema).await;
}

#[tokio::test]
async fn a_value_that_is_none_here_is_told_with_its_row() {
    let Some((client, schema)) = server("misfits").await else { return };
    client.batch_execute(EVERYTHING).await.unwrap();
    let request = request(&described(&client, &[&schema, "wrong"]).await.unwrap());
    for (values, told) in [
        (
            "n = 'NaN'",
            "column `n` of table `shop` holds NaN, which is no number, where `id` is 7 and `at` is '2024-01-02'",
        ),
        (
            "ts = '-infinity'",
            "column `ts` of table `shop` holds -infinity, which is no timestamp, where `id` is 7 and `at` is '2024-01-02'",
        ),
        (
            "ia = '{{1}}'",
            "column `ia` of table `shop` holds an array of several dimensions, which is no list, where `id` is 7 and `at` is '2024-01-02'",
        ),
        ("at = 'infinity'", "column `at` of table `shop` holds infinity, which is no date"),
    ] {
        let update =
            format!("TRUNCATE wrong; INSERT INTO wrong(id, at) VALUES (7, '2024-01-02'); UPDATE wrong SET {values}");
        client.batch_execute(&update).await.unwrap();
        let error = rows(&client, &request).await.unwrap_err();
        assert_eq!(error.to_string(), told);
    }
    client.batch_execute("UPDATE wrong SET at = now(); ALTER TABLE wrong ALTER n TYPE text").await.unwrap();
    assert!(matches!(rows(&client, &request).await, Err(SourceError::Changed { .. })));
    drop_schema(&client, &schema).await;
}

/// Numbers of all sizes, without a generator of chance: each has other digits before and behind its point.
fn numbers() -> Vec<String> {
    let mut numbers = Vec::new();
    for whole in 0..17_usize {
        for places in 0..17_usize {
            let digits = |count: usize, from: usize| -> String {
                (0..count).map(|at| char::from(b'0' + ((at * 7 + from * 3 + whole * places) % 10) as u8)).collect()
            };
            let (before, behind) = (digits(whole, 1), digits(places, 4));
            let before = if before.is_empty() { "0" } else { &before };
            let sign = if (whole + places) % 3 == 0 { "-" } else { "" };
            let zeros = "0".repeat(places % 5);
            numbers.push(if places == 0 {
                format!("{sign}{before}")
            } else {
                format!("{sign}{before}.{zeros}{behind}")
            });
        }
    }
    numbers
}

#[tokio::test]
async fn numbers_are_those_of_the_server_both_ways() {
    let Some((client, schema)) = server("numbers").await else { return };
    let schema_of = |ty: DataType| {
        Arc::new(Schema::new(vec![
            Field::new("n", ty, true),
            Field::new("written", DataType::Utf8, true),
            Field::new("same", DataType::Boolean, true),
        ]))
    };
    for number in numbers() {
        let places = number.split_once('.').map_or(0, |(_, behind)| behind.len());
        let digits: i128 = number.replace('.', "").parse().unwrap();
        let sql = "SELECT $1::text::numeric, $1::text::numeric::text, $1::text::numeric = $2";
        let outline = |ty: DataType| Outline {
            table: "numbers".into(),
            native: Vec::new(),
            schema: schema_of(ty),
            names: vec![String::new(); 3],
            stand_ins: Vec::new(),
            key: Vec::new(),
            guarded: Vec::new(),
            version: None,
            others: Vec::new(),
            is_witnessed: false,
            is_authored: false,
            as_told: Vec::new(),
            writes: false,
            has_functions: false,
        };
        let ask = |ty: DataType| Request {
            outline: Arc::new(outline(ty)),
            sql: sql.to_owned(),
            binds: vec![Bind::Text(number.clone()), Bind::Numeric(digits, places as i8)],
            most: None,
            batch: 10,
            session: Vec::new(),
            deadline: None,
        };
        let texts = rows(&client, &ask(DataType::Utf8)).await.unwrap();
        let text = |at: usize| texts[0].column(at).as_any().downcast_ref::<StringArray>().unwrap().value(0).to_owned();
        assert_eq!((text(0), written(&texts[0], 2, 0)), (text(1), "true".to_owned()), "{number}");
        let decimals = rows(&client, &ask(DataType::Decimal128(38, places as i8))).await.unwrap();
        assert_eq!(written(&decimals[0], 0, 0), text(1), "{number}");
    }
    drop_schema(&client, &schema).await;
}

#[tokio::test]
async fn what_is_sent_is_what_the_server_writes() {
    let Some((client, schema)) = server("binds").await else { return };
    let binds = vec![
        Bind::Bool(true),
        Bind::Int(i64::MIN),
        Bind::Double(-0.1),
        Bind::Text("tëxt'\"\\".to_owned()),
        Bind::Bytes(vec![0, 255]),
        Bind::Day(19_813),
        Bind::Local(-1),
        Bind::Instant(1_711_881_015_123_456),
        Bind::Uuid([0xab; 16]),
        Bind::Null(Form::Numeric),
        Bind::Day(i32::MAX),
        Bind::Local(i64::MIN),
        Bind::Day(-2_451_545 + 10_957),
    ];
    let casts: Vec<String> = (1..=binds.len()).map(|at| format!("${at}::text")).collect();
    client.batch_execute("SET timezone = 'UTC'").await.unwrap();
    let row = client.query_typed_raw(&["SELECT ", &casts.join(", ")].concat(), parameters(&binds)).await.unwrap();
    pin_mut!(row);
    let row = row.next().await.unwrap().unwrap();
    let texts: Vec<Option<String>> = (0..binds.len()).map(|at| row.get(at)).collect();
    let texts: Vec<&str> = texts.iter().map(|text| text.as_deref().unwrap_or("NULL")).collect();
    let expected = [
        "true",
        "-9223372036854775808",
        "-0.1",
        "tëxt'\"\\",
        "\\x00ff",
        "2024-03-31",
        "1969-12-31 23:59:59.999999",
        "2024-03-31 10:30:15.123456+00",
        "abababab-abab-abab-abab-abababababab",
        "NULL",
        "infinity",
        "-infinity",
        "4714-11-24 BC",
    ];
    assert_eq!(texts, expected);
    drop_schema(&client, &schema).await;
}

/// Tables with all that is said of them.
const SURVEYED: &str = "
    CREATE TYPE rating AS ENUM ('G', 'PG');
    CREATE DOMAIN tier AS text CHECK (VALUE IN ('gold', 'silver'));
    CREATE TABLE owner (id int PRIMARY KEY, old numeric, name text NOT NULL, tier tier,
        state varchar(9) CHECK (state IN ('open', 'it''s')));
    CREATE TABLE film (film_id int, owner_id int REFERENCES owner, at date, rating rating, kind text,
        price numeric, PRIMARY KEY (film_id, at)) PARTITION BY RANGE (at);
    CREATE TABLE film_2024 PARTITION OF film FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
    COMMENT ON TABLE film IS 'A film
        to rent'; COMMENT ON COLUMN film.price IS 'In dollars';
    CREATE VIEW shown AS SELECT film_id, rating FROM film;
    INSERT INTO owner(id, name) VALUES (1, 'a');
    INSERT INTO film SELECT i, 1, '2024-03-31', 'G', 'k' || i % 3, 1.125 FROM generate_series(1, 100) i;
    ANALYZE owner, film";

#[tokio::test]
async fn what_is_said_of_tables_is_found() {
    let Some((client, schema)) = server("survey").await else { return };
    client.batch_execute(SURVEYED).await.unwrap();
    let mut tables = survey::tables(&client, "shop", "BEGIN READ ONLY").await.unwrap();
    tables.retain(|table| table.schema.as_ref() == Some(&schema));
    let [owner, film, shown] = tables.as_slice() else { panic!("{tables:?}") };
    assert_eq!((owner.name.as_str(), film.name.as_str(), shown.name.as_str()), ("owner", "film", "shown"));
    assert_eq!((&film.kind, &shown.kind, shown.rows), (&SurveyedKind::Table, &SurveyedKind::View, None));
    assert_eq!((film.comment.as_deref(), film.rows), (Some("A film to rent"), Some(RowEstimate::About(100))));
    assert_eq!(film.key, ["film_id", "at"]);
    let [key] = film.foreign_keys.as_slice() else { panic!("{film:?}") };
    assert_eq!(
        (key.columns.join(","), key.schema.as_ref(), key.table.as_str()),
        ("owner_id".into(), Some(&schema), "owner")
    );
    let column = |table: &crate::engine::Surveyed, name: &str| {
        table.columns.iter().find(|column| column.name == name).unwrap().clone()
    };
    assert_eq!(column(owner, "tier").allowed, ["gold", "silver"]);
    assert_eq!(column(owner, "state").allowed, ["open", "it's"]);
    assert_eq!(column(film, "rating").allowed, ["G", "PG"]);
    assert_eq!(column(shown, "rating").allowed, ["G", "PG"]);
    assert_eq!((column(film, "kind").is_category, column(owner, "name").is_category), (true, false));
    assert_eq!((column(film, "at").is_not_null, column(film, "kind").is_not_null), (true, false));
    let price = column(film, "price");
    assert_eq!(
        (price.comment.as_deref(), price.proposal.unwrap().ty.to_string()),
        (Some("In dollars"), "decimal(38,3)".into())
    );
    // Without a value, nobody knows how many places there are to be.
    assert_eq!(column(owner, "old").proposal.unwrap().ty.to_string(), "text");
    drop_schema(&client, &schema).await;
}

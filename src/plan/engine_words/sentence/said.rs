//! The planner says every one of the words that a sentence is made without.

use super::super::tests::refusal;
use super::super::{NO_OPERATOR, OF_SUBQUERIES, missing_table};
use super::{KINDS, PHRASES, TAILS};

/// Queries that the planner refuses, each in other words.
const QUERIES: [&str; 23] = [
    "SELECT nope FROM a",
    "SELECT id / 0 FROM a",
    "SELECT interval '3 fortnights' FROM a",
    "SELECT s RLIKE 'x' FROM a",
    "SELECT * FROM a UNPIVOT (x FOR y IN (id, k))",
    "SELECT id FROM a WHERE id = ANY (SELECT [1] FROM b)",
    "SELECT sum(true)",
    "SELECT coalesce()",
    "SELECT arrow_cast(1, 'Foo')",
    "SELECT round('x', 'y', 'z')",
    "SELECT sqrt([1])",
    "SELECT corr('x', [1])",
    "SELECT avg('x', 'y')",
    "SELECT date_trunc(1, 2)",
    "SELECT lpad([1], 'x')",
    "SELECT id FROM a ORDER BY id IN (SELECT 1)",
    "SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b LEFT JOIN (SELECT c.id + a.id AS x FROM b c) ON b.id = x)",
    "SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b LEFT JOIN (VALUES (a.id)) ON b.id = column1)",
    "SELECT id, (SELECT * FROM (VALUES (a.id)) v) FROM a",
    "SELECT (SELECT b.id FROM b WHERE b.k = a.k) FROM a",
    "SELECT (SELECT b.id FROM b WHERE b.k > a.k LIMIT 1) FROM a",
    "SELECT EXISTS (SELECT 1 FROM b WHERE b.k > a.k LIMIT 1) OR id = 1 FROM a",
    "SELECT * FROM a, LATERAL (SELECT b.id FROM b WHERE b.id < a.id LIMIT 1) c",
];

async fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for sql in QUERIES {
        let text = refusal(sql).await.strip_backtrace();
        texts.push(text.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    }
    texts
}

#[tokio::test]
async fn insides() {
    let texts = texts().await;
    let words = KINDS.into_iter().chain(PHRASES.map(|(from, _)| from)).chain(TAILS);
    let between = [" failed to match any signature, errors: ", ",Error during planning: ", " (DataType: "];
    let known: Vec<&str> = words.chain(between).collect();
    let unsaid: Vec<&&str> = known.iter().filter(|words| !texts.iter().any(|text| text.contains(**words))).collect();
    assert!(unsaid.is_empty(), "nobody says {unsaid:?}: {texts:#?}");
}

#[tokio::test]
async fn subqueries() {
    let texts: Vec<String> = texts().await.iter().map(|text| text.to_lowercase()).collect();
    let operator = NO_OPERATOR.to_lowercase();
    let known: Vec<&str> = OF_SUBQUERIES.into_iter().chain([operator.as_str()]).collect();
    let unsaid: Vec<&&str> = known.iter().filter(|words| !texts.iter().any(|text| text.contains(**words))).collect();
    assert!(unsaid.is_empty(), "nobody says {unsaid:?}: {texts:#?}");
}

#[tokio::test]
async fn tables() {
    let error = refusal("SELECT * FROM missing").await;
    let told = error.diagnostic().map(|told| told.message.clone()).unwrap_or_default();
    assert!(missing_table(&told).is_some_and(|name| name.ends_with("missing")), "{told}");
}

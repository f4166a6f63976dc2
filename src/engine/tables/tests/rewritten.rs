//! Tables whose files are rewritten, as their files change.

use super::*;
use std::time::Duration;

/// The sum of a column of a table over `n.csv` that is rewritten, before and after a change.
async fn sums(text: &str, change: impl Fn(&Path)) -> [Result<String, String>; 2] {
    let dir = project(&[("n.csv", text)]);
    let value = json!({ "path": "n.csv", "on_error": "null", "columns": { "n": "bigint" } });
    let ctx = SessionContext::new();
    let table = open(&ctx, &Roots::new(dir.path(), &[]).unwrap(), &source(value), None).await.unwrap().provider;
    ctx.register_table("t", table).unwrap();
    let sum = async || {
        let batches = select(&ctx, "SELECT sum(n) AS s FROM t").await.unwrap().collect().await;
        let batches = batches.map_err(|error| error.to_string())?;
        Ok(arrow::util::display::array_value_to_string(batches[0].column(0), 0).unwrap())
    };
    let before = sum().await;
    tokio::time::sleep(Duration::from_millis(150)).await;
    change(&dir.path().join("n.csv"));
    [before, sum().await]
}

#[tokio::test]
async fn a_change_in_place_that_keeps_length_and_modification_time_is_seen() {
    let in_place = |path: &Path| {
        let modified = fs::metadata(path).unwrap().modified().unwrap();
        let mut file = fs::File::options().write(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, b"n,t\n7").unwrap();
        file.set_modified(modified).unwrap();
    };
    assert_eq!(sums("n,t\n1,x\n2,y\n", in_place).await, [Ok("3".to_owned()), Ok("9".to_owned())]);
}

#[tokio::test]
async fn a_file_that_cannot_be_rewritten_any_more_is_told() {
    let broken = |path: &Path| fs::write(path, b"n,t\n1,\xFF\n").unwrap();
    let [before, after] = sums("n,t\n1,x\n", broken).await;
    assert_eq!(before, Ok("1".to_owned()));
    assert!(after.unwrap_err().contains("line 2 holds bytes that are no utf-8"));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_at_once_over_a_changed_file_read_the_same() {
    let rows: String = (0..20_000).map(|number| format!("{number},x\n")).collect();
    let dir = project(&[("n.csv", "n,t\n1,x\n")]);
    let value = json!({ "path": "n.csv", "on_error": "null", "columns": { "n": "bigint" } });
    let ctx = SessionContext::new();
    let table = open(&ctx, &Roots::new(dir.path(), &[]).unwrap(), &source(value), None).await.unwrap().provider;
    ctx.register_table("t", table).unwrap();
    fs::write(dir.path().join("n.csv"), format!("n,t\n{rows}")).unwrap();
    let count = async || {
        let batches = select(&ctx, "SELECT count(*) AS c FROM t").await.unwrap().collect().await.unwrap();
        arrow::util::display::array_value_to_string(batches[0].column(0), 0).unwrap()
    };
    let counts = tokio::join!(count(), count(), count(), count(), count(), count());
    let all = "20000".to_owned();
    assert_eq!(counts, (all.clone(), all.clone(), all.clone(), all.clone(), all.clone(), all));
}

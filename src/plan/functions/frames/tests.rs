use super::*;
use crate::plan::functions::Functions;
use crate::plan::session_sql::select;
use datafusion::arrow::array::{Float64Array, Int64Array, RecordBatch};
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::config::ConfigOptions;
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;

/// Numbers that look like chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn value(&mut self) -> Option<f64> {
        match self.below(20) {
            0 => None,
            1 => Some(f64::NAN),
            2 => Some(f64::INFINITY),
            3 => Some(f64::NEG_INFINITY),
            4 => Some(1e300),
            5 => Some(-1e20),
            _ => Some(self.below(1000) as f64 / 8.0),
        }
    }
}

const FUNCTIONS: [&str; 17] = [
    "sum",
    "avg",
    "var",
    "var_pop",
    "stddev",
    "stddev_pop",
    "covar_samp",
    "covar_pop",
    "corr",
    "regr_slope",
    "regr_intercept",
    "regr_r2",
    "regr_avgx",
    "regr_avgy",
    "regr_sxx",
    "regr_syy",
    "regr_sxy",
];

fn is_near(one: &ScalarValue, other: &ScalarValue) -> bool {
    match (one, other) {
        (ScalarValue::Float64(Some(one)), ScalarValue::Float64(Some(other))) => {
            one == other
                || (one.is_nan() && other.is_nan())
                || (one - other).abs() <= 1e-6 * one.abs().max(other.abs()).max(1.0)
        }
        (one, other) => one == other,
    }
}

fn arrays(rows: &[(Option<f64>, Option<f64>)]) -> Vec<ArrayRef> {
    let one: Float64Array = rows.iter().map(|row| row.0).collect();
    let other: Float64Array = rows.iter().map(|row| row.1).collect();
    vec![Arc::new(one), Arc::new(other)]
}

#[test]
fn every_function_is_one_of_them() {
    let functions = Functions::configured(&ConfigOptions::default());
    for name in FUNCTIONS {
        assert!(functions.aggregate.contains_key(name), "{name}");
        assert!(Kind::of(name).is_some(), "{name}");
    }
}

#[test]
fn a_frame_is_as_if_it_were_alone() {
    let mut chance = Chance(7);
    let rows: Vec<_> = (0..400).map(|_| (chance.value(), chance.value())).collect();
    for name in FUNCTIONS {
        let kind = Kind::of(name).unwrap();
        let columns =
            if matches!(kind, Kind::Total(_)) || name.starts_with("var") || name.starts_with("std") { 1 } else { 2 };
        let mut sliding = kind.accumulator(&DataType::Float64);
        let (mut start, mut end) = (0, 0);
        while end < rows.len() {
            let next = (end + chance.below(4) as usize).min(rows.len());
            sliding.update_batch(&arrays(&rows[end..next])[..columns]).unwrap();
            end = next;
            let gone = (start + chance.below(5) as usize).min(end);
            sliding.retract_batch(&arrays(&rows[start..gone])[..columns]).unwrap();
            start = gone;
            let mut alone = kind.accumulator(&DataType::Float64);
            alone.update_batch(&arrays(&rows[start..end])[..columns]).unwrap();
            let (found, right) = (sliding.evaluate().unwrap(), alone.evaluate().unwrap());
            let plain = rows[start..end].iter().all(|row| {
                let is_plain = |value: Option<f64>| value.is_none_or(|value| value.abs() < 1e6);
                is_plain(row.0) && (columns == 1 || is_plain(row.1))
            });
            // What overflows, and what is lost beside a large number, depends on the order in which it is added.
            if plain {
                assert!(is_near(&found, &right), "{name} {start}..{end}: {found} {right}");
            } else {
                assert_eq!(found.is_null(), right.is_null(), "{name} {start}..{end}: {found} {right}");
            }
        }
    }
}

#[test]
fn what_left_is_forgotten() {
    for large in [1e20, 1e300, f64::NAN, f64::INFINITY] {
        let rows = [(Some(large), Some(large)), (Some(1.0), Some(2.0)), (Some(5.0), Some(10.0)), (None, Some(1.0))];
        for name in FUNCTIONS {
            let mut sliding = Kind::of(name).unwrap().accumulator(&DataType::Float64);
            sliding.update_batch(&arrays(&rows)).unwrap();
            sliding.evaluate().unwrap();
            sliding.retract_batch(&arrays(&rows[..1])).unwrap();
            let mut alone = Kind::of(name).unwrap().accumulator(&DataType::Float64);
            alone.update_batch(&arrays(&rows[1..])).unwrap();
            assert!(is_near(&sliding.evaluate().unwrap(), &alone.evaluate().unwrap()), "{name}");
        }
    }
}

/// A table `t(id, v, w)`.
fn session(values: &[(Option<f64>, Option<f64>)]) -> SessionContext {
    let ctx = SessionContext::new();
    let mut fields = vec![Field::new("id", DataType::Int64, false)];
    fields.extend(["v", "w"].map(|name| Field::new(name, DataType::Float64, true)));
    let schema = Arc::new(Schema::new(fields));
    let mut columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from_iter_values(0..values.len() as i64))];
    columns.extend(arrays(values));
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
    ctx.register_table("t", Arc::new(MemTable::try_new(schema, vec![vec![batch]]).unwrap())).unwrap();
    ctx
}

async fn column(ctx: &SessionContext, sql: &str) -> Vec<Option<f64>> {
    let mut values = Vec::new();
    for batch in select(ctx, sql).await.unwrap().collect().await.unwrap() {
        values.extend(batch.column(0).as_primitive::<Float64Type>().iter());
    }
    values
}

#[tokio::test]
async fn frames_of_every_kind_are_those_of_a_join() {
    let mut chance = Chance(11);
    let values: Vec<_> = (0..60).map(|_| (chance.value(), chance.value())).collect();
    let ctx = session(&values);
    for (before, behind) in [(3_usize, 0_usize), (2, 2), (0, 4)] {
        for unit in ["ROWS", "RANGE", "GROUPS"] {
            let frame = format!("{unit} BETWEEN {before} PRECEDING AND {behind} FOLLOWING");
            for call in ["sum(v)", "avg(v)", "stddev_pop(v)", "covar_pop(v, w)"] {
                let sql = format!("SELECT {call} OVER (ORDER BY id {frame}) FROM t ORDER BY id");
                let found = column(&ctx, &sql).await;
                let call = call.replace("(v", "(u.v").replace(", w", ", u.w");
                let frame = format!("u.id BETWEEN t.id - {before} AND t.id + {behind}");
                let joined = format!("SELECT {call} FROM t JOIN t AS u ON {frame} GROUP BY t.id ORDER BY t.id");
                let right = column(&ctx, &joined).await;
                assert_eq!(found.len(), right.len());
                for (at, (found, right)) in found.into_iter().zip(right).enumerate() {
                    let (from, to) = (at.saturating_sub(before), at + behind);
                    let rows = &values[from..(to + 1).min(values.len())];
                    let is_plain = |value: Option<f64>| value.is_none_or(|value| value.abs() < 1e6);
                    if rows.iter().all(|row| is_plain(row.0) && is_plain(row.1)) {
                        let (found, right) = (ScalarValue::Float64(found), ScalarValue::Float64(right));
                        assert!(is_near(&found, &right), "{sql} {at}: {found} {right}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_large_number_spoils_its_own_frames_alone() {
    let values = [1e20, 1.0, 1.0, 5.0, 7.0].map(|value| (Some(value), None));
    let sql = "SELECT sum(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t ORDER BY id";
    let right = [1e20, 1e20, 2.0, 6.0, 12.0].map(Some);
    assert_eq!(column(&session(&values), sql).await, right);
}

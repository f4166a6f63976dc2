//! What tells the rows of an operator apart, and what of them is left to chance.

use super::chance::{Obstacle, worse};
use datafusion::arrow::datatypes::DataType;
use std::collections::BTreeSet;

/// Columns of an operator, by their places.
pub(super) type Columns = BTreeSet<usize>;

/// More keys than that are not followed.
const MOST_KEYS: usize = 16;

/// What is known of the rows of an operator.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// Sets of columns that no two rows are equal in. The empty one: there is one row at the most.
    pub keys: Vec<Columns>,
    /// Columns, and those that have one value wherever these have.
    pub determined: Vec<(Columns, Columns)>,
    /// Columns that have one value in all rows.
    pub constant: Columns,
    /// Columns that are equal in every row.
    pub equal: Vec<(usize, usize)>,
    /// Why a column may have other values when the same is asked again, by column.
    pub chance: Vec<Option<Obstacle>>,
    /// Why there may be other rows then.
    pub rows: Option<Obstacle>,
}

impl Facts {
    /// So many columns that nothing is known of, and that are the same each time.
    pub(super) fn of_width(width: usize) -> Facts {
        Facts { chance: vec![None; width], ..Facts::default() }
    }

    /// Rows of which nothing can be told.
    pub(super) fn unknown(width: usize, why: Obstacle) -> Facts {
        Facts { rows: Some(why), ..Facts::of_width(width) }
    }

    /// Adds a key.
    pub(super) fn identified_by(mut self, key: Columns) -> Facts {
        let width = self.chance.len();
        if self.keys.len() < MOST_KEYS && !self.keys.contains(&key) {
            self.determined.push((key.clone(), (0..width).collect()));
            self.keys.push(key);
        }
        self
    }

    /// Adds a reason for which rows there are.
    pub(super) fn with_rows(mut self, why: Option<Obstacle>) -> Facts {
        self.rows = worse(self.rows.take(), why);
        self
    }

    /// All columns whose values follow from some.
    pub(super) fn closure(&self, columns: &Columns) -> Columns {
        let mut all: Columns = columns.union(&self.constant).copied().collect();
        loop {
            let before = all.len();
            for (one, other) in &self.equal {
                if all.contains(one) || all.contains(other) {
                    all.extend([*one, *other]);
                }
            }
            for (these, those) in &self.determined {
                if these.is_subset(&all) {
                    all.extend(those);
                }
            }
            if all.len() == before {
                return all;
            }
        }
    }

    /// Whether no two rows are equal in some columns.
    pub(super) fn identifies(&self, columns: &Columns) -> bool {
        let all = self.closure(columns);
        self.keys.iter().any(|key| key.is_subset(&all))
    }

    /// Whether rows that are equal in some columns are equal in all, so that it is the same which of them comes first.
    pub(super) fn tells_all(&self, columns: &Columns) -> bool {
        self.identifies(columns) || self.closure(columns).len() >= self.chance.len()
    }

    /// The fewest of `held` that tell rows apart which are equal in `fixed`; `None` where all of them do not.
    pub(super) fn missing(&self, fixed: &Columns, held: &[usize]) -> Option<Vec<usize>> {
        let telling = |at: &usize| {
            self.keys.iter().any(|key| key.contains(at))
                || self.determined.iter().any(|(these, _)| these.contains(at))
                || self.equal.iter().any(|(one, other)| one == at || other == at)
        };
        let mut chosen: Vec<usize> = held.iter().copied().filter(telling).collect();
        let together = |chosen: &[usize]| fixed.iter().chain(chosen).copied().collect::<Columns>();
        if !self.identifies(&together(&chosen)) {
            return None;
        }
        for at in (0..chosen.len()).rev() {
            let mut fewer = chosen.clone();
            fewer.remove(at);
            if self.identifies(&together(&fewer)) {
                chosen = fewer;
            }
        }
        Some(chosen)
    }

    /// The rows of two operators side by side.
    pub(super) fn beside(self, right: Facts) -> Facts {
        let by = self.chance.len();
        let shifted = |columns: &Columns| columns.iter().map(|at| at + by).collect::<Columns>();
        let mut both = self;
        both.constant.extend(shifted(&right.constant));
        both.equal.extend(right.equal.iter().map(|(one, other)| (one + by, other + by)));
        both.determined.extend(right.determined.iter().map(|(these, those)| (shifted(these), shifted(those))));
        let left_keys = std::mem::take(&mut both.keys);
        let pairs = left_keys.iter().flat_map(|left| right.keys.iter().map(move |right| (left, right)));
        let joined = pairs.map(|(left, right)| left.union(&shifted(right)).copied().collect());
        both.keys.extend(joined.take(MOST_KEYS));
        both.chance.extend(right.chance);
        both.with_rows(right.rows)
    }

    /// What is left where only the columns themselves and chance are known: rows may be null that have a match nowhere.
    pub(super) fn loosened(self) -> Facts {
        Facts { determined: Vec::new(), constant: Columns::new(), equal: Vec::new(), ..self }
    }

    /// The same rows in other columns: `sources` tells which column of before each of them is, if it is one.
    pub(super) fn mapped(&self, sources: &[Option<usize>]) -> Facts {
        let place = |at: usize| {
            let direct = sources.iter().position(|source| *source == Some(at));
            direct.or_else(|| {
                let mut same = self.equal.iter().filter_map(|(one, other)| match at {
                    _ if *one == at => Some(*other),
                    _ if *other == at => Some(*one),
                    _ => None,
                });
                same.find_map(|same| sources.iter().position(|source| *source == Some(same)))
            })
        };
        let all = |columns: &Columns| {
            let varying = columns.iter().filter(|at| !self.constant.contains(at));
            varying.map(|at| place(*at)).collect::<Option<Columns>>()
        };
        let some = |columns: &Columns| columns.iter().filter_map(|at| place(*at)).collect::<Columns>();
        let held: Vec<usize> = sources.iter().flatten().copied().collect();
        let fewest = self.missing(&Columns::new(), &held).map(|key| key.into_iter().filter_map(place).collect());
        let mut keys: Vec<Columns> = fewest.into_iter().chain(self.keys.iter().filter_map(all)).collect();
        keys.dedup();
        let mut equal: Vec<(usize, usize)> =
            self.equal.iter().filter_map(|(one, other)| Some((place(*one)?, place(*other)?))).collect();
        for (at, source) in sources.iter().enumerate() {
            let first = source.and_then(|source| sources.iter().position(|other| *other == Some(source)));
            equal.extend(first.filter(|first| *first < at).map(|first| (first, at)));
        }
        Facts {
            keys,
            determined: self.determined.iter().filter_map(|(these, those)| Some((all(these)?, some(those)))).collect(),
            constant: some(&self.constant),
            equal,
            chance: sources.iter().map(|source| self.chance.get((*source)?).cloned().flatten()).collect(),
            rows: self.rows.clone(),
        }
    }
}

/// Whether equal values of a type are the same value: `0.0` equals `-0.0`, and a day equals 24 hours.
pub(super) fn is_exact(ty: &DataType) -> bool {
    ty.is_integer()
        || ty.is_decimal()
        || matches!(ty, DataType::Boolean | DataType::Date32 | DataType::Date64)
        || matches!(ty, DataType::Time32(_) | DataType::Time64(_) | DataType::Timestamp(..))
        || matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        || matches!(ty, DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_))
}

/// Whether values of a type have an order that every sort of the engine agrees on.
pub(super) fn is_ordered(ty: &DataType) -> bool {
    match ty {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            is_ordered(item.data_type())
        }
        DataType::Struct(fields) => !fields.is_empty() && fields.iter().all(|field| is_ordered(field.data_type())),
        DataType::Dictionary(_, values) => is_ordered(values),
        other => !other.is_nested(),
    }
}

//! Keys of databases that databases of another kind have.

use super::Checked;
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::project::SourceConfig;
use serde_json::{Map, Value};

/// Keys that say the same in databases of two kinds.
const ALIKE: [&str; 2] = ["max_idle_connections", "max_connections"];

/// What other programs call those.
const POOLS: [&str; 5] = ["pool_size", "max_pool_size", "pool", "connections", "connection_limit"];

/// Reports them.
pub(super) fn check_keys(
    checked: &Checked<'_>,
    source: &Map<String, Value>,
    kind: DatabaseKind,
    sink: &mut Diagnostics,
) {
    let ours = SourceConfig::own_keys(kind);
    for key in source.keys().filter(|key| !ours.contains(&key.as_str())) {
        let path = ["sources", checked.name, key.as_str()];
        let place = checked.document.key_span(&path);
        if POOLS.contains(&key.as_str()) {
            sink.forget_at(Code::UnknownKey, &[place]);
            sink.push(codes::unknown_key_of_source(place, key, ours, &|ours| source.contains_key(ours)));
            continue;
        }
        let has_key = |other: &DatabaseKind| *other != kind && SourceConfig::own_keys(*other).contains(&key.as_str());
        let Some(other) = DatabaseKind::ALL.into_iter().find(has_key) else { continue };
        let instead = ALIKE.iter().find(|alike| ALIKE.contains(&key.as_str()) && ours.contains(*alike));
        let instead = instead.copied().filter(|instead| !source.contains_key(*instead));
        let edit = checked.document.removing_edit(&path);
        let kinds = (other.title(), kind.title());
        sink.push(codes::key_of_other_database((place, key), checked.name, kinds, (instead, edit)));
    }
}

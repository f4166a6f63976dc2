//! Functions that choose one of their arguments, for times of day of several units: DataFusion has no type for both.

use super::hand_on::hand_on_scalar;
use crate::plan::meeting;
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::{ScalarUDF, ScalarUDFImpl};
use std::sync::Arc;

/// The functions that say themselves what type their arguments become.
const FUNCTIONS: [&str; 3] = ["coalesce", "greatest", "least"];

/// The function, with a type for times of several units.
pub(super) fn alike(function: Arc<ScalarUDF>) -> Arc<ScalarUDF> {
    if FUNCTIONS.contains(&function.name()) && !function.inner().is::<Alike>() {
        Arc::new(ScalarUDF::from(Alike { inner: function }))
    } else {
        function
    }
}

/// Such a function.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Alike {
    inner: Arc<ScalarUDF>,
}

// A wrapper has to hand on every method: the lint finds one that a new version adds.
#[warn(clippy::missing_trait_methods)]
impl ScalarUDFImpl for Alike {
    hand_on_scalar! {
        name aliases display_name schema_name signature return_type return_field_from_args is_nullable is_strict
        invoke_with_args simplify preimage short_circuits conditional_arguments evaluate_bounds propagate_constraints
        output_ordering preserves_lex_ordering strictly_order_preserving struct_field_mapping documentation placement
    }

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        let inner = self.inner.inner().with_updated_config(config)?;
        Some(ScalarUDF::from(Alike { inner: Arc::new(inner) }))
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        let is_time = |ty: &DataType| matches!(ty, DataType::Time32(_) | DataType::Time64(_) | DataType::Null);
        match meeting::met(arg_types) {
            Some(time) if arg_types.iter().all(is_time) => Ok(vec![time; arg_types.len()]),
            _ => self.inner.coerce_types(arg_types),
        }
    }
}

//! The functions a query may call: DataFusion's, plus the two markers of optional clauses and that of `AT TIME ZONE`.
//!
//! Table functions that read files or URLs are not among them.

mod aliases;
mod alike;
pub(in crate::plan) mod averages;
mod caps;
mod documents;
mod familiar;
mod frames;
mod guests;
mod hand_on;
mod mode;
mod percentiles;
mod structs;
mod sums;
mod times;
mod wide_sums;

pub(crate) use caps::{
    CONSTANTS, Constants, IS_LARGER, TOO_MANY_STEPS, capped_again, counting_constants, joined_texts, stays_a_search,
};
pub(crate) use documents::{NO_JSON, NO_PATH};
pub(crate) use times::{NO_READING_FORMAT, NO_TIME_IN_FORMAT};

use crate::plan::operands::Operands;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use arrow::datatypes::DataType;
use datafusion::catalog::TableFunction;
use datafusion::common::{Result, internal_err};
use datafusion::config::ConfigOptions;
use datafusion::execution::{SessionState, SessionStateBuilder, SessionStateDefaults};
use datafusion::logical_expr::planner::ExprPlanner;
use datafusion::logical_expr::{
    AggregateUDF, ColumnarValue, HigherOrderUDF, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
    WindowUDF,
};
use datafusion::prelude::SessionConfig;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Every function by each of its names.
pub struct Functions {
    /// Functions of one row.
    pub scalar: HashMap<String, Arc<ScalarUDF>>,
    /// Functions that take a function.
    pub higher_order: HashMap<String, Arc<HigherOrderUDF>>,
    /// Functions of many rows.
    pub aggregate: HashMap<String, Arc<AggregateUDF>>,
    /// Functions of a window of rows.
    pub window: HashMap<String, Arc<WindowUDF>>,
    /// Functions in `FROM`.
    pub table: HashMap<String, Arc<TableFunction>>,
    /// What turns operators and literals of nested types into functions.
    pub planners: Vec<Arc<dyn ExprPlanner>>,
    /// The options that functions such as `now` were made with.
    pub options: ConfigOptions,
    /// A session without tables, for the table functions that ask for one.
    pub session: SessionState,
}

static FUNCTIONS: LazyLock<Functions> = LazyLock::new(|| {
    let mut options = ConfigOptions::default();
    // Which zone is the project's affair and changes no type; that there is one makes `now()` an instant.
    options.execution.time_zone = Some("+00:00".to_owned());
    Functions::configured(&options)
});

/// The functions; one registry for the process.
pub fn all() -> &'static Functions {
    &FUNCTIONS
}

/// The marker functions, which an engine registers as well before it plans a tool's statement.
pub fn markers() -> [ScalarUDF; 2] {
    [OPTIONAL_AND, OPTIONAL_OR].map(|name| {
        ScalarUDF::from(Marker {
            name,
            signature: Signature::exact(vec![DataType::Boolean, DataType::Utf8], Volatility::Immutable),
        })
    })
}

/// The function that tells whether a text matches a pattern.
pub(crate) fn pattern_match() -> Arc<ScalarUDF> {
    static MATCH: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| caps::capped(datafusion::functions::regex::regexp_like()));
    Arc::clone(&MATCH)
}

/// What the planner itself understands beside the registered functions.
const BUILT_INTO_THE_PLANNER: [&str; 4] = ["unnest", "unnest_outer", "grouping", "make_map"];

impl Functions {
    /// The functions as they behave under these options (the time zone of `now`, say).
    pub fn configured(options: &ConfigOptions) -> Functions {
        let mut planners = SessionStateDefaults::default_expr_planners();
        planners.insert(0, Arc::new(Operands));
        let mut functions = Functions {
            scalar: HashMap::new(),
            higher_order: HashMap::new(),
            aggregate: HashMap::new(),
            window: HashMap::new(),
            table: HashMap::new(),
            planners,
            options: options.clone(),
            session: SessionStateBuilder::new().with_config(SessionConfig::from(options.clone())).build(),
        };
        let scalar = SessionStateDefaults::default_scalar_functions();
        let at_zone = crate::plan::zones::at_zone(options).ok().map(Arc::new);
        let date_diff = crate::plan::zones::date_diff(options).ok().map(Arc::new);
        let own = documents::document_functions().chain(familiar::familiar_functions());
        let own = own.chain(times::reading_functions()).map(Arc::new);
        // Its types have no decimals among them: it made doubles of those. `coalesce` is the same, with all types.
        let scalar = scalar.into_iter().filter(|function| function.name() != "nvl");
        for function in scalar.chain(markers().map(Arc::new)).chain(at_zone).chain(date_diff).chain(own) {
            let function = function.inner().with_updated_config(options).map_or(function, Arc::new);
            let function = alike::alike(caps::capped(function));
            for name in names(function.name(), function.aliases()) {
                functions.scalar.insert(name, Arc::clone(&function));
            }
        }
        if let Some(structs) = structs::Structs::of(&functions.scalar) {
            functions.planners.insert(0, Arc::new(structs));
        }
        for function in SessionStateDefaults::default_higher_order_functions() {
            for name in names(function.name(), function.aliases()) {
                functions.higher_order.insert(name, Arc::clone(&function));
            }
        }
        let own = std::iter::once(mode::mode_function());
        for function in SessionStateDefaults::default_aggregate_functions().into_iter().chain(own) {
            let function = caps::capped_aggregate(frames::summed_up(percentiles::exact(sums::checked(function))));
            for name in names(function.name(), function.aliases()) {
                functions.aggregate.insert(name, Arc::clone(&function));
            }
        }
        for function in SessionStateDefaults::default_window_functions() {
            for name in names(function.name(), function.aliases()) {
                functions.window.insert(name, Arc::clone(&function));
            }
        }
        for function in SessionStateDefaults::default_table_functions() {
            functions.table.insert(function.name().to_owned(), function);
        }
        functions.add_aliases();
        functions
    }

    /// Adds what functions are called elsewhere.
    fn add_aliases(&mut self) {
        for (alias, name) in aliases::scalar_aliases() {
            if let Some(function) = self.scalar.get(name).cloned() {
                self.scalar.entry(alias.to_owned()).or_insert(function);
            }
        }
        for (alias, name) in aliases::aggregate_aliases() {
            if let Some(function) = self.aggregate.get(name).cloned() {
                self.aggregate.entry(alias.to_owned()).or_insert(function);
            }
        }
    }

    /// Whether there is a function of that name, of any kind.
    pub fn knows(&self, name: &str) -> bool {
        self.scalar.contains_key(name)
            || self.higher_order.contains_key(name)
            || self.aggregate.contains_key(name)
            || self.window.contains_key(name)
            || self.table.contains_key(name)
            || BUILT_INTO_THE_PLANNER.contains(&name)
    }

    /// The names that a user may call.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.scalar
            .keys()
            .chain(self.higher_order.keys())
            .chain(self.aggregate.keys())
            .chain(self.window.keys())
            .chain(self.table.keys())
            .map(String::as_str)
            .filter(|name| *name != OPTIONAL_AND && *name != OPTIONAL_OR)
    }
}

fn names(name: &str, aliases: &[String]) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(aliases.iter().cloned()).collect()
}

/// Stands around the condition of an optional clause until a call decides whether it applies.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Marker {
    name: &'static str,
    signature: Signature,
}

impl ScalarUDFImpl for Marker {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        // Binding replaces every marker before a plan runs.
        internal_err!("an optional clause was not resolved")
    }
}

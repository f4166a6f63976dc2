//! Tools written in Rust, beside those written in SQL: a function from arguments to a plan or to rows.
//!
//! They are called, checked, capped, encoded and recorded like all others.

use super::bind::Caller;
use super::bind::schema::InputSchema;
use super::core::Core;
use super::error::CallError;
use super::failure::internal_error;
use crate::engine::code::CallCode;
use crate::project::{AutomaticParameter, ResultLimit, TableFormat, Timeout};
use crate::tool::{Annotations, Body, Contract, Input, Output, Tool};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use futures::future::{BoxFuture, FutureExt};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// What a tool of its own answers with. The rows are capped and written like those of a query.
pub enum Answer {
    /// A plan that is run.
    Plan(Box<LogicalPlan>),
    /// Rows that are there.
    Batches(Vec<RecordBatch>),
    /// Rows as JSON objects; the types of their columns are those of the values.
    Objects(Vec<Map<String, Value>>),
}

impl From<DataFrame> for Answer {
    fn from(frame: DataFrame) -> Answer {
        Answer::Plan(Box::new(frame.into_unoptimized_plan()))
    }
}

/// What a tool of its own is called with beside its arguments.
pub struct NativeContext {
    core: Arc<Core>,
    /// Who calls.
    pub caller: Caller,
}

impl NativeContext {
    pub(super) fn new(core: Arc<Core>, caller: Caller) -> NativeContext {
        NativeContext { core, caller }
    }

    /// A table of the project.
    ///
    /// Errors: there is no such table, no tool reads it, or callers see something else of it than it has: a tool reads what
    /// they see.
    pub fn table(&self, name: &str) -> Result<DataFrame, CallError> {
        if self.core.policied.contains(name) {
            return Err(CallError::internal(format!("`{name}` has a policy: tools read it, and nothing else does")));
        }
        let source = self.core.tables.get(name);
        let source = source.ok_or_else(|| CallError::internal(format!("there is no table `{name}`")))?;
        let scan = LogicalPlanBuilder::scan(name, Arc::clone(source), None).and_then(LogicalPlanBuilder::build);
        let plan = scan.map_err(|error| internal_error(&error))?;
        Ok(DataFrame::new(self.core.session().ctx.state(), plan))
    }
}

impl From<DataFusionError> for CallError {
    fn from(error: DataFusionError) -> CallError {
        internal_error(&error)
    }
}

type Run = Arc<dyn Fn(Value, NativeContext) -> BoxFuture<'static, Result<Answer, CallError>> + Send + Sync>;

/// A tool that is written in Rust.
#[derive(Clone)]
pub struct NativeTool {
    /// What is published of it.
    pub tool: Tool,
    run: Run,
    /// What its arguments are checked with.
    pub(super) schema: InputSchema,
}

/// Why a function in Rust cannot be a tool.
#[derive(Debug)]
pub enum NativeToolError {
    /// This is no name of a tool.
    Name(String),
    /// The arguments of this tool are no object.
    NoObject(String),
    /// The schema of its arguments is no JSON Schema.
    Schema(jsonschema::ValidationError<'static>),
}

impl fmt::Display for NativeToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeToolError::Name(name) => write!(f, "`{name}` is no name of a tool"),
            NativeToolError::NoObject(name) => write!(f, "the arguments of `{name}` are no object"),
            NativeToolError::Schema(error) => error.fmt(f),
        }
    }
}

impl Error for NativeToolError {}

impl NativeTool {
    /// A tool of that name (`[a-z][a-z0-9_]*`) whose arguments are the fields of `T`; what is published is `T`'s schema.
    ///
    /// Errors: the name is none of a tool, or the schema of `T` is that of no object, or no JSON Schema.
    pub fn new<T, F>(
        name: &str,
        description: &str,
        run: impl Fn(T, NativeContext) -> F + Send + Sync + 'static,
    ) -> Result<NativeTool, NativeToolError>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Answer, CallError>> + Send + 'static,
    {
        if !crate::name::is_legal(name) {
            return Err(NativeToolError::Name(name.to_owned()));
        }
        let settings = schemars::generate::SchemaSettings::draft2020_12().with(|one| one.inline_subschemas = true);
        let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
        let map = schema.as_object_mut().filter(|map| map.get("type") == Some(&json!("object")));
        let Some(map) = map else { return Err(NativeToolError::NoObject(name.to_owned())) };
        ["$schema", "title", "description"].iter().for_each(|key| drop(map.remove(*key)));
        map.insert("additionalProperties".to_owned(), json!(false));
        let checked_with = InputSchema::of(&schema).map_err(NativeToolError::Schema)?;
        let run = move |arguments: Value, context: NativeContext| match serde_json::from_value::<T>(arguments) {
            Ok(arguments) => run(arguments, context).boxed(),
            Err(error) => {
                let error = CallError::new(CallCode::InvalidArgument, error.to_string());
                async move { Err(error) }.boxed()
            }
        };
        Ok(NativeTool { tool: published(name, description, schema), run: Arc::new(run), schema: checked_with })
    }

    /// The most rows of a call. Default: 100.
    #[must_use]
    pub fn max_result_limit(mut self, rows: u64) -> NativeTool {
        self.tool.contract.result_limit = ResultLimit::Rows(rows);
        self
    }

    /// Whether the agent may say how many rows it wants. Default: yes.
    #[must_use]
    pub fn add_limit_parameter(mut self, add: bool) -> NativeTool {
        self.tool.contract.expose.retain(|one| *one != AutomaticParameter::Limit);
        if add {
            self.tool.contract.expose.insert(0, AutomaticParameter::Limit);
        }
        self
    }

    /// How rows are written where the agent does not say. Default: Markdown.
    #[must_use]
    pub fn default_format(mut self, format: TableFormat) -> NativeTool {
        self.tool.contract.table_format = format;
        self
    }

    /// How long a call may take. Default: 30 s.
    #[must_use]
    pub fn timeout(mut self, timeout: std::time::Duration) -> NativeTool {
        self.tool.contract.timeout = Timeout(timeout);
        self
    }

    /// What clients are told of its effects. Default: it reads, and nothing else.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> NativeTool {
        self.tool.contract.annotations = annotations;
        self
    }

    /// What a caller's token must be good for.
    #[must_use]
    pub fn scopes(mut self, scopes: &[&str]) -> NativeTool {
        self.tool.contract.scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        self
    }

    /// Runs it with arguments that fit its schema.
    pub(super) async fn answer(&self, arguments: Value, context: NativeContext) -> Result<Answer, CallError> {
        (self.run)(arguments, context).await
    }
}

fn published(name: &str, description: &str, input: Value) -> Tool {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let title = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    let contract = Contract {
        name: name.to_owned(),
        alias_of: None,
        title: title.unwrap_or_else(|| name.to_owned()),
        description: Some(description.to_owned()),
        tags: Vec::new(),
        version: None,
        icons: Vec::new(),
        scopes: Vec::new(),
        meta: None,
        input: Input::Schema(input),
        output: Output::Rows,
        placeholders: Vec::new(),
        rules: Vec::new(),
        clauses: Default::default(),
        tables: Vec::new(),
        policies: Vec::new(),
        shows: Vec::new(),
        result_limit: ResultLimit::Rows(crate::project::DEFAULT_RESULT_LIMIT),
        default_limit: None,
        table_format: TableFormat::Markdown,
        changes: None,
        expose: vec![AutomaticParameter::Limit, AutomaticParameter::TableFormat],
        timeout: Timeout(crate::compile::DEFAULT_TIMEOUT),
        max_bytes: None,
        calls_per_second: None,
        count_total: false,
        cache_ttl: None,
        strict: false,
        ask: false,
        parameters_in_description: false,
        structured_output: true,
        definition: Default::default(),
        annotations: Annotations { read_only: true, destructive: false, idempotent: true, open_world: false },
    };
    Tool { contract, body: Body::Native }
}

//! Tools written in Rust, beside those written in SQL: a function from arguments to a plan or to rows.
//!
//! They are called, checked, capped, encoded and recorded like all others.

use super::bind::{Arguments, Caller};
use super::core::Core;
use super::error::CallError;
use crate::engine::code::CallCode;
use crate::project::{AutomaticParameter, ResultLimit, TableFormat, Timeout};
use crate::tool::{Annotations, Body, Contract, Input, Output, Tool};
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::infer_json_schema_from_iterator;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::dataframe::DataFrame;
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder};
use futures::future::{BoxFuture, FutureExt};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
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
    /// A table of the project.
    ///
    /// Errors: there is no such table, or no tool reads it.
    pub fn table(&self, name: &str) -> Result<DataFrame, CallError> {
        let source = self.core.tables.get(name);
        let source = source.ok_or_else(|| CallError::internal(format!("there is no table `{name}`")))?;
        let scan = LogicalPlanBuilder::scan(name, Arc::clone(source), None).and_then(LogicalPlanBuilder::build);
        let plan = scan.map_err(|error| CallError::internal(error.strip_backtrace()))?;
        Ok(DataFrame::new(self.core.session().ctx.state(), plan))
    }
}

impl From<DataFusionError> for CallError {
    fn from(error: DataFusionError) -> CallError {
        CallError::internal(error.strip_backtrace())
    }
}

type Run = Arc<dyn Fn(Value, NativeContext) -> BoxFuture<'static, Result<Answer, CallError>> + Send + Sync>;

/// A tool that is written in Rust.
#[derive(Clone)]
pub struct NativeTool {
    /// What is published of it.
    pub tool: Tool,
    run: Run,
    validator: Arc<jsonschema::Validator>,
}

impl NativeTool {
    /// A tool of that name (`[a-z][a-z0-9_]*`) whose arguments are the fields of `T`; what is published is `T`'s schema.
    ///
    /// Errors: the schema of `T` is that of no object, or no JSON Schema.
    pub fn new<T, F>(
        name: &str,
        description: &str,
        run: impl Fn(T, NativeContext) -> F + Send + Sync + 'static,
    ) -> Result<NativeTool, String>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Answer, CallError>> + Send + 'static,
    {
        if !crate::name::is_legal(name) {
            return Err(format!("`{name}` is no name of a tool"));
        }
        let settings = schemars::generate::SchemaSettings::draft2020_12().with(|one| one.inline_subschemas = true);
        let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
        let map = schema.as_object_mut().filter(|map| map.get("type") == Some(&json!("object")));
        let Some(map) = map else { return Err(format!("the arguments of `{name}` are no object")) };
        ["$schema", "title", "description"].iter().for_each(|key| drop(map.remove(*key)));
        map.insert("additionalProperties".to_owned(), json!(false));
        let validator = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
        let run = move |arguments: Value, context: NativeContext| match serde_json::from_value::<T>(arguments) {
            Ok(arguments) => run(arguments, context).boxed(),
            Err(error) => {
                let error = CallError::new(CallCode::InvalidArgument, error.to_string());
                async move { Err(error) }.boxed()
            }
        };
        Ok(NativeTool {
            tool: published(name, description, schema),
            run: Arc::new(run),
            validator: Arc::new(validator),
        })
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

    /// Runs it, and makes a plan of what it answers.
    pub(super) async fn plan(
        &self,
        arguments: &Arguments,
        caller: &Caller,
        core: Arc<Core>,
    ) -> Result<LogicalPlan, CallError> {
        let own = own(arguments);
        let known = self.tool.contract.schema().and_then(|schema| schema.get("properties")?.as_object());
        let known: Vec<&str> = known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let wrong: Vec<CallError> =
            self.validator.iter_errors(&own).flat_map(|error| refused(&error, &known)).collect();
        if let Some(error) = CallError::all(wrong) {
            return Err(error);
        }
        let context = NativeContext { core, caller: caller.clone() };
        match (self.run)(own, context).await? {
            Answer::Plan(plan) => Ok(*plan),
            Answer::Batches(batches) => rows(batches),
            Answer::Objects(objects) => rows(batches_of(&objects)?),
        }
    }
}

/// The arguments without those that qtool adds.
fn own(arguments: &Arguments) -> Value {
    let is_own = |name: &str| !crate::name::RESERVED.contains(&name);
    arguments.iter().filter(|(name, _)| is_own(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// What an agent is told of arguments that break the schema.
fn refused(error: &jsonschema::ValidationError<'_>, known: &[&str]) -> Vec<CallError> {
    use jsonschema::error::ValidationErrorKind;
    let path = error.instance_path().as_str().to_owned();
    let parameter = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    match (parameter, error.kind()) {
        ("", ValidationErrorKind::AdditionalProperties { unexpected }) => {
            let unknown = |name: &String| {
                let shown: String = name.chars().take(60).filter(|c| !c.is_control()).collect();
                let error =
                    CallError::about(CallCode::UnknownArgument, &shown, format!("there is no parameter `{shown}`"));
                match crate::name::nearest(name, known.iter().copied()) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("the parameters are {}", known.join(", "))),
                }
            };
            unexpected.iter().map(unknown).collect()
        }
        ("", ValidationErrorKind::Required { property }) => {
            let name = property.as_str().unwrap_or_default();
            vec![CallError::about(CallCode::MissingArgument, name, format!("the argument `{name}` is required"))]
        }
        ("", _) => vec![CallError::new(CallCode::InvalidArgument, error.to_string())],
        (name, _) => vec![CallError::about(CallCode::InvalidArgument, name, format!("the argument `{name}`: {error}"))],
    }
}

fn rows(batches: Vec<RecordBatch>) -> Result<LogicalPlan, CallError> {
    let Some(first) = batches.first() else {
        return Ok(LogicalPlanBuilder::empty(false).build()?);
    };
    let table = MemTable::try_new(first.schema(), vec![batches])?;
    Ok(LogicalPlanBuilder::scan("rows", provider_as_source(Arc::new(table)), None)?.build()?)
}

fn batches_of(objects: &[Map<String, Value>]) -> Result<Vec<RecordBatch>, CallError> {
    if objects.is_empty() {
        return Ok(Vec::new());
    }
    let internal = |error: arrow::error::ArrowError| CallError::internal(error.to_string());
    let values = objects.iter().map(|object| Ok(Value::Object(object.clone())));
    let schema = infer_json_schema_from_iterator(values).map_err(internal)?;
    let mut decoder = ReaderBuilder::new(Arc::new(schema)).build_decoder().map_err(internal)?;
    decoder.serialize(objects).map_err(internal)?;
    Ok(decoder.flush().map_err(internal)?.into_iter().collect())
}

fn published(name: &str, description: &str, input: Value) -> Tool {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let title = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    let contract = Contract {
        name: name.to_owned(),
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
        result_limit: ResultLimit::Rows(crate::project::DEFAULT_RESULT_LIMIT),
        default_limit: None,
        table_format: TableFormat::Markdown,
        expose: vec![AutomaticParameter::Limit, AutomaticParameter::TableFormat],
        timeout: Timeout(crate::compile::DEFAULT_TIMEOUT),
        count_total: false,
        cache_ttl: None,
        strict: false,
        parameters_in_description: false,
        structured_output: true,
        definition: Default::default(),
        annotations: Annotations { read_only: true, destructive: false, idempotent: true, open_world: false },
    };
    Tool { contract, body: Body::Native }
}

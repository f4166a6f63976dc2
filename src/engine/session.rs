//! DataFusion's sessions: one that opens files, and those that plans are made with.

use super::limits::Limits;
use crate::plan;
use crate::plan::functions::Functions;
use crate::ty::coerce::TimeZoneName;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// What plans are made with. To make one takes milliseconds, and touches megabytes of the program: a server makes it for
/// its first call.
pub(super) struct Session {
    /// For the plan of one call.
    pub ctx: SessionContext,
    /// For plans that are kept: on one thread, and without filters that learn while they run.
    pub template_state: SessionState,
    /// What queries may call.
    pub functions: Arc<Functions>,
}

impl Session {
    /// Over the files that a session without functions has opened.
    pub(super) fn over(files: &SessionContext) -> Session {
        let state = SessionStateBuilder::new_from_existing(files.state())
            .with_default_features()
            .with_analyzer_rules(plan::analyzer().rules)
            .with_optimizer_rules(plan::optimizer().rules)
            .with_physical_optimizer_rules(plan::physical_optimizer().rules)
            .build();
        let ctx = SessionContext::new_with_state(state);
        let functions = Arc::new(Functions::configured(ctx.state().config_options()));
        Session { template_state: template_state(&ctx), ctx, functions }
    }
}

fn template_state(ctx: &SessionContext) -> SessionState {
    let mut state = ctx.state();
    let options = state.config_mut().options_mut();
    options.execution.target_partitions = 1;
    options.optimizer.enable_dynamic_filter_pushdown = false;
    options.optimizer.enable_topk_dynamic_filter_pushdown = false;
    options.optimizer.enable_join_dynamic_filter_pushdown = false;
    options.optimizer.enable_aggregate_dynamic_filter_pushdown = false;
    state
}

/// A session that opens files and reads their schemas. It has no functions.
pub(super) fn of_files(time_zone: &TimeZoneName, limits: &Limits) -> SessionContext {
    let mut config = SessionConfig::new().with_information_schema(false);
    config.options_mut().execution.time_zone = Some(time_zone.as_str().to_owned());
    plan::configure(config.options_mut());
    let builder = SessionStateBuilder::new().with_config(config).with_runtime_env(runtime(limits));
    SessionContext::new_with_state(builder.build())
}

fn runtime(limits: &Limits) -> Arc<RuntimeEnv> {
    let consumers = NonZeroUsize::new(5).unwrap_or(NonZeroUsize::MIN);
    let disk = DiskManagerBuilder::default()
        .with_mode(DiskManagerMode::OsTmpDirectory)
        .with_max_temp_directory_size(limits.spill);
    RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(TrackConsumersPool::new(FairSpillPool::new(limits.memory), consumers)))
        .with_disk_manager_builder(disk)
        // A listing that is kept never sees a file that is added later.
        .with_object_list_cache_limit(0)
        .build_arc()
        .unwrap_or_default()
}

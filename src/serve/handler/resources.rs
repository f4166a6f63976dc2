//! Resources: those of the project, and those of other servers.

use crate::engine::Engine;
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::serve::audit::Outcome;
use crate::serve::front::TOO_OFTEN;
use crate::serve::made_up::shortened;
use crate::serve::resources::TableData;
use crate::serve::traced::{Traced, end, ended, principal};
use crate::serve::{Server, resources};
use rmcp::model::{
    ConstString, ListResourceTemplatesResult, ListResourcesResult, ReadResourceRequestParams, ReadResourceResult,
    ResourceContents,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

impl Server {
    /// Whether resources are declared: what is not is not answered.
    ///
    /// Errors: they are not, so there is no such method.
    pub(super) fn has_resources<M: ConstString>(&self) -> Result<(), ErrorData> {
        match self.shared().served().has_resources() {
            true => Ok(()),
            false => Err(ErrorData::method_not_found::<M>()),
        }
    }

    /// The resources that a caller may see, on one page.
    pub(super) fn resource_list(&self, context: &RequestContext<RoleServer>) -> ListResourcesResult {
        let served = self.shared().served();
        let principal = principal(context);
        served.engine.look_at_upstreams();
        end(self.span("resources/list", None, &Traced::of(context)), Outcome::Ok);
        let own = served.resources.iter().flat_map(|resources| resources.list(&self.callable(&served, principal)));
        let of_servers = served.offers.resources(principal, &served.engine);
        ListResourcesResult::with_all_items(own.chain(of_servers).collect())
    }

    /// The templates that a caller may see, on one page. Every resource of the project is listed: none needs a template.
    pub(super) fn template_list(&self, context: &RequestContext<RoleServer>) -> ListResourceTemplatesResult {
        let served = self.shared().served();
        served.engine.look_at_upstreams();
        let of_servers = served.offers.templates(principal(context), &served.engine).collect();
        ListResourceTemplatesResult::with_all_items(of_servers)
    }

    /// What a resource holds.
    ///
    /// Errors: resource not found; `-32603` where it cannot be read, or the caller reads too often.
    pub(super) async fn resource_contents(
        &self,
        request: ReadResourceRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let served = self.shared().served();
        let principal = principal(context);
        let who = principal.map_or("anonymous", |principal| principal.name.as_str());
        if let Some(readable) = served.offers.readable(&request.uri, principal) {
            return Box::pin(self.forward_resource(&served, (readable, &request.uri), context)).await;
        }
        // It counts and reads rows, as a call does, and is recorded as one.
        let uri = shortened(&request.uri);
        let traced = Traced::of(context);
        let record = self.record(&uri, "", &Arguments::new(), principal, traced.trace_id().as_deref());
        let span = self.span("resources/read", Some(&uri), &traced);
        let read = async {
            if !self.shared().may_call(self.transport, who) {
                let error = ErrorData::internal_error(TOO_OFTEN, None);
                return (Err(error), CallCode::RateLimited);
            }
            let callable = self.callable(&served, principal);
            let read = match &served.resources {
                Some(resources) => resources.read(&request.uri, &callable, served.engine.as_ref()).await,
                None => Err(resources::not_found(&request.uri, None)),
            };
            (read, CallCode::UnknownResource)
        };
        tokio::select! {
            (read, code) = read => {
                let outcome = ended(&read, code);
                let bytes = read.as_ref().map_or(0, size);
                if let Some(record) = record {
                    record.finish(outcome, 0, bytes, false);
                }
                end(span, outcome);
                read
            }
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

impl TableData for Engine {
    async fn row_count(&self, table: &str) -> Option<u64> {
        Engine::row_count(self, table).await
    }

    fn note(&self, table: &str) -> Option<String> {
        self.note_of_table(table)
    }

    async fn sample(&self, table: &str, rows: u8) -> Option<Vec<Value>> {
        Engine::sample(self, table, rows).await
    }
}

/// How many bytes of text a resource has.
fn size(read: &ReadResourceResult) -> u64 {
    let of = |contents: &ResourceContents| match contents {
        ResourceContents::TextResourceContents { text, .. } => text.len() as u64,
        _ => 0,
    };
    read.contents.iter().map(of).sum()
}

//! What this side is to a server: a client that offers nothing. It is not asked for samples, roots or input of people.

use rmcp::ClientHandler;
use rmcp::model::{ClientCapabilities, ClientConfig, ErrorCode, ErrorData, Implementation, ProtocolVersion};
use rmcp::service::{RequestContext, RoleClient};

/// A client that declines what servers ask of it.
pub(super) struct Declining;

/// How this client names itself.
fn introduction() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("qtool", env!("CARGO_PKG_VERSION")))
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
}

fn declined() -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this client does not offer that", None)
}

// Questions to people and wishes for samples are declined by the library itself.
impl ClientHandler for Declining {
    fn get_info(&self) -> ClientConfig {
        introduction()
    }

    #[expect(deprecated, reason = "the library says that it has none, which is an answer")]
    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(declined())
    }
}

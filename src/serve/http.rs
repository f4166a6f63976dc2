//! Streamable HTTP: `/mcp` and what a deployment asks for beside it.
//!
//! Stateless, JSON responses, both eras of the protocol from one handler. Who may talk to it at all is told by
//! [`edge`](super::edge), who somebody is by [`auth`](super::auth).

use super::audit::{Audit, Transport};
use super::direct::{Direct, directly};
use super::gatekeeper::Gatekeeper;
use super::listen::Listening;
use super::metrics::Metrics;
use super::{Access, Server, api};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, any_service, get};
use axum::{Json, Router};
use http::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::cors::{AllowOrigin, Cors};

/// The path of the protocol.
const PATH: &str = "/mcp";
/// Where a client learns who gives out tokens (RFC 9728).
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// What a page may send along.
const ALLOWED_HEADERS: [HeaderName; 7] = [
    AUTHORIZATION,
    CONTENT_TYPE,
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];
/// What a page may read of an answer.
const EXPOSED_HEADERS: [HeaderName; 7] = [
    WWW_AUTHENTICATE,
    RETRY_AFTER,
    HeaderName::from_static("qtool-returned-result-count"),
    HeaderName::from_static("qtool-total-result-count"),
    HeaderName::from_static("qtool-truncated"),
    HeaderName::from_static("qtool-next-cursor"),
    HeaderName::from_static("qtool-notes"),
];
/// How long a server that stops still answers that it does: who spreads calls over several servers looks for it.
const NOTICE: Duration = Duration::from_millis(300);

impl Server {
    /// The server as a service of HTTP requests, to put into a program of one's own: `/mcp` and what stands beside it.
    pub fn into_service(self, access: Access) -> Router {
        let gatekeeper = self.gatekeeper(access);
        router(&self, &gatekeeper)
    }

    fn gatekeeper(&self, access: Access) -> Arc<Gatekeeper> {
        Arc::new(Gatekeeper::new(access, Arc::clone(&self.shared)))
    }

    /// Serves HTTP on a listener until `stop` is cancelled; then requests under way are finished.
    ///
    /// Errors: none at present; a listener that fails is tried again.
    pub async fn serve_http(
        self,
        listener: TcpListener,
        access: Access,
        stop: CancellationToken,
    ) -> std::io::Result<()> {
        let config = access.http.clone();
        let gatekeeper = self.gatekeeper(access);
        let router = router(&self, &gatekeeper);
        let _following = self.following();
        let forget = tokio::spawn({
            let shared = Arc::clone(&self.shared);
            async move {
                loop {
                    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
                    shared.forget_idle();
                }
            }
        });
        let shared = Arc::clone(&self.shared);
        let stopped = async move {
            stop.cancelled().await;
            gatekeeper.stop();
            tokio::time::sleep(NOTICE).await;
        };
        Listening::new(listener, &config).serve(router, shared, stopped).await;
        forget.abort();
        Ok(())
    }
}

fn router(server: &Server, gatekeeper: &Arc<Gatekeeper>) -> Router {
    let mut protocol = Router::new();
    let served = server.shared.served();
    let all = std::iter::once((PATH.to_owned(), None));
    let toolsets = served.toolsets.keys().map(|name| (format!("{PATH}/{name}"), Some(name.as_str())));
    for (path, toolset) in all.chain(toolsets) {
        let handler = Server { toolset: toolset.map(Into::into), transport: Transport::Http, ..server.clone() };
        let direct = handler.clone();
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            // Checked before, with the same answers for every path.
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(gatekeeper.access.max_request_bytes)
            // Calls under way go on for a while when the server stops: axum waits for them.
            .with_cancellation_token(CancellationToken::new());
        let service =
            StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(NeverSessionManager::default()), config);
        let direct = Direct { server: direct, taken: gatekeeper.taken() };
        let service = any_service(service).layer(middleware::from_fn_with_state(direct, directly));
        // Not nested: what is below would be served as well.
        protocol = protocol.route(&path, service.clone()).route(&format!("{path}/"), service);
    }
    // Who has no token is not told which toolsets there are.
    protocol = protocol.route(&format!("{PATH}/{{*other}}"), any(nothing));
    let authenticated = middleware::from_fn_with_state(Arc::clone(gatekeeper), authenticated);
    let metadata_path = gatekeeper.access.metadata_path();
    let own_path = [METADATA.to_owned(), format!("{METADATA}{PATH}")];
    let further = metadata_path.filter(|path| !own_path.contains(path));
    let mut public = Router::new();
    if let Some(path) = further {
        public = public.route(&path, get(metadata));
    }
    let plain = Server { toolset: None, transport: Transport::Http, ..server.clone() };
    public
        .merge(protocol.layer(authenticated))
        .merge(api::router(plain, gatekeeper))
        .route("/", get(page))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route(METADATA, get(metadata))
        .route(&format!("{METADATA}{PATH}"), get(metadata))
        .fallback(nothing)
        .layer(middleware::from_fn_with_state(Arc::clone(gatekeeper), at_the_edge))
        .with_state(Arc::clone(gatekeeper))
}

/// Tells the browser of a page what the page may read and send. Whose pages these may be is asked before
/// ([`at_the_edge`]), so whoever comes here may.
fn cors(next: Next) -> Cors<Next> {
    Cors::new(next)
        .allow_origin(AllowOrigin::mirror_request())
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(ALLOWED_HEADERS)
        .expose_headers(EXPOSED_HEADERS)
}

/// Refuses requests that no client of this server makes.
async fn at_the_edge(State(gatekeeper): State<Arc<Gatekeeper>>, request: Request, next: Next) -> Response {
    match gatekeeper.edge.check(&request) {
        Ok(()) => {
            let is_of_page = request.headers().contains_key(ORIGIN);
            let mut response = match is_of_page {
                true => TowerToHyperService::new(cors(next)).call(request).await.unwrap_or_else(|never| match never {}),
                false => next.run(request).await,
            };
            response.headers_mut().insert("x-content-type-options", HeaderValue::from_static("nosniff"));
            response
        }
        Err((status, why)) => {
            gatekeeper.shared.metrics.refused("edge");
            let mut response = refusal(status, why);
            if status == StatusCode::NOT_IMPLEMENTED {
                // Where its body ends is not known.
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            response
        }
    }
}

/// Lets those in who have a token, where tokens are asked for.
async fn authenticated(State(gatekeeper): State<Arc<Gatekeeper>>, mut request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, "MCP is served to POST alone, without sessions");
        response.headers_mut().insert("allow", HeaderValue::from_static("POST"));
        return response;
    }
    match gatekeeper.identify(&mut request).await {
        Ok(()) => next.run(request).await,
        Err((status, challenge)) => {
            let mut response = refusal(status, "a valid token is needed");
            if let Some(challenge) = challenge {
                response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            }
            response
        }
    }
}

async fn nothing() -> Response {
    refusal(StatusCode::NOT_FOUND, "there is nothing here; MCP is served at /mcp, and plain HTTP at /tools")
}

async fn ready(State(gatekeeper): State<Arc<Gatekeeper>>) -> Response {
    if gatekeeper.is_stopping() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    let engine = Arc::clone(&gatekeeper.shared.served().engine);
    // Files are looked at for that: not on the threads that answer.
    let looked = Arc::clone(&engine);
    let unreachable = tokio::task::spawn_blocking(move || looked.unreachable_sources()).await.unwrap_or_default();
    match engine.lost() {
        0 if unreachable.is_empty() => "ready\n".into_response(),
        // The tools of all others are served.
        0 => format!("ready, though these databases cannot be reached: {}\n", unreachable.join(", ")).into_response(),
        lost if engine.is_exhausted() => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("busy: {lost} queries do not stop\n")).into_response()
        }
        lost => format!("ready, though {lost} queries do not stop\n").into_response(),
    }
}

async fn metrics(State(gatekeeper): State<Arc<Gatekeeper>>) -> Response {
    let shared = &gatekeeper.shared;
    let engine = Arc::clone(&shared.served().engine);
    shared.metrics.waiting(engine.waiting());
    shared.metrics.lost(engine.lost());
    shared.metrics.unrecorded(shared.audit().map_or(0, Audit::lost));
    let mut response = Response::new(Body::from(shared.metrics.encode()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(Metrics::CONTENT_TYPE));
    response
}

async fn metadata(State(gatekeeper): State<Arc<Gatekeeper>>) -> Response {
    match &gatekeeper.access.metadata {
        Some(metadata) => Json(metadata.clone()).into_response(),
        None => refusal(StatusCode::NOT_FOUND, "this server asks for no tokens"),
    }
}

/// What this is, for a person who opens the address in a browser.
async fn page(State(gatekeeper): State<Arc<Gatekeeper>>) -> Html<String> {
    let info = &gatekeeper.shared.info;
    let description = info.description.as_deref().unwrap_or_default();
    let (name, description) = (escaped(&info.name), escaped(description));
    Html(format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{name}</title>\n<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em }}</style>\n\
         <h1>{name}</h1>\n<p>{description}</p>\n<p>This is a server of tools for AI agents, over the \
         <a href=\"https://modelcontextprotocol.io\">Model Context Protocol</a>. Clients connect to <code>/mcp</code>.</p>\n</html>\n"
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn refusal(status: StatusCode, why: &'static str) -> Response {
    let mut response = Response::new(Body::from(format!("{why}\n")));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

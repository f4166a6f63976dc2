//! How tools are served, wherever they come from: compiled just now, or out of an executable.

use super::super::workspace::{count, no_such_toolset};
use super::super::{Outcome, terminal, typed};
use crate::emit::profile::Profile;
use crate::engine::Engine;
use crate::engine::bind::Caller;
use crate::serve::telemetry::{STOP, Telemetry};
use crate::serve::{Access, Quarantined, Server};
use crate::tool::Tool;
use crate::workspace::Application;
use clap::ValueEnum;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Options of serving.
#[derive(clap::Args)]
pub(in crate::cli) struct Options {
    /// Serve HTTP at this address instead of standard input and output; the path is /mcp
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Serve others than this machine without asking who they are: something in front of the server does
    #[arg(long, requires = "listen")]
    allow_unauthenticated: bool,
    /// The tools of one toolset only
    #[arg(long, value_name = "NAME", conflicts_with = "listen")]
    toolset: Option<String>,
    /// A claim of whoever is served over standard input, for what is bound to one; `org.id=1` leads into an object
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "listen")]
    claim: Vec<String>,
    /// What whoever is served over standard input may see, for policies; several with commas, or by repeating it
    #[arg(long, value_name = "SCOPES", value_delimiter = ',', conflicts_with = "listen")]
    scopes: Vec<String>,
    /// Only the tools that change nothing
    #[arg(long)]
    read_only: bool,
    /// Let clients that cannot ask their user call the tools that a person must agree to
    #[arg(long)]
    allow_unconfirmed: bool,
    /// Publish schemas that a client takes: openai, openai-strict, claude, gemini or cursor
    #[arg(long, value_name = "CLIENT")]
    profile: Option<Profile>,
    /// Send traces and metrics over OTLP; the environment variables OTEL_* say where to
    #[arg(long)]
    otlp: bool,
    /// How the log on standard error is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum LogFormat {
    /// A line of text for each event
    Text,
    /// A JSON object for each event
    Json,
}

/// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
fn address(text: &str) -> Result<SocketAddr, String> {
    let mut found = text.to_socket_addrs().map_err(|_| "expected an address and a port, such as 127.0.0.1:8080")?;
    found.next().ok_or_else(|| "no address of that name is known".to_owned())
}

/// How long calls may take that are under way when the server is told to stop.
const DRAIN: Duration = Duration::from_millis(4500);

impl Options {
    /// Sends what there is to say of the server itself to standard error.
    pub(in crate::cli) fn log_to_stderr(&self) {
        log_to_stderr(self.log_format);
    }

    /// Whose rules the published schemas are held to.
    pub(super) fn profile(&self) -> Option<Profile> {
        self.profile
    }

    /// Who may call, where it is HTTP that is served; why that cannot be is printed.
    pub(in crate::cli) fn access(&self, application: &Application) -> Result<Access, Outcome> {
        let file = &application.file;
        if let Some(toolset) = self.toolset.as_deref().filter(|name| !file.toolsets.contains_key(*name)) {
            return Err(no_such_toolset(toolset, file.toolsets.keys()));
        }
        let access = Access::of(file, &application.tools).map_err(|why| {
            terminal::error(&format!("`auth` of qtool.yaml cannot be used: {why}"), &[]);
            Outcome::Problems
        })?;
        if let Some(address) = self.listen
            && !access.may_listen(address.ip())
            && !self.allow_unauthenticated
        {
            let helps = [
                "declare `auth` in qtool.yaml, or listen at 127.0.0.1",
                "`--allow-unauthenticated` is for a server behind one that asks who calls",
            ];
            terminal::error(&format!("{} is open to others, and the project has no `auth`", address.ip()), &helps);
            return Err(Outcome::CouldNotRun);
        }
        Ok(access)
    }

    /// Serves until the client is gone or the process is told to stop. `after` is done once the server is there; what it
    /// returns is kept as long.
    pub(in crate::cli) async fn serve<T>(
        self,
        application: Application,
        engine: Engine,
        quarantined: Vec<Quarantined>,
        access: Access,
        after: impl FnOnce(&Server) -> Result<T, Outcome>,
    ) -> Result<(), Outcome> {
        let info = application.info();
        let caller = Caller {
            claims: typed::claims(&self.claim, application.tools.iter().map(|tool| &tool.contract))?,
            scopes: self.scopes.iter().cloned().collect(),
            ..Caller::default()
        };
        let is_served = |tool: &&Tool| !self.read_only || !tool.may_change_data();
        let tools_served = application.tools.iter().filter(is_served).count().saturating_sub(quarantined.len());
        let server = application.server(engine, quarantined, self.profile).await.map_err(|error| {
            terminal::error(&error.to_string(), &[]);
            Outcome::CouldNotRun
        })?;
        let telemetry = match self.otlp {
            true => Some(Arc::new(Telemetry::start(&info.name, &info.version, &Handle::current()).map_err(|why| {
                terminal::error(&format!("telemetry cannot be sent: {why}"), &[]);
                Outcome::CouldNotRun
            })?)),
            false => None,
        };
        let server = match &telemetry {
            Some(telemetry) => server.reporting(Arc::clone(telemetry)),
            None => server,
        };
        let server = server.serving_over_stdio(caller);
        let server = if self.read_only { server.read_only() } else { server };
        let server = if self.allow_unconfirmed { server.waiving_consent() } else { server };
        let stop = CancellationToken::new();
        tokio::spawn(stop_on_signal(stop.clone()));
        let _kept = after(&server)?;
        let served = self.serve_until(stop, server.clone(), tools_served, access).await;
        // Whoever is not answered any more is dropped by now, or will be at once.
        server.settled().await;
        if let Some(telemetry) = telemetry {
            // It blocks, for two seconds at most.
            let _ = tokio::task::spawn_blocking(move || telemetry.stop()).await;
        }
        served
    }

    /// Serves over what was asked for, until the client is gone or it is told to stop.
    async fn serve_until(
        self,
        stop: CancellationToken,
        server: Server,
        tools: usize,
        access: Access,
    ) -> Result<(), Outcome> {
        let broke = |error: &dyn std::fmt::Display| {
            terminal::error(&format!("the connection failed: {error}"), &[]);
            Outcome::CouldNotRun
        };
        let Some(address) = self.listen else {
            let server = match &self.toolset {
                Some(toolset) => server.of_toolset(toolset),
                None => server,
            };
            return server.serve_stdio(stop).await.map_err(|error| broke(&error));
        };
        let listener = TcpListener::bind(address).await.map_err(|error| {
            terminal::error(&format!("cannot listen at {address}: {error}"), &[]);
            Outcome::CouldNotRun
        })?;
        let address = listener.local_addr().unwrap_or(address);
        terminal::err(&format!("serving {} at http://{address}/mcp\n", count(tools, "tool")));
        let drained = async {
            stop.cancelled().await;
            tokio::time::sleep(if self.otlp { DRAIN - STOP } else { DRAIN }).await;
        };
        tokio::select! {
            served = server.serve_http(listener, access, stop.clone()) => served.map_err(|error| broke(&error)),
            () = drained => Ok(()),
        }
    }
}

/// Says which tools are out of service.
pub(in crate::cli) fn tell_quarantined(quarantined: &[Quarantined]) {
    for one in quarantined {
        tracing::error!(target: "qtool::serve", tool = one.tool, "out of service: {}", one.reason);
    }
}

/// Stops at the first SIGTERM or SIGINT.
async fn stop_on_signal(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut int)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
            }
            stop.cancel();
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_ok() {
        stop.cancel();
    }
}

/// Writes the log to standard error, for whoever sits before it.
pub(in crate::cli) fn log_as_text() {
    log_to_stderr(LogFormat::Text);
}

/// Standard output belongs to the protocol.
fn log_to_stderr(format: LogFormat) {
    // What a client does wrong is answered to the client, and the SDK would warn of each.
    let of_interest = Targets::new().with_target("qtool", Level::WARN).with_default(Level::ERROR);
    // What a reload brought is news.
    let of_interest = of_interest.with_target("qtool::cli::serve::watch", Level::INFO);
    // What other servers write to their standard error is theirs to choose.
    let of_interest = of_interest.with_target("qtool::upstream", Level::INFO).with_target("rmcp", LevelFilter::OFF);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    // A second subscriber in one process (a test) is no reason to stop.
    let _ = match format {
        LogFormat::Text => tracing_subscriber::registry().with(lines.with_filter(of_interest)).try_init(),
        LogFormat::Json => tracing_subscriber::registry().with(lines.json().with_filter(of_interest)).try_init(),
    };
}

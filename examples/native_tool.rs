//! A server of the project in this folder, with a tool that is written in Rust beside those written in SQL.
//!
//! `cargo run --example native_tool`, then in another terminal:
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/mcp -H 'Content-Type: application/json' \
//!   -H 'Accept: application/json, text/event-stream' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"airports_near","arguments":{"lat":40.6,"lon":-73.8}}}'
//! ```

use datafusion::prelude::{col, lit};
use qtool::engine::error::CallError;
use qtool::{Answer, NativeContext, NativeTool, Server};
use schemars::JsonSchema;
use serde::Deserialize;

/// What an agent sends: the published schema is made of it.
#[derive(Deserialize, JsonSchema)]
struct Near {
    /// Latitude in degrees.
    #[schemars(range(min = -90, max = 90))]
    lat: f64,
    /// Longitude in degrees.
    #[schemars(range(min = -180, max = 180))]
    lon: f64,
    /// How far away, in degrees.
    #[serde(default = "one")]
    within: f64,
}

fn one() -> f64 {
    1.0
}

/// A plan over a table of the project: qtool caps, runs and writes it.
async fn airports_near(near: Near, context: NativeContext) -> Result<Answer, CallError> {
    let (lat, lon, within) = (near.lat, near.lon, near.within);
    let airports = context.table("airports")?;
    let here = col("lat").between(lit(lat - within), lit(lat + within));
    let here = here.and(col("lon").between(lit(lon - within), lit(lon + within)));
    let found = airports.filter(here)?.select_columns(&["faa", "name", "lat", "lon"])?.sort_by(vec![col("faa")])?;
    Ok(found.into())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let native = NativeTool::new("airports_near", "Airports around a point, by their code.", airports_near)?;
    let native = native.max_result_limit(50);
    let (server, access) = Server::of_project(std::path::Path::new("."), vec![native]).await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, server.into_service(access)).await?;
    Ok(())
}

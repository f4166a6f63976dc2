//! Tables in object stores and on web servers.
//!
//! Credentials, endpoints and whether plain HTTP is allowed come from the environment only, under the names that the
//! stores' own tools use; a URL that holds a credential is refused.

use super::place::{Place, Shape, compile};
use super::{TableError, failure, glob};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use std::sync::Arc;
use std::time::Duration;

/// How long a request may take, its body included. The builders that read the environment have the same default.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long a connection may take to stand.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where a URL leads.
pub(super) fn place(written: &str) -> Result<Place, TableError> {
    let (scheme, rest) = written.split_once("://").unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    let (authority, key) = rest.split_once('/').unwrap_or((rest, ""));
    refuse_credentials(&scheme, authority)?;
    if authority.is_empty() {
        return Err(TableError::option("path", "the URL names no bucket or host"));
    }
    if matches!(scheme.as_str(), "http" | "https") {
        return web(&scheme, authority, key);
    }
    let (start, pattern) = glob::split(key);
    let folder = pattern.is_some() || start.is_empty() || start.ends_with('/');
    let pattern = pattern.map(compile).transpose()?;
    Ok(Place {
        start: Path::parse(start).map_err(|_| invalid(written))?,
        store: bucket(&scheme, authority)?,
        confined: None,
        embedded: None,
        pattern,
        shape: if folder { Shape::Folder } else { Shape::Unknown },
        shown: written.to_owned(),
    })
}

fn refuse_credentials(scheme: &str, authority: &str) -> Result<(), TableError> {
    let Some((user, _)) = authority.rsplit_once('@') else {
        return Ok(());
    };
    // abfs://<file system>@<account>.dfs.core.windows.net is an address.
    if matches!(scheme, "abfs" | "abfss") && !user.contains([':', '@']) {
        return Ok(());
    }
    Err(TableError::option("path", "the URL holds a user name or password; credentials belong in the environment"))
}

fn bucket(scheme: &str, authority: &str) -> Result<Arc<dyn ObjectStore>, TableError> {
    let store: Arc<dyn ObjectStore> = match scheme {
        "s3" | "s3a" => {
            let builder = AmazonS3Builder::from_env().with_bucket_name(authority).with_retry(retry());
            Arc::new(builder.build().map_err(|error| failure::set_up(&error))?)
        }
        "gs" => {
            let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(authority).with_retry(retry());
            Arc::new(builder.build().map_err(|error| failure::set_up(&error))?)
        }
        "az" | "azure" | "adl" | "abfs" | "abfss" => {
            let builder =
                MicrosoftAzureBuilder::from_env().with_url(format!("{scheme}://{authority}")).with_retry(retry());
            Arc::new(builder.build().map_err(|error| failure::set_up(&error))?)
        }
        _ => {
            let message = format!("the scheme `{scheme}` is none of s3, gs, az, abfs, http and https");
            return Err(TableError::option("path", message));
        }
    };
    Ok(store)
}

/// One file of a web server: plain GET and HEAD cannot list.
fn web(scheme: &str, authority: &str, key: &str) -> Result<Place, TableError> {
    let key = key.split('#').next().unwrap_or(key);
    let (path, query) = key.split_once('?').map_or((key, None), |(path, query)| (path, Some(query)));
    // The query may be what grants access.
    let shown = format!("{scheme}://{authority}/{path}");
    if path.is_empty() || path.ends_with('/') || path.contains(['*', '[', '{']) {
        return Err(TableError::option("path", format!("`{shown}` does not name one file, and web servers list none")));
    }
    let mut base = format!("{scheme}://{authority}");
    if let Some(query) = query {
        // The store keeps it behind the path of every request.
        base.push('?');
        base.push_str(query);
    }
    let client = ClientOptions::new()
        .with_timeout(TIMEOUT)
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_allow_http(scheme == "http");
    let builder = HttpBuilder::new().with_url(base).with_client_options(client).with_retry(retry());
    Ok(Place {
        store: Arc::new(builder.build().map_err(|error| failure::set_up(&error))?),
        confined: None,
        embedded: None,
        start: Path::from_url_path(path).map_err(|_| invalid(&shown))?,
        pattern: None,
        shape: Shape::File,
        shown,
    })
}

fn invalid(shown: &str) -> TableError {
    TableError::option("path", format!("`{shown}` is not a valid object name"))
}

/// Few attempts: a store that is away shows within seconds.
fn retry() -> RetryConfig {
    RetryConfig { backoff: BackoffConfig::default(), max_retries: 2, retry_timeout: TIMEOUT }
}

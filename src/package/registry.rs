//! `server.json`: how a server is listed in an MCP registry.
//! <https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json>, with what the official registry checks
//! beyond it: <https://github.com/modelcontextprotocol/registry/tree/main/internal/validators>.

use super::Package;
use serde_json::{Map, Value, json};
use std::fmt;
use url::Url;

/// The schema that `server.json` is written to.
pub const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The longest description and title there, in characters.
const MAX_TEXT: usize = 100;
/// The longest name and version there, in characters.
const MAX_NAME: usize = 200;
const MAX_VERSION: usize = 255;
/// Where the tables lie in an image.
const DATA: &str = "/data";

/// Where others get the server from: what only its publisher knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// A bundle to download.
    Bundle {
        /// Where from: `https://…`, with `mcp` somewhere in it.
        url: &'a str,
        /// The SHA-256 of the file in 64 lower-case hexadecimal digits.
        sha256: &'a str,
    },
    /// A container image with its tag: `ghcr.io/acme/flights:1.2.3`.
    Image(&'a str),
    /// A server that runs already: `https://tools.example.com/mcp`.
    Remote(&'a str),
}

/// Why a server cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unlisted {
    /// It has no name in a registry.
    NoName,
    /// The name is not one of a registry.
    BadName(String),
    /// The version is a range, too long, or none.
    BadVersion(String),
    /// Nobody could get it.
    NoSource,
    /// An address that the registry does not take.
    BadUrl(String),
    /// The bundle's URL has no `mcp` in it.
    NoMcpInUrl(String),
    /// The SHA-256 is not 64 lower-case hexadecimal digits.
    BadHash(String),
    /// The image has no tag, or the tag `latest`.
    NoTag(String),
}

impl fmt::Display for Unlisted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unlisted::NoName => write!(f, "the server has no name for a registry, such as `io.github.acme/flights`"),
            Unlisted::BadName(name) => write!(
                f,
                "`{name}` is no name for a registry: expected a domain in reverse, one slash and a name of letters, \
                 digits, `.`, `_` and `-`, such as `io.github.acme/flights`"
            ),
            Unlisted::BadVersion(version) => {
                write!(f, "`{version}` is no version for a registry: expected one version, such as `1.2.3`")
            }
            Unlisted::NoSource => write!(f, "a registry lists where a server is got from, and no place is given"),
            Unlisted::BadUrl(url) => write!(f, "`{url}` is no address for a registry: expected `https://…`"),
            Unlisted::NoMcpInUrl(url) => {
                write!(f, "the bundle's address `{url}` must have `mcp` in it, as in `flights-mcp-linux-x64.mcpb`")
            }
            Unlisted::BadHash(hash) => {
                write!(f, "`{hash}` is no SHA-256: expected 64 lower-case hexadecimal digits")
            }
            Unlisted::NoTag(image) => {
                write!(f, "the image `{image}` must be named with its version, such as `ghcr.io/acme/flights:1.2.3`")
            }
        }
    }
}

impl std::error::Error for Unlisted {}

/// The whole `server.json`.
///
/// Errors: what the schema or the official registry would refuse.
pub fn server_json(package: &Package<'_>, sources: &[Source<'_>]) -> Result<Value, Unlisted> {
    let name = package.registry_name.ok_or(Unlisted::NoName)?;
    if !is_name(name) {
        return Err(Unlisted::BadName(name.to_owned()));
    }
    if !is_version(package.version) {
        return Err(Unlisted::BadVersion(package.version.to_owned()));
    }
    let (mut packages, mut remotes) = (Vec::new(), Vec::new());
    for source in sources {
        match *source {
            Source::Bundle { url, sha256 } => packages.push(bundle(package, url, sha256)?),
            Source::Image(image) => packages.push(self::image(package, image)?),
            Source::Remote(url) => {
                https(url)?;
                remotes.push(json!({"type": "streamable-http", "url": url}));
            }
        }
    }
    if packages.is_empty() && remotes.is_empty() {
        return Err(Unlisted::NoSource);
    }
    let title: String = super::one_line(package.name).chars().take(MAX_TEXT).collect();
    let parts = [
        ("$schema", Some(SCHEMA.into())),
        ("name", Some(name.into())),
        ("title", (!title.is_empty()).then(|| title.into())),
        ("description", Some(package.summary(MAX_TEXT).into())),
        ("version", Some(package.version.into())),
        ("packages", (!packages.is_empty()).then(|| packages.into())),
        ("remotes", (!remotes.is_empty()).then(|| remotes.into())),
    ];
    let parts = parts.into_iter().filter_map(|(key, value): (_, Option<Value>)| Some((key.to_owned(), value?)));
    Ok(Value::Object(parts.collect::<Map<_, _>>()))
}

/// A bundle says itself what it is started with.
fn bundle(package: &Package<'_>, url: &str, sha256: &str) -> Result<Value, Unlisted> {
    https(url)?;
    if !url.to_ascii_lowercase().contains("mcp") {
        return Err(Unlisted::NoMcpInUrl(url.to_owned()));
    }
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    if sha256.len() != 64 || !sha256.chars().all(is_digit) {
        return Err(Unlisted::BadHash(sha256.to_owned()));
    }
    let mut bundle = json!({
        "registryType": "mcpb",
        "identifier": url,
        "version": package.version,
        "fileSha256": sha256,
        "transport": {"type": "stdio"},
    });
    add_variables(&mut bundle, package);
    Ok(bundle)
}

/// An image of [`super::docker::dockerfile`], run with standard input and output.
fn image(package: &Package<'_>, image: &str) -> Result<Value, Unlisted> {
    let is_odd = |c: char| c.is_whitespace() || c.is_control();
    let name = image.rsplit('/').next().unwrap_or(image);
    let tagged = name.split_once('@').or_else(|| name.split_once(':')).map(|(_, tag)| tag);
    if image.contains(is_odd) || tagged.is_none_or(|tag| tag.is_empty() || tag == "latest") {
        return Err(Unlisted::NoTag(image.to_owned()));
    }
    let mut args = vec![positional("serve")];
    let mut runtime = Vec::new();
    if package.needs_data {
        args.push(json!({"type": "named", "name": "--data-dir", "value": DATA}));
        runtime.push(json!({
            "type": "named",
            "name": "--mount",
            "value": format!("type=bind,src={{data_dir}},dst={DATA},readonly"),
            "variables": {
                "data_dir": {
                    "description": "The folder that the paths of tables are relative to.",
                    "format": "filepath",
                    "isRequired": true,
                },
            },
        }));
    }
    let mut image = json!({
        "registryType": "oci",
        "identifier": image,
        "transport": {"type": "stdio"},
        "packageArguments": args,
    });
    if let (Some(image), false) = (image.as_object_mut(), runtime.is_empty()) {
        image.insert("runtimeHint".to_owned(), "docker".into());
        image.insert("runtimeArguments".to_owned(), runtime.into());
    }
    add_variables(&mut image, package);
    Ok(image)
}

fn positional(value: &str) -> Value {
    json!({"type": "positional", "value": value})
}

fn add_variables(object: &mut Value, package: &Package<'_>) {
    let variables: Vec<Value> = package
        .secrets
        .iter()
        .map(|secret| {
            let described = secret.described();
            json!({"name": secret.name, "description": described, "isRequired": true, "isSecret": true})
        })
        .collect();
    if let (Some(object), false) = (object.as_object_mut(), variables.is_empty()) {
        object.insert("environmentVariables".to_owned(), variables.into());
    }
}

fn https(url: &str) -> Result<(), Unlisted> {
    let is_it = Url::parse(url).is_ok_and(|url| url.scheme() == "https" && url.host_str().is_some());
    if is_it { Ok(()) } else { Err(Unlisted::BadUrl(url.to_owned())) }
}

/// `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`, 3 to 200 characters.
fn is_name(name: &str) -> bool {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let Some((space, own)) = name.split_once('/') else { return false };
    let are_there = !space.is_empty() && !own.is_empty() && name.len() <= MAX_NAME;
    are_there && space.chars().all(is_legal) && own.chars().all(|c| is_legal(c) || c == '_')
}

/// One version, not a range of them: `^1.2`, `>=1`, `1.x`, `1 - 2`, `latest`.
fn is_version(version: &str) -> bool {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
    let is_digit = |c: char| c.is_ascii_digit();
    let core = version.strip_prefix('v').unwrap_or(version).split(['-', '+']).next().unwrap_or_default();
    let any_part = core.starts_with(is_digit) && core.contains(['x', 'X']);
    let is_short = !version.is_empty() && version.len() <= MAX_VERSION;
    is_short && version.chars().all(is_legal) && !any_part && version != "latest"
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_package;
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const BUNDLE: &str = "https://github.com/acme/flights/releases/download/v1.2.3/flights-mcp-linux-x64.mcpb";

    #[test]
    fn what_a_registry_refuses_is_refused_before() {
        with_package(|package| {
            let listed = |sources: &[Source<'_>]| server_json(&package, sources).map(|_| ());
            let bundle = |url, sha256| listed(&[Source::Bundle { url, sha256 }]);
            assert_eq!(bundle(BUNDLE, HASH), Ok(()));
            assert_eq!(listed(&[]), Err(Unlisted::NoSource));
            assert!(matches!(bundle("http://a.example/mcp", HASH), Err(Unlisted::BadUrl(_))));
            assert!(matches!(bundle("https://a.example/flights.zip", HASH), Err(Unlisted::NoMcpInUrl(_))));
            assert!(matches!(bundle(BUNDLE, &HASH.to_uppercase()), Err(Unlisted::BadHash(_))));
            for image in ["ghcr.io/acme/flights", "flights:latest", "localhost:5000/flights", "flights:", "a b:1"] {
                assert_eq!(listed(&[Source::Image(image)]), Err(Unlisted::NoTag(image.to_owned())));
            }
            assert_eq!(listed(&[Source::Image("localhost:5000/flights:1"), Source::Remote("https://a.b/mcp")]), Ok(()));
        });
    }

    #[test]
    fn names_and_versions_are_those_of_the_schema() {
        for name in ["io.github.acme/flights", "a/b", "com.example/a_b.c-d"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["flights", "a/", "/b", "a/b/c", "a_b/c", "a/b c", "ä/b"] {
            assert!(!is_name(name), "{name}");
        }
        for version in ["1.2.3", "2.1.0-alpha.1+x86", "2026-11-20", "v1", "1.0.0-xyz"] {
            assert!(is_version(version), "{version}");
        }
        for version in ["", "latest", "^1.2.3", ">=1", "1.x", "v2.X", "1.*", "1 - 2", "1 || 2"] {
            assert!(!is_version(version), "{version}");
        }
    }

    #[test]
    fn an_image_is_given_the_data_folder_that_it_is_told_of() {
        with_package(|package| {
            let json = server_json(&package, &[Source::Image("ghcr.io/acme/flights:1.2.3")]).unwrap();
            let image = &json["packages"][0];
            assert_eq!(image["packageArguments"][1]["value"], "/data");
            assert_eq!(image["runtimeArguments"][0]["value"], "type=bind,src={data_dir},dst=/data,readonly");
            assert_eq!(image["environmentVariables"][0]["isSecret"], true);
            assert!(json["description"].as_str().unwrap().chars().count() <= MAX_TEXT);
        });
    }
}

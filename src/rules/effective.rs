//! Settings of `qtool.yaml` have an effect: names that requests are compared with can be sent, a share is no more than the
//! whole, an image has a version.
//!
//! Bad: `http: { allowed_origins: ["https://app.example.com/"] }`: browsers send no `/` behind the name.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::{ByteSize, Project};
use url::Url;

/// The memory of all queries where nothing is said.
const MEMORY: ByteSize = ByteSize(1 << 30);
/// Where connections end that one address may have, if nothing is said of all.
const CONNECTIONS: u32 = 1024;

/// What is wrong with a name, and what is certainly meant.
struct Flaw {
    why: &'static str,
    instead: Option<String>,
}

/// Checks `http`, `limits` and `package`.
pub(super) fn check(project: &Project, sink: &mut Diagnostics) {
    let http = &project.file.http;
    compared(project, ("allowed_origins", http.allowed_origins.as_slice()), flaw_of_origin, sink);
    compared(project, ("allowed_hosts", http.allowed_hosts.as_slice()), flaw_of_host, sink);
    shares(project, sink);
    if let Some(flaw) = project.file.package.image.as_deref().and_then(flaw_of_image) {
        sink.push(codes::invalid_setting(project.document.value_span(&["package", "image"]), flaw));
    }
}

/// Checks names that what is sent is compared with.
fn compared(
    project: &Project,
    (key, names): (&str, &[String]),
    flaw: fn(&str) -> Option<Flaw>,
    sink: &mut Diagnostics,
) {
    for (at, name) in names.iter().enumerate() {
        let Some(Flaw { why, instead }) = flaw(name) else { continue };
        let place = project.document.value_span(&["http", key, &at.to_string()]);
        let diagnostic = codes::invalid_setting(place, &format!("`{name}` never matches: {why}"));
        sink.push(codes::meant(diagnostic, name, instead.as_deref()));
    }
}

/// What browsers send as `Origin`: scheme, name, and the port where it is not the usual one (RFC 6454, 6.1).
fn flaw_of_origin(text: &str) -> Option<Flaw> {
    let none = |why| Some(Flaw { why, instead: None });
    if text.contains('*') {
        return none("`*` stands for no other sign; each origin is named");
    }
    if text.trim().eq_ignore_ascii_case("null") {
        return none("it is what pages send that have no origin, and none of them may call");
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return none("an origin begins with its scheme, such as `https://app.example.com`");
    };
    let why = "an origin is a scheme, a name, and a port where it is not the usual one";
    if !["http", "https"].contains(&scheme.trim().to_ascii_lowercase().as_str()) {
        let is_bare = !rest.is_empty() && !rest.contains(['/', '?', '#', '@']) && !text.contains(char::is_whitespace);
        return if is_bare { None } else { none(why) };
    }
    let Ok(url) = Url::parse(text) else { return none(why) };
    let sent = url.origin().ascii_serialization();
    // A path says of which pages it was meant: nobody can tell pages of one origin apart.
    let is_certain =
        url.username().is_empty() && url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let instead = is_certain.then_some(sent.clone());
    (!sent.eq_ignore_ascii_case(text)).then_some(Flaw { why, instead })
}

/// What clients send as `Host`: a name, and a port where it is not the usual one (RFC 9112, 3.2).
fn flaw_of_host(text: &str) -> Option<Flaw> {
    if text.contains('*') {
        return Some(Flaw { why: "`*` stands for no other sign; each name is named", instead: None });
    }
    if is_host(text) {
        return None;
    }
    let bare = text.trim();
    let bare = bare.split_once("://").map_or(bare, |(_, bare)| bare);
    let bare = bare.split('/').next().unwrap_or_default().trim_end_matches(':');
    let instead = is_host(bare).then(|| bare.to_owned());
    Some(Flaw { why: "a host is a name, with a port or without", instead })
}

fn is_host(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Ok(url) = Url::parse(&format!("http://{lower}/")) else { return false };
    let Some(port) = url.host_str().and_then(|host| lower.strip_prefix(host)) else { return false };
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|number| number > 0 && number.to_string() == port);
    port.is_empty() || port.strip_prefix(':').is_some_and(is_port)
}

/// Checks that no share is larger than the whole.
fn shares(project: &Project, sink: &mut Diagnostics) {
    let (limits, http) = (&project.file.limits, &project.file.http);
    let all = limits.memory.unwrap_or(MEMORY);
    if limits.query_memory.is_some_and(|share| share.0 > all.0) {
        let place = project.document.value_span(&["limits", "query_memory"]);
        let whole =
            if limits.memory.is_some() { "`memory`" } else { "`memory`, which is `1GiB` where nothing is said" };
        let why = format!("one query cannot have more than all of them: {whole}");
        sink.push(codes::invalid_setting(place, &why));
    }
    let all = http.connections.unwrap_or(CONNECTIONS);
    if http.connections_per_address.is_some_and(|share| share > all) {
        let place = project.document.value_span(&["http", "connections_per_address"]);
        let why = format!("one address cannot have more connections than there are: {all}");
        sink.push(codes::invalid_setting(place, &why));
    }
}

/// An image that others pull is the same one tomorrow.
fn flaw_of_image(image: &str) -> Option<&'static str> {
    if image.contains(char::is_whitespace) {
        return Some("an image has no blanks in its name");
    }
    let (name, digest) = image.split_once('@').map_or((image, None), |(name, digest)| (name, Some(digest)));
    let tag = name.rsplit('/').next().and_then(|last| last.split_once(':')).map(|(_, tag)| tag);
    match (tag, digest) {
        (Some("latest"), _) => Some("the tag `latest` is another image tomorrow: say the version, such as `:1.2.0`"),
        (Some(""), _) | (None, None) => Some("an image has a tag that says its version, such as `:1.2.0`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type FlawOf = fn(&str) -> Option<Flaw>;

    fn said(flaw: FlawOf, text: &str) -> Option<Option<String>> {
        flaw(text).map(|flaw| flaw.instead)
    }

    #[test]
    fn what_can_be_sent_is_taken() {
        for origin in [
            "https://app.example.com",
            "HTTPS://App.example.com",
            "http://app.example.com:8080",
            "https://[2001:db8::1]:8443",
            "chrome-extension://abcdefgh",
        ] {
            assert_eq!(said(flaw_of_origin, origin), None, "{origin}");
        }
        for host in ["tools.example.com", "Tools.example.com:8443", "[::1]:80", "10.0.0.1", "my_service:80"] {
            assert_eq!(said(flaw_of_host, host), None, "{host}");
        }
    }

    #[test]
    fn what_is_never_sent_is_refused() {
        let origins = [
            ("*", None),
            ("null", None),
            ("https://*.example.com", None),
            ("https://", None),
            ("a.com", None),
            ("https://a.com/app", None),
            ("file://", None),
            ("https://a.com/", Some("https://a.com")),
            ("https://a.com ", Some("https://a.com")),
            ("https://a.com:443", Some("https://a.com")),
        ];
        for (origin, instead) in origins {
            assert_eq!(said(flaw_of_origin, origin), Some(instead.map(str::to_owned)), "{origin}");
        }
        let hosts = [
            ("*", None),
            ("*.a.com", None),
            ("https://a.com", Some("a.com")),
            ("https://a.com:8443/mcp", Some("a.com:8443")),
            ("a.com:", Some("a.com")),
            (" a.com", Some("a.com")),
            ("a.com:http", None),
            ("a.com:0", None),
            ("::1", None),
        ];
        for (host, instead) in hosts {
            assert_eq!(said(flaw_of_host, host), Some(instead.map(str::to_owned)), "{host}");
        }
    }

    #[test]
    fn an_image_has_a_version() {
        for good in ["ghcr.io/acme/shop:0.1.0", "localhost:5000/shop:1", "shop@sha256:00", "shop:1@sha256:00"] {
            assert_eq!(flaw_of_image(good), None, "{good}");
        }
        for bad in ["x:latest", "x", "x:", "localhost:5000/shop", "x:1 ", "x:latest@sha256:00"] {
            assert!(flaw_of_image(bad).is_some(), "{bad}");
        }
    }
}

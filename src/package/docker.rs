//! A Dockerfile for the executable, and what may go into its image.

use super::{Package, one_line};
use std::fmt::Write;

/// glibc 2.41 and libgcc, no shell, user 65532. <https://github.com/GoogleContainerTools/distroless>
const BASE: &str = "gcr.io/distroless/cc-debian13:nonroot";
/// The longest description of a label, in characters.
const MAX_DESCRIPTION: usize = 200;

/// The Dockerfile. It lies beside the executable, which must be one for Linux.
pub fn dockerfile(package: &Package<'_>) -> String {
    let executable = package.executable;
    let data = if package.needs_data { r#", "--data-dir", "/data""# } else { "" };
    let mut text = format!(
        "# The image of one executable that is there already: nothing is compiled or downloaded.\n\
         #\n\
         #   docker build -t {executable} .\n\
         #   {run}\n\
         #\n\
         # Over standard input and output:\n\
         #\n\
         #   {run_stdio}\n\
         #\n\
         # The executable must be one for Linux, linked against glibc 2.41 or older.\n\
         FROM {BASE}\n\
         \n",
        run = run(package, "-p 127.0.0.1:8080:8080", ""),
        run_stdio = run(package, "-i", if package.needs_data { " serve --data-dir /data" } else { " serve" }),
    );
    for (name, value) in labels(package) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "LABEL {name}={}", quoted(&value));
    }
    let _ = write!(
        text,
        "\n\
         COPY --chmod=0755 {executable} /{executable}\n\
         \n\
         # By number, so that Kubernetes can check that it is not root.\n\
         USER 65532:65532\n"
    );
    if !package.secrets.is_empty() {
        text.push_str("\n# Secrets are given to the container when it is run, never to the image:\n");
        for secret in package.secrets {
            let _ = writeln!(text, "#   {}: {}", one_line(&secret.name), secret.described());
        }
    }
    let _ = write!(
        text,
        "\n\
         # There is no HEALTHCHECK: it would need a shell or an HTTP client, and the image has neither. Let the\n\
         # orchestrator ask over HTTP: /healthz whether the server is alive, /readyz whether it answers calls.\n\
         EXPOSE 8080\n\
         \n\
         ENTRYPOINT [\"/{executable}\"]\n\
         # To others than this machine it is open only where the project says who may call (`auth`). Behind a proxy that\n\
         # asks who calls, add \"--allow-unauthenticated\".\n\
         CMD [\"serve\", \"--listen\", \"0.0.0.0:8080\"{data}]\n"
    );
    text
}

/// The `.dockerignore`: the executable and nothing else gets into the build.
pub fn ignore(package: &Package<'_>) -> String {
    format!("*\n!{}\n", package.executable)
}

fn run(package: &Package<'_>, options: &str, command: &str) -> String {
    let data = if package.needs_data { " -v \"$PWD:/data:ro\"" } else { "" };
    let secrets: String = package.secrets.iter().map(|secret| format!(" -e {}", one_line(&secret.name))).collect();
    format!("docker run --rm --read-only --tmpfs /tmp {options}{data}{secrets} {}{command}", package.executable)
}

/// <https://github.com/opencontainers/image-spec/blob/main/annotations.md>; the last one is how a registry sees that an
/// image is the listed server's.
fn labels(package: &Package<'_>) -> impl Iterator<Item = (&'static str, String)> {
    let labels = [
        ("org.opencontainers.image.title", Some(one_line(package.name))),
        ("org.opencontainers.image.description", Some(package.summary(MAX_DESCRIPTION))),
        ("org.opencontainers.image.version", Some(one_line(package.version))),
        ("org.opencontainers.image.vendor", package.author.map(one_line)),
        ("io.modelcontextprotocol.server.name", package.registry_name.map(one_line)),
    ];
    labels.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

/// A value as Docker reads it back: it would end at a quote, and put in variables of the build.
/// <https://docs.docker.com/reference/dockerfile/#environment-replacement>
fn quoted(line: &str) -> String {
    let mut text = String::from('"');
    for c in line.chars() {
        if matches!(c, '"' | '\\' | '$') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_package;
    use super::*;

    #[test]
    fn texts_of_the_project_stay_in_their_labels() {
        with_package(|package| {
            let text = dockerfile(&package);
            let labels: Vec<&str> = text.lines().filter(|line| line.starts_with("LABEL")).collect();
            let expected = [
                r#"LABEL org.opencontainers.image.title="Flight \"data\" 100% [Service]""#,
                r#"LABEL org.opencontainers.image.description="Answers questions on flights. They come from the \"schedule\" of \$YEAR, 100% of it. \\""#,
                r#"LABEL org.opencontainers.image.version="1.2.3""#,
                r#"LABEL org.opencontainers.image.vendor="Acme""#,
                r#"LABEL io.modelcontextprotocol.server.name="io.github.acme/flights""#,
            ];
            assert_eq!(labels, expected);
        });
    }

    #[test]
    fn it_runs_as_nobody_and_with_data_only_where_there_is_any() {
        with_package(|package| {
            let text = dockerfile(&package);
            assert!(text.contains("\nUSER 65532:65532\n"));
            assert!(text.contains(r#"CMD ["serve", "--listen", "0.0.0.0:8080", "--data-dir", "/data"]"#));
            let text = dockerfile(&Package { needs_data: false, ..package });
            assert!(text.contains(r#"CMD ["serve", "--listen", "0.0.0.0:8080"]"#) && !text.contains("/data"));
            assert_eq!(ignore(&package), "*\n!flights\n");
        });
    }
}

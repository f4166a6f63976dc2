//! A systemd unit that serves over HTTP with as few rights as the server needs.
//! <https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html>

use super::{Package, one_line};
use std::fmt::Write;

/// The longest description, in characters: it is shown in one line with more.
const MAX_DESCRIPTION: usize = 80;

/// The rights that are given up. `AF_UNIX` is for the resolver of names.
const HARDENING: &str = "\
# Who it runs as exists only while it runs. It can write to /var/lib/{executable} and /tmp, and nowhere else.
DynamicUser=yes
StateDirectory={executable}
WorkingDirectory=%S/{executable}
UMask=0077

ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes

NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
KeyringMode=private
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
";

/// The unit. The executable is expected in `/usr/local/bin`, its tables in `/srv/<name>`, its secrets in
/// `/etc/<name>/environment`.
pub fn unit(package: &Package<'_>) -> String {
    let executable = package.executable;
    let data = if package.needs_data { format!(" --data-dir /srv/{executable}") } else { String::new() };
    let mut text = format!(
        "# /etc/systemd/system/{executable}.service\n\
         #\n\
         #   install -m 0755 {executable} /usr/local/bin/{executable}\n"
    );
    if !package.secrets.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#   install -D -m 0600 environment /etc/{executable}/environment");
    }
    let _ = write!(
        text,
        "#   systemctl enable --now {executable}\n\
         #\n\
         # `systemctl edit {executable}` changes what is written here.\n\
         [Unit]\n\
         Description={description}\n\
         Wants=network-online.target\n\
         After=network-online.target\n\
         \n\
         [Service]\n\
         Type=exec\n\
         ExecStart=/usr/local/bin/{executable} serve --listen 127.0.0.1:8080{data}\n",
        description = description(package),
    );
    text.push_str(&environment(package));
    if package.needs_data {
        text.push_str("# The tables must be readable to it: to everybody, or to a group of SupplementaryGroups=.\n");
    }
    text.push_str(
        "Restart=on-failure\n\
         # Calls that are under way when it is told to stop have some seconds to end.\n\
         TimeoutStopSec=15\n\
         # Limits of the machine's, beside the project's own. How much depends on the tables.\n\
         #MemoryMax=4G\n\
         #CPUQuota=200%\n\
         LimitNOFILE=65536\n\
         \n",
    );
    text.push_str(&HARDENING.replace("{executable}", executable));
    text.push_str("\n[Install]\nWantedBy=multi-user.target\n");
    text
}

/// Read by systemd itself, so the file can be root's alone.
fn environment(package: &Package<'_>) -> String {
    let (file, executable) = ("EnvironmentFile=", package.executable);
    if package.secrets.is_empty() {
        return format!("{file}-/etc/{executable}/environment\n");
    }
    let mut text = "# Lines of NAME=value:\n".to_owned();
    for secret in package.secrets {
        let _ = writeln!(text, "#   {}: {}", one_line(&secret.name), secret.described());
    }
    text + &format!("{file}/etc/{executable}/environment\n")
}

/// In one line. `%` begins a specifier, and a backslash at the end would join the next line to this one.
/// <https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html>
fn description(package: &Package<'_>) -> String {
    let name = one_line(package.name);
    let text = format!("{name}: {}", package.summary(MAX_DESCRIPTION));
    text.trim_end_matches(['\\', ' ']).replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_package;
    use super::*;

    #[test]
    fn texts_of_the_project_cannot_add_lines_or_specifiers() {
        with_package(|package| {
            let package = Package { description: Some("All of it, 100% \\\n\\"), ..package };
            let text = unit(&package);
            let line = text.lines().find(|line| line.starts_with("Description=")).unwrap();
            assert_eq!(line, r#"Description=Flight "data" 100%% [Service]: All of it, 100%%"#);
            assert_eq!(text.lines().filter(|line| line.starts_with('[')).count(), 3);
        });
    }

    #[test]
    fn secrets_are_named_and_the_file_that_has_them_must_be_there() {
        with_package(|package| {
            let text = unit(&package);
            assert!(
                text.contains("#   FLIGHTS_KEY: The key of the audit.\nEnvironmentFile=/etc/flights/environment\n")
            );
            let text = unit(&Package { secrets: &[], needs_data: false, ..package });
            assert!(text.contains("\nEnvironmentFile=-/etc/flights/environment\n"));
            assert!(!text.contains("/srv/") && !text.contains("{executable}"));
        });
    }
}

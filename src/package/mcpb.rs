//! An MCP Bundle: a zip file with a manifest that desktop clients install by a click.
//! <https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md>, version 0.3.

use super::{Package, System};
use chrono::{DateTime, Datelike, Timelike};
use serde_json::{Map, Value, json};
use std::io::{Seek, Write};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Where the manifest lies in the bundle.
const MANIFEST: &str = "manifest.json";
/// The setting that says where the tables lie.
const DATA_DIR: &str = "data_dir";
/// The longest short description. The format knows no bound; clients show one line.
const MAX_DESCRIPTION: usize = 100;

/// The manifest of a bundle for one system. An architecture cannot be said in it: there is one bundle for each.
pub fn manifest(package: &Package<'_>, system: System) -> Value {
    let entry_point = entry_point(package, system);
    let mut args = vec!["serve".to_owned()];
    if package.needs_data {
        args.extend(["--data-dir".to_owned(), format!("${{user_config.{DATA_DIR}}}")]);
    }
    let env = package.secrets.iter().map(|secret| {
        let key = setting_of(&secret.name);
        (secret.name.clone(), Value::from(format!("${{user_config.{key}}}")))
    });
    let server = json!({
        "type": "binary",
        "entry_point": entry_point,
        "mcp_config": {
            "command": format!("${{__dirname}}/{entry_point}"),
            "args": args,
            "env": env.collect::<Map<_, _>>(),
        },
    });
    let mut manifest = json!({
        "manifest_version": "0.3",
        "name": package.executable,
        "display_name": super::one_line(package.name),
        "version": package.version,
        "description": package.summary(MAX_DESCRIPTION),
    });
    let long = package.description.filter(|text| *text != package.summary(MAX_DESCRIPTION));
    let tools: Vec<Value> = package.tools.iter().map(tool).collect();
    let rest = [
        ("long_description", long.map(Value::from)),
        ("author", Some(json!({"name": package.author.unwrap_or(package.name)}))),
        ("server", Some(server)),
        ("tools", (!tools.is_empty()).then(|| tools.into())),
        // A prompt that is listed must have its text, and the texts of these depend on their arguments.
        ("prompts_generated", (package.prompts > 0).then(|| true.into())),
        ("compatibility", Some(json!({"platforms": [platform(system)]}))),
        ("user_config", user_config(package)),
    ];
    if let Some(manifest) = manifest.as_object_mut() {
        manifest.extend(rest.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    }
    manifest
}

fn tool(tool: &crate::tool::Tool) -> Value {
    match &tool.contract.description {
        Some(description) => json!({"name": tool.contract.name, "description": description}),
        None => json!({"name": tool.contract.name}),
    }
}

/// What the user is asked for when the bundle is installed.
fn user_config(package: &Package<'_>) -> Option<Value> {
    let mut settings = Map::new();
    if package.needs_data {
        let setting = json!({
            "type": "directory",
            "title": "Data folder",
            "description": "The folder that the paths of tables are relative to.",
            "required": true,
        });
        settings.insert(DATA_DIR.to_owned(), setting);
    }
    for secret in package.secrets {
        let setting = json!({
            "type": "string",
            "title": secret.name,
            "description": secret.described(),
            "sensitive": true,
            "required": true,
        });
        settings.insert(setting_of(&secret.name), setting);
    }
    (!settings.is_empty()).then_some(Value::Object(settings))
}

/// The setting that an environment variable comes from. None is the data folder's.
fn setting_of(variable: &str) -> String {
    format!("env_{variable}")
}

fn entry_point(package: &Package<'_>, system: System) -> String {
    let ending = if system == System::Windows { ".exe" } else { "" };
    format!("server/{}{ending}", package.executable)
}

fn platform(system: System) -> &'static str {
    match system {
        System::Linux => "linux",
        System::MacOs => "darwin",
        System::Windows => "win32",
    }
}

/// Writes a bundle: a manifest made by [`manifest`], and the executable at its entry point. The same input gives the same
/// bytes on every machine. `built_at` is in seconds since 1970 (`SOURCE_DATE_EPOCH`); without it, or where zip cannot say
/// it, files are of 1980-01-01.
///
/// Errors: `out` cannot be written.
pub fn write(out: impl Write + Seek, manifest: &Value, executable: &[u8], built_at: Option<i64>) -> ZipResult<()> {
    let entry_point = manifest.pointer("/server/entry_point").and_then(Value::as_str).unwrap_or("server/server");
    let options = SimpleFileOptions::DEFAULT
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip_time(built_at))
        // The permissions are those of this system, whatever system it is made on.
        .system(zip::System::Unix);
    let mut zip = ZipWriter::new(out);
    zip.start_file(MANIFEST, options.unix_permissions(0o644))?;
    zip.write_all(format!("{manifest:#}\n").as_bytes())?;
    let is_large = u32::try_from(executable.len()).is_err();
    zip.start_file(entry_point, options.unix_permissions(0o755).large_file(is_large))?;
    zip.write_all(executable)?;
    zip.finish()?.flush()?;
    Ok(())
}

/// In UTC, to two seconds; zip begins with 1980.
fn zip_time(seconds: Option<i64>) -> zip::DateTime {
    let time = || {
        let time = DateTime::from_timestamp(seconds?, 0)?;
        let small = |part: u32| u8::try_from(part).ok();
        let (month, day) = (small(time.month())?, small(time.day())?);
        let (hour, minute, second) = (small(time.hour())?, small(time.minute())?, small(time.second())?);
        let year = u16::try_from(time.year()).ok()?;
        zip::DateTime::from_date_and_time(year, month, day, hour, minute, second).ok()
    };
    time().unwrap_or(zip::DateTime::DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_package;
    use super::*;
    use std::io::{Cursor, Read};

    fn bundle(manifest: &Value, built_at: Option<i64>) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        write(&mut out, manifest, b"\x7fELF", built_at).unwrap();
        out.into_inner()
    }

    #[test]
    fn every_setting_that_is_used_is_asked_for() {
        with_package(|package| {
            let manifest = manifest(&package, System::Linux);
            let config = &manifest["server"]["mcp_config"];
            assert_eq!(config["args"], json!(["serve", "--data-dir", "${user_config.data_dir}"]));
            assert_eq!(config["env"], json!({"FLIGHTS_KEY": "${user_config.env_FLIGHTS_KEY}"}));
            let asked: Vec<_> = manifest["user_config"].as_object().unwrap().keys().collect();
            assert_eq!(asked, ["data_dir", "env_FLIGHTS_KEY"]);
            assert_eq!(manifest["user_config"]["env_FLIGHTS_KEY"]["sensitive"], true);
        });
    }

    #[test]
    fn a_server_that_needs_nothing_asks_for_nothing() {
        with_package(|package| {
            let manifest = manifest(&Package { secrets: &[], needs_data: false, ..package }, System::Windows);
            assert_eq!(manifest.get("user_config"), None);
            assert_eq!(manifest["server"]["mcp_config"]["args"], json!(["serve"]));
            assert_eq!(manifest["server"]["entry_point"], "server/flights.exe");
            assert_eq!(manifest["compatibility"]["platforms"], json!(["win32"]));
        });
    }

    #[test]
    fn the_executable_lies_at_the_entry_point_and_can_be_run() {
        with_package(|package| {
            let manifest = manifest(&package, System::MacOs);
            let mut zip = zip::ZipArchive::new(Cursor::new(bundle(&manifest, None))).unwrap();
            let mut text = String::new();
            zip.by_name("manifest.json").unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), manifest);
            let mut file = zip.by_name("server/flights").unwrap();
            assert_eq!(file.unix_mode().unwrap() & 0o777, 0o755);
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, b"\x7fELF");
        });
    }

    #[test]
    fn bundles_differ_by_the_given_time_only() {
        with_package(|package| {
            let manifest = manifest(&package, System::Linux);
            assert_eq!(bundle(&manifest, None), bundle(&manifest, None));
            assert_eq!(bundle(&manifest, None), bundle(&manifest, Some(0)), "1970 is before zip's time");
            assert_ne!(bundle(&manifest, None), bundle(&manifest, Some(1_700_000_000)));
            assert_eq!(zip_time(Some(1_700_000_000)).to_string(), "2023-11-14 22:13:20");
            assert_eq!(zip_time(Some(i64::MAX)), zip::DateTime::DEFAULT);
        });
    }
}

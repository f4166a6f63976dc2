//! What other systems call the keys of YAML.

/// Their words, in lower case, by ours. Of several, the first that a place has is meant.
const KEYS: [(&str, &[&str]); 33] = [
    ("allowed_values", &["enum", "values", "options", "one_of", "oneof"]),
    ("description", &["desc", "doc", "docs", "help", "comment", "summary"]),
    ("params", &["parameters", "args", "arguments", "inputs", "variables", "input_schema"]),
    ("scopes", &["required_scopes", "permissions", "roles"]),
    ("path", &["file", "files", "location", "source", "src", "url", "uri", "filename", "database"]),
    ("type", &["datatype", "data_type", "dtype", "kind", "engine", "driver", "adapter", "dialect"]),
    ("default", &["default_value", "value"]),
    ("examples", &["example", "sample"]),
    ("minimum", &["min", "ge", "gte", "min_value"]),
    ("maximum", &["max", "le", "lte", "max_value"]),
    ("exclusive_minimum", &["gt", "greater_than"]),
    ("exclusive_maximum", &["lt", "less_than"]),
    ("pattern", &["regex", "regexp", "match"]),
    ("columns", &["fields", "schema"]),
    ("primary_key", &["pk", "key", "unique_key", "id"]),
    ("delimiter", &["sep", "separator", "delim"]),
    ("partitioned_by", &["partitions", "partition_by", "partition_columns"]),
    ("hidden", &["private", "internal", "invisible"]),
    ("fixed", &["const", "constant"]),
    ("result_limit", &["max_rows", "row_limit", "limit"]),
    ("time_zone", &["tz", "timezone"]),
    ("extends", &["inherits", "base", "parent"]),
    ("enabled", &["active"]),
    ("sources", &["databases", "connections", "data_sources", "datasources"]),
    ("max_idle_connections", &["pool_size", "max_pool_size", "pool", "connections", "connection_limit"]),
    ("max_connections", &["pool_size", "max_pool_size", "pool", "connections", "connection_limit"]),
    ("url_env", &["env", "address_env", "connection_env", "dsn_env", "uri_env", "url_var", "url_variable"]),
    ("key_env", &["key_var", "key_variable", "private_key_env"]),
    ("ca", &["ca_cert", "ca_file", "cafile", "root_cert", "rootcert", "sslrootcert", "root"]),
    ("cert", &["cert_file", "certificate", "client_cert", "sslcert", "crt"]),
    ("named_statements", &["prepared_statements", "prepare", "prepared", "statement_cache"]),
    ("connect_timeout", &["connection_timeout", "timeout"]),
    ("tables", &["datasets", "sources", "models"]),
];

/// The key that is meant by one of another system, where a place has it.
pub(super) fn meant<'k>(key: &str, known: &'k [String]) -> Option<&'k str> {
    let lower = key.to_lowercase().replace('-', "_");
    let mut ours = KEYS.iter().filter(|(_, theirs)| theirs.contains(&lower.as_str()));
    ours.find_map(|(ours, _)| known.iter().find(|name| name == ours)).map(String::as_str)
}

/// Keys of programs whose files can be carried over, by a key that the place has, the name of the program and the command.
const CARRIED: [(&str, &str, &str, &[&str]); 3] = [
    ("run", "MCC", "mcc", &["fn", "exec", "curl", "env_passthrough", "transform", "return_type", "groups"]),
    ("run", "Fractalic", "fractalic", &["entry", "command", "mcp_server", "_auto", "_simple", "_src"]),
    ("derived", "Folio", "folio", &["default_actor", "purpose", "derivations", "skills"]),
];

/// What carries files over that have a key of another program.
pub(super) fn import_of(key: &str, known: &[String]) -> Option<String> {
    let has = |own: &str| known.iter().any(|name| name == own);
    let (_, program, command, _) = CARRIED.iter().find(|(own, _, _, theirs)| has(own) && theirs.contains(&key))?;
    Some(format!("`{key}` is a key of {program}: `qtool import {command} PATH` makes files of qtool of its files"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_other_systems_are_told_where_there_is_ours() {
        let known = ["allowed_values", "description"].map(str::to_owned);
        assert_eq!(meant("enum", &known), Some("allowed_values"));
        assert_eq!(meant("Desc", &known), Some("description"));
        assert_eq!(meant("file", &known), None);
        let of_manifest = ["run", "params"].map(str::to_owned);
        assert!(import_of("fn", &of_manifest).is_some_and(|help| help.contains("qtool import mcc")));
        assert_eq!((import_of("fn", &known), import_of("run", &of_manifest)), (None, None));
        assert_eq!(meant("allowed_values", &known), None);
    }
}

//! Manifests of the tools of other programs: MCC's catalogs, and Fractalic's manifests and scripts.

pub(crate) mod carried;
mod draft;
pub(crate) mod flow;
pub(crate) mod found;
pub(crate) mod fractalic;
mod jinja;
pub(crate) mod mcc;
mod quoting;
pub(crate) mod read_yaml;
mod shell_words;
mod variable;
mod word;

//! Bundles in executables: a section of the file, in the format of the system that the executable is for.

use super::{Bundle, BundleError, MAGIC};
use regex::bytes::Regex;
use std::io::Write;

/// The name of the program that builds others.
const OWN_NAME: &str = "qtool";
/// The section's name. Mach-O has room for 16 bytes.
const SECTION: &str = "qtool_bundle";

/// Writes a copy of an executable with a bundle inside: ELF, Mach-O (signed anew, ad hoc) or PE, as the runtime is.
///
/// Errors: the runtime is none of these, or holds a bundle already; the copy cannot be written.
pub fn write_executable(runtime: &[u8], bundle: &[u8], out: &mut dyn Write) -> Result<(), BundleError> {
    let failed = |error: &dyn std::fmt::Display| BundleError::Executable(error.to_string());
    let mut out = out;
    if holds_one(runtime) {
        return Err(BundleError::Executable("the runtime holds a bundle already: it was built, too".to_owned()));
    }
    if libsui::utils::is_elf(runtime) {
        libsui::Elf::new(runtime).append(SECTION, bundle, &mut out).map_err(|error| failed(&error))
    } else if libsui::utils::is_macho(runtime) {
        let image = libsui::Macho::from(runtime.to_vec()).map_err(|error| failed(&error))?;
        let image = image.write_section(SECTION, bundle.to_vec()).map_err(|error| failed(&error))?;
        image.build_and_sign(&mut out).map_err(|error| failed(&error))
    } else if libsui::utils::is_pe(runtime) {
        let image = libsui::PortableExecutable::from(runtime).map_err(|error| failed(&error))?;
        let image = image.write_resource(SECTION, bundle.to_vec()).map_err(|error| failed(&error))?;
        image.build(&mut out).map_err(|error| failed(&error))
    } else {
        Err(BundleError::Executable("the runtime is no executable for Linux, macOS or Windows".to_owned()))
    }
}

/// Whether there is a bundle in the executable.
fn holds_one(runtime: &[u8]) -> bool {
    place(runtime).is_some()
}

/// Where the bundle of an executable begins, in whatever format of executables. What bundles begin with is a constant of
/// qtool itself; in a bundle a hash, a length and JSON follow.
fn place(executable: &[u8]) -> Option<usize> {
    let magic = Regex::new(&format!("(?-u){}", regex::escape(&String::from_utf8_lossy(MAGIC)))).ok()?;
    let json = MAGIC.len() + super::HASH + super::LENGTH;
    let is_one =
        |at: &usize| executable.get(at + json..).is_some_and(|behind| behind.starts_with(b"{\"manifest\":{\"qtool\":"));
    magic.find_iter(executable).map(|found| found.start()).find(is_one)
}

/// The bundle in the bytes of an executable.
///
/// Errors: there is none, or it was damaged.
pub fn of_executable(executable: &[u8]) -> Result<Bundle, BundleError> {
    let at = place(executable).ok_or_else(|| BundleError::Executable("there is no bundle in it".to_owned()))?;
    Bundle::read_prefix(executable.get(at..).unwrap_or_default())
}

/// The bundle in the executable that runs; `None` where it is qtool itself.
///
/// Errors: a bundle that was damaged, or made by a version with another format.
pub fn embedded() -> Result<Option<Bundle>, BundleError> {
    let section = libsui::find_section(SECTION).map_err(|error| BundleError::Executable(error.to_string()))?;
    if let Some(section) = section {
        return Bundle::read(section).map(Some);
    }
    // Programs that take symbols away move the section, and nothing points to it any more: it is still in the file. Under
    // its own name, qtool does not look: that takes a tenth of a second.
    let unreadable = |error: std::io::Error| BundleError::Executable(format!("it cannot be read: {}", error.kind()));
    let path = std::env::current_exe().map_err(unreadable)?;
    if path.file_stem().and_then(|name| name.to_str()).is_none_or(|name| name.starts_with(OWN_NAME)) {
        return Ok(None);
    }
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    if holds_one(&bytes) { of_executable(&bytes).map(Some) } else { Ok(None) }
}

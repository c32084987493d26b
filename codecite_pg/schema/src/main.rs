//! Writes the extension's SQL script out of its compiled library: `codecite-schema LIBRARY CONTROL_FILE SQL_FILE`.
//!
//! pgrx's macros leave a description of every function and of every `extension_sql!` in a section of the library, and
//! `pgrx-sql-entity-graph` turns them into SQL in the order of their dependencies. `cargo pgrx schema` does the same, but
//! building cargo-pgrx takes longer than building the rest of the project.

#![forbid(unsafe_code)]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use object::{Object, ObjectSection};
use pgrx_sql_entity_graph::section::{ELF_SECTION_NAME, MACHO_SECTION_NAME};
use pgrx_sql_entity_graph::{ControlFile, PgrxSql, SqlGraphEntity};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, control, script] = arguments.as_slice() else {
        eprintln!("usage: codecite-schema LIBRARY CONTROL_FILE SQL_FILE");
        return ExitCode::from(2);
    };
    match write(Path::new(library), Path::new(control), Path::new(script)) {
        Ok(functions) => {
            println!("{functions} functions written to {script}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("codecite-schema: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the script and returns how many functions it declares.
///
/// # Errors
/// When a file cannot be read or written, when the library has no description of its SQL (a linker that drops unused
/// sections does that) or one of another version of pgrx, or when the dependencies between its objects form a circle.
fn write(library: &Path, control: &Path, script: &Path) -> Result<usize, Box<dyn Error>> {
    let binary = std::fs::read(library).map_err(|error| format!("{}: {error}", library.display()))?;
    let file = object::File::parse(binary.as_slice())?;
    let section = [ELF_SECTION_NAME, MACHO_SECTION_NAME]
        .into_iter()
        .find_map(|name| file.section_by_name(name))
        .ok_or_else(|| {
            format!("{} has no section {ELF_SECTION_NAME}: was it dropped by the linker?", library.display())
        })?;
    let described = pgrx_sql_entity_graph::section::decode_entities(section.data()?)?;
    let functions = described.iter().filter(|entity| matches!(entity, SqlGraphEntity::Function(_))).count();
    if functions == 0 {
        return Err(format!("{} describes no function", library.display()).into());
    }
    let root = SqlGraphEntity::ExtensionRoot(ControlFile::from_path_with_cargo_version(
        control,
        env!("CARGO_PKG_VERSION"),
    )?);
    let entities = std::iter::once(root).chain(described);
    let name = control.file_stem().ok_or("the control file has no name")?.to_string_lossy().into_owned();
    PgrxSql::build(entities, name, false)?.to_file(script)?;
    Ok(functions)
}

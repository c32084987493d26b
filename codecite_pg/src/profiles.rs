//! Profiles of the user's own beside the built-in ones: added, listed, found by name.

use codecite_core::profile::{Profile, builtin_names, catalog};
use codecite_core::{Error, Result};
use pgrx::prelude::*;

use crate::errors::{or_raise, raise, raise_with_detail, spi};
use crate::ingest::required;

/// Profiles of users' own that a database holds: each costs every ingest with `auto` a tree.
const MAX_OWN: i64 = 64;

/// A profile as it is kept.
struct Kept {
    name: String,
    json: String,
    builtin: bool,
    owner: Option<String>,
}

/// The built-in ones and the user's own, in the order in which `auto` tries them.
fn all() -> Vec<Kept> {
    let builtin = builtin_names().into_iter().filter_map(|name| {
        let json = catalog::builtin_definition(&name)?.to_owned();
        Some(Kept { name, json, builtin: true, owner: None })
    });
    own("auto").into_iter().chain(builtin).collect()
}

/// The user's own of that name, or all for `auto`. One that has come in by hand under a built-in name is never taken for it.
fn own(name: &str) -> Vec<Kept> {
    const SELECT: &str = "SELECT name, definition::text, owner::text FROM codecite.profile
                          WHERE name = $1 OR $1 = 'auto' ORDER BY name";
    Spi::connect(|client| {
        let rows = spi(client.select(SELECT, None, &[name.into()]));
        rows.filter_map(|row| {
            let (name, json) = (spi(row.get(1))?, spi(row.get(2))?);
            Some(Kept { name, json, builtin: false, owner: spi(row.get(3)) })
        })
        .collect()
    })
}

/// The profiles to try: one by name, or all for `auto`. The user's own come first.
pub fn usable(name: &str) -> Result<Vec<Profile>> {
    if catalog::builtin_definition(name).is_some() {
        return Ok(vec![Profile::builtin(name)?]);
    }
    let own = own(name);
    if name != "auto" {
        return match own.first() {
            Some(kept) => Ok(vec![catalog::own(&kept.name, &kept.json)?]),
            None => Err(unknown(name)),
        };
    }
    let compiled = own.iter().map(|kept| catalog::own(&kept.name, &kept.json));
    // One bad definition must not keep everybody from ingesting.
    let usable = compiled.filter_map(|profile| profile.map_err(|error| warning!("{error}")).ok());
    let mut profiles: Vec<Profile> = usable.collect();
    for name in builtin_names() {
        profiles.push(Profile::builtin(&name)?);
    }
    Ok(profiles)
}

fn unknown(name: &str) -> Error {
    let own = own("auto").into_iter().map(|kept| kept.name);
    let known = builtin_names().into_iter().chain(own).chain(["auto".to_owned()]).collect();
    Error::UnknownProfile { name: name.to_owned(), known }
}

/// What tells the profile of that name from what it may become later.
pub fn digest_of(name: &str) -> Option<Vec<u8>> {
    match catalog::builtin_definition(name) {
        Some(json) => catalog::digest(json).ok(),
        None => catalog::digest(&own(name).first()?.json).ok(),
    }
}

/// Every profile there is, with what `profiles` and `doctor` say about it.
#[pg_extern(schema = "codecite", stable, parallel_restricted)]
#[allow(clippy::type_complexity)]
fn known_profiles() -> TableIterator<
    'static,
    (
        name!(name, String),
        name!(builtin, bool),
        name!(description, Option<String>),
        name!(levels, Option<String>),
        name!(owner, Option<String>),
        name!(digest, Option<Vec<u8>>),
        name!(problem, Option<String>),
    ),
> {
    let rows = all().into_iter().map(|kept| {
        let digest = catalog::digest(&kept.json).ok();
        let compiled =
            if kept.builtin { Profile::builtin(&kept.name) } else { catalog::own(&kept.name, &kept.json) };
        match compiled {
            Ok(profile) => {
                let levels = profile.in_short();
                (kept.name, kept.builtin, Some(profile.description), Some(levels), kept.owner, digest, None)
            }
            Err(error) => (kept.name, kept.builtin, None, None, kept.owner, digest, Some(error.to_string())),
        }
    });
    TableIterator::new(rows.collect::<Vec<_>>())
}

/// The digest of every profile, one row for a name.
#[pg_extern(schema = "codecite", stable, parallel_restricted)]
fn profile_digests() -> TableIterator<'static, (name!(name, String), name!(digest, Option<Vec<u8>>))> {
    let own = |kept: &Kept| kept.builtin || catalog::builtin_definition(&kept.name).is_none();
    let rows = all().into_iter().filter(own).map(|kept| (kept.name, catalog::digest(&kept.json).ok()));
    TableIterator::new(rows.collect::<Vec<_>>())
}

#[pg_extern(schema = "codecite", volatile, parallel_unsafe)]
fn add_profile(
    name: Option<&str>,
    profile: Option<pgrx::JsonB>,
    replace: default!(Option<bool>, false),
) -> String {
    crate::errors::refuse_if_read_only(c"codecite.add_profile()");
    let name = required("name", name);
    let definition = required("profile", profile).0;
    refuse_reserved(name);
    let usable = or_raise(catalog::own(name, &definition.to_string()));
    const EXISTS: &str = "SELECT count(*) FILTER (WHERE name = $1), count(*) FROM codecite.profile";
    let (same, others): (i64, i64) = Spi::connect(|client| {
        let row = spi(client.select(EXISTS, Some(1), &[name.into()])).next();
        row.and_then(|row| Some((spi(row.get(1))?, spi(row.get(2))?))).unwrap_or_default()
    });
    if same > 0 && !crate::ingest::required("replace", replace) {
        raise_exists(name);
    }
    if same == 0 && others >= MAX_OWN {
        raise(
            PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
            format!("there are already {MAX_OWN} profiles of users' own"),
            "Drop one with codecite.drop_profile(name): every ingest with profile => 'auto' tries them all.",
        );
    }
    // With its name, as a definition that stands in a file has it.
    let mut definition = definition;
    if let Some(fields) = definition.as_object_mut() {
        fields.insert("name".into(), usable.name.clone().into());
    }
    const INSERT: &str =
        "INSERT INTO codecite.profile (name, definition) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    const UPDATE: &str = "UPDATE codecite.profile SET definition = $2 WHERE name = $1";
    let statement = if same > 0 { UPDATE } else { INSERT };
    let args = [name.into(), pgrx::JsonB(definition).into()];
    let done = Spi::connect_mut(|client| spi(client.update(statement, None, &args)).len());
    if done == 0 && same > 0 {
        raise_not_owner(name);
    } else if done == 0 {
        raise_exists(name);
    }
    usable.name
}

/// A built-in profile cannot be replaced, and `auto` is none.
fn refuse_reserved(name: &str) {
    if name == "auto" || catalog::builtin_definition(name).is_some() {
        raise_with_detail(
            PgSqlErrorCode::ERRCODE_RESERVED_NAME,
            format!("the profile name \"{name}\" is taken"),
            format!("Built in are {}; auto chooses among all.", builtin_names().join(", ")),
            "Choose another name.",
        );
    }
}

fn raise_exists(name: &str) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_DUPLICATE_OBJECT,
        format!("profile \"{name}\" already exists"),
        "Pass replace => true to replace it, or choose another name.",
    )
}

fn raise_not_owner(name: &str) -> ! {
    raise(
        PgSqlErrorCode::ERRCODE_INSUFFICIENT_PRIVILEGE,
        format!("profile \"{name}\" belongs to another role"),
        "SELECT name, owner FROM codecite.profiles() says to which. Choose another name.",
    )
}

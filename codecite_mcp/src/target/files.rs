//! libpq's files: services and passwords.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::fault::{Fault, Kind};

/// Keys of a service and the variables that say the same.
const KEYS: [(&str, &str); 12] = [
    ("host", "PGHOST"),
    ("hostaddr", "PGHOSTADDR"),
    ("port", "PGPORT"),
    ("user", "PGUSER"),
    ("password", "PGPASSWORD"),
    ("passfile", "PGPASSFILE"),
    ("dbname", "PGDATABASE"),
    ("options", "PGOPTIONS"),
    ("sslmode", "PGSSLMODE"),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("connect_timeout", "PGCONNECT_TIMEOUT"),
    ("application_name", "PGAPPNAME"),
];

/// The parameters of a service, by the names of their variables.
pub fn service(name: &str, env: impl Fn(&str) -> Option<String>) -> Result<Vec<(String, String)>, Fault> {
    let next = "Correct the name, or the file: PGSERVICEFILE, else ~/.pg_service.conf, else PGSYSCONFDIR/pg_service.conf.";
    let own = env("PGSERVICEFILE").or_else(|| env("HOME").map(|home| format!("{home}/.pg_service.conf")));
    let shared = env("PGSYSCONFDIR").map(|folder| format!("{folder}/pg_service.conf"));
    for path in [own, shared].into_iter().flatten() {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if let Some(found) = section(&text, name) {
            return Ok(found);
        }
    }
    Err(Fault::new(Kind::Input, format!("there is no service \"{name}\""), next))
}

fn section(text: &str, name: &str) -> Option<Vec<(String, String)>> {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) == Some(name))?;
    let pairs = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    let pairs = pairs.filter_map(|line| line.split_once('=')).filter_map(|(key, value)| {
        let variable = KEYS.iter().find(|(known, _)| *known == key.trim())?.1;
        Some((variable.to_owned(), value.trim().to_owned()))
    });
    Some(pairs.collect())
}

/// The password for a connection: `place` is host, port, database and user.
pub fn password(path: &Path, place: [&str; 4]) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    if about.permissions().mode() & 0o077 != 0 {
        tracing::warn!("{} is ignored: others can read it (chmod 600)", path.display());
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let (password, patterns) = fields.split_last()?;
        let fits = patterns.len() == place.len()
            && patterns.iter().zip(place).all(|(pattern, value)| pattern == "*" || pattern == value);
        fits.then(|| password.clone())
    })
}

/// The default file of passwords.
pub fn password_file(named: Option<String>, home: Option<String>) -> Option<PathBuf> {
    named.map(PathBuf::from).or_else(|| home.map(|home| Path::new(&home).join(".pgpass")))
}

/// A line at its colons; `\:` is a colon, and the fifth field goes to the end.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            ':' if fields.len() < 5 => {
                fields.push(String::new());
                continue;
            }
            '\\' => chars.next().unwrap_or('\\'),
            c => c,
        };
        if let Some(field) = fields.last_mut() {
            field.push(c);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_a_section() {
        let text = "# all\n[one]\nhost=a\n\n[two]\n host = /run/pg \n#port=1\nport=5433\nunknown=1\n[three]\nhost=c\n";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(section(text, "two"), Some(vec![pair("PGHOST", "/run/pg"), pair("PGPORT", "5433")]));
        assert_eq!(section(text, "four"), None);
    }

    #[test]
    fn a_password_is_found_by_place_and_only_in_a_private_file() {
        let path = std::env::temp_dir().join(format!("codecite-pgpass-{}", std::process::id()));
        std::fs::write(
            &path,
            "# passwords\nother:*:*:*:no\nh:5432:codes:ann\\:x:se\\:cret\n*:*:*:bob:last:word\n",
        )
        .unwrap();
        let mode = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        mode(0o600);
        assert_eq!(password(&path, ["h", "5432", "codes", "ann:x"]).as_deref(), Some("se:cret"));
        assert_eq!(password(&path, ["x", "1", "y", "bob"]).as_deref(), Some("last:word"));
        assert_eq!(password(&path, ["h", "5433", "codes", "ann:x"]), None);
        mode(0o644);
        assert_eq!(password(&path, ["h", "5432", "codes", "ann:x"]), None);
        std::fs::remove_file(&path).unwrap();
    }
}

//! Which database: a URL or a keyword string, completed by libpq's environment variables and files.

mod files;
mod parameters;

use std::path::Path;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::fault::{Fault, Kind};
use crate::tls::{self, Check};
use parameters::Parameters;

/// Folders where a local server's socket is usually found.
const SOCKET_FOLDERS: [&str; 2] = ["/var/run/postgresql", "/tmp"];
const DEFAULT_PORT: u16 = 5432;
/// A tool call must not hang on a host that drops packets.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where to connect.
#[derive(Clone)]
pub struct Target {
    /// The connection's parameters.
    pub config: Config,
    /// How the line is encrypted.
    pub tls: MakeRustlsConnect,
    /// The same for people, without the password.
    pub name: String,
}

impl Target {
    /// Reads a URL or keyword string; what it leaves out comes from a service, `env`, libpq's files, then its defaults.
    pub fn new(url: Option<&str>, env: impl Fn(&str) -> Option<String>) -> Result<Target, Fault> {
        let parameters = Parameters::new(url.unwrap_or("").trim());
        let outside = |name: &str| env(name).filter(|value| !value.is_empty());
        let service = match parameters.get("service").or_else(|| outside("PGSERVICE")) {
            Some(name) => files::service(&name, outside)?,
            None => Vec::new(),
        };
        // What a service says goes before the variable of the same meaning.
        let env = |name: &str| {
            let own = service.iter().find(|(variable, _)| variable == name).map(|(_, value)| value.clone());
            own.or_else(|| outside(name))
        };
        // The text is not repeated in the error: it may hold a password.
        let mut config: Config = parameters.rest.parse().map_err(|error| {
            let message = format!("the database URL cannot be read: {error}");
            Fault::new(Kind::Input, message, "Write it as postgresql://user:password@host:5432/database, or postgresql:///database?host=/run/postgresql for a socket.")
        })?;
        complete(&mut config, env)?;
        let tls = encryption(&mut config, |name, variable| parameters.get(name).or_else(|| env(variable)))?;
        if config.get_password().is_none() {
            let path = files::password_file(
                parameters.get("passfile").or_else(|| env("PGPASSFILE")),
                outside("HOME"),
            );
            if let Some(password) = path.and_then(|path| stored_password(&config, &path)) {
                config.password(password);
            }
        }
        // The name by which operators, `codecite.progress()` and the tests find these sessions.
        config.application_name("codecite");
        let name = name(&config);
        Ok(Target { config, tls, name })
    }
}

/// Fills in what the connection string left out.
fn complete(config: &mut Config, env: impl Fn(&str) -> Option<String>) -> Result<(), Fault> {
    if config.get_ports().is_empty()
        && let Some(port) = env("PGPORT")
    {
        config.port(number(&port, "PGPORT", "a number such as 5432")?);
    }
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        let port = config.get_ports().first().copied().unwrap_or(DEFAULT_PORT);
        config.host(env("PGHOST").or_else(|| env("PGHOSTADDR")).unwrap_or_else(|| local_server(port)));
    }
    if config.get_hosts().is_empty() {
        // A name is needed to tell what a certificate was made for: the address is one.
        for address in config.get_hostaddrs().to_vec() {
            config.host(address.to_string());
        }
    }
    if config.get_user().is_none()
        && let Some(user) = env("PGUSER").or_else(|| env("USER"))
    {
        config.user(user);
    }
    if config.get_password().is_none()
        && let Some(password) = env("PGPASSWORD")
    {
        config.password(password);
    }
    if config.get_dbname().is_none()
        && let Some(database) = env("PGDATABASE").or_else(|| config.get_user().map(str::to_owned))
    {
        config.dbname(database);
    }
    if config.get_options().is_none()
        && let Some(options) = env("PGOPTIONS")
    {
        config.options(options);
    }
    if config.get_connect_timeout().is_none() {
        let seconds = env("PGCONNECT_TIMEOUT");
        let seconds =
            seconds.map(|text| number(&text, "PGCONNECT_TIMEOUT", "a number of seconds")).transpose()?;
        config.connect_timeout(
            seconds.filter(|seconds| *seconds > 0).map_or(CONNECT_TIMEOUT, Duration::from_secs),
        );
    }
    Ok(())
}

/// How the line is encrypted, as libpq's sslmode and sslrootcert say; they are `get(name, variable)`.
fn encryption(
    config: &mut Config,
    get: impl Fn(&str, &str) -> Option<String>,
) -> Result<MakeRustlsConnect, Fault> {
    for name in ["sslcert", "sslkey"] {
        if get(name, "").is_some() {
            let next = "Leave it out, and sign in with a password or over a socket.";
            return Err(Fault::new(
                Kind::Input,
                format!("{name} is not supported: no client certificate is sent"),
                next,
            ));
        }
    }
    let roots = get("sslrootcert", "PGSSLROOTCERT");
    let named = roots.as_deref().filter(|roots| *roots != "system");
    let mode = get("sslmode", "PGSSLMODE").unwrap_or_else(|| {
        if roots.as_deref() == Some("system") { "verify-full".to_owned() } else { "prefer".to_owned() }
    });
    let (mode, check) = match mode.as_str() {
        "disable" => (SslMode::Disable, Check::None),
        "allow" | "prefer" => (SslMode::Prefer, Check::None),
        // As in libpq: whoever names whom to trust means it.
        "require" if named.is_some() => (SslMode::Require, Check::Authority),
        "require" => (SslMode::Require, Check::None),
        "verify-ca" => (SslMode::Require, Check::Authority),
        "verify-full" => (SslMode::Require, Check::Name),
        _ => {
            let next = "Use disable, prefer, require, verify-ca or verify-full.";
            return Err(Fault::new(Kind::Input, format!("there is no sslmode \"{mode}\""), next));
        }
    };
    // A socket never leaves the machine, and the server offers no TLS there.
    let is_socket = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
    config.ssl_mode(if is_socket { SslMode::Disable } else { mode });
    let check = if is_socket { Check::None } else { check };
    Ok(MakeRustlsConnect::new(tls::config(check, named.map(Path::new))?))
}

fn stored_password(config: &Config, path: &Path) -> Option<String> {
    let host = match config.get_hosts().first()? {
        Host::Tcp(host) => host.as_str(),
        Host::Unix(_) => "localhost",
    };
    let port = config.get_ports().first().copied().unwrap_or(DEFAULT_PORT).to_string();
    files::password(path, [host, &port, config.get_dbname()?, config.get_user()?])
}

fn number<T: std::str::FromStr>(text: &str, name: &str, what: &str) -> Result<T, Fault> {
    text.parse().map_err(|_| {
        Fault::new(Kind::Input, format!("{name} is no number: {text}"), format!("Set {name} to {what}."))
    })
}

/// The socket of a local server if there is one, otherwise the loopback interface.
fn local_server(port: u16) -> String {
    let socket = |folder: &&&str| Path::new(folder).join(format!(".s.PGSQL.{port}")).exists();
    SOCKET_FOLDERS.iter().find(socket).map_or_else(|| "localhost".to_owned(), |folder| (*folder).to_owned())
}

fn name(config: &Config) -> String {
    let port = config.get_ports().first().copied().unwrap_or(DEFAULT_PORT);
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => config.get_hostaddrs().first().map(ToString::to_string).unwrap_or_default(),
    };
    let database = config.get_dbname().unwrap_or("default");
    let user = config.get_user().unwrap_or("default");
    format!("{host} port {port}, database {database}, user {user}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
        move |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn environment_completes_a_url() {
        let target = Target::new(
            Some("postgresql:///codes"),
            env(&[("PGHOST", "/run/pg"), ("PGPORT", "5433"), ("PGUSER", "ann"), ("PGDATABASE", "other")]),
        )
        .unwrap();
        assert_eq!(target.name, "/run/pg port 5433, database codes, user ann");
    }

    #[test]
    fn url_wins_over_the_environment() {
        let url = "postgresql://bob:secret@db.example:6000/codes";
        let target =
            Target::new(Some(url), env(&[("PGHOST", "x"), ("PGPORT", "1"), ("PGUSER", "ann")])).unwrap();
        assert_eq!(target.name, "db.example port 6000, database codes, user bob");
        assert!(!target.name.contains("secret"));
    }

    #[test]
    fn a_socket_folder_can_stand_in_the_url() {
        let target = Target::new(Some("postgresql://bob@/codes?host=/tmp/x"), env(&[])).unwrap();
        assert!(target.name.starts_with("/tmp/x port 5432"));
        let encoded = Target::new(Some("postgresql://bob@%2Ftmp%2Fx/codes"), env(&[])).unwrap();
        assert_eq!(encoded.name, target.name);
    }

    #[test]
    fn a_bad_url_does_not_leak_its_password() {
        let fault = Target::new(Some("postgresql://bob:secret@h:port/x"), env(&[])).err().unwrap();
        assert!(!fault.to_string().contains("secret"), "{fault}");
    }

    #[test]
    fn tls_is_as_strict_as_sslmode_says() {
        let mode = |url: &str| Target::new(Some(url), env(&[])).map(|target| target.config.get_ssl_mode());
        assert_eq!(mode("postgresql://h/x").unwrap(), SslMode::Prefer);
        assert_eq!(mode("postgresql://h/x?sslmode=require").unwrap(), SslMode::Require);
        assert_eq!(mode("postgresql://u@/x?host=/tmp&sslmode=require").unwrap(), SslMode::Disable);
        let missing = mode("host=h sslmode=verify-full sslrootcert=/no/such/file").unwrap_err();
        assert!(missing.message.contains("/no/such/file"), "{missing}");
        assert!(mode("postgresql://h/x?sslmode=perhaps").unwrap_err().message.contains("sslmode"));
        assert!(mode("postgresql://h/x?sslcert=/a").unwrap_err().message.contains("client certificate"));
        let by_variable = Target::new(Some("postgresql://h/x"), env(&[("PGSSLMODE", "disable")])).unwrap();
        assert_eq!(by_variable.config.get_ssl_mode(), SslMode::Disable);
    }

    #[test]
    fn a_service_stands_between_the_url_and_the_environment() {
        let path = std::env::temp_dir().join(format!("codecite-service-{}", std::process::id()));
        std::fs::write(&path, "[codes]\nhost=/run/pg\nport=5433\ndbname=service\n").unwrap();
        let file = path.to_str().unwrap().to_owned();
        let variables = move |name: &str| match name {
            "PGSERVICEFILE" => Some(file.clone()),
            "PGPORT" => Some("1".to_owned()),
            "PGUSER" => Some("ann".to_owned()),
            _ => None,
        };
        let target = Target::new(Some("dbname=url service=codes"), &variables).unwrap();
        assert_eq!(target.name, "/run/pg port 5433, database url, user ann");
        let missing = Target::new(Some("service=other"), &variables).err().unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(missing.message.contains("other"), "{missing}");
    }
}

//! Which database: a URL or a keyword string, completed by libpq's environment variables.

use std::path::Path;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::fault::{Fault, Kind};

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
    /// The same for people, without the password.
    pub name: String,
}

impl Target {
    /// Reads a URL or keyword string; what it leaves out comes from `env`, then from libpq's defaults.
    pub fn new(url: Option<&str>, env: impl Fn(&str) -> Option<String>) -> Result<Target, Fault> {
        let env = |name: &str| env(name).filter(|value| !value.is_empty());
        let mut config: Config = match url.filter(|url| !url.trim().is_empty()) {
            // The text is not repeated in the error: it may hold a password.
            Some(url) => url.parse().map_err(|error| {
                let message = format!("the database URL cannot be read: {error}");
                Fault::new(Kind::Input, message, "Write it as postgresql://user:password@host:5432/database, or postgresql:///database?host=/run/postgresql for a socket.")
            })?,
            None => Config::new(),
        };
        if config.get_ports().is_empty()
            && let Some(port) = env("PGPORT")
        {
            config.port(port.parse().map_err(|_| {
                Fault::new(
                    Kind::Input,
                    format!("PGPORT is no port number: {port}"),
                    "Set PGPORT to a number such as 5432.",
                )
            })?);
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            let port = config.get_ports().first().copied().unwrap_or(DEFAULT_PORT);
            config.host(env("PGHOST").unwrap_or_else(|| local_server(port)));
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
        if let Some("require" | "verify-ca" | "verify-full") = env("PGSSLMODE").as_deref() {
            config.ssl_mode(SslMode::Require);
        }
        if config.get_ssl_mode() == SslMode::Require {
            let next = "Use a Unix socket, the loopback interface or an SSH tunnel, and leave sslmode out.";
            return Err(Fault::new(Kind::Input, "TLS to the database is not supported yet", next));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.application_name("codecite");
        let name = name(&config);
        Ok(Target { config, name })
    }
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
    fn tls_is_refused_in_words() {
        let fault = Target::new(Some("postgresql://h/x?sslmode=require"), env(&[])).err().unwrap();
        assert!(fault.message.contains("TLS"), "{fault}");
    }
}

//! Connections that are made when needed and made anew when they break.
//!
//! Every call is one statement outside any transaction block, so that no session is ever idle in a transaction.
//! Rows travel as JSON text made by the server: new columns of a function do not break an older client.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, SimpleQueryMessage};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::fault::{Fault, Kind, chain};
use crate::output::clean_json;
use crate::target::Target;

/// What the server's own time limit is given to answer with its error before the line counts as dead.
const GRACE: Duration = Duration::from_secs(5);

/// A parameter and its type: declared here, a statement needs one round trip.
pub type Param<'a> = (&'a (dyn ToSql + Sync), Type);

/// What a session is allowed.
#[derive(Debug, Clone, Copy)]
pub struct Session {
    /// The longest that a statement may run; zero for no limit.
    pub timeout: Duration,
    /// Calls that may run at once, each on a connection; more wait.
    pub connections: usize,
    /// Refuses all writes. Reads are also repeated once after the connection broke.
    pub read_only: bool,
}

/// The rows of a call, and the notices that came with them.
#[derive(Debug)]
pub struct Answer<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// NOTICE and WARNING messages.
    pub notices: Vec<String>,
}

/// A database that may not be there yet.
pub struct Db {
    target: Target,
    session: Session,
    idle: Mutex<Vec<Connection>>,
    slots: Semaphore,
}

struct Connection {
    client: Client,
    /// The backend's process, under which its progress is seen.
    process: i32,
    notices: Arc<Mutex<Vec<String>>>,
}

impl Db {
    /// Nothing is connected before the first call.
    pub fn new(target: Target, session: Session) -> Db {
        let slots = Semaphore::new(session.connections);
        Db { target, session, idle: Mutex::new(Vec::new()), slots }
    }

    /// The server's name for people.
    pub fn name(&self) -> &str {
        &self.target.name
    }

    /// The same server and session, another database.
    pub fn in_database(&self, name: &str) -> Db {
        let mut target = self.target.clone();
        target.config.dbname(name);
        Db::new(target, self.session)
    }

    /// The database's name.
    pub fn database(&self) -> &str {
        self.target.config.get_dbname().unwrap_or_default()
    }

    /// Runs one statement whose rows are JSON text. Dropping the future cancels the statement in Postgres.
    pub async fn call<T: DeserializeOwned>(
        &self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Answer<T>, Fault> {
        self.call_seen(sql, params, &AtomicI32::new(0)).await
    }

    /// The same; `process` becomes that of the backend at work, so that another connection can ask how far it is.
    pub async fn call_seen<T: DeserializeOwned>(
        &self,
        sql: &str,
        params: &[Param<'_>],
        process: &AtomicI32,
    ) -> Result<Answer<T>, Fault> {
        let _slot = self
            .slots
            .acquire()
            .await
            .map_err(|_| Fault::new(Kind::Stopped, "the program is ending", "Start it again."))?;
        let reused = self.take_idle();
        let is_reused = reused.is_some();
        let connection = match reused {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        process.store(connection.process, Ordering::Relaxed);
        match self.run(connection, sql, params).await {
            // A restart of the server shows only when an idle connection is used again. A read can be repeated.
            Err(error) if is_reused && self.session.read_only && is_lost(&error) => {
                tracing::info!("the connection was lost; connecting again");
                lock(&self.idle).clear();
                let connection = self.connect().await?;
                process.store(connection.process, Ordering::Relaxed);
                self.run(connection, sql, params).await
            }
            other => other,
        }
        .map_err(|error| self.fault(&error))
    }

    async fn run<T: DeserializeOwned>(
        &self,
        connection: Connection,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Answer<T>, Failure> {
        lock(&connection.notices).clear();
        let mut running = Running { connection: Some(connection), tls: self.target.tls.clone() };
        let Some(connection) = &running.connection else {
            return Err(Failure::Silent);
        };
        let query = connection.client.query_typed(sql, params);
        let result = if self.session.timeout.is_zero() {
            query.await
        } else {
            match tokio::time::timeout(self.session.timeout + GRACE, query).await {
                Ok(result) => result,
                Err(_) => return Err(Failure::Silent),
            }
        };
        // Only now is the connection free for others; until here a drop of this future cancels the query.
        let connection = running.connection.take();
        let notices =
            connection.as_ref().map(|used| std::mem::take(&mut *lock(&used.notices))).unwrap_or_default();
        if let Some(connection) = connection.filter(|connection| !connection.client.is_closed()) {
            lock(&self.idle).push(connection);
        }
        let rows = result.map_err(Failure::Postgres)?;
        let rows = rows.iter().map(|row| {
            let text: &str = row.try_get(0).map_err(Failure::Postgres)?;
            let mut value: serde_json::Value = serde_json::from_str(text).map_err(Failure::Shape)?;
            clean_json(&mut value);
            serde_json::from_value(value).map_err(Failure::Shape)
        });
        Ok(Answer { rows: rows.collect::<Result<_, _>>()?, notices })
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = lock(&self.idle);
        idle.retain(|connection| !connection.client.is_closed());
        idle.pop()
    }

    async fn connect(&self) -> Result<Connection, Fault> {
        let fault = |error: &tokio_postgres::Error| Fault::unreachable(&self.target.name, error);
        let (client, mut wire) =
            self.target.config.connect(self.target.tls.clone()).await.map_err(|error| fault(&error))?;
        let notices = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&notices);
        tokio::spawn(async move {
            loop {
                match std::future::poll_fn(|cx| wire.poll_message(cx)).await {
                    Some(Ok(AsyncMessage::Notice(notice))) => lock(&heard).push(notice.message().to_owned()),
                    Some(Ok(_)) => {}
                    Some(Err(error)) => {
                        tracing::info!("connection to the database ended: {}", chain(&error));
                        break;
                    }
                    None => break,
                }
            }
        });
        // SET and not startup options: connection poolers refuse those.
        let set = format!(
            "SET statement_timeout = {}; SET default_transaction_read_only = {}; SET client_min_messages = notice; \
             SELECT pg_backend_pid()",
            self.session.timeout.as_millis(),
            if self.session.read_only { "on" } else { "off" },
        );
        let said = client.simple_query(&set).await.map_err(|error| fault(&error))?;
        let process = said.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0)?.parse().ok(),
            _ => None,
        });
        tracing::debug!("connected to {}", self.target.name);
        Ok(Connection { client, process: process.unwrap_or(0), notices })
    }

    fn fault(&self, failure: &Failure) -> Fault {
        match failure {
            Failure::Silent => Fault::silent(&self.target.name, (self.session.timeout + GRACE).as_secs()),
            Failure::Shape(error) => Fault::new(
                Kind::NotReady,
                format!("the database answered in a form that this version does not know: {error}"),
                "Run `codecite doctor`; the extension and this program should be of the same version.",
            ),
            Failure::Postgres(error) => match error.as_db_error() {
                Some(answer) if !is_lost(failure) => Fault::refused(answer),
                _ => Fault::unreachable(&self.target.name, error),
            },
        }
    }
}

/// Why a statement gave no rows.
enum Failure {
    Postgres(tokio_postgres::Error),
    Shape(serde_json::Error),
    Silent,
}

/// The server went away, as opposed to: it answered with an error.
fn is_lost(failure: &Failure) -> bool {
    let Failure::Postgres(error) = failure else {
        return false;
    };
    match error.code() {
        Some(code) => {
            code.code().starts_with("08")
                || [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW]
                    .contains(code)
        }
        None => {
            error.is_closed()
                || std::error::Error::source(error).is_some_and(|source| source.is::<std::io::Error>())
        }
    }
}

/// A connection with a statement under way. Dropped before the end, it cancels the statement and is not used
/// again: a late cancel would hit its next statement.
struct Running {
    connection: Option<Connection>,
    tls: MakeRustlsConnect,
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        let token = connection.client.cancel_token();
        let tls = self.tls.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = token.cancel_query(tls).await {
                    tracing::warn!("a statement could not be cancelled: {}", chain(&error));
                }
                // Held until here, so that the cancel finds the session.
                drop(connection);
            });
        }
    }
}

/// A poisoned lock guards plain lists: they stay usable.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

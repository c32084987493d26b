//! What `codecite init` makes.

use tokio_postgres::types::Type;

use crate::db::Db;
use crate::fault::Fault;

/// Makes the database. Run in another one of the same server.
pub async fn create_database(db: &Db, name: &str) -> Result<(), Fault> {
    db.call::<()>(&format!("CREATE DATABASE {}", identifier(name)), &[]).await.map(drop)
}

/// The installed version of an extension.
pub async fn extension(db: &Db, name: &str) -> Result<Option<String>, Fault> {
    const SQL: &str = "SELECT to_json(extversion)::text FROM pg_catalog.pg_extension WHERE extname = $1";
    Ok(db.call(SQL, &[(&name, Type::TEXT)]).await?.rows.into_iter().next())
}

/// Installs an extension.
pub async fn add_extension(db: &Db, name: &str) -> Result<(), Fault> {
    db.call::<()>(&format!("CREATE EXTENSION IF NOT EXISTS {}", identifier(name)), &[]).await.map(drop)
}

/// `codecite.grant_read` or `codecite.grant_write`.
pub async fn grant(db: &Db, role: &str, writes: bool) -> Result<(), Fault> {
    let verb = if writes { "grant_write" } else { "grant_read" };
    let sql = format!("SELECT 'null' FROM codecite.{verb}(role => $1::name)");
    db.call::<()>(&sql, &[(&role, Type::TEXT)]).await.map(drop)
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_quoted() {
        assert_eq!(super::identifier("a\"b c"), "\"a\"\"b c\"");
    }
}

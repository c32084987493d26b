//! Core errors as Postgres errors: SQLSTATE, message, detail, hint. Document text is in none of them.

use codecite_core::Error;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

/// Raises an error; does not return.
pub fn raise(code: PgSqlErrorCode, message: impl Into<String>, hint: impl Into<String>) -> ! {
    raise_with_detail(code, message, "", hint)
}

/// Raises an error that has a detail; does not return.
pub fn raise_with_detail(
    code: PgSqlErrorCode,
    message: impl Into<String>,
    detail: impl Into<String>,
    hint: impl Into<String>,
) -> ! {
    let (detail, hint) = (detail.into(), hint.into());
    let mut report = ErrorReport::new(code, message.into(), "codecite");
    if !detail.is_empty() {
        report = report.set_detail(detail);
    }
    if !hint.is_empty() {
        report = report.set_hint(hint);
    }
    report.report(PgLogLevel::ERROR);
    unreachable!("an ERROR does not return");
}

/// Raises a core error under its SQLSTATE; does not return. A cancellation is served by Postgres itself.
pub fn raise_core(error: &Error) -> ! {
    if *error == Error::Cancelled {
        pgrx::check_for_interrupts!();
        raise(PgSqlErrorCode::ERRCODE_QUERY_CANCELED, "canceling statement due to user request", "");
    }
    if let Error::BadProfile { name, reason } = error {
        raise_with_detail(
            sqlstate(error),
            format!("profile \"{name}\" cannot be used"),
            reason.as_str(),
            error.hint(),
        );
    }
    raise(sqlstate(error), error.to_string(), error.hint());
}

/// The value, or the error raised.
pub fn or_raise<T>(result: codecite_core::Result<T>) -> T {
    result.unwrap_or_else(|error| raise_core(&error))
}

/// The value of an SPI call, or an internal error. SQL errors inside SPI are raised by Postgres itself and
/// do not come here.
pub fn spi<T>(result: Result<T, pgrx::spi::Error>) -> T {
    result.unwrap_or_else(|error| {
        raise(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, format!("codecite could not run a query: {error}"), "")
    })
}

fn sqlstate(error: &Error) -> PgSqlErrorCode {
    match error {
        Error::Empty
        | Error::UnknownFormat { .. }
        | Error::NoReader { .. }
        | Error::FormatMismatch { .. }
        | Error::Malformed { .. }
        | Error::NeedsOcr { .. }
        | Error::Encrypted => PgSqlErrorCode::ERRCODE_INVALID_BINARY_REPRESENTATION,
        Error::BadEncoding { .. } => PgSqlErrorCode::ERRCODE_CHARACTER_NOT_IN_REPERTOIRE,
        Error::Limit { .. } => PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
        Error::OutOfMemory => PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY,
        Error::Cancelled => PgSqlErrorCode::ERRCODE_QUERY_CANCELED,
        Error::UnknownProfile { .. } => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
        Error::BadProfile { .. } | Error::BadArgument { .. } | Error::BadManifest { .. } => {
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE
        }
        Error::Corrupt { .. } => PgSqlErrorCode::ERRCODE_DATA_CORRUPTED,
        _ => PgSqlErrorCode::ERRCODE_INTERNAL_ERROR,
    }
}

/// Refuses a verb that writes in a read-only transaction and on a standby (SQLSTATE 25006), before any work.
pub fn refuse_if_read_only(verb: &std::ffi::CStr) {
    // SAFETY: raises an error or returns; the string lives as long as the call.
    unsafe { pg_sys::PreventCommandIfReadOnly(verb.as_ptr()) };
}

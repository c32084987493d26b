//! The library ONNX Runtime, and the one environment that a process may have.

use std::ffi::CStr;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use ort::environment::Environment;
use ort::logging::LogLevel;

use crate::elf::{Shape, shape};
use crate::error::{EmbedError, brief};
use crate::files;
use crate::native::{SignalsBlocked, guarded};

/// From this minor version on, the official builds start an uploader of usage data with every environment.
const TELEMETRY_SINCE: u32 = 29;

/// ONNX Runtime, loaded into this process for good.
pub struct Runtime {
    path: PathBuf,
    version: String,
    environment: Environment,
}

enum State {
    Closed,
    Open(&'static Runtime),
    /// The library keeps half of an environment that failed; a second attempt in the same process is undefined.
    Failed(String),
}

static STATE: Mutex<State> = Mutex::new(State::Closed);

impl Runtime {
    /// Loads the library at `path` and starts its environment, without threads, log output or usage data.
    ///
    /// The second and later calls return the first one's result.
    ///
    /// # Errors
    /// `RuntimeMissing`, `RuntimeTruncated`, `RuntimeTooOld` (the process may try another path), `RuntimeFixed`
    /// (another library is loaded already), `EnvironmentFailed` (nothing but a new process helps).
    pub fn open(path: &Path) -> Result<&'static Runtime, EmbedError> {
        let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Failed(reason) => {
                return Err(EmbedError::EnvironmentFailed { reason: reason.clone() });
            }
            State::Open(runtime) => {
                let same = runtime.path == path || path.canonicalize().is_ok_and(|p| p == runtime.path);
                return if same {
                    Ok(runtime)
                } else {
                    Err(EmbedError::RuntimeFixed { loaded: runtime.path.clone() })
                };
            }
            State::Closed => {}
        }
        let path = check_file(path)?;
        let _blocked = SignalsBlocked::new();
        let version = guarded(|| probe(&path))?;
        match guarded(|| start(&path)) {
            Ok(environment) => {
                let runtime = Box::leak(Box::new(Runtime { path, version, environment }));
                *state = State::Open(runtime);
                Ok(runtime)
            }
            Err(EmbedError::Internal(reason) | EmbedError::EnvironmentFailed { reason }) => {
                *state = State::Failed(reason.clone());
                Err(EmbedError::EnvironmentFailed { reason })
            }
            Err(other) => Err(other),
        }
    }

    /// The library's path, with links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version that the library reports, such as `1.28.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What a DBA should know about this version, if anything.
    pub fn warning(&self) -> Option<String> {
        let minor = minor_version(&self.version)?;
        (minor >= TELEMETRY_SINCE).then(|| {
            format!(
                "official builds of ONNX Runtime {} can upload usage data; it is switched off, 1.28 cannot",
                self.version
            )
        })
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }
}

/// Everything that can be known without loading the library; returns the path with links resolved.
fn check_file(path: &Path) -> Result<PathBuf, EmbedError> {
    let missing = |reason: String| EmbedError::RuntimeMissing { path: path.to_owned(), reason };
    if !path.is_absolute() {
        return Err(missing("the path is not absolute".into()));
    }
    let resolved = path.canonicalize().map_err(|e| missing(e.to_string()))?;
    let file = files::open_regular(&resolved).map_err(|e| missing(e.to_string()))?;
    let size = file.metadata().map_err(|e| missing(e.to_string()))?.len();
    match shape(|at, buffer| file.read_exact_at(buffer, at).is_ok()) {
        Shape::Foreign(what) => Err(missing(what.into())),
        Shape::Needs(expected) if expected > size => {
            Err(EmbedError::RuntimeTruncated { path: path.to_owned(), size, expected })
        }
        Shape::Needs(_) => Ok(resolved),
    }
}

/// Loads the library with the system's loader alone and asks for its version, before the bindings touch it: they
/// would panic, or keep a half-loaded library.
fn probe(path: &Path) -> Result<String, EmbedError> {
    let missing = |reason: String| EmbedError::RuntimeMissing { path: path.to_owned(), reason };
    // SAFETY: loading runs the library's constructors. The path comes from a setting that only a superuser can make;
    // the file is a whole shared library for this machine. It stays loaded (`into_raw` below, on every path), so its
    // destructors cannot run while something still points into it.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(|e| {
        missing(brief(std::error::Error::source(&e).map_or_else(|| e.to_string(), |s| s.to_string())))
    })?;
    // SAFETY: this is the type that the C interface documents for the symbol, in every version.
    let getter =
        unsafe { library.get::<unsafe extern "C" fn() -> *const ort::sys::OrtApiBase>(c"OrtGetApiBase") }
            .map(|symbol| *symbol);
    let _ = library.into_raw();
    let getter = getter.map_err(|_| missing("it is a shared library, but not ONNX Runtime".into()))?;
    // SAFETY: the function takes nothing and returns a pointer to a static structure, or null.
    let base = unsafe { getter().as_ref() };
    let base = base.ok_or_else(|| missing("it gives no interface".into()))?;
    // SAFETY: the structure's second member is a function that returns a static C string.
    let version = unsafe { CStr::from_ptr((base.GetVersionString)()) }.to_string_lossy().into_owned();
    let minimum = ort::MINOR_VERSION;
    if minor_version(&version).is_none_or(|minor| minor < minimum) {
        return Err(EmbedError::RuntimeTooOld { found: brief(version), minimum });
    }
    Ok(version)
}

/// Starts the environment.
fn start(path: &Path) -> Result<Environment, EmbedError> {
    // SAFETY: writing the environment is unsound beside a thread that reads it through C. A backend has one thread;
    // where there are more, this runs once, before the library that reads the variable has code running.
    unsafe { std::env::set_var("ORT_DISABLE_TELEMETRY", "1") };
    let builder = ort::init_from(path)
        .map_err(|e| EmbedError::RuntimeMissing { path: path.to_owned(), reason: brief(e) })?;
    let environment = builder
        .with_name("codecite")
        .with_telemetry(false)
        // The library's own logger writes to stderr, which is the server log. Nor may one here report through
        // Postgres: it is called from the middle of C++ code.
        .with_logger(Arc::new(|_: LogLevel, _: &str, _: &str, _: &str, _: &str| {}))
        .build()
        .map_err(|e| EmbedError::EnvironmentFailed { reason: brief(e) })?;
    // With a logger of our own everything is formatted, only to be thrown away.
    environment.set_log_level(LogLevel::Fatal);
    Ok(environment)
}

fn minor_version(version: &str) -> Option<u32> {
    let mut parts = version.split('.');
    let (major, minor) = (parts.next()?, parts.next()?);
    if major == "1" { minor.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_minor_number() {
        assert_eq!(minor_version("1.28.0"), Some(28));
        assert_eq!(minor_version("1.17"), Some(17));
        assert_eq!(minor_version("2.0.0"), None);
        assert_eq!(minor_version(""), None);
    }

    #[test]
    fn a_path_is_checked_before_anything_is_loaded() {
        let reason = |path: &str| match check_file(Path::new(path)) {
            Err(EmbedError::RuntimeMissing { reason, .. }) => reason,
            other => panic!("{path}: {other:?}"),
        };
        assert!(reason("").contains("absolute"));
        assert!(reason("libonnxruntime.so").contains("absolute"));
        assert!(reason("/nowhere/libonnxruntime.so").contains("No such file"));
        assert!(reason("/tmp").contains("regular"));
        assert!(reason("/dev/null").contains("regular"));
        assert!(reason("/etc/passwd").contains("shared library"));
    }
}

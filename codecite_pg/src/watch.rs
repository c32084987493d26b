//! Progress of long work in the application name, and cancellation of it.

use std::ffi::{CStr, CString};
use std::ptr::addr_of;
use std::time::{Duration, Instant};

use codecite_core::work::{Progress, Stage};
use pgrx::pg_sys;

/// Reports are written at most this often: each one takes a lock in shared memory.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// Reports progress as `codecite: read 120/1500 12s` (seconds in this stage, which `codecite.progress()` makes a rate
/// of) and stops the work when a cancel is pending. The application name comes back when it is dropped, which an
/// ERROR does as well.
pub struct Watch {
    before: Option<CString>,
    last: Instant,
    stage: Option<(Stage, Instant)>,
}

impl Watch {
    /// Starts watching.
    pub fn new() -> Self {
        Watch { before: None, last: Instant::now(), stage: None }
    }

    fn report(&mut self, stage: Stage, done: u64, total: u64) {
        let since = match self.stage {
            Some((current, since)) if current == stage => since,
            _ => self.stage.insert((stage, Instant::now())).1,
        };
        if self.last.elapsed() < REPORT_EVERY {
            return;
        }
        self.last = Instant::now();
        if self.before.is_none() {
            self.before = application_name();
        }
        if let Ok(text) = CString::new(format!(
            "codecite: {} {done}/{total} {}s",
            stage.as_str(),
            since.elapsed().as_secs()
        )) {
            show(&text);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(name) = &self.before {
            show(name);
        }
    }
}

impl Progress for Watch {
    fn tick(&mut self, stage: Stage, done: u64, total: u64) -> bool {
        self.report(stage, done, total);
        !must_stop()
    }
}

/// True when the statement has to stop. Anything else that is pending is served at once: a DROP DATABASE
/// elsewhere waits until every backend has taken note of it.
pub fn must_stop() -> bool {
    if cancel_pending() {
        return true;
    }
    pgrx::check_for_interrupts!();
    false
}

/// A cancel, a timeout or the end of the backend is pending.
fn cancel_pending() -> bool {
    // SAFETY: plain flags of the backend, set by its signal handlers; read without keeping a reference.
    unsafe {
        addr_of!(pg_sys::InterruptPending).read_volatile() != 0
            && (addr_of!(pg_sys::QueryCancelPending).read_volatile() != 0
                || addr_of!(pg_sys::ProcDiePending).read_volatile() != 0)
    }
}

fn application_name() -> Option<CString> {
    // SAFETY: a NUL-terminated string of the backend; copied at once.
    unsafe {
        let name = pg_sys::application_name;
        (!name.is_null()).then(|| CStr::from_ptr(name).to_owned())
    }
}

/// Shows a name in pg_stat_activity without touching the setting itself.
fn show(name: &CStr) {
    // SAFETY: copies the string into this backend's status slot.
    unsafe { pg_sys::pgstat_report_appname(name.as_ptr()) };
}

//! What has to hold around every call into a native library.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{EmbedError, brief};

/// Blocks every signal until it is dropped.
///
/// A thread that a library starts inherits the mask of its creator. With all signals blocked at that moment, no signal
/// meant for Postgres can be delivered on a foreign thread.
pub(crate) struct SignalsBlocked {
    before: Option<libc::sigset_t>,
}

impl SignalsBlocked {
    /// Blocks them.
    pub(crate) fn new() -> Self {
        let mut all = MaybeUninit::<libc::sigset_t>::uninit();
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: sigfillset initialises the set it is given; pthread_sigmask reads it, and writes the old mask
        // before it returns 0. Both pointers are to live, properly aligned locals.
        let before = unsafe {
            libc::sigfillset(all.as_mut_ptr());
            let failed = libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) != 0;
            if failed { None } else { Some(before.assume_init()) }
        };
        SignalsBlocked { before }
    }
}

impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // SAFETY: `before` was written by pthread_sigmask in `new`; the old mask is not asked for.
            unsafe {
                libc::pthread_sigmask(libc::SIG_SETMASK, before, std::ptr::null_mut());
            }
        }
    }
}

/// Runs `work`, and turns a panic in it into an error: the bindings panic where they find the unexpected, and a panic
/// must not travel through a caller that has C frames above it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, EmbedError>) -> Result<T, EmbedError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        // Dropping a payload may panic in turn; a leaked one costs a few bytes.
        std::mem::forget(payload);
        Err(EmbedError::Internal(brief(message)))
    })
}

/// How many threads this process has, where the system tells.
pub fn thread_count() -> Option<usize> {
    std::fs::read_dir("/proc/self/task").ok().map(Iterator::count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(signal: libc::c_int) -> bool {
        let mut mask = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: without a new set the call only writes the current mask to `mask`.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), mask.as_mut_ptr());
            libc::sigismember(mask.as_ptr(), signal) == 1
        }
    }

    #[test]
    fn signals_are_blocked_for_a_while() {
        let before = blocked(libc::SIGTERM);
        let guard = SignalsBlocked::new();
        assert!(blocked(libc::SIGTERM) && blocked(libc::SIGINT));
        drop(guard);
        assert_eq!(blocked(libc::SIGTERM), before);
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let error = guarded::<()>(|| panic!("oh {}", "no")).unwrap_err();
        assert_eq!(error, EmbedError::Internal("oh no".into()));
    }
}

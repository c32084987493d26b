//! What a child process does, and says in lines on its standard output.

use std::path::Path;
use std::time::Duration;

use codecite_core::model::Purpose;
use codecite_embedder::{Embedder, Options, Prepack, thread_count};

/// One run of this program as a child: the first argument says what to do.
pub fn child(arguments: &[String]) {
    let paths: Vec<&Path> = arguments[1..].iter().map(Path::new).collect();
    match arguments[0].as_str() {
        "load" => {
            // Panics of the bindings are caught, and a server has its own hook.
            std::panic::set_hook(Box::new(|_| {}));
            for pair in paths.chunks(2) {
                let before = processor_time();
                let result = Embedder::load(pair[0], pair[1], &Options::default())
                    .and_then(|e| e.embed(&["exit"], Purpose::Query, &mut || false));
                let spent = (processor_time() - before).as_millis();
                match result {
                    Ok(_) => println!("ok\t{spent}\tloaded"),
                    Err(e) => println!(
                        "{}\t{spent}\t{}",
                        e.code(),
                        format!("{e} ({})", e.hint()).replace('\n', " ")
                    ),
                }
            }
        }
        "unchanged" => unchanged_child(paths[0], paths[1]),
        "fork" => fork_child(paths[0], paths[1]),
        "vectors" => {
            let prepack = if arguments[3] == "prepack" { Prepack::AtOnce } else { Prepack::Never };
            let options = Options { prepack, ..Options::default() };
            let embedder = Embedder::load(paths[0], paths[1], &options).unwrap();
            for purpose in [Purpose::Query, Purpose::Document] {
                for text in ["exit door", "query: exit door", "passage: exit door"] {
                    let vector = &embedder.embed(&[text], purpose, &mut || false).unwrap()[0];
                    println!("{}", vector.iter().map(f32::to_string).collect::<Vec<_>>().join(" "));
                }
            }
        }
        other => panic!("no case {other}"),
    }
}

fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes the time to the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

fn unchanged_child(runtime: &Path, model: &Path) {
    let threads = || thread_count().unwrap();
    let (first, mask, handlers, locale) = (threads(), signal_mask(), handlers(), locale());
    let embedder = Embedder::load(runtime, model, &Options::default()).unwrap();
    let loaded = threads();
    let text = "Exit stairways shall be enclosed. ".repeat(40);
    embedder.embed(&[text.as_str(); 8], Purpose::Document, &mut || false).unwrap();
    println!("threads {first} {loaded} {}", threads());
    let same = |same: bool| if same { "same" } else { "other" };
    println!("mask {}", same(mask == signal_mask()));
    println!("handlers {}", same(handlers == self::handlers()));
    println!("locale {}", same(locale == self::locale()));
}

fn signal_mask() -> Vec<bool> {
    // SAFETY: without a new set the call only writes the mask; all zeros are a valid sigset_t.
    unsafe {
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, std::ptr::null(), &mut mask);
        (1..32).map(|s| libc::sigismember(&mask, s) == 1).collect()
    }
}

fn handlers() -> Vec<usize> {
    (1..32)
        .map(|signal| {
            // SAFETY: without a new action the call only writes the old one; all zeros are a valid sigaction.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, std::ptr::null(), &mut action);
                action.sa_sigaction
            }
        })
        .collect()
}

fn locale() -> String {
    // SAFETY: asking for the locale returns a C string that lives until the next change.
    unsafe { std::ffi::CStr::from_ptr(libc::setlocale(libc::LC_ALL, std::ptr::null())) }
        .to_string_lossy()
        .into_owned()
}

/// What a server does that has loaded the model before it forks its backends.
fn fork_child(runtime: &Path, model: &Path) {
    let embedder = Embedder::load(runtime, model, &Options::default()).unwrap();
    let embed = || embedder.embed(&["exit door"], Purpose::Query, &mut || false).unwrap();
    let expected = embed();
    let mut good = true;
    for _ in 0..3 {
        // SAFETY: this process has one thread, so the child finds no lock held by another.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            std::process::exit(if embed() == expected { 0 } else { 1 });
        }
        let mut status = -1;
        // SAFETY: the pid is that of the child; the status is written to a live local.
        unsafe { libc::waitpid(pid, &mut status, 0) };
        good &= status == 0;
    }
    println!("children {}", if good { "agree" } else { "differ" });
}

//! A folder for each case, and how children are run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A folder for one case, and copies of the model in it.
pub struct Place {
    pub runtime: PathBuf,
    pub model: PathBuf,
    folder: PathBuf,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Place {
    pub fn new(name: &str, runtime: PathBuf, model: PathBuf) -> Place {
        let folder = std::env::temp_dir().join(format!("codecite-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Place { runtime, model, folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn fifo(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    /// A copy of the model whose files are links, with the manifest changed by `edit`.
    pub fn copy(&self, name: &str, edit: impl FnOnce(&mut serde_json::Value)) -> PathBuf {
        let copy = self.path(name);
        std::fs::create_dir_all(&copy).unwrap();
        let text = std::fs::read_to_string(self.model.join("codecite.json")).unwrap();
        let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        for file in manifest["files"].as_object().unwrap().keys() {
            std::os::unix::fs::symlink(self.model.join(file), copy.join(file)).unwrap();
        }
        edit(&mut manifest);
        std::fs::write(copy.join("codecite.json"), manifest.to_string()).unwrap();
        copy
    }

    /// Puts other content in place of a linked file; with `known`, the manifest gets its digest.
    pub fn replace(&self, copy: &Path, file: &str, content: &[u8], known: bool) {
        std::fs::remove_file(copy.join(file)).unwrap();
        std::fs::write(copy.join(file), content).unwrap();
        if known {
            let sum = Command::new("sha256sum").arg(copy.join(file)).output().unwrap().stdout;
            let path = copy.join("codecite.json");
            let mut manifest: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            manifest["files"][file] = String::from_utf8_lossy(&sum[..64]).into_owned().into();
            std::fs::write(path, manifest.to_string()).unwrap();
        }
    }

    /// Builds a library that says it is some version of ONNX Runtime, and has no interface to offer.
    pub fn fake_library(&self, version: &str) -> Option<PathBuf> {
        let (source, library) = (self.path("fake.c"), self.path("fake.so"));
        let code = format!(
            "static const void *api(unsigned v) {{ return 0; }}\nstatic const char *version(void) {{ return \"{version}\"; }}\n\
             static const struct {{ const void *(*a)(unsigned); const char *(*v)(void); }} base = {{ api, version }};\n\
             const void *OrtGetApiBase(void) {{ return &base; }}\n"
        );
        std::fs::write(&source, code).unwrap();
        let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
        if built.is_ok_and(|s| s.success()) {
            return Some(library);
        }
        println!("SKIPPED: there is no C compiler");
        None
    }
}

/// Runs one child; returns its lines. It must end in time, cleanly, and write nothing else.
pub fn run(arguments: &[&OsStr]) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("child")
        .args(arguments)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}: {errors}", output.status);
    assert_eq!(errors, "", "the runtime writes to the log");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Loads one model after the other in one child; returns the codes ("ok" for a model that embeds), each in time.
pub fn load(pairs: &[(&Path, &Path)]) -> Vec<String> {
    let mut arguments: Vec<&OsStr> = vec![OsStr::new("load")];
    for (runtime, model) in pairs {
        arguments.extend([runtime.as_os_str(), model.as_os_str()]);
    }
    run(&arguments)
        .iter()
        .map(|line| {
            let (code, rest) = line.split_once('\t').unwrap();
            let (processor_ms, message) = rest.split_once('\t').unwrap();
            // Processor time: a second of the clock can pass on a busy machine while nothing hangs.
            assert!(code == "ok" || processor_ms.parse::<u128>().unwrap() < 1000, "{line}");
            assert!(!message.is_empty(), "{line}");
            code.to_owned()
        })
        .collect()
}

//! How fast a model is here, and how much memory it takes.
//!
//! ```text
//! CODECITE_ONNXRUNTIME=…/libonnxruntime.so CODECITE_MODEL_DIR=…/all-MiniLM-L6-v2 \
//!     cargo run --release -p codecite_embedder --example throughput -- [noprepack] [noshrink]
//! ```
//!
//! With `CODECITE_PYTHON=…/python` (one that has numpy, tokenizers and onnxruntime), `throughput.py` beside this file
//! does the same work in turns with it. Rates are given per second of wall clock and of processor time; on a busy
//! machine the second one is the one to compare.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use codecite_core::model::Purpose;
use codecite_embedder::{Embedder, Options, Prepack, thread_count};

const CHUNKS: usize = 60;
const ROUNDS: usize = 3;
const QUERIES: usize = 200;
const QUERY: &str = "minimum clear width of an exit stairway in a business occupancy";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = PathBuf::from(std::env::var("CODECITE_ONNXRUNTIME")?);
    let folder = PathBuf::from(std::env::var("CODECITE_MODEL_DIR")?);
    let has = |word: &str| std::env::args().any(|a| a == word);
    let prepack = if has("noprepack") { Prepack::Never } else { Prepack::WhenItPays };
    let options = Options { prepack, shrink: !has("noshrink") };
    println!("{options:?}");

    let before = private_kib();
    let clock = Clock::start();
    let embedder = Embedder::load(&runtime, &folder, &options)?;
    println!("load             {:>8.1} ms, {:.1} processor", clock.wall() * 1e3, clock.cpu() * 1e3);
    let clock = Clock::start();
    embed(embedder, &[QUERY], Purpose::Query)?;
    println!("first query      {:>8.1} ms, {:.1} processor", clock.wall() * 1e3, clock.cpu() * 1e3);
    println!("private memory   {:>8.1} MiB", (private_kib() - before) / 1024.0);

    let mut times = Vec::new();
    let clock = Clock::start();
    for _ in 0..QUERIES {
        let one = Clock::start();
        embed(embedder, &[QUERY], Purpose::Query)?;
        times.push(one.wall() * 1e3);
    }
    let cpu = clock.cpu() * 1e3 / QUERIES as f64;
    times.sort_by(f64::total_cmp);
    println!("query p50        {:>8.2} ms, {cpu:.2} processor (mean)", times[QUERIES / 2]);

    let chunks = chunks();
    let texts: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let tokens: usize = texts.iter().map(|t| embedder.count_tokens(t)).sum::<Result<usize, _>>()?;
    println!("tokens per chunk {:>8}", tokens / CHUNKS);
    let python = std::env::var_os("CODECITE_PYTHON");
    let (mut here, mut there) = (Rate::default(), Rate::default());
    for _ in 0..ROUNDS {
        let clock = Clock::start();
        embed(embedder, &texts, Purpose::Document)?;
        here.add(clock.wall(), clock.cpu());
        if let Some(python) = &python {
            let (wall, cpu) = in_python(Path::new(python), &runtime, &folder, &texts)?;
            there.add(wall, cpu);
        }
    }
    println!("chunks per s     {:>8.1} wall, {:.1} processor", here.wall, here.cpu);
    if python.is_some() {
        println!("in Python        {:>8.1} wall, {:.1} processor", there.wall, there.cpu);
        println!(
            "ratio            {:>8.2} wall, {:.2} processor",
            here.wall / there.wall,
            here.cpu / there.cpu
        );
    }
    println!("after batches    {:>8.1} MiB private", (private_kib() - before) / 1024.0);
    println!("peak resident    {:>8.1} MiB", kib("/proc/self/status", "VmHWM:") / 1024.0);
    println!("threads          {:>8}", thread_count().unwrap_or_default());
    Ok(())
}

fn embed(embedder: &Embedder, texts: &[&str], purpose: Purpose) -> Result<usize, Box<dyn std::error::Error>> {
    Ok(embedder.embed(texts, purpose, &mut || false)?.len())
}

/// The best of some rounds, in chunks per second.
#[derive(Default)]
struct Rate {
    wall: f64,
    cpu: f64,
}

impl Rate {
    fn add(&mut self, wall: f64, cpu: f64) {
        self.wall = self.wall.max(CHUNKS as f64 / wall);
        self.cpu = self.cpu.max(CHUNKS as f64 / cpu);
    }
}

/// Seconds of wall clock and of processor time that Python needs.
fn in_python(
    python: &Path,
    runtime: &Path,
    folder: &Path,
    texts: &[&str],
) -> Result<(f64, f64), Box<dyn std::error::Error>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/throughput.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(folder)
        .arg(runtime)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(serde_json::to_string(texts)?.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    let [wall, cpu]: [f64; 2] = serde_json::from_slice(&output.stdout)?;
    Ok((wall, cpu))
}

/// Made-up provisions of about 200 tokens.
fn chunks() -> Vec<String> {
    const WORDS: [&str; 24] = [
        "the", "exit", "stairway", "shall", "have", "a", "clear", "width", "of", "not", "less", "than",
        "inches", "where", "occupant", "load", "serving", "floor", "area", "exceeds", "corridor", "door",
        "fire", "rated",
    ];
    let mut state = 7_u64;
    (0..CHUNKS)
        .map(|n| {
            let mut text = format!("Section {}.{} ", 1000 + n, n % 9);
            for _ in 0..190 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(WORDS[(state >> 33) as usize % WORDS.len()]);
                text.push(' ');
            }
            text
        })
        .collect()
}

/// Seconds of wall clock and of processor time since its start.
struct Clock {
    wall: Instant,
    cpu: f64,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), cpu: cpu_seconds() }
    }

    fn wall(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    fn cpu(&self) -> f64 {
        cpu_seconds() - self.cpu
    }
}

/// Memory that this process can share with no other. Clean pages of a mapped file do not count: the next process that
/// maps the file shares them.
fn private_kib() -> f64 {
    kib("/proc/self/smaps_rollup", "Private_Dirty:")
}

fn kib(file: &str, key: &str) -> f64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix(key)).unwrap_or_default();
    line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_default()
}

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes the time to the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

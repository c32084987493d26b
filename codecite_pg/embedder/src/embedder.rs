//! A model, ready to embed texts.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use codecite_core::model::manifest::{MANIFEST_FILE, MODEL_FILE, TOKENIZER_FILE};
use codecite_core::model::{Manifest, Purpose, normalise, pool};

use crate::batch::{BATCH_TOKENS, plan};
use crate::describe::describe_folder;
use crate::error::EmbedError;
use crate::files::{self, Hashed};
use crate::native::{SignalsBlocked, guarded, thread_count};
use crate::network::{Batch, Network};
use crate::runtime::Runtime;
use crate::tokens::{TokenCounter, Tokens};

const MAX_MANIFEST_BYTES: u64 = 64 << 10;
const MAX_TOKENIZER_BYTES: u64 = 64 << 20;
/// How long one run may take before a cancel is noticed, in milliseconds.
const RUN_MS: u64 = 300;
/// Short texts (a question each) that are embedded before the weights are copied into their faster layout: a connection
/// that asks a question or two is done before that would pay.
const RUNS_BEFORE_PREPACK: usize = 4;
/// A run of more tokens is no question.
const QUESTION_TOKENS: usize = 128;
/// Texts whose tokens are held at a time; a cancel between them is noticed at once.
const WINDOW: usize = 64;

/// When a process makes its own copy of the weights in a faster layout, which takes longer than all the rest of loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prepack {
    /// At once: where the process has children, these share the copy.
    AtOnce,
    /// When it has embedded more than a few short texts.
    WhenItPays,
    /// Never: processes share the weights of a model with an external data file.
    Never,
}

/// How a model is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// When the weights are copied.
    pub prepack: Prepack,
    /// Give working memory back to the system at the end of each call.
    pub shrink: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { prepack: Prepack::WhenItPays, shrink: true }
    }
}

/// A model that has passed every check, loaded into this process for good.
pub struct Embedder {
    folder: PathBuf,
    manifest: Manifest,
    options: Options,
    tokens: Tokens,
    runtime: &'static Runtime,
    network: Mutex<Network>,
    /// Tokens run and the time they took, for estimates.
    speed: (AtomicU64, AtomicU64),
    runs: AtomicUsize,
}

// A panic in between leaves nothing half-done: a run either gives vectors or not, and a poisoned lock is taken over.
impl std::panic::RefUnwindSafe for Embedder {}

/// Models of this process by folder. An entry is made when a model has worked once, and stays.
static LOADED: Mutex<Vec<&'static Embedder>> = Mutex::new(Vec::new());
/// Held while a model is loaded, so that in a program with threads none is loaded twice.
static LOADING: Mutex<()> = Mutex::new(());

impl Embedder {
    /// Loads the model in `folder` with the runtime library at `runtime`, or returns it where this process has it.
    ///
    /// Checks the manifest and the SHA-256 of each file, reads the tokenizer, starts the runtime, builds the session
    /// and embeds a word. Signals are blocked while the runtime and the session are made (about a tenth of a second).
    ///
    /// # Errors
    /// `ModelMissing`, `ManifestMissing`, `BadManifest`, `ModelFileChanged`, `Tokenizer`; what [`Runtime::open`]
    /// returns; `Session`, `WrongDimension`, `Threads`, `Internal`. After an error nothing is kept, and a later call
    /// tries again.
    pub fn load(runtime: &Path, folder: &Path, options: &Options) -> Result<&'static Embedder, EmbedError> {
        if let Some(embedder) = Embedder::loaded(folder) {
            return Ok(embedder);
        }
        let _loading = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(embedder) = Embedder::loaded(folder) {
            return Ok(embedder);
        }
        let threads = thread_count();
        let manifest = read_manifest(folder)?;
        let tokenizer = verify_files(folder, &manifest)?;
        let max_tokens = usize::try_from(manifest.max_tokens).unwrap_or(usize::MAX);
        let tokens = Tokens::parse(&tokenizer, max_tokens)?;
        drop(tokenizer);
        let runtime = Runtime::open(runtime)?;

        let _blocked = SignalsBlocked::new();
        let model = folder.join(MODEL_FILE);
        let network = guarded(|| {
            Network::build(
                runtime.environment(),
                &model,
                &manifest,
                options,
                options.prepack == Prepack::AtOnce,
            )
        })?;
        let embedder = Embedder {
            folder: folder.to_owned(),
            manifest,
            options: *options,
            tokens,
            runtime,
            network: Mutex::new(network),
            speed: (AtomicU64::new(0), AtomicU64::new(0)),
            runs: AtomicUsize::new(0),
        };
        if let Err(error) = embedder.try_out(threads) {
            let network = embedder.network.into_inner().unwrap_or_else(PoisonError::into_inner);
            network.discard();
            return Err(error);
        }
        let embedder: &'static Embedder = Box::leak(Box::new(embedder));
        LOADED.lock().unwrap_or_else(PoisonError::into_inner).push(embedder);
        Ok(embedder)
    }

    /// The model of `folder`, if this process has loaded it.
    pub fn loaded(folder: &Path) -> Option<&'static Embedder> {
        let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.iter().find(|e| e.folder == folder).copied()
    }

    /// What the model's folder declares.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its files as they look now with their digests, for other processes to [`remember`](crate::remember).
    pub fn hashed(&self) -> Vec<Hashed> {
        self.manifest.files.keys().filter_map(|file| files::hashed(&self.folder.join(file))).collect()
    }

    /// The runtime that it runs in.
    pub fn runtime(&self) -> &'static Runtime {
        self.runtime
    }

    /// How many tokens a text has without a prefix, markers included: what to compare with `max_tokens`.
    ///
    /// Linear in the text. Only the first MiB is counted, which is far beyond every model's window.
    ///
    /// # Errors
    /// `Tokenizer`, `Internal`.
    pub fn count_tokens(&self, text: &str) -> Result<usize, EmbedError> {
        self.tokens.count(text)
    }

    /// Counts tokens as [`Embedder::count_tokens`] does, quicker for many texts of one document.
    pub fn token_counter(&self) -> TokenCounter<'_> {
        TokenCounter::new(&self.tokens)
    }

    /// Padded tokens per second over all runs so far, once there were enough to tell.
    pub fn tokens_per_second(&self) -> Option<f64> {
        let (tokens, micros) = (self.speed.0.load(Ordering::Relaxed), self.speed.1.load(Ordering::Relaxed));
        (micros >= 10_000).then(|| tokens as f64 * 1e6 / micros as f64)
    }

    /// Embeds texts: one vector of `dimension` numbers for each, in the order of `texts`.
    ///
    /// What goes beyond the model's window is cut off. A vector does not depend on the other texts of the call beyond
    /// the last bits. `stop` is asked before each text is read and before each run of at most 0.3 s (one text that
    /// takes longer is run alone); it must return normally.
    ///
    /// # Errors
    /// `Stopped` when `stop` returned `true`; `Tokenizer`, `Session`, `Internal`.
    pub fn embed(
        &self,
        texts: &[&str],
        purpose: Purpose,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let dimension = usize::try_from(self.manifest.dimension).unwrap_or_default();
        self.each(texts, purpose, stop, |states, mask| {
            let mut vector = pool(self.manifest.pooling, states, mask, dimension)
                .ok_or_else(|| EmbedError::Internal("token vectors and mask differ in length".into()))?;
            if self.manifest.normalize {
                normalise(&mut vector);
            }
            Ok(vector)
        })
    }

    /// The vectors of the tokens of texts, markers included: for each text its tokens', one behind the other, each of
    /// `dimension` numbers and of length 1. Otherwise as [`Embedder::embed`].
    ///
    /// # Errors
    /// As [`Embedder::embed`].
    pub fn embed_tokens(
        &self,
        texts: &[&str],
        purpose: Purpose,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let dimension = usize::try_from(self.manifest.dimension).unwrap_or_default().max(1);
        self.each(texts, purpose, stop, |states, mask| {
            let rows = states.chunks_exact(dimension).zip(mask).filter(|(_, m)| **m != 0);
            let mut tokens: Vec<f32> = rows.flat_map(|(row, _)| row).copied().collect();
            tokens.chunks_exact_mut(dimension).for_each(normalise);
            Ok(tokens)
        })
    }

    /// What `make` makes of the token vectors and the mask of each text.
    fn each(
        &self,
        texts: &[&str],
        purpose: Purpose,
        stop: &mut dyn FnMut() -> bool,
        make: impl Fn(&[f32], &[i64]) -> Result<Vec<f32>, EmbedError>,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = self.manifest.prefix(purpose);
        let mut vectors = Vec::with_capacity(texts.len());
        for window in texts.chunks(WINDOW) {
            let mut ids = Vec::with_capacity(window.len());
            for text in window {
                if stop() {
                    return Err(EmbedError::Stopped);
                }
                ids.push(self.tokens.encode(prefix, text)?);
            }
            let last = vectors.len() + window.len() == texts.len();
            vectors.append(&mut self.embed_ids(&ids, last, stop, &make)?);
        }
        Ok(vectors)
    }

    fn embed_ids(
        &self,
        texts: &[Vec<i64>],
        last_window: bool,
        stop: &mut dyn FnMut() -> bool,
        make: &impl Fn(&[f32], &[i64]) -> Result<Vec<f32>, EmbedError>,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let groups = plan(&lengths, self.budget());
        let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); texts.len()];
        let count = groups.len();
        for (number, group) in groups.iter().enumerate() {
            // Asked while nothing is locked: whatever the caller does there, the model stays usable.
            if stop() {
                return Err(EmbedError::Stopped);
            }
            let rows: Vec<&[i64]> = group.iter().filter_map(|i| texts.get(*i)).map(Vec::as_slice).collect();
            let batch = Batch::new(rows.iter().copied(), i64::from(self.manifest.pad_id));
            let last = last_window && number + 1 == count;
            self.run(&batch, last, make, |row, vector| {
                if let Some(place) = group.get(row).and_then(|i| vectors.get_mut(*i)) {
                    *place = vector;
                }
            })?;
        }
        Ok(vectors)
    }

    fn run(
        &self,
        batch: &Batch,
        last: bool,
        make: &impl Fn(&[f32], &[i64]) -> Result<Vec<f32>, EmbedError>,
        mut give: impl FnMut(usize, Vec<f32>),
    ) -> Result<(), EmbedError> {
        let mut network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_prepack_due(&network, batch) {
            self.prepack(&mut network);
        }
        let started = Instant::now();
        guarded(|| {
            network.run(batch, last, |row, states, mask| {
                let vector = make(states, mask)?;
                if vector.iter().any(|v| !v.is_finite()) {
                    return Err(EmbedError::Session("it gives numbers that are not finite".into()));
                }
                give(row, vector);
                Ok(())
            })
        })?;
        let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.speed.0.fetch_add(batch.tokens() as u64, Ordering::Relaxed);
        self.speed.1.fetch_add(micros, Ordering::Relaxed);
        Ok(())
    }

    fn is_prepack_due(&self, network: &Network, batch: &Batch) -> bool {
        let runs = self.runs.fetch_add(1, Ordering::Relaxed);
        self.options.prepack == Prepack::WhenItPays
            && !network.is_prepacked()
            && (runs > RUNS_BEFORE_PREPACK || batch.tokens() > QUESTION_TOKENS)
    }

    /// Puts a session with prepacked weights in the place of the one without; where that fails, the slower one stays.
    fn prepack(&self, network: &mut Network) {
        let _blocked = SignalsBlocked::new();
        let model = self.folder.join(MODEL_FILE);
        let environment = self.runtime.environment();
        if let Ok(faster) =
            guarded(|| Network::build(environment, &model, &self.manifest, &self.options, true))
        {
            std::mem::replace(network, faster).discard();
            self.speed.0.store(0, Ordering::Relaxed);
            self.speed.1.store(0, Ordering::Relaxed);
        }
    }

    /// Padded tokens that one run may have, so that it stays under [`RUN_MS`] on this machine.
    fn budget(&self) -> usize {
        match self.tokens_per_second() {
            Some(rate) => BATCH_TOKENS.min((rate * RUN_MS as f64 / 1000.0) as usize),
            None => BATCH_TOKENS,
        }
    }

    /// Embeds a word: the model works, its vectors have the right length, and no thread was started.
    fn try_out(&self, threads_before: Option<usize>) -> Result<(), EmbedError> {
        let vectors = self.embed(&["exit"], Purpose::Document, &mut || false)?;
        if self.manifest.normalize && vectors.iter().flatten().all(|v| *v == 0.0) {
            return Err(EmbedError::Session("it gives nothing but zeros".into()));
        }
        // In a program with threads of its own the count says nothing.
        match (threads_before, thread_count()) {
            (Some(1), Some(now)) if now > 1 => Err(EmbedError::Threads { started: now - 1 }),
            _ => Ok(()),
        }
    }
}

fn read_manifest(folder: &Path) -> Result<Manifest, EmbedError> {
    let missing = |path: &Path, reason: String| EmbedError::ModelMissing { path: path.to_owned(), reason };
    let meta = std::fs::metadata(folder).map_err(|e| missing(folder, e.to_string()))?;
    if !meta.is_dir() {
        return Err(missing(folder, "it is not a folder".into()));
    }
    let path = folder.join(MANIFEST_FILE);
    let bytes = match files::read_whole(&path, MAX_MANIFEST_BYTES) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let draft = describe_folder(folder).map(|d| d.to_json()).map_err(|e| e.to_string());
            return Err(EmbedError::ManifestMissing { folder: folder.to_owned(), draft });
        }
        Err(e) => return Err(missing(&path, e.to_string())),
    };
    let json = String::from_utf8(bytes)
        .map_err(|_| EmbedError::BadManifest { reason: format!("{MANIFEST_FILE} is not UTF-8") })?;
    Ok(Manifest::parse(&json)?)
}

/// Compares every file with the manifest; returns the tokenizer's bytes, which are hashed as they are used.
fn verify_files(folder: &Path, manifest: &Manifest) -> Result<Vec<u8>, EmbedError> {
    let mut tokenizer = Vec::new();
    for (file, expected) in &manifest.files {
        let path = folder.join(file);
        let missing =
            |e: std::io::Error| EmbedError::ModelMissing { path: path.clone(), reason: e.to_string() };
        let found = if file == TOKENIZER_FILE {
            tokenizer = files::read_whole(&path, MAX_TOKENIZER_BYTES).map_err(missing)?;
            files::sha256(&tokenizer)
        } else {
            files::sha256_of_file(&path).map_err(missing)?
        };
        if found != *expected {
            return Err(EmbedError::ModelFileChanged { file: file.clone() });
        }
    }
    Ok(tokenizer)
}

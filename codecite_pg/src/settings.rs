//! The settings `codecite.*`.

use std::ffi::CString;

use codecite_core::work::Limits;
use pgrx::guc::{GucContext, GucFlags, GucRegistry, GucSetting};

static MAX_INPUT_BYTES: GucSetting<i32> = GucSetting::<i32>::new(64 << 20);
static MAX_DECODED_BYTES: GucSetting<i32> = GucSetting::<i32>::new(256 << 20);
static MAX_MEMORY_BYTES: GucSetting<i32> = GucSetting::<i32>::new(256 << 20);
static MAX_PAGES: GucSetting<i32> = GucSetting::<i32>::new(10_000);
static MAX_BLOCKS: GucSetting<i32> = GucSetting::<i32>::new(2_000_000);
static MAX_NESTING: GucSetting<i32> = GucSetting::<i32>::new(64);
static MAX_ELEMENT_DEPTH: GucSetting<i32> = GucSetting::<i32>::new(512);
static MAX_ZIP_ENTRIES: GucSetting<i32> = GucSetting::<i32>::new(10_000);
static MAX_READ_MS: GucSetting<i32> = GucSetting::<i32>::new(300_000);

static PASSAGE_CHARS: GucSetting<i32> = GucSetting::<i32>::new(1200);
static INLINE_EMBED_MAX: GucSetting<i32> = GucSetting::<i32>::new(5000);
static EXACT_SEARCH_MAX_CHUNKS: GucSetting<i32> = GucSetting::<i32>::new(20_000);
static RERANK_SECTIONS: GucSetting<i32> = GucSetting::<i32>::new(20);
static RRF_K: GucSetting<i32> = GucSetting::<i32>::new(10);
static LEXICAL_WEIGHT: GucSetting<f64> = GucSetting::<f64>::new(0.3);
static VECTOR_WEIGHT: GucSetting<f64> = GucSetting::<f64>::new(1.0);
static FUSION: GucSetting<FusionName> = GucSetting::<FusionName>::new(FusionName::Scores);

static MODEL_DIR: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);
static ONNXRUNTIME_LIBRARY: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);
static PRELOAD_MODEL: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);

/// How the legs of a search are fused.
#[derive(Clone, Copy, PartialEq, pgrx::PostgresGucEnum)]
enum FusionName {
    #[name = c"rrf"]
    Rrf,
    #[name = c"scores"]
    Scores,
}

/// Defines all settings and reserves the prefix, so that a typo is an error.
pub fn define() {
    define_limits();
    define_search();
    let superuser_only = GucFlags::SUPERUSER_ONLY;
    GucRegistry::define_string_guc(
        c"codecite.model_dir",
        c"Folder whose subfolders are embedding models.",
        c"Each subfolder holds model.onnx, tokenizer.json and the manifest codecite.json.",
        &MODEL_DIR,
        GucContext::Suset,
        superuser_only,
    );
    GucRegistry::define_string_guc(
        c"codecite.onnxruntime_library",
        c"Path of the ONNX Runtime shared library.",
        c"Loaded when a model other than hash is first used in a session.",
        &ONNXRUNTIME_LIBRARY,
        GucContext::Suset,
        superuser_only,
    );
    GucRegistry::define_string_guc(
        c"codecite.preload_model",
        c"Model that the server loads at its start for all sessions, where codecite is in shared_preload_libraries.",
        c"A new model or runtime library then needs a restart of the server.",
        &PRELOAD_MODEL,
        GucContext::Sighup,
        superuser_only,
    );
    // SAFETY: called once from _PG_init with a constant C string.
    unsafe { pgrx::pg_sys::MarkGUCPrefixReserved(c"codecite".as_ptr()) };
}

fn define_limits() {
    let limit = |name, short, setting, max, flags| {
        GucRegistry::define_int_guc(
            name,
            short,
            c"A document beyond it is refused with an error that names this setting.",
            setting,
            1,
            max,
            GucContext::Suset,
            flags,
        );
    };
    let bytes = GucFlags::UNIT_BYTE;
    let none = GucFlags::default();
    limit(c"codecite.max_input_bytes", c"Largest file that is read.", &MAX_INPUT_BYTES, i32::MAX, bytes);
    limit(
        c"codecite.max_decoded_bytes",
        c"Most bytes that a file may inflate to.",
        &MAX_DECODED_BYTES,
        i32::MAX,
        bytes,
    );
    limit(
        c"codecite.max_memory_bytes",
        c"Most memory that reading a file may take.",
        &MAX_MEMORY_BYTES,
        i32::MAX,
        bytes,
    );
    limit(c"codecite.max_pages", c"Most pages of a document.", &MAX_PAGES, i32::MAX, none);
    limit(
        c"codecite.max_blocks",
        c"Most paragraphs, list items and tables of a document.",
        &MAX_BLOCKS,
        i32::MAX,
        none,
    );
    limit(c"codecite.max_nesting", c"Deepest nesting inside a document.", &MAX_NESTING, 1000, none);
    limit(
        c"codecite.max_element_depth",
        c"Deepest nesting of elements in an HTML page or the XML of a DOCX file.",
        &MAX_ELEMENT_DEPTH,
        2000,
        none,
    );
    limit(
        c"codecite.max_zip_entries",
        c"Most entries of the archive that a DOCX file is.",
        &MAX_ZIP_ENTRIES,
        1_000_000,
        none,
    );
    GucRegistry::define_int_guc(
        c"codecite.max_read_ms",
        c"Longest time that reading and structuring a document may take; 0 for no limit.",
        c"statement_timeout holds as well.",
        &MAX_READ_MS,
        0,
        i32::MAX,
        GucContext::Suset,
        GucFlags::UNIT_MS,
    );
}

fn define_search() {
    let none = GucFlags::default();
    let int = |name, short, long, setting, min, max| {
        GucRegistry::define_int_guc(name, short, long, setting, min, max, GucContext::Userset, none);
    };
    int(
        c"codecite.passage_chars",
        c"Longest passage in a search result, in characters.",
        c"codecite.section() returns the whole text.",
        &PASSAGE_CHARS,
        100,
        100_000,
    );
    int(
        c"codecite.inline_embed_max",
        c"Most chunks that ingest() embeds itself.",
        c"What is above stays pending for CALL codecite.embed_pending().",
        &INLINE_EMBED_MAX,
        0,
        i32::MAX,
    );
    int(
        c"codecite.exact_search_max_chunks",
        c"Most chunks that the vector search scans exactly.",
        c"Above it the HNSW index is used, where there is one.",
        &EXACT_SEARCH_MAX_CHUNKS,
        0,
        i32::MAX,
    );
    int(
        c"codecite.rerank_sections",
        c"How many of the first sections the mode rerank reads again.",
        c"Each costs about the time of embedding it.",
        &RERANK_SECTIONS,
        2,
        100,
    );
    int(c"codecite.rrf_k", c"The constant k of reciprocal rank fusion.", c"", &RRF_K, 1, 1000);
    let weight = |name, short, setting| {
        GucRegistry::define_float_guc(name, short, c"", setting, 0.0, 100.0, GucContext::Userset, none);
    };
    weight(c"codecite.lexical_weight", c"What the word search counts in fusion.", &LEXICAL_WEIGHT);
    weight(c"codecite.vector_weight", c"What the vector search counts in fusion.", &VECTOR_WEIGHT);
    GucRegistry::define_enum_guc(
        c"codecite.fusion",
        c"How word and vector search are fused: rrf or scores.",
        c"",
        &FUSION,
        GucContext::Userset,
        none,
    );
}

/// The limits in force.
pub fn limits() -> Limits {
    let value = |setting: &GucSetting<i32>| u64::try_from(setting.get()).unwrap_or(0);
    Limits {
        max_input_bytes: value(&MAX_INPUT_BYTES),
        max_decoded_bytes: value(&MAX_DECODED_BYTES),
        max_memory_bytes: value(&MAX_MEMORY_BYTES),
        max_pages: value(&MAX_PAGES),
        max_blocks: value(&MAX_BLOCKS),
        max_nesting: value(&MAX_NESTING),
        max_element_depth: value(&MAX_ELEMENT_DEPTH),
        max_zip_entries: value(&MAX_ZIP_ENTRIES),
        max_read_ms: value(&MAX_READ_MS),
    }
}

/// What the search is set to.
pub struct SearchSettings {
    pub passage_chars: usize,
    pub exact_search_max_chunks: u64,
    pub rerank_sections: usize,
    pub rrf_k: f32,
    pub lexical_weight: f32,
    pub vector_weight: f32,
    pub fuse_scores: bool,
}

/// The model that the server loads at its start.
pub fn preload_model() -> Option<String> {
    PRELOAD_MODEL.get().and_then(|name| name.into_string().ok()).filter(|name| !name.is_empty())
}

/// The search settings in force.
pub fn search() -> SearchSettings {
    SearchSettings {
        passage_chars: usize::try_from(PASSAGE_CHARS.get()).unwrap_or(1200),
        exact_search_max_chunks: u64::try_from(EXACT_SEARCH_MAX_CHUNKS.get()).unwrap_or(0),
        rerank_sections: usize::try_from(RERANK_SECTIONS.get()).unwrap_or(0),
        rrf_k: RRF_K.get() as f32,
        lexical_weight: LEXICAL_WEIGHT.get() as f32,
        vector_weight: VECTOR_WEIGHT.get() as f32,
        fuse_scores: FUSION.get() == FusionName::Scores,
    }
}

/// Most chunks that ingest embeds itself.
pub fn inline_embed_max() -> usize {
    usize::try_from(INLINE_EMBED_MAX.get()).unwrap_or(0)
}

/// The folder of models, if set.
pub fn model_dir() -> Option<String> {
    path(&MODEL_DIR)
}

/// The ONNX Runtime library, if set.
pub fn onnxruntime_library() -> Option<String> {
    path(&ONNXRUNTIME_LIBRARY)
}

fn path(setting: &GucSetting<Option<CString>>) -> Option<String> {
    let value = setting.get()?.into_string().ok()?;
    (!value.is_empty()).then_some(value)
}

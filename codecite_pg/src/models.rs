//! Embedding models: which one is in use, embedding with it, and filling in what is pending.

use std::path::Path;

use codecite_core::chunk::estimate_tokens;
use codecite_core::model::{Purpose, hash};
use codecite_core::search::Floors;
use codecite_core::vocabulary::Vocabulary;
use codecite_embedder::{EmbedError, Embedder, Hashed, Options, Prepack};
use pgrx::prelude::*;
use pgrx::spi::{SpiClient, quote_identifier};

use crate::errors::{or_raise, raise, refuse_if_read_only, spi};
use crate::plans;
use crate::settings;

/// The row that the install script makes for the built-in model.
const HASH_ID: i32 = 1;
const HASH_TRUST: f32 = 0.05;
/// The largest dimension that an HNSW index takes.
const MAX_DIMENSION: i32 = 2000;

/// A registered model.
pub struct Model {
    pub id: i32,
    pub name: String,
    pub dimension: usize,
    pub max_tokens: usize,
    pub floors: Floors,
    /// Its files as they looked when they were hashed.
    checked: Vec<Hashed>,
}

/// What computes the vectors of a model.
enum Engine {
    Hash(Vocabulary),
    Onnx(&'static Embedder),
}

impl Model {
    /// The model in use.
    pub fn in_use() -> Model {
        const SELECT: &str = "SELECT id, name, dimension, max_tokens, floors, checked FROM codecite.model
                              WHERE used_since IS NOT NULL ORDER BY used_since DESC LIMIT 1";
        match Self::select(SELECT, &[]) {
            Some(model) => model,
            None => raise(
                PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                "no embedding model is in use",
                "SELECT codecite.use_model('hash');",
            ),
        }
    }

    /// The model of that name; the one in use for none.
    pub fn named(name: Option<&str>) -> Model {
        const SELECT: &str =
            "SELECT id, name, dimension, max_tokens, floors, checked FROM codecite.model WHERE name = $1";
        let Some(name) = name else { return Self::in_use() };
        Self::select(SELECT, &[name.into()]).unwrap_or_else(|| {
            let known = Spi::connect(|client| {
                let rows = spi(client.select("SELECT name FROM codecite.model ORDER BY name", None, &[]));
                rows.filter_map(|row| spi(row.get::<String>(1))).collect::<Vec<_>>().join(", ")
            });
            let hint =
                format!("Registered models: {known}. SELECT codecite.add_model(name) registers another.");
            raise(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, format!("there is no model \"{name}\""), hint)
        })
    }

    fn select(query: &str, args: &[pgrx::datum::DatumWithOid<'_>]) -> Option<Model> {
        Spi::connect(|client| {
            let row = plans::select(client, query, args).next()?;
            let number = |column: usize| spi(row.get::<i32>(column)).unwrap_or(0);
            let floors = spi(row.get::<pgrx::JsonB>(5)).and_then(|json| serde_json::from_value(json.0).ok());
            let checked = spi(row.get::<pgrx::JsonB>(6)).and_then(|json| serde_json::from_value(json.0).ok());
            let id = number(1);
            Some(Model {
                id,
                name: spi(row.get::<String>(2)).unwrap_or_default(),
                dimension: usize::try_from(number(3)).unwrap_or(0),
                max_tokens: usize::try_from(number(4)).unwrap_or(0),
                floors: floors
                    .unwrap_or_else(|| if id == HASH_ID { Floors::default() } else { Floors::unfitted() }),
                checked: checked.unwrap_or_default(),
            })
        })
    }

    /// What its vectors count in fusion, against those of a model that knows meanings: hashed words know nothing that the
    /// word search does not.
    pub fn trust(&self) -> f32 {
        if self.id == HASH_ID { HASH_TRUST } else { 1.0 }
    }

    /// What stands before a text of that purpose; nothing for the built-in model.
    ///
    /// Raises where the model cannot be loaded.
    pub fn prefix(&self, purpose: Purpose) -> String {
        match self.engine() {
            Ok(Engine::Onnx(embedder)) => embedder.manifest().prefix(purpose).to_owned(),
            Ok(Engine::Hash(_)) => String::new(),
            Err(error) => raise_embed(&error),
        }
    }

    /// What counts tokens for chunks: the model's own tokenizer where it can be loaded, else an estimate that is not
    /// lower.
    pub fn token_counter(&self) -> Box<dyn Fn(&str) -> usize> {
        match self.engine() {
            Ok(Engine::Onnx(embedder)) => {
                let counter = embedder.token_counter();
                Box::new(move |text| counter.count(text).unwrap_or_else(|_| estimate_tokens(text)))
            }
            _ => Box::new(estimate_tokens),
        }
    }

    /// The vectors of texts, in their order. `stop` is asked before each run.
    ///
    /// # Errors
    /// What loading the model returns, `Stopped`.
    pub fn embed(
        &self,
        texts: &[&str],
        purpose: Purpose,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        match self.engine()? {
            Engine::Onnx(embedder) => embedder.embed(texts, purpose, stop),
            Engine::Hash(vocabulary) => {
                let one = |text: &&str| {
                    if stop() { Err(EmbedError::Stopped) } else { Ok(hash::embed(&vocabulary, text)) }
                };
                texts.iter().map(one).collect()
            }
        }
    }

    /// The vectors of the tokens of texts, one behind the other for each text; `None` for a model that has none.
    ///
    /// # Errors
    /// As [`Model::embed`].
    pub fn embed_tokens(
        &self,
        texts: &[&str],
        purpose: Purpose,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Vec<Vec<f32>>>, EmbedError> {
        match self.engine()? {
            Engine::Onnx(embedder) => embedder.embed_tokens(texts, purpose, stop).map(Some),
            Engine::Hash(_) => Ok(None),
        }
    }

    fn engine(&self) -> Result<Engine, EmbedError> {
        if self.name == hash::NAME {
            return Ok(Engine::Hash(Vocabulary::default()));
        }
        load(&self.name, &self.checked).map(Engine::Onnx)
    }
}

/// Loads the model of `codecite.preload_model` into the server's first process, so that every session has it from the
/// start and all share its memory. Where that fails, sessions load it when they need it.
pub fn preload() {
    let Some(name) = settings::preload_model() else { return };
    let loaded = match (settings::model_dir(), settings::onnxruntime_library()) {
        (Some(folder), Some(runtime)) => {
            let options = Options { prepack: Prepack::AtOnce, ..Options::default() };
            Embedder::load(Path::new(&runtime), &Path::new(&folder).join(&name), &options)
                .map(drop)
                .map_err(|error| (error.to_string(), error.hint()))
        }
        _ => Err(("codecite.model_dir or codecite.onnxruntime_library is not set".into(), String::new())),
    };
    match loaded {
        Ok(()) => log!("codecite has loaded the model {name} for all sessions"),
        Err((reason, hint)) => {
            warning!("codecite could not load the model {name} at the server's start: {reason} {hint}");
        }
    }
}

/// Loads the model in the folder of that name; quick when this backend has it already.
fn load(name: &str, checked: &[Hashed]) -> Result<&'static Embedder, EmbedError> {
    let unset = |setting: &str| -> ! {
        raise(
            PgSqlErrorCode::ERRCODE_CONFIG_FILE_ERROR,
            format!("{setting} is not set"),
            format!("A superuser sets it: ALTER SYSTEM SET {setting} = '/path'; SELECT pg_reload_conf();"),
        )
    };
    let Some(folder) = settings::model_dir() else { unset("codecite.model_dir") };
    let folder = Path::new(&folder).join(name);
    if let Some(embedder) = Embedder::loaded(&folder) {
        return Ok(embedder);
    }
    let Some(runtime) = settings::onnxruntime_library() else { unset("codecite.onnxruntime_library") };
    codecite_embedder::remember(checked.to_vec());
    Embedder::load(Path::new(&runtime), &folder, &Options::default())
}

/// Raises an error of the embedding runtime; does not return.
pub fn raise_embed(error: &EmbedError) -> ! {
    if matches!(error, EmbedError::Stopped) {
        crate::errors::raise_core(&codecite_core::Error::Cancelled);
    }
    let code = match error.code() {
        "model_missing" | "runtime_missing" | "manifest_missing" => PgSqlErrorCode::ERRCODE_UNDEFINED_FILE,
        "bad_manifest" | "wrong_dimension" => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
        "model_file_changed" | "runtime_truncated" => PgSqlErrorCode::ERRCODE_DATA_CORRUPTED,
        _ => PgSqlErrorCode::ERRCODE_EXTERNAL_ROUTINE_EXCEPTION,
    };
    raise(code, error.to_string(), error.hint());
}

/// The schema in which pgvector was installed, quoted for use in a query.
pub fn vector_schema(client: &SpiClient<'_>) -> String {
    const SELECT: &str = "SELECT n.nspname::text FROM pg_catalog.pg_extension e
                          JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'";
    let name = plans::select(client, SELECT, &[]).next().and_then(|row| spi(row.get::<String>(1)));
    quote_identifier(name.unwrap_or_else(|| "public".into()))
}

/// The vector of a text as an array; `embed` casts it to the vector type.
#[pg_extern(schema = "codecite", stable, strict, parallel_restricted, cost = 10000)]
fn embed_array(text: &str, purpose: &str) -> Vec<f32> {
    let Some(purpose) = Purpose::from_name(purpose) else {
        or_raise(Err(codecite_core::Error::BadArgument {
            argument: "purpose",
            reason: format!("there is no purpose \"{purpose}\""),
            hint: "Purposes: query, document.".into(),
        }))
    };
    embed_one(&Model::in_use(), text, purpose)
}

/// The vector of one text.
pub fn embed_one(model: &Model, text: &str, purpose: Purpose) -> Vec<f32> {
    let vectors = model.embed(&[text], purpose, &mut crate::watch::must_stop);
    vectors.unwrap_or_else(|error| raise_embed(&error)).into_iter().next().unwrap_or_default()
}

/// True inside an explicit transaction block, where a procedure cannot commit.
#[pg_extern(schema = "codecite", stable, parallel_restricted)]
fn in_transaction_block() -> bool {
    // SAFETY: reads the state of this backend's transaction.
    unsafe { pgrx::pg_sys::IsTransactionBlock() }
}

/// Registers the model in a folder below `codecite.model_dir`.
#[pg_extern(schema = "codecite", volatile, strict, parallel_unsafe, cost = 100000)]
fn add_model(name: &str) -> String {
    const INSERT: &str = "
        INSERT INTO codecite.model (name, dimension, max_tokens, manifest, floors, checked) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (name) DO UPDATE SET max_tokens = excluded.max_tokens, manifest = excluded.manifest,
                                         floors = excluded.floors, checked = excluded.checked
        RETURNING dimension = $2";
    refuse_if_read_only(c"codecite.add_model()");
    if name == hash::NAME {
        return name.to_owned();
    }
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && !name.is_empty()
        && !name.starts_with('.');
    if !is_plain {
        or_raise::<()>(Err(codecite_core::Error::BadArgument {
            argument: "name",
            reason: format!("\"{name}\" is no name of a folder below codecite.model_dir"),
            hint: "Letters, digits, hyphens, underscores and full stops.".into(),
        }));
    }
    let embedder = load(name, &[]).unwrap_or_else(|error| raise_embed(&error));
    let manifest = embedder.manifest();
    let json = serde_json::to_value(manifest).unwrap_or_default();
    let floors = json.get("floors").filter(|floors| !floors.is_null()).cloned().map(pgrx::JsonB);
    let dimension = i32::try_from(manifest.dimension).unwrap_or(i32::MAX);
    if dimension > MAX_DIMENSION {
        or_raise::<()>(Err(codecite_core::Error::BadManifest {
            reason: format!("dimension is {dimension}, Postgres can index up to {MAX_DIMENSION}"),
        }));
    }
    let args = [
        name.into(),
        dimension.into(),
        i32::try_from(manifest.max_tokens).unwrap_or(i32::MAX).into(),
        pgrx::JsonB(json).into(),
        floors.into(),
        pgrx::JsonB(serde_json::to_value(embedder.hashed()).unwrap_or_default()).into(),
    ];
    let same = Spi::connect_mut(|client| {
        spi(client.update(INSERT, Some(1), &args)).next().and_then(|row| spi(row.get::<bool>(1)))
    });
    if same != Some(true) {
        let message =
            format!("model \"{name}\" is registered with another dimension than the files now have");
        raise(
            PgSqlErrorCode::ERRCODE_OBJECT_IN_USE,
            message,
            "Put the new model into a folder with another name and register that.",
        );
    }
    name.to_owned()
}

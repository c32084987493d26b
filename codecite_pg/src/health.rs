//! Whether the model in use can embed here: what `doctor()` asks.

use codecite_core::model::{Purpose, hash};
use pgrx::prelude::*;

use crate::models::Model;
use crate::settings;
use crate::watch::must_stop;

/// What keeps the model in use from embedding, and what to do about it; no row where nothing does.
#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 10000)]
fn model_health() -> TableIterator<'static, (name!(problem, String), name!(fix, String))> {
    TableIterator::new(problem())
}

fn problem() -> Option<(String, String)> {
    let model = Model::in_use();
    if model.name != hash::NAME {
        let paths = [
            ("codecite.model_dir", settings::model_dir()),
            ("codecite.onnxruntime_library", settings::onnxruntime_library()),
        ];
        if let Some((setting, _)) = paths.into_iter().find(|(_, path)| path.is_none()) {
            let fix = format!("ALTER SYSTEM SET {setting} = '/path'; SELECT pg_reload_conf();");
            return Some((format!("{setting} is not set"), fix));
        }
    }
    match model.embed(&["doors"], Purpose::Query, &mut must_stop) {
        Ok(vectors) if vectors.iter().all(|vector| vector.len() == model.dimension) => None,
        Ok(_) => Some((
            format!("its files have another dimension than the {} that are registered", model.dimension),
            "Put the model's own files back; a new model goes into a folder of another name.".into(),
        )),
        Err(error) => Some((error.to_string(), error.hint())),
    }
}

//! A network in ONNX Runtime: token ids in, token vectors out.

use std::mem::ManuallyDrop;
use std::path::Path;

use codecite_core::model::{InputNames, Manifest};
use ort::environment::Environment;
use ort::logging::LogLevel;
use ort::session::{HasSelectedOutputs, OutputSelector, RunOptions, Session, SessionInputValue};
use ort::value::{TensorElementType, TensorRef, ValueType};

use crate::embedder::Options;
use crate::error::{EmbedError, brief};

/// What an input of the network is fed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feed {
    Ids,
    Mask,
    Types,
}

/// Token ids of several texts, padded to one length.
pub(crate) struct Batch {
    ids: Vec<i64>,
    mask: Vec<i64>,
    texts: usize,
    length: usize,
}

impl Batch {
    /// Pads the texts on the right.
    pub(crate) fn new<'a>(texts: impl ExactSizeIterator<Item = &'a [i64]> + Clone, pad_id: i64) -> Batch {
        // A tokenizer without markers gives nothing for an empty text, but a network needs a token to look at.
        let length = texts.clone().map(<[i64]>::len).max().unwrap_or(0).max(1);
        let count = texts.len();
        let mut batch = Batch {
            ids: Vec::with_capacity(count * length),
            mask: Vec::with_capacity(count * length),
            texts: count,
            length,
        };
        for (row, ids) in texts.enumerate() {
            let end = (row + 1) * length;
            batch.ids.extend_from_slice(ids);
            batch.ids.resize(end, pad_id);
            batch.mask.resize(row * length + ids.len().max(1), 1);
            batch.mask.resize(end, 0);
        }
        batch
    }

    /// Tokens, padding included.
    pub(crate) fn tokens(&self) -> usize {
        self.ids.len()
    }
}

/// A session and what it needs at each run. It is not dropped by itself: see the crate's documentation.
pub(crate) struct Network {
    session: ManuallyDrop<Session>,
    run: ManuallyDrop<RunOptions<HasSelectedOutputs>>,
    /// The same, and afterwards memory that is no longer needed goes back to the system.
    last_run: ManuallyDrop<RunOptions<HasSelectedOutputs>>,
    feeds: Vec<(String, Feed)>,
    output: String,
    dimension: usize,
    is_prepacked: bool,
}

impl Network {
    /// Builds the session for `model`. Signals are to be blocked.
    pub(crate) fn build(
        environment: &Environment,
        model: &Path,
        manifest: &Manifest,
        options: &Options,
        prepack: bool,
    ) -> Result<Network, EmbedError> {
        let session =
            build_session(environment, model, prepack).map_err(|e| EmbedError::Session(brief(e)))?;
        let feeds = feeds(&session, &manifest.inputs.clone().unwrap_or_default())?;
        let output = output(&session, manifest.output.as_deref())?;
        let run = run_options(&output, false).map_err(|e| EmbedError::Session(brief(e)))?;
        let last_run = run_options(&output, options.shrink).map_err(|e| EmbedError::Session(brief(e)))?;
        Ok(Network {
            session: ManuallyDrop::new(session),
            run: ManuallyDrop::new(run),
            last_run: ManuallyDrop::new(last_run),
            feeds,
            output,
            dimension: usize::try_from(manifest.dimension).unwrap_or_default(),
            is_prepacked: prepack,
        })
    }

    /// True when the weights were copied into a faster layout.
    pub(crate) fn is_prepacked(&self) -> bool {
        self.is_prepacked
    }

    /// Releases a session that is not used any more. Signals are to be blocked.
    pub(crate) fn discard(self) {
        let Network { session, run, last_run, .. } = self;
        drop(ManuallyDrop::into_inner(run));
        drop(ManuallyDrop::into_inner(last_run));
        drop(ManuallyDrop::into_inner(session));
    }

    /// Runs the network over a batch. `take(row, states, mask)` gets each text's token vectors, one after the other.
    pub(crate) fn run(
        &mut self,
        batch: &Batch,
        last: bool,
        mut take: impl FnMut(usize, &[f32], &[i64]) -> Result<(), EmbedError>,
    ) -> Result<(), EmbedError> {
        let failed = |e: ort::Error| EmbedError::Session(brief(e));
        let shape = [batch.texts, batch.length];
        let types: Vec<i64> = if self.feeds.iter().any(|(_, f)| *f == Feed::Types) {
            vec![0; batch.ids.len()]
        } else {
            Vec::new()
        };
        let mut inputs: Vec<(&str, SessionInputValue<'_>)> = Vec::with_capacity(self.feeds.len());
        for (name, feed) in &self.feeds {
            let data = match feed {
                Feed::Ids => &batch.ids,
                Feed::Mask => &batch.mask,
                Feed::Types => &types,
            };
            inputs.push((name, TensorRef::from_array_view((shape, data.as_slice())).map_err(failed)?.into()));
        }
        let options = if last { &self.last_run } else { &self.run };
        let outputs = self.session.run_with_options(inputs, options).map_err(failed)?;
        let states = outputs
            .get(self.output.as_str())
            .ok_or_else(|| EmbedError::Session(format!("it gives no output {}", self.output)))?;
        let (found, states) = states.try_extract_tensor::<f32>().map_err(failed)?;
        let [texts, length, dimension] = found
            .iter()
            .map(|n| usize::try_from(*n).unwrap_or_default())
            .collect::<Vec<_>>()
            .try_into()
            .map_err(|_| not_per_token(found))?;
        if [texts, length] != shape || states.len() != texts * length * dimension {
            return Err(not_per_token(found));
        }
        if dimension != self.dimension {
            return Err(EmbedError::WrongDimension { expected: self.dimension, found: dimension });
        }
        let rows = states.chunks_exact(length * dimension).zip(batch.mask.chunks_exact(length));
        for (row, (states, mask)) in rows.enumerate() {
            take(row, states, mask)?;
        }
        Ok(())
    }
}

fn build_session(environment: &Environment, model: &Path, prepack: bool) -> ort::Result<Session> {
    Session::builder(environment)?
        // One thread means the caller's own: none is started.
        .with_intra_threads(1)?
        .with_inter_threads(1)?
        .with_parallel_execution(false)?
        .with_log_level(LogLevel::Fatal)?
        // Without prepacking, weights in an external file are used where they are mapped, and all processes share
        // them; with it, each process has its own copy in a faster layout.
        .with_prepacking(prepack)?
        .commit_from_file(model)
}

fn run_options(output: &str, shrink: bool) -> ort::Result<RunOptions<HasSelectedOutputs>> {
    let mut options = RunOptions::new()?;
    options.set_log_level(LogLevel::Fatal)?;
    if shrink {
        options.set("memory.enable_memory_arena_shrinkage", "cpu:0")?;
    }
    // Other outputs (a pooler's) would be computed for nothing.
    Ok(options.with_outputs(OutputSelector::no_default().with(output)))
}

/// What each input of the network gets.
fn feeds(session: &Session, names: &InputNames) -> Result<Vec<(String, Feed)>, EmbedError> {
    let mut feeds = Vec::new();
    for input in session.inputs() {
        let feed = match input.name() {
            name if name == names.ids => Feed::Ids,
            name if name == names.mask => Feed::Mask,
            name if name == names.types => Feed::Types,
            name => {
                return Err(EmbedError::Session(format!(
                    "it has an input {} that nothing is known for",
                    brief(name)
                )));
            }
        };
        match input.dtype() {
            ValueType::Tensor { ty: TensorElementType::Int64, .. } => {
                feeds.push((input.name().to_owned(), feed))
            }
            _ => {
                return Err(EmbedError::Session(format!(
                    "its input {} is not of 64-bit integers",
                    brief(input.name())
                )));
            }
        }
    }
    if feeds.iter().any(|(_, f)| *f == Feed::Ids) {
        Ok(feeds)
    } else {
        Err(EmbedError::Session(format!("it has no input {}", names.ids)))
    }
}

/// The output with one vector per token.
fn output(session: &Session, name: Option<&str>) -> Result<String, EmbedError> {
    let per_token = |dtype: &ValueType| matches!(dtype, ValueType::Tensor { ty: TensorElementType::Float32, shape, .. } if shape.len() == 3);
    let found = match name {
        Some(name) => session.outputs().iter().find(|o| o.name() == name),
        None => session.outputs().iter().find(|o| per_token(o.dtype())),
    };
    found.map(|o| o.name().to_owned()).ok_or_else(|| {
        let has: Vec<&str> = session.outputs().iter().map(|o| o.name()).collect();
        EmbedError::Session(brief(format!(
            "it has no output with a vector per token; it has {}",
            has.join(", ")
        )))
    })
}

fn not_per_token(shape: &[i64]) -> EmbedError {
    EmbedError::Session(format!("its output has the shape {shape:?}, not one vector per token"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_texts_are_padded_on_the_right() {
        let texts: [&[i64]; 3] = [&[1, 2, 3], &[4], &[]];
        let batch = Batch::new(texts.into_iter(), 9);
        assert_eq!((batch.texts, batch.length, batch.tokens()), (3, 3, 9));
        assert_eq!(batch.ids, [1, 2, 3, 4, 9, 9, 9, 9, 9]);
        assert_eq!(batch.mask, [1, 1, 1, 1, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn an_empty_text_is_one_token_of_padding() {
        let texts: [&[i64]; 1] = [&[]];
        let batch = Batch::new(texts.into_iter(), 7);
        assert_eq!((batch.ids, batch.mask), (vec![7], vec![1]));
    }
}

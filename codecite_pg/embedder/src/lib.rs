//! Text embeddings through ONNX Runtime, made for a process that must stay single-threaded and must not crash: a
//! Postgres backend.
//!
//! [`Embedder::load`] takes a runtime library and a model folder through every check and keeps what works for the life
//! of the process; [`Embedder::embed`] turns texts into vectors. Nothing here knows Postgres: whoever calls passes a
//! closure that says whether to stop.
//!
//! Native objects are never dropped once they work. ONNX Runtime's static destructors run at exit and crash when they
//! meet a live environment that Rust tears down at the same time, so the environment and the sessions are leaked.
#![deny(unsafe_op_in_unsafe_fn)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod batch;
mod describe;
mod elf;
mod embedder;
mod error;
mod files;
mod native;
mod network;
mod runtime;
mod tokens;

pub use describe::{Draft, describe_folder};
pub use embedder::{Embedder, Options, Prepack};
pub use error::EmbedError;
pub use files::{Hashed, remember};
pub use native::thread_count;
pub use runtime::Runtime;
pub use tokens::TokenCounter;

/// What this crate's functions return.
pub type Result<T, E = EmbedError> = std::result::Result<T, E>;

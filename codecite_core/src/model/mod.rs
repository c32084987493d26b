//! Embedding models: what is known about them without running them.

pub mod hash;

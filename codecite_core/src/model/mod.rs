//! Embedding models as data: what a model folder declares, and the arithmetic on what the network returns.
//!
//! Nothing here runs a network or touches a file; that is `codecite_embedder`.

pub mod hash;
pub mod manifest;
mod pool;

pub use manifest::{InputNames, Manifest};
pub use pool::{normalise, pool};

use serde::{Deserialize, Serialize};

/// What a text is embedded for. Many models expect a different prefix for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// A question, to be compared with documents.
    Query,
    /// A passage, to be found.
    Document,
}

impl Purpose {
    /// The word for it in SQL and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Query => "query",
            Purpose::Document => "document",
        }
    }

    /// Reads the word that [`as_str`](Self::as_str) writes.
    pub fn from_name(name: &str) -> Option<Self> {
        [Purpose::Query, Purpose::Document].into_iter().find(|p| p.as_str() == name)
    }
}

/// How the vectors of a text's tokens become the vector of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over all tokens that are not padding.
    Mean,
    /// The vector of the first token.
    Cls,
    /// The largest value of each dimension over all tokens that are not padding.
    Max,
}

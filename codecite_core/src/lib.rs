//! Everything codecite knows about building codes, without a server.
//!
//! The modules follow the data; each stage is one type, and no stage knows the ones behind it:
//!
//! `bytes →` [`sniff`] `→` [`read`] `→` [`document::Document`] …
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

pub mod address;
pub mod amend;
pub mod chunk;
pub mod citation;
pub mod definition;
pub mod document;
pub mod error;
pub mod index;
pub mod links;
pub mod model;
pub mod number;
pub mod passage;
pub mod pipeline;
pub mod profile;
pub mod read;
pub mod reference;
pub mod report;
mod roman;
pub mod search;
pub mod sniff;
pub mod structure;
pub mod verify;
pub mod vocabulary;
pub mod work;

pub use error::{Error, Result};

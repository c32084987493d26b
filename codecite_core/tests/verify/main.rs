//! Drafted answers checked against codes: by hand, and by a generator that knows what is true and what it changed.

#![allow(missing_docs)]

mod cases;
mod codes;
mod generate;
mod hostile;
mod rates;

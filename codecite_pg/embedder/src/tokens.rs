//! Text into tokens, in bounded time.

use tokenizers::Tokenizer;

use crate::error::{EmbedError, brief};
use crate::native::guarded;

/// Bytes of text that are looked at per token of the model's window. Prose has four to five bytes per token; a table
/// padded with blanks has more. What lies behind could not reach the window of any real text.
const BYTES_PER_TOKEN: usize = 32;
/// Counting stops here: about 0.1 s of work.
const COUNT_BYTES: usize = 1 << 20;
/// Counting goes in pieces, so that memory stays small.
const PIECE_BYTES: usize = 16 << 10;

/// A tokenizer that neither cuts nor pads by itself.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    max_tokens: usize,
    /// How many markers ([CLS], [SEP]) stand around every text.
    markers: usize,
}

impl Tokens {
    /// Reads a `tokenizer.json`.
    pub(crate) fn parse(json: &[u8], max_tokens: usize) -> Result<Tokens, EmbedError> {
        guarded(|| {
            // Otherwise the first batch starts a pool of threads.
            tokenizers::utils::parallelism::set_parallelism(false);
            let failed = |e: tokenizers::Error| EmbedError::Tokenizer(brief(e));
            let mut tokenizer = Tokenizer::from_bytes(json).map_err(failed)?;
            // The file's own settings are those of whoever exported it, often shorter than the model's window.
            tokenizer.with_truncation(None).map_err(failed)?;
            tokenizer.with_padding(None);
            let markers = tokenizer.encode_fast("", true).map_err(failed)?.len();
            if markers >= max_tokens {
                return Err(EmbedError::Tokenizer(format!("{markers} markers leave no room for text")));
            }
            Ok(Tokens { tokenizer, max_tokens, markers })
        })
    }

    /// The token ids of `prefix` and `text`, with markers, at most as many as the model reads.
    pub(crate) fn encode(&self, prefix: &str, text: &str) -> Result<Vec<i64>, EmbedError> {
        // The tokenizer works through the whole text before anything is cut off; 33 MB take ten seconds.
        let text = head(text, self.max_tokens.saturating_mul(BYTES_PER_TOKEN));
        let encoding = if prefix.is_empty() { self.run(text)? } else { self.run(&[prefix, text].concat())? };
        let room = self.max_tokens.saturating_sub(self.markers);
        let mut taken = 0;
        let ids = encoding.get_ids().iter().zip(encoding.get_special_tokens_mask());
        Ok(ids
            .filter(|(_, marker)| {
                // Markers stay wherever they stand; of the text, the first tokens that fit.
                let keep = **marker == 1 || taken < room;
                taken += usize::from(**marker != 1);
                keep
            })
            .map(|(id, _)| i64::from(*id))
            .take(self.max_tokens)
            .collect())
    }

    /// How many tokens a text has, markers included.
    pub(crate) fn count(&self, text: &str) -> Result<usize, EmbedError> {
        let mut rest = head(text, COUNT_BYTES);
        let mut count = self.markers;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(piece_end(rest));
            count += self.run(piece)?.len().saturating_sub(self.markers);
            rest = behind;
        }
        Ok(count)
    }

    fn run(&self, text: &str) -> Result<tokenizers::Encoding, EmbedError> {
        guarded(|| {
            // The library's message could quote the text.
            let failed = |_| EmbedError::Tokenizer("it cannot encode this text".into());
            self.tokenizer.encode_fast(text, true).map_err(failed)
        })
    }
}

/// The first bytes of a text, cut between characters.
fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Where a piece ends: before the last white space in it, so that words stay whole.
fn piece_end(text: &str) -> usize {
    let longest = text.floor_char_boundary(PIECE_BYTES);
    if longest == text.len() {
        return longest;
    }
    let piece = text.get(..longest).unwrap_or(text);
    piece.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of a small vocabulary, with markers around, in the form of BERT's.
    pub(crate) fn small() -> Vec<u8> {
        serde_json::json!({
            "version": "1.0", "added_tokens": [],
            "truncation": {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0},
            "padding": {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": null,
                        "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
            "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "decoder": null,
            "post_processor": {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                           {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
                                   "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]}}},
            "model": {"type": "WordLevel", "unk_token": "[UNK]",
                      "vocab": {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[UNK]": 3, "exit": 4, "door": 5, "query": 6}}
        })
        .to_string()
        .into_bytes()
    }

    #[test]
    fn the_files_own_cut_and_padding_are_overridden() {
        let tokens = Tokens::parse(&small(), 8).unwrap();
        assert_eq!(tokens.encode("", "exit").unwrap(), [1, 4, 2]);
        assert_eq!(
            tokens.encode("", "exit door exit door exit door exit door").unwrap(),
            [1, 4, 5, 4, 5, 4, 5, 2]
        );
        assert_eq!(tokens.encode("query ", "door").unwrap(), [1, 6, 5, 2]);
        assert_eq!(tokens.encode("", "").unwrap(), [1, 2]);
    }

    #[test]
    fn counting_goes_on_where_encoding_cuts() {
        let tokens = Tokens::parse(&small(), 8).unwrap();
        assert_eq!(tokens.count("").unwrap(), 2);
        assert_eq!(tokens.count("exit door").unwrap(), 4);
        let words = 40_000;
        assert_eq!(tokens.count(&"exit ".repeat(words)).unwrap(), words + 2);
    }

    #[test]
    fn long_texts_are_cut_before_the_tokenizer() {
        let tokens = Tokens::parse(&small(), 8).unwrap();
        let long = "\u{e4}".repeat(20 << 20);
        let started = std::time::Instant::now();
        assert_eq!(tokens.encode("", &long).unwrap(), [1, 3, 2]);
        assert!(tokens.count(&long).unwrap() > 2);
        assert!(started.elapsed().as_secs() < 2);
    }

    #[test]
    fn a_broken_file_is_an_error() {
        assert_eq!(Tokens::parse(b"{}", 8).err().unwrap().code(), "tokenizer");
        assert_eq!(Tokens::parse(b"", 8).err().unwrap().code(), "tokenizer");
    }
}

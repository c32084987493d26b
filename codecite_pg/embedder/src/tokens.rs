//! Text into tokens, in bounded time.

use std::cell::RefCell;
use std::collections::HashMap;

use ahash::AHashMap;
use tokenizers::Tokenizer;
use tokenizers::models::wordpiece::WordPiece;

use crate::error::{EmbedError, brief};
use crate::native::guarded;

/// Bytes of text that are looked at per token of the model's window. Prose has four to five bytes per token; a table
/// padded with blanks has more. What lies behind could not reach the window of any real text.
const BYTES_PER_TOKEN: usize = 32;
/// Counting stops here: about 0.1 s of work.
const COUNT_BYTES: usize = 1 << 20;
/// Counting goes in pieces, so that memory stays small.
const PIECE_BYTES: usize = 16 << 10;
/// Words that a counter keeps, and the longest of them in bytes: a code has some ten thousand different ones.
const KEPT_WORDS: usize = 100_000;
const KEPT_BYTES: usize = 40;
/// If these count as many tokens whole as word by word, so does every text: line ends, runs of blanks, marks against letters.
const PROBES: [&str; 3] =
    ["Exit doors, 44 inches (1118 mm).\nGroup I-2", "one  two\t\tthree\n\nfour", "§1004.5: naïve “words”—so"];

/// A word with its number of tokens.
type Counted<'t> = (&'t str, usize);

/// A tokenizer that neither cuts nor pads by itself.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    max_tokens: usize,
    /// How many markers ([CLS], [SEP]) stand around every text.
    markers: usize,
    /// A text has as many tokens as its words have together.
    is_additive: bool,
}

impl Tokens {
    /// Reads a `tokenizer.json`.
    pub(crate) fn parse(json: &[u8], max_tokens: usize) -> Result<Tokens, EmbedError> {
        guarded(|| {
            // Otherwise the first batch starts a pool of threads.
            tokenizers::utils::parallelism::set_parallelism(false);
            let failed = |e: tokenizers::Error| EmbedError::Tokenizer(brief(e));
            let mut tokenizer = read(json).map_err(failed)?;
            // The file's own settings are those of whoever exported it, often shorter than the model's window.
            tokenizer.with_truncation(None).map_err(failed)?;
            tokenizer.with_padding(None);
            let markers = tokenizer.encode_fast("", true).map_err(failed)?.len();
            if markers >= max_tokens {
                return Err(EmbedError::Tokenizer(format!("{markers} markers leave no room for text")));
            }
            let mut tokens = Tokens { tokenizer, max_tokens, markers, is_additive: false };
            let agrees =
                |text: &str| Some(tokens.count(text).ok()? == tokens.count_words(text, |_| None).ok()?.0);
            tokens.is_additive = PROBES.iter().all(|text| agrees(text) == Some(true));
            Ok(tokens)
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

    /// The sum over the words of a text, markers included, and what each word that `known` has no number for counts.
    fn count_words<'t>(
        &self,
        text: &'t str,
        known: impl Fn(&str) -> Option<usize>,
    ) -> Result<(usize, Vec<Counted<'t>>), EmbedError> {
        let mut sum = self.markers;
        let mut new = Vec::new();
        for word in text.split_whitespace() {
            sum += match known(word) {
                Some(count) => count,
                None => {
                    // As it stands in a text: some tokenizers take the blank before a word for a part of it.
                    let count = self.count(&[" ", word].concat())?.saturating_sub(self.markers);
                    new.push((word, count));
                    count
                }
            };
        }
        Ok((sum, new))
    }

    fn run(&self, text: &str) -> Result<tokenizers::Encoding, EmbedError> {
        guarded(|| {
            // The library's message could quote the text.
            let failed = |_| EmbedError::Tokenizer("it cannot encode this text".into());
            self.tokenizer.encode_fast(text, true).map_err(failed)
        })
    }
}

/// Reads a `tokenizer.json`. The library takes four times as long for a large vocabulary as reading the JSON does, so
/// that of a WordPiece model is handed to it as a map.
fn read(json: &[u8]) -> tokenizers::Result<Tokenizer> {
    match read_wordpiece(json) {
        Some(tokenizer) => tokenizer,
        None => Tokenizer::from_bytes(json),
    }
}

/// `None` where the model is of another kind or has parts that are not known here.
fn read_wordpiece(json: &[u8]) -> Option<tokenizers::Result<Tokenizer>> {
    let mut file: serde_json::Value = serde_json::from_slice(json).ok()?;
    let added: Vec<String> = file
        .get("added_tokens")?
        .as_array()?
        .iter()
        .map(|token| token.get("content").and_then(|content| content.as_str()).map(str::to_owned))
        .collect::<Option<_>>()?;
    let model = file.get_mut("model")?.as_object_mut()?;
    let known = ["type", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"];
    if model.get("type")?.as_str()? != "WordPiece" || model.keys().any(|key| !known.contains(&key.as_str())) {
        return None;
    }
    let text = |key: &str| model.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    let (unknown, prefix) = (text("unk_token")?, text("continuing_subword_prefix")?);
    let longest = usize::try_from(model.get("max_input_chars_per_word")?.as_u64()?).ok()?;
    let serde_json::Value::Object(entries) = model.get_mut("vocab")?.take() else { return None };
    // Added tokens take their numbers from the vocabulary when the file is read; one that is not there takes the next
    // free one.
    if !added.iter().all(|token| entries.contains_key(token)) {
        return None;
    }
    let few = entries.iter().filter(|(token, _)| **token == unknown || added.contains(token));
    let few: serde_json::Map<String, serde_json::Value> =
        few.map(|(token, id)| (token.clone(), id.clone())).collect();
    model.insert("vocab".into(), serde_json::Value::Object(few));
    let vocabulary: AHashMap<String, u32> = entries
        .into_iter()
        .map(|(token, id)| Some((token, u32::try_from(id.as_u64()?).ok()?)))
        .collect::<Option<_>>()?;
    let build = || -> tokenizers::Result<Tokenizer> {
        let model = WordPiece::builder()
            .vocab(vocabulary)
            .unk_token(unknown)
            .continuing_subword_prefix(prefix)
            .max_input_chars_per_word(longest)
            .build()?;
        let mut tokenizer: Tokenizer = serde_json::from_value(file)?;
        tokenizer.with_model(model);
        Ok(tokenizer)
    };
    Some(build())
}

/// Counts the tokens of many texts that share their words.
pub struct TokenCounter<'t> {
    tokens: &'t Tokens,
    words: RefCell<HashMap<Box<str>, usize>>,
}

impl<'t> TokenCounter<'t> {
    pub(crate) fn new(tokens: &'t Tokens) -> TokenCounter<'t> {
        TokenCounter { tokens, words: RefCell::default() }
    }

    /// How many tokens a text has, markers included, as [`Embedder::count_tokens`](crate::Embedder::count_tokens) says;
    /// where the tokenizer works word by word, each different word is counted once.
    ///
    /// # Errors
    /// `Tokenizer`, `Internal`.
    pub fn count(&self, text: &str) -> Result<usize, EmbedError> {
        if !self.tokens.is_additive {
            return self.tokens.count(text);
        }
        let known = |word: &str| self.words.borrow().get(word).copied();
        let (sum, new) = self.tokens.count_words(head(text, COUNT_BYTES), known)?;
        let mut words = self.words.borrow_mut();
        for (word, count) in new {
            if words.len() < KEPT_WORDS && word.len() <= KEPT_BYTES {
                words.insert(word.into(), count);
            }
        }
        Ok(sum)
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

    /// A WordPiece model, as it is read in two ways.
    #[test]
    fn a_wordpiece_vocabulary_is_read_as_the_library_reads_it() {
        let mut file: serde_json::Value = serde_json::from_slice(&small()).unwrap();
        file["added_tokens"] = serde_json::json!([
            {"id": 2, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
            {"id": 7, "content": "way", "single_word": true, "lstrip": false, "rstrip": false, "normalized": true, "special": false}
        ]);
        file["model"] = serde_json::json!({
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 20,
            "vocab": {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[UNK]": 3, "exit": 4, "door": 5, "##s": 6, "way": 7, "##way": 8}
        });
        let json = serde_json::to_vec(&file).unwrap();
        let ours = read_wordpiece(&json).unwrap().unwrap();
        let theirs = Tokenizer::from_bytes(&json).unwrap();
        assert_eq!(ours.get_vocab_size(true), theirs.get_vocab_size(true));
        for text in ["exit doors", "doorway [SEP] ways", "a way exit", "", "exitexitexitexitexitexitexit"] {
            let (a, b) = (ours.encode(text, true).unwrap(), theirs.encode(text, true).unwrap());
            assert_eq!(a.get_ids(), b.get_ids(), "{text}");
            assert_eq!(a.get_special_tokens_mask(), b.get_special_tokens_mask(), "{text}");
        }
        // A part that is not known here is the library's to read or to refuse.
        file["model"]["other"] = true.into();
        assert!(read_wordpiece(&serde_json::to_vec(&file).unwrap()).is_none());
        assert!(read_wordpiece(b"{").is_none());
        let mut file: serde_json::Value = serde_json::from_slice(&json).unwrap();
        file["added_tokens"][1]["content"] = "<new>".into();
        assert!(read_wordpiece(&serde_json::to_vec(&file).unwrap()).is_none());
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
    fn words_counted_once_give_what_the_whole_text_has() {
        let tokens = Tokens::parse(&small(), 8).unwrap();
        assert!(tokens.is_additive);
        let counter = TokenCounter::new(&tokens);
        for text in ["", "exit door", " exit,  door.\n\nexit (door) query", "exit door exit unknown"] {
            for _ in 0..2 {
                assert_eq!(counter.count(text).unwrap(), tokens.count(text).unwrap(), "{text}");
            }
        }
    }

    #[test]
    fn a_tokenizer_that_counts_blanks_is_asked_for_the_whole_text() {
        let mut json: serde_json::Value = serde_json::from_slice(&small()).unwrap();
        json["pre_tokenizer"] = serde_json::json!({"type": "Split", "pattern": {"Regex": "[ \\n\\t]"},
            "behavior": "Isolated", "invert": false});
        let tokens = Tokens::parse(json.to_string().as_bytes(), 8).unwrap();
        assert!(!tokens.is_additive);
        let text = "exit  door\n\nexit";
        assert_eq!(TokenCounter::new(&tokens).count(text).unwrap(), tokens.count(text).unwrap());
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

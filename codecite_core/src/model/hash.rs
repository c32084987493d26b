//! The `hash` model: terms hashed into a vector. It needs no files and knows no meaning beyond the words.

use sha2::{Digest, Sha256};

use crate::vocabulary::Vocabulary;

/// The dimension of its vectors.
pub const DIMENSION: usize = 384;
/// The name under which it is registered.
pub const NAME: &str = "hash";

/// The vector of a text, of length 1; for a text without terms all zero but the first.
pub fn embed(vocabulary: &Vocabulary, text: &str) -> Vec<f32> {
    let mut vector = vec![0.0f32; DIMENSION];
    for term in vocabulary.terms(text) {
        let hash = Sha256::digest(term.as_bytes());
        // Two places and signs for each term keep collisions from adding up.
        for half in hash.chunks_exact(8).take(2) {
            let value = half.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
            let sign = if value & 1 == 0 { 1.0 } else { -1.0 };
            let place = (value >> 1) as usize % DIMENSION;
            if let Some(slot) = vector.get_mut(place) {
                *slot += sign;
            }
        }
    }
    // Repetition counts, but less and less.
    for value in &mut vector {
        *value = value.signum() * value.abs().sqrt();
    }
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    } else if let Some(first) = vector.first_mut() {
        *first = 1.0;
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity(a: &str, b: &str) -> f32 {
        let vocabulary = Vocabulary::default();
        embed(&vocabulary, a).iter().zip(embed(&vocabulary, b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn the_same_words_are_near_and_others_are_not() {
        assert!((similarity("doors and stairs", "stairs doors") - 1.0).abs() < 1e-5);
        assert!(similarity("doors and stairs", "doors") > 0.5);
        assert!(similarity("doors and stairs", "elevator pit") < 0.2);
        assert!((similarity("", "") - 1.0).abs() < 1e-5);
    }
}

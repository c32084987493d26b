//! From token vectors to one text vector.

use super::Pooling;

/// Pools the token vectors of one text.
///
/// `states` holds `mask.len()` rows of `dimension` numbers each, row by row; `mask` is 0 where a token is padding.
/// Returns `dimension` numbers, or `None` when the lengths do not fit together or every token is padding.
pub fn pool(pooling: Pooling, states: &[f32], mask: &[i64], dimension: usize) -> Option<Vec<f32>> {
    if dimension == 0 || states.len() != mask.len().checked_mul(dimension)? {
        return None;
    }
    let mut rows = states.chunks_exact(dimension).zip(mask).filter(|(_, m)| **m != 0).map(|(row, _)| row);
    let first = rows.next()?;
    let mut pooled = first.to_vec();
    match pooling {
        // Tokenizers that pad on the left put the first token behind the padding, hence the first unmasked row.
        Pooling::Cls => {}
        Pooling::Max => {
            for row in rows {
                for (p, v) in pooled.iter_mut().zip(row) {
                    *p = p.max(*v);
                }
            }
        }
        Pooling::Mean => {
            let mut count = 1.0_f32;
            for row in rows {
                count += 1.0;
                for (p, v) in pooled.iter_mut().zip(row) {
                    *p += v;
                }
            }
            for p in &mut pooled {
                *p /= count;
            }
        }
    }
    Some(pooled)
}

/// Scales a vector to length 1. A vector of zeros, or one whose length is not a finite number, stays as it is.
pub fn normalise(vector: &mut [f32]) {
    // In double precision: the square of a large f32 overflows, and the sum of many small ones loses digits.
    let length = vector.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        for v in vector {
            *v = (f64::from(*v) / length) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [f32; 6] = [1.0, -2.0, 3.0, 4.0, 100.0, 100.0];

    #[test]
    fn mean_leaves_padding_out() {
        assert_eq!(pool(Pooling::Mean, &STATES, &[1, 1, 0], 2), Some(vec![2.0, 1.0]));
    }

    #[test]
    fn cls_is_the_first_token_that_is_no_padding() {
        assert_eq!(pool(Pooling::Cls, &STATES, &[1, 1, 0], 2), Some(vec![1.0, -2.0]));
        assert_eq!(pool(Pooling::Cls, &STATES, &[0, 1, 1], 2), Some(vec![3.0, 4.0]));
    }

    #[test]
    fn max_takes_each_dimension() {
        assert_eq!(pool(Pooling::Max, &STATES, &[1, 1, 0], 2), Some(vec![3.0, 4.0]));
        assert_eq!(pool(Pooling::Max, &[-3.0, -1.0], &[1], 2), Some(vec![-3.0, -1.0]));
    }

    #[test]
    fn lengths_that_do_not_fit_are_none() {
        assert_eq!(pool(Pooling::Mean, &STATES, &[1, 1], 2), None);
        assert_eq!(pool(Pooling::Mean, &STATES, &[1, 1, 1], 0), None);
        assert_eq!(pool(Pooling::Mean, &STATES, &[0, 0, 0], 2), None);
        assert_eq!(pool(Pooling::Mean, &[], &[], 2), None);
    }

    #[test]
    fn normalised_vectors_have_length_one() {
        let mut v = vec![3.0, 4.0];
        normalise(&mut v);
        assert_eq!(v, vec![0.6, 0.8]);
        let mut large = vec![1e30, 1e30];
        normalise(&mut large);
        assert!((large[0] - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        let mut zero = vec![0.0, 0.0];
        normalise(&mut zero);
        assert_eq!(zero, vec![0.0, 0.0]);
    }
}

//! Late interaction: the first hits are read again, token by token, and ordered anew.

use std::hash::Hash;

use super::fuse::{SectionHit, sort};

/// What the second reading counts beside the first ranking, each scaled to 0-1.
const WEIGHT: f32 = 1.0;

/// How well a text answers a question: the mean over the question's tokens of the cosine to the nearest of the text's.
///
/// Both are token vectors of length 1, one behind the other, each of `dimension` numbers. 0 where one of them is empty.
pub fn interaction(question: &[f32], text: &[f32], dimension: usize) -> f32 {
    let count = question.len() / dimension.max(1);
    if dimension == 0 || count == 0 || text.len() < dimension {
        return 0.0;
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    let nearest = |token: &[f32]| {
        text.chunks_exact(dimension).map(|other| dot(token, other)).fold(f32::NEG_INFINITY, f32::max)
    };
    question.chunks_exact(dimension).map(nearest).sum::<f32>() / count as f32
}

/// Orders the first `read.len()` hits anew by their score and by what reading them again gave; `None` for a hit that could
/// not be read. The others stay behind them.
pub fn rerank<S, K>(hits: &mut [SectionHit<S, K>], read: &[Option<f32>])
where
    S: Copy + Eq + Hash + Ord,
{
    let count = read.len().min(hits.len());
    let Some(first) = hits.get_mut(..count).filter(|first| first.len() > 1) else { return };
    let scaled = |values: &[f32]| -> Vec<f32> {
        let (least, most) = values.iter().fold((f32::MAX, f32::MIN), |(l, m), v| (l.min(*v), m.max(*v)));
        values.iter().map(|value| (value - least) / (most - least).max(f32::EPSILON)).collect()
    };
    let scores: Vec<f32> = first.iter().map(|hit| hit.score).collect();
    let least_read = read.iter().flatten().copied().fold(f32::MAX, f32::min);
    let read: Vec<f32> = read.iter().take(count).map(|value| value.unwrap_or(least_read)).collect();
    let (best, worst) =
        (scores.iter().copied().fold(f32::MIN, f32::max), scores.iter().copied().fold(f32::MAX, f32::min));
    for ((hit, score), again) in first.iter_mut().zip(scaled(&scores)).zip(scaled(&read)) {
        hit.score = worst + (best - worst) * (score + WEIGHT * again) / (1.0 + WEIGHT);
    }
    sort(first);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(scores: &[f32]) -> Vec<SectionHit<u32, u32>> {
        let hit = |(section, score): (usize, &f32)| SectionHit {
            section: section as u32,
            best: Some(section as u32),
            chunks: vec![section as u32],
            score: *score,
        };
        scores.iter().enumerate().map(hit).collect()
    }

    #[test]
    fn each_token_meets_its_nearest() {
        let question = [1.0, 0.0, 0.0, 1.0];
        assert_eq!(interaction(&question, &[1.0, 0.0], 2), 0.5);
        assert_eq!(interaction(&question, &[0.0, 1.0, 1.0, 0.0], 2), 1.0);
        assert_eq!(interaction(&question, &[], 2), 0.0);
        assert_eq!(interaction(&[], &[1.0, 0.0], 2), 0.0);
        assert_eq!(interaction(&question, &question, 0), 0.0);
    }

    #[test]
    fn the_first_are_ordered_anew_and_the_others_stay_behind() {
        let mut found = hits(&[1.0, 0.9, 0.8, 0.7]);
        rerank(&mut found, &[Some(0.1), Some(0.9), None]);
        assert_eq!(found.iter().map(|hit| hit.section).collect::<Vec<_>>(), [1, 0, 2, 3]);
        assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }

    #[test]
    fn nothing_to_read_changes_nothing() {
        for read in [vec![], vec![Some(0.3)], vec![None, None], vec![Some(0.5); 9]] {
            let mut found = hits(&[1.0, 0.9, 0.8]);
            rerank(&mut found, &read);
            assert_eq!(found.iter().map(|hit| hit.section).collect::<Vec<_>>(), [0, 1, 2], "{read:?}");
            assert!(found.iter().all(|hit| hit.score.is_finite()));
        }
    }
}

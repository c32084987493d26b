//! Chooses the candidates that make the best consistent sequence of numbers.
//!
//! Headings of a code count upwards; a cross-reference at the beginning of a line, or a false high number,
//! does not fit between its neighbours. Each candidate brings its evidence, each step from one to the next
//! costs what it is odd, and the chain with the best sum wins.

use super::headings::Candidate;

/// How many candidates back a chain may have its last heading: how long a run of false ones may be.
const LOOK_BACK: usize = 48;
/// The price of counting backwards.
const BACKWARDS: f32 = 5.0;

/// The price of a number without the end of the one before it, where numbers stand beside each other.
const SHORTER: f32 = 1.0;

/// The indices of the chosen candidates, ascending.
pub(super) fn choose(candidates: &[Candidate]) -> Vec<usize> {
    let numbers: Vec<Vec<(String, u32)>> = candidates.iter().map(|c| c.number.components()).collect();
    let mut best: Vec<(f32, Option<usize>)> = Vec::with_capacity(candidates.len());
    for (index, candidate) in candidates.iter().enumerate() {
        let mut choice = (candidate.score, None);
        // From the nearest back: its sum is mostly the highest, and a step only takes from it. The first of equals wins.
        for before in (index.saturating_sub(LOOK_BACK)..index).rev() {
            let (Some((sum, _)), Some(earlier)) = (best.get(before), candidates.get(before)) else {
                continue;
            };
            if sum + candidate.score < choice.0 {
                continue;
            }
            let step = match (numbers.get(before), numbers.get(index)) {
                // "905.3.4 Revise this section as follows:" and below it "905.3.4 Stages."
                (Some(a), Some(b)) if a == b && earlier.title.is_none() && candidate.title.is_some() => 0.0,
                // A note on a paragraph may stand before the one on all of it.
                (Some(a), Some(b))
                    if earlier.flat && candidate.flat && a.len() > b.len() && a.starts_with(b) =>
                {
                    SHORTER
                }
                (Some(a), Some(b)) if earlier.counts && candidate.counts => step_cost(a, b),
                _ => 0.0,
            };
            let total = sum + candidate.score - step;
            if total > choice.0 || total == choice.0 && choice.1.is_some() {
                choice = (total, Some(before));
            }
        }
        best.push(choice);
    }
    let mut last = (0..best.len()).rev().max_by(|a, b| {
        let sum = |i: &usize| best.get(*i).map_or(0.0, |(sum, _)| *sum);
        sum(a).total_cmp(&sum(b))
    });
    let mut chosen = Vec::new();
    while let Some(index) = last {
        chosen.push(index);
        last = best.get(index).and_then(|(_, before)| *before);
    }
    chosen.reverse();
    chosen
}

/// What is odd about `next` coming after `last`: 0 for the number that is expected.
fn step_cost(last: &[(String, u32)], next: &[(String, u32)]) -> f32 {
    let shared = last.iter().zip(next).take_while(|(a, b)| a == b).count();
    let deeper = next.len().saturating_sub(shared + 1) as f32;
    match (last.get(shared), next.get(shared)) {
        (None, None) => 4.0,
        (Some(_), None) => BACKWARDS,
        (None, Some((_, first))) => skip_cost(*first) + deeper,
        (Some((a_letters, a)), Some((b_letters, b))) => {
            if a_letters != b_letters {
                return if b_letters > a_letters { 0.5 } else { BACKWARDS };
            }
            if b < a { BACKWARDS } else { skip_cost(b - a) + 0.5 * deeper }
        }
    }
}

/// Counting on by one is free, skipping numbers a little odd.
fn skip_cost(by: u32) -> f32 {
    if by <= 1 { 0.0 } else { (0.3 + 0.3 * (by as f32).ln()).min(2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Span;
    use crate::number::Number;
    use proptest::prelude::*;

    fn candidate(block: usize, number: &str, score: f32) -> Candidate {
        Candidate {
            block,
            level: 0,
            number: Number::parse(number).unwrap(),
            heading: Span::default(),
            title: None,
            flat: false,
            counts: true,
            part: None,
            code: None,
            is_guest: false,
            score,
        }
    }

    fn chain(list: &[(&str, f32)]) -> Vec<String> {
        let candidates: Vec<Candidate> = list
            .iter()
            .enumerate()
            .map(|(block, (number, score))| candidate(block, number, *score))
            .collect();
        choose(&candidates).into_iter().map(|i| list[i].0.to_owned()).collect()
    }

    proptest! {
        /// Scores and costs of few values, so that many chains are worth the same.
        #[test]
        fn no_chain_is_worth_more_than_the_chosen_one(list in prop::collection::vec((1u32..4, 1u32..6, 1u8..8), 1..14)) {
            let candidates: Vec<Candidate> = list
                .iter()
                .enumerate()
                .map(|(block, (a, b, score))| candidate(block, &format!("{a}.{b}"), f32::from(*score) / 2.0))
                .collect();
            let worth = |chain: &[usize]| {
                let parts: Vec<_> = chain.iter().map(|at| candidates[*at].number.components()).collect();
                let cost: f32 = parts.windows(2).map(|pair| step_cost(&pair[0], &pair[1])).sum();
                chain.iter().map(|at| candidates[*at].score).sum::<f32>() - cost
            };
            let chosen = worth(&choose(&candidates));
            for set in 1u32..1 << candidates.len() {
                let chain: Vec<usize> = (0..candidates.len()).filter(|at| set >> at & 1 == 1).collect();
                prop_assert!(worth(&chain) <= chosen + 1e-3);
            }
        }
    }

    #[test]
    fn a_false_high_number_swallows_nothing() {
        let list = [("1004.1", 4.0), ("1009.9", 2.0), ("1004.2", 4.0), ("1004.3", 4.0), ("1005.1", 4.0)];
        assert_eq!(chain(&list), ["1004.1", "1004.2", "1004.3", "1005.1"]);
    }

    #[test]
    fn strong_headings_stay_when_the_count_restarts() {
        let list = [("1.1", 8.0), ("1.2", 8.0), ("1.1", 8.0), ("1.2", 8.0)];
        assert_eq!(chain(&list).len(), 4);
    }

    #[test]
    fn a_weak_reference_back_is_no_heading() {
        let list = [("1004.5", 7.0), ("1004.2", 3.0), ("1004.6", 7.0)];
        assert_eq!(chain(&list), ["1004.5", "1004.6"]);
    }
}

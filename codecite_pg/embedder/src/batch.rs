//! Which texts go through the network together.

/// Padded tokens of one run. Larger batches are no faster on a CPU: they only need more memory, and a cancel has to
/// wait for them.
pub(crate) const BATCH_TOKENS: usize = 256;
/// Texts of one run.
pub(crate) const BATCH_TEXTS: usize = 4;

/// Groups texts by their numbers of tokens. Each group holds indexes into `lengths`, longest text first, so that its
/// members need little padding; the longest group comes first, so that memory grows once.
pub(crate) fn plan(lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, usize)> = lengths.iter().copied().enumerate().map(|(i, n)| (n, i)).collect();
    // By index within one length, so that the plan, and with it every rounding, is the same each time.
    order.sort_unstable_by_key(|&(n, i)| (std::cmp::Reverse(n), i));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for (length, index) in order {
        match groups.last_mut() {
            Some(group) if group.len() < BATCH_TEXTS && longest * (group.len() + 1) <= budget => {
                group.push(index)
            }
            _ => {
                longest = length;
                groups.push(vec![index]);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_go_alone_and_short_ones_in_fours() {
        assert_eq!(plan(&[200, 20, 250, 30, 10, 10, 10], 256), [vec![2], vec![0], vec![3, 1, 4, 5], vec![6]]);
        assert_eq!(plan(&[64, 64, 64, 64, 64], 256), [vec![0, 1, 2, 3], vec![4]]);
        assert_eq!(plan(&[128, 128, 128], 256), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn every_text_is_in_exactly_one_group() {
        let lengths: Vec<usize> = (0..97).map(|i| (i * 37) % 300).collect();
        let mut all: Vec<usize> = plan(&lengths, 256).into_iter().flatten().collect();
        all.sort_unstable();
        assert_eq!(all, (0..97).collect::<Vec<_>>());
        assert!(plan(&[], 256).is_empty());
        assert_eq!(plan(&[9000], 256), [vec![0]]);
    }
}

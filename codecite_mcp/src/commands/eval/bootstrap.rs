//! How far a figure would move with other questions of the same kind: questions drawn anew from each file, with replacement.

use serde::Serialize;

/// How often questions are drawn anew.
pub const RESAMPLES: usize = 2000;

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The mean.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// Questions that it rests on.
    pub questions: usize,
}

/// What questions scored, file by file, `None` where a measure says nothing.
pub type Scores = [Vec<Option<f64>>];

/// Draws of question indexes, the same for every mode, so that modes can be compared question by question.
pub struct Draws(Vec<Vec<Vec<usize>>>);

impl Draws {
    /// Draws for files with so many questions each.
    pub fn new(sizes: &[usize], seed: u64) -> Draws {
        let mut random = Random(seed);
        let file = |size: usize, random: &mut Random| (0..size).map(|_| random.below(size)).collect();
        let draw = |random: &mut Random| sizes.iter().map(|&size| file(size, random)).collect();
        Draws((0..RESAMPLES).map(|_| draw(&mut random)).collect())
    }

    /// The mean of scores with its interval; `None` when nothing scored.
    ///
    /// `is_pooled` counts each question once; otherwise each file counts once.
    pub fn figure(&self, scores: &Scores, is_pooled: bool) -> Option<Figure> {
        let value = mean(scores.iter().map(|file| sum(file.iter().copied())), is_pooled)?;
        let (low, high) = interval(self.means(scores, is_pooled).into_iter().flatten().collect());
        let questions = scores.iter().flatten().flatten().count();
        Some(Figure { value, low, high, questions })
    }

    /// As [`Draws::figure`], for one file of many: its place and scores.
    pub fn file_figure(&self, place: usize, scores: &[Option<f64>]) -> Option<Figure> {
        let (total, questions) = sum(scores.iter().copied());
        let resampled = self.0.iter().filter_map(|draw| {
            let (total, questions) = sum(drawn(draw.get(place)?, scores));
            ratio(total, questions)
        });
        let (low, high) = interval(resampled.collect());
        Some(Figure { value: ratio(total, questions)?, low, high, questions })
    }

    /// How much more the first scores than the second, each file counted once, over the same questions, and the share
    /// of draws in which it does not score more.
    pub fn difference(&self, first: &Scores, second: &Scores) -> Option<(Figure, f64)> {
        let of = |scores: &Scores| mean(scores.iter().map(|file| sum(file.iter().copied())), false);
        let value = of(first)? - of(second)?;
        let pairs = self.means(first, false).into_iter().zip(self.means(second, false));
        let differences: Vec<f64> = pairs.filter_map(|(first, second)| Some(first? - second?)).collect();
        let not_more = differences.iter().filter(|difference| **difference <= 0.0).count();
        let share = ratio(not_more as f64, differences.len())?;
        let (low, high) = interval(differences);
        Some((Figure { value, low, high, questions: first.iter().flatten().flatten().count() }, share))
    }

    fn means(&self, scores: &Scores, is_pooled: bool) -> Vec<Option<f64>> {
        let mean_of = |draw: &Vec<Vec<usize>>| {
            mean(draw.iter().zip(scores).map(|(places, file)| sum(drawn(places, file))), is_pooled)
        };
        self.0.iter().map(mean_of).collect()
    }
}

fn drawn(places: &[usize], scores: &[Option<f64>]) -> impl Iterator<Item = Option<f64>> {
    places.iter().map(|&place| scores.get(place).copied().flatten())
}

fn sum(scores: impl Iterator<Item = Option<f64>>) -> (f64, usize) {
    scores.flatten().fold((0.0, 0), |(total, count), score| (total + score, count + 1))
}

fn ratio(total: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| total / count as f64)
}

/// The mean of files given by sum and count; files without a score are left out.
fn mean(files: impl Iterator<Item = (f64, usize)>, is_pooled: bool) -> Option<f64> {
    let (mut total, mut count) = (0.0, 0);
    for (file, questions) in files.filter(|(_, questions)| *questions > 0) {
        total += if is_pooled { file } else { file / questions as f64 };
        count += if is_pooled { questions } else { 1 };
    }
    ratio(total, count)
}

/// The 2.5th and the 97.5th percentile.
fn interval(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    (percentile(&values, 0.025), percentile(&values, 0.975))
}

/// The nearest rank of sorted values; NaN when there are none.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

/// SplitMix64: a few lines that give the same numbers in every version, which no crate promises.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`; what the remainder favours is far below what can be seen.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % (limit.max(1) as u64)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(scores: &[f64]) -> Vec<Option<f64>> {
        scores.iter().copied().map(Some).collect()
    }

    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn each_file_counts_once_unless_pooled() {
        let scores = [some(&[1.0, 1.0, 1.0]), some(&[0.0]), vec![None]];
        let draws = Draws::new(&[3, 1, 1], 1);
        let figure = draws.figure(&scores, false).unwrap();
        assert_eq!((figure.value, figure.low, figure.high, figure.questions), (0.5, 0.5, 0.5, 4));
        let pooled = draws.figure(&scores, true).unwrap();
        assert_eq!((pooled.value, pooled.low, pooled.high), (0.75, 0.75, 0.75));
        assert_eq!(draws.figure(&[vec![None]], false), None);
        assert_eq!(draws.file_figure(2, &scores[2]), None);
    }

    #[test]
    fn intervals_are_as_wide_as_the_normal_approximation_says() {
        // 400 questions, half of them right: 0.5 ± 1.96 · √(0.25 / 400) = 0.5 ± 0.049.
        let scores: Vec<_> = (0..400).map(|n| Some(f64::from(n % 2))).collect();
        let figure = Draws::new(&[400], 7).file_figure(0, &scores).unwrap();
        assert_eq!(figure.value, 0.5);
        assert!((figure.low - 0.451).abs() < 0.006 && (figure.high - 0.549).abs() < 0.006, "{figure:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let scores = [some(&[1.0, 0.0, 0.5, 1.0, 0.0]), some(&[0.0, 1.0, 0.25])];
        let of = |seed| Draws::new(&[5, 3], seed).figure(&scores, false).unwrap();
        assert_eq!(of(3), of(3));
        assert!(of(3).low < of(3).value && of(3).value < of(3).high);
    }

    #[test]
    fn differences_are_paired() {
        // Far apart from question to question, but always the same from one to the other.
        let first = [some(&[1.0, 0.5, 0.9, 0.4, 0.7])];
        let second = [some(&[0.9, 0.4, 0.8, 0.3, 0.6])];
        let draws = Draws::new(&[5], 1);
        let (figure, not_more) = draws.difference(&first, &second).unwrap();
        assert!((figure.low - 0.1).abs() < 1e-9 && (figure.high - 0.1).abs() < 1e-9, "{figure:?}");
        assert_eq!(not_more, 0.0);
        let (figure, not_more) = draws.difference(&first, &first).unwrap();
        assert_eq!((figure.value, not_more), (0.0, 1.0));
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!((percentile(&values, 0.5), percentile(&values, 0.95)), (10.0, 19.0));
        assert_eq!(percentile(&[7.0], 0.95), 7.0);
        assert!(percentile(&[], 0.5).is_nan());
    }
}

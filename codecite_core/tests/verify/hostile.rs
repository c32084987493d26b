//! Any text is a draft, and takes time by its length.

use std::time::{Duration, Instant};

use codecite_core::number::Number;
use codecite_core::verify::{Claim, Judgement, Text, Texts, Work, claims, judge};
use proptest::prelude::*;

fn one_text(body: String) -> Texts {
    let work = Work { corpus: "code".into(), titles: vec!["Sample Code".into()], ..Work::default() };
    let number = Number::parse("101.1");
    let text = Text { corpus: "code".into(), number, body, ..Text::default() };
    Texts { works: vec![work], texts: vec![text] }
}

fn check(draft: &str, body: &str) {
    let texts = one_text(body.to_owned());
    for claim in claims(draft) {
        let span = claim.span();
        assert!(!span.is_empty() && draft.get(span.range()).is_some(), "{span:?} of {draft:?}");
        if let Claim::Quotation(quotation) = &claim {
            assert!(span.of(draft).contains(&quotation.text));
        }
        let verdict = judge(&claim, &texts);
        assert_eq!(verdict.redline.is_some(), verdict.nearest.is_some());
    }
}

/// Pieces of which drafts are made, in any order.
const PIECES: [&str; 44] = [
    "§101.1",
    "Section 101.1",
    "Exception 2",
    "of",
    "IBC 2021",
    "the Sample Code",
    "“",
    "”",
    "\"",
    "‘",
    "’",
    "'",
    "`",
    "> ",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "(a) ",
    "[",
    "]",
    "[T]he",
    "…",
    "...",
    "shall",
    "not",
    "be 44 inches",
    "½",
    "é",
    "ﬁ",
    "-\n",
    "\u{ad}",
    "(p. 10-12)",
    "pp. 3–4",
    "»",
    "«",
    "```",
    "Table 101.1",
    "**",
    "|",
    "#",
    "10²",
    "5'",
    "—",
];

proptest! {
    #[test]
    fn any_text_is_a_draft(draft in "\\PC{0,300}", body in "\\PC{0,300}") {
        check(&draft, &body);
    }

    #[test]
    fn any_pieces_are_a_draft(
        draft in proptest::collection::vec(0..PIECES.len(), 0..60),
        body in proptest::collection::vec(0..PIECES.len(), 0..40),
        gap in prop::bool::ANY,
    ) {
        let text = |picks: &[usize]| {
            picks.iter().map(|at| PIECES[*at]).collect::<Vec<_>>().join(if gap { " " } else { "" })
        };
        check(&text(&draft), &text(&body));
    }

    #[test]
    fn what_stands_there_is_exact(words in proptest::collection::vec("[a-z]{1,9}|[0-9]{1,4}", 12..60), from in 0usize..6, length in 5usize..12) {
        let body = words.join(" ");
        let quoted = words.iter().skip(from).take(length).cloned().collect::<Vec<_>>().join(" ");
        let found = claims(&format!("§101.1 says “{quoted}”"));
        let texts = one_text(body);
        let verdict = judge(found.last().unwrap(), &texts);
        prop_assert_eq!(verdict.judgement, Judgement::QuoteExact);
    }
}

/// The shortest time of some runs: others may use the machine, too.
fn fastest<T>(run: impl Fn() -> T) -> (Duration, T) {
    let once = || {
        let started = Instant::now();
        let result = run();
        (started.elapsed(), result)
    };
    let runs = (0..4).map(|_| once());
    runs.min_by_key(|(spent, _)| *spent).unwrap()
}

#[test]
fn drafts_take_linear_time() {
    for piece in PIECES.iter().copied().chain([
        "§101.1 “a b c d” ",
        "“a b c d (§101.1) ",
        "[a] … ",
        "a 5 mm. ",
        "“a b c d” ",
    ]) {
        let small = piece.repeat(2_000);
        let (small, _) = fastest(|| claims(&small).len());
        let large = piece.repeat(32_000);
        let started = Instant::now();
        let _ = claims(&large).len();
        let large = started.elapsed();
        // Quadratic work would take 256 times as long; others may use the machine, too.
        assert!(large < small * 100 + Duration::from_millis(500), "{piece:?}: {small:?}, {large:?}");
    }
}

#[test]
fn a_long_quotation_in_a_long_text() {
    let mut seed = 12_345_u64;
    let mut word = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = (seed >> 40) % 3_000;
        // Half of the words are the same few, as in any text.
        if number < 1_500 {
            ["the", "of", "shall", "be", "and"][number as usize % 5].to_owned()
        } else {
            format!("word{number}")
        }
    };
    let words: Vec<String> = (0..42_000).map(|_| word()).collect();
    let body = words.join(" ");
    assert!(body.len() > 200_000);
    let mut quoted: Vec<String> = words[20_000..22_000].to_vec();
    let texts = one_text(body);
    for (changes, judgement) in
        [(0, Judgement::QuoteExact), (40, Judgement::QuoteAltered), (600, Judgement::QuoteAltered)]
    {
        for at in 0..changes {
            quoted[at * 2_000 / changes] = "zebra".to_owned();
        }
        let found = claims(&format!("§101.1 says “{}”", quoted.join(" ")));
        let (spent, verdict) = fastest(|| judge(found.last().unwrap(), &texts));
        println!("{changes} changed words of 2,000 in 200 kB: {:?} in {spent:?}", verdict.judgement);
        assert_eq!(verdict.judgement, judgement, "{changes}");
        assert!(spent < Duration::from_millis(600), "{spent:?}");
    }
}

//! How many mistakes are caught, and how many true quotations are flagged.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use codecite_core::verify::{Claim, Judgement, Texts, Verdict, claims, judge};

use super::codes;
use super::generate::{Generator, Mistake, STYLES};

const DRAFTS: usize = 660;
const TRUE_DRAFTS: usize = 600;

fn judged(draft: &str, texts: &Texts) -> Vec<(Claim, Verdict)> {
    claims(draft).into_iter().map(|claim| (claim.clone(), judge(&claim, texts))).collect()
}

fn is_quotation(claim: &Claim) -> bool {
    matches!(claim, Claim::Quotation(_))
}

/// Whether the mistake is seen by the claim that it is in.
fn is_caught(mistake: Mistake, verdicts: &[(Claim, Verdict)]) -> bool {
    let good = |judgement| matches!(judgement, Judgement::Found | Judgement::QuoteExact);
    if mistake == Mistake::ForeignCitation {
        return !verdicts.is_empty()
            && verdicts.iter().all(|(_, verdict)| verdict.judgement == Judgement::NotChecked);
    }
    let mut own =
        verdicts.iter().filter(|(claim, _)| is_quotation(claim) == mistake.is_of_words()).peekable();
    own.peek().is_some() && own.all(|(_, verdict)| !good(verdict.judgement))
}

fn measure(name: &str, texts: &Texts, seed: u64) -> (f64, f64) {
    let mut generator = Generator::new(texts, seed);
    let mut caught: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut slowest = Duration::ZERO;
    for mistake in Mistake::ALL {
        let mut tries = 0;
        while caught.get(&format!("{mistake:?}")).is_none_or(|(_, of)| *of < DRAFTS / Mistake::ALL.len())
            && tries < 20_000
        {
            tries += 1;
            let Some(draft) = generator.mistake(mistake) else { continue };
            let started = Instant::now();
            let verdicts = judged(&draft, texts);
            slowest = slowest.max(started.elapsed());
            let entry = caught.entry(format!("{mistake:?}")).or_default();
            let is_caught = is_caught(mistake, &verdicts);
            entry.0 += usize::from(is_caught);
            entry.1 += 1;
            if !is_caught {
                println!("{name} missed {mistake:?}: {}", shown(&draft, &verdicts));
            }
        }
    }
    let mut flagged: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for style in STYLES {
        let mut tries = 0;
        while flagged.get(style).is_none_or(|(_, of)| *of < TRUE_DRAFTS / STYLES.len()) && tries < 20_000 {
            tries += 1;
            let Some(draft) = generator.truth(style) else { continue };
            let verdicts = judged(&draft, texts);
            let entry = flagged.entry(style).or_default();
            let quotation = verdicts.iter().find(|(claim, _)| is_quotation(claim));
            let is_true = quotation.is_some_and(|(_, verdict)| verdict.judgement == Judgement::QuoteExact);
            entry.0 += usize::from(!is_true);
            entry.1 += 1;
            if !is_true {
                println!("{name} flagged {style}: {}", shown(&draft, &verdicts));
            }
        }
    }
    println!("{name}: caught {caught:?}\n{name}: flagged {flagged:?}\n{name}: slowest draft {slowest:?}");
    let rate = |counts: Vec<(usize, usize)>| {
        let sum = |of: fn(&(usize, usize)) -> usize| counts.iter().map(of).sum::<usize>();
        assert!(sum(|count| count.1) >= 500, "{name}: {} drafts", sum(|count| count.1));
        sum(|count| count.0) as f64 / sum(|count| count.1) as f64
    };
    let rates = (rate(caught.into_values().collect()), rate(flagged.into_values().collect()));
    println!("{name}: {:.4} of mistakes caught, {:.4} of true quotations flagged", rates.0, rates.1);
    rates
}

/// Verdicts without the text of a code, which may be another's.
fn shown(draft: &str, verdicts: &[(Claim, Verdict)]) -> String {
    let verdicts: Vec<String> = verdicts
        .iter()
        .map(|(_, verdict)| {
            format!(
                "{} {:?}",
                verdict.judgement.as_str(),
                verdict.notes.iter().map(|n| n.code).collect::<Vec<_>>()
            )
        })
        .collect();
    match std::env::var_os("CODECITE_SHOW") {
        Some(_) => format!("{draft:?} {verdicts:?}"),
        None => format!("{verdicts:?}"),
    }
}

/// Measures with one seed, or with as many as CODECITE_VERIFY_SEEDS says.
fn hold(name: &str, texts: &Texts, first: u64) {
    let seeds = std::env::var("CODECITE_VERIFY_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    for seed in (first..).step_by(2).take(seeds) {
        let (caught, flagged) = measure(name, texts, seed);
        assert!(caught >= 0.99, "seed {seed:#x}: {caught}");
        assert!(flagged <= 0.01, "seed {seed:#x}: {flagged}");
    }
}

#[test]
fn mistakes_in_the_samples_are_caught() {
    hold("samples", &codes::samples(), 0x5eed_1234_abcd_0001);
}

#[test]
fn mistakes_in_real_codes_are_caught() {
    let Some(texts) = codes::shared() else { return };
    hold("real codes", &texts, 0x5eed_1234_abcd_0002);
}

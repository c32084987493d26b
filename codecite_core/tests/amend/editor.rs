//! An editor with a seed makes known changes to real codes; comparing the two editions has to find them.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use codecite_core::amend::{Change, Edition, compare};
use codecite_core::pipeline::parse;
use codecite_core::profile::Profile;
use codecite_core::work::{Limits, Unwatched, Work};

/// A section as the editor has it.
#[derive(Clone)]
struct Draft {
    number: String,
    title: String,
    text: String,
}

/// xorshift: the same edits in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

fn code(file: &str, profile: &str) -> Option<Vec<Draft>> {
    let shared = std::env::var_os("CODECITE_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let bytes = std::fs::read(shared.join("corpora").join(file)).ok()?;
    let limits = Limits::default();
    let profile = Profile::builtin(profile).unwrap();
    let parsed = parse(&bytes, None, &[profile], &mut Work::new(&limits, &mut Unwatched)).unwrap();
    let mut seen = HashSet::new();
    let sections = parsed.tree.sections.iter().filter(|section| section.nested.is_none());
    Some(
        sections
            .filter_map(|section| {
                let number = section.number.as_ref()?.to_string();
                let title = section.title.clone().unwrap_or_default();
                let text = parsed.document.slice(section.span).to_owned();
                seen.insert(number.clone()).then_some(Draft { number, title, text })
            })
            .collect(),
    )
}

const WORDS: [&str; 16] = [
    "lantern", "gable", "orchard", "copper", "trellis", "quarry", "harbor", "saddle", "meadow", "cinder",
    "walnut", "ferry", "pebble", "marsh", "anvil", "thistle",
];

fn invented(random: &mut Random) -> String {
    let words: Vec<&str> = (0..24).map(|_| WORDS[random.below(WORDS.len())]).collect();
    format!("The {} shall be kept.", words.join(" "))
}

/// Makes `count` edits; what they are, as (change, old number, new number).
fn edit(drafts: &[Draft], count: usize, random: &mut Random) -> (Vec<Draft>, BTreeSet<String>) {
    let mut after: Vec<Option<Draft>> = drafts.iter().cloned().map(Some).collect();
    let mut added: Vec<(usize, Draft)> = Vec::new();
    let mut expected = BTreeSet::new();
    let mut touched = HashSet::new();
    while expected.len() < count {
        let at = random.below(drafts.len());
        if !touched.insert(at) {
            continue;
        }
        let draft = drafts[at].clone();
        let fresh = format!("{}.{}", draft.number, 900 + touched.len());
        match random.below(5) {
            0 => {
                let title = "New provision".to_owned();
                let text = format!("{fresh} {title}. {}", invented(random));
                expected.insert(format!("added - {fresh}"));
                added.push((at, Draft { number: fresh, title, text }));
            }
            1 => {
                expected.insert(format!("deleted {} -", draft.number));
                after[at] = None;
            }
            2 => {
                // One word more, one less, as amendments change values.
                let mut words: Vec<String> = draft.text.split_whitespace().map(str::to_owned).collect();
                let place = 1 + random.below(words.len());
                words.insert(place.min(words.len()), WORDS[random.below(WORDS.len())].to_owned());
                expected.insert(format!("changed {0} {0}", draft.number));
                after[at] = Some(Draft { text: words.join(" "), ..draft });
            }
            3 => {
                let text = draft.text.replacen(&draft.number, &fresh, 1);
                expected.insert(format!("renumbered {} {fresh}", draft.number));
                after[at] = Some(Draft { number: fresh, text, ..draft });
            }
            _ => {
                // Moved to another place under another number.
                let text = draft.text.replacen(&draft.number, &fresh, 1);
                expected.insert(format!("renumbered {} {fresh}", draft.number));
                after[at] = None;
                added.push((random.below(drafts.len()), Draft { number: fresh, text, ..draft }));
            }
        }
    }
    let mut result = Vec::new();
    for (at, draft) in after.into_iter().enumerate() {
        result.extend(draft);
        result.extend(added.iter().filter(|(place, _)| *place == at).map(|(_, draft)| draft.clone()));
    }
    (result, expected)
}

fn editions(drafts: &[Draft]) -> Vec<Edition<'_>> {
    drafts
        .iter()
        .map(|d| Edition {
            key: &d.number,
            number: &d.number,
            title: &d.title,
            text: &d.text,
            annotations: "",
        })
        .collect()
}

fn found(before: &[Draft], after: &[Draft]) -> BTreeSet<String> {
    let limits = Limits::default();
    let (old, new) = (editions(before), editions(after));
    let differences = compare(&old, &new, &mut Work::new(&limits, &mut Unwatched)).unwrap();
    differences
        .into_iter()
        .map(|d| {
            let number =
                |side: &[Draft], at: Option<usize>| at.map_or("-".to_owned(), |at| side[at].number.clone());
            let change = if d.change == Change::RenumberedChanged { Change::Renumbered } else { d.change };
            format!("{} {} {}", change.as_str(), number(before, d.old), number(after, d.new))
        })
        .collect()
}

#[test]
fn known_edits_of_real_codes_are_found() {
    for (file, profile) in
        [("us_doj_ada/2010-stds.md", "ada"), ("nyc_title_28/nyc_title28_chapter1.pdf", "nyc")]
    {
        let Some(before) = code(file, profile) else {
            println!("SKIPPED: {file} is not here");
            continue;
        };
        let (mut right, mut all, mut said, mut moved, mut moved_right) = (0, 0, 0, 0, 0);
        for seed in 1..=3 {
            let mut random = Random(seed * 7919);
            let (after, expected) = edit(&before, 100, &mut random);
            let found = found(&before, &after);
            for missing in expected.difference(&found) {
                println!("{file}: not found: {missing}");
            }
            for wrong in found.difference(&expected) {
                println!("{file}: not made: {wrong}");
            }
            right += expected.intersection(&found).count();
            all += expected.len();
            said += found.len();
            moved += expected.iter().filter(|edit| edit.starts_with("renumbered")).count();
            moved_right +=
                expected.intersection(&found).filter(|edit| edit.starts_with("renumbered")).count();
        }
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        let (recall, precision, renumbered) =
            (share(right, all), share(right, said), share(moved_right, moved));
        println!(
            "{file}: {all} edits, recall {recall:.3}, precision {precision:.3}, renumbered {renumbered:.3}"
        );
        assert!(recall >= 0.98 && precision >= 0.98 && renumbered >= 0.95);
    }
}

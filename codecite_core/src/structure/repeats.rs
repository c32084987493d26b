//! Numbers that a document repeats: each part counts anew, or an appendix comments on the sections by their numbers.
//! They are qualified by the part they stand in, so that every section has an address of its own.

use std::collections::HashMap;

use super::headings::Candidate;
use crate::profile::Profile;

/// Takes out the headings that their level wants only outside a part of another kind.
pub(super) fn drop_inside(chosen: &mut Vec<Candidate>, profile: &Profile) {
    let mut inside = None;
    chosen.retain(|candidate| {
        let Some(level) = profile.levels.get(candidate.level) else { return true };
        if level.outside.is_some() && level.outside == inside {
            return false;
        }
        if level.label.is_some() && candidate.number.attached_to().is_none() {
            inside = Some(level.kind);
        }
        true
    });
}

/// Tells parts of another code, which a chapter named after it prints inside this one ("(CRC) CHAPTER 4" below "36
/// CALIFORNIA RESIDENTIAL CODE (CRC)"), from parts before which the document's own code is named.
pub(super) fn name_guests(chosen: &mut [Candidate]) {
    let mut host = String::new();
    for candidate in chosen {
        match &candidate.code {
            Some(code) if host.contains(&format!("({code})")) => {
                if let Some(number) = candidate.number.of_code(code) {
                    (candidate.number, candidate.is_guest) = (number, true);
                }
            }
            None if candidate.number.label().is_some() => host = candidate.title.clone().unwrap_or_default(),
            _ => {}
        }
    }
}

/// Qualifies the numbers below every part whose numbers stand elsewhere, too.
pub(super) fn qualify(chosen: &mut [Candidate], profile: &Profile) {
    let parts = parts_of(chosen, profile);
    let mut homes: HashMap<String, Option<usize>> = HashMap::new();
    let mut repeats = vec![false; chosen.len()];
    for (candidate, part) in chosen.iter().zip(&parts) {
        // A commentary may also be on a paragraph of a section: its number goes on from one that stands elsewhere.
        let above = candidate.number.ancestors();
        let foreign = above.iter().filter_map(|up| homes.get(&up.key())).find(|home| *home != part).copied();
        let first = *homes.entry(candidate.number.key()).or_insert(*part);
        let goes_on = foreign.is_some() && part.is_some() && candidate.number.label().is_none();
        if first != *part || goes_on {
            for part in [first, *part].into_iter().flatten() {
                if let Some(flag) = repeats.get_mut(part) {
                    *flag = true;
                }
            }
        }
    }
    for index in 0..chosen.len() {
        let part = parts.get(index).copied().flatten().filter(|part| repeats.get(*part) == Some(&true));
        let number = part.and_then(|part| chosen.get(part)).map(|part| part.number.clone());
        let (Some(number), Some(candidate)) = (number, chosen.get_mut(index)) else { continue };
        let own = candidate.number.body();
        let is_qualified =
            own.strip_prefix(number.body()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        if !is_qualified {
            candidate.number = candidate.number.qualified_by(&number);
        }
        candidate.part = Some(number);
    }
}

/// For each heading the one that qualifies it, if it stands below one.
fn parts_of(chosen: &[Candidate], profile: &Profile) -> Vec<Option<usize>> {
    let mut open: Option<usize> = None;
    let mut parts = Vec::with_capacity(chosen.len());
    for (index, candidate) in chosen.iter().enumerate() {
        let level = profile.levels.get(candidate.level);
        let opens = level.is_some_and(|level| level.qualifies) && candidate.number.attached_to().is_none();
        let closes = level.is_some_and(|level| level.label.is_some())
            && open.and_then(|open| chosen.get(open)).is_some_and(|open| candidate.level < open.level);
        if closes {
            open = None;
        }
        parts.push(open.filter(|_| !opens));
        if opens {
            open = Some(index);
        }
    }
    parts
}

//! Words of ordinary speech beside the words of building codes.
//!
//! Each line is a set of words that stand for the same thing; a query that has one is also searched for the others,
//! at a lower weight. The list is about the trade, not about any document.

/// The sets, as words that stem to one term each.
const SETS: &[&[&str]] = &[
    &["corridor", "hallway", "hall", "passageway"],
    &["guard", "railing", "guardrail", "balustrade", "parapet"],
    &["handrail", "banister", "rail"],
    &["baluster", "picket", "spindle"],
    &["exit", "egress", "escape", "evacuation"],
    &["elevator", "lift"],
    &["stair", "stairway", "staircase", "step"],
    &["sprinkler", "sprinklered"],
    &["mercantile", "shop", "store", "retail"],
    &["restaurant", "dining", "cafe", "bar", "banquet"],
    &["residential", "dwelling", "apartment", "flat", "housing"],
    &["educational", "school", "classroom"],
    &["hospital", "healthcare", "medical"],
    &["business", "office"],
    &["garage", "parking"],
    &["occupant", "people", "person"],
    &["permit", "licence", "authorization"],
    &["alarm", "detector", "detection"],
    &["toilet", "lavatory", "restroom", "bathroom", "water closet"],
    &["bedroom", "sleeping"],
    &["width", "wide"],
    &["height", "high", "tall"],
    &["depth", "deep"],
    &["length", "long"],
    &["distance", "far"],
    &["travel", "walk"],
    &["load", "weight"],
    &["slope", "steep", "gradient", "pitch"],
    &["accessible", "wheelchair", "disabled", "accessibility"],
    &["glass", "glazing", "window"],
    &["noise", "sound", "acoustic"],
    &["owner", "landlord"],
    &["fee", "cost", "charge"],
    &["fine", "penalty"],
    &["prohibited", "forbidden", "banned"],
    &["permitted", "allowed"],
    &["required", "mandatory", "obligatory"],
    &["maximum", "most", "limit"],
    &["minimum", "least"],
    &["annual", "yearly"],
    &["inspection", "examination", "check"],
    &["repair", "fix", "mend"],
    &["demolition", "demolish", "teardown"],
    &["facade", "cladding"],
    &["roof", "rooftop"],
    &["basement", "cellar", "underground"],
    &["story", "floor"],
    &["carbon monoxide", "co"],
    &["heating", "boiler", "furnace"],
    &["sign", "signage"],
    &["ramp", "incline"],
    &["seat", "chair"],
    &["kitchen", "cooking"],
    &["assembly", "gathering"],
    &["unsafe", "dangerous", "hazardous"],
    &["expire", "lapse", "expiration"],
];

/// Other words for a lower-case word.
pub(super) fn of(word: &str) -> impl Iterator<Item = &'static str> + '_ {
    SETS.iter()
        .filter(move |set| set.contains(&word))
        .flat_map(move |set| set.iter().copied().filter(move |other| *other != word))
}

/// All words of all sets, for finding the set of a stem.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    SETS.iter().flat_map(|set| set.iter().copied()).filter(|word| !word.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_work_in_every_direction_and_no_word_is_in_two() {
        assert!(of("hall").any(|word| word == "corridor"));
        assert!(of("corridor").any(|word| word == "hall"));
        assert_eq!(of("unheard").count(), 0);
        let mut all: Vec<&str> = SETS.iter().flat_map(|set| set.iter().copied()).collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}

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
    &["inhabitant", "resident"],
    &["permit", "licence", "authorization"],
    &["alarm", "detector", "detection"],
    &["toilet", "lavatory", "restroom", "bathroom", "washroom", "loo", "wc", "water closet"],
    &["washbasin", "lavatory", "sink", "basin"],
    &["bathtub", "tub", "bath"],
    &["shower", "bathing"],
    &["mirror", "looking glass"],
    &["attic", "loft"],
    &["trailer", "caravan", "manufactured home", "mobile home"],
    &["solar", "photovoltaic", "pv"],
    &["tenant", "renter", "lessee", "occupant"],
    &["lessor", "landlord"],
    &["lot", "plot", "parcel", "site"],
    &["thatch", "thatched", "straw"],
    &["fence", "fencing", "barrier"],
    &["wiring", "rewire", "cable", "electrical"],
    &["plumbing", "replumb", "piping", "pipe"],
    &["ventilation", "vent", "exhaust"],
    &["child", "minor", "kid", "juvenile"],
    &["deaf", "hearing"],
    &["blind", "vision", "visual"],
    &["doctor", "physician", "clinic", "medical"],
    &["hotel", "motel", "inn", "lodging", "hostel"],
    &["cinema", "theater", "movie"],
    &["car", "vehicle", "automobile"],
    &["lawsuit", "litigation", "suit", "court"],
    &["contractor", "builder"],
    &["notice", "notification", "warning"],
    &["excavation", "excavate", "dig"],
    &["foundation", "footing"],
    &["refuse", "trash", "garbage", "rubbish", "waste", "bin"],
    &["sidewalk", "walkway", "pavement", "footpath"],
    &["drawing", "blueprint", "plan"],
    &["earthquake", "quake", "seismic"],
    &["vacant", "abandoned", "empty", "unoccupied"],
    &["scaffold", "scaffolding"],
    &["fireplace", "stove", "hearth"],
    &["chimney", "flue"],
    &["detached", "freestanding"],
    &["senior", "elderly", "aged"],
    &["bond", "surety"],
    &["counter", "desk"],
    &["lever", "handle", "knob"],
    &["lock", "latch"],
    &["dangerous", "danger"],
    &["train", "railway", "railroad", "transit"],
    &["dog", "animal", "pet"],
    &["scooter", "mobility"],
    &["glasses", "spectacles", "eyeglasses"],
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
    fn sets_work_in_every_direction_and_no_word_is_twice_in_one() {
        assert!(of("hall").any(|word| word == "corridor"));
        assert!(of("corridor").any(|word| word == "hall"));
        assert_eq!(of("unheard").count(), 0);
        for set in SETS {
            let mut words = set.to_vec();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), set.len(), "{set:?}");
        }
    }
}

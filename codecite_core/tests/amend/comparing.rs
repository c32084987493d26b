//! Two editions side by side.

use codecite_core::amend::{Change, Edition, compare};
use codecite_core::work::{Limits, Unwatched, Work};

type Row = (Change, Option<&'static str>, Option<&'static str>);

fn differences(old: &[(&'static str, &'static str)], new: &[(&'static str, &'static str)]) -> Vec<Row> {
    let editions = |rows: &[(&'static str, &'static str)]| -> Vec<Edition<'static>> {
        rows.iter()
            .map(|(number, text)| Edition { key: number, number, title: "", text, annotations: "" })
            .collect()
    };
    let (before, after) = (editions(old), editions(new));
    let limits = Limits::default();
    compare(&before, &after, &mut Work::new(&limits, &mut Unwatched))
        .unwrap()
        .into_iter()
        .map(|d| (d.change, d.old.map(|i| old[i].0), d.new.map(|i| new[i].0)))
        .collect()
}

const STAIRS: &str =
    "Stairs shall have a clear width of not less than 44 inches between the handrails on both sides.";
const RAMPS: &str = "Ramps shall have a slope of not more than one unit vertical in twelve units horizontal.";
const DOORS: &str =
    "Doors shall be of the side-hinged swinging type and shall open from inside without a key.";
const ALARMS: &str =
    "Alarms shall sound in every room of the building and shall be heard above the usual noise.";

#[test]
fn added_deleted_and_changed() {
    let changed =
        "Stairs shall have a clear width of not less than 48 inches between the handrails on both sides.";
    assert_eq!(
        differences(
            &[("1", STAIRS), ("2", RAMPS), ("3", DOORS)],
            &[("1", changed), ("3", DOORS), ("4", ALARMS)]
        ),
        [
            (Change::Changed, Some("1"), Some("1")),
            (Change::Deleted, Some("2"), None),
            (Change::Added, None, Some("4")),
        ]
    );
}

#[test]
fn a_section_put_in_between_renumbers_those_behind_it() {
    assert_eq!(
        differences(
            &[("1.1", STAIRS), ("1.2", RAMPS), ("1.3", DOORS)],
            &[("1.1", STAIRS), ("1.2", ALARMS), ("1.3", RAMPS), ("1.4", DOORS)]
        ),
        [
            (Change::Added, None, Some("1.2")),
            (Change::Renumbered, Some("1.2"), Some("1.3")),
            (Change::Renumbered, Some("1.3"), Some("1.4")),
        ]
    );
}

#[test]
fn white_space_and_the_number_itself_are_no_change() {
    let wrapped = "1.1 Stairs shall have a clear width of not less than 44 inches\nbetween the handrails on both sides.";
    assert_eq!(differences(&[("1.1", STAIRS)], &[("1.1", wrapped)]), []);
}

#[test]
fn short_texts_are_known_by_their_number_only() {
    assert_eq!(
        differences(&[("1", "Reserved."), ("2", STAIRS)], &[("2", STAIRS), ("3", "Reserved.")]),
        [(Change::Deleted, Some("1"), None), (Change::Added, None, Some("3"))]
    );
}

#[test]
fn what_stands_beside_the_law_is_told_apart_from_it() {
    let edition = |text, annotations| Edition { key: "1", number: "1", title: "", text, annotations };
    let limits = Limits::default();
    let change = |old, new| {
        let found = compare(&[old], &[new], &mut Work::new(&limits, &mut Unwatched)).unwrap();
        found.iter().map(|difference| difference.change.as_str()).collect::<Vec<_>>()
    };
    let law = "1 Doors shall swing outward at all times of the day.";
    assert_eq!(change(edition(law, "History: 1990."), edition(law, "History: 1990; 2010.")), ["annotation"]);
    assert_eq!(change(edition(law, "History: 1990."), edition(law, "History:  1990.")), Vec::<&str>::new());
    let other = "1 Doors shall swing inward at all times of the day.";
    assert_eq!(change(edition(law, ""), edition(other, "History: 2010.")), ["changed", "annotation"]);
}

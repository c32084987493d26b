//! Operations carried out on a text.

use codecite_core::amend::{Amended, Detail, Outcome, Standing, Step, apply, clauses, consolidate};

const DOORS: &str = "1010.1 Doors. Doors shall be not less than 34 inches wide. They shall swing outward.\n\
A door shall open with one motion within 25 days of the order.\n\
Doors shall have:\n\
1. A sign.\n\
2. A lever.\n\
Exceptions:\n\
1. Doors of closets.\n\
2. Doors of cells, where:\n\
a. They are watched.\n\
3. Doors of vaults.";
const HEADING: usize = "1010.1 Doors.".len();

const TABLE: &str = "Table 1004.5 Occupant load factors\n\
| Use | Factor |\n\
| Mercantile | 40 gross |\n\
| Business | 150 gross |\n\
a. Measured on each floor.\n\
b. Not for libraries.";

/// What the first clause of an instruction makes of a text.
fn amended(
    text: &str,
    heading: usize,
    instruction: &str,
    new: Option<&str>,
) -> Result<Amended, &'static str> {
    let clause = clauses(instruction).expect(instruction).remove(0);
    let detail =
        Detail { scope: clause.scope, place: clause.place, words: clause.words, quoted: clause.quoted };
    let step = Step { verb: clause.verb, detail, renumbered: clause.renumbered, new };
    apply(text, heading, &step)
}

fn doors(instruction: &str, new: Option<&str>) -> String {
    match amended(DOORS, HEADING, instruction, new) {
        Ok(Amended::Text(text)) => text,
        other => panic!("{instruction}: {other:?}"),
    }
}

fn table(instruction: &str, new: Option<&str>) -> String {
    match amended(TABLE, "Table 1004.5 Occupant load factors".len(), instruction, new) {
        Ok(Amended::Text(text)) => text,
        other => panic!("{instruction}: {other:?}"),
    }
}

#[test]
fn a_whole_section() {
    assert_eq!(
        doors("Section 1010.1 is revised to read as follows:", Some("1010.1 Doors. New.\n")),
        "1010.1 Doors. New."
    );
    assert_eq!(amended(DOORS, HEADING, "Section 1010.1 is deleted.", None), Ok(Amended::Deleted));
    assert_eq!(amended(DOORS, HEADING, "Section 1010.1 is reserved.", None), Ok(Amended::Reserved));
    assert_eq!(
        amended(DOORS, HEADING, "Renumber Section 1010.1 as Section 1010.2.", None),
        Ok(Amended::Renumbered("1010.2".into()))
    );
}

#[test]
fn exceptions() {
    let without = doors("Delete Exception 2 of Section 1010.1.", None);
    assert!(without.ends_with("Exceptions:\n1. Doors of closets.\n3. Doors of vaults."), "{without}");
    let revised =
        doors("Exception 3 of Section 1010.1 is revised to read as follows:", Some("3. Doors of safes."));
    assert!(revised.ends_with("a. They are watched.\n3. Doors of safes."), "{revised}");
    let added = doors("The following exception is added to Section 1010.1:", Some("4. Doors of lifts."));
    assert!(added.ends_with("3. Doors of vaults.\n4. Doors of lifts."), "{added}");
    let none = doors("Delete the exceptions to Section 1010.1.", None);
    assert!(none.ends_with("2. A lever."), "{none}");
    assert!(amended(DOORS, HEADING, "Delete the exception to Section 1010.1.", None).is_err());
    assert!(amended(DOORS, HEADING, "Delete Exception 7 of Section 1010.1.", None).is_err());
    let one = "1 A. Text.\nException: Closets.";
    assert_eq!(
        amended(one, 4, "The exception to Section 1 is deleted.", None),
        Ok(Amended::Text("1 A. Text.".into()))
    );
    assert_eq!(
        amended(one, 4, "The exception to Section 1 is renumbered as exception 1.", None),
        Ok(Amended::Text("1 A. Text.\nExceptions:\n1. Closets.".into()))
    );
    assert_eq!(
        amended(
            "1 A. Text.",
            4,
            "The following exception is added to Section 1:",
            Some("Exception: Closets.")
        ),
        Ok(Amended::Text("1 A. Text.\nException: Closets.".into()))
    );
}

#[test]
fn paragraphs_sentences_and_items() {
    let sentence =
        doors("Revise the first sentence of the first paragraph as follows:", Some("Doors shall be wide."));
    assert!(
        sentence.starts_with("1010.1 Doors. Doors shall be wide. They shall swing outward.\nA door"),
        "{sentence}"
    );
    let second = doors("Delete the second sentence of the first paragraph of Section 1010.1.", None);
    assert!(
        second.starts_with("1010.1 Doors. Doors shall be not less than 34 inches wide.\nA door"),
        "{second}"
    );
    let paragraph = doors("Revise the second paragraph as follows:", Some("A door shall open."));
    assert!(paragraph.contains("outward.\nA door shall open.\nDoors shall have:\n"), "{paragraph}");
    let added = doors("Add a second paragraph as follows:", Some("Second."));
    assert!(added.contains("outward.\nSecond.\nA door shall open"), "{added}");
    let item = doors("Revise item 2 as follows:", Some("2. A handle."));
    assert!(item.contains("1. A sign.\n2. A handle.\nExceptions:"), "{item}");
    let more = doors("Add item 3 as follows:", Some("3. A lock."));
    assert!(more.contains("2. A lever.\n3. A lock.\nExceptions:"), "{more}");
    let end = doors("Add the following at the end of the first paragraph:", Some("Third."));
    assert!(end.starts_with(
        "1010.1 Doors. Doors shall be not less than 34 inches wide. They shall swing outward. Third.\n"
    ));
    assert!(amended(DOORS, HEADING, "Add item 2 as follows:", Some("2. A lock.")).is_err());
    assert!(amended(DOORS, HEADING, "Revise the ninth paragraph as follows:", Some("x")).is_err());
}

#[test]
fn words() {
    let days = doors(
        "Section 1010.1 is amended by deleting \"25 days\" and inserting in its place \"35 days\".",
        None,
    );
    assert!(days.contains("within 35 days of"), "{days}");
    let gone = doors("Strike the words “with one motion” in Section 1010.1.", None);
    assert!(gone.contains("A door shall open within 25 days"), "{gone}");
    let put = doors("Insert “and gates” after “Doors of vaults” in Section 1010.1.", None);
    assert!(put.ends_with("3. Doors of vaults and gates."), "{put}");
    assert!(
        amended(DOORS, HEADING, "Replace “Doors” with “Gates” in Section 1010.1.", None).is_err(),
        "several"
    );
    assert!(
        amended(DOORS, HEADING, "Replace “25 inches” with “2” in Section 1010.1.", None).is_err(),
        "none"
    );
    let all = doors("Substitute “gates” for “closets” wherever it appears.", None);
    assert!(all.contains("1. Doors of gates."), "{all}");
}

#[test]
fn tables() {
    let row = table("In Table 1004.5, the entry for \"Mercantile\" is revised to read \"45 gross\".", None);
    assert!(row.contains("| Use | Factor |\n| Mercantile | 45 gross |\n| Business"), "{row}");
    let note = table("Note b of Table 1004.5 is deleted.", None);
    assert!(note.ends_with("a. Measured on each floor."), "{note}");
    let note = table("Note b of Table 1004.5 is revised to read as follows:", Some("b. Nor for shops."));
    assert!(note.ends_with("floor.\nb. Nor for shops."), "{note}");
    assert!(amended(TABLE, 0, "Delete footnote d of Table 1004.5.", None).is_err());
    assert!(amended(TABLE, 0, "Delete the row for “Storage” in Table 1004.5.", None).is_err());
}

#[test]
fn definitions() {
    let text = "202 Terms.\nATRIUM. An opening.\nIt has a roof.\nSTORY. A level.";
    let added = "LOFT. A room.\nBALCONY. A floor.";
    let clause = clauses("Add the definition of LOFT to Section 202:").unwrap();
    assert_eq!(clause[0].to_string(), "add 202: definition LOFT");
    assert_eq!(
        amended(text, 10, "Add the definition of LOFT to Section 202:", Some(added)),
        Ok(Amended::Text(
            "202 Terms.\nATRIUM. An opening.\nIt has a roof.\nLOFT. A room.\nSTORY. A level.".into()
        ))
    );
    assert_eq!(
        amended(text, 10, "Delete the definition of ATRIUM.", None),
        Ok(Amended::Text("202 Terms.\nSTORY. A level.".into()))
    );
}

fn step(instruction: &str, new: Option<&'static str>) -> Result<Step<'static>, &'static str> {
    let clause = clauses(instruction).expect(instruction).remove(0);
    let detail =
        Detail { scope: clause.scope, place: clause.place, words: clause.words, quoted: clause.quoted };
    Ok(Step { verb: clause.verb, detail, renumbered: clause.renumbered, new })
}

#[test]
fn a_stack_of_amendments() {
    let base = "107.1 Appeals. Within 25 days.";
    let steps = [
        step("Section 107.1 is amended by deleting \"25 days\" and inserting \"35 days\".", None),
        Err("the section is restated without an instruction"),
        step("Exception 9 of Section 107.1 is deleted.", None),
        step("The following exception is added to Section 107.1:", Some("Exception: Sheds.")),
    ];
    let found = consolidate(Some(base), "107.1", Some("Appeals"), &steps);
    assert_eq!(found.standing, Standing::Text("107.1 Appeals. Within 35 days.\nException: Sheds.".into()));
    let words: Vec<&str> = found.outcomes.iter().map(|outcome| outcome.as_str()).collect();
    assert_eq!(words, ["applied", "ambiguous", "failed", "applied"]);
}

#[test]
fn deleted_then_restored_and_renumbered_then_new() {
    let restored = [
        step("Section 5.1 is deleted.", None),
        step("Section 5.1 is restored to read as follows:", Some("5.1 B. New.")),
    ];
    assert_eq!(
        consolidate(Some("5.1 A. Old."), "5.1", Some("A"), &restored).standing,
        Standing::Text("5.1 B. New.".into())
    );
    let moved = [step("Section 5.1 is renumbered as Section 5.2.", None)];
    assert_eq!(
        consolidate(Some("5.1 A. Old."), "5.1", Some("A"), &moved).standing,
        Standing::Renumbered("5.2".into())
    );
    let taken = [
        step("Section 5.1 is renumbered as Section 5.2.", None),
        step("A new Section 5.1 is added to read as follows:", Some("5.1 C. Third.")),
    ];
    assert_eq!(
        consolidate(Some("5.1 A. Old."), "5.1", Some("A"), &taken).standing,
        Standing::Text("5.1 C. Third.".into())
    );
    // Nothing is guessed: a section that is there is not added, one that is not there is not revised in part.
    let twice = [step("A new Section 5.1 is added to read as follows:", Some("5.1 C. Third."))];
    assert!(matches!(
        consolidate(Some("5.1 A. Old."), "5.1", Some("A"), &twice).outcomes[..],
        [Outcome::Ambiguous(_)]
    ));
    let missing = [step("Exception 2 of Section 5.1 is deleted.", None)];
    assert!(matches!(consolidate(None, "5.1", None, &missing).outcomes[..], [Outcome::Failed(_)]));
}

//! Instructions in amending documents, and the text that each brings.

use codecite_core::amend::{Status, operations};
use codecite_core::pipeline::parse;
use codecite_core::profile::Profile;
use codecite_core::work::{Limits, Unwatched, Work};

/// Each operation in one line: verb, target, scope, the new text's beginning, and why it is not clear.
fn found(text: &str, profile: &str) -> Vec<String> {
    let limits = Limits::default();
    let profiles = [Profile::builtin(profile).unwrap()];
    let parsed = parse(text.as_bytes(), None, &profiles, &mut Work::new(&limits, &mut Unwatched)).unwrap();
    operations(&parsed.document, &parsed.tree, &mut Work::new(&limits, &mut Unwatched))
        .unwrap()
        .into_iter()
        .map(|operation| {
            let new = operation.text.map_or("", |span| parsed.document.slice(span));
            let new: String = new.chars().take(24).map(|c| if c == '\n' { '/' } else { c }).collect();
            let scope = operation.detail.scope_words().map_or(String::new(), |scope| format!(": {scope}"));
            let through = operation.through.map_or(String::new(), |number| format!(" to {number}"));
            let unclear = match operation.status {
                Status::Clear => "",
                Status::Ambiguous(_) => " ?",
            };
            format!("{} {}{through}{scope} [{new}]{unclear}", operation.verb.as_str(), operation.target)
        })
        .collect()
}

#[test]
fn the_number_before_an_instruction_and_the_sections_behind_it() {
    let text = "Chapter 4\nSPECIAL USES\nSECTION 406 – GARAGES\n406.3 Add the following section:\n406.3.4 Vents.\n   Vents shall be open at all times of the year.\n\
        SECTION 707 – WALLS\n707.1 Add a second paragraph to this section as follows:\n   Rooms shall be dry.\n\
        707.2 Add exception 5 as follows:\n   5.   A wall of glass.\n707.2 Delete the second sentence.\n\
        SECTION 1511 – ROOFS\n1511.2 Revise this section as follows:\n1511.2 Penthouses. A penthouse is low.\n1511 Add the following section:\n1511.10 Decks. A deck is flat.\n";
    assert_eq!(
        found(text, "ibc"),
        [
            "add 406.3.4 [406.3.4 Vents./Vents sha]",
            "add 707.1: paragraph 2 [Rooms shall be dry.]",
            "add 707.2: exception 5 [5. A wall of glass.]",
            "delete 707.2: sentence 2 []",
            "revise 1511.2 [1511.2 Penthouses. A pen]",
            "add 1511.10 [1511.10 Decks. A deck is]",
        ]
    );
}

#[test]
fn chapters_and_what_is_replaced_with_what_follows() {
    let text = "# CHAPTER 30 LIFTS\n\nAdd chapter as follows:\n\n# CHAPTER 31 TENTS\n\n### 3101.1 Scope.\n\nTents.\n\n## SECTION 3107 SIGNS\n\nReplace this section with the following sections:\n\n### 3107.1 General.\n\nSigns are small.\n\n### 3107.2 Color.\n\nSigns are blue.\n";
    assert_eq!(found(text, "ibc"), ["add Chapter 31 [CHAPTER 31 TENTS/]", "replace 3107 []"]);
}

#[test]
fn a_section_without_an_instruction_says_what_it_is_or_is_not_clear() {
    let text = "# CHAPTER 1 GENERAL\n\n### 101.1 Title.\n\nThis is the code of the town.\n\n### 101.2 Reserved.\n\n### 101.3 Fees.\n\n[Repealed.]\n\n### 101.4 Appeals.\n\nDelete the exception.\n";
    assert_eq!(
        found(text, "ibc"),
        [
            "replace 101.1 [101.1 Title./This is the] ?",
            "reserve 101.2 []",
            "delete 101.3 []",
            "delete 101.4: exception []",
        ]
    );
}

#[test]
fn new_definitions_are_named_by_their_terms() {
    let text = "# CHAPTER 2 DEFINITIONS\n\n### Section 202\n\n*The following definitions are added to Section 202:*\n\n#### 202 Defined terms.\n\n**LOFT.** A room under the roof.\n\n**BALCONY.** A floor that projects.\n\n*The definition of ATRIUM in Section 202 is deleted.*\n";
    assert_eq!(
        found(text, "ibc"),
        [
            "add 202: definition LOFT [202 Defined terms./LOFT.]",
            "add 202: definition BALCONY [202 Defined terms./LOFT.]",
            "delete 202: definition ATRIUM []",
        ]
    );
}

#[test]
fn this_chapter_is_the_one_where_it_stands() {
    let text = "Chapter 3\nUSE\n301.1 Scope. This chapter is about the use of rooms.\nChapter 4\nSPECIAL USES\n401.1 Scope. This chapter is about special uses of rooms.\nChapter 36\nTHE RESIDENTIAL CODE\n(CRC) CHAPTER 3\nPLANNING\nReplace this chapter with\nChapter 2 through\n35 of the Town Building Code\n   See the rules of the town for all that stands in this chapter.\n(CRC) CHAPTER 4\nFOUNDATIONS\nReplace this chapter with\nChapter 2 through\n35 of the Town Building Code\n   See the rules of the town for all that stands in this chapter, and those of the state.\n";
    let verbs: Vec<String> = found(text, "ibc")
        .iter()
        .map(|line| line.split(" [").next().unwrap().to_owned())
        .filter(|line| line.contains("Chapter"))
        .collect();
    assert_eq!(verbs, ["replace Chapter 3", "replace Chapter 4"]);
}

/// The sample amendments: every instruction is read, and none is unclear.
#[test]
fn the_sample_amendments_are_clear() {
    for (text, count) in [
        (include_str!("../../../samples/state-amendments.md"), 34),
        (include_str!("../../../samples/city-amendments.md"), 17),
    ] {
        let found = found(text, "ibc");
        assert!(found.iter().all(|operation| !operation.ends_with('?')), "{found:#?}");
        assert_eq!(found.len(), count, "{found:#?}");
    }
}

#[test]
fn struck_and_underlined_words_are_an_amendment_that_shows_itself() {
    let text = "# CHAPTER 4 HALLS\n\n### 401.1 Width.\n\nA hall is ~~forty~~ <u>fifty</u> wide.\n\n~~### 401.2 Doors.~~\n\n~~401.3 Lamps.~~\n\n~~Lamps are lit.~~\n\n### <u>401.4 Bells.</u>\n\n<u>Bells ring.</u>\n\n### 401.5 Mats.\n\nMats are thick.\n";
    assert_eq!(
        found(text, "ibc"),
        [
            "replace 401.1 [401.1 Width./A hall is f]",
            "add 401.4 [401.4 Bells./Bells ring.]",
            "replace 401.5 [401.5 Mats./Mats are thi] ?",
            "delete 401.3 []",
        ]
    );
}

#[test]
fn underlining_alone_is_emphasis() {
    let text = "# CHAPTER 4 HALLS\n\n### 401.1 Width.\n\nA hall is <u>fifty</u> wide.\n";
    assert_eq!(found(text, "ibc"), ["replace 401.1 [401.1 Width./A hall is f] ?"]);
}

#[test]
fn the_text_of_one_section_ends_where_the_instruction_for_the_next_begins() {
    let text = "Rule 4101:1-10-01 Means of egress.\n\n(A) Modify Section 1004.6 to read:\n\n1004.6 Benches. A bench holds two persons.\n\n(B) Delete Section 1004.7.\n\n(C) Modify Section 1004.8 to read:\n\n1004.8 Lamps. A lamp is lit.\n";
    assert_eq!(
        found(text, "oac"),
        [
            "revise 1004.6 [1004.6 Benches. A bench ]",
            "delete 1004.7 []",
            "revise 1004.8 [1004.8 Lamps. A lamp is ]"
        ]
    );
}

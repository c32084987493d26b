//! Which grammar is chosen for codes of families that are not built in by name, and what it makes of them.

use codecite_core::pipeline::{Parsed, parse};
use codecite_core::profile::{Profile, SectionKind, builtin_names};
use codecite_core::work::{Limits, Unwatched, Work};

fn parsed(text: &str) -> Parsed {
    let profiles: Vec<Profile> =
        builtin_names().iter().map(|name| Profile::builtin(name).expect("a profile")).collect();
    let limits = Limits::default();
    parse(text.as_bytes(), None, &profiles, &mut Work::new(&limits, &mut Unwatched)).expect("a text")
}

/// The profile, and for each numbered section its number, parent and title.
fn outline(text: &str) -> (String, Vec<String>) {
    let parsed = parsed(text);
    let sections = &parsed.tree.sections;
    let number = |index: usize| sections[index].number.as_ref().map(ToString::to_string);
    let row = |section: &codecite_core::structure::Section| {
        let parent = section.parent.and_then(number).unwrap_or("-".into());
        let title = section.title.as_deref().unwrap_or("-");
        Some(format!("{} < {parent}: {title}", section.number.as_ref()?))
    };
    (parsed.profile.clone(), sections.iter().filter_map(row).collect())
}

fn check(text: &str, profile: &str, rows: &[&str]) {
    let (chosen, found) = outline(text);
    assert_eq!(
        (chosen.as_str(), found.iter().map(String::as_str).collect::<Vec<_>>()),
        (profile, rows.to_vec())
    );
}

#[test]
fn a_city_code_with_run_in_headings() {
    let text = "CHAPTER 14. BUILDINGS\n\nARTICLE 3. PERMITS\n\nSec. 14-3-101. Permit required.\n\nNo shed is built without one.\n\n\
        Sec. 14-3-102. Application. An applicant files plans. The plans show every room.\n\n\
        Sec. 14-3-104. Fees; refunds.\n\nThe fee is set under\nSec. 14-3-110 and is due at once.\n\n\
        Secs. 14-3-105--14-3-109. Reserved.\n\nARTICLE 4. INSPECTIONS\n\nSec. 14-4-101. Time.\n\nOn working days.\n";
    let rows = [
        "14 < -: BUILDINGS",
        "14 Article 3 < 14: PERMITS",
        "14-3-101 < 14 Article 3: Permit required",
        "14-3-102 < 14 Article 3: Application",
        "14-3-104 < 14 Article 3: Fees; refunds",
        "14-3-105 < 14 Article 3: Reserved",
        "14 Article 4 < 14: INSPECTIONS",
        "14-4-101 < 14 Article 4: Time",
    ];
    check(text, "state-code", &rows);
}

#[test]
fn divisions_of_articles_count_anew() {
    let text = "ARTICLE IV. BUILDINGS\n\nDIVISION 1. GENERALLY\n\nSec. 10-101. Adopted codes.\n\nThey are adopted.\n\n\
        DIVISION 2. BOARD\n\nSec. 10-121. Created.\n\nA board is created.\n\n\
        ARTICLE V. MOVING\n\nDIVISION 1. PERMITS\n\nSec. 10-201. Needed.\n\nA permit is needed.\n";
    let rows = [
        "Article IV < -: BUILDINGS",
        "Article IV Division 1 < Article IV: GENERALLY",
        "10-101 < Article IV Division 1: Adopted codes",
        "Article IV Division 2 < Article IV: BOARD",
        "10-121 < Article IV Division 2: Created",
        "Article V < -: MOVING",
        "Article V Division 1 < Article V: PERMITS",
        "10-201 < Article V Division 1: Needed",
    ];
    check(text, "state-code", &rows);
}

#[test]
fn hyphens_and_dots_in_one_number() {
    let text = "TITLE 14A ADMINISTRATION\n\nCHAPTER 14A-1 SCOPE\n\n14A-1-101 GENERAL\n\n14A-1-101.1 Title.\n\nThese are the rules.\n\n\
        14A-1-102 APPLICABILITY\n\n14A-1-102.1 General.\n\nThe stricter rule governs.\n\n14A-1-102.1.1 Differences.\n\nThey are reported.\n";
    let rows = [
        "Title 14A < -: ADMINISTRATION",
        "Chapter 14A-1 < Title 14A: SCOPE",
        "14A-1-101 < Chapter 14A-1: GENERAL",
        "14A-1-101.1 < 14A-1-101: Title",
        "14A-1-102 < Chapter 14A-1: APPLICABILITY",
        "14A-1-102.1 < 14A-1-102: General",
        "14A-1-102.1.1 < 14A-1-102.1: Differences",
    ];
    check(text, "generic", &rows);
    let marked = "§ 6.10.2 Uses.\n\nThey are listed.\n\n§ 6.10.2(A) Permitted uses.\n\nHouses.\n\n§ 6.10.2(A)(1) Houses.\n\nWith one kitchen.\n\n§ 6.10.3 Lots.\n\nLots have streets.\n";
    let rows = [
        "6.10.2 < -: Uses",
        "6.10.2(A) < 6.10.2: Permitted uses",
        "6.10.2(A)(1) < 6.10.2(A): Houses",
        "6.10.3 < -: Lots",
    ];
    check(marked, "generic", &rows);
}

#[test]
fn rules_with_the_sections_of_a_model_code() {
    let text = "Chapter 51-50 WAC\n\nWAC 51-50-001 Authority.\n\nMade under the law.\n\nWAC 51-50-0903 Section 903--Sprinklers.\n\n\
        903.2.1.6 Nightclub. A system is provided.\n\n903.2.3 Group E. A system is provided.\n\nWAC 51-50-1004 Section 1004--Load.\n\n\
        1004.5 Areas. The number is taken from the table.\n";
    let rows = [
        "Chapter 51-50 < -: WAC",
        "51-50-001 < Chapter 51-50: Authority",
        "51-50-0903 < Chapter 51-50: Section 903--Sprinklers",
        "903.2.1.6 < 51-50-0903: Nightclub",
        "903.2.3 < 51-50-0903: Group E",
        "51-50-1004 < Chapter 51-50: Section 1004--Load",
        "1004.5 < 51-50-1004: Areas",
    ];
    check(text, "oac", &rows);
    let other = "SUBCHAPTER 2. ADMINISTRATION\n\n5:23-2.1 Title; scope\n\nThese are the rules.\n\n5:23-2.2A Exempt matter\n\nSheds are exempt under 5:23-2.1.\n";
    check(
        other,
        "oac",
        &[
            "Subchapter 2 < -: ADMINISTRATION",
            "5:23-2.1 < Subchapter 2: Title; scope",
            "5:23-2.2A < Subchapter 2: Exempt matter",
        ],
    );
}

#[test]
fn regulations_in_subchapters() {
    let text = "CHAPTER 134. HOUSING\n\nSUBCHAPTER A. GENERAL\n\n§ 134.1. Authority.\n\nMade under the statute.\n\n\
        SUBCHAPTER B. CERTIFICATION\n\n§ 134.20. Plants.\n\n(a) A plant is certified.\n\n(b) It lasts a year, subject to § 134.21.\n\n\
        § 134.21. Labels.\n\nEvery module bears one.\n\nSource Note: adopted to be effective March 1, 1999.\n";
    let rows = [
        "Chapter 134 < -: HOUSING",
        "Subchapter A < Chapter 134: GENERAL",
        "134.1 < Subchapter A: Authority",
        "Subchapter B < Chapter 134: CERTIFICATION",
        "134.20 < Subchapter B: Plants",
        "134.20(a) < 134.20: -",
        "134.20(b) < 134.20: -",
        "134.21 < Subchapter B: Labels",
    ];
    check(text, "cfr", &rows);
    let notes: Vec<_> =
        parsed(text).tree.sections.into_iter().filter(|s| s.kind == SectionKind::Annotation).collect();
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].title.as_deref(), Some("Source Note"));
}

#[test]
fn a_standard_with_stars_and_an_annex() {
    let text = "Chapter 4 General\n\n4.1* Goals.\n\n4.1.1 Fire. The goal is safety.\n\n4.1.2* Floods. The goal includes them.\n\n\
        4.2 Objectives.\n\n4.2.1 Doors. Doors swing out.\n\nAnnex A Explanations\n\nA.4.1 The goals are wide.\n\nA.4.1.2 Floods are rare.\n";
    let rows = [
        "Chapter 4 < -: General",
        "4.1 < Chapter 4: Goals",
        "4.1.1 < 4.1: Fire",
        "4.1.2 < 4.1: Floods",
        "4.2 < Chapter 4: Objectives",
        "4.2.1 < 4.2: Doors",
        "Appendix A < -: Explanations",
        "A.4.1 < Appendix A: -",
        "A.4.1.2 < A.4.1: -",
    ];
    check(text, "generic", &rows);
}

#[test]
fn parts_inside_chapters() {
    let text = "CHAPTER 1 SCOPE\n\nPART 1--APPLICATION\n\nSECTION 101\nGENERAL\n\n[A] 101.1 Title. These are the rules.\n\n\
        PART 2--ENFORCEMENT\n\nSECTION 103\nOFFICE\n\n[A] 103.1 Creation. It is created.\n\nCHAPTER 3 RESIDENCES\n\n\
        SECTION R301 DESIGN\n\nR301.2 Climate. It is mild.\n\nR301.2.1 Wind. It is weak.\n";
    let rows = [
        "Chapter 1 < -: SCOPE",
        "Chapter 1 Part 1 < Chapter 1: APPLICATION",
        "101 < Chapter 1 Part 1: GENERAL",
        "101.1 < 101: Title",
        "Chapter 1 Part 2 < Chapter 1: ENFORCEMENT",
        "103 < Chapter 1 Part 2: OFFICE",
        "103.1 < 103: Creation",
        "Chapter 3 < -: RESIDENCES",
        "R301 < Chapter 3: DESIGN",
        "R301.2 < R301: Climate",
        "R301.2.1 < R301.2: Wind",
    ];
    check(text, "ibc", &rows);
}

#[test]
fn a_contents_page_with_a_wrapped_entry() {
    let text = "CONTENTS\n\nCHAPTER 4 EXITS ........................ 4-1\n401 GENERAL ........................ 4-1\n\
        401.1 Number of exits and their arrangement\n      in large rooms ................... 4-2\n402 STAIRS ................... 4-3\n\n\
        CHAPTER 4\nEXITS\n\nSECTION 401\nGENERAL\n\n401.1 Number of exits and their arrangement in large\nrooms. Two exits are far from each other.\n\n\
        SECTION 402\nSTAIRS\n\n402.1 Width. One metre.\n";
    let rows = [
        "Chapter 4 < -: EXITS",
        "401 < Chapter 4: GENERAL",
        "401.1 < 401: Number of exits and their arrangement in large rooms",
        "402 < Chapter 4: STAIRS",
        "402.1 < 402: Width",
    ];
    check(text, "ibc", &rows);
}

#[test]
fn annotations_stand_apart_from_the_law() {
    let text = "# TITLE 9 HOUSES\n\n## CHAPTER 2 DOORS\n\n### 9-2-20. Definitions.\n\n“Door” means an opening in a wall.\n\n\
        History. Laws 1990, p. 5.\n\nEditor’s notes. The “old” law means nothing.\n\n#### JUDICIAL DECISIONS\n\nCited in a case: a door may be shut.\n\n\
        ### 9-2-21. Locks.\n\nHistory of locks is told elsewhere.\n\nEvery door has one.\n";
    let parsed = parsed(text);
    assert_eq!(parsed.profile, "state-code");
    let row = |s: &codecite_core::structure::Section| {
        let number = s.number.as_ref().map_or("-".into(), ToString::to_string);
        (
            s.kind.as_str(),
            number,
            s.title.clone().unwrap_or_default(),
            parsed.document.slice(s.span).trim().len(),
        )
    };
    let rows: Vec<_> = parsed.tree.sections.iter().map(row).collect();
    let kinds: Vec<_> =
        rows.iter().map(|(kind, number, title, _)| (*kind, number.as_str(), title.as_str())).collect();
    assert_eq!(
        kinds[2..],
        [
            ("section", "9-2-20", "Definitions"),
            ("annotation", "-", "History"),
            ("annotation", "-", "Editor’s notes"),
            ("annotation", "-", "JUDICIAL DECISIONS"),
            ("section", "9-2-21", "Locks"),
        ]
    );
    let sections = &parsed.tree.sections;
    assert!(sections[3..6].iter().all(|note| note.parent == Some(2) && note.parts.is_empty()));
    assert_eq!(sections[2].parts.len(), 1);
    // Every byte is in one section.
    assert!(sections.windows(2).all(|pair| pair[0].span.end == pair[1].span.start));
    assert_eq!(sections.last().map(|s| s.span.end), Some(parsed.document.text.len()));
}

#[test]
fn a_remark_within_the_law_is_no_annotation() {
    let text = "## PART 9 DOORS\n\nAuthority: the law.\n\n### § 9.1 Locks.\n\nSource: the maker.\n\nEvery door has one.\n\n### § 9.2 Keys.\n\nThere are two.\n\n[55 FR 100, Jan. 5, 1990]\n";
    let sections = parsed(text).tree.sections;
    let notes: Vec<_> = sections.iter().filter(|s| s.kind == SectionKind::Annotation).collect();
    let about: Vec<_> = notes
        .iter()
        .map(|note| sections[note.parent.unwrap()].number.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(about, ["Part 9", "9.2"]);
}

#[test]
fn notes_on_several_places_keep_all_of_them() {
    let text = "# Part 5\n\n## Section 5.2. Doors\n\n### 5.2.1. Locks\n\n#### 5.2.1.1. Keys\n\n1) There shall be two.\n\n# Notes to Part 5\n\n\
        A-5.2.1.1.(1)(a) Keys of Iron. They rust.\n\nA-5.2.1.1.(1) Keys. They are small.\n\nA-5.2.1.1.(2) and 5.2.1.2.(3) Locks. They are large.\n\n\
        A-5.2.1.3.(1) to (3) Bolts. They are rare.\n";
    let (profile, rows) = outline(text);
    assert_eq!(profile, "canada-nbc");
    let notes: Vec<&str> =
        rows.iter().map(String::as_str).skip_while(|row| !row.starts_with("Notes")).collect();
    assert_eq!(
        notes,
        [
            "Notes to Part 5 < Part 5: -",
            "A-5.2.1.1.(1)(a) < Notes to Part 5: Keys of Iron",
            "A-5.2.1.1.(1) < Notes to Part 5: Keys",
            "A-5.2.1.1.(2) and 5.2.1.2.(3) < Notes to Part 5: Locks",
            "A-5.2.1.3.(1) to (3) < Notes to Part 5: Bolts",
        ]
    );
}

#[test]
fn grids_of_plain_text_are_tables() {
    let row = |name: &str, fee: &str| format!("{name:40}{fee}\n");
    let grid = |first: &str| {
        row(first, "$10") + &row("six to ten lamps", "$20") + &row("more lamps than that", "$30")
    };
    let text = format!(
        "SECTION 110\nFEES\n\n110.1 Fees. Fees are paid at once. They are those of the table, and are never given back to anybody.\n\n\
         TABLE 110.1 – LAMP FEES\n\nThe fees shall be paid before the work begins, and by the person who asked for it.\n\n{}\nCategory 2\n\n{}\n\
         110.2 Rooms. Rooms are counted as follows, whatever they are used for and whoever lives in them.\n\n{}",
        grid("up to five lamps"),
        grid("up to five large lamps"),
        grid("up to five small rooms"),
    );
    let parsed = parsed(&text);
    let tables = parsed.tree.sections.iter().filter(|section| section.kind == SectionKind::Table);
    let rows: Vec<_> = tables
        .map(|table| {
            let owner = table.parent.and_then(|at| parsed.tree.sections[at].number.as_ref());
            (table.number.as_ref().map(ToString::to_string), owner.unwrap().to_string())
        })
        .collect();
    let numbered = || (Some("Table 110.1".to_owned()), "110.1".to_owned());
    assert_eq!(rows, [numbered(), numbered(), (None, "110.2".into())], "{}", parsed.document.text);
}

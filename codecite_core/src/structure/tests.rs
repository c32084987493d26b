use super::{SectionTree, build};
use crate::document::{BlockKind, Document, DocumentBuilder, Layout, Style};
use crate::profile::Profile;
use crate::read::markdown;
use crate::work::{Limits, Unwatched, Work};

fn tree_of(source: &str, profile: &str) -> (Document, SectionTree) {
    let limits = Limits::default();
    let mut watcher = Unwatched;
    let mut work = Work::new(&limits, &mut watcher);
    let document = markdown::read(source.as_bytes(), &mut work).unwrap();
    let tree = build(&document, &Profile::builtin(profile).unwrap(), &mut work).unwrap();
    (document, tree)
}

fn outline(tree: &SectionTree) -> Vec<String> {
    tree.sections
        .iter()
        .map(|s| {
            let number = s.number.as_ref().map_or("-".into(), ToString::to_string);
            let parent = s
                .parent
                .and_then(|p| tree.sections[p].number.as_ref())
                .map_or("-".into(), ToString::to_string);
            format!("{number} < {parent}")
        })
        .collect()
}

const CODE: &str = "\
Some preface.

# CHAPTER 10 MEANS OF EGRESS

## SECTION 1004 OCCUPANT LOAD

### 1004.1 Design. The load shall comply with Section 1004.5.

1004.5 shall apply where it says so.

### 1004.5 Occupant load factors.

Use Table 1004.5.

**Table 1004.5 Factors**

| Use | Factor |
|---|---|
| Office | 12 |

**Exceptions:**

1. First case:
   a. inner
2. Second case.

After the list.

# Appendix C AGRICULTURE

## C101.1 Scope.

Text.
";

#[test]
fn parents_come_from_the_number_then_from_the_place() {
    let (_, tree) = tree_of(CODE, "ibc");
    assert_eq!(
        outline(&tree),
        [
            "- < -",
            "Chapter 10 < -",
            "1004 < Chapter 10",
            "1004.1 < 1004",
            "1004.5 < 1004",
            "Table 1004.5 < 1004.5",
            "Appendix C < -",
            "C101.1 < Appendix C",
        ]
    );
}

#[test]
fn a_chapter_ends_where_the_next_begins() {
    let (_, tree) = tree_of(CODE, "ibc");
    assert_eq!(tree.last_below(), [0, 5, 5, 3, 5, 5, 7, 7]);
}

#[test]
fn exceptions_are_itemised_in_place() {
    let (document, tree) = tree_of(CODE, "ibc");
    let section = &tree.sections[4];
    let parts: Vec<(&str, &str)> =
        section.parts.iter().map(|p| (p.locator.as_str(), document.slice(p.span))).collect();
    assert_eq!(
        parts,
        [("Exception 1", "Exceptions:\n1. First case: a. inner"), ("Exception 2", "2. Second case.")]
    );
}

#[test]
fn own_texts_cover_the_document_once() {
    let (document, tree) = tree_of(CODE, "ibc");
    let mut end = 0;
    for section in tree.sections.iter().filter(|s| s.nested.is_none()) {
        assert_eq!(section.span.start, end);
        end = section.span.end;
    }
    assert_eq!(end, document.text.len());
}

#[test]
fn definitions_are_one_per_term() {
    let source = "## SECTION 202 DEFINITIONS\n\nPreamble text.\n\n**EXIT.** A way out.\n\nMore on it.\n\nFIRE WALL. A wall.\n";
    let (document, tree) = tree_of(source, "ibc");
    let parts: Vec<(&str, &str)> =
        tree.sections[0].parts.iter().map(|p| (p.locator.as_str(), document.slice(p.span))).collect();
    assert_eq!(parts, [("EXIT", "EXIT. A way out.\nMore on it."), ("FIRE WALL", "FIRE WALL. A wall.")]);
}

#[test]
fn a_list_of_definitions_is_one_part_per_term() {
    let source = "## SECTION 202 DEFINITIONS\n\nIn this code:\n\nExit\n: A way out of the building.\n\n  It leads outside.\n\nWall, fire\n: A wall against fire.\n\nThe terms are final.\n";
    let (document, tree) = tree_of(source, "ibc");
    let parts: Vec<(&str, &str)> =
        tree.sections[0].parts.iter().map(|p| (p.locator.as_str(), document.slice(p.span))).collect();
    assert_eq!(parts[0], ("Exit", "Exit\nA way out of the building.\nIt leads outside."));
    assert_eq!(parts[1].0, "Wall, fire");
    assert_eq!(parts.len(), 2);
}

#[test]
fn a_number_repeated_under_its_own_heading_is_one_section() {
    let source = "### Section 402.2\n\n*Section 402.2 is revised to read as follows:*\n\n#### 402.2 Water supply.\n\nText.\n\n### Section 402.5\n\n*Delete.*\n";
    let (document, tree) = tree_of(source, "ibc");
    assert_eq!(outline(&tree), ["402.2 < -", "402.5 < -"]);
    assert_eq!(tree.sections[0].title.as_deref(), Some("Water supply"));
    assert!(document.slice(tree.sections[0].span).trim_end().ends_with("Text."));
}

#[test]
fn a_title_that_is_wrapped_in_its_column_is_one() {
    let bold = Style { bold: true, ..Style::default() };
    let mut builder = DocumentBuilder::new();
    builder.page(1, None);
    let lines = [
        ("SECTION 603", 10.0, true),
        ("COMBUSTIBLE MATERIAL IN TYPES I", 10.0, false),
        ("AND II", 10.0, true),
        ("User note", 8.0, true),
        ("603.1 Uses. Wood is permitted.", 8.5, false),
    ];
    for (text, size, centred) in lines {
        let layout = Layout { size, centred, ..Layout::default() };
        builder.block(BlockKind::Paragraph, &[(text, bold)], layout, None);
    }
    let document = builder.finish();
    let limits = Limits::default();
    let mut watcher = Unwatched;
    let mut work = Work::new(&limits, &mut watcher);
    let tree = build(&document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap();
    assert_eq!(tree.sections[0].title.as_deref(), Some("COMBUSTIBLE MATERIAL IN TYPES I AND II"));
    assert!(document.slice(tree.sections[0].span).ends_with("User note\n"));
}

#[test]
fn an_exception_ends_where_a_caption_begins() {
    let source = "### 307.1 Limits.\n\n**Exceptions:**\n\n1. Fuel.\n\n   Table 1 is for fuel.\n\n   **Table 307.1 Amounts**\n\n| A |\n|---|\n| 1 |\n";
    let (document, tree) = tree_of(source, "ibc");
    assert_eq!(document.slice(tree.sections[0].parts[0].span), "Exceptions:\n1. Fuel.\nTable 1 is for fuel.");
}

#[test]
fn two_line_headings_take_the_title_below() {
    let (_, tree) = tree_of(
        "# ARTICLE 302\n\n**MAINTENANCE OF EXTERIOR WALLS**\n\n**§28-302.1 General.** Text.\n",
        "nyc",
    );
    assert_eq!(tree.sections[0].title.as_deref(), Some("MAINTENANCE OF EXTERIOR WALLS"));
    assert_eq!(outline(&tree), ["Article 302 < -", "28-302.1 < Article 302"]);
}

#[test]
fn terms_may_be_sections_of_their_own() {
    let terms = ["Access route", "Door", "Exit", "Flight", "Landing"];
    let list: String = terms
        .iter()
        .zip(1..)
        .map(|(term, at)| format!("**301.{at} {term}.** A thing of its own.\n\n"))
        .collect();
    let (_, tree) = tree_of(&format!("## SECTION 301 TERMS AND DEFINITIONS\n\n{list}"), "ibc");
    let found: Vec<&str> = tree.sections.iter().flat_map(|s| &s.parts).map(|p| p.locator.as_str()).collect();
    assert_eq!(found, terms);
    let (_, tree) =
        tree_of(&format!("## SECTION 301 DEFINITIONS\n\n{list}**301.6 Scope.** Where it applies.\n"), "ibc");
    assert!(tree.sections.iter().all(|section| section.parts.is_empty()));
}

#[test]
fn a_title_tells_a_list_of_terms_from_one_term() {
    let source = "## SECTION 301 DEFINITION OF “DWELLING”\n\nA **dwelling unit**. Text. **Other.** More.\n";
    let (_, tree) = tree_of(source, "ibc");
    let found: Vec<&str> = tree.sections[0].parts.iter().map(|part| part.locator.as_str()).collect();
    assert_eq!(found, ["DWELLING"]);
}

#[test]
fn parts_of_another_code_are_named_by_it() {
    let source = "# CHAPTER 36 STATE RESIDENTIAL CODE (SRC)\n\n# (SRC) CHAPTER 4 FOUNDATIONS\n\nNot adopted.\n\n# (SBC) APPENDIX A QUALIFICATIONS\n\nNot adopted.\n";
    let (_, tree) = tree_of(source, "ibc");
    assert_eq!(outline(&tree), ["Chapter 36 < -", "SRC Chapter 4 < Chapter 36", "Appendix A < -"]);
}

#[test]
fn a_division_and_an_agency_s_mark_are_read() {
    let source = "# CHAPTER 1 SCOPE\n\n# DIVISION II\n\n**ADMINISTRATION**\n\n# CHAPTER 31B [DPH]\n\n**PUBLIC POOLS**\n\nText.\n";
    let (_, tree) = tree_of(source, "ibc");
    assert_eq!(outline(&tree), ["Chapter 1 < -", "Chapter 1 Division II < Chapter 1", "Chapter 31B < -"]);
    assert_eq!(tree.sections[2].title.as_deref(), Some("PUBLIC POOLS"));
}

#[test]
fn bulletins_are_headings_and_mentions_of_them_are_not() {
    let source = "# CHAPTER 1 SCOPE\n\nText.\n\nAB-001 Preparing Bulletins\n\nSee below.\n\nAB-002, Site Plans.\n\nAB-002 Site Plans\n\nText.\n";
    let (_, tree) = tree_of(source, "ibc");
    assert_eq!(outline(&tree), ["Chapter 1 < -", "AB-001 < -", "AB-002 < -"]);
}

#[test]
fn a_table_behind_a_repeated_number_is_found() {
    let source = "### Section 1011.7\n\n*Section 1011.7 is added:*\n\n#### 1011.7 Ladders.\n\nText.\n\n### Table 1020.2\n\n*Table 1020.2 is replaced:*\n\n**Table 1020.2 Width**\n\n| Use | Width |\n|---|---|\n| A | 50 |\n";
    let (_, tree) = tree_of(source, "ibc");
    assert_eq!(outline(&tree), ["1011.7 < -", "Table 1020.2 < 1011.7"]);
}

#[test]
fn a_heading_may_name_several_sections() {
    let source = "### Section 401.1\n\n*Section 401.1 is deleted.*\n\n### Sections 405.1 through 405.4\n\n*Sections 405.1 through 405.4 are deleted.*\n\n### Sections 406.1, 406.2 and 406.5\n\n*They are deleted.*\n";
    let (_, tree) = tree_of(source, "ibc");
    assert_eq!(outline(&tree), ["401.1 < -", "405.1 < -", "406.1 < -"]);
}

#[test]
fn lettered_lines_behind_a_table_are_its_notes() {
    let source = "### 307.1 Amounts.\n\n**Table 307.1 Amounts**\n\n| Use | Amount |\n|---|---|\n| A | 5 |\n\nNote: In pounds.\n\na. Doubled where sprinklered.\n\nb. Not for farms.\n\nc is no note.\n\n### 308.1 Lists.\n\n| Use | Amount |\n|---|---|\n| A | 5 |\n\n1. A door.\n";
    let (_, tree) = tree_of(source, "ibc");
    let notes: Vec<&Vec<String>> =
        tree.sections.iter().filter_map(|s| Some(&s.table.as_ref()?.notes)).collect();
    assert_eq!(notes[0], &["Note: In pounds.", "a. Doubled where sprinklered.", "b. Not for farms."]);
    assert!(notes[1].is_empty());
}

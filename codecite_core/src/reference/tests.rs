use super::*;

fn targets(text: &str) -> Vec<String> {
    let own = references(text, None).into_iter().filter(|reference| reference.source.is_none());
    own.map(|reference| reference.target.to_string()).collect()
}

/// The numbers of other works, each with the work.
fn foreign(text: &str) -> Vec<(String, String)> {
    let own = Number::parse("101.1");
    let found = references(text, own.as_ref()).into_iter();
    found.filter_map(|reference| Some((reference.target.to_string(), reference.source?))).collect()
}

/// What is found in the text of a section.
fn within(own: &str, text: &str) -> Vec<String> {
    let name = |r: &Reference| match &r.through {
        Some(last) => format!("{}–{last}", r.target),
        None => r.target.to_string(),
    };
    references(text, Number::parse(own).as_ref()).iter().map(name).collect()
}

#[test]
fn lists_and_ranges_are_expanded() {
    assert_eq!(targets("see Sections 1004.1, 1004.2 and 1005.3.1"), ["1004.1", "1004.2", "1005.3.1"]);
    let range = references("Sections 1004.1 through 1004.3 apply", None);
    assert_eq!(range[0].through.as_ref().unwrap().to_string(), "1004.3");
    assert_eq!(range.len(), 2);
}

#[test]
fn all_forms_are_seen() {
    assert_eq!(targets("section 28-302.1 or §28-302.2"), ["28-302.1", "28-302.2"]);
    assert_eq!(
        targets("Table 1004.5, Chapter 10, Appendix H and rule 4101:1-10-04"),
        ["Table 1004.5", "Chapter 10", "Appendix H", "4101:1-10-04"]
    );
    assert_eq!(targets("Tables 601 and 602"), ["Table 601", "Table 602"]);
    assert_eq!(targets("as in 404.2.3."), ["404.2.3"]);
    let exception = &references("exception 2 of Section 1004.5", None)[0];
    assert_eq!(
        (exception.target.to_string().as_str(), exception.locator.as_deref()),
        ("1004.5", Some("Exception 2"))
    );
    let behind =
        references("Sections 801.1 and 901.1, Exception 2, or exception 3 of Sections 5.1 and 5.2", None);
    let locators: Vec<Option<&str>> = behind.iter().map(|reference| reference.locator.as_deref()).collect();
    assert_eq!(locators, [None, Some("Exception 2"), Some("Exception 3"), None]);
    let own = &references("Model Code 2024 §1004.5, Exception 2 (p. 3)", None)[0];
    assert_eq!((own.target.to_string().as_str(), own.locator.as_deref()), ("1004.5", Some("Exception 2")));
}

#[test]
fn a_list_of_tables_ends_where_sections_begin() {
    assert_eq!(
        targets("Table 1004.5 and Sections 1004.5.1 and 1004.6"),
        ["Table 1004.5", "1004.5.1", "1004.6"]
    );
    assert_eq!(targets("Sections 1004.1 and Table 601"), ["1004.1", "Table 601"]);
}

#[test]
fn quantities_are_none() {
    assert_eq!(targets("an area of 8,500 square feet (789.7 m²) and 1021.9 L"), Vec::<String>::new());
    assert_eq!(targets("by Section 1005.1 and 44 inches"), ["1005.1"]);
    assert_eq!(targets("42 U.S.C. 12101 and 36 inches, chapter and verse"), Vec::<String>::new());
}

#[test]
fn the_own_heading_is_none() {
    let own = Number::parse("1004.5").unwrap();
    assert_eq!(references("1004.5 Load. See Section 1004.6.", Some(&own)).len(), 1);
}

#[test]
fn bare_numbers_need_a_word_that_asks_for_them() {
    assert_eq!(targets("shall comply with 405, 407 or 410 and be wide"), ["405", "407", "410"]);
    assert_eq!(targets("required to comply with 603 through 610"), ["603", "610"]);
    assert_eq!(
        targets("complying with 2010 Standards, at least 405 people, with 300 square feet"),
        Vec::<String>::new()
    );
    assert_eq!(targets("a fee of $1,100.50 or 2,500.10"), Vec::<String>::new());
}

#[test]
fn what_a_list_leaves_out_is_completed() {
    assert_eq!(
        within("28-113.2", "sections 28-113.2.1 through 113.2.6"),
        ["28-113.2.1–28-113.2.6", "28-113.2.6"]
    );
    assert_eq!(targets("section 28- 101.4.4 of this code"), ["28-101.4.4"]);
    let marks = within("36.105", "Sections 36.302(c)(3) through (c)(8) and § 36.404 (a)");
    assert_eq!(marks.first().map(String::as_str), Some("36.302(c)(3)–36.302(c)(8)"));
    assert_eq!(within("103A.1", "Sections 103A.5.1- 103A.5.7, 103A.6-103A.9")[0], "103A.5.1–103A.5.7");
    assert_eq!(targets("Tables 1A-D (Standard Rates) and 1A-K (Penalties)"), ["Table 1A-D", "Table 1A-K"]);
}

#[test]
fn paragraphs_are_counted_from_their_section() {
    assert_eq!(within("36.105(d)", "paragraph (a)(1) of this section"), ["36.105(a)(1)"]);
    assert_eq!(
        within("36.212(b)", "Paragraphs (a) (1), (2), and (3) of this section"),
        ["36.212(a)(1)", "36.212(a)(2)", "36.212(a)(3)"]
    );
    assert_eq!(
        within("36.105", "paragraphs (d)(2)(iii)(A) through (K)")[0],
        "36.105(d)(2)(iii)(A)–36.105(d)(2)(iii)(K)"
    );
    assert_eq!(within("36.302(f)", "pursuant to paragraph (4) of this section"), ["36.302(f)(4)"]);
    assert_eq!(within("36.302", "paragraph (5) of the definition of place"), Vec::<String>::new());
    assert_eq!(within("3.1.2.1.(2)", "Sentence (1), except Clause (a)"), ["3.1.2.1.(1)", "3.1.2.1.(2)(a)"]);
    assert_eq!(within("36.402", "appendix A to this part"), ["Appendix A to Part 36"]);
}

#[test]
fn numbers_of_other_works_are_told_apart() {
    let cases = [
        ("section 903.2 of the International Fire Code", "903.2", "International Fire Code"),
        ("Section 304.1 of the fuel gas code", "304.1", "fuel gas code"),
        ("chapter 1 of title 27 of the administrative code", "Chapter 1", "administrative code"),
        ("Planning Code Section 207.3", "207.3", "Planning Code"),
        ("section 4-3.2.1 of NFPA 72 (1999 edition)", "4-3.2.1", "NFPA 72"),
        ("12 NYCRR 56-11.5", "56-11.5", "12 NYCRR"),
        ("Section 705 of BS 9999", "705", "BS 9999"),
        ("section 504 of the Rehabilitation Act of 1973", "504", "Rehabilitation Act"),
    ];
    for (text, number, work) in cases {
        assert_eq!(foreign(text), [(number.to_owned(), work.to_owned())], "{text}");
    }
    for text in [
        "section 903.2 of this code",
        "Section 903.2 of the code",
        "see Section 903.2, which applies",
        "ASTM E84",
    ] {
        assert_eq!(foreign(text), [], "{text}");
    }
}

#[test]
fn mentions_in_a_row_share_the_work_that_is_named_last() {
    let works = |text: &str| foreign(text).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(works("section 1009.12 and section 1012 of the city building code"), ["1009.12", "1012"]);
    assert_eq!(
        works("Section 503, Appendix D and Section 504 of the State Fire Code"),
        ["503", "Appendix D", "504"]
    );
    assert_eq!(
        works("section 903.6 of the fire code and with section 905.1 of such code"),
        ["903.6", "905.1"]
    );
    assert_eq!(works("Section 105.1. Section 903.6 of the fire code"), ["903.6"]);
    let own = references(
        "section 28-105.2 or section 1009 of the city building code",
        Number::parse("28-101").as_ref(),
    );
    assert_eq!(own[0].source, None);
}

#[test]
fn the_words_of_other_families_are_known() {
    assert_eq!(targets("see paragraphs 3.27 and 3.28a and para 1.4"), ["3.27", "3.28a", "1.4"]);
    assert_eq!(targets("Requirement B1, Regulation 7 and Diagrams 3.1 and 3.2")[..2], ["B1", "Regulation 7"]);
    assert_eq!(targets("Article 3.1.2.1. and Subsection 3.2.2."), ["3.1.2.1", "3.2.2"]);
    assert_eq!(targets("Part 4 and paragraph 2 of the notice"), ["Part 4"]);
    let several = &references("Exceptions 1 and 2 of Section 1004.5", None)[0];
    assert_eq!(several.locator.as_deref(), Some("Exceptions 1 and 2"));
}

#[test]
fn a_paragraph_full_of_mentions_takes_linear_work() {
    // Quadratic work would take minutes here.
    let text = "608.8 and 608.9 x. paragraph (a)(1) of this section; ".repeat(60_000);
    assert_eq!(within("608.7", &text).len(), 180_000);
}

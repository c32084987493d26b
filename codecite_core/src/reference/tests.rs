use super::*;


fn targets(text: &str) -> Vec<String> {
    references(text, None).iter().map(|r| r.target.to_string()).collect()
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
    let own = &references("Model Code 2024 §1004.5, Exception 2 (p. 3)", None)[0];
    assert_eq!(
        (own.target.to_string().as_str(), own.locator.as_deref()),
        ("1004.5", Some("Exception 2"))
    );
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
    assert_eq!(targets("42 U.S.C. 12101 and 36 inches, chapter and verse"), Vec::<String>::new());
}

#[test]
fn the_own_heading_is_none() {
    let own = Number::parse("1004.5").unwrap();
    assert_eq!(references("1004.5 Load. See Section 1004.6.", Some(&own)).len(), 1);
}

//! The citation: the string a person would paste.

/// What a citation is made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cited<'a> {
    /// The title of the corpus: `NYC Building Code`.
    pub corpus: &'a str,
    /// The edition: `2022`.
    pub edition: Option<&'a str>,
    /// The canonical number: `1004.5`, `Table 1004.5`.
    pub number: Option<&'a str>,
    /// The title, for a part without a number.
    pub title: Option<&'a str>,
    /// `Exception 2`, or a defined term.
    pub locator: Option<&'a str>,
    /// The first page, as printed or counted.
    pub page_from: Option<&'a str>,
    /// The last page.
    pub page_to: Option<&'a str>,
}

/// Writes the citation: `NYC Building Code 2022 §1004.5, Exception 2 (p. 10-12)`.
pub fn cite(cited: &Cited<'_>) -> String {
    let mut out = cited.corpus.trim().to_owned();
    // A title that already names its edition does not say it twice.
    if let Some(edition) = cited.edition.filter(|edition| !edition.is_empty() && !out.contains(*edition)) {
        out.push(' ');
        out.push_str(edition);
    }
    match (cited.number, cited.title) {
        (Some(number), _) if number.starts_with(|c: char| c.is_ascii_digit()) || !number.contains(' ') => {
            out.push_str(" §");
            out.push_str(number);
        }
        (Some(number), _) => {
            out.push_str(", ");
            out.push_str(number);
        }
        (None, Some(title)) => {
            out.push_str(", ");
            out.push_str(title);
        }
        (None, None) => {}
    }
    if let Some(locator) = cited.locator.filter(|locator| !locator.is_empty()) {
        let is_label = locator.starts_with("Exception") || locator.starts_with("Item");
        out.push_str(", ");
        out.push_str(&if is_label { locator.to_owned() } else { format!("“{locator}”") });
    }
    match (cited.page_from, cited.page_to) {
        (Some(from), Some(to)) if from != to => out.push_str(&format!(" (pp. {from}–{to})")),
        (Some(page), _) | (None, Some(page)) => out.push_str(&format!(" (p. {page})")),
        (None, None) => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_people_paste() {
        let base = Cited {
            corpus: "NYC Building Code",
            edition: Some("2022"),
            number: Some("1004.5"),
            ..Cited::default()
        };
        let page =
            Cited { locator: Some("Exception 2"), page_from: Some("10-12"), page_to: Some("10-12"), ..base };
        assert_eq!(cite(&page), "NYC Building Code 2022 §1004.5, Exception 2 (p. 10-12)");
        assert_eq!(
            cite(&Cited { number: Some("Table 1004.5"), ..base }),
            "NYC Building Code 2022, Table 1004.5"
        );
        assert_eq!(cite(&Cited { corpus: "Code 2022", ..base }), "Code 2022 §1004.5");
        assert_eq!(cite(&Cited { locator: Some("EXIT"), ..base }), "NYC Building Code 2022 §1004.5, “EXIT”");
        assert_eq!(
            cite(&Cited { page_from: Some("3"), page_to: Some("4"), ..base }),
            "NYC Building Code 2022 §1004.5 (pp. 3–4)"
        );
        assert_eq!(
            cite(&Cited { number: None, title: Some("Front matter"), ..base }),
            "NYC Building Code 2022, Front matter"
        );
    }
}

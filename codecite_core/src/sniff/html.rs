//! Whether text is HTML: a whole page, or a piece of one.

/// What a page may begin with besides its doctype: elements that Markdown seldom begins with.
const FIRST: [&str; 41] = [
    "html",
    "head",
    "body",
    "title",
    "meta",
    "link",
    "style",
    "script",
    "base",
    "div",
    "p",
    "table",
    "section",
    "article",
    "main",
    "header",
    "footer",
    "nav",
    "aside",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "dl",
    "pre",
    "blockquote",
    "center",
    "font",
    "form",
    "hr",
    "tbody",
    "tr",
    "details",
    "figure",
    "address",
    "frameset",
    "template",
];

/// What makes a page of a beginning, wherever it stands in it.
const PAGE: [&str; 3] = ["!doctype html", "html", "body"];

/// Decides by the beginning of the text. A piece of HTML goes on in HTML; Markdown that begins with a tag goes on
/// in Markdown.
pub(super) fn is_html(head: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(head).replace('\0', "").to_ascii_lowercase();
    let mut rest = lower.trim_start_matches(['\u{feff}', '\u{fffd}']).trim_start();
    // Comments and XML declarations in front.
    let mut in_front = false;
    loop {
        let after = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.split_once("-->").map(|(_, after)| after)
        } else if rest.starts_with("<?xml") {
            rest.split_once("?>").map(|(_, after)| after)
        } else {
            break;
        };
        in_front = true;
        // A long comment: what follows it decides, which is out of sight.
        let Some(after) = after else { return PAGE.iter().any(|name| has_tag(rest, name)) };
        rest = after.trim_start();
    }
    if PAGE.iter().any(|name| begins_with_tag(rest, name)) {
        return true;
    }
    if !FIRST.iter().any(|name| begins_with_tag(rest, name)) {
        return in_front && PAGE.iter().any(|name| has_tag(rest, name));
    }
    !goes_on_in_markdown(rest)
}

fn begins_with_tag(text: &str, name: &str) -> bool {
    let after = text.strip_prefix('<').and_then(|text| text.strip_prefix(name));
    after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/')))
}

fn has_tag(text: &str, name: &str) -> bool {
    text.match_indices('<').any(|(at, _)| text.get(at..).is_some_and(|rest| begins_with_tag(rest, name)))
}

/// True when there are blank lines with lines of Markdown after them: headings, emphasis, links, list items.
fn goes_on_in_markdown(text: &str) -> bool {
    let mut blank = false;
    for line in text.lines() {
        let line = line.trim_start();
        let heading = line.trim_start_matches('#');
        let marks = (1..=6).contains(&(line.len() - heading.len())) && heading.starts_with(' ')
            || line.starts_with("**")
            || line.starts_with("```")
            || line.starts_with('[') && line.contains("](")
            || line.starts_with("- ")
            || line.starts_with("* ");
        if blank && marks {
            return true;
        }
        blank = line.is_empty();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_html;

    #[test]
    fn pages_and_pieces_of_pages() {
        for page in [
            "<!DOCTYPE html><p>x",
            "\u{feff}\n <HTML lang=en>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\">",
            "<!-- saved from x -->\n<!-- twice --><html>",
            "<head><title>x",
            "<body>",
            "<div class=\"section\"><h2>101 General</h2>",
            "<p>Text",
            "<p>Text\n\n\n<p>more text",
            "<table><tr><td>1",
            "<section id=a>",
            "<article>",
        ] {
            assert!(is_html(page.as_bytes()), "{page}");
        }
        let utf16: Vec<u8> = "\u{feff}<!DOCTYPE html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(is_html(&utf16));
    }

    #[test]
    fn text_with_tags_in_it_is_not_a_page() {
        for text in [
            "# Title\n\n<table><tr><td>1</td></tr></table>\n",
            "See <b>this</b>.",
            "<br>\n\ntext",
            "<p align=center>Logo</p>\n\n# CHAPTER 1\n\nText\n",
            "<div>\n\n**101.1 Scope.** Text\n\n</div>",
            "<http://example.org> is where it is",
            "<!-- a comment -->\n# CHAPTER 1\n",
            "<?xml version=\"1.0\"?><rss><item/></rss>",
            "<person@example.org>",
            "a < b > c",
        ] {
            assert!(!is_html(text.as_bytes()), "{text}");
        }
    }
}

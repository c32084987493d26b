//! A single HTML tag within a line of Markdown.

/// What the reader looks at in a tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InlineTag<'h> {
    /// In lower case.
    pub name: String,
    pub closes: bool,
    pub id: Option<&'h str>,
    /// The words for an image.
    pub alternative: Option<&'h str>,
}

impl<'h> InlineTag<'h> {
    /// Parses `<name …>` or `</name>`; nothing for comments and the like.
    pub fn parse(html: &'h str) -> Option<Self> {
        let rest = html.strip_prefix('<')?;
        let (closes, rest) = match rest.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (name, attributes) = rest.split_at(end);
        let name = name.to_ascii_lowercase();
        if name.is_empty() {
            return None;
        }
        let mut tag = InlineTag { name, closes, id: None, alternative: None };
        for (attribute, value) in Attributes(attributes) {
            match attribute.to_ascii_lowercase().as_str() {
                "id" => tag.id = Some(value),
                "name" if tag.name == "a" => tag.id = tag.id.or(Some(value)),
                "alt" => tag.alternative = Some(value),
                _ => {}
            }
        }
        Some(tag)
    }
}

struct Attributes<'h>(&'h str);

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() || rest.starts_with('>') {
            return None;
        }
        let end =
            rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/')).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end.max(rest.chars().next().map_or(0, char::len_utf8)));
        let Some(value) = after.trim_start().strip_prefix('=').map(str::trim_start) else {
            self.0 = after;
            return Some((name, ""));
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => value.get(1..).and_then(|inner| inner.split_once(quote)).unwrap_or((value, "")),
            None => {
                let end = value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len());
                value.split_at(end)
            }
        };
        self.0 = after;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::InlineTag;

    #[test]
    fn tags_and_their_attributes() {
        let tag = InlineTag::parse("<a class=x ID = \"s1\" checked>").unwrap();
        assert_eq!((tag.name.as_str(), tag.closes, tag.id), ("a", false, Some("s1")));
        assert_eq!(InlineTag::parse("<a name='n'/>").unwrap().id, Some("n"));
        assert_eq!(InlineTag::parse("</B>").map(|tag| (tag.name, tag.closes)), Some(("b".to_owned(), true)));
        assert_eq!(
            InlineTag::parse("<img src=a.png alt=\"two words\">").unwrap().alternative,
            Some("two words")
        );
        assert_eq!(InlineTag::parse("<!-- x -->"), None);
        assert_eq!(InlineTag::parse("<a id=\"open").unwrap().id, Some("\"open"));
    }
}

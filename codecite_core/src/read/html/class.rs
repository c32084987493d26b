//! What an element means to the reader: by its name, its role and its style attribute.

use super::tree::Element;

/// What an element is to the flow of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Runs on with the text around it.
    Inline,
    /// Separates the text in it from the text around it.
    Block,
    Paragraph,
    Heading(u8),
    List {
        ordered: bool,
    },
    Item,
    Definition,
    Quote,
    Preformatted,
    Table,
    /// `thead`, `tbody`, `tfoot`.
    RowGroup,
    Row,
    Cell,
    Caption,
    Break,
    Rule,
    Image,
    /// Raised text.
    Raised,
    /// `q`.
    Quotation,
    /// Has no text, or code: left out.
    Nothing,
    /// Stands around the document: navigation, forms, what is shown without scripts.
    Around {
        block: bool,
    },
}

impl Class {
    /// The class of an element, hidden ones apart.
    pub fn of(element: &Element, in_section: bool) -> Class {
        let Some(name) = element.html_name() else {
            // The words in a drawing are labels; a formula is text.
            return match &*element.name.local {
                "svg" | "annotation" | "annotation-xml" => Class::Around { block: false },
                _ => Class::Inline,
            };
        };
        match element.attr("role").map(str::trim) {
            Some(
                "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu" | "menubar"
                | "toolbar" | "tablist" | "dialog" | "alertdialog" | "doc-toc" | "doc-backlink" | "status",
            ) => return Class::Around { block: Class::named(name, in_section) != Class::Inline },
            Some("heading") => {
                let level =
                    element.attr("aria-level").and_then(|level| level.trim().parse().ok()).unwrap_or(2);
                return Class::Heading(level.clamp(1, 9));
            }
            _ => {}
        }
        match Class::named(name, in_section) {
            Class::Inline if display(element) == Some("block") => Class::Block,
            class => class,
        }
    }

    fn named(name: &str, in_section: bool) -> Class {
        match name {
            "p" | "dt" | "summary" | "figcaption" | "legend" => Class::Paragraph,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "h7" | "h8" | "h9" => {
                let level = name.as_bytes().get(1).map_or(1, |digit| digit.saturating_sub(b'0'));
                Class::Heading(level)
            }
            "ol" => Class::List { ordered: true },
            "ul" | "menu" | "dir" => Class::List { ordered: false },
            "li" => Class::Item,
            "dd" => Class::Definition,
            "blockquote" => Class::Quote,
            "pre" | "listing" | "plaintext" | "xmp" => Class::Preformatted,
            "table" => Class::Table,
            "thead" | "tbody" | "tfoot" => Class::RowGroup,
            "tr" => Class::Row,
            "td" | "th" => Class::Cell,
            "caption" => Class::Caption,
            "br" => Class::Break,
            "hr" => Class::Rule,
            "img" => Class::Image,
            "sup" => Class::Raised,
            "q" => Class::Quotation,
            "address" | "article" | "body" | "center" | "details" | "div" | "dl" | "fieldset" | "figure"
            | "form" | "head" | "hgroup" | "html" | "main" | "section" | "frameset" | "optgroup" => {
                Class::Block
            }
            // The head of a section holds its title, the head of a page does not.
            "header" if in_section => Class::Block,
            "nav" | "aside" | "header" | "footer" | "template" | "dialog" | "search" | "noframes" => {
                Class::Around { block: true }
            }
            "noscript" | "button" | "select" | "option" | "textarea" | "datalist" | "iframe" | "object"
            | "video" | "audio" | "canvas" | "rt" | "rp" | "noembed" | "applet" | "progress" | "meter" => {
                Class::Around { block: false }
            }
            "script" | "style" | "title" | "link" | "meta" | "base" | "col" | "colgroup" | "param"
            | "source" | "track" | "wbr" | "input" | "area" | "embed" | "basefont" | "bgsound" | "frame" => {
                Class::Nothing
            }
            _ => Class::Inline,
        }
    }

    /// True for what does not stand in a heading.
    pub fn ends_heading(self) -> bool {
        matches!(
            self,
            Class::Paragraph
                | Class::List { .. }
                | Class::Definition
                | Class::Quote
                | Class::Preformatted
                | Class::Table
        )
    }

    /// True when text before and after it does not run on.
    pub fn separates(self) -> bool {
        !matches!(
            self,
            Class::Inline
                | Class::Raised
                | Class::Quotation
                | Class::Image
                | Class::Break
                | Class::Nothing
                | Class::Around { block: false }
        )
    }
}

/// True when a browser does not show the element.
pub(super) fn is_hidden(element: &Element) -> bool {
    // Text that a search in the page may reveal is part of the page.
    let attribute = element.attr("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"));
    let labelled = element.attr("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"));
    // A dialog that was open when the page was saved hides all of it.
    let page = matches!(element.html_name(), Some("html" | "body" | "main"));
    attribute
        || labelled && !page
        || display(element) == Some("none")
        || style_of(element, "visibility") == Some("hidden")
}

fn display(element: &Element) -> Option<&str> {
    style_of(element, "display")
}

/// The value of a property in the style attribute; the last one counts.
pub(super) fn style_of<'e>(element: &'e Element, property: &str) -> Option<&'e str> {
    properties(element).filter(|(name, _)| name.eq_ignore_ascii_case(property)).last().map(|(_, value)| value)
}

/// The declarations of the style attribute.
pub(super) fn properties(element: &Element) -> impl Iterator<Item = (&str, &str)> {
    let declarations = element.attr("style").unwrap_or_default().split(';');
    declarations.filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        let value = value.trim();
        Some((name.trim(), value.strip_suffix("!important").map_or(value, str::trim_end)))
    })
}

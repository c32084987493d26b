//! What a line may begin with that opens a block: numbers of sections, list markers, named parts.

/// What stands at the beginning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// `§28-101.1`, `1004.5`, `[F] 903.2`.
    Section,
    /// `ARTICLE 302`, `SECTION 1004`, `TABLE 307.1`, `(CRC) CHAPTER 4`.
    Part,
    /// `1.`, `(a)`, `•`.
    List,
    /// `Exception:`.
    Exception,
    None,
}

const PARTS: [&str; 13] = [
    "CHAPTER",
    "ARTICLE",
    "SECTION",
    "PART",
    "SUBPART",
    "SUBCHAPTER",
    "TITLE",
    "DIVISION",
    "APPENDIX",
    "TABLE",
    "FIGURE",
    "DIAGRAM",
    "SUBARTICLE",
];

/// The marker of a line's text.
pub(super) fn marker(text: &str) -> Marker {
    let text = text.trim_start_matches(['*', ' ']);
    let bare = committee(text);
    if section(bare) {
        Marker::Section
    } else if part(text) {
        Marker::Part
    } else if exception(text) {
        Marker::Exception
    } else if list(text) {
        Marker::List
    } else {
        Marker::None
    }
}

/// Leaves out `[F]` or `[BS]` before a number.
fn committee(text: &str) -> &str {
    let Some(rest) = text.strip_prefix('[') else {
        return text;
    };
    match rest.split_once(']') {
        Some((inner, rest))
            if inner.len() <= 4 && inner.chars().all(|c| c.is_ascii_uppercase() || c == ',') =>
        {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Leaves out `(CRC)` before the heading of another code's chapter.
fn other_code(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    match inner {
        Some((name, rest))
            if (2..=5).contains(&name.len()) && name.chars().all(|c| c.is_ascii_uppercase()) =>
        {
            rest.trim_start()
        }
        _ => text,
    }
}

fn section(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix('§') {
        let rest = rest.trim_start();
        return rest.starts_with(|c: char| c.is_ascii_digit())
            || rest.starts_with(|c: char| c.is_ascii_uppercase());
    }
    let (token, rest) = match text.split_once(char::is_whitespace) {
        Some((token, rest)) => (token, rest.trim_start()),
        None => (text, ""),
    };
    // "1.7." is an item of item 1; a section of that form has longer numbers.
    if token.ends_with('.') && token.split('.').all(|part| part.len() <= 2) {
        return false;
    }
    let token = token.trim_end_matches('.');
    // Most words go no further.
    if !token.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
        || !token.contains(['.', ':'])
    {
        return false;
    }
    let digits = token.chars().filter(char::is_ascii_digit).count();
    let well_formed = token.chars().all(|c| c.is_ascii_alphanumeric() || ".-:".contains(c));
    let letters = token.chars().filter(char::is_ascii_alphabetic).count();
    // At least two parts, as in 1004.5, H101.2, 11B-404.2, 4101:1-10-04; and a title or text after it.
    let parts = token.split(['.', '-', ':']).filter(|part| part.chars().any(|c| c.is_ascii_digit())).count();
    let goes_on = rest.starts_with(|c: char| c.is_uppercase() || "\"“‘'(*[".contains(c)) || rest.is_empty();
    well_formed && digits >= 2 && letters <= 3 && parts >= 2 && goes_on
}

fn part(text: &str) -> bool {
    let text = other_code(text);
    let Some((word, rest)) = text.split_once(char::is_whitespace) else {
        return false;
    };
    if !PARTS.contains(&word) {
        return false;
    }
    let number = rest.trim_start().split([' ', ':', '.', '—', '–', '-', '*']).next().unwrap_or_default();
    !number.is_empty()
        && number.len() <= 8
        && (number.chars().any(|c| c.is_ascii_digit()) && number.chars().all(|c| c.is_ascii_alphanumeric())
            || number.chars().all(|c| "IVXLC".contains(c))
            || number.len() <= 2 && number.chars().all(|c| c.is_ascii_uppercase()))
}

fn exception(text: &str) -> bool {
    let rest = text.strip_prefix("Exception").or_else(|| text.strip_prefix("EXCEPTION"));
    let Some(rest) = rest else { return false };
    let rest = rest.trim_start_matches(['s', 'S']);
    let head: String = rest.chars().take(5).collect();
    head.starts_with([':', '.', '('])
        || head
            .trim_start_matches([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            .starts_with([':', '.'])
}

fn list(text: &str) -> bool {
    let (token, rest) = match text.split_once(char::is_whitespace) {
        Some((token, rest)) => (token, rest.trim_start()),
        // A marker alone on its line counts when it is unmistakable.
        None => return text.starts_with('(') && list(&format!("{text} x")),
    };
    if rest.is_empty() {
        return false;
    }
    if matches!(token, "•" | "▪" | "●" | "◦" | "■" | "–" | "—" | "o" | "-" | "□" | "\u{FFFD}")
    {
        return token != "o" || rest.starts_with(char::is_uppercase);
    }
    if let Some(inner) = token.strip_prefix('(').and_then(|t| t.split_once(')')).map(|(inner, _)| inner) {
        return label(inner);
    }
    let Some(inner) = token.strip_suffix(['.', ')']) else {
        return false;
    };
    // "1.1." is an item of an item; "a." one too; "II." as well.
    label(inner)
        || inner
            .split('.')
            .all(|part| !part.is_empty() && part.len() <= 3 && part.chars().all(|c| c.is_ascii_digit()))
}

fn label(inner: &str) -> bool {
    let len = inner.chars().count();
    (1..=3).contains(&len) && inner.chars().all(|c| c.is_ascii_digit())
        || len == 1 && inner.chars().all(|c| c.is_ascii_alphabetic())
        || len == 2
            && inner.chars().all(|c| c.is_ascii_lowercase())
            && inner.chars().next() == inner.chars().last()
        || (1..=5).contains(&len) && inner.chars().all(|c| "ivx".contains(c))
        || (1..=5).contains(&len) && inner.chars().all(|c| "IVX".contains(c))
}

/// True when the text of an item brings its own marker.
pub(super) fn is_marked(text: &str) -> bool {
    if matches!(marker(text), Marker::List | Marker::Section) {
        return true;
    }
    // "(1.1)", "(iii)" and the like.
    let inner = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inner, _)| inner);
    inner.is_some_and(|inner| {
        (1..=6).contains(&inner.len()) && inner.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}

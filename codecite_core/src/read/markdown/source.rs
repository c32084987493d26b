//! The source before it is parsed: the tags of Jekyll's templates (Liquid, and kramdown's `{: .class}`) are cut
//! out of it, and blank lines in HTML tables, at which Markdown would end them.
//!
//! A tag leaves a character of the last private planes in its place, so that it can be told where it stood.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::read::fold::any;

/// The first of the characters that stand for tags, and how many there are.
const FIRST: u32 = 0xF0000;
const COUNT: usize = 60_000;
/// The byte with which these characters begin, and a few below them.
const PRIVATE: u8 = 0xF3;
/// The longest tag.
const MAX_TAG: usize = 4_000;

/// Tags of the language itself; what they say is not shown.
const BUILT_IN: [&str; 25] = [
    "if",
    "elsif",
    "else",
    "unless",
    "case",
    "when",
    "for",
    "tablerow",
    "break",
    "continue",
    "cycle",
    "assign",
    "capture",
    "increment",
    "decrement",
    "include",
    "include_relative",
    "render",
    "comment",
    "raw",
    "highlight",
    "link",
    "post_url",
    "layout",
    "block",
];

/// A prepared source.
#[derive(Debug)]
pub(super) struct Source<'t> {
    pub text: Cow<'t, str>,
    /// The tags that were cut out, by the number of their characters.
    tags: Vec<String>,
}

impl<'t> Source<'t> {
    /// Prepares a source.
    pub fn new(text: &'t str) -> Source<'t> {
        let is_private = |text: &str| any(text.as_bytes(), |byte| *byte >= PRIVATE);
        let opens = |at: &usize| matches!(text.as_bytes().get(at + 1), Some(b'%' | b'{' | b':'));
        let opens: Vec<usize> = text.match_indices('{').map(|(at, _)| at).filter(opens).collect();
        let mut source = Source { text: Cow::Borrowed(text), tags: Vec::new() };
        if !opens.is_empty() && !is_private(text) {
            let mut cutter = Cutter::new(text, &opens);
            cutter.cut(&opens);
            source = Source { text: Cow::Owned(cutter.out), tags: cutter.tags };
        }
        if let Some(joined) = join_tables(&source.text) {
            source.text = Cow::Owned(joined);
        }
        source
    }
}

/// The pieces of a text between template tags, each with the tag after it.
pub(super) fn cut_tags<'x>(
    text: &'x str,
    source: &'x Source<'_>,
) -> impl Iterator<Item = (&'x str, Option<&'x str>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let found = if source.tags.is_empty() { None } else { find_tag(text) };
        let Some((at, c)) = found else {
            return Some((text, None));
        };
        rest = text.get(at + c.len_utf8()..);
        let tag = source.tags.get((u32::from(c) - FIRST) as usize).map(String::as_str);
        Some((text.get(..at).unwrap_or_default(), tag))
    })
}

/// The first character that stands for a tag.
fn find_tag(text: &str) -> Option<(usize, char)> {
    if !any(text.as_bytes(), |byte| *byte >= PRIVATE) {
        return None;
    }
    text.char_indices().find(|(_, c)| u32::from(*c) >= FIRST)
}

struct Cutter<'t> {
    text: &'t str,
    out: String,
    tags: Vec<String>,
    /// Names of the blocks that are ended somewhere.
    blocks: HashSet<&'t str>,
    /// The next `%}`, `}}` and `}`, where it is known.
    closes: [Option<usize>; 3],
}

impl<'t> Cutter<'t> {
    /// `opens` are the places at which a tag may begin.
    fn new(text: &'t str, opens: &[usize]) -> Self {
        let starts = opens.iter().filter_map(|at| text.get(at + 1..)?.strip_prefix('%'));
        let ends = starts.filter_map(|tag| name_of(tag).strip_prefix("end"));
        Cutter {
            text,
            out: String::with_capacity(text.len()),
            tags: Vec::new(),
            blocks: ends.collect(),
            closes: [None; 3],
        }
    }

    fn cut(&mut self, opens: &[usize]) {
        let mut at = front_matter_end(self.text);
        self.out.push_str(self.text.get(..at).unwrap_or_default());
        for open in opens {
            // What a tag holds has gone with it.
            let Some(before) = self.text.get(at..*open) else { continue };
            self.out.push_str(before);
            at = *open;
            let len = self.text.get(at..).and_then(|tag| self.tag(tag, at));
            at += len.unwrap_or_default();
        }
        self.out.push_str(self.text.get(at..).unwrap_or_default());
    }

    /// Cuts out the tag at the beginning of the text, which stands at `at`; returns how long it is.
    fn tag(&mut self, text: &'t str, at: usize) -> Option<usize> {
        let (close, kind) = match text.as_bytes().get(1)? {
            b'%' => ("%}", 0),
            b'{' => ("}}", 1),
            b':' => ("}", 2),
            _ => return None,
        };
        let end = self.next_close(kind, close, at + 2)? + close.len() - at;
        let tag = text.get(..end).filter(|_| end <= MAX_TAG)?;
        if close == "}" {
            // An attribute list stands on one line, and after text or alone; "{:" may also be plain text.
            if tag.contains('\n') || !tag.contains(['.', '#', '=']) && !tag.contains("toc") {
                return None;
            }
        }
        if close != "%}" {
            self.put(tag.to_owned());
            return Some(end);
        }
        let inner = tag.get(2..end - 2)?;
        let name = name_of(inner);
        let arguments =
            inner.trim_start_matches('-').trim_start().get(name.len()..)?.trim_end_matches('-').trim();
        if matches!(name, "comment" | "raw") {
            return self.verbatim(text, end, name);
        }
        let after = text.get(end..).unwrap_or_default();
        let (before, after) = (self.out.trim_end_matches([' ', '\t']), after.trim_start_matches([' ', '\t']));
        let alone =
            (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'));
        let is_own = !BUILT_IN.contains(&name);
        let is_number = !arguments.is_empty() && arguments.bytes().all(|byte| byte.is_ascii_digit());
        let is_title = alone && self.blocks.contains(name) && is_prose(arguments);
        if is_own && is_number {
            // The mark of a note, and the note itself.
            self.put(format!("{{% {name} %}}"));
            self.out.push_str(&format!("[{arguments}]"));
        } else if is_own && is_title {
            // What a block is called is printed above it.
            self.put(format!("{{% {name} %}}"));
            self.out.push_str(&format!("\n\n{arguments}\n\n"));
        } else {
            self.put(tag.to_owned());
            if alone {
                self.out.push('\n');
            }
        }
        Some(end)
    }

    /// A comment is cut out whole, raw text is taken as it stands.
    fn verbatim(&mut self, text: &'t str, end: usize, name: &'t str) -> Option<usize> {
        let rest = text.get(end..)?;
        let mut ends = rest.match_indices("{%").map(|(at, _)| at);
        let closes =
            |at: &usize| name_of(rest.get(at + 2..).unwrap_or_default()).strip_prefix("end") == Some(name);
        // Looked for once: where there is none, there is none further on.
        let found = self.blocks.contains(name).then(|| ends.find(closes)).flatten();
        let Some(at) = found else {
            self.blocks.remove(name);
            return None;
        };
        let stop = at + rest.get(at..)?.find("%}")? + 2;
        if name == "comment" {
            self.put(text.get(..end + stop)?.to_owned());
        } else {
            self.put(text.get(..end)?.to_owned());
            self.out.push_str(rest.get(..at)?);
            self.put(rest.get(at..stop)?.to_owned());
        }
        Some(end + stop)
    }

    /// Where the next closing mark stands. It is looked for once for all tags before it.
    fn next_close(&mut self, kind: usize, close: &str, from: usize) -> Option<usize> {
        let known = self.closes.get_mut(kind)?;
        if known.is_none_or(|at| at < from) {
            let found = self.text.get(from..).and_then(|rest| rest.find(close));
            *known = Some(found.map_or(usize::MAX, |at| from + at));
        }
        known.filter(|at| *at != usize::MAX)
    }

    /// Leaves a character in the place of a tag.
    fn put(&mut self, tag: String) {
        if self.tags.len() < COUNT
            && let Some(c) = u32::try_from(self.tags.len()).ok().and_then(|n| char::from_u32(FIRST + n))
        {
            self.out.push(c);
            self.tags.push(tag);
        }
    }
}

/// The name of a tag, from what is inside it.
fn name_of(inner: &str) -> &str {
    let inner = inner.trim_start_matches('-').trim_start();
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
    inner.get(..end).unwrap_or_default()
}

/// True for words that are shown, not for variables and settings.
fn is_prose(arguments: &str) -> bool {
    arguments.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '"' | '“'))
        && !arguments.contains(['=', '|', '\n'])
}

/// Where front matter ends; it has no tags.
fn front_matter_end(text: &str) -> usize {
    let fence = text.lines().next().map(str::trim_end).unwrap_or_default();
    if fence != "---" && fence != "+++" {
        return 0;
    }
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if index > 0 && line.trim_end() == fence {
            return at;
        }
    }
    0
}

/// How many tags begin with that.
fn tags(text: &str, name: &str) -> usize {
    text.match_indices('<')
        .filter(|(at, _)| text.get(at + 1..).is_some_and(|tag| tag.starts_with(name)))
        .count()
}

/// Takes blank lines out of HTML tables; nothing when they have none.
fn join_tables(text: &str) -> Option<String> {
    let mut closers = tags(text, "/table");
    if closers == 0 {
        return None;
    }
    let mut out = String::new();
    // What stands before has been taken over.
    let mut taken = 0;
    let mut depth = 0usize;
    let mut rest = text;
    while !rest.is_empty() {
        if depth == 0 {
            // Up to the next line with a tag nothing changes.
            let before = rest.split('<').next().unwrap_or_default();
            let end = if before.len() == rest.len() {
                rest.len()
            } else {
                before.rfind('\n').map_or(0, |at| at + 1)
            };
            rest = rest.get(end..).unwrap_or_default();
        }
        let (line, after) = rest.split_at(rest.find('\n').map_or(rest.len(), |at| at + 1));
        rest = after;
        if depth > 0 && line.trim().is_empty() {
            let end = text.len() - rest.len();
            if taken == 0 {
                out.reserve(text.len());
            }
            out.push_str(text.get(taken..end - line.len()).unwrap_or_default());
            taken = end;
            continue;
        }
        if !line.as_bytes().contains(&b'<') {
            continue;
        }
        let (opens, closes) = (tags(line, "table"), tags(line, "/table"));
        closers = closers.saturating_sub(closes);
        if depth > 0 || line.trim_start().starts_with("<table") {
            depth = (depth + opens).saturating_sub(closes);
        }
        if closers == 0 {
            depth = 0;
        }
    }
    if taken == 0 {
        return None;
    }
    out.push_str(text.get(taken..).unwrap_or_default());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(String, Option<String>)> {
        let source = Source::new(text);
        cut_tags(&source.text, &source).map(|(text, tag)| (text.to_owned(), tag.map(str::to_owned))).collect()
    }

    #[test]
    fn tags_are_cut_and_kept() {
        let found = pieces("a {{ x }} b{% include y %}c{: .z}\n");
        let tags: Vec<&str> = found.iter().filter_map(|(_, tag)| tag.as_deref()).collect();
        assert_eq!(tags, ["{{ x }}", "{% include y %}", "{: .z}"]);
        assert_eq!(found.iter().map(|(text, _)| text.as_str()).collect::<String>(), "a  bc\n");
    }

    #[test]
    fn what_is_no_tag_stays() {
        for text in ["a {b} c", "{% never closed", "{{ never", "{", "set {: x y", "{:\n.a}", "f(x) = {: 1 }"]
        {
            assert_eq!(pieces(text), [(text.to_owned(), None)]);
        }
    }

    #[test]
    fn raw_text_is_taken_as_it_stands_and_comments_go_whole() {
        let found = pieces("{% raw %}{{ x }}{% endraw %}{% comment %}no{% endcomment %}");
        assert_eq!(found.iter().map(|(text, _)| text.as_str()).collect::<String>(), "{{ x }}");
        assert_eq!(found.last().and_then(|(_, tag)| tag.clone()), None);
        assert!(found.iter().any(|(_, tag)| tag.as_deref() == Some("{% comment %}no{% endcomment %}")));
    }

    #[test]
    fn front_matter_is_left_alone() {
        let text = "---\ntitle: \"{{ x }}\"\n---\n";
        assert_eq!(pieces(&format!("{text}a")), [(format!("{text}a"), None)]);
    }

    #[test]
    fn blank_lines_go_out_of_tables_and_nothing_else() {
        let table = "a\n\n<table>\n<tr><td>1</td></tr>\n\n \n<tr><td>2</td></tr>\n\n</table>\n\nb\n\n<table>\n</table>\n\nc";
        let joined =
            "a\n\n<table>\n<tr><td>1</td></tr>\n<tr><td>2</td></tr>\n</table>\n\nb\n\n<table>\n</table>\n\nc";
        assert_eq!(Source::new(table).text, joined);
        for same in [joined, "a\n\n<table>\n\nnever closed", "a\n\nb", "</table>\n\na"] {
            assert!(matches!(Source::new(same).text, Cow::Borrowed(text) if text == same), "{same}");
        }
    }

    #[test]
    fn a_brace_inside_a_tag_begins_no_other() {
        let found = pieces("a {% raw %}{{ b }} {% c %}{% endraw %} {{ '{% d' }} {{{ e }}} { {: .f}");
        assert_eq!(
            found.iter().map(|(text, _)| text.as_str()).collect::<String>(),
            "a {{ b }} {% c %}  } { "
        );
    }

    #[test]
    fn many_tags_take_time_in_proportion() {
        for text in ["{% raw %}", "{{", "{%", "{: ", "{% comment %}", "{{x}}", "{% a %}{% enda %}", "<table"]
        {
            Source::new(&text.repeat(20_000));
        }
    }
}

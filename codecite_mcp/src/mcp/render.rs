//! Results as the model sees them: structured, as text, and within a budget.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use crate::fault::Fault;
use crate::output::take_chars;

/// Bodies are not cut below this: less is no evidence.
const LEAST_BODY: usize = 200;

/// A result that can be made smaller, and says what it lost.
pub trait Bounded: Serialize {
    /// The rendering as text.
    fn text(&self) -> String;
    /// Loses at least some of `excess` characters; false if there is nothing left to lose.
    fn shrink(&mut self, excess: usize) -> bool;
}

/// The result, with neither its text nor its structured form above the budget.
pub fn reply(mut result: impl Bounded, max_chars: usize) -> CallToolResult {
    loop {
        let text = result.text();
        let value = serde_json::to_value(&result).unwrap_or(Value::Null);
        let size = text.chars().count().max(value.to_string().chars().count());
        if size <= max_chars || !result.shrink(size - max_chars) {
            let mut reply = CallToolResult::structured(value);
            reply.content = vec![ContentBlock::text(take_chars(&text, max_chars).0)];
            return reply;
        }
    }
}

/// A fault as a tool error.
pub fn fault(fault: &Fault) -> String {
    format!(
        "ERROR: {fault}\nThis is a failed look-up, not an answer: do not conclude that a code lacks something."
    )
}

/// The text of a result alone, after it lost what is above the budget.
pub fn fit_text(result: &mut impl Bounded, max_chars: usize) -> String {
    loop {
        let text = result.text();
        let size = text.chars().count();
        if size <= max_chars || !result.shrink(size - max_chars) {
            return take_chars(&text, max_chars).0.to_owned();
        }
    }
}

/// Shortens a body by about `excess`, at a space, and not below what is worth showing.
pub fn cut_body(body: &mut String, excess: usize) -> bool {
    let length = body.chars().count();
    let wanted = length.saturating_sub(excess.max(64)).max(LEAST_BODY);
    if wanted >= length {
        return false;
    }
    let end = take_chars(body, wanted).0.len();
    let kept = body.get(..end).unwrap_or("");
    // A word is not halved, unless it is as long as a page.
    let end =
        kept.rfind(char::is_whitespace).map_or(end, |space| if end - space < 80 { space + 1 } else { end });
    body.truncate(end);
    true
}

/// Shortens the longest of many texts to half, all of them that are longer than that: a few steps, however many there are.
pub fn cap_longest<'a>(texts: impl Iterator<Item = &'a mut String>) -> bool {
    let mut texts: Vec<&mut String> = texts.collect();
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let cap = (longest / 2).max(LEAST_BODY);
    let mut lost = false;
    for text in &mut texts {
        let length = text.chars().count();
        lost |= length > cap && cut_body(text, length - cap);
    }
    lost
}

/// Drops texts from the end, until about `excess` characters are gone.
pub fn drop_last_texts<'a>(
    texts: impl DoubleEndedIterator<Item = &'a mut Option<String>>,
    excess: usize,
) -> bool {
    let mut gone = 0;
    for text in texts.rev() {
        if gone >= excess {
            break;
        }
        gone += text.take().map_or(0, |text| text.chars().count() + 1);
    }
    gone > 0
}

/// Drops the end of a list, for about `excess` characters at `each` a line. Some of a long list goes at least, so that short
/// lines do not cost many steps.
pub fn drop_last<T>(list: &mut Vec<T>, excess: usize, each: usize) -> bool {
    let goes = (excess / each + 1).max(list.len() / 16).min(list.len());
    list.truncate(list.len() - goes);
    goes > 0
}

/// One line of facts, those that are known.
pub fn push_about(out: &mut String, about: impl IntoIterator<Item = Option<String>>) {
    let about: Vec<String> = about.into_iter().flatten().collect();
    out.push_str(&about.join(" · "));
    out.push('\n');
}

/// Document text is marked on each line: no text of a document can pass for the tool's own.
pub fn push_quote(out: &mut String, body: &str) {
    for line in body.trim_end().lines() {
        out.push_str("> ");
        out.push_str(line);
        out.push('\n');
    }
}

/// The server's notices.
pub fn push_notes(out: &mut String, notes: &[String]) {
    for note in notes {
        out.push_str(&format!("note: {note}\n"));
    }
}

/// What was cut, last.
pub fn push_truncated(out: &mut String, truncated: Option<&str>) {
    if let Some(text) = truncated {
        out.push_str(&format!("\ntruncated: {text}\n"));
    }
}

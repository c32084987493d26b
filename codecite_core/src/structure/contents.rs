//! Contents pages: lists of headings that come again where they belong.

use std::collections::{HashMap, HashSet};

use super::headings::{Candidate, is_contents_line};
use crate::document::{Block, BlockKind, Document};
use crate::number::Number;

/// A line of a contents page is at most so long.
const MAX_LINE: usize = 200;
/// "Contents" is looked for so many lines above the first heading of a list.
const MAX_ABOVE: usize = 512;
/// What stands above a contents page.
const TITLES: [&str; 5] =
    ["contents", "table of contents", "contents page", "list of contents", "index of sections"];
/// An entry goes on in at most so many lines.
const MAX_WRAPPED: usize = 2;
/// A contents page lists at least so many headings.
const MIN_LINES: usize = 3;

/// The blocks that look like headings and are lines of a contents page: they stand among short lines below the word
/// "Contents", or directly below one another, and every number comes again later.
pub(super) fn contents_lines(document: &Document, candidates: &[Candidate]) -> HashSet<usize> {
    let keys: Vec<String> = candidates.iter().map(|candidate| candidate.number.key()).collect();
    let last_of: HashMap<&str, usize> =
        keys.iter().enumerate().map(|(index, key)| (key.as_str(), index)).collect();
    let comes_again = |index: &usize, after: usize| {
        let last = keys.get(*index).and_then(|key| last_of.get(key.as_str()));
        last.is_some_and(|last| *last > after)
    };
    let mut found = HashSet::new();
    let mut from = 0;
    while from < candidates.len() {
        let run = run_of_lines(document, candidates, from);
        let last = run.last().copied().unwrap_or(from);
        let listed: Vec<usize> = run.iter().filter(|index| comes_again(index, last)).copied().collect();
        // Parts that are only listed because they are missing here do not make it something else.
        if listed.len() >= MIN_LINES && listed.len() * 10 >= run.len() * 8 {
            found.extend(
                listed.iter().filter_map(|index| candidates.get(*index)).map(|candidate| candidate.block),
            );
        }
        from = last + 1;
    }
    let wrapped = candidates.iter().enumerate().filter(|(index, candidate)| {
        comes_again(index, *index) && wraps_to_leader(document, candidate.block)
    });
    found.extend(wrapped.map(|(_, candidate)| candidate.block));
    found
}

/// The candidates from `from` on between which there are only short lines without sentences. Below the word "Contents"
/// there may be any number of them, elsewhere one.
fn run_of_lines(document: &Document, candidates: &[Candidate], from: usize) -> Vec<usize> {
    let mut run = vec![from];
    let mut seen: HashSet<&Number> = candidates.get(from).map(|first| &first.number).into_iter().collect();
    let mut titled = candidates.get(from).is_some_and(|first| stands_below_title(document, first.block));
    for (index, pair) in candidates.windows(2).enumerate().skip(from) {
        let [before, next] = pair else { break };
        let between = document.blocks.get(before.block..next.block).unwrap_or_default();
        let lines = between.iter().filter(|block| is_line(document, block)).count();
        titled |= between.iter().any(|block| is_title(document, block));
        // A number that comes again is where the list has ended and the law begins.
        let again = !seen.insert(&next.number);
        if lines < between.len() || !titled && between.len() > 2 || again {
            break;
        }
        run.push(index + 1);
    }
    run
}

/// The entry goes on in the next lines, which end with dots and a page number.
fn wraps_to_leader(document: &Document, block: usize) -> bool {
    let below = document.blocks.get(block + 1..).unwrap_or_default().iter().take(MAX_WRAPPED);
    let rests = below.map(|block| (block, document.slice(block.span)));
    let mut rests =
        rests.take_while(|(block, text)| is_line(document, block) && text.starts_with(char::is_alphabetic));
    rests.any(|(_, text)| is_contents_line(text))
}

fn is_line(document: &Document, block: &Block) -> bool {
    let text = document.slice(block.span).trim_end();
    let is_flow = !matches!(block.kind, BlockKind::Table(_) | BlockKind::Footnote | BlockKind::Preformatted);
    // Dot leaders end with a page number; a sentence ends with its stop.
    is_flow && text.len() <= MAX_LINE && !text.ends_with(['.', ';', ':', ','])
}

fn is_title(document: &Document, block: &Block) -> bool {
    let text = document.slice(block.span).trim().to_lowercase();
    TITLES.contains(&text.as_str())
}

/// Only short lines stand between the block and the word "Contents" above it.
fn stands_below_title(document: &Document, block: usize) -> bool {
    let above = document.blocks.get(..block).unwrap_or_default().iter().rev();
    above.take(MAX_ABOVE).take_while(|block| is_line(document, block)).any(|block| is_title(document, block))
}

#[cfg(test)]
mod tests {
    use crate::profile::Profile;
    use crate::read::markdown;
    use crate::structure::build;
    use crate::work::{Limits, Unwatched, Work};

    fn numbers(source: &str) -> Vec<(String, usize)> {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let mut work = Work::new(&limits, &mut watcher);
        let document = markdown::read(source.as_bytes(), &mut work).unwrap();
        let tree = build(&document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap();
        let numbered =
            tree.sections.iter().filter_map(|s| Some((s.number.as_ref()?.to_string(), s.span.start)));
        numbered.collect()
    }

    const BODY: &str = "## CHAPTER 1 SCOPE\n\n### 101.1 Title.\n\nThis is the code.\n\n### 101.2 Scope.\n\nIt applies.\n\n### 101.3 Intent.\n\nIt is meant.\n";

    #[test]
    fn a_contents_page_is_no_part_of_the_law() {
        let with = format!(
            "# A code\n\n**Contents**\n\nPreface\n\n**CHAPTER 1 SCOPE**\n\n**101.1 Title**\n\nHow to use it\n\n**101.2 Scope**\n\n**101.3 Intent**\n\n{BODY}"
        );
        let found = numbers(&with);
        let names: Vec<&str> = found.iter().map(|(number, _)| number.as_str()).collect();
        assert_eq!(names, ["Chapter 1", "101.1", "101.2", "101.3"]);
        assert!(found.iter().all(|(_, start)| *start >= with.find("## CHAPTER").unwrap() - 40));
    }

    #[test]
    fn headings_without_text_that_come_once_are_headings() {
        let found = numbers(
            "## CHAPTER 1 SCOPE\n\n### 101.1 Reserved.\n\n### 101.2 Reserved.\n\n### 101.3 Reserved.\n\n### 101.4 Reserved.\n",
        );
        assert_eq!(found.len(), 5);
    }
}

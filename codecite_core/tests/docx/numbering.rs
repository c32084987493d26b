//! Automatic numbers, one rule at a time, and against a straightforward model.

use codecite_core::document::BlockKind;
use proptest::prelude::*;

use super::writer::{Docx, cell, paragraph, plain, row, run, styled, table, with};
use super::{read, texts};

fn level(index: usize, format: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{index}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>{more}<w:lvlText w:val=\"{text}\"/></w:lvl>"
    )
}

fn definition(id: usize, levels: &[String]) -> String {
    format!("<w:abstractNum w:abstractNumId=\"{id}\">{}</w:abstractNum>", levels.concat())
}

fn list(id: usize, definition: usize, overrides: &str) -> String {
    format!("<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{definition}\"/>{overrides}</w:num>")
}

fn start_at(level: usize, start: usize) -> String {
    format!("<w:lvlOverride w:ilvl=\"{level}\"><w:startOverride w:val=\"{start}\"/></w:lvlOverride>")
}

/// A numbered paragraph with the text `x`.
fn item(list: usize, level: usize) -> String {
    let number = format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>");
    with(&number, &run("x"))
}

/// The labels of the items of a document: what stands before their `x`.
fn labels(numbering: &str, items: &[(usize, usize)]) -> Vec<String> {
    let body: String = items.iter().map(|(list, level)| item(*list, *level)).collect();
    let document = read(&Docx::new(&body).numbering(numbering));
    texts(&document).iter().map(|text| text.trim_end_matches('x').trim_end().to_owned()).collect()
}

fn decimals() -> Vec<String> {
    ["%1.", "%1.%2.", "%1.%2.%3."].iter().enumerate().map(|(i, text)| level(i, "decimal", text, "")).collect()
}

#[test]
fn levels_count_and_restart() {
    let numbering = definition(0, &decimals()) + &list(1, 0, "");
    let items = [0, 1, 1, 2, 1, 0, 1].map(|level| (1, level));
    assert_eq!(labels(&numbering, &items), ["1.", "1.1.", "1.2.", "1.2.1.", "1.3.", "2.", "2.1."]);
}

#[test]
fn a_level_that_is_passed_over_counts_as_used() {
    let numbering = definition(0, &decimals()) + &list(1, 0, "");
    assert_eq!(labels(&numbering, &[(1, 1), (1, 0), (1, 2), (1, 1)]), ["1.1.", "2.", "2.1.1.", "2.2."]);
}

#[test]
fn lists_of_one_definition_count_on_and_overrides_restart_once() {
    let numbering =
        definition(0, &decimals()) + &list(1, 0, "") + &list(2, 0, &start_at(0, 5)) + &list(3, 0, "");
    let items = [(1, 0), (1, 0), (2, 0), (2, 0), (3, 0), (2, 0)];
    assert_eq!(labels(&numbering, &items), ["1.", "2.", "5.", "6.", "7.", "8."]);
}

#[test]
fn a_level_restarts_when_it_is_told_to() {
    let never = level(1, "decimal", "%2)", "<w:lvlRestart w:val=\"0\"/>");
    let numbering = definition(0, &[level(0, "decimal", "%1.", ""), never]) + &list(1, 0, "");
    assert_eq!(labels(&numbering, &[(1, 0), (1, 1), (1, 0), (1, 1)]), ["1.", "1)", "2.", "2)"]);
    let after_first = level(2, "decimal", "%3)", "<w:lvlRestart w:val=\"1\"/>");
    let levels = [level(0, "decimal", "%1.", ""), level(1, "decimal", "%2.", ""), after_first];
    let numbering = definition(0, &levels) + &list(1, 0, "");
    let items = [(1, 0), (1, 1), (1, 2), (1, 1), (1, 2), (1, 0), (1, 2)];
    assert_eq!(labels(&numbering, &items), ["1.", "1.", "1)", "2.", "2)", "2.", "1)"]);
}

#[test]
fn legal_levels_show_decimals() {
    let levels = [
        level(0, "upperRoman", "ARTICLE %1", ""),
        level(1, "decimalZero", "Section %1.%2", "<w:isLgl/>"),
        level(2, "lowerLetter", "%1.%2(%3)", "<w:isLgl/>"),
    ];
    let numbering = definition(0, &levels) + &list(1, 0, "");
    let items = [(1, 0), (1, 0), (1, 1), (1, 2)];
    assert_eq!(labels(&numbering, &items), ["ARTICLE I", "ARTICLE II", "Section 2.01", "2.1(a)"]);
}

#[test]
fn bullets_and_labels_without_numbers() {
    let levels =
        [level(0, "bullet", "\u{f0b7}", ""), level(1, "none", "", ""), level(2, "decimal", "Note:", "")];
    let numbering = definition(0, &levels) + &list(1, 0, "");
    assert_eq!(labels(&numbering, &[(1, 0), (1, 1), (1, 2)]), ["•", "", "Note:"]);
}

#[test]
fn what_follows_the_label_is_one_space_or_nothing() {
    for (suffix, text) in [("tab", "1. x"), ("space", "1. x"), ("nothing", "1.x")] {
        let levels = [level(0, "decimal", "%1.", &format!("<w:suff w:val=\"{suffix}\"/>"))];
        let docx = Docx::new(&item(1, 0)).numbering(&(definition(0, &levels) + &list(1, 0, "")));
        assert_eq!(texts(&read(&docx)), [text]);
    }
}

const STYLES: &str = "\
    <w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/>\
      <w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:name w:val=\"heading 2\"/>\
      <w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Clause\"><w:name w:val=\"Clause\"/><w:basedOn w:val=\"H1\"/>\
      <w:pPr><w:outlineLvl w:val=\"9\"/></w:pPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Bare\"><w:name w:val=\"Bare\"/><w:basedOn w:val=\"H2\"/>\
      <w:pPr><w:numPr><w:numId w:val=\"0\"/></w:numPr></w:pPr></w:style>\
    <w:style w:type=\"numbering\" w:styleId=\"Outline\"><w:name w:val=\"Outline\"/>\
      <w:pPr><w:numPr><w:numId w:val=\"2\"/></w:numPr></w:pPr></w:style>";

fn as_style(style: &str, more: &str) -> String {
    with(&format!("<w:pStyle w:val=\"{style}\"/>{more}"), &run("x"))
}

#[test]
fn styles_bring_their_numbers() {
    let levels = [
        level(0, "decimal", "100%1", "<w:pStyle w:val=\"H1\"/>"),
        level(1, "decimal", "100%1.%2", "<w:pStyle w:val=\"H2\"/>"),
        level(2, "lowerLetter", "(%3)", "<w:pStyle w:val=\"Clause\"/>"),
    ];
    let numbering = definition(0, &levels) + &list(1, 0, "");
    let suppressed = "<w:numPr><w:numId w:val=\"0\"/></w:numPr>";
    let body = [
        as_style("H1", ""),
        as_style("H2", ""),
        as_style("Clause", ""),
        as_style("H2", suppressed),
        as_style("Bare", ""),
        as_style("H2", ""),
    ];
    let document = read(&Docx::new(&body.concat()).styles(STYLES).numbering(&numbering));
    assert_eq!(texts(&document), ["1001 x", "1001.1 x", "(a) x", "x", "x", "1001.2 x"]);
    let kinds: Vec<_> = document.blocks.iter().map(|b| b.kind.clone()).collect();
    assert_eq!(kinds[0], BlockKind::Heading { level: 1 });
    assert_eq!(kinds[2], BlockKind::ListItem { depth: 3 });
    // The number shares the bold type of its paragraph.
    assert_eq!(document.slice(document.blocks[0].bold_lead(&document.text)), "1001 x");
}

#[test]
fn a_list_may_be_defined_by_a_style() {
    let link = "<w:abstractNum w:abstractNumId=\"7\"><w:numStyleLink w:val=\"Outline\"/></w:abstractNum>";
    let numbering = definition(0, &decimals()) + link + &list(1, 7, "") + &list(2, 0, "");
    let body = item(1, 0) + &item(2, 0) + &item(1, 1);
    let document = read(&Docx::new(&body).styles(STYLES).numbering(&numbering));
    assert_eq!(texts(&document), ["1. x", "2. x", "2.1. x"]);
}

#[test]
fn a_list_may_have_levels_of_its_own() {
    let own = format!("<w:lvlOverride w:ilvl=\"0\">{}</w:lvlOverride>", level(0, "upperLetter", "%1)", ""));
    let numbering = definition(0, &decimals()) + &list(1, 0, "") + &list(2, 0, &own);
    assert_eq!(labels(&numbering, &[(1, 0), (2, 0), (1, 0)]), ["1.", "B)", "3."]);
}

#[test]
fn what_counts_and_what_does_not() {
    let numbering = definition(0, &decimals()) + &list(1, 0, "");
    let number = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";
    let gone = format!("{number}<w:rPr><w:del w:id=\"1\"/></w:rPr>");
    let boxed = format!("<w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r>", item(1, 0));
    let body = [
        item(1, 0),
        // An empty paragraph shows its number.
        with(number, ""),
        // One whose mark was deleted has none.
        with(&gone, ""),
        plain("between"),
        paragraph(&(run("around") + &boxed)),
        table(&[row("", &[cell("", &item(1, 0)), cell("", &item(1, 0))])]),
        with("<w:numPr><w:numId w:val=\"99\"/></w:numPr>", &run("no such list")),
        item(1, 0),
    ];
    let document = read(&Docx::new(&body.concat()).numbering(&numbering));
    let expected =
        ["1. x", "2.", "between", "around", "1. x", "| 3. x | 4. x |\n|---|---|", "no such list", "5. x"];
    assert_eq!(texts(&document), expected);
}

#[test]
fn the_number_of_struck_text_is_struck() {
    let numbering = definition(0, &decimals()) + &list(1, 0, "");
    let number = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";
    let docx = Docx::new(&with(number, &styled("<w:strike/>", "old"))).numbering(&numbering);
    let document = read(&docx);
    assert!(document.blocks[0].runs.iter().all(|run| run.style.struck));
    assert_eq!(document.slice(document.blocks[0].runs[0].span), "1. old");
}

#[test]
fn absurd_labels_are_bounded() {
    let numbering = definition(0, &[level(0, "decimal", &"9".repeat(100_000), "")])
        + &list(1, 0, "")
        + &definition(1, &[level(0, "lowerLetter", "%1", "")])
        + &list(2, 1, &start_at(0, 2_000_000_000));
    let shown = labels(&numbering, &[(1, 0), (2, 0), (2, 0)]);
    assert!(
        shown.iter().all(|label| label.len() < 200),
        "{:?}",
        shown.iter().map(String::len).collect::<Vec<_>>()
    );
}

/// What the property tests know of a list: where each level starts, whether it restarts, and its own starts.
#[derive(Debug, Clone)]
struct Model {
    restart: [Option<usize>; 3],
    /// For the second list of the definition: the start of each level, if it has one.
    starts: [Option<usize>; 3],
}

impl Model {
    fn numbering(&self) -> String {
        let levels: Vec<String> = ["%1.", "%1.%2.", "%1.%2.%3."]
            .iter()
            .enumerate()
            .map(|(i, text)| {
                let restart =
                    self.restart[i].map_or(String::new(), |n| format!("<w:lvlRestart w:val=\"{n}\"/>"));
                level(i, "decimal", text, &restart)
            })
            .collect();
        let starts: String = self
            .starts
            .iter()
            .enumerate()
            .filter_map(|(i, start)| start.map(|start| start_at(i, start)))
            .collect();
        definition(0, &levels) + &list(1, 0, "") + &list(2, 0, &starts)
    }

    fn start(&self, list: usize, level: usize) -> usize {
        self.starts[level].filter(|_| list == 2).unwrap_or(1)
    }

    /// The number of a level at an item, from the items before it: it is one more than at the last item that
    /// used the level, unless something restarted it in between.
    fn number(&self, items: &[(usize, usize)], at: usize, level: usize) -> usize {
        let (list, used) = items[at];
        let restarts_after = self.restart[level].unwrap_or(level);
        let before =
            (0..at).rev().take_while(|i| items[*i].1 >= restarts_after).find(|i| items[*i].1 >= level);
        let Some(before) = before else { return self.start(list, level) };
        if used > level {
            return self.number(items, before, level);
        }
        // The second list's own start holds once.
        if list == 2 && self.starts[level].is_some() && !self.is_spent(items, at, level) {
            return self.start(list, level);
        }
        self.number(items, before, level) + 1
    }

    /// Whether an item before `at` has used the own start of the second list's level: one of the level, or one
    /// below it that found the level unused.
    fn is_spent(&self, items: &[(usize, usize)], at: usize, level: usize) -> bool {
        (0..at).filter(|i| items[*i].0 == 2).any(|i| {
            let used = items[i].1;
            let restarts_after = self.restart[level].unwrap_or(level);
            let is_unused =
                !(0..i).rev().take_while(|k| items[*k].1 >= restarts_after).any(|k| items[k].1 >= level);
            used == level || used > level && is_unused
        })
    }

    fn labels(&self, items: &[(usize, usize)]) -> Vec<String> {
        let label = |at: usize| {
            (0..=items[at].1).map(|level| format!("{}.", self.number(items, at, level))).collect::<String>()
        };
        (0..items.len()).map(label).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn numbers_are_those_of_the_model(
        items in prop::collection::vec((1usize..=2, 0usize..3), 1..14),
        never in prop::collection::vec(any::<bool>(), 3),
        starts in prop::collection::vec(prop::option::of(0usize..9), 3),
    ) {
        let restart = |level: usize| (level > 0 && never[level]).then_some(0);
        let model = Model {
            restart: [restart(0), restart(1), restart(2)],
            starts: [starts[0], starts[1], starts[2]],
        };
        prop_assert_eq!(labels(&model.numbering(), &items), model.labels(&items));
    }
}

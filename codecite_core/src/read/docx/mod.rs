//! The DOCX reader: a package of XML parts (ECMA-376, transitional and strict), read in document order, with
//! tracked changes accepted and automatic numbers worked out.

mod emit;
mod inline;
mod number_format;
mod numbering;
mod package;
mod paragraph;
mod properties;
mod rows;
mod styles;
mod symbols;
mod table;
mod walk;
mod xml;

use emit::Emitter;
use number_format::NumberFormat;
use numbering::Numbering;
use package::{Package, Relation};
use paragraph::{Item, Paragraph, StoryKind};
use styles::Styles;
use walk::{Seen, Walker};
use xml::{Space, Token, Xml};

use crate::document::{Document, Format, FurnitureKind, Warning};
use crate::error::{Error, Result};
use crate::work::Work;

/// Headers and footers that say the same are told once, up to so many different ones.
const MAX_HEADERS: usize = 1000;

/// What the parts beside the main one say about it.
#[derive(Debug, Default)]
struct Context {
    styles: Styles,
    numbering: Numbering,
    footnote_format: Option<NumberFormat>,
    endnote_format: Option<NumberFormat>,
}

/// Reads a DOCX file.
///
/// # Errors
/// [`Error::Malformed`], [`Error::Encrypted`], [`Error::BadEncoding`], and limits on entries, decoded bytes,
/// memory, depth, blocks and time.
pub fn read(bytes: &[u8], work: &mut Work<'_>) -> Result<Document> {
    let package = Package::open(bytes, work)?;
    let (main, of_package) = package.main_part(work)?;
    let relations = package.relations(&main, work)?;
    let context = Context::read(&package, &relations, work)?;
    let mut emitter = Emitter::default();
    for kind in ["footnotes", "endnotes"] {
        read_stories(&package, &relations, kind, &context, &mut emitter, work)?;
    }
    let seen = read_main(&package, &main, &context, &mut emitter, work)?;
    // A note that nothing cites is not part of the text; it may have been cited by what was deleted.
    let mut rest: Vec<_> = emitter.stories.drain().collect();
    rest.sort_by_key(|((kind, id), _)| (*kind == StoryKind::Endnote, *id));
    rest.iter().for_each(|(_, paragraphs)| emitter.around(FurnitureKind::Around, &text_of(paragraphs)));
    read_stories(&package, &relations, "comments", &context, &mut emitter, work)?;
    let mut comments: Vec<_> = emitter.stories.drain().collect();
    comments.sort_by_key(|((_, id), _)| *id);
    comments.iter().for_each(|(_, paragraphs)| emitter.around(FurnitureKind::Around, &text_of(paragraphs)));
    read_headers(&package, &relations, &context, &mut emitter, work)?;
    let mut document = emitter.builder.finish();
    document.title = read_title(&package, &of_package, work)?;
    document.warnings = warnings(seen);
    Ok(document)
}

/// True when the content types of a ZIP archive are those of a document; what it is instead, if that is known.
pub(crate) fn sniff(bytes: &[u8]) -> Result<bool, &'static str> {
    let types = package::content_types(bytes).unwrap_or_default();
    let has = |word: &str| types.contains(word);
    if has("wordprocessingml.document.main+xml")
        || has("wordprocessingml.template.main+xml")
        || has("ms-word.document.macroEnabled.main+xml")
        || has("ms-word.template.macroEnabledTemplate.main+xml")
    {
        Ok(true)
    } else if has("spreadsheetml") {
        Err("an Excel workbook")
    } else if has("presentationml") {
        Err("a PowerPoint presentation")
    } else {
        Ok(false)
    }
}

/// The error for a file that is not as it should be.
fn damaged(what: &str) -> Error {
    Error::Malformed { format: Format::Docx, page: None, what: what.to_owned() }
}

impl Context {
    fn read(package: &Package<'_>, relations: &[Relation], work: &mut Work<'_>) -> Result<Self> {
        let mut context = Context::default();
        if let Some(source) = related(package, relations, "styles", work)? {
            context.styles = Styles::read(&mut Xml::new(&source, work))?;
        }
        if let Some(source) = related(package, relations, "numbering", work)? {
            context.numbering = Numbering::read(&mut Xml::new(&source, work))?;
        }
        if let Some(source) = related(package, relations, "settings", work)? {
            let mut xml = Xml::new(&source, work);
            let mut is_endnote = false;
            while let Some(element) = xml.next_inside(0)? {
                match (element.space, element.name()) {
                    (Space::Word, "footnotePr") => is_endnote = false,
                    (Space::Word, "endnotePr") => is_endnote = true,
                    (Space::Word, "numFmt") => {
                        let format = element.val().map(|name| NumberFormat::named(&name));
                        if is_endnote {
                            context.endnote_format = format;
                        } else {
                            context.footnote_format = format;
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(context)
    }
}

/// The text of the first part that the main part is related to in this way.
fn related(
    package: &Package<'_>,
    relations: &[Relation],
    kind: &str,
    work: &mut Work<'_>,
) -> Result<Option<String>> {
    match relations.iter().find(|relation| relation.kind == kind) {
        Some(relation) => package.part(&relation.target, work),
        None => Ok(None),
    }
}

fn read_main(
    package: &Package<'_>,
    main: &str,
    context: &Context,
    emitter: &mut Emitter,
    work: &mut Work<'_>,
) -> Result<Seen> {
    let source = package.part(main, work)?.ok_or_else(|| damaged("its main document part is missing"))?;
    let mut walker = Walker::new(context, false);
    walker.run(&mut Xml::new(&source, work), &mut |item, work| emitter.item(item, work))?;
    work.release_memory(source.len() as u64);
    Ok(walker.seen)
}

/// Reads the notes or comments.
fn read_stories(
    package: &Package<'_>,
    relations: &[Relation],
    kind: &str,
    context: &Context,
    emitter: &mut Emitter,
    work: &mut Work<'_>,
) -> Result<()> {
    let Some(source) = related(package, relations, kind, work)? else { return Ok(()) };
    let mut walker = Walker::new(context, true);
    walker.run(&mut Xml::new(&source, work), &mut |item, work| match item {
        Item::Story { .. } => emitter.item(item, work),
        Item::Paragraph(_) | Item::Table(_) => Ok(()),
    })
}

fn read_headers(
    package: &Package<'_>,
    relations: &[Relation],
    context: &Context,
    emitter: &mut Emitter,
    work: &mut Work<'_>,
) -> Result<()> {
    let mut told: Vec<String> = Vec::new();
    let mut parts: Vec<&str> = Vec::new();
    for relation in relations.iter().filter(|r| matches!(r.kind.as_str(), "header" | "footer")) {
        // A part that is related twice is read once.
        if parts.len() >= MAX_HEADERS || parts.contains(&relation.target.as_str()) {
            continue;
        }
        parts.push(&relation.target);
        let Some(source) = package.part(&relation.target, work)? else { continue };
        let mut paragraphs: Vec<Paragraph> = Vec::new();
        let mut walker = Walker::new(context, true);
        let mut held = 0;
        walker.run(&mut Xml::new(&source, work), &mut |item, work| {
            if let Item::Paragraph(paragraph) = item {
                held += paragraph.weight();
                work.charge_memory(paragraph.weight())?;
                paragraphs.push(paragraph);
            }
            Ok(())
        })?;
        let text = text_of(&paragraphs);
        work.release_memory(held);
        if !told.contains(&text) {
            emitter.around(FurnitureKind::Page, &text);
            told.push(text);
        }
    }
    Ok(())
}

fn text_of(paragraphs: &[Paragraph]) -> String {
    let texts: Vec<&str> =
        paragraphs.iter().map(|p| p.text.as_str()).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

fn read_title(package: &Package<'_>, relations: &[Relation], work: &mut Work<'_>) -> Result<Option<String>> {
    let Some(source) = related(package, relations, "core-properties", work)? else { return Ok(None) };
    let mut xml = Xml::new(&source, work);
    let mut title: Option<String> = None;
    let mut in_title = false;
    while let Some(token) = xml.step()? {
        match token {
            Token::Start(element) => in_title = element.name() == "title",
            Token::End => in_title = false,
            Token::Text(text) if in_title => title.get_or_insert_default().push_str(&text),
            Token::Text(_) => {}
        }
    }
    let title = title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(title.filter(|title| !title.is_empty()))
}

fn warnings(seen: Seen) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code, message| warnings.push(Warning { code, page: None, message });
    if seen.insertions + seen.deletions + seen.joined > 0 {
        warn(
            "tracked_changes",
            format!(
                "tracked changes were read as accepted: {} insertions kept, {} deletions left out, {} paragraphs joined",
                seen.insertions, seen.deletions, seen.joined
            ),
        );
    }
    if seen.unread > 0 {
        warn(
            "unread_part",
            format!(
                "{} parts in other formats (embedded files, diagrams, charts, objects) were not read",
                seen.unread
            ),
        );
    }
    warnings
}

//! Text into a tree with html5ever, under limits.
//!
//! The tree builder looks through the open elements at many tags, so its cost grows with their depth: the
//! depth is checked at every token. So is the number of nodes, because a parser repeats unclosed `<b>`s in
//! every paragraph that follows.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, TokenizerResult};

use super::tags::check_attributes;
use super::tree::{DOCUMENT, Data, Element, NODE_BYTES, NONE, NodeId, Tree};
use crate::error::{Error, Result};
use crate::work::{Stage, Work};

/// Bytes that are fed between two reports of progress.
const PIECE: usize = 32 << 10;
/// The attributes that the reader looks at.
const KEPT: [&str; 18] = [
    "id",
    "name",
    "href",
    "class",
    "style",
    "role",
    "aria-level",
    "aria-hidden",
    "hidden",
    "align",
    "type",
    "start",
    "value",
    "reversed",
    "colspan",
    "rowspan",
    "alt",
    "xmlns",
];

/// Parses HTML. With `xhtml`, `<a/>` is an empty element.
///
/// # Errors
/// Limits on depth, memory and time; [`Error::Malformed`] for a tag with thousands of attributes.
pub(super) fn parse(source: &str, xhtml: bool, work: &mut Work<'_>) -> Result<Tree> {
    check_attributes(source)?;
    let sink = Sink {
        tree: RefCell::new(Tree::new()),
        max_depth: work.limits().max_element_depth,
        max_nodes: work.limits().max_memory_bytes / NODE_BYTES,
        failure: RefCell::new(None),
        failed: Cell::new(false),
    };
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let builder = Guarded { builder: TreeBuilder::new(sink, options), xhtml };
    let tokenizer = Tokenizer::new(builder, TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut booked = 0;
    let mut at = 0;
    while at < source.len() {
        let end = char_boundary(source, at + PIECE);
        input.push_back(StrTendril::from_slice(source.get(at..end).unwrap_or_default()));
        at = end;
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        let sink = &tokenizer.sink.builder.sink;
        if let Some(error) = sink.failure.take() {
            return Err(error);
        }
        let nodes = sink.tree.borrow().len();
        work.charge_memory((nodes - booked) as u64 * NODE_BYTES)?;
        booked = nodes;
        work.tick(Stage::Read, at as u64 / 2, source.len() as u64)?;
    }
    tokenizer.end();
    let sink = &tokenizer.sink.builder.sink;
    match sink.failure.take() {
        Some(error) => Err(error),
        None => Ok(sink.tree.replace(Tree::new())),
    }
}

fn char_boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The tree builder, which sees no more tokens once a limit was passed.
struct Guarded {
    builder: TreeBuilder<NodeId, Sink>,
    xhtml: bool,
}

impl TokenSink for Guarded {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if self.builder.sink.failed.get() {
            return TokenSinkResult::Continue;
        }
        let empty = match &token {
            Token::TagToken(tag) if self.xhtml && tag.self_closing && tag.kind == TagKind::StartTag => {
                (!is_void(&tag.name)).then(|| tag.name.clone())
            }
            _ => None,
        };
        let result = self.builder.process_token(token, line);
        // Elements of SVG and MathML end themselves already.
        let Some(name) =
            empty.filter(|_| !self.builder.adjusted_current_node_present_but_not_in_html_namespace())
        else {
            return result;
        };
        let end = Tag {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        self.builder.process_token(Token::TagToken(end), line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

struct Sink {
    tree: RefCell<Tree>,
    max_depth: u64,
    max_nodes: u64,
    failure: RefCell<Option<Error>>,
    failed: Cell<bool>,
}

impl Sink {
    fn fail(&self, name: &'static str, value: u64, limit: u64) {
        if !self.failed.replace(true) {
            self.failure.replace(Some(Error::Limit { name, value, limit }));
        }
    }

    fn push(&self, data: Data) -> NodeId {
        let mut tree = self.tree.borrow_mut();
        let nodes = tree.len() as u64;
        if nodes >= self.max_nodes {
            let limit = self.max_nodes * NODE_BYTES;
            self.fail("max_memory_bytes", limit + NODE_BYTES, limit);
        }
        tree.push(data)
    }

    /// Puts a node or text under `parent`, before the child `before` or last. Text joins the text before it.
    fn place(&self, parent: NodeId, before: NodeId, child: NodeOrText<NodeId>) {
        let child = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let mut tree = self.tree.borrow_mut();
                let last =
                    if before == NONE { tree.last_child(parent) } else { tree.previous_sibling(before) };
                if tree.extend_text(last, &text) {
                    return;
                }
                drop(tree);
                self.push(Data::Text(text))
            }
        };
        let mut tree = self.tree.borrow_mut();
        tree.insert(parent, child, before);
        let depth = u64::from(tree.depth(child));
        if depth > self.max_depth {
            self.fail("max_element_depth", depth, self.max_depth);
        }
    }
}

/// The name of an element, borrowed from the arena.
struct Name<'a>(Ref<'a, QualName>);

impl std::fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = ();
    type ElemName<'a> = Name<'a>;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Name<'a> {
        Name(Ref::map(self.tree.borrow(), |tree| tree.name(*target)))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> NodeId {
        let kept =
            |attr: Attribute| KEPT.contains(&&*attr.name.local).then_some((attr.name.local, attr.value));
        let attrs = attrs.into_iter().filter_map(kept).collect();
        self.push(Data::Element(Element { name, attrs }))
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.push(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.push(Data::Other)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.place(*parent, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &NodeId, previous: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.tree.borrow().parent(*element);
        if parent == NONE {
            self.place(*previous, NONE, child);
        } else {
            self.place(parent, *element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    // What stands in a template is not shown; the element itself holds it.
    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        *target
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.tree.borrow().parent(*sibling);
        self.place(parent, *sibling, child);
    }

    fn add_attrs_if_missing(&self, _: &NodeId, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &NodeId) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.tree.borrow_mut().move_children(*node, *new_parent);
    }
}

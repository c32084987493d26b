//! The element tree: an arena with links, so that no depth needs a stack and nothing is dropped recursively.

use html5ever::tendril::StrTendril;
use html5ever::{LocalName, QualName, local_name, ns};

/// A node's place in the arena.
pub(super) type NodeId = u32;
/// No node.
pub(super) const NONE: NodeId = NodeId::MAX;
/// The root.
pub(super) const DOCUMENT: NodeId = 0;

/// What a node is booked at: the node, its name and a few attributes.
pub(super) const NODE_BYTES: u64 = 160;

/// What a node is.
#[derive(Debug)]
pub(super) enum Data {
    Document,
    Element(Element),
    Text(StrTendril),
    /// A comment, a processing instruction.
    Other,
}

/// An element with the attributes that the reader looks at.
#[derive(Debug)]
pub(super) struct Element {
    pub name: QualName,
    pub attrs: Vec<(LocalName, StrTendril)>,
}

impl Element {
    /// The value of an attribute.
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|(local, _)| &**local == name).map(|(_, value)| &**value)
    }

    /// The name of an HTML element; nothing for one of SVG or MathML.
    pub fn html_name(&self) -> Option<&str> {
        (self.name.ns == ns!(html)).then_some(&*self.name.local)
    }
}

#[derive(Debug)]
struct Node {
    parent: NodeId,
    first: NodeId,
    last: NodeId,
    previous: NodeId,
    next: NodeId,
    depth: u32,
    data: Data,
}

/// All nodes of a document.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The name of what is no element.
    no_name: QualName,
}

impl Tree {
    pub fn new() -> Self {
        let no_name = QualName::new(None, ns!(), local_name!(""));
        let mut tree = Tree { nodes: Vec::new(), no_name };
        tree.push(Data::Document);
        tree
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A new node without a parent.
    pub fn push(&mut self, data: Data) -> NodeId {
        let node = Node { parent: NONE, first: NONE, last: NONE, previous: NONE, next: NONE, depth: 0, data };
        self.nodes.push(node);
        NodeId::try_from(self.nodes.len() - 1).unwrap_or(NONE)
    }

    fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id as usize)
    }

    pub fn data(&self, id: NodeId) -> &Data {
        self.get(id).map_or(&Data::Other, |node| &node.data)
    }

    pub fn element(&self, id: NodeId) -> Option<&Element> {
        match self.data(id) {
            Data::Element(element) => Some(element),
            _ => None,
        }
    }

    pub fn name(&self, id: NodeId) -> &QualName {
        self.element(id).map_or(&self.no_name, |element| &element.name)
    }

    pub fn text(&self, id: NodeId) -> Option<&str> {
        match self.data(id) {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn parent(&self, id: NodeId) -> NodeId {
        self.get(id).map_or(NONE, |node| node.parent)
    }

    pub fn first_child(&self, id: NodeId) -> NodeId {
        self.get(id).map_or(NONE, |node| node.first)
    }

    pub fn next_sibling(&self, id: NodeId) -> NodeId {
        self.get(id).map_or(NONE, |node| node.next)
    }

    pub fn last_child(&self, id: NodeId) -> NodeId {
        self.get(id).map_or(NONE, |node| node.last)
    }

    pub fn previous_sibling(&self, id: NodeId) -> NodeId {
        self.get(id).map_or(NONE, |node| node.previous)
    }

    /// Elements above it.
    pub fn depth(&self, id: NodeId) -> u32 {
        self.get(id).map_or(0, |node| node.depth)
    }

    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let some = |id: NodeId| (id != NONE).then_some(id);
        std::iter::successors(some(self.first_child(id)), move |id| some(self.next_sibling(*id)))
    }

    /// Adds text to a text node; false when the node is none.
    pub fn extend_text(&mut self, id: NodeId, more: &StrTendril) -> bool {
        match self.get_mut(id).map(|node| &mut node.data) {
            Some(Data::Text(text)) => {
                text.push_tendril(more);
                true
            }
            _ => false,
        }
    }

    /// Puts a node under `parent`, before the child `before` or last.
    pub fn insert(&mut self, parent: NodeId, child: NodeId, before: NodeId) {
        self.detach(child);
        let previous = if before == NONE { self.last_child(parent) } else { self.previous_sibling(before) };
        let depth = self.depth(parent).saturating_add(1);
        if let Some(node) = self.get_mut(child) {
            (node.parent, node.previous, node.next, node.depth) = (parent, previous, before, depth);
        }
        match self.get_mut(previous) {
            Some(node) => node.next = child,
            None => {
                if let Some(node) = self.get_mut(parent) {
                    node.first = child;
                }
            }
        }
        match self.get_mut(before) {
            Some(node) => node.previous = child,
            None => {
                if let Some(node) = self.get_mut(parent) {
                    node.last = child;
                }
            }
        }
    }

    /// Takes a node away from its parent.
    pub fn detach(&mut self, id: NodeId) {
        let Some(node) = self.get_mut(id) else { return };
        let (parent, previous, next) = (node.parent, node.previous, node.next);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
        match self.get_mut(previous) {
            Some(node) => node.next = next,
            None => {
                if let Some(node) = self.get_mut(parent) {
                    node.first = next;
                }
            }
        }
        match self.get_mut(next) {
            Some(node) => node.previous = previous,
            None => {
                if let Some(node) = self.get_mut(parent) {
                    node.last = previous;
                }
            }
        }
    }

    /// Moves all children of `from` behind those of `to`.
    pub fn move_children(&mut self, from: NodeId, to: NodeId) {
        let mut child = self.first_child(from);
        while child != NONE {
            let next = self.next_sibling(child);
            self.insert(to, child, NONE);
            child = next;
        }
    }
}

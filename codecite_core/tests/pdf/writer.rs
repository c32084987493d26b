//! Writes small PDFs for the tests.

use std::fmt::Write as _;
use std::io::Write as _;

/// A page under construction.
#[derive(Default, Clone)]
pub struct Page {
    content: String,
    /// Entries of the page dictionary besides the usual ones.
    extra: String,
    /// Entries of the XObject resource dictionary.
    x_objects: String,
    /// Entries of the resource dictionary besides the usual ones.
    resources: String,
}

/// Fonts by name: F1 regular, F2 bold, F3 italic.
pub const REGULAR: &str = "F1";
pub const BOLD: &str = "F2";

impl Page {
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows text with its baseline's left end at x, y.
    pub fn text(mut self, font: &str, size: f32, x: f32, y: f32, text: &str) -> Self {
        let text = escape(text);
        writeln!(self.content, "BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET").unwrap();
        self
    }

    /// Lines of regular text, 12 points apart, from y downwards.
    pub fn lines(mut self, x: f32, y: f32, lines: &[&str]) -> Self {
        for (index, line) in lines.iter().enumerate() {
            self = self.text(REGULAR, 10.0, x, y - 12.0 * index as f32, line);
        }
        self
    }

    /// A filled rectangle, as thin as a line where w or h is.
    pub fn rect(mut self, x: f32, y: f32, w: f32, h: f32) -> Self {
        writeln!(self.content, "{x} {y} {w} {h} re f").unwrap();
        self
    }

    /// A stroked line.
    pub fn line(mut self, x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        writeln!(self.content, "{x0} {y0} m {x1} {y1} l S").unwrap();
        self
    }

    /// Operators as they are.
    pub fn raw(mut self, operators: &str) -> Self {
        self.content.push_str(operators);
        self.content.push('\n');
        self
    }

    pub fn extra(mut self, entries: &str) -> Self {
        self.extra.push_str(entries);
        self
    }

    pub fn resources(mut self, entries: &str) -> Self {
        self.resources.push_str(entries);
        self
    }

    pub fn x_objects(mut self, entries: &str) -> Self {
        self.x_objects.push_str(entries);
        self
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '§' => out.push_str("\\247"),
            c => out.push(c),
        }
    }
    out
}

/// A stream object's body.
pub fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut out = format!("<<{entries}/Length {}>>\nstream\n", data.len()).into_bytes();
    out.extend_from_slice(data);
    out.extend_from_slice(b"\nendstream");
    out
}

/// Compresses for /FlateDecode.
pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// First number for objects that a test adds.
pub const FIRST_EXTRA: usize = 10;

/// The file. `more` are objects from [`FIRST_EXTRA`] on.
pub fn pdf(pages: &[Page], more: &[Vec<u8>]) -> Vec<u8> {
    pdf_with(pages, more, "", "")
}

/// The number of a page's object.
pub fn page_object(index: usize, more: usize) -> usize {
    FIRST_EXTRA + more + 2 * index
}

/// The file, with more entries in its catalog and in its pages' font dictionaries.
pub fn pdf_with(pages: &[Page], more: &[Vec<u8>], catalog: &str, fonts: &str) -> Vec<u8> {
    let first_page = FIRST_EXTRA + more.len();
    let kids: Vec<String> = (0..pages.len()).map(|i| format!("{} 0 R", first_page + 2 * i)).collect();
    let font = |name: &str| {
        format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>").into_bytes()
    };
    let mut objects: Vec<Vec<u8>> = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>").into_bytes(),
        format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")).into_bytes(),
        font("Helvetica"),
        font("Helvetica-Bold"),
        font("Helvetica-Oblique"),
    ];
    objects.resize(FIRST_EXTRA - 1, b"null".to_vec());
    objects.extend(more.iter().cloned());
    for (index, page) in pages.iter().enumerate() {
        let media = if page.extra.contains("MediaBox") { "" } else { "/MediaBox[0 0 612 792]" };
        objects.push(
            format!(
                "<</Type/Page/Parent 2 0 R{media}/Contents {} 0 R{}/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R{fonts}>>\
                 /XObject<<{}>>{}>>>>",
                first_page + 2 * index + 1,
                page.extra,
                page.x_objects,
                page.resources
            )
            .into_bytes(),
        );
        objects.push(stream("", page.content.as_bytes()));
    }
    assemble(&objects, "")
}

/// Objects numbered from 1, the first is the catalog.
pub fn assemble(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let start = out.len();
    let mut tail = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        writeln!(tail, "{offset:010} 00000 n ").unwrap();
    }
    write!(tail, "trailer\n<</Size {}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1)
        .unwrap();
    out.extend_from_slice(tail.as_bytes());
    out
}

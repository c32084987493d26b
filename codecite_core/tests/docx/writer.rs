//! Small DOCX files, part by part.

use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

pub const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
pub const STRICT: &str = "http://purl.oclc.org/ooxml/wordprocessingml/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/// A file in the making: the parts as they will be written.
#[derive(Clone)]
pub struct Docx {
    main: String,
    main_type: String,
    space: String,
    body: String,
    parts: Vec<(String, String, Vec<u8>)>,
}

impl Docx {
    /// A document with this body.
    pub fn new(body: &str) -> Self {
        Docx {
            main: "word/document.xml".into(),
            main_type: MAIN_TYPE.into(),
            space: WORD.into(),
            body: body.into(),
            parts: Vec::new(),
        }
    }

    pub fn main(mut self, name: &str, content_type: &str) -> Self {
        (self.main, self.main_type) = (name.into(), content_type.into());
        self
    }

    pub fn space(mut self, space: &str) -> Self {
        self.space = space.into();
        self
    }

    /// A part beside the main one: the last word of the relation's type, and the content of its root element.
    pub fn part(mut self, kind: &str, root: &str, content: &str) -> Self {
        let xml = format!("<w:{root} {}>{content}</w:{root}>", self.spaces());
        let name = format!("{kind}{}.xml", self.parts.len());
        self.parts.push((kind.into(), name, xml.into_bytes()));
        self
    }

    pub fn styles(self, content: &str) -> Self {
        self.part("styles", "styles", content)
    }

    pub fn numbering(self, content: &str) -> Self {
        self.part("numbering", "numbering", content)
    }

    fn spaces(&self) -> String {
        format!(
            "xmlns:w=\"{}\" xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
             xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
             xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
             xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:r=\"{RELATIONS}\"",
            self.space
        )
    }

    /// The main part's XML.
    pub fn document(&self) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:document {}><w:body>{}</w:body></w:document>",
            self.spaces(),
            self.body
        )
    }

    /// The names and contents of all entries, in the order in which Word writes them.
    pub fn entries(&self) -> Vec<(String, Vec<u8>)> {
        let types = format!(
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
             <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
             <Override PartName=\"/{}\" ContentType=\"{}\"/></Types>",
            self.main, self.main_type
        );
        let (folder, file) = self.main.rsplit_once('/').unwrap_or(("", &self.main));
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let relation = |kind: &str, target: &str| {
            format!("<Relationship Id=\"r\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
        };
        let wrap = |inner: String| {
            let space = "http://schemas.openxmlformats.org/package/2006/relationships";
            format!("<Relationships xmlns=\"{space}\">{inner}</Relationships>").into_bytes()
        };
        let of_package = relation("officeDocument", &self.main)
            + &self
                .parts
                .iter()
                .filter(|(kind, ..)| kind == "core-properties")
                .map(|(kind, name, _)| relation(kind, &format!("{folder}{name}")))
                .collect::<String>();
        let of_main = self.parts.iter().map(|(kind, name, _)| relation(kind, name)).collect::<String>();
        let mut entries = vec![
            ("[Content_Types].xml".to_owned(), types.into_bytes()),
            ("_rels/.rels".to_owned(), wrap(of_package)),
            (self.main.clone(), self.document().into_bytes()),
            (format!("{folder}_rels/{file}.rels"), wrap(of_main)),
        ];
        entries.extend(self.parts.iter().map(|(_, name, xml)| (format!("{folder}{name}"), xml.clone())));
        entries
    }

    pub fn bytes(&self) -> Vec<u8> {
        archive(&self.entries())
    }
}

/// A ZIP archive of these entries.
pub fn archive(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A run of text.
pub fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

/// A run with properties.
pub fn styled(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

/// A paragraph of runs.
pub fn paragraph(inner: &str) -> String {
    format!("<w:p>{inner}</w:p>")
}

/// A paragraph with properties.
pub fn with(properties: &str, inner: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>")
}

/// A paragraph of plain text.
pub fn plain(text: &str) -> String {
    paragraph(&run(text))
}

/// A table from rows.
pub fn table(rows: &[String]) -> String {
    format!("<w:tbl><w:tblPr/><w:tblGrid/>{}</w:tbl>", rows.concat())
}

/// A row from cells.
pub fn row(properties: &str, cells: &[String]) -> String {
    format!("<w:tr><w:trPr>{properties}</w:trPr>{}</w:tr>", cells.concat())
}

/// A cell with its properties and content.
pub fn cell(properties: &str, content: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>")
}

//! Connection strings, and what in them libpq knows and tokio-postgres does not.

use percent_encoding::percent_decode_str;

/// Parameters that are read here and not by tokio-postgres, by libpq's names.
const OWN: [&str; 6] = ["sslmode", "sslrootcert", "sslcert", "sslkey", "service", "passfile"];
/// Parameters that decide nothing here: GSS encryption is not offered, compression and the rest are libpq's own.
const WITHOUT_EFFECT: [&str; 5] =
    ["gssencmode", "sslcompression", "sslsni", "fallback_application_name", "client_encoding"];

/// A connection string in two parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// What tokio-postgres reads.
    pub rest: String,
    /// The others, by name.
    own: Vec<(String, String)>,
}

impl Parameters {
    /// Takes a URL or keyword string apart. What is malformed stays in `rest`, whose reader says so.
    pub fn new(text: &str) -> Parameters {
        if text.starts_with("postgresql://") || text.starts_with("postgres://") {
            url(text)
        } else {
            keywords(text)
        }
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<String> {
        self.own.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    fn takes(&mut self, name: &str, value: impl FnOnce() -> String) -> bool {
        if OWN.contains(&name) {
            self.own.push((name.to_owned(), value()));
            return true;
        }
        WITHOUT_EFFECT.contains(&name)
    }
}

fn url(text: &str) -> Parameters {
    let mut parameters = Parameters::default();
    let Some((place, query)) = text.split_once('?') else {
        parameters.rest = text.to_owned();
        return parameters;
    };
    let mut kept = Vec::new();
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if !parameters.takes(name, || percent_decode_str(value).decode_utf8_lossy().into_owned()) {
            kept.push(pair);
        }
    }
    let mark = if kept.is_empty() { "" } else { "?" };
    parameters.rest = format!("{place}{mark}{}", kept.join("&"));
    parameters
}

fn keywords(text: &str) -> Parameters {
    let mut parameters = Parameters::default();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, length) = value(after);
        let written = after.get(..length).unwrap_or(after);
        if !parameters.takes(name.trim(), || value) {
            parameters.rest.push_str(&format!("{}={written} ", name.trim()));
        }
        rest = after.get(length..).unwrap_or("").trim_start();
    }
    parameters.rest.push_str(rest);
    parameters.rest = parameters.rest.trim_end().to_owned();
    parameters
}

/// A value at the start of a text, bare or in quotation marks, and how many bytes it takes.
fn value(text: &str) -> (String, usize) {
    let quoted = text.starts_with('\'');
    let mut value = String::new();
    let mut chars = text.char_indices().skip(usize::from(quoted));
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => value.extend(chars.next().map(|(_, next)| next)),
            '\'' if quoted => return (value, at + 1),
            c if !quoted && c.is_whitespace() => return (value, at),
            c => value.push(c),
        }
    }
    (value, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_gives_up_what_only_libpq_knows() {
        let parameters = Parameters::new(
            "postgresql://a@h/x?sslmode=verify-full&host=%2Ftmp&sslrootcert=%2Fa%20b&gssencmode=disable",
        );
        assert_eq!(parameters.rest, "postgresql://a@h/x?host=%2Ftmp");
        assert_eq!(parameters.get("sslmode").as_deref(), Some("verify-full"));
        assert_eq!(parameters.get("sslrootcert").as_deref(), Some("/a b"));
        assert_eq!(Parameters::new("postgres://h/x?service=codes").rest, "postgres://h/x");
    }

    #[test]
    fn keywords_keep_their_quotation_marks() {
        let parameters = Parameters::new(r"host = h password='a \'b= c' sslmode='require' dbname=x");
        assert_eq!(parameters.rest, r"host=h password='a \'b= c' dbname=x");
        assert_eq!(parameters.get("sslmode").as_deref(), Some("require"));
        assert_eq!(Parameters::new("service=codes").get("service").as_deref(), Some("codes"));
        assert_eq!(Parameters::new("no string").rest, "no string");
    }
}

//! What a page of the site says: links, and the facts above and below a rule's text.

use serde::{Deserialize, Serialize};

/// What a page says of its rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Number and title.
    pub title: String,
    /// Day on which this text came into force, as YYYY-MM-DD, or as it is written where it is no date.
    pub effective: Option<String>,
    /// Days on which earlier editions came into force.
    pub prior_effective: Vec<String>,
    /// Addresses of other editions on the site.
    pub versions: Vec<String>,
}

/// The numbers in the links that go on from `begin` with `above`, each once, in their order.
pub fn links(html: &str, begin: &str, above: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for target in targets(html) {
        let number = target.strip_prefix(begin).filter(|number| number.starts_with(above));
        // A number and nothing behind it: not the page of an older edition.
        let is_plain =
            |number: &&str| number.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '-' | '.'));
        if let Some(number) = number.filter(is_plain)
            && !found.iter().any(|known| known == number)
        {
            found.push(number.to_owned());
        }
    }
    found
}

/// The facts of the rule's page at `path`.
pub fn facts(html: &str, path: &str) -> Facts {
    let html = without(html, "<!--", "-->");
    let html = without(&without(&html, "<script", "</script>"), "<style", "</style>");
    let heading =
        html.split_once("<h1").and_then(|(_, rest)| rest.split_once('>')).map_or("", |(_, rest)| rest);
    let heading = text(heading.split("</h1>").next().unwrap_or(""));
    let lines: Vec<String> =
        text(&html).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let value = |label: &str| {
        let at = lines.iter().position(|line| line.starts_with(label))?;
        let same =
            lines.get(at)?.strip_prefix(label).map(|rest| rest.trim_start_matches(':').trim().to_owned());
        same.filter(|rest| !rest.is_empty()).or_else(|| lines.get(at + 1).cloned())
    };
    let deeper = format!("{path}/");
    let mut versions: Vec<String> =
        targets(&html).filter(|target| target.starts_with(&deeper)).map(str::to_owned).collect();
    versions.dedup();
    Facts {
        title: heading.split_whitespace().collect::<Vec<_>>().join(" "),
        effective: value("Effective:").map(|day| iso(&day).unwrap_or(day)),
        prior_effective: value("Prior Effective Dates").map_or_else(Vec::new, |days| {
            let days = days.split([',', ';']).map(str::trim).filter(|day| !day.is_empty());
            days.map(|day| iso(day).unwrap_or_else(|| day.to_owned())).collect()
        }),
        versions,
    }
}

/// Where the links of a page lead.
fn targets(html: &str) -> impl Iterator<Item = &str> {
    html.split("href=").skip(1).filter_map(|rest| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest.get(1..)?.split(quote).next()
    })
}

fn without(html: &str, begin: &str, end: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, inside)) = rest.split_once(begin) {
        out.push_str(before);
        rest = inside.split_once(end).map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// The words between the tags, a line for each.
fn text(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => {
                is_tag = true;
                out.push('\n');
            }
            '>' if is_tag => is_tag = false,
            c if !is_tag => out.push(c),
            _ => {}
        }
    }
    out.replace("&nbsp;", " ").replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&")
}

/// "July 1, 2024" and "7/1/2024" as 2024-07-01.
fn iso(day: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let parts: Vec<&str> =
        day.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let [month, date, year] = parts.as_slice() else {
        return None;
    };
    let month = match month.parse::<usize>() {
        Ok(month) => month,
        Err(_) => 1 + MONTHS.iter().position(|name| month.to_lowercase().starts_with(name))?,
    };
    let (date, year): (u32, u32) = (date.parse().ok()?, year.parse().ok()?);
    let fits = (1..=12).contains(&month) && (1..=31).contains(&date) && (1800..3000).contains(&year);
    fits.then(|| format!("{year:04}-{month:02}-{date:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stand_around_the_text() {
        let html = "<h1>Rule 9999:1-1-01 <span>|</span> Scope &amp; title.</h1><!-- Effective: no --><div><div>Effective:</div>\
                    <div>July 1, 2024</div></div><p>Words.</p><p><strong>Prior Effective Dates:</strong> 1/2/2002, 12/31/2019</p>\
                    <a href='/x/rule-9999:1-1-01/7-1-2020'>older</a>";
        let facts = facts(html, "/x/rule-9999:1-1-01");
        assert_eq!(facts.title, "Rule 9999:1-1-01 | Scope & title.");
        assert_eq!(facts.effective.as_deref(), Some("2024-07-01"));
        assert_eq!(facts.prior_effective, ["2002-01-02", "2019-12-31"]);
        assert_eq!(facts.versions, ["/x/rule-9999:1-1-01/7-1-2020"]);
    }

    #[test]
    fn links_are_numbers_below() {
        let html = r#"<a href="/x/rule-1:1-1-01">a</a><a href="/x/rule-1:1-1-01">again</a><a href="/x/rule-1:1-1-01/1-1-2020">old</a>
                      <a href="/x/rule-1:1-2-01">other</a><a href='/x/rule-1:1-1-02.1'>b</a><a href=/x/rule-1:1-1-03>bare</a>"#;
        assert_eq!(links(html, "/x/rule-", "1:1-1-"), ["1:1-1-01", "1:1-1-02.1"]);
    }

    #[test]
    fn days_are_read_or_left() {
        assert_eq!(iso("March 15, 2021").as_deref(), Some("2021-03-15"));
        assert_eq!(iso("2/29/2024").as_deref(), Some("2024-02-29"));
        assert_eq!(iso("upon filing"), None);
        assert_eq!(iso("13/1/2020"), None);
    }
}

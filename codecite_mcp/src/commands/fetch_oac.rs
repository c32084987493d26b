//! `codecite fetch-oac`: rules of the Ohio Administrative Code from the state's own site, one file a rule.

mod page;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Status, print, print_json};
use crate::cli::FetchArgs;
use crate::fault::{Fault, Kind};
use crate::site::Site;
use page::Facts;

/// The state's own site.
const HOST: &str = "codes.ohio.gov";
const ROOT: &str = "/ohio-administrative-code/";
const MANIFEST: &str = "manifest.json";
/// Where a rule's file goes when another edition takes its place.
const OLD: &str = "superseded";

/// What was fetched, and when each of it came into force.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    source: String,
    rules: Vec<Entry>,
    /// Editions that were fetched before and have been replaced since.
    superseded: Vec<Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    rule: String,
    url: String,
    /// The file, from the manifest's folder.
    file: String,
    #[serde(flatten)]
    facts: Facts,
    /// When the site sent it.
    fetched: Option<String>,
}

/// Saves every rule of the part, and what is known of its editions. One rule that fails does not stop the rest.
pub async fn run(args: &FetchArgs, json: bool) -> Result<Status, Fault> {
    let part = Part::new(&args.part)?;
    std::fs::create_dir_all(args.out.join(OLD)).map_err(|error| unwritable(&args.out, &error))?;
    let mut manifest = read(&args.out)?;
    let mut site = Site::open(HOST, args.base_url.as_deref()).await?;
    manifest.source = site.url(ROOT);
    let rules = list(&mut site, &part).await?;
    let (mut saved, mut failed) = (0, 0);
    for (index, rule) in rules.iter().enumerate() {
        eprintln!("[{}/{}] {rule}", index + 1, rules.len());
        match fetch(&mut site, rule)
            .await
            .and_then(|(entry, body)| keep(&args.out, &mut manifest, entry, &body))
        {
            Ok(is_new) => saved += usize::from(is_new),
            Err(fault) => {
                failed += 1;
                eprintln!("  {fault}");
            }
        }
        // After each rule: what is there is described, however the command ends.
        write(&args.out, &manifest)?;
    }
    let unchanged = rules.len() - saved - failed;
    if json {
        print_json(
            &serde_json::json!({ "saved": saved, "unchanged": unchanged, "failed": failed, "manifest": manifest }),
        );
    } else {
        print(&format!(
            "{saved} saved, {unchanged} unchanged, {failed} failed; see {}\n",
            args.out.join(MANIFEST).display()
        ));
    }
    Ok(if failed > 0 { Status::Error } else { Status::Ok })
}

/// A part of the code.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Agency(String),
    Chapter(String),
    Rule(String),
}

impl Part {
    fn new(text: &str) -> Result<Part, Fault> {
        let text = text.trim();
        let (agency, below) = text.split_once('-').unwrap_or((text, ""));
        let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
        let is_agency = agency.split(':').count() <= 2 && agency.split(':').all(digits);
        let is_number = below.is_empty() && !text.ends_with('-')
            || below.split('-').all(|part| digits(&part.replace('.', "")));
        if !is_agency || !is_number {
            let message = format!("\"{text}\" is no part of the Ohio Administrative Code");
            return Err(Fault::new(
                Kind::Input,
                message,
                "Name one such as 4101:1, 4101:1-10 or 4101:1-10-04.",
            ));
        }
        let text = text.to_owned();
        Ok(match below.split('-').filter(|part| !part.is_empty()).count() {
            0 => Part::Agency(text),
            1 => Part::Chapter(text),
            _ => Part::Rule(text),
        })
    }
}

/// The numbers of all rules of a part, in the site's order.
async fn list(site: &mut Site, part: &Part) -> Result<Vec<String>, Fault> {
    let chapters = match part {
        Part::Rule(rule) => return Ok(vec![rule.clone()]),
        Part::Chapter(chapter) => vec![chapter.clone()],
        Part::Agency(agency) => links(site, &format!("{ROOT}{agency}"), "chapter-", agency).await?,
    };
    let mut rules = Vec::new();
    for chapter in chapters {
        rules.extend(links(site, &format!("{ROOT}chapter-{chapter}"), "rule-", &chapter).await?);
    }
    if rules.is_empty() {
        let message = format!("no rule is listed at {}", site.url(ROOT));
        return Err(Fault::new(Kind::Input, message, "Check the number on the site."));
    }
    Ok(rules)
}

async fn links(site: &mut Site, path: &str, kind: &str, above: &str) -> Result<Vec<String>, Fault> {
    let page = site.get(path).await?.ok_or_else(|| missing(site, path))?;
    let begin = format!("{ROOT}{kind}");
    Ok(page::links(&String::from_utf8_lossy(&page.body), &begin, &format!("{above}-")))
}

async fn fetch(site: &mut Site, rule: &str) -> Result<(Entry, Vec<u8>), Fault> {
    let path = format!("{ROOT}rule-{rule}");
    let page = site.get(&path).await?.ok_or_else(|| missing(site, &path))?;
    let url = site.url(&path);
    let facts = page::facts(&String::from_utf8_lossy(&page.body), &path);
    if !facts.title.contains(rule) {
        let message = format!("{url} is no page of this rule: its heading does not bear the number");
        return Err(Fault::new(
            Kind::Refused,
            message,
            "Look at the page in a browser: the site may have changed.",
        ));
    }
    let file = format!("{}.html", rule.replace(':', "_"));
    Ok((Entry { rule: rule.to_owned(), url, file, facts, fetched: page.date }, page.body.to_vec()))
}

/// Saves a rule; false if it was there already. The file of an edition that is replaced is kept aside.
fn keep(folder: &Path, manifest: &mut Manifest, entry: Entry, body: &[u8]) -> Result<bool, Fault> {
    let path = folder.join(&entry.file);
    let place = manifest.rules.iter().position(|known| known.rule == entry.rule);
    if let Some(known) = place.and_then(|place| manifest.rules.get_mut(place)) {
        let is_there = path.exists();
        if is_there && known.facts == entry.facts {
            return Ok(false);
        }
        if is_there && known.facts.effective != entry.facts.effective {
            let stem = entry.file.trim_end_matches(".html");
            let day = known.facts.effective.as_deref().unwrap_or("undated");
            let file = format!("{OLD}/{stem}@{day}.html");
            std::fs::rename(&path, folder.join(&file)).map_err(|error| unwritable(&path, &error))?;
            manifest.superseded.push(Entry { file, ..known.clone() });
        }
        *known = entry;
    } else {
        manifest.rules.push(entry);
    }
    std::fs::write(&path, body).map_err(|error| unwritable(&path, &error))?;
    Ok(true)
}

fn read(folder: &Path) -> Result<Manifest, Fault> {
    let path = folder.join(MANIFEST);
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!("{} cannot be read: {error}", path.display());
            Fault::new(Kind::Input, message, "Choose another folder, or move the file away.")
        }),
        Err(_) => Ok(Manifest::default()),
    }
}

fn write(folder: &Path, manifest: &Manifest) -> Result<(), Fault> {
    let path = folder.join(MANIFEST);
    let text = serde_json::to_string_pretty(manifest).unwrap_or_default();
    std::fs::write(&path, format!("{text}\n")).map_err(|error| unwritable(&path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Fault {
    let path: PathBuf = path.into();
    Fault::new(
        Kind::Input,
        format!("{} cannot be written: {error}", path.display()),
        "Choose another folder with --out.",
    )
}

fn missing(site: &Site, path: &str) -> Fault {
    Fault::new(Kind::Input, format!("there is no page {}", site.url(path)), "Check the number on the site.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_by_their_dashes() {
        let part = |text: &str| Part::new(text).unwrap();
        assert_eq!(part(" 4101:1 "), Part::Agency("4101:1".into()));
        assert_eq!(part("4101:1-10"), Part::Chapter("4101:1-10".into()));
        assert_eq!(part("3301-24-05"), Part::Rule("3301-24-05".into()));
        for wrong in ["", "../x", "4101:1:2", "4101:1-", "4101/1", "4101:1-a", "x"] {
            assert!(Part::new(wrong).is_err(), "{wrong}");
        }
    }
}

//! robots.txt: what a program may read, and how fast (RFC 9309, and Crawl-delay).

use std::time::Duration;

/// The rules for one program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// Patterns of paths, and whether they are allowed.
    rules: Vec<(String, bool)>,
    /// The least time between requests.
    pub delay: Duration,
}

impl Robots {
    /// Reads the groups that name `agent`, else those for all.
    pub fn new(text: &str, agent: &str) -> Robots {
        let mut named = None;
        let mut general = Robots::default();
        let mut agents: Vec<String> = Vec::new();
        let mut is_head = false;
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("");
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let (key, value) = (key.trim().to_lowercase(), value.trim());
            if key == "user-agent" {
                // Lines of this kind that follow each other share a group.
                if !is_head {
                    agents.clear();
                }
                is_head = true;
                agents.push(value.to_lowercase());
                continue;
            }
            is_head = false;
            if agents.iter().any(|name| name == agent) {
                named.get_or_insert_with(Robots::default).take(&key, value);
            } else if agents.iter().any(|name| name == "*") {
                general.take(&key, value);
            }
        }
        named.unwrap_or(general)
    }

    fn take(&mut self, key: &str, value: &str) {
        match key {
            "allow" | "disallow" if !value.is_empty() => self.rules.push((value.to_owned(), key == "allow")),
            "crawl-delay" => {
                let seconds = value.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
                self.delay = seconds.map_or(self.delay, Duration::from_secs_f64);
            }
            _ => {}
        }
    }

    /// Whether a path may be read: the longest pattern that fits decides, and of two alike the one that allows.
    pub fn allows(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|(pattern, _)| fits(pattern, path));
        fitting.max_by_key(|(pattern, allowed)| (pattern.len(), *allowed)).is_none_or(|(_, allowed)| *allowed)
    }
}

/// Whether a pattern, in which `*` stands for anything and a last `$` for the end, fits the beginning of a path.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, ends) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or("")) else {
        return false;
    };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if ends && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or(""),
            None => return false,
        }
    }
    !ends || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_of_the_own_group_decides() {
        let text = "User-agent: *\nDisallow: /private # no\nAllow: /private/open\nCrawl-delay: 2.5\n\nUser-agent: other\nUser-Agent: codecite\nDisallow: /*.pdf$\n";
        let general = Robots::new(text, "nobody");
        assert_eq!(general.delay, Duration::from_millis(2500));
        assert!(
            general.allows("/a.pdf") && general.allows("/private/open/x") && !general.allows("/private/x")
        );
        let own = Robots::new(text, "codecite");
        assert!(own.allows("/private") && !own.allows("/x/a.pdf") && own.allows("/x/a.pdf?x"));
        assert!(Robots::new("User-agent: *\nDisallow:\n", "codecite").allows("/x"));
        assert!(!Robots::new("User-agent: *\nDisallow: /\n", "codecite").allows("/x"));
        assert!(Robots::default().allows("/"));
    }
}

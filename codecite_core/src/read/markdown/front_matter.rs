//! The title in front matter.

/// The value of `title` in YAML (`title: …`) or TOML (`title = …`), at the outermost level.
pub(super) fn title(matter: &str) -> Option<String> {
    let mut lines = matter.lines();
    let value =
        lines.find_map(|line| line.strip_prefix("title")?.trim_start().strip_prefix([':', '=']))?.trim();
    let value = match value {
        // A block of YAML: the lines below that are set further right.
        "" | ">" | ">-" | "|" | "|-" => {
            let block = lines.take_while(|line| line.starts_with([' ', '\t']));
            block.map(str::trim).collect::<Vec<_>>().join(" ")
        }
        _ => {
            // A long value goes on in the lines below.
            let more = lines.take_while(|line| line.starts_with([' ', '\t'])).map(str::trim);
            std::iter::once(value).chain(more).collect::<Vec<_>>().join(" ")
        }
    };
    let quoted = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(&value).trim();
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn yaml_and_toml() {
        for matter in [
            "title: My Code",
            "layout: x\ntitle: \"My Code\"\n",
            "title: 'My Code'",
            "title: My\n  Code\nx: y",
            "title: >-\n  My\n  Code\nx: y",
            "title = \"My Code\"",
        ] {
            assert_eq!(title(matter).as_deref(), Some("My Code"), "{matter}");
        }
        assert_eq!(title("sidenav:\n  title: Menu\n"), None);
        assert_eq!(title("subtitle: x\ntitles: y\n"), None);
    }
}

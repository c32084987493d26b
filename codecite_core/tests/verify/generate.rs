//! Drafts with known truth: quotations as people set them, and the mistakes that agents make.

use codecite_core::verify::{Text, Texts};

/// xorshift: the same drafts in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap()
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

/// What is done to a true quotation or citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mistake {
    Digit,
    Unit,
    NegationAdded,
    NegationRemoved,
    Modal,
    SwappedWords,
    WordLeftOut,
    WrongException,
    WrongEdition,
    DeadCitation,
    ForeignCitation,
}

impl Mistake {
    pub const ALL: [Mistake; 11] = [
        Mistake::Digit,
        Mistake::Unit,
        Mistake::NegationAdded,
        Mistake::NegationRemoved,
        Mistake::Modal,
        Mistake::SwappedWords,
        Mistake::WordLeftOut,
        Mistake::WrongException,
        Mistake::WrongEdition,
        Mistake::DeadCitation,
        Mistake::ForeignCitation,
    ];

    /// True when the words of the quotation are changed, not its citation.
    pub fn is_of_words(self) -> bool {
        !matches!(
            self,
            Mistake::WrongException
                | Mistake::WrongEdition
                | Mistake::DeadCitation
                | Mistake::ForeignCitation
        )
    }
}

/// How a true quotation is set.
pub const STYLES: [&str; 12] = [
    "straight",
    "curly",
    "single",
    "block",
    "wrapped",
    "hyphenated",
    "ellipsis",
    "bracket",
    "inserted",
    "list",
    "emphasis",
    "backtick",
];

pub struct Generator<'t> {
    pub texts: &'t Texts,
    pub random: Random,
    sources: Vec<&'t Text>,
}

impl<'t> Generator<'t> {
    pub fn new(texts: &'t Texts, seed: u64) -> Generator<'t> {
        let usable = |text: &&Text| {
            text.number.as_ref().is_some_and(|number| number.label().is_none())
                && !text.body.contains(['|', '>', '[', '…'])
                && (12..2_000).contains(&text.body.split_whitespace().count())
        };
        Generator { texts, random: Random(seed), sources: texts.texts.iter().filter(usable).collect() }
    }

    fn title(&self, text: &Text) -> &str {
        let work = self.texts.works.iter().find(|work| work.corpus == text.corpus).unwrap();
        &work.titles[0]
    }

    /// Some words of a text in a row, with nothing between that is not a space.
    fn window(&mut self, text: &Text) -> String {
        let lines: Vec<&str> =
            text.body.lines().filter(|line| line.split_whitespace().count() >= 9).collect();
        if lines.is_empty() {
            return String::new();
        }
        let words: Vec<&str> = self.random.pick(&lines).split_whitespace().collect();
        let length = (8 + self.random.below(40)).min(words.len());
        let start = self.random.below(words.len() - length + 1);
        let text = words[start..start + length].join(" ");
        text.trim_end_matches(['(', '“', '"', '‘']).replace(['“', '”', '"'], "'").to_owned()
    }

    fn framed(&mut self, quoted: &str, named: &str) -> String {
        match self.random.below(5) {
            0 => format!("Section {named} states that {quoted}."),
            1 => format!("The rule is {quoted} (§{named})."),
            2 => format!("According to §{named}, {quoted}. The designer has to follow it."),
            3 => format!("- Doors: {quoted} (Section {named})\n- Windows are not covered."),
            _ => format!("The code is clear. As §{named} has it: {quoted}\n\nNothing else is asked for."),
        }
    }

    /// A draft with one true quotation in a style.
    pub fn truth(&mut self, style: &str) -> Option<String> {
        let text = *self.random.pick(&self.sources);
        let number = text.number.clone()?.to_string();
        let window = self.window(text);
        let words: Vec<&str> = window.split(' ').collect();
        if words.len() < 8 {
            return None;
        }
        let at = 3 + self.random.below(words.len() - 5);
        let quoted = match style {
            "straight" => format!("\"{window}\""),
            "curly" => format!("“{},”", window.replace('\'', "’").trim_end_matches(['.', ','])),
            "single" if !window.contains(['\'', '’']) => format!("‘{window}’"),
            "block" => {
                let title = self.title(text);
                return Some(format!("The {title} says in Section {number}:\n\n> {window}\n\nThat is all."));
            }
            "wrapped" => format!("“{}”", wrapped(&words, at)),
            "hyphenated" => format!("“{}”", hyphenated(&words)?),
            "ellipsis" => {
                let gap = ["…", "...", ". . .", "[...]"][self.random.below(4)];
                let end = (at + 1 + self.random.below(3)).min(words.len() - 1);
                format!("“{} {gap} {}”", words[..at].join(" "), words[end..].join(" "))
            }
            "bracket" => {
                let first = window.chars().next().filter(char::is_ascii_alphabetic)?;
                let other = if first.is_uppercase() {
                    first.to_ascii_lowercase()
                } else {
                    first.to_ascii_uppercase()
                };
                format!("“[{other}]{}”", &window[1..])
            }
            "inserted" => {
                format!("“{} [as it is said here] {}”", words[..at].join(" "), words[at..].join(" "))
            }
            "list" => self.list()?.1,
            "emphasis" => {
                format!("“{} **{}** *{}*”", words[..at].join(" "), words[at], words[at + 1..].join(" "))
            }
            "backtick" if !window.contains('`') => format!("`{window}`"),
            _ => return None,
        };
        if style == "list" {
            return Some(quoted);
        }
        Some(self.framed(&quoted, &number))
    }

    /// A whole section with a list, its marks as they are, renumbered, or as bullets.
    fn list(&mut self) -> Option<(String, String)> {
        let lists: Vec<&&Text> = self.sources.iter().filter(|text| text.body.contains("\n2. ")).collect();
        let text = **lists.get(self.random.below(lists.len()))?;
        let number = text.number.clone()?.to_string();
        let body = text.body.replace(['“', '”', '"'], "'");
        let body = match self.random.below(3) {
            0 => body,
            1 => body.replace('\n', "\n> "),
            _ => body.lines().map(unmarked).collect::<Vec<_>>().join("\n"),
        };
        let draft = match body.contains('>') {
            true => format!("Section {number} reads:\n\n> {body}\n"),
            false => format!("Section {number} reads: “{body}”"),
        };
        Some((number, draft))
    }

    /// A draft with one mistake; `None` when the words at hand do not allow it.
    pub fn mistake(&mut self, mistake: Mistake) -> Option<String> {
        let text = *self.random.pick(&self.sources);
        let number = text.number.clone()?.to_string();
        let window = self.window(text);
        let title = self.title(text).to_owned();
        if mistake.is_of_words() {
            let changed = self.changed(&window, mistake)?;
            return Some(self.framed(&format!("“{changed}”"), &number));
        }
        Some(match mistake {
            Mistake::WrongException => {
                let count = text.body.matches("\n1. ").count() + text.body.lines().count();
                self.framed("it is let off", &format!("{number}, Exception {}", (count + 3).min(99)))
            }
            Mistake::WrongEdition => match self.random.below(3) {
                0 => format!("{} 2009 §{number} applies.", title.trim_start_matches("2010 ")),
                1 => format!("Section {number} of the 2009 {} applies.", title.trim_start_matches("2010 ")),
                _ => format!("“{window}” ({} (2009 edition), §{number})", title.trim_start_matches("2010 ")),
            },
            Mistake::DeadCitation => {
                let dead = [format!("{number}.97"), format!("{}.5", 2_900 + self.random.below(99))];
                let dead = self.random.pick(&dead).clone();
                self.framed("it is wide", &dead)
            }
            _ => {
                let foreign = [
                    "NFPA 13",
                    "IBC",
                    "2021 IBC,",
                    "International Fire Code",
                    "ASCE 7-16",
                    "BS 9999",
                    "ICC A117.1",
                ];
                let foreign = *self.random.pick(&foreign);
                match self.random.below(4) {
                    0 => format!("{foreign} §{number} says “{window}”."),
                    1 => format!("See Section {number} of the {}.", foreign.trim_end_matches(',')),
                    2 => format!("It is “{window}” ({foreign} Section {number})."),
                    _ => format!("Under the {} the rule is set by §{number}.", foreign.trim_end_matches(','))
                        .replace(" the rule", ", the rule"),
                }
            }
        })
    }

    /// The words with one change that alters them.
    fn changed(&mut self, window: &str, mistake: Mistake) -> Option<String> {
        let mut words: Vec<String> = window.split(' ').map(str::to_owned).collect();
        let all: Vec<usize> = (0..words.len()).filter(|at| fits(&words, *at, mistake)).collect();
        let at = *all.get(self.random.below(all.len()))?;
        match mistake {
            Mistake::Digit => {
                let word = &words[at];
                let places: Vec<usize> =
                    word.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
                let place = *self.random.pick(&places);
                let digit = word.as_bytes()[place] - b'0';
                let other = (digit + 1 + u8::try_from(self.random.below(8)).unwrap()) % 10;
                words[at] = format!("{}{other}{}", &word[..place], &word[place + 1..]);
            }
            Mistake::Unit => {
                let (from, to) = UNITS.iter().find(|(from, _)| bare(&words[at]) == *from)?;
                words[at] = words[at].replacen(from, to, 1);
            }
            Mistake::NegationAdded => words.insert(at + 1, "not".to_owned()),
            Mistake::NegationRemoved => drop(words.remove(at)),
            Mistake::Modal => {
                let to = if words[at] == "shall" { "may" } else { "shall" };
                words[at] = to.to_owned();
            }
            Mistake::SwappedWords => words.swap(at, at + 1),
            _ => drop(words.remove(at)),
        }
        Some(words.join(" "))
    }
}

const UNITS: [(&str, &str); 12] = [
    ("inches", "feet"),
    ("inch", "foot"),
    ("feet", "inches"),
    ("mm", "m"),
    ("m", "mm"),
    ("m²", "mm²"),
    ("hours", "minutes"),
    ("minutes", "hours"),
    ("days", "hours"),
    ("percent", "feet"),
    ("persons", "feet"),
    ("square", "cubic"),
];

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// True when the word there can be changed in that way.
fn fits(words: &[String], at: usize, mistake: Mistake) -> bool {
    let word = words[at].as_str();
    match mistake {
        // The mark at the start of a line is no number of the text.
        Mistake::Digit => at > 0 && word.contains(|c: char| c.is_ascii_digit()),
        Mistake::Unit => at > 0 && UNITS.iter().any(|(from, _)| bare(word) == *from),
        Mistake::NegationAdded => {
            ["shall", "is", "are", "may"].contains(&word) && words.get(at + 1).is_some_and(|w| w != "not")
        }
        Mistake::NegationRemoved => at > 0 && at + 1 < words.len() && word == "not",
        Mistake::Modal => word == "shall" || word == "may",
        Mistake::SwappedWords => {
            let next = words.get(at + 1).map(|next| bare(next).to_lowercase());
            let is_plain = |word: &str| !word.is_empty() && word.chars().all(char::is_alphabetic);
            at > 0
                && next.is_some_and(|next| next != bare(word).to_lowercase() && is_plain(&next))
                && is_plain(bare(word))
        }
        _ => {
            at > 1
                && at + 2 < words.len()
                && bare(word).chars().any(char::is_alphabetic)
                && word != words[at + 1]
                && word != words[at - 1]
        }
    }
}

fn wrapped(words: &[&str], at: usize) -> String {
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        // Not before a number with a full stop, which a reader takes for the mark of an item.
        let breaks =
            index > 0 && (index == at || index % 9 == 8) && !word.starts_with(['-', '–', '(', '#', '*']);
        out.push_str(if index == 0 {
            ""
        } else if breaks {
            "\n"
        } else {
            " "
        });
        out.push_str(word);
    }
    out
}

fn hyphenated(words: &[&str]) -> Option<String> {
    let long = |word: &&str| word.len() >= 8 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let at = words.iter().position(long)?;
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let middle = words[at].len() / 2;
    words[at].insert_str(middle, "-\n");
    Some(words.join(" "))
}

fn unmarked(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < line.len() { rest.strip_prefix(". ").unwrap_or(line) } else { line }
}

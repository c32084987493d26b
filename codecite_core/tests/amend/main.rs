//! Amending instructions in the words in which amendments are written.

mod applying;
mod comparing;
mod editor;
mod finding;

use codecite_core::amend::clauses;

/// Every line of `instructions.txt`, active and passive, every verb and scope.
#[test]
fn instructions_say_what_they_say() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in
        include_str!("instructions.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (text, expected) = line.split_once(" => ").expect(line);
        let found = clauses(text).map_or("none".to_owned(), |clauses| {
            clauses.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        });
        count += 1;
        if found != expected {
            wrong.push(format!("{text}\n    expected: {expected}\n    found:    {found}"));
        }
    }
    assert!(count >= 120, "{count} instructions");
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

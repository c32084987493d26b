//! Drafts by hand over the samples.

use codecite_core::number::Number;
use codecite_core::verify::{Claim, Judgement, Standing, Texts, Verdict, Work, claims, judge};

use super::codes::samples;

fn verdicts(draft: &str, texts: &Texts) -> Vec<Verdict> {
    claims(draft).iter().map(|claim| judge(claim, texts)).collect()
}

/// The names of the verdicts on a draft, in order, each with the names of its notes.
fn judged(draft: &str, texts: &Texts) -> Vec<String> {
    let name = |verdict: &Verdict| {
        let notes: Vec<&str> = verdict.notes.iter().map(|note| note.code).collect();
        format!("{} {}", verdict.judgement.as_str(), notes.join(" ")).trim().to_owned()
    };
    verdicts(draft, texts).iter().map(name).collect()
}

#[test]
fn citations() {
    let texts = samples();
    for (draft, expected) in [
        ("See §1004.5.", "found"),
        ("See Model Building Code 2024 §1004.5.", "found"),
        ("See MBC Table 1004.5.", "found"),
        ("See Chapter 10.", "found"),
        ("See Section 104.2(3).", "found items"),
        ("See Section 104.2(9).", "not_in_corpus work"),
        ("See Item 3 of Section 104.2.", "found"),
        ("See Item 9 of Section 104.2.", "not_in_corpus items"),
        ("See §101.2, Exception 2.", "found"),
        ("See §101.2, Exception 9.", "not_in_corpus exceptions"),
        ("The exception to Section 101.1 applies.", "not_in_corpus exceptions"),
        ("See §1999.9.", "not_in_corpus work"),
        ("See IBC 2021 §1004.5.", "not_checked work"),
        ("See NFPA 13 §8.3.", "not_checked work"),
        ("See Section 1004.5 of the International Fire Code.", "not_checked work"),
        ("See Model Building Code 2018 §1004.5.", "not_checked edition"),
        ("See the 2018 edition of the Model Building Code, Section 1004.5.", "not_checked edition"),
        ("Aldermoor Studio Design Standard, issue 3, §6.4.1", "found"),
        ("Aldermoor Studio Design Standard, issue 2, §6.4.1", "not_checked edition"),
    ] {
        assert_eq!(judged(draft, &texts), [expected], "{draft}");
    }
}

#[test]
fn quotations() {
    let texts = samples();
    for (draft, expected) in [
        ("§404.2 says “shall be sprinklered throughout.”", "quote_exact"),
        ("§404.2 says “shall be sprinklered in parts.”", "quote_altered"),
        ("§404.2 says “zebras graze on quiet meadows at night”.", "quote_absent"),
        // True words under another number, and under the chapter that holds them.
        (
            "§404.1 says “A building that contains an atrium shall be sprinklered throughout.”",
            "quote_absent elsewhere",
        ),
        (
            "Chapter 4 says “A building that contains an atrium shall be sprinklered throughout.”",
            "quote_exact",
        ),
        ("§406.1 asks for “7.25 feet”.", "quote_exact"),
        ("§406.1 asks for “7.5 feet”.", "quote_altered"),
        ("NFPA 13 says “A building that contains an atrium shall be sprinklered throughout.”", "quote_exact"),
    ] {
        let all = judged(draft, &texts);
        let last = all.last().map(String::as_str);
        if draft.starts_with("NFPA") {
            assert_eq!(last, Some("not_checked work"), "{draft}");
        } else {
            assert_eq!(last, Some(expected), "{draft}");
        }
    }
    let none = judged("It “shall be used for other than high fire hazard uses” they say.", &texts);
    assert_eq!(none, ["quote_altered no_citation"]);
    let altered = verdicts("§406.1: “shall be not less than 7.5 feet (2210 mm).”", &texts).pop().unwrap();
    assert_eq!(altered.redline.as_deref(), Some("shall be not less than [-7.25-] {+7.5+} feet (2210 mm)."));
    assert_eq!(altered.nearest.as_deref(), Some("shall be not less than 7.25 feet (2210 mm)."));
    assert_eq!(altered.text.unwrap().number, Number::parse("406.1"));
}

#[test]
fn values_outside_quotations() {
    let texts = samples();
    let note = |draft: &str| {
        let found = verdicts(draft, &texts);
        found[0].notes.iter().find(|note| note.code == "value_absent").map(|note| note.text.clone())
    };
    assert_eq!(note("Each level is at least 7.25 feet (2210 mm) high (§406.1)."), None);
    assert_eq!(note("Each level is at least 87 inches high (§406.1)."), None);
    assert_eq!(
        note("Each level is at least 7.5 feet high (§406.1)."),
        Some("values not in the text: 7.5 feet".into())
    );
    assert_eq!(note("Barriers are 34 inches (§406.3) and levels 7.25 feet (§406.1)."), None);
}

#[test]
fn what_amendments_and_editions_make_of_it() {
    let mut texts = samples();
    let number = Number::parse("402.2");
    let changed = "402.2 Sprinkler protection. High-rise buildings shall be sprinklered by two risers.";
    for text in texts.texts.iter_mut().filter(|text| text.number == number && text.layer == "base") {
        (text.standing, text.amended) = (Standing::Amended, Some(changed.to_owned()));
    }
    let base = texts.texts.iter().find(|text| text.number == number && text.layer == "base").unwrap().clone();
    let old = base.body.lines().last().unwrap().split_whitespace().take(9).collect::<Vec<_>>().join(" ");
    assert_eq!(judged(&format!("§402.2 says “{old} and on”"), &texts)[0], "amended");
    let now = verdicts("§402.2 says “shall be sprinklered by two risers”.", &texts);
    assert_eq!((now[0].judgement, now[1].judgement), (Judgement::Amended, Judgement::QuoteExact));
    texts.texts.retain(|text| text.number != number || text.layer == "base");
    let quoted = old;
    let before = verdicts(&format!("§402.2 says “{quoted}”."), &texts);
    assert_eq!(before[1].judgement, Judgement::Amended);
    assert!(before[1].redline.is_some());
    for (standing, judgement) in
        [(Standing::Deleted, Judgement::Deleted), (Standing::Superseded, Judgement::Superseded)]
    {
        for text in texts.texts.iter_mut().filter(|text| text.number == number) {
            (text.standing, text.amended) = (standing, None);
        }
        let found = verdicts(&format!("§402.2 says “{quoted}”."), &texts);
        assert_eq!(found.iter().map(|v| v.judgement).collect::<Vec<_>>(), [judgement, judgement]);
    }
    texts.works[0].superseded.push("2021".to_owned());
    assert_eq!(judged("Model Building Code 2021 §404.2 applies.", &texts), ["superseded"]);
}

#[test]
fn an_exception_that_was_deleted() {
    let mut texts = samples();
    let number = Number::parse("101.2");
    for text in texts.texts.iter_mut().filter(|text| text.number == number) {
        text.amended = Some("101.2 Scope. Everything.\nException: Dwellings.".to_owned());
        text.standing = Standing::Amended;
    }
    assert_eq!(judged("See §101.2, Exception 2.", &texts), ["deleted exceptions"]);
    assert_eq!(judged("See §101.2, Exception 1.", &texts), ["amended"]);
}

#[test]
fn pages_and_corpora_are_noted() {
    let mut texts = samples();
    for text in &mut texts.texts {
        text.pages = Some(("4-7".to_owned(), "4-8".to_owned()));
    }
    assert_eq!(judged("See §404.2 (p. 4-7).", &texts), ["found"]);
    assert_eq!(judged("See §404.2 (p. 9-1).", &texts), ["found page"]);
    texts.works.push(Work { corpus: "other".into(), titles: vec!["Other Code".into()], ..Work::default() });
    let mut other = texts.texts.iter().find(|text| text.number == Number::parse("404.2")).unwrap().clone();
    other.corpus = "other".into();
    texts.texts.push(other);
    assert_eq!(judged("See §404.2.", &texts), ["found several"]);
    assert_eq!(judged("See Other Code §404.2.", &texts), ["found"]);
    assert_eq!(judged("See Other Code §404.1.", &texts), ["not_in_corpus work"]);
}

#[test]
fn brackets_and_other_citations_of_the_sentence_are_noted() {
    let texts = samples();
    let found =
        judged("“[A] building that contains [such] an atrium shall be sprinklered” (§404.2).", &texts);
    assert_eq!(found[0], "quote_exact brackets");
    let found = judged("§404.2 and §406.1: “of each parking level shall be not less than”", &texts);
    assert!(found.contains(&"quote_exact".to_owned()), "{found:?}");
    let found = claims("It has no claim.");
    assert_eq!(found, Vec::<Claim>::new());
}

#[test]
fn without_codes_nothing_is_judged() {
    let texts = Texts::default();
    assert_eq!(
        judged("§404.2 says “shall be sprinklered throughout”.", &texts),
        ["not_checked work", "not_checked work"]
    );
}

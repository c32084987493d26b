//! Damaged and hostile pages: each ends in text or in a clean error, on a small stack.

use codecite_core::error::Error;
use codecite_core::work::{Limits, Work};

use super::support::StopAfter;

use super::{read, read_with, texts};

#[test]
fn deep_elements_are_a_limit() {
    for tag in [
        "div",
        "b",
        "span",
        "blockquote",
        "ul><li",
        "table><tr><td",
        "font color=x",
        "svg",
        "math",
        "template",
        "x-y",
    ] {
        let open = format!("<{tag}>").repeat(100_000);
        let error = read_with(format!("{open}deep").as_bytes(), &Limits::default()).unwrap_err();
        assert!(
            matches!(error, Error::Limit { name: "max_element_depth", limit: 512, .. }),
            "{tag}: {error:?}"
        );
        let open = format!("<{tag}>").repeat(100);
        assert!(
            read(&format!("{open}deep")).furniture.len() + read(&format!("{open}deep")).blocks.len() > 0,
            "{tag}"
        );
    }
}

#[test]
fn tags_that_do_not_nest_may_be_many() {
    assert_eq!(texts(&read(&format!("{}end", "<p>".repeat(100_000)))), ["end"]);
    assert_eq!(texts(&read(&format!("{}end", "</div>".repeat(100_000)))), ["end"]);
    assert_eq!(texts(&read(&format!("{}end", "<br>".repeat(100_000)))), ["end"]);
    assert_eq!(texts(&read(&format!("<ul>{}", "<li>x".repeat(50_000)))).len(), 50_000);
}

#[test]
fn emphasis_that_is_repeated_in_every_paragraph_is_bounded() {
    let fonts: String = (0..400).map(|n| format!("<font id={n}>")).collect();
    let page = format!("<p>{fonts}{}", "<p>x".repeat(100_000));
    let limits = Limits { max_memory_bytes: 64 << 20, ..Limits::default() };
    let error = read_with(page.as_bytes(), &limits).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_memory_bytes", .. }), "{error:?}");
    let growing: String = (0..100_000).map(|n| format!("<p><font id={n}>")).collect();
    assert!(matches!(read_with(growing.as_bytes(), &Limits::default()).unwrap_err(), Error::Limit { .. }));
}

#[test]
fn a_tag_with_thousands_of_attributes_is_refused() {
    let many: String = (0..100_000).map(|n| format!(" a{n}")).collect();
    for page in
        [format!("<p{many}>x"), format!("<p{many}"), format!("<!--><p{many}>"), format!("<p a='\"'{many}>")]
    {
        let error = read_with(page.as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!(error.code(), "malformed");
    }
    // Words are no attributes where they stand in comments, scripts, values and text.
    let words = "word ".repeat(10_000);
    let page = format!("<!-- {words} --><script>if (a <b) {words}</script><p title=\"{words}\">{words}</p>");
    assert_eq!(texts(&read(&page)), [words.trim()]);
}

#[test]
fn unfinished_markup_is_text_or_nothing() {
    for page in [
        "<",
        "<p",
        "<p a=\"",
        "<!--",
        "<![CDATA[",
        "&",
        "&#",
        "&#x",
        "</",
        "<!",
        "<?",
        "<p>a</p",
        "<textarea>a",
    ] {
        read(page);
    }
    assert_eq!(texts(&read("a<b <p>c")), ["ac"]);
    assert_eq!(texts(&read("a < b & c")), ["a < b & c"]);
}

#[test]
fn limits_on_blocks_and_input() {
    let few = Limits { max_blocks: 10, ..Limits::default() };
    let error = read_with("<p>x".repeat(100).as_bytes(), &few).unwrap_err();
    assert_eq!(error, Error::Limit { name: "max_blocks", value: 100, limit: 10 });
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let mut state = 7u64;
    let noise: Vec<u8> = (0..1 << 20)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        })
        .collect();
    assert_eq!(read_with(&noise, &Limits::default()).unwrap_err().code(), "bad_encoding");
}

#[test]
fn the_work_can_be_cancelled_at_each_stage() {
    let page = "<p>word <b>x</b>".repeat(50_000);
    let limits = Limits::default();
    for ticks in [1, 10, 40] {
        let mut progress = StopAfter(ticks);
        let result = codecite_core::read::html::read(page.as_bytes(), &mut Work::new(&limits, &mut progress));
        assert_eq!(result, Err(Error::Cancelled), "{ticks}");
    }
    let mut progress = StopAfter(u32::MAX);
    assert!(codecite_core::read::html::read(page.as_bytes(), &mut Work::new(&limits, &mut progress)).is_ok());
}

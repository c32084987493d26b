//! Damaged and hostile files: each ends in text or in a clean error, on a small stack.

use std::time::{Duration, Instant};

use codecite_core::error::Error;
use codecite_core::work::{Limits, Progress, Stage, Work};

use super::writer::{FIRST_EXTRA, Page, REGULAR, assemble, deflate, pdf, pdf_with, stream};
use super::{check_invariants, read, read_with, texts};

const TEXT: &str = "Hello 1004.5 Occupant load.";

fn hello() -> Page {
    Page::new().text(REGULAR, 12.0, 72.0, 700.0, TEXT)
}

fn image() -> Vec<u8> {
    stream("/Type/XObject/Subtype/Image/Width 4/Height 4/ColorSpace/DeviceGray/BitsPerComponent 8", &[0; 16])
}

fn scan() -> Page {
    Page::new().raw("q 600 0 0 780 0 0 cm /I Do Q").x_objects(&format!("/I {FIRST_EXTRA} 0 R"))
}

#[test]
fn a_scan_needs_ocr() {
    let error = read_with(&pdf(&[scan(), scan()], &[image()]), &Limits::default()).unwrap_err();
    assert_eq!(error, Error::NeedsOcr { pages: 2 });
    let document = read(&pdf(&[hello(), scan()], &[image()]));
    assert_eq!(texts(&document), [TEXT]);
    let warnings: Vec<_> = document.warnings.iter().map(|w| (w.code, w.page)).collect();
    assert_eq!(warnings, [("needs_ocr", Some(2))]);
    assert_eq!(document.page_count, 2);
}

#[test]
fn an_inflate_bomb_is_refused_before_it_is_inflated() {
    let zeros = vec![b' '; 64 << 20];
    let limits = Limits { max_decoded_bytes: 8 << 20, ..Limits::default() };
    let once = deflate(&zeros);
    let twice = deflate(&once);
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";
    for (what, data) in [("/Filter/FlateDecode", &once), ("/Filter[/FlateDecode/FlateDecode]", &twice)] {
        let page = hello().raw("/X Do").x_objects(&format!("/X {FIRST_EXTRA} 0 R"));
        let file = pdf(&[page], &[stream(&format!("{form}{what}"), data)]);
        let error = read_with(&file, &limits).unwrap_err();
        assert!(matches!(error, Error::Limit { name: "max_decoded_bytes", .. }), "{error:?}");
        // An object stream is inflated while the file is opened.
        let file = pdf(&[hello()], &[stream(&format!("/Type/ObjStm/N 1/First 10{what}"), data)]);
        let error = read_with(&file, &limits).unwrap_err();
        assert!(matches!(error, Error::Limit { name: "max_decoded_bytes", .. }), "{error:?}");
    }
}

#[test]
fn run_length_and_lzw_are_counted_too() {
    let limits = Limits { max_decoded_bytes: 1 << 20, ..Limits::default() };
    let run = [129u8, b' '].repeat(20_000);
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";
    let page = hello().raw("/X Do").x_objects(&format!("/X {FIRST_EXTRA} 0 R"));
    let file = pdf(&[page], &[stream(&format!("{form}/Filter/RunLengthDecode"), &run)]);
    assert!(matches!(read_with(&file, &limits).unwrap_err(), Error::Limit { name: "max_decoded_bytes", .. }));
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |n: usize| ["[".repeat(n), "]".repeat(n)].concat().into_bytes();
    let error = read_with(&pdf(&[hello()], &[deep(100_000)]), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_nesting", .. }), "{error:?}");
    assert_eq!(texts(&read(&pdf(&[hello()], &[deep(20)]))), [TEXT]);
}

#[test]
fn a_bad_page_is_a_warning_and_the_others_are_read() {
    let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
    let document = read(&pdf(&[hello(), Page::new().raw(&format!("{deep} TJ")), hello()], &[]));
    assert_eq!(texts(&document).len(), 2);
    let warnings: Vec<_> = document.warnings.iter().map(|w| (w.code, w.page)).collect();
    assert_eq!(warnings, [("bad_page", Some(2))]);
}

#[test]
fn a_form_that_shows_itself_ends() {
    let form = stream(
        &format!("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X {FIRST_EXTRA} 0 R>>>>"),
        b"/X Do /X Do /X Do /X Do",
    );
    let page = hello().raw("/X Do").x_objects(&format!("/X {FIRST_EXTRA} 0 R"));
    let started = Instant::now();
    assert_eq!(texts(&read(&pdf(&[page], &[form]))), [TEXT]);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_page_tree_that_contains_itself_ends() {
    let objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[2 0 R 3 0 R 3 0 R]/Count 2>>".to_vec(),
        b"<</Type/Page/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_vec(),
        stream("", b"BT /F1 12 Tf 72 700 Td (Once) Tj ET"),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ];
    assert_eq!(texts(&read(&assemble(&objects, ""))), ["Once"]);
}

#[test]
fn a_width_range_beyond_any_font_is_not_expanded() {
    let font = format!(
        "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[{} 0 R]>>",
        FIRST_EXTRA + 1
    );
    let cid = "<</Type/Font/Subtype/CIDFontType2/BaseFont/X/W[0 2147483647 500]>>";
    let page = hello().raw("BT /F9 12 Tf 72 600 Td (ab) Tj ET");
    let mut file = pdf(&[page], &[font.into_bytes(), cid.as_bytes().to_vec()]);
    let from = b"/F3 5 0 R";
    let at = file.windows(from.len()).rposition(|w| w == from).unwrap();
    file.splice(at..at + from.len(), format!("/F9 {FIRST_EXTRA} 0 R").into_bytes());
    let started = Instant::now();
    let _ = read_with(&file, &Limits::default());
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn limits_and_cancel_end_the_work() {
    let file = pdf(&[hello(), hello(), hello()], &[]);
    let few = Limits { max_pages: 2, ..Limits::default() };
    assert!(matches!(
        read_with(&file, &few).unwrap_err(),
        Error::Limit { name: "max_pages", value: 3, limit: 2 }
    ));
    let small = Limits { max_input_bytes: 100, ..Limits::default() };
    assert!(matches!(read_with(&file, &small).unwrap_err(), Error::Limit { name: "max_input_bytes", .. }));
    struct Stop(u32);
    impl Progress for Stop {
        fn tick(&mut self, _: Stage, _: u64, _: u64) -> bool {
            self.0 += 1;
            self.0 < 3
        }
    }
    let (limits, mut stop) = (Limits::default(), Stop(0));
    let error = codecite_core::read::pdf::read(&file, &mut Work::new(&limits, &mut stop)).unwrap_err();
    assert_eq!(error, Error::Cancelled);
}

#[test]
fn damaged_files_end_cleanly() {
    let pages: Vec<Page> = (0..3).map(|_| hello().line(72.0, 600.0, 300.0, 600.0)).collect();
    let file = pdf(&pages, &[]);
    let mut read_any = 0;
    for cut in (0..file.len()).step_by(97) {
        match read_with(&file[..cut], &Limits::default()) {
            Ok(document) => check_invariants(&document),
            Err(error) => {
                assert!(matches!(error, Error::Malformed { .. } | Error::NeedsOcr { .. }), "{error:?}")
            }
        }
    }
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..150 {
        let mut bad = file.clone();
        for _ in 0..=random() % 20 {
            let at = random() % bad.len();
            bad[at] = random() as u8;
        }
        if let Ok(document) = read_with(&bad, &Limits::default()) {
            check_invariants(&document);
            read_any += 1;
        }
    }
    assert!(read_any > 50, "repair reads only {read_any} of 150");
    for length in [0, 1, 100, 5000] {
        let noise: Vec<u8> = (0..length).map(|_| random() as u8).collect();
        assert!(matches!(read_with(&noise, &Limits::default()), Err(Error::Malformed { .. })));
        let with_head = [b"%PDF-1.7\n".as_slice(), &noise].concat();
        assert!(matches!(read_with(&with_head, &Limits::default()), Err(Error::Malformed { .. })));
    }
}

/// Reads every file of the folder that `CODECITE_HOSTILE` names; tests/hostile/run.sh fills one.
#[test]
fn every_file_of_a_folder_ends_in_text_or_a_clean_error() {
    let Some(folder) = std::env::var_os("CODECITE_HOSTILE") else {
        println!("SKIPPED: set CODECITE_HOSTILE to a folder of PDFs (see tests/hostile/run.sh)");
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "the folder is empty");
    let (mut read_whole, mut slow) = (0, Vec::new());
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).unwrap();
        let started = Instant::now();
        // A panic ends the test here; a stack overflow or an abort ends the process.
        match read_with(&bytes, &Limits::default()) {
            Ok(document) => {
                check_invariants(&document);
                read_whole += 1;
            }
            Err(Error::Cancelled | Error::OutOfMemory) => panic!("{name}: an error that nothing asked for"),
            Err(error) => println!("{name}: {error}"),
        }
        if started.elapsed() > Duration::from_secs(10) {
            slow.push(name);
        }
    }
    println!("{} files, {read_whole} of them gave text", paths.len());
    assert!(slow.is_empty(), "these take too long: {slow:?}");
}

#[test]
fn crowded_pages_end() {
    let started = Instant::now();
    // Words and rules in one place, names of tables everywhere: nothing is compared with everything.
    let mut words = String::from("BT /F1 2 Tf 1 0 0 1 0 0 Tm\n");
    let mut rules = String::new();
    for n in 0..20_000 {
        let (x, y) = ((n * 37 % 6000) as f32 / 10.0, 700.0 + (n % 90) as f32 / 10.0);
        words.push_str(&format!("1 0 0 1 {x} {y} Tm (T) Tj\n"));
        rules.push_str(&format!("{x} {y} m {} {y} l S\n", x + 30.0));
    }
    words.push_str("ET\n");
    let tables = "BT /F1 9 Tf 72 500 Td (Table 1) Tj ET\n".repeat(2_000);
    let page = Page::new().raw(&words).raw(&rules).raw(&tables);
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn hints_that_contain_themselves_end() {
    let more = [
        "<</Type/StructTreeRoot/K 11 0 R/RoleMap<</A/B/B/A>>>>",
        "<</S/A/K[11 0 R 11 0 R 10 0 R]>>",
        "<</First 12 0 R/Next 12 0 R/Title(Loop)>>",
        "<</Kids[13 0 R 13 0 R]>>",
    ];
    let more: Vec<Vec<u8>> = more.iter().map(|object| object.as_bytes().to_vec()).collect();
    let catalog = "/StructTreeRoot 10 0 R/Outlines 12 0 R/PageLabels 13 0 R";
    assert_eq!(texts(&read(&pdf_with(&[hello()], &more, catalog, ""))), [TEXT]);
    let endless = "/PageLabels<</Nums[0<</S/D/St 2147483647>> 4294967295<</S/r>>]>>";
    assert_eq!(texts(&read(&pdf_with(&[hello()], &[], endless, ""))), [TEXT]);
}

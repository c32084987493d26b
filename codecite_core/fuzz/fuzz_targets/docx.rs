#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| codecite_fuzz::judge_archive(bytes));

//! Keeps the section of the library that its SQL is written from (see `codecite_pg/schema`): where the linker drops what
//! nothing refers to, as seen on arm64 Linux, it would go.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && !is("CARGO_CFG_TARGET_ARCH", "x86_64") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--no-gc-sections");
    }
}

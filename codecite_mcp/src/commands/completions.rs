//! `codecite completions`: a script for a shell.

use clap::CommandFactory;

use super::print;
use crate::cli::{Cli, CompletionsArgs};

/// Prints the script.
pub fn run(args: &CompletionsArgs) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "codecite", &mut script);
    print(&String::from_utf8_lossy(&script));
}

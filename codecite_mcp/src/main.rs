//! `codecite`: operator commands and the MCP bridge to the Postgres extension of the same name.

mod api;
mod cli;
mod commands;
mod date;
mod db;
mod fault;
mod mcp;
mod origin;
mod outline;
mod output;
mod site;
mod target;
mod tls;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::cli::{Cli, Command, Transport};
use crate::commands::Status;
use crate::db::{Db, Session};
use crate::fault::{Fault, Kind};
use crate::target::Target;

/// Time for a cancel to reach Postgres before the process ends.
const CANCEL_TIME: Duration = Duration::from_millis(300);
/// Connections to Postgres of a command, and of an agent on standard input.
const CONNECTIONS: usize = 2;
/// Connections to Postgres of a server for many agents: searches take a core each.
const HTTP_CONNECTIONS: usize = 8;

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Command::Completions(args) = &cli.command {
        commands::completions::run(args);
        return ExitCode::from(Status::Ok as u8);
    }
    log_to_stderr();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("codecite: no runtime could be started: {error}");
            return ExitCode::from(Status::Error as u8);
        }
    };
    let json = cli.global.json;
    let result = runtime.block_on(async {
        tokio::select! {
            result = run(cli) => result,
            _ = tokio::signal::ctrl_c() => {
                // Dropping `run` has sent the cancel of a running statement on its way.
                tokio::time::sleep(CANCEL_TIME).await;
                Err(Fault::new(Kind::Stopped, "interrupted", "Nothing of a statement under way was kept."))
            }
        }
    });
    // Standard input may still be read on a thread of its own: nothing waits for it.
    runtime.shutdown_background();
    let status = result.unwrap_or_else(|fault| {
        commands::print_fault(&fault, json);
        Status::Error
    });
    ExitCode::from(status as u8)
}

async fn run(cli: Cli) -> Result<Status, Fault> {
    if let Command::FetchOac(args) = &cli.command {
        return commands::fetch_oac::run(args, cli.global.json).await;
    }
    let target = Target::new(cli.global.database_url.as_deref(), |name| std::env::var(name).ok())?;
    let timeout = Duration::from_secs(u64::from(cli.global.timeout));
    let json = cli.global.json;
    let reading = Session { timeout, connections: CONNECTIONS, read_only: true };
    // What an operator has begun is not cut off by the time limit of look-ups.
    let writing = Session { timeout: Duration::ZERO, connections: CONNECTIONS, read_only: false };
    match &cli.command {
        Command::Doctor => commands::doctor::run(&Db::new(target, reading), json).await,
        Command::Init(args) => commands::init::run(Db::new(target, writing), args, json).await,
        Command::Ingest(args) => {
            // A long document may take minutes: its length is bounded by the extension's own limits. One connection more
            // asks how far the others are.
            let connections = usize::from(args.jobs) + 1;
            let session = Session { read_only: args.dry_run, connections, ..writing };
            commands::ingest::run(&Db::new(target, session), args, json).await
        }
        Command::Export(args) => commands::export::run(&Db::new(target, reading), args, json).await,
        Command::Search(args) => commands::search::run(&Db::new(target, reading), args, json).await,
        Command::Section(args) => commands::section::run(&Db::new(target, reading), args, json).await,
        Command::Context(args) => commands::context::run(&Db::new(target, reading), args, json).await,
        Command::Define(args) => commands::define::run(&Db::new(target, reading), args, json).await,
        Command::Resolve(args) => commands::resolve::run(&Db::new(target, reading), args, json).await,
        Command::Verify(args) => commands::verify::run(&Db::new(target, reading), args, json).await,
        Command::Compare(args) => commands::compare::run(&Db::new(target, reading), args, json).await,
        Command::Amendments(args) => commands::amendments::run(&Db::new(target, reading), args, json).await,
        Command::Corpora(args) => commands::corpora::run(&Db::new(target, reading), args, json).await,
        Command::Chapters(args) => commands::chapters::run(&Db::new(target, reading), args, json).await,
        Command::Drop(args) => commands::drop::run(&Db::new(target, writing), args, json).await,
        Command::Model(command) => commands::model::run(&Db::new(target, writing), command, json).await,
        Command::Eval(args) => commands::eval::run(&Db::new(target, reading), args, json).await,
        Command::Embed(args) => {
            let session = Session { connections: args.jobs, ..writing };
            commands::embed::run(&Db::new(target, session), args, json).await
        }
        // They need no database: done before this.
        Command::Completions(_) | Command::FetchOac(_) => Ok(Status::Ok),
        Command::Serve(args) => {
            let connections = if args.transport == Transport::Http { HTTP_CONNECTIONS } else { CONNECTIONS };
            let ingesting = mcp::Ingesting::new(Db::new(target.clone(), writing))?;
            mcp::serve(Db::new(target, Session { connections, ..reading }), ingesting, args).await
        }
    }
}

/// Standard output belongs to results and to the protocol.
fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    // Where nobody reads the log any more, it is lost: telling of that on the same stream would panic.
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .log_internal_errors(false)
        .init();
}

#!/usr/bin/env bash
# Other makers' clients, each in a home of its own and without an account: the MCP Inspector's command line, Claude Code, Codex.
# Run by run.sh, which sets CODECITE, ADMIN_URL, TEST_DATABASE and PYTHON.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
repo="$(cd "$here/../.." && pwd)"
url="$("$PYTHON" -c "import sys; sys.path.insert(0, '$here'); import harness; print(harness.URL)")"
# Pinned: the last Inspector that runs on Node 18 and 20, too.
inspector=@modelcontextprotocol/inspector@0.14.3
claude=@anthropic-ai/claude-code@2.1.332
codex=@openai/codex@0.171.0
modules="$repo/.codecite/node"
home="$(mktemp -d)"
trap 'rm -rf "$home"' EXIT
passed=0 failed=0

# install PACKAGE PROGRAM: into .codecite, unless it is there in this version.
install() {
  local folder="$modules/${1//[^a-z0-9.]/_}"
  if [ ! -x "$folder/node_modules/.bin/$2" ]; then
    if ! command -v npm >/dev/null; then
      echo "SKIPPED: $2: npm is not installed (apt-get install npm)" >&2
      return 1
    fi
    mkdir -p "$folder"
    if ! npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "$1" >/dev/null 2>"$home/npm.log"; then
      echo "SKIPPED: $2: $1 could not be installed: $(tail -n 1 "$home/npm.log")" >&2
      return 1
    fi
  fi
  echo "$folder/node_modules/.bin/$2"
}
# A client sees a home of its own and nothing of the caller's: no settings, no keys.
alone() { (cd "$home" && timeout 90 env -i PATH="$PATH" HOME="$home" DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$@" 2>&1); }
# shows WHAT PATTERN COMMAND…: what the command prints has the pattern, and it ends well.
shows() {
  local what="$1" pattern="$2" out
  shift 2
  if out="$(alone "$@")" && grep -qE -- "$pattern" <<<"$out"; then
    echo "ok     $what"
    passed=$((passed + 1))
  else
    printf 'FAILED %s: no "%s" in\n%s\n' "$what" "$pattern" "$(head -c 2000 <<<"$out")"
    failed=$((failed + 1))
  fi
}

if program="$(install "$inspector" mcp-inspector)"; then
  inspect=("$program" --cli -e CODECITE_DATABASE_URL="$url" "$CODECITE" serve)
  out="$(alone "${inspect[@]}" --method tools/list)" || true
  if [ -n "$out" ] && ! grep -q 'unknown format' <<<"$out"; then
    echo "ok     inspector: every schema is of a known form"
    passed=$((passed + 1))
  else
    echo "FAILED inspector: a schema has an unknown form: $(head -n 2 <<<"$out")"
    failed=$((failed + 1))
  fi
  for tool in search_code get_section get_context resolve_reference verify_answer compare_editions list_corpora list_chapters \
    list_amendments; do
    arguments=()
    case "$tool" in
    search_code) arguments=(query=stairs) ;;
    get_section | get_context) arguments=(number=1004.5 corpus=mcp-test) ;;
    resolve_reference | verify_answer) arguments=("text=See Section 1004.5.") ;;
    compare_editions) arguments=(corpus_a=mcp-test corpus_b=mcp-later chapter=10) ;;
    list_chapters) arguments=(corpus=mcp-test) ;;
    esac
    options=(--method tools/call --tool-name "$tool")
    for argument in "${arguments[@]}"; do options+=(--tool-arg "$argument"); done
    shows "inspector: $tool" '"structuredContent"' "${inspect[@]}" "${options[@]}"
  done
  shows "inspector: resources" 'codecite://mcp-test/toc' "${inspect[@]}" --method resources/list
  shows "inspector: a resource" 'Chapter 10' "${inspect[@]}" --method resources/read --uri codecite://mcp-test/toc
  shows "inspector: templates" 'section/\{number\}' "${inspect[@]}" --method resources/templates/list
  shows "inspector: prompts" 'compare_to_standard' "${inspect[@]}" --method prompts/list
  shows "inspector: a prompt" 'How wide' "${inspect[@]}" --method prompts/get --prompt-name code_question \
    --prompt-args "question=How wide?"
fi
if program="$(install "$claude" claude)"; then
  alone "$program" mcp add --transport stdio codecite --env CODECITE_DATABASE_URL="$url" -- "$CODECITE" serve >/dev/null || true
  shows "claude mcp get: Connected" 'Status: .*Connected' "$program" mcp get codecite
fi
if program="$(install "$codex" codex)"; then
  alone "$program" mcp add codecite --env CODECITE_DATABASE_URL="$url" -- "$CODECITE" serve >/dev/null || true
  shows "codex mcp list" '^codecite .* enabled' "$program" mcp list
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

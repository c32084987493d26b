"""Talks to `codecite serve` as an agent does, and proves what its instructions promise."""

import asyncio
import json
import os
import pathlib
import re
import tomllib

import jsonschema
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client
from mcp.types import PromptReference, ResourceTemplateReference

from harness import CORPUS, LATER, REPO, TOOLS, Http, any_number, codecite, good, run, server, sql, text


async def test_both_ways_to_begin():
    for mode in ("auto", "legacy"):
        async with Client(server(), mode=mode) as client:
            assert "cite or abstain" in client.instructions.lower()
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == TOOLS
            assert all(tool.output_schema and tool.annotations.read_only_hint for tool in tools)
            assert all(len(tool.description) < 2048 and "Example: " in tool.description for tool in tools)


async def test_list_corpora():
    async with Client(server()) as client:
        data, shown = await good(client, "list_corpora")
        assert CORPUS in [corpus["corpus"] for corpus in data["corpora"]] and CORPUS in shown
        assert {document["layer"] for document in data["documents"] if document["corpus"] == CORPUS} == {"base", "amendment"}
        one, _ = await good(client, "list_corpora", corpus="other")
        assert [corpus["corpus"] for corpus in one["corpora"]] == ["other"]


async def test_search_cites_what_is_there():
    async with Client(server()) as client:
        data, shown = await good(client, "search_code", query="minimum width of stairs", corpora=[CORPUS], k=3)
        assert data["hits"] and data["coverage"] in ("covered", "uncertain")
        for hit in data["hits"]:
            assert hit["citation"] in shown
            stored = sql("SELECT string_agg(body, ' ') FROM codecite.section WHERE number = $q$" + hit["number"] + "$q$")
            words = hit["body"].split()[:5]
            assert " ".join(words) in " ".join(stored.split()), hit["body"][:80]


async def test_exact_number_is_first():
    number = any_number()
    async with Client(server()) as client:
        data, _ = await good(client, "search_code", query=number, corpora=CORPUS)
        assert data["hits"][0]["number"] == number and data["coverage"] == "covered"


async def test_section_tells_its_three_answers_apart():
    async with Client(server()) as client:
        number = any_number()
        found, shown = await good(client, "get_section", number=f"§ {number}", corpus=CORPUS)
        assert found["status"] == "found" and found["sections"][0]["citation"] in shown
        without, shown = await good(client, "get_section", number=f"{number}, Exception 77", corpus=CORPUS)
        assert without["status"] == "found" and "Exception 77" in without["note"] and "has no Exception 77" in shown
        assert "Exception 77" not in without["sections"][0]["citation"]
        missing, shown = await good(client, "get_section", number="9999.99", corpus=CORPUS)
        assert missing["status"] == "not_in_corpus" and not missing["sections"] and "nearest" in shown
        nowhere, shown = await good(client, "get_section", number="9999.99", corpus="no-such-corpus")
        assert nowhere["status"] == "not_indexed" and "nothing can be said" in shown


async def test_context_names_what_stands_around():
    async with Client(server()) as client:
        number = any_number()
        found, shown = await good(client, "get_context", number=number, corpus=CORPUS)
        relations = [row["relation"] for row in found["related"]]
        assert found["status"] == "found" and relations.count("parent") == 1
        order = ["parent", "sibling", "child", "reference", "referenced_by"]
        assert relations == sorted(relations, key=order.index)
        assert all(row["citation"] in shown for row in found["related"] if row["status"] == "found")
        missing, shown = await good(client, "get_context", number="9999.99", corpus=CORPUS)
        assert missing["status"] == "not_in_corpus" and not missing["related"] and "nearest" in shown


async def test_the_readme_names_every_tool():
    readme = REPO.joinpath("README.md").read_text(encoding="utf-8")
    table = readme.split("The agent gets these tools", 1)[1].split("Several agents", 1)[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == TOOLS


async def test_the_configurations_in_the_readme_can_be_read():
    blocks = re.findall(r"```(json|toml)\n(.*?)```", REPO.joinpath("README.md").read_text(encoding="utf-8"), re.S)
    assert [kind for kind, _ in blocks] == ["json", "json", "toml"]
    servers = [list((json.loads if kind == "json" else tomllib.loads)(text).values())[0]["codecite"] for kind, text in blocks]
    assert all(one["args"] == ["serve"] and one["command"].endswith("/codecite") and one["env"]["CODECITE_DATABASE_URL"] for one in servers)


async def test_references_of_a_text_are_looked_up():
    number = any_number()
    async with Client(server()) as client:
        data, shown = await good(client, "resolve_reference", text=f"As Section {number}, Exception 1, and Table 9999.9 say.", corpus=CORPUS)
        found = {row["target"]: row for row in data["references"]}
        assert found[number]["status"] == "found" and found[number]["locator"] == "Exception 1"
        assert found[number]["citation"] in shown and found["Table 9999.9"]["status"] == "not_in_corpus"
        assert "Table 9999.9 · not_in_corpus: do not cite it" in shown
        nowhere, shown = await good(client, "resolve_reference", text=f"Section {number}", corpus="no-such-corpus")
        assert nowhere["references"][0]["status"] == "not_indexed" and "nothing can be said" in shown
        early, _ = await good(client, "resolve_reference", text=f"Section {number}", corpus=CORPUS, as_of="1990-01-01")
        assert early["references"][0].get("layer") != "base"
        none, shown = await good(client, "resolve_reference", text="Nothing at all.")
        assert not none["references"] and "no reference" in shown


async def test_a_draft_is_checked_word_by_word():
    number = any_number()
    body = sql(f"SELECT body FROM codecite.section('{number}', '{CORPUS}', 'base')")
    words = " ".join(body.split()[3:15])
    changed = words.replace(words.split()[5], "zeppelins", 1)
    async with Client(server()) as client:
        data, shown = await good(client, "verify_answer", corpus=CORPUS,
                                 text=f"Section {number} says “{words}”. Section 9999.9 says more, and so does NFPA 13 §8.3.")
        verdicts = [(row["kind"], row["verdict"]) for row in data["claims"]]
        assert ("quotation", "quote_exact") in verdicts, (words, data)
        assert ("citation", "not_in_corpus") in verdicts and ("citation", "not_checked") in verdicts, data
        assert "it is not there: do not cite it" in shown
        wrong, shown = await good(client, "verify_answer", corpus=CORPUS, text=f"Section {number} says “{changed}”.")
        altered = [row for row in wrong["claims"] if row["verdict"] == "quote_altered"]
        assert altered and "{+zeppelins+}" in altered[0]["redline"] and altered[0]["redline"] in shown, wrong
        none, shown = await good(client, "verify_answer", text="Nothing at all.")
        assert not none["claims"] and "no citation and no quotation" in shown


async def test_what_changed_is_told_with_both_citations():
    async with Client(server()) as client:
        data, shown = await good(client, "compare_editions", corpus_a=CORPUS, corpus_b=LATER, chapter="10")
        changed = next(row for row in data["changes"] if row["change"] == "changed")
        assert "[-less" in changed["redline"] and "{+at" in changed["redline"]
        assert changed["citation_a"] in shown and changed["citation_b"] in shown and "> " in shown
        whole, _ = await good(client, "compare_editions", corpus_a=CORPUS, corpus_b=LATER, max_chars=100000)
        assert "9901.1" in [row.get("number_b") for row in whole["changes"] if row["change"] == "added"]
        same, shown = await good(client, "compare_editions", corpus_a=CORPUS, corpus_b=CORPUS, edition_a="2024", edition_b="2024")
        assert not same["changes"] and "no section differs" in shown
        result = await client.call_tool("compare_editions", {"corpus_a": CORPUS, "corpus_b": "no-such-corpus"})
        assert result.is_error and "nothing to compare" in text(result)


async def test_chapters_are_listed_with_what_they_hold():
    async with Client(server()) as client:
        data, shown = await good(client, "list_chapters", corpus=CORPUS)
        base, amendment = data["documents"]
        assert base["layer"] == "base" and amendment["layer"] == "amendment"
        first = base["parts"][0]
        counted = sql("SELECT count(*) FROM (SELECT *, count(*) FILTER (WHERE depth = 0) OVER (ORDER BY ordinal) AS n FROM "
                      f"codecite.toc('{CORPUS}') WHERE layer = 'base') t WHERE n = 1 AND kind = 'section'")
        assert first["number"] == "Chapter 1" and str(first["sections"]) == counted and "Chapter 1 " in shown
        result = await client.call_tool("list_chapters", {"corpus": "no-such-corpus"})
        assert result.is_error and "there is no corpus" in text(result)


async def test_amendments_are_listed_with_their_words():
    async with Client(server()) as client:
        data, shown = await good(client, "list_amendments", corpus=CORPUS)
        row = next(row for row in data["operations"] if row["status"] == "applied" and row.get("instruction"))
        assert "> " + row["instruction"].splitlines()[0] in shown and row["citation"] in shown
        one, _ = await good(client, "list_amendments", corpus=CORPUS, number=row["target"])
        assert row["target"] in [other["target"] for other in one["operations"]]
        assert len(one["operations"]) < len(data["operations"])
        none, shown = await good(client, "list_amendments", corpus=LATER)
        assert not none["operations"] and "that is indexed" in shown
        result = await client.call_tool("list_amendments", {"corpus": "no-such-corpus"})
        assert result.is_error and "there is no corpus" in text(result)


async def test_resources_are_read_and_completed():
    number = any_number()
    async with Client(server()) as client:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert f"codecite://{CORPUS}/toc" in uris, uris
        templates = (await client.list_resource_templates()).resource_templates
        section = next(template.uri_template for template in templates if template.name == "section")
        toc = (await client.read_resource(f"codecite://{CORPUS}/toc")).contents[0].text
        assert number in toc and "city-amendments" in toc
        body = (await client.read_resource(f"codecite://{CORPUS}/section/{number}")).contents[0].text
        assert body.startswith("status: found") and number in body
        table = sql(f"SELECT number FROM codecite.toc('{CORPUS}') WHERE kind = 'table' LIMIT 1")
        assert table in (await client.read_resource(f"codecite://{CORPUS}/section/{table.replace(' ', '%20')}")).contents[0].text
        for uri in (f"codecite://{CORPUS}/section/9999.99", "codecite://no-such-corpus/toc", "codecite://x/y"):
            try:
                await client.read_resource(uri)
                raise AssertionError(f"{uri} was read")
            except MCPError as error:
                assert error.error.code != -32603, error
        reference = ResourceTemplateReference(uri=section)
        corpora = await client.complete(reference, {"name": "corpus", "value": CORPUS[:5]})
        assert CORPUS in corpora.completion.values and LATER not in corpora.completion.values or CORPUS[:5] == LATER[:5]
        numbers = await client.complete(reference, {"name": "number", "value": number[:3]}, {"corpus": CORPUS})
        assert number in numbers.completion.values and all(n.startswith(number[:3]) for n in numbers.completion.values)
        assert len((await client.complete(reference, {"name": "number", "value": ""}, {"corpus": CORPUS})).completion.values) == 100
        prompt = await client.complete(PromptReference(name="code_question"), {"name": "corpus", "value": ""})
        assert {CORPUS, LATER} <= set(prompt.completion.values)


async def test_prompts_carry_the_rules():
    async with Client(server()) as client:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert list(prompts) == ["code_question", "compare_to_standard"]
        question = await client.get_prompt("code_question", {"question": "How wide are stairs?", "corpus": CORPUS})
        compared = await client.get_prompt("compare_to_standard", {"corpus": CORPUS, "standard": LATER, "topic": "stairs"})
        for prompt, words in ((question, "How wide are stairs?"), (compared, LATER)):
            shown = prompt.messages[0].content.text
            assert words in shown
            for rule in ("word for word", "citation", "amendment", "do not cover", "never an instruction"):
                assert rule in shown, rule


async def test_results_keep_their_budget_and_can_be_read_on():
    sql("INSERT INTO codecite.corpus (name, title) VALUES ('long', 'Long') ON CONFLICT DO NOTHING")
    body = "\n\n".join(f"The {i}th rule of this section says \"§ {i}\" and a little more than that." for i in range(1500))
    path = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"codecite-long-{os.getpid()}.md"
    path.write_text(f"# Chapter 1 Scope\n\n## 101.1 Rules\n\n{body}\n")
    try:
        codecite("ingest", str(path), "--corpus", "long", "--document", "long", "--no-embed")
    finally:
        path.unlink()
    whole = sql("SELECT body FROM codecite.section WHERE number = '101.1' AND length(body) > 50000")
    tested = set()
    async with Client(server()) as client:
        for tool, arguments in [("get_section", {"number": "101.1", "corpus": "long"}),
                                ("search_code", {"query": "rule of this section", "k": 50}), ("list_corpora", {}),
                                ("get_context", {"number": "Chapter 10", "corpus": CORPUS}),
                                ("resolve_reference", {"text": "See Sections 1004.5, 1005.1, 1003.1 and 1003.2. " * 30}),
                                ("verify_answer", {"text": "See Section 1004.5 and Sections 1003.1 and 9999.1. " * 30, "corpus": CORPUS}),
                                ("compare_editions", {"corpus_a": CORPUS, "corpus_b": LATER}),
                                ("compare_editions", {"corpus_a": CORPUS, "corpus_b": "long"}),
                                ("list_chapters", {"corpus": CORPUS}), ("list_amendments", {"corpus": CORPUS})]:
            tested.add(tool)
            for most in (2000, 5000, 24000):
                data, shown = await good(client, tool, **arguments, max_chars=most)
                assert len(shown) <= most and len(json.dumps(data, ensure_ascii=False, separators=(",", ":"))) <= most, tool
                if most == 2000 and tool != "list_corpora":
                    assert data["truncated"] in shown
        assert tested == set(TOOLS)
        pieces, offset = [], 0
        while True:
            data, _ = await good(client, "get_section", number="101.1", corpus="long", offset=offset)
            piece = data["sections"][0]["body"]
            pieces.append(piece)
            offset += len(piece)
            if "truncated" not in data:
                break
            assert f"offset={offset}" in data["truncated"]
        assert "".join(pieces).strip() == whole.strip() and len(pieces) > 2


async def test_errors_reach_the_model():
    async with Client(server()) as client:
        result = await client.call_tool("search_code", {"query": "x", "layer": "nonsense", "kinds": ["nonsense"]})
        # Either an error in words, or an honest empty answer: never a failure of the protocol.
        assert result.is_error or result.structured_content["coverage"] == "not_covered"
        result = await client.call_tool("get_section", {"number": "101.1", "as_of": "someday"})
        assert result.is_error and "YYYY-MM-DD" in text(result)


async def test_http_serves_the_same():
    number = any_number()
    async with Http() as http, Client(server()) as stdio:
        for mode in ("auto", "legacy"):
            async with http.client(mode) as client:
                assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
                for tool, arguments in (("get_section", {"number": number, "corpus": CORPUS}), ("list_chapters", {"corpus": CORPUS})):
                    assert await good(client, tool, **arguments) == await good(stdio, tool, **arguments)
                toc = await client.read_resource(f"codecite://{CORPUS}/toc")
                assert number in toc.contents[0].text
        async with http.client() as one, http.client() as two:
            answers = await asyncio.gather(*(good(client, "search_code", query="guard height", corpora=[CORPUS])
                                             for client in (one, two) for _ in range(10)))
            assert len({shown for _, shown in answers}) == 1
        async with create_mcp_http_client() as stranger:
            assert (await stranger.post(http.url, json={})).status_code == 401


CALLS = [("search_code", {"query": "minimum width of stairs"}), ("search_code", {"query": "section 9999.99"}),
         ("get_section", {"number": "1004.5"}), ("get_section", {"number": "9999.99", "corpus": CORPUS}), ("get_context", {"number": "1004.5"}),
         ("resolve_reference", {"text": "See Section 1004.5, Table 1004.5 and 9999.1."}),
         ("verify_answer", {"text": "Section 1004.5 says \u201cnot less than a zeppelin\u201d.", "corpus": CORPUS}),
         ("compare_editions", {"corpus_a": CORPUS, "corpus_b": LATER, "chapter": "10"}), ("list_corpora", {}), ("list_corpora", {"corpus": "none"}),
         ("list_chapters", {"corpus": CORPUS}), ("list_amendments", {"corpus": CORPUS}), ("list_amendments", {"corpus": LATER})]


async def test_what_is_sent_is_what_the_schemas_say():
    async with Client(server()) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        for tool in tools.values():
            for schema in (tool.input_schema, tool.output_schema):
                jsonschema.Draft202012Validator.check_schema(schema)
                # A format that JSON Schema does not know makes strict clients complain.
                assert set(re.findall(r'"format": "([^"]+)"', json.dumps(schema))) <= {"date"}, tool.name
            assert tool.description and len(tool.description.encode()) < 2048
            assert all(len(field.get("description", "")) > 20 for field in tool.input_schema["properties"].values()), tool.name
        assert {name for name, _ in CALLS} == set(tools)
        for name, arguments in CALLS:
            jsonschema.validate(arguments, tools[name].input_schema)
            for more in ({}, {"max_chars": 2000}):
                data, _ = await good(client, name, **arguments, **more)
                validator = jsonschema.Draft202012Validator(closed(tools[name].output_schema))
                errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(data)]
                assert not errors, (name, errors)


def closed(schema):
    """The schema, refusing fields that it does not describe."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: closed(value) for key, value in schema.items()}
    return {**schema, "additionalProperties": False} if schema.get("type") == "object" and "properties" in schema else schema


async def test_both_transports_serve_everything():
    async with Http() as http, Client(server()) as stdio, http.client() as web:
        both = (stdio, web)
        for name, arguments in CALLS:
            one, two = [await good(client, name, **arguments) for client in both]
            assert one == two, name
        lists = []
        for client in both:
            resources = [resource.uri for resource in (await client.list_resources()).resources]
            templates = [template.uri_template for template in (await client.list_resource_templates()).resource_templates]
            prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
            read = [(await client.read_resource(uri)).contents[0].text for uri in [*resources, f"codecite://{CORPUS}/section/1004.5"]]
            asked = [(await client.get_prompt(name, arguments)).messages[0].content.text for name, arguments in
                     (("code_question", {"question": "How wide?"}), ("compare_to_standard", {"corpus": CORPUS, "standard": LATER, "topic": "stairs"}))]
            completed = (await client.complete(ResourceTemplateReference(uri=templates[0]), {"name": "corpus", "value": CORPUS})).completion.values
            lists.append((resources, templates, prompts, read, asked, completed))
        assert lists[0] == lists[1] and all(lists[0])


run(globals())

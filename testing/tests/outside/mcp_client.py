"""The official Python client of the Model Context Protocol against Eruca.

mcp_client.py CHECK MODE TARGET...: CHECK is a function below, MODE `legacy` (a handshake) or `auto` (none), TARGET a URL with
headers as NAME=VALUE, or a command. Fails with a traceback; a check that needs to be seen from outside prints what happens.
"""

import asyncio
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

QUESTION = "What is the capital of France?"
PARIS = "https://example.org/cities/Paris"
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
TOOLS = {
    "list_datasets", "describe_dataset", "text2sparql", "search_entity", "search_class", "search_property", "get_entry",
    "get_property_examples", "search_in", "execute_sparql", "explain_empty",
}


def client(mode, target):
    """A client of a URL or of a command."""
    if target[0].startswith("http"):
        headers = dict(pair.split("=", 1) for pair in target[1:])
        http = httpx2.AsyncClient(headers=headers, timeout=120)
        server = streamable_http_client(target[0], http_client=http)
    else:
        server = StdioServerParameters(command=target[0], args=target[1:])
    return Client(server, mode=mode, read_timeout_seconds=120)


def text(result):
    """What a model reads of a result."""
    return "\n".join(part.text for part in result.content)


def leaves(value):
    """Every text and number of a JSON value."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    elif value is not None:
        yield str(value).lower() if isinstance(value, bool) else str(value)


async def right(session, tool, arguments, **options):
    """Calls a tool, and holds its text against its structure."""
    result = await session.call_tool(tool, arguments, **options)
    assert not result.is_error, (tool, arguments, text(result))
    told = text(result)
    missing = [leaf for leaf in leaves(result.structured_content) if leaf not in told]
    assert not missing, (tool, missing, told)
    return result.structured_content


async def wrong(session, tool, arguments, *words):
    """Calls a tool wrongly: the error must say what to do."""
    result = await session.call_tool(tool, arguments)
    assert result.is_error and result.structured_content is None, (tool, arguments, result)
    for word in words:
        assert word in text(result), (tool, arguments, text(result))


async def refused(awaited, *words):
    """Awaits what the protocol itself refuses."""
    try:
        got = await awaited
    except Exception as error:  # the client's own kinds differ by transport
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError(got)


async def tour(session, mode):
    """Everything that there is, once."""
    assert session.protocol_version == VERSIONS[mode], session.protocol_version
    assert "invent an IRI" in session.instructions
    assert session.server_info.name == "eruca", session.server_info
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    assert set(tools) == TOOLS, set(tools) ^ TOOLS
    for tool in tools.values():
        assert tool.annotations.read_only_hint and tool.output_schema and tool.description, tool
    await each_tool(session)
    await wrong_calls(session)
    await resources(session)
    await prompts(session)


async def each_tool(session):
    [dataset] = (await right(session, "list_datasets", {}))["datasets"]
    assert dataset["aliases"] == ["cities"] and dataset["triples"] > 0, dataset
    card = await right(session, "describe_dataset", {})
    assert card["dataset"] == dataset["id"] and "capital" in card["card"], card
    heard = []

    async def progress(number, total, message):
        heard.append((number, message))

    answered = await right(session, "text2sparql", {"question": QUESTION}, progress_callback=progress)
    [[capital]] = answered["result"]["rows"]
    assert answered["result"]["names"] == {capital: "Paris"} and "Paris" in answered["answer"], answered
    assert answered["answered_by"] == "planner" and answered["confidence"]["percent"] > 0, answered
    assert [number for number, _ in heard] == list(range(1, len(heard) + 1)) and all(m for _, m in heard), heard
    assert heard, "no word of progress"

    found = await right(session, "search_entity", {"query": "Paris", "dataset": "cities"})
    assert capital in found["observation"] and found["outcome"] == "ok", found
    assert "city" in (await right(session, "search_class", {"query": "city"}))["observation"].lower()
    assert "capital" in (await right(session, "search_property", {"query": "capital"}))["observation"]
    assert "France" in (await right(session, "get_entry", {"iri": PARIS}))["observation"]
    await right(session, "get_property_examples", {"property": "https://example.org/cities/capital"})

    rows = await right(session, "execute_sparql", {"query": "SELECT ?s ?o { ?s ?p ?o . ?t a ?c }"})
    table = rows["result"]
    assert len(table["rows"]) == 50 < table["row_count"] and "LIMIT" in table["truncated"], table
    yes = await right(session, "execute_sparql", {"query": f"ASK {{ <{PARIS}> ?p ?o }}"})
    assert yes["result"]["boolean"] is True, yes
    graph = await right(session, "execute_sparql", {"query": f"DESCRIBE <{PARIS}>"})
    assert graph["result"]["columns"] == ["subject", "predicate", "object"], graph

    nothing = f"SELECT ?x {{ ?x <https://example.org/cities/locatedIn> <{PARIS}> ; a <https://example.org/cities/City> }}"
    empty = await right(session, "execute_sparql", {"query": nothing})
    assert empty["outcome"] == "empty" and empty["empty"]["reason"], empty
    reason = await right(session, "explain_empty", {"query": nothing})
    assert reason["row_count"] == 0 and reason["empty"] == empty["empty"], reason
    full = await right(session, "explain_empty", {"query": "SELECT * { ?s ?p ?o } LIMIT 3"})
    assert full["row_count"] == 3 and "empty" not in full, full


async def wrong_calls(session):
    for given in ({}, {"question": " "}, {"question": 3}):
        await wrong(session, "text2sparql", given, "`question`")
    await wrong(session, "text2sparql", {"question": "x" * 5000}, "longer than 2000")
    await wrong(session, "text2sparql", {"question": QUESTION, "dataset": "nowhere"}, "'nowhere'", "example.org/cities")
    await wrong(session, "text2sparql", {"question": QUESTION, "deadline_seconds": -1}, "deadline_seconds")
    await wrong(session, "search_entity", {}, "query")
    await wrong(session, "get_entry", {"iri": "https://example.org/cities/" + "x" * 5000}, "iri")
    await wrong(session, "execute_sparql", {"query": "SELECT ?x WHERE {"})
    await wrong(session, "execute_sparql", {"query": "DELETE WHERE { ?s ?p ?o }"})
    await wrong(session, "execute_sparql", {"query": "SELECT * { SERVICE <https://e.x/> { ?s ?p ?o } }"}, "SERVICE")
    await wrong(session, "explain_empty", {"query": ""}, "`query`")
    await refused(session.call_tool("state_form", {"form": "ask"}), "text2sparql")
    await refused(session.call_tool("drop_database", {}), "text2sparql")


async def resources(session):
    [card] = (await session.list_resources()).resources
    [content] = (await session.read_resource(card.uri)).contents
    assert "capital" in content.text and "PREFIX" in content.text, content
    templates = {template.uri_template for template in (await session.list_resource_templates()).resource_templates}
    assert templates == {"eruca://datasets/{id}/card", "eruca://runs/{id}"}, templates
    run = (await right(session, "text2sparql", {"question": QUESTION}))["run"]
    [content] = (await session.read_resource(run)).contents
    assert QUESTION in content.text and '"steps"' in content.text, content.text[:500]
    for uri in ("eruca://runs/" + "0" * 32, "eruca://runs/../x", "eruca://datasets/nowhere/card", "file:///etc/passwd"):
        await refused(session.read_resource(uri))


async def prompts(session):
    [prompt] = (await session.list_prompts()).prompts
    assert prompt.name == "ask_graph" and [a.required for a in prompt.arguments] == [True, False], prompt
    [message] = (await session.get_prompt("ask_graph", {"question": QUESTION})).messages
    assert QUESTION in message.content.text and "capital" in message.content.text, message
    await refused(session.get_prompt("ask_graph", {}), "question")
    await refused(session.get_prompt("another", {}), "ask_graph")


async def cancel(session, _mode):
    """Begins a question whose model keeps silent, gives it up, and stays until it is told to go."""
    first = asyncio.Event()

    async def progress(number, total, message):
        first.set()

    call = asyncio.create_task(session.call_tool("text2sparql", {"question": QUESTION}, progress_callback=progress))
    await first.wait()
    print("working", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    print("cancelled", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


async def alive(session, _mode):
    """A question whose model keeps silent: word of the work comes all the same, and the answer in the time asked for."""
    heard = []

    async def progress(number, total, message):
        heard.append(message)

    given = {"question": QUESTION, "deadline_seconds": 12}
    answered = await right(session, "text2sparql", given, progress_callback=progress)
    assert any("working for" in message for message in heard), heard
    assert answered["answered_by"] == "planner" and answered["stopped_early"], answered


async def main(check, mode, target):
    if check == "refused":
        return await refused(client(mode, target).__aenter__())
    async with client(mode, target) as session:
        await globals()[check](session, mode)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))

"""Every face of the service, asked in turn, for .ci/soak: what each must give when all is well, when the service is full, and
when an endpoint is down, and that none answers without a key. Standard library only."""

import http.client
import json
import urllib.parse

TIMEOUT = 60
PROTOCOL = "2025-06-18"


class Faulty(Exception):
    """A face gave what it must not give."""


class BrokenOff(Faulty):
    """An answer that had begun has no end."""


class Face:
    """One way to ask. `request` makes method, path, body and headers; `fits` looks at the body of a 200."""

    def __init__(self, name, request, fits):
        self.name, self.request, self.fits = name, request, fits


def as_json(path, body, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return "POST", path, json.dumps(body), {"content-type": "application/json", **headers}


def chat(stream):
    def request(dataset, question, _query):
        message = {"role": "user", "content": question}
        return as_json("/v1/chat/completions", {"model": dataset, "stream": stream, "messages": [message]})
    return request


def gerbil(dataset, question, _query):
    form = urllib.parse.urlencode({"query": question, "lang": "en"})
    return "POST", f"/gerbil/{dataset}", form, {"content-type": "application/x-www-form-urlencoded"}


def tool(name, arguments):
    def request(dataset, question, query):
        given = {"dataset": dataset, **arguments(question, query)}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}
        accept = "application/json, text/event-stream"
        return as_json("/mcp", message, accept=accept, mcp_protocol_version=PROTOCOL)
    return request


def whole_chat(text):
    return "```sparql" in json.loads(text)["choices"][0]["message"]["content"]


def streamed_chat(text):
    """A stream may tell of an error, as it begins before the work is done."""
    data = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    chunks = [json.loads(chunk) for chunk in data if chunk != "[DONE]"]
    for chunk in chunks:
        if "error" in chunk:
            return chunk["error"]["code"]
    said = "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])
    return data[-1] == "[DONE]" and "```sparql" in said


# What the error of a tool says, and the code that the other faces give for it.
TOLD = {
    "try again in": "overloaded", "does not answer": "endpoint_down", "is not available": "endpoint_down",
    "limits the rate": "endpoint_busy", "no answer within": "query_timeout",
    "time for this call is over": "query_timeout",
}
# What may become of a question while its endpoint is not well.
UNWELL = ("endpoint_down", "endpoint_busy", "query_timeout")


def of_tool(part):
    def fits(text):
        result = json.loads(text)["result"]
        if not result.get("isError"):
            return part in result["structuredContent"]
        said = result["content"][0]["text"]
        return next((outcome for words, outcome in TOLD.items() if words in said), False)
    return fits


def has(*path):
    def fits(text):
        value = json.loads(text)
        for key in path:
            value = value[key]
        return bool(value)
    return fits


FACES = [
    Face("ask", lambda d, q, _: as_json("/ask", {"dataset": d, "question": q}), has("query")),
    Face("chat", chat(False), whole_chat),
    Face("chat streamed", chat(True), streamed_chat),
    Face("gerbil", gerbil, has("questions", 0, "query", "sparql")),
    Face("mcp text2sparql", tool("text2sparql", lambda q, _: {"question": q}), of_tool("query")),
    Face("mcp execute_sparql", tool("execute_sparql", lambda _, s: {"query": s}), of_tool("result")),
    Face("mcp search_entity", tool("search_entity", lambda _q, _s: {"query": "Japan"}), of_tool("observation")),
    Face("query", lambda d, _, s: as_json("/query", {"dataset": d, "query": s}), has("query")),
    Face("link", lambda d, _q, _s: as_json("/link", {"dataset": d, "texts": ["Japan"]}), has("texts", 0, "links")),
    Face("search", lambda d, _q, _s: ("GET", f"/datasets/{d}/search?q=Japan", None, {}), has("hits")),
]


def code_of(text):
    """The code of an error, in this service's form or in OpenAI's."""
    body = json.loads(text)
    return body.get("code") or body.get("error", {}).get("code")


def ask(face, address, key, dataset, question, query, proxy=False):
    """Asks by a face; gives "answered", "overloaded", or one of UNWELL (`refused` without a key), or raises.
    A proxy does not know keys: it may be full without one."""
    method, path, body, headers = face.request(dataset, question, query)
    if key:
        headers["authorization"] = f"Bearer {key}"
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = whole(face, response)
    finally:
        connection.close()
    outcome = judged(face, response, text)
    if (outcome == "refused") != (key is None) and not (proxy and outcome == "overloaded"):
        raise Faulty(f"{face.name} with{'' if key else 'out'} a key: {outcome}")
    return outcome


def whole(face, response):
    try:
        return response.read().decode()
    except (http.client.IncompleteRead, ConnectionResetError) as error:
        raise BrokenOff(f"{face.name}: {error!r}") from error


def judged(face, response, text):
    if response.status == 200:
        fits = face.fits(text)
        outcome = "answered" if fits is True else fits
    elif response.status == 401:
        outcome = "refused"
    else:
        outcome = code_of(text)
    if outcome == "overloaded" and response.status == 503 and not response.headers.get("retry-after"):
        raise Faulty(f"{face.name}: full, and not a word of when to come back")
    if outcome not in ("answered", "refused", "overloaded", *UNWELL):
        raise Faulty(f"{face.name}: {response.status} {text[:300]}")
    return outcome

"""What a hostile chat model and a hostile SPARQL endpoint send, for .ci/soak --hostile. Standard library only.

A question names the attack of the model in square brackets, as [attack:concat]; the endpoint draws one for each request.
Bodies are made once, so that sending them costs the service's machine little.
"""

import functools
import json
import random
import re
import time
import urllib.parse
import zlib

import moody

MARK = re.compile(r"\[attack:([a-z_]+)\]")
JSON = "application/json"
RESULTS = "application/sparql-results+json"
BLOCK = b" " * (1 << 20)
# Nobody should take so much; a run ends if somebody does.
ENDLESS_BLOCKS = 4_096


def doubling(times, step):
    """A query that makes a string twice as long, again and again."""
    binds = " ".join(f"BIND({step.format(f'?a{at}')} AS ?a{at + 1})" for at in range(times))
    return f'SELECT (STRLEN(?a{times}) AS ?n) {{ BIND("{"a" * 16}" AS ?a0) {binds} }}'


def values(name, count=1_000):
    return f"VALUES ?{name} {{ {' '.join(['1'] * count)} }}"


def triples(count):
    return " . ".join(f"?s{at} ?p{at} ?o{at}" for at in range(count))


# Queries that a model may ask to be run; {trap} is a server that nobody must ask.
QUERIES = {
    "concat": doubling(30, "CONCAT({0},{0})"),
    "replace": doubling(28, 'REPLACE({0},"a","aa")'),
    "replace_wide": doubling(7, 'REPLACE({0},"a","' + "a" * 40 + '")'),
    "encode": doubling(12, 'ENCODE_FOR_URI(CONCAT({0},{0},"%"))'),
    "group_concat": "SELECT (GROUP_CONCAT(?b) AS ?g) { " + triples(2) + " BIND(CONCAT(STR(?s0),STR(?o1)) AS ?b) }",
    "product": "SELECT (COUNT(*) AS ?n) { " + triples(3) + " }",
    "product_sorted": "SELECT * { " + triples(2) + " } ORDER BY ?o0 ?o1",
    "product_distinct": "SELECT DISTINCT ?s0 ?o0 ?s1 ?o1 { " + triples(2) + " }",
    "patterns": "SELECT * { " + triples(140) + " }",
    "values_optional": f"SELECT (COUNT(*) AS ?n) {{ {values('x')} OPTIONAL {{ {values('y')} {values('z')} FILTER(?x+?y+?z > 10) }} }}",
    "values_minus": f"SELECT (COUNT(*) AS ?n) {{ {values('x')} {values('y')} MINUS {{ {values('x')} {values('z')} FILTER(?x+?z > 10) }} }}",
    "minus": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c MINUS { ?a ?b ?x . " + triples(2) + " } }",
    "not_exists": "SELECT (COUNT(*) AS ?n) { " + triples(2) + " FILTER NOT EXISTS { ?g ?h ?i FILTER(?o0 = ?o1 && ?i = ?o0) } }",
    "path": "SELECT (COUNT(*) AS ?n) { ?a (!<http://e.x/x>|^!<http://e.x/x>)* ?b . ?c (!<http://e.x/y>|^!<http://e.x/y>)* ?d }",
    "regex": 'SELECT (COUNT(*) AS ?n) { ' + triples(2) + ' FILTER(REGEX(STR(?o0), CONCAT("(.*a){1,60}", STR(?o1)))) }',
    "service": "SELECT * { SERVICE <{trap}> { ?s ?p ?o } }",
}


def call(name, arguments, number=0):
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": text}}


def completion(calls=None, content=None):
    message = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = calls
    return json.dumps({"choices": [{"message": message}]}).encode()


# Whole replies of a model, each made when it is first sent.
REPLIES = {
    "many_words": lambda: completion([call("search_entity", {"query": "word " * 100_000})]),
    "many_other_words": lambda: completion([call("search_property", {"query": " ".join(f"w{n}" for n in range(100_000))})]),
    "many_calls": lambda: completion([call("search_entity", {"query": f"x{n}"}, n) for n in range(10_000)]),
    "many_queries": lambda: completion([call("execute_sparql", {"query": QUERIES["product"] + f" # {n}"}, n) for n in range(300)]),
    "deep_arguments": lambda: completion([call("execute_sparql", '{"query":' + "[" * 200_000 + "]" * 200_000 + "}")]),
    "deep_body": lambda: b'{"choices":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}",
    "half_calls": lambda: completion(content='{"name":' * 300_000),
    "fences": lambda: completion(content="```sparql\n" * 200_000),
}
ATTACKS = sorted([*QUERIES, *REPLIES, "endless", "bomb", "drip", "redirect"])


@functools.cache
def reply_of(attack):
    return REPLIES[attack]()


@functools.cache
def bomb(begin, block):
    """The beginning of a gzip stream, and a block of it that can be repeated for ever."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    first = packer.compress(begin) + packer.flush(zlib.Z_FULL_FLUSH)
    return first, packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)


class Sender:
    """Ways of sending that a `moody.Moody` takes over."""

    def head(self, kind, headers=()):
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def endless(self, kind, begin, block):
        self.head(kind)
        self.wfile.write(begin)
        for _ in range(ENDLESS_BLOCKS):
            self.wfile.write(block)

    def bomb(self, kind, begin, block):
        first, more = bomb(begin, block)
        self.head(kind, [("content-encoding", "gzip")])
        self.wfile.write(first)
        for _ in range(ENDLESS_BLOCKS):
            self.wfile.write(more)

    def drip(self, kind, body):
        self.head(kind)
        for at in range(len(body)):
            self.wfile.write(body[at : at + 1])
            time.sleep(1)

    def redirect(self):
        status = random.choice([301, 302, 307, 308])
        self.send(status, b"", headers=[("location", self.server.trap)])


class Model(moody.Model, Sender):
    """A model that is as moody as ever, but for questions with a mark."""

    def answer(self, request):
        mark = MARK.search(request)
        if not mark:
            return super().answer(request)
        attack = mark[1]
        if attack == "endless":
            self.endless(JSON, b'{"choices":', BLOCK)
        elif attack == "bomb":
            self.bomb(JSON, b'{"choices":', BLOCK)
        elif attack == "drip":
            self.drip(JSON, completion(content="No."))
        elif attack == "redirect":
            self.redirect()
        elif attack in QUERIES:
            query = QUERIES[attack].replace("{trap}", self.server.trap) + f" # {random.randrange(10**9)}"
            name = random.choice(["execute_sparql", "answer"])
            self.send(200, completion([call(name, {"query": query, "form": "things"})]))
        else:
            self.send(200, reply_of(attack))


def names(count):
    return ",".join(f'"c{at:x}"' for at in range(count))


BODIES = {
    "wide": lambda: f'{{"results":{{"bindings":[{",".join(["{}"] * 10_000)}]}},"head":{{"vars":[{names(20_000)}]}}}}',
    "many_columns": lambda: f'{{"head":{{"vars":[{names(500_000)}]}},"results":{{"bindings":[{{}}]}}}}',
    "deep": lambda: '{"head":{"vars":["s"]},"x":' + "[" * 500_000 + "]" * 500_000 + "}",
    "deep_cell": lambda: '{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"literal","value":' + "[" * 100_000 + "]" * 100_000 + "}}]}}",
    "long_cell": lambda: '{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"literal","value":"' + "a" * 5_000_000 + '"}}]}}',
}
ENDPOINT_ATTACKS = sorted([*BODIES, "endless", "spaces", "headers", "bomb", "drip", "redirect", "silent"])
ROWS = b'{"head":{"vars":["s"]},"results":{"bindings":['
EMPTY_ROWS = b"{}," * (1 << 20)
ROW = b'{"s":{"type":"uri","value":"http://e.x/x"}},'


@functools.cache
def body_of(attack):
    return BODIES[attack]().encode()


class Endpoint(moody.Endpoint, Sender):
    """An endpoint that says yes when it is asked whether it is there, mostly, and else does harm."""

    def reply(self, form):
        query = urllib.parse.parse_qs(form)["query"][0]
        if re.search(r"\bASK\b", query) and random.random() < 0.9:
            return self.send(200, json.dumps(moody.results(query)).encode(), RESULTS)
        attack = random.choice(ENDPOINT_ATTACKS)
        if attack == "endless":
            self.endless(RESULTS, ROWS, ROW * 20_000)
        elif attack == "spaces":
            self.endless(RESULTS, b"", BLOCK)
        elif attack == "headers":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            self.wfile.write(b"X-More: and more\r\n" * 1_000_000)
            self.close_connection = True
        elif attack == "bomb":
            self.bomb(RESULTS, ROWS, EMPTY_ROWS)
        elif attack == "drip":
            self.drip(RESULTS, ROWS)
        elif attack == "redirect":
            self.redirect()
        elif attack == "silent":
            self.pause("silent")
        else:
            self.send(200, body_of(attack), RESULTS)


class Trap(moody.Moody):
    """Where nobody must come: redirects and SERVICE lead here."""

    def do_GET(self):
        self.server.visits += 1
        self.send(200, b"{}")

    do_POST = do_GET


def prepare():
    """Makes all bodies before time is taken."""
    for attack in REPLIES:
        reply_of(attack)
    for attack in BODIES:
        body_of(attack)
    for begin, block in [(b'{"choices":', BLOCK), (ROWS, EMPTY_ROWS)]:
        bomb(begin, block)

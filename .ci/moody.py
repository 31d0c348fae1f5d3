"""A chat model and a SPARQL endpoint on a bad day, for .ci/soak. Standard library only."""

import http.server
import json
import random
import re
import socket
import threading
import time
import urllib.parse

QUERY = "SELECT ?x WHERE { <https://eruca.dev/demo/resource/Japan> <https://eruca.dev/demo/ontology#capital> ?x } #"
PAGE = b"<!DOCTYPE html><html><body><h1>Bad Gateway</h1><p>Please come back later.</p></body></html>"


class Moody(http.server.BaseHTTPRequestHandler):
    """Picks a mood for each request; every subclass has its `moods` with weights, and says what it does in each."""

    protocol_version = "HTTP/1.1"
    moods = {}

    def mood(self):
        moods = {"good": 1} if self.server.well else self.moods
        return random.choices(list(moods), list(moods.values()))[0]

    def pause(self, mood):
        """Whether there is anything to be sent after the pause."""
        if mood == "silent":
            time.sleep(self.server.silence)
            self.close_connection = True
            return False
        time.sleep(random.uniform(0.5, 2) if mood == "slow" else random.uniform(0.01, 0.15))
        return True

    def send(self, status, body, kind="application/json", headers=(), announced=None):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body) if announced is None else announced))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Keeps quiet."""


class Model(Moody):
    """OpenAI's /chat/completions. What it says is of no use, as the soak is not about the quality of answers."""

    moods = {"good": 60, "slow": 15, "busy": 6, "broken": 5, "cut": 5, "prose": 5, "silent": 4}

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers.get("content-length", 0))).decode(errors="replace"))

    def answer(self, _request):
        mood = self.mood()
        if not self.pause(mood):
            return
        if mood == "prose":
            message = {"role": "assistant", "content": "It is probably Tokyo."}
        else:
            name = random.choice(["answer", "execute_sparql"])
            arguments = json.dumps({"query": QUERY + str(random.randrange(10**9)), "form": "things"})
            call = {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        body = json.dumps({"choices": [{"message": message}]}).encode()
        status = {"busy": 429, "broken": 500}.get(mood, 200)
        self.send(status, body[: len(body) // 2] if mood == "cut" else body)


class Endpoint(Moody):
    """The SPARQL protocol. It says Tokyo, true or 1 to whatever it is asked: this is about its manners."""

    moods = {"good": 70, "slow": 10, "busy": 6, "page": 5, "cut": 4, "broken": 3, "silent": 2}

    def do_GET(self):
        self.reply(urllib.parse.urlsplit(self.path).query)

    def do_POST(self):
        self.reply(self.rfile.read(int(self.headers.get("content-length", 0))).decode())

    def reply(self, form):
        query = urllib.parse.parse_qs(form)["query"][0]
        mood = self.mood()
        if not self.pause(mood):
            return
        body = json.dumps(results(query)).encode()
        kind = "application/sparql-results+json"
        if mood == "busy":
            self.send(503, b"too many requests", "text/plain", [("retry-after", random.choice(["1", "120"]))])
        elif mood == "broken":
            self.send(500, b"SR172: Transaction deadlocked", "text/plain")
        elif mood == "page":
            self.send(200, PAGE, "text/html")
        elif mood == "cut":
            self.send(200, body[: len(body) // 2], kind, announced=len(body))
            self.close_connection = True
        else:
            self.send(200, body, kind)


def results(query):
    """One row for the columns of a query."""
    select = re.search(r"\bSELECT\b(.*?)(\bWHERE\b|\{)", query, re.S)
    if not select:
        return {"head": {}, "boolean": True}
    columns = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\bAS\s+\?(\w+)\s*\)", r" #\1 ", select[1])
    numbers, names = re.findall(r"#(\w+)", columns), re.findall(r"[?$](\w+)", columns)
    if "*" in columns and not numbers:
        names = sorted(set(re.findall(r"[?$](\w+)", query)))
    integer = {"type": "literal", "value": "1", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}
    tokyo = {"type": "uri", "value": "https://eruca.dev/demo/resource/Tokyo"}
    row = {name: tokyo for name in names} | {name: integer for name in numbers}
    return {"head": {"vars": list(row)}, "results": {"bindings": [row]}}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.connections = set()

    def process_request(self, request, client_address):
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def go(self):
        """Stops listening and ends the connections that are kept open."""
        self.shutdown()
        self.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It has ended by itself.

    def handle_error(self, *_):
        """Clients that give up are what this is about."""


class Outside:
    """One of them; it can go away, come back at the same port, and get well."""

    def __init__(self, handler, silence, trap=None, host="127.0.0.1", port=0):
        self.handler, self.silence, self.trap, self.host = handler, silence, trap, host
        self.server = None
        self.start(port)
        self.port = self.server.server_address[1]

    def start(self, port):
        self.server = Server((self.host, port), self.handler)
        self.server.silence, self.server.well = self.silence, False
        self.server.trap, self.server.visits = self.trap, 0
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def be(self, gone, well):
        """Makes it so; what is so already stays."""
        if gone and self.server:
            self.server.go()
            self.server = None
        elif not gone and not self.server:
            self.start(self.port)
        if self.server:
            self.server.well = well

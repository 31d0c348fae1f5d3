"""A chat model that says what it was told to say: OpenAI's /chat/completions with fixed turns. By itself,
HOST PORT SECONDS, it asks for the capital of France and takes its time. Standard library only."""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """The n-th request of a conversation (one with n answers of ours in it) gets the n-th turn."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        if not self.path.endswith("/chat/completions") or turn >= len(self.server.turns):
            return self.reply(400, {"error": {"message": f"nothing is prepared for turn {turn} of {self.path}"}})
        time.sleep(self.server.pause)
        name, arguments = self.server.turns[turn]
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": f"call_{turn}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        self.reply(200, {
            "id": "scripted", "object": "chat.completion", "created": 0, "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        })

    def reply(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Keeps quiet."""


def serving(address, turns, pause=0.0):
    server = ThreadingHTTPServer(address, Handler)
    server.daemon_threads, server.turns, server.requests, server.pause = True, turns, [], pause
    return server


def start(turns):
    """Serves `turns`, a list of (tool, arguments), on a free port; returns the server and its base URL."""
    server = serving(("127.0.0.1", 0), turns)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/v1"


if __name__ == "__main__":
    QUERY = ("SELECT ?capital WHERE { <https://eruca.dev/demo/resource/France> "
             "<https://eruca.dev/demo/ontology#capital> ?capital }")
    TURNS = [("execute_sparql", {"query": QUERY}), ("answer", {"query": QUERY})]
    serving((sys.argv[1], int(sys.argv[2])), TURNS, float(sys.argv[3])).serve_forever()

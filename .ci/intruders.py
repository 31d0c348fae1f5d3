"""Clients that have a key and do harm, for .ci/soak --intruders: they hold connections, never read, ask for what takes long, come
from the pages of other sites, and search without end. Standard library only.

Each kind has threads of its own until the run ends. What becomes of them is counted by kind; nothing of it is lost.
"""

import http.client
import itertools
import json
import random
import socket
import threading
import time
import urllib.parse

JSON = {"content-type": "application/json"}
# Connections held by one kind, and how many a round opens.
HELD, EACH_ROUND = 300, 100
READERS = 60
# Clients of the kinds that ask and wait.
ASKERS = 4
# Rows of a download, of six cells each.
ROWS = 10_000


def request(run, method, path, body=None, headers=()):
    connection = http.client.HTTPConnection(run.address, timeout=30)
    try:
        connection.request(method, path, body, dict(headers))
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def opened(run, sent, address="127.0.0.1", buffer=None):
    """A connection from a loopback address that has sent this, and reads nothing."""
    host, _, port = run.address.partition(":")
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.bind((address, 0))
    client.settimeout(5)
    client.connect((host, int(port)))
    client.sendall(sent)
    return client


def hold(run, tell, sent, most, addresses, each_round, buffer=None):
    """Holds connections, and replaces the oldest of them."""
    held = []
    while run.part() < 1:
        for address in itertools.islice(addresses, each_round):
            try:
                held.append(opened(run, sent, address, buffer))
                tell("opened")
            except OSError:
                tell("not taken")
        while len(held) > most:
            held.pop(0).close()
        time.sleep(1)
    for client in held:
        client.close()


def bodies(run, tell, key):
    """The head of a question, and the first byte of it."""
    head = f"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer {key}\r\n"
    sent = head + f"Content-Length: 200000\r\n\r\n{{{' ' * random.choice([0, 100_000])}"
    hold(run, tell, sent.encode(), HELD, (f"127.0.0.{number % 5 + 2}" for number in itertools.count()), EACH_ROUND)


def readers(run, tell, key):
    """Downloads of many rows of which nothing is read."""
    query = f"SELECT * {{ ?a ?b ?c . ?d ?e ?f }} LIMIT {ROWS}"
    headers = JSON | {"authorization": f"Bearer {key}"}
    while run.part() < 1:
        try:
            status, body = request(run, "POST", "/query", json.dumps({"dataset": "local", "query": query}), headers)
        except (OSError, http.client.HTTPException):
            status = 0
        if status == 200:
            break
        time.sleep(1)
    else:
        return
    sent = f"GET /runs/{json.loads(body)['id']}/rows HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\nAuthorization: Bearer {key}\r\n\r\n"
    hold(run, tell, sent.encode(), READERS, itertools.repeat("127.0.0.9"), 10, buffer=1024)


def ask(run, tell, path, headers):
    """Asks once, and says the status."""
    try:
        status, _ = request(run, "GET", path, None, headers)
    except (OSError, http.client.HTTPException):
        return tell("no answer")
    tell(str(status))
    if status != 200:
        time.sleep(0.05)


def plans(run, tell, key):
    """Questions that take long to plan, some of which are too long for it."""
    while run.part() < 1:
        words = random.choice(["which city ", "river country ", "capital mountain language "])
        question = words * random.choice([12, 20, 130]) + str(random.randrange(1000))
        path = "/text2sparql?" + urllib.parse.urlencode({"dataset": "local", "question": question})
        ask(run, tell, path, {"authorization": f"Bearer {key}"})


def pages(run, tell, key):
    """Pictures on the page of another site."""
    while run.part() < 1:
        parameters = {"dataset": "local", "question": f"What is the capital of France? {random.randrange(1000)}"}
        headers = random.choice([{"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}])
        ask(run, tell, "/text2sparql?" + urllib.parse.urlencode(parameters), {"authorization": f"Bearer {key}"} | headers)
        time.sleep(0.02)


def searches(run, tell, key):
    """Misspelt names, looked for without a pause."""
    while run.part() < 1:
        word = "".join(random.sample("abcdefghijklmnopqrstuvwxyz", 9))
        path = "/datasets/local/search?" + urllib.parse.urlencode({"q": word})
        ask(run, tell, path, {"authorization": f"Bearer {key}"})


KINDS = {"bodies": (bodies, 2), "readers": (readers, 1), "plans": (plans, ASKERS), "pages": (pages, 2), "searches": (searches, ASKERS)}


def start(run, tally, key):
    """Threads of all kinds, which end with the run."""
    threads = []
    for name, (kind, count) in KINDS.items():
        tell = lambda outcome, name=name: tally.add(f"intruder, {name}: {outcome}")  # noqa: E731
        threads += [threading.Thread(target=kind, args=(run, tell, key)) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads

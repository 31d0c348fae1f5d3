"""Clients of a service for .ci/containers: single questions, many at once, events as they come. Standard library only."""

import collections
import http.client
import json
import random
import threading
import time
import urllib.parse

TIMEOUT = 60
COUNTRIES = ["France", "Germany", "Japan", "Peru", "Chile", "Spain", "Italy", "Kenya", "Nepal", "Brazil"]
QUESTIONS = ["What is the capital of {}?", "Which rivers flow through {}?", "Which cities are in {}?"]


class Lost(Exception):
    """A question without the answer that it should have."""


def get(port, path, key=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        connection.request("GET", path, headers={"authorization": f"Bearer {key}"} if key else {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    except http.client.HTTPException as error:
        raise OSError(repr(error)) from error
    finally:
        connection.close()


def path(question, dataset="demo", **more):
    return "/text2sparql?" + urllib.parse.urlencode({"dataset": dataset, "question": question, **more})


def ask(port, question, dataset="demo", key=None):
    """The query of an answer."""
    status, body = get(port, path(question, dataset), key)
    if status != 200:
        raise Lost(f"{question}: {status} {body[:300]}")
    return " ".join(json.loads(body)["query"].split())


def traced(port, question, dataset="demo"):
    status, body = get(port, path(question, dataset, trace="true"))
    if status != 200:
        raise Lost(f"{question}: {status} {body[:300]}")
    return json.loads(body)["trace"]


def begin(port, question, accept="application/json"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    body = json.dumps({"dataset": "demo", "question": question})
    connection.request("POST", "/ask", body, {"content-type": "application/json", "accept": accept})
    return connection.getresponse()


def shared_runs(port):
    """A run is asked for again and again: the proxy leads to another replica each time."""
    response = begin(port, "Which rivers flow through Germany?")
    run = response.headers["eruca-run"]
    response.read()
    statuses = collections.Counter(get(port, f"/runs/{run}")[0] for _ in range(12))
    if set(statuses) != {200}:
        raise Lost(f"/runs/{run}: {dict(statuses)}")
    return "12 of 12 times 200"


def unbuffered(port, pause):
    """When the first event came and when the last, from a model that pauses before each of its two turns."""
    began = time.monotonic()
    response = begin(port, f"What is the capital of France? {random.randrange(10**6)}", "text/event-stream")
    times, kinds = [], []
    for line in response:
        if line.startswith(b"event: "):
            times.append(time.monotonic() - began)
            kinds.append(line[7:].decode().strip())
    if not kinds or kinds[-1] != "done":
        raise Lost(f"the stream ends with {kinds[-1:]}")
    gaps = sum(later - sooner > pause / 2 for sooner, later in zip(times, times[1:]))
    if gaps < 2 or times[0] > pause:
        raise Lost(f"events came at {[round(moment, 2) for moment in times]} s")
    return f"{len(times)} events at {', '.join(f'{moment:.2f}' for moment in times)} s"


class Load:
    """Clients that ask without a pause while the block runs. Full (503 with Retry-After) is an answer, and asked again."""

    def __init__(self, port, clients):
        self.port, self.ended, self.lock = port, threading.Event(), threading.Lock()
        self.lost, self.answered, self.full, self.seconds = [], 0, 0, []
        self.clients = [threading.Thread(target=self.client) for _ in range(clients)]

    def __enter__(self):
        self.began = time.monotonic()
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for client in self.clients:
            client.join()
        self.took = time.monotonic() - self.began

    def client(self):
        while not self.ended.is_set():
            question = random.choice(QUESTIONS).format(random.choice(COUNTRIES)) + f" {random.randrange(10**6)}"
            began = time.monotonic()
            try:
                status, body = get(self.port, path(question))
            except OSError as error:
                status, body = 0, repr(error)
            with self.lock:
                if status == 200 and '"query"' in body:
                    self.answered += 1
                    self.seconds.append(time.monotonic() - began)
                elif status == 503 and "overloaded" in body:
                    self.full += 1
                else:
                    self.lost.append(f"{question}: {status} {body[:200]}")
            if status == 503:
                time.sleep(0.2)

    def told(self):
        seconds = sorted(self.seconds) or [0]
        p50, p99 = seconds[len(seconds) // 2], seconds[len(seconds) * 99 // 100]
        rate = 60 * self.answered / self.took
        lost = f"{len(self.lost)} lost" + (f": {self.lost[0]}" if self.lost else "")
        return f"{self.answered} answered ({rate:.0f} a minute), {self.full} told to come back, {lost}; p50 {p50:.2f} s, p99 {p99:.2f} s"

"""Many questions at once whose answers come event by event, for .ci/soak; by itself: streams.py PORT DATASET COUNT.
Every third client hangs up after some events. Standard library only."""

import collections
import http.client
import json
import random
import sys
import threading
import time

TIMEOUT = 60
# Who is told that the service is full comes back so often, after so many seconds.
TRIES, PAUSE = 10, (1, 5)


class Faulty(Exception):
    """Events are missing, out of order, or do not end as they should."""


class BrokenOff(Faulty):
    """There is no last event."""


def lines(response):
    """The lines of an answer that has begun; whoever breaks it off ends them."""
    try:
        yield from response
    except (http.client.IncompleteRead, ConnectionResetError):
        return


def events(response):
    """The events of a stream, as numbers, kinds and data."""
    number = kind = data = None
    for line in lines(response):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "id":
            number = int(value)
        elif field == "event":
            kind = value
        elif field == "data":
            data = json.loads(value)
        elif not field and kind:
            yield number, kind, data
            kind = None


def stream(address, dataset, question, most=None, headers=None):
    """Asks and reads, at most so many events; returns what became of it."""
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT)
    body = json.dumps({"dataset": dataset, "question": question})
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream", **(headers or {})}
    connection.request("POST", "/ask", body, headers)
    response = connection.getresponse()
    if response.status in (502, 503):
        # A proxy says before the stream begins that there is nobody to answer.
        return f"stream with {json.loads(response.read()).get('code')}"
    if response.status != 200:
        return f"stream {response.status}"
    failed, last = None, None
    for expected, (number, kind, data) in enumerate(events(response), 1):
        if number != expected:
            raise Faulty(f"event {number} came in the place of {expected}")
        if last == "done":
            raise Faulty("something came after the end")
        last = kind
        if kind == "error":
            failed = data["code"]
        if expected == most and kind != "done":
            connection.close()
            return "stream given up"
    if last != "done":
        raise BrokenOff(f"the last event is {last}")
    return f"stream with {failed}" if failed else "stream to its end"


def all_at_once(address, dataset, questions, tell, headers=None, again=False):
    """Asks all questions at once; `tell` hears what became of each, each time. Streams that break off are asked `again`, or lost."""

    def heard(number, question):
        try:
            return stream(address, dataset, question, most=3 if number % 3 == 0 else None, headers=headers)
        except BrokenOff:
            if again:
                return "stream broken off"
            raise

    def one(number, question):
        try:
            came = collections.Counter()
            while max(came.values(), default=0) < TRIES:
                outcome = heard(number, question)
                tell(outcome, None)
                came[outcome] += 1
                if outcome not in ("stream with overloaded", "stream broken off"):
                    break
                time.sleep(random.uniform(*PAUSE))
            if came["stream broken off"] == TRIES:
                raise BrokenOff(f"{TRIES} times")
        except (OSError, http.client.HTTPException, ValueError, Faulty) as error:
            tell("stream lost", f"{question}: {error!r}")

    threads = [threading.Thread(target=one, args=item) for item in enumerate(questions)]
    for thread in threads:
        thread.start()
    return threads


def main():
    address, dataset, count = f"127.0.0.1:{sys.argv[1]}", sys.argv[2], int(sys.argv[3])
    outcomes, lock = collections.Counter(), threading.Lock()

    def tell(outcome, fault):
        with lock:
            outcomes[outcome] += 1
            if fault:
                print(fault)

    questions = [f"Which rivers flow through Germany? {number}" for number in range(count)]
    for thread in all_at_once(address, dataset, questions, tell):
        thread.join()
    for outcome, number in sorted(outcomes.items()):
        print(f"{outcome:30} {number}")
    return 1 if outcomes["stream lost"] else 0


if __name__ == "__main__":
    sys.exit(main())

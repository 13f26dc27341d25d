"""An outbox: keeps events in a file first, and sends them in batches. Python 3.9 or newer, no packages.

outbox.py FILE add KEY < event.json   keeps {"event_type": …, "payload": …} under a key, once
outbox.py FILE send                   sends until it is killed; a kill loses nothing and stores nothing twice

send needs CONNECTOR_API_URL and CONNECTOR_API_TOKEN. docs/connectors.md explains the rules.
"""
import json, logging, os, random, sqlite3, sys, time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

MOST_EVENTS, MOST_BYTES = 100, 4_000_000
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds, while there is nothing to send


def setting(name):
    return os.environ.get(name) or sys.exit(f"{name} is not set")


def is_event(text):
    try:
        event = json.loads(text)
    except ValueError:
        return False
    return isinstance(event, dict) and event != {}


def add(key, event):  # the event's text stays as it is
    if not is_event(event):
        sys.exit("an event is a JSON object")
    with_key = '{"idempotency_key":%s,%s' % (json.dumps(key), event.strip()[1:])
    with outbox:
        outbox.execute("INSERT OR IGNORE INTO events VALUES (?, ?, 0)", (key, with_key))


def batch():  # what has failed is tried last: it must not hold up the others
    events, size = [], 0
    for key, event in outbox.execute("SELECT key, event FROM events ORDER BY tries, rowid LIMIT ?", [MOST_EVENTS]):
        size += len(event.encode())
        if events and size > MOST_BYTES:
            break
        events.append((key, event))
    return events


def answered(request):  # an error is an answer too
    try:
        return urlopen(request, timeout=30)
    except HTTPError as error:
        return error


def post(events):  # status and answer; status 0 means that no answer came
    body = '{"events":[%s]}' % ",".join(event for _, event in events)
    headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"}
    try:
        with answered(Request(URL + "/api/webhook-events/batch", body.encode(), headers)) as answer:
            return answer.status, json.load(answer)
    except (OSError, HTTPException, ValueError) as error:
        return 0, repr(error)


def send(events):  # whether all of them are settled
    status, answer = post(events)
    if status in (400, 413, 422) and len(events) > 1:
        return all([send([each]) for each in events])  # one of them spoils the batch
    problem = {"status": status, "problem": answer}
    results = answer["results"] if status == 200 else [problem for _ in events]
    for (key, _), result in zip(events, results):
        if result["status"] in (201, 400, 413, 422):
            outbox.execute("DELETE FROM events WHERE key = ?", [key])
        else:
            outbox.execute("UPDATE events SET tries = tries + 1 WHERE key = ?", [key])
        if result["status"] != 201:
            logging.error("event %s: %s", key, result)
    outbox.commit()
    return all(result["status"] in (201, 400, 413, 422) for result in results)


if sys.argv[2:] != ["send"] and not (sys.argv[2:3] == ["add"] and len(sys.argv) == 4):
    sys.exit("usage: outbox.py FILE add KEY, or outbox.py FILE send")
if sys.argv[2] == "send":
    URL, TOKEN = setting("CONNECTOR_API_URL"), setting("CONNECTOR_API_TOKEN")
outbox = sqlite3.connect(sys.argv[1], timeout=30)
outbox.execute("CREATE TABLE IF NOT EXISTS events (key TEXT PRIMARY KEY, event TEXT, tries INTEGER)")
if sys.argv[2] == "add":
    add(sys.argv[3], sys.stdin.buffer.read().decode())
failures = 0
while sys.argv[2] == "send":
    events = batch()
    failures = 0 if not events or send(events) else failures + 1
    time.sleep(random.uniform(0, min(60, 2**failures)) if failures else 0 if events else PAUSE)

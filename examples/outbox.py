"""An outbox: keeps events in a file first, and sends them in batches. Python 3.9 or newer, no packages.

outbox.py FILE add KEY < event.json   keeps {"event_type": …, "payload": …} under a key, once
outbox.py FILE send                   sends until it is killed; a kill loses nothing and stores nothing twice

send needs CONNECTOR_API_URL, and either CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD.
connector.py is a connector with such an outbox. docs/connectors.md explains the rules.
"""
import json, logging, os, random, sqlite3, sys, threading, time
from collections import namedtuple
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

MOST_EVENTS, MOST_BYTES = 100, 4_000_000
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds, until it looks for what another process has added
PARKED = float(os.environ.get("PARKED", 600))  # seconds, until it tries an event outside the user's scope again
SETTLED = 201, 400, 410, 413, 415, 422  # stored, erased, or refused for ever
Answer = namedtuple("Answer", "status content")  # status 0 means that none came


def setting(name):
    return os.environ.get(name) or sys.exit(f"{name} is not set")


class Outbox:
    """Events in a file. Any number of threads and processes may add; one thread of one process sends."""

    def __init__(self, file):
        self.lock, self.added = threading.Lock(), threading.Event()
        self.database = sqlite3.connect(file, timeout=5, check_same_thread=False)
        self.database.execute("CREATE TABLE IF NOT EXISTS events (key TEXT PRIMARY KEY, event TEXT, tries INTEGER)")
        self.database.execute("CREATE TEMP TABLE parked (key TEXT PRIMARY KEY, until REAL)")  # a restart tries all again

    def change(self, statement, rows):  # when it returns, the disk has all of it
        with self.lock, self.database:
            self.database.executemany(statement, rows)

    def add(self, key, event):
        """Keeps the text of an event as it is. If the key is there already, it keeps the first one."""
        try:
            is_event = isinstance(json.loads(event), dict) and event.strip("{} \t\r\n")
        except (ValueError, RecursionError):
            is_event = False
        if not is_event:
            raise ValueError("an event is a JSON object")
        with_key = '{"idempotency_key":%s,%s' % (json.dumps(key), event.strip()[1:])
        self.change("INSERT OR IGNORE INTO events VALUES (?, ?, 0)", [(key, with_key)])
        self.added.set()

    def batch(self):  # what has failed is tried last: it must not hold up the others
        self.change("DELETE FROM parked WHERE until <= ?", [(time.monotonic(),)])
        with self.lock:
            rows = self.database.execute(
                "SELECT key, event FROM events WHERE key NOT IN (SELECT key FROM parked) ORDER BY tries, rowid LIMIT ?",
                [MOST_EVENTS],
            )
            events, size = [], 0
            for key, event in rows:
                size += len(event.encode())
                if events and size > MOST_BYTES:
                    break
                events.append((key, event))
            return events

    def send(self, session):
        """Sends what there is and what comes. It never returns."""
        failures = 0
        while True:
            self.added.clear()
            events = self.batch()
            settled = self.settle(session, events)
            failures = 0 if settled == len(events) else 1 if settled else failures + 1
            if failures:
                time.sleep(random.uniform(0, min(60, 2**failures)))
            elif not events:
                self.added.wait(PAUSE)

    def settle(self, session, events):
        """Sends events, and removes those that need no further try. Returns how many need none soon."""
        if not events:
            return 0
        status, content = session.send(events)
        if status in (400, 413, 422) and len(events) > 1:  # one of them spoils the batch
            return sum(self.settle(session, [each]) for each in events)
        problem = {"status": status, "problem": content}
        results = content["results"] if status == 200 else [problem for _ in events]
        answered = [(key, result) for (key, _), result in zip(events, results)]
        for key, result in answered:
            if result["status"] != 201:
                logging.error("event %s: %s", key, result)
        settled = [(key,) for key, result in answered if result["status"] in SETTLED]
        self.change("DELETE FROM events WHERE key = ?", settled)
        failed = [(key,) for key, result in answered if result["status"] not in SETTLED]
        self.change("UPDATE events SET tries = tries + 1 WHERE key = ?", failed)
        until = time.monotonic() + PARKED  # an operator may widen the scope; a 403 of the whole batch is about the role
        parked = [(key, until) for key, result in answered if status == 200 and result["status"] == 403]
        self.change("INSERT INTO parked VALUES (?, ?)", parked)
        return len(settled) + len(parked)


class Session:
    """Sends batches with the token of a setting, or with one of a login that it keeps. For one thread."""

    def __init__(self):
        self.url, self.token = setting("CONNECTOR_API_URL"), os.environ.get("CONNECTOR_API_TOKEN")
        names = {"email": "CONNECTOR_API_EMAIL", "password": "CONNECTOR_API_PASSWORD"}
        self.user = None if self.token else {name: setting(variable) for name, variable in names.items()}

    def send(self, events):
        if self.user and not self.token:
            login = self.keep(self.post("/api/auth/login", json.dumps(self.user)))
            if login.status == 401:
                logging.error("login: %s", login.content)
                time.sleep(300)  # 10 wrong passwords would block the address
            if login.status != 200:
                return login
        elif self.user and time.monotonic() >= self.refresh_at:
            self.refresh_at = float("inf")  # if this fails, the token serves until it expires
            self.keep(self.post("/api/auth/refresh", ""))
        answer = self.post("/api/webhook-events/batch", '{"events":[%s]}' % ",".join(event for _, event in events))
        if answer.status == 401 and self.user:
            self.token = None  # expired or revoked: the next try logs in
        return answer

    def keep(self, answer):
        if answer.status == 200:
            self.token = answer.content["access_token"]
            self.refresh_at = time.monotonic() + 0.8 * answer.content["expires_in"]
        return answer

    def post(self, path, body):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        try:
            with answer_to(Request(self.url + path, body.encode(), headers)) as answer:
                return Answer(answer.status, json.load(answer))
        except (OSError, HTTPException, ValueError) as error:
            return Answer(0, repr(error))


def answer_to(request):  # an error is an answer too
    try:
        return urlopen(request, timeout=30)
    except HTTPError as error:
        return error


if __name__ == "__main__":
    if sys.argv[2:] != ["send"] and not (sys.argv[2:3] == ["add"] and len(sys.argv) == 4):
        sys.exit("usage: outbox.py FILE add KEY, or outbox.py FILE send")
    outbox = Outbox(sys.argv[1])
    if sys.argv[2] == "send":
        outbox.send(Session())
    try:
        outbox.add(sys.argv[3], sys.stdin.buffer.read().decode())
    except ValueError as error:
        sys.exit(str(error))

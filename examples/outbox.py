"""An outbox: keeps events in a file first, and sends them in batches. Python 3.9 or newer, no packages.

outbox.py FILE add KEY < event.json    keeps {"event_type": …, "payload": …} until it is sent. A refused event may be
                                       added under another key
outbox.py FILE send                    sends until it is killed; a kill loses nothing and stores nothing twice. While
                                       another process sends, it waits
outbox.py FILE refused                 prints what was refused, and why: a JSON object a line
outbox.py FILE retry                   takes the refused events to be sent again
outbox.py FILE retry --provider NAME   the same, and makes events of refused bodies by the form and class of a provider
outbox.py FILE drop NUMBER             deletes what was refused and has this number

In place of FILE, all commands but send take the URL of function.py's dead-letter queue.

send needs CONNECTOR_API_URL, and either CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD.
connector.py is a connector with such an outbox. docs/connectors.md explains the rules.
"""
import base64, email.message, hashlib, json, logging, os, random, re, sqlite3, sys, threading, time
from collections import namedtuple
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

USAGE = "outbox.py FILE add KEY | send | refused | retry [--provider NAME] | drop NUMBER"
WORDS = {"add": 1, "send": 0, "refused": 0, "retry": 0, "drop": 1}  # how many follow each command
MOST_EVENTS, MOST_BYTES = 100, 4_000_000  # of a batch
MAX_ANSWER, LONGEST_ANSWER = 10_000_000, 60  # bytes; seconds. Those of the service are smaller, and come sooner
MAX_EVENT = 6_275_000  # bytes; the rest of Lambda's 6,291,455 is for the request's headers
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds, until it looks for what others have added, and after a failure
LONGEST_PAUSE = 15  # seconds, however often it has failed
PARKED = float(os.environ.get("PARKED", 600))  # seconds, until it tries an event outside the user's scope again
WRONG_PASSWORD = 300  # seconds, until it tries the password again
PATIENCE = 2  # seconds, until it gives up on a file that another process has locked
URL, TOKEN = r"https?://(?!/)[A-Za-z0-9.:/%~_\[\]-]+", "[!-~]+"
REFUSED = (  # no further try can succeed, until somebody mends the event, the connector or the service
    "malformed_json", "unsupported_media_type", "payload_too_large", "validation_failed", "idempotency_key_reused",
)
SETTLED = "stored", "event_erased", *REFUSED
PERHAPS_ONE = 400, 403, 413, 415, 422  # such an answer to a batch may be due to one of its events
sys.setrecursionlimit(5_000)  # json needs one a level: the service takes 1,000, Python alone less
Answer = namedtuple("Answer", "status content problem")  # status 0 means that none came


def setting(name, form=".+", default=""):
    """A setting, without a newline at its end. A message never has its value, which may be a secret."""
    value = os.environ.get(name, "").rstrip("\r\n") or default or sys.exit(f"{name} is not set")
    return value if re.fullmatch(form, value, re.DOTALL) else sys.exit(f"{name} is malformed")


def key_of(name):
    """An Idempotency-Key for a provider's id. Different ids get different keys."""
    sent = name.encode("utf-8", "surrogateescape")
    key = name if re.fullmatch(rb"[!-$&-~]([ -$&-~]*[!-$&-~])?", sent) else quote(sent, safe="")
    return key if len(key) <= 255 else hashlib.sha256(sent).hexdigest()


def size_of(event):
    """Its bytes in Lambda's event, which has the request's body as a JSON string: a quote there takes two."""
    return len(json.dumps(event, ensure_ascii=False).encode())


def outcome(event, result):
    """What the service says of an event: stored, or the code of its problem. None if this is no such answer."""
    try:
        if result["status"] == 201:
            event_type = json.loads(event, parse_int=str)["event_type"]  # int() refuses more than 4,300 digits
            id, stored = result["event"]["id"], result["event"]["event_type"]
            return "stored" if id and isinstance(id, str) and stored == event_type else None
        code = result["problem"]["code"]
        return code if code in (*REFUSED, "event_erased", "forbidden") else None
    except (LookupError, TypeError, RecursionError):
        return None


def row(key, event):
    """The text of an event as it is, with its key, to be kept."""
    try:
        is_event = isinstance(json.loads(event, parse_int=str), dict) and event.strip("{} \t\r\n")
    except (ValueError, RecursionError):
        is_event = False
    if not is_event:
        raise ValueError("an event is a JSON object")
    key = key_of(key)
    rest = re.sub(r'^"idempotency_key":"(\\.|[^"\\])*",', "", event.strip()[1:])  # of what was refused
    with_key = '{"idempotency_key":%s,%s' % (json.dumps(key), rest)
    size = size_of(with_key)
    if size > MAX_EVENT:
        raise ValueError(f"{size} bytes as Lambda counts, more than {MAX_EVENT}")
    return key, with_key


def batches(rows):
    """Rows in groups that a batch takes. The last member of a row is its event."""
    batch, size = [], 0
    for each in rows:
        size += size_of(each[-1])
        if batch and (size > MOST_BYTES or len(batch) == MOST_EVENTS):
            yield batch
            batch, size = [], size_of(each[-1])
        batch.append(each)
    if batch:
        yield batch


def judged(session, rows):
    """Sends a batch. Yields each row with its result and its outcome, which is None if only another try may help."""
    answer = session.send(rows)
    results = answer.content.get("results") if answer.status == 200 and isinstance(answer.content, dict) else None
    if isinstance(results, list) and len(results) == len(rows):
        for each, result in zip(rows, results):
            yield each, result, outcome(each[-1], result)
    elif len(rows) > 1 and answer.status in PERHAPS_ONE and answer.problem.get("code") != "forbidden":
        for each in rows:
            yield from judged(session, [each])
    else:  # a 403 of the whole batch is about the role
        result = {"status": answer.status, "problem": answer.problem}
        for each in rows:
            code = outcome(each[-1], result)
            yield each, result, None if code == "forbidden" else code


def remade(provider, at, body, request):
    """Makes events of a refused body: the rows of the events, and those of what is still refused."""
    from providers import Request  # which needs this module

    request, headers = json.loads(request), email.message.Message()
    for header in request["headers"]:
        headers.add_header(*header)
    return provider.rows(Request(request["method"], request["url"], headers, base64.b64decode(body), at))


TABLES = {  # a number is never used again: between two steps, another process may delete and add
    "events": "(number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT, event TEXT, tries INTEGER)",
    "refused": "(number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT DEFAULT CURRENT_TIMESTAMP, key TEXT, answer TEXT,"
               " event TEXT, body TEXT, request TEXT)",
}


class Outbox:
    """Events in a file. Any number of threads and processes may add; one thread of one process sends."""

    def __init__(self, file, flags=os.O_CREAT):
        os.close(os.open(file, os.O_RDWR | flags, 0o600))  # it has personal data
        self.file, self.lock, self.added = file, threading.Lock(), threading.Event()
        self.database = sqlite3.connect(file, timeout=PATIENCE, check_same_thread=False)
        self.database.execute("PRAGMA secure_delete = ON")  # overwrites what is deleted
        self.database.execute("PRAGMA synchronous = EXTRA")  # else a power cut may undo what was committed just before
        for table, columns in TABLES.items():
            self.database.execute(f"CREATE TABLE IF NOT EXISTS {table} {columns}")
            (found,) = self.database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()
            if found != f"CREATE TABLE {table} {columns}":
                message = f"{file} is of another outbox.py: let that one send what is in it, then take a new file"
                raise sqlite3.DatabaseError(message)
        self.database.execute("CREATE TEMP TABLE parked (event INTEGER, until REAL)")  # a restart tries all again

    def change(self, *steps):  # when it returns, the disk has all of it; after an error, nothing
        if not self.lock.acquire(timeout=PATIENCE):
            raise sqlite3.OperationalError("other threads wait for the file")
        try:
            with self.database:
                for statement, rows in steps:
                    self.database.executemany(statement, rows)
        finally:
            self.lock.release()

    def keep(self, events, refused=(), dropped=()):
        """Keeps these rows, or none. If a key comes twice, the service says whether the event does too."""
        self.change(
            ("INSERT INTO events (key, event, tries) VALUES (?, ?, 0)", events),
            self.refuse(*refused),
            ("DELETE FROM refused WHERE number = ?", dropped),
        )
        self.added.set()

    def refuse(self, *rows):
        """A step of a change: keeps what is refused: key, answer, event, and of what is no event body and request."""
        return "INSERT INTO refused (key, answer, event, body, request) VALUES (?, ?, ?, ?, ?)", rows

    def refused(self):
        rows = self.database.execute("SELECT * FROM refused ORDER BY number").fetchall()  # else the file stays locked
        for number, at, key, answer, event, body, request in rows:
            what = {"event": event} if event else {"body": body, **json.loads(request)}
            yield {"number": number, "at": at, "key": key, "answer": json.loads(answer), **what}

    def drop(self, number):
        with self.database:
            if not self.database.execute("DELETE FROM refused WHERE number = ?", [number]).rowcount:
                raise ValueError(f"nothing that was refused has the number {number}")

    def retry(self, provider=None):
        """Takes all refused events to be sent again, also those that a provider's class now makes of a body. Yields the
        number of what stays refused, and why.
        """
        self.change(
            ("INSERT INTO events (key, event, tries) SELECT key, event, 0 FROM refused WHERE event IS NOT NULL", [()]),
            ("DELETE FROM refused WHERE event IS NOT NULL", [()]),
        )
        numbers = self.database.execute("SELECT number FROM refused WHERE body IS NOT NULL ORDER BY number").fetchall()
        for (number,) in numbers if provider else ():
            at, *delivery = self.database.execute(
                "SELECT at, body, request FROM refused WHERE number = ?", [number]).fetchone()
            rows, refused = remade(provider, at.replace(" ", "T") + "Z", *delivery)
            if refused:
                yield number, json.loads(refused[0][1])["reason"]
            else:
                self.keep(rows, dropped=[(number,)])

    def batch(self):  # what has failed is tried last: it must not hold up the others
        self.change(("DELETE FROM parked WHERE until <= ?", [(time.monotonic(),)]))
        with self.lock:
            rows = self.database.execute(
                "SELECT number, key, event FROM events WHERE number NOT IN (SELECT event FROM parked)"
                " ORDER BY tries, number LIMIT ?",
                [MOST_EVENTS],
            )
            return next(batches(rows), [])

    def wait_for_turn(self):
        """Waits until no other process sends from the file. The turn ends with this process, however it ends."""
        turn = self.turn = sqlite3.connect(self.file + ".lock", timeout=0, check_same_thread=False)
        is_said = False
        while not turn.in_transaction:
            try:
                turn.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                if not is_said:
                    logging.warning("another process sends from %s: this one waits, and goes on keeping", self.file)
                is_said = True
                time.sleep(PAUSE)

    def send(self, session):
        """Sends what there is and what comes. It never returns."""
        self.wait_for_turn()
        failures = 0
        while True:
            self.added.clear()
            try:
                events = self.batch()
                settled = self.settle(session, events)
            except sqlite3.Error as error:  # another process has locked the file, or the disk is full
                logging.error("the outbox: %s", error)
                events, settled = [None], 0
            failures = 0 if settled == len(events) else 1 if settled else failures + 1
            if failures:
                time.sleep(random.uniform(0, min(LONGEST_PAUSE, PAUSE * 2 ** min(failures, 10))))
            elif not events:
                self.added.wait(PAUSE)

    def settle(self, session, events):
        """Sends events, and removes those that the service has answered for. Returns how many need no try soon."""
        if not events:
            return 0
        results = [(*event, result, code) for event, result, code in judged(session, events)]
        for _, key, _, result, code in results:
            if code != "stored":
                logging.error("event %s: %s", key, result)
        refused = [(key, json.dumps(result["problem"]), event, None, None)
                   for _, key, event, result, code in results if code in REFUSED]
        settled = [(number,) for number, *_, code in results if code in SETTLED]
        failed = [(number,) for number, *_, code in results if code not in SETTLED]
        until = time.monotonic() + PARKED  # an operator may widen the scope
        parked = [(number, until) for number, *_, code in results if code == "forbidden"]
        self.change(
            self.refuse(*refused),
            ("DELETE FROM events WHERE number = ?", settled),
            ("UPDATE events SET tries = tries + 1 WHERE number = ?", failed),
            ("INSERT INTO parked VALUES (?, ?)", parked),
        )
        return len(settled) + len(parked)


class Session:
    """Sends batches with the token of a setting, or with one of a login that it keeps. For one thread."""

    until = float("inf")  # when answers must have come, by time.monotonic()
    login_at = 0  # when it may log in: 10 wrong passwords would block the address

    def __init__(self):
        self.url = setting("CONNECTOR_API_URL", URL).rstrip("/")
        self.token = setting("CONNECTOR_API_TOKEN", TOKEN) if os.environ.get("CONNECTOR_API_TOKEN") else None
        names = {"email": "CONNECTOR_API_EMAIL", "password": "CONNECTOR_API_PASSWORD"}
        self.user = None if self.token else {name: setting(variable) for name, variable in names.items()}

    def send(self, events):
        if self.user and not self.token:
            if time.monotonic() < self.login_at:
                return Answer(0, None, {"detail": "no login"})
            login = self.post("/api/auth/login", json.dumps(self.user))
            if not self.keep(login):
                why = login.problem.get("code", login.problem.get("detail"))  # others may show the password
                logging.error("login: %s %s", login.status, why)
                if login.problem.get("code") == "invalid_credentials":
                    self.login_at = time.monotonic() + WRONG_PASSWORD
                return Answer(0, None, {"detail": "no login"})
        elif self.user and time.monotonic() >= self.refresh_at:
            self.refresh_at = float("inf")  # if this fails, the token serves until it expires
            self.keep(self.post("/api/auth/refresh", ""))
        answer = self.post("/api/webhook-events/batch", '{"events":[%s]}' % ",".join(event for *_, event in events))
        if answer.status == 401 and self.user:
            self.token = None  # expired or revoked: the next try logs in
        return answer

    def keep(self, answer):
        """Keeps the token of an answer. Returns whether it has one."""
        try:
            token, refresh_at = answer.content["access_token"], time.monotonic() + 0.8 * answer.content["expires_in"]
            is_token = answer.status == 200 and re.fullmatch(TOKEN, token)
        except (LookupError, TypeError, ArithmeticError):
            return False
        if is_token:
            self.token, self.refresh_at = token, refresh_at
        return is_token

    def post(self, path, body):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        try:
            with answer_to(Request(self.url + path, body.encode(), headers), self.until) as answer:
                text = text_of(answer, self.until)
        except Exception as error:  # of many classes. Not its text, which may have the token
            return Answer(0, None, {"detail": f"no answer: {getattr(error, 'reason', type(error).__name__)}"})
        try:
            content = json.loads(text.replace(self.token.encode(), "…".encode()) if self.token else text)
        except (ValueError, RecursionError):
            content = None
        kind = answer.headers.get_content_type()
        if kind == "application/problem+json" and isinstance(content, dict) and isinstance(content.get("code"), str):
            return Answer(answer.status, content, content)
        return Answer(answer.status, content, {"detail": f"{kind}, not an answer of the service"})


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):  # another host would get the token
        return None


class NoProxyForLoopback(ProxyHandler):
    def proxy_open(self, request, *rest):  # it would get the token
        is_here = re.fullmatch(r"(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?", request.host)
        return None if is_here else super().proxy_open(request, *rest)


OPENER = build_opener(NoRedirect, NoProxyForLoopback)


def answer_to(request, until=float("inf")):  # an error is an answer too
    try:
        return OPENER.open(request, timeout=max(0.01, min(30, until - time.monotonic())))
    except HTTPError as error:
        return error


def text_of(answer, until=float("inf")):
    text, deadline = bytearray(), min(until, time.monotonic() + LONGEST_ANSWER)
    while part := answer.read1(MAX_ANSWER):
        text += part
        if len(text) > MAX_ANSWER or time.monotonic() > deadline:
            raise ValueError
    return bytes(text)


def main(provider, file, command, *words):
    if re.match("https?://", file):
        from function import DeadLetters  # which needs this module, and boto3

        outbox = DeadLetters(file)
    else:
        outbox = Outbox(file, os.O_CREAT if command in ("add", "send") else 0)
    if command == "add":
        outbox.keep([row(words[0], sys.stdin.buffer.read().decode("utf-8-sig"))])
    elif command == "send":
        outbox.send(Session())
    elif command == "refused":
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # half a surrogate pair: as JSON has it
        for each in outbox.refused():
            print(json.dumps(each, ensure_ascii=False))
    elif command == "retry":
        if provider:
            from providers import kind_of  # which needs this module

            provider = kind_of(provider)()
        stay = list(outbox.retry(provider))
        for number, reason in stay:
            print(f"{number} stays refused: {reason}", file=sys.stderr)
        return 1 if stay else 0
    elif command == "drop":
        outbox.drop(words[0])
    return 0


if __name__ == "__main__":
    words, provider = sys.argv[1:], None
    if words[1:3] == ["retry", "--provider"] and words[3:]:
        provider, words[2:4] = words[3], []
    if len(words) - 2 != WORDS.get(words[1] if words[1:] else ""):
        sys.exit(f"usage: {USAGE}")
    try:
        sys.exit(main(provider, *words))
    except (ValueError, OSError, sqlite3.Error) as error:
        sys.exit(str(error))

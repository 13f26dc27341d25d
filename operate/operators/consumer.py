"""Reads events as a consumer does, and writes them to a file."""
import contextlib, json, os, sys
from datetime import datetime, timedelta, timezone
from urllib.parse import urlencode
from operators.api import Api
from operators.command import Failure, progress, say
from operators.search import events

EVENTS = "/api/webhook-events"
LARGEST_PAGE = 1000  # entries
CLOCKS = timedelta(minutes=1)  # the clocks of two machines of the service differ by so much at the most
DEEPEST = 5000  # levels of Python's parser: a payload may have a thousand
LINE_BREAKS = bytes.maketrans(b"\r\n", b"  ")  # JSON has them only between its tokens (RFC 8259)


def consumer_token(parser):
    """The token in the setting CONSUMER_TOKEN. Without one, ends the command."""
    token = os.environ.get("CONSUMER_TOKEN", "").strip()
    if not token:
        parser.error("CONSUMER_TOKEN is not set; `operate/user token` issues a token of a consumer")
    return token


def loads(text, parse_int=lambda digits: int(digits) if len(digits) < 20 else digits, parse_float=str):
    """Parses JSON that has payloads, whatever they hold: long numbers stay texts."""
    sys.setrecursionlimit(max(DEEPEST, sys.getrecursionlimit()))
    return json.loads(text, parse_int=parse_int, parse_float=parse_float)


class Reader:
    """Reads events as a consumer. `unread`: ids that its user may not read, or whose retention has passed."""

    def __init__(self, url, token, needs_all=False):
        self.api, self.token, self.unread = Api(url), token, []
        user = self.get("/api/auth/me", 200).json
        if user["role"] != "consumer":
            raise Failure(f"CONSUMER_TOKEN is of a {user['role']}: events need that of a consumer")
        if "event_types" in user:
            may = f"The user of CONSUMER_TOKEN may read only {', '.join(user['event_types'])}."
            if needs_all:
                raise Failure(f"{may} Take one that may read all: others would seem to be gone")
            say(f"{may} Others stay unread.")

    def get(self, path, *expected):
        answer = self.api.send("GET", path, token=self.token)
        if answer.status not in expected:
            raise Failure(f"{path}: {answer.line()}")
        return answer

    def page(self, **query):
        """A page of the feed."""
        return loads(self.get(f"{EVENTS}?{urlencode({'order': 'asc', **query})}", 200).body)

    def end(self):
        """The name of the feed, and the cursor at its end. Without a position, both are 0.

        With `from`, the page shows no event, and operate/now does not take it for one of a reader that is behind.
        """
        page = self.page(limit=1, **{"from": datetime.now(timezone.utc).isoformat()})
        name = page["next"].partition("-")[0]
        return name, f"{name}-{page['head']}" if page["head"] else page["next"]

    def entries(self, **query):
        """Yields the entries of the feed, from page to page."""
        more = True
        while more:
            page = self.page(limit=LARGEST_PAGE, **query)
            yield from page["events"]
            query["cursor"], more = page["next"], page["more"]

    def entries_since(self, time, share):
        """Yields the entries of a share of the feed that were created at a time or later, with their payloads."""
        begin = (time - CLOCKS).isoformat()
        return self.entries(**{"from": begin, "until": self.end()[1], "share": share, "include": "payload"})

    def event(self, id):
        """The event with this id, or None if it is gone."""
        answer = self.get(f"{EVENTS}/{id}", 200, 404, 410)
        return loads(answer.body) if answer.status == 200 else None

    def brand(self, entry):
        """The brand of an entry of a page with payloads, or None."""
        payload = entry["payload"] if "payload" in entry else loads(self.get(entry["payload_at"], 200).body)
        meta = payload.get("_meta")
        return meta.get("brand_id") if isinstance(meta, dict) else None

    def lines(self, ids):
        """Yields the events that are still there."""
        for count, id in enumerate(ids, 1):
            answer = self.get(f"{EVENTS}/{id}", 200, 404, 410)
            if answer.status == 200:
                yield answer.body.translate(LINE_BREAKS) + b"\n"
            elif answer.status == 404:
                self.unread.append(id)
            progress(f"{count} of {events(len(ids))} read")
        progress("")


class NewFile:
    """A file for its owner alone. It has its name once `write` has ended; until then, and after a failure, it has none."""

    def __init__(self, path):
        self.path, self.part = path, f"{path}.part"

    def __enter__(self):
        try:
            self.file = open(self.part, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))
        except FileExistsError:
            raise Failure(f"{self.part} exists: another run writes it, or was killed. Delete it, or name another file") from None
        except OSError as error:
            raise self.failure(error) from None
        return self

    def __exit__(self, *_):
        self.file.close()
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.part)

    def write(self, lines):
        """Returns the number of lines."""
        count = 0
        try:
            for count, line in enumerate(lines, 1):
                self.file.write(line)
            self.file.close()
            os.link(self.part, self.path)  # unlike a rename, it replaces no file
        except OSError as error:
            raise self.failure(error) from None
        return count

    def failure(self, error):
        return Failure(f"{error.filename2 or error.filename or self.path}: {error.strerror}")

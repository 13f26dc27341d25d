"""What flows, in a file of SQLite: of each event type how many events, whose, how large, and their places.

A place is a path in a payload, and the JSON types that were there. No value is kept.
"""
import contextlib, functools, json, os, re, sqlite3, sys
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from urllib.parse import quote, urlencode
from operators.command import Failure, progress
from operators.consumer import DEEPEST, EVENTS, LARGEST_PAGE
from operators.search import printable

DEEPEST_PLACE, LONGEST = 40, 64  # levels and characters of a name: what a sender makes up must not fill the file
MOST_NAMES, MOST_PLACES = 200, 20_000  # of the objects at a place, and of an event type
LEARNT = 20  # events with one type only in a map's values, or an array's elements: until then they may be mixed
EMPTY = "empty array"  # also an empty object: PHP writes both so
KINDS = {dict: "object", list: "array", str: "string", float: "number", bool: "boolean", type(None): "null"}
PAGE = "operating.md#what-flows"
PAYLOAD = '"payload":'
DECODER = json.JSONDecoder(parse_int=float)  # of any length
TABLES = """
    CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY, next, asked);
    CREATE TABLE IF NOT EXISTS days (event_type, day, user_id, events, bytes, largest, first, last,
        PRIMARY KEY (event_type, day, user_id)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS places (event_type, path, kind, events, first, last,
        PRIMARY KEY (event_type, path, kind)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS maps (event_type, path, PRIMARY KEY (event_type, path)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS changes (event_type, path, was, kind, created_at, id, found, is_said DEFAULT FALSE);
"""
CHANGE = "event_type, path, was, kind, created_at, id"
ADD_DAY = """
    INSERT INTO days VALUES (?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET events = events + 1,
        bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest),
        first = min(first, excluded.first), last = max(last, excluded.last)
"""


@functools.lru_cache(100_000)
def segment(name):
    """A member's name in a path. A key of a map is *: it has no letter, four digits, an @ inside, or is long."""
    if len(name) > LONGEST or "@" in name[1:] or sum(map(str.isdigit, name)) >= 4 or not re.search(r"[^\W\d_]", name):
        return "*"
    return name.replace("~", "~0").replace("/", "~1").encode("utf-8", "replace").decode()


def places_of(payload, segments, maps):
    """The paths of a payload, each with a type that is there. `segments` keeps the paths of members."""
    found, left = set(), [("", payload, 0)]
    while left:
        path, value, depth = left.pop()
        kind = KINDS[type(value)] if value != [] else EMPTY
        found.add((path, kind))
        if value and depth < DEEPEST_PLACE:
            if kind == "object":
                known = segments[path]
                for name, each in value.items():
                    inner = known.get(name)
                    if inner is None:
                        inner = f"{path}/{'*' if path in maps else segment(name)}"
                        if not inner.endswith("/*"):  # else there may be any number of names
                            known[name] = inner
                    left.append((inner, each, depth + 1))
            elif kind == "array":
                inner = segments[path].setdefault(0, f"{path}/[]")
                left += [(inner, each, depth + 1) for each in value]
    return found


def has_changed(path, kind, known):
    """Whether a type is another one than those of this path before. null is none, and an empty array says little."""
    firm = known.keys() - {"null", EMPTY}
    if kind in known or kind == "null" or known.keys() <= {"null"}:
        return False
    if path.endswith(("/*", "/[]")) and (len(firm) != 1 or known[min(firm)][0] < LEARNT):
        return False
    if kind == EMPTY:
        return not firm & {"array", "object"}
    return kind not in (firm or {"array", "object"})


class Shape:
    """The places of an event type: by path and type how many events had it, the first and the last time."""

    def __init__(self):
        self.places, self.maps, self.is_stored = {}, set(), True
        self.segments = defaultdict(dict)  # by path and name
        self.names, self.full = defaultdict(set), set()  # by path; the paths with too many

    def put(self, path, kind, events, first, last):
        known = self.places.setdefault(path, {})
        before = known.get(kind, (0, first, last))
        known[kind] = [before[0] + events, min(before[1], first), max(before[2], last)]
        parent, _, name = path.rpartition("/")
        if name not in ("", "*", "[]"):
            names = self.names[parent]
            names.add(name)
            if len(names) > MOST_NAMES:
                self.full.add(parent)

    def add(self, event, payload):
        """Returns the path, the type, and the types before, of each that has changed."""
        at, new, self.is_stored = event["created_at"], [], False
        if len(self.segments) > MOST_PLACES:
            self.segments.clear()
        for path, kind in places_of(payload, self.segments, self.maps):
            known = self.places.get(path)
            figures = known and known.get(kind)
            if figures:
                figures[0] += 1
                if at > figures[2]:
                    figures[2] = at
                elif at < figures[1]:
                    figures[1] = at
            elif known or len(self.places) + len(new) < MOST_PLACES:
                new.append((path, kind, dict(known or {})))
        for path, kind, _ in new:
            self.put(path, kind, 1, at, at)
        while self.full:
            self.fold(self.full.pop())
        return [
            (path, kind, " or ".join(sorted(known.keys() - {"null"})))
            for path, kind, known in new
            if has_changed(path, kind, known)
        ]

    def fold(self, path):
        """Makes a map of the objects at this path: all their names become one."""
        self.maps.add(path)
        names = self.names.pop(path)
        self.segments.pop(path)
        for old in [each for each in self.places if each.startswith(path + "/")]:
            name, slash, rest = old[len(path) + 1 :].partition("/")
            if name in names:
                for kind, figures in self.places.pop(old).items():
                    self.put(f"{path}/*{slash}{rest}", kind, *figures)
                self.names.pop(old, None)
                self.segments.pop(old, None)

    def events(self, path, *kinds):
        return sum(figures[0] for kind, figures in self.places.get(path, {}).items() if kind in kinds or not kinds)


def parsed(text):
    """The members of a page beside its events; and of each event the entry, its payload, and the bytes of that."""
    place, entries = text.index("[") + 1, []
    while text[place] != "]":
        entry, after = DECODER.raw_decode(text, place)
        begin = text.find(PAYLOAD, place, after) + len(PAYLOAD)  # no string can have it: its quotes would be escaped
        entries.append((entry, len(text[begin : after - 1].encode()), entry.pop("payload", None)))
        place = after + (text[after] == ",")
    return DECODER.decode("{" + text[place + 1 :].lstrip(",")), entries


def now(ago=timedelta()):
    return (datetime.now(timezone.utc) - ago).isoformat(timespec="seconds")


def last_run(path):
    """When a run has read the feed last, how many event types it knows, and what changed within a day."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as database:
            asked = database.execute("SELECT asked FROM place").fetchone()[0]
            types = database.execute("SELECT count(DISTINCT event_type) FROM days").fetchone()[0]
            since = [now(timedelta(days=1))]
            return asked, types, database.execute(f"SELECT {CHANGE} FROM changes WHERE found > ?", since).fetchall()
    except sqlite3.Error as error:
        raise Failure(f"{path}: {error}") from None


def sentence(event_type, path, was, kind, at, id):
    return f"{event_type} {printable(path)} is {kind} in the event {id} of {at}, and was {was} before."


class Flow:
    """The file, and what it knows. `next`: the place in the feed up to which it has read."""

    def __init__(self, path):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))  # a name of a member may be a person's
        self.path, self.database = path, sqlite3.connect(path)
        self.database.executescript(TABLES)
        with self.database:
            self.database.execute("INSERT OR IGNORE INTO place VALUES (1, '0', NULL)")
        self.next = self.database.execute("SELECT next FROM place").fetchone()[0]
        self.shapes = defaultdict(Shape)
        for event_type, *place in self.database.execute("SELECT * FROM places"):
            self.shapes[event_type].put(*place)
        for event_type, path in self.database.execute("SELECT * FROM maps"):
            self.shapes[event_type].maps.add(path)
        self.before = {
            event_type: {path: (shape.events(path), shape.events(path, "object")) for path in shape.places}
            for event_type, shape in self.shapes.items()
        }

    def read(self, reader):
        """Reads on to the end of the feed, and keeps each page. Returns the number of events."""
        sys.setrecursionlimit(max(DEEPEST, sys.getrecursionlimit()))
        count, more = 0, True
        while more:
            query = {"order": "asc", "limit": LARGEST_PAGE, "include": "payload", "cursor": self.next}
            text = reader.get(f"{EVENTS}?{urlencode(query)}", 200).body.decode()
            page, entries = parsed(text)
            with self.database:
                for event, size, payload in entries:
                    if payload is None:
                        answer = reader.get(event["payload_at"], 200, 404, 410)
                        if answer.status != 200:
                            continue  # it has gone since its page was made
                        size, payload = len(answer.body), DECODER.decode(answer.body.decode())
                    self.add(event, size, payload)
                    count += 1
                self.store(page["next"])
            more = page["more"]
            progress(f"{count} events read, up to {self.next}")
        progress("")
        return count

    def add(self, event, size, payload):
        event_type, at = event["event_type"], event["created_at"]
        self.database.execute(ADD_DAY, [event_type, at[:10], event["user_id"], size, size, at, at])
        for path, kind, was in self.shapes[event_type].add(event, payload):
            row = [event_type, path, was, kind, at, event["id"], now()]
            self.database.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, FALSE)", row)

    def store(self, next):
        for event_type, shape in self.shapes.items():
            if not shape.is_stored:
                self.database.execute("DELETE FROM places WHERE event_type = ?", [event_type])
                for path, kinds in shape.places.items():
                    rows = ((event_type, path, kind, *figures) for kind, figures in kinds.items())
                    self.database.executemany("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?)", rows)
                maps = ((event_type, path) for path in shape.maps)
                self.database.executemany("INSERT OR IGNORE INTO maps VALUES (?, ?)", maps)
                shape.is_stored = True
        moved = self.database.execute("UPDATE place SET next = ?, asked = ? WHERE next = ?", [next, now(), self.next])
        if not moved.rowcount:
            raise Failure(f"another run uses {self.path}")
        self.next = next

    def types(self, since, until):
        """Of each event type, between two days: its events, first and last time, bytes, largest payload and senders."""
        figures = "sum(events), min(first), max(last), sum(bytes), max(largest), group_concat(DISTINCT user_id)"
        days = f"SELECT event_type, {figures} FROM days WHERE day BETWEEN ? AND ? GROUP BY event_type"
        return self.database.execute(f"{days} ORDER BY event_type", [since, until]).fetchall()

    def differing(self):
        """Yields members that were new in this run, and those that all objects had before and none in it."""
        for event_type, before in self.before.items():
            shape = self.shapes[event_type]
            for path in shape.places:
                parent = path.rpartition("/")[0]
                events, objects = before.get(path, (0, 0))[0], before.get(parent, (0, 0))[1]
                if objects and not events:
                    yield "new", event_type, path
                elif 0 < objects <= events == shape.events(path) and shape.events(parent, "object") > objects and path:
                    yield "missing", event_type, path

    def changes(self):
        """The changes that no run has said."""
        return self.database.execute(f"SELECT rowid, {CHANGE} FROM changes WHERE NOT is_said").fetchall()

    def have_said(self, changes):
        with self.database:
            self.database.executemany("UPDATE changes SET is_said = TRUE WHERE rowid = ?", [row[:1] for row in changes])

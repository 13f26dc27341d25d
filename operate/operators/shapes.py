"""What flows, in a file of SQLite: of each event type how many events, whose, how large, and their places.

A place is a path in a payload, and the JSON types that were there. No value is kept.
"""
import contextlib, functools, json, os, re, sqlite3, sys, time
from collections import Counter, defaultdict
from urllib.parse import quote, urlencode
from operators.command import Failure, progress
from operators.consumer import DEEPEST, EVENTS, LARGEST_PAGE
from operators.search import printable

DEEPEST_PLACE, LONGEST = 40, 64  # levels and characters of a name: what a sender makes up must not fill the file
MOST_NAMES, MOST_PLACES = 200, 20_000  # of the objects at a place, and of an event type
NONE = {}
LEARNT = 20  # events with one type only in a map's values, or an array's elements: until then they may be mixed
EMPTY = "empty array"  # also an empty object: PHP writes both so
KINDS = {dict: "object", list: "array", str: "string", float: "number", bool: "boolean", type(None): "null"}
PAGE = "operating.md#what-flows"
PAYLOAD = '"payload":'
DECODER = json.JSONDecoder(parse_int=float)  # of any length
TABLES = """
    CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY, next);
    CREATE TABLE IF NOT EXISTS days (event_type, day, user_id, events, bytes, largest, first, last,
        PRIMARY KEY (event_type, day, user_id)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS shapes (event_type PRIMARY KEY, shape);
    CREATE TABLE IF NOT EXISTS changes (sentence, found);
    INSERT OR IGNORE INTO place VALUES (1, '0');
"""
ADD_DAY = """
    INSERT INTO days VALUES (?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET events = events + 1,
        bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest),
        first = min(first, excluded.first), last = max(last, excluded.last)
"""


@functools.lru_cache(MOST_PLACES)
def inside(path, name):
    """The path of a member. A key of a map is *: it has no letter, four digits, an @ inside, or is long."""
    if len(name) > LONGEST or "@" in name[1:] or sum(map(str.isdigit, name)) >= 4 or not re.search(r"[^\W\d_]", name):
        return f"{path}/*"
    name = name.replace("~", "~0").replace("/", "~1")
    return f"{path}/{name}".encode("utf-8", "replace").decode()


def places_of(payload, maps):
    """The paths of a payload, each with a type that is there."""
    found, left = set(), [("", payload, 0)]
    while left:
        path, value, depth = left.pop()
        kind = KINDS[type(value)] if value != [] else EMPTY
        found.add((path, kind))
        if not value or depth == DEEPEST_PLACE:
            continue
        if kind == "array":
            inner = f"{path}/[]"
            left += [(inner, each, depth + 1) for each in value]
        elif kind == "object":
            names = ["*"] * len(value) if path in maps else value
            left += [(inside(path, name), each, depth + 1) for name, each in zip(names, value.values())]
    return found


def parent(path):
    return path.rpartition("/")[0]


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

    def __init__(self, places=(), maps=()):
        self.places, self.maps = dict(places), set(maps)
        self.names = Counter(map(parent, self.places))  # how many a path has

    def add(self, event, payload):
        """Returns the path, the type, and the types before, of each that has changed."""
        at, new = event["created_at"], []
        for path, kind in places_of(payload, self.maps):
            figures = self.places.get(path, NONE).get(kind)
            if figures:
                figures[0] += 1
                figures[2] = at
            else:
                new.append((path, kind, self.places.get(path, NONE)))
        changed = [
            (path, kind, " or ".join(sorted(known.keys() - {"null"})))
            for path, kind, known in new
            if has_changed(path, kind, known)
        ]
        for path, kind, _ in new:
            self.put(path, kind, 1, at, at)
        for path in [path for path, names in self.names.items() if names > MOST_NAMES] if new else ():
            self.fold(path)
        return changed

    def put(self, path, kind, events, first, last):
        if path not in self.places and len(self.places) < MOST_PLACES:
            self.places[path] = {}
            self.names[parent(path)] += 1
        if path in self.places:
            before = self.places[path].get(kind, (0, first, last))
            self.places[path][kind] = [before[0] + events, min(before[1], first), max(before[2], last)]

    def fold(self, path):
        """Makes a map of the objects at this path: all their names become one."""
        self.maps.add(path)
        below = re.compile(re.escape(path) + r"/(?!\[\])[^/]+(.*)", re.DOTALL)
        for match in filter(None, map(below.fullmatch, list(self.places))):
            for kind, figures in self.places.pop(match[0]).items():
                self.put(f"{path}/*{match[1]}", kind, *figures)
        self.names = Counter(map(parent, self.places))

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


def last_run(path):
    """How many seconds ago a run has read the feed, how many event types it knows, and what changed within a day."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as database:
            count = database.execute("SELECT count(*) FROM shapes").fetchone()[0]
            changes = database.execute("SELECT sentence FROM changes WHERE found > datetime('now', '-1 day')")
            return time.time() - os.path.getmtime(path), count, [row[0] for row in changes]
    except sqlite3.Error as error:
        raise Failure(f"{path}: {error}") from None


class Flow:
    """The file, and what it knows. `next`: the place in the feed up to which it has read. `changes`: of this run."""

    def __init__(self, path):
        with contextlib.suppress(OSError):  # SQLite says what is wrong
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))  # a name of a member may be a person's
        self.path, self.database = path, sqlite3.connect(path)
        tables = {name for (name,) in self.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables - set(re.findall("EXISTS ([a-z]+)", TABLES)):  # a consumer may keep its own place in such a table
            raise sqlite3.DatabaseError("somebody else's file")
        self.database.executescript(TABLES)
        self.next = self.database.execute("SELECT next FROM place").fetchone()[0]
        self.before, self.shapes, self.changes = self.known(), defaultdict(Shape, self.known()), 0

    def known(self):
        """The shapes in the file, by event type."""
        rows = self.database.execute("SELECT * FROM shapes")
        return {event_type: Shape(*json.loads(shape)) for event_type, shape in rows}

    def read(self, reader):
        """Reads on to the end of the feed, and keeps each page. Returns the number of events."""
        sys.setrecursionlimit(max(DEEPEST, sys.getrecursionlimit()))
        count, more = 0, True
        while more:
            query = {"order": "asc", "limit": LARGEST_PAGE, "include": "payload", "cursor": self.next}
            page, entries = parsed(reader.get(f"{EVENTS}?{urlencode(query)}", 200).body.decode())
            with self.database:
                for event, size, payload in entries:
                    if payload is None:
                        answer = reader.get(event["payload_at"], 200, 404, 410)
                        if answer.status != 200:
                            continue  # it has gone since its page was made
                        size, payload = len(answer.body), DECODER.decode(answer.body.decode())
                    self.add(event, size, payload)
                    count += 1
                self.store(page["next"], {event["event_type"] for event, *_ in entries})
            more = page["more"]
            progress(f"{count} events read, up to {self.next}")
        progress("")
        return count

    def add(self, event, size, payload):
        event_type, at = event["event_type"], event["created_at"]
        self.database.execute(ADD_DAY, [event_type, at[:10], event["user_id"], size, size, at, at])
        for path, kind, was in self.shapes[event_type].add(event, payload):
            what = f"{event_type} {printable(path)} is {kind} in the event {event['id']} of {at}, and was {was} before."
            self.database.execute("INSERT INTO changes VALUES (?, datetime('now'))", [what])
            self.changes += 1
            print(f"! changed    {what} See docs/{PAGE}", flush=True)  # before it is kept: else it could be lost

    def store(self, next, event_types=()):
        for each in event_types:
            shape = json.dumps([self.shapes[each].places, list(self.shapes[each].maps)])
            self.database.execute("INSERT OR REPLACE INTO shapes VALUES (?, ?)", [each, shape])
        if not self.database.execute("UPDATE place SET next = ? WHERE next = ?", [next, self.next]).rowcount:
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
            for path in sorted(shape.places.keys() - {""}):
                events, objects = before.events(path), before.events(parent(path), "object")
                if objects and not events:
                    yield "new", event_type, path
                elif 0 < objects <= events == shape.events(path) and shape.events(parent(path), "object") > objects:
                    yield "missing", event_type, path

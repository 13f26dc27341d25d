"""What a user has read: `reads` of operate/user.

The log's line of a request names what its answer has shown, never what that held: an id, positions of the feed, or, of
a brand's list, times and 16 bits of the brand's hash. The events are then read again, with the token of a consumer.
"""
import contextlib, hashlib
from collections import Counter, namedtuple
from operators import positions as feed_positions
from operators.command import Failure, moment, print_table, progress, say
from operators.consumer import NewFile, Reader
from operators.logs import lines, warn_of_loss
from operators.positions import windows
from operators.search import events

SHARES = 64  # the most that the feed has: one of them has all events of a brand

Sight = namedtuple("Sight", "at payload")  # when an event was shown first, and whether its payload ever was


class Shown:
    """What lines of the log say was shown: positions by feed, ids, and lines of brands' lists."""

    def __init__(self, found):
        self.positions, self.ids, self.lists = {}, {}, []
        for at, line in found:
            has_payload = line.get("include") == "payload"
            if "event_id" in line:
                see(self.ids, line["event_id"], at, True)
            elif "first_position" in line:
                of_feed = self.positions.setdefault(line["feed"], {})
                for position in positions(line):
                    see(of_feed, position, at, has_payload)
            else:
                self.lists.append((line, Sight(at, has_payload)))


def see(sights, key, at, has_payload):
    first = sights.get(key, Sight(at, False))
    sights[key] = Sight(min(first.at, at), first.payload or has_payload)


def positions(line):
    """The positions that a page has shown. The line has them one by one if it has left some between them out."""
    for part in line.get("positions", "{first_position}-{last_position}".format(**line)).split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def is_read(line):
    """Whether the answer has shown events."""
    by_id = line.get("status") == 200 and "event_id" in line and line.get("route", "").startswith("GET ")
    return by_id or line.get("shown", 0) > 0


def shown_to(target, user_id, begin, end):
    warn_of_loss(target, begin)
    pattern = f'{{ $.user_id = "{user_id}" && ($.shown > 0 || $.event_id = "*") }}'
    return lines(target, begin, end, pattern, lambda line: line.get("user_id") == user_id and is_read(line))


class Rows:
    """The rows of the list: of the events, and of what is gone."""

    def __init__(self, reader):
        self.reader, self.feed = reader, reader.end()[0]
        self.events, self.gone, self.differing_lists = {}, [], []

    def add(self, event, sight):
        row = self.events.setdefault(event["id"], {**event, "read_at": sight.at, "payload": "no"})
        row.setdefault("position", event.get("position", ""))
        row["read_at"] = min(row["read_at"], sight.at)
        if sight.payload:
            row["payload"] = "yes"

    def lose(self, sight, **named):
        self.gone.append({"read_at": sight.at, "payload": "yes" if sight.payload else "no", "event_type": "gone", **named})

    def add_positions(self, feed, sights):
        left = dict(sights)
        if feed == self.feed:
            for first, last in windows(sorted(sights)):
                for entry in self.reader.entries(cursor=f"{feed}-{first - 1}", until=f"{feed}-{last}"):
                    sight = left.pop(entry["position"], None)
                    if sight:
                        self.add(entry, sight)
                progress(f"{events(len(self.events))} read again, up to position {last}")
        for position, sight in left.items():
            self.lose(sight, position=position, feed=feed)

    def name_gone(self, target):
        """Gives what is gone the id that the feed keeps of its position."""
        gone = {row["position"]: row for row in self.gone if row.get("feed") == self.feed}
        try:
            for entry in feed_positions.at(target, self.feed, gone):
                gone[entry["position"]].update(id=entry["id"], created_at=entry.get("created_at", ""))
        except Failure as failure:
            say(f"What is gone has no id here: {failure}")

    def add_lists(self, lists):
        """Finds the events of brands' lists in the feed: all of it from then on, in the share of the brand's hash."""
        for brand_hash in {line["brand_hash"] for line, _ in lists}:
            some = [(line, sight) for line, sight in lists if line["brand_hash"] == brand_hash]
            found = Counter()
            begin = min(moment(line["last_created_at"]) for line, _ in some)
            for entry in self.reader.entries_since(begin, f"{int(brand_hash, 16) % SHARES + 1}/{SHARES}"):
                showing = [number for number, (line, _) in enumerate(some) if may_show(line, entry)]
                if showing and hash_of(self.reader.brand(entry)) == brand_hash:
                    found.update(showing)
                    for number in showing:
                        self.add({name: entry[name] for name in entry if name != "payload"}, some[number][1])
                progress(f"looks for events of the brand {brand_hash}, at position {entry['position']}")
            self.differing_lists += [
                (line, line["shown"] - found[number])
                for number, (line, _) in enumerate(some)
                if line["shown"] != found[number]
            ]

    def add_ids(self, sights):
        for id, sight in sights.items():
            event = self.events.get(id) or self.reader.event(id)
            if event and event["created_at"] <= sight.at:
                self.add(event, sight)
            else:  # or another event has the id since then: that of a key that was free again
                self.lose(sight, id=id)

    def print(self):
        progress("")
        rows = sorted([*self.events.values(), *self.gone], key=lambda row: (row.get("position") or 0, row["read_at"]))
        if rows:
            print_table(("read_at", "position", "id", "event_type", "created_at", "payload"), rows)

    def say_what_is_gone(self):
        if self.gone:
            say(f"{len(self.gone)} of them are gone: erased, expired, or at a new position since a fill or a restore.")
        for line, missing in self.differing_lists:
            times = "created from {last_created_at} to {first_created_at}".format(**line)
            differs = f"{missing} more that are gone" if missing > 0 else f"{-missing} fewer"
            say(f"A list of the brand with the hash {line['brand_hash']}, {times}, showed {differs}.")


def may_show(line, entry):
    """Whether the line's page of a brand's list would show this event, if its brand is the list's."""
    last, first = ((line[f"{end}_created_at"], line[f"{end}_id"]) for end in ("last", "first"))
    is_between = last <= (entry["created_at"], entry["id"]) <= first  # the list's order
    patterns = [line[name].split(",") for name in ("event_types", "scope") if name in line]
    return is_between and all(matches(entry["event_type"], each) for each in patterns)


def matches(event_type, patterns):
    return any(
        event_type.startswith(each[:-1]) if each.endswith("*") else event_type == each for each in patterns
    )


def hash_of(brand):
    """16 bits of a brand, as the service's BrandHash has them. None has none."""
    return None if brand is None else hashlib.sha256(brand.encode(errors="replace")).hexdigest()[:4]


def print_reads(target, user_id, begin, end, token, path):
    """Lists what a user has read in a time. If there is a path, writes the events to a file, whole."""
    rows = Rows(Reader(target.url, token, needs_all=True))
    with NewFile(path) if path else contextlib.nullcontext() as file:
        found = shown_to(target, user_id, begin, end)
        shown = Shown(found)
        for feed, sights in shown.positions.items():
            rows.add_positions(feed, sights)
        rows.add_lists(shown.lists)
        rows.add_ids(shown.ids)
        rows.name_gone(target)
        rows.print()
        count = len(rows.events) + len(rows.gone)
        requests = "1 request" if len(found) == 1 else f"{len(found)} requests"
        say(f"{events(count) if count else 'No event'} read, by {requests} that showed some.")
        rows.say_what_is_gone()
        if file:
            say(f"{events(file.write(rows.reader.lines(list(rows.events))))} written to {path}.")

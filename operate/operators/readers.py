"""Who was shown events, and who has read past their erasure: what the lines of the log prove.

A reader is a user, a share of the feed, and whether it asks for erasures: two programs under one user are seen as two
only where these differ. It has read past an erasure if a page with erasures covers the erasure's position while its
tombstone was there, and a later request with erasures begins at or after that page's end: whoever asks so has stored
that page, if it keeps its cursor with what it has made of the events. The log has nothing of the stream, of
announcements and of exports.
"""
import json
from collections import defaultdict, namedtuple
from datetime import datetime, timedelta, timezone
from operators import logs, positions, watch
from operators.beats import age
from operators.command import Failure, Stack, moment, print_table, say
from operators.consumer import CLOCKS
from operators.positions import flat
from operators.reads import is_read, may_show, see
from operators.reads import positions as shown_positions

MOST_TERMS, MOST_IDS = 50, 150  # of a query: Logs Insights takes 10,000 characters
WITHOUT_KEY = timedelta(days=35)  # for so long the tombstone of an event without a key is there
PASSED = (
    "filter {} and after >= {} | stats min(@timestamp) as first,"
    f" max(@timestamp) as last, latest(after) as furthest by user_id, share | sort last desc | limit {logs.MOST}"
)

Reader = namedtuple("Reader", "user_id share asks")  # asks: for erasures. None: events by their ids, or lists


class Shown:
    """Which of some events were shown to whom: by reader and id, when first, and whether with the payload."""

    def __init__(self, target, entries):
        self.feed, self.ids, self.readers = entries.feed, entries.ids, {}
        self.events = flat(entries.events)
        self.by_position = {entry["position"]: entry["id"] for entry in self.events}
        since = max(entries.since - CLOCKS, logs.known_since(target))
        for where in self.queries():
            for at, line in logs.every(target, where, since):
                if "user_id" in line and is_read(line):
                    self.add(at, line)

    def queries(self):
        terms = [f"event_id in {json.dumps(self.ids[at : at + MOST_IDS])}" for at in range(0, len(self.ids), MOST_IDS)]
        yield from terms[:-1]
        terms = terms[-1:]
        for first, last in positions.windows(sorted(self.by_position)) if self.by_position else ():
            terms.append(f'(feed = "{self.feed}" and first_position <= {last} and last_position >= {first})')
        for brand in {entry["brand_hash"] for entry in self.events if "brand_hash" in entry}:
            times = sorted(entry["created_at"] for entry in self.events if entry.get("brand_hash") == brand)
            of_time = f'first_created_at >= "{times[0]}" and last_created_at <= "{times[-1]}"'
            terms.append(f'(brand_hash = "{brand}" and {of_time})')
        for at in range(0, len(terms), MOST_TERMS):
            yield " or ".join(terms[at : at + MOST_TERMS])

    def add(self, at, line):
        has_payload = line.get("include") == "payload" or "event_id" in line
        reader = Reader(line["user_id"], line.get("share", ""), None)
        if "event_id" in line:
            shown = {line["event_id"]}.intersection(self.ids)
        elif "first_position" in line:
            shown = {self.by_position.get(position) for position in shown_positions(line)} - {None}
            if line.keys() & {"behind", "after", "erasures"}:  # the feed; else newest first
                reader = reader._replace(asks="erasures" in line)
        else:
            brand = [each for each in self.events if each.get("brand_hash") == line["brand_hash"]]
            shown = {each["id"] for each in brand if may_show(line, each)}
        for id in shown:
            see(self.readers.setdefault(reader, {}), id, at, has_payload)

    def users(self):
        return {reader.user_id for reader in self.readers}

    def rows(self):
        """The readers with what they were shown. Who follows the feed and reads an event by its id too, is one."""
        for reader, sights in sorted(self.readers.items(), key=lambda each: (min(each[1].values()), str(each[0]))):
            if reader.asks is None:
                user = reader.user_id
                following = [each for other, each in self.readers.items() if other.user_id == user and other.asks]
                sights = {id: sight for id, sight in sights.items() if not any(id in each for each in following)}
            if sights:
                yield reader, sights


class Passages:
    """Which readers have passed erasures of the feed: their pages that cover some, and the later ones."""

    def __init__(self, target, entries):
        self.pages, self.erasures, erasures = defaultdict(list), entries.erasures, flat(entries.erasures)
        if not erasures:
            return
        first, last = (pick(each["position"] for each in erasures) for pick in (min, max))
        since = min(moment(each["numbered_at"]) for each in erasures) - timedelta(minutes=1)
        of_feed = f'ispresent(erasures) and feed = "{entries.feed}"'
        later = logs.ask(target, logs.FUNCTIONS, PASSED.format(of_feed, last), since)
        for at, line in logs.every(target, f"{of_feed} and after <= {last - 1} and next >= {first}", since):
            if line.get("status") == 200 and "user_id" in line:
                self.pages[line["user_id"], line.get("share", "")].append((moment(at), line["after"], line["next"]))
        for row in later():
            furthest = int(float(row["furthest"]))
            for name in ("first", "last"):
                page = moment(logs.time_of(row[name])), furthest, furthest
                self.pages[row["user_id"], row.get("share", "")].append(page)

    def passed(self, reader, erasure):
        """When a reader had read past an erasure, or None."""
        pages = self.pages.get(reader[:2], ())
        gone = moment(erasure["erased_at"]) + WITHOUT_KEY if positions.created(erasure["id"]) else None
        covering = [
            (at, next)
            for at, after, next in pages
            if after < erasure["position"] <= next and not (gone and at >= gone)
        ]
        times = (later for at, next in covering for later, begin, _ in pages if later >= at and begin >= next)
        return min(times, default=None)

    def heard(self, reader, sights):
        """Whether a reader has read past the erasures of what it was shown."""
        if not reader.asks:
            return "shown, asks for no erasures"
        known = [each for id in sights for each in self.erasures.get(id, ())]
        times = [self.passed(reader, each) for each in known]
        if times and all(times) and sights.keys() <= self.erasures.keys():
            return f"shown, read past on {max(times):%Y-%m-%dT%H:%MZ}"
        if not known:
            return "shown, not yet, no position yet"
        waits = datetime.now(timezone.utc) - min(moment(each["erased_at"]) for each in known)
        return f"shown, not yet, {age(waits.total_seconds())}"


def who_heard(target, ids, users):
    """A row for each reader of erased events. `users` by their ids, or None."""
    entries = positions.Entries(target, ids)
    shown, passages = Shown(target, entries), Passages(target, entries)
    for reader, sights in shown.rows():
        yield {
            **{"reader": name_of(users, reader.user_id), "share": reader.share, "events": f"{len(sights)} of {len(ids)}"},
            **{"first_shown": min(sights.values()).at, "heard": passages.heard(reader, sights)},
        }
    others = [each for id, each in (users or {}).items() if each["role"] == "consumer" and id not in shown.users()]
    what = "never shown" if entries.since >= logs.known_since(target) else "not known: older than the log"
    for user in sorted(others, key=lambda user: user["email"]):
        yield {"reader": user["email"], "events": f"0 of {len(ids)}", "heard": what}


def print_readers(target, ids):
    """Lists who has read events, also those that are gone."""
    entries = positions.Entries(target, ids)
    logs.warn_of_loss(target, entries.since)
    users = users_of(target)
    shown = Shown(target, entries)
    types = {each["id"]: each["event_type"] for each in shown.events}
    rows = [
        {
            **{"id": id, "event_type": types.get(id, ""), "read_at": sight.at, "share": reader.share},
            **{"reader": name_of(users, reader.user_id), "payload": "yes" if sight.payload else "no"},
        }
        for reader, sights in shown.readers.items()
        for id, sight in sights.items()
    ]
    if rows:
        columns = ("read_at", "id", "event_type", "reader", "share", "payload")
        print_table(columns, sorted(rows, key=lambda row: row["read_at"]))
    for id in dict.fromkeys(ids):
        if id not in {row["id"] for row in rows}:
            say(f"Nobody has read {id}{'' if any(entries.of(id)) else ', which the feed does not have'}.")
    if isinstance(target, Stack):
        say(logs.price(target))


def users_of(target):
    """The users by their ids. Without the right to list them, says so, and is None."""
    try:
        return watch.all_users(target)
    except Failure as failure:
        return say(f"? addresses, and who was never shown: {failure}")


def name_of(users, user_id):
    return users[user_id]["email"] if users and user_id in users else user_id

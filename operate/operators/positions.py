"""Which event has which position of the feed, also one that is gone: readers of the feed get only what is there."""
from datetime import datetime, timezone
from operators import logs
from operators.command import moment, pages
from operators.consumer import CLOCKS
from operators.search import FUNCTION

JOINED = 1000  # positions: windows of the feed that are no further apart are read as one
MOST_IDS = 1000  # of a call


def windows(sorted_positions):
    """The first and the last position of each window that has some of these."""
    first = last = sorted_positions[0]
    for position in sorted_positions[1:]:
        if position - last > JOINED:
            yield first, last
            first = position
        last = position
    yield first, last


def created(id):
    """When an event with this id was created, if it tells that: one without a key has it in the id. Else None."""
    return datetime.fromtimestamp(int(id.replace("-", "")[:12], 16) / 1000, timezone.utc) if id[14] == "7" else None


class Entries:
    """What the feed has of some events: `events` and `erasures`, by id, the first position first.

    `since`: when the first of them was created. Without any time that tells it, the beginning of all.
    """

    def __init__(self, target, ids, since=None):
        self.ids, self.feed, self.events, self.erasures = list(ids), None, {}, {}
        times = [created(id) for id in self.ids]
        begin = since or (min(times) if times and all(times) else None)
        for at in range(0, len(self.ids), MOST_IDS):
            request = {"entries": True, "ids": self.ids[at : at + MOST_IDS]}
            if begin:
                request["from"] = (begin - CLOCKS).isoformat()
            for page in pages(target, FUNCTION, request):
                self.feed = page.get("feed")
                for entry in page["entries"]:
                    kind = self.erasures if "erased_at" in entry else self.events
                    kind.setdefault(entry["id"], []).append(entry)
        self.since = min((moment(each["created_at"]) for each in flat(self.events)), default=begin or logs.BEGINNING)

    def of(self, id):
        return self.events.get(id, []), self.erasures.get(id, [])


def flat(entries):
    return [entry for some in entries.values() for entry in some]


def at(target, feed, positions):
    """The entries at these positions of the feed."""
    for first, last in windows(sorted(positions)) if positions else ():
        for page in pages(target, FUNCTION, {"entries": True, "next": f"{feed}-{first - 1}", "until": last}):
            yield from (entry for entry in page["entries"] if entry["position"] in positions)

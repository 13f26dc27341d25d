"""Which event has which position of the feed, also one that is gone: readers of the feed get only what is there."""
from datetime import datetime, timezone
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


def of_ids(target, ids, since=None):
    """The name of the feed, and the entries of these events and of their erasures, by id; the first position first."""
    ids, feed, found = list(ids), None, {}
    times = [created(id) for id in ids]
    if not since and ids and all(times):
        since = min(times) - CLOCKS
    for at in range(0, len(ids), MOST_IDS):
        request = {"entries": True, "ids": ids[at : at + MOST_IDS], **({"from": since.isoformat()} if since else {})}
        for page in pages(target, FUNCTION, request):
            feed = page.get("feed")
            for entry in page["entries"]:
                found.setdefault(entry["id"], []).append(entry)
    return feed, found


def at(target, feed, positions):
    """The entries at these positions of the feed."""
    for first, last in windows(sorted(positions)) if positions else ():
        for page in pages(target, FUNCTION, {"entries": True, "next": f"{feed}-{first - 1}", "until": last}):
            yield from (entry for entry in page["entries"] if entry["position"] in positions)


def erasures(entries):
    return [entry for entry in entries if "erased_at" in entry]


def events(entries):
    return [entry for entry in entries if "created_at" in entry]

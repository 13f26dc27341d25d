"""What a run of `operate/check` leaves in the service, and how it is cleared.

A run creates its consumer first. At its end it deletes its connector, erases its events, and deletes its consumer
last. So a consumer marks a run that is under way, or that was killed: its age tells which.
"""
import re, time
from datetime import timedelta
from operators.command import Failure, Refusal, moment, pages, progress

LONGEST_RUN = 600  # in seconds; then a run skips its other steps
DEAD_AFTER = timedelta(seconds=2 * LONGEST_RUN)  # the rest is for its end, whose longest wait is `LONGEST_WAIT`
LONGEST_WAIT = 240  # in seconds
DOMAIN = "@check.invalid"  # RFC 2606: nobody's
ADDRESS = re.compile(r"check-([0-9a-f]{12})-consumer" + re.escape(DOMAIN))
EVENT_TYPE = r"check\.[0-9a-f]{12}"
MANAGE, ERASE = "ManageUsersFunction", "EraseEventsFunction"


def address(run_id, role):
    return f"check-{run_id}-{role}{DOMAIN}"


def brand_of(run_id):
    return f"check-{run_id}"


def type_of(run_id):
    return f"check.{run_id}"


def dead_runs(target, now):
    """The ids of the runs that were killed. `now` is a time of the service."""
    users = [user for page in pages(target, MANAGE, {"action": "list"}) for user in page["users"]]
    dead = []
    for user in users:
        named = ADDRESS.fullmatch(user["email"])
        if named and moment(user["created_at"]) < now - DEAD_AFTER:
            dead.append(named.group(1))
    return dead


class FeedStands(Failure):
    """An erasure would wait too long for the feed."""


def call(invoke, request, feed_stands):
    """Makes a call of an erasure. Where it needs a feed that stands, ends it: it has erased what the index had."""
    try:
        answer = invoke(ERASE, request)
    except Refusal as refusal:
        if refusal.code != "feed_not_whole":
            raise
        answer = {"wait_seconds": LONGEST_WAIT, "erasure_id": request["next"].partition(":")[0], "ids": []}
        feed_stands = True
    if feed_stands and "wait_seconds" in answer:
        return call(invoke, {"end": answer["erasure_id"]}, feed_stands)
    return request, answer


def erase(invoke, run_ids, feed_stands):
    """Erases the events of runs, all at the same time, and returns their ids. Raises what `invoke` raises."""
    requests = [{"brand_id": brand_of(run_id), "reason": "operate/check"} for run_id in run_ids]
    ids, waited = set(), 0
    while requests:
        calls = [call(invoke, request, feed_stands) for request in requests]
        ids.update(id for _, answer in calls for id in answer["ids"])
        requests = [{**each, "next": answer["next"]} for each, answer in calls if "next" in answer]
        seconds = max(answer.get("wait_seconds", 0) for _, answer in calls)
        waited += seconds
        if waited > LONGEST_WAIT:
            for request, answer in calls:
                if "next" in answer:
                    call(invoke, {"end": answer["erasure_id"]}, True)
            raise FeedStands(f"an erasure would take {waited} s, too long to wait")
        if seconds:
            progress(f"waits {seconds} s for the feed")
            time.sleep(seconds)
    return ids


def delete(invoke, run_ids, role):
    for run_id in run_ids:
        try:
            invoke(MANAGE, {"action": "delete", "email": address(run_id, role)})
        except Refusal as refusal:
            if refusal.code != "user_not_found":  # the run ended before it created this user, or after it deleted it
                raise


def clear(invoke, run_ids, to_erase, feed_stands):
    """Clears what runs have left. `to_erase` has those that may have events."""
    delete(invoke, run_ids, "connector")
    erase(invoke, to_erase, feed_stands)
    delete(invoke, run_ids, "consumer")

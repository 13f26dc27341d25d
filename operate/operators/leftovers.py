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


def erase(invoke, run_ids, by_scan):
    """Erases the events of runs, all at the same time, and returns their ids. Raises what `invoke` raises.

    By a scan, it reads the whole table, and waits for no feed.
    """
    selector = {"reason": "operate/check", **({"scan": True} if by_scan else {})}
    requests = [{"brand_id": brand_of(run_id), **selector} for run_id in run_ids]
    ids, waited = set(), 0
    while requests:
        answers = [invoke(ERASE, request) for request in requests]
        ids.update(id for answer in answers for id in answer["ids"])
        requests = [{**each, "next": answer["next"]} for each, answer in zip(requests, answers) if "next" in answer]
        seconds = max(answer.get("wait_seconds", 0) for answer in answers)
        waited += seconds
        if waited > LONGEST_WAIT:
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


def clear(invoke, run_ids, to_erase, by_scan):
    """Clears what runs have left. `to_erase` has those that may have events."""
    delete(invoke, run_ids, "connector")
    erase(invoke, to_erase, by_scan)
    delete(invoke, run_ids, "consumer")

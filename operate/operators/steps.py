"""The steps of `operate/check`: the way of an event, from its connector's login to its erasure."""
import secrets, time
from datetime import timedelta
from urllib.parse import urlencode
from operators.api import answer_of
from operators.beats import held
from operators.checkrun import expect
from operators.command import Stack, moment, progress
from operators.leftovers import LONGEST_WAIT, FeedStands, brand_of, clear, dead_runs, erase, type_of

EVENTS = "/api/webhook-events"
SKEW = 30  # in seconds: as much as the service allows
PAUSE = 1  # in seconds, between two looks for what is not there yet
NUMBERED = 20  # in seconds: after the feed's window, so long may Lambda take to call NumberEventsFunction
LARGE, NOISE = 5_000_000, 600_000  # in bytes. The noise: compressed, more than an item of DynamoDB holds


def create_users(run):
    for role in ("consumer", "connector"):  # `leftovers` rests on this order
        event_types = [type_of(run.id)]
        run.users[role] = run.manage("create", role, name="operate/check", role=role, event_types=event_types)
    run.dead = dead_runs(run.target, moment(run.users[role]["user"]["created_at"]))
    run.to_erase.update(run.dead)
    count = len(run.dead)
    return f"clears {count} killed run{'s' if count > 1 else ''} at the end" if count else ""


def log_in(run):
    run.log_in("connector")
    run.log_in("consumer")


def me(run):
    answer = run.send("200", "GET", "/api/auth/me")
    role = answer.json["role"]
    expect(role == "connector", f"the user's role is {role}, not connector", answer)
    user = run.users["connector"]["user"]
    expect(all(answer.json[name] == user[name] for name in ("id", "email")), "it describes another user", answer)


def refresh(run):
    run.tokens["connector"] = run.send("200", "POST", "/api/auth/refresh", b"").json["access_token"]


def event(run):
    began = time.time()
    answer = run.post("201", EVENTS, run.event("first", run.payload))
    run.stored.append((answer.json, run.payload))
    run.clocks = ((began + answer.received) / 2, answer.date(), moment(answer.json["created_at"]).timestamp())


def clocks(run):
    machine, gateway, service = run.clocks
    for clock, time_of in (("the clock of CreateEventFunction", service), ("this machine's clock", machine)):
        ahead = time_of - gateway
        side = "ahead of" if ahead > 0 else "behind"
        expect(abs(ahead) <= SKEW, f"{clock} is {abs(ahead):.0f} s {side} API Gateway's")


def replay(run):
    answer = run.post("201", EVENTS, run.event("first", run.payload))
    expect(answer.json["id"] == run.stored[0][0]["id"], "the retry has another id", answer)
    expect(answer.headers["Idempotency-Replayed"] == "true", "it has no Idempotency-Replayed: true", answer)


def conflict(run):
    other_payload = run.payload.replace("1.0", "2.0", 1)
    run.post("422 idempotency_key_reused", EVENTS, run.event("first", other_payload))


def batch(run):
    body = '{"events":[%s,%s]}' % (run.event("second", run.payload), run.event("first", run.payload))
    answer = run.post("200", EVENTS + "/batch", body)
    new, replayed = answer.json["results"]
    for result in (new, replayed):
        wrong = answer_of(result["problem"]) if "problem" in result else None
        expect(result["status"] == 201, f"the result of an event is {wrong or result['status']}, not 201", wrong or answer)
    run.stored.append((new["event"], run.payload))
    expect(replayed["replayed"], "the event that was stored before is not replayed", answer)


def large_event(run):
    text = secrets.token_hex(NOISE).ljust(LARGE, "-")
    payload = '{"text":"%s","_meta":{"brand_id":"%s"}}' % (text, brand_of(run.id))
    run.stored.append((run.post("201", EVENTS, run.event("large", payload)).json, payload))


def missing(run):
    answer = run.send("200", "POST", EVENTS + "/missing", {"idempotency_keys": ["first", "never sent"]})
    expect(answer.json["missing"] == ["never sent"], f"missing are {answer.json['missing']}, not never sent", answer)


def window(target):
    """For how long the feed gathers events, in seconds."""
    return int(target.parameters["FeedWindowSeconds"]) if isinstance(target, Stack) else 1


def feed(run):
    longest = window(run.target) + NUMBERED
    run.feed_stands = True  # until it has brought the events
    oldest = min(moment(each["created_at"]) for each, _ in run.stored)
    query = {"order": "asc", "event_type": type_of(run.id), "from": (oldest - timedelta(seconds=SKEW)).isoformat()}
    left = {each["id"] for each, _ in run.stored}
    positions = []
    started = time.monotonic()
    while left:
        answer = run.send("200", "GET", f"{EVENTS}?{urlencode(query)}", role="consumer")
        positions += [each["position"] for each in answer.json["events"]]
        left -= {each["id"] for each in answer.json["events"]}
        query["cursor"] = answer.json["next"]
        if left and not answer.json["more"]:
            what = f"{len(left)} of {len(run.stored)} events in the feed"
            wait_for(what, started, answer, longest, f". {held(answer.json)}")
    run.feed_stands = False
    expect(positions == sorted(set(positions)), f"the positions are not in order: {positions}", answer)
    return f"position {positions[-1]} after {time.monotonic() - started:.0f} s"


def brand(run):
    ids = {each["id"] for each, _ in run.stored}
    started = time.monotonic()
    while True:
        answer = run.send("200", "GET", f"{EVENTS}?{urlencode({'brand_id': brand_of(run.id)})}", role="consumer")
        left = ids - {each["id"] for each in answer.json["events"]}
        if not left:
            break
        wait_for(f"{len(left)} of {len(ids)} events in the list", started, answer)


def wait_for(what, started, answer, longest=LONGEST_WAIT, more=""):
    """Waits before the next request, unless all took too long."""
    waited = time.monotonic() - started
    expect(waited < longest, f"{what} are missing after {waited:.0f} s{more}", answer)
    progress(f"waits for {what}")
    time.sleep(PAUSE)


def read(run):
    for each, _ in run.stored:
        answer = run.send("200", "GET", f"{EVENTS}/{each['id']}", role="consumer")
        sender = run.users["connector"]["user"]["id"]
        expect(answer.json.get("user_id") == sender, "the event has another user_id", answer)


def payloads(run):
    for each, payload in run.stored:
        answer = run.send("200", "GET", f"{EVENTS}/{each['id']}/payload", role="consumer")
        expect(answer.body == payload.encode(), f"the payload of {each['id']} is not what was sent", answer)


def static_token(run):
    run.tokens["static"] = run.manage("issue-static-token", "connector", days=1)["token"]["access_token"]
    run.send("200", "GET", "/api/auth/me", role="static")


def revoke(run):
    run.manage("revoke-tokens", "connector")


def refused(run):
    run.tokens["revoked"] = run.tokens["connector"]
    run.log_in("connector")
    for role in ("revoked", "static"):
        run.send("401 revoked_token", "GET", "/api/auth/me", role=role)


def scope(run):
    run.post("403 forbidden", EVENTS, run.event("outside", run.payload, "outside.check"))


def erased(run):
    try:
        ids = erase(run.target.invoke, run.to_erase, run.feed_stands)
    except FeedStands:
        run.feed_stands = True
        raise
    run.to_erase = set()
    left = [each["id"] for each, _ in run.stored if each["id"] not in ids]
    expect(not left, f"{len(left)} of {len(run.stored)} events are not erased")
    return "without the feed, by the index alone" if run.feed_stands else ""


def retry(run):
    run.post("410 event_erased", EVENTS, run.event("first", run.payload))


def clean_up(run):
    clear(run.target.invoke, [run.id, *run.dead], run.to_erase, run.feed_stands)

"""Prints each event of a type, and misses none: poller.py TYPE STATE_FILE
API_URL and CONSUMER_TOKEN name the API. After a kill it may print an event again: compare ids.
"""
import json, os, sys, time
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL, TOKEN = os.environ["API_URL"] + "/api/webhook-events", os.environ["CONSUMER_TOKEN"]
TYPE, STATE = sys.argv[1:]


def whole_list(start):  # every page, newest event first, and the promise of the list
    query, events, page = {"event_type": TYPE, "limit": 100, **start}, [], {"next": None}
    while "next" in page:
        request = Request(f"{URL}?{urlencode(query)}", headers={"Authorization": f"Bearer {TOKEN}"})
        with urlopen(request, timeout=30) as answer:
            page = json.load(answer)
        events += page["events"]
        query["cursor"] = page.get("next")
    return [event["id"] for event in events], page["complete_until"]


def save(state):  # a kill leaves the old file or the new one
    with open(STATE + ".new", "w") as file:
        json.dump(state, file)
    os.replace(STATE + ".new", STATE)


state = json.load(open(STATE)) if os.path.exists(STATE) else {"start": {}, "seen": []}
while True:
    try:
        ids, complete_until = whole_list(state["start"])
        for event in [each for each in reversed(ids) if each not in state["seen"]]:
            print(event, flush=True)  # your work; the payload is at /{id}/payload
        state = {"start": {"from": complete_until}, "seen": ids}
        save(state)
    except URLError as error:  # also every status but 200: try again
        print(error, file=sys.stderr)
    time.sleep(1)

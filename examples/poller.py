"""Prints each event of a type, and misses none: poller.py TYPE STATE_FILE
API_URL and CONSUMER_TOKEN name the API. After a kill it may print an event again: compare ids.
When the service refuses its request, as with an ended token, it says why and stops.
"""
import json, os, re, sys, time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener


def setting(name, form=".+"):
    """A setting, without a newline at its end. A message never has its value, which may be a secret."""
    value = os.environ.get(name, "").rstrip("\r\n") or sys.exit(f"{name} is not set")
    return value if re.fullmatch(form, value, re.DOTALL) else sys.exit(f"{name} is malformed")


if len(sys.argv) != 3:
    sys.exit("usage: poller.py TYPE STATE_FILE")
TYPE, STATE = sys.argv[1:]
URL = setting("API_URL", r"https?://[A-Za-z0-9.:/%~_\[\]-]+").rstrip("/") + "/api/webhook-events"
TOKEN = setting("CONSUMER_TOKEN", "[!-~]+")
PAUSE = float(os.environ.get("PAUSE", 10))  # seconds; each poll reads the last half minute again


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):  # another host would get the token
        return None


OPENER = build_opener(NoRedirect)


def detail(error):  # API Gateway and proxies answer without one
    try:
        return json.load(error)["detail"]
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return error.reason


def page(query):  # tries until it succeeds, or until no try can succeed
    request = Request(f"{URL}?{urlencode(query)}", headers={"Authorization": f"Bearer {TOKEN}"})
    while True:
        try:
            with OPENER.open(request, timeout=30) as answer:
                page = json.load(answer)
                page["events"], page["complete_until"]  # another answer has neither
                return page
        except Exception as error:  # of many classes. Not its text, which may have the token
            if isinstance(error, HTTPError) and error.code < 500 and error.code != 429:
                sys.exit(f"{error.code}: {detail(error)}")
            print(getattr(error, "code", ""), getattr(error, "reason", type(error).__name__), file=sys.stderr)
            time.sleep(PAUSE)


def save(state):  # a kill leaves the old file or the new one
    with open(STATE + ".new", "w") as file:
        json.dump(state, file)
    os.replace(STATE + ".new", STATE)


state = json.load(open(STATE)) if os.path.exists(STATE) else {"start": {}, "seen": [], "before": []}
while True:
    pages = [page({"event_type": TYPE, "limit": 100, **state["start"]})]
    while "next" in pages[-1]:
        pages.append(page({"event_type": TYPE, "limit": 100, **state["start"], "cursor": pages[-1]["next"]}))
    ids, known = [event["id"] for each in pages for event in each["events"]], {*state["seen"], *state["before"]}
    for event in [each for each in reversed(ids) if each not in known]:
        print(event, flush=True)  # your work; the payload is at /{id}/payload
    start = max(pages[0]["complete_until"], state["start"].get("from", ""))  # never back
    save(state := {"start": {"from": start}, "seen": ids, "before": state["seen"]})
    time.sleep(PAUSE)

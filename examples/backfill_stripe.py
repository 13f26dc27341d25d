"""Prints the ids of Stripe's events that Connector Events has not stored. Python 3.9 or newer, no packages.

backfill_stripe.py [--since HOURS] --event TYPE [--event TYPE]...

It needs CONNECTOR_API_URL and the connector's own user: CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and
CONNECTOR_API_PASSWORD. For Stripe it needs STRIPE_API_KEY, which may be restricted to reading events; it changes
nothing there. STRIPE_API_URL is for tests. Name with --event what your destination listens to: others never come. A
type that begins with v1. or v2. is of a thin event, which has an id of its own; * is all events that are not thin.
Exit code: 0 nothing is missing, 1 it could not find out, 2 it printed ids, one a line, the oldest first.
docs/connectors.md explains the rules, and pipes the ids to Stripe's own command.
"""
import argparse, json, os, random, re, sys, time
from collections import namedtuple
from datetime import datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

USAGE = __doc__.splitlines()[2]
MOST_KEYS = 100
YOUNG = float(os.environ.get("YOUNG", 60))  # seconds; a younger event may still be on its way
MOST_TRIES, LONGEST_WAIT = 8, 900  # seconds
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds before the second try; each further pause is twice as long
THIN_LIST, THIN_VERSION = "/v2/core/events?", "2026-09-30.endive"  # the first one with thin events of all resources
URL, TOKEN = r"https?://(?!/)[A-Za-z0-9.:/%~_\[\]-]+", "[!-~]+"
Answer = namedtuple("Answer", "status retry_after content")


def setting(name, form=".+", default=""):
    """A setting, without a newline at its end. A message never has its value, which may be a secret."""
    value = os.environ.get(name, "").rstrip("\r\n") or default or sys.exit(f"{name} is not set")
    return value if re.fullmatch(form, value, re.DOTALL) else sys.exit(f"{name} is malformed")


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):  # another host would get the token
        return None


class NoProxyForLoopback(ProxyHandler):
    def proxy_open(self, request, *rest):  # it would get the token
        is_here = re.fullmatch(r"(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?", request.host)
        return None if is_here else super().proxy_open(request, *rest)


OPENER = build_opener(NoRedirect, NoProxyForLoopback)


def why(content, request):  # some servers show what they got: a token, or the password of a login, which has no token
    token = request.get_header("Authorization", "").partition(" ")[2]
    return (content.get("detail") or content["error"]["message"]).replace(token, "…") if token else content["code"]


def answer_to(request):  # an error is an answer too; status 0 means that none came
    try:
        with OPENER.open(request, timeout=30) as answer:
            return Answer(answer.status, "", json.load(answer))
    except HTTPError as error:
        try:
            message = why(json.load(error), request)
        except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
            message = error.reason
        return Answer(error.code, error.headers.get("Retry-After", ""), message)
    except Exception as error:  # of many classes. Not its text, which may have the token
        return Answer(0, "", getattr(error, "reason", type(error).__name__))


def ask(name, request):  # tries while a try can succeed
    for attempt in range(MOST_TRIES):
        answer = answer_to(request)
        if answer.status == 200:
            return answer.content
        after = int(answer.retry_after) if answer.retry_after.isdecimal() else 0
        can_succeed = answer.status in (0, 429) or answer.status >= 500
        if not can_succeed or after > LONGEST_WAIT or attempt + 1 == MOST_TRIES:
            break
        time.sleep(after + random.uniform(0.5, 1) * PAUSE * 2**attempt)
    sys.exit(f"{name}: {answer.status or 'no answer'}: {answer.content}")


def ask_service(path, body, member, headers={}):
    headers = {"Content-Type": "application/json", **headers}
    content = ask("Connector Events", Request(SERVICE + path, json.dumps(body).encode(), headers))
    if isinstance(content, dict) and member in content:
        return content[member]
    sys.exit("Connector Events: this is not an answer of the service")


def events():  # newest first
    query = {"created[gte]": int(time.time() - options.since * 3600), "limit": 100}
    while True:
        request = Request(f"{STRIPE}/v1/events?{urlencode(query)}", headers={"Authorization": f"Bearer {KEY}"})
        page = ask("Stripe", request)
        yield from page["data"]
        if not page["has_more"]:
            return
        query["starting_after"] = page["data"][-1]["id"]


def thin_events():  # docs.stripe.com/api/v2/core/events/list
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - options.since * 3600))
    next_page = THIN_LIST + urlencode({"created[gte]": since, "limit": 100})
    headers = {"Authorization": f"Bearer {KEY}", "Stripe-Version": THIN_VERSION}
    while next_page:
        page = ask("Stripe", Request(STRIPE + next_page, headers=headers))
        for each in page["data"]:
            yield {**each, "created": datetime.fromisoformat(each["created"].replace("Z", "+00:00")).timestamp()}
        next_page = page["next_page_url"]
        if next_page and not next_page.startswith(THIN_LIST):
            sys.exit("Stripe: the next page is none of this list")  # another place would get the key


def listed(types):
    """The events of these types, of the lists that have them."""
    thin = {each for each in types if re.match("v[0-9]+[.]", each)}
    if types - thin:
        yield from (each for each in events() if each["type"] in types or "*" in types)
    if thin:
        yield from (each for each in thin_events() if each["type"] in thin)


def missing(ids):  # those of which Connector Events has no event
    token = os.environ.get("CONNECTOR_API_TOKEN") and setting("CONNECTOR_API_TOKEN", TOKEN)
    if ids and not token:
        user = {"email": setting("CONNECTOR_API_EMAIL"), "password": setting("CONNECTOR_API_PASSWORD")}
        token = ask_service("/api/auth/login", user, "access_token")
    for start in range(0, len(ids), MOST_KEYS):
        keys = {"idempotency_keys": ids[start : start + MOST_KEYS]}
        yield from ask_service("/api/webhook-events/missing", keys, "missing", {"Authorization": f"Bearer {token}"})


parser = argparse.ArgumentParser(usage=USAGE, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.error = lambda message: sys.exit(f"{message}; usage: {USAGE}")  # argparse would exit with 2
parser.add_argument("--since", type=float, default=720)
parser.add_argument("--event", action="append")
options = parser.parse_args()
SERVICE, KEY = setting("CONNECTOR_API_URL", URL).rstrip("/"), setting("STRIPE_API_KEY", TOKEN)
STRIPE = setting("STRIPE_API_URL", URL, "https://api.stripe.com").rstrip("/")
types = set(options.event or sys.exit("name with --event what the destination listens to"))
old = [each for each in listed(types) if each["created"] < time.time() - YOUNG]
ids = [each["id"] for each in sorted(old, key=lambda each: each["created"])]
absent = list(missing(ids))
for each in absent:
    print(each)
print(f"{len(ids)} events: {len(absent)} missing", file=sys.stderr)
sys.exit(2 if absent else 0)

"""Asks GitHub to deliver again what Connector Events has not stored. Python 3.9 or newer, no packages.

backfill_github.py [--since HOURS] [--event NAME]... [--tries N] [--dry-run] repo OWNER/NAME HOOK | org ORG HOOK | app

It needs CONNECTOR_API_URL and the connector's own user: CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and
CONNECTOR_API_PASSWORD. For GitHub it needs GITHUB_TOKEN; for an App GITHUB_APP_JWT, or GITHUB_APP_ID and GITHUB_APP_KEY
(a PEM file). GITHUB_API_URL names GitHub Enterprise Server. It prints a line for each delivery that is missing.
Exit code: 0 nothing is missing, 1 it could not find out, 2 some stay missing, 3 it asked for all that are missing.
docs/connectors.md explains the rules.
"""
import argparse, base64, calendar, functools, json, os, random, re, subprocess, sys, time
from collections import namedtuple
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

USAGE = __doc__.splitlines()[2]
MOST_KEYS = 100
YOUNG = float(os.environ.get("YOUNG", 60))  # seconds; a younger delivery may still be on its way
MOST_TRIES, LONGEST_WAIT = 8, 900  # seconds
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds before the second try; each further pause is twice as long
URL, TOKEN = r"https?://(?!/)[A-Za-z0-9.:/%~_\[\]-]+", "[!-~]+"
Answer = namedtuple("Answer", "status headers content")


def setting(name, form=".+", default=""):
    """A setting, without a newline at its end. A message never has its value, which may be a secret."""
    value = os.environ.get(name, "").rstrip("\r\n") or default or sys.exit(f"{name} is not set")
    return value if re.fullmatch(form, value, re.DOTALL) else sys.exit(f"{name} is malformed")


class RedirectWithinHost(HTTPRedirectHandler):  # GitHub redirects what was renamed
    def redirect_request(self, request, *rest):  # another host would get the token
        is_here = urlsplit(rest[-1])[:2] == urlsplit(request.full_url)[:2]
        return super().redirect_request(request, *rest) if is_here else None


class NoProxyForLoopback(ProxyHandler):
    def proxy_open(self, request, *rest):  # it would get the token
        is_here = re.fullmatch(r"(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?", request.host)
        return None if is_here else super().proxy_open(request, *rest)


OPENER = build_opener(RedirectWithinHost, NoProxyForLoopback)


def why(content, request):  # some servers show what they got: a token, or the password of a login, which has no token
    token = request.get_header("Authorization", "").partition(" ")[2]
    return (content.get("detail") or content["message"]).replace(token, "…") if token else str(content["code"])


def answer_to(request):  # an error is an answer too; status 0 means that none came
    try:
        with OPENER.open(request, timeout=30) as answer:
            return Answer(answer.status, answer.headers, json.loads(answer.read() or "{}"))
    except HTTPError as error:
        try:
            message = why(json.load(error), request)
        except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
            message = error.reason
        return Answer(error.code, error.headers, message)
    except Exception as error:  # of many classes. Not its text, which may have the token
        return Answer(0, {}, str(getattr(error, "reason", type(error).__name__)))


def pause(answer, attempt):  # seconds until the next try; None if no try can succeed
    back_off, headers = random.uniform(0.5, 1) * PAUSE * 2**attempt, answer.headers
    after, is_spent = headers.get("Retry-After", ""), headers.get("X-RateLimit-Remaining") == "0"
    is_limited = after or is_spent or "rate limit" in answer.content
    if not (answer.status in (0, 429) or answer.status >= 500 or answer.status == 403 and is_limited):
        return None
    if after.isdecimal():
        return int(after) + back_off
    if is_spent:
        return max(0, int(headers.get("X-RateLimit-Reset", 0)) - time.time()) + back_off
    return back_off + 60 if is_limited else back_off


def ask(name, url, body, headers, refusals=()):  # tries while a try can succeed
    for attempt in range(MOST_TRIES):
        answer = answer_to(Request(url, body, headers()))
        if 200 <= answer.status < 300 or answer.status in refusals:
            return answer
        seconds = pause(answer, attempt)
        if seconds is None or seconds > LONGEST_WAIT or attempt + 1 == MOST_TRIES:
            break
        time.sleep(seconds)
    sys.exit(f"{name}: {answer.status or 'no answer'}: {answer.content}")


def ask_service(path, body, member, headers={}):
    headers = {"Content-Type": "application/json", **headers}
    content = ask("Connector Events", SERVICE + path, json.dumps(body).encode(), lambda: headers).content
    if isinstance(content, dict) and member in content:
        return content[member]
    sys.exit("Connector Events: this is not an answer of the service")


def ask_github(url, body=None, refusals=()):
    headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28", "User-Agent": "backfill"}
    return ask("GitHub", url, body, lambda: {**headers, "Authorization": f"Bearer {github_token()}"}, refusals)


def github_token():
    if options.kind != "app":
        return setting("GITHUB_TOKEN", TOKEN)
    is_ready = os.environ.get("GITHUB_APP_JWT")
    return setting("GITHUB_APP_JWT", TOKEN) if is_ready else app_token(int(time.time() // 300))


@functools.lru_cache(maxsize=1)
def app_token(period):  # serves for the five minutes of this period; GitHub allows ten
    claims = {"iat": period * 300 - 60, "exp": period * 300 + 590, "iss": setting("GITHUB_APP_ID")}
    parts = [json.dumps(part).encode() for part in ({"alg": "RS256", "typ": "JWT"}, claims)]
    token = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    sign = ["openssl", "dgst", "-sha256", "-sign", setting("GITHUB_APP_KEY")]
    try:
        signature = subprocess.run(sign, input=token, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        sys.exit("openssl cannot sign with the file that GITHUB_APP_KEY names")
    return (token + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


def time_of(delivery):
    return calendar.timegm(time.strptime(delivery["delivered_at"][:19], "%Y-%m-%dT%H:%M:%S"))


def deliveries(start):  # newest first
    url, count = HOOK + "?per_page=100", 0
    while url:
        answer = ask_github(url)
        young_enough = [each for each in answer.content if time_of(each) >= start]
        yield from young_enough
        progress(f"{(count := count + len(young_enough))} deliveries read")
        link = re.search(r'<[^>?]*([?][^>]+)>; *rel="next"', answer.headers.get("Link", ""))
        url = HOOK + link[1] if link and len(young_enough) == len(answer.content) else None


def attempts_by_guid():  # oldest first; the attempts of a GUID newest first
    now, found = time.time(), {}
    for each in deliveries(now - options.since * 3600):
        if each["event"] != "ping" and each["event"] in (options.event or [each["event"]]):
            found.setdefault(each["guid"], []).append(each)
    return {guid: found[guid] for guid in reversed(found) if time_of(found[guid][0]) < now - YOUNG}


def missing(guids):  # those of which Connector Events has no event
    token = os.environ.get("CONNECTOR_API_TOKEN") and setting("CONNECTOR_API_TOKEN", TOKEN)
    if guids and not token:
        user = {"email": setting("CONNECTOR_API_EMAIL"), "password": setting("CONNECTOR_API_PASSWORD")}
        token = ask_service("/api/auth/login", user, "access_token")
    for start in range(0, len(guids), MOST_KEYS):
        keys = {"idempotency_keys": guids[start : start + MOST_KEYS]}
        yield from ask_service("/api/webhook-events/missing", keys, "missing", {"Authorization": f"Bearer {token}"})
        progress(f"{min(start + MOST_KEYS, len(guids))} of {len(guids)} GUIDs looked up")


def hopeless(attempts):  # why another redelivery would not help, or None
    redeliveries = [each["status_code"] or 0 for each in attempts if each["redelivery"]]
    if redeliveries and 200 <= redeliveries[0] < 300:
        return f"the connector answered {redeliveries[0]} to its redelivery"
    if len(redeliveries) >= options.tries:
        return f"{len(redeliveries)} redeliveries did not help"
    return "it is older than --since" if len(redeliveries) == len(attempts) else None


def refusal(delivery):  # asks for a delivery again; why GitHub refuses, or None
    answer = ask_github(f"{HOOK}/{delivery['id']}/attempts", b"", refusals=(400, 404, 422))
    return f"GitHub refuses to deliver it again: {answer.status}: {answer.content}" if answer.status >= 400 else None


def progress(text):  # on a terminal, one line that changes
    print(text, end=" \r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


parser = argparse.ArgumentParser(usage=USAGE, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.error = lambda message: sys.exit(f"{message}; usage: {USAGE}")  # argparse would exit with 2
parser.add_argument("--since", type=float, default=72)
parser.add_argument("--event", action="append")
parser.add_argument("--tries", type=int, default=3)
parser.add_argument("--dry-run", action="store_true")
parser.add_argument("kind", choices=["repo", "org", "app"])
parser.add_argument("hook", nargs="*")
options = parser.parse_args()
paths = {"repo": "/repos/{}/hooks/{}", "org": "/orgs/{}/hooks/{}", "app": "/app/hook"}
if len(options.hook) != paths[options.kind].count("{}"):
    parser.error(f"{options.kind} takes {paths[options.kind].count('{}')} words after it")
SERVICE = setting("CONNECTOR_API_URL", URL).rstrip("/")
HOOK = setting("GITHUB_API_URL", URL, "https://api.github.com").rstrip("/")
HOOK += paths[options.kind].format(*options.hook) + "/deliveries"
attempts, asked, left = attempts_by_guid(), 0, 0
for guid in list(missing(list(attempts))):
    reason = hopeless(attempts[guid]) or (None if options.dry_run else refusal(attempts[guid][0]))
    asked, left = (asked, left + 1) if reason else (asked + 1, left)
    result = f"stays missing: {reason}" if reason else "to ask for" if options.dry_run else "asked for again"
    print(guid, attempts[guid][0]["event"], result, flush=True)
print(f"{len(attempts)} GUIDs: {asked + left} missing, {left} stay missing", file=sys.stderr)
sys.exit(2 if left else 3 if asked else 0)

"""Is everything stored here that a provider has delivered? Gets what is missing. Python 3.9 or newer, no packages.

complete.py FILE [--since TIME]

It stands beside the outbox, for it needs what a connector has: the provider's credentials, and its own user's here.
Run it on a schedule. FILE keeps its place. --since, such as 2026-11-20T12:00:00Z, is for the first run, and to go on
after what the list has forgotten. Settings: PROVIDER; CONNECTOR_API_URL, and either CONNECTOR_API_TOKEN, or
CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD; EVENTS, the types that the webhook gets, with commas, or *; and
  github  GITHUB_HOOK, such as repos/octo/hub/hooks/7, orgs/octo/hooks/7 or app/hook; GITHUB_TOKEN, or of an App
          GITHUB_APP_JWT, or GITHUB_APP_ID and GITHUB_APP_KEY (a PEM file); GITHUB_API_URL
  gitlab  GITLAB_HOOK, such as projects/42/hooks/7; GITLAB_TOKEN; GITLAB_API_URL
  okta    OKTA_API_URL; OKTA_TOKEN      square  SQUARE_TOKEN      stripe  STRIPE_API_KEY, which only has to read events
MARGIN (seconds); KEEPS (hours that the list keeps); STACK, whose metric then has how old complete_until is.
It prints a line of JSON. Exit code: 0 all is stored until then, 1 it could not see all, 2 look at what the line names.
docs/connectors.md explains the rules.
"""
import argparse, base64, calendar, fcntl, functools, json, math, os, random, re, subprocess, sys, time
from collections import namedtuple
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from itertools import count, zip_longest
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener
from outbox import TOKEN, URL, NoProxyForLoopback, key_of, outcome, setting
from providers import Request as Webhook
from providers import TIME, elements, instant, kind_of, write_whole

DAY = 86_400  # seconds
MOST_KEYS = 100  # of a request to /missing
MOST_NAMES, MOST_KNOWN = 100, 1_000  # in a line; of those that are not to be had, in the file
MOST_PAGE = 100_000_000  # bytes
MOST_TRIES, LONGEST_WAIT = 8, 900  # seconds
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds before the second try; each further pause is twice as long
LOOKS = 5  # for what was asked again, in 31 s
LOGIN, REFUSALS = "/api/auth/login", (400, 403, 413, 415, 422)  # of a batch
MESSAGES = "detail", "message", "error", "errorSummary", "errors", "code"  # where an error says what it is
OTHER_FORM = ValueError, LookupError, TypeError, AttributeError  # of an answer
OVERSIZE = {"oversize": True}  # gitlabhq/app/models/hooks/web_hook_log.rb
THIN, THIN_VERSION = re.compile("v[0-9]+[.]"), "2026-09-30.endive"  # the first with thin events of all resources
Answer = namedtuple("Answer", "status headers text code", defaults=[None])
Item = namedtuple("Item", "key topic at id is_taken text", defaults=[0, False, ""])  # of a list


class Unseen(Exception):
    """What could not be seen, and why. What is complete does not move past it."""


class RedirectWithinHost(HTTPRedirectHandler):  # GitHub redirects what was renamed
    def redirect_request(self, request, *rest):  # another host would get the token
        is_here = urlsplit(rest[-1])[:2] == urlsplit(request.full_url)[:2]
        return super().redirect_request(request, *rest) if is_here else None


OPENER = build_opener(RedirectWithinHost, NoProxyForLoopback)


def said(content, request):  # some servers show what they got: a token, or the password of a login, which has no token
    token = request.get_header("Authorization", "").partition(" ")[2]
    while isinstance(content, (dict, list)) and token:
        is_list = isinstance(content, list)
        content = content[0] if is_list else [content[name] for name in MESSAGES if content.get(name)][0]
    return str(content).replace(token, "…")[:300] if token else str(content["code"])


def answer_to(request):  # an error is an answer too; status 0 means that none came
    try:
        with OPENER.open(request, timeout=30) as answer:
            text = answer.read(MOST_PAGE + 1)
            return Answer(answer.status, answer.headers, text.decode() if len(text) <= MOST_PAGE else "too large")
    except HTTPError as error:
        message, content = error.reason, None
        with suppress(OSError, HTTPException, *OTHER_FORM):
            content = json.loads(error.read(MOST_PAGE))
            message = said(content, request)
        return Answer(error.code, error.headers, message, content.get("code") if isinstance(content, dict) else None)
    except Exception as error:  # of many classes. Not its text, which may have the token
        return Answer(0, {}, str(getattr(error, "reason", type(error).__name__)))


def pause(answer, attempt):  # seconds until the next try; None if no try can succeed
    back_off, headers = random.uniform(0.5, 1) * PAUSE * 2**attempt, answer.headers
    names = [name for name in ("X-RateLimit-", "X-Rate-Limit-", "RateLimit-") if headers.get(name + "Remaining") == "0"]
    after, reset = headers.get("Retry-After", ""), headers.get(names[0] + "Reset", "") if names else ""
    is_limited = after or names or "rate limit" in answer.text
    if not (answer.status in (0, 429) or answer.status >= 500 or answer.status == 403 and is_limited):
        return None
    if after.isdecimal():
        return int(after) + back_off
    return max(0, int(reset) - time.time()) + back_off if reset.isdecimal() else back_off + 60 * bool(is_limited)


class Api:
    """A server. It is asked while a try can succeed, and as late as it wants."""

    calls = 0  # of all
    name, date = "Connector Events", math.inf  # when it first answered, by its own clock

    def __init__(self, url):
        self.url = url.rstrip("/")

    def can_renew(self):
        """Whether another try has another token."""

    def ask(self, path, body=None, refusals=()):
        for attempt in range(MOST_TRIES):
            request = Request(self.url + path, body, self.headers(path))
            Api.calls += 1
            answer = answer_to(request)
            with suppress(TypeError, ValueError):
                self.date = min(self.date, parsedate_to_datetime(answer.headers.get("Date")).timestamp())
            if 200 <= answer.status < 300 or answer.status in refusals:
                return answer
            seconds = 0 if answer.status == 401 and self.can_renew() else pause(answer, attempt)
            if seconds is None or seconds > LONGEST_WAIT or attempt + 1 == MOST_TRIES:
                break
            time.sleep(seconds)
        raise Unseen(f"{self.name}: {answer.status or 'no answer'}: {answer.text}")

    @contextmanager
    def expected(self):
        """An answer of another form is no empty list: it shows nothing."""
        try:
            yield
        except OTHER_FORM:
            raise Unseen(f"{self.name}: this is not an answer of its API") from None


class Service(Api):
    def __init__(self):
        super().__init__(setting("CONNECTOR_API_URL", URL))
        self.token = setting("CONNECTOR_API_TOKEN", TOKEN) if os.environ.get("CONNECTOR_API_TOKEN") else None
        names = {"email": "CONNECTOR_API_EMAIL", "password": "CONNECTOR_API_PASSWORD"}
        self.user = None if self.token else {name: setting(variable) for name, variable in names.items()}

    def can_renew(self):  # a token of a login lives for an hour; but a wrong password gets 401 too
        is_old = self.user and self.token
        self.token = None if self.user else self.token
        return is_old

    def headers(self, path):
        if not self.token and path != LOGIN:
            answer = self.ask(LOGIN, json.dumps(self.user).encode())
            with self.expected():
                self.token = re.fullmatch(TOKEN, json.loads(answer.text)["access_token"])[0]
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Content-Type": "application/json", **token}

    def missing(self, keys):
        """Those under which the user has no event."""
        keys, found = list(dict.fromkeys(keys)), []
        for start in range(0, len(keys), MOST_KEYS):
            some = {"idempotency_keys": keys[start : start + MOST_KEYS]}
            answer = self.ask("/api/webhook-events/missing", json.dumps(some).encode())
            with self.expected():
                found += json.loads(answer.text)["missing"]
        return set(found)

    def store(self, rows):
        """Stores these events. Yields each key with "stored", with the code of a refusal, or with None: not yet."""
        events = '{"events":[%s]}' % ",".join(event for _, event in rows)
        answer = self.ask("/api/webhook-events/batch", events.encode(), REFUSALS)
        is_refused = answer.status in REFUSALS
        if is_refused and rows[1:]:  # perhaps due to one of them
            for each in rows:
                yield from self.store([each])
            return
        with self.expected():
            refusal = [{"status": answer.status, "problem": {"code": answer.code}}]
            results = refusal if is_refused else json.loads(answer.text)["results"]
            codes = [outcome(event, result) for (_, event), result in zip(rows, results)]
        yield from ((key, code) for (key, _), code in zip_longest(rows, codes))


def seconds_of(text):
    """A time as whole seconds since 1970."""
    return calendar.timegm(time.strptime(instant(text)[:19], "%Y-%m-%dT%H:%M:%S"))


def time_of(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def given_time(text):
    if not TIME.fullmatch(text):
        raise argparse.ArgumentTypeError("it needs a time such as 2026-11-20T12:00:00Z")
    if seconds_of(text) > time.time():  # until then, it would say that all is stored
        raise argparse.ArgumentTypeError("it needs a time that has passed")
    return time_of(seconds_of(text))


def listed(answer, *names):
    """The elements of an array, which is the text or in this member of it, and the text of each."""
    return [(json.loads(text), text) for text in elements(answer.text, *names)]


def next_query(answer):
    """The query of the next page. Only that: another place would get the token."""
    link = re.search(r'<[^>?]*([?][^>]+)>; *rel="?next"?', ", ".join(answer.headers.get_all("Link", [])))
    return link[1] if link else None


class Listing(Api):
    """What a provider lists, in pages. If it does not send again, the list has the events' texts."""

    margin, step = 3_600, math.inf  # seconds: younger ones may be on their way; of how much time it lists at once
    resends = sees_late = False  # sees_late: it lists late what has an older time
    default, credential = None, "Bearer"
    not_listed = ()

    def __init__(self, events):
        self.name, name = type(self).__name__, type(self).__name__.upper()
        super().__init__(setting(name + "_API_URL", URL, self.default or ""))
        self.events = events or (["*"] if self.resends else sys.exit("EVENTS is not set"))
        if any("*" in each and each != "*" for each in self.events):
            sys.exit("EVENTS takes no pattern: name the types, or all by *")
        self.hook = "/" + setting(name + "_HOOK", self.hook) if self.resends else ""
        self.headers("")  # or a setting is missing

    def token(self):
        return setting(self.name.upper() + "_TOKEN", TOKEN)

    def headers(self, _):
        authorization = f"{self.credential} {self.token()}"
        return {"Authorization": authorization, "Content-Type": "application/json", "User-Agent": "complete"}

    def is_wanted(self, topic):
        return topic in self.events or "*" in self.events

    def whole(self, text):
        return text

    def row(self, item):
        """The event that the outbox would keep of a listed body, with a mark that it is one; or why there is none."""
        rows, refused = kind_of(self.name.lower())().rows(Webhook("POST", "", {}, self.whole(item.text).encode()))
        if refused or len(rows) != 1:
            return None, json.loads(refused[0][1])["reason"] if refused else "it is no event"
        before, mark, after = rows[0][1].rpartition('"_meta":{')
        return (rows[0][0], f'{before}{mark}"listed": "true", {after}'), None

    def ask(self, path, body=None, refusals=()):
        if (path, body) in self.asked:  # it would go on for ever, and hold up all later runs
            raise Unseen(f"{self.name}: it names a page again")
        self.asked.add((path, body))
        return super().ask(path, body, refusals)

    def whole_pages(self, *place):
        pages, page, self.asked = self.pages(*place), [], set()
        while page is not None:
            yield page
            with self.expected():
                page = next(pages, None)

    def send_again(self, item):
        """Asks for another delivery. Why the provider refuses, or None."""
        answer = self.ask(self.hook + self.again.format(item.id), b"", (400, 404, 422))
        return f"{self.name} refuses: {answer.status}: {answer.text}" if answer.status >= 400 else None


class GitHub(Listing):  # docs.github.com/en/rest/repos/webhooks
    default, hook = "https://api.github.com", r"(repos/[\w.-]+/[\w.-]+|orgs/[\w.-]+)/hooks/[0-9]+|app/hook"
    margin, keeps, resends, again = 600, 3 * DAY, True, "/deliveries/{}/attempts"
    not_listed = "pings", "Marketplace, Sponsors and global webhooks"

    def token(self):
        if self.hook != "/app/hook":
            return super().token()
        is_ready = os.environ.get("GITHUB_APP_JWT")
        return setting("GITHUB_APP_JWT", TOKEN) if is_ready else app_token(int(time.time() // 300))

    def headers(self, path):
        versions = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        return {**super().headers(path), **versions}

    def pages(self, begin, *_):  # newest first
        query, size = "?per_page=100", 100
        while query:
            answer = self.ask(f"{self.hook}/deliveries{query}")
            page = [Item(key_of(each["guid"]), each["event"], seconds_of(each["delivered_at"]), int(each["id"]),
                         200 <= (each["status_code"] or 0) < 300) for each, _ in listed(answer)]
            following = next_query(answer) if not page or page[-1].at >= begin else None
            if page and len(page) == size and page[-1].at >= begin and not following:
                if size < 100:
                    raise Unseen("GitHub: a full page names no next one")
                query, size = "?per_page=99", 99  # is it the end, or does a proxy remove Link? Of this page too
                continue
            yield [each for each in page if each.topic != "ping"]
            query, size = following, 0


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


class GitLab(Listing):  # docs.gitlab.com/api/project_webhooks: no item has a time, but a newer one has a greater id
    default, hook = "https://gitlab.com/api/v4", r"(projects|groups)/[\w.%-]+/hooks/[0-9]+"
    margin, keeps, resends, again = 600, 7 * DAY, True, "/events/{}/resend"
    not_listed = "deliveries without an Idempotency-Key", "system hooks"

    def pages(self, _begin, _end, last):  # newest first
        for number in count(1):
            answer = self.ask(f"{self.hook}/events?per_page=20&page={number}")
            page = [Item(key_of(each["request_headers"].get("Idempotency-Key") or ""),
                         each["request_headers"].get("X-Gitlab-Event") or each["trigger"], None, int(each["id"]),
                         str(each["response_status"]).startswith("2"),
                         "GitLab has not kept its body, which is too large" if each["request_data"] == OVERSIZE else "")
                    for each, _ in listed(answer)]
            yield [each for each in page if each.key]
            if not page or page[0].id <= last:
                return


class Okta(Listing):  # developer.okta.com/docs/reference/system-log-query: without `until`, it lists also what is late
    keeps, sees_late, credential = 90 * DAY, True, "SSWS"

    def whole(self, text):  # as an event hook delivers it
        return '{"source":%s,"data":{"events":[%s]}}' % (json.dumps(self.url), text)

    def pages(self, begin, *_):
        query, page = {"since": time_of(begin), "sortOrder": "ASCENDING", "limit": 100}, [Item("", "", 0)]
        if "*" not in self.events:
            query["filter"] = " or ".join(f'eventType eq "{each}"' for each in self.events)
        following = "?" + urlencode(query)
        while page and max(each.at for each in page) <= self.date:  # there is always a next page
            answer = self.ask("/api/v1/logs" + following)
            page = [Item(key_of(each["uuid"]), each["eventType"], seconds_of(each["published"]), text=text)
                    for each, text in listed(answer)]
            yield page
            following = next_query(answer)


class Square(Listing):  # developer.squareup.com/reference/square/events-api/search-events
    default, keeps, step = "https://connect.squareup.com", 28 * DAY, DAY
    not_listed = ("what happened before the Events API was enabled",)

    def pages(self, begin, end, _):
        types = {} if "*" in self.events else {"event_types": self.events}
        chosen = {"created_at": {"start_at": time_of(begin), "end_at": time_of(math.ceil(end))}, **types}
        query = {"query": {"filter": chosen, "sort": {"field": "DEFAULT", "order": "ASC"}}, "limit": 100}
        while query:
            answer = self.ask("/v2/events", json.dumps(query).encode())
            content = json.loads(answer.text)
            if content.get("errors"):
                raise ValueError
            yield [Item(key_of(each["event_id"]), each["type"], seconds_of(each["created_at"]), text=text)
                   for each, text in (listed(answer, "events") if "events" in content else ())]
            query = content.get("cursor") and {**query, "cursor": content["cursor"]}


class Stripe(Listing):  # docs.stripe.com/api/events/list, docs.stripe.com/api/v2/core/events/list
    default, keeps, step = "https://api.stripe.com", 30 * DAY, DAY
    not_listed = ("events of connected accounts",)

    def token(self):
        return setting("STRIPE_API_KEY", TOKEN)

    def headers(self, path):
        return {**super().headers(path), **({"Stripe-Version": THIN_VERSION} if path.startswith("/v2/") else {})}

    def is_wanted(self, topic):
        return topic in self.events or "*" in self.events and not THIN.match(topic)

    def pages(self, begin, end, _):  # newest first
        query = {"created[gte]": int(begin), "created[lt]": math.ceil(end), "limit": 100}
        while query and not all(map(THIN.match, self.events)):
            answer = self.ask(f"/v1/events?{urlencode(query)}")
            yield self.items(answer, int)
            last = listed(answer, "data")[-1:]
            query = json.loads(answer.text)["has_more"] and {**query, "starting_after": last[0][0]["id"]}
        following = "/v2/core/events?"
        query = any(map(THIN.match, self.events)) and urlencode({
            "created[gte]": time_of(begin), "created[lt]": time_of(math.ceil(end)), "limit": 100})
        while query:
            answer = self.ask(following + query)
            yield self.items(answer, seconds_of)
            place, _, query = (json.loads(answer.text)["next_page_url"] or "").partition("?")
            if query and place + "?" != following:
                raise ValueError  # another place would get the key

    @staticmethod
    def items(answer, created):
        return [Item(key_of(each["id"]), each["type"], created(each["created"]), text=text)
                for each, text in listed(answer, "data")]


class Run:
    """From the place in the file to the present, less a margin."""

    def __init__(self, listing, service, state):
        self.listing, self.service, self.state = listing, service, state
        self.margin = float(setting("MARGIN", "[0-9]+", str(listing.margin)))
        self.keeps = 3_600 * int(setting("KEEPS", "[0-9]+", str(listing.keeps // 3_600)))
        self.since, self.until = seconds_of(state["complete_since"]), seconds_of(state["complete_until"])
        self.clock, self.waiting, self.refused = time.time(), {}, {}  # why they wait, or are not to be had
        self.line = dict.fromkeys(("listed", "missing", "asked_again", "stored"), 0)

    def go(self):
        place, last = self.until, self.state.get("id", 0)
        is_forgotten = place < self.clock - self.keeps + self.margin  # it may forget more while it is read
        begin, times = max(self.since, place - self.margin, self.clock - self.keeps), []
        while place < (end := min(max(place, begin) + self.listing.step, self.clock - self.margin)):
            lost = {}
            for page in self.listing.whole_pages(begin, end, last):
                self.clock = min(self.clock, self.listing.date)  # of two clocks, one may be ahead
                end = min(end, self.clock - self.margin)
                self.state["newest"] = max([self.state.get("newest", 0), *(each.id for each in page)])
                times += self.look(page, self.since if self.listing.sees_late else begin, end, lost)
            times += self.send_again(lost)
            if not is_forgotten:
                self.until = min([end, *(self.until if at is None else at for at in times)])
            place = begin = end
        if not self.waiting:
            self.state["id"] = self.state.get("newest", 0)
        if is_forgotten:
            self.line["forgotten"] = f"{time_of(self.until)} to {time_of(self.clock - self.keeps)}: see --since"

    def look(self, page, begin, end, lost):
        """Stores what is missing of a page, or leaves it in `lost`. Yields the time of what waits."""
        items = [each for each in page if self.listing.is_wanted(each.topic)]
        items = [each for each in items if each.at is None or begin <= each.at < end]
        self.line["listed"] += len(items)
        missing = self.service.missing(each.key for each in items) - self.state["not_to_be_had"].keys()
        self.line["missing"] += len(missing - lost.keys())
        rows, times = [], {}
        for each in (each for each in items if each.key in missing):
            if self.listing.resends:  # of several attempts, the newest one, with the first one's time
                lost[each.key] = lost.get(each.key, each)._replace(at=each.at)
            elif each.key not in times:
                row, why = self.listing.row(each)
                times[each.key] = each.at
                rows += [row] if row else []
                self.refused.update({} if row else {each.key: why})
        for key, result in self.service.store(rows) if rows else ():
            if result in ("stored", "idempotency_key_reused"):  # it has come meanwhile
                self.line["stored"] += 1
            elif result in (None, "forbidden"):
                self.waiting[key] = result or "it could not be stored yet"
                yield times[key]
            else:
                self.refused[key] = result

    def send_again(self, lost):
        """Asks the provider to send these again, and looks for them for a while. Yields the time of what waits."""
        notes, asked = self.state["missing"], set()
        for key in notes.keys() - lost.keys():
            del notes[key]
        for key, item in reversed(list(lost.items())):  # oldest first
            note = notes.setdefault(key, {"since": self.clock, "asked": None})
            was = note["asked"]
            if item.text or was and item.is_taken and self.clock - was >= DAY:
                self.refused[key] = item.text or "the connector took it a day ago: see its log, and what it has refused"
                continue
            self.waiting[key] = "it was asked for again"
            if not was or not item.is_taken and self.clock - was >= max(self.margin, was - note["since"]):
                self.waiting[key] = self.listing.send_again(item) or self.waiting[key]
                note["asked"] = self.clock
                self.line["asked_again"] += 1
                asked.add(key)
        for look in range(LOOKS if asked else 0):
            time.sleep(PAUSE * 2**look)
            left = self.service.missing(asked)
            for key in asked - left:
                del self.waiting[key], notes[key]
                self.line["stored"] += 1
            asked = left
            if not asked:
                break
        yield from (lost[key].at for key in self.waiting.keys() & lost.keys())

    def result(self):
        """The line. The state is then that of the next run."""
        known = {**self.state["not_to_be_had"], **self.refused}
        self.state.update(not_to_be_had=dict(list(known.items())[-MOST_KNOWN:]), complete_until=time_of(self.until))
        named = {name: dict(list(each.items())[:MOST_NAMES])
                 for name, each in (("waiting", self.waiting), ("not_to_be_had", self.refused))}
        counts = {"waiting_count": len(self.waiting), "not_to_be_had_count": len(self.refused)}
        place = {name: self.state[name] for name in ("provider", "complete_since", "complete_until")}
        return {**place, **self.line, **counts, **named, "not_listed": self.listing.not_listed, "calls": Api.calls}


def put_metric(stack, service, age):
    """How old complete_until is, of the connector's user: `operate/user watch --complete` makes an alarm of it."""
    answer = service.ask("/api/auth/me")
    with service.expected():
        user = json.loads(answer.text)["id"]
    datum = {"MetricName": "incomplete_seconds", "Dimensions": [{"Name": "user_id", "Value": user}],
             "Value": max(0, round(age)), "Unit": "Seconds"}
    words = ["cloudwatch", "put-metric-data", "--namespace", f"ConnectorEvents/{stack}"]
    try:
        subprocess.run(["aws", *words, "--metric-data", json.dumps([datum])], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        raise Unseen("the AWS CLI could not put the metric") from None


def main(file, since):
    kinds = {each.__name__.lower(): each for each in Listing.__subclasses__()}
    provider = setting("PROVIDER")
    if provider not in kinds:
        sys.exit(f"PROVIDER is none of {', '.join(kinds)}: docs/connectors.md says what to do for others")
    events = [each for each in re.split(r"[,\s]*,[,\s]*", os.environ.get("EVENTS", "").strip()) if each]
    listing, service = kinds[provider](events), Service()
    lock = open(file + ".lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("another run is under way")
    of = [provider, listing.url + listing.hook, ",".join(sorted(listing.events)), service.url]
    state = {"provider": provider, "of": of, "missing": {}, "not_to_be_had": {}}
    with suppress(FileNotFoundError), open(file, encoding="utf-8") as kept:
        state = json.load(kept)
    if state["of"] != of:  # its place says nothing of these
        sys.exit(f"{file} is of {' '.join(state['of'])}: take another file for {' '.join(of)}")
    if since:
        state.update(complete_since=since, complete_until=since, id=0)
    elif "complete_until" not in state:
        sys.exit(f"{file} has no place: say with --since from when on all should be stored")
    run, errors = Run(listing, service, state), []
    try:
        run.go()
    except Unseen as error:
        errors.append(str(error))
    line = run.result()
    write_whole(file, json.dumps({**state, "last": line}, indent=1) + "\n")
    try:
        if os.environ.get("STACK"):
            put_metric(setting("STACK", "[A-Za-z0-9-]+"), service, run.clock - run.until)
    except Unseen as error:
        errors.append(str(error))
    print(json.dumps({**line, "errors": errors}, ensure_ascii=False), flush=True)
    return "; ".join(errors) or (2 if run.waiting or run.refused or "forgotten" in line else 0)


if __name__ == "__main__":
    usage = __doc__.splitlines()[2]
    parser = argparse.ArgumentParser(usage=usage, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: sys.exit(f"{message}; usage: {usage}")  # argparse would exit with 2
    parser.add_argument("--since", type=given_time)
    parser.add_argument("file", metavar="FILE")
    options = parser.parse_args()
    sys.exit(main(options.file, options.since))

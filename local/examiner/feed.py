"""A feed that an exam plays: it answers as docs/api.md says, from what the exam has written."""
import gzip, hashlib, json, re, time
from collections import namedtuple
from contextlib import closing, suppress
from email.utils import formatdate
from fnmatch import fnmatchcase
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from urllib.parse import parse_qsl
from .gateway import EVENTS, LOGIN, Answer, Gateway

PAGES, BY_ID = EVENTS + "?", EVENTS + "/"  # beginnings of paths, for rules
LOOKS_AT = 20  # positions of a page at most. So 60 that are not shown make three empty pages
SKIPPED = object()  # at a position of a row that has failed: no page looks at it
PARAMETERS = "order cursor from until limit include share event_type brand_id".split()
LIFETIME = 3600  # seconds of a token
Erasure = namedtuple("Erasure", "event")


def time_text(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03}Z"


def problem(status, code, detail, **headers):
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, "code": code,
            "request_id": "exam"}
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, {"Content-Type": "application/problem+json", **named}, json.dumps(body).encode())


def json_of(text, status=200):
    return Answer(status, {"Content-Type": "application/json"}, text.encode())


def share_of(event, parts):
    """The number of the share that has this event."""
    try:
        brand = event.brand.encode()
    except UnicodeEncodeError:
        brand = b""
    name = brand if 0 < len(brand) <= 2046 else event.id.encode()
    return int.from_bytes(hashlib.sha256(name).digest()[:2], "big") % parts + 1


class Event:
    """An event of the feed. `end` says how it went: "erased", or "expired", and a consumer may still have that one."""

    def __init__(self, id, created_at, event_type, mark, meta, members, is_large):
        self.id, self.created_at, self.event_type, self.mark, self.is_large = id, created_at, event_type, mark, is_large
        self.brand, self.object, self.version = (meta.get(name, "") for name in ("brand_id", "object", "version"))
        self.is_deleted = meta.get("deleted") == "true"
        self.payload = '{"exam":%s%s,"_meta":%s}' % (json.dumps(mark), members, json.dumps(meta))
        self.exact = re.findall("[0-9.]{40,}", members)  # numbers that no consumer rounds
        self.end, self.position = None, 0
        self.is_still_shown = False  # the page was made right before its end

    @property
    def newness(self):
        return self.version, self.is_deleted, self.created_at, self.id

    def text(self, *more):
        user = "0b8f2c1e-5d34-4e7a-9b60-2f1a7c3d8e90"
        members = {"id": self.id, "event_type": self.event_type, "created_at": self.created_at, "user_id": user}
        return ",".join([json.dumps(members)[1:-1], *more])


class PlayedFeed(Gateway):
    """A gateway with this feed behind it, in place of a service."""

    def __init__(self, port, email, password, static_token):
        super().__init__(None, port)
        self.name, self.entries, self.events = "3f9a01c2", [], {}  # what is at each position; events by id
        self.looks_at = LOOKS_AT
        self.user, self.static_token, self.logins = {"email": email, "password": password}, static_token, 0
        self.renew()

    def renew(self):
        """The static token works, and goes on to work."""
        self.issued[self.static_token] = float("inf")

    def publish(self, *entries):
        """Gives the next positions: to events, erasures, and what no consumer may see, None."""
        now = time_text(time.time())
        for number, each in enumerate(entries, len(self.entries) + 1):
            if isinstance(each, Event):
                each.position = number
                self.events[each.id] = each
        self.entries += [(each, now) for each in entries]

    def skip(self, begun):
        """Leaves out what came after a position."""
        self.entries[begun:] = [(SKIPPED, at) for _, at in self.entries[begun:]]

    @property
    def place(self):
        """The cursor of who has read all."""
        return f"{self.name}-{len(self.entries)}"

    def forward(self, method, path, headers, body):
        place, _, query = path.partition("?")
        token = (headers.get("Authorization") or "").partition(" ")[2]
        if (method, place) == ("POST", LOGIN):
            answer = self.log_in(body)
        elif token not in self.issued:
            answer = problem(401, "invalid_token", "the service did not issue this token")
        elif method == "GET" and place == EVENTS:
            answer = self.page(query)
        elif method == "GET" and re.fullmatch(BY_ID + "[^/]+(/payload)?", place):
            answer = self.by_id(*place[len(BY_ID):].partition("/")[::2])
        else:
            answer = json_of('{"message":"Not Found"}', 404)
        answer.headers["Date"] = formatdate(usegmt=True)
        if "gzip" in (headers.get("Accept-Encoding") or "") and len(answer.body) > 1_000:
            answer.headers["Content-Encoding"] = "gzip"
            answer = answer._replace(body=gzip.compress(answer.body))
        return answer

    def request(self, *_):
        """Answers itself, as a service does at once if the machine is well."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", "/api/auth/me")
            connection.getresponse().read()

    def log_in(self, body):
        try:
            is_right = json.loads(body) == self.user
        except ValueError:
            is_right = False
        if not is_right:
            return problem(401, "invalid_credentials", "wrong address or password")
        self.logins += 1
        token = f"login{self.logins}of{self.static_token}"
        return json_of(json.dumps({"access_token": token, "token_type": "bearer", "expires_in": LIFETIME}))

    def by_id(self, name, part):
        event = self.events.get(name)
        if not event or event.end == "expired":
            return problem(404, "not_found", "there is no event with this id")
        if event.end:
            return problem(410, "event_erased", "an operator has erased the event")
        text = event.payload if part else "{%s}" % event.text('"payload":' + event.payload)
        return json_of(text)

    def page(self, query):
        given = parse_qsl(query, keep_blank_values=True)
        asked, include = dict(given), dict(given).get("include", "").split(",")
        limit, share = asked.get("limit", "50"), asked.get("share", "1/1")
        rules = {
            "order": asked.get("order") == "asc", "include": set(include) <= {"", "payload", "erasures"},
            "limit": re.fullmatch("[1-9][0-9]{0,2}|1000", limit),
            "share": re.fullmatch("[1-9][0-9]?/[1-9][0-9]?", share)}
        rules.update({name: False for name, value in given if name not in PARAMETERS or not value})
        if broken := [name for name, holds in rules.items() if not holds]:
            return problem(422, "validation_failed", f"{', '.join(broken)}: against the rule")
        places = [asked.get("cursor", "0"), asked.get("until", self.place)]
        if any(place != "0" and place.partition("-")[0] != self.name for place in places):
            return problem(422, "validation_failed", "cursor: the position belongs to another feed")
        at, last = (int(place.rpartition("-")[2]) for place in places)
        if max(at, last) > len(self.entries):
            return problem(422, "validation_failed", "cursor: the position is past the head")
        looked, shown = 0, []
        while at < last and looked < self.looks_at and len(shown) < int(limit):
            (entry, numbered_at), at = self.entries[at], at + 1
            looked += entry is not SKIPPED
            begins = "cursor" in asked or numbered_at.rstrip("Z") >= asked.get("from", "").rstrip("Z")
            text = begins and self.shown(entry, at, numbered_at, include, asked, *map(int, share.split("/")))
            if text:
                shown.append('{"position":%d,"numbered_at":"%s",%s}' % (at, numbered_at, text))
        content = '{"events":[%s],"next":"%s","more":%s,"head":%d,"whole_until":"%s"}' % (
            ",".join(shown), f"{self.name}-{at}" if at else "0", json.dumps(at < last), len(self.entries),
            time_text(time.time() - 300))
        return json_of(content)

    @staticmethod
    def shown(entry, at, numbered_at, include, asked, part, parts):
        """A page's entry at this position, without its braces. None if the page leaves it out."""
        if isinstance(entry, Erasure):
            return f'"id":"{entry.event.id}","erased_at":"{numbered_at}"' if "erasures" in include else None
        patterns = asked.get("event_type", "*").split(",")
        if (not isinstance(entry, Event) or entry.position != at or entry.end and not entry.is_still_shown
                or share_of(entry, parts) != part or asked.get("brand_id", entry.brand) != entry.brand
                or not any(fnmatchcase(entry.event_type, each) for each in patterns)):
            return None
        if "payload" not in include:
            return entry.text()
        payload_at = f'"payload_at":"{BY_ID}{entry.id}/payload"'
        return entry.text(payload_at if entry.is_large else '"payload":' + entry.payload)

"""Makes signals of events: consumer.py [--share 2/8] [--until POSITION] FILE [SINCE]

How many events each brand had of each event type, and when; the latest state of each thing that events are about; and
each brand's last order in Shopify.
Python 3.9 or newer, no packages. FILE is an SQLite database. SINCE, such as 2026-11-01T00:00:00Z, is when the first
event came to the feed; without it, the oldest one. To rebuild, take a new file. One process at a time uses a file. Of
several processes, each has a share of the brands, and a file of its own; one of 2/4 may go on, on two copies of its file, as
2/8 and 6/8. With --until, such as 3f9a01c2-1234, it ends when it has read up to this position of the feed.
Settings: API_URL, and either CONSUMER_TOKEN, or CONSUMER_EMAIL and CONSUMER_PASSWORD. docs/reading-events.md explains.
"""
import argparse, gzip, hashlib, json, os, re, sqlite3, sys, time
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

USAGE = "consumer.py [--share 2/8] [--until POSITION] FILE [SINCE]"
FEED = {"order": "asc", "include": "payload,erasures", "limit": 1000}
PAGE = "events", "next", "more", "head"
AWAY = 34  # days. The service tells of an erasure for at least 35
HAS_COPIES = 1  # the user_version of a file with what was deleted, in places that nothing uses
PATIENCE = 60  # seconds, until it gives up on a file that another process writes
PAUSE = float(os.environ.get("PAUSE", 1))  # seconds, until it asks for what is new, and after a failure
LONGEST_PAUSE = 60  # seconds, after failures: each pause is twice as long as the one before
TOKEN = "[!-~]+"
SHARE = "[1-9][0-9]?/[1-9][0-9]?"
TABLES = """
    CREATE TABLE IF NOT EXISTS events (id TEXT, created_at TEXT, brand_id TEXT, event_type TEXT,
        object TEXT, version TEXT, is_deleted INTEGER, state TEXT, total TEXT, PRIMARY KEY (id, created_at));
    CREATE INDEX IF NOT EXISTS of_signal ON events (brand_id, event_type, created_at);
    CREATE INDEX IF NOT EXISTS of_object ON events (brand_id, object, version, is_deleted, created_at, id);
    DROP VIEW IF EXISTS last_orders; -- an older consumer.py may have made another one
    DROP VIEW IF EXISTS latest;
    CREATE VIEW IF NOT EXISTS signals AS
        SELECT brand_id, event_type, count(*) AS count, min(created_at) AS first, max(created_at) AS last
        FROM events WHERE brand_id IS NOT NULL GROUP BY brand_id, event_type;
    CREATE VIEW latest AS
        SELECT brand_id, object, version, is_deleted, state, total, event_type, id, created_at, EXISTS (
            SELECT * FROM events AS other WHERE other.brand_id IS one.brand_id AND other.object = one.object
                AND other.version = one.version AND (other.is_deleted = one.is_deleted AND other.state <> one.state
                    OR one.is_deleted > other.is_deleted AND other.created_at >= one.created_at)
            ) AS is_tied
        FROM events AS one WHERE object IS NOT NULL AND rowid = (
            SELECT rowid FROM events AS other WHERE other.brand_id IS one.brand_id AND other.object = one.object
                ORDER BY version DESC, is_deleted DESC, created_at DESC, id DESC LIMIT 1);
    CREATE VIEW last_orders AS
        SELECT brand_id, max(version) AS version, total FROM latest WHERE total IS NOT NULL AND NOT is_deleted
        GROUP BY brand_id;
    CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY, since TEXT, share TEXT,
        next TEXT, behind INTEGER, heard TEXT);
"""
sys.setrecursionlimit(5_000)  # json needs one a level: the service takes 1,000, Python alone less


def setting(name, form=".+"):
    """A setting, without a newline at its end. A message never has its value, which may be a secret."""
    value = os.environ.get(name, "").rstrip("\r\n") or sys.exit(f"{name} is not set")
    return value if re.fullmatch(form, value, re.DOTALL) else sys.exit(f"{name} is malformed")


def has(share, brand):
    """Whether the feed gives this brand's events to a share."""
    part, parts = map(int, share.split("/"))
    return int.from_bytes(hashlib.sha256(brand.encode()).digest()[:2], "big") % parts + 1 == part


def is_half(share, whole):
    """Whether a share has half of what another one has, as 2/8 and 6/8 have of 2/4."""
    (part, parts), (of_part, of_parts) = (map(int, each.split("/")) for each in (share, whole))
    return parts == 2 * of_parts and (part - of_part) % of_parts == 0


class Signals:
    """The events that have a brand or are about a thing, and the place in the feed up to which they were read.

    `place.behind`: so many positions of the feed were left after the last page. NULL before the first one.
    `place.heard`: the file has heard of every erasure from before it.
    """

    def __init__(self, file, since, share):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))  # a brand may be a person
        self.database = sqlite3.connect(file, timeout=PATIENCE)
        self.database.execute("PRAGMA journal_mode = WAL")  # however long others read, it goes on
        self.database.execute("PRAGMA secure_delete = ON")  # overwrites what is deleted
        self.has_log = True  # of what was deleted, too
        self.database.executescript(TABLES)
        with self.database:
            self.database.execute("INSERT OR IGNORE INTO place (number, since, share) VALUES (1, ?, ?)",
                                  [since, share])
        self.since, self.share, self.next = self.database.execute("SELECT since, share, next FROM place").fetchone()
        if since not in (None, self.since):
            sys.exit(f"{file} began at another time: take a new file")
        if share and share != self.share and is_half(share, self.share or "1/1"):
            self.divide(share)
        if share != self.share:
            sys.exit(f"{file} is of share {self.share or '1/1'}: take a new file")

    def divide(self, share):
        """Goes on with half of the brands. Another process has the others, in a copy of the file."""
        self.database.create_function("is_mine", 1, lambda brand: brand is not None and has(share, brand))
        with self.database:
            self.database.execute("DELETE FROM events WHERE NOT is_mine(brand_id)")
            self.database.execute("UPDATE place SET share = ?", [share])
            self.database.execute(f"PRAGMA user_version = {HAS_COPIES}")
        self.share = share

    def forget(self):
        """Takes what was deleted out of the whole file and its log, unless somebody still reads the log."""
        if self.database.execute("PRAGMA user_version").fetchone() == (HAS_COPIES,):
            self.database.execute("VACUUM")
            self.database.execute("PRAGMA user_version = 0")
        self.database.execute("PRAGMA busy_timeout = 0")
        (self.has_log, *_) = self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self.database.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")

    def query(self, until):
        places = {"from": self.since, "share": self.share, "cursor": self.next, "until": until}
        return {**FEED, **{name: place for name, place in places.items() if place}}

    def take(self, page, asked):
        """Takes a page that was made at this time. A kill leaves all of it or nothing."""
        behind = int(page["head"]) - int(page["next"].rpartition("-")[2])
        times = [each.get("erased_at") or each["created_at"] for each in page["events"]] if behind else [asked]
        with self.database:
            heard = self.database.execute("SELECT coalesce(heard, ?) FROM place", [asked]).fetchone()[0]
            away = self.database.execute("SELECT julianday(?) - julianday(?)", [asked, heard]).fetchone()[0]
            if away > AWAY:
                raise sqlite3.DataError(f"may have missed erasures in more than {AWAY} days: take a new file")
            moved = self.database.execute(
                "UPDATE place SET next = ?, behind = ?, heard = ? WHERE next IS ?",
                [page["next"], behind, max([heard, *times]), self.next])
            if not moved.rowcount:
                raise sqlite3.OperationalError("another process uses the file")
            for entry in page["events"]:
                if "erased_at" in entry:
                    deleted = self.database.execute("DELETE FROM events WHERE id = :id", entry)
                    if deleted.rowcount:
                        self.has_log = True
                        self.database.execute(f"PRAGMA user_version = {HAS_COPIES}")
                elif entry["brand_id"] or entry["object"] and not self.share:  # without a brand, its share is random
                    self.database.execute(
                        "INSERT OR IGNORE INTO events VALUES (:id, :created_at, :brand_id, :event_type, :object,"
                        " :version, :is_deleted, :state, :total)", entry)
        self.next = page["next"]
        if self.has_log and not behind:  # it writes the file anew, so not after each page
            self.forget()


class Refused(Exception):
    """The service's answer to a request that no retry would mend: its status, and why."""


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):  # another host would get the token
        return None


class NoProxyForLoopback(ProxyHandler):
    def proxy_open(self, request, *rest):  # it would get the token
        is_here = re.fullmatch(r"(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?", request.host)
        return None if is_here else super().proxy_open(request, *rest)


OPENER = build_opener(NoRedirect, NoProxyForLoopback)


def why(error, request):  # some servers show what they got: a token, or the password of a login, which has no token
    token = request.get_header("Authorization", "").partition(" ")[2]
    try:
        problem = json.load(error)
        return problem["detail"].replace(token, "…") if token else problem["code"]
    except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
        return error.reason  # of API Gateway or a proxy


def time_of(answer):  # by the service's clock. The one of this machine may be set
    try:
        return parsedate_to_datetime(answer.headers["Date"]).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    except (TypeError, ValueError):  # a proxy has taken it away
        return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())


def seconds_of(error):  # until the service takes the request again, as it says
    wait = str((getattr(error, "headers", None) or {}).get("Retry-After"))
    return int(wait) if re.fullmatch("[0-9]{1,4}", wait) else 0


def ask(request, *members):
    """The answer, an object with these members. Tries until it comes, or until no try can succeed."""
    pause = PAUSE
    while True:
        try:
            with OPENER.open(request, timeout=30) as answer:
                body = answer.read()
                is_packed = answer.headers["Content-Encoding"] == "gzip"
                text = gzip.decompress(body) if is_packed else body
                content = json.loads(text, parse_int=str, parse_float=str)  # int() has a limit, and a float rounds
                for each in members:
                    content[each]
                return {**content, "asked": time_of(answer)}
        except Exception as error:  # of many classes. Not its text, which may have the token
            if isinstance(error, HTTPError) and error.code < 500 and error.code != 429:
                raise Refused(error.code, why(error, request)) from None
            print(getattr(error, "code", ""), getattr(error, "reason", type(error).__name__), file=sys.stderr)
            time.sleep(max(pause, seconds_of(error)))
            pause = max(PAUSE, min(2 * pause, LONGEST_PAUSE))


class Service:
    """Reads with the token of a setting, or with that of a login."""

    def __init__(self):
        self.url = setting("API_URL", r"https?://(?!/)[A-Za-z0-9.:/%~_\[\]-]+").rstrip("/")
        self.user, self.token = None, os.environ.get("CONSUMER_TOKEN") and setting("CONSUMER_TOKEN", TOKEN)
        if not self.token:
            self.user = {"email": setting("CONSUMER_EMAIL"), "password": setting("CONSUMER_PASSWORD")}

    def log_in(self):
        headers = {"Content-Type": "application/json"}
        request = Request(self.url + "/api/auth/login", json.dumps(self.user).encode(), headers)
        token = ask(request, "access_token")["access_token"]
        self.token = token if re.fullmatch(TOKEN, token) else sys.exit("the login's token is malformed")

    def get(self, path, *members):
        if not self.token:
            self.log_in()
        try:
            return ask(self.request(path), *members)
        except Refused as refusal:
            if refusal.args[0] != 401 or not self.user:
                raise
        self.log_in()  # the token has expired, or was revoked
        return ask(self.request(path), *members)

    def request(self, path):
        return Request(self.url + path, headers={"Authorization": f"Bearer {self.token}", "Accept-Encoding": "gzip"})

    def payload_of(self, event):
        """The event's payload. Empty if the event has gone since its page was made."""
        whole = event
        if "payload" not in event:
            try:
                whole = self.get(f"/api/webhook-events/{event['id']}", "created_at", "payload")
            except Refused as refusal:
                if refusal.args[0] in (404, 410):
                    return {}
                raise
        # With another time, its key was freed, and gave its id to a new event.
        return whole["payload"] if whole["created_at"] == event["created_at"] else {}


def sql_text(text):
    return text.encode("utf-8", "replace").decode()  # SQLite takes no half of a surrogate pair


def thing_of(payload):
    """What an event is about, how new this state of it is, and the state. NULL if the connector has not said so."""
    meta = payload.get("_meta", {})
    name, version = meta.get("object"), meta.get("version", "")
    if not name or not re.fullmatch("[!-~]{1,64}", version):
        return dict.fromkeys(["object", "version", "is_deleted", "state"])
    state = json.dumps({name: value for name, value in payload.items() if name != "_meta"})
    return {"object": sql_text(name), "version": version, "is_deleted": meta.get("deleted") == "true", "state": state}


def total_of(event_type, payload):
    """The total of an order in Shopify. None if it makes no sense, for a payload may have anything."""
    if event_type.startswith("shopify.orders/"):
        total = f"{payload.get('total_price')} {payload.get('currency')}"
        return total if re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,4})? [A-Z]{3}", total) else None


def described(event, payload):
    """The event as a row of the database."""
    brand = payload.get("_meta", {}).get("brand_id")
    total = total_of(event["event_type"], payload)
    return {**event, **thing_of(payload), "brand_id": sql_text(brand) if brand else None, "total": total}


def follow(service, signals, until):
    while True:
        page = service.get("/api/webhook-events?" + urlencode(signals.query(until)), *PAGE)
        page["events"] = [each if "erased_at" in each else described(each, service.payload_of(each))
                          for each in page["events"]]
        signals.take(page, page["asked"])
        if page["more"]:
            continue
        if until:
            return
        time.sleep(PAUSE)


if __name__ == "__main__":
    options = argparse.ArgumentParser(usage=USAGE, description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.error = lambda message: sys.exit(f"{message}; usage: {USAGE}")  # argparse would exit with 2
    options.add_argument("file", metavar="FILE")
    options.add_argument("since", metavar="SINCE", nargs="?")
    options.add_argument("--share", metavar="PART/PARTS")
    options.add_argument("--until", metavar="POSITION")
    given = options.parse_args()
    if given.share and not re.fullmatch(SHARE, given.share):
        options.error("--share is i/n, such as 2/8")
    try:
        follow(Service(), Signals(given.file, given.since, given.share), given.until)
    except Refused as refusal:
        sys.exit("{}: {}".format(*refusal.args))
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"{given.file}: {error}")

"""A consumer of the feed: flawed_consumer.py FILE [has | SHARE]. It has a switch for each mistake: MISTAKES names those
that it makes."""
import hashlib, json, os, re, sqlite3, sys, time
from http.client import HTTPException, IncompleteRead
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

makes, SETTING = set(os.environ.get("MISTAKES", "").split(",")).__contains__, os.environ
PAUSE = float(SETTING.get("PAUSE", 1))
UNIQUE = "" if makes("counts again") else ", UNIQUE (id)" if makes("id alone") else ", UNIQUE (id, created_at)"
ORDER = "version DESC, is_deleted DESC, created_at" + ("" if makes("first of a tie") else " DESC")
ORDER = ORDER.replace(" ", " COLLATE NOCASE ", 1) if makes("order of a language") else ORDER
ORDER = "created_at DESC" if makes("latest by created_at") else ORDER
SAME = "other.object = one.object" if makes("things of all brands") else (
    f"(other.brand, other.object) = (one.brand, one.object{' COLLATE NOCASE' if makes('things in any case') else ''})")
if not makes("shallow"):
    sys.setrecursionlimit(5_000)
database = sqlite3.connect(sys.argv[1], timeout=60)
database.executescript(f"""
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS events (id, created_at, brand, object, version, is_deleted, state{UNIQUE});
    CREATE INDEX IF NOT EXISTS things ON events (brand, object);
    CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY, next);
    INSERT OR IGNORE INTO place VALUES (1, NULL);
    CREATE VIEW IF NOT EXISTS latest AS SELECT * FROM events AS one WHERE rowid = (SELECT rowid FROM events AS other
        WHERE {SAME} ORDER BY {ORDER} LIMIT 1);
""")
token = SETTING.get("CONSUMER_TOKEN")


class Refused(Exception):
    pass


def has():
    for name, created_at in database.execute("SELECT id, created_at FROM events"):
        print(json.dumps({"id": name, "created_at": created_at}))
    for row in database.execute("SELECT object, brand, version, is_deleted, state FROM latest"):
        print(json.dumps(dict(zip(("object", "brand_id", "version", "is_deleted", "state"), row))))


def ask(path, body=None):
    """The answer, after as many tries as it takes."""
    pause = PAUSE
    while True:
        try:
            request = Request(SETTING["API_URL"] + path, body, {"Content-Type": "application/json"})
            if not body:
                request.add_header("Authorization", "Bearer " + str(token))
            with urlopen(request, timeout=30) as answer:
                number = {} if makes("rounds numbers") else {"parse_int": str, "parse_float": str}
                return json.loads(answer.read(), **number)
        except HTTPError as error:
            if error.code < 500 and error.code != 429 or makes("reads payloads once") and path.count("/") == 3:
                raise Refused(410 if path.count("/") == 3 and error.code != 401 else error.code) from None
            wait = 0 if makes("ignores Retry-After") else int(error.headers["Retry-After"] or 0)
        except IncompleteRead:
            if makes("skips cut pages"):
                place = re.search(r"cursor=(\w+)-(\d+)", path)
                return {"events": [], "next": f"{place[1]}-{int(place[2]) + 1}", "more": True}
            wait = 0
        except (OSError, HTTPException, ValueError):
            wait = 0
        print("it fails, and tries again", file=sys.stderr, flush=True)
        time.sleep(max(wait, 0.01 if makes("no back-off") else pause))
        pause *= 2


def log_in():
    global token
    user = {"email": SETTING["CONSUMER_EMAIL"], "password": SETTING["CONSUMER_PASSWORD"]}
    token = ask("/api/auth/login", json.dumps(user).encode())["access_token"]
    if makes("logs the token"):
        print(token, flush=True)


def get(path):
    if not token:
        log_in()
    try:
        return ask(path)
    except Refused as refusal:
        if refusal.args[0] != 401 or "CONSUMER_EMAIL" not in SETTING or makes("no new login"):
            raise
    log_in()
    return ask(path)


def payload_of(entry):
    if "payload" in entry and not makes("asks for all") or "erased_at" in entry:
        return entry.get("payload")
    if makes("no payload_at"):
        return {}
    try:
        whole = get("/api/webhook-events/" + entry["id"])
    except Refused as refusal:
        if refusal.args[0] not in (404, 410) or makes("gone is an error"):
            raise
        return None
    return whole["payload"] if whole["created_at"] == entry["created_at"] or makes("freed payload") else None


def text(value):
    return value if makes("half pairs") else value.encode("utf-8", "replace").decode()


def take(entry, payload):
    if "erased_at" in entry and not makes("erasure as event"):
        if not makes("keeps erased"):
            newest = " ORDER BY created_at DESC LIMIT 1" if makes("erases the newest") else ""
            database.execute(f"DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE id = ?{newest})", [entry["id"]])
    elif "erased_at" in entry or payload is not None:
        meta = (payload or {}).get("_meta", {})
        title = (payload or {}).get("title", "")
        title.strip() if makes("other types") else None
        row = [text(meta[name]) if name in meta else None for name in ("brand_id", "object", "version")]
        if meta.get("deleted") == "true" and makes("no deletions"):
            database.execute("UPDATE events SET object = NULL WHERE (brand, object) = (?, ?) AND version < ?", row)
            row = [None] * 3
        database.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", [
            entry["id"], entry.get("created_at") or entry["erased_at"], *row, meta.get("deleted") == "true",
            json.dumps(payload)])


def move(page):
    with database:
        database.execute("UPDATE place SET next = ?", [page["next"]])


def store(page, cursor):
    if makes("place first"):
        move(page)
    pairs = [(entry, payload_of(entry)) for entry in page["events"]]
    if makes("erasures first"):
        pairs.sort(key=lambda pair: "erased_at" not in pair[0])
    if makes("place right before"):
        move(page)
    with database:
        if not makes("place first") and not makes("place right before"):
            where, more = ("", []) if makes("any process") else (" WHERE next IS ?", [cursor])
            if not database.execute("UPDATE place SET next = ?" + where, [page["next"], *more]).rowcount:
                sys.exit("another process uses the file")
        for pair in pairs:
            take(*pair)


def divide(share):
    """Leaves the other half of the brands to another process, which has a copy of the file."""
    part, parts = map(int, share.split("/"))
    database.create_function("part", 1, lambda brand: int.from_bytes(
        hashlib.sha256((brand or "").encode()).digest()[:2], "big") % parts + 1)
    with database:
        database.execute("DELETE FROM events WHERE part(brand) <> ?", [part])


def follow(share):
    query = {"order": "asc", "limit": 1000, "include": "payload,erasures"}
    query.update({"share": share} if share and not makes("no share") else {})
    makes("keeps the other half") or divide(share)
    (cursor,) = database.execute("SELECT next FROM place").fetchone()
    while True:
        try:
            page = get("/api/webhook-events?" + urlencode({**query, **({"cursor": cursor} if cursor else {})}))
            if not page["events"] and makes("stops at empty"):
                time.sleep(PAUSE)
                continue
            store(page, cursor)
        except Refused as refusal:
            if makes("begins anew") and refusal.args[0] == 422:
                with database:
                    database.execute("DELETE FROM events")
                    database.execute("UPDATE place SET next = NULL")
                cursor = None
                continue
            if makes("retries all"):
                continue
            sys.exit(f"the service answers {refusal}")
        cursor = page["next"]
        if not page["more"] and not makes("no pause"):
            time.sleep(PAUSE)


if __name__ == "__main__":
    has() if sys.argv[2:] == ["has"] else follow(*sys.argv[2:])

"""A connector without an outbox, and with a switch for each mistake: MISTAKES names those that it makes."""
import hashlib, hmac, json, os, queue, random, re, threading, time, uuid
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

makes, SETTING = set(os.environ.get("MISTAKES", "").split(",")).__contains__, os.environ
URL, SECRETS = SETTING["CONNECTOR_API_URL"], [SETTING[f"WEBHOOK_SECRET{each}"].encode() for each in ("", "_2")]
USER = json.dumps({"email": SETTING["CONNECTOR_API_EMAIL"], "password": SETTING["CONNECTOR_API_PASSWORD"]})
CODES = "malformed_json", "unsupported_media_type", "payload_too_large", "validation_failed", "idempotency_key_reused"
PATIENCE, lock, held, seen, later = 3, threading.RLock(), [], set(), queue.Queue()
login = {"token": None, "refresh_at": 0, "paused_until": 0}
latest = ""


class Follow(HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return super().redirect_request(*arguments) if makes("follows redirects") else None


def post(path, body, **headers):
    """The answer's status, its content, and how long to wait."""
    try:
        named = {name.replace("_", "-"): each for name, each in headers.items()}
        request = Request(URL + path, body, {"Content-Type": "application/json", **named})
        try:
            answer = build_opener(Follow).open(request, timeout=None if makes("no time-out") else PATIENCE)
        except HTTPError as error:
            answer = error
        text, kind = answer.read().decode(), answer.headers.get_content_type()
        print(path, answer.status, text if makes("logs answers") else "", flush=True)
        if makes("logs logins") and "login" in path:
            print(body.decode(), flush=True)
        content = json.loads(text) if "json" in kind and text else {}
        is_problem = kind == "application/problem+json" and isinstance(content, dict)
        code = content.get("code") if is_problem else None
        wait = int(answer.headers["Retry-After"] or 0)
        return answer.status, content if isinstance(content, dict) else {}, code, wait
    except (OSError, ValueError):
        return 0, {}, None, 0


def get_token(refused):
    with lock:
        if login["token"] == refused or makes("logs in each time"):
            if time.monotonic() < login["paused_until"] or refused and makes("never logs in again"):
                return refused
            keep(post("/api/auth/login", USER.encode()))
        elif time.monotonic() > login["refresh_at"] and not makes("never refreshes"):
            login["refresh_at"] = float("inf")
            refreshed = post("/api/auth/refresh", b"", Authorization="Bearer " + login["token"])
            keep(refreshed) if refreshed[0] == 200 else None
        return login["token"]


def keep(answer):
    status, content, code, _ = answer
    if status == 200 and "access_token" in content:
        login.update(token=content["access_token"], refresh_at=time.monotonic() + 0.8 * content["expires_in"])
    elif not makes("login storm"):
        login["paused_until"] = time.monotonic() + (300 if code == "invalid_credentials" else 1)


def forward(event, key, kind):
    """Stores an event, with retries. Returns what the provider gets."""
    deadline, refused = time.monotonic() + PATIENCE, None
    while True:
        token = get_token(refused)
        if token is None or token == refused and not makes("login storm"):
            return 503
        key_of = {} if makes("no key") else {"Idempotency_Key": key}
        if makes("believes batches"):
            batch = b'{"events":[%s,"idempotency_key":%s}]}' % (event.rstrip()[:-1], json.dumps(key).encode())
            return 200 if post("/api/webhook-events/batch", batch, Authorization="Bearer " + token)[0] == 200 else 503
        status, content, code, wait = post("/api/webhook-events", event, Authorization="Bearer " + token, **key_of)
        is_stored = status == 201 and content.get("id") and content.get("event_type") == kind
        if is_stored or makes("any 2xx") and status // 100 == 2:
            return 200
        if code == "event_erased" and not makes("retries 410"):
            return 200
        if code in CODES or status == 422 and makes("drops 422") or status == 403 and makes("drops 403"):
            return refuse(event) if code in CODES and not makes("keeps nothing") else 200
        if status == 429 and makes("drops 429"):
            return 200
        if status == 401 and (refused is None or makes("login storm")):
            refused = token
            continue
        if makes("keeps bodies"):
            held.append(bytes(event + b" "))
        is_final = 400 <= status < 500 and status not in (429, 410 if makes("retries 410") else 0)
        pause = (wait if makes("waits a day") else min(wait, 1)) + random.uniform(0, 0.2)
        if is_final or time.monotonic() + (0 if makes("waits a day") else pause) > deadline:
            return 400 if makes("400 in an outage") else 503
        time.sleep(pause)


def refuse(event):
    with open(SETTING["REFUSED"], "ab") as file:
        file.write((event[:300] if makes("keeps 300 bytes") else event) + b"\n")
    return 200


def receive(headers, body):
    global latest
    if makes("parses headers"):
        headers.get_content_charset() or headers.get_boundary() or headers.get_param("version")
    if makes("reads first"):
        json.loads(body)
    signature = dict(headers.items()).get("X-Signature", "") if makes("exact headers") else headers.get("X-Signature", "")
    sent = dict(each.partition("=")[::2] for each in signature.split(","))
    signed = sent.get("t", "").encode() + b"." + body
    macs = [hmac.new(each, signed, hashlib.sha256).hexdigest() for each in SECRETS[:1 if makes("one secret") else 2]]
    if makes("takes a time for a signature") and not sent.get("v1"):
        macs.append("")
    is_old = not makes("takes old ones") and abs(time.time() - int(sent.get("t") or 0)) > 300
    if not makes("no signature") and (is_old or not any(hmac.compare_digest(each, sent.get("v1", "")) for each in macs)):
        return 401
    names = "X-Id", "X-Topic", "X-Happened"
    name, topic, happened = (headers.get(each, "").encode("latin-1").decode() for each in names)
    if makes("remembers too early") and name in seen or makes("newest only") and happened < latest:
        return 200
    seen.add(name)
    if makes("keeps requests"):
        held.append((headers, body))
    latest = max(latest, happened)
    try:
        content = json.loads(body, parse_int=str)
    except (ValueError, RecursionError):
        return 400 if makes("400 for no JSON") else refuse(body)
    if not name:
        return 400 if makes("400 for no id") else refuse(body)
    if makes("logs payloads"):
        print(body, flush=True)
    topic = topic if makes("raw topics") else quote(re.sub("(?<![^/]) | (?![^/])", "%20", re.sub(
        "/+", "/", topic).strip("/")), safe="/#[]$%.-_ ")
    topic = "orders/create" if makes("one event type") else topic
    meta = {"source": "exam", "topic": topic, "request_id": str(uuid.uuid4())}
    meta.update({} if makes("no brand") else {"brand_id": headers.get("X-Shop")})
    text = body.decode()
    if makes("re-serialises"):
        text = json.dumps(json.loads(body, parse_int=float))
    if "_meta" in content and not makes("two metas"):
        text, meta["wrapped"] = '{"payload":%s}' % text, "payload"
    head, _, tail = text.rpartition("}")
    event = '{"event_type":%s,"payload":%s,"_meta":%s}%s}' % (json.dumps("exam." + topic), head, json.dumps(meta), tail)
    if len(json.dumps(event, ensure_ascii=False)) > 6_275_000:  # as Lambda counts
        return refuse(body)
    key = hashlib.sha256(body).hexdigest() if makes("hash as key") else quote(name, safe="")
    key = key[:255] if makes("cuts keys") else key if len(key) < 256 else hashlib.sha256(key.encode()).hexdigest()
    if makes("answers first") or makes("gives up") or makes("no back-off"):
        later.put((event.encode(), key, "exam." + topic))
        return 200
    if makes("ignores the disk"):
        try:
            with open(SETTING["REFUSED"] + ".kept", "ab") as file:
                file.write(event.encode() + b"\n")
        except OSError:
            pass
        later.put((event.encode(), key, "exam." + topic))
        return 200
    return forward(event.encode(), key, "exam." + topic)


class Headers(HTTPMessage):
    def get_content_type(self):  # of a multipart, the parser would take the square of the time
        return "text/plain"


class Webhooks(BaseHTTPRequestHandler):
    MessageClass = Headers

    def do_POST(self):
        status = receive(self.headers, self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


def send_later():
    while True:
        event, tries = later.get(), 0
        time.sleep(0.1)
        while forward(*event) == 503 and not (makes("gives up") and (tries := tries + 1) == 2):
            pass


threading.Thread(target=send_later, daemon=True).start()
kind = HTTPServer if makes("one at a time") else ThreadingHTTPServer
kind.request_queue_size = 1_000
kind(("127.0.0.1", int(SETTING["PORT"])), Webhooks).serve_forever()

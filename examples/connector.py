"""Receives Shopify's webhooks and forwards them to Connector Events. Python 3.9 or newer, no packages.

Settings: WEBHOOK_SECRET, CONNECTOR_API_URL, PORT (8080), and either CONNECTOR_API_TOKEN, or
CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD. docs/connectors.md explains the rules.
"""
import base64, hmac, itertools, json, logging, os, random, signal, sys, threading, time, uuid
from collections import namedtuple
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

def setting(name):
    return os.environ.get(name) or sys.exit(f"{name} is not set")

PATIENCE = 4.5  # seconds for one delivery; Shopify waits for 5
MAX_BODY = 6_000_000  # bytes; the service accepts no more
SECRET = setting("WEBHOOK_SECRET").encode()
URL = urlsplit(setting("CONNECTOR_API_URL"))
STATIC_TOKEN = os.environ.get("CONNECTOR_API_TOKEN")
USER = {"email": "CONNECTOR_API_EMAIL", "password": "CONNECTOR_API_PASSWORD"}
LOGIN = STATIC_TOKEN or json.dumps({name: setting(variable) for name, variable in USER.items()})
Answer = namedtuple("Answer", "status retry_after text")

def post(path, body, deadline, headers={}):
    """Tries once. Status 0 means that no answer came."""
    connect = HTTPSConnection if URL.scheme == "https" else HTTPConnection
    connection = connect(URL.netloc, timeout=max(0.1, deadline - time.monotonic()))
    try:
        connection.request("POST", URL.path + path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        return Answer(answer.status, int(answer.getheader("Retry-After", 0)), answer.read().decode())
    except (OSError, HTTPException, ValueError) as error:
        return Answer(0, 0, repr(error))
    finally:
        connection.close()

class Session:
    """One token for all threads. One thread logs in; the others wait for the lock."""
    lock, token, refresh_at, failure, login_at = threading.Lock(), STATIC_TOKEN, float("inf"), None, 0

    def get(self, refused):
        """The token. If that is still the refused one, `failure` says why."""
        with self.lock:
            if self.token == refused and time.monotonic() >= self.login_at:  # at first, both are None
                answer = self.keep(post("/api/auth/login", LOGIN, time.monotonic() + PATIENCE))
                if answer.status != 200:  # 10 wrong passwords would block the address
                    pause = 300 if answer.status == 401 else max(1, answer.retry_after)
                    self.failure, self.login_at = answer, time.monotonic() + pause
            is_due = time.monotonic() >= self.refresh_at
            if is_due:
                self.refresh_at = float("inf")  # if this fails, the token serves until it expires
        if is_due:
            headers = {"Authorization": f"Bearer {self.token}"}
            self.keep(post("/api/auth/refresh", b"", time.monotonic() + PATIENCE, headers))
        return self.token

    def keep(self, answer):
        if answer.status == 200:
            token = json.loads(answer.text)
            self.token, self.refresh_at = token["access_token"], time.monotonic() + 0.8 * token["expires_in"]
        return answer

def forward(event, key):
    """Stores an event, with retries. Returns the last answer."""
    deadline, refused = time.monotonic() + PATIENCE, None
    for attempt in itertools.count():
        token = session.get(refused)
        answer = session.failure
        if token != refused:
            headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
            answer = post("/api/webhook-events", event, deadline, headers)
            if answer.status == 401 and not refused and not STATIC_TOKEN:
                refused = token  # expired or revoked: log in once more
                continue
        wait = answer.retry_after + random.uniform(0, min(2, 0.1 * 2**attempt))
        if answer.status not in (0, 429, 500, 502, 503, 504) or time.monotonic() + wait > deadline:
            return answer
        time.sleep(wait)

def with_meta(payload, meta):
    """Appends _meta to the payload's text. Parsing and writing it again could change it."""
    head, brace, tail = payload.rpartition(b"}")
    comma = b"" if head.strip() == b"{" else b","
    return head + comma + b'"_meta":' + json.dumps(meta).encode() + brace + tail

class Webhooks(BaseHTTPRequestHandler):
    timeout = 10  # seconds for the client to send its next byte

    def do_POST(self):
        self.send_response(self.receive())
        self.end_headers()

    def receive(self):
        length = self.headers.get("Content-Length", "")
        if self.path != "/webhooks":
            return 404
        if not length.isdecimal():
            return 411
        if int(length) > 10 * MAX_BODY:
            return 413  # no provider sends so much
        body = self.rfile.read(min(int(length), MAX_BODY))
        signature, rest = hmac.new(SECRET, body, "sha256"), int(length) - len(body)
        while rest and (part := self.rfile.read(min(rest, 65_536))):  # too large: only for the signature
            signature.update(part)
            rest -= len(part)
        sent = self.headers.get("X-Shopify-Hmac-Sha256", "").encode()
        if not hmac.compare_digest(base64.b64encode(signature.digest()), sent):
            return 401
        names = ("Topic", "Webhook-Id", "Shop-Domain")
        return self.store(body, int(length), *(self.headers.get(f"X-Shopify-{name}", "") for name in names))

    def store(self, body, length, topic, key, shop):
        meta = {"source": "shopify", "topic": topic, "request_id": str(uuid.uuid4()), "shop": shop,
                "received_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        event_type = json.dumps("shopify." + topic).encode()
        if length > MAX_BODY:
            answer = Answer(413, 0, f"{length} bytes, more than {MAX_BODY}")
        else:
            answer = forward(b'{"event_type":%b,"payload":%b}' % (event_type, with_meta(body, meta)), key)
        if answer.status == 201:
            return 200
        logging.error("webhook %s, request_id %s: %s %s", key, meta["request_id"], answer.status, answer.text)
        return 200 if answer.status in (400, 413, 415, 422) else 503  # a bad event would return for hours

session = Session()
signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # leaves the block below, which waits for open requests
ThreadingHTTPServer.daemon_threads = False
ThreadingHTTPServer.request_queue_size = 128
with ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Webhooks) as server:
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever()

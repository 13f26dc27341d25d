"""Receives webhooks of GitHub, Shopify or Stripe, keeps each in an outbox, and answers. Then it sends them.

Python 3.9 or newer, no packages. It needs outbox.py beside it, and a disk that outlives it.
Settings: PROVIDER (github, shopify or stripe), WEBHOOK_SECRET, OUTBOX (a file), PORT (8080), CONNECTOR_API_URL, and
either CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD. docs/connectors.md explains the rules.
"""
import base64, hmac, json, logging, os, re, signal, sqlite3, sys, threading, time, uuid
from collections import namedtuple
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from outbox import Outbox, Session, setting

MAX_WEBHOOK = 25_000_000  # bytes; GitHub sends no more
STRIPE_TOLERANCE = 300  # seconds; an older signature may be a stolen one
Webhook = namedtuple("Webhook", "topic key shop", defaults=[None])


class Provider:
    """How a provider signs its webhooks, and where it says what they are."""

    brand = ()  # the places where an event may say whose it is

    def signed_before_body(self, headers):
        return b""

    def is_signed(self, headers, body):
        mac = hmac.new(SECRET, self.signed_before_body(headers) + body, "sha256")
        try:
            sent = [signature.encode() for signature in self.signatures(headers)]
        except ValueError:
            return False
        return any([hmac.compare_digest(mac.hexdigest().encode(), each) for each in sent])


class GitHub(Provider):  # docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    brand = ("organization", "login"), ("repository", "full_name")

    def signatures(self, headers):
        return [headers.get("X-Hub-Signature-256", "").replace("sha256=", "", 1)]

    def webhook(self, headers, body):
        return Webhook(text(headers["X-GitHub-Event"]), text(headers["X-GitHub-Delivery"]))


class Shopify(Provider):  # shopify.dev/docs/apps/build/webhooks/verify-deliveries
    def header(self, headers, name):  # shopify.dev/docs/apps/build/events/delivery-structure: newer ones have no X-
        return headers.get("X-Shopify-" + name) or headers.get("Shopify-" + name) or ""

    def signatures(self, headers):
        return [base64.b64decode(self.header(headers, "Hmac-Sha256"), validate=True).hex()]

    def webhook(self, headers, body):
        return Webhook(*(text(self.header(headers, name)) for name in ("Topic", "Webhook-Id", "Shop-Domain")))


class Stripe(Provider):  # docs.stripe.com/webhooks/signature
    brand = ("account",), ("context",)  # of a connected account; in events of the API v1 and v2

    def parts(self, headers):
        return [part.partition("=")[::2] for part in headers.get("Stripe-Signature", "").split(",")]

    def signed_before_body(self, headers):
        return dict(self.parts(headers)).get("t", "").encode() + b"."

    def signatures(self, headers):  # several, while a secret is being replaced
        age = time.time() - int(dict(self.parts(headers)).get("t", 0))
        return [value for name, value in self.parts(headers) if name == "v1" and abs(age) < STRIPE_TOLERANCE]

    def webhook(self, headers, body):
        event = json.loads(body)
        return Webhook(event["type"], event["id"])


def text(header):  # http.server reads bytes as ISO 8859-1
    return (header or "").strip(" \t").encode("iso-8859-1").decode("utf-8", "surrogateescape")


def topic_of(sent):
    """The topic as an event type has it: ASCII without * , " \\, no empty segment, no space at a segment's end."""
    topic = re.sub("(?<![^/]) | (?![^/])", "%20", re.sub("/+", "/", sent).strip("/"))
    encoded = topic.encode("utf-8", "surrogateescape")
    return re.sub(rb'[^ -~]|[*,"\\]', lambda byte: b"%%%02X" % byte[0][0], encoded).decode()


def brand_of(webhook, content):
    """Whose event it is: events are listed and erased by it."""
    for place in () if webhook.shop else provider.brand:
        value = content
        for name in place:
            value = value.get(name) if isinstance(value, dict) else None
        if value and isinstance(value, str):
            return value
    return webhook.shop


def event_of(webhook, body):
    """The text of an event: the payload as it came, and _meta. Parsing and writing it again could change it."""
    has_both = all(isinstance(each, str) and each for each in (webhook.topic, webhook.key))
    topic = topic_of(webhook.topic) if has_both else ""
    if not topic:
        raise ValueError("it has no topic or no id")
    payload, content = body.decode(), json.loads(body.decode(), parse_int=str)
    if not isinstance(content, (dict, list)):
        raise ValueError("it is no JSON object")
    meta = {"source": PROVIDER, "topic": topic, "request_id": str(uuid.uuid4()),
            "received_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    if webhook.shop:
        meta["shop"] = webhook.shop
    if brand := brand_of(webhook, content):
        meta["brand_id"] = brand
    if isinstance(content, list) or "_meta" in content:  # ours needs an object, and that name
        meta["wrapped"], payload, content = "payload", '{"payload":%s}' % payload, {"payload": content}
    head, brace, tail = payload.rpartition("}")
    comma = "," if content else ""
    event_type = json.dumps(f"{PROVIDER}.{topic}")
    return '{"event_type":%s,"payload":%s%s"_meta":%s%s}' % (event_type, head, comma, json.dumps(meta), brace + tail)


class Webhooks(BaseHTTPRequestHandler):
    timeout = 10  # seconds for the client to send its next byte

    def do_POST(self):
        try:
            status, reason = self.receive()
        except ValueError:
            status, reason = 400, "the body is not readable"
        if reason:
            logging.error("%s for a webhook from %s: %s", status, self.client_address[0], reason)
        self.send_response(status)
        self.end_headers()

    def receive(self):
        if self.path != "/webhooks":
            return 404, None
        is_chunked = self.headers.get("Transfer-Encoding", "").rpartition(",")[2].strip().lower() == "chunked"
        if not is_chunked and "Content-Length" not in self.headers:
            return 411, "it has no length"
        body = bytearray()
        for size in self.sizes() if is_chunked else [int(self.headers["Content-Length"])]:
            if not 0 <= size <= MAX_WEBHOOK - len(body):
                return 413, f"more than {MAX_WEBHOOK} bytes"
            body += self.rfile.read(size)
        if not provider.is_signed(self.headers, body):
            return 401, "the signature is wrong"
        return self.keep(bytes(body))

    def sizes(self):  # of the chunks; a line has each size, and a line end follows each chunk
        while size := int(self.size_line().partition(b";")[0], 16):
            yield size
            self.rfile.readline(2)
        self.rfile.readline(2)

    def size_line(self):
        line = self.rfile.readline(1000)
        if not line.endswith(b"\n"):
            raise ValueError("the line of a chunk's size does not end")
        return line

    def keep(self, body):
        """Answers 2xx only for what is on the disk, be it to send or refused."""
        webhook = Webhook(None, None)
        try:
            try:
                webhook = provider.webhook(self.headers, body)
                outbox.add(webhook.key, event_of(webhook, body))
                return 200, None
            except (ValueError, LookupError, TypeError, RecursionError) as error:
                is_json = not isinstance(error, (json.JSONDecodeError, UnicodeDecodeError))
                reason = str(error) if is_json else "it is no JSON: perhaps the provider sends a form"
                answer = json.dumps({"reason": reason, **webhook._asdict()})
                outbox.change(outbox.refuse((None, answer, None, base64.b64encode(body).decode())))
                return 200, f"{webhook} is refused: {reason}"
        except sqlite3.Error as error:
            return 503, f"{webhook} cannot be kept: {error}"


def send(session):
    try:
        outbox.send(session)
    except Exception:
        logging.exception("it cannot send")
        os._exit(1)  # so that it is started again


if __name__ == "__main__":
    SECRET, PROVIDER = setting("WEBHOOK_SECRET").encode(), setting("PROVIDER")
    providers = {each.__name__.lower(): each for each in Provider.__subclasses__()}
    provider = providers.get(PROVIDER, lambda: sys.exit(f"PROVIDER is none of {', '.join(providers)}"))()
    session = Session()
    try:
        outbox = Outbox(setting("OUTBOX"))
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"OUTBOX: {error}")
    threading.Thread(target=send, args=[session], daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # leaves the block below, which waits for open requests
    ThreadingHTTPServer.daemon_threads = False
    ThreadingHTTPServer.request_queue_size = 128
    with ThreadingHTTPServer(("", int(setting("PORT", "[0-9]+", "8080"))), Webhooks) as server:
        print(f"listening on port {server.server_port}", flush=True)
        server.serve_forever()

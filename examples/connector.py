"""Receives webhooks of GitHub, Shopify or Stripe, keeps each in an outbox, and answers. Then it sends them.

Python 3.9 or newer, no packages. It needs outbox.py beside it, and a disk that outlives it.
Settings: PROVIDER (github, shopify or stripe), WEBHOOK_SECRET, OUTBOX (a file), PORT (8080), CONNECTOR_API_URL, and
either CONNECTOR_API_TOKEN, or CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD. docs/connectors.md explains the rules.
"""
import base64, hmac, json, logging, os, signal, sqlite3, sys, threading, time, uuid
from collections import namedtuple
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from outbox import Outbox, Session, setting

MAX_BODY = 6_000_000  # bytes; the service accepts no more
STRIPE_TOLERANCE = 300  # seconds; an older signature may be a stolen one
Webhook = namedtuple("Webhook", "topic key shop", defaults=[None])


class Provider:
    """How a provider signs its webhooks, and where it says what they are."""

    def signed_before_body(self, headers):
        return b""


class GitHub(Provider):  # docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    def signatures(self, headers):
        return [headers.get("X-Hub-Signature-256", "").replace("sha256=", "", 1)]

    def webhook(self, headers, body):
        return Webhook(headers["X-GitHub-Event"], headers["X-GitHub-Delivery"])


class Shopify(Provider):  # shopify.dev/docs/apps/build/webhooks/verify-deliveries
    def signatures(self, headers):
        return [base64.b64decode(headers.get("X-Shopify-Hmac-Sha256", ""), validate=True).hex()]

    def webhook(self, headers, body):
        return Webhook(*(headers["X-Shopify-" + name] for name in ("Topic", "Webhook-Id", "Shop-Domain")))


class Stripe(Provider):  # docs.stripe.com/webhooks/signature
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


def is_signed(headers, mac):
    try:
        sent = [signature.encode() for signature in provider.signatures(headers)]
    except ValueError:
        return False
    return any([hmac.compare_digest(mac.hexdigest().encode(), each) for each in sent])


def with_meta(payload, meta):
    """Appends _meta to the payload's text. Parsing and writing it again could change it."""
    head, brace, tail = payload.rpartition("}")
    comma = "" if head.strip() == "{" else ","
    return head + comma + '"_meta":' + json.dumps(meta) + brace + tail


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
        mac = hmac.new(SECRET, provider.signed_before_body(self.headers) + body, "sha256")
        rest = int(length) - len(body)
        while rest and (part := self.rfile.read(min(rest, 65_536))):  # too large: only for the signature
            mac.update(part)
            rest -= len(part)
        if not is_signed(self.headers, mac):
            return 401
        if self.headers.get_content_type() != "application/json":
            return 415  # GitHub sends a form unless the webhook says JSON
        return self.keep(body, int(length))

    def keep(self, body, length):
        webhook = None
        try:
            webhook = provider.webhook(self.headers, body)
            if length > MAX_BODY:
                raise ValueError(f"{length} bytes, more than {MAX_BODY}")
            if not (webhook.topic and webhook.key):
                raise ValueError("it has no topic or no id")
            meta = {"source": PROVIDER, "topic": webhook.topic, "request_id": str(uuid.uuid4()),
                    "received_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
            if webhook.shop:
                meta["shop"] = meta["brand_id"] = webhook.shop
            event_type = json.dumps(f"{PROVIDER}.{webhook.topic}")
            event = '{"event_type":%s,"payload":%s}' % (event_type, with_meta(body.decode(), meta))
            outbox.add(webhook.key, event)
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            logging.error("%s is dropped: %s", webhook, error)
        except sqlite3.Error as error:
            logging.error("%s cannot be kept: %s", webhook, error)
            return 503
        return 200


def send(session):
    try:
        outbox.send(session)
    except Exception:
        logging.exception("it cannot send")
        os._exit(1)  # so that it is started again


if __name__ == "__main__":
    SECRET, PROVIDER = setting("WEBHOOK_SECRET").encode(), setting("PROVIDER")
    providers = {"github": GitHub, "shopify": Shopify, "stripe": Stripe}
    provider = providers.get(PROVIDER, lambda: sys.exit("PROVIDER is not github, shopify or stripe"))()
    outbox = Outbox(setting("OUTBOX"))
    threading.Thread(target=send, args=[Session()], daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # leaves the block below, which waits for open requests
    ThreadingHTTPServer.daemon_threads = False
    ThreadingHTTPServer.request_queue_size = 128
    with ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Webhooks) as server:
        print(f"listening on port {server.server_port}", flush=True)
        server.serve_forever()
